import type { Address, Amount, AmountInput, CallOptions, Hex, Transaction, TypedData } from "./values.ts";
import type { Report } from "./report.ts";
import type { Approval, Permit } from "./permit.ts";
import type { NormalizedRequest } from "./request.ts";
import type { Arrival, TwapPlan } from "./quote.ts";

/** A limit in raw units. */
interface LimitAmount {
  /**
   * LIMIT, in raw units. SELL: the least bought; TWAP: of one slice; crosschain: of what leaves the source chain. BUY: the
   * most sold.
   */
  limitAmount: AmountInput;
  limitPrice?: undefined;
  maxSrcAmount?: undefined;
  slippageBps?: undefined;
}

/** A limit as a price. */
interface LimitPrice {
  /**
   * LIMIT on one chain: `limitAmount` as a price, whole destination tokens per whole source token, decimal text.
   * Computed exactly, and rounded in the user's favour.
   */
  limitPrice: string;
  limitAmount?: undefined;
  maxSrcAmount?: undefined;
  slippageBps?: undefined;
}

/** The most that a purchase in slices spends. */
interface MostSpent {
  /**
   * TWAP BUY, required there: the most that all slices together may spend. It bounds the price: take it from the user, not
   * from the quote.
   */
  maxSrcAmount: AmountInput;
  limitAmount?: undefined;
  limitPrice?: undefined;
  slippageBps?: undefined;
}

/** A distance from the quote. */
interface Slippage {
  /** How far the order may settle from the quote, 0..10000 bps. Above 500 (5 %) the build has a question (`"slippageHigh"`). */
  slippageBps: number;
  limitAmount?: undefined;
  limitPrice?: undefined;
  maxSrcAmount?: undefined;
}

/**
 * How far an order may settle from its quote, or its limit: exactly one member. There is no default; where none is stated,
 * TypeScript names `slippageBps` as what is missing.
 */
export type StatedPrice = LimitAmount | LimitPrice | MostSpent | Slippage;

/** A duration. */
interface ValidFor {
  /**
   * How long the order is valid, or a transaction may be sent, in seconds by the chain's clock. Default 1200 (20 min), for a
   * limit too. TWAP: at least `numSlices` * `intervalSecs`, default 600 more. For an order of more than 86 400 use `deadline`.
   */
  validForSecs?: number | undefined;
  deadline?: undefined;
}

/** A moment. */
interface Until {
  /**
   * In place of `validForSecs`: unix seconds by the chain's clock (not `Date.now()`). The service gets it, too, but the
   * router's call has no deadline: a Market transaction that was sent and is not mined does not expire.
   */
  deadline: number;
  validForSecs?: undefined;
}

/** Until when an order is valid, or a transaction is sent. */
export type StatedTime = ValidFor | Until;

