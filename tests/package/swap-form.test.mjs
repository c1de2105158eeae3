/** The form of a swap as it is typed: amounts, faults, and the request that they make. No module is there, as in a page's first moment. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as form from "../../node_modules/verified-swap/swap-form.js";

const USDC = { chainId: 1, symbol: "USDC", decimals: 6, address: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48" };
const WETH = { chainId: 1, symbol: "WETH", decimals: 18, address: "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2" };
const SOMEBODY = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266";

const typed = (changes) => ({ ...form.EMPTY_FORM, src: USDC, dest: WETH, amount: "100", ...changes });
const faults = (changes, pays = null, held = null) => form.faultsOf(typed(changes), pays, held).map(({ field, reason }) => `${field} ${reason}`);

test("an amount is read as people write it, and never as another one", () => {
  const read = {
    "100": "100000000", " 0.5 ": "500000", "0,5": "500000", "1.000": "1000000", "1,000.50": "1000500000", "1.000,5": "1000500000",
    "1 000,5": "1000500000", "1’000.5": "1000500000", "1,234,567": "1234567000000", "12,34,567": "1234567000000", ".5": "500000",
    "1.": "1000000", "007": "7000000", "١٢٫٥": "12500000", "1.2300000000": "1230000",
  };
  for (const [text, amount] of Object.entries(read)) assert.deepEqual(form.readUnits(text, 6), { amount, reason: null }, text);
  const wrong = {
    "": "empty", " ": "empty", "0": "empty", "0.000000": "empty", "1,000": "notNumber", "-1": "notNumber", "+1": "notNumber", "1e3": "notNumber",
    "0x10": "notNumber", "1²": "notNumber", "1.2.3": "notNumber", "1,2,3": "notNumber", ".": "notNumber", "NaN": "notNumber", "1/2": "notNumber",
    "1.0000001": "tooManyDecimals", ["9".repeat(80)]: "tooLong", ["1".repeat(1_000_000)]: "tooLong", [`0.${"0".repeat(300)}1`]: "tooLong",
  };
  for (const [text, reason] of Object.entries(wrong)) assert.deepEqual(form.readUnits(text, 6), { amount: null, reason }, text.slice(0, 20));
});

test("an amount that is filled in is read as the same", () => {
  for (const [amount, decimals] of [["1", 18], ["100000000", 6], ["123456789", 6], ["5", 0], ["1000", 3], ["99990000000000000", 18], [String(2n ** 256n - 1n), 18]])
    assert.equal(form.readUnits(form.typedUnits(amount, decimals), decimals).amount, amount);
});

test("each fault is told by its member", () => {
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ amount: "" }), ["amount empty"]);
  assert.deepEqual(faults({ dest: { ...USDC, address: USDC.address.toLowerCase() } }), ["pair sameToken"]);
  assert.deepEqual(faults({ dest: { ...WETH, chainId: 10 }, kind: "limit", limit: { by: "price", text: "1" } }), ["pair crosschainKind"]);
  assert.deepEqual(faults({}, "100", "99"), ["amount tooMuch"]);
  assert.deepEqual(faults({}, "100", null), [], "what is not known is no fault");
  for (const [receiver, expected] of [["", ["empty"]], ["0x12", ["notAddress"]], [WETH.address, ["isToken"]], [SOMEBODY, []], [` ${SOMEBODY} `, []]])
    assert.deepEqual(faults({ receiver }), expected.map((reason) => `receiver ${reason}`));
  const limit = (changes) => faults({ kind: "limit", limit: { by: "price", text: "", ...changes } });
  assert.deepEqual(limit(), ["limit empty"]);
  assert.deepEqual(limit({ text: "0.0" }), ["limit empty"]);
  assert.deepEqual(limit({ text: "x" }), ["limit notNumber"]);
  assert.deepEqual(limit({ text: "0.000000000000000000000001" }), []);
  assert.deepEqual(limit({ by: "amount", text: "0.0000000000000000001" }), ["limit tooManyDecimals"]);
  const slices = (count, changes) => faults({ kind: "slices", slices: { count, intervalSecs: 60, most: "" }, ...changes });
  assert.deepEqual(["", "1", "101", "2.5", "x"].map((count) => slices(count).join()), ["slices empty", ...Array(4).fill("slices sliceCount")]);
  assert.deepEqual([slices("2"), slices("100"), slices("4", { side: "BUY" })], [[], [], ["most empty"]]);
});

test("a request has what was typed, and none is made of a fault", () => {
  const request = (changes, loss = null) => JSON.parse(JSON.stringify(form.requestOf(typed(changes), loss)));
  const plain = {
    chainId: 1, srcToken: USDC.address, destToken: WETH.address, amount: "100000000", srcDecimals: 6, destDecimals: 18, side: "SELL",
    srcSymbol: "USDC", destSymbol: "WETH",
  };
  assert.deepEqual(request({}), { ...plain, mode: "ALL" });
  assert.equal(request({ amount: "x" }), null);
  assert.equal(request({ receiver: "x" }), null);
  assert.deepEqual(request({ path: "market" }).mode, "MARKET");
  assert.deepEqual(request({ path: "best" }).mode, "BOTH");
  assert.deepEqual(request({ path: "best", dest: { ...WETH, chainId: 10 } }), { ...plain, destChainId: 10, mode: "ALL" });
  assert.deepEqual(request({ kind: "limit" }), plain, "the market's price, before a limit is typed");
  assert.deepEqual(request({ kind: "slices" }), { ...plain, numSlices: 4, intervalSecs: 300 });
  assert.deepEqual(request({ side: "BUY", amount: "1" }).amount, "1000000000000000000");
  assert.deepEqual(request({ receiver: SOMEBODY }, 2_000), { ...plain, beneficiary: SOMEBODY, maxLossBps: 2_000, mode: "ALL" });
  assert.equal(request({ dest: { ...WETH, symbol: "USDC", isUnlisted: true } }).destSymbol, undefined, "an unlisted token's symbol is its own word");
});

test("the bridge that was chosen stays chosen, and trust in it is for no other", () => {
  const leg = (protocol) => ({ bridge: { protocol }, arrival: "promised" });
  const quote = (own, ...others) => ({ kind: "delta", ...leg(own), alternatives: others.map(leg) });
  const next = (changes, before, after) => form.withPrice(typed(changes), before, after);
  const first = quote("one", "two", "three");
  assert.deepEqual(next({ route: 0, acceptsPromise: true }, first, quote("one", "three", "two")), { route: 1, acceptsPromise: true });
  assert.deepEqual(next({ route: 0, acceptsPromise: true }, first, quote("one", "three")), { route: null, acceptsPromise: false });
  assert.deepEqual(next({ route: null, acceptsPromise: true }, first, quote("one", "two")), { route: null, acceptsPromise: true });
  assert.deepEqual(next({ route: null, acceptsPromise: true }, first, quote("two", "one")), { route: null, acceptsPromise: false });
});
