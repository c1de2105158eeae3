/** A review by a clock that the test sets: what was agreed to in time is signed, and nothing else. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { before, beforeEach, mock, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";

const REQUEST = { chainId: 1, srcToken: "a", destToken: "b", amount: 1n };
const OPTIONS = { slippageBps: 50 };

let trade;
before(async () => {
  const folder = await freshApp("trade-review");
  const part = (name) => import(pathToFileURL(join(folder, "node_modules/verified-swap", name)));
  ({ trade } = await part("trade.js"));
  // The module itself takes the module's decisions here.
  await (await part("node.js")).init();
});

let world;
beforeEach((t) => {
  mock.timers.enable({ apis: ["setTimeout", "Date"], now: 1_800_000_000_000 });
  world = { wallet: new EventEmitter(), endings: Object.assign(new Set(), { isClosed: () => false }), trades: new Set(), withdraw() {}, made: 0, reviews: [], submitted: [], fail: {} };
  const made = async (call, answer) => {
    await null;
    if (world.fail[call]) throw Object.assign(new Error(), { name: "TradeError", ...world.fail[call] });
    return answer;
  };
  world.client = {
    quote: () => made("quote", { kind: "delta", number: ++world.made, expiresAtMs: Date.now() + 30_000, request: REQUEST, sealed: `${world.made}` }),
    build: ({ number }) => made("build", { kind: "delta", number, owner: "0x1", request: REQUEST, maxSpent: "1", minReceived: "1", report: { sentence: `sell at ${number}`, questions: [] }, approval: null }),
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

test("a trade is of one path: both are refused before a price is asked for", async () => {
  const error = await failure(start({ onReview: () => true }, { ...REQUEST, mode: "BOTH" }));
  assert.deepEqual([error.code, error.field, world.made], ["INVALID_INPUT", "request.mode", 0]);
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
    [({ answer }) => answer("yes"), { code: "INVALID_INPUT", action: "none" }],
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

const refused = (members) => Object.assign(new Error(), { name: "TradeError", action: "none", ...members });
const NO_SUCH_PERMIT = { code: "INVALID_INPUT", field: "options.kind" };

/**
 * A world whose builds lack an approval, and where all that follows the review is noted. `answers` are those of
 * `signPermit` in turn: a permit as text, or an error; `again` is what comes of building again with it.
 */
function lacking({ answers = [], again, submit, current = null } = {}) {
  const noted = [];
  const { build } = world.client;
  Object.assign(world.client, {
    async build(subject, { permit, ...options }) {
      if (!permit) return { ...(await build(subject, {})), approval: { current } };
      noted.push(`build ${subject.number} with ${permit}`);
      if (!subject.sealed) assert.deepEqual(Object.keys(options), ["signal"]);
      if (again) throw refused(again);
      // From a quote, or a build.
      const built = subject.sealed ? await build(subject, {}) : subject;
      return { ...built, approval: null, permit };
    },
    async signPermit(subject, { kind, onProgress, ...options }) {
      noted.push(`sign ${kind} for ${subject.number}`);
      assert.deepEqual(Object.keys(options), ["signal"], "the build says all of it");
      const answer = answers.shift() ?? NO_SUCH_PERMIT;
      if (typeof answer === "string" || answer.isAsked) onProgress({ step: "signing" });
      if (typeof answer !== "string") throw refused(answer);
      return answer;
    },
    info: { capabilities: async () => ({ atomic: "unsupported" }) },
    approve: async () => void noted.push("approve"),
    async submit({ number, permit }, { accept = [] }) {
      noted.push(["submit", number, ...(permit ? [permit] : []), ...accept].join(" "));
      if (submit && permit) throw refused(submit);
      return { status: "ACTIVE" };
    },
  });
  return noted;
}

const APPROVED = ["approve", "submit 1"];
const PERMITS = {
  "the token's own": [{ answers: ["p"] }, ["sign eip2612 for 1", "build 1 with p", "submit 1 p"]],
  "none that is known": [{}, ["sign eip2612 for 1", ...APPROVED]],
  "one that failed after its prompt": [{ answers: [{ code: "SIGNATURE_MISMATCH", isAsked: true }, "p"] }, ["sign eip2612 for 1", ...APPROVED]],
  "a second build that is not what was reviewed": [
    { answers: ["p", "q"], again: { code: "VERIFY_MISMATCH", field: "order.destAmount" } },
    ["sign eip2612 for 1", "build 1 with p", ...APPROVED],
  ],
  "a second build that the service refuses": [
    { answers: ["p"], again: { code: "QUOTE_EXPIRED", action: "requote" } },
    ["sign eip2612 for 1", "build 1 with p", ...APPROVED],
  ],
  "one that was used meanwhile": [
    { answers: ["p"], submit: { code: "INVALID_INPUT", field: "build.permit" } },
    ["sign eip2612 for 1", "build 1 with p", "submit 1 p", ...APPROVED],
  ],
  "an allowance that only open orders lack": [{ answers: ["p"], current: "1" }, APPROVED],
};

