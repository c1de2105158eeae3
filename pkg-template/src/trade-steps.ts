// The steps of one trade as a pure function: `step` takes a state and an event to the next state and to effects, which
// trade.ts carries out. Nothing is awaited here, and no clock is read. Amounts, addresses and prices are judged by the
// module: its results arrive with the events.
import { tradeError } from "./reading.ts";
import type {
  Approval, DeltaBuild, HardwareScreen, MarketBuild, Order, Permit, PermitKind, Progress, Question, Quote, ReviewStep,
  SentTransaction, SignedOrder, TradeError, TradeProgress, TradeStep,
} from "./types.ts";

export type Build = DeltaBuild | MarketBuild;

/** The options that decide how a trade goes. */
export interface Terms {
  /** Whether the trade is reviewed as a whole: there is an `onReview`. */
  readonly isReviewed: boolean;
  /** Whether each prompt is put to the user before it opens: there is an `onPrompt`. */
  readonly isPrompted: boolean;
  /** Whether a failure is put to the user: there is an `onFailure`. */
  readonly isRetried: boolean;
  /** Whether the options say how long an order is valid. */
  readonly isTimed: boolean;
  /** Whether the options say how much is approved. */
  readonly isAmountApproved: boolean;
  /** The kind of permit that the user chose. It is signed, or the trade fails; nothing takes its place. */
  readonly kind: PermitKind | null;
  /** Whether a permit may be signed in place of an approval. */
  readonly mayPermit: boolean;
}

/** The choices of the options, changed by each answer from then on. */
export interface Choices {
  readonly preSign?: boolean | undefined;
  readonly batch?: "auto" | "never" | undefined;
  readonly withoutJournal?: boolean | undefined;
}
export type Existing = "replace" | "keepBoth";

/** The state of the stream of prices. */
export interface Prices {
  readonly quote: Quote | null;
  readonly isFetching: boolean;
  readonly isStale: boolean;
  readonly isClosed: boolean;
  readonly error: unknown;
}

/** A build of a price, with what the module reads in it. */
export interface Built {
  readonly quote: Quote;
  readonly build: Build;
  /** The ids of its questions that are answered already, by `carriesOver`. */
  readonly settled: readonly string[];
  /** Whether the allowance is too low for this trade alone, and not just for it and the open orders beside it. */
  readonly lacksAllowance: boolean;
  readonly sellsNative: boolean;
}

/** A question that was answered with yes, and the build that it was about. */
export interface Answered {
  readonly question: Question;
  readonly before: Build;
}

/** A build that the user agreed to, and what is left to do for it. */
export interface Agreed extends Built {
  readonly steps: readonly ReviewStep[];
  /** The ids of its answered questions, for each of its prompts. */
  readonly accept: readonly unknown[];
  /** The approval that it lacks; null once it is made. */
  readonly approval: Approval | null;
  /** The approval that a try before turned out to lack. */
  readonly missing: Approval | null;
  /** The approval whose transaction is not in a block yet. */
  readonly unmined: Approval | null;
  /** The same build with a permit. */
  readonly permitted: Build | null;
}

/** The part of a state that all of them have. */
export interface Memory {
  readonly terms: Terms;
  /** The number of the last effect that is awaited. */
  readonly serial: number;
  /** The progress as the app is shown it, but for the end. */
  readonly shown: TradeProgress;
  readonly prices: Prices | null;
  /** A signed permit for the next builds. */
  readonly permit: Permit | null;
  /** Whether a permit may still be asked for. */
  readonly mayPermit: boolean;
  readonly chosen: Choices;
  /** The answer after the last failure of a trade that may be done twice. It holds until the next one. */
  readonly existing: Existing | null;
  readonly answered: readonly Answered[];
  /** The signature with which the order may be at the service. */
  readonly posted: string | null;
}

/** The way to a build of a price that is not `seen`. `left`: how many are asked for if the service calls each too old. */
export type Offer =
  | { readonly stage: "pricing"; readonly seen: Quote | null; readonly left: number }
  | { readonly stage: "building"; readonly quote: Quote; readonly left: number; readonly id: number; readonly withPermit: boolean };

/** The subject of a submission: the build, the build with a permit, the build with its approval in one prompt, the signed order. */
export type Submitted = "build" | "permitted" | "together" | "signedOrder";

