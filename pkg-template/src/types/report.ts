import type { Hex } from "./values.ts";

/** The checks that were made, and the sentence for the user's consent. */
export interface Report {
  /**
   * The trade that the user is about to agree to, in one sentence. Written from addresses and the caller's symbols
   * only.
   */
  sentence: string;
  /** Every check, in order. */
  checks: Check[];
  /**
   * For an order or Market transaction: how far the guaranteed amount lies below the quote (BUY: the most spent above
   * it), in bps, slippage and fee included; 0 if it is better than the quote. Absent if there was no quote.
   */
  distanceBps?: number | undefined;
  /** For an order, Market transaction or fill: the judgement by reference prices. */
  price?: PriceReport | undefined;
  /** The questions for the user before `submit`; mostly none. */
  questions: Question[];
  /** EIP-712 domain separator. These three are present once there is typed data. */
  domainSeparator?: Hex | undefined;
  /** EIP-712 hash of the struct. */
  structHash?: Hex | undefined;
  /** The EIP-712 digest, which the wallet signs. */
  digest?: Hex | undefined;
  /**
   * The display of a hardware wallet, to be printed beside the prompt. Present once there is typed data; absent for a
   * transaction, because devices interpret its calldata in their own ways.
   */
  hardware?: HardwareScreen | undefined;
}

/**
 * Result of a check. `"ok"`: as requested. `"mismatch"`: not as requested, refused. `"opaque"`: cannot be judged from
 * outside. `"unknown"`: data is missing. `"unusual"`: as requested, but far from the usual price, or less when it was tried; shown, never refused.
 */
export type Verdict = "ok" | "mismatch" | "opaque" | "unknown" | "unusual";

/** One value that was compared. */
export interface Check {
  /** Path of the checked value, e.g. `order.beneficiary`. */
  field: string;
  /** The expected value, as text. */
  expected: string;
  /** The actual value, as text. */
  actual: string;
  /** The result. */
  verdict: Verdict;
}

/**
 * A question about a build that only the user can answer. It is answered by its id, in `approve`, `signPermit`, `submit`,
 * `trade` or `review.confirm`.
 */
export interface Question {
  /** The id, for `accept`. It holds for this build, also built again with a permit, and this reason. */
  id: string;
  /**
   * `"noReference"`: no source has a price of this pair. `"referenceSilent"`: one that has it is pinned or there, and
   * did not answer; or pools that cannot tell their past give more now. `"referencesDisagree"`: they lie further apart than
   * the limit, and the price meets only the one that asks for less. `"gasUnjudged"`: the price is below the limit, the gas
   * that the service states would explain it, and how much gas costs is not known. `"unlimitedPermit"`: the permit would be for everything,
   * for ever; only `verifyPermit` of `verified-swap/verify` asks that.
   * `"mayHaveBeenSent"`: the wallet was asked for this trade before, gave no hash, and no node knows of a transaction.
   * `"signatureUnread"`: an OTC order's signature is not of its maker's key, and the maker's code was not asked; only
   * `verifyFill` of `verified-swap/verify` asks that.
   * `"receiverUnbound"`: the order goes over a bridge by data that cannot be read, and which may name another receiver; if
   * `destination.arrival` is `"promised"`, also another amount. The answer is for this very build: `trade` carries it to no
   * renewed price.
   * `"slippageHigh"`: `slippageBps` is above 500 (5 %).
   * `"permitChainUnbound"`: the domain of a permit names no chain; only `verifyPermit` asks that, `signPermit` signs no such
   * permit.
   */
  reason:
    | "noReference" | "referenceSilent" | "referencesDisagree" | "gasUnjudged" | "unlimitedPermit" | "mayHaveBeenSent"
    | "signatureUnread" | "receiverUnbound" | "slippageHigh" | "permitChainUnbound";
  /**
   * The check that could not be made: `"quote.price"`, `"order.bridgeInput.price"`, `"permit"`, `"orders.signature"`,
   * `"order.bridge.protocolData"`, `"domain.chainId"`; or the option, `"options.slippageBps"`.
   */
  field: string;
  /** The question in words: which reference prices were asked for, and what came of each. */
  text: string;
  /** How far the price is below the seen ones, in bps. */
  belowBps?: number | undefined;
}

