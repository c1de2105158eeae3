/** The controller of a swap's form in the real sandbox: from what is typed to what arrived, and every way in which that ends otherwise. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "verified-swap";
import { createSwap } from "verified-swap/swap";
import { SENT, SIGNED, agreed, chain, funded, held, opened, priced, raw, rejected, reviewing, sandbox, shown, tokenOf, until, walletOf } from "./swapping.mjs";

/** A controller whose account has 1000 of the paid token. */
async function started(form = {}, options = {}) {
  const { src, dest } = { src: tokenOf("permit"), dest: tokenOf("plain"), ...form };
  const account = await funded(src);
  const wallet = walletOf(account);
  return { ...(await opened(wallet, form, options)), wallet, account, src, dest };
}

test("a gasless swap with its approval: one click for each prompt, until it is completed", async () => {
  const { swap, wallet, account, src, dest } = await started();
  const before = { src: await held(account, src), dest: await held(account, dest) };
  const { quote, figures, faults, choices } = await priced(swap);
  assert.deepEqual([quote.kind, faults, choices], ["delta", [], []]);
  assert.equal(figures.pay, raw(100, src));
  swap.review();
  const { review } = await until(swap, ({ view }) => view === "review");
  assert.deepEqual(review.steps.map(({ purpose }) => purpose), ["approve", "order"]);
  assert.deepEqual([review.isAgreed, review.prompt, wallet.asked], [false, null, []]);
  swap.confirm();
  swap.confirm();
  const second = await until(swap, ({ review }) => review?.prompt);
  assert.deepEqual([second.review.prompt.purpose, second.review.stepsDone, second.busy], ["order", 1, null]);
  assert.deepEqual(wallet.asked, [SENT]);
  swap.confirm();
  const { entry } = await until(swap, ({ entry, view }) => view === "entry" && entry?.state === "done", "it is done");
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
  assert.deepEqual([entry.order.status, swap.state.busy, swap.state.review], ["COMPLETED", null, null]);
  assert.equal((await held(account, src)) - before.src, -BigInt(raw(100, src)));
  assert.ok((await held(account, dest)) - before.dest >= BigInt(review.figures.getAtLeast));
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.entry], ["form", null]);
});

/** Another account trades, and moves the price. */
const moved = (from, to, amount) =>
  sandbox.control("POST", "trade", { chainId: chain.chainId, srcToken: from.address, destToken: to.address, amount: raw(amount, from) });

test("a service that lies: a refusal, and the wallet is asked for nothing", async () => {
  const { swap, wallet } = await started();
  await priced(swap);
  await sandbox.control("POST", "lie", { kind: "receiver", times: -1 });
  swap.review();
  const { refusal, review, failure, busy } = await until(swap, ({ view }) => view === "refusal");
  assert.equal(refusal.error.code, "VERIFY_MISMATCH");
  assert.ok(refusal.error.report.checks.some(({ verdict }) => verdict === "mismatch"));
  assert.ok(refusal.figures);
  assert.deepEqual([review, failure, busy, wallet.asked], [null, null, null, []]);
  await sandbox.control("POST", "lie", { kind: "none" });
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.refusal], ["form", null]);
  await reviewing(swap);
});

test("a price that is a lie: it is no price, and what differs can be seen", async () => {
  const { swap, wallet } = await started();
  await priced(swap);
  await sandbox.control("POST", "lie", { kind: "spender", times: -1 });
  swap.refresh();
  const { failure, quote } = await until(swap, ({ failure }) => failure);
  assert.deepEqual([failure.error.code, failure.remedies, quote], ["VERIFY_MISMATCH", ["compare"], null]);
  swap.review();
  assert.equal(swap.state.view, "form");
  swap.remedy("compare");
  assert.deepEqual([swap.state.view, swap.state.refusal.error], ["refusal", failure.error]);
  await sandbox.control("POST", "lie", { kind: "none" });
  swap.back();
  swap.refresh();
  await reviewing(swap);
  assert.deepEqual(wallet.asked, []);
});