export type Phase =
  /** No review is open. `late`: the review that was answered too late; it is over once the next build is there. */
  | { readonly at: "quoting"; readonly offer: Offer; readonly late: number | null }
  /** The wallet is asked what it takes, to list the prompts. */
  | { readonly at: "preparing"; readonly id: number; readonly built: Built }
  /** The user reads a build, while the next price is watched. */
  | {
      readonly at: "reviewing"; readonly id: number; readonly built: Built; readonly steps: readonly ReviewStep[];
      readonly questions: readonly Question[]; readonly offer: Offer;
    }
  /** A permit is signed, then (`isSigned`) the build is made again with it. */
  | { readonly at: "permitting"; readonly id: number; readonly agreed: Agreed; readonly isSigned: boolean }
  /** The wallet is asked whether it takes the approval and the trade in one prompt. */
  | { readonly at: "choosing"; readonly id: number; readonly agreed: Agreed }
  | { readonly at: "approving"; readonly id: number; readonly agreed: Agreed; readonly isMissing: boolean; readonly isUnmined: boolean }
  | { readonly at: "submitting"; readonly id: number; readonly agreed: Agreed; readonly what: Submitted; readonly isAsked: boolean }
  /** The user is asked about what the wallet may have sent before. */
  | {
      readonly at: "asking"; readonly id: number; readonly agreed: Agreed; readonly what: Submitted;
      readonly questions: readonly Question[]; readonly error: TradeError;
    }
  /** The user is asked whether a failure is the end. */
  | { readonly at: "retrying"; readonly id: number; readonly agreed: Agreed | null; readonly error: TradeError; readonly failedStep: TradeStep }
  | { readonly at: "following"; readonly id: number }
  | { readonly at: "ended" };
export type State = Phase & { readonly memory: Memory };
type In<At extends Phase["at"]> = Extract<Phase, { at: At }>;

export type Event =
  | { readonly type: "prices"; readonly prices: Prices }
  | { readonly type: "built"; readonly id: number; readonly built: Built }
  | { readonly type: "capable"; readonly id: number; readonly isBatching: boolean }
  /** A review is answered with yes. `isGood`: its price may still be built; `open`: the refusal of a question left open. */
  | {
      readonly type: "agreed"; readonly id: number; readonly accept: readonly unknown[]; readonly chosen: Choices;
      readonly isGood: boolean; readonly open: unknown;
    }
  | { readonly type: "declined"; readonly id: number }
  | { readonly type: "signing"; readonly id: number; readonly hardware: HardwareScreen | null }
  | { readonly type: "permit"; readonly id: number; readonly permit: Permit }
  | { readonly type: "rebuilt"; readonly id: number; readonly build: Build }
  | { readonly type: "progress"; readonly progress: Progress }
  | { readonly type: "approved"; readonly id: number }
  | { readonly type: "taken"; readonly id: number; readonly order: Order | SentTransaction }
  | { readonly type: "changed"; readonly id: number; readonly order: Order | SentTransaction }
  | { readonly type: "settled"; readonly id: number }
  /** `retry` null: the failure is the end. */
  | { readonly type: "retried"; readonly id: number; readonly retry: Retry | null }
  /** The failure of an effect, by its number. */
  | { readonly type: "failed"; readonly id: number; readonly error: unknown };

/** How a trade is tried again. */
export interface Retry {
  readonly accept: readonly unknown[];
  readonly chosen: Choices;
  readonly existing: Existing | null;
  readonly isRequoted: boolean;
  /** Whether the price of the agreed build may still be built. */
  readonly isGood: boolean;
}

/** The options of `submit` beside the progress and the signal. */
export interface Options extends Choices {
  readonly accept?: readonly unknown[];
  readonly existing?: Existing;
}

export type Effect =
  | { readonly do: "show"; readonly shown: TradeProgress }
  | { readonly do: "openPrices" }
  | { readonly do: "refreshPrices" }
  | { readonly do: "closePrices" }
  | { readonly do: "build"; readonly id: number; readonly quote: Quote; readonly more: { permit?: Permit; deadline?: number; existing?: Existing } }
  | { readonly do: "lookAtWallet"; readonly id: number; readonly build: Build }
  /** A review, as the app is to show it; `isSecond`: it is about a build that was reviewed before. */
  | {
      readonly do: "review"; readonly id: number; readonly quote: Quote; readonly build: Build; readonly steps: readonly ReviewStep[];
      readonly questions: readonly Question[]; readonly settled: readonly string[]; readonly isSecond: boolean;
    }
  | { readonly do: "closeReview"; readonly id: number }
  | { readonly do: "permit"; readonly id: number; readonly build: Build; readonly kind: PermitKind; readonly accept: readonly unknown[] }
  | { readonly do: "rebuild"; readonly id: number; readonly build: Build; readonly permit: Permit }
  | { readonly do: "approve"; readonly id: number; readonly approval: Approval; readonly isOwn: boolean; readonly isUnmined: boolean; readonly options: Options }
  | { readonly do: "submit"; readonly id: number; readonly what: Build | SignedOrder; readonly options: Options }
  | { readonly do: "ask"; readonly id: number; readonly error: TradeError; readonly step: TradeStep; readonly quote: Quote | null; readonly build: Build | null }
  | { readonly do: "follow"; readonly id: number; readonly order: Order | SentTransaction }
  /** The end of the trade: with an error, or filled or not. */
  | { readonly do: "end"; readonly failure: { readonly error: unknown } | null };

