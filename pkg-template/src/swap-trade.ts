// The trade of the form, by the client's `trade`: its reviews, prompts and failures wait here for the user. Each click opens
// one prompt of the wallet.
import { carriesOver, isNoWorse } from "verified-swap";
import { asTradeError, explain } from "./swap-failure.ts";
import { figuresOf } from "./swap-figures.ts";
import { bridgeOf, type Terms } from "./swap-form.ts";
import { placeInReview } from "./swap-shown.ts";
import { tradeError } from "./reading.ts";
import type { Activity, Store, Task } from "./swap-parts.ts";
import type {
  ActiveTrade, Answer, Approval, Client, DeltaBuild, MarketBuild, Prompt, PromptPurpose, Question, Quote, Review, ReviewAnswer, ReviewStep,
  TradeFailure, TradeProgress, TradeRetry, TradeRetryChoices, TradeStep,
} from "./types.ts";
import type { SwapRemedy, SwapReview, SwapState } from "./types/swap.ts";

/** The controller, as the trade uses it. */
export interface TradeHost {
  readonly store: Store;
  readonly activity: Pick<Activity, "follow">;
  /** Reads the balances again. */
  readBalances(): void;
  /** The loss that the user accepted. */
  maxLossBps(): number | null;
}

/** The trade of the form. */
export interface Trading extends Task {
  /** Builds the quote, and shows its review. */
  begin(client: Client, quote: Quote, terms: Terms, route: number | null): void;
  /** Takes the newer build in the place of the one under review. */
  accept(): void;
  /** Shows a limit order beside a newer price: its build stays, as it does not depend on one. */
  compare(quote: Quote): void;
  /** Resolves once nothing is at work any more: what the wallet was asked for has been posted, or sent. */
  close(): Promise<unknown>;
}

/** A price of that age, in ms, is renewed before a held prompt opens: the service takes an order for 30 s. */
const RENEW_AT_MS = 22_000;
const OPENING: readonly TradeStep[] = ["permitting", "resetting", "approving", "signing", "presigning", "sending"];
/** Steps at which the last prompt was answered. */
const ANSWERED: readonly TradeStep[] = ["sent", "confirming", "approved", "signed", "posting", "building"];
/** Steps at which an approval is on its way, or there. */
const APPROVED: readonly TradeStep[] = ["sent", "confirming", "approved"];
/** Steps at which nothing is waited for that the user sees. */
const IDLE: readonly TradeStep[] = ["reviewing", "following", "done", "failed"];

type Build = DeltaBuild | MarketBuild;
type Given = (answer: (TradeRetryChoices & { accept: string[] }) | false) => void;
/** A question that was shown, and the same question of the build under review. */
interface Asked {
  readonly shown: string;
  readonly question: Question;
}

/** One trade. */
interface Deal {
  readonly client: Client;
  readonly ending: AbortController;
  readonly route: number | null;
  readonly terms: Terms;
  /** Answers the review, or the failure, that waits. */
  answer: Given | null;
  /** Answers the held prompt. */
  held: ((accept: readonly string[] | null) => void) | null;
  /** The answered questions of a click that no prompt followed yet. */
  click: readonly string[] | null;
  /** The answer to the last prompt. */
  opened: Answer;
  /** Its sentence. */
  sentence: string | null;
  review: SwapReview | null;
  build: Build | null;
  /** The last build of the client. */
  latest: Build | null;
  asked: Asked[];
  /** The place of the last prompt among the review's steps; null before the first. */
  place: number | null;
  /** Whether its held prompt was refused for a newer price. */
  isRenewing: boolean;
  /** The last step that opened the wallet, and what it approved by it. */
  opening: TradeStep | null;
  approved: Approval | null;
  /** Whether the wallet is asked; and how many prompts it answered. */
  isAsked: boolean;
  prompts: number;
  /** Whether it is posted or sent. */
  isOut: boolean;
  /** Whether it was left, and ends by that. */
  isLeft: boolean;
}

