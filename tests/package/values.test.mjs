/**
 * A caller's values at both doors, the client's calls and the checks alone: the table of docs/verification.md, "A caller's
 * values", and values of a generator that has what each is read as. No property is read twice, and none is read later.
 */
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { runInNewContext } from "node:vm";
import { createClient, hashTypedData, init } from "verified-swap";
import { explain, init as initChecks } from "verified-swap/verify";
import { SeededRandom, campaign, forEachCase } from "../vectors/seeded-random.mjs";

// No entry exports it.
const { parted, readOnce, snapshot, written } = await import(new URL("plain.js", import.meta.resolve("verified-swap")));

before(() => Promise.all([init(), initChecks()]));

/** A refusal. */
const NO = Symbol("refused");
const define = (target, name, more) => Object.defineProperty(target, name, { enumerable: true, configurable: true, ...more });
class Data {
  constructor(members) {
    Object.assign(this, members);
  }
  toJSON() {
    return "another";
  }
}
const nested = (levels) => (levels ? { a: nested(levels - 1) } : 1);
const members = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 1]));
const cycle = {};
cycle.a = [cycle];

/** `[what, a value, as what the client reads it, as what the checks read it]`, the last if that is not the same. */
const TABLE = [
  ["text", "text", "text"],
  ["half of a pair", "a\ud800", "a\ufffd"],
  ["a number", 1.5, 1.5],
  ["minus zero", -0, 0],
  ["a number that may have lost digits", 2 ** 60, 2 ** 60],
  ["no number", NaN, NO],
  ["a number without end", Infinity, NO],
  ["a BigInt", -(2n ** 256n), `-${2n ** 256n}`],
  ["a BigInt of more than 256 bits", 2n ** 256n, NO],
  ["true", true, true],
  ["null", null, null],
  ["undefined", undefined, null],
  ["a member that is undefined", { a: undefined, b: 1 }, { b: 1 }],
  ["an item that is undefined", [undefined, 1], [null, 1]],
  ["a function", () => 1, NO],
  ["a symbol", Symbol("a"), NO],
  ["a promise", Promise.resolve(1), NO],
  ["a Date", new Date(0), NO],
  ["a Map", new Map([["a", 1]]), NO],
  ["a Set", new Set([1]), NO],
  ["bytes", new Uint8Array([1]), NO],
  ["a regular expression", /a/, NO],
  ["an error", new Error("a"), NO],
  ["a text as an object", new String("a"), NO],
  ["an instance of a class, with toJSON", new Data({ a: 1 }), { a: 1 }, NO],
  ["a member toJSON", { a: 1, toJSON: () => 2 }, NO],
  ["an object without prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ["an object of another realm", runInNewContext("({ a: [1] })"), { a: [1] }],
  ["a Date of another realm", runInNewContext("new Date(0)"), NO],
  ["a member __proto__", JSON.parse('{"__proto__":{"a":1}}'), JSON.parse('{"__proto__":{"a":1}}')],
  ["a member of the prototype", Object.create({ a: 1 }), {}, NO],
  ["a hidden member", define({ a: 1 }, "b", { enumerable: false, value: 2 }), { a: 1 }, NO],
  ["a symbol's member", { a: 1, [Symbol("b")]: 2 }, { a: 1 }, NO],
  ["a getter", define({}, "a", { get: () => 1 }), { a: 1 }, NO],
  ["a getter that throws", define({}, "a", { get: () => assert.fail("no") }), NO],
  ["a getter that throws nothing", define({}, "a", { get: () => { throw undefined; } }), NO],
  ["a getter in a list", define([1], 0, { get: () => 2 }), [2], NO],
  ["a list with a hole", [1, , 2], [1, null, 2], NO],
  ["a list with a member", Object.assign([1], { a: 1 }), [1], NO],
  ["a Proxy", new Proxy({ a: [1] }, {}), { a: [1] }],
  ["a Proxy that throws", new Proxy({}, { ownKeys: () => assert.fail("no") }), NO],
  ["a Proxy that was revoked", (({ proxy, revoke }) => (revoke(), proxy))(Proxy.revocable({}, {})), NO],
  
];
/** The limits, each at its bound and one beyond. */
const LIMITS = [
  ["a cycle", cycle, NO],
  ["64 levels", nested(64), nested(64)],
  ["65 levels", nested(65), NO],
  ["256 members", members(256), members(256)],
  ["257 members", members(257), NO],
  ["131,072 values", Array(131_071).fill(1), Array(131_071).fill(1)],
  ["131,073 values", Array(131_072).fill(1), NO],
  ["a text as long as 131,071 values", "a".repeat(131_071 * 32), "a".repeat(131_071 * 32)],
  ["a text as long as 131,072 values", "a".repeat(131_072 * 32), NO],
  ["a list as long as can be", Array(2 ** 32 - 1), NO],
  ["a Proxy without a length", new Proxy([1], { get: () => NaN }), NO],
];


/** The value as the module behind a door gets it; `NO` if the reader refuses it, which names where. */
function readAs(value, isStrict) {
  try {
    return JSON.parse((isStrict ? written : readOnce)(value, "value"), (_, one) => (typeof one === "string" ? one.toWellFormed() : one));
  } catch (error) {
    assert.equal(error.code, "INVALID_INPUT", String(error));
    assert.match(error.field, /^value/);
    assert.ok(error.message.startsWith(`${error.field}: expected ${error.expected}, got `));
    return NO;
  }
}

const TYPED = { domain: {}, primaryType: "A", types: { EIP712Domain: [], A: [{ name: "a", type: "string" }] }, message: { a: "a" } };
const client = await createClient({ baseUrl: "https://service.test", storage: false });
/** Calls of each door with a value that is of no use there: they fail where it is no plain data. */
const DOORS = [
  ["client", (value) => hashTypedData({ ...TYPED, beside: value }), /^argument\.beside/],
  ["checks", (value) => explain({ method: "none", params: [value] }, { accounts: [], chainId: 1 }), /^call\.params\.0/],
];

test("each value is read as the table says, at both doors, or refused with its place", () => {
  for (const [what, value, asClient, asChecks = asClient] of [...TABLE, ...LIMITS]) {
    assert.deepEqual(readAs(value, false), asClient, `${what}, by the client`);
    assert.deepEqual(readAs(value, true), asChecks, `${what}, by the checks`);
  }
  for (const [what, value, ...seen] of TABLE) {
    for (const [at, [door, call, place]] of DOORS.entries()) {
      if ((seen[at] ?? seen[0]) !== NO) assert.ok(call(value), `${what}, ${door}`);
      else assert.throws(() => call(value), ({ code, field }) => code === "INVALID_INPUT" && place.test(field), `${what}, ${door}`);
    }
  }
  const turning = (reads) => new Proxy([1, 2], { get: (list, name) => (name === "length" ? (reads.push(name) === 1 ? 1 : 2) : list[name]) });
  assert.deepEqual([readAs(turning([]), false), readAs(turning([]), true)], [[1], NO], "a Proxy that says another length the second time");
  const twice = { "\ud800": 1, "\udbff": 2 };
  assert.throws(() => hashTypedData({ ...TYPED, beside: twice }), { code: "INVALID_INPUT" }, "one name, once it is text of whole characters");
});

test("options: what the call uses as it is travels beside, and each member is read once", () => {
  const reads = [];
  const once = (name, value) => ({ enumerable: true, get: () => (reads.push(name), value) });
  const options = Object.defineProperties({}, { b: once("b", parted), c: once("c", undefined), a: once("a", { deep: [1n] }) });
  assert.deepEqual(parted(options, "options", "a d"), ['{"a":{"deep":["1"]}}', "b", parted]);
  assert.deepEqual(reads, ["b", "c", "a"]);
  assert.throws(() => parted({ a: { b: () => 1 } }, "options", "a"), { code: "INVALID_INPUT", field: "options.a.b" });
});

/** The values of the table that have no members. */
const LEAVES = TABLE.filter(([, value]) => typeof value !== "object" || value === null);

/** A random value as a row of the table, without its name. Each read of a member is counted in `reads`. */
function generated(random, levels, reads) {
  if (levels === 0 || random.oneIn(3)) {
    const [, value, asClient, asChecks = asClient] = random.pick(LEAVES.filter(([, , seen]) => seen !== NO || random.oneIn(20)));
    return [value, asClient, asChecks];
  }
  const isList = random.oneIn(2);
  const inner = Array.from({ length: random.between(0, 3) }, () => generated(random, levels - 1, reads));
  const names = inner.map((_, at) => (isList ? String(at) : random.pick(["a", "\u202e", "__proto__", "10", ""]) + (at || "")));
  const seen = (at) => {
    if (inner.some((one) => one[at] === NO)) return NO;
    if (isList) return inner.map((one) => one[at]);
    return Object.fromEntries(names.map((name, index) => [name, inner[index][at]]).filter((_, index) => inner[index][0] !== undefined));
  };
  const [asClient, asChecks] = [seen(1), seen(2)];
  const fill = (target) => inner.reduce((made, [value], at) => define(made, names[at], { value, writable: true }), target);
  const plain = fill(isList ? [] : {});
  const counts = new Map();
  reads.push(counts);
  /** Whether that member is read for the first time; what is not a member does not count. */
  const isFirst = (name) => !names.includes(name) || counts.set(name, (counts.get(name) ?? 0) + 1).get(name) === 1;
  const turning = {
    get: (target, name, own) => (isFirst(name) ? Reflect.get(target, name, own) : "another"),
    getOwnPropertyDescriptor(target, name) {
      const own = Reflect.getOwnPropertyDescriptor(target, name);
      return isFirst(name) ? own : { ...own, value: "another" };
    },
  };
  const getters = () => names.reduce((made, name, at) => define(made, name, { get: () => (isFirst(name) ? inner[at][0] : "another") }), isList ? [] : {});
  return random.pick([
    () => [plain, asClient, asChecks],
    () => [new Proxy(plain, { get: turning.get }), asClient, asChecks],
    () => [new Proxy(plain, { getOwnPropertyDescriptor: turning.getOwnPropertyDescriptor }), asClient, asChecks],
    () => [getters(), asClient, names.length ? NO : asChecks],
    () => (isList ? [Object.assign(plain, { length: names.length + 1 }), asClient === NO ? NO : [...asClient, null], NO] : [fill(new Data({})), asClient, NO]),
    () => [define(plain, Symbol("s"), { value: NO }), asClient, NO],
  ])();
}

test("of generated values the module sees what they were when they were read, each member once, or it is not given them", () =>
  forEachCase(campaign(2_000, 20_000), (random) => {
    const seed = random.bits64();
    for (const isStrict of [false, true]) {
      const reads = [];
      const [value, asClient, asChecks] = generated(new SeededRandom(seed), 4, reads);
      assert.deepEqual(readAs(value, isStrict), isStrict ? asChecks : asClient);
      assert.ok(reads.every((counts) => [...counts.values()].every((count) => count === 1)), "a member was read twice");
    }
  }));

test("the digest is of what a value was when it was read", () =>
  forEachCase(campaign(300, 3_000), (random) => {
    const [text, later] = [random.hex(random.between(0, 40)), random.hex(4)];
    let reads = 0;
    const message = define({}, "a", { get: () => (reads++ ? later : text) });
    const digest = hashTypedData({ ...TYPED, message });
    assert.deepEqual([digest, reads], [hashTypedData(JSON.stringify({ ...TYPED, message: { a: text } })), 1]);
  }));

/** The service of a page that edits its request, or one whose members answer in another way each time. */
async function askedFor(work) {
  const asked = [];
  const { fetch } = globalThis;
  globalThis.fetch = async (url) => {
    asked.push(String(url));
    return new Response('{"errorType":"NoRoute"}', { status: 400 });
  };
  try {
    await assert.rejects(work);
    return asked.map((url) => new URL(url).searchParams).map((query) => `${query.get("amount")} ${query.get("destToken")}`);
  } finally {
    globalThis.fetch = fetch;
  }
}
const TOKENS = ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xdAC17F958D2ee523a2206206994597C13D831ec7", "0x6B175474E89094C44Da98b954EedeAC495271d0F"];
const requested = (more) => ({ chainId: 1, srcToken: TOKENS[0], destToken: TOKENS[1], srcDecimals: 6, destDecimals: 6, amount: "1000000", ...more });

test("a request is read before the call has returned, and once", async () => {
  const settings = { baseUrl: "https://service.test", storage: false, advanced: { rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 100_000 } } };
  const price = `1000000 ${TOKENS[1]}`;
  for (const mode of ["DELTA", "MARKET", "BOTH"]) {
    for (const call of ["quote", "early", "trade"].filter((name) => mode !== "BOTH" || name !== "trade")) {
      const opening = createClient(settings);
      const made = call === "early" ? opening : await opening;
      const asks = (request) => (call === "trade" ? made.trade(request, { slippageBps: 50, onReview: () => true }) : made.quote(request));
      const edited = requested({ mode });
      const asked = await askedFor(() => {
        const promise = asks(edited);
        Object.assign(edited, { amount: "7", destToken: TOKENS[2] });
        return promise;
      });
      assert.ok(asked.length > 0 && asked.every((one) => one === price), `${call} ${mode}: ${asked}`);
      const reads = {};
      const turning = {};
      for (const [name, value] of Object.entries(requested({ mode }))) define(turning, name, { get: () => ((reads[name] = (reads[name] ?? 0) + 1) === 1 ? value : "7") });
      const again = await askedFor(() => asks(turning));
      assert.ok(again.length > 0 && again.every((one) => one === price), `${call} ${mode}: ${again}`);
      assert.ok(Object.values(reads).every((count) => count === 1), `${call} ${mode}: ${JSON.stringify(reads)}`);
      (await opening).close();
    }
  }
});

test("a snapshot is of the client's reading", () => {
  assert.deepEqual(snapshot({ a: 1n, b: [, new Data({ c: -0 })] }, "value"), { a: "1", b: [null, { c: 0 }] });
  client.close();
});