/** One step under way: what is kept from now on, and the effects so far. */
interface Turn {
  memory: Memory;
  readonly effects: Effect[];
}

/** The text for each step, by `step` in the published types. */
export const MESSAGES = {
  quoting: "Getting a price…",
  permitting: "Confirm in your wallet that the token may be spent.",
  building: "Preparing the trade…",
  reviewing: "Check the trade, then confirm.",
  resetting: "Confirm in your wallet that the old allowance ends.",
  approving: "Confirm in your wallet that the token may be spent.",
  confirming: "Waiting for the transaction…",
  approved: "The token may be spent.",
  checking: "Checking the trade once more…",
  signing: "Sign in your wallet.",
  presigning: "Confirm the transaction in your wallet.",
  signed: "Signed. Posting…",
  posting: "Signed. Posting…",
  posted: "Posted.",
  simulating: "Trying the transaction…",
  sending: "Confirm the transaction in your wallet.",
  sent: "Sent.",
  following: "Waiting for the trade to be carried out…",
  done: "Done.",
  failed: "The trade stopped.",
} satisfies Record<TradeStep, string>;

export const aborted = () => tradeError("aborted by the caller", { code: "ABORTED" });
const declined = () => tradeError("the user declined what was to be signed", { code: "USER_REJECTED", action: "retry" });

type Pricing = Extract<Offer, { stage: "pricing" }>;
type Building = Extract<Offer, { stage: "building" }>;
const offerAfter = (seen: Quote | null): Pricing => ({ stage: "pricing", seen, left: 3 });

/** The first state of a trade, and its effects. `permit` is one that is signed already. */
export function start(terms: Terms, shown: TradeProgress, chosen: Choices, permit: Permit | null): [State, Effect[]] {
  const { mayPermit } = terms;
  const memory: Memory = { terms, serial: 0, shown, prices: null, permit, mayPermit, chosen, existing: null, answered: [], posted: null };
  return [{ at: "quoting", offer: offerAfter(null), late: null, memory }, [{ do: "openPrices" }]];
}

/** The next state, and what is to be done. An event that the state does not wait for changes nothing. */
export function step(state: State, event: Event): [State, Effect[]] {
  const { memory, ...before } = state;
  const turn: Turn = { memory, effects: [] };
  if (event.type === "prices" && state.at !== "ended") remember(turn, { prices: event.prices });
  if (event.type === "progress") show(turn, before, event.progress);
  // An event of what is over.
  if ("id" in event && !awaits(before, event.id)) return [state, []];
  const phase = next(turn, before, event);
  return [{ ...phase, memory: turn.memory }, turn.effects];
}

function next(turn: Turn, phase: Phase, event: Event): Phase {
  if (event.type === "failed" && known(event.error)?.code === "ABORTED") return abandon(turn, phase, event.error);
  switch (phase.at) {
    case "quoting": return whileQuoting(turn, phase, event);
    case "preparing": return whilePreparing(turn, phase, event);
    case "reviewing": return whileReviewing(turn, phase, event);
    case "permitting": return whilePermitting(turn, phase, event);
    case "choosing": return whileChoosing(turn, phase, event);
    case "approving": return whileApproving(turn, phase, event);
    case "submitting": return whileSubmitting(turn, phase, event);
    case "asking": return whileAsking(turn, phase, event);
    case "retrying": return whileRetrying(turn, phase, event);
    case "following": return whileFollowing(turn, phase, event);
    case "ended": return phase;
  }
}

/** Whether the state waits for what has that number. */
function awaits(phase: Phase, id: number): boolean {
  const isOffered = "offer" in phase && phase.offer.stage === "building" && phase.offer.id === id;
  return isOffered || ("id" in phase && phase.id === id);
}

const remember = (turn: Turn, changes: Partial<Memory>) => void (turn.memory = { ...turn.memory, ...changes });

/** The number of an effect that is awaited from now on. */
function numbered(turn: Turn): number {
  const id = turn.memory.serial + 1;
  remember(turn, { serial: id });
  return id;
}

/** Has the app shown a step, with what else changes. */
function tell(turn: Turn, step: TradeStep, changes: Partial<TradeProgress> = {}): void {
  const shown: TradeProgress = { ...turn.memory.shown, step, message: MESSAGES[step], hardware: null, ...changes };
  remember(turn, { shown });
  turn.effects.push({ do: "show", shown });
}

