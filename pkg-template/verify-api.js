// The functions that every entry of verified-swap/verify exports. Once the module is there, each is synchronous.
import { shownAt } from "./caller.js";
import { fault, inside, tradeError } from "./reading.js";
import { explain as explainText, run } from "./verified_swap_verify.js";
import { hasModule } from "./verify-entry.js";
export { isTradeError } from "./reading.js";
export { isSupported } from "./support.js";

/** How deep values may be nested, as in the module. */
const MAX_DEPTH = 64;

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
/** A payload may be nested as deep as any text of JSON: the module is given one that it says so of. */
export const explain = /* @__PURE__ */ exported("explain", (call, context) =>
  explainText(written(call, "call", MAX_DEPTH, "[".repeat(MAX_DEPTH) + "]".repeat(MAX_DEPTH)), written({ ...context, now: context?.now ?? seconds() }, "context")));

/**
 * A plain value as JSON text. Each property is read once, so that none is checked with one value and used with another. A
 * BigInt becomes decimal text; what JSON would drop is refused.
 */
function written(value, path, left = MAX_DEPTH, deeper) {
  if (left < 0) return deeper ?? fault(path, "plain data", "nesting without end");
  const wrong = (expected, shown) => fault(path || "input", expected, shown);
  if (value === null || value === undefined) return "null";
  if (typeof value === "bigint") return `"${value}"`;
  if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
  if (typeof value === "number") {
    if (!Number.isFinite(value)) wrong("a number", value);
    // It may have lost digits: where an integer is read, an exponent is refused.
    return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : JSON.stringify(value);
  }
  if (typeof value !== "object") wrong("plain data", value);
  if (value instanceof Promise) wrong("plain data: `await` it first", "a promise");
  const below = (name, member) => written(member, path ? `${path}.${name}` : name, left - 1, deeper);
  if (Array.isArray(value)) return `[${Array.from(value, (item, at) => below(String(at), item)).join()}]`;
  // An instance may show another value to whoever asks in another way.
  const prototype = Object.getPrototypeOf(value);
  if (prototype && Object.getPrototypeOf(prototype)) wrong("plain data", "an instance of a class");
  const described = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(([, { enumerable }]) => enumerable);
  const members = described.flatMap(([name, { get, value: member }]) => {
    // What is signed later could be another value.
    if (get) fault(path ? `${path}.${name}` : name, "plain data", "a getter");
    return member === undefined ? [] : [`${JSON.stringify(name)}:${below(name, member)}`];
  });
  return `{${members.join()}}`;
}