test("a prompt that the wallet refuses: nothing is lost, and the next click asks again", async () => {
  const { swap, wallet } = await started();
  await reviewing(swap);
  let left = 2;
  wallet.refuses = () => (left-- > 0 ? rejected() : null);
  swap.confirm();
  for (const _ of [1, 2]) {
    const { failure, review } = await until(swap, ({ failure }) => failure);
    assert.deepEqual([failure.error.code, failure.remedies, failure.isFateUnknown], ["USER_REJECTED", ["retry"], false]);
    assert.deepEqual([review.isAgreed, review.stepsDone], [false, 0]);
    swap.remedy("retry");
  }
  await agreed(swap, { isOpen: false });
  await shown(swap);
  assert.deepEqual(wallet.asked, [SENT, SENT, SENT, SIGNED]);
});

test("a price that moves under the review: no worse, it is the same review; worse, the user is asked", async () => {
  const { swap, wallet, account, src, dest } = await started();
  const first = await reviewing(swap);
  const renewed = () => wallet.emit("accountsChanged", [account]);
  await moved(dest, src, 0.5);
  renewed();
  const better = await until(swap, ({ review }) => review?.isRenewed);
  assert.ok(BigInt(better.review.figures.getAtLeast) > BigInt(first.figures.getAtLeast));
  assert.equal(better.moved, null);
  await moved(src, dest, 3_000);
  renewed();
  const worse = await until(swap, ({ moved }) => moved);
  assert.equal(worse.review.build, better.review.build);
  assert.ok(BigInt(worse.moved.figures.getAtLeast) < BigInt(worse.review.figures.getAtLeast));
  swap.confirm();
  assert.equal(swap.state.review.isAgreed, false, "what is not there any more cannot be agreed to");
  swap.accept();
  assert.deepEqual([swap.state.moved, swap.state.review], [null, worse.moved]);
  await agreed(swap);
  await shown(swap);
  await moved(dest, src, 0.5);
});

