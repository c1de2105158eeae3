// An interface's view of an OTC order: computed here by hand.
import assert from "node:assert/strict";
import { test } from "node:test";
import { summarizeOtcOrder } from "verified-swap";
import { changes, refusedOrAnswered } from "./malformed.mjs";

const order = (changes = {}) => ({
  makerAmount: "100000000",
  takerAmount: "40000000000000000",
  expiry: 1_800_000_000,
  state: "PENDING",
  fillableBalance: "100000000",
  ...changes,
});

test("an untouched order has its whole amount left", () => {
  assert.deepEqual(summarizeOtcOrder(order(), 1_700_000_000), {
    state: "PENDING",
    isTerminal: false,
    isPartlyFilled: false,
    filledPercent: 0,
    leftMakerAmount: "100000000",
    leftTakerAmount: "40000000000000000",
  });
});

test("a part that is filled is told in percent, rounded down, and what is left costs its share, rounded up", () => {
  const summary = summarizeOtcOrder(order({ fillableBalance: "66666667" }), 1_700_000_000);
  assert.deepEqual([summary.isPartlyFilled, summary.filledPercent], [true, 33.33]);
  assert.deepEqual([summary.leftMakerAmount, summary.leftTakerAmount], ["66666667", "26666666800000000"]);
  assert.equal(summarizeOtcOrder(order({ takerAmount: "10", fillableBalance: "1" }), 0).leftTakerAmount, "1");
});

test("an order has expired after its last second, unless it was over before; 0 is never", () => {
  assert.equal(summarizeOtcOrder(order(), 1_800_000_000).state, "PENDING");
  const expired = summarizeOtcOrder(order(), 1_800_000_001);
  assert.deepEqual([expired.state, expired.isTerminal], ["EXPIRED", true]);
  assert.equal(summarizeOtcOrder(order({ expiry: 0 }), 4_000_000_000).state, "PENDING");
  for (const state of ["FULFILLED", "CANCELLED"]) {
    const summary = summarizeOtcOrder(order({ state }), 1_900_000_000);
    assert.deepEqual([summary.state, summary.isTerminal], [state, true]);
  }
  assert.equal(summarizeOtcOrder(order({ state: "CANCELLED", fillableBalance: "0" }), 0).filledPercent, null, "nobody says how much was filled");
  assert.equal(summarizeOtcOrder(order({ state: "SUSPENDED" }), 1_900_000_000).state, "EXPIRED");
  assert.equal(summarizeOtcOrder(order({ expiry: 1 })).state, "EXPIRED", "by the machine's clock");
});

test("without a stated remainder, a filled order has nothing left and any other all of it", () => {
  const left = (state) => summarizeOtcOrder(order({ state, fillableBalance: undefined }), 0).leftMakerAmount;
  assert.deepEqual([left("FULFILLED"), left("PENDING"), left("SOMETHING_NEW")], ["0", "100000000", "100000000"]);
  assert.equal(summarizeOtcOrder(order({ state: "SOMETHING_NEW" }), 0).state, "SOMETHING_NEW");
});

test("the contract's remainder overrides the service's", () => {
  const partly = summarizeOtcOrder(order(), 0, "25000000");
  assert.deepEqual([partly.leftMakerAmount, partly.leftTakerAmount], ["25000000", "10000000000000000"]);
  assert.deepEqual([partly.filledPercent, partly.isPartlyFilled, partly.isTerminal], [75, true, false]);
  // Filled or cancelled, and the service has not seen it yet: over, in an unknown way.
  const gone = summarizeOtcOrder(order(), 0, "0");
  assert.deepEqual([gone.state, gone.isTerminal, gone.filledPercent, gone.leftMakerAmount], ["PENDING", true, null, "0"]);
  assert.equal(summarizeOtcOrder(order({ state: "FULFILLED" }), 0, "0").filledPercent, 100);
  assert.equal(summarizeOtcOrder(order({ fillableBalance: "0" }), 0).isTerminal, false, "the service's word alone ends nothing");
  assert.equal(summarizeOtcOrder(order({ fillableBalance: "7" }), 0, null).leftMakerAmount, "7");
});

test("a malformed order is answered or refused with the member's name", () => {
  let refused = 0;
  for (const [path, changed] of changes(order())) {
    const summary = refusedOrAnswered(() => summarizeOtcOrder(changed, 0), path);
    if (summary === null) refused += 1;
    else assert.match(summary.leftMakerAmount, /^\d+$/, path.join("."));
  }
  assert.ok(refused > 50);
  for (const nowSecs of ["x", NaN, Infinity, 1n, {}, Symbol("x")]) assert.throws(() => summarizeOtcOrder(order(), nowSecs), { code: "INVALID_INPUT", field: "nowSecs" });
  for (const remaining of ["x", -1, 1.5, {}, Symbol("x")]) assert.throws(() => summarizeOtcOrder(order(), 0, remaining), { code: "INVALID_INPUT", field: "remaining" });
});
