/** Trades of an account as the controller lists and follows them, in the real sandbox. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { entriesOf, nothingKnown } from "../../node_modules/verified-swap/swap-entries.js";
import { SENT, SIGNED, agreed, chain, funded, held, opened as controller, priced, raw, rejected, reviewing, sandbox, shown, tokenOf, until, walletOf } from "./swapping.mjs";

/** A page, over a storage that the next page has as well. */
const opened = async (wallet, form = {}, storage = new Map()) => ({ ...(await controller(wallet, form, { storage })), storage });

/** A page whose wallet has the prompt of an order open, and is not answered. */
async function dying(account, form) {
  const wallet = walletOf(account);
  const page = await opened(wallet, form);
  let answer = null;
  wallet.refuses = (method) => (method === SIGNED ? new Promise((resolve) => (answer = resolve)) : null);
  const { swap } = page;
  await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt || answer, "the next prompt");
  if (!answer) swap.confirm();
  await until(swap, ({ busy }) => busy === "signing" && answer, "the prompt is open");
  return { page, answer };
}

/** The storage as a page leaves it that dies now: what it would write later is lost. */
function died(page) {
  const storage = new Map(page.storage);
  page.close();
  return storage;
}

/** Agrees to the review of the price, and to each prompt. Returns once its entry is shown. */
async function traded(swap) {
  const { figures } = await reviewing(swap);
  const { view, failure, entry } = await agreed(swap);
  assert.deepEqual([view, failure], ["entry", null], failure?.error.message);
  return { entry, figures };
}
const listed = (swap, id, state) =>
  until(swap, ({ activity }) => activity.entries.some((entry) => entry.id === id && entry.state === state), `it is listed as ${state}`)
    .then(({ activity }) => activity.entries.find((entry) => entry.id === id));
let limits = 0;
/** A limit far above the market, for ever open: each another one, because the sandbox keeps the orders of all tests. */
const far = (whole = 9) => ({ kind: "limit", limit: { by: "price", text: `${whole}.${++limits}1`, validForSecs: 3_600, partiallyFillable: false } });
/** The requests that reached an endpoint of the service, and were answered. */
const asked = async (endpoint) => (await sandbox.control("GET", "record")).requests.filter((one) => one.endpoint === endpoint && one.end);
/** How many orders the service has that were made with that one, or after it. */
const posted = async (client, { order: { owner: account, createdAt } }) =>
  (await client.orders({ account })).orders.filter((order) => order.createdAt >= createdAt).length;

test("a limit order is open, and cancelled by one signature, after the user has seen it", async () => {
  const account = await funded();
  const wallet = walletOf(account);
  const { swap, client } = await opened(wallet, far());
  const { figures } = await traded(swap);
  const entry = await shown(swap, "open");
  assert.deepEqual([entry.purpose, entry.cancel, entry.needs, entry.id], ["limit", "signature", null, entry.order.orderHash]);
  for (const name of ["pay", "payAtMost", "get", "getAtLeast", "rate", "feeBps"]) assert.deepEqual(entry.figures[name], figures[name], name);
  assert.ok(entry.sentence.includes("100"));
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.entry], ["form", null]);
  assert.equal(swap.state.activity.entries.find(({ id }) => id === entry.id).state, "open");

  const before = wallet.asked.length;
  wallet.refuses = rejected;
  swap.cancel([entry.id]);
  const { review } = await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  assert.deepEqual([review.cancels.map(({ id }) => id), review.build.kind, review.prompt.purpose], [[entry.id], "prompt", "cancelOrders"]);
  assert.deepEqual([review.prompt.orderIds, wallet.asked.length], [[entry.order.id], before], "nothing is asked before the click");
  swap.confirm();
  const { failure } = await until(swap, ({ failure }) => failure, "the wallet refused");
  assert.deepEqual([failure.error.code, failure.remedies, swap.state.review.isAgreed], ["USER_REJECTED", ["retry"], false]);
  wallet.refuses = () => null;
  swap.remedy("retry");
  const cancelled = await shown(swap, "cancelled");
  assert.deepEqual([cancelled.id, cancelled.cancel, cancelled.isNews, cancelled.status], [entry.id, null, false, "CANCELLED"]);
  assert.deepEqual(wallet.asked.slice(before), [SIGNED, SIGNED]);
  assert.equal(await posted(client, entry), 1);
});

test("a cancellation that is left signs nothing", async () => {
  const wallet = walletOf(await funded());
  const { swap } = await opened(wallet, far());
  await traded(swap);
  const entry = await shown(swap, "open");
  const before = wallet.asked.length;
  swap.cancel([entry.id]);
  await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.review, swap.state.failure], ["form", null, null]);
  swap.cancel([entry.id]);
  await until(swap, ({ review }) => review?.prompt, "it is reviewed again");
  assert.equal(wallet.asked.length, before);
  assert.equal((await listed(swap, entry.id, "open")).failure, null);
});

