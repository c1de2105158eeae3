import { parseAddress, type Address } from "verified-swap";
import { makeWallet, type Chain } from "./sandbox.ts";
import { encodeBatch, type Call } from "./batches.js";

/* Accounts with code for the sandbox wallet: the ways in which a real one may sign, or not. */

/**
 * `key` has no code. `contract` is a smart account that one of the keys controls; `mute` one whose wallet signs
 * nothing. `ready` is that of a key, which delegates to code with its first batch.
 */
type AccountKind = "key" | SmartKind;
type SmartKind = "contract" | "mute" | "delegated" | "ready";
/** What can be chosen: the account of a key, or one with code, which is made then. */
export type AccountChoice = Address | SmartKind;

export interface WalletAccount {
  kind: AccountKind;
  address: Address;
  /** Whose key the node holds for it. */
  signer: Address;
}

export const KINDS: readonly SmartKind[] = ["contract", "mute", "delegated", "ready"];

export function keyAccount(address: Address): WalletAccount {
  return { kind: "key", address, signer: address };
}

/** Has the sandbox make one on `chain`. A delegated one is the key's own account, until that is chosen as it is. */
export async function smartAccount(chain: Chain, kind: SmartKind, signer: Address): Promise<WalletAccount> {
  const address = await makeWallet(chain.chainId, signer, MADE_AS[kind]);
  return { kind, address: parseAddress(address), signer };
}

const MADE_AS = { contract: "contract", mute: "contract", delegated: "delegated", ready: "plain" } as const;

/** What the key sends so that its smart account makes these calls. */
export function throughAccount({ address, signer }: WalletAccount, calls: Call[]): Call {
  return { from: signer, to: address, data: encodeBatch(calls) };
}
