import type { Address, Eip1193Provider } from "verified-swap";
import { createBatches, type Batch, type Habits, type Receipt } from "./batches.js";
import { askNode, fund, walletError, type SandboxChain } from "./control.ts";
import { askToSend, askToSendCalls, askToSign, showCalls } from "./prompt.ts";
import { isSmart, keyAccount, makeAccount, smartAccount, throughAccount, type WalletAccount } from "./smart-accounts.ts";

/* A wallet for the sandbox: an EIP-1193 provider in front of a node that holds the keys. It asks before it signs. */

/** The wallet, with what a person does in its own window. */
export interface SandboxWallet extends Eip1193Provider {
  /** The chosen account. */
  readonly account: WalletAccount;
  /** The chosen network. */
  readonly chainId: number;
  /** Chooses a network. */
  selectChain(chainId: number): void;
  /** Chooses the account of a key, or one with code, which is made then; an empty one is funded. */
  selectAccount(choice: string): Promise<void>;
  /** Listens for an event of EIP-1193. */
  on(event: string, listener: (value: unknown) => void): void;
  /** Ends that. */
  removeListener(event: string, listener: (value: unknown) => void): void;
}

const MEMORY = "sandbox-wallet";
/** Batches by their ids, which outlive the page as a wallet does. */
const BATCHES = "sandbox-wallet-batches";
/** Departures from a wallet that keeps its word, for tests. */
const HABITS = "sandbox-wallet-habits";
const SHIELD = "M10 2.5 4 5v4.5c0 3.8 2.6 6.8 6 8 3.4-1.2 6-4.2 6-8V5z";
const ICON = `data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 20 20"><path fill="teal" d="${SHIELD}"/></svg>`;
/** With a limit the node sends what reverts, too. */
const BATCH_GAS = "0x3d0900";

