// How the functions that are JavaScript read what they are passed: what is not as it must be is a TradeError with the
// member, as everywhere else.

export function fault(field, expected, value) {
  const shown = { undefined: () => "nothing", string: () => JSON.stringify(value.slice(0, 80)), object: () => (value ? "an object or list" : "null") };
  const actual = (shown[typeof value] ?? (() => String(value).slice(0, 80)))();
  const error = new Error(`${field}: expected ${expected}, got ${actual}`);
  error.name = "TradeError";
  throw Object.assign(error, { code: "INVALID_INPUT", action: "none", field, expected, actual });
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
