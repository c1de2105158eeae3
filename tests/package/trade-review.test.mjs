/** A review by a clock that the test sets: what was agreed to in time is signed, and nothing else. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { before, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "./app.mjs";

const REQUEST = { chainId: 1, srcToken: "a", destToken: "b", amount: 1n };
const OPTIONS = { slippageBps: 50 };

let trade;
before(async () => {
  const folder = await freshApp("trade-review");
  ({ trade } = await import(pathToFileURL(join(folder, "node_modules/verified-swap/trade.js"))));
});

let world;
beforeEach((t) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_800_000_000_000 });
  world = { wallet: new EventEmitter(), endings: Object.assign(new Set(), { isClosed: () => false }), trades: new Set(), made: 0, reviews: [], submitted: [], fail: {} };
  const made = async (call, answer) => {
    await null;
    if (world.fail[call]) throw Object.assign(new Error(), { name: "TradeError", ...world.fail[call] });
    return answer;
  };
  world.client = {
    quote: () => made("quote", { number: ++world.made, expiresAtMs: Date.now() + 30_000, request: REQUEST, sealed: `${world.made}` }),
    withdrawQuote: async () => null,
    build: ({ number }) => made("build", { kind: "delta", number, report: { sentence: `sell at ${number}` }, approval: null }),
    submit: (build) => (world.submitted.push(build.number), made("submit", { status: "ACTIVE" })),
    watch: async function* (order) {
      yield { ...order, status: "COMPLETED" };
    },
  };
  t.after(() => mock.timers.reset());
});

/** The user's: each review waits for `answer(yes)`. */
const onReview = (review) =>
  new Promise((answer, fail) => {
    world.reviews.push({ ...review, answer, fail });
  });
const start = (options = {}, what = REQUEST) => trade(world, what, { ...OPTIONS, onReview, ...options });
const settle = async () => {
  for (let turn = 0; turn < 60; turn++) await Promise.resolve();
};
async function pass(ms) {
  await settle();
  for (let gone = 0; gone < ms; gone += 250) {
    mock.timers.tick(250);
    await settle();
  }
}
const numbers = () => world.reviews.map(({ build }) => build.number);
const failure = (promise) => promise.then(() => assert.fail("it was to fail"), (error) => error);

test("what is agreed to in time is signed", async () => {
  const trade = start();
  await pass(20_000);
  world.reviews[0].answer(true);
  const { step, order, build } = await trade;
  assert.deepEqual([step, order.status, build.number, world.submitted, numbers()], ["done", "COMPLETED", 1, [1], [1]]);
  assert.equal(world.reviews[0].sentence, "sell at 1");
  assert.deepEqual([world.reviews[0].signal.aborted, world.endings.size, world.wallet.eventNames()], [true, 0, []]);
});

test("a renewed price is reviewed anew, and the answer to the old one no longer counts", async () => {
  const trade = start();
  await pass(25_000);
  assert.deepEqual([numbers(), world.reviews[0].signal.aborted, world.reviews[1].signal.aborted], [[1, 2], true, false]);
  world.reviews[0].answer(true);
  await settle();
  assert.deepEqual(world.submitted, []);
  world.reviews[1].answer(true);
  await trade;
  assert.deepEqual(world.submitted, [2]);
});

test("a late answer, while no newer price could be had, signs nothing until the newer one was reviewed", async () => {
  const trade = start();
  await settle();
  world.fail.quote = { code: "NETWORK", action: "retry" };
  await pass(40_000);
  assert.deepEqual(numbers(), [1]);
  world.fail = {};
  world.reviews[0].answer(true);
  await settle();
  assert.deepEqual([world.submitted, numbers().length], [[], 2]);
  world.reviews[1].answer(true);
  await trade;
  assert.deepEqual(world.submitted, [world.reviews[1].build.number]);
});

test("after a late answer a price that cannot be had is told, before it nothing is", async () => {
  for (const call of ["quote", "build"]) {
    world.reviews.length = 0;
    const trade = start();
    await settle();
    world.fail[call] = { code: "NETWORK", action: "retry" };
    await pass(60_000);
    assert.equal(trade.state.step, "reviewing");
    world.reviews[0].answer(true);
    const error = await failure(trade);
    assert.deepEqual([error.code, error.step], ["NETWORK", call === "quote" ? "quoting" : "building"]);
    world.fail = {};
  }
  assert.deepEqual(world.submitted, []);
});

