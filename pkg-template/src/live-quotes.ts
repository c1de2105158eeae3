// `watchQuotes`: the price of the latest request, kept fresh while it is looked at. This file decides when to
// request one; the module decides which may be built, and is notified of each price that is taken back.
import { failureOf, foreign } from "./module.ts";
import { observed } from "./observed.ts";
import { fault, object } from "./reading.ts";
import type { CallOptions, Client, Comparison, LiveQuote, Quote, QuoteState, WatchedRequest } from "./types.ts";

const TYPING_PAUSE_MS = 250;
/** Milliseconds without a sign of the user after which nothing more is requested. */
const IDLE_MS = 300_000;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [2_000, 60_000];
/** The share of a price's life after which a new one is requested. */
const RENEW_AT = 0.75;

/** The state before a request. */
export const NO_QUOTE: QuoteState = {
  request: null, quote: null, comparison: null, isFetching: false, isStale: false, paused: null, error: null, retryAtMs: null,
};
/** Neither path has answered. */
const NO_COMPARISON = { delta: null, market: null, deltaError: null, marketError: null };

type Listen = ((name: string, listener: (value: unknown) => void) => unknown) | undefined;
/** The sources of events: of EIP-1193, as far as a wallet has them, and of the page. */
interface Emitter {
  readonly on?: Listen;
  readonly removeListener?: Listen;
  readonly addEventListener?: Listen;
  readonly removeEventListener?: Listen;
}

/** The functions that end with a client. */
export interface Endings {
  add(end: () => void): unknown;
  delete(end: () => void): unknown;
}

/** The part of a client that prices need. */
export interface Pricing {
  readonly client: Pick<Client, "quote">;
  readonly wallet: unknown;
  readonly endings: Endings;
  withdraw(quote: Quote, reason: string): void;
}

/** A price that a trade begins with, and whether none is requested because of its age. */
export interface Beginning {
  readonly first?: Quote | null | undefined;
  readonly isOnce?: boolean | undefined;
}

/** A source of events, the name of one, its listener, and the names of the methods that add and remove it. */
type Listening = readonly [
  target: Emitter | null | undefined, name: string, listener: (value: unknown) => void,
  on: "on" | "addEventListener", off: "removeListener" | "removeEventListener",
];

/** A state that is replaced as a whole, and its listeners. */
export interface Shown<State> {
  readonly state: State;
  set(changes: Partial<State>): void;
  subscribe(listener: (state: State) => void): () => void;
}

const withdrawn = new WeakSet<Quote>();

/** Whether a price may still be built. A limit order's bound does not depend on the price's age. */
export const isGood = (quote: Quote, isLimit?: boolean) => !withdrawn.has(quote) && (isLimit || Date.now() < quote.expiresAtMs);

/** A request as text, for comparisons. */
export const keyOf = (value: unknown) => JSON.stringify(value, (_, part: unknown) => (typeof part === "bigint" ? `${part}` : part));

/** The prices that a state shows. */
const pricesOf = ({ quote, comparison }: Pick<QuoteState, "quote" | "comparison">) =>
  new Set([quote, comparison?.delta, comparison?.market].filter((price) => price != null));

