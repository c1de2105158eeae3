import type { Address, Amount, AmountInput, Side } from "./values.ts";
import type { Agreement, BridgeTokens } from "./settings.ts";

/** A trade, as the user asks for it. */
export interface QuoteRequest {
  /** The source chain. */
  chainId: number;
  /**
   * Address of the token to sell. The native token: its placeholder in any casing, the zero address, `"0x0"` or
   * `"native"`.
   */
  srcToken: string;
  /** The token to buy, in the same forms, on `destChainId`. */
  destToken: string;
  /** Raw units. SELL: the amount of `srcToken` to sell. BUY: the amount of `destToken` to buy. */
  amount: AmountInput;
  /**
   * Decimals of `srcToken`. May be left out for the native token and for tokens that the package knows; another number
   * than theirs is refused. Required for others: compared with the token's own if its chain can be read, else the
   * sentence shows "by the app's decimals" and the raw units.
   */
  srcDecimals?: number | undefined;
  /** The same for `destToken`, on the chain where it arrives. */
  destDecimals?: number | undefined;
  /** Which amount is fixed. Default `"SELL"`. */
  side?: Side | undefined;
  /** The owner. Default: the client's account, else the one that `build` finds. */
  account?: Address | undefined;
  /** The account that receives. Default: the owner. */
  beneficiary?: Address | undefined;
  /**
   * Symbol of `srcToken` for the report's sentence, 1 to 64 characters. Unless it is the one that the package knows for
   * this very token, it is shown with the address, and quoted if it has other characters than letters, digits, `.`, `-`
   * and `+`, or does not begin with a letter. Default: the one that the package knows, else the address.
   */
  srcSymbol?: string | undefined;
  /** The same for `destToken`. */
  destSymbol?: string | undefined;
  /**
   * If `destToken` is the native token: accept its wrapped form in its place. The sentence and the quote's `destToken`
   * then say so. `true` for the known one of the chain (1, 10, 56, 100, 130, 137, 8453, 42161, 43114), else its
   * address. Default false: refused.
   */
  acceptWrapped?: boolean | Address | undefined;
  /** Same as `ClientOptions.partner`. Default: the client's. */
  partner?: string | undefined;
  /** Fee requested for the partner, 0..200 bps. Default: none. */
  partnerFeeBps?: number | undefined;
  /** The account that receives the partner's fee. Default: the one that `agreement` or the service names. */
  partnerAddress?: Address | undefined;
  /** The partner's share as agreed on with the service. Default: the client's. */
  agreement?: Agreement | undefined;
  /**
   * The highest fee the order may carry, 0..200 bps. Default: `partnerFeeBps`, else `agreement.feeBps`, plus 1 for
   * `anon`; else 1.
   */
  maxFeeBps?: number | undefined;
  /**
   * The most that the quote may lose, in bps: by its own USD values, by the reference prices with all proven gas, and
   * between one asset's two tokens in a bridge. Default 1500 (15 %). Small trades lose more to gas: LOSS_TOO_HIGH.
   * Trade more, or ask the user and raise it.
   */
  maxLossBps?: number | undefined;
  /**
   * How far, beyond the slippage, the guaranteed amount may lie below the reference prices, in bps; the fee is left
   * out, and so is the gas that the route states, if it costs that much today: that is `unusual`. Where the price of gas is
   * not known, it is a question (`gasUnjudged`). Default 500 (5 %).
   * Beyond, by the longest and the recent price, `build` is VERIFY_MISMATCH with the field `quote.price`; LOSS_TOO_HIGH
   * if today's gas explains it. 10000: never.
   */
  maxPriceDeviationBps?: number | undefined;
  /**
   * Whether `build` refuses where there is no reference price, or only that of pools whose depth was seen now only
   * (`heldSecs` 0), unless a bound of your own holds the order (`minReceived`, for a BUY `maxSpent`, a limit, your own
   * prices). Default false: the build asks (`report.questions`).
   */
  requireReference?: boolean | undefined;
  /**
   * Which path. `"DELTA"`, the default: gasless, or NO_ROUTE. `"MARKET"`: a transaction. `"ALL"`: gasless, else Market,
   * which costs the user gas; `fallbackReason` then says why.
   */
  mode?: "ALL" | "DELTA" | "MARKET" | undefined;
  /**
   * The chain of `destToken`, where the beneficiary receives. Delta only, and not for a BUY in slices. Default:
   * `chainId`.
   */
  destChainId?: number | undefined;
  /** Members that few apps need. */
  advanced?: (AdvancedQuoteRequest & OwnPrices) | undefined;
}

