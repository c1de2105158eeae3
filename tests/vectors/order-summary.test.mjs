import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, isTerminal, summarizeOrder } from "verified-swap";
import { changes, refusedOrAnswered } from "./malformed.mjs";

before(() => init());

const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/** Delta's wrapped native token, which an order may name in place of the placeholder. */
const DEPOSITED = "0x0A0D53b6684c7b32b4CBeF5fe8483bFCC8406742";
const TOKEN = "0x1111111111111111111111111111111111111111";
const same = { destinationChainId: 0 };

const sell = (more = {}) => ({
  status: "ACTIVE",
  side: "SELL",
  onChainOrderType: "Order",
  input: { amount: "1000" },
  output: { expectedAmount: "500", executedAmount: null, minAmount: "490" },
  order: { srcToken: TOKEN, srcAmount: "1000", destAmount: "489", bridge: same },
  transactions: [],
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});

const fill = (percent, spent, received, destinationTx = null) => ({
  originTx: "0x01",
  destinationTx,
  filledPercent: percent,
  spentAmount: spent,
  receivedAmount: received,
});

test("a resting sale states what it spends and what it guarantees", () => {
  const summary = summarizeOrder(sell());
  assert.deepEqual(summary, {
    isTerminal: false,
    isCrosschain: false,
    filledPercent: 0,
    spent: "0",
    received: "0",
    expectedSpent: "1000",
    expectedReceived: "500",
    maxSpent: "1000",
    minReceived: "490",
    averagePrice: null,
    cancel: "signature",
    slices: null,
  });
});

test("without stated bounds they come from the signed struct", () => {
  const summary = summarizeOrder(sell({ output: { expectedAmount: "500", executedAmount: null } }));
  assert.equal(summary.minReceived, "489");
  const buy = sell({ side: "BUY", input: { expectedAmount: "990", executedAmount: null }, output: { amount: "500" } });
  assert.deepEqual([summarizeOrder(buy).maxSpent, summarizeOrder(buy).minReceived], ["1000", "500"]);
});

test("what is guaranteed and expected is after the fee, which the contract takes of what it pays", () => {
  const partner = 0xabcn << 96n;
  const withFee = (bps, more) => {
    const partnerAndFee = (partner | (1n << 9n) | BigInt(bps)).toString();
    const order = { srcToken: TOKEN, srcAmount: "1000", destAmount: "999999", partnerAndFee, bridge: same, ...more };
    return summarizeOrder(sell({ order, output: { expectedAmount: "1000000" } }));
  };
  assert.deepEqual([withFee(10).minReceived, withFee(10).expectedReceived], ["998999", "999000"]);
  assert.equal(withFee(255).minReceived, "979999", "the contract takes 2 % at most");
  const arriving = withFee(10, { bridge: { destinationChainId: 10 } });
  assert.deepEqual([arriving.minReceived, arriving.expectedReceived], ["999000", "999000"], "the bridge gets what the fee leaves");
  const twap = { destAmountPerSlice: "999", destAmount: undefined, numSlices: 4, interval: 60 };
  const sliced = { srcToken: TOKEN, partnerAndFee: "10", bridge: same, ...twap };
  const slices = summarizeOrder(sell({ onChainOrderType: "TWAPOrder", order: sliced, input: {}, output: {} }));
  assert.equal(slices.minReceived, "3992", "each slice pays its own");
  const bought = { ...sliced, destAmountPerSlice: undefined, totalDestAmount: "3999" };
  const purchase = summarizeOrder(sell({ onChainOrderType: "TWAPBuyOrder", order: bought, input: {}, output: {} }));
  // Three of 999, and 1002.
  assert.equal(purchase.minReceived, "3994", "and the last has the rest");
  const stated = summarizeOrder(sell({ onChainOrderType: "TWAPBuyOrder", order: bought, input: {}, output: { amount: "3999" } }));
  assert.deepEqual([stated.minReceived, stated.expectedReceived], ["3994", "3994"], "stated beside the struct, too");
});

test("fills add up, missing figures count nothing, and the price is an average over them", () => {
  const summary = summarizeOrder(sell({ transactions: [fill(25, "250", "130"), fill(30, "300", null), fill(5.5, null, "25")] }));
  assert.equal(summary.filledPercent, 60.5);
  assert.deepEqual([summary.spent, summary.received], ["550", "155"]);
  assert.equal(summary.averagePrice, ((155n * 10n ** 18n) / 550n).toString());
});

test("a completed order's own figures go before those of its fills", () => {
  const transactions = [fill(100, "999", "505")];
  const figures = { input: { amount: "1000", executedAmount: "998" }, output: { executedAmount: "506", minAmount: "490" } };
  assert.deepEqual([summarizeOrder(sell({ status: "COMPLETED", ...figures, transactions })).spent], ["998"]);
  assert.equal(summarizeOrder(sell({ ...figures, transactions })).spent, "999", "not before it is completed");
  assert.equal(summarizeOrder(sell({ status: "COMPLETED", transactions })).received, "505");
});

