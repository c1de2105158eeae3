import type { Address, Amount, AmountInput, CallOptions, Hex } from "./values.ts";
import type { PermitKind } from "./permit.ts";
import type { TransactionBuild } from "./build.ts";
import type { AccountQuery, BalanceQuery } from "./info.ts";
import type { PromptOptions } from "./submit.ts";

/** Options of `approve`. */
export interface ApproveOptions extends PromptOptions {
  /** Same as `SubmitOptions.accept`, of `approval.questions`. */
  accept?: string[] | undefined;
  /** Approve more than needed, raw units; `"unlimited"` is 2^256 - 1. Default: `approval.amount`. */
  amount?: AmountInput | "unlimited" | undefined;
  /** Same as in `AdvancedClientOptions`: a token's reset and its approval in one prompt. */
  batch?: "auto" | "never" | undefined;
  /**
   * `"allowed"`: resolves once the allowance suffices. `"sent"`: once the wallet sent the approval; `submit` of a gasless
   * order or an OTC order then has it signed meanwhile, and posts it after the approval. For an account with
   * code, and for several calls in one prompt, the end is waited for all the same. Default `"allowed"`.
   */
  until?: "allowed" | "sent" | undefined;
  /** Same as `SubmitOptions.withoutJournal`. Default false. */
  withoutJournal?: boolean | undefined;
}

/** The result of `approve`. */
export interface ApprovalResult {
  /** Hashes of the transactions sent; empty if none was needed. */
  transactions: Hex[];
  /** The allowance now, raw units; with `until: "sent"` as it was before the approval. */
  allowance: Amount;
}

/** Options of `signPermit`. */
export interface PermitOptions extends PromptOptions {
  /** Same as `SubmitOptions.accept`, for a build. */
  accept?: string[] | undefined;
  /** The kind of permit. */
  kind: PermitKind;
  /**
   * Raw units it covers. Default: the amount that the quote spends, and that of own open orders (`eip2612`, gasless); for an
   * OTC order, all of it. A build states its own amount: neither this nor `slippageBps`.
   */
  amount?: AmountInput | undefined;
  /** Quote of a BUY, required unless `amount` is given: how much more than the quote's `srcAmount` it covers, in bps. */
  slippageBps?: number | undefined;
  /**
   * The most it may cover, raw units; above that VERIFY_MISMATCH at `permit.amount`. BUY: required unless `amount` is
   * given or the quote was judged by your own prices (`advanced.srcPriceUsd`, `advanced.destPriceUsd`), because the cost of a purchase is
   * the service's word.
   */
  maxSpent?: AmountInput | undefined;
  /**
   * Unix seconds. Default: the build's; else 1800 s from now by the chain's clock (Market with `permit2Transfer`: 1200 s,
   * which is also the most), and required if that is more than an hour ahead of this machine's clock. A gasless order may
   * not outlive its permit; with `permit2Transfer` it has this very deadline.
   */
  deadline?: number | undefined;
  /** The account that signs. Default: the owner of the build, quote or order, else the client's account. */
  account?: Address | undefined;
}

/**
 * `client.approvals`: what the service's contracts may take of an account's tokens, and how to take that back. The approval
 * that a trade needs comes with its build: `client.approve` takes that. Functions in a plain object, which may be taken off it, like the
 * client's.
 */
