/** The states of a trade without a module, a service or a wallet: `step` of trade-steps.ts, by a table and by chance. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { source } from "../../xtask/node/source.mjs";
import { ROOT } from "./locations.mjs";

const { start, step } = await source("trade-steps");

const TERMS = { isReviewed: true, isPrompted: false, isRetried: true, isTimed: false, isAmountApproved: false, kind: null, mayPermit: false };
const SHOWN = { step: "quoting", message: "", quote: null, build: null, transaction: null, batch: null, signedOrder: null, journal: null, hardware: null, order: null, error: null };
const NO_PRICE = { quote: null, isFetching: true, isStale: false, isClosed: false, error: null };

let made = 0;
const quoteOf = (kind = "delta") => ({ kind, number: ++made });
/** A build of a price, with a question of its own unless `asks` is false. */
function builtOf(quote, { lacks = false, settled = false, asks = true } = {}) {
  const id = `q${++made}`;
  const approval = lacks ? { resetFirst: false } : null;
  const build = { kind: quote.kind, id, approval, report: { questions: asks ? [{ id }] : [] } };
  return { quote, build, settled: settled && asks ? [id] : [], lacksAllowance: lacks, sellsNative: false };
}
const failure = (members) => Object.assign(new Error(members.code), { name: "TradeError", action: "none", ...members });
const begin = (terms = {}, permit = null) => start({ ...TERMS, ...terms }, SHOWN, {}, permit)[0];
/** The state after these events, each made of the state before it. */
const after = (state, ...events) => events.reduce((now, event) => step(now, event(now))[0], state);

const price = (members = {}) => () => ({ type: "prices", prices: { ...NO_PRICE, quote: quoteOf(), isFetching: false, ...members } });
const built = (how) => ({ offer }) => ({ type: "built", id: offer.id, built: builtOf(offer.quote, how) });
const agreed = (members = {}) => ({ id, built, questions }) =>
  ({ type: "agreed", id, accept: (questions ?? built?.build.report.questions ?? []).map((one) => one.id), chosen: {}, isGood: true, open: null, ...members });
const of = (type, members = {}) => ({ id }) => ({ type, id, ...members });
const fails = (members) => of("failed", { error: failure(members) });
const offerFails = (members) => ({ offer }) => ({ type: "failed", id: offer.id, error: failure(members) });
const progress = (step, members = {}) => () => ({ type: "progress", progress: { step, ...members } });
const retried = (members = {}) => of("retried", { retry: { accept: [], chosen: {}, existing: null, isRequoted: false, isGood: true, ...members } });
const ASKED = { code: "ALREADY_SIGNED", questions: [{ id: "sent before" }] };

const SIGNED = { kind: "signedOrder", signature: "0x12" };
const toReview = [price(), built()];
const toSubmit = [...toReview, agreed()];
const lacking = [price(), built({ lacks: true })];
const toApprove = [...lacking, of("capable", { isBatching: false }), agreed(), of("capable", { isBatching: false })];