test("a signed order whose fate is unknown: it is posted again, and never signed again", async () => {
  const { swap, wallet } = await started();
  await reviewing(swap);
  await sandbox.control("POST", "fault", { endpoint: "post", times: -1, status: 500 });
  await agreed(swap);
  const { failure } = swap.state;
  assert.deepEqual([failure.remedies, failure.isFateUnknown], [["check"], true]);
  await sandbox.control("POST", "fault", { endpoint: "post", times: 0 });
  swap.remedy("check");
  await shown(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
});

test("a signed order whose fate is unknown is not given up by going back", async () => {
  const { swap, wallet, client } = await started();
  const given = [];
  const { withWallet } = client;
  client.withWallet = (binding) => {
    const bound = withWallet(binding);
    bound.trades.abandon = async (id) => void given.push(id);
    return bound;
  };
  await swap.connect({ wallet: { ...wallet } });
  await reviewing(swap);
  await sandbox.control("POST", "fault", { endpoint: "post", times: -1, status: 500 });
  await agreed(swap);
  assert.equal(swap.state.failure.isFateUnknown, true);
  swap.back();
  assert.deepEqual([swap.state.view, given], ["form", []]);
});

test("a limit order, by price and by amount, waits for its price", async () => {
  const limit = { by: "price", text: "0.001", validForSecs: 3_600, partiallyFillable: false };
  const { swap } = await started({ kind: "limit", limit });
  const review = await reviewing(swap);
  assert.deepEqual([review.build.type, review.figures.kind, review.build.minDestAmount], ["LIMIT", "limit", raw(0.1, tokenOf("plain"))]);
  await moved(swap.state.form.src, swap.state.form.dest, 3_000);
  swap.refresh();
  const renewed = await until(swap, (state) => state.review?.figures.aboveMarketBps !== review.figures.aboveMarketBps, "the market is compared anew");
  assert.ok(renewed.review.figures.aboveMarketBps > review.figures.aboveMarketBps);
  assert.equal(renewed.review.build, review.build);
  await agreed(swap);
  await shown(swap, "open");
  swap.back();
  swap.change({ limit: { ...limit, by: "amount", text: "0.2" } });
  assert.equal((await reviewing(swap)).build.minDestAmount, raw(0.2, tokenOf("plain")));
});

test("another chain: the choice of a route, and what only the bridge promises", async () => {
  const [, there] = sandbox.config.chains;
  const { swap } = await started({ dest: tokenOf("WETH", there) });
  const { figures, choices, faults } = await priced(swap);
  assert.deepEqual([figures.kind, faults], ["crosschain", []]);
  if (choices.length > 0) {
    swap.change({ route: 0, acceptsPromise: true });
    assert.deepEqual(swap.state.choices.map(({ id, isChosen }) => isChosen && id).filter((id) => id !== false), [0]);
    swap.change({ route: null });
    assert.equal(swap.state.form.acceptsPromise, false, "another bridge is another one to trust");
  }
  const review = await reviewing(swap);
  assert.equal(review.figures.kind, "crosschain");
  await agreed(swap);
  await shown(swap);
});

test("Market: a transaction; the better of both; and the user's own choice", async () => {
  const { swap, wallet } = await started({ path: "best" });
  const { choices, quote } = await until(swap, ({ choices, price }) => choices.length === 2 && choices.every(({ figures }) => figures) && !price.isFetching, "both are there");
  assert.deepEqual(choices.map(({ id }) => id), ["delta", "market"]);
  assert.deepEqual(choices.filter(({ isChosen }) => isChosen).map(({ id }) => id), [quote.kind]);
  swap.change({ chosen: "market" });
  assert.deepEqual([swap.state.quote.kind, swap.state.figures.kind], ["market", "market"]);
  assert.deepEqual(swap.state.choices.map(({ isChosen }) => isChosen), [false, true]);
  const review = await reviewing(swap);
  assert.deepEqual([review.build.kind, review.steps.map(({ purpose }) => purpose)], ["market", ["approve", "market"]]);
  await agreed(swap);
  const entry = await shown(swap);
  assert.deepEqual([entry.figures.kind, wallet.asked], ["market", [SENT, SENT]]);
  swap.back();
  swap.change({ path: "market" });
  assert.equal((await priced(swap)).quote.kind, "market");
});

test("the native token: a deposit after the signature is a click of its own, and gas for it stays", async () => {
  const { swap, wallet } = await started({ src: tokenOf("native"), amount: "1" });
  await until(swap, ({ balances }) => Object.keys(balances).length === 2, "balances are there");
  const held = BigInt(swap.state.balances[`${chain.chainId}/${tokenOf("native").address}`]);
  await swap.useShare(100);
  const { amount } = swap.state;
  assert.ok(BigInt(amount) < held && BigInt(amount) > (held * 9n) / 10n, `${amount} of ${held}`);
  swap.change({ amount: "1" });
  const review = await reviewing(swap);
  assert.equal(review.steps[0].purpose, "order");
  await agreed(swap);
  await shown(swap);
  assert.equal(wallet.asked[0], SIGNED);
});

test("a permit in place of the approval: two signatures, each with its own click", async () => {
  const { swap, wallet } = await started({ permit: "eip2612" });
  const review = await reviewing(swap);
  assert.deepEqual(review.steps.map(({ purpose }) => purpose), ["permit", "order"]);
  swap.confirm();
  const held = await until(swap, ({ review }) => review?.prompt);
  assert.deepEqual([held.review.prompt.purpose, held.review.stepsDone], ["order", 1]);
  swap.confirm();
  await shown(swap);
  assert.deepEqual(wallet.asked, [SIGNED, SIGNED]);
});

test("a consent by a transaction, where the wallet cannot sign", async () => {
  const { swap, wallet } = await started();
  wallet.refuses = (method) => (method === SIGNED ? Object.assign(new Error("no such method"), { code: 4200 }) : null);
  await reviewing(swap);
  await agreed(swap);
  assert.deepEqual(swap.state.failure.remedies, ["preSign", "retry"]);
  swap.remedy("preSign");
  await agreed(swap, { isOpen: false });
  await shown(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED, SENT]);
});