for (const [name, [how, expected]] of Object.entries(PERMITS)) {
  test(`a permit is asked for once, after the review, and an approval takes its place: ${name}`, async () => {
    const noted = lacking(how);
    const trade = start({ permit: "whenPossible" });
    await pass(20_000);
    assert.deepEqual([noted, numbers()], [[], [1]], "nothing before the review was answered");
    world.reviews[0].answer(true);
    const { step, build } = await trade;
    assert.deepEqual([step, build.number, noted, numbers()], ["done", 1, expected, [1]]);
  });
}

test("a permit that the user, or the wallet, rejects ends the trade", async () => {
  for (const code of ["USER_REJECTED", "WALLET_PENDING", "ABORTED"]) {
    const noted = lacking({ answers: [{ code, isAsked: true }] });
    const { code: told, step } = await failure(start({ permit: "whenPossible", onReview: () => true }));
    assert.deepEqual([told, step, noted], [code, "permitting", [`sign eip2612 for ${world.made}`]]);
  }
});

test("after a build that took too long no second permit is asked for", async () => {
  const noted = lacking({ answers: ["p", "q"], submit: { code: "QUOTE_EXPIRED", action: "requote" } });
  await start({ permit: "whenPossible", onReview: () => true });
  assert.deepEqual(noted, ["sign eip2612 for 1", "build 1 with p", "submit 1 p", "approve", "submit 2"]);
});

test("what no permit can pay for is approved, and nobody is asked for one", async () => {
  for (const options of [{}, { permit: "never" }, ...[{ limitPrice: "1" }, { advanced: { external: {} } }, { preSign: true }].map((more) => ({ permit: "whenPossible", ...more }))]) {
    const noted = lacking({ answers: ["p"] });
    if (options.limitPrice) options.slippageBps = undefined;
    await start({ onReview: () => true, ...options });
    assert.deepEqual(noted.map((what) => what.split(" ")[0]), ["approve", "submit"]);
  }
});

const CHOSEN = {
  "it is signed, and no other kind": [{ answers: ["p"] }, ["sign permit2Transfer for 1", "build 1 with p", "submit 1 p"]],
  "one that is not possible": [{}, ["sign permit2Transfer for 1"], NO_SUCH_PERMIT],
  "a second build that is not what was reviewed": [
    { answers: ["p", "q"], again: { code: "VERIFY_MISMATCH", field: "order.destAmount" } },
    ["sign permit2Transfer for 1", "build 1 with p"],
    { code: "VERIFY_MISMATCH" },
  ],
  "one that was used meanwhile": [
    { answers: ["p"], submit: { code: "INVALID_INPUT", field: "build.permit" } },
    ["sign permit2Transfer for 1", "build 1 with p", "submit 1 p"],
    { field: "build.permit" },
  ],
  "an allowance that only open orders lack": [{ answers: ["p"], current: "1" }, APPROVED],
};

for (const [name, [how, expected, failed]] of Object.entries(CHOSEN)) {
  test(`a kind of permit that was chosen is signed, or the trade fails, and nothing is approved in its place: ${name}`, async () => {
    const noted = lacking(how);
    const trade = start({ permit: "permit2Transfer", onReview: () => true });
    if (failed) assert.deepEqual({ ...(await failure(trade)), ...failed }, { ...(await failure(trade)) });
    else assert.equal((await trade).step, "done");
    assert.deepEqual(noted, expected);
  });
}

for (const [name, again, expected, later] of [
  ["takes the same one", undefined, ["build 2 with p", "submit 2 p"], ["order"]],
  ["signs another where that does not do", { code: "INVALID_INPUT", field: "options.permit" }, ["build 2 with p", "sign permit2Transfer for 2", "build 2 with q", "submit 2 q"], ["permit", "order"]],
]) {
  test(`of a chosen permit a later price ${name}`, async () => {
    const noted = lacking({ answers: ["p", "q"] });
    const { submit, build } = world.client;
    let isLate = true;
    world.client.submit = async (...given) => {
      if (!isLate) return submit(...given);
      isLate = false;
      noted.length = 0;
      throw refused({ code: "QUOTE_EXPIRED", action: "requote" });
    };
    world.client.build = async (subject, options) => {
      const built = await build(subject, options);
      if (again && !isLate && options.permit === "p") throw refused(again);
      return built;
    };
    const steps = [];
    await start({ permit: "permit2Transfer", onReview: (review) => steps.push(review.steps.map(({ purpose }) => purpose)) > 0 });
    assert.deepEqual(noted, expected);
    assert.deepEqual(steps, [["permit", "order"], later]);
  });
}

