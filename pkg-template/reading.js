// How the functions that are JavaScript read what they are passed: what is not as it must be is a TradeError with the
// member, as everywhere else. And what becomes of a module that fails.

const tradeError = (message, members) => Object.assign(new Error(message), { name: "TradeError", action: "none", ...members });

let trapped;

/**
 * Calls into the module. A trap is an error like any other; after it nothing is asked of the module any more, which was in the
 * middle of something.
 */
export function inside(call, isClosed) {
  try {
    if (isClosed) throw tradeError("aborted by the caller", { code: "ABORTED" });
    if (trapped) throw trapped;
    return call();
  } catch (cause) {
    if (cause?.name === "TradeError") throw cause;
    if (cause instanceof WebAssembly.RuntimeError) trapped = cause;
    const message = trapped ? "the module failed in the middle of its work and does no more: reload the page" : "something that the page provides threw where it must not: see the cause";
    throw tradeError(message, { code: "INTERNAL", cause });
  }
}

export function fault(field, expected, value) {
  const shown = { undefined: () => "nothing", string: () => JSON.stringify(value.slice(0, 80)), object: () => (value ? "an object or list" : "null") };
  const actual = (shown[typeof value] ?? (() => String(value).slice(0, 80)))();
  throw tradeError(`${field}: expected ${expected}, got ${actual}`, { code: "INVALID_INPUT", field, expected, actual });
}

/** Whether the service left it out, in one way or another. */
export const absent = (value) => value === undefined || value === null || value === "";

export function object(value, field) {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : fault(field, "an object", value);
}

/** An object, or one without members where there is none. */
export const maybeObject = (value, field) => (absent(value) ? {} : object(value, field));

/** A list, or an empty one where there is none. */
export const list = (value, field) => (absent(value) ? [] : Array.isArray(value) ? value : fault(field, "an array", value));

/** An integer without sign, as number, bigint or decimal text; no longer than 256 bits can be. */
export function integer(value, field) {
  const fits = typeof value === "number" ? Number.isSafeInteger(value) && value >= 0 : typeof value === "bigint" || typeof value === "string";
  const text = fits ? String(value) : "";
  return /^\d{1,78}$/.test(text) ? BigInt(text) : fault(field, "an integer without sign", value);
}

export const text = (value) => (typeof value === "string" ? value : "");
