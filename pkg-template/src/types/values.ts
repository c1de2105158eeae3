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

/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call: it rejects with ABORTED, and with the signal's reason as `cause`. A wallet prompt that is open
   * stays open.
   */
  signal?: AbortSignal | undefined;
  /**
   * Whether a request to the service may wait for any time until the rate limit has room for it. Default false: the call
   * is RATE_LIMITED, with `retryAfterSecs`, as soon as it is known to wait longer than 30 s. `watch` and `wait` slow
   * down instead.
   */
  waitForRateLimit?: boolean | undefined;
}

/** The tokens of a trade to come. A {@link QuoteRequest} fits: members beside these are left alone. */
export interface Pair {
  /** The chain of `srcToken`. */
  chainId: number;
  /** The token to sell. */
  srcToken: string;
  /** The token to buy. */
  destToken: string;
  /** The chain of `destToken`; default `chainId`. */
  destChainId?: number | undefined;
  /** The account that will trade; default the client's, else the first that the wallet offers unasked. */
  account?: string | undefined;
}
