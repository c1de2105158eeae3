// `trade`: all steps of one trade, from the price to its end. It only puts calls of the client in order: each of them
// makes its checks here, too. trade-steps.ts decides what comes next; this file carries it out.
import { seenFrom } from "./caller.ts";
import type { Site } from "./caller.ts";
import { isGood, keyOf, watchQuotes } from "./live-quotes.ts";
import { defined, membersOf } from "./module.ts";
import { observed } from "./observed.ts";
import type { Observed } from "./observed.ts";
import { snapshot } from "./plain.ts";
import { inside, tradeError } from "./reading.ts";
import { readAnswer, readRetry, settingsOf } from "./trade-options.ts";
import type { Given, Settings, Traded } from "./trade-options.ts";
import { MESSAGES, aborted, known, start, step } from "./trade-steps.ts";
import type { Answered, Build, Built, Effect, Event, Memory } from "./trade-steps.ts";
import type {
  ActiveTrade, Approval, Client, FinishedTrade, LiveQuote, Order, Permit, Progress, Question, Quote, QuoteState,
  SentTransaction, SignedOrder, TradeProgress,
} from "./types.ts";
import { compute } from "./verified_swap.js";

/** From these steps on, the same call is another trade. */
const BEYOND: readonly TradeProgress["step"][] = ["posted", "sent", "following", "done", "failed"];
const UNFILLED = "Ended before it was carried out in full.";

/** The ends of a client, and of all that ends with it. */
export interface Endings {
  isClosed(): boolean;
  add(end: () => void): unknown;
  delete(end: () => void): unknown;
}

/** A trade under way. */
export interface KnownTrade {
  readonly part: Part;
  readonly key: string;
  readonly wallet: unknown;
  readonly account: unknown;
  readonly signal: AbortSignal | undefined;
  readonly trade: ActiveTrade;
}

/** A client, with its wallet, and with what all its bindings have in common. */
export interface Part {
  readonly client: Client;
  readonly wallet: unknown;
  readonly account: unknown;
  readonly endings: Endings;
  readonly isPrompted: boolean;
  readonly trades: Set<KnownTrade>;
  withdraw(quote: Quote, reason: string): void;
}

/** The calls of a client that are made here. Each reads its own options. */
interface Calls {
  build(subject: Quote | Build, options: object): Promise<Build>;
  approve(approval: Approval, options: object): Promise<unknown>;
  signPermit(build: Build, options: object): Promise<Permit>;
  submit(what: Build | SignedOrder, options: object): Promise<Order | SentTransaction>;
  watch(order: Order | SentTransaction, options: object): AsyncIterable<Order | SentTransaction>;
}

/** Starts a trade, or joins the same one, until that is posted or sent: a double click. Errors show the app's `site`. */
export function trade(part: Part, given: Traded, options: Given, site: Site = {}): ActiveTrade {
  // A price is known by what it is, a request by what it says now: prices are requested for it later, too.
  let what = given;
  let refusal: unknown;
  try {
    inside(() => {}, part.endings.isClosed());
    if (typeof membersOf(given)?.sealed !== "string") what = snapshot(given, "request");
  } catch (error) {
    refusal = error;
  }
  const { onReview, onPrompt, onProgress, signal, ...plain } = options ?? {};
  const key: string = keyOf([membersOf(what)?.sealed ?? what, plain]);
  const { wallet, account } = part;
  const isSame = (known: KnownTrade) => known.key === key && known.wallet === wallet && known.account === account;
  const isOpen = ({ part, signal, trade }: KnownTrade) =>
    !part.endings.isClosed() && !signal?.aborted && !BEYOND.includes(trade.state.step);
  const same = [...part.trades].find((known) => isSame(known) && isOpen(known));
  if (same) return same.trade;
  const shown = observed<TradeProgress>({
    step: "quoting", message: MESSAGES.quoting, quote: null, build: null, transaction: null, batch: null, signedOrder: null,
    journal: null, hardware: null, order: null, error: null,
  });
  if (typeof onProgress === "function") shown.subscribe(onProgress);
  const promise = (refusal ? Promise.reject(refusal) : run(part, what, options, shown)).then(
    () => {
      part.trades.delete(entry);
      return finished(shown);
    },
    (cause: unknown) => {
      part.trades.delete(entry);
      throw failed(shown, cause, site, options);
    },
  );
  const active: ActiveTrade = defined(promise, {
    get state() {
      return shown.state;
    },
    subscribe(listener: (state: TradeProgress) => void) {
      // The failure is reported to the subscribers.
      promise.catch(() => {});
      return shown.subscribe(listener);
    },
  });
  const entry: KnownTrade = { part, key, wallet, account, signal, trade: active };
  part.trades.add(entry);
  return active;
}

const isFinished = (state: TradeProgress): state is FinishedTrade => state.step === "done";

/** The last state of a trade without an error. */
function finished(shown: Observed<TradeProgress>): FinishedTrade {
  shown.set({ step: "done", message: shown.state.order?.status === "COMPLETED" ? MESSAGES.done : UNFILLED, hardware: null });
  const { state } = shown;
  if (!isFinished(state)) throw tradeError("the trade did not end", { code: "INTERNAL" });
  return state;
}