test("a limit order is reviewed once, and good for as long as the user thinks", async () => {
  const trade = start({ slippageBps: undefined, limitPrice: "0.1" });
  await pass(600_000);
  assert.deepEqual(numbers(), [1]);
  world.reviews[0].answer(true);
  await trade;
  assert.deepEqual(world.submitted, [1]);
});

test("another account of the wallet is another review, of a limit order too", async () => {
  for (const more of [{}, { limitAmount: "1" }]) {
    world.reviews.length = 0;
    const trade = start(more);
    await settle();
    world.wallet.emit("accountsChanged", ["0x2"]);
    world.reviews[0].answer(true);
    await settle();
    assert.equal(world.reviews.length, 2);
    world.reviews[1].answer(true);
    await trade;
  }
  assert.deepEqual(world.submitted, [2, 4]);
});

test("no, silence broken by an abort, and a review that throws sign nothing and say why", async () => {
  for (const [answer, expected] of [
    [({ answer }) => answer(false), { code: "USER_REJECTED", action: "retry" }],
    [({ answer }) => answer("yes"), { code: "USER_REJECTED", action: "retry" }],
    [({ fail }) => fail(new RangeError("the page's")), { code: "INTERNAL", action: "none" }],
    [(review, abort) => abort.abort(), { code: "ABORTED", action: "none" }],
    [() => [...world.endings][0](), { code: "ABORTED", action: "none" }],
  ]) {
    world.reviews.length = 0;
    const abort = new AbortController();
    const trade = start({ signal: abort.signal });
    await settle();
    answer(world.reviews[0], abort);
    const { code, action, step } = await failure(trade);
    assert.deepEqual({ code, action, step }, { ...expected, step: "reviewing" });
    assert.equal(trade.state.step, "failed");
    assert.deepEqual([world.endings.size, world.wallet.eventNames(), world.trades.size], [0, [], 0]);
  }
  assert.deepEqual(world.submitted, []);
});

test("a build that is too old once the prompts are done is built and reviewed again", async () => {
  const trade = start();
  await settle();
  world.fail.submit = { code: "QUOTE_EXPIRED", action: "requote" };
  world.reviews[0].answer(true);
  await settle();
  world.fail = {};
  assert.deepEqual(numbers(), [1, 2]);
  world.reviews[1].answer(true);
  await trade;
  assert.deepEqual(world.submitted, [1, 2]);
});

test("a permit is asked for once, of the kind that the token takes, and an approval takes its place", async () => {
  const refused = (members) => Object.assign(new Error(), { name: "TradeError", action: "none", ...members });
  const none = { code: "INVALID_INPUT", field: "options.kind" };
  for (const [answers, allowance, kinds, built] of [
    [[], "1", [], [undefined]],
    [["p"], "0", ["eip2612"], ["p"]],
    [[none, "p"], "0", ["eip2612", "dai"], ["p"]],
    [[none, none], "0", ["eip2612", "dai"], [undefined]],
    [[{ code: "SIGNATURE_MISMATCH", isAsked: true }, "p"], "0", ["eip2612"], [undefined]],
    [["unfit"], "0", ["eip2612"], ["unfit", undefined]],
  ]) {
    const [asked, given, { build }] = [[], [], world.client];
    Object.assign(world.client, {
      allowance: async () => allowance,
      signPermit: async (quote, { kind, onProgress }) => {
        const answer = answers[asked.push(kind) - 1];
        if (typeof answer === "string" || answer.isAsked) onProgress({ step: "signing" });
        if (typeof answer !== "string") throw refused(answer);
        return answer;
      },
      build: (quote, options) => {
        given.push(options.permit);
        if (options.permit === "unfit") throw refused({ code: "INVALID_INPUT", field: "options.permit.amount" });
        return build(quote);
      },
    });
    const { quote } = world.client;
    world.client.quote = async () => ({ ...(await quote()), srcAmount: "1" });
    await start({ permit: "whenPossible", onReview: () => true });
    assert.deepEqual([asked, given], [kinds, built]);
    Object.assign(world.client, { build, quote });
  }
  world.client.quote = async () => ({ number: 1, expiresAtMs: Date.now() + 30_000, request: REQUEST, srcAmount: "1" });
  world.client.signPermit = async (quote, { onProgress }) => {
    onProgress({ step: "signing" });
    throw refused({ code: "USER_REJECTED" });
  };
  const { code, step } = await failure(start({ permit: "whenPossible", onReview: () => true }));
  assert.deepEqual([code, step], ["USER_REJECTED", "permitting"]);
});