/** Options of `build` for a gasless quote, beside its price (`StatedPrice`), which is required, and its time (`StatedTime`). */
export interface BuildOptions extends CallOptions {
  /**
   * Refuse an order or transaction that guarantees less than this: raw units after the fee, of all slices together. Crosschain: in
   * units of the token that arrives. If that amount is only promised (`quote.arrival`), nothing can be guaranteed, but
   * a quote that expects less is refused. Default: none.
   */
  minReceived?: AmountInput | undefined;
  /** Refuse an order or transaction that may spend more than this, raw units. Default: none. */
  maxSpent?: AmountInput | undefined;
  /** The owner, if neither request nor client names one. */
  account?: Address | undefined;
  /** `"LIMIT"`: waits until the price is reached. Default `"MARKET"`; with a limit, `"LIMIT"`. */
  type?: "MARKET" | "LIMIT" | undefined;
  /**
   * Whether the order may be filled in parts (`FillableOrder`). Not for TWAP or `advanced.external`. Such an order is tracked by
   * its hash, not its nonce: of two that are signed, both can fill. Takes no `permit2Transfer`. Default false.
   */
  partiallyFillable?: boolean | undefined;
  /**
   * A signed permit in place of an approval. Not for LIMIT and TWAP. With `permit2Transfer` the order's deadline is the
   * permit's; another one is INVALID_INPUT. A permit for another chain, token, owner or contract, or for less than what
   * is sold, is INVALID_INPUT at `options.permit.<member>`.
   */
  permit?: Permit | undefined;
  /**
   * The least that must enter the bridge, after the fee, of all slices together. One of three consents to a promised
   * arrival; see `acceptUnguaranteedArrival`.
   */
  minBridgeInput?: BridgeInputAmount | undefined;
  /**
   * Accept that only the bridge states the amount that arrives (`quote.arrival` is `"promised"`). Such an order needs
   * one of three consents: `minBridgeInput`, your own prices, or `true` here; without one: INVALID_INPUT. Default
   * false.
   */
  acceptUnguaranteedArrival?: boolean | undefined;
  /**
   * Whether to raise the approval also by what open limit orders that this client does not know have claimed of the
   * token, by the service's word, at most to the account's balance. The own open orders of the journal are covered in
   * any case. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean | undefined;
  /**
   * The choice if an order for the same trade is signed and may still be filled. `"replace"`: this one gets the same
   * nonce, so only one of the two is filled (not for orders in parts or TWAP). `"keepBoth"`: a nonce of its own, so
   * both are filled. Default: the same nonce, and `submit` throws ALREADY_SIGNED. `submit` needs no `existing` then.
   * `"replace"` is ALREADY_SIGNED if the first was filled or cancelled meanwhile, and INVALID_INPUT if nothing is
   * signed.
   *
   * The same trade means: same owner, beneficiary, chains, tokens, amount, side, type, kind, limit, slices and handler.
   * Slippage, bounds and times do not count. To change a limit's price, cancel the first order: `"replace"` does not
   * reach it.
   */
  existing?: "replace" | "keepBoth" | undefined;
  /** Options that few apps need. */
  advanced?: AdvancedBuildOptions | undefined;
}

/** `advanced` of `BuildOptions`. */
export interface AdvancedBuildOptions {
  /** Crosschain: index into the quote's `alternatives`. Default: the quote's own route. */
  route?: number | undefined;
  /** Bytes carried in the order, at most 1024. Default: none. */
  metadata?: Hex | undefined;
  /**
   * Whether the partner may keep half of what exceeds the expected amount. Not with `partnerFeeBps`.
   * Default: `agreement.takesSurplus`, else false.
   */
  takeSurplus?: boolean | undefined;
  /** Whether the surplus that is kept is capped at 1 %. Default true, unless `agreement.capSurplus` is false. */
  capSurplus?: boolean | undefined;
  /** The account that referred the user: posted beside the order, not part of what is signed. Default: none. */
  referrerAddress?: Address | undefined;
  /**
   * An order that another contract handles (`ExternalOrder`); that contract decides who receives. MARKET, on one
   * chain, not TWAP. A `beneficiary` is sent to the service but is not part of what is signed. Delta takes nothing from
   * the owner, so balance and allowance of `srcToken` are not checked. `prerequisite` states what the handler takes; it
   * is checked on chain before the prompt (INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE), and the app has to approve
   * it.
   */
  external?: { handler: Address; data: Hex; prerequisite?: Prerequisite | undefined } | undefined;
  /**
   * Your own price of one whole token of the bridge input, in US dollars, decimal text. With the request's
   * `advanced.srcPriceUsd` it is a consent: the bridge input may then be worth at most `maxLossBps` less than the sold amount.
   */
  bridgeInputPriceUsd?: string | undefined;
  /**
   * Decimals of the bridge input's token. Common tokens are known, and another number is refused for them; else they
   * are read on the source chain. Needed only if that cannot be read.
   */
  bridgeInputDecimals?: number | undefined;
  /**
   * Whether to refuse a build that takes more than the account has (INSUFFICIENT_BALANCE). For the native token, its
   * deposit counts, too. Not with `external`, and not if the chain cannot be read: `submit` refuses in any case.
   * Default false: an order may be built before its owner has the tokens. `trade` always sets it, before the review.
   */
  requireBalance?: boolean | undefined;
  /** An order into a yield strategy (`ProductiveOrder`). Always refused: its typed data is not published. */
  productive?: { strategy: Address; useShares?: boolean | undefined } | undefined;
}

