import type { Address, BridgeTokens, ChainReferences } from "verified-swap";

/* The sandbox's own control surface. A page for a real chain would have none of this. */

export interface Token {
  chainId: number;
  symbol: string;
  name: string;
  address: Address;
  decimals: number;
  /** `native` marks the chain's native token, `unknown` one of no list, `unread` one whose decimals nobody has read. */
  kind: string;
  /** Of no list: the symbol that it gives itself. */
  calls?: string;
}

export interface Chain {
  chainId: number;
  name: string;
  /** Path of its JSON-RPC endpoint. */
  rpc: string;
  delta: Address;
  wrappedNative: Address;
  router?: Address;
  rfq?: Address;
  /** The contract that permits for every token that is approved for it. */
  permit2?: Address;
  tokens: Token[];
  /** Pools and price feeds: pinned for no sandbox. */
  references: ChainReferences;
}

export interface SandboxConfig {
  chains: Chain[];
  /** Unlocked on the node: it signs for them. */
  accounts: Address[];
  /** Tokens of two chains that are one asset: the bridges bring what enters them. */
  bridgeTokens: BridgeTokens[];
}

/** What the service can be made to falsify. */
export type Lie =
  | "receiver"
  | "minimum"
  | "spender"
  | "deadline"
  | "price"
  | "token"
  | "marketReceiver"
  | "marketTo";

/** The chains and accounts. Every address has its checksum: one way to write it, so that addresses compare as text. */
export async function readConfig(): Promise<SandboxConfig> {
  const response = await fetch("/sandbox/config");
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}.`);
  const config = (await response.json()) as SandboxConfig;
  const owned = (chain: Chain): Chain => ({
    ...chain,
    tokens: chain.tokens.map((token) => ({ ...token, chainId: chain.chainId })),
  });
  return { ...config, chains: config.chains.map(owned) };
}

/** The lie that was told last, which a page that crashed did not end. */
const TOLD = "sandbox-lie";

/** From now on every answer of the service carries this lie, until `endLie`. */
export async function tellLie(lie: Lie): Promise<void> {
  localStorage.setItem(TOLD, lie);
  if (lie === "token") await control("/sandbox/tamper", { ...OTHER_TOKEN, times: -1 });
  else await control("/sandbox/lie", { kind: lie });
}

export async function endLie(lie: Lie): Promise<void> {
  const [path, body] = honesty(lie);
  await control(path, body);
  localStorage.removeItem(TOLD);
}

/** What an earlier page told, and did not end. */
export async function endLieLeft(): Promise<void> {
  const lie = localStorage.getItem(TOLD);
  if (lie) await endLie(lie as Lie);
}

/** The same when the page is left, and no answer can be waited for. */
export function endLieOnLeaving(lie: Lie): void {
  const [path, body] = honesty(lie);
  localStorage.removeItem(TOLD);
  navigator.sendBeacon(path, JSON.stringify(body));
}

function honesty(lie: Lie): [path: string, body: object] {
  return lie === "token" ? ["/sandbox/tamper", { target: "build", times: 0 }] : ["/sandbox/lie", { kind: "none" }];
}

/** The order pays in a token of the attacker's own. */
const OTHER_TOKEN = {
  target: "build",
  patch: [{ op: "replace", path: "/toSign/value/destToken", value: "0xBaD0000000000000000000000000000000000BAD" }],
  rehash: true,
};

/** Mints test tokens. `amount` in raw units. */
export async function mint(chainId: number, address: Address, token: Address, amount: string): Promise<void> {
  await control("/sandbox/faucet", { chainId, address, token, amount });
}

/**
 * An account with code that `owner`'s key controls: a smart account of its own, or the owner's own; `plain`: without
 * code again.
 */
export async function makeWallet(
  chainId: number,
  owner: Address,
  kind: "contract" | "delegated" | "plain",
): Promise<string> {
  const { address } = (await control("/sandbox/wallet", { chainId, owner, kind })) as { address: string };
  return address;
}

async function control(path: string, body: object): Promise<unknown> {
  const response = await fetch(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`The sandbox answered ${response.status}: ${await response.text()}`);
  return response.json().catch(() => null);
}
