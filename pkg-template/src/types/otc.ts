import type { Address, Amount, AmountInput, CallOptions, Hex, TypedData } from "./values.ts";
import type { Permit } from "./permit.ts";
import type { QuoteRequest } from "./request.ts";
import type { Build, MarketBuildOptions, TransactionBuild } from "./build.ts";
import type { FillableBalanceQuery } from "./info.ts";
import type { Page } from "./orders.ts";

/**
 * `client.otc`: a maker's signed offers, which takers fill on chain. `submit` posts what `build` returns, and sends what
 * `buildFill` and `buildCancellation` do. Functions in a plain object, which may be taken off it, like the client's.
 */
export interface OtcCalls {
  /**
   * An OTC order of the maker, ready to sign. It is built here, not by the service. Throws UNSUPPORTED_CHAIN; asks the
   * chain where it can be read.
   */
  build(request: OtcRequest, options?: OtcBuildOptions): Promise<OtcBuild>;
  /**
   * One OTC order by its hash, which is verified. Throws SERVICE_REJECTED with `status` 404 for an unknown order,
   * SERVICE_MALFORMED if another order is returned; asks the service.
   */
  order(orderHash: Hex, options?: CallOptions): Promise<OtcOrder>;
  /**
   * A page of a maker's OTC orders, or of those addressed to a taker. An order of another account or chain, or
   * one that contradicts its own hash, is SERVICE_MALFORMED, with its place in `field`. Asks the service, and throws
   * accordingly.
   */
  orders(filter: OtcFilter & OtcParty, options?: CallOptions): Promise<OtcPage>;
  /**
   * The rest of an OTC order by the RFQ contract: raw units of the maker's asset, 0 if it is filled or cancelled. It
   * does not include whether the maker still holds and allows that much, or whether the order has expired. Pass it to
   * `summarizeOtcOrder`. Throws VERIFY_MISMATCH if the order does not match its hash, UNSUPPORTED_CHAIN; asks the
   * chain, which must be readable.
   */
  remaining(order: OtcOrder, options?: CallOptions): Promise<Amount>;
  /** The same for 1 to 100 orders of one chain, in their order, read at the same time. */
  remaining(orders: OtcOrder[], options?: CallOptions): Promise<Amount[]>;
  /**
   * A transaction that fills an OTC order, or several of one pair, verified against the shown orders and the chain.
   * Throws VERIFY_MISMATCH (filled by now, not signed by its maker, not covered), UNSUPPORTED_CHAIN; asks the chain.
   */
  buildFill(order: OtcOrder | OtcOrder[], options?: FillOptions): Promise<TransactionBuild>;
  /** A transaction of the maker that cancels OTC orders. Throws VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks the chain. */
  buildCancellation(order: OtcOrder | OtcOrder[], options?: CallOptions): Promise<TransactionBuild>;
  /**
   * Raw units that live OTC orders have claimed, by checksummed maker asset. Asks the service, and throws accordingly.
   */
  fillableBalance(query: FillableBalanceQuery, options?: CallOptions): Promise<Record<Address, Amount>>;
}

/** Decimals and symbols of an OTC order's tokens, as those of a `QuoteRequest`. */
export interface OtcNames {
  /** Decimals of the maker's asset, same as `QuoteRequest.srcDecimals`. */
  makerDecimals?: number | undefined;
  /** Decimals of the taker's asset, likewise. */
  takerDecimals?: number | undefined;
  /** Symbol of the maker's asset for the sentence, same as `QuoteRequest.srcSymbol`. */
  makerSymbol?: string | undefined;
  /** The same for the taker's asset. */
  takerSymbol?: string | undefined;
}

/** An OTC order, as the maker asks for it. */
export interface OtcRequest extends OtcNames {
  /** The chain. */
  chainId: number;
  /** The ERC-20 token the maker gives. */
  makerAsset: Address;
  /** The ERC-20 token the maker wants. */
  takerAsset: Address;
  /** Raw units the maker gives. */
  makerAmount: AmountInput;
  /** Raw units the maker wants. */
  takerAmount: AmountInput;
  /** Name of the chain for the sentence, same as in `AdvancedQuoteRequest`. */
  chainName?: string | undefined;
  /** The maker. Default: the client's account. */
  maker?: Address | undefined;
  /** The account that may fill it. Default: anyone. */
  taker?: Address | undefined;
  /** The expiry, unix seconds; 0: never. */
  expiry: number;
  /** The nonce, below 2^96. Default: random. */
  nonce?: AmountInput | undefined;
}