export function watchQuotes(
  { client, wallet, endings, withdraw }: Pricing,
  request: WatchedRequest | null,
  options?: CallOptions,
  { first, isOnce }: Beginning = {},
): LiveQuote {
  const { signal, ...unknown } = options ?? {};
  for (const [name, value] of Object.entries(unknown)) fault(`options.${name}`, "an option of watchQuotes: signal", value);
  if (signal && !("aborted" in Object(signal))) fault("options.signal", "an AbortSignal", signal);
  const shown: Shown<QuoteState> = observed(NO_QUOTE);
  const page = globalThis.document;
  const isHidden = () => page?.visibilityState === "hidden";
  let inFlight: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expiry: ReturnType<typeof setTimeout> | undefined;
  let [key, yielded, failures, activeAt]: [string, QuoteState | null, number, number] = ["null", null, 0, Date.now()];
  const waiting: ((result: IteratorResult<QuoteState, undefined>) => void)[] = [];
  // Whether there was a request, whether the app holds back the others, and whether one is due meanwhile.
  let [isBegun, isHeld, isDue] = [Boolean(first), false, false];

  const isClosed = () => shown.state.paused === "closed";
  const held = () => (isHeld ? "app" : null);
  const askIn = (ms: number, then = renew) => {
    clearTimeout(timer);
    timer = setTimeout(then, ms);
  };

  /** A request that the app did not make: it waits until the app goes on, or for the one under way. */
  function renew() {
    isDue = isHeld;
    if (!isHeld && !inFlight) ask();
  }

  async function ask() {
    const { request } = shown.state;
    if (isClosed() || !request) return;
    clearTimeout(timer);
    const paused = isHidden() ? "hidden" : Date.now() - activeAt >= IDLE_MS ? "idle" : null;
    isDue = isHeld && paused !== null;
    if (paused) return shown.set({ paused: held() ?? paused, isFetching: false });
    inFlight?.abort();
    const current = (inFlight = new AbortController());
    const { signal } = current;
    shown.set({ paused: held(), isFetching: true, retryAtMs: null });
    try {
      if (request.mode === "BOTH") {
        // They are ranked once both are there.
        const onQuote = (quote: Quote) => {
          const { comparison } = shown.state;
          const more = { [quote.kind]: quote, [`${quote.kind}Error`]: null, best: null, differenceBps: null };
          if (current === inFlight) shown.set({ comparison: { ...NO_COMPARISON, ...comparison, ...more } });
        };
        const comparison = await client.quote(request, { signal, onQuote });
        const { delta, market, best } = comparison;
        if (current === inFlight) adopt((best && comparison[best]) ?? delta ?? market, comparison);
      } else {
        const quote = await client.quote(request, { signal });
        if (current === inFlight) adopt(quote, null);
      }
    } catch (error) {
      if (current === inFlight) failed(error);
    }
  }

  function adopt(quote: Quote | null, comparison: Comparison | null) {
    const left = Math.min(...[...pricesOf({ quote, comparison })].map(({ expiresAtMs }) => expiresAtMs)) - Date.now();
    [inFlight, failures] = [null, 0];
    clearTimeout(expiry);
    expiry = setTimeout(() => shown.set({ isStale: true }), left);
    if (!isOnce) askIn(left * RENEW_AT);
    shown.set({ quote, comparison, isFetching: false, isStale: false, error: null });
  }

  function failed(thrown: unknown) {
    const error = failureOf(thrown);
    inFlight = null;
    if (error.code === "ABORTED") return close();
    let retryAtMs = null;
    // The other failures do not pass by themselves.
    if (["retry", "requote"].includes(error.action)) {
      const pause = Math.max(Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++), 1000 * (error.retryAfterSecs ?? 0));
      retryAtMs = Date.now() + pause;
      askIn(pause);
    }
    shown.set({ isFetching: false, error, retryAtMs });
  }

  /** The shown prices are no longer for the current request: they cannot be built. */
  function takeBack(reason: string, changes?: Partial<QuoteState>) {
    for (const quote of pricesOf(shown.state)) {
      withdrawn.add(quote);
      withdraw(quote, reason);
    }
    inFlight?.abort();
    [inFlight, failures, isDue] = [null, 0, false];
    clearTimeout(timer);
    clearTimeout(expiry);
    shown.set({ ...NO_QUOTE, request: shown.state.request, paused: shown.state.paused, ...changes });
  }

  function touch() {
    activeAt = Date.now();
    if (shown.state.paused === "idle") ask();
  }

  function refresh() {
    activeAt = Date.now();
    ask();
  }

  function pause() {
    if (isClosed() || isHeld) return;
    [isHeld, isDue] = [true, Boolean(shown.state.paused)];
    shown.set({ paused: "app" });
  }

  function resume() {
    if (isClosed() || !isHeld) return;
    [isHeld, activeAt] = [false, Date.now()];
    shown.set({ paused: null });
    if (isDue) renew();
  }

  function update(next: WatchedRequest | null) {
    if (isClosed()) return;
    const request = next === null ? null : { ...object(next, "request") };
    if (keyOf(request) === key) return touch();
    [key, activeAt] = [keyOf(request), Date.now()];
    takeBack("a newer request took its place", { request, isFetching: request !== null, paused: held() });
    if (isBegun) askIn(TYPING_PAUSE_MS, ask);
    else ask();
    isBegun ||= request !== null;
  }

  const onAccounts = () => {
    if (!shown.state.request) return;
    takeBack("the wallet's account changed");
    renew();
  };
  const onChain = (chainId: unknown) => {
    // The trade itself may switch the wallet to its chain.
    if (!shown.state.request || Number(chainId) === shown.state.request.chainId) return;
    takeBack("the wallet's chain changed");
    renew();
  };
  const onWake = () => {
    const { paused, error, quote } = shown.state;
    if (!isHidden() && (paused === "hidden" || error || (quote && !isGood(quote, isOnce)))) renew();
  };
  const onVisibility = () => {
    if (!isHidden()) activeAt = Date.now();
    onWake();
  };

  function close() {
    if (isClosed()) return;
    for (const [target, name, listener, , off] of listening) target?.[off]?.(name, listener);
    endings.delete(close);
    inFlight?.abort();
    inFlight = null;
    clearTimeout(timer);
    clearTimeout(expiry);
    for (const resolve of waiting.splice(0)) resolve({ done: true, value: undefined });
    shown.set({ isFetching: false, paused: "closed" });
  }

  const dom = ["addEventListener", "removeEventListener"] as const;
  const emitter = ["on", "removeListener"] as const;
  const emits = foreign<Emitter | null | undefined>(wallet);
  const listening: readonly Listening[] = [
    [emits, "accountsChanged", onAccounts, ...emitter],
    [emits, "chainChanged", onChain, ...emitter],
    [page, "visibilitychange", onVisibility, ...dom],
    [page && globalThis, "online", onWake, ...dom],
    [page, "pointerdown", touch, ...dom],
    [page, "keydown", touch, ...dom],
    [signal, "abort", close, ...dom],
  ];
  for (const [target, name, listener, on] of listening) target?.[on]?.(name, listener);
  endings.add(close);
  shown.subscribe((state) => {
    if (waiting.length) yielded = state;
    for (const resolve of waiting.splice(0)) resolve({ done: false, value: state });
  });
  const live: LiveQuote = {
    get state() {
      return shown.state;
    },
    subscribe: shown.subscribe,
    update,
    refresh,
    touch,
    pause,
    resume,
    close,
    next: async () => {
      if (isClosed()) return { done: true, value: undefined };
      if (yielded !== shown.state) return { done: false, value: (yielded = shown.state) };
      return new Promise((resolve) => waiting.push(resolve));
    },
    return: async () => {
      close();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]: () => live,
  };
  if (first) {
    key = keyOf(request);
    shown.set({ request });
    if (isGood(first, isOnce)) adopt(first, null);
    else ask();
  } else update(request);
  if (signal?.aborted) close();
  return live;
}