test("an order that sells the native token is cancelled by a transaction, which is listed too", async () => {
  const wallet = walletOf(await funded(tokenOf("ETH")));
  const { swap } = await opened(wallet, { ...far(99_999), src: tokenOf("ETH"), dest: tokenOf("USDC"), amount: "0.1" });
  const { entry } = await traded(swap);
  assert.equal((await shown(swap, "open")).cancel, "transaction");
  swap.cancel([entry.id]);
  const { review } = await until(swap, ({ review }) => review && review.cancels.length > 0, "the cancellation is reviewed");
  assert.deepEqual([review.build.purpose, review.steps.map(({ purpose }) => purpose), review.prompt.purpose], ["cancel", ["cancel"], "cancel"]);
  const before = wallet.asked.length;
  swap.confirm(review.questions.map(({ id }) => id));
  await shown(swap, "cancelled");
  assert.deepEqual(wallet.asked.slice(before), [SENT]);
  const { activity } = await until(swap, ({ activity }) => activity.entries.some(({ purpose, state }) => purpose === "cancel" && state === "done"), "its transaction is done");
  assert.equal(activity.entries.find(({ purpose }) => purpose === "cancel").figures, null);
});

test("slices are done one after the other, and what is left of them is open", async () => {
  const wallet = walletOf(await funded());
  const { swap } = await opened(wallet, { kind: "slices", amount: "300", slices: { count: "3", intervalSecs: 60, most: "" } });
  const { entry, figures } = await traded(swap);
  assert.deepEqual([figures.kind, figures.pay, figures.slices.count, entry.figures.slices.count], ["slices", raw(300, tokenOf("permit")), 3, 3]);
  for (const done of [1, 2]) {
    const { entry: now } = await until(swap, ({ entry }) => entry?.figures.slices.done === done, `${done} are done`);
    assert.deepEqual([now.state, now.figures.pay, now.figures.get], ["open", figures.pay, figures.get]);
    assert.equal(now.figures.slices.nextAt, Math.floor(Date.parse(now.order.createdAt) / 1_000) + 60 * done);
    await sandbox.control("POST", "time", { advanceSecs: 60 });
  }
  const over = await shown(swap, "done");
  assert.deepEqual([over.id, over.figures.paid, over.figures.slices.nextAt], [entry.id, raw(300, tokenOf("permit")), null]);
});

test("a page that dies in a prompt: the next one asks again for the same order, and there is one", async () => {
  const account = await funded();
  const { page, answer } = await dying(account);
  const { orderHash } = page.swap.state.review.build;
  const { figures } = page.swap.state.review;
  assert.ok(!page.swap.state.activity.entries.some(({ id }) => id === orderHash), "an open prompt is no unfinished trade");
  const storage = died(page);

  const wallet = walletOf(account);
  wallet.chainId = "0x1";
  const { swap, client } = await opened(wallet, {}, storage);
  const entry = await listed(swap, orderHash, "unfinished");
  assert.equal(swap.state.walletChainId, 1, "it is listed whatever chain the wallet is on");
  const [src, dest] = [tokenOf("permit"), tokenOf("plain")];
  assert.deepEqual([entry.figures.src.decimals, entry.figures.dest.decimals], [src.decimals, dest.decimals], "by its request");
  assert.deepEqual([entry.needs, entry.purpose, entry.order, wallet.asked], ["signature", "swap", null, []]);
  for (const name of ["payAtMost", "getAtLeast", "receiver", "until"]) assert.deepEqual(entry.figures[name], figures[name], name);
  swap.open(orderHash);
  swap.resume(orderHash);
  const { entry: elsewhere } = await until(swap, ({ entry, busy }) => entry?.failure && !busy, "the wallet is on another chain");
  assert.deepEqual([elsewhere.failure.error.code, elsewhere.failure.remedies, wallet.asked], ["WRONG_CHAIN", ["switchChain"], []]);
  swap.remedy("switchChain");
  const { entry: there } = await until(swap, ({ entry }) => entry && !entry.failure, "it is on its chain");
  assert.deepEqual([there.needs, wallet.asked.splice(0)], ["signature", ["wallet_switchEthereumChain"]]);
  swap.resume(orderHash);
  const { review } = await until(swap, ({ review }) => review?.prompt, "the order is reviewed");
  assert.deepEqual([review.prompt.purpose, review.prompt.orderHash, review.figures.payAtMost, wallet.asked], ["order", orderHash, figures.payAtMost, []]);
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.busy, wallet.asked], ["form", null, []], "it is left without a prompt");
  swap.open(orderHash);
  await until(swap, ({ entry, busy }) => entry?.needs === "signature" && !busy, "it is as before");
  swap.resume(orderHash);
  await until(swap, ({ review }) => review?.prompt, "the order is reviewed again");
  swap.confirm();
  swap.confirm();
  const done = await shown(swap, "done");
  assert.deepEqual([done.id, done.failure, wallet.asked], [orderHash, null, [SIGNED]]);
  assert.equal(await posted(client, done), 1);
  assert.equal(done.figures.paid, raw(100, tokenOf("permit")));
  answer(rejected());
});

