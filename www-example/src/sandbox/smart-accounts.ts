import type { Address } from "verified-swap";
import { encodeBatch, type Call } from "./batches.js";
import { control, type SandboxChain } from "./control.ts";

/**
 * How an account signs. `key` has no code. `contract` is a smart account that a key controls; `mute` one whose wallet signs
 * nothing. `delegated` is a key's own account with code, `ready` one that delegates to code with its first batch.
 */
export type AccountKind = "key" | SmartKind;
/** Accounts that are more than a key, by the names that the page gives them. */
export const SMART = {
  contract: "Contract wallet (EIP-1271)",
  mute: "Contract wallet that cannot sign",
  delegated: "Delegated account (EIP-7702)",
  ready: "Account that can batch (EIP-7702, upgrades when first used)",
} as const;
/** A kind of smart account. */
export type SmartKind = keyof typeof SMART;

/** An account of the wallet. */
export interface WalletAccount {
  kind: AccountKind;
  address: Address;
  /** The account whose key the node holds for it. */
  signer: Address;
}

/** Whether a text names a kind of smart account. */
export const isSmart = (name: string): name is SmartKind => Object.hasOwn(SMART, name);

/** The account of a key. */
export const keyAccount = (address: Address): WalletAccount => ({ kind: "key", address, signer: address });

/** Has the sandbox make one on `chain`. */
export async function smartAccount({ chainId }: SandboxChain, kind: SmartKind, signer: Address): Promise<WalletAccount> {
  const madeAs = { contract: "contract", mute: "contract", delegated: "delegated", ready: "plain" }[kind];
  return { kind, address: await makeAccount(chainId, signer, madeAs), signer };
}

/** An account with code that `owner`'s key controls: one of its own, or the owner's; `plain`: without code again. */
export async function makeAccount(chainId: number, owner: Address, kind: string): Promise<Address> {
  const { address } = Object(await control("wallet", { chainId, owner, kind }));
  return address;
}

/** The transaction of the key so that its smart account makes these calls. */
export function throughAccount({ address, signer }: WalletAccount, calls: Call[]): Call {
  return { from: signer, to: address, data: encodeBatch(calls) };
}
