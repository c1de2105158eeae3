/**
 * Hooks for React 18 and newer: subscriptions to the states of a {@link Client}. They hold no state of their own that
 * decides about a price or a trade. Nothing is loaded or requested by an import, or on a server.
 */
import type { ReactElement, ReactNode } from "react";
import type { Address } from "./values.ts";
import type { WalletBinding } from "./prompt.ts";
import type { QuoteRequest, TwapRequest, WatchedRequest } from "./request.ts";
import type { TradeError } from "./errors.ts";
import type { Quote, QuoteState } from "./quote.ts";
import type { StatedPrice, StatedTime } from "./build.ts";
import type { Order, OrdersFilter } from "./orders.ts";
import type { WatchOptions } from "./submit.ts";
import type { ResumedTrade, ResumeOptions, Trade, TradesFilter, UnreadableTrade } from "./trades.ts";
import type { ActiveTrade, Review, TradeOptions, TradeProgress } from "./trade.ts";
import type { Client } from "./client.ts";
import type { ClientOptions, createClient } from "./setup.ts";
import type { Swap, SwapOptions } from "./swap.ts";

/** The provider's properties: a client, or the options of one that it makes. */
export type VerifiedSwapProviderProps = {
  /**
   * The user's wallet, for `withWallet`; null or undefined: the client's own, if it has one. Another object is another
   * wallet, unless both are plain objects with the same members.
   */
  wallet?: WalletBinding | null | undefined;
  /** The app. */
  children?: ReactNode;
} & (
  | {
      /** A client of the app's, or a promise of one; null or undefined: none yet. The app closes it. */
      client: Client | PromiseLike<Client> | null | undefined;
      options?: undefined;
      createClient?: undefined;
    }
  | {
      /**
       * Options of a client that is made once, in the browser, and closed once the provider is unmounted for good.
       * Options that change later do nothing: give the provider another `key`.
       */
      options: ClientOptions;
      /**
       * The function that makes it. Default: `createClient` of `verified-swap`; that of `verified-swap/inline` fits,
       * too.
       */
      createClient?: typeof createClient | undefined;
      client?: undefined;
    }
);

/** Gives the hooks below it their client. */
export declare function VerifiedSwapProvider(props: VerifiedSwapProviderProps): ReactElement;

/** The provider's client, for all that has no hook. Throws INVALID_INPUT without a provider. */
export declare function useVerifiedSwap(): VerifiedSwapValue;

/** The answer of `useVerifiedSwap`. */
export interface VerifiedSwapValue {
  /** The client, with the provider's wallet; null while it is loaded, on a server, and if it cannot be had. */
  client: Client | null;
  /**
   * The reason why there is no client: INVALID_INPUT if `createClient` or `withWallet` refuses the options; MODULE_UNAVAILABLE or
   * NETWORK if the module cannot be loaded. The other hooks have it as their `error`, too.
   */
  error: TradeError | null;
  /** Tries again to make it, after an error. */
  retry(): void;
}

/**
 * A live price of the latest request, as `watchQuotes` keeps it; null: no request yet. A request with the same members
 * is the same one.
 */
export declare function useQuote(request: WatchedRequest | null | undefined, options?: LiveQuoteOptions): LiveQuoteValue;

/** Options of `useQuote`. */
export interface LiveQuoteOptions {
  /** Whether nothing is renewed by itself, as by `pause`: while a prompt is open, or the price is not shown. */
  paused?: boolean | undefined;
}

/** The answer of `useQuote`: a state of `watchQuotes`, for exactly the request that was passed in. */
export interface LiveQuoteValue extends Omit<QuoteState, "request"> {
  /** Requests a price now. */
  refresh(): void;
}

/**
 * All steps of one trade, as state. `request` is the request that the component shows beside it, the same as for
 * `useQuote`: the trade belongs to it, and to all components below the provider that pass in the same one. Trades of
 * other requests are not shown. Left out or null, the trade is the component's own, for any request.
 */
export declare function useTrade(request?: WatchedRequest | null): TradeValue;

/** Options of `useTrade`: those of the client's `trade`, but for the review, which is state here. */
export type TradeHookOptions = Omit<TradeOptions, "onReview" | "signal"> & StatedPrice & StatedTime;

