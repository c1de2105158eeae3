// The controller of a swap's form: `createSwap`. It keeps the form, its live price and its trade in one state; a price, a
// build, a prompt is the client's to judge.
import type { Holds } from "./module.ts";
import { NO_QUOTE } from "./live-quotes.ts";
import { observed } from "./observed.ts";
import { tradeError } from "./reading.ts";
import { createAccount } from "./swap-account.ts";
import { createActivity, NO_ACTIVITY } from "./swap-activity.ts";
import { asTradeError, explain, USED_UP_BPS } from "./swap-failure.ts";
import { figuresOf } from "./swap-figures.ts";
import {
  amountOf, balanceKey, bridgeOf, checked, EMPTY_FORM, faultsOf, isCrosschain, isNative, requestOf, termsOf, typedUnits, withPrice,
} from "./swap-form.ts";
import type { ActivityHost, Task } from "./swap-parts.ts";
import { createTrading, isReadLimit } from "./swap-trade.ts";
import type { Client, Quote, QuoteState, TradeError } from "./types.ts";
import type * as published from "./types/swap.ts";
import type { Swap, SwapChoice, SwapFigures, SwapForm, SwapOptions, SwapRemedy, SwapState } from "./types/swap.ts";

export { figuresOf } from "./swap-figures.ts";
export type Entry = Holds<typeof import("./swap.ts"), typeof published>;

/** A shorter wait for the rate limit is not shown, in ms. */
const WAIT_SHOWN_MS = 2_000;
/** The members by which the form asks for another price. */
const ASKED: readonly (keyof SwapForm)[] = ["src", "dest", "side", "amount", "kind", "path", "receiver", "slices"];