test("a prompt that another page has open is asked for in no other, which follows the order to its end", async () => {
  const account = await funded();
  const { page, answer } = await dying(account);
  const { orderHash } = page.swap.state.review.build;
  const wallet = walletOf(account);
  const { swap, client } = await opened(wallet, {}, page.storage);
  const entry = await listed(swap, orderHash, "moving");
  assert.deepEqual([entry.needs, entry.status, entry.trade.state], [null, null, "asking"]);
  swap.open(orderHash);
  swap.resume(orderHash);
  assert.deepEqual([swap.state.busy, swap.state.review], [null, null]);
  answer(null);
  const done = await shown(swap, "done");
  assert.deepEqual([wallet.asked, await posted(client, done)], [[], 1]);
  await shown(page.swap, "done");
});

test("an account that is left while its wallet is open: what it signs is posted, and nothing of it stands in the way", async () => {
  const account = await funded();
  const first = await dying(account);
  const { orderHash } = first.page.swap.state.review.build;
  const wallet = walletOf(account);
  const { swap, client, storage } = await opened(wallet, {}, died(first.page));
  await listed(swap, orderHash, "unfinished");
  swap.resume(orderHash);
  await until(swap, ({ review }) => review?.prompt, "the order is reviewed");
  let answer;
  wallet.refuses = () => new Promise((resolve) => (answer = resolve));
  swap.confirm();
  await until(swap, () => answer, "the prompt is open");
  wallet.account = sandbox.config.accounts.at(-1);
  wallet.emit("accountsChanged", [wallet.account]);
  const { busy, review, view, hardware } = await until(swap, ({ account: now }) => now.toLowerCase() === wallet.account.toLowerCase(), "it is another one");
  assert.deepEqual([busy, review, view, hardware], [null, null, "form", null]);
  answer(null);
  wallet.account = account;
  let done;
  while (done?.status !== "COMPLETED") {
    await pause(50);
    done = await client.order(orderHash).catch(({ status }) => assert.equal(status, 404));
  }
  assert.deepEqual([done.status, wallet.asked, swap.state.busy, swap.state.view], ["COMPLETED", [SIGNED], null, "form"]);
  assert.equal(await posted(client, { order: done }), 1);
  assert.ok(storage.size > 0);
  first.answer(rejected());
});

for (const step of ["signature", "transaction"]) {
  test(`an account that is left before the ${step} of a cancellation sees no review of it`, async () => {
    const account = await funded();
    const wallet = walletOf(account);
    const { swap } = await opened(wallet, far());
    await traded(swap);
    const { id } = await shown(swap, "open");
    if (step === "transaction") swap.change({ preSign: true });
    swap.cancel([id]);
    assert.equal(swap.state.busy, "checking");
    wallet.account = sandbox.config.accounts.at(-1);
    wallet.emit("accountsChanged", [wallet.account]);
    await until(swap, ({ account: now, busy }) => now.toLowerCase() === wallet.account.toLowerCase() && !busy, "it is another one");
    const seen = [];
    const leave = swap.subscribe(({ review, busy, view }) => seen.push([review, busy, view]));
    await until(swap, ({ activity }) => !activity.isFetching, "its orders are read");
    await pause(1_000);
    leave();
    for (const one of seen) assert.deepEqual(one, [null, null, "form"]);
    assert.deepEqual(wallet.asked.filter((method) => method === SENT).length, 1, "the approval of the order");
  });
}

test("an unfinished trade that is not wanted any more is in no list", async () => {
  const account = await funded();
  const { page, answer } = await dying(account, far());
  const { orderHash } = page.swap.state.review.build;
  const { swap } = await opened(walletOf(account), {}, died(page));
  await listed(swap, orderHash, "unfinished");
  swap.open(orderHash);
  assert.equal(swap.state.view, "entry");
  swap.abandon(orderHash);
  const { activity } = await until(swap, ({ view }) => view === "form", "its view is left");
  assert.ok(!activity.entries.some(({ id }) => id === orderHash));
  answer(rejected());
});

