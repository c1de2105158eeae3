/** The controller of a swap's form in the real sandbox: from what is typed to what arrived, and every way in which that ends otherwise. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
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

const tokenOf = (kind, at = chain) => {
  const { symbol, decimals, address } = at.tokens.find((token) => token.kind === kind || token.symbol === kind);
  return { chainId: at.chainId, symbol, decimals, address };
};
const raw = (amount, { decimals }) => String(BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals) / 1_000_000n);

/** Resolves with the first state for which `is` holds. */
const until = (swap, is, what = String(is)) =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(() => {
      const { view, busy, faults, failure, price, review } = swap.state;
      const seen = { view, busy, faults, failure: failure?.error.message, price: price.error?.message, steps: review?.steps, prompt: review?.prompt?.purpose };
      reject(new Error(`no state in which ${what}: ${JSON.stringify(seen)}`));
    }, 20_000);
    const look = (state) => {
      if (!is(state)) return;
      clearTimeout(limit);
      leave();
      resolve(state);
    };
    const leave = swap.subscribe(look);
    look(swap.state);
  });

const balance = async ({ chainId, address }, account) => {
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
  const moved = (from, to, amount) => sandbox.control("POST", "trade", { chainId: chain.chainId, srcToken: from.address, destToken: to.address, amount: raw(amount, from) });
  const renewed = () => wallet.emit("accountsChanged", [account]);
  await moved(dest, src, 0.5);
  renewed();
  const better = await until(swap, ({ review }) => review?.isRenewed);
  assert.ok(BigInt(better.review.figures.getAtLeast) > BigInt(first.figures.getAtLeast));
  assert.equal(better.moved, null);
  await moved(src, dest, 3_000);
  renewed();
  const worse = await until(swap, ({ moved }) => moved);
  assert.equal(worse.review, better.review);
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

test("a limit order, by price and by amount, waits for its price", async () => {
  const limit = { by: "price", text: "0.001", validForSecs: 3_600, partiallyFillable: false };
  const { swap, end } = await started({ kind: "limit", limit });
  const review = await reviewing(swap);
  assert.deepEqual([review.build.type, review.figures.kind, review.build.minDestAmount], ["LIMIT", "limit", raw(0.1, tokenOf("plain"))]);
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
