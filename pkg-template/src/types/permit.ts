import type { Address, Amount, Hex } from "./values.ts";
import type { Question } from "./report.ts";

/** An approval that is needed before `submit`. Pass it to `approve`. */
export interface Approval {
  /**
   * Which protocol's contract the spender is, or, if it is Permit2, whose contract takes its permits, or the contract whose permits it takes if it is Permit2. Spenders are not
   * interchangeable.
   */
  path: "delta" | "market" | "otc";
  /** The chain. */
  chainId: number;
  /** The token that may be taken. */
  token: Address;
  /** The account that approves. */
  owner: Address;
  /** The account that may take the token. */
  spender: Address;
  /**
   * Raw units to approve: what the order may spend, `forOpenOrders` and `claimed`. These two raise it to no more than the
   * account's balance.
   */
  amount: Amount;
  /** How many own open gasless orders of the token it covers, too: signed, not ended, not expired. */
  openOrders: number;
  /** The raw units for them. */
  forOpenOrders: Amount;
  /** The raw units that they take beyond the account's balance: not all of them can be filled. `"0"` if it suffices. */
  unfunded: Amount;
  /** The raw units that other open orders have claimed by the service's word; `"0"` without `coverOpenOrders`. */
  claimed: Amount;
  /** The allowance as read, raw units; null if it could not be read. */
  current: Amount | null;
  /** The token refuses to change a non-zero allowance, so it is set to zero first (two transactions). */
  resetFirst: boolean;
  /** The open questions of the build that it is for, by the same ids: `approve` asks nothing of the wallet before they are answered. */
  questions: Question[];
  /** Pass it on untouched. */
  sealed: string;
}

/**
 * `eip2612` is the token's own permit; the others are Permit2's. Gasless orders take all of them, Market the token's own
 * and `permit2Transfer`, OTC the token's own. Others: INVALID_INPUT.
 */
export type PermitKind = "eip2612" | "permit2Transfer" | "permit2Allowance" | "permit2Existing";

/** A signed permit. */
export interface Permit extends Pick<Approval, "chainId" | "token" | "spender"> {
  /** The kind of permit. */
  kind: PermitKind;
  /** The account that signed. */
  owner: Address;
  /** Raw units it covers. */
  amount: Amount;
  /** Unix seconds. */
  deadline: number;
  /** Null for `permit2Existing`, which signs nothing. */
  nonce: Amount | null;
  /** The bytes for the order or the calldata. */
  bytes: Hex;
  /** Pass it on untouched: it is good for one order of this client, and for none of another. */
  sealed: string;
}
