"use client";
// React hooks: subscriptions to the states that a client reports anyway. The client decides on the progress of a price
// or a trade.
import {
  createContext, createElement, useCallback, useContext, useEffect, useMemo, useState, useSyncExternalStore,
} from "react";
// By the package's name: a bundler takes the entry that fits, and the app and the hooks have one module.
import { createClient as createByDefault } from "verified-swap";
import { keyOf, NO_QUOTE, type Shown } from "./live-quotes.ts";
import { failureOf, membersOf, type Holds, type Members } from "./module.ts";
import { observed } from "./observed.ts";
import { tradeError } from "./reading.ts";
import { keptSwap } from "./swap-kept.ts";
import type {
  ActiveTrade, Client, LiveQuote, Order, Quote, QuoteRequest, QuoteState, ResumeOptions, Review, ReviewAnswer, TradeError,
  TradesFilter, TwapRequest, WalletBinding, WatchedRequest, WatchOptions,
} from "./types.ts";
import type * as published from "./types/react.ts";
import type { Swap } from "./types/swap.ts";

export type Entry = Holds<typeof import("./react.ts"), typeof published>;

/** The value that a provider gives to the hooks below it. */
interface Provided {
  value: published.VerifiedSwapValue;
  trades: ReturnType<typeof tradeStores>;
  account: unknown;
  /** The client without the wallet, and the wallet. */
  opened: Client | null;
  binding: WalletBinding | null | undefined;
}
/** A state that React can read. */
interface Store<State> {
  get(): State;
  getFirst(): State;
  subscribe(listener: () => void): () => void;
}
/** The members of a state that change whatever it is of. */
interface Reading {
  isFetching?: boolean;
  error: TradeError | null;
}
/** A state that is set, whatever it is of. */
interface Setting<State> {
  readonly state: State;
  set(changes: Partial<State> | Reading): void;
  subscribe(listener: (state: State) => void): () => void;
}
type SetState<State> = Setting<State>["set"];

const Context = /* @__PURE__ */ createContext<Provided | null>(null);
/** After these steps, the next trade is another one. */
const BEYOND = ["posted", "sent", "following", "done", "failed"];
/** Milliseconds that a failure stays, whatever price comes, so that it can be read. */
const READ_MS = 5_000;

export function VerifiedSwapProvider({
  client, options, createClient = createByDefault, wallet, children,
}: published.VerifiedSwapProviderProps) {
  // Read once: options that are written into a render are others each time.
  const [make] = useState(() => (): Promise<Client> => (options ? createClient(options) : new Promise(() => {})));
  const [opening, { client: opened, error }] = useStore(() => openingStore(client, make), [client, make]);
  const binding = useSame(wallet);
  const [trades] = useState(tradeStores);
  const account = binding?.account;
  const value = useMemo(() => {
    const shared = { client: opened, error, retry: () => opening.get().error && opening.restart() };
    if (!opened || !binding) return shared;
    try {
      return { ...shared, client: opened.withWallet(binding) };
    } catch (error) {
      return { ...shared, client: null, error: failureOf(error) };
    }
  }, [opening, opened, error, binding]);
  const provided = useMemo(() => ({ value, trades, account, opened, binding }), [value, trades, account]);
  return createElement(Context.Provider, { value: provided }, children);
}

export const useVerifiedSwap = () => useProvider().value;

function useProvider() {
  const provided = useContext(Context);
  if (!provided) throw tradeError("no VerifiedSwapProvider is above this component", { code: "INVALID_INPUT" });
  return provided;
}

export function useQuote(
  request: WatchedRequest | null | undefined, { paused = false }: published.LiveQuoteOptions = {},
): published.LiveQuoteValue {
  const { value: { client, error }, trades, account } = useProvider();
  const [store, state] = useStore(() => quoteStore(client), [client]);
  // `amount && { ... }` is false, 0 or "" while there is none.
  const key = keyOf(request || null);
  useEffect(() => store.hold(paused), [store, paused]);
  useEffect(() => store.update(request || null), [store, key]);
  useEffect(() => {
    if (state.quote) trades.priced(keyOf([state.request, account]));
  }, [trades, state.quote]);
  return useMemo(() => {
    // In the render of a new request the store still has the price of the old one.
    const isOld = keyOf(state.request) !== key;
    const { request, ...current } = isOld ? { ...NO_QUOTE, isFetching: true } : state;
    return { ...afterOpening(current, error), refresh: store.refresh };
  }, [store, state, key, error]);
}