/**
 * The judgement of a trade by prices that do not come from the service. Prices are whole `destToken` for one whole
 * `srcToken`, decimal text of six digits.
 */
export interface PriceReport {
  /**
   * `"ok"`: within the limit. `"mismatch"`: below it; `build` refuses. `"unusual"`: below it, but by a limit of the
   * caller's own, or by gas: the sentence then says by how much. `"unknown"`: there is no reference price, references
   * disagree, or gas that cannot be valued may be the reason; see `report.questions`.
   */
  verdict: Verdict;
  /**
   * By how many bps the guaranteed amount (of a quote: the quoted one) is below the reference prices; negative:
   * above. Where they disagree, below the one that asks for more. Null without any.
   */
  belowBps: number | null;
  /** The accepted distance below, in bps: `maxPriceDeviationBps` and the slippage. */
  limitBps: number;
  /** Those that count, one vote each. */
  references: ReferencePrice[];
  /**
   * The sources without a reference price, and why: `"none"`, it is not there or knows no price of this pair;
   * `"noHistory"`, pools are there without a history, or were not deep in it; `"silent"`, it is pinned or there and did
   * not answer; `"unread"`, its chain could not be read; `"unasked"`, `reference: false`.
   */
  unanswered: { by: "pools" | "feeds" | "app"; why: "none" | "noHistory" | "silent" | "unread" | "unasked" }[];
  /**
   * The price at this moment, the most that pools give, if some deep ones have no history; else null. Anybody may have
   * moved it: it is shown, and judges nothing.
   */
  priceNow: string | null;
  /** In words: `"0.4 % below the 30-minute price of 2 pools (depth held 240 s) and price feeds"`. */
  text: string;
}

/** One reference price. */
export interface ReferencePrice {
  /** The source: the request's own prices, one asset in two tokens, pools, price feeds, or the app's `reference`. */
  by: "prices" | "asset" | "pools" | "feeds" | "app";
  /** The price: for pools the mean over `windowSecs`. */
  price: string;
  /** The mean of the last five minutes; for other references the same as `price`. */
  recentPrice: string;
  /**
   * The least that deep ways over pools ask, by their long or their recent price, whichever is lower. For other
   * references the same as `price`.
   */
  lowestPrice: string;
  /** The most that they ask in this way, or asked whenever their pools were read. */
  highestPrice: string;
  /** Seconds of the longest window in its pools' history, 300 to 1800; 0 for others. */
  windowSecs: number;
  /** For how many seconds its pools are known to be deep, by older blocks; 0 if only this one was seen, and for others. */
  heldSecs: number;
  /** The number of pools on the price's path; 0 for others. */
  pools: number;
}

/**
 * The display of a hardware wallet for typed data: the two hashes if it does not know the types ("blind signing"), else
 * each value. Devices differ in the casing of hashes.
 */
export interface HardwareScreen {
  /** The "domain hash": `report.domainSeparator`. */
  domainHash: Hex;
  /** The "message hash": `report.structHash`. */
  messageHash: Hex;
  /** The hash of both, which is signed; few devices show it. */
  digest: Hex;
  /** The name of the struct. */
  primaryType: string;
  /** Every value in the order in which wallets walk them, domain first. */
  fields: HardwareField[];
}

/** A value of typed data as devices print it. */
export interface HardwareField {
  /** The path: `domain.chainId`, `owner`, `bridge.outputToken`, `orderIds.0`. Devices show the last name alone. */
  path: string;
  /** Its type in Solidity. */
  type: string;
  /** Integers in decimal, addresses with their checksum, bytes as hex, `true` or `false`; hidden characters escaped. */
  value: string;
}