test("a kind is not chosen for what outlives a permit", async () => {
  for (const more of [{ limitPrice: "1", slippageBps: undefined }, { advanced: { external: {} } }, { preSign: true }]) {
    const noted = lacking({ answers: ["p"] });
    const error = await failure(start({ permit: "eip2612", onReview: () => true, ...more }));
    assert.deepEqual([error.code, error.field, noted], ["INVALID_INPUT", "options.permit", []]);
  }
});

/** Each build has that question, and another id; `bounds` are those of the builds in turn. */
function asking({ reasons = ["noReference"], bounds = [] } = {}) {
  const { build } = world.client;
  world.submissions = [];
  const of = (place, list) => list[Math.min(place, list.length - 1)];
  Object.assign(world.client, {
    async build(quote) {
      const built = await build(quote);
      const questions = [of(built.number - 1, reasons)].flat().map((reason, place) => {
        const field = place ? "order.bridgeInput.price" : "quote.price";
        return { id: `${reason}-${built.number}-${place}`, reason, field, text: "At its price?" };
      });
      const bound = bounds.length ? of(built.number - 1, bounds) : {};
      return { ...built, ...bound, report: { ...built.report, questions: questions.filter(({ reason }) => reason) } };
    },
    async submit({ number }, { accept }) {
      world.submissions.push([number, accept]);
      return { status: "ACTIVE" };
    },
  });
}
const asked = () => world.reviews.map(({ questions }) => questions.map(({ id }) => id));

test("a question is answered by its id, and nothing else goes on", async () => {
  asking();
  for (const [answer, expected] of [
    [{ accept: ["noReference-1-0"] }, null],
    [true, "PRICE_UNJUDGED"],
    [{ accept: [] }, "PRICE_UNJUDGED"],
    [{ accept: ["noReference-2-0", "noReference"] }, "PRICE_UNJUDGED"],
    [false, "USER_REJECTED"],
    [null, "USER_REJECTED"],
    ...[undefined, "yes", 1, {}, { accept: true }, { accept: "noReference-1-0" }, ["noReference-1-0"]].map((none) => [none, "INVALID_INPUT"]),
  ]) {
    Object.assign(world, { made: 0, reviews: [], submissions: [] });
    world.client.approve = () => assert.fail("nothing is approved for it");
    const trade = start();
    await settle();
    assert.deepEqual(asked(), [["noReference-1-0"]]);
    world.reviews[0].answer(answer);
    if (!expected) {
      await trade;
      assert.deepEqual(world.submissions, [[1, ["noReference-1-0"]]]);
      continue;
    }
    const { code, step, questions, field } = await failure(trade);
    assert.deepEqual([code, step, world.submissions], [expected, "reviewing", []], JSON.stringify(answer));
    if (code === "INVALID_INPUT") assert.equal(field, "options.onReview");
    if (code === "PRICE_UNJUDGED") assert.deepEqual(questions.map(({ id }) => id), ["noReference-1-0"]);
  }
});

test("what a review does with its questions answers none of them", async () => {
  asking();
  const empty = ({ questions, report, build }) => {
    for (const list of [questions, report.questions, build.report.questions]) list.length = 0;
    return true;
  };
  const rename = ({ questions, report }) => {
    for (const question of [...questions, ...report.questions]) question.id = "answered";
    return { accept: ["answered"] };
  };
  for (const onReview of [empty, rename]) {
    world.client.approve = () => assert.fail("nothing is approved for it");
    assert.equal((await failure(start({ onReview }))).code, "PRICE_UNJUDGED");
  }
  assert.deepEqual(world.submissions, []);
});

test("with an open question nothing is approved or permitted", async () => {
  asking();
  const noted = [];
  const { build } = world.client;
  Object.assign(world.client, {
    build: async (quote) => ({ ...(await build(quote)), approval: { current: "0" } }),
    approve: async () => void noted.push("approve"),
    signPermit: async () => void noted.push("permit"),
  });
  for (const permit of ["never", "whenPossible"]) {
    assert.equal((await failure(start({ permit, onReview: () => true }))).code, "PRICE_UNJUDGED");
  }
  assert.deepEqual([noted, world.submissions], [[], []]);
});

