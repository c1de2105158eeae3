import { parseAddress, type Address } from "verified-swap";
import { makeWallet, type Chain } from "../sandbox.ts";

/* Accounts with code for the sandbox wallet: the ways in which a real one may sign, or not. */

/**
 * `key` has no code. `contract` is a smart account that one of the keys controls; `mute` one whose wallet signs
 * nothing.
 */
export type AccountKind = "key" | SmartKind;
export type SmartKind = "contract" | "mute" | "delegated";
/** What can be chosen: the account of a key, or one with code, which is made then. */
export type AccountChoice = Address | SmartKind;

export interface WalletAccount {
  kind: AccountKind;
  address: Address;
  /** Whose key the node holds for it. */
  signer: Address;
}

export const SMART: readonly (readonly [SmartKind, string])[] = [
  ["contract", "Contract wallet (EIP-1271)"],
  ["mute", "Contract wallet that cannot sign"],
  ["delegated", "Delegated account (EIP-7702)"],
];

export function keyAccount(address: Address): WalletAccount {
  return { kind: "key", address, signer: address };
}

/** Has the sandbox make one on `chain`. The delegated one is the key's own account, until that is chosen as it is. */
export async function smartAccount(chain: Chain, kind: SmartKind, signer: Address): Promise<WalletAccount> {
  const address = await makeWallet(chain.chainId, signer, kind === "delegated" ? "delegated" : "contract");
  return { kind, address: parseAddress(address), signer };
}

const EXECUTE_SELECTOR = "b61d27f6";
/** Where the bytes begin, behind the three members. */
const DATA_OFFSET = 96n;

/** What the key sends so that its smart account does: `execute(address to, uint256 value, bytes data)`. */
export function throughAccount(
  { address, signer }: WalletAccount,
  { to = "", value = "0x0", data = "0x" }: Record<string, string>,
): Record<string, string> {
  const bytes = data.slice(2);
  const padded = bytes.padEnd(Math.ceil(bytes.length / 64) * 64, "0");
  const words = [BigInt(to), BigInt(value), DATA_OFFSET, BigInt(bytes.length / 2)].map((word) =>
    word.toString(16).padStart(64, "0"),
  );
  return { from: signer, to: address, data: `0x${EXECUTE_SELECTOR}${words.join("")}${padded}` };
}