export function useTrade(request?: WatchedRequest | null): published.TradeValue {
  const { value: { client, error }, trades, account } = useProvider();
  // Without a request, the trade is this component's own.
  const key = request ? keyOf([request, account]) : undefined;
  const [store, shown] = useStore(() => (key === undefined ? tradeStore() : trades.of(key)), [trades, key]);
  useEffect(() => store.look(client), [store, client]);
  const trade = useCallback(
    (request: QuoteRequest | TwapRequest | Quote, options: published.TradeHookOptions) =>
      store.trade(need(client, error), request, options),
    [store, client, error],
  );
  return useMemo(() => ({ ...shown, trade, reset: store.reset }), [shown, trade, store]);
}

export function useOrders(
  filter: published.WatchedOrders | null | undefined, options?: Omit<WatchOptions, "signal">,
): published.OrdersValue {
  const { client, error } = useVerifiedSwap();
  const key = keyOf([filter ?? null, options]);
  const [store, state] = useStore(() => orderStore(client, filter, options), [client, key]);
  return useMemo(() => {
    return { ...afterOpening(state, error), fetchMore: store.fetchMore, refresh: store.restart };
  }, [store, state, error]);
}

export function useTrades(filter?: TradesFilter): published.TradesValue {
  const { client, error } = useVerifiedSwap();
  const key = keyOf(filter ?? {});
  const [, state] = useStore(() => journalStore(client, filter), [client, key]);
  const resume = useCallback(async (options?: ResumeOptions) => need(client, error).trades.resume(options), [client, error]);
  return useMemo(() => {
    const unfinished = state.trades.filter(({ needs }) => needs);
    return { ...afterOpening(state, error), unfinished, resume };
  }, [state, error, resume]);
}

export function useSwap(options: published.SwapHookOptions): Swap {
  const { value: { error }, opened, binding } = useProvider();
  const [kept] = useState(() => keptSwap(options));
  const swap = useSyncExternalStore(kept.subscribe, kept.get, kept.getFirst);
  useEffect(() => kept.serve(opened, error), [kept, opened, error]);
  useEffect(() => kept.connect(binding ?? null), [kept, binding]);
  return swap;
}

/** A store of this component, made anew when one of `parts` changes, and its state. */
function useStore<State, More>(make: () => Store<State> & More, parts: readonly unknown[]): [store: Store<State> & More, state: State] {
  const store = useMemo(make, parts);
  return [store, useSyncExternalStore(store.subscribe, store.get, store.getFirst)];
}

/** The first of equal values: of plain objects whose members are the same. */
function useSame<Value>(value: Value): Value {
  const [kept, keep] = useState(() => value);
  const isSame = kept === value || (isPlain(kept) && isPlain(value) && hasSameMembers(kept, value));
  if (!isSame) keep(() => value);
  return isSame ? kept : value;
}

const isPlain = (value: unknown): value is Members => Boolean(value) && Object.getPrototypeOf(value) === Object.prototype;
const hasSameMembers = (one: Members, other: Members) =>
  Object.keys({ ...one, ...other }).every((name) => name in one && name in other && Object.is(one[name], other[name]));

/** The state without a client: nothing is requested. */
const afterOpening = <State extends Reading>(state: State, error: TradeError | null): State =>
  error ? { ...state, isFetching: false, error } : state;

function need(client: Client | null, error: TradeError | null): Client {
  if (client) return client;
  throw error ?? tradeError("the client is not ready: see useVerifiedSwap", { code: "INVALID_INPUT", field: "client" });
}

/**
 * A state that is kept up to date while it is looked at: `start(set)` begins that, and returns a function that
 * ends it. That is not called at once, because StrictMode looks away and back.
 */
function watched<State extends Reading>(first: State, start: (set: SetState<State>) => () => void) {
  const shown: Setting<State> = observed(first);
  let viewers = 0;
  let end: (() => void) | undefined;
  let ending: ReturnType<typeof setTimeout> | undefined;
  return {
    get: () => shown.state,
    // On a server, and in the first render of its page.
    getFirst: () => first,
    subscribe(listener: () => void) {
      clearTimeout(ending);
      viewers++;
      end ??= start(shown.set);
      const leave = shown.subscribe(listener);
      return () => {
        leave();
        if (--viewers > 0) return;
        ending = setTimeout(() => {
          end?.();
          end = undefined;
          shown.set(first);
        });
      };
    },
    restart() {
      if (!end) return;
      end();
      shown.set({ error: null });
      end = start(shown.set);
    },
  };
}

/** Same as `watched`, for `run(set, signal)`, which works until it is aborted. */
const running = <State extends Reading>(first: State, run: (tell: SetState<State>, signal: AbortSignal) => Promise<void>) =>
  watched(first, (set) => {
    const ending = new AbortController();
    const { signal } = ending;
    const tell: SetState<State> = (changes) => signal.aborted || set(changes);
    run(tell, signal).catch((error) => tell({ isFetching: false, error }));
    return () => ending.abort();
  });