/** Shows a step of the approval or of the submission that is under way. */
function show(turn: Turn, { at }: Phase, { step, transaction, batch, signedOrder, journal, hardware }: Progress): void {
  if (!["permitting", "choosing", "approving", "submitting", "asking"].includes(at)) return;
  const order = signedOrder?.kind === "signedOrder" ? { signedOrder } : {};
  tell(turn, step, { transaction: transaction ?? null, batch: batch ?? null, ...order, ...(journal && { journal }), ...(hardware && { hardware }) });
  if (step === "posting") remember(turn, { posted: turn.memory.shown.signedOrder?.signature ?? null });
}

/* ------------------------------------------------------------ a build of a price */

type Sought = Offer | { readonly stage: "built"; readonly built: Built } | { readonly stage: "failed"; readonly error: unknown };

/** The way to the next build after an event. While a review `isOpen`, nothing is shown of it, and failures pass. */
function seek(turn: Turn, offer: Offer, event: Event, isOpen: boolean): Sought {
  if (offer.stage === "pricing") return event.type === "prices" ? lookAtPrices(turn, offer, isOpen) : offer;
  if (!("id" in event) || event.id !== offer.id) return offer;
  if (event.type === "built") return { stage: "built", built: event.built };
  return event.type === "failed" ? unbuilt(turn, offer, event.error, isOpen) : offer;
}

/** Takes the next price. While a review `isOpen` it waits through failures, unless the price itself is wrong. */
function lookAtPrices(turn: Turn, offer: Pricing, isOpen: boolean): Sought {
  const { prices } = turn.memory;
  if (!prices) return offer;
  const { quote, isFetching, isStale, isClosed, error } = prices;
  if (isClosed) return { stage: "failed", error: aborted() };
  if (quote && quote !== offer.seen && !isStale) {
    if (!isOpen) tell(turn, "building", { quote });
    return building(turn, quote, offer.left, turn.memory.permit);
  }
  const passes = isOpen && known(error)?.code !== "VERIFY_MISMATCH";
  return error && !isFetching && !passes ? { stage: "failed", error } : offer;
}

function building(turn: Turn, quote: Quote, left: number, permit: Permit | null): Offer {
  const { terms, existing } = turn.memory;
  const id = numbered(turn);
  // A second order has a nonce of its own. A transaction has none.
  const beside = existing === "keepBoth" && quote.kind === "delta" ? { existing } : {};
  // An order is valid no longer than its permit.
  const isTimed = quote.kind === "market" || terms.isTimed;
  const signed = permit ? { permit, ...(isTimed ? {} : { deadline: permit.deadline }) } : {};
  turn.effects.push({ do: "build", id, quote, more: { ...beside, ...signed } });
  return { stage: "building", quote, left, id, withPermit: Boolean(permit) };
}

/** Goes on after a price that was not built. */
function unbuilt(turn: Turn, { quote, left, withPermit }: Building, error: unknown, isOpen: boolean): Sought {
  const { code, action, field } = known(error) ?? {};
  // The permit is used, or is for less than this build spends: another of that kind may be signed.
  if (withPermit && turn.memory.terms.kind && isOfPermit(field)) {
    remember(turn, { permit: null });
    return building(turn, quote, left, null);
  }
  // No other price helps a permit of another client.
  const isAnew = code === "QUOTE_EXPIRED" || (action === "rebuild" && field === "quote");
  const passes = isOpen && (action === "retry" || action === "requote");
  const offer: Pricing = { stage: "pricing", seen: quote, left: passes ? left : left - 1 };
  if (!passes && (!isAnew || offer.left === 0)) return { stage: "failed", error };
  const { prices } = turn.memory;
  if (isOpen || prices?.isClosed || prices?.quote !== quote) return lookAtPrices(turn, offer, isOpen);
  turn.effects.push({ do: "refreshPrices" });
  return offer;
}

function whileQuoting(turn: Turn, phase: In<"quoting">, event: Event): Phase {
  const offer = seek(turn, phase.offer, event, false);
  if (offer.stage === "pricing" || offer.stage === "building") return { ...phase, offer };
  if (phase.late !== null) turn.effects.push({ do: "closeReview", id: phase.late });
  return offer.stage === "built" ? prepare(turn, offer.built) : failEarly(turn, offer.error);
}

/* ------------------------------------------------------------------- the review */

function prepare(turn: Turn, built: Built): Phase {
  const { terms, chosen } = turn.memory;
  // The user is asked about each prompt, and reviews nothing else.
  if (!terms.isReviewed) return agree(turn, built, [], built.settled);
  if (!built.build.approval || chosen.batch === "never") return review(turn, built, false);
  const id = numbered(turn);
  turn.effects.push({ do: "lookAtWallet", id, build: built.build });
  return { at: "preparing", id, built };
}