/**
 * Your own prices, both or neither: of one whole token in US dollars, decimal text. `maxLossBps` is then judged by them. They
 * are one more reference price, which may refuse but never lowers the bound of other references; without any other they are
 * your bound. Take them from another source than the service. Default: the service's values.
 */
export type OwnPrices =
  | {
      /** The price of one whole source token. */
      srcPriceUsd: string;
      /** The price of one whole destination token. */
      destPriceUsd: string;
    }
  | { srcPriceUsd?: undefined; destPriceUsd?: undefined };

/** `advanced` of `QuoteRequest`, beside `OwnPrices`. */
export interface AdvancedQuoteRequest {
  /**
   * Name of `chainId` for the sentence, 1 to 64 characters, if the package has none of its own; else it is not shown. It
   * stands beside the chain's id, and is quoted as a symbol is, or if another chain that the package knows has it:
   * `Linea (chain 59144)`, `"Polygon zkEVM" (chain 1101)`.
   * Default: `chain 59144`.
   */
  chainName?: string | undefined;
  /** The same for `destChainId`, if that is another chain. */
  destChainName?: string | undefined;
  /** Pairs of tokens that are the same asset on two chains. Default: the client's. */
  bridgeTokens?: BridgeTokens[] | undefined;
  /** Price impact above which the service refuses, percent as decimal text. Default: the service's, 15. */
  maxImpactPercent?: string | undefined;
  /** The same in US dollars, decimal text. Default: the service's. */
  maxUsdImpact?: string | undefined;
  /** More parameters of the Delta price; only with mode `"DELTA"` or `"BOTH"`. */
  delta?: DeltaPriceOptions | undefined;
  /** More parameters of the Market price; only with mode `"MARKET"` or `"BOTH"`. */
  market?: MarketPriceOptions | undefined;
}

/** A TWAP order, always gasless: `amount` is the total, traded in `numSlices` parts, one every `intervalSecs`. */
export interface TwapRequest extends QuoteRequest {
  /** Number of slices, at least 2. */
  numSlices: number;
  /** Seconds between two slices, at least 60. */
  intervalSecs: number;
}

/** A request for the prices of both paths, side by side. A trade takes one of them. */
export interface BothRequest extends Omit<QuoteRequest, "mode"> {
  /** Both paths. */
  mode: "BOTH";
}

/** A request whose price is kept fresh. */
export type WatchedRequest = QuoteRequest | TwapRequest | BothRequest;

/** More parameters of a Delta price. The service chooses those that are left out. */
export interface DeltaPriceOptions {
  /** Only these solvers, by name as `info.agents` lists them. Sent with the order too. */
  includeAgents?: string[] | undefined;
  /** None of these solvers. Sent with the order too. */
  excludeAgents?: string[] | undefined;
  /** Only these bridges, by name as `info.bridgeProtocols` lists them. */
  includeBridges?: string[] | undefined;
  /** None of these bridges. */
  excludeBridges?: string[] | undefined;
  /** Whether the tokens may be swapped and bridged. Default true; never for a BUY. */
  allowBridgeAndSwap?: boolean | undefined;
  /** Passed to the service, which does not publish its meaning. */
  degenMode?: boolean | undefined;
}