const NO_CLIENT: Pick<published.VerifiedSwapValue, "client" | "error"> = { client: null, error: null };

/** The client of the app, or one that is made and closed here. */
const openingStore = (client: Client | PromiseLike<Client> | null | undefined, make: () => Promise<Client>) =>
  running(NO_CLIENT, async (tell, signal) => {
    try {
      const opened = await (client ?? make());
      if (!client) signal.addEventListener("abort", () => opened.close());
      if (!client && signal.aborted) opened.close();
      tell({ client: opened });
    } catch (cause) {
      const { name, message = cause } = membersOf(cause) ?? {};
      if (name === "TradeError") throw cause;
      throw tradeError(String(message), { code: "NETWORK", action: "retry", cause });
    }
  });

function quoteStore(client: Client | null) {
  let live: LiveQuote | undefined;
  let tell: SetState<QuoteState>;
  const store = watched(NO_QUOTE, (set) => {
    tell = set;
    live = client?.watchQuotes(null);
    const leave = live?.subscribe(set);
    return () => {
      leave?.();
      live?.close();
    };
  });
  const update = (request: WatchedRequest | null) => {
    try {
      live?.update(request);
    } catch (error) {
      // The value is not a request.
      tell({ ...NO_QUOTE, request, error: failureOf(error) });
    }
  };
  const hold = (isHeld: boolean) => void live?.[isHeld ? "pause" : "resume"]();
  return Object.assign(store, { update, hold, refresh: () => live?.refresh() });
}

const NO_TRADE: Pick<published.TradeValue, "state" | "review"> = { state: null, review: null };

/** The trades that components share, by request and account: kept while they go on, or are looked at. */
function tradeStores() {
  const stores = new Map<string, ReturnType<typeof tradeStore>>();
  const of = (key: string) => {
    const known = stores.get(key);
    if (known) return known;
    const keep = () => void stores.set(key, store);
    const store = tradeStore({ keep, forget: () => stores.delete(key) });
    keep();
    return store;
  };
  return { of, priced: (key: string) => stores.get(key)?.priced() };
}

/** A trade that is started, and its terms as text. */
interface Started {
  client: Client;
  terms: string;
  ending: AbortController;
  isAgreed: boolean;
  failedAt: number;
}

/**
 * The trade of one component; with `shared` of several, which is notified when one of them shows it, and when it is
 * over.
 */
function tradeStore(shared?: { keep: () => void; forget: () => void }) {
  const shown: Shown<typeof NO_TRADE> = observed(NO_TRADE);
  /** The shown trade. */
  let current: (Started & { active: ActiveTrade }) | undefined;
  let viewers = 0;

  const isBefore = (steps: readonly unknown[]) => Boolean(current) && !steps.includes(shown.state.state?.step);

  function trade(client: Client, request: QuoteRequest | TwapRequest | Quote, options: published.TradeHookOptions): ActiveTrade {
    // Another component's start of the very same trade, which has a price of its own.
    const { kind, request: own = request } = membersOf(request) ?? {};
    const terms = keyOf([kind, own, options]);
    const isSame = current?.client === client && current.terms === terms && !current.ending.signal.aborted;
    if (shared && current && isSame && isBefore(BEYOND)) return current.active;
    const next: Started = { client, terms, ending: new AbortController(), isAgreed: false, failedAt: Infinity };
    const onReview = (review: Review) =>
      new Promise<ReviewAnswer>((resolve) => {
        if (current !== next || viewers === 0) return next.ending.abort();
        next.isAgreed = false;
        const hide = () => shown.state.review === asked && shown.set({ review: null });
        const answer = (isAgreed: boolean) => (given?: unknown) => {
          if (shown.state.review !== asked) return;
          next.isAgreed = isAgreed;
          hide();
          // A handler that is put on a button is given the click.
          const accept = isAgreed && isPlain(given) && Array.isArray(given.accept) ? given.accept : null;
          resolve(accept ? { accept } : isAgreed);
        };
        const asked: published.PendingReview = { ...review, confirm: answer(true), decline: answer(false) };
        review.signal.addEventListener("abort", hide);
        shown.set({ review: asked });
      });
    const active = client.trade(request, { ...options, onReview, signal: next.ending.signal });
    // A double click.
    if (active === current?.active) return active;
    leave();
    current = Object.assign(next, { active });
    shown.set({ state: active.state, review: null });
    active.subscribe((state) => {
      if (current !== next) return;
      if (state.step === "failed") next.failedAt = Date.now();
      shown.set({ state });
      clear();
    });
    return active;
  }

  /** A trade that the user agreed to goes on, and can still be joined; nothing more is requested. */
  function leave() {
    if (current && !current.isAgreed) current.ending.abort();
  }

  function reset() {
    // A trade that another component's user agreed to, and that may open a prompt, is not hidden from there.
    if (shared && current?.isAgreed && isBefore(BEYOND)) return;
    leave();
    current = undefined;
    shown.set(NO_TRADE);
  }

  /** A component of this client shows the trade, until it calls the returned function. */
  function look(client: Client | null) {
    viewers++;
    shared?.keep();
    // A review of another wallet is not answered.
    if (current && current.client !== client) leave();
    return () => {
      viewers--;
      // Not at once: StrictMode looks away and back.
      setTimeout(() => {
        if (viewers > 0) return;
        leave();
        clear();
      });
    };
  }

  /** A trade that has ended, and that no component shows, is not shown to one with the same request later. */
  function clear() {
    if (viewers > 0 || isBefore(["done", "failed"])) return;
    reset();
    shared?.forget();
  }

  /** A failure from before that price is over, unless something was signed or sent: no price answers for that. */
  function priced() {
    const { error, transaction, batch } = shown.state.state ?? {};
    if (current && Date.now() - current.failedAt >= READ_MS && !error?.signedOrder && !transaction && !batch) reset();
  }

  return { get: () => shown.state, getFirst: () => NO_TRADE, subscribe: shown.subscribe, trade, look, priced, reset };
}

