import type { Address, Eip1193Provider } from "verified-swap";
import type { Chain } from "../sandbox.ts";
import { askToSend, askToSign } from "./prompt.ts";

/* A wallet for the sandbox: an EIP-1193 provider in front of a node that holds the keys. It asks before it signs. */

export interface SandboxWallet extends Eip1193Provider {
  readonly account: Address;
  readonly chainId: number;
  /** What a person does in the wallet itself: pick an account, or a network. */
  select(choice: { account?: Address; chainId?: number }): void;
  on(event: string, listener: (value: unknown) => void): void;
}

const MEMORY = "sandbox-wallet";

export function createSandboxWallet(chains: Chain[], accounts: Address[]): SandboxWallet {
  const remembered = recall();
  const listeners = new Map<string, ((value: unknown) => void)[]>();
  let account = accounts.find((known) => known.toLowerCase() === remembered.account?.toLowerCase()) ?? accounts[0]!;
  let chain = chains.find((known) => known.chainId === remembered.chainId) ?? chains[0]!;

  function emit(event: string, value: unknown): void {
    localStorage.setItem(MEMORY, JSON.stringify({ account, chainId: chain.chainId }));
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
        return [account];
      case "eth_chainId":
        return hex(chain.chainId);
      case "wallet_switchEthereumChain":
        moveTo(Number((params[0] as { chainId: string }).chainId));
        return null;
      case "eth_signTypedData_v4":
        if (!(await askToSign(chain, account, String(params[1])))) throw rejected();
        return forward(chain.rpc, method, params);
      case "eth_sendTransaction":
        if (!(await askToSend(chain, account, params[0] as Record<string, string>))) throw rejected();
        return forward(chain.rpc, method, params);
      default:
        if (/^(wallet_|personal_|eth_sign)/.test(method)) throw walletError(4200, `${method} is not offered.`);
        return forward(chain.rpc, method, params);
    }
  }

  return {
    get account() {
      return account;
    },
    get chainId() {
      return chain.chainId;
    },
    request: ({ method, params }) => answer(method, Array.isArray(params) ? params : []),
    select(choice) {
      if (choice.chainId !== undefined) moveTo(choice.chainId);
      if (choice.account !== undefined && choice.account !== account) {
        account = choice.account;
        emit("accountsChanged", [account]);
      }
    },
    on(event, listener) {
      listeners.set(event, [...(listeners.get(event) ?? []), listener]);
    },
  };
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

function recall(): { account?: string; chainId?: number } {
  try {
    return JSON.parse(localStorage.getItem(MEMORY) ?? "{}") as { account?: string; chainId?: number };
  } catch {
    return {};
  }
}