/** Opens the wallet on the account and network that it had last. */
export async function createSandboxWallet(chains: SandboxChain[], keys: Address[]): Promise<SandboxWallet> {
  const [home, first] = [chains[0], keys[0]];
  if (!home || !first) throw new Error("The sandbox has no chain, or no account.");
  const keyOf = (address: string): Address | undefined => keys.find((known) => known.toLowerCase() === address.toLowerCase());
  const remembered = recall<{ account?: string; chainId?: number; smart?: WalletAccount }>(MEMORY);
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  /** Keys whose account becomes one with code, if chosen. */
  const signers = { contract: first, mute: first, delegated: keys.at(-1) ?? first, ready: keys.at(-2) ?? first };
  // The sandbox may have been restarted.
  const { smart } = remembered;
  const isThere = smart && (smart.kind === "ready" || (await hasCode(home, smart.address)));
  let account = isThere ? smart : keyAccount(keyOf(remembered.account ?? "") ?? first);
  let chain = chains.find(({ chainId }) => chainId === remembered.chainId) ?? home;
  /** How often an account was chosen: making one takes a moment, and the last choice counts. */
  let choices = 0;

  function emit(event: string, value: unknown): void {
    const smart = account.kind === "key" ? {} : { smart: account };
    localStorage.setItem(MEMORY, JSON.stringify({ account: account.address, chainId: chain.chainId, ...smart }));
    for (const listener of listeners.get(event) ?? []) listener(value);
  }

  function selectChain(chainId: number): void {
    const next = chains.find((known) => known.chainId === chainId);
    if (!next) throw walletError(4902, `This wallet does not know chain ${chainId}.`);
    if (next === chain) return;
    chain = next;
    emit("chainChanged", hex(chainId));
  }

  const selectAccount = async (choice: string): Promise<void> => {
    const turn = ++choices;
    const key = keyOf(choice);
    const next = key ? keyAccount(key) : isSmart(choice) ? await smartAccount(home, choice, signers[choice]) : null;
    if (!next) throw new Error(`This wallet has no account "${choice}".`);
    if (key && (await hasCode(home, key))) await makeAccount(home.chainId, key, "plain");
    await fund(home, next.address);
    if (turn !== choices) return;
    account = next;
    emit("accountsChanged", [account.address]);
  };

  async function answer(method: string, params: readonly any[]): Promise<unknown> {
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return [account.address];
      case "eth_chainId":
        return hex(chain.chainId);
      case "wallet_switchEthereumChain":
        selectChain(Number(params[0].chainId));
        return null;
      case "eth_signTypedData_v4":
        if (account.kind === "mute") throw walletError(4200, "This account signs nothing.");
        if (!(await askToSign(chain, account.address, String(params[1])))) throw rejected();
        return askNode(chain, method, [account.signer, params[1]]);
      case "eth_sendTransaction":
        if (!(await askToSend(chain, account.address, params[0]))) throw rejected();
        return askNode(chain, method, [account.address === account.signer ? params[0] : throughAccount(account, [params[0]])]);
      default:
        if (batches.knows(method)) return batches.answer(method, params);
        if (/^(wallet_|personal_|eth_sign)/.test(method)) throw walletError(4200, `${method} is not offered.`);
        return askNode(chain, method, params);
    }
  }

  const on = (chainId: number): SandboxChain => chains.find((known) => known.chainId === chainId) ?? home;
  const sent = (): Record<string, Batch> => recall(BATCHES);

  const batches = createBatches({
    accounts: () => [account.address],
    chainIds: chains.map(({ chainId }) => chainId),
    async atomic(chainId, address) {
      if (account.kind !== "key" && (await hasCode(on(chainId), address))) return "supported";
      return account.kind === "ready" ? "ready" : "unsupported";
    },
    confirm: ({ chainId, from, calls, upgrades }) => askToSendCalls(on(chainId), from, calls, upgrades),
    async send({ chainId, calls, upgrades }) {
      const { address, signer } = account;
      if (upgrades) await makeAccount(chainId, signer, "delegated");
      const isAlone = !upgrades && !(await hasCode(on(chainId), address));
      const transaction = isAlone ? { from: signer, ...calls[0] } : throughAccount(account, calls);
      return String(await askNode(on(chainId), "eth_sendTransaction", [{ ...transaction, gas: BATCH_GAS }]));
    },
    receipt: (chainId, hash) => askNode<Receipt | null>(on(chainId), "eth_getTransactionReceipt", [hash]),
    show(id) {
      const batch = sent()[id];
      if (batch) showCalls(batch);
    },
    memory: {
      get: (id) => sent()[id],
      set: (id, batch) => localStorage.setItem(BATCHES, JSON.stringify({ ...sent(), [id]: batch })),
    },
    habits: recall<Habits>(HABITS),
  });

  return {
    get account() {
      return account;
    },
    get chainId() {
      return chain.chainId;
    },
    request: ({ method, params }) => answer(method, Array.isArray(params) ? params : []),
    selectChain,
    selectAccount,
    on(event, listener) {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    removeListener(event, listener) {
      listeners.get(event)?.delete(listener);
    },
  };
}

/** Announces a wallet to whatever looks for one on this page (EIP-6963). */
export function announce(provider: Eip1193Provider): void {
  const info = { uuid: crypto.randomUUID(), name: "Sandbox wallet", icon: ICON, rdns: "local.sandbox" };
  const detail = Object.freeze({ info: Object.freeze(info), provider });
  const tell = (): boolean => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", tell);
  tell();
}

async function hasCode(chain: SandboxChain, address: string): Promise<boolean> {
  return (await askNode(chain, "eth_getCode", [address, "latest"])) !== "0x";
}

/** The user said no (EIP-1193). */
function rejected(): Error {
  return walletError(4001, "The user rejected the request.");
}

function hex(chainId: number): string {
  return `0x${chainId.toString(16)}`;
}

/** A kept object; an empty one where nothing is kept, or it cannot be read. */
function recall<Kept extends object>(name: string): Kept {
  try {
    return JSON.parse(localStorage.getItem(name) ?? "{}");
  } catch {
    return JSON.parse("{}");
  }
}
