/** The controller of a swap's form in the real sandbox: from what is typed to what arrived, and every way in which that ends otherwise. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { encodeFunctionData, erc20Abi } from "viem";
import { freshApp } from "./app.mjs";
import { startSandbox } from "./sandbox.mjs";

const SIGNED = "eth_signTypedData_v4";
const SENT = "eth_sendTransaction";

let [library, createSwap, sandbox, chain] = [];
before(async () => {
  const folder = await freshApp("swap");
  const load = (name) => import(pathToFileURL(join(folder, "node_modules/verified-swap", name)));
  library = await load("node.js");
  ({ createSwap } = await load("swap.js"));
  sandbox = await startSandbox();
  [chain] = sandbox.config.chains;
});
after(() => sandbox?.stop());
/** The ends of what a test has opened: one that fails leaves nothing that keeps the process alive. */
const ends = new Set();
afterEach(() => {
  for (const end of ends) end();
  ends.clear();
});

const tokenOf = (kind, at = chain) => {
  const { symbol, decimals, address } = at.tokens.find((token) => token.kind === kind || token.symbol === kind);
  return { chainId: at.chainId, symbol, decimals, address };
};
const raw = (amount, { decimals }) => String(BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals) / 1_000_000n);

/** Resolves with the first state for which `is` holds. */
const until = (swap, is, what = String(is), mostMs = 20_000) =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      const { view, busy, faults, failure, price, review } = swap.state;
      const seen = { view, busy, faults, failure: failure?.error.message, price: price.error?.message, steps: review?.steps, prompt: review?.prompt?.purpose };
      reject(new Error(`no state in which ${what}: ${JSON.stringify(seen)}`));
    }, mostMs);
    const look = (state) => {
      if (!is(state)) return;
      clearTimeout(limit);
      leave();
      resolve(state);
    };
    const leave = swap.subscribe(look);
    look(swap.state);
  });

const balance = async ({ chainId, address, symbol }, account) => {
  if (symbol === tokenOf("native").symbol) return BigInt(await sandbox.rpc(chainId, "eth_getBalance", [account, "latest"]));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return BigInt(await sandbox.rpc(chainId, "eth_call", [{ to: address, data }, "latest"]));
};

let used = 0;
/** A controller whose account has 1000 of the paid token, with a wallet that does what it is asked unless `refuses` it. */
async function started(form = {}, options = {}) {
  await sandbox.control("POST", "reset");
  const account = sandbox.config.accounts[used++ % sandbox.config.accounts.length];
  const { src, dest } = { src: tokenOf("permit"), dest: tokenOf("plain"), ...form };
  await sandbox.control("POST", "faucet", { chainId: chain.chainId, address: account, token: src.address, amount: raw(1_000, src) });
  for (const spender of src.symbol === tokenOf("native").symbol ? [] : [undefined, chain.router])
    await sandbox.control("POST", "approve", { chainId: chain.chainId, token: src.address, owner: account, amount: "0", spender });
  const listeners = new Map();
  const wallet = {
    asked: [],
    refuses: () => null,
    emit: (event, value) => listeners.get(event)?.forEach((listener) => listener(value)),
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    removeListener: (event, listener) => listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== listener)),
    listeners: () => [...listeners.values()].flat().length,
    async request({ method, params }) {
      if (method === "eth_accounts") return [account];
      if ([SIGNED, SENT].includes(method)) {
        wallet.asked.push(method);
        const refusal = await wallet.refuses(method);
        if (refusal) throw refusal;
      }
      return sandbox.rpc(chain.chainId, method, params ?? []);
    },
  };
  const client = await library.createClient({ ...sandbox.config.clientOptions, ...options });
  const swap = createSwap({ client, form: { src, dest, amount: "100", ...form } });
  ends.add(() => (swap.close(), client.close()));
  await swap.connect({ wallet });
  const held = { src: await balance(src, account), dest: dest.chainId === chain.chainId ? await balance(dest, account) : null };
  return { swap, wallet, account, client, src, dest, held, end: () => (swap.close(), client.close()) };
}