function whilePreparing(turn: Turn, phase: In<"preparing">, event: Event): Phase {
  if (event.type === "capable") return review(turn, phase.built, event.isBatching);
  // A wallet that gives no answer takes one call after the other.
  return event.type === "failed" ? review(turn, phase.built, false) : phase;
}

/** Opens the review of a build, and watches the next price. */
function review(turn: Turn, built: Built, isBatching: boolean): Phase {
  const { quote, build, settled } = built;
  const steps = stepsOf(turn.memory, built, isBatching);
  const all = build.report.questions.map((question) => ({ ...question }));
  tell(turn, "reviewing", { quote, build });
  const id = numbered(turn);
  turn.effects.push({ do: "review", id, quote, build, steps, questions: all, settled, isSecond: false });
  const questions = all.filter((question) => !settled.includes(question.id));
  const offer = offerAfter(quote);
  return reviewed(turn, { at: "reviewing", id, built, steps, questions, offer }, lookAtPrices(turn, offer, true));
}

/** The review, or what takes its place. */
function reviewed(turn: Turn, phase: In<"reviewing">, offer: Sought): Phase {
  if (offer.stage === "pricing" || offer.stage === "building") return { ...phase, offer };
  turn.effects.push({ do: "closeReview", id: phase.id });
  return offer.stage === "built" ? prepare(turn, offer.built) : failEarly(turn, offer.error);
}

function whileReviewing(turn: Turn, phase: In<"reviewing">, event: Event): Phase {
  const { id, built, steps, questions, offer } = phase;
  if (!("id" in event) || event.id !== id) return reviewed(turn, phase, seek(turn, offer, event, true));
  const close = () => turn.effects.push({ do: "closeReview", id });
  if (event.type === "declined") {
    close();
    turn.effects.push({ do: "closePrices" });
    return end(turn, { error: declined() });
  }
  if (event.type === "failed") {
    close();
    return failEarly(turn, event.error);
  }
  if (event.type !== "agreed") return phase;
  const yes = questions.filter((question) => event.accept.includes(question.id)).map((question) => ({ question, before: built.build }));
  const { chosen, answered, prices } = turn.memory;
  remember(turn, { chosen: { ...chosen, ...event.chosen }, answered: [...answered, ...yes] });
  if (event.open) {
    close();
    return failEarly(turn, event.open);
  }
  if (event.isGood) {
    close();
    return agree(turn, built, steps, [...built.settled, ...event.accept]);
  }
  // The agreed build is out of date.
  tell(turn, "quoting");
  if (offer.stage === "pricing" && !prices?.isFetching) turn.effects.push({ do: "refreshPrices" });
  return { at: "quoting", offer, late: id };
}

/** The prompts that a build is about to open, in order. */
function stepsOf(memory: Memory, built: Built, isBatching: boolean): ReviewStep[] {
  const { build, lacksAllowance, sellsNative } = built;
  const { terms, chosen } = memory;
  const prompt = (purpose: ReviewStep["purpose"], isCertain = true) => ({ purpose, paysGas: !["order", "permit"].includes(purpose), isCertain });
  const isMarket = build.kind === "market";
  const own = isMarket ? "market" : chosen.preSign ? "presign" : "order";
  // A service that wants a deposit asks for it once the order is signed.
  const deposits = own === "order" && sellsNative ? [prompt("presign", false)] : [];
  if (!build.approval) return [prompt(own), ...deposits];
  const isPermitted = permits(memory, built);
  const isOne = lacksAllowance && isBatching && !terms.isAmountApproved;
  if (isOne && !isPermitted) return [prompt(isMarket ? "market" : "presign")];
  const approvals = isOne ? [] : [prompt("approve", !isPermitted)];
  if (!isOne && !isBatching && build.approval.resetFirst) approvals.push(prompt("approve", !isPermitted));
  if (isPermitted && terms.kind) return [prompt("permit"), prompt(own), ...deposits];
  return [...(isPermitted ? [prompt("permit", false)] : []), ...approvals, prompt(own), ...deposits];
}

/** Whether a permit is signed for a build. None outlives a pre-signature, which takes the place of one not signed yet. */
const permits = ({ mayPermit, chosen, shown }: Memory, { build, lacksAllowance }: Built) =>
  mayPermit && !chosen.preSign && !shown.signedOrder && lacksAllowance && !(build.kind === "delta" && build.twap);

/* ------------------------------------------------- approval, permit, signature */