test("what the review accepted goes with each prompt of its build", async () => {
  for (const [permit, prompts] of [["never", ["approve", "submit"]], ["whenPossible", ["permit", "approve", "submit"]]]) {
    Object.assign(world, { made: 0, reviews: [] });
    asking();
    const noted = [];
    const { build } = world.client;
    Object.assign(world.client, {
      build: async (quote) => ({ ...(await build(quote)), approval: { current: "0" } }),
      approve: async (_, { accept }) => void noted.push(["approve", accept]),
      async signPermit(_, { accept }) {
        noted.push(["permit", accept]);
        throw refused(NO_SUCH_PERMIT);
      },
      async submit(_, { accept }) {
        noted.push(["submit", accept]);
        return { status: "ACTIVE" };
      },
      info: { capabilities: async () => ({ atomic: "unsupported" }) },
    });
    const trade = start({ permit });
    await settle();
    const accept = world.reviews[0].questions.map(({ id }) => id);
    world.reviews[0].answer({ accept });
    await trade;
    assert.deepEqual(noted, prompts.map((prompt) => [prompt, accept]));
  }
});

test("what the wallet may have sent before is asked about behind the review, and sent again only with that answer", async () => {
  const sent = { id: "mayHaveBeenSent-1", reason: "mayHaveBeenSent", field: "transaction", text: "your wallet said \"?\"" };
  for (const [answer, expected] of [
    [{ accept: [sent.id] }, null],
    [true, "ALREADY_SIGNED"],
    [{ accept: [] }, "ALREADY_SIGNED"],
    [{ accept: ["noReference-1-0"] }, "ALREADY_SIGNED"],
    [false, "USER_REJECTED"],
    [undefined, "INVALID_INPUT"],
  ]) {
    Object.assign(world, { made: 0, reviews: [] });
    asking();
    const submissions = [];
    world.client.submit = async ({ number }, { accept }) => {
      submissions.push([number, accept]);
      if (accept.includes(sent.id)) return { status: "ACTIVE" };
      throw Object.assign(new Error(), { name: "TradeError", code: "ALREADY_SIGNED", questions: [sent] });
    };
    const trade = start();
    await settle();
    world.reviews[0].answer({ accept: ["noReference-1-0"] });
    await settle();
    const [first, second] = world.reviews;
    assert.deepEqual([second.build, second.questions, trade.state.step], [first.build, [sent], "reviewing"]);
    assert.ok(first.signal.aborted && !second.signal.aborted);
    second.answer(answer);
    if (expected) assert.equal((await failure(trade)).code, expected, JSON.stringify(answer));
    else await trade;
    assert.ok(second.signal.aborted);
    const asked = [[1, ["noReference-1-0"]]];
    assert.deepEqual(submissions, expected ? asked : [...asked, [1, ["noReference-1-0", sent.id]]]);
  }
  // It ends with the trade.
  for (const end of [(abort) => abort.abort(), () => [...world.endings].forEach((end) => end())]) {
    Object.assign(world, { made: 0, reviews: [] });
    world.client.submit = async () => {
      throw Object.assign(new Error(), { name: "TradeError", code: "ALREADY_SIGNED", questions: [sent] });
    };
    const abort = new AbortController();
    const trade = start({ signal: abort.signal });
    await settle();
    world.reviews[0].answer({ accept: ["noReference-1-0"] });
    await settle();
    end(abort);
    assert.equal((await failure(trade)).code, "ABORTED");
    assert.deepEqual([world.reviews[1].signal.aborted, world.endings.size], [true, 0]);
  }
  // Without a question there is nothing to answer.
  world.client.submit = async () => {
    throw Object.assign(new Error(), { name: "TradeError", code: "ALREADY_SIGNED", actual: "may still be mined" });
  };
  Object.assign(world, { made: 0, reviews: [] });
  const trade = start();
  await settle();
  world.reviews[0].answer({ accept: ["noReference-1-0"] });
  assert.equal((await failure(trade)).code, "ALREADY_SIGNED");
  assert.equal(world.reviews.length, 1);
});

/** After the first review is answered late, what the second one asks, and what is accepted in the end. */
async function renewed(how) {
  Object.assign(world, { made: 0, reviews: [] });
  asking(how);
  const trade = start();
  await settle();
  world.fail.quote = { code: "NETWORK", action: "retry" };
  await pass(40_000);
  world.fail = {};
  world.reviews[0].answer({ accept: asked()[0] });
  await settle();
  const open = asked()[1];
  world.reviews[1].answer({ accept: open });
  await trade;
  // However many prices were asked for meanwhile.
  const second = (ids) => ids.map((id) => id.replace(`-${world.reviews[1].build.number}-`, "-2-"));
  return [second(open), second(world.submissions[0][1])];
}

