/** When a live price is asked for, by a clock that the test sets. The builds of it are in trade.test.mjs. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { before, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";

const REQUEST = { chainId: 1, srcToken: "a", destToken: "b", amount: 1n };
const LIFE_MS = 30_000;

let watchQuotes;
before(async () => {
  const folder = await freshApp("live-quotes");
  ({ watchQuotes } = await import(pathToFileURL(join(folder, "node_modules/verified-swap/live-quotes.js"))));
});

let world;
beforeEach((t) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_800_000_000_000 });
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  globalThis.document = page;
  world = { page, wallet: new EventEmitter(), endings: new Set(), asked: [], withdrawn: [], answer: () => quote() };
  const quoteOne = async (request, { signal }) => {
    const answer = await world.answer();
    if (signal.aborted && !world.isDeaf) throw Object.assign(new Error(), { code: "ABORTED", action: "none" });
    return answer;
  };
  world.withdraw = (quote, reason) => world.withdrawn.push([quote, reason]);
  const asking = (request, options) => {
    world.asked.push({ request });
    return (request.mode === "BOTH" ? quoteBoth : quoteOne)(request, options);
  };
  world.client = { quote: asking };
  t.after(() => {
    mock.timers.reset();
    delete globalThis.document;
  });
});

/** As the client's, by `world.both`: what each path answers, and how they are ranked. */
async function quoteBoth(_, { signal, onQuote }) {
  const answers = await Promise.allSettled(
    ["delta", "market"].map(async (kind) => {
      const quote = await world.both[kind]();
      if (signal.aborted) throw Object.assign(new Error(), { code: "ABORTED", action: "none" });
      onQuote(quote);
      return quote;
    }),
  );
  if (answers.every(({ reason }) => reason)) throw answers[0].reason;
  const [delta, market] = answers.map(({ value = null }) => value);
  const [deltaError, marketError] = answers.map(({ reason = null }) => reason);
  return { delta, market, deltaError, marketError, best: world.best, differenceBps: 7 };
}

const quote = () => ({ number: world.asked.length, receivedAtMs: Date.now(), expiresAtMs: Date.now() + LIFE_MS });
const refusal = (action, more) => Object.assign(new Error("refused"), { code: "REFUSED", action, ...more });
const start = (request = REQUEST, ...more) => watchQuotes(world, request, ...more);
/** Lets what has been answered arrive. */
const settle = async () => {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
};
/** Time passes in small steps. */
async function pass(ms) {
  await settle();
  for (let gone = 0; gone < ms; gone += 250) {
    mock.timers.tick(250);
    await settle();
  }
}
function show(visibilityState) {
  world.page.visibilityState = visibilityState;
  world.page.dispatchEvent(new Event("visibilitychange"));
}

test("the first request is asked at once, later ones after a pause in typing", async () => {
  const live = start();
  assert.equal(world.asked.length, 1);
  assert.ok(live.state.isFetching);
  await settle();
  assert.equal(live.state.quote.number, 1);
  for (const amount of [12n, 123n, 1234n]) {
    live.update({ ...REQUEST, amount });
    assert.deepEqual([live.state.quote, live.state.isFetching, live.state.request.amount], [null, true, amount]);
    await pass(0);
    mock.timers.tick(200);
  }
  assert.equal(world.asked.length, 1);
  await pass(250);
  assert.deepEqual(world.asked.map(({ request }) => request.amount), [1n, 1234n]);
  assert.equal(live.state.quote.number, 2);
  live.close();
});

test("a new request takes back the price on show, and what is under way never shows", async () => {
  // An answer may have arrived before the abort does.
  world.isDeaf = true;
  const answers = [];
  world.answer = () => new Promise((resolve) => answers.push(resolve));
  const live = start();
  const first = quote();
  answers[0](first);
  await settle();
  live.update({ ...REQUEST, amount: 2n });
  assert.deepEqual(world.withdrawn, [[first, "a newer request took its place"]]);
  await pass(250);
  live.update({ ...REQUEST, amount: 3n });
  answers[1](quote());
  await settle();
  assert.equal(live.state.quote, null);
  await pass(250);
  const last = quote();
  answers[2](last);
  await settle();
  assert.equal(live.state.quote, last);
  live.close();
});

test("the same request again is no new one, and none is asked for null", async () => {
  const live = start();
  await settle();
  const { quote } = live.state;
  live.update({ ...REQUEST });
  assert.equal(live.state.quote, quote);
  live.update(null);
  await pass(60_000);
  assert.deepEqual([live.state.quote, live.state.request, live.state.isFetching, world.asked.length], [null, null, false, 1]);
  live.close();
});