for (const side of ["SELL", "BUY"]) {
  test(`a Market swap (${side}) has the amounts of its receipt, after a reload as well`, async () => {
    const account = await funded();
    const wallet = walletOf(account);
    const amount = side === "SELL" ? "100" : "0.02";
    const page = await opened(wallet, { path: "market", side, amount, dest: tokenOf("WETH"), src: tokenOf("USDC") });
    const { swap } = page;
    const { figures } = await traded(swap);
    const done = await until(swap, ({ entry }) => entry?.figures.received, "its receipt is read").then(({ entry }) => entry);
    assert.deepEqual([done.purpose, done.state, done.sent.status, done.figures.betterBps], ["market", "done", "COMPLETED", 0]);
    const [came, due] = [done.figures, figures].map(({ paid, received, pay, get }) => BigInt((side === "SELL" ? received ?? get : paid ?? pay)));
    assert.ok(came - due <= 2n && due - came <= 2n, `${came}, as expected: ${due}`);
    assert.notEqual(done.figures.paid, side === "BUY" ? done.figures.payAtMost : null, "not the most");
    assert.equal(swap.state.activity.entries.filter(({ purpose }) => purpose === "market").length, 1);
    page.close();
    const later = await opened(wallet, {}, page.storage);
    const { activity } = await until(later.swap, ({ activity }) => activity.entries.some(({ purpose, figures }) => purpose === "market" && figures.received), "it is read again");
    const { figures: again } = activity.entries.find(({ purpose }) => purpose === "market");
    assert.deepEqual([again.paid, again.received, again.rate, again.betterBps], [done.figures.paid, done.figures.received, done.figures.rate, null]);
  });
}

test("a trade that ends while something else is shown is news until it is looked at", async () => {
  const { swap } = await opened(walletOf(await funded()));
  const { entry } = await traded(swap);
  swap.back();
  assert.equal((await listed(swap, entry.id, "done")).isNews, true);
  assert.equal(swap.state.view, "form", "the view stays");
  swap.open(entry.id);
  assert.deepEqual([swap.state.entry.isNews, swap.state.activity.entries.find(({ id }) => id === entry.id).isNews], [false, false]);
});