/** The answer of `useTrade`. */
export interface TradeValue {
  /**
   * Starts a trade of a request, or of a quote that the user has seen; shows it in place of the last one. The same
   * trade again, as by a double click, is the first; among components that share one, so is a quote of the same request
   * with the same options, until it is posted or sent. With other options it is another trade, and ends the one that
   * was not agreed to yet. Failures are in `state.error`, and reject the returned promise, which need not be caught.
   * Throws the error of `useVerifiedSwap`, or INVALID_INPUT, if there is no client.
   */
  trade(request: QuoteRequest | TwapRequest | Quote, options: TradeHookOptions): ActiveTrade;
  /**
   * The trade; null before the first one. A failed one is over with the next price that `useQuote` has for this
   * request, once it was shown for 5 s; not one that has a transaction, or whose error has a signed order. One that ends
   * while no component shows it is not shown later.
   */
  state: TradeProgress | null;
  /**
   * The review that waits for the user; null if none. A new one takes its place when its price is renewed or the
   * account changes. If components share it, one of them answers. Once the last component that shows it is unmounted,
   * has another request, or gets another client or wallet, a trade that was not agreed to yet ends (ABORTED); an agreed
   * one goes on, and is shown to components that pass in its request again.
   */
  review: PendingReview | null;
  /**
   * Shows no trade any more; ends one that was not agreed to yet. For components that share one: not between the user's
   * yes and the post.
   */
  reset(): void;
}

/** A review that waits for its answer. */
export interface PendingReview extends Review {
  /**
   * The user agrees to this very review: the trade goes on. If it has `questions`, the user was asked them, and
   * `accept` has their ids; without, it is PRICE_UNJUDGED. Any other argument, as a button's click, counts as nothing.
   */
  confirm(answer?: { accept: string[] } | unknown): void;
  /** The user does not: USER_REJECTED. */
  decline(): void;
}

/**
 * An account's orders, the latest first, followed as by `watch`: the pages of `orders`, new orders, and all open ones.
 * Null: nothing is requested. Market trades are transactions, and not among them.
 */
export declare function useOrders(filter: WatchedOrders | null | undefined, options?: Omit<WatchOptions, "signal">): OrdersValue;

/** Options of `useOrders`. */
export interface WatchedOrders extends Omit<OrdersFilter, "page"> {
  /** The owner of the orders. */
  account: Address;
}

/** The answer of `useOrders`. */
export interface OrdersValue {
  /** The orders found so far. */
  orders: Order[];
  /** Whether there is another page. */
  hasMore: boolean;
  /** Whether a page is being read. */
  isFetching: boolean;
  /** The failure of the last page, or of following the orders. */
  error: TradeError | null;
  /** Adds the next page, if there is one. */
  fetchMore(): Promise<void>;
  /** Reads the first page again, and follows them again after an error. */
  refresh(): void;
}

/** The trades of the journal, the latest first, as `trades.watch` returns them. */
export declare function useTrades(filter?: TradesFilter): TradesValue;

/** The answer of `useTrades`. */
export interface TradesValue {
  /** All that fit the filter. */
  trades: (Trade | UnreadableTrade)[];
  /** The trades that need the user, open orders that lost their allowance or balance among them: see `Trade.needs`. */
  unfinished: (Trade | UnreadableTrade)[];
  /** Whether they were not read yet. */
  isFetching: boolean;
  /** The reason why they cannot be read. */
  error: TradeError | null;
  /** The client's `trades.resume`. Rejects as that, and as `trade` throws without a client. */
  resume(options?: ResumeOptions): Promise<(ResumedTrade | UnreadableTrade)[]>;
}

/**
 * A whole form with its price, review, prompts, progress and the account's trades: a controller (`createSwap`) of this component,
 * with the provider's client and wallet. Its `state` is that of this render: before the client is there, and on a server, the
 * form alone, which can be changed. The controller is closed once the component is unmounted. A wallet is not asked to
 * connect: without an account it is none.
 */
export declare function useSwap(options: SwapHookOptions): Swap;

/** Options of `useSwap`, read once: those of `createSwap`, but for the client. */
export type SwapHookOptions = Omit<SwapOptions, "client">;