function orderStore(
  client: Client | null, filter: published.WatchedOrders | null | undefined, options: Omit<WatchOptions, "signal"> | undefined,
) {
  const found = new Map<string, Order>();
  let page: number;
  let read: () => Promise<void>;
  type State = Pick<published.OrdersValue, "orders" | "hasMore" | "isFetching" | "error">;
  const first: State = { orders: [], hasMore: false, isFetching: Boolean(filter), error: null };
  const store = running(first, async (tell, signal) => {
    if (!client || !filter) return;
    const { account, chainId, status, type, onChainOrderType } = filter;
    type Term = string | number | undefined;
    const isOf = (wanted: Term | Term[], value: Term) => wanted === undefined || [wanted].flat().includes(value);
    const fits = (order: Order) =>
      isOf(chainId, order.input.chainId) && isOf(status, order.status) && isOf(type, order.type) &&
      isOf(onChainOrderType, order.onChainOrderType);
    const show = (changes?: Partial<State>) => {
      const orders = [...found.values()].sort((one, other) => String(other.createdAt).localeCompare(one.createdAt));
      tell({ orders, ...changes });
    };
    page = 0;
    read = async () => {
      tell({ isFetching: true, error: null });
      try {
        const { orders, hasMore } = await client.orders({ ...filter, page: page + 1 }, { signal });
        page++;
        // The order from `watch` may be newer, and has more members.
        for (const order of orders) {
          const known = found.get(order.id);
          if (!(known && known.updatedAt >= order.updatedAt)) found.set(order.id, order);
        }
        show({ hasMore, isFetching: false });
      } catch (error) {
        tell({ isFetching: false, error: failureOf(error) });
      }
    };
    const more = { ...options, signal };
    const follow = async (changed: AsyncIterable<Order>) => {
      for await (const order of changed) {
        if (fits(order)) found.set(order.id, order);
        else found.delete(order.id);
        show();
      }
    };
    /** An account's watch looks now and then: an order from here could begin and end in between. */
    const followNew = async () => {
      let known: (string | null)[] | undefined;
      for await (const trades of client.trades.watch({ account }, { signal })) {
        const ids = trades.flatMap((trade) => (trade.kind === "delta" ? [trade.orderId] : []));
        for (const id of ids) if (known && id && !known.includes(id)) follow(client.watch(id, more)).catch((error) => tell({ error }));
        known = ids;
      }
    };
    read();
    await Promise.all([follow(client.watch({ account, ...(chainId && { chainId }) }, more)), followNew()]);
  });
  const fetchMore = async () => {
    const { hasMore, isFetching } = store.get();
    if (hasMore && !isFetching) await read();
  };
  return Object.assign(store, { fetchMore });
}

const NO_TRADES: Pick<published.TradesValue, "trades" | "isFetching" | "error"> = { trades: [], isFetching: true, error: null };

const journalStore = (client: Client | null, filter: TradesFilter | undefined) =>
  running(NO_TRADES, async (tell, signal) => {
    if (!client) return;
    for await (const trades of client.trades.watch(filter ?? {}, { signal })) {
      tell({ trades, isFetching: false, error: null });
    }
  });
