// @ts-nocheck
// Argument reading of the functions written in JavaScript: a malformed argument is a TradeError that names the member.
// Also handles failures of the module.

/** Characters that hide or move the text around them, as in the module: each is shown as its code point, `\u{202e}`. */
const visible = (text) => text.replace(/(?! )[\p{C}\p{Z}\p{DI}]/gu, (one) => `\\u{${one.codePointAt(0).toString(16)}}`);

/** An error of this package. Its members are defined, because a frozen `Error.prototype` lets nobody assign a name. */
export function tradeError(message, members) {
  const all = { name: "TradeError", action: "none", ...members };
  for (const name of Object.keys(members)) if (typeof all[name] === "string") all[name] = visible(all[name]);
  return Object.defineProperties(new Error(visible(message)), Object.getOwnPropertyDescriptors(all));
}

export function isTradeError(error, code) {
  return error?.name === "TradeError" && typeof error.code === "string" && (code === undefined || error.code === code);
}

let trapped;

/** Calls into the module. A trap becomes an error; the module is not called again, because its state is broken. */
export function inside(call, isClosed) {
  try {
    if (isClosed) throw tradeError("the client is closed", { code: "ABORTED" });
    if (trapped) throw trapped;
    return call();
  } catch (cause) {
    if (cause?.name === "TradeError") throw cause;
    if (cause instanceof WebAssembly.RuntimeError) trapped = cause;
    const message = trapped
      ? "the module failed and cannot go on: reload the page"
      : "a function that the page passed in threw: see the cause";
    throw tradeError(message, { code: "INTERNAL", cause });
  }
}

export function fault(field, expected, value) {
  const shown = {
    undefined: () => "nothing",
    string: () => JSON.stringify(value.slice(0, 80)),
    object: () => (value instanceof Promise ? "a promise: `await` it first" : value ? "an object or list" : "null"),
  };
  const actual = (shown[typeof value] ?? (() => String(value).slice(0, 80)))();
  throw tradeError(`${field}: expected ${expected}, got ${actual}`, { code: "INVALID_INPUT", field, expected, actual });
}

/** Whether the service left the value out, in any of its ways. */
export const absent = (value) => value === undefined || value === null || value === "";

export function object(value, field) {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Promise);
  return isObject ? value : fault(field, "an object", value);
}

/** An object; an empty one if it is absent. */
export const maybeObject = (value, field) => (absent(value) ? {} : object(value, field));

/** A list; an empty one if it is absent. */
export const list = (value, field) =>
  absent(value) ? [] : Array.isArray(value) ? value : fault(field, "an array", value);

/** An unsigned integer, as number, bigint or decimal text of at most 78 digits, which hold 256 bits. */
export function integer(value, field) {
  const isExact = ["bigint", "string"].includes(typeof value) || (Number.isSafeInteger(value) && value >= 0);
  const text = isExact ? String(value) : "";
  return /^\d{1,78}$/.test(text) ? BigInt(text) : fault(field, "an integer without sign", value);
}

export const text = (value) => (typeof value === "string" ? value : "");
