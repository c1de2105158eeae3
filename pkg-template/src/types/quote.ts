import type { Address, Amount, CallOptions } from "./values.ts";
import type { PriceReport, Report } from "./report.ts";
import type { NormalizedRequest, WatchedRequest } from "./request.ts";
import type { TradeError } from "./errors.ts";

/** Options of `quote`. */
export interface QuoteOptions extends CallOptions {
  /**
   * A name of the form, or other place of the page, that shows the price: 1 to 64 characters. A newer quote with the
   * same name takes the place of one that still waits for its turn; that one is ABORTED.
   */
  form?: string | undefined;
}

/** A verified price of either path; `kind` tells them apart. */
export type Quote = DeltaQuote | MarketQuote;

/** Members of a quote of either path. */
interface PricedTrade {
  /** The request it answers. */
  request: NormalizedRequest;
  /** The token that arrives: `request.destToken`, or with `acceptWrapped` the wrapped native token. */
  destToken: Address;
  /** Raw units sold. BUY: the expected amount. */
  srcAmount: Amount;
  /** Raw units bought, before the partner's fee. SELL: the expected amount. */
  destAmount: Amount;
  /** Value of `srcAmount` in US dollars by the service, decimal text; null if it states none. */
  srcUsd: string | null;
  /** Value of `destAmount` in US dollars by the service, decimal text; null if it states none. */
  destUsd: string | null;
  /** The partner the service names; null if none. */
  partnerName: string | null;
  /** The contract that would be approved: Delta's, or the router. */
  spender: Address;
  /** When the answer arrived, in unix milliseconds, for display. The 30 s limit is measured by a monotonic clock. */
  receivedAtMs: number;
  /** Until when it can be built, in unix milliseconds, for display. */
  expiresAtMs: number;
  /**
   * The judgement by reference prices, if the app's nodes were as fast as the service; else `"pending"`, and `build`
   * waits for it. It informs; `build` refuses.
   */
  reference: PriceReport | "pending" | null;
  /** The checks that were made. */
  report: Report;
  /** The service's route, verbatim, and the request. Pass it on untouched. */
  sealed: string;
}

/** A verified price of the gasless path. Good for 30 seconds. */
export interface DeltaQuote extends PricedTrade {
  /** Tells it from a Market quote. */
  kind: "delta";
  /** The service's id of this quote; null if it has none. */
  id: string | null;
  /**
   * The gas that the solver pays and takes out of the amounts, as the service states it. If the amount is not known to
   * be worth those dollars, the report's check `quote.gasFee` is `unknown`.
   */
  gasFee: { token: Address; amount: Amount; amountUsd: string | null } | null;
  /** The fee included, in bps, rounded up; null if unknown. */
  feeBps: number | null;
  /** Crosschain: how the tokens travel; null on one chain. */
  bridge: BridgeLeg | null;
  /** Crosschain: whether the arriving amount is guaranteed. Null on one chain. */
  arrival: Arrival | null;
  /** Crosschain: the bridge input, raw units before fee and slippage. Null on one chain. */
  bridgeInput: { token: Address; amount: Amount } | null;
  /** Crosschain: other routes. `build(quote, { advanced: { route: i }, ... })` takes the one at `i`. */
  alternatives: Pick<DeltaQuote, "srcAmount" | "destAmount" | "bridge" | "arrival" | "bridgeInput">[];
  /** TWAP only: how the total is split. The amounts above are then of one slice. */
  twap?: TwapPlan | undefined;
}

/**
 * Whether the amount that arrives on another chain is guaranteed. `"guaranteed"`: the asset that enters the bridge is
 * the one that arrives, so the order states the amount. `"promised"`: another asset arrives, and only the bridge states
 * the amount.
 */
export type Arrival = "guaranteed" | "promised";

/** A way through a bridge. */
export interface BridgeLeg {
  /** The bridge's name. */
  protocol: string;
  /** The service's estimate of the time, in milliseconds; null if none. */
  estimatedTimeMs: number | null;
  /** The service's labels of this route. */
  tags: string[];
}

/** How a total is split into slices. */
export interface TwapPlan {
  /** Number of slices. */
  numSlices: number;
  /** Seconds between two slices. */
  intervalSecs: number;
  /** Raw units of all slices. SELL: of the source token. BUY: of the destination token. */
  total: Amount;
  /** Raw units of one slice: total / numSlices, rounded down. */
  sliceAmount: Amount;
  /** Raw units of the last slice: one slice and the rest of the division. */
  lastSliceAmount: Amount;
}