/** One state of each kind, by name. */
const STATES = {
  quoting: () => after(begin(), price()),
  preparing: () => after(begin(), ...lacking),
  reviewing: () => after(begin(), ...toReview, price()),
  permitting: () => after(begin({ mayPermit: true }), ...lacking, of("capable", { isBatching: false }), agreed()),
  choosing: () => after(begin(), ...toApprove.slice(0, -1)),
  approving: () => after(begin(), ...toApprove),
  submitting: () => after(begin(), ...toSubmit),
  asking: () => after(begin(), ...toSubmit, fails(ASKED)),
  retrying: () => after(begin(), ...toSubmit, fails({ code: "NETWORK" })),
  following: () => after(begin(), ...toSubmit, of("taken", { order: {} })),
  ended: () => after(begin(), ...toReview, of("declined")),
};
/** One event of each kind, for what a state waits for. */
const EVENTS = {
  prices: price(),
  built: (state) => (state.offer ? built()(state) : { type: "built", id: state.id ?? 0, built: builtOf(quoteOf()) }),
  capable: of("capable", { isBatching: false }),
  agreed: (state) => agreed({ accept: ["sent before"] })(state),
  declined: of("declined"),
  signing: of("signing", { hardware: null }),
  permit: of("permit", { permit: { deadline: 1 } }),
  rebuilt: of("rebuilt", { build: { kind: "delta", id: "with the permit", report: { questions: [] } } }),
  progress: progress("checking"),
  approved: of("approved"),
  taken: of("taken", { order: {} }),
  changed: of("changed", { order: {} }),
  settled: of("settled"),
  retried: retried(),
  failed: fails({ code: "NETWORK" }),
  "failed offer": (state) => (state.offer ? offerFails({ code: "NETWORK" })(state) : { type: "failed", id: 0, error: failure({ code: "NETWORK" }) }),
};
/** The outcome of each. A pair that is not here is ignored: no effect, and the same state. */
const TABLE = {
  "quoting built": ["reviewing", "show review"],
  "quoting failed offer": ["retrying", "closePrices ask"],
  "preparing capable": ["reviewing", "show review"],
  "preparing failed": ["reviewing", "show review"],
  "reviewing built": ["reviewing", "closeReview show review"],
  "reviewing agreed": ["submitting", "closeReview closePrices submit"],
  "reviewing declined": ["ended", "closeReview closePrices end"],
  "reviewing failed": ["retrying", "closeReview closePrices ask"],
  "reviewing failed offer": ["retrying", "closeReview closePrices ask"],
  "permitting signing": ["permitting", "show"],
  "permitting permit": ["permitting", "show rebuild"],
  "permitting progress": ["permitting", "show"],
  "permitting failed": ["choosing", "lookAtWallet"],
  "choosing capable": ["approving", "approve"],
  "choosing progress": ["choosing", "show"],
  "choosing failed": ["retrying", "ask"],
  "approving progress": ["approving", "show"],
  "approving approved": ["submitting", "submit"],
  "approving failed": ["retrying", "ask"],
  "submitting progress": ["submitting", "show"],
  "submitting taken": ["following", "show follow"],
  "submitting failed": ["retrying", "ask"],
  "asking agreed": ["submitting", "submit"],
  "asking declined": ["ended", "end"],
  "asking progress": ["asking", "show"],
  "asking failed": ["retrying", "ask"],
  "retrying retried": ["submitting", "submit"],
  "retrying failed": ["ended", "end"],
  "following changed": ["following", "show"],
  "following settled": ["ended", "end"],
  "following failed": ["ended", "end"],
};
const names = (effects) => effects.map((effect) => effect.do).join(" ");
/** A state without what is kept of the prices, which every state but the last notes. */
const settledState = ({ memory: { prices, ...memory }, ...phase }) => ({ ...phase, memory });

test("every pair of a state and an event comes to what the table has, or is ignored", () => {
  const met = [];
  for (const [at, make] of Object.entries(STATES)) {
    for (const [type, event] of Object.entries(EVENTS)) {
      const state = make();
      assert.equal(state.at, at);
      const [next, effects] = step(state, event(state));
      const expected = TABLE[`${at} ${type}`];
      if (expected) met.push(`${at} ${type}`);
      assert.deepEqual([next.at, names(effects)], expected ?? [at, ""], `${at} ${type}`);
      if (!expected) assert.deepEqual(settledState(next), settledState(state), `${at} ${type}`);
      // Effects that are over, or not yet begun, are not waited for.
      for (const id of [0, 99]) assert.deepEqual(names(step(state, { type: "failed", id, error: 1 })[1]), "", `${at}: failed ${id}`);
    }
  }
  assert.deepEqual(met, Object.keys(TABLE), "each row is met, in this order");
});

