/**
 * Random EIP-712 typed data: a tree of struct types of any depth and every member type the standard has, with values to
 * fit. Integers come as bigint, bytes and addresses as lower-case hex; `spellings.mjs` writes them in other ways.
 */

const STRUCT_NAMES = ["Order", "OrderItem", "Order2", "Zebra", "A", "_Under", "person", "Foo_Bar", "AA", "Mail", "Z9"];
const MEMBER_NAMES = [
  "owner", "to", "amount", "x", "_", "data", "constructor", "length", "toString", "valueOf", "from", "name2", "Contents",
  "hasOwnProperty", "camelCase", "UPPER", "a1", "then", "type", "value",
];
const TEXT_PIECES = [
  "", "plain", " ", "\"quoted\"", "back\\slash", "\n", "\r\n", "\t", "\b", "\f", "/", "\u0000", "\u001f", "\u007f",
  "é", "e\u0301", "漢字", "\u{1f600}", "\u{1f469}\u200d\u{1f467}", "\ufeff", "\u2028", "\u2029", "\u202e", "\uffff",
  "\u{10ffff}", "\\u0041", "${x}", "</script>", "0x00", "1e3", "null",
];

/** One case: `{ types, primaryType, domain, message }`, `types` without `EIP712Domain`. */
export function typedDataCase(random) {
  const structs = structTypes(random);
  const types = Object.fromEntries(structs.map(({ name, members }) => [name, members]));
  const primaryType = structs[0].name;
  return { types, primaryType, domain: domainOf(random), message: structValue(random, types, primaryType) };
}

/** The members of EIP712Domain that the domain has, in the standard's order. */
export function domainType(domain) {
  const known = [
    ["name", "string"], ["version", "string"], ["chainId", "uint256"], ["verifyingContract", "address"], ["salt", "bytes32"],
  ];
  return known.filter(([name]) => domain[name] !== undefined).map(([name, type]) => ({ name, type }));
}

/** Splits one array level off a type: `uint8[2][]` is `{ item: "uint8[2]", length: null }`; null when it is no array. */
export function arrayOf(type) {
  const parts = /^(.*)\[(\d*)\]$/.exec(type);
  return parts && { item: parts[1], length: parts[2] === "" ? null : Number(parts[2]) };
}

/** The range of an integer type: `{ low, high }`; null for any other type. */
export function integerRange(type) {
  const parts = /^(u?)int(\d+)$/.exec(type);
  if (!parts) return null;
  const width = BigInt(parts[2]);
  return parts[1] ? { low: 0n, high: (1n << width) - 1n } : { low: -(1n << (width - 1n)), high: (1n << (width - 1n)) - 1n };
}

/** A type of the standard, arrays left aside. */
export function atomicType(random) {
  switch (random.between(0, 7)) {
    case 0: return "bool";
    case 1: return "address";
    case 2: return "string";
    case 3: return "bytes";
    case 4: return `bytes${random.between(1, 32)}`;
    case 5: return `int${random.between(1, 32) * 8}`;
    default: return `uint${random.between(1, 32) * 8}`;
  }
}

/** A string with escapes, several planes of Unicode and control characters; surrogates only in pairs. */
export function text(random) {
  if (random.oneIn(12)) return "long ".repeat(random.between(20, 200));
  return Array.from({ length: random.between(0, 4) }, () => random.pick(TEXT_PIECES)).join("");
}

/** An integer of the range, its bounds as likely as everything between. */
export function integer(random, { low, high }) {
  const span = high - low;
  const width = span.toString(2).length;
  switch (random.between(0, 5)) {
    case 0: return low;
    case 1: return high;
    case 2: return low < 0n ? -1n : 1n;
    case 3: return 0n;
    case 4: return low + (random.bits(random.between(1, width)) % (span + 1n));
    default: return low + (random.bits(width) % (span + 1n));
  }
}

function structTypes(random) {
  const count = random.pick([1, 1, 2, 3, 4, 5]);
  const names = random.shuffled(STRUCT_NAMES).slice(0, count);
  const structs = names.map((name) => ({ name, fields: [] }));
  structs.forEach((struct, at) => {
    const wanted = random.between(at === 0 || random.oneIn(2) ? 1 : 0, 5);
    for (let field = 0; field < wanted; field++) struct.fields.push(withArrays(random, atomicType(random)));
  });
  // Every struct but the root hangs below an earlier one, so that the root is the one unreferenced type.
  for (let child = 1; child < count; child++) {
    const parents = random.oneIn(3) ? 2 : 1;
    for (let parent = 0; parent < parents; parent++) {
      structs[random.between(0, child - 1)].fields.push(withArrays(random, names[child]));
    }
  }
  return structs.map(({ name, fields }) => {
    const memberNames = random.shuffled(MEMBER_NAMES);
    return { name, members: random.shuffled(fields).map((type, at) => ({ name: memberNames[at], type })) };
  });
}

function withArrays(random, type) {
  const levels = random.pick([0, 0, 0, 0, 1, 1, 2, 3]);
  for (let level = 0; level < levels; level++) type += random.oneIn(2) ? "[]" : `[${random.between(1, 3)}]`;
  return type;
}

function domainOf(random) {
  const domain = {};
  if (random.oneIn(2)) domain.name = text(random);
  if (random.oneIn(2)) domain.version = random.pick(["1", "2.0.0", "v\"1\"", "é"]);
  if (random.oneIn(2)) domain.chainId = random.pick([0n, 1n, 31337n, 8453n, (1n << 53n) - 1n, 1n << 53n, (1n << 256n) - 1n]);
  if (random.oneIn(2)) domain.verifyingContract = random.hex(20);
  if (random.oneIn(3)) domain.salt = random.hex(32);
  return domain;
}

function structValue(random, types, name) {
  return Object.fromEntries(types[name].map((member) => [member.name, memberValue(random, types, member.type)]));
}

function memberValue(random, types, type) {
  const array = arrayOf(type);
  if (array) {
    const length = array.length ?? random.pick([0, 0, 1, 2, 3]);
    return Array.from({ length }, () => memberValue(random, types, array.item));
  }
  if (types[type]) return structValue(random, types, type);
  const range = integerRange(type);
  if (range) return integer(random, range);
  if (type === "bool") return random.oneIn(2);
  if (type === "string") return text(random);
  if (type === "address") return random.oneIn(8) ? `0x${"0".repeat(40)}` : random.hex(20);
  if (type === "bytes") return random.hex(random.pick([0, 0, 1, 31, 32, 33, 64, random.between(0, 300)]));
  return random.hex(Number(type.slice("bytes".length)));
}