/** The error with which a trade ends, once it is shown. */
function failed(shown: Observed<TradeProgress>, cause: unknown, site: Site, options: Given): unknown {
  const { step, signedOrder } = shown.state;
  const message = "a function that the page passed in threw: see the cause";
  const error = Object.assign(seenFrom(site, known(cause) ?? tradeError(message, { code: "INTERNAL", cause }), options), { step });
  if (signedOrder) error.signedOrder ??= signedOrder;
  shown.set({ step: "failed", message: MESSAGES.failed, hardware: null, error });
  return error;
}

async function run(part: Part, what: Traded, options: Given, shown: Observed<TradeProgress>): Promise<void> {
  shown.set({});
  const settings = settingsOf(what, options, part.isPrompted);
  return new Promise((resolve, reject) => carryOut(part, settings, shown, (failure) => (failure ? reject(failure.error) : resolve())));
}

/** Takes the events of a trade to `step` one after the other, and carries its effects out. */
function carryOut(part: Part, settings: Settings, shown: Observed<TradeProgress>, end: (failure: { error: unknown } | null) => void): void {
  const { terms, chosen, permit } = settings;
  let [state, effects] = start(terms, shown.state, chosen, permit);
  const waiting: Event[] = [];
  let isBusy = false;
  const dispatch = (event: Event) => {
    waiting.push(event);
    work();
  };
  const carrier = carrierOf(part, settings, dispatch, () => state.memory);
  const perform = (effect: Effect) => {
    if (effect.do === "show") shown.set(effect.shown);
    else if (effect.do === "end") end(effect.failure);
    else carrier(effect);
  };
  const work = () => {
    // Events that an effect brings about at once come after the other effects of its step.
    if (isBusy) return;
    isBusy = true;
    try {
      for (;;) {
        effects.forEach(perform);
        const event = waiting.shift();
        if (!event) break;
        [state, effects] = step(state, event);
      }
    } catch (error) {
      // Nothing more is done for this trade.
      state = { at: "ended", memory: state.memory };
      end({ error });
    }
    [effects, isBusy] = [[], false];
  };
  work();
}

type Carried = Exclude<Effect, { do: "show" | "end" }>;

/** Carries effects out: by the calls of the client, and by the app's functions. */
function carrierOf(part: Part, settings: Settings, dispatch: (event: Event) => void, memory: () => Memory): (effect: Carried) => void {
  const { options: { signal, onPrompt, approveAmount, intervalMs, maxIntervalMs }, building } = settings;
  const { client } = part;
  const calls: Calls = client;
  const prices = streamOf(part, settings, dispatch);
  const asking = askerOf(part, settings);
  const prompting = onPrompt ? { onPrompt } : {};
  const onProgress = (progress: Progress) => dispatch({ type: "progress", progress });
  const more = { ...prompting, onProgress, signal };
  const amount = approveAmount === undefined ? {} : { amount: approveAmount };
  /** Makes an event of what `work` comes to. */
  const when = <Result>(id: number, work: () => Result, event: (result: Awaited<Result>) => Event) =>
    void (async () => event(await work()))().then(dispatch, (error: unknown) => dispatch({ type: "failed", id, error }));

  return (effect) => {
    switch (effect.do) {
      case "openPrices": return prices.open();
      case "refreshPrices": return prices.refresh();
      case "closePrices": return prices.close();
      case "closeReview": return asking.close(effect.id);
      case "build": {
        const { id, quote, more } = effect;
        // With mode ALL a newer price may be of Market, which has no open orders to cover.
        const onPath = quote.kind === "market" ? { coverOpenOrders: undefined } : {};
        return when(id, () => calls.build(quote, { ...building, ...onPath, ...more, signal }),
          (build) => ({ type: "built", id, built: builtOf(quote, build, memory().answered) }));
      }
      case "lookAtWallet": {
        const { id, build: { chainId, owner } } = effect;
        return when(id, async () => client.info.capabilities({ chainId, account: owner }, { signal }),
          ({ atomic }) => ({ type: "capable", id, isBatching: atomic !== "unsupported" }));
      }
      case "review": return when(effect.id, () => asking.review(effect), (answer) => asking.answered(effect, answer));
      case "permit": {
        const { id, build, kind, accept } = effect;
        const onProgress = ({ step, hardware }: Progress) =>
          step === "signing" && dispatch({ type: "signing", id, hardware: hardware ?? null });
        const own = { kind, ...(accept.length ? { accept } : {}), ...prompting, onProgress, signal };
        return when(id, () => calls.signPermit(build, own), (permit) => ({ type: "permit", id, permit }));
      }
      case "rebuild":
        return when(effect.id, () => calls.build(effect.build, { permit: effect.permit, signal }),
          (build) => ({ type: "rebuilt", id: effect.id, build }));
      case "approve": {
        const { id, approval, isOwn, isUnmined, options } = effect;
        const how = { ...(isOwn ? amount : {}), ...(isUnmined ? { until: "sent" } : {}) };
        return when(id, () => calls.approve(approval, { ...more, ...options, ...how }), () => ({ type: "approved", id }));
      }
      case "submit":
        return when(effect.id, () => calls.submit(effect.what, { ...more, ...effect.options }),
          (order) => ({ type: "taken", id: effect.id, order }));
      case "ask": return when(effect.id, () => asking.failure(effect), (answer) => asking.retried(effect, answer));
      case "follow": {
        const { id, order } = effect;
        const pace = { ...(intervalMs && { intervalMs }), ...(maxIntervalMs && { maxIntervalMs }), signal };
        return when(id, async () => {
          for await (const changed of calls.watch(order, pace)) dispatch({ type: "changed", id, order: changed });
        }, () => ({ type: "settled", id }));
      }
    }
  };
}