function agree(turn: Turn, built: Built, steps: readonly ReviewStep[], accept: readonly unknown[]): Phase {
  turn.effects.push({ do: "closePrices" });
  return carryOut(turn, { ...built, steps, accept, approval: built.build.approval, missing: null, unmined: null, permitted: null });
}

/** Makes the missing approval, and submits: in one prompt if the wallet takes both. */
function carryOut(turn: Turn, agreed: Agreed): Phase {
  const { shown, posted, chosen } = turn.memory;
  if (agreed.missing) return approve(turn, agreed, agreed.missing, true);
  const { signedOrder } = shown;
  // One that a transaction is to sign is not signed before that is in a block: `submit` of its build finds it, or sends it anew.
  const isSigned = signedOrder?.signature === "0x" ? posted === "0x" : signedOrder && !chosen.preSign;
  if (isSigned) return submit(turn, agreed, "signedOrder");
  if (!agreed.approval) return submit(turn, agreed, "build");
  if (permits(turn.memory, agreed) && !agreed.permitted) return permit(turn, agreed);
  return agreed.permitted ? submit(turn, agreed, "permitted") : approveOrBatch(turn, agreed, agreed.approval);
}

/** Signs a permit for the build, unless one of the chosen kind is signed already. */
function permit(turn: Turn, agreed: Agreed): Phase {
  const { terms, permit } = turn.memory;
  if (permit) return rebuild(turn, agreed, permit);
  const id = numbered(turn);
  turn.effects.push({ do: "permit", id, build: agreed.build, kind: terms.kind ?? "eip2612", accept: agreed.accept });
  return { at: "permitting", id, agreed, isSigned: false };
}

function rebuild(turn: Turn, agreed: Agreed, permit: Permit): Phase {
  if (turn.memory.terms.kind) remember(turn, { permit });
  tell(turn, "building");
  const id = numbered(turn);
  turn.effects.push({ do: "rebuild", id, build: agreed.build, permit });
  return { at: "permitting", id, agreed, isSigned: true };
}

function whilePermitting(turn: Turn, phase: In<"permitting">, event: Event): Phase {
  const { agreed, isSigned } = phase;
  if (event.type === "failed") return unpermitted(turn, agreed, event.error);
  if (isSigned && event.type === "rebuilt") {
    tell(turn, "building", { build: event.build });
    askForNoOther(turn);
    return submit(turn, { ...agreed, permitted: event.build }, "permitted");
  }
  if (!isSigned && event.type === "permit") return rebuild(turn, agreed, event.permit);
  if (!isSigned && event.type === "signing") tell(turn, "permitting", { hardware: event.hardware });
  return phase;
}

/** One permit of the trade's own choosing is asked for, and no second one. */
const askForNoOther = (turn: Turn) => remember(turn, { mayPermit: Boolean(turn.memory.terms.kind) });

/** Goes on where there is no build with a permit: approves, unless the user chose the permit. */
function unpermitted(turn: Turn, agreed: Agreed, thrown: unknown): Phase {
  const error = known(thrown);
  if (turn.memory.terms.kind) {
    if (isOfPermit(error?.field)) remember(turn, { permit: null });
    return fail(turn, agreed, thrown);
  }
  // The user, or the wallet, has answered: no other prompt for the same. A function of the page's threw, or gave no answer.
  const isAnswered = !error || ["ABORTED", "INTERNAL", "USER_REJECTED", "WALLET_PENDING"].includes(error.code);
  if (isAnswered || /\bonPrompt\b/.test(String(error.field)) || !agreed.approval) return fail(turn, agreed, thrown);
  askForNoOther(turn);
  return approveOrBatch(turn, agreed, agreed.approval);
}

/** Approves, in one prompt with the trade if the wallet takes both. */
function approveOrBatch(turn: Turn, agreed: Agreed, approval: Approval): Phase {
  const { terms, chosen } = turn.memory;
  if (!agreed.lacksAllowance || terms.isAmountApproved || chosen.batch === "never") return approve(turn, agreed, approval, false);
  const id = numbered(turn);
  turn.effects.push({ do: "lookAtWallet", id, build: agreed.build });
  return { at: "choosing", id, agreed };
}

function whileChoosing(turn: Turn, phase: In<"choosing">, event: Event): Phase {
  const { agreed } = phase;
  if (event.type === "failed") return fail(turn, agreed, event.error);
  if (event.type !== "capable") return phase;
  return event.isBatching || !agreed.approval ? submit(turn, agreed, "together") : approve(turn, agreed, agreed.approval, false);
}