test("a renewed price asks again only if the reason is another or the bound is worse", async () => {
  const { build, submit } = world.client;
  // By `carriesOver`, whose laws are in crates/verify/tests/laws/renewed.rs.
  for (const [how, isAsked] of [
    [{}, false],
    [{ bounds: [{ minReceived: "5" }, { minReceived: "4" }] }, true],
    [{ bounds: [{ owner: "0x1" }, { owner: "0x2" }] }, true],
    [{ reasons: ["noReference", "referenceSilent"] }, true],
    // The data for a bridge is another in each build, and so is who receives by it.
    [{ reasons: ["receiverUnbound", "receiverUnbound"] }, true],
  ]) {
    Object.assign(world.client, { build, submit });
    const second = `${how.reasons?.[1] ?? "noReference"}-2-0`;
    const [open, accept] = await renewed(how);
    assert.deepEqual([open, accept], [isAsked ? [second] : [], [second]], JSON.stringify(how));
  }
  // An answer about one amount is none about the other.
  Object.assign(world.client, { build, submit });
  const both = ["noReference", "noReference"];
  const [open, accept] = await renewed({ reasons: ["noReference", both] });
  assert.deepEqual([open, accept], [["noReference-2-1"], ["noReference-2-0", "noReference-2-1"]]);
});