test("a cancellation of another page arrives, and is no news to the user who wanted it", async () => {
  const account = await funded();
  const { swap } = await opened(walletOf(account), far());
  const { entry } = await traded(swap);
  await shown(swap, "open");
  swap.back();
  const other = await opened(walletOf(account));
  const { figures } = await listed(other.swap, entry.id, "open");
  assert.deepEqual([figures.src.decimals, entry.figures.src.decimals], [null, tokenOf("permit").decimals], "no other page has its request");
  other.swap.cancel([entry.id]);
  await until(other.swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  other.swap.confirm();
  const now = await listed(swap, entry.id, "cancelled");
  assert.equal(now.isNews, false);
});

test("orders that cannot be read: the error is there, the journal is, and they are read later", async () => {
  const account = await funded();
  const page = await opened(walletOf(account), far());
  const { entry } = await traded(page.swap);
  page.close();
  await sandbox.control("POST", "fault", { endpoint: "orders", status: 500, times: -1 });
  const { swap } = await opened(walletOf(account), {}, page.storage);
  const { activity } = await until(swap, ({ activity }) => activity.error, "the error is there");
  assert.deepEqual([activity.isFetching, activity.error.code], [false, "SERVICE_REJECTED"]);
  await until(swap, ({ activity }) => activity.entries.some(({ id }) => id === entry.id), "the journal has the order");
  await sandbox.control("POST", "fault", { endpoint: "orders", times: 0 });
  await until(swap, ({ activity }) => activity.error === null && activity.entries.some(({ order }) => order), "they are read");
});

test("an entry of the journal that cannot be read is listed, before all others, and let go of", async () => {
  const account = await funded();
  const page = await opened(walletOf(account), far());
  const { entry } = await traded(page.swap);
  page.close();
  const storage = new Map([...page.storage].map(([name, text]) => [name, name.startsWith("trade/") ? text.slice(0, -9) : text]));
  assert.notDeepEqual(storage, page.storage);
  const { swap } = await opened(walletOf(account), {}, storage);
  const { activity } = await until(swap, ({ activity }) => activity.entries.some(({ purpose }) => purpose === "unreadable") && !activity.isFetching, "it is listed");
  const [first] = activity.entries;
  assert.deepEqual([first.purpose, first.state, first.needs, first.startedAt], ["unreadable", "unfinished", "decision", null]);
  for (const { id, purpose } of activity.entries) if (purpose === "unreadable") swap.abandon(id);
  await until(swap, ({ activity }) => !activity.entries.some(({ purpose }) => purpose === "unreadable"), "it is let go of");
  assert.ok(swap.state.activity.entries.some(({ id }) => id === entry.id), "the service still has the order");
});

test("another account: nothing of the first one is left", async () => {
  const account = await funded();
  const wallet = walletOf(account);
  const { swap } = await opened(wallet, far());
  const { entry } = await traded(swap);
  await shown(swap, "open");
  swap.cancel([entry.id]);
  await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  const before = wallet.asked.length;
  wallet.account = sandbox.config.accounts.at(-1);
  wallet.emit("accountsChanged", [wallet.account]);
  const { activity, entry: left, view, review } = await until(swap, ({ account: now }) => now.toLowerCase() === wallet.account.toLowerCase(), "it is another one");
  assert.deepEqual([activity.entries, left, view, review], [[], null, "form", null]);
  const { activity: others } = await until(swap, ({ activity }) => !activity.isFetching, "the orders of the other one are read");
  for (const { order } of others.entries) assert.equal(order.owner.toLowerCase(), wallet.account.toLowerCase());
  swap.cancel([entry.id]);
  swap.resume(entry.id);
  assert.deepEqual([swap.state.review, swap.state.busy, wallet.asked.length], [null, null, before]);
  wallet.account = account;
  wallet.emit("accountsChanged", [account]);
  await listed(swap, entry.id, "open");
});

test("several orders are cancelled by one signature, also where the user has left its prompt", async () => {
  const account = await funded();
  const wallet = walletOf(account);
  const { swap } = await opened(wallet, far());
  const ids = [];
  for (const text of ["19", "29"]) {
    swap.change({ limit: { ...far().limit, text } });
    await traded(swap);
    ids.push((await shown(swap, "open")).id);
    swap.back();
  }
  let answer;
  wallet.refuses = () => new Promise((resolve) => (answer = resolve));
  swap.cancel(ids);
  const { review } = await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  assert.equal(review.prompt.orderIds.length, 2);
  swap.confirm();
  await until(swap, () => answer, "the prompt is open");
  swap.back();
  answer(null);
  for (const id of ids) await listed(swap, id, "cancelled");
  assert.equal(swap.state.view, "form");
});

test("an order whose approval was taken back: it needs its user, who sees the approval before one click opens it", async () => {
  const account = await funded();
  const page = await opened(walletOf(account), far());
  await traded(page.swap);
  const { id } = await shown(page.swap, "open");
  page.close();
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: tokenOf("permit").address, owner: account, amount: "0" });
  const wallet = walletOf(account);
  const { swap } = await opened(wallet, {}, page.storage);
  const { needs, order } = await listed(swap, id, "unfinished");
  assert.deepEqual([needs, wallet.asked], ["approval", []]);
  swap.open(id);
  swap.resume(id);
  const { review } = await until(swap, ({ review }) => review?.prompt, "the approval is reviewed");
  const [{ approval }] = review.prompt.parts;
  assert.deepEqual([review.prompt.purpose, review.steps.length, wallet.asked], ["approve", 1, []]);
  assert.deepEqual([approval.spender, approval.amount, approval.token], [chain.delta, raw(100, tokenOf("permit")), tokenOf("permit").address]);
  assert.deepEqual([review.approval.amount, review.figures.payAtMost], [approval.amount, raw(100, tokenOf("permit"))]);
  assert.match(review.build.report.sentence, /100/);
  wallet.refuses = rejected;
  swap.confirm();
  const { failure } = await until(swap, ({ failure }) => failure, "the wallet refused");
  assert.deepEqual([failure.error.code, failure.remedies, swap.state.view], ["USER_REJECTED", ["retry"], "review"]);
  wallet.refuses = () => null;
  swap.remedy("retry");
  swap.confirm();
  const { entry } = await until(swap, ({ entry, busy }) => entry?.state === "open" && !busy, "it is open again");
  assert.deepEqual([entry.needs, entry.failure, wallet.asked], [null, null, [SENT, SENT]]);
  assert.ok(entry.order || order);
});

test("an approval that a token lets change only from zero is two prompts, each after a click of its own", async () => {
  const token = tokenOf("usdt");
  const account = await funded(token);
  const page = await opened(walletOf(account), { ...far(), src: token, dest: tokenOf("WETH"), limit: { ...far().limit, by: "amount", text: "90" } });
  await traded(page.swap);
  const { id } = await shown(page.swap, "open");
  page.close();
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: token.address, owner: account, amount: "0" });
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: token.address, owner: account, amount: raw(1, token) });
  const wallet = walletOf(account);
  const { swap } = await opened(wallet, {}, page.storage);
  await listed(swap, id, "unfinished");
  swap.resume(id);
  for (const [place, amount] of ["0", raw(100, token)].entries()) {
    const { review } = await until(swap, ({ review }) => review?.prompt?.parts[0].approval.amount === amount, `the approval of ${amount} is reviewed`);
    assert.deepEqual([review.prompt.parts.length, review.stepsDone, wallet.asked.length], [1, place, place]);
    swap.confirm();
    swap.confirm();
  }
  await shown(swap, "open");
  assert.deepEqual(wallet.asked, [SENT, SENT]);
});