test("slices are priced as such", async () => {
  const sliced = { ...REQUEST, numSlices: 2, intervalSecs: 60 };
  start(sliced).close();
  assert.deepEqual(world.asked, [{ request: sliced }]);
});

test("a price is renewed before it is stale", async () => {
  const live = start();
  const seen = [];
  live.subscribe(({ isStale }) => seen.push(isStale));
  await pass(120_000);
  assert.ok(!seen.includes(true));
  assert.equal(world.asked.length, 6);
  live.close();
});

for (const life of [12_000, 40_000])
  test(`a price of ${life} ms is renewed and gets stale in its own time: the module's, which made it`, async () => {
    world.answer = () => Promise.reject(refusal("none"));
    const live = start(REQUEST, {}, { first: { expiresAtMs: Date.now() + life } });
    await pass(0.75 * life - 250);
    assert.equal(world.asked.length, 0);
    await pass(250);
    assert.equal(world.asked.length, 1);
    await pass(0.25 * life - 250);
    assert.equal(live.state.isStale, false);
    await pass(250);
    assert.equal(live.state.isStale, true);
    live.close();
  });

test("the last good price stays while the next fails, then is stale", async () => {
  const live = start();
  await settle();
  const { quote } = live.state;
  world.answer = () => Promise.reject(refusal("retry"));
  await pass(25_000);
  assert.deepEqual([live.state.quote, live.state.isStale, live.state.error.code], [quote, false, "REFUSED"]);
  await pass(10_000);
  assert.deepEqual([live.state.quote, live.state.isStale], [quote, true]);
  world.answer = () => ({ ...quote, expiresAtMs: Date.now() + LIFE_MS });
  await pass(30_000);
  assert.deepEqual([live.state.isStale, live.state.error], [false, null]);
  assert.deepEqual(world.withdrawn, []);
  live.close();
});

test("failures are asked again ever later, by the service's word if it has one, and final ones are not", async () => {
  world.answer = () => Promise.reject(refusal("retry"));
  const live = start();
  const before = [];
  for (const ms of [2_000, 4_000, 8_000]) {
    await pass(ms - 250);
    before.push(world.asked.length);
    await pass(250);
  }
  assert.deepEqual([...before, world.asked.length], [1, 2, 3, 4]);
  world.answer = () => Promise.reject(refusal("retry", { retryAfterSecs: 90 }));
  await pass(16_000);
  assert.equal(world.asked.length, 5);
  await pass(89_750);
  assert.equal(world.asked.length, 5);
  world.answer = () => Promise.reject(refusal("none"));
  await pass(250);
  assert.equal(world.asked.length, 6);
  await pass(120_000);
  assert.equal(world.asked.length, 6);
  live.refresh();
  assert.equal(world.asked.length, 7);
  live.close();
});

test("a hidden page asks nothing, and at once when it is seen again", async () => {
  const live = start();
  await settle();
  show("hidden");
  await pass(120_000);
  assert.deepEqual([world.asked.length, live.state.paused, live.state.isStale], [1, "hidden", true]);
  show("visible");
  assert.equal(world.asked.length, 2);
  await settle();
  assert.deepEqual([live.state.paused, live.state.isStale], [null, false]);
  show("hidden");
  show("visible");
  assert.equal(world.asked.length, 2, "the price is young");
  live.close();
});

test("it stops after five idle minutes, and a key brings it back", async () => {
  const live = start();
  await pass(330_000);
  const asked = world.asked.length;
  assert.equal(live.state.paused, "idle");
  await pass(600_000);
  assert.equal(world.asked.length, asked);
  world.page.dispatchEvent(new Event("keydown"));
  assert.equal(world.asked.length, asked + 1);
  for (let minute = 0; minute < 10; minute++) {
    await pass(60_000);
    live.touch();
  }
  assert.equal(live.state.paused, null);
  live.close();
});

test("another account or chain of the wallet takes the price back, the trade's own chain does not", async () => {
  const live = start();
  await settle();
  const { quote: first } = live.state;
  world.wallet.emit("chainChanged", "0x1");
  assert.equal(live.state.quote, first);
  world.wallet.emit("accountsChanged", ["0x2"]);
  assert.deepEqual([live.state.quote, world.asked.length], [null, 2]);
  await settle();
  const { quote: second } = live.state;
  world.wallet.emit("chainChanged", "0x2");
  assert.deepEqual(world.withdrawn, [[first, "the wallet's account changed"], [second, "the wallet's chain changed"]]);
  live.close();
});