export interface ApprovalsCalls {
  /**
   * Raw units of `token` that the Delta contract (or `spender`) may take from `account`. Throws UNSUPPORTED_CHAIN; asks
   * the chain.
   */
  allowance(query: AllowanceQuery, options?: CallOptions): Promise<Amount>;
  /**
   * The allowances of an account to the service's contracts, today's and the operator's old ones: by `approve`, and
   * through Permit2. Only allowances that can still be used. There is no list of a chain's tokens: the query's are
   * read, else those that this package and the journal know, and those with an approval in the chain's logs, as far
   * back as the node returns them (`fromBlock`). Throws UNSUPPORTED_CHAIN, and without tokens in the query
   * JOURNAL_UNREADABLE; asks the chain.
   */
  list(query: AllowancesQuery, options?: CallOptions): Promise<Allowances>;
  /**
   * The transaction that takes an allowance back: the token's `approve(spender, 0)`, or Permit2's. Throws
   * UNSUPPORTED_CHAIN, INVALID_INPUT (the spender is no contract of the service, or nothing is allowed any more); asks
   * the chain.
   */
  buildRevoke(allowance: RevokeRequest | Allowance, options?: CallOptions): Promise<TransactionBuild>;
  /**
   * The allowance, in raw units, that covers this amount and what the open orders of that path claim, limited to what
   * the account holds. Asks the service and the chain, which must be readable; throws accordingly.
   */
  needed(query: AllowanceNeededQuery, options?: CallOptions): Promise<Amount>;
}

/** Input of `approvals.allowance`. */
export interface AllowanceQuery extends BalanceQuery {
  /** The spender. Default: the Delta contract. */
  spender?: Address | undefined;
}

/** Input of `approvals.list`. */
export interface AllowancesQuery extends AccountQuery {
  /** Only these tokens, at most 64. Then no logs are read. Default: all that can be found. */
  tokens?: Address[] | undefined;
}

/** The answer of `approvals.list`. */
export interface Allowances {
  /** Chain of the tokens. */
  chainId: number;
  /** The account whose allowances are listed. */
  account: Address;
  /**
   * The first block from which the chain's logs were read. An earlier approval is here only if its token is known
   * otherwise. 0: all logs were read. Null: none were, because tokens were named or the node returns none.
   */
  fromBlock: number | null;
  /** The allowances that can be used now. */
  allowances: Allowance[];
  /** Tokens that gave no answer, or were found after 64 others: nothing is known of them. At most 256 are named. */
  unread: Address[];
}

/** The allowance of one contract for one token. */
export interface Allowance extends RevokeRequest {
  /** The account that allowed it. */
  account: Address;
  /** `erc20`: the token was approved for the spender. `permit2`: Permit2 lets the spender take it. */
  kind: "erc20" | "permit2";
  /** The token's decimals: those that the package knows, else by its own contract; null if that does not say. */
  decimals: number | null;
  /** The contract's purpose, today or in the past. */
  contract: "delta" | "market" | "otc";
  /** The contract's name in sentences, such as `old Market router (Augustus v6.0)`. */
  name: string;
  /** Whether trades of today need it. False for the operator's old contracts, and for one that `contracts` replaces. */
  isCurrent: boolean;
  /**
   * Whether the query, this package or the journal names the token. If not, only logs do: anybody can make a token that
   * logs approvals by others. Do not trust its name.
   */
  isKnown: boolean;
  /** The usable allowance, raw units, as long as the account has it. */
  amount: Amount;
  /** Whether that is an amount that wallets and apps approve as unlimited. */
  isUnlimited: boolean;
  /** For Permit2: the last second in which it may be taken, unix seconds. Null: it does not end. */
  expiration: number | null;
}

/** Input of `approvals.buildRevoke`. */
export interface RevokeRequest {
  /** Chain of the token. */
  chainId: number;
  /** The account that allowed it, and sends the transaction. Default: the client's account. */
  account?: Address | undefined;
  /** The token. */
  token: Address;
  /** The contract that may take it: one of the service, of today or an old one. */
  spender: Address;
  /** `erc20`: the token was approved for the spender. `permit2`: Permit2 lets the spender take it. Default `"erc20"`. */
  kind?: "erc20" | "permit2" | undefined;
}

/** Input of `approvals.needed`. */
export interface AllowanceNeededQuery extends AccountQuery {
  /** The token to be spent. */
  token: string;
  /** Raw units that the new order spends; `"0"` for what the open orders alone need. */
  amount: AmountInput;
  /** The kind of open orders that count. Default `"delta"`. */
  path?: "delta" | "otc" | undefined;
}