test("a signed order that was never posted: the user decides, and it is posted, or made void", async (t) => {
  const account = await funded();
  for (const isWanted of [true, false]) {
    const page = await opened(walletOf(account), { amount: isWanted ? "101" : "102" });
    await sandbox.control("POST", "fault", { endpoint: "post", status: 500, times: -1 });
    await reviewing(page.swap);
    page.swap.confirm();
    await until(page.swap, ({ review, busy }) => review?.prompt || busy === "posting", "the next prompt");
    if (page.swap.state.busy !== "posting") page.swap.confirm();
    await until(page.swap, ({ busy }) => busy === "posting", "it is signed");
    const { orderHash: id } = page.swap.state.review.build;
    await until(page.swap, ({ activity }) => activity.entries.some((entry) => entry.id === id), "the journal has it");
    // Before the service answers again: what is under way then would still arrive.
    while (!(await asked("post")).some(({ body }) => body.includes(page.swap.state.review.build.nonce))) await pause(20);
    const storage = died(page);
    await sandbox.control("POST", "fault", { endpoint: "post", times: 0 });
    // So much later that the user may not want it any more.
    const { now } = Date;
    t.after(() => (Date.now = now));
    Date.now = () => now() + 120_000;
    const wallet = walletOf(account);
    const { swap, close } = await opened(wallet, {}, storage);
    const entry = await listed(swap, id, "unfinished");
    assert.deepEqual([entry.needs, entry.cancel, entry.order, entry.purpose], ["decision", "transaction", null, "swap"]);
    const { activity } = await until(swap, ({ activity }) => activity.entries.some((one) => one.id === id && one.today), "the price of today is known");
    const { today, figures } = activity.entries.find((one) => one.id === id);
    assert.ok(BigInt(today.get) > BigInt(figures.getAtLeast) && BigInt(today.get) < (BigInt(figures.getAtLeast) * 11n) / 10n, `${today.get}, signed at least ${figures.getAtLeast}`);
    swap.open(id);
    if (isWanted) {
      swap.resume(id);
      assert.equal((await shown(swap, "done")).figures.paid, raw(101, tokenOf("permit")));
      assert.deepEqual(wallet.asked, []);
    } else {
      swap.cancel([id]);
      const { review } = await until(swap, ({ review }) => review, "the transaction is reviewed");
      assert.deepEqual([review.build.kind, review.build.purpose, review.cancels.map((one) => one.id)], ["transaction", "cancel", [id]]);
      assert.deepEqual([review.cancels[0].figures.payAtMost, review.build.report.checks.map(({ field }) => field)], [raw(102, tokenOf("permit")), ["order.nonce"]]);
      wallet.refuses = rejected;
      swap.confirm();
      await until(swap, ({ failure }) => failure, "the wallet refused");
      swap.back();
      assert.equal((await listed(swap, id, "unfinished")).cancel, "transaction", "it is not given up by that");
      wallet.refuses = () => null;
      swap.cancel([id]);
      await until(swap, ({ review }) => review, "the transaction is reviewed again");
      swap.confirm(review.questions.map((question) => question.id));
      assert.equal((await shown(swap, "cancelled")).order, null);
      assert.deepEqual(wallet.asked, [SENT, SENT]);
    }
    close();
    Date.now = now;
  }
});

