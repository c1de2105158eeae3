/**
 * The same typed data, written the ways callers and services write it: integers as bigint, decimal text or (where exact)
 * number, hex digits in either case, members and types in any order, members that no type names.
 */
import { arrayOf, domainType, integerRange } from "./typed-data-cases.mjs";
import { getAddress } from "ethers";

/** Rewrites every atomic value by `write(type, value)`, keeping the structure. */
export function rewritten({ types, primaryType, domain, message }, write) {
  const value = (type, given) => {
    const array = arrayOf(type);
    if (array) return given.map((item) => value(array.item, item));
    if (types[type]) return struct(types[type], given);
    return write(type, given);
  };
  const struct = (members, given) => Object.fromEntries(members.map(({ name, type }) => [name, value(type, given[name])]));
  return {
    types,
    primaryType,
    domain: struct(domainType(domain), domain),
    message: struct(types[primaryType], message),
  };
}

/** As most JavaScript writes it down for a wallet: JSON-serialisable, integers as decimal text. */
export function asJson(typedData) {
  return rewritten(typedData, (type, value) => (integerRange(type) ? value.toString() : value));
}

/** One spelling at random, as an argument of the package's functions. */
export function anySpelling(random, typedData) {
  const spelled = rewritten(typedData, (type, value) => spelledValue(random, type, value));
  const types = inAnyOrder(random, spelled.types);
  const explicitDomain = random.oneIn(2);
  const domain = inAnyOrder(random, spelled.domain);
  const message = random.oneIn(2) ? reordered(random, spelled.message) : spelled.message;
  if (random.oneIn(6)) message.memberThatNoTypeNames = { nested: ["1", true, null] };
  const result = {
    types: explicitDomain ? { ...types, EIP712Domain: domainType(typedData.domain) } : types,
    domain,
  };
  result[random.oneIn(3) ? "value" : "message"] = message;
  if (!random.oneIn(3)) result.primaryType = typedData.primaryType;
  return inAnyOrder(random, result);
}

function spelledValue(random, type, value) {
  if (integerRange(type)) {
    const exact = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
    return random.pick([value, value.toString(), exact ? Number(value) : value.toString()]);
  }
  if (type === "address") return random.pick([value, `0x${value.slice(2).toUpperCase()}`, getAddress(value)]);
  if (type.startsWith("bytes")) return random.oneIn(3) ? `0x${value.slice(2).toUpperCase()}` : value;
  return value;
}

function inAnyOrder(random, object) {
  return Object.fromEntries(random.shuffled(Object.entries(object)));
}

function reordered(random, value) {
  if (Array.isArray(value)) return value.map((item) => reordered(random, item));
  if (value === null || typeof value !== "object") return value;
  return inAnyOrder(random, Object.fromEntries(Object.entries(value).map(([name, member]) => [name, reordered(random, member)])));
}