/** By its name: a state, an event, where it leads, and its effects. */
const MORE = {
  "a price that is fetched still is awaited": [begin(), price({ quote: null, isFetching: true, error: failure({ code: "NETWORK" }) }), "quoting", ""],
  "an old price is not built": [begin(), price({ isStale: true }), "quoting", ""],
  "a price that cannot be had ends the first search": [begin(), price({ quote: null, error: failure({ code: "NETWORK" }) }), "retrying", "closePrices ask"],
  "a stream that closed ends the trade": [begin(), price({ isClosed: true }), "ended", "closePrices end"],
  "it does under review, too": [after(begin(), ...toReview), price({ isClosed: true }), "ended", "closeReview closePrices end"],
  "a failing price passes under review": [after(begin(), ...toReview), price({ quote: null, error: failure({ code: "NETWORK" }) }), "reviewing", ""],
  "a wrong price does not": [after(begin(), ...toReview), price({ quote: null, error: failure({ code: "VERIFY_MISMATCH" }) }), "retrying", "closeReview closePrices ask"],
  "a failing build passes under review": [after(begin(), ...toReview, price()), offerFails({ code: "NETWORK", action: "retry" }), "reviewing", ""],
  "a build that came too late is asked for anew": [after(begin(), price()), offerFails({ code: "QUOTE_EXPIRED" }), "quoting", "refreshPrices"],
  "a late answer asks for a price": [after(begin(), ...toReview), agreed({ isGood: false }), "quoting", "show refreshPrices"],
  "a late answer awaits a build under way": [after(begin(), ...toReview, price()), agreed({ isGood: false }), "quoting", "show"],
  "its review is over with the next build": [after(begin(), ...toReview, price(), agreed({ isGood: false })), built(), "reviewing", "closeReview show review"],
  "an open question is refused": [after(begin(), ...toReview), agreed({ accept: [], open: failure({ code: "PRICE_UNJUDGED" }) }), "retrying", "closeReview closePrices ask"],
  "an abort while the wallet is looked at ends the trade": [after(begin(), ...lacking), fails({ code: "ABORTED" }), "ended", "closePrices end"],
  "without a review the prompts are next": [after(begin({ isReviewed: false, isPrompted: true }), price()), built(), "submitting", "closePrices submit"],
  "a question about a prompt is not put once more where each is asked about": [after(begin({ isPrompted: true }), ...toSubmit), fails(ASKED), "retrying", "ask"],
  "a second review that accepts another question is the failure": [after(begin(), ...toSubmit, fails(ASKED)), agreed({ accept: ["another"] }), "retrying", "ask"],
  "a build that got old is priced anew": [after(begin(), ...toSubmit), fails({ code: "QUOTE_EXPIRED" }), "quoting", "show openPrices"],
  "what is signed is not": [after(begin({ isRetried: false }), ...toSubmit, progress("signed", { signedOrder: SIGNED })), fails({ code: "QUOTE_EXPIRED" }), "ended", "end"],
  "a foreign signature is none": [after(begin(), ...toSubmit, progress("signed", { signedOrder: SIGNED })), fails({ code: "SIGNATURE_MISMATCH" }), "retrying", "show ask"],
  "an abort asks nothing": [after(begin(), ...toSubmit), fails({ code: "ABORTED" }), "ended", "end"],
  "a value that the page threw asks nothing": [after(begin(), ...toReview), of("failed", { error: "the page's" }), "ended", "closeReview closePrices end"],
  "without onFailure a failure is the end": [after(begin({ isRetried: false }), ...toSubmit), fails({ code: "NETWORK" }), "ended", "end"],
  "a failure that the user gives up is the end": [STATES.retrying(), of("retried", { retry: null }), "ended", "end"],
  "a try with another price": [STATES.retrying(), retried({ isRequoted: true }), "quoting", "show openPrices"],
  "a try whose price got old": [STATES.retrying(), retried({ isGood: false }), "quoting", "show openPrices"],
  "a second order is built anew": [STATES.retrying(), retried({ existing: "keepBoth" }), "quoting", "show openPrices"],
  "a try of an approval that is missing": [after(begin(), ...toSubmit, fails({ code: "INSUFFICIENT_ALLOWANCE", approval: {} })), retried(), "approving", "approve"],
  "a wallet that takes both": [STATES.choosing(), of("capable", { isBatching: true }), "submitting", "submit"],
  "a wallet that does not after all": [after(STATES.choosing(), of("capable", { isBatching: true })), fails({ code: "INSUFFICIENT_ALLOWANCE", approval: {} }), "approving", "approve"],
  "a second permit is not built with": [after(STATES.permitting(), EVENTS.permit), EVENTS.permit, "permitting", ""],
  "a build with a permit": [after(STATES.permitting(), EVENTS.permit), EVENTS.rebuilt, "submitting", "show submit"],
  "a permit that was used": [after(STATES.permitting(), EVENTS.permit, EVENTS.rebuilt), fails({ code: "INVALID_INPUT", field: "build.permit" }), "choosing", "show lookAtWallet"],
  "a permit that the user rejects": [STATES.permitting(), fails({ code: "USER_REJECTED" }), "retrying", "ask"],
  "a permit of the chosen kind": [after(begin({ mayPermit: true, kind: "eip2612" }), ...lacking, of("capable", { isBatching: false }), agreed()), fails({ code: "INVALID_INPUT", field: "options.kind" }), "retrying", "ask"],
};