/** Makes an approval: the build's own, or one that a try before turned out to lack. */
function approve(turn: Turn, agreed: Agreed, approval: Approval, isMissing: boolean): Phase {
  const { chosen } = turn.memory;
  const id = numbered(turn);
  // An order is signed while its approval is mined, and posted after it.
  const isUnmined = !isMissing && agreed.build.kind !== "market" && !chosen.preSign;
  const options = { ...given({ ...chosen, preSign: false }), ...accepting(agreed) };
  turn.effects.push({ do: "approve", id, approval, isOwn: !isMissing, isUnmined, options });
  return { at: "approving", id, agreed, isMissing, isUnmined };
}

function whileApproving(turn: Turn, phase: In<"approving">, event: Event): Phase {
  const { agreed, isMissing, isUnmined } = phase;
  if (event.type === "failed") return fail(turn, agreed, event.error);
  if (event.type !== "approved") return phase;
  if (isMissing) return carryOut(turn, { ...agreed, missing: null });
  return submit(turn, { ...agreed, approval: null, unmined: isUnmined ? agreed.approval : agreed.unmined }, "build");
}

/** The option with the answered questions of the build, for each of its prompts. */
const accepting = ({ accept }: Agreed) => (accept.length ? { accept } : {});

/** The choices that are no default. */
const given = ({ preSign, batch, withoutJournal }: Choices): Choices => ({
  ...(preSign && { preSign }),
  ...(batch && { batch }),
  ...(withoutJournal && { withoutJournal }),
});

/** `isAsked`: the user was asked about what the wallet may have sent before. */
function submit(turn: Turn, agreed: Agreed, what: Submitted, isAsked = false): Phase {
  const { shown, chosen, existing } = turn.memory;
  const id = numbered(turn);
  if (what === "signedOrder" && shown.signedOrder) turn.effects.push({ do: "submit", id, what: shown.signedOrder, options: {} });
  else {
    const build = (what === "permitted" && agreed.permitted) || agreed.build;
    const options = { ...given(chosen), ...(existing && { existing }), ...accepting(agreed) };
    turn.effects.push({ do: "submit", id, what: build, options });
  }
  return { at: "submitting", id, agreed, what, isAsked };
}

function whileSubmitting(turn: Turn, phase: In<"submitting">, event: Event): Phase {
  const { agreed, what, isAsked } = phase;
  if (event.type === "taken") {
    tell(turn, "following", { order: event.order });
    const id = numbered(turn);
    turn.effects.push({ do: "follow", id, order: event.order });
    return { at: "following", id };
  }
  if (event.type !== "failed") return phase;
  const error = known(event.error);
  // The wallet gave no hash for this trade before, and only the user can look into it.
  const isOpen = error?.code === "ALREADY_SIGNED" && error.questions && !turn.memory.terms.isPrompted;
  if (!isOpen || isAsked || what === "signedOrder") return refused(turn, agreed, what, event.error);
  const questions = error.questions ?? [];
  const { quote, build, steps } = agreed;
  tell(turn, "reviewing", { quote, build });
  const id = numbered(turn);
  turn.effects.push({ do: "review", id, quote, build, steps, questions, settled: [], isSecond: true });
  return { at: "asking", id, agreed, what, questions, error };
}

function whileAsking(turn: Turn, phase: In<"asking">, event: Event): Phase {
  const { agreed, what, questions, error } = phase;
  if (event.type === "declined") return end(turn, { error: declined() });
  if (event.type === "failed") return fail(turn, agreed, event.error);
  if (event.type !== "agreed") return phase;
  remember(turn, { chosen: { ...turn.memory.chosen, ...event.chosen } });
  if (!questions.every(({ id }) => event.accept.includes(id))) return refused(turn, agreed, what, error);
  return submit(turn, { ...agreed, accept: [...agreed.accept, ...event.accept] }, what, true);
}

/** Goes on after a submission that failed, by the way that is left. */
function refused(turn: Turn, agreed: Agreed, what: Submitted, error: unknown): Phase {
  const { code, field, approval, signedOrder } = known(error) ?? {};
  const { terms, shown } = turn.memory;
  if (what === "permitted" && agreed.approval && isOfPermit(field) && !signedOrder && !shown.signedOrder) {
    // The permit was used meanwhile. Nothing was signed with it.
    remember(turn, { permit: null });
    const without = { ...agreed, permitted: null };
    if (terms.kind) return fail(turn, without, error);
    tell(turn, "building", { build: agreed.build });
    return approveOrBatch(turn, without, agreed.approval);
  }
  // The wallet does not take both after all. Nothing was sent.
  const isApart = what === "together" && code === "INSUFFICIENT_ALLOWANCE" && approval;
  return isApart && agreed.approval ? approve(turn, agreed, agreed.approval, false) : fail(turn, agreed, error);
}

/* ------------------------------------------------------------ failures, the end */

