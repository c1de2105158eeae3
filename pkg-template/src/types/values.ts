/** Bytes as hex text with `0x`. */
export type Hex = `0x${string}`;

/**
 * 20 bytes as hex text with `0x`. Out: with the EIP-55 checksum. In: any casing whose checksum, if it has one, is
 * right.
 */
export type Address = `0x${string}`;

/** Raw token units, decimal, no sign, no exponent, at most 2^256 - 1. */
export type Amount = string;

/** The input form of amounts. Numbers are refused: they lose digits above 2^53. */
export type AmountInput = bigint | string;

/** `"SELL"`: the sold amount is fixed. `"BUY"`: the bought amount is fixed. */
export type Side = "SELL" | "BUY";

/** A transaction for the user's wallet, verified against the request. */
export interface Transaction {
  /** The sender. */
  from: Address;
  /** The contract that is called. */
  to: Address;
  /** Native token sent along, in wei. */
  value: Amount;
  /** Calldata. */
  data: Hex;
  /** The chain it is for. */
  chainId: number;
}

/** EIP-712 typed data, as wallets take it. */
export interface TypedData {
  /** Struct types by name, `EIP712Domain` included. */
  types: Record<string, { name: string; type: string }[]>;
  /** The struct that is signed. */
  primaryType: string;
  /** The contract and chain it is for. */
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  /** The values; integers as decimal text. */
  message: Record<string, unknown>;
}
