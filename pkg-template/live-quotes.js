// `watchQuotes`: the price of the latest request, kept fresh while somebody looks at it. This file decides when to
// request one; the module decides which may be built, and is notified of each price that is taken back.
import { observed } from "./observed.js";
import { fault, object } from "./reading.js";

const TYPING_PAUSE_MS = 250;
/** Milliseconds without a sign of the user after which nothing more is requested. */
const IDLE_MS = 300_000;
const [FIRST_RETRY_MS, LAST_RETRY_MS] = [2_000, 60_000];
/** The share of a price's life after which a new one is requested. */
const RENEW_AT = 0.75;

const withdrawn = new WeakSet();

/** Whether a price may still be built. A limit order's bound does not depend on the price's age. */
export const isGood = (quote, isLimit) => !withdrawn.has(quote) && (isLimit || Date.now() < quote.expiresAtMs);

/** A request as text, for comparisons. */
export const keyOf = (value) => JSON.stringify(value, (name, part) => (typeof part === "bigint" ? `${part}` : part));

/**
 * `part` is the client with its wallet and its `endings`. `first`: a price to begin with. `isOnce`: none is requested
 * because of its age.
 */
export function watchQuotes({ client, wallet, endings }, request, options, { first, isOnce } = {}) {
  const { signal, ...unknown } = options ?? {};
  for (const name of Object.keys(unknown)) fault(`options.${name}`, "an option of watchQuotes: signal", unknown[name]);
  if (signal && !("aborted" in Object(signal))) fault("options.signal", "an AbortSignal", signal);
  const shown = observed({ request: null, quote: null, isFetching: false, isStale: false, paused: null, error: null });
  const page = globalThis.document;
  const isHidden = () => page?.visibilityState === "hidden";
  let [inFlight, timer, expiry, key, yielded, waiting] = [null, null, null, "null", null, []];
  let [failures, activeAt] = [0, Date.now()];

  const isClosed = () => shown.state.paused === "closed";
  const askIn = (ms) => {
    clearTimeout(timer);
    timer = setTimeout(ask, ms);
  };

  async function ask() {
    const { request } = shown.state;
    if (isClosed() || !request) return;
    clearTimeout(timer);
    const paused = isHidden() ? "hidden" : Date.now() - activeAt >= IDLE_MS ? "idle" : null;
    if (paused) return shown.set({ paused, isFetching: false });
    inFlight?.abort();
    const current = (inFlight = new AbortController());
    shown.set({ paused, isFetching: true });
    try {
      const call = request.numSlices === undefined ? "quote" : "quoteTwap";
      const quote = await client[call](request, { signal: current.signal });
      if (current === inFlight) adopt(quote);
    } catch (error) {
      if (current === inFlight) failed(error);
    }
  }

  function adopt(quote) {
    const left = quote.expiresAtMs - Date.now();
    [inFlight, failures] = [null, 0];
    clearTimeout(expiry);
    expiry = setTimeout(() => shown.set({ isStale: true }), left);
    if (!isOnce) askIn(left * RENEW_AT);
    shown.set({ quote, isFetching: false, isStale: false, error: null });
  }

  function failed(error) {
    inFlight = null;
    if (error.code === "ABORTED") return close();
    // The other failures do not pass by themselves.
    if (["retry", "requote"].includes(error.action)) {
      const pause = Math.min(LAST_RETRY_MS, FIRST_RETRY_MS * 2 ** failures++);
      askIn(Math.max(pause, 1000 * (error.retryAfterSecs ?? 0)));
    }
    shown.set({ isFetching: false, error });
  }

  /** The shown price is no longer for the current request: it cannot be built. */
  function takeBack(reason, changes) {
    const { quote } = shown.state;
    if (quote) {
      withdrawn.add(quote);
      client.withdrawQuote(quote, { reason }).catch(() => {});
    }
    inFlight?.abort();
    [inFlight, failures] = [null, 0];
    clearTimeout(timer);
    clearTimeout(expiry);
    shown.set({ quote: null, isFetching: false, isStale: false, error: null, ...changes });
  }

  function touch() {
    activeAt = Date.now();
    if (shown.state.paused === "idle") ask();
  }

  function refresh() {
    activeAt = Date.now();
    ask();
  }

  function update(next) {
    if (isClosed()) return;
    const request = next === null ? null : { ...object(next, "request") };
    const isFirst = key === "null";
    if (keyOf(request) === key) return touch();
    [key, activeAt] = [keyOf(request), Date.now()];
    takeBack("a newer request took its place", { request, isFetching: request !== null, paused: null });
    if (isFirst) ask();
    else askIn(TYPING_PAUSE_MS);
  }

  const onAccounts = () => {
    if (!shown.state.request) return;
    takeBack("the wallet's account changed");
    ask();
  };
  const onChain = (chainId) => {
    // The trade itself may switch the wallet to its chain.
    if (!shown.state.request || Number(chainId) === shown.state.request.chainId) return;
    takeBack("the wallet's chain changed");
    ask();
  };
  const onWake = () => {
    const { paused, error, quote } = shown.state;
    if (!isHidden() && (paused === "hidden" || error || (quote && !isGood(quote, isOnce)))) ask();
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

  const dom = ["addEventListener", "removeEventListener"];
  const emitter = ["on", "removeListener"];
  const listening = [
    [wallet, "accountsChanged", onAccounts, ...emitter],
    [wallet, "chainChanged", onChain, ...emitter],
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
  const live = {
    get state() {
      return shown.state;
    },
    subscribe: shown.subscribe,
    update,
    refresh,
    touch,
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
    if (isGood(first, isOnce)) adopt(first);
    else ask();
  } else update(request);
  if (signal?.aborted) close();
  return live;
}
