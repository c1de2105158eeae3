/** The controller of a swap in a real sandbox, which starts before a file's first test and stops after its last. */
import { after, afterEach, before } from "node:test";
import { inspect } from "node:util";
import { createClient, init } from "verified-swap";
import { createSwap } from "verified-swap/swap";
import { parseUnits } from "viem";
import { startSandbox } from "./sandbox.mjs";
import { balance } from "./trade.mjs";

export const [SIGNED, SENT] = ["eth_signTypedData_v4", "eth_sendTransaction"];
export const rejected = () => Object.assign(new Error("no"), { code: 4001 });

export let sandbox, chain;
before(async () => {
  await init();
  sandbox = await startSandbox();
  [chain] = sandbox.config.chains;
});
after(() => sandbox?.stop());
/** The ends of what a test has opened: one that fails leaves nothing that keeps the process alive. */
const ends = new Set();
afterEach(() => ends.forEach((end) => end()));

/** A token of a chain, by its kind or its symbol. */
export function tokenOf(name, { chainId, tokens } = chain) {
  const { symbol, decimals, address } = tokens.find((token) => token.kind === name || token.symbol === name);
  return { chainId, symbol, decimals, address };
}
export const raw = (amount, { decimals }) => String(parseUnits(String(amount), decimals));
export const held = (account, token) => balance(sandbox, token, account);

let used = 0;
/** The next account, with so much of the token, of which nothing is approved. */
export async function funded(token = tokenOf("permit"), amount = 1_000) {
  await sandbox.control("POST", "reset");
  const account = sandbox.config.accounts[used++ % sandbox.config.accounts.length];
  if (token.address === tokenOf("native").address) return account;
  const of = { chainId: chain.chainId, token: token.address };
  await sandbox.control("POST", "faucet", { ...of, address: account, amount: raw(amount, token) });
  for (const spender of [chain.delta, chain.router]) await sandbox.control("POST", "approve", { ...of, owner: account, amount: "0", spender });
  return account;
}

/** A wallet of the account, which does what it is asked unless `refuses` it, and notes all that would open it. */
export function walletOf(account) {
  const listeners = new Map();
  const wallet = {
    asked: [],
    account,
    refuses: () => null,
    emit: (event, value) => listeners.get(event)?.forEach((listener) => listener(value)),
    on: (event, listener) => listeners.set(event, [...(listeners.get(event) ?? []), listener]),
    removeListener: (event, listener) => listeners.set(event, (listeners.get(event) ?? []).filter((one) => one !== listener)),
    listeners: () => [...listeners.values()].flat().length,
    async request({ method, params }) {
      if (method === "eth_accounts") return [wallet.account];
      if (/^(eth_s|wallet_s|personal_)/.test(method)) {
        wallet.asked.push(method);
        const refusal = await wallet.refuses(method);
        if (refusal) throw refusal;
      }
      if (method === "wallet_switchEthereumChain") return (wallet.chainId = params[0].chainId), null;
      if (method === "eth_chainId" && wallet.chainId) return wallet.chainId;
      return sandbox.rpc(chain.chainId, method, params ?? []);
    },
  };
  return wallet;
}

/** A client and a controller that has the wallet: `close` ends both, at the latest behind the test. */
export async function opened(wallet, form = {}, options = {}) {
  const client = await createClient({ ...sandbox.config.clientOptions, ...options });
  const swap = createSwap({ client, form: { src: tokenOf("permit"), dest: tokenOf("plain"), amount: "100", ...form } });
  const close = () => (ends.delete(close), swap.close(), client.close());
  ends.add(close);
  await swap.connect({ wallet });
  return { client, swap, close };
}

/** Resolves with the first state for which `is` holds. */
export const until = (swap, is, what = String(is), mostMs = 20_000) =>
  new Promise((resolve, reject) => {
    const limit = setTimeout(() => reject(new Error(`no state in which ${what}: ${inspect(swap.state, { depth: 2 })}`)), mostMs);
    const look = (state) => {
      if (!is(state)) return;
      clearTimeout(limit);
      leave();
      resolve(state);
    };
    const leave = swap.subscribe(look);
    look(swap.state);
  });

export const priced = (swap) =>
  until(swap, ({ quote, figures, price, activity }) => quote && figures && !price.isFetching && !activity.isFetching, "there is a price");

/** Shows the review of the price that is there. */
export async function reviewing(swap) {
  await priced(swap);
  swap.review();
  return (await until(swap, ({ review }) => review, "a review is open")).review;
}

/** Agrees to the review, and to each prompt that is held. Resolves with the state in which that ended. */
export async function agreed(swap, { isOpen = true } = {}) {
  if (isOpen) {
    const { review } = await until(swap, ({ review }) => review && !review.isAgreed, "a review is open");
    swap.confirm(review.questions.map(({ id }) => id));
  }
  for (;;) {
    const state = await until(swap, ({ view, review, failure }) => view !== "review" || review?.prompt || failure, "it goes on");
    if (state.view !== "review" || state.failure) return state;
    swap.confirm(state.review.prompt.questions.map(({ id }) => id));
  }
}

/** The entry that is shown, once it is in that state. */
export const shown = (swap, state = "done") =>
  until(swap, ({ view, entry }) => view === "entry" && entry?.state === state, `the shown entry is ${state}`).then(({ entry }) => entry);