/** An amount of the token that enters a bridge. */
export interface BridgeInputAmount {
  /** The token, on the source chain. */
  token: Address;
  /** Raw units. */
  amount: AmountInput;
}

/**
 * The tokens that a handler takes from the owner, such as a lending market's deposit token. The owner must hold and
 * approve them.
 */
export interface Prerequisite {
  /** An ERC-20 token. */
  token: Address;
  /** The contract that takes it; usually the handler. */
  spender: Address;
  /** Raw units. */
  amount: AmountInput;
}

/** Members of every build. */
export interface Build {
  /** The chain on which it is signed or sent. */
  chainId: number;
  /** The account that signs or sends, and pays. */
  owner: Address;
  /** The sentence, and the checks that were made. */
  report: Report;
  /** The approval that is needed first; null if the allowance suffices, or none is needed. */
  approval: Approval | null;
  /** The verified payload. Pass it on untouched. */
  sealed: string;
}

/** Members of the build of a quote. */
interface TradedBuild extends Build {
  /** The request it answers. */
  request: NormalizedRequest;
  /** The account that receives. */
  beneficiary: Address;
  /** The contract that takes the tokens: Delta's, or the router. */
  spender: Address;
  /** The most that leaves the owner, raw units. */
  maxSpent: Amount;
  /** The least the beneficiary receives, raw units after the fee. */
  minReceived: Amount;
  /** The fee inside the order or the call, in bps. */
  feeBps: number;
  /** Unix seconds by the chain's clock: until when an order can be filled, and `submit` sends a transaction. */
  deadline: number;
}

/** A gasless order, verified and ready to sign. */
export interface DeltaBuild extends TradedBuild {
  /** Tells it from other builds. */
  kind: "delta";
  /** The struct that is signed. */
  orderKind: "Order" | "FillableOrder" | "TWAPOrder" | "TWAPBuyOrder" | "ExternalOrder";
  /** Whether it fills at the market or waits for its limit. */
  type: "MARKET" | "LIMIT";
  /** EIP-712 digest, which is signed, and the order's key at the service. */
  orderHash: Hex;
  /** The least the order pays out, raw units before the fee. */
  minDestAmount: Amount;
  /** The order's nonce: 256 random bits, the same for every build of one intent. */
  nonce: Amount;
  /** The typed data, exactly as the wallet will get it to sign. */
  typedData: TypedData;
  /** TWAP only: how the total is split. */
  twap?: TwapPlan | undefined;
  /** Crosschain: where it arrives. Amounts above are on the source chain. */
  destination?: {
    chainId: number;
    token: Address;
    decimals: number;
    /**
     * The least that arrives, if the bridge delivers at its quoted cost; null if that is only promised.
     */
    minReceived: Amount | null;
    arrival: Arrival;
    /** The arriving amount by the quote after the fee, of all slices together. */
    expected: Amount;
    /** The bridge input: at least `least` raw units, after the fee. `decimals` is null if unknown. */
    bridgeInput: { token: Address; decimals: number | null; least: Amount };
  } | undefined;
}