const priced = (swap) => until(swap, ({ quote, figures, price }) => quote && figures && !price.isFetching, "there is a price");
const rejected = () => Object.assign(new Error("no"), { code: 4001 });
/** Agrees to the review, and to each prompt that is held. */
async function agreed(swap, { isOpen = true } = {}) {
  if (isOpen) {
    const { review } = await until(swap, ({ review }) => review && !review.isAgreed, "a review is open");
    swap.confirm(review.questions.map(({ id }) => id));
  }
  for (;;) {
    const { view, review, failure } = await until(swap, ({ view, review, failure }) => view !== "review" || review?.prompt || failure, "it went on");
    if (view !== "review" || failure) return;
    swap.confirm(review.prompt.questions.map(({ id }) => id));
  }
}

test("a gasless swap with its approval: one click for each prompt, until it is completed", async () => {
  const { swap, wallet, account, src, dest, held, end } = await started();
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
  assert.equal((await balance(src, account)) - held.src, -BigInt(raw(100, src)));
  assert.ok((await balance(dest, account)) - held.dest >= BigInt(review.figures.getAtLeast));
  swap.back();
  assert.deepEqual([swap.state.view, swap.state.entry], ["form", null]);
  end();
});

/** Another account trades, and moves the price. */
const moved = (from, to, amount) =>
  sandbox.control("POST", "trade", { chainId: chain.chainId, srcToken: from.address, destToken: to.address, amount: raw(amount, from) });

/** Shows the review of the price that is there. */
async function reviewing(swap) {
  await priced(swap);
  swap.review();
  return (await until(swap, ({ view }) => view === "review", "a review is open")).review;
}
const ended = (swap, state = "done") => until(swap, ({ view, entry }) => view === "entry" && entry?.state === state, `its entry is ${state}`);

for (const kind of ["receiver", "minimum", "deadline"]) {
  test(`a service that lies about the ${kind}: a refusal, and the wallet is asked for nothing`, async () => {
    const { swap, wallet, end } = await started();
    await priced(swap);
    await sandbox.control("POST", "lie", { kind, times: -1 });
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
    end();
  });
}

test("a price that is a lie: it is no price, and what differs can be seen", async () => {
  const { swap, wallet, end } = await started();
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
  end();
});

test("a prompt that the wallet refuses: nothing is lost, and the next click asks again", async () => {
  const { swap, wallet, end } = await started();
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
  await ended(swap);
  assert.deepEqual(wallet.asked, [SENT, SENT, SENT, SIGNED]);
  end();
});

test("a price that moves under the review: no worse, it is the same review; worse, the user is asked", async () => {
  const { swap, wallet, account, src, dest, end } = await started();
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
  await ended(swap);
  await moved(dest, src, 0.5);
  end();
});