test("back from a review, from a held prompt, and while the wallet is open: nothing more is asked, and nothing is lost", async () => {
  const began = Date.now();
  const { swap, wallet } = await started();
  await reviewing(swap);
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.review, swap.state.busy], ["form", null, null]);
  await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  swap.back();
  assert.deepEqual(wallet.asked, [SENT]);
  await reviewing(swap);
  let sign;
  wallet.refuses = () => new Promise((resolve) => (sign = () => resolve(null)));
  swap.confirm();
  await until(swap, ({ busy }) => busy === "signing");
  swap.back();
  sign();
  const own = ({ entries }) => entries.filter(({ purpose, startedAt }) => purpose === "swap" && startedAt >= began);
  const { activity } = await until(swap, ({ activity }) => own(activity).some(({ state }) => state === "done"), "it went on");
  assert.equal(own(activity).length, 1);
  assert.deepEqual([swap.state.view, wallet.asked], ["form", [SENT, SIGNED]]);
});

test("another account in the middle: what was under review is left, and its wallet is not asked", async () => {
  const { swap, wallet, account, close } = await started();
  await reviewing(swap);
  const other = sandbox.config.accounts.find((one) => one !== account);
  wallet.emit("accountsChanged", [other.toLowerCase()]);
  assert.deepEqual([swap.state.view, swap.state.review, swap.state.account], ["form", null, other]);
  swap.confirm();
  wallet.emit("chainChanged", "0x1");
  assert.equal(swap.state.walletChainId, 1);
  wallet.emit("accountsChanged", []);
  await until(swap, ({ account }) => account === null);
  await priced(swap);
  swap.review();
  assert.deepEqual([swap.state.failure.remedies, swap.state.busy], [["connect"], null]);
  assert.deepEqual(wallet.asked, []);
  close();
  assert.equal(wallet.listeners(), 0);
});

test("its end at any time: no listener is left, nothing is asked, and nothing changes any more", async () => {
  for (const at of ["price", "building", "review", "prompt"]) {
    const { swap, wallet } = await started();
    if (at !== "price") await priced(swap);
    if (at === "building") swap.review();
    if (at === "review" || at === "prompt") await reviewing(swap);
    if (at === "prompt") {
      swap.confirm();
      await until(swap, ({ review }) => review?.prompt);
    }
    const asked = [...wallet.asked];
    swap.close();
    swap.review();
    swap.confirm();
    swap.change({ amount: "7" });
    assert.notEqual(swap.state.form.amount, "7", at);
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.deepEqual([wallet.asked, wallet.listeners()], [asked, 0], at);
  }
});

test("its end while the wallet is open: it resolves once the signed order is posted, and the client can be closed", async () => {
  const { swap, wallet, client, account } = await started();
  const count = async () => (await client.orders({ account })).total;
  const before = await count();
  await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  let sign;
  wallet.refuses = () => new Promise((resolve) => (sign = () => resolve(null)));
  swap.confirm();
  await until(swap, ({ busy }) => busy === "signing");
  let isOver = false;
  void swap.close();
  const end = swap.close().then(() => (isOver = true));
  await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(isOver, false, "it has not been posted");
  sign();
  await end;
  assert.equal(await count(), before + 1);
});

test("the account that an app states stays in use while the wallet has it, and its code is read anew on each chain", async () => {
  const { swap, wallet, account } = await started();
  const other = sandbox.config.accounts.find((one) => one !== account);
  await swap.connect({ wallet, account });
  await until(swap, ({ hasCode }) => hasCode === false);
  wallet.emit("accountsChanged", [other, account.toLowerCase()]);
  assert.equal(swap.state.account, account);
  const { request } = wallet;
  wallet.request = (call) => (call.method === "eth_getCode" ? Promise.resolve("0xef") : request(call));
  wallet.emit("chainChanged", "0x1");
  assert.equal(swap.state.hasCode, null);
  await until(swap, ({ hasCode }) => hasCode === true);
  wallet.emit("accountsChanged", [other]);
  assert.equal(swap.state.account, other);
});

