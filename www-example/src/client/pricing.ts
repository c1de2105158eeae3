import {
  isTradeError,
  parseAddress,
  type Address,
  type Client,
  type DeltaBuild,
  type MarketBuild,
  type Quote,
  type QuoteRequest,
} from "verified-swap";
import { messages } from "../messages/en.ts";
import { explain, mayPass } from "../state/failure.ts";
import type { Token } from "../sandbox/sandbox.ts";
import type { Failure } from "../state/parts.ts";
import { typed } from "../state/money.ts";
import { PLACE } from "../state/place.ts";
import { withPrice } from "../state/prices.ts";
import { amountOf, balanceKey, balanceOf, isCrosschain, isNative, nameOf, routeOf, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { askNode } from "./node.ts";
import { slicesOf } from "./terms.ts";

/* Keeps the quote on the page right: the newest request wins, and a price is renewed before it is too old to use. */

const TYPING_PAUSE_MS = 250;
export const RENEW_AFTER_SECS = 20;
/** After a failure that may pass: longer each time. */
const ASK_AGAIN_SECS = [5, 10, 20];
/** A shorter wait is not worth words. */
const WAIT_SHOWN_MS = 2000;

export interface Pricing {
  /** The request changed: forget the old price, and ask after a short pause. */
  changed(): void;
  /** Ask now; the old price stays on the page, dimmed. */
  refresh(): Promise<void>;
  /** The next price for a build under review, by the path that its own request names. The page's stays as it is. */
  next(build: DeltaBuild | MarketBuild, signal: AbortSignal): Promise<Quote>;
  /** Called once a second: updates the age, asks again for what is too old or has failed. */
  tick(): void;
  /** Sells so many percent of what is held. All of the native token leaves what gas may cost. */
  useShare(percent: number): Promise<void>;
}

export function createPricing(store: Store<State>, client: () => Client): Pricing {
  let inFlight: AbortController | null = null;
  let pause: ReturnType<typeof setTimeout> | undefined;

  /** How often in a row nobody answered. */
  let failed = 0;

  async function refresh(): Promise<void> {
    store.set({ failure: null });
    await askNow();
  }

  /** What failed stays on the page until there is an answer. */
  async function askNow(): Promise<void> {
    clearTimeout(pause);
    inFlight?.abort();
    // What is asked for is not known yet.
    if (store.get().chain === PLACE) return store.set({ quoting: true });
    const request = requestOf(store.get());
    if (!request) return store.set({ quote: null, comparison: null, quoting: false });
    const current = (inFlight = new AbortController());
    store.set({ quoting: true, waitSecs: 0 });
    try {
      const quote = await ask(request, current.signal);
      if (current.signal.aborted) return;
      failed = 0;
      store.set({
        ...(store.get().failure?.retryAt ? { failure: null } : {}),
        ...priced(store.get(), quote, performance.now()),
        quoting: false,
      });
    } catch (error) {
      if (current.signal.aborted) return;
      const failure = withRetry(error, explain(error, store.get()));
      // An older price stays visible, unless the price itself is wrong. The form stays as it is while the user types.
      const gone = failure.refusal || failure.ofAmount ? { quote: null, comparison: null } : {};
      store.set({ ...gone, quoting: false, failure });
    }
  }

  function withRetry(error: unknown, failure: Failure): Failure {
    if (!isTradeError(error) || !mayPass(error)) return failure;
    return { ...failure, retryAt: Date.now() + pauseSecs(failed++, error) * 1000 };
  }

  async function next({ request: { mode } }: DeltaBuild | MarketBuild, signal: AbortSignal): Promise<Quote> {
    const state = store.get();
    const request = requestOf(state);
    if (!request) throw new Error("The form asks for nothing.");
    if (state.tab === "twap") return askSlices(request, state, signal);
    return mode ? client().quote({ ...request, mode }, { signal }) : client().quote(request, { signal });
  }

  function askSlices(request: QuoteRequest, state: State, signal: AbortSignal): Promise<Quote> {
    const numSlices = slicesOf(state).numSlices ?? 0;
    return client().quoteTwap({ ...request, numSlices, intervalSecs: state.twap.intervalSecs }, { signal });
  }

  /** The price for what the form is about. */
  async function ask(request: QuoteRequest, signal: AbortSignal): Promise<Quote> {
    const state = store.get();
    if (state.tab === "twap") return askSlices(request, state, signal);
    if (state.tab !== "swap") return client().quote(request, { signal });
    if (state.path !== "both" || isCrosschain(state)) {
      return client().quote({ ...request, mode: state.path === "market" ? "MARKET" : "ALL" }, { signal });
    }
    const onQuote = (quote: Quote): void => {
      if (!signal.aborted) store.set({ comparison: { ...store.get().comparison, best: null, [quote.kind]: quote } });
    };
    const comparison = await client().quoteBoth(request, { signal, onQuote });
    const better = comparison[store.get().way ?? comparison.best ?? "delta"] ?? comparison.market ?? comparison.delta;
    if (!signal.aborted) store.set({ comparison });
    return better!;
  }

  function changed(): void {
    inFlight?.abort();
    clearTimeout(pause);
    const asked = requestOf(store.get()) !== null;
    store.set({
      quote: null,
      comparison: null,
      way: null,
      alternative: null,
      acceptsPromise: false,
      mostLostBps: null,
      leftForGas: null,
      quoting: asked,
      failure: null,
    });
    if (asked) pause = setTimeout(() => void refresh(), TYPING_PAUSE_MS);
  }

  async function useShare(percent: number): Promise<void> {
    const { src, chain } = store.get();
    const all = percent === 100 && isNative(src);
    const reserve = all ? await gasReserve(chain).catch(() => 0n) : 0n;
    const state = store.get();
    const held = BigInt(balanceOf(state, src) ?? "0");
    if (state.src !== src) return;
    const amount = held > reserve ? ((held - reserve) * BigInt(percent)) / 100n : 0n;
    const leftForGas = reserve > 0n && amount > 0n ? String(reserve) : null;
    store.set({ side: "SELL", amountText: typed(String(amount), src.decimals) });
    changed();
    store.set({ leftForGas });
  }

  /** Whether the client holds requests back, and for how long: what is asked is not late, it has not left. */
  async function showWait(): Promise<void> {
    const { waiting, nextInMs } = await client().info.rateLimit();
    const waitSecs = waiting > 0 && nextInMs >= WAIT_SHOWN_MS ? Math.ceil(nextInMs / 1000) : 0;
    if (store.get().quoting && waitSecs !== store.get().waitSecs) store.set({ waitSecs });
  }

  function tick(): void {
    const state = store.get();
    if (state.starting) return;
    const { failure, quoting } = state;
    const mayAsk = state.stage === "compose" && !state.busy && !quoting && state.online && !document.hidden;
    if (quoting) void showWait();
    if (mayAsk && failure?.retryAt !== undefined && Date.now() >= failure.retryAt) void askNow();
    if (!state.quote) return;
    const ageSecs = Math.floor((performance.now() - state.quotedAt) / 1000);
    if (ageSecs !== state.ageSecs) store.set({ ageSecs });
    if (ageSecs >= RENEW_AFTER_SECS && mayAsk && !failure) void askNow();
  }

  return { changed, refresh, next, useShare, tick };
}

/** Seconds until it is asked again after it failed so many times before. */
export function pauseSecs(failed: number, error: unknown): number {
  return Math.max(ASK_AGAIN_SECS[failed] ?? 30, (isTradeError(error) && error.retryAfterSecs) || 0);
}

/** What the page takes over with a price that came at `quotedAt`, by `performance.now()`. */
export function priced(state: State, quote: Quote, quotedAt: number): Pick<State, "quote" | "samples" | "worths" | "alternative" | "acceptsPromise" | "quotedAt" | "ageSecs"> {
  return {
    quote,
    // What comes while the service is known to lie is no price of the market.
    samples: state.attack ? state.samples : withPrice(state.samples, quote),
    worths: { ...state.worths, ...worthsOf(state, quote) },
    alternative: sameBridge(state, quote),
    // Another bridge is another one to trust.
    acceptsPromise: state.acceptsPromise && bridgeOf(state) === bridgeOf({ quote, alternative: sameBridge(state, quote) }),
    quotedAt,
    ageSecs: 0,
  };
}

/** Gas that a deposit or a swap uses at most, with room for a price that rises meanwhile. */
const RESERVED_GAS = 1_000_000n;

async function gasReserve(chain: State["chain"]): Promise<bigint> {
  const price = await askNode(chain, "eth_gasPrice", []);
  return typeof price === "string" ? BigInt(price) * RESERVED_GAS : 0n;
}

/** What a quote says that its two tokens are worth. */
function worthsOf({ src, dest }: State, { srcAmount, destAmount, srcUsd, destUsd }: Quote): State["worths"] {
  return {
    ...(srcUsd ? { [balanceKey(src)]: { amount: srcAmount, usd: srcUsd } } : {}),
    ...(destUsd ? { [balanceKey(dest)]: { amount: destAmount, usd: destUsd } } : {}),
  };
}

function bridgeOf(state: Pick<State, "quote" | "alternative">): string | null {
  return routeOf(state)?.bridge?.protocol ?? null;
}

/** Index of the chosen bridge in the alternatives of a new price; null if it is gone, or none was chosen. */
function sameBridge({ quote, alternative }: State, next: Quote): number | null {
  if (alternative === null || quote?.kind !== "delta" || next.kind !== "delta") return null;
  const protocol = quote.alternatives[alternative]?.bridge?.protocol;
  const index = next.alternatives.findIndex(({ bridge }) => bridge?.protocol === protocol);
  return index === -1 ? null : index;
}

/** What the form asks for; null while it does not ask for anything yet. */
export function requestOf(state: State): QuoteRequest | null {
  const { amount } = amountOf(state);
  if (state.tab === "otc" || (state.tab === "twap" && slicesOf(state).numSlices === null)) return null;
  const beneficiary = beneficiaryOf(state);
  if (amount === null || !beneficiary.ok) return null;
  return {
    ...pairOf(state.src, state.dest),
    side: state.side,
    amount,
    ...(isCrosschain(state) ? { destChainId: state.dest.chainId } : {}),
    ...(state.account ? { account: state.account } : {}),
    ...(beneficiary.address ? { beneficiary: beneficiary.address } : {}),
    ...(state.mostLostBps === null ? {} : { maxLossBps: state.mostLostBps }),
  };
}

/** The two tokens, as a request names them. */
export function pairOf(src: Token, dest: Token): Omit<QuoteRequest, "amount"> {
  return {
    chainId: src.chainId,
    srcToken: src.address,
    destToken: dest.address,
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    srcSymbol: nameOf(src),
    destSymbol: nameOf(dest),
  };
}

/** The other address to pay to, checked with its checksum; or what is wrong with it. */
export function beneficiaryOf(state: State): { ok: true; address: Address | null } | { ok: false; problem: string } {
  const text = state.beneficiaryText?.trim() ?? "";
  if (text === "") return state.beneficiaryText === null ? { ok: true, address: null } : { ok: false, problem: "" };
  try {
    return { ok: true, address: parseAddress(text) };
  } catch {
    const shape = /^0x[0-9a-fA-F]{40}$/.test(text);
    return {
      ok: false,
      problem: shape ? messages.form.wrongChecksum : messages.form.notAnAddress,
    };
  }
}
