import { element, fill, icon } from "./element.ts";
import { timeWords } from "./schedule.ts";

const TICK = "m4.5 10.5 3.8 3.8 7.2-8";
const CROSS = "m5 5 10 10M15 5 5 15";

/** A stop on the way to the end. */
export interface Stop {
  name: string;
  state: "done" | "now" | "ahead" | "failed";
  /** Unix milliseconds. */
  at: number | null;
}

const SPOKEN: Record<Stop["state"], string> = { done: "done", now: "in progress", ahead: "not yet", failed: "ended" };

/** The stops of an order or a transaction, one under the other. */
export function timeline(): { node: HTMLElement; show(stops: Stop[]): void } {
  const node = element("ol", { class: "timeline" });
  let drawn = "";
  return {
    node,
    show(stops) {
      if (drawn !== JSON.stringify(stops)) fill(node, ...stops.map(stopLine));
      drawn = JSON.stringify(stops);
    },
  };
}

/** The time of day to the second; of another day, the date and the minute. */
function momentWords(at: Date): string {
  return at.toDateString() === new Date().toDateString() ? at.toLocaleTimeString() : timeWords(at);
}

function stopLine({ name, state, at }: Stop): HTMLElement {
  const mark = state === "done" ? icon(TICK) : state === "failed" ? icon(CROSS) : null;
  return element(
    "li",
    { class: state, "aria-current": state === "now" && "step" },
    element("span", { class: "dot" }, mark),
    element("span", { class: "stop-name" }, name, element("span", { class: "visually-hidden" }, `, ${SPOKEN[state]}`)),
    at === null ? null : element("time", { datetime: new Date(at).toISOString() }, momentWords(new Date(at))),
  );
}
