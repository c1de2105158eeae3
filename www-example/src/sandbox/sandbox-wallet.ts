import { isAddress, type Address, type Eip1193Provider } from "verified-swap";
import { makeWallet, type Chain } from "./sandbox.ts";
import { createBatches, type Batch, type Habits } from "./batches.js";
import { askToSend, askToSendCalls, askToSign, showCalls } from "./prompt.tsx";
import { keyAccount, smartAccount, throughAccount, type AccountChoice, type WalletAccount } from "./smart-accounts.ts";

/* A wallet for the sandbox: an EIP-1193 provider in front of a node that holds the keys. It asks before it signs. */

export interface SandboxWallet extends Eip1193Provider {
  readonly account: WalletAccount;
  readonly chainId: number;
  /** What a person does in the wallet itself: pick a network, */
  selectChain(chainId: number): void;
  /** or an account: one of the keys', or one with code, which is made then. */
  selectAccount(choice: AccountChoice): Promise<void>;
  on(event: string, listener: (value: unknown) => void): void;
}

const MEMORY = "sandbox-wallet";
/** Batches by their ids, which outlive the page as a wallet does. */
const BATCHES = "sandbox-wallet-batches";
/** How it departs from a wallet that keeps its word, which only tests ask for. */
const HABITS = "sandbox-wallet-habits";
/** With a limit the node sends what reverts, too. */
const BATCH_GAS = "0x3d0900";

export async function createSandboxWallet(chains: Chain[], accounts: Address[]): Promise<SandboxWallet> {
  const remembered = recall();
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  const key = accounts.find((known) => known.toLowerCase() === remembered.account?.toLowerCase()) ?? accounts[0]!;
  /** Whose account becomes one with code, if chosen. */
  const signers = { contract: accounts[0]!, mute: accounts[0]!, delegated: accounts.at(-1)!, ready: accounts.at(-2)! };
  // The sandbox may have been restarted.
  const { smart } = remembered;
  const isThere = smart && (smart.kind === "ready" || (await hasCode(chains[0]!, smart.address)));
  let account = isThere ? smart : keyAccount(key);
  /** How often an account was chosen: making one takes a moment, and the last choice counts. */
  let choices = 0;
  let chain = chains.find((known) => known.chainId === remembered.chainId) ?? chains[0]!;

  function emit(event: string, value: unknown): void {
    const { address, kind } = account;
    localStorage.setItem(
      MEMORY,
      JSON.stringify({ account: address, chainId: chain.chainId, ...(kind === "key" ? {} : { smart: account }) }),
    );
    for (const listener of listeners.get(event) ?? []) listener(value);
  }

  function moveTo(chainId: number): void {
    const next = chains.find((known) => known.chainId === chainId);
    if (!next) throw walletError(4902, `This wallet does not know chain ${chainId}.`);
    if (next === chain) return;
    chain = next;
    emit("chainChanged", hex(chainId));
  }

  async function answer(method: string, params: readonly unknown[]): Promise<unknown> {
    switch (method) {
      case "eth_accounts":
      case "eth_requestAccounts":
        return [account.address];
      case "eth_chainId":
        return hex(chain.chainId);
      case "wallet_switchEthereumChain":
        moveTo(Number((params[0] as { chainId: string }).chainId));
        return null;
      case "eth_signTypedData_v4":
        if (account.kind === "mute") throw walletError(4200, "This account signs nothing.");
        if (!(await askToSign(chain, account.address, String(params[1])))) throw rejected();
        return forward(chain.rpc, method, [account.signer, params[1]]);
      case "eth_sendTransaction": {
        const transaction = params[0] as Record<string, string>;
        if (!(await askToSend(chain, account.address, transaction))) throw rejected();
        return forward(chain.rpc, method, [
          account.address === account.signer ? transaction : throughAccount(account, [transaction]),
        ]);
      }
      case "wallet_getCapabilities":
      case "wallet_sendCalls":
      case "wallet_getCallsStatus":
      case "wallet_showCallsStatus":
        return batches.answer(method, params);
      default:
        if (/^(wallet_|personal_|eth_sign)/.test(method)) throw walletError(4200, `${method} is not offered.`);
        return forward(chain.rpc, method, params);
    }
  }

  const on = (chainId: number): Chain => chains.find((known) => known.chainId === chainId)!;

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
      if (upgrades) await makeWallet(chainId, signer, "delegated");
      const isAlone = !upgrades && !(await hasCode(on(chainId), address));
      const transaction = isAlone ? { from: signer, ...calls[0] } : throughAccount(account, calls);
      return String(await forward(on(chainId).rpc, "eth_sendTransaction", [{ ...transaction, gas: BATCH_GAS }]));
    },
    receipt: async (chainId, hash) =>
      (await forward(on(chainId).rpc, "eth_getTransactionReceipt", [hash])) as { status: string } | null,
    show: (id) => showCalls(recallBatches()[id]!),
    memory: {
      get: (id) => recallBatches()[id],
      set: (id, batch) => localStorage.setItem(BATCHES, JSON.stringify({ ...recallBatches(), [id]: batch })),
    },
    habits: JSON.parse(localStorage.getItem(HABITS) ?? "{}") as Habits,
  });

  return {
    get account() {
      return account;
    },
    get chainId() {
      return chain.chainId;
    },
    request: ({ method, params }) => answer(method, Array.isArray(params) ? params : []),
    selectChain: moveTo,
    async selectAccount(choice) {
      const turn = ++choices;
      const next = isAddress(choice)
        ? keyAccount(choice)
        : await smartAccount(chains[0]!, choice, signers[choice]);
      if (next.kind === "key" && (await hasCode(chains[0]!, next.address)))
        await makeWallet(chains[0]!.chainId, next.address, "plain");
      if (turn !== choices) return;
      account = next;
      emit("accountsChanged", [account.address]);
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
  };
}

async function hasCode({ rpc }: Chain, address: string): Promise<boolean> {
  return (await forward(rpc, "eth_getCode", [address, "latest"])) !== "0x";
}

async function forward(rpc: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = (await response.json()) as { result?: unknown; error?: { code: number; message: string } };
  if (error) throw walletError(error.code, error.message);
  return result;
}

/** EIP-1193: the user said no. */
function rejected(): Error {
  return walletError(4001, "The user rejected the request.");
}

function walletError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

function hex(chainId: number): string {
  return `0x${chainId.toString(16)}`;
}

function recall(): { account?: string; chainId?: number; smart?: WalletAccount } {
  try {
    return JSON.parse(localStorage.getItem(MEMORY) ?? "{}") as { account?: string; chainId?: number };
  } catch {
    return {};
  }
}

function recallBatches(): Record<string, Batch> {
  return JSON.parse(localStorage.getItem(BATCHES) ?? "{}") as Record<string, Batch>;
}