export function createSwap({ client: given, form, tokens = [] }: SwapOptions): Swap {
  const store = observed<SwapState>(firstState({ ...EMPTY_FORM, ...form }));
  let base: Client | null = "then" in given ? null : given;
  let [isClosed, maxLossBps, priceError]: [boolean, number | null, TradeError | null] = [false, null, null];
  /** The work behind a review of the activity. */
  let task: Task | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  /** The quote under review, and the one that was traded: once more, it would be the same trade. */
  let [begun, traded]: (Quote | null)[] = [null, null];
  /** The request of the one under review. */
  let asked: QuoteState["request"] = null;
  const quoteNow = (price: QuoteState, form: SwapForm) => {
    const quote = quoteOf(price, form);
    return quote === traded ? null : quote;
  };

  /** Changes the state, with all that follows from form, price and balances. */
  const set = (changes: Partial<SwapState>) => {
    const next = { ...store.state, ...changes };
    if (!isClosed) store.set({ ...changes, ...derived(next, quoteNow(next.price, next.form)) });
  };

  const account = createAccount(store, () => base, tokens, () => {
    leave();
    set({});
    activity.restart();
  });
  const host: ActivityHost = {
    store,
    client: () => (isClosed ? null : account.client()),
    provider: account.provider,
    show(review, next) {
      if (store.state.busy) return false;
      leave();
      task = next;
      store.set({ view: "review", review });
      return true;
    },
    end(id) {
      task = null;
      store.set({ review: null, failure: null, busy: null, view: "form" });
      if (id !== undefined) activity.open(id);
    },
    readBalances: () => readBalances(),
  };
  const activity = createActivity(host);
  const readBalances = () => {
    account.readBalances();
    activity.readDeposit();
  };
  const trading = createTrading({ store, activity, readBalances, maxLossBps: () => maxLossBps });

  /* ------------------------------------------------------------------ the price */

  const live = given.watchQuotes(requestOf(store.state.form, maxLossBps));
  live.subscribe(priced);
  // Balances are read without it.
  let balances = store.state.balances;
  const endHold = store.subscribe(({ view, busy, review, balances: now }) => {
    const isSeen = view === "form" || (view === "review" && review !== null && isReadLimit(review));
    live[isSeen && !busy ? "resume" : "pause"]();
    if (now === balances) return;
    balances = now;
    set({});
  });

  function priced(price: QuoteState): void {
    const { form, quote, view, failure } = store.state;
    const next = quoteNow(price, form);
    const moves = next && next !== quote ? withPrice(form, quote, next) : null;
    set({ price, ...(moves && { form: { ...form, ...moves } }) });
    tellWait();
    // The app may change the form under a review: that is another trade's price.
    if (next && moves && view === "review" && price.request === asked) trading.compare(next);
    // The account may have got more meanwhile.
    if (moves && store.state.faults.some(({ reason }) => reason === "tooMuch")) account.readBalances();
    if (price.error === priceError) return;
    const isOver = failure !== null && failure.error === priceError;
    priceError = price.error;
    if (isOver || (priceError && view === "form")) set({ failure: priceError && explain(priceError, { maxLossBps }) });
  }

  /** Whether the client holds the request back for the rate limit, and for how long. */
  function tellWait(): void {
    clearTimeout(waiting);
    const { price, waitSecs } = store.state;
    if (!price.isFetching && waitSecs > 0) store.set({ waitSecs: 0 });
    if (!price.isFetching || isClosed) return;
    waiting = setTimeout(async () => {
      const limit = await base?.info.rateLimit().catch(() => null);
      if (isClosed || !store.state.price.isFetching) return;
      const isLong = limit && limit.waiting > 0 && limit.nextInMs >= WAIT_SHOWN_MS;
      store.set({ waitSecs: isLong ? Math.ceil(limit.nextInMs / 1_000) : 0 });
      tellWait();
    }, 1_000);
  }

  function request(changes: Partial<SwapForm>): void {
    const { form, view } = store.state;
    // The user typed on while the review was being made: it is not wanted any more.
    if (view === "form") trading.leave();
    const isOther = ASKED.some((name) => name in changes && JSON.stringify(changes[name]) !== JSON.stringify(form[name]));
    if (isOther) maxLossBps = null;
    const anew = isOther ? { chosen: null, route: null, acceptsPromise: false } : {};
    const next = { ...form, ...anew, ...changes };
    const { quote } = store.state;
    const isOtherBridge = quote && !isOther && bridgeOf(quote, next.route) !== bridgeOf(quote, form.route);
    if (isOtherBridge) next.acceptsPromise = changes.acceptsPromise ?? false;
    set({ form: next, ...(isOther && { failure: null }) });
    priceError = isOther ? null : priceError;
    live.update(requestOf(next, maxLossBps));
    if ("src" in changes || "dest" in changes) readBalances();
  }

  /* ------------------------------------------------------------------ the trade */

  function review(): void {
    const { state } = store;
    const { quote, form, busy, faults } = state;
    if (busy || isClosed || !quote || faults.length > 0) return;
    const client = account.client();
    if (!state.account || !client) {
      const error = tradeError("no wallet is connected", { code: "WRONG_ACCOUNT", action: "none" });
      return void store.set({ failure: { error, remedies: ["connect"], isFateUnknown: false } });
    }
    [task, begun, asked] = [null, quote, state.price.request];
    trading.begin(client, quote, termsOf(form, quote), form.route);
  }

  /** Leaves what is shown; what the wallet has goes on. */
  function leave(): void {
    const left = task;
    task = null;
    if (left) store.set({ review: null, failure: null, busy: null });
    left?.leave();
    trading.leave();
    if (store.state.view !== "entry") store.set({ view: "form", refusal: null, failure: null });
  }

  function back(): void {
    leave();
    if (store.state.view === "entry" && begun && begun === store.state.quote) {
      traded = begun;
      live.refresh();
    }
    store.set({ view: "form", entry: null, refusal: null, failure: null });
    priceError = null;
    live.touch();
    priced(live.state);
  }

  function remedy(name: SwapRemedy, accept: string[] = []): void {
    const { review: shown, view, entry, form } = store.state;
    const failure = (view === "entry" && entry?.failure) || store.state.failure;
    if (isClosed || !failure?.remedies.includes(name)) return;
    const own = ownRemedies[name];
    if (own) return own(failure.error, form);
    if (view === "entry") return activity.remedy(name, accept);
    if (shown) return (task ?? trading).remedy(name, accept);
    store.set({ failure: null });
    if (name === "requote") refresh();
    else review();
  }

  const attempt = (work: Promise<unknown>) =>
    void work.then(settled, (error: unknown) => isClosed || store.set({ failure: explain(error) }));
  /** The failure is over; that of an entry once it is opened again. */
  const settled = () => {
    const { view, entry } = store.state;
    store.set({ failure: null });
    if (view === "entry" && entry) activity.open(entry.id);
  };
  /** The chain of what is shown, if it is no form. */
  const chainAsked = () => {
    const { view, review: shown, entry } = store.state;
    return view === "entry" ? entry?.figures?.src.chainId : shown?.build.chainId;
  };
  const ownRemedies: Partial<Record<SwapRemedy, (error: TradeError, form: SwapForm) => void>> = {
    startOver: back,
    connect: () => store.set({ failure: null }),
    reload: () => globalThis.location?.reload(),
    switchChain: (_, { src }) => attempt(account.switchChain(chainAsked() ?? src.chainId)),
    useWalletAccount: () => attempt(account.adopt()),
    useMaximum() {
      back();
      void useShare(100);
    },
    acceptCosts({ lossBps = 0 }) {
      // To the whole percent above what it loses, and one for a price that moves.
      maxLossBps = Math.min(USED_UP_BPS, Math.ceil(lossBps / 100) * 100 + 100);
      back();
      live.update(requestOf(store.state.form, maxLossBps));
    },
    compare: (error) => {
      const { quote, figures, prompts } = store.state.review ?? { ...store.state, prompts: 0 };
      store.set({ view: "refusal", failure: null, refusal: { error, quote, figures, prompts } });
    },
    lookUp({ orderHash }) {
      back();
      if (orderHash) activity.open(orderHash);
    },
  };

  function refresh(): void {
    store.set({ failure: null });
    priceError = null;
    live.refresh();
  }

  function turn(): void {
    const { form: { src, dest, side, amount }, figures } = store.state;
    const expected = side === "SELL" ? figures?.get : figures?.pay;
    const text = expected ? typedUnits(expected, (side === "SELL" ? dest : src).decimals) : amount;
    request({ src: dest, dest: src, amount: text });
  }

  async function useShare(percent: number): Promise<void> {
    const { src } = store.state.form;
    const held = store.state.balances[balanceKey(src)];
    if (held === undefined) return;
    const kept = isNative(src) ? await account.reserve(src, held) : 0n;
    if (store.state.form.src !== src || isClosed) return;
    const share = BigInt(held) > kept ? ((BigInt(held) - kept) * BigInt(Math.round(percent))) / 100n : 0n;
    request({ side: "SELL", amount: share ? typedUnits(String(share), src.decimals) : "" });
  }

  let closing: Promise<void> | null = null;
  /** A second call waits for the same end. */
  const close = () => (closing ??= end());

  async function end(): Promise<void> {
    task?.leave();
    const ends = [trading.close(), activity.close()];
    account.close();
    isClosed = true;
    endHold();
    clearTimeout(waiting);
    live.close();
    await Promise.all(ends);
  }

  function opened(client: Client): void {
    if (isClosed) return;
    base = client;
    const { account: address } = store.state;
    set({ isOpen: true, account: address && checked(address) });
    activity.restart();
    account.readBalances();
    client.trades.storage().then(({ state }) => store.set({ isStored: state === "stored" }), () => {});
  }

  if ("then" in given) given.then(opened, (error: unknown) => isClosed || store.set({ failure: explain(error) }));
  else opened(given);
  priced(live.state);

  const whileOpen = <Given extends unknown[]>(work: (...given: Given) => void) => (...given: Given) => void (isClosed || work(...given));
  return {
    get state() {
      return store.state;
    },
    subscribe: store.subscribe,
    change: whileOpen(request),
    turn: whileOpen(turn),
    useShare,
    connect: account.connect,
    refresh: whileOpen(refresh),
    review: whileOpen(review),
    confirm: whileOpen((accept: string[] = []) => (task ?? trading).confirm(Array.isArray(accept) ? accept : [])),
    accept: whileOpen(trading.accept),
    remedy,
    back: whileOpen(back),
    open: whileOpen((id: string) => (leave(), activity.open(id))),
    cancel: whileOpen(activity.cancel),
    withdraw: whileOpen(activity.withdraw),
    resume: whileOpen(activity.resume),
    abandon: whileOpen(activity.abandon),
    loadMore: whileOpen(activity.loadMore),
    close,
  };
}

