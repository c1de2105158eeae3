// Argument reading of the functions written in JavaScript: a malformed argument is a TradeError that names the member.
// Also handles failures of the module.
import { defined, membersOf, type ErrorMembers, type Members } from "./module.ts";
import type { ErrorCode, TradeError } from "./types.ts";

/** Characters that hide or move the text around them, as in the module: each is shown as its code point, `\u{202e}`. */
const visible = (text: string) => text.replace(/(?! )[\p{C}\p{Z}\p{DI}]/gu, (one) => `\\u{${one.codePointAt(0)?.toString(16)}}`);

/** An error of this package. Its members are defined, because a frozen `Error.prototype` refuses to have a name assigned. */
export function tradeError(message: string, members: ErrorMembers): TradeError {
  const all = { name: "TradeError", action: "none", ...members } satisfies Partial<TradeError>;
  const texts: Record<string, unknown> = all;
  for (const [name, value] of Object.entries(members)) if (typeof value === "string") texts[name] = visible(value);
  return defined(new Error(visible(message)), all);
}

export function isTradeError(error: unknown): error is TradeError;
export function isTradeError<C extends ErrorCode>(error: unknown, code: C): error is TradeError & { code: C };
export function isTradeError(error: unknown, code?: ErrorCode): boolean {
  const { name, code: own } = membersOf(error) ?? {};
  return name === "TradeError" && typeof own === "string" && (code === undefined || own === code);
}

let trapped: WebAssembly.RuntimeError | undefined;

/** Calls into the module. A trap becomes an error; the module is not called again, because its state is broken. */
export function inside<Result>(call: () => Result, isClosed?: boolean): Result {
  try {
    if (isClosed) throw tradeError("the client is closed", { code: "ABORTED" });
    if (trapped) throw trapped;
    return call();
  } catch (cause) {
    if (isTradeError(cause)) throw cause;
    if (cause instanceof WebAssembly.RuntimeError) trapped = cause;
    const message = trapped
      ? "the module failed and cannot go on: reload the page"
      : "a function that the page passed in threw: see the cause";
    throw tradeError(message, { code: "INTERNAL", cause });
  }
}

export function fault(field: string, expected: string, value: unknown): never {
  const actual =
    typeof value === "string" ? JSON.stringify(value.slice(0, 80))
    : value === undefined ? "nothing"
    : value === null ? "null"
    : value instanceof Promise ? "a promise: `await` it first"
    : typeof value === "object" ? "an object or list"
    : String(value).slice(0, 80);
  throw tradeError(`${field}: expected ${expected}, got ${actual}`, { code: "INVALID_INPUT", field, expected, actual });
}

/** Whether the service left the value out, in any of its ways. */
export const absent = (value: unknown): value is undefined | null | "" => value === undefined || value === null || value === "";

/** Whether it is an object, no list and no promise. */
export const isObject = (value: unknown): value is Members => typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Promise);

export const object = <Value>(value: Value, field: string): Value & Members =>
  isObject(value) ? value : fault(field, "an object", value);

/** An object; an empty one if it is absent. */
export const maybeObject = (value: unknown, field: string): Members => (absent(value) ? {} : object(value, field));

/** A list; an empty one if it is absent. */
export const list = (value: unknown, field: string): readonly unknown[] =>
  absent(value) ? [] : Array.isArray(value) ? value : fault(field, "an array", value);

/** An unsigned integer, as number, bigint or decimal text of at most 78 digits, which hold 256 bits. */
export function integer(value: unknown, field: string): bigint {
  const isExact = ["bigint", "string"].includes(typeof value) || (typeof value === "number" && Number.isSafeInteger(value) && value >= 0);
  const text = isExact ? String(value) : "";
  return /^\d{1,78}$/.test(text) ? BigInt(text) : fault(field, "an integer without sign", value);
}

export const text = (value: unknown) => (typeof value === "string" ? value : "");
