import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, isTerminal, orderFacts } from "verified-swap";
import { changes, refusedOrAnswered } from "./malformed.mjs";

before(() => init());

const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/** Delta's wrapped coin, which an order may name in place of the placeholder. */
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
  const facts = orderFacts(sell());
  assert.deepEqual(facts, {
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

test("without bounds the signed struct tells them", () => {
  const facts = orderFacts(sell({ output: { expectedAmount: "500", executedAmount: null } }));
  assert.equal(facts.minReceived, "489");
  const buy = sell({ side: "BUY", input: { expectedAmount: "990", executedAmount: null }, output: { amount: "500" } });
  assert.deepEqual([orderFacts(buy).maxSpent, orderFacts(buy).minReceived], ["1000", "500"]);
});

test("fills add up, missing figures count nothing, and the price is an average over them", () => {
  const facts = orderFacts(sell({ transactions: [fill(25, "250", "130"), fill(30, "300", null), fill(5.5, null, "25")] }));
  assert.equal(facts.filledPercent, 60.5);
  assert.deepEqual([facts.spent, facts.received], ["550", "155"]);
  assert.equal(facts.averagePrice, ((155n * 10n ** 18n) / 550n).toString());
});

test("a completed order's own figures go before those of its fills", () => {
  const transactions = [fill(100, "999", "505")];
  const figures = { input: { amount: "1000", executedAmount: "998" }, output: { executedAmount: "506", minAmount: "490" } };
  assert.deepEqual([orderFacts(sell({ status: "COMPLETED", ...figures, transactions })).spent], ["998"]);
  assert.equal(orderFacts(sell({ ...figures, transactions })).spent, "999", "not before it is completed");
  assert.equal(orderFacts(sell({ status: "COMPLETED", transactions })).received, "505");
});

test("what has left for another chain counts once it has arrived, and its least is the bridge's affair", () => {
  const crosschain = sell({
    order: { srcToken: TOKEN, srcAmount: "1000", destAmount: "489", bridge: { destinationChainId: "10" } },
    output: { expectedAmount: "500", executedAmount: null },
    transactions: [fill(100, "1000", "498")],
  });
  const [under, there] = [crosschain, { ...crosschain, transactions: [fill(100, "1000", "498", "0x02")] }].map(orderFacts);
  assert.ok(under.isCrosschain);
  assert.deepEqual([under.filledPercent, under.spent, under.received], [0, "1000", "0"]);
  assert.deepEqual([there.filledPercent, there.received], [100, "498"]);
  const half = orderFacts({ ...crosschain, transactions: [fill(50, "500", "250", "0x02"), fill(50, "500", "248")] });
  assert.equal(half.averagePrice, ((250n * 10n ** 18n) / 500n).toString(), "what is on its way has no price yet");
  assert.equal(there.minReceived, "500", "expected, not guaranteed: the origin's minimum is in another token");
});

test("slices are counted, timed, and come to an end", () => {
  const order = { srcToken: TOKEN, totalSrcAmount: "1001", destAmountPerSlice: "100", numSlices: 4, interval: 60, bridge: same };
  const twap = sell({ onChainOrderType: "TWAPOrder", order, input: {}, output: {}, transactions: [fill(25, "250", "101")] });
  const begun = Date.parse(twap.createdAt) / 1000;
  const facts = orderFacts(twap);
  assert.deepEqual(facts.slices, { done: 1, total: 4, nextNotBefore: begun + 60 });
  assert.deepEqual([facts.maxSpent, facts.minReceived, facts.expectedReceived], ["1001", "400", "400"]);
  assert.equal(orderFacts({ ...twap, status: "CANCELLED" }).slices.nextNotBefore, null);
  const buy = { srcToken: TOKEN, totalDestAmount: "400", maxSrcAmount: "1200", numSlices: 4, interval: 60, bridge: same };
  const bought = orderFacts({ ...twap, onChainOrderType: "TWAPBuyOrder", order: buy });
  assert.deepEqual([bought.maxSpent, bought.minReceived], ["1200", "400"]);
});

test("what can be cancelled, and how", () => {
  for (const status of ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "EXECUTING"]) {
    assert.equal(orderFacts(sell({ status })).cancel, "signature", status);
  }
  for (const status of ["CANCELLING", "BRIDGING", "COMPLETED", "FAILED", "EXPIRED", "REFUNDING", "CANCELLED", "NEVER_HEARD_OF"]) {
    assert.equal(orderFacts(sell({ status })).cancel, null, status);
  }
  for (const srcToken of [NATIVE, NATIVE.toLowerCase(), DEPOSITED]) {
    assert.equal(orderFacts(sell({ order: { srcToken, bridge: same } })).cancel, "transaction");
  }
});

test("an order that says little is no error", () => {
  const facts = orderFacts({ status: "NEVER_HEARD_OF" });
  assert.deepEqual([facts.maxSpent, facts.minReceived, facts.spent, facts.isTerminal], [null, null, "0", false]);
});

test("statuses at their end", () => {
  for (const status of ["COMPLETED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"]) {
    assert.ok(isTerminal(status) && orderFacts(sell({ status })).isTerminal, status);
  }
  assert.ok(!isTerminal("REFUNDING") && !isTerminal({ status: "BRIDGING" }));
});

test("a malformed order is answered or refused with the member, whatever stands there", () => {
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
      const facts = refusedOrAnswered(() => orderFacts(changed), path);
      if (facts === null) refused += 1;
      else for (const name of ["spent", "received"]) assert.match(facts[name], /^\d+$/, path.join("."));
    }
  }
  assert.ok(refused > 100);
});