export function createTrading({ store, activity, readBalances, maxLossBps }: TradeHost): Trading {
  const deals = new WeakMap<ActiveTrade, Deal>();
  const open = new Map<Deal, ActiveTrade>();
  let current: Deal | null = null;
  let isClosed = false;

  function begin(client: Client, quote: Quote, terms: Terms, route: number | null): void {
    leave();
    const deal: Deal = {
      client, ending: new AbortController(), route, terms, answer: null, held: null, click: null, opened: false, sentence: null,
      review: null, build: null, latest: null, asked: [], place: null, isRenewing: false, opening: null, approved: null,
      isAsked: false, prompts: 0, isOut: false, isLeft: false,
    };
    current = deal;
    store.set({ busy: "building", failure: null, refusal: null });
    const active = client.trade(quote, {
      ...terms,
      onReview: (review) => reviewed(deal, review),
      onFailure: (failure) => failed(deal, failure),
      onPrompt: (prompt) => prompted(deal, prompt),
      signal: deal.ending.signal,
    });
    const known = deals.get(active);
    const isMine = () => deal === current;
    if (known?.isLeft) return void active.catch(() => {}).then(() => isMine() && begin(client, quote, terms, route));
    // The same trade, which was left while the wallet was open for it.
    if (known) return again(known, active.state);
    deals.set(active, deal);
    open.set(deal, active);
    active.subscribe((progress) => follow(deal, progress));
    active.catch((error: unknown) => deal === current && over(deal, error)).finally(() => open.delete(deal));
  }

  function again(deal: Deal, { step }: TradeProgress): void {
    current = deal;
    store.set({ review: deal.review, view: "review", busy: IDLE.includes(step) ? null : step });
  }

  /** Changes members of the review, and of the state while it is shown. */
  function show(deal: Deal, changes: Partial<SwapReview>, state: Partial<SwapState> = {}): void {
    if (!deal.review) return;
    deal.review = { ...deal.review, ...changes };
    if (deal === current) store.set({ ...state, review: deal.review });
  }

  /* ----------------------------------------------------------------- the review */

  function reviewed(deal: Deal, given: Review): ReviewAnswer | Promise<ReviewAnswer> {
    if (deal !== current) return false;
    // The answer to the earlier one does not count any more.
    deal.answer?.(false);
    return new Promise((resolve) => {
      deal.answer = resolve;
      const next = reviewOf(deal, given);
      const before = deal.review;
      const isRead = before !== null && deal.build !== null && store.state.view === "review";
      store.set({ busy: null, failure: null, hardware: null });
      if (!isRead) place(deal, next, given.build, []);
      else if (!isSameOrBetter(deal, next, given.build)) show(deal, { isAgreed: false }, { moved: next });
      else place(deal, { ...next, isRenewed: true }, given.build, carried(deal, deal.build, given));
    });
  }

  /** Puts a review in the place of the one that is read. A question that carries over keeps the id under which it was shown. */
  function place(deal: Deal, next: SwapReview, build: Build, asked: Asked[]): void {
    const nameOf = ({ id }: Question) => asked.find(({ question }) => question.id === id)?.shown ?? id;
    deal.asked = next.questions.map((question) => ({ shown: nameOf(question), question }));
    deal.review = { ...next, questions: next.questions.map((question) => ({ ...question, id: nameOf(question) })) };
    Object.assign(deal, { build, place: null, click: null });
    store.set({ review: deal.review, moved: null, view: "review" });
  }

  /** The newer build is no worse by the module, goes over the same bridge, and asks for nothing more: no greater approval, no dearer gas. */
  function isSameOrBetter({ review, build, route }: Deal, next: SwapReview, newer: Build): boolean {
    if (!review || !build || !isNoWorse(newer, build)) return false;
    const bridge = ({ quote }: SwapReview) => quote && bridgeOf(quote, route);
    const left = review.steps.slice(review.stepsDone).map(({ purpose }) => purpose);
    if (next.approval && !isCovered(next.approval, review.approval)) return false;
    return bridge(review) === bridge(next) && isGasAlike(review, next) && next.steps.every(({ purpose }) => left.includes(purpose));
  }

  function carried({ asked }: Deal, before: Build | null, { build, questions }: Review): Asked[] {
    if (!before) return [];
    return asked.flatMap(({ shown, question }) => {
      const ids = carriesOver([question], build, before);
      return questions.filter(({ id }) => ids.includes(id)).map((next) => ({ shown, question: next }));
    });
  }

  function accept(): void {
    const { moved } = store.state;
    const build = current && moved?.build;
    if (current && moved && build && "maxSpent" in build) place(current, moved, build, []);
  }

  function compare(quote: Quote): void {
    const { build, route = null, review } = current ?? {};
    if (current && build && review && isReadLimit(review)) show(current, { quote, figures: figuresOf({ build, quote, route }) });
  }

  /* ---------------------------------------------------------------- the prompts */

  function confirm(accept: readonly string[]): void {
    const deal = current;
    const { review, moved, questions } = { ...store.state, questions: store.state.review?.questions ?? [] };
    if (!deal || !review || moved || questions.some(({ id }) => !accept.includes(id))) return;
    if (deal.held) return deal.held(accept);
    answer(deal, {}, deal.asked.filter(({ shown }) => accept.includes(shown)).map(({ question }) => question.id));
  }

  /** Answers what waits: the next prompt opens by itself. */
  function answer(deal: Deal, choices: TradeRetryChoices, accept: readonly string[]): void {
    const { answer: given } = deal;
    if (!given) return;
    deal.answer = null;
    deal.click = accept;
    show(deal, { isAgreed: true, questions: [] }, { failure: null, busy: "checking" });
    given({ ...choices, accept: [...accept] });
  }

  function prompted(deal: Deal, prompt: Prompt): Answer | Promise<Answer> {
    if (deal !== current || !deal.review || !deal.build) return false;
    const build = withPermit(deal.build, deal.latest);
    const shown = placeInReview(prompt, { build, approval: deal.review.approval ?? build.approval });
    if (shown === "other") throw tradeError("no prompt of the review that is shown", { code: "INTERNAL", field: "prompt" });
    // A prompt is repeated with its very payload: another one is not that.
    if (prompt.isRepeated && deal.opened && prompt.sentence === deal.sentence) return deal.opened;
    const { click } = deal;
    deal.click = null;
    const { stepsDone, steps } = deal.review;
    const done = deal.place === null ? stepsDone : deal.place + 1;
    const found = placeOf(prompt.purpose, steps, done);
    const at = found < 0 ? done : found;
    show(deal, { steps: found < 0 ? [...steps.slice(0, done), stepOf(prompt.purpose), ...steps.slice(done)] : steps, stepsDone: at });
    const isAnswered = prompt.questions.every(({ id }) => click?.includes(id));
    if (click && found >= 0 && isAnswered && shown === "same") return opens(deal, at, prompt, click);
    return hold(deal, at, prompt);
  }

  function opens(deal: Deal, at: number, { questions, sentence }: Prompt, accept: readonly string[]): Answer {
    Object.assign(deal, { place: at, sentence, isAsked: true });
    const ids = questions.map(({ id }) => id).filter((id) => accept.includes(id));
    return (deal.opened = questions.length > 0 ? { accept: ids } : true);
  }

  /** Holds a prompt until the user agrees to it. Its price may be too old by then: a newer one is reviewed in time. */
  function hold(deal: Deal, at: number, prompt: Prompt): Promise<Answer> {
    const { quote } = deal.review ?? {};
    const isPriced = quote && deal.terms.type !== "LIMIT" && ["order", "permit", "market"].includes(prompt.purpose);
    const renew = () => {
      deal.isRenewing = true;
      deal.held?.(null);
    };
    const timer = isPriced ? setTimeout(renew, quote.receivedAtMs + RENEW_AT_MS - Date.now()) : undefined;
    return new Promise((resolve) => {
      deal.held = (accept) => {
        clearTimeout(timer);
        deal.held = null;
        show(deal, { prompt: null, questions: [] }, { busy: "checking" });
        resolve(accept ? opens(deal, at, prompt, accept) : false);
      };
      show(deal, { prompt, questions: prompt.questions }, { busy: null, hardware: prompt.hardware });
    });
  }

  /* --------------------------------------------------------------- the failures */

  function failed(deal: Deal, { error, quote }: TradeFailure): TradeRetry | Promise<TradeRetry> {
    if (deal !== current) return false;
    if (deal.isRenewing) {
      deal.isRenewing = false;
      return { requote: true };
    }
    if (!deal.review || (error.code === "VERIFY_MISMATCH" && !error.signedOrder)) {
      over(deal, error, quote);
      return false;
    }
    Object.assign(deal, { click: null, place: null, isAsked: false, ...(APPROVED.includes(error.step ?? "failed") && { approved: null }) });
    const { steps, stepsDone } = deal.review;
    const { approval } = error;
    // An approval that turned out to be missing is a step of its own.
    const left = steps.slice(stepsDone).filter(({ purpose }) => purpose !== "approve");
    const changes = { isAgreed: false, ...(approval && { approval, steps: [stepOf("approve"), ...left], stepsDone: 0 }) };
    return new Promise((resolve) => {
      deal.answer = resolve;
      show(deal, changes, { failure: explained(error), busy: null, hardware: null });
    });
  }

  function explained(error: unknown) {
    const { review, hasCode } = store.state;
    const build = review?.build;
    const isWhole = build?.kind === "delta" && !build.twap && build.orderKind !== "FillableOrder";
    const order = build?.kind === "delta" ? (isWhole ? "order" : "parts") : null;
    return explain(error, { order, hasCode, isReviewed: Boolean(review), maxLossBps: maxLossBps() });
  }

  /** The end of the shown trade by an error, or a refusal. */
  function over(deal: Deal, cause: unknown, quote: Quote | null = null): void {
    const error = asTradeError(cause);
    const { form, review } = store.state;
    const failure = explained(error);
    if (deal === current) current = null;
    const rest = { busy: null, hardware: null, review: null, moved: null };
    if (error.code !== "VERIFY_MISMATCH") return store.set({ ...rest, failure: error.code === "ABORTED" ? null : failure, view: "form" });
    const figures = review?.figures ?? (quote && figuresOf({ quote, form }));
    store.set({ ...rest, failure: null, view: "refusal", refusal: { error, quote, figures, prompts: deal.prompts } });
  }

  function remedy(remedy: SwapRemedy, accept: readonly string[]): void {
    const deal = current;
    if (!deal?.answer || !deal.review) return;
    const ids = [...accept];
    switch (remedy) {
      case "requote":
        answer(deal, { requote: true }, ids);
        deal.click = null;
        return;
      case "preSign":
        show(deal, { steps: deal.review.steps.map((step) => (step.purpose === "order" ? stepOf("presign") : step)) });
        return answer(deal, { preSign: true }, ids);
      case "replace": case "keepBoth": return answer(deal, { existing: remedy }, ids);
      case "withoutJournal": return answer(deal, { withoutJournal: true }, ids);
      case "retry": case "approve": case "check": return answer(deal, {}, ids);
    }
  }

  /* --------------------------------------------------------------- the progress */

  function follow(deal: Deal, progress: TradeProgress): void {
    const { step, build, hardware, signedOrder } = progress;
    deal.isOut ||= step === "following";
    if (isClosed) return deal.isOut ? deal.ending.abort() : undefined;
    if (OPENING.includes(step)) deal.opening = step;
    if (build) deal.latest = build;
    const isAnswered = ANSWERED.includes(step);
    if (APPROVED.includes(step) && deal.opening === "approving" && build) deal.approved = build.approval;
    if (isAnswered && deal.isAsked) Object.assign(deal, { isAsked: false, prompts: deal.prompts + 1 });
    const { prompts, place, review } = deal;
    if (isAnswered && place !== null && review) show(deal, { stepsDone: Math.max(review.stepsDone, place + 1), prompts });
    const isShown = deal === current;
    if (isShown && !deal.held && !deal.answer) store.set({ busy: IDLE.includes(step) ? null : step, hardware });
    const isSent = build?.kind === "market" && (step === "sent" ? deal.opening === "sending" : deal.isOut);
    // Without a signature, an order that was signed before for the same trade is followed.
    if (!signedOrder && !isSent && !(deal.isOut && progress.order)) return;
    if (isShown && deal.isOut) {
      current = null;
      store.set({ busy: null, hardware: null, failure: null, moved: null });
    }
    activity.follow(progress, isShown, deal.route);
    if (isShown && deal.isOut) store.set({ review: null, view: store.state.view === "review" ? "form" : store.state.view });
    if (deal.isOut) readBalances();
  }

  function leave(): void {
    const deal = current;
    current = null;
    if (!deal) return;
    const { failure } = store.state;
    const { code, signedOrder } = failure?.error ?? {};
    store.set({ review: null, moved: null, busy: null, hardware: null, failure: null });
    const { answer } = deal;
    // A click on the review that was left opens no prompt once the same trade is reviewed again.
    Object.assign(deal, { answer: null, click: null, isLeft: Boolean(deal.held ?? answer) });
    if (deal.held) return deal.held(null);
    if (answer) answer(false);
    else if (!deal.review?.isAgreed) deal.ending.abort();
    // The service has refused it: nothing asks about it any more.
    const isRefused = code === "SERVICE_REJECTED" && !failure?.isFateUnknown;
    if (answer && signedOrder && isRefused) deal.client.trades.abandon(signedOrder.orderHash).catch(() => {});
  }

  function close(): Promise<unknown> {
    isClosed = true;
    leave();
    // Orders that the wallet has, or that are signed, are still posted; they are no longer followed.
    for (const deal of open.keys()) if (deal.opening === null || deal.isOut) deal.ending.abort();
    return Promise.allSettled(open.values());
  }

  return { begin, confirm, remedy, accept, compare, leave, close };

  /** A review as it is shown. An approval that is on its way is not asked for again. */
  function reviewOf(deal: Deal, { quote, build, approval, questions, steps }: Review): SwapReview {
    const isOnItsWay = approval !== null && isCovered(approval, deal.approved);
    return {
      build, quote, figures: figuresOf({ build, quote, route: deal.route }), approval: isOnItsWay ? null : approval,
      steps: isOnItsWay ? steps.filter(({ purpose }) => purpose !== "approve") : [...steps],
      stepsDone: 0, prompts: deal.prompts, questions, isAgreed: false, prompt: null, isRenewed: false, cancels: [],
    };
  }
}