test("a signed order whose fate is unknown: it is posted again, and never signed again", async () => {
  const { swap, wallet, end } = await started();
  await reviewing(swap);
  await sandbox.control("POST", "fault", { endpoint: "post", times: -1, status: 500 });
  await agreed(swap);
  const { failure } = swap.state;
  assert.deepEqual([failure.remedies, failure.isFateUnknown], [["check"], true]);
  await sandbox.control("POST", "fault", { endpoint: "post", times: 0 });
  swap.remedy("check");
  await ended(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
  end();
});

test("a signed order whose fate is unknown is not given up by going back", async () => {
  const { swap, wallet, client, end } = await started();
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
  end();
});

test("a limit order, by price and by amount, waits for its price", async () => {
  const limit = { by: "price", text: "0.001", validForSecs: 3_600, partiallyFillable: false };
  const { swap, end } = await started({ kind: "limit", limit });
  const review = await reviewing(swap);
  assert.deepEqual([review.build.type, review.figures.kind, review.build.minDestAmount], ["LIMIT", "limit", raw(0.1, tokenOf("plain"))]);
  await moved(swap.state.form.src, swap.state.form.dest, 3_000);
  swap.refresh();
  const renewed = await until(swap, (state) => state.review?.figures.aboveMarketBps !== review.figures.aboveMarketBps, "the market is compared anew");
  assert.ok(renewed.review.figures.aboveMarketBps > review.figures.aboveMarketBps);
  assert.equal(renewed.review.build, review.build);
  await agreed(swap);
  await ended(swap, "open");
  swap.back();
  swap.change({ limit: { ...limit, by: "amount", text: "0.2" } });
  assert.equal((await reviewing(swap)).build.minDestAmount, raw(0.2, tokenOf("plain")));
  end();
});

test("slices", async () => {
  const { swap, end } = await started({ kind: "slices", slices: { count: "4", intervalSecs: 60, most: "" } });
  const { figures } = await priced(swap);
  assert.deepEqual([figures.kind, figures.pay, figures.slices.count], ["slices", raw(100, tokenOf("permit")), 4]);
  await reviewing(swap);
  await agreed(swap);
  const { entry } = await until(swap, ({ view, entry }) => view === "entry" && ["open", "moving"].includes(entry?.state), "its entry is open");
  assert.equal(entry.figures.slices.count, 4);
  end();
});

test("another chain: the choice of a route, and what only the bridge promises", async () => {
  const [, there] = sandbox.config.chains;
  const { swap, end } = await started({ dest: tokenOf("WETH", there) });
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
  await ended(swap);
  end();
});

test("Market: a transaction; the better of both; and the user's own choice", async () => {
  const { swap, wallet, end } = await started({ path: "best" });
  const { choices, quote } = await until(swap, ({ choices, price }) => choices.length === 2 && choices.every(({ figures }) => figures) && !price.isFetching, "both are there");
  assert.deepEqual(choices.map(({ id }) => id), ["delta", "market"]);
  assert.deepEqual(choices.filter(({ isChosen }) => isChosen).map(({ id }) => id), [quote.kind]);
  swap.change({ chosen: "market" });
  assert.deepEqual([swap.state.quote.kind, swap.state.figures.kind], ["market", "market"]);
  assert.deepEqual(swap.state.choices.map(({ isChosen }) => isChosen), [false, true]);
  const review = await reviewing(swap);
  assert.deepEqual([review.build.kind, review.steps.map(({ purpose }) => purpose)], ["market", ["approve", "market"]]);
  await agreed(swap);
  const { entry } = await ended(swap);
  assert.deepEqual([entry.figures.kind, wallet.asked], ["market", [SENT, SENT]]);
  swap.back();
  swap.change({ path: "market" });
  assert.equal((await priced(swap)).quote.kind, "market");
  end();
});

test("the native token: a deposit after the signature is a click of its own, and gas for it stays", async () => {
  const { swap, wallet, end } = await started({ src: tokenOf("native"), amount: "1" });
  await until(swap, ({ balances }) => Object.keys(balances).length === 2, "balances are there");
  const held = BigInt(swap.state.balances[`${chain.chainId}/${tokenOf("native").address}`]);
  await swap.useShare(100);
  const { amount } = swap.state;
  assert.ok(BigInt(amount) < held && BigInt(amount) > (held * 9n) / 10n, `${amount} of ${held}`);
  swap.change({ amount: "1" });
  const review = await reviewing(swap);
  assert.equal(review.steps[0].purpose, "order");
  await agreed(swap);
  await ended(swap);
  assert.equal(wallet.asked[0], SIGNED);
  end();
});

test("a permit in place of the approval: two signatures, each with its own click", async () => {
  const { swap, wallet, end } = await started({ permit: "eip2612" });
  const review = await reviewing(swap);
  assert.deepEqual(review.steps.map(({ purpose }) => purpose), ["permit", "order"]);
  swap.confirm();
  const held = await until(swap, ({ review }) => review?.prompt);
  assert.deepEqual([held.review.prompt.purpose, held.review.stepsDone], ["order", 1]);
  swap.confirm();
  await ended(swap);
  assert.deepEqual(wallet.asked, [SIGNED, SIGNED]);
  end();
});

test("a consent by a transaction, where the wallet cannot sign", async () => {
  const { swap, wallet, end } = await started();
  wallet.refuses = (method) => (method === SIGNED ? Object.assign(new Error("no such method"), { code: 4200 }) : null);
  await reviewing(swap);
  await agreed(swap);
  assert.deepEqual(swap.state.failure.remedies, ["preSign", "retry"]);
  swap.remedy("preSign");
  await agreed(swap, { isOpen: false });
  await ended(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED, SENT]);
  end();
});

