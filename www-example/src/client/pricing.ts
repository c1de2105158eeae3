import {
  parseAddress,
  type Address,
  type Client,
  type LiveQuote,
  type Quote,
  type QuoteRequest,
  type QuoteState,
  type WatchedRequest,
} from "verified-swap";
import { messages } from "../messages/en.ts";
import { explain } from "../state/failure.ts";
import type { Token } from "../sandbox/sandbox.ts";
import type { Failure } from "../state/parts.ts";
import { typed } from "../state/money.ts";
import { withPrice } from "../state/prices.ts";
import { amountOf, balanceKey, balanceOf, isCrosschain, isNative, nameOf, routeOf, type State } from "../state/state.ts";
import { until, type Store } from "../state/store.ts";
import { askNode } from "./node.ts";
import { slicesOf } from "./terms.ts";

/* The price on the page. The package keeps it right: the newest request wins, and it is renewed before it is too old. The
   page says what it asks for, and whether anybody looks. */

/** A shorter wait is not worth words. */
const WAIT_SHOWN_MS = 2000;

export interface Pricing {
  /** The prices of a client that is being made, in place of those of the one before. */
  begin(prices: LiveQuote): void;
  /** The request changed: forget the old price, and ask after a short pause. */
  changed(): void;
  /** Ask now; the old price stays on the page, dimmed. */
  refresh(): Promise<void>;
  /** Called once a second: updates the age, and how long the service makes the price wait. */
  tick(): void;
  /** Sells so many percent of what is held. All of the native token leaves what gas may cost. */
  useShare(percent: number): Promise<void>;
}

export function createPricing(store: Store<State>, client: () => Client): Pricing {
  let live: LiveQuote | null = null;
  /** What was told on the page: an error, and the failure that it was made into. */
  let told: { error: QuoteState["error"]; failure: Failure | null } = { error: null, failure: null };

  function begin(prices: LiveQuote): void {
    live?.close();
    live = prices;
    live.subscribe(show);
    look();
  }

  function show(now: QuoteState): void {
    store.set({ quoting: now.isFetching, ...(now.isFetching ? {} : { waitSecs: 0 }) });
    // What is under review goes by its own price, which the trade renews.
    if (store.get().stage !== "review") take(now);
  }

  /** `isAsked`: the user waits for it, in whatever view. */
  function take({ comparison, error, retryAtMs, ...now }: QuoteState, isAsked = false): void {
    const state = store.get();
    const quote = (state.way && comparison?.[state.way]) ?? now.quote;
    if (comparison !== state.comparison) store.set({ comparison });
    if (quote && quote !== state.quote) store.set(priced(state, quote));
    if (error === told.error) return;
    const isOver = told.failure !== null && state.failure === told.failure;
    const failure = error && { ...explain(error, state), ...(retryAtMs !== null && error.action === "retry" ? { retryAt: retryAtMs } : {}) };
    told = { error, failure };
    // Another view has failures of its own.
    if ((failure && (isAsked || ["compose", "refused"].includes(state.stage))) || isOver) store.set({ failure });
    // An older price stays visible, unless the price itself is wrong. The form stays as it is while the user types.
    if (failure?.refusal || failure?.ofAmount) store.set({ quote: null, comparison: null });
  }

  /** Goes on as soon as somebody looks at a price, and stops once nobody does. */
  function look(): void {
    const state = store.get();
    live?.[state.online && state.stage === "compose" && !state.busy ? "resume" : "pause"]();
  }

  async function refresh(): Promise<void> {
    store.set({ failure: null });
    // What is asked for is not known yet.
    if (!live) return store.set({ quoting: true });
    const request = watchedOf(store.get());
    // The first request leaves by itself.
    const isFirst = live.state.request === null;
    live.update(request);
    if (!request) return store.set({ quote: null, comparison: null, quoting: false });
    if (!isFirst) live.refresh();
    await until(store, ({ quoting }) => !quoting);
    take(live.state, true);
  }

  function changed(): void {
    const request = watchedOf(store.get());
    store.set({
      quote: null,
      comparison: null,
      way: null,
      alternative: null,
      acceptsPromise: false,
      mostLostBps: null,
      leftForGas: null,
      quoting: request !== null,
      failure: null,
    });
    if (!live) return;
    live.update(request);
    // It may be the same request, typed in another way.
    told = { error: null, failure: null };
    show(live.state);
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
    if (state.quoting) void showWait();
    if (!state.quote) return;
    const ageSecs = ageOf(state.quotedAt);
    if (ageSecs !== state.ageSecs) store.set({ ageSecs });
  }

  store.subscribe(look);
  return {
    begin,
    changed,
    refresh,
    tick,
    useShare,
  };
}

/** What the page wants to be told the price of: what the form asks for, by the paths that were chosen. */
function watchedOf(state: State): WatchedRequest | null {
  const request = requestOf(state);
  if (!request) return null;
  if (state.tab === "twap") return { ...request, numSlices: slicesOf(state).numSlices ?? 0, intervalSecs: state.twap.intervalSecs };
  if (state.tab !== "swap") return request;
  if (state.path === "market") return { ...request, mode: "MARKET" };
  return state.path === "both" && !isCrosschain(state) ? { ...request, mode: "BOTH" } : { ...request, mode: "ALL" };
}

/** `performance.now()` at which a price came: the clock of the device may be set meanwhile. */
export function arrivalOf({ receivedAtMs }: Quote): number {
  return performance.now() - Math.max(0, Date.now() - receivedAtMs);
}

function ageOf(quotedAt: number): number {
  return Math.floor((performance.now() - quotedAt) / 1000);
}

/** What the page takes over with a price. */
export function priced(state: State, quote: Quote): Pick<State, "quote" | "samples" | "worths" | "alternative" | "acceptsPromise" | "quotedAt" | "ageSecs"> {
  return {
    quote,
    // What comes while the service is known to lie is no price of the market.
    samples: state.attack ? state.samples : withPrice(state.samples, quote),
    worths: { ...state.worths, ...worthsOf(state, quote) },
    alternative: sameBridge(state, quote),
    // Another bridge is another one to trust.
    acceptsPromise: state.acceptsPromise && bridgeOf(state) === bridgeOf({ quote, alternative: sameBridge(state, quote) }),
    quotedAt: arrivalOf(quote),
    ageSecs: ageOf(arrivalOf(quote)),
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
  if (state.tab === "twap" && slicesOf(state).numSlices === null) return null;
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
function pairOf(src: Token, dest: Token): Omit<QuoteRequest, "amount"> {
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