test("a loop gets each new state, the last of several, until it is left", async () => {
  const live = start();
  const numbers = [];
  for await (const { quote, isFetching } of live) {
    if (!quote) assert.ok(isFetching);
    else numbers.push(quote.number);
    if (numbers.length === 1) live.update({ ...REQUEST, amount: 2n });
    if (numbers.length === 2) break;
    await pass(250);
  }
  assert.deepEqual(numbers, [1, 2]);
  assert.equal(live.state.paused, "closed");
  assert.deepEqual(await live.next(), { done: true, value: undefined });
});

test("closing leaves no listener and no timer, and answers who waits", async () => {
  for (const end of [(live) => live.close(), (live, abort) => abort.abort(), () => [...world.endings][0](), (live) => live.return()]) {
    const listening = new Map();
    const counted = (target) => {
      const { addEventListener, removeEventListener } = target;
      listening.set(target, 0);
      target.addEventListener = (...given) => (listening.set(target, listening.get(target) + 1), addEventListener.apply(target, given));
      target.removeEventListener = (...given) => (listening.set(target, listening.get(target) - 1), removeEventListener.apply(target, given));
    };
    const abort = new AbortController();
    for (const target of [world.page, abort.signal]) counted(target);
    const live = start(REQUEST, { signal: abort.signal });
    await settle();
    await live.next();
    const waiting = live.next();
    assert.ok([...listening.values()].every((count) => count > 0));
    assert.equal(world.wallet.eventNames().length, 2);
    const asked = world.asked.length;
    await end(live, abort);
    assert.deepEqual(await waiting, { done: true, value: undefined });
    assert.deepEqual([...listening.values()], [0, 0]);
    assert.deepEqual([world.wallet.eventNames().length, world.endings.size], [0, 0]);
    await pass(60_000);
    live.update({ ...REQUEST, amount: 9n });
    live.refresh();
    assert.equal(world.asked.length, asked);
  }
  assert.deepEqual(world.withdrawn, [], "what the user has taken can still be built");
});

test("a request under way is aborted by the next one and by close", async () => {
  const signals = [];
  world.client.quote = (request, { signal }) => (signals.push(signal), new Promise(() => {}));
  const live = start();
  live.update({ ...REQUEST, amount: 2n });
  await pass(250);
  live.close();
  assert.deepEqual(signals.map(({ aborted }) => aborted), [true, true]);
});

const BOTH = { ...REQUEST, mode: "BOTH" };
const ofKind = (kind, life = LIFE_MS) => ({ kind, expiresAtMs: Date.now() + life });

test("of both paths each price is there as it arrives, and the better one once both are", async () => {
  const [delta, market] = [ofKind("delta"), ofKind("market")];
  let answer;
  world.both = { delta: () => delta, market: () => new Promise((resolve) => (answer = resolve)) };
  world.best = "market";
  const live = start(BOTH);
  assert.deepEqual(world.asked, [{ request: BOTH }]);
  await settle();
  const none = { deltaError: null, marketError: null, best: null, differenceBps: null };
  assert.deepEqual([live.state.quote, live.state.comparison, live.state.isFetching], [null, { ...none, delta, market: null }, true]);
  answer(market);
  await settle();
  assert.equal(live.state.quote, market);
  assert.deepEqual(live.state.comparison, { ...none, delta, market, best: "market", differenceBps: 7 });
  assert.equal(live.state.isFetching, false);
  live.update({ ...BOTH, amount: 2n });
  assert.deepEqual(world.withdrawn.map(([quote]) => quote), [market, delta], "neither can be built");
  assert.deepEqual([live.state.quote, live.state.comparison], [null, null]);
  live.close();
});

test("both prices are renewed before the older one is stale, and one that fails says so beside the other", async () => {
  world.both = { delta: () => ofKind("delta"), market: () => ofKind("market", 12_000) };
  world.best = null;
  const live = start(BOTH);
  await settle();
  const first = live.state.comparison;
  assert.equal(live.state.quote, first.delta, "they cannot be compared");
  const refused = refusal("none");
  world.both.delta = () => Promise.reject(refused);
  await pass(8_750);
  assert.equal(world.asked.length, 1);
  await pass(250);
  assert.equal(world.asked.length, 2);
  const { quote, comparison, error } = live.state;
  assert.deepEqual([comparison.delta, comparison.deltaError, error], [null, refused, null]);
  assert.notEqual(comparison.market, first.market);
  assert.equal(quote, comparison.market);
  world.both.market = () => Promise.reject(refusal("none"));
  await pass(9_000);
  assert.deepEqual([live.state.error, live.state.quote], [refused, quote], "the last price stays");
  live.close();
});