test("back from a review, from a held prompt, and while the wallet is open: nothing more is asked, and nothing is lost", async () => {
  const began = Date.now();
  const { swap, wallet, end } = await started();
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
  end();
});

test("another account in the middle: what was under review is left, and its wallet is not asked", async () => {
  const { swap, wallet, end } = await started();
  await reviewing(swap);
  const other = sandbox.config.accounts[(used + 3) % sandbox.config.accounts.length];
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
  end();
  assert.equal(wallet.listeners(), 0);
});

test("its end at any time: no listener is left, nothing is asked, and nothing changes any more", async () => {
  for (const at of ["price", "building", "review", "prompt"]) {
    const { swap, wallet, end } = await started({}, {});
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
    end();
  }
});

test("the first price leaves with a client that is being made, and a client that cannot be made is a failure", async () => {
  await sandbox.control("POST", "reset");
  const form = { src: tokenOf("permit"), dest: tokenOf("plain"), amount: "100" };
  const opening = library.createClient(sandbox.config.clientOptions);
  const swap = createSwap({ client: opening, form });
  assert.deepEqual([swap.state.isOpen, swap.state.price.isFetching], [false, true]);
  await priced(swap);
  await until(swap, ({ isOpen, isStored }) => isOpen && isStored !== null, "it is open");
  swap.turn();
  const { form: turned, figures } = await until(swap, ({ figures, form, price }) => figures && !price.isFetching && form.src.symbol === form.src.symbol);
  assert.deepEqual([turned.src.address, turned.dest.address, figures.kind], [form.dest.address, form.src.address, "swap"]);
  swap.close();
  (await opening).close();
  const failing = createSwap({ client: library.createClient({ baseUrl: "http://nowhere.example" }), form });
  const { failure } = await until(failing, ({ failure }) => failure);
  assert.equal(failure.error.code, "INVALID_INPUT");
  failing.close();
});

test("a prompt that is held too long: its price is renewed first, and the approval is not asked for again", async () => {
  const { swap, wallet, end } = await started();
  const first = await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  const { review } = await until(swap, ({ review }) => review?.isRenewed, "it is renewed", 40_000);
  assert.notEqual(review.quote.sealed, first.quote.sealed);
  assert.deepEqual([review.isAgreed, review.prompt, review.approval, review.steps.map(({ purpose }) => purpose)], [false, null, null, ["order"]]);
  await agreed(swap);
  await ended(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
  end();
});

test("a question: nothing is agreed to without its answer, which a renewed build that is no worse keeps", async () => {
  const { swap, wallet, account, src, dest, end } = await started({}, { reference: false });
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
  await ended(swap);
  assert.deepEqual(wallet.asked, [SENT, SIGNED]);
  end();
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
  const { swap, wallet, account, end } = await started();
  await reviewing(swap);
  swap.confirm();
  await until(swap, ({ review }) => review?.prompt);
  await until(swap, ({ review }) => review?.isRenewed, "it is renewed", 40_000);
  await sandbox.control("POST", "lie", { kind: "receiver", times: -1 });
  await sandbox.control("POST", "trade", { chainId: chain.chainId, srcToken: tokenOf("plain").address, destToken: tokenOf("permit").address, amount: raw(0.5, tokenOf("plain")) });
  wallet.emit("accountsChanged", [account]);
  const { refusal } = await until(swap, ({ view }) => view === "refusal", "it is refused", 40_000);
  assert.deepEqual([refusal.prompts, wallet.asked], [1, [SENT]]);
  end();
});

test("an approval, and then a refusal of the wallet: the review counts what was answered", async () => {
  const { swap, wallet, end } = await started();
  wallet.refuses = (method) => (method === SIGNED ? rejected() : null);
  assert.equal((await reviewing(swap)).prompts, 0);
  await agreed(swap);
  const { failure, review } = await until(swap, ({ failure }) => failure);
  assert.deepEqual([failure.error.code, review.prompts, wallet.asked], ["USER_REJECTED", 1, [SENT, SIGNED]]);
  end();
});