/** More parameters of a Market price. The service chooses those that are left out. */
export interface MarketPriceOptions {
  /** Whether to return prices of other exchanges too, in `others`. Default false. */
  otherExchangePrices?: boolean | undefined;
  /** Only these exchanges, by name. */
  includeDexs?: string[] | undefined;
  /** None of these exchanges. */
  excludeDexs?: string[] | undefined;
  /** None of these pools, by the identifiers that routes name. */
  excludePools?: string[] | undefined;
  /** Whether to leave out makers' orders. Default false. */
  excludeRfq?: boolean | undefined;
  /** Only these methods of the router, by name (`contractMethod`). */
  includeContractMethods?: string[] | undefined;
  /** None of these methods. */
  excludeContractMethods?: string[] | undefined;
  /** None of the methods that cannot take a fee. Default false. */
  excludeContractMethodsWithoutFeeModel?: boolean | undefined;
  /** The path of tokens, source and destination included: at most 4. */
  route?: string[] | undefined;
  /** Tax that the source token takes on every transfer, 0..10000 bps. Default 0. */
  srcTransferFeeBps?: number | undefined;
  /** The same for the destination token. */
  destTransferFeeBps?: number | undefined;
  /** Tax that the source token takes on trades only, 0..10000 bps. Default 0. */
  srcDexTransferFeeBps?: number | undefined;
  /** The same for the destination token. */
  destDexTransferFeeBps?: number | undefined;
  /** Whether the service prices a trade although its dollar values look wrong. Default false. */
  ignoreBadUsdPrice?: boolean | undefined;
}

/** These members of `T`, with their defaults filled in. */
type Filled<T, Names extends keyof T> = { [Name in Names]-?: Exclude<T[Name], undefined> };

/** The members that are as in the request, where they are not the default. */
type Kept = "maxPriceDeviationBps" | "destChainId" | "numSlices" | "intervalSecs";

/** The request as it was understood: every default filled in, addresses checksummed, native normalised. */
export interface NormalizedRequest
  extends Filled<QuoteRequest, "chainId" | "srcDecimals" | "destDecimals" | "side" | "partner" | "maxFeeBps" | "maxLossBps">,
    Partial<Pick<TwapRequest, Kept>> {
  /** The source token; the native token by its placeholder. */
  srcToken: Address;
  /** The destination token; the native token by its placeholder. */
  destToken: Address;
  /** Raw units of the token whose amount is fixed. */
  amount: Amount;
  /** The owner; null if not known yet. */
  account: Address | null;
  /** The account that receives; null: the owner. */
  beneficiary: Address | null;
  /** Symbol for the sentence; null: the one that the package knows, else the address. */
  srcSymbol: string | null;
  /** Symbol for the sentence; null: the one that the package knows, else the address. */
  destSymbol: string | null;
  /** Fee requested for the partner, in bps; null: none. */
  partnerFeeBps: number | null;
  /** The account that receives the partner's fee; null: not asked for. */
  partnerAddress: Address | null;
  /** The agreement that counts for this trade. */
  agreement: Filled<Agreement, "takesSurplus" | "capSurplus" | "referral"> & { feeBps: number | null; feeAddress: Address | null };
  /** `true` if a reference price is required. */
  requireReference?: true | undefined;
  /** The path, unless it is `"DELTA"`. */
  mode?: "ALL" | "MARKET" | undefined;
  /** The wrapped native token that may arrive, if one may. */
  acceptWrapped?: Address | undefined;
  /** Members that few apps need; of `bridgeTokens`, the pairs that concern this trade. */
  advanced?: (Omit<AdvancedQuoteRequest, "chainName" | "destChainName"> & OwnPrices) | undefined;
}

/**
 * An app's own reference price, asked for with the request of a quote: once a minute for each, and again after it threw
 * and before a price is refused. Resolves to what one whole `srcToken` is worth in whole `destToken`, as decimal text,
 * or to null if it does not know. If it throws, or takes longer than 5 s, it has no vote; another answer is
 * INVALID_INPUT with the field `reference`. For a fill, `srcToken` is what the taker gives.
 */
export type AppReference = (request: NormalizedRequest) => string | null | Promise<string | null>;