/** Options of `build` for a Market quote, and for a Market request, beside its time (`StatedTime`). */
export interface MarketBuildOptions extends CallOptions, Pick<BuildOptions, "minReceived" | "maxSpent" | "account"> {
  /** How far the trade may settle from the quote, 0..10000 bps. Required. Above 500 (5 %) the build has a question. */
  slippageBps: number;
  /** Always `"MARKET"`: a transaction cannot wait for a price. */
  type?: "MARKET" | undefined;
  /** A signed permit in place of an approval. */
  permit?: Permit | undefined;
  /**
   * Whether the transaction is tried on the node, behind the approval that it lacks, before the build is returned. The report
   * then has what it does to the balances of owner and receiver, as checks `outcome.*`: `"unusual"` where that is less than
   * promised, `"unknown"` where it could not be tried. Nothing is refused because of it. One more question to the node.
   * Default false.
   */
  tryOutcome?: boolean | undefined;
  /** Options that few apps need. */
  advanced?: AdvancedMarketBuildOptions | undefined;
}

/** `advanced` of `MarketBuildOptions`. */
export interface AdvancedMarketBuildOptions extends Pick<AdvancedBuildOptions, "requireBalance" | "capSurplus"> {
  /**
   * Whether the partner collects the surplus over the quote. Not with `partnerFeeBps`. Default:
   * `agreement.takesSurplus`, else false.
   */
  takeSurplus?: boolean | undefined;
  /** Whether the surplus over the quote is the user's. Default false. */
  surplusToUser?: boolean | undefined;
  /** Whether the partner's fee is paid at once, not kept in the fee vault. Default false. */
  directFeeTransfer?: boolean | undefined;
  /** The sender of the transaction, if it is not the account that calls the router. */
  txOrigin?: Address | undefined;
  /**
   * 4-byte selectors of router methods that the caller accepts unread. Methods beyond version 6.2: their tokens and
   * amounts cannot be read. Methods of version 6.2: those for which the router itself does not enforce the least
   * amount, `0x987e7d8e` (a stability module that is not known) and `0xda35bb0d` (buying the native token from makers).
   * Default: none.
   */
  allowSelectors?: Hex[] | undefined;
  /** Whether the service leaves out its estimate of gas (`suggestedGas`). Default false. */
  ignoreGasEstimate?: boolean | undefined;
  /** Whether the service suggests EIP-1559 gas prices. Default: as the service decides. */
  eip1559?: boolean | undefined;
  /** Gas price in wei for the service's suggestion. */
  gasPriceWei?: AmountInput | undefined;
  /**
   * The name of the referrer, 1 to 64 characters of any text; only for a quote. An address may count the trade as
   * referred.
   */
  referrer?: string | undefined;
  /** Whether the service leaves out its check of the allowance. Default false. */
  ignoreAllowance?: boolean | undefined;
  /**
   * Whether the service leaves out its checks of balance and allowance. Default: yes, unless the chain says that they
   * would succeed.
   */
  ignoreChecks?: boolean | undefined;
}

/** A router transaction, verified and ready to send. */
export interface MarketBuild extends TradedBuild {
  /** Tells it from other builds. */
  kind: "market";
  /** The router's method. */
  contractMethod: string;
  /** The transaction, exactly as the wallet will get it to send. */
  transaction: Transaction;
  /**
   * The service's suggestions, for display: gas units, prices in wei. Never sent, because a lying server could waste
   * the user's native token; the wallet estimates.
   */
  suggestedGas: {
    gas: string | null;
    gasPrice: string | null;
    maxFeePerGas: string | null;
    maxPriorityFeePerGas: string | null;
  };
}

/** Options of `build` for a build. */
export interface RebuildOptions extends CallOptions {
  /** The permit from `signPermit` for that build. */
  permit: Permit;
}

/** A transaction built here: a fill, a cancellation, a withdrawal, or an allowance taken back. */
export interface TransactionBuild extends Build {
  /** Tells it from other builds. */
  kind: "transaction";
  /** The purpose of the transaction. */
  purpose: "fill" | "cancel" | "withdraw" | "revoke";
  /** The transaction, exactly as the wallet will get it to send. */
  transaction: Transaction;
}