/** A verified price of a router transaction. Good for 30 seconds. */
export interface MarketQuote extends PricedTrade {
  /** Tells it from a gasless quote. */
  kind: "market";
  /** `srcAmount` with the partner's fee counted in; null if the service does not state it. */
  srcAmountAfterFee: Amount | null;
  /** `destAmount` with the partner's fee counted in; null if the service does not state it. */
  destAmountAfterFee: Amount | null;
  /** Gas the user pays, in gas units, as the service estimates; null if it does not. */
  gasCost: string | null;
  /** The same in US dollars, decimal text. */
  gasCostUsd: string | null;
  /**
   * The highest fee the transaction may carry, in bps: the stated one, or a higher one that was requested; null if
   * unknown.
   */
  feeBps: number | null;
  /** The router's method. */
  contractMethod: string;
  /** Whether the price moves the market by more than the limit. */
  maxImpactReached: boolean;
  /** The reason why it is not the gasless path, with mode `"ALL"`; null otherwise. */
  fallbackReason: { errorType: string | null; details: string | null } | null;
  /** With `otherExchangePrices`: prices of other exchanges, as the service sends them. */
  others: unknown;
}

/** Options of `quote` with mode `"BOTH"`. */
export interface QuoteBothOptions extends QuoteOptions {
  /** Called with each quote as it arrives: the first can be used before the second is there. */
  onQuote?: ((quote: Quote) => void) | undefined;
}

/** Both prices of one request. */
export interface Comparison {
  /** The gasless price; null if there is none. */
  delta: DeltaQuote | null;
  /** The Market price; null if there is none. */
  market: MarketQuote | null;
  /** The reason why there is no gasless price. */
  deltaError: TradeError | null;
  /** The reason why there is no Market price. */
  marketError: TradeError | null;
  /**
   * The path that leaves the user with more, after fees and gas. If there is only one, that one; null if they cannot be
   * compared.
   */
  best: "delta" | "market" | null;
  /** The advantage of that path, in bps of the worse. Null if one is missing, or gas cannot be valued. */
  differenceBps: number | null;
}

/** A live price, made by `watchQuotes`. An async iterable of its states: it skips those that no reader waited for. */
export interface LiveQuote extends AsyncIterableIterator<QuoteState> {
  /** The state now: a new object whenever it changes, never the same one changed. */
  readonly state: QuoteState;
  /** Calls `listener` with each state from now on. Returns what ends that. Fits React's `useSyncExternalStore`. */
  subscribe(listener: (state: QuoteState) => void): () => void;
  /**
   * The request has changed: a price is requested 250 ms after the last change, for the first request at once. The same
   * request again does nothing; `null`: there is none for now.
   */
  update(request: WatchedRequest | null): void;
  /** Requests a price now. */
  refresh(): void;
  /**
   * From now on nothing is renewed or tried again by itself, as while a prompt is open, or the price is not shown. An answer
   * to a request that was sent still comes; `update` and `refresh` request as ever.
   */
  pause(): void;
  /** Goes on after `pause`: requests at once what became due meanwhile. */
  resume(): void;
  /** The user is active: the price is not idle. Keys and clicks in the page count by themselves. */
  touch(): void;
  /** Ends it. Its last price can still be built. Leaving a `for await` loop does the same, and `client.close()`. */
  close(): void;
}

/** The state of a live price. */
export interface QuoteState {
  /** The latest request; null if there is none. */
  request: WatchedRequest | null;
  /**
   * The last price for this very request; null if there is none yet. It stays while the next one fails. With mode
   * `"BOTH"` the better one, once both paths have answered; where they cannot be compared, the gasless one.
   */
  quote: Quote | null;
  /**
   * With mode `"BOTH"`: both prices, each from when it arrives; `best` is null until both are there. Both can be built.
   * Else null.
   */
  comparison: Comparison | null;
  /** Whether a price is being requested, or will be after a pause in typing. */
  isFetching: boolean;
  /** Whether `quote` is too old to build. */
  isStale: boolean;
  /**
   * The reason why nothing is requested by itself: the page is hidden, the user is idle, the app paused it, or it was
   * closed. Null while it goes on.
   */
  paused: "hidden" | "idle" | "app" | "closed" | null;
  /** The error of the last try; null once one succeeds. */
  error: TradeError | null;
  /** When the next try after `error` is due, in unix milliseconds; null if there is none, or it is under way. */
  retryAtMs: number | null;
}