test("what is signed is not built again, whatever the error says", async () => {
  const trade = start();
  await settle();
  world.fail.submit = { code: "QUOTE_EXPIRED", action: "requote", signedOrder: { orderHash: "0x1" } };
  world.reviews[0].answer(true);
  const { code, signedOrder } = await failure(trade);
  assert.deepEqual([code, signedOrder.orderHash, numbers()], ["QUOTE_EXPIRED", "0x1", [1]]);
});

test("a late answer does not ask again for a price that is on its way", async () => {
  const trade = start();
  await settle();
  const { quote } = world.client;
  let arrive;
  world.client.quote = () => new Promise((resolve) => (arrive = () => resolve(quote())));
  await pass(35_000);
  const first = arrive;
  world.reviews[0].answer(true);
  await settle();
  assert.equal(arrive, first);
  arrive();
  await settle();
  world.reviews[1].answer(true);
  await trade;
  assert.deepEqual(world.submitted, [2]);
});

test("a service that calls every price stale is asked three times, then it is told", async () => {
  world.fail.build = { code: "QUOTE_EXPIRED", action: "requote" };
  const error = await failure(start());
  assert.deepEqual([error.code, error.step, world.made], ["QUOTE_EXPIRED", "building", 3]);
});

test("a quote that the user has seen is built as it is, an old one is asked for again", async () => {
  const quote = { number: 77, expiresAtMs: Date.now() + 30_000, request: REQUEST, sealed: "77" };
  for (const [wait, number] of [[0, 77], [40_000, 1]]) {
    world.reviews.length = 0;
    await pass(wait);
    const trade = start({}, quote);
    await settle();
    world.reviews[0].answer(true);
    assert.equal((await trade).build.number, number);
  }
});

test("the same trade is joined until it is posted, or was aborted", async () => {
  const abort = new AbortController();
  const first = start({ signal: abort.signal });
  assert.equal(start({}, { ...REQUEST }), first);
  assert.notEqual(start({ slippageBps: 60 }), first);
  assert.notEqual(start({}, { ...REQUEST, amount: 2n }), first);
  first.subscribe(() => {});
  abort.abort();
  const second = start();
  assert.notEqual(second, first);
  await settle();
  let next;
  second.subscribe(({ step }) => {
    if (step === "following") next ??= start();
  });
  for (const { answer } of world.reviews) answer(true);
  await second;
  assert.notEqual(next, second);
});

test("steps are told in order and in words, and a listener that throws stops nothing", async () => {
  const steps = [];
  const trade = start({
    onProgress({ step, message }) {
      steps.push(step);
      assert.ok(message.length > 4);
      throw new Error("the page's");
    },
  });
  await settle();
  world.reviews[0].answer(true);
  await trade;
  assert.deepEqual(steps, ["quoting", "building", "reviewing", "following", "following", "done"]);
});

test("options that are none are refused before anybody is asked", async () => {
  for (const [options, field] of [
    [{ onReview: undefined }, "options.onReview"],
    [{ onProgress: 1 }, "options.onProgress"],
    [{ permit: "always" }, "options.permit"],
    [{ slippageBps: 0.5 }, "options.slippageBps"],
    [{ slippageBps: undefined }, "options.slippageBps"],
  ]) {
    const { code, field: named } = await failure(start(options));
    assert.deepEqual([code, named], ["INVALID_INPUT", field]);
  }
  assert.equal((await failure(trade(world, 7, { onReview }))).field, "request");
  assert.equal((await failure(trade(world, REQUEST))).field, "options");
  assert.equal(world.made, 0);
});