/** Whether a limit order is being read. */
export const isReadLimit = ({ build, isAgreed }: SwapReview) => !isAgreed && "type" in build && build.type === "LIMIT";

/** The place of a prompt among the steps from `done` on: only those before it are left out that were not certain. */
function placeOf(purpose: PromptPurpose, steps: readonly { purpose: PromptPurpose; isCertain: boolean }[], done: number): number {
  const at = steps.findIndex((step, place) => place >= done && step.purpose === purpose);
  return steps.slice(done, Math.max(at, done)).some(({ isCertain }) => isCertain) ? -1 : at;
}

/** Gas of the account's own, as the service states it: at most twice as much as was read, and stated only where it was. */
function isGasAlike({ figures: before }: SwapReview, { figures: after }: SwapReview): boolean {
  const [was, now] = [before?.gas?.usd ?? null, after?.gas ?? null];
  return now?.by !== "account" || now.usd === was || (now.usd !== null && was !== null && Number(now.usd) <= 2 * Number(was));
}

const stepOf = (purpose: PromptPurpose): ReviewStep => ({ purpose, paysGas: !["order", "permit"].includes(purpose), isCertain: true });

/** A build that carries the signed permit takes the place of the reviewed one, if the module finds it no worse. */
const withPermit = (reviewed: Build, latest: Build | null): Build =>
  latest && latest !== reviewed && latest.kind === reviewed.kind && isNoWorse(latest, reviewed) ? latest : reviewed;

const isCovered = (approval: Approval, by: Approval | null) =>
  by !== null && by.token === approval.token && by.spender === approval.spender && BigInt(by.amount) >= BigInt(approval.amount);
