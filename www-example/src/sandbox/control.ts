import type { Address, ClientOptions } from "verified-swap";
import type { SwapChain } from "verified-swap/element";
import type { SwapToken } from "verified-swap/swap";

/* The sandbox's own control surface: a page for a real chain has none of this. */

/** A chain of the sandbox. */
export interface SandboxChain extends SwapChain {
  /** Path of its JSON-RPC endpoint. */
  rpc: string;
  /** Its tokens; `kind` tells how each one permits, `native` marks the chain's own. */
  tokens: (Omit<SwapToken, "chainId"> & { kind: string })[];
}

/** Members of the sandbox's configuration that the page reads. */
export interface SandboxConfig {
  /** The chains; the first one has everything. */
  chains: SandboxChain[];
  /** Accounts that are unlocked on the node: it signs for them. */
  accounts: Address[];
  /** Options of a client that trades here. */
  clientOptions: ClientOptions;
}

/** The configuration. Every address in it has its checksum. */
export async function readConfig(): Promise<SandboxConfig> {
  const response = await fetch("/sandbox/config");
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
  const config: SandboxConfig = await response.json();
  return config;
}

/** Posts to `/sandbox/NAME`. */
export async function control(name: string, body: object): Promise<unknown> {
  const response = await fetch(`/sandbox/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
  return response.json().catch(() => null);
}

/** The result of a JSON-RPC request to a chain's node; rejects with its error. */
export async function askNode<Result = unknown>({ rpc }: SandboxChain, method: string, params: readonly unknown[]): Promise<Result> {
  const response = await fetch(rpc, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw walletError(error.code, error.message);
  return result;
}

/** An error as EIP-1193 has it. */
export function walletError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code });
}

/** Whole units of every token that an empty account gets. */
const TEST_TOKENS = 1_000n;
const BALANCE_OF = "0x70a08231";

/** Gives an account without tokens test tokens on that chain, and the native one for its gas. */
export async function fund(chain: SandboxChain, account: string): Promise<void> {
  const { chainId, tokens } = chain;
  const data = `${BALANCE_OF}${account.slice(2).padStart(64, "0")}`;
  const held = tokens
    .filter(({ kind }) => kind !== "native")
    .map(({ address: to }) => askNode(chain, "eth_call", [{ to, data }, "latest"]));
  if ((await Promise.all(held)).some((balance) => BigInt(String(balance)) > 0n)) return;
  for (const { address: token, decimals } of tokens)
    await control("faucet", { chainId, address: account, token, amount: String(TEST_TOKENS * 10n ** BigInt(decimals)) });
}