/** A build with what the module reads in it, beside the answers to the earlier ones. */
function builtOf(quote: Quote, build: Build, answered: readonly Answered[]): Built {
  const facts = inside(() => compute("promptFacts", build));
  const carried = answered.flatMap(({ question, before }) =>
    inside(() => compute("carriesOver", { questions: [question], next: build }, before)));
  const settled = build.report.questions.map(({ id }) => id).filter((id) => carried.includes(id));
  return { quote, build, settled, ...facts };
}

/** The stream of prices for a trade, as events. */
function streamOf(part: Part, { request, first, isLimit, options: { signal } }: Settings, dispatch: (event: Event) => void) {
  let live: Pick<LiveQuote, "refresh" | "close"> | null = null;
  let leave = () => {};
  let begun = first;
  const look = ({ quote, isFetching, isStale, paused, error }: QuoteState) =>
    dispatch({ type: "prices", prices: { quote, isFetching, isStale, isClosed: paused === "closed", error } });
  return {
    open() {
      try {
        const stream = watchQuotes(part, request, { signal }, { first: begun, isOnce: isLimit });
        [live, begun, leave] = [stream, undefined, stream.subscribe(look)];
        look(stream.state);
      } catch (error) {
        dispatch({ type: "prices", prices: { quote: null, isFetching: false, isStale: false, isClosed: false, error } });
      }
    },
    refresh: () => live?.refresh(),
    close() {
      leave();
      live?.close();
    },
  };
}

type Reviewing = Extract<Effect, { do: "review" }>;
type Failing = Extract<Effect, { do: "ask" }>;

/** Asks the app's functions, and reads what they answer. */
function askerOf({ endings }: Part, { isLimit, options: { onReview, onFailure, signal } }: Settings) {
  const open = new Map<number, AbortController>();

  /** The answer of a function of the app, unless the trade ends before. Its signal aborts after it. */
  async function unlessEnded(ask: (signal: AbortSignal) => unknown): Promise<unknown> {
    const over = new AbortController();
    let end = () => {};
    const ended = new Promise((_, reject) => (end = () => reject(aborted())));
    signal?.addEventListener("abort", end);
    endings.add(end);
    try {
      if (signal?.aborted || endings.isClosed()) end();
      return await Promise.race([ended, (async () => ask(over.signal))()]);
    } finally {
      over.abort();
      signal?.removeEventListener("abort", end);
      endings.delete(end);
    }
  }

  /** Has a build reviewed. Its questions are copies: what the app does with those answers nothing. */
  const show = ({ quote, build, steps, questions, settled }: Reviewing, signal: AbortSignal) => {
    const { report, approval } = build;
    const asked = copies(questions.filter(({ id }) => !settled.includes(id)));
    return onReview?.({ quote, build, report, sentence: report.sentence, approval, questions: asked, steps: [...steps], signal });
  };

  return {
    review(effect: Reviewing): unknown {
      if (effect.isSecond) return unlessEnded((signal) => show(effect, signal));
      const over = new AbortController();
      open.set(effect.id, over);
      return show(effect, over.signal);
    },
    answered({ id, quote, questions, settled, isSecond }: Reviewing, answer: unknown): Event {
      const read = readAnswer(answer);
      if (!read) return { type: "declined", id };
      const open = isSecond ? null : unanswered(questions, [...settled, ...read.accept]);
      return { type: "agreed", id, ...read, isGood: isGood(quote, isLimit), open };
    },
    close(id: number): void {
      open.get(id)?.abort();
      open.delete(id);
    },
    failure: ({ error, step, quote, build }: Failing) => {
      Object.assign(error, { step });
      return unlessEnded((signal) => onFailure?.({ error, quote, build, signal }));
    },
    retried: ({ id, quote }: Failing, answer: unknown): Event =>
      ({ type: "retried", id, retry: readRetry(answer, quote !== null && isGood(quote, isLimit)) }),
  };
}

const copies = (questions: readonly Question[]): Question[] => questions.map((question) => ({ ...question }));

/** The refusal of questions that are left open. `submit` refuses, too, but after the approval. */
function unanswered(questions: readonly Question[], accept: readonly unknown[]): unknown {
  if (!questions.length) return null;
  try {
    inside(() => compute("checkAnswers", { report: { questions } }, accept));
    return null;
  } catch (error) {
    return error;
  }
}