for (const [name, [state, event, at, effects]] of Object.entries(MORE)) {
  test(`${name}: ${at}`, () => {
    const [next, done] = step(state, event(state));
    assert.deepEqual([next.at, names(done)], [at, effects]);
  });
}

test("a service that calls every price too old is asked three times", () => {
  const again = [price(), offerFails({ code: "QUOTE_EXPIRED" })];
  assert.equal(after(begin(), ...again, ...again).at, "quoting");
  assert.equal(after(begin(), ...again, ...again, ...again).at, "retrying");
});

/* ------------------------------------------------------------------- by chance */

/** Numbers from 0 to 1 by a seed (a linear congruential generator, the constants of Numerical Recipes). */
function chanceOf(seed) {
  let state = seed >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

const CODES = ["NETWORK", "QUOTE_EXPIRED", "USER_REJECTED", "ALREADY_SIGNED", "ABORTED", "INSUFFICIENT_ALLOWANCE", "VERIFY_MISMATCH", "INVALID_INPUT", "SIGNATURE_MISMATCH"];
const PROMPTS = ["permit", "approve", "submit"];

/** The events that lead on from a state. */
const AWAITED = {
  quoting: ["prices", "built"], preparing: ["capable"], reviewing: ["agreed"], permitting: ["permit", "rebuilt"], choosing: ["capable"],
  approving: ["approved"], submitting: ["failed", "progress", "taken"], asking: ["agreed"], retrying: ["retried"], following: ["settled"],
};

/** An event at random; mostly one for what the state waits for. */
function anyEvent(state, chance) {
  const pick = (list) => list[Math.floor(chance() * list.length)];
  const is = (share) => chance() < share;
  const ids = [state.id, state.offer?.id].filter((id) => id !== undefined);
  const id = is(0.9) && ids.length ? pick(ids) : Math.floor(chance() * (state.memory.serial + 2));
  const error = is(0.05) ? "the page's" : failure({
    code: pick(CODES), action: pick(["retry", "requote", "rebuild", "none"]), field: pick([undefined, "build.permit", "options.permit", "quote"]),
    approval: is(0.3) ? {} : undefined, questions: is(0.4) ? [{ id: "sent before" }] : undefined, signedOrder: is(0.1) ? SIGNED : undefined,
  });
  const ask = state.questions ?? [];
  const quote = state.offer?.quote ?? quoteOf(pick(["delta", "market"]));
  const signedOrder = { kind: "signedOrder", signature: pick(["0x", "0x12"]) };
  const chosen = is(0.2) ? { preSign: is(0.5), batch: pick(["auto", "never"]) } : {};
  const build = { kind: "delta", id: `p${++made}`, report: { questions: [] } };
  const open = is(0.1) ? failure({ code: "PRICE_UNJUDGED" }) : null;
  const all = [
    { type: "prices", prices: { quote: is(0.8) ? quoteOf(pick(["delta", "market"])) : null, isFetching: is(0.3), isStale: is(0.1), isClosed: is(0.03), error: is(0.2) ? error : null } },
    { type: "built", id, built: builtOf(quote, { lacks: is(0.5), settled: is(0.3), asks: is(0.7) }) },
    { type: "capable", id, isBatching: is(0.5) },
    { type: "agreed", id, accept: ask.filter(() => is(0.9)).map((one) => one.id), chosen, isGood: is(0.8), open },
    { type: "declined", id },
    { type: "permit", id, permit: { deadline: 1 } },
    { type: "rebuilt", id, build },
    { type: "progress", progress: { step: pick(["checking", "signed", "posting", "confirming", "sent"]), ...(is(0.3) ? { signedOrder } : {}) } },
    { type: "approved", id },
    { type: "taken", id, order: {} },
    { type: "settled", id },
    { type: "retried", id, retry: is(0.2) ? null : { accept: is(0.2) ? ["sent before"] : [], chosen, existing: pick([null, "replace", "keepBoth"]), isRequoted: is(0.3), isGood: is(0.7) } },
    { type: "failed", id, error },
  ];
  const awaited = is(0.6) ? all.filter(({ type }) => AWAITED[state.at]?.includes(type)) : [];
  return pick(awaited.length ? awaited : all);
}

/** The prompts and reviews that are open, and the builds agreed to: fails at an effect that must not be. */
function watcherOf(terms) {
  let [prompt, review, isEnded] = [null, null, false];
  const [agreedTo, accepted] = [new Set(), new Map()];
  const accept = (build, ids) => accepted.set(build, [...(accepted.get(build) ?? []), ...ids]);
  let permitted = null;
  return {
    before(state, event) {
      if (event.id !== undefined && event.id === prompt?.id && ["permit", "approved", "taken", "failed"].includes(event.type)) prompt = null;
      if (event.type === "built" && event.id === state.offer?.id) {
        accept(event.built.build, event.built.settled);
        if (!terms.isReviewed) agreedTo.add(event.built.build);
      }
      const isOfReview = event.id === state.id && ["reviewing", "asking"].includes(state.at);
      if (event.type === "agreed" && isOfReview) {
        const build = state.built?.build ?? state.agreed.build;
        if (event.isGood && !event.open && state.at === "reviewing") agreedTo.add(build);
        accept(build, event.accept);
      }
      if (event.type === "rebuilt" && state.at === "permitting" && event.id === state.id) {
        permitted = [event.build, state.agreed.build];
        agreedTo.add(event.build);
        accept(event.build, accepted.get(state.agreed.build) ?? []);
      }
      if (event.type === "retried" && state.at === "retrying" && event.retry && state.agreed) accept(state.agreed.build, event.retry.accept);
      return { isOver: (event.type === "declined" && isOfReview) || (event.type === "failed" && event.error?.code === "ABORTED" && event.id === state.id) };
    },
    after(effects, next, { isOver }) {
      if (isEnded) assert.deepEqual(effects, [], "nothing is done after the end");
      if (isOver) assert.equal(next.at, "ended");
      for (const effect of effects) {
        if (PROMPTS.includes(effect.do)) {
          assert.equal(prompt, null, `${effect.do} beside ${prompt?.do}`);
          assert.ok(!isOver, `${effect.do} after the end`);
          prompt = effect;
          const build = effect.do === "submit" ? effect.what : effect.do === "permit" ? effect.build : next.agreed.build;
          if (build.kind !== "signedOrder") {
            assert.ok(agreedTo.has(build), `${effect.do} of a build that was not agreed to`);
            const known = [...(accepted.get(build) ?? []), ...(build === permitted?.[0] ? (accepted.get(permitted[1]) ?? []) : [])];
            for (const id of effect.accept ?? effect.options?.accept ?? []) assert.ok(known.includes(id), `${id} was not accepted for this build`);
          }
        }
        if (effect.do === "review") {
          assert.equal(prompt, null, "a review beside a prompt");
          assert.equal(review, null, "a review beside another one");
          review = effect.isSecond ? null : effect.id;
        }
        if (effect.do === "closeReview") review = null;
        if (effect.do === "end") isEnded = true;
      }
      // Nothing is agreed to while it waits for another price.
      if (next.at === "quoting" && effects.some((effect) => effect.do === "openPrices")) agreedTo.clear();
      assert.equal(isEnded, next.at === "ended");
    },
  };
}

/** By each state that was met: those after it. */
const edges = new Map();
const met = new Set();
const noteEdge = (from, to) => from.at !== to.at && edges.set(from.at, (edges.get(from.at) ?? new Set()).add(to.at));

/** Every failure, for a state of a kind that was not met before. */
function tryAll(state) {
  const { at, what, isAsked, isMissing, agreed, memory: { terms, shown, mayPermit } } = state;
  const { isReviewed, isPrompted, isRetried, kind } = terms;
  const marks = [at, what, isAsked, isMissing, !agreed?.approval, !agreed?.missing, agreed?.lacksAllowance, !shown.signedOrder, mayPermit];
  const key = [...marks, isReviewed, isPrompted, isRetried, kind].join();
  if (met.has(key)) return;
  met.add(key);
  for (const code of CODES) for (const action of ["retry", "rebuild"]) for (const field of [undefined, "build.permit", "quote"]) for (const approval of [undefined, {}]) {
    const error = failure({ code, action, field, approval, questions: [{ id: "sent before" }] });
    for (const id of [state.id, state.offer?.id]) noteEdge(state, step(state, { type: "failed", id, error })[0]);
  }
}

test("whatever happens in whatever order, no prompt opens for what was not agreed to, nor beside another one", () => {
  for (let seed = 0; seed < 2_000; seed++) {
    const chance = chanceOf(seed);
    const kind = chance() < 0.2 ? "eip2612" : null;
    const terms = { ...TERMS, isReviewed: chance() < 0.9, isPrompted: chance() < 0.2, isRetried: chance() < 0.7, isAmountApproved: chance() < 0.2, kind, mayPermit: Boolean(kind) || chance() < 0.4 };
    let [state] = start(terms, SHOWN, {}, null);
    const watcher = watcherOf(terms);
    for (let turn = 0; turn < 40; turn++) {
      const event = anyEvent(state, chance);
      const notes = watcher.before(state, event);
      const [next, effects] = step(state, event);
      try {
        watcher.after(effects, next, notes);
      } catch (error) {
        error.message += ` (seed ${seed}, turn ${turn}: ${state.at}, ${event.type})`;
        throw error;
      }
      noteEdge(state, next);
      tryAll(next);
      state = next;
    }
  }
});

test("the picture in the documentation has the states and their edges, and no others", () => {
  const page = readFileSync(join(ROOT, "docs/trade.md"), "utf8");
  const [, picture] = /# The states of a trade\n[^]*?```text\n([^]*?)```/.exec(page);
  const drawn = picture.trim().split("\n").map((line) => line.split("─▶").map((part) => part.trim()));
  const file = readFileSync(join(ROOT, "pkg-template/src/trade-steps.ts"), "utf8");
  const states = [...file.matchAll(/readonly at: "(\w+)"/g)].map(([, at]) => at);
  assert.deepEqual(drawn.map(([at]) => at), states, "each state of the file, in its order");
  const order = (all) => states.filter((at) => all.has(at)).join(", ");
  assert.deepEqual(drawn.map(([at, to]) => `${at} ─▶ ${to}`), states.map((at) => `${at} ─▶ ${order(edges.get(at) ?? new Set())}`));
});