test("of both paths a price that comes too late shows nowhere", async () => {
  const answers = [];
  const slow = (kind) => () => new Promise((resolve) => answers.push(() => resolve(ofKind(kind))));
  world.both = { delta: slow("delta"), market: slow("market") };
  const live = start(BOTH);
  live.update(REQUEST);
  for (const answer of answers) answer();
  await settle();
  assert.deepEqual([live.state.comparison, live.state.quote], [null, null]);
  live.close();
});

test("when the next try is due is in the state, and gone while it is under way", async () => {
  world.answer = () => Promise.reject(refusal("retry"));
  const live = start();
  await settle();
  assert.equal(live.state.retryAtMs, Date.now() + 2_000);
  world.answer = () => new Promise(() => {});
  await pass(2_000);
  assert.deepEqual([world.asked.length, live.state.retryAtMs, live.state.error.code], [2, null, "REFUSED"]);
  live.refresh();
  world.answer = () => Promise.reject(refusal("none"));
  live.refresh();
  await settle();
  assert.deepEqual([live.state.error.action, live.state.retryAtMs], ["none", null]);
  live.close();
});

test("while it is paused nothing is asked by itself, and what became due is asked at once afterwards", async () => {
  const live = start();
  await settle();
  live.pause();
  assert.equal(live.state.paused, "app");
  await pass(40_000);
  assert.deepEqual([world.asked.length, live.state.isStale], [1, true]);
  show("hidden");
  show("visible");
  globalThis.document.dispatchEvent(new Event("keydown"));
  assert.deepEqual([world.asked.length, live.state.paused], [1, "app"]);
  live.resume();
  assert.deepEqual([world.asked.length, live.state.paused], [2, null]);
  live.resume();
  await settle();
  live.pause();
  live.resume();
  assert.equal(world.asked.length, 2, "the price is young");
  await pass(0.75 * LIFE_MS);
  assert.equal(world.asked.length, 3, "it is renewed as ever");
  live.close();
});

test("while it is paused the app asks as ever, and what was asked still comes", async () => {
  let answer;
  world.answer = () => new Promise((resolve) => (answer = resolve));
  const live = start();
  live.pause();
  await settle();
  answer(quote());
  await settle();
  assert.equal(live.state.quote.number, 1);
  live.refresh();
  await settle();
  answer(quote());
  await settle();
  assert.deepEqual([live.state.quote.number, live.state.paused], [2, "app"]);
  live.update({ ...REQUEST, amount: 2n });
  await pass(250);
  answer(quote());
  await settle();
  assert.deepEqual([live.state.quote.number, live.state.paused], [3, "app"]);
  live.resume();
  assert.equal(world.asked.length, 3);
  live.close();
});

test("what was held back before the pause is asked after it", async () => {
  for (const [hide, see] of [[() => show("hidden"), () => show("visible")], [() => {}, () => {}]]) {
    const live = start();
    await settle();
    hide();
    await pass(330_000);
    const { paused } = live.state;
    assert.ok(["hidden", "idle"].includes(paused));
    const before = world.asked.length;
    live.pause();
    see();
    assert.equal(world.asked.length, before);
    live.resume();
    assert.equal(world.asked.length, before + 1);
    live.close();
  }
});

test("another account of the wallet is not asked for while it is paused", async () => {
  const live = start();
  await settle();
  live.pause();
  world.wallet.emit("accountsChanged", ["0x2"]);
  assert.deepEqual([live.state.quote, live.state.paused, world.asked.length, world.withdrawn.length], [null, "app", 1, 1]);
  live.resume();
  assert.equal(world.asked.length, 2);
  live.close();
});

test("an amount that is typed anew is no first request: it waits for the rest of it", async () => {
  const live = start(null);
  live.update(REQUEST);
  assert.equal(world.asked.length, 1);
  live.update(null);
  live.update({ ...REQUEST, amount: 2n });
  live.update({ ...REQUEST, amount: 22n });
  assert.equal(world.asked.length, 1);
  await pass(250);
  assert.deepEqual(world.asked.map(({ request }) => request.amount), [1n, 22n]);
  live.close();
});

test("a request under way is not made again because the page is seen, or the network is back", async () => {
  world.answer = () => Promise.reject(refusal("retry"));
  const live = start();
  await settle();
  world.answer = () => new Promise(() => {});
  show("visible");
  show("visible");
  assert.equal(world.asked.length, 2);
  live.close();
});

test("what is no request and no option is refused at once", () => {
  for (const [given, field] of [[[7], "request"], [[REQUEST, { singal: 1 }], "options.singal"], [[REQUEST, { signal: 1 }], "options.signal"]]) {
    assert.throws(() => watchQuotes(world, ...given), (error) => error.code === "INVALID_INPUT" && error.field === field);
  }
});