test("a deposit that no open order claims is withdrawn, after the user has seen it", async () => {
  const ether = tokenOf("ETH");
  const account = await funded(ether);
  const wallet = walletOf(account);
  const { swap } = await opened(wallet, { ...far(99_999), src: ether, dest: tokenOf("USDC"), amount: "0.1" });
  await until(swap, ({ activity }) => !activity.isFetching, "the list is read");
  const before = BigInt(swap.state.activity.deposit?.amount ?? 0);
  await sandbox.rpc(chain.chainId, "eth_sendTransaction", [{ from: account, to: chain.wrappedNative, value: "0x6f05b59d3b20000" }]);
  swap.change({ dest: tokenOf("WETH") });
  await until(swap, ({ activity }) => BigInt(activity.deposit?.amount ?? 0) === before + 5n * 10n ** 17n, "it is known");
  swap.change({ dest: tokenOf("USDC") });
  await traded(swap);
  const { id } = await shown(swap, "open");
  await until(swap, ({ activity }) => BigInt(activity.deposit?.amount ?? 0) === before + 4n * 10n ** 17n, "the order claims its part of it");
  swap.cancel([id]);
  const { review: cancelling } = await until(swap, ({ review }) => review, "the cancellation is reviewed");
  swap.confirm(cancelling.questions.map((question) => question.id));
  await shown(swap, "cancelled");
  const { activity } = await until(swap, ({ activity }) => activity.deposit, "what is left is known");
  assert.deepEqual(activity.deposit, { chainId: chain.chainId, amount: String(before + 4n * 10n ** 17n) });
  const asked = wallet.asked.length;
  swap.withdraw();
  const { review } = await until(swap, ({ review }) => review, "the withdrawal is reviewed");
  assert.deepEqual([review.build.purpose, review.build.transaction.to, wallet.asked.length], ["withdraw", chain.delta, asked]);
  assert.match(review.build.report.sentence, /0\.4/);
  swap.confirm(review.questions.map((question) => question.id));
  swap.confirm(review.questions.map((question) => question.id));
  await until(swap, ({ activity }) => activity.entries.some(({ purpose, state }) => purpose === "withdraw" && state === "done"), "it is done");
  assert.deepEqual([wallet.asked.slice(asked), swap.state.view], [[SENT], "form"]);
  await until(swap, ({ activity }) => !activity.deposit, "nothing is left");
  assert.equal(await held(account, { chainId: chain.chainId, address: chain.wrappedNative }), 0n);
});

test("an approval that grows with a newer price is asked about", async () => {
  const account = await funded();
  const wallet = walletOf(account);
  const { swap } = await opened(wallet);
  const { approval } = await reviewing(swap);
  const other = await opened(walletOf(account), { ...far(), amount: "400" });
  await traded(other.swap);
  await sandbox.control("POST", "approve", { chainId: chain.chainId, token: tokenOf("permit").address, owner: account, amount: "0" });
  while (!swap.state.moved && swap.state.review.approval.amount === approval.amount) {
    const { review: before } = swap.state;
    wallet.emit("accountsChanged", [account]);
    await until(swap, ({ moved, review }) => moved || review !== before, "there is a newer build");
  }
  assert.deepEqual([swap.state.moved?.approval.amount, swap.state.review.approval.amount], [String(BigInt(approval.amount) + 400_000_000n), approval.amount]);
});

test("a click on a review that was left opens no prompt once the same trade is reviewed again", async () => {
  const wallet = walletOf(await funded());
  const { swap } = await opened(wallet, { src: tokenOf("ETH"), dest: tokenOf("USDC"), amount: "0.1" });
  await reviewing(swap);
  swap.confirm();
  swap.back();
  swap.review();
  const { review } = await until(swap, ({ review, view }) => review?.prompt || view === "entry", "it goes on");
  assert.deepEqual([review?.prompt.purpose, wallet.asked], ["order", []]);
});

test("the review of a limit order is compared with no price of another trade", async () => {
  const { swap } = await opened(walletOf(await funded()), far());
  const { figures } = await reviewing(swap);
  swap.change({ dest: tokenOf("dai") });
  await until(swap, ({ quote }) => quote?.request.destToken === tokenOf("dai").address, "the form has another price");
  assert.deepEqual(swap.state.review.figures, figures);
});

test("a cancellation that the service refuses was signed all the same, and no new price is offered for it", async () => {
  const wallet = walletOf(await funded());
  const { swap } = await opened(wallet, far());
  await traded(swap);
  const { id } = await shown(swap, "open");
  const before = wallet.asked.length;
  await sandbox.control("POST", "fault", { endpoint: "cancel", status: 400, errorType: "InvalidInput" });
  swap.cancel([id]);
  await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  swap.confirm();
  const { failure, review } = await until(swap, ({ failure }) => failure, "it is refused");
  assert.deepEqual([failure.error.code, failure.remedies, review.prompts], ["SERVICE_REJECTED", ["retry", "startOver"], 1]);
  swap.remedy("retry");
  await shown(swap, "cancelled");
  assert.deepEqual(wallet.asked.slice(before), [SIGNED]);
});

for (const errorType of ["InvalidInput", "PricingError", "OrderExpired"])
  test(`a signed order that the service refuses with ${errorType} is posted again, and no new price is offered for it`, async () => {
    const wallet = walletOf(await funded());
    const { swap } = await opened(wallet);
    await sandbox.control("POST", "fault", { endpoint: "post", status: 400, errorType });
    await reviewing(swap);
    swap.confirm();
    const { review } = await until(swap, ({ review, failure }) => review?.prompt || failure, "it goes on");
    if (review.prompt) swap.confirm();
    const { failure } = await until(swap, ({ failure }) => failure, "it is refused");
    assert.deepEqual([Boolean(failure.error.signedOrder), failure.remedies], [true, ["retry", "startOver"]]);
    const before = wallet.asked.length;
    swap.remedy("retry");
    await shown(swap, "done");
    assert.equal(wallet.asked.length, before);
  });