test("the first price leaves with a client that is being made, and a client that cannot be made is a failure", async () => {
  await sandbox.control("POST", "reset");
  const form = { src: tokenOf("permit"), dest: tokenOf("plain"), amount: "100" };
  const opening = createClient(sandbox.config.clientOptions);
  const swap = createSwap({ client: opening, form });
  assert.deepEqual([swap.state.isOpen, swap.state.price.isFetching], [false, true]);
  await priced(swap);
  await until(swap, ({ isOpen, isStored }) => isOpen && isStored !== null, "it is open");
  swap.turn();
  const { form: turned, figures } = await until(swap, ({ figures, form, price }) => figures && !price.isFetching && form.src.symbol === form.src.symbol);
  assert.deepEqual([turned.src.address, turned.dest.address, figures.kind], [form.dest.address, form.src.address, "swap"]);
  swap.close();
  (await opening).close();
  const failing = createSwap({ client: createClient({ baseUrl: "http://nowhere.example" }), form });
  const { failure } = await until(failing, ({ failure }) => failure);
  assert.equal(failure.error.code, "INVALID_INPUT");
  failing.close();
});

test("a prompt that is held too long: its price is renewed first, and the approval is not asked for again", async () => {
  const { swap, wallet } = await started();
  const first = await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  const { review } = await until(swap, ({ review }) => review?.isRenewed, "it is renewed", 40_000);
  assert.notEqual(review.quote.sealed, first.quote.sealed);
  assert.deepEqual([review.isAgreed, review.prompt, review.approval, review.steps.map(({ purpose }) => purpose)], [false, null, null, ["order"]]);
  await agreed(swap);
  await shown(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
});

test("a question: nothing is agreed to without its answer, which a renewed build that is no worse keeps", async () => {
  const { swap, wallet, account, src, dest } = await started({}, { reference: false });
  const review = await reviewing(swap);
  const [question] = review.questions;
  assert.ok(question, "it is asked");
  swap.confirm();
  swap.confirm(["another"]);
  assert.deepEqual([swap.state.review, swap.state.busy], [review, null]);
  await moved(dest, src, 0.5);
  wallet.emit("accountsChanged", [account]);
  const renewed = await until(swap, ({ review }) => review?.isRenewed);
  assert.deepEqual(renewed.review.questions.map(({ id }) => id), [question.id]);
  assert.notEqual(renewed.review.build.report.questions[0].id, question.id);
  swap.confirm([question.id]);
  await agreed(swap, { isOpen: false });
  await shown(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
});

test("a trade of either path that covers open orders is built on Market, too, which has none", async () => {
  const { swap, client, wallet, account } = await started();
  await until(swap, ({ quote }) => quote?.kind === "delta");
  const { request } = swap.state.quote;
  await sandbox.control("POST", "settings", { deltaRefuses: "NoRouteFound" });
  const kinds = [];
  const onReview = ({ build }) => (kinds.push(build.kind), false);
  const trading = client.withWallet({ wallet, account }).trade({ ...request, mode: "ALL" }, { slippageBps: 50, coverOpenOrders: true, onReview });
  await assert.rejects(trading, { code: "USER_REJECTED" });
  assert.deepEqual(kinds, ["market"]);
});

test("a lie after a renewed price: the refusal counts the approval that was sent before", async () => {
  const { swap, wallet, account } = await started();
  await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  await until(swap, ({ review }) => review?.isRenewed, "it is renewed", 40_000);
  await sandbox.control("POST", "lie", { kind: "receiver", times: -1 });
  await sandbox.control("POST", "trade", { chainId: chain.chainId, srcToken: tokenOf("plain").address, destToken: tokenOf("permit").address, amount: raw(0.5, tokenOf("plain")) });
  wallet.emit("accountsChanged", [account]);
  const { refusal } = await until(swap, ({ view }) => view === "refusal", "it is refused", 40_000);
  assert.deepEqual([refusal.prompts, wallet.asked], [1, [SENT]]);
});

test("an approval, and then a refusal of the wallet: the review counts what was answered", async () => {
  const { swap, wallet } = await started();
  wallet.refuses = (method) => (method === SIGNED ? rejected() : null);
  assert.equal((await reviewing(swap)).prompts, 0);
  await agreed(swap);
  const { failure, review } = await until(swap, ({ failure }) => failure);
  assert.deepEqual([failure.error.code, review.prompts, wallet.asked], ["USER_REJECTED", 1, [SENT, SIGNED]]);
});
