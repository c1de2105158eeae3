// What had another name in the version before. Called by that it throws, and says the new one. For this version only.
import { shownAt } from "./caller.js";
import { fault } from "./reading.js";

const renamed = (before, now) => shownAt(() => fault(before, `${now}, its name now`, before));

export const orderFacts = /* @__PURE__ */ renamed("orderFacts", "summarizeOrder");
export const otcFacts = /* @__PURE__ */ renamed("otcFacts", "summarizeOtcOrder");

/** Gives a client the name that a call had before; it is not listed. */
export const formerly = (client, before, now) =>
  Object.defineProperty(client, before, { value: renamed(before, `client.${now}`) });