test("the same account in another wallet: that one is asked, and what was under review is left", async () => {
  const account = await funded();
  const [first, second] = [walletOf(account), walletOf(account)];
  const { swap } = await opened(first, far());
  await traded(swap);
  const { id } = await shown(swap, "open");
  swap.cancel([id]);
  await until(swap, ({ review }) => review?.prompt, "the cancellation is reviewed");
  const before = first.asked.length;
  await swap.connect({ wallet: second });
  assert.deepEqual([swap.state.view, swap.state.review], ["form", null]);
  await listed(swap, id, "open");
  swap.cancel([id]);
  await until(swap, ({ review }) => review?.prompt, "it is reviewed again");
  swap.confirm();
  await shown(swap, "cancelled");
  assert.deepEqual([first.asked.length, second.asked], [before, [SIGNED]]);
});

test("a list without the journal is not all read", async () => {
  const never = () => new Promise(() => {});
  const { swap } = await opened(walletOf(await funded()), {}, { get: never, set: never, delete: never, keys: never });
  const seen = [];
  swap.subscribe(({ activity: { isFetching, error } }) => seen.push(isFetching || error));
  const { activity } = await until(swap, ({ activity }) => activity.error, "its error is there");
  assert.deepEqual([activity.error.code, activity.isFetching, seen.every(Boolean)], ["JOURNAL_UNREADABLE", false, true]);
});

test("each trade of the journal and each order has its state, and nothing hides one that is malformed", () => {
  const base = { kind: "delta", purpose: null, state: "posted", status: null, needs: null, owner: "0x1", chainId: 1, transaction: null, batch: null, summary: {}, startedAt: 1 };
  const sent = { ...base, kind: "transaction", purpose: "market", state: "sent", transaction: "0xff" };
  const ended = { ...base, state: "ended" };
  const order = { status: "ACTIVE", type: "MARKET", onChainOrderType: "Order", input: {}, output: {}, transactions: [], createdAt: "2026-01-01T00:00:00Z" };
  const CASES = [
    [{ ...ended, status: "COMPLETED" }, "done"], [{ ...ended, status: "VOID" }, "cancelled"], [{ ...ended, status: "ABANDONED" }, "cancelled"],
    [{ ...ended, status: "EXPIRED" }, "cancelled"], [{ ...ended, status: "FAILED" }, "failed"], [{ ...ended, status: "UNSIGNED" }, null],
    [{ ...base, state: "signed" }, "moving"], [{ ...base, state: "signed", needs: "decision" }, "unfinished"], [{ ...base, state: "asking", needs: "signature" }, null],
    [{ ...base, kind: "otc" }, "open"], [sent, "moving"], [{ ...sent, needs: "decision", status: "UNCERTAIN", transaction: null, batch: "b" }, "unfinished"],
    [{ ...sent, state: "ended", status: "REPLACED" }, "failed"], [{ ...sent, state: "ended", status: "COMPLETED" }, "done"],
    [{ kind: "unreadable", state: "unreadable", status: null, needs: "decision", summary: { sentence: "It cannot be read" } }, "unfinished"],
    [base, "moving", order], [base, "open", { ...order, type: "LIMIT" }], [base, "open", { ...order, onChainOrderType: "TWAPOrder" }],
    [base, "moving", { ...order, type: "LIMIT", status: "CANCELLING" }], [base, "cancelled", { ...order, ended: "deadline" }],
    [base, "failed", { ...order, status: "REFUNDED" }], [{ ...base, needs: "approval" }, "unfinished", { ...order, type: "LIMIT" }], [null, "moving", order],
    [{ ...base, needs: "approval" }, "done", { ...order, status: "COMPLETED" }],
  ];
  for (const [trade, state, seen] of CASES) {
    const known = nothingKnown();
    const id = "0xaa";
    if (trade) known.trades = [{ ...trade, id }];
    if (seen) known.orders.set(id, { ...seen, orderHash: id });
    const entries = entriesOf(known);
    assert.deepEqual(entries.map((entry) => [entry.id, entry.state]), state ? [[id, state]] : [], JSON.stringify([trade, seen]));
    assert.equal(entriesOf(known)[0], entries[0], "one that has not changed is the same object");
    for (const entry of entries) assert.equal(entry.figures, null, "its figures cannot be read");
  }
});