function firstState(form: SwapForm): SwapState {
  const first: SwapState = {
    view: "form", form, faults: [], amount: null, price: NO_QUOTE, quote: null, figures: null, choices: [], account: null,
    walletChainId: null, hasCode: null, balances: {}, busy: null, hardware: null, review: null, moved: null, refusal: null,
    failure: null, entry: null, activity: { ...NO_ACTIVITY, isFetching: true }, waitSecs: 0, isStored: null,
    isOpen: false,
  };
  return { ...first, ...derived(first, null) };
}

/** The quote that would be traded: a wrong one is none. */
function quoteOf({ quote, comparison, error }: QuoteState, { chosen }: SwapForm): Quote | null {
  return error?.code === "VERIFY_MISMATCH" ? null : ((chosen && comparison?.[chosen]) ?? quote);
}

/** The members that follow from form, price and balances. */
function derived({ form, price, balances }: SwapState, quote: Quote | null) {
  const figures = quote && figuresAt(quote, form);
  const held = balances[balanceKey(form.src)] ?? null;
  const { amount } = amountOf(form);
  const pays = form.side === "SELL" ? amount : (figures?.payAtMost ?? null);
  return { quote, figures, amount, faults: faultsOf(form, pays, held), choices: choicesOf(form, price, quote) };
}

/** The figures of a quote; null while the part of the module is not there that makes them. */
function figuresAt(quote: Quote, form: SwapForm): SwapFigures | null {
  try {
    return figuresOf({ quote, form });
  } catch (error) {
    if (asTradeError(error).field === "init") return null;
    throw error;
  }
}

function choicesOf(form: SwapForm, { comparison }: QuoteState, quote: Quote | null): SwapChoice[] {
  const none = { bridge: null, error: null, differenceBps: null };
  if (comparison) {
    const { best, differenceBps } = comparison;
    return (["delta", "market"] as const).map((id) => {
      const own = comparison[id];
      const figures = own && figuresAt(own, form);
      const error = comparison[`${id}Error`];
      return { ...none, id, figures, error, isChosen: quote?.kind === id, isBest: best === id, differenceBps };
    });
  }
  if (!isCrosschain(form) || quote?.kind !== "delta" || quote.alternatives.length === 0) return [];
  return [null, ...quote.alternatives.keys()].map((id) => {
    const figures = figuresAt(quote, { ...form, route: id });
    return { ...none, id, bridge: bridgeOf(quote, id), figures, isChosen: form.route === id, isBest: id === null };
  });
}