test("a crosschain amount counts once it has arrived, and its minimum is the bridge's", () => {
  const crosschain = sell({
    order: { srcToken: TOKEN, srcAmount: "1000", destAmount: "489", bridge: { destinationChainId: "10" } },
    output: { expectedAmount: "500", executedAmount: null },
    transactions: [fill(100, "1000", "498")],
  });
  const [under, there] = [crosschain, { ...crosschain, transactions: [fill(100, "1000", "498", "0x02")] }].map(summarizeOrder);
  assert.ok(under.isCrosschain);
  assert.deepEqual([under.filledPercent, under.spent, under.received], [0, "1000", "0"]);
  assert.deepEqual([there.filledPercent, there.received], [100, "498"]);
  const half = summarizeOrder({ ...crosschain, transactions: [fill(50, "500", "250", "0x02"), fill(50, "500", "248")] });
  assert.equal(half.averagePrice, ((250n * 10n ** 18n) / 500n).toString(), "what is on its way has no price yet");
  assert.equal(there.minReceived, "500", "expected, not guaranteed: the origin's minimum is in another token");
});

test("slices have a count, times and an end", () => {
  const order = { srcToken: TOKEN, totalSrcAmount: "1001", destAmountPerSlice: "100", numSlices: 4, interval: 60, bridge: same };
  const twap = sell({ onChainOrderType: "TWAPOrder", order, input: {}, output: {}, transactions: [fill(25, "250", "101")] });
  const begun = Date.parse(twap.createdAt) / 1000;
  const summary = summarizeOrder(twap);
  assert.deepEqual(summary.slices, { done: 1, total: 4, nextNotBefore: begun + 60 });
  assert.deepEqual([summary.maxSpent, summary.minReceived, summary.expectedReceived], ["1001", "400", "400"]);
  assert.equal(summarizeOrder({ ...twap, status: "CANCELLED" }).slices.nextNotBefore, null);
  const buy = { srcToken: TOKEN, totalDestAmount: "400", maxSrcAmount: "1200", numSlices: 4, interval: 60, bridge: same };
  const bought = summarizeOrder({ ...twap, onChainOrderType: "TWAPBuyOrder", order: buy });
  assert.deepEqual([bought.maxSpent, bought.minReceived], ["1200", "400"]);
});

test("which orders can be cancelled, and how", () => {
  for (const status of ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "EXECUTING"]) {
    assert.equal(summarizeOrder(sell({ status })).cancel, "signature", status);
  }
  for (const status of ["CANCELLING", "BRIDGING", "COMPLETED", "FAILED", "EXPIRED", "REFUNDING", "CANCELLED", "NEVER_HEARD_OF"]) {
    assert.equal(summarizeOrder(sell({ status })).cancel, null, status);
  }
  for (const srcToken of [NATIVE, NATIVE.toLowerCase(), DEPOSITED]) {
    assert.equal(summarizeOrder(sell({ order: { srcToken, bridge: same } })).cancel, "transaction");
  }
});

test("an order of no slices has no amount for each", () => {
  const order = { srcToken: TOKEN, totalSrcAmount: "900", totalDestAmount: "300", numSlices: "0", bridge: same };
  const none = sell({ onChainOrderType: "TWAPOrder", output: {}, order });
  assert.throws(() => summarizeOrder(none), { code: "INVALID_INPUT", field: "order.order.numSlices" });
});

test("an order that says little is no error", () => {
  const summary = summarizeOrder({ status: "NEVER_HEARD_OF" });
  assert.deepEqual([summary.maxSpent, summary.minReceived, summary.spent, summary.isTerminal], [null, null, "0", false]);
});

test("statuses at their end", () => {
  for (const status of ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"]) {
    assert.ok(isTerminal(status) && summarizeOrder(sell({ status })).isTerminal, status);
  }
  assert.ok(!isTerminal("REFUNDING") && !isTerminal({ status: "BRIDGING" }));
});

test("a malformed order is answered or refused with the member's name", () => {
  const bridge = { destinationChainId: 10 };
  const whole = [
    sell({ transactions: [fill(25, "250", "130"), fill(30, "300", "1", "0x02")] }),
    sell({ status: "COMPLETED", input: { executedAmount: "5" }, output: { executedAmount: "6" } }),
    sell({ order: { srcToken: TOKEN, srcAmount: "1", destAmount: "1", bridge }, transactions: [fill(1, "2", "3")] }),
    sell({ onChainOrderType: "TWAPOrder", order: { totalSrcAmount: "9", destAmountPerSlice: "2", numSlices: 3, interval: 60 }, input: {}, output: {} }),
  ];
  let refused = 0;
  for (const order of whole) {
    for (const [path, changed] of changes(order)) {
      const summary = refusedOrAnswered(() => summarizeOrder(changed), path);
      if (summary === null) refused += 1;
      else for (const name of ["spent", "received"]) assert.match(summary[name], /^\d+$/, path.join("."));
    }
  }
  assert.ok(refused > 100);
});
