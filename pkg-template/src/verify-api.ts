// @ts-nocheck
// The functions that every entry of verified-swap/verify exports. Once the module is there, each is synchronous.
import { shownAt } from "./caller.ts";
import { AT_MOST, MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, written } from "./plain.ts";
import { inside, tradeError } from "./reading.ts";
import { explain as explainText, run, tables as tablesText } from "./verified_swap_verify.js";
import { hasModule } from "./verify-entry.ts";
export { isTradeError } from "./reading.ts";
export { isSupported } from "./support.ts";

/** The exported function of that name. `work` calls into the module, which answers with JSON text. */
const exported = (name, work) =>
  shownAt((...given) => {
    if (!hasModule()) {
      const message = `verified-swap/verify: call \`await init()\` once before ${name}`;
      throw tradeError(message, { code: "INVALID_INPUT", field: "init" });
    }
    const { report, error, message } = JSON.parse(inside(() => work(...given)));
    if (error) throw tradeError(message, error);
    return report;
  });
const seconds = () => Math.floor(Date.now() / 1000);
const verifier = (name) => exported(name, (input) => run(name, written(input, ""), seconds()));

export const verifyOrder = /* @__PURE__ */ verifier("verifyOrder");
export const verifyTransaction = /* @__PURE__ */ verifier("verifyTransaction");
export const verifyOtc = /* @__PURE__ */ verifier("verifyOtc");
export const verifyFill = /* @__PURE__ */ verifier("verifyFill");
export const verifyPermit = /* @__PURE__ */ verifier("verifyPermit");
export const verifyCancellation = /* @__PURE__ */ verifier("verifyCancellation");
export const explain = /* @__PURE__ */ exported("explain", (call, context) =>
  explainText(asked(call), written({ ...context, now: context?.now ?? seconds() }, "context")));
export const tables = /* @__PURE__ */ exported("tables", tablesText);

/** A payload may have any size: the module is given one that it says so of. */
function asked(call) {
  try {
    return written(call, "call");
  } catch (error) {
    if (error?.expected !== AT_MOST) throw error;
    return `{"":${LARGE[error.actual]()}}`;
  }
}

/** What is beyond a limit, by the reader's word for it. */
const LARGE = {
  '"nesting"': () => "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH),
  '"members"': () => `{${Array.from({ length: MAX_MEMBERS + 1 }, (_, at) => `"${at}":0`)}}`,
  '"more"': () => `[${"0,".repeat(MAX_VALUES)}0]`,
};
