// @ts-nocheck
// Plain data as JSON text: what the entries of verified-swap/verify are given is read once, here.
import { fault } from "./reading.ts";

/** How deep values may be nested, and how many there may be, as in the module. */
export const [MAX_DEPTH, MAX_VALUES] = [64, 131_072];
export const AT_MOST = "at most 131,072 values in 64 levels";

/**
 * A plain value as JSON text. Each property is read once, so that none is checked with one value and used with another. A
 * BigInt becomes decimal text; what JSON would drop, and what another reader may find elsewhere, is refused.
 */
export function written(root, name) {
  let room = MAX_VALUES;
  const large = (what) => fault(name || "input", AT_MOST, what);
  /** Values may be shared, so that few are many; and a long text costs as much as many. */
  const count = (length) => (room -= length >> 5) < 0 && large("more");
  /** A place is its name and the place above; its path is made once it is needed. */
  const pathOf = (place) => (place ? [pathOf(place.above), String(place.name)].filter(Boolean).join(".") : name);
  const wrong = (place, expected, shown) => fault(pathOf(place) || "input", expected, shown);
  const write = (value, place, left) => {
    if (left < 0) large("nesting");
    if (--room < 0) large("more");
    if (value === null || value === undefined) return "null";
    if (typeof value === "bigint") return BigInt.asIntN(257, value) === value ? `"${value}"` : wrong(place, "an integer of 256 bits", "more");
    if (typeof value === "string") count(value.length);
    if (typeof value === "string" || typeof value === "boolean") return JSON.stringify(value);
    if (typeof value === "number") {
      if (!Number.isFinite(value)) wrong(place, "a number", value);
      // It may have lost digits: where an integer is read, an exponent is refused.
      return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : JSON.stringify(value);
    }
    if (typeof value !== "object") wrong(place, "plain data", value);
    if (value instanceof Promise) wrong(place, "plain data: `await` it first", "a promise");
    // An instance may show another value to whoever asks in another way, and so may a prototype's member.
    const isList = Array.isArray(value);
    const prototype = Object.getPrototypeOf(value);
    if (!(isList ? isBuiltIn(prototype, Array) : prototype === null || isBuiltIn(prototype, Object))) wrong(place, "plain data", "an instance of a class");
    // Making the names of a long list takes longer than all else.
    if (isList && value.length > room) large("more");
    const names = Reflect.ownKeys(value);
    if (names.length > room + 1) large("more");
    if (isList && names.length !== value.length + 1) wrong(place, "plain data", "a list with holes, or with members");
    const members = [];
    const length = isList ? names.length - 1 : names.length;
    for (let at = 0; at < length; at++) {
      const name = isList ? at : names[at];
      const here = { above: place, name };
      const own = Object.getOwnPropertyDescriptor(value, name);
      // What is signed later could be another value.
      if (own?.get || own?.set) wrong(here, "plain data", "a getter");
      if (typeof name === "symbol" || !own?.enumerable) wrong(here, "plain data", "a hidden member");
      if (!isList) count(name.length);
      const text = write(own.value, here, left - 1);
      if (isList) members.push(text);
      else if (own.value !== undefined) members.push(`${JSON.stringify(name)}:${text}`);
    }
    return isList ? `[${members}]` : `{${members}}`;
  };
  return write(root, undefined, MAX_DEPTH);
}

/** Whether it is the prototype of that constructor, in any realm: a frame's have the same text. */
function isBuiltIn(prototype, known) {
  if (prototype === known.prototype) return true;
  const made = prototype?.constructor;
  const text = (of) => Function.prototype.toString.call(of);
  return typeof made === "function" && made.prototype === prototype && text(made) === text(known);
}