test("what nobody answered is asked again, whatever the renewed price is", async () => {
  asking();
  const trade = start();
  await pass(25_000);
  assert.deepEqual(asked(), [["noReference-1-0"], ["noReference-2-0"]]);
  world.reviews[1].answer({ accept: ["noReference-1-0"] });
  assert.equal((await failure(trade)).code, "PRICE_UNJUDGED");
  assert.deepEqual(world.submissions, []);
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

test("whoever is asked about each prompt reviews nothing else", async () => {
  const onPrompt = () => true;
  const asked = [];
  world.client.submit = async (build, options) => (asked.push(options.onPrompt), { status: "ACTIVE" });
  await start({ onReview: undefined, onPrompt });
  // As the client's option it need not be passed on.
  world.isPrompted = true;
  await start({ onReview: undefined });
  assert.deepEqual([asked, world.reviews], [[onPrompt, undefined], []]);
});

test("a question of a prompt that was left open is not asked once more", async () => {
  const questions = [{ id: "q", reason: "mayHaveBeenSent" }];
  world.fail.submit = { code: "ALREADY_SIGNED", questions };
  const { code } = await failure(start({ onReview: undefined, onPrompt: () => true }));
  assert.equal(code, "ALREADY_SIGNED");
  const again = failure(start({ onPrompt: () => true }));
  await settle();
  world.reviews[0].answer(true);
  assert.deepEqual([(await again).code, world.reviews.length], ["ALREADY_SIGNED", 1]);
});

test("options that are none are refused before anybody is asked", async () => {
  for (const [options, field] of [
    [{ onReview: undefined }, "options.onReview"],
    [{ onReview: 1, onPrompt: () => true }, "options.onReview"],
    [{ onPrompt: 1 }, "options.onPrompt"],
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

/** `onFailure`, whose answers come in turn; and what it was asked. */
function trying(...answers) {
  const asked = [];
  const onFailure = async (failure) => {
    asked.push(failure);
    await null;
    return answers.shift();
  };
  return { asked, onFailure };
}

/** Each `submit` in turn fails with that, then the next ones succeed. */
function refusing(...errors) {
  const given = [];
  const { submit } = world.client;
  world.client.submit = async (what, options) => {
    const { onProgress, signal, onPrompt, ...choices } = options;
    given.push([what.number ?? what.kind, choices]);
    const error = errors.shift();
    if (error?.isSigned) onProgress({ step: "signed", signedOrder: { kind: "signedOrder", signature: error.signature } });
    if (error?.isPosted) onProgress({ step: "posting", signedOrder: { kind: "signedOrder", signature: error.signature } });
    if (error?.isWaiting) onProgress({ step: "confirming", signedOrder: { kind: "signedOrder" } });
    if (error) throw refused(error);
    return submit(what, options);
  };
  return given;
}

const REJECTED = { code: "USER_REJECTED", action: "retry" };

test("what the user wants to try again is the same build", async () => {
  const given = refusing(REJECTED, REJECTED);
  const { asked, onFailure } = trying(true, true);
  const { step } = await start({ onReview: () => true, onFailure });
  assert.deepEqual([step, given.map(([number]) => number), numbers()], ["done", [1, 1, 1], []]);
  assert.deepEqual([asked.length, asked[0].error.code, asked[0].build.number, asked[0].quote.number], [2, "USER_REJECTED", 1, 1]);
  assert.deepEqual([asked[0].error.step, asked[0].signal.aborted], ["reviewing", true]);
});

for (const answer of [false, undefined, null, "again", 1]) {
  test(`a failure ends the trade if the user answers ${answer}`, async () => {
    refusing(REJECTED);
    const { asked, onFailure } = trying(answer);
    const { code } = await failure(start({ onReview: () => true, onFailure }));
    assert.deepEqual([code, asked.length, world.endings.size], ["USER_REJECTED", 1, 0]);
  });
}

test("nobody is asked to try again what the user ended, or what the app did wrong", async () => {
  const { asked, onFailure } = trying(true, true, true);
  const declined = await failure(start({ onReview: () => false, onFailure }));
  const thrown = await failure(start({ onReview: () => Promise.reject(new TypeError("own")), onFailure }));
  refusing({ code: "ABORTED" });
  const aborted = await failure(start({ onReview: () => true, onFailure }));
  refusing({ code: "INTERNAL", cause: new WebAssembly.RuntimeError("unreachable") });
  const trapped = await failure(start({ onReview: () => true, onFailure }));
  const codes = [declined, thrown, aborted, trapped].map(({ code }) => code);
  assert.deepEqual([codes, asked], [["USER_REJECTED", "INTERNAL", "ABORTED", "INTERNAL"], []]);
});

test("a question about a failure ends with the trade", async () => {
  for (const end of [(abort) => abort.abort(), () => [...world.endings].forEach((end) => end())]) {
    refusing(REJECTED);
    const asked = [];
    const onFailure = (failure) => (asked.push(failure), new Promise(() => {}));
    const abort = new AbortController();
    const trade = start({ onReview: () => true, onFailure, signal: abort.signal });
    await settle();
    assert.equal(asked[0].signal.aborted, false);
    end(abort);
    assert.equal((await failure(trade)).code, "ABORTED");
    assert.deepEqual([asked[0].signal.aborted, world.endings.size], [true, 0]);
  }
});

for (const [name, error, lateMs = 0, retry = true] of [
  ["the service takes its price no more", { code: "SERVICE_REJECTED", action: "requote" }],
  ["it differs from what was asked for", { code: "VERIFY_MISMATCH" }],
  ["its price got old meanwhile", REJECTED, 31_000],
  ["the user wants another price", REJECTED, 0, { requote: true }],
]) {
  test(`a new build is reviewed where ${name}`, async () => {
    const given = refusing(error);
    let answer;
    const trade = start({ onFailure: () => new Promise((resolve) => (answer = resolve)) });
    await settle();
    world.reviews[0].answer(true);
    await pass(lateMs);
    answer(retry);
    await pass(500);
    assert.deepEqual([given.length, numbers()], [1, [1, 2]]);
    world.reviews[1].answer(true);
    assert.equal((await trade).step, "done");
    assert.deepEqual(given.map(([number]) => number), [1, 2]);
  });
}

test("what cannot be built is tried again with a new price", async () => {
  world.fail.build = { code: "NETWORK", action: "retry" };
  const onFailure = ({ build, quote }) => {
    world.fail = {};
    return [build, quote.number].join() === ",1";
  };
  assert.equal((await start({ onReview: () => true, onFailure })).build.number, 2);
});

test("what was approved, permitted or signed is not asked for again", async () => {
  let noted = lacking();
  refusing(REJECTED);
  await start({ onReview: () => true, ...trying(true) });
  assert.deepEqual(noted, ["approve", "submit 1"]);

  for (const permit of ["whenPossible", "eip2612"]) {
    noted = lacking({ answers: ["p", "q"] });
    refusing(REJECTED);
    world.made = 0;
    await start({ permit, onReview: () => true, ...trying(true) });
    assert.deepEqual(noted.slice(-2), ["build 1 with p", "submit 1 p"]);
    assert.equal(noted.filter((what) => what.startsWith("sign ")).length, 1);
  }

  noted = lacking();
  const given = refusing({ code: "NETWORK", isSigned: true }, { code: "NETWORK" });
  const { signedOrder } = await start({ onReview: () => true, ...trying(true, { existing: "replace", accept: ["x"] }) });
  assert.deepEqual([noted, signedOrder.kind], [["approve", "submit "], "signedOrder"]);
  // The signed order is posted as it is.
  assert.deepEqual(given.slice(1), [["signedOrder", {}], ["signedOrder", {}]]);
});

test("a signature that is none of the order is not tried again, nor told as one", async () => {
  for (const code of ["SIGNATURE_MISMATCH", "UNSUPPORTED_ACCOUNT"]) {
    const given = refusing({ code, isSigned: true });
    await start({ onReview: () => true, ...trying({ preSign: true }) });
    assert.deepEqual(given, [[given[0][0], {}], [given[0][0], { preSign: true }]]);
    refusing({ code, isSigned: true });
    assert.equal((await failure(start({ onReview: () => true }))).signedOrder, undefined);
    // The service has one that it refused.
    const posted = refusing({ code, isSigned: true, signedOrder: "that" });
    await start({ onReview: () => true, ...trying(true) });
    assert.deepEqual(posted[1], ["signedOrder", {}]);
  }
});

test("an order is not posted by a transaction that failed: its build sends another", async () => {
  const failed = { code: "WALLET_FAILED", isSigned: true, signature: "0x", signedOrder: "that" };
  for (const [code, answer] of [["QUOTE_EXPIRED", true], ["NETWORK", { requote: true }]]) {
    const given = refusing(failed, { code: "USER_REJECTED", action: "requote" }, { code, action: "requote" });
    const { build } = await start({ onReview: () => true, ...trying({ preSign: true, requote: true }, { accept: ["a"] }, answer) });
    const [first, ...more] = given.map(([number, choices]) => [number, choices.accept]);
    assert.deepEqual(more, [[first[0], undefined], [first[0], ["a"]], [build.number, undefined]]);
    assert.ok(build.number > first[0], "what was not sent is free for another price");
  }
});

test("an order that its transaction signed is posted, and looked up, as it is", async () => {
  const sent = { code: "NETWORK", isPosted: true, signature: "0x", signedOrder: "that" };
  const given = refusing(sent, { code: "QUOTE_EXPIRED" }, { code: "NETWORK", action: "requote" });
  await start({ preSign: true, onReview: () => true, ...trying(true, true, { requote: true }) });
  assert.deepEqual(given.slice(1).map(([what]) => what), ["signedOrder", "signedOrder", "signedOrder"]);
});

test("an order that is signed already is pre-signed instead, if the user wants that", async () => {
  const given = refusing({ code: "NETWORK", isSigned: true, signature: "0x12" });
  await start({ onReview: () => true, ...trying({ preSign: true }) });
  assert.deepEqual(given[1], [given[0][0], { preSign: true }]);
});

test("consent to a second transaction is for one", async () => {
  const given = refusing({ code: "ALREADY_SIGNED" }, { code: "WALLET_FAILED" }, { code: "ALREADY_SIGNED" });
  const { build, quote } = world.client;
  world.client.quote = async () => ({ ...(await quote()), kind: "market" });
  const built = [];
  world.client.build = async (quote, options) => (built.push(options.existing), { ...(await build(quote)), kind: "market" });
  await failure(start({ onReview: () => true, ...trying({ existing: "keepBoth" }, { requote: true }, false) }));
  assert.deepEqual([given.map(([, { existing }]) => existing), built.filter(Boolean)], [[undefined, "keepBoth", undefined], []]);
});

test("a permit that was signed is built with again, and one that was refused asked for again", async () => {
  let noted = lacking({ answers: ["p"], again: { code: "NETWORK", action: "retry" } });
  const built = () => noted.filter((what) => what !== "approve" && !what.startsWith("submit"));
  await failure(start({ permit: "permit2Transfer", onReview: () => true, ...trying(true, false) }));
  assert.deepEqual(built(), ["sign permit2Transfer for 1", "build 1 with p", "build 1 with p"]);

  noted = lacking({ answers: ["p", "q"], again: { code: "INVALID_INPUT", field: "options.permit.amount" } });
  world.made = 0;
  await failure(start({ permit: "permit2Transfer", onReview: () => true, ...trying(true, false) }));
  assert.deepEqual(built(), ["sign permit2Transfer for 1", "build 1 with p", "sign permit2Transfer for 1", "build 1 with q"]);

  noted = lacking({ answers: [{ ...REJECTED, isAsked: true }, "p"] });
  world.made = 0;
  await start({ permit: "whenPossible", onReview: () => true, ...trying(true) });
  assert.deepEqual(noted, ["sign eip2612 for 1", "sign eip2612 for 1", "build 1 with p", "submit 1 p"]);
});

test("who pre-signs signs no permit", async () => {
  for (const permit of ["whenPossible", "eip2612"]) {
    const noted = lacking({ answers: ["p"] });
    await start({ permit, onReview: () => ({ accept: [], preSign: true }) });
    assert.deepEqual([noted[0], noted.length], ["approve", 2]);
  }
});

test("an answer of no known form is none, and opens no prompt", async () => {
  for (const answer of [[], new Error("the dialog failed"), new Map(), Promise]) {
    refusing(REJECTED);
    assert.equal((await failure(start({ onReview: () => true, ...trying(answer) }))).code, "USER_REJECTED");
  }
  for (const [answer, field] of [
    [{ preSign: "yes" }, "preSign"],
    [{ batch: true }, "batch"],
    [{ withoutJournal: 1 }, "withoutJournal"],
    [{ existing: "both" }, "existing"],
    [{ accept: "a" }, "accept"],
  ]) {
    const given = refusing(REJECTED);
    const { code, field: named } = await failure(start({ onReview: () => true, ...trying(answer) }));
    assert.deepEqual([code, named, given.length], ["INVALID_INPUT", `onFailure.${field}`, 1]);
  }
  const given = refusing();
  for (const [options, field] of [[{ onReview: () => ({ accept: [], batch: "no" }) }, "onReview.batch"], [{ preSign: "yes" }, "options.preSign"]]) {
    assert.equal((await failure(start({ onReview: () => true, ...options }))).field, field);
  }
  assert.deepEqual(given, []);
});

test("an approval that turned out to be missing is made", async () => {
  const approvals = [];
  const noted = lacking();
  world.client.approve = async (approval) => void approvals.push(approval);
  refusing({ code: "INSUFFICIENT_ALLOWANCE", action: "approve", approval: "of Permit2" });
  await start({ onReview: () => true, ...trying(true) });
  assert.deepEqual([approvals, noted], [[{ current: null }, "of Permit2"], ["submit 1"]]);
});

test("an answer chooses how the trade goes on", async () => {
  const given = refusing(REJECTED, REJECTED, REJECTED);
  const onReview = () => ({ accept: [], preSign: true, batch: "never" });
  await start({ onReview, ...trying({ existing: "replace" }, { withoutJournal: true, preSign: false, accept: ["a"] }, true) });
  const choices = given.map(([, chosen]) => chosen);
  assert.deepEqual(choices, [
    { preSign: true, batch: "never" },
    { preSign: true, batch: "never", existing: "replace" },
    { batch: "never", withoutJournal: true, accept: ["a"] },
    { batch: "never", withoutJournal: true, accept: ["a"] },
  ]);
});

test("an order beside another one is built for that, and reviewed", async () => {
  refusing({ code: "ALREADY_SIGNED", action: "none" });
  const built = [];
  const { build } = world.client;
  world.client.build = (quote, { existing }) => (built.push(existing), build(quote));
  const { build: last } = await start({ onReview: (review) => world.reviews.push(review) > 0, ...trying({ existing: "keepBoth" }) });
  assert.deepEqual([built.slice(0, 1), built.at(-1), last.number > 1, world.reviews.length], [[undefined], "keepBoth", true, 2]);
});

test("with a permit that is signed already every build is made, and no order outlives it", async () => {
  const given = [];
  const { build } = world.client;
  const permit = { kind: "eip2612", deadline: 1_800_000_600 };
  world.client.build = (quote, options) => (given.push([options.permit, options.deadline]), build(quote, options));
  for (const [more, deadline] of [[{}, permit.deadline], [{ deadline: 5 }, 5], [{ validForSecs: 5 }, undefined]]) {
    given.length = 0;
    await start({ onReview: () => true, permit, ...more });
    assert.deepEqual(given[0], [permit, deadline]);
  }
  world.fail.build = { code: "INVALID_INPUT", field: "options.permit.amount" };
  const refusal = await failure(start({ onReview: () => true, permit }));
  world.fail = {};
  const limit = await failure(start({ onReview: () => true, permit, limitPrice: "1", slippageBps: undefined }));
  assert.deepEqual([refusal.field, limit.field], ["options.permit.amount", "options.permit"]);
});

test("an order that waited for its approval in vain gets another one, and no second signature", async () => {
  const noted = lacking();
  const given = refusing({ code: "WALLET_FAILED", action: "retry", isSigned: true, isWaiting: true });
  await start({ onReview: () => true, ...trying(true) });
  assert.deepEqual([noted, given.map(([what]) => what)], [["approve", "approve", "submit "], [1, "signedOrder"]]);
});

test("a renewed price that is wrong ends the review, one that is late does not", async () => {
  const trade = start();
  await settle();
  for (const action of ["retry", "none"]) {
    world.fail.quote = { code: "SERVICE_REJECTED", action };
    await pass(24_000);
  }
  assert.deepEqual([numbers(), trade.state.step], [[1], "reviewing"]);
  world.fail.quote = { code: "VERIFY_MISMATCH", action: "none" };
  world.wallet.emit("accountsChanged", []);
  await pass(1_000);
  assert.equal((await failure(trade)).code, "VERIFY_MISMATCH");
  assert.deepEqual([world.reviews[0].signal.aborted, world.submitted], [true, []]);
});
