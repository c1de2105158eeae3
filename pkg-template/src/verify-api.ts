// The functions that every entry of verified-swap/verify exports. Once the module is there, each is synchronous.
import { shownAt } from "./caller.ts";
import { answerOf, membersOf, type Answer } from "./module.ts";
import { AT_MOST, MAX_DEPTH, MAX_MEMBERS, MAX_VALUES, written } from "./plain.ts";
import { inside, tradeError } from "./reading.ts";
import type * as published from "./types/verify.ts";
import { explain as explainText, run, tables as tablesText } from "./verified_swap_verify.js";
import { hasModule } from "./verify-entry.ts";
export { isTradeError } from "./reading.ts";
export { isSupported } from "./support.ts";

/** The exported function of that name. `work` calls into the module, which answers with JSON text. */
const exported = <Given extends unknown[], Report>(name: string, work: (...given: Given) => string) =>
  shownAt((...given: Given): Report => {
    if (!hasModule()) {
      const message = `verified-swap/verify: call \`await init()\` once before ${name}`;
      throw tradeError(message, { code: "INVALID_INPUT", field: "init" });
    }
    const { report, error, message } = answerOf<Answer<Report>>(JSON.parse(inside(() => work(...given))));
    if (error) throw tradeError(message, error);
    return report;
  });
const seconds = () => Math.floor(Date.now() / 1000);
/** Takes any input: the module reads it, as `published` states it for that verifier. */
const verifier = (name: published.Asked["verifier"]) =>
  exported<[input: unknown], published.VerifyReport>(name, (input) => run(name, written(input, ""), seconds()));

export const verifyOrder = /* @__PURE__ */ verifier("verifyOrder");
export const verifyTransaction = /* @__PURE__ */ verifier("verifyTransaction");
export const verifyOtc = /* @__PURE__ */ verifier("verifyOtc");
export const verifyFill = /* @__PURE__ */ verifier("verifyFill");
export const verifyPermit = /* @__PURE__ */ verifier("verifyPermit");
export const verifyCancellation = /* @__PURE__ */ verifier("verifyCancellation");
export const explain = /* @__PURE__ */ exported<[call: unknown, context: unknown], published.Explanation>("explain", (call, context) =>
  explainText(asked(call), written({ ...membersOf(context), now: membersOf(context)?.now ?? seconds() }, "context")));
export const tables = /* @__PURE__ */ exported<[], ReturnType<typeof published.tables>>("tables", tablesText);

/** A payload may have any size: the module is given one that it refuses in the same way. */
function asked(call: unknown): string {
  try {
    return written(call, "call");
  } catch (error) {
    const { expected, actual } = membersOf(error) ?? {};
    if (expected !== AT_MOST) throw error;
    return `{"":${large(actual)}}`;
  }
}

/** A text beyond a limit, by the reader's word for it. */
function large(word: unknown): string {
  if (word === '"nesting"') return "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH);
  if (word === '"members"') return `{${Array.from({ length: MAX_MEMBERS + 1 }, (_, at) => `"${at}":0`)}}`;
  return `[${"0,".repeat(MAX_VALUES)}0]`;
}
