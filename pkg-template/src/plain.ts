// Callers' values as JSON text: the one reader of them, for the client's module and for verified-swap/verify.
// docs/verification.md, "A caller's values", has the table of what each value becomes.
import { fault } from "./reading.ts";

/** The levels of a value, the values in it, and the members of one object, at most; as in the module's reader of text. */
export const MAX_DEPTH = 64;
export const MAX_VALUES = 131_072;
export const MAX_MEMBERS = 256;
export const AT_MOST = "at most 131,072 values, 256 members in one object and 64 levels";

/** The way to a value: its name, and the place above it. */
type Place = { readonly above: Place; readonly name: string } | undefined;

/**
 * A caller's value as JSON text; errors name it `name`. Each property is read once, so that none is checked with one value and
 * used with another. A value that JSON would drop is refused.
 *
 * This is the strict way, for values that their caller signs or sends himself later: what may then show another value, such as a
 * getter, is refused.
 *
 * Throws INVALID_INPUT with the place of what is refused.
 */
export const written = (root: unknown, name: string): string => reader(name, STRICT)(root, undefined, MAX_DEPTH);

/** The same in the client's way: it signs what it has read here, so that getters, classes and holes are read, too. */
export const readOnce = (root: unknown, name: string): string => reader(name, ONCE)(root, undefined, MAX_DEPTH);

/** The same value as plain data that nothing else can change, as the client reads it. */
export const snapshot = <Value>(root: Value, name: string): Value => JSON.parse(readOnce(root, name));

/**
 * The client's options, in two: the JSON text of the members that `plain` names, with spaces between them, and behind it name
 * and value of each other member, as it is. Each is read once; those that are undefined are left out.
 */
export function parted(root: object, name: string, plain: string): unknown[] {
  const names = new Set(plain.split(" "));
  const beside: unknown[] = [];
  const text = reader(name, ONCE)(root, undefined, MAX_DEPTH, (member, value) => !names.has(member) && beside.push(member, value) > 0);
  return [text, ...beside];
}

/** The one switch: how objects and lists are read. */
interface Way {
  /** The kind of a value that is no plain data. */
  readonly unlike: (value: object, isList: boolean, length: number) => string | undefined;
  readonly names: (value: object) => readonly (string | symbol)[];
  /** A member's value; `wrong` refuses what it is instead of plain data. */
  readonly member: (value: object, name: string | symbol, wrong: (found: string) => never) => unknown;
}

const STRICT: Way = {
  unlike(value, isList, length) {
    if (value instanceof Promise) return PROMISE;
    // An instance may show another value to a caller that asks in another way, and so may a prototype's member.
    const prototype: unknown = Object.getPrototypeOf(value);
    if (!(isList ? isBuiltIn(prototype, Array) : prototype === null || isBuiltIn(prototype, Object))) return "an instance of a class";
    return isList && Reflect.ownKeys(value).length !== length + 1 ? "a list with holes, or with members" : undefined;
  },
  names: (value) => Reflect.ownKeys(value),
  member(value, name, wrong) {
    const own = Object.getOwnPropertyDescriptor(value, name);
    if (own?.get || own?.set) wrong("a getter");
    if (typeof name === "symbol" || !own?.enumerable) wrong("a hidden member");
    return own?.value;
  },
};

const ONCE: Way = {
  unlike(value, isList) {
    // A Date or a Map, of any realm, has its data elsewhere than in members, and would be read as empty.
    const kind = isList ? "Object" : Object.prototype.toString.call(value).slice(8, -1);
    return ["Object", "Module"].includes(kind) ? undefined : kind === "Promise" ? PROMISE : `an instance of ${kind}`;
  },
  names: (value) => Object.keys(value),
  member: (value, name) => Reflect.get(value, name),
};

/** Writes the value at a place, `left` levels above the deepest. `takes` has the first say of the outermost members. */
type Write<Value = unknown> = (value: Value, place: Place, left: number, takes?: (name: string, value: unknown) => boolean) => string;

/** A reader of one value, which is named `name`. */
function reader(name: string, way: Way): Write {
  let room = MAX_VALUES;
  let refusal: unknown = {};
  const refuse = (field: string, expected: string, found: unknown): never => {
    try {
      fault(field || "input", expected, found);
    } catch (error) {
      refusal = error;
    }
    throw refusal;
  };
  const large = (what: string) => refuse(name, AT_MOST, what);
  /** Values may be shared, so that few are many; and a long text costs as much as many. */
  const count = (length: number) => (room -= length >> 5) < 0 && large("more");
  /** The path of a place, which is made once it is needed. */
  const pathOf = (place: Place): string => (place ? [pathOf(place.above), place.name].filter(Boolean).join(".") : name);
  const wrong = (place: Place, expected: string, found: unknown) => refuse(pathOf(place), expected, found);

  const write: Write = (value, place, left, takes) => {
    if (left < 0) large("nesting");
    if (--room < 0) large("more");
    switch (typeof value) {
      case "undefined":
        return "null";
      case "boolean":
        return String(value);
      case "string":
        count(value.length);
        return JSON.stringify(value);
      case "number":
        if (!Number.isFinite(value)) wrong(place, "a number", value);
        // It may have lost digits: where an integer is read, an exponent is refused.
        return Math.abs(value) > Number.MAX_SAFE_INTEGER ? value.toExponential() : JSON.stringify(value);
      case "bigint":
        // Decimal text: of a number digits may be lost.
        return BigInt.asIntN(257, value) === value ? `"${value}"` : wrong(place, "an integer of 256 bits", "more");
      case "object":
        if (value === null) return "null";
        try {
          return membersOf(value, place, left, takes);
        } catch (error) {
          throw error === refusal ? error : wrong(place, "readable members", "a getter that threw");
        }
      default:
        return wrong(place, "plain data", value);
    }
  };

  const membersOf: Write<object> = (value, place, left, takes) => {
    const isList = Array.isArray(value);
    // A Proxy may say anything of its length. Making the names of a long list takes longer than all else.
    const listed = isList ? Number(value.length) : 0;
    if (!(listed <= room)) large("more");
    const unlike = way.unlike(value, isList, listed);
    if (unlike) wrong(place, "plain data", unlike === PROMISE ? value : unlike);
    const names = isList ? undefined : way.names(value);
    const length = names?.length ?? listed;
    if (names && length > MAX_MEMBERS) large("members");
    const texts: string[] = [];
    for (let at = 0; at < length; at++) {
      const own = names?.[at] ?? String(at);
      const here = { above: place, name: String(own) };
      const member = way.member(value, own, (found) => wrong(here, "plain data", found));
      if (!names) {
        texts.push(write(member, here, left - 1));
      } else if (member !== undefined && !takes?.(here.name, member)) {
        count(here.name.length);
        texts.push(`${JSON.stringify(own)}:${write(member, here, left - 1)}`);
      }
    }
    return names ? `{${texts}}` : `[${texts}]`;
  };
  return write;
}

const PROMISE = "a promise";

/** Whether it is the prototype of that constructor, in any realm: a frame's have the same text. */
function isBuiltIn(prototype: unknown, known: ObjectConstructor | ArrayConstructor): boolean {
  if (prototype === known.prototype) return true;
  const made: unknown = typeof prototype === "object" && prototype !== null ? Reflect.get(prototype, "constructor") : undefined;
  const text = (of: unknown) => Function.prototype.toString.call(of);
  return typeof made === "function" && made.prototype === prototype && text(made) === text(known);
}