/** Input of `otc.build`. */
export interface OtcBuildOptions extends CallOptions {
  /**
   * Whether to raise the approval by the amount of the asset that the maker's open OTC orders have claimed, at most to
   * the maker's balance. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean | undefined;
}

/** The struct of an OTC order. */
export interface OtcOrderFields {
  /** Nonce, and in the low 160 bits the taker, if one is named. */
  nonceAndMeta: Amount;
  /** The expiry, unix seconds; 0: never. */
  expiry: number;
  /** The token the maker gives. */
  makerAsset: Address;
  /** The token the maker wants. */
  takerAsset: Address;
  /** The account that gives and signs. */
  maker: Address;
  /** The account that may fill it; the zero address: anyone. */
  taker: Address;
  /** Raw units the maker gives. */
  makerAmount: Amount;
  /** Raw units the maker wants. */
  takerAmount: Amount;
}

/** An OTC order, ready to sign. */
export interface OtcBuild extends OtcOrderFields, Omit<Build, "owner"> {
  /** Tells it from other builds. */
  kind: "otc";
  /** The request with defaults filled in, without `nonce`, amounts as text: the input of `submit` after a reload. */
  request: OtcRequest & { makerDecimals: number; takerDecimals: number };
  /** The RFQ contract. */
  spender: Address;
  /** EIP-712 digest, which is signed, and the order's key. */
  orderHash: Hex;
  /** The typed data, exactly as the wallet will get it to sign. */
  typedData: TypedData;
}

/** State of an OTC order. The service may add others. */
export type OtcState = "DRAFT" | "PENDING" | "FULFILLED" | "CANCELLED" | "SUSPENDED" | "EXPIRED" | (string & {});

/**
 * An OTC order as the service stores it. Members unknown to this package are kept. `orderHash` and `state` are always
 * there. `OtcOrderFields` hash to `orderHash`, unless the order is `unverified`. The signature is checked when the
 * order is passed on.
 */
export interface OtcOrder extends OtcOrderFields {
  /** The chain. */
  chainId: number;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** The maker's signature. */
  signature: Hex;
  /** Its state, by the service. */
  state: OtcState;
  /** `"P2P"` if a taker is named, else `"LIMIT"`. */
  type?: "P2P" | "LIMIT" | (string & {}) | undefined;
  /** Hash of the last fill or the cancellation. */
  transactionHash?: Hex | null | undefined;
  /** Raw units of the maker's asset that are not filled yet. */
  fillableBalance?: Amount | undefined;
  /** Raw units of the maker's asset that can be filled now. */
  swappableBalance?: Amount | undefined;
  /** The maker's permit, posted in place of an approval. */
  permitMakerAsset?: Hex | null | undefined;
  /** When it was posted, unix seconds. */
  createdAt?: number | undefined;
  /** When it last changed, unix seconds. */
  updatedAt?: number | undefined;
  /** It cannot be hashed here: a member is missing, its tokens have ids, or the contract is not known. */
  unverified?: true | undefined;
  [member: string]: unknown;
}

/** Input of `otc.orders`, beside its `OtcParty`. */
export interface OtcFilter {
  /** The chain. */
  chainId: number;
  /** Only orders of this type. Default: both. */
  type?: "P2P" | "LIMIT" | undefined;
  /** Orders per page. Default 100. */
  limit?: number | undefined;
  /** Orders to skip. Default 0. */
  offset?: number | undefined;
  /** The member by which the service sorts. Default: as the service decides. */
  orderBy?: "createdAt" | "updatedAt" | "expiry" | undefined;
  /** Whether to leave out orders with little left to fill. Default: as the service decides. */
  hideSmallBalances?: boolean | undefined;
}

/** The orders of a maker, or those addressed to a taker. Default: those of the client's account as the maker. */
export type OtcParty =
  | { /** The account that made them. */ maker?: Address | undefined; taker?: undefined }
  | { /** The account to which they are addressed. */ taker: Address; maker?: undefined };

/** A page of OTC orders. Numbers are null if the service does not state them. */
export interface OtcPage extends Page<OtcOrder> {
  /** Orders skipped. */
  offset: number | null;
}

/** Input of `otc.buildFill`. */
export interface FillOptions extends CallOptions, OtcNames, Pick<QuoteRequest, "requireReference">, Pick<MarketBuildOptions, "tryOutcome"> {
  /** Raw units of the taker's asset to pay. Default: all that is left. */
  takerAmount?: AmountInput | undefined;
  /** The least to receive, raw units of the maker's asset. Default: by the order's price, rounded down. */
  minMakerAmount?: AmountInput | undefined;
  /** The account that receives. Default: the taker. */
  receiver?: Address | undefined;
  /** The account that fills and pays. Default: the client's. */
  account?: Address | undefined;
  /** A permit in place of the taker's approval: `eip2612`. */
  permit?: Permit | undefined;
  /** As `QuoteRequest.maxPriceDeviationBps`; there is no slippage beside it. Default 500. */
  maxPriceDeviationBps?: number | undefined;
}

/**
 * The figures to show of an OTC order. `nowSecs`: unix seconds by the chain's clock; default: this machine's. `remaining`: the
 * answer of `otc.remaining`, raw units; takes precedence over the service. Throws INVALID_INPUT with the member that is
 * malformed.
 */
export declare function summarizeOtcOrder(order: OtcOrder, nowSecs?: number, remaining?: Amount | null): OtcOrderSummary;

/** An OTC order's figures for an interface, computed from service, contract and clock. */
export interface OtcOrderSummary {
  /** As the service says; `EXPIRED` once the clock says so. */
  state: OtcState;
  /** Whether it is FULFILLED, CANCELLED or EXPIRED, or the contract says that nothing is left. */
  isTerminal: boolean;
  /** Whether a part was filled, and a part is left. */
  isPartlyFilled: boolean;
  /**
   * 0..100, two decimals, rounded down. Null for a CANCELLED order, because the service no longer says. Null too if the
   * contract says that nothing is left and the service does not say FULFILLED: the order may be cancelled.
   */
  filledPercent: number | null;
  /** Raw units of the maker's asset that are left. */
  leftMakerAmount: Amount;
  /** Raw units of the taker's asset that this rest costs, rounded up. */
  leftTakerAmount: Amount;
}
