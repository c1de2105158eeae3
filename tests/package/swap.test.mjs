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
      const { price, failure, ...state } = swap.state;
      reject(new Error(`no state in which ${what}: ${JSON.stringify({ ...state, price: price.error, failure: failure && { ...failure, message: failure.error.message } }).slice(0, 2_000)}`));
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
async function agreed(swap) {
  const { review } = await until(swap, ({ review }) => review && !review.isAgreed, "a review is open");
  swap.confirm(review.questions.map(({ id }) => id));
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