/** An error of this package; null for any other value. */
export const known = (error: unknown): TradeError | null => (isOfPackage(error) ? error : null);
const isOfPackage = (error: unknown): error is TradeError =>
  typeof error === "object" && error !== null && "name" in error && error.name === "TradeError";

const isOfPermit = (field: string | undefined) => /\bpermit\b/.test(String(field));

/** Fails before anything was agreed to. */
function failEarly(turn: Turn, error: unknown): Phase {
  turn.effects.push({ do: "closePrices" });
  return fail(turn, null, error);
}

function fail(turn: Turn, agreed: Agreed | null, error: unknown): Phase {
  const { code, action, field, signedOrder, cause } = known(error) ?? {};
  // The wallet's signature is none of this order, and no other party has it.
  const isForeign = (code === "SIGNATURE_MISMATCH" || code === "UNSUPPORTED_ACCOUNT") && !signedOrder;
  if (isForeign && turn.memory.shown.signedOrder) {
    const shown = { ...turn.memory.shown, signedOrder: null };
    remember(turn, { shown });
    turn.effects.push({ do: "show", shown });
  }
  const { shown, terms } = turn.memory;
  // The permit was used, and the allowance is there. Or the prompts took longer than the build was good for: its
  // replacement is reviewed again.
  const isSpent = action === "rebuild" && field === "build.permit";
  if (isSpent) remember(turn, { permit: null });
  // The user has answered, or the module is broken.
  const isOver = code === "ABORTED" || cause instanceof WebAssembly.RuntimeError;
  const isLate = (code === "QUOTE_EXPIRED" || isSpent) && !signedOrder && !shown.signedOrder;
  if (agreed && isLate && !isOver) return quoteAnew(turn);
  if (!terms.isRetried || isOver || !isOfPackage(error)) return end(turn, { error });
  const { quote, build } = agreed ?? shown;
  const id = numbered(turn);
  turn.effects.push({ do: "ask", id, error, step: shown.step, quote, build });
  return { at: "retrying", id, agreed, error, failedStep: shown.step };
}

/** A new price, and a new review. */
function quoteAnew(turn: Turn): Phase {
  tell(turn, "quoting", { transaction: null, batch: null, signedOrder: null });
  remember(turn, { prices: null });
  turn.effects.push({ do: "openPrices" });
  return { at: "quoting", offer: offerAfter(null), late: null };
}

function whileRetrying(turn: Turn, phase: In<"retrying">, event: Event): Phase {
  const { agreed, error, failedStep } = phase;
  if (event.type === "failed") return end(turn, { error: event.error });
  if (event.type !== "retried") return phase;
  const { retry } = event;
  if (!retry) return end(turn, { error });
  const { shown, posted, chosen } = turn.memory;
  remember(turn, { chosen: { ...chosen, ...retry.chosen }, existing: retry.existing });
  if (!agreed) return quoteAnew(turn);
  // An order that waited for its approval in vain needs another, and no second signature.
  const missing = error.approval ?? (failedStep === "confirming" ? agreed.unmined : null);
  const again = () => carryOut(turn, { ...agreed, missing, accept: [...new Set([...agreed.accept, ...retry.accept])] });
  const { signedOrder } = shown;
  // A pre-signature that is not in a block binds to its order only while that is what the user wants, and in time.
  const isUnsent = signedOrder?.signature === "0x" && posted !== "0x" && !error.signedOrder;
  if (signedOrder && !(isUnsent && (retry.isRequoted || error.code === "QUOTE_EXPIRED"))) return again();
  // The build is good for another try, or a new one is reviewed.
  const isAnother = retry.existing === "keepBoth" && agreed.build.kind === "delta";
  const isRefused = ["requote", "rebuild"].includes(error.action) || error.code === "VERIFY_MISMATCH";
  return isAnother || retry.isRequoted || isRefused || !retry.isGood ? quoteAnew(turn) : again();
}

function whileFollowing(turn: Turn, phase: In<"following">, event: Event): Phase {
  switch (event.type) {
    case "changed":
      tell(turn, "following", { order: event.order });
      return phase;
    case "settled": return end(turn, null);
    case "failed": return end(turn, { error: event.error });
    default: return phase;
  }
}

/** The caller aborted what was under way. */
function abandon(turn: Turn, phase: Phase, error: unknown): Phase {
  const review = phase.at === "reviewing" ? phase.id : phase.at === "quoting" ? phase.late : null;
  if (review !== null) turn.effects.push({ do: "closeReview", id: review });
  if (["quoting", "preparing", "reviewing"].includes(phase.at)) turn.effects.push({ do: "closePrices" });
  return end(turn, { error });
}

function end(turn: Turn, failure: { error: unknown } | null): Phase {
  turn.effects.push({ do: "end", failure });
  return { at: "ended" };
}
