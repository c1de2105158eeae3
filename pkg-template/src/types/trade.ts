import type { AmountInput, Hex } from "./values.ts";
import type { HardwareScreen, Question, Report } from "./report.ts";
import type { Approval, Permit, PermitKind } from "./permit.ts";
import type { SentTransaction, SignedOrder, TradeStep } from "./signed.ts";
import type { Answer, OnPrompt, PromptPurpose } from "./prompt.ts";
import type { TradeError } from "./errors.ts";
import type { Quote } from "./quote.ts";
import type {
  AdvancedBuildOptions, AdvancedMarketBuildOptions, BuildOptions, DeltaBuild, MarketBuild, MarketBuildOptions,
} from "./build.ts";
import type { Order } from "./orders.ts";
import type { WatchOptions } from "./submit.ts";

/** Options of `trade`: those of `build`, and these; its price is a `StatedPrice`, its time a `StatedTime`. */
export interface TradeOptions
  extends Omit<BuildOptions, "permit" | "advanced">, Omit<MarketBuildOptions, keyof BuildOptions | "slippageBps">, TradeChoices,
    Pick<WatchOptions, "intervalMs" | "maxIntervalMs"> {
  /** Options of the build that few apps need. */
  advanced?: Omit<AdvancedBuildOptions & AdvancedMarketBuildOptions, "requireBalance"> | undefined;
  /**
   * Shows the user what is about to be agreed to. `true`, or a promise of it, agrees to a review without `questions`;
   * `{ accept }` also to the questions whose ids it has. `false` and `null` decline. Anything else is
   * INVALID_INPUT, also a text or an event, which only count as true. Called again with a new build when its price is renewed or the account changes; the answer to the earlier one
   * then no longer counts. A limit order is reviewed once. Called once more for the same build where the wallet may have
   * sent this trade before (`"mayHaveBeenSent"`): an answer that does not accept it ends in ALREADY_SIGNED.
   * Beside `accept` an answer may choose how the trade goes on. Required, unless there is an `onPrompt`, which then asks both: see `TradeConsent`.
   */
  onReview?: ((review: Review) => ReviewAnswer | Promise<ReviewAnswer>) | undefined;
  /**
   * Asked where the trade would end with an error, such as a rejected prompt. `true`, or an object, tries again from what
   * failed: the same build while its price is good, else a new one, which is reviewed; what is approved, permitted or
   * signed already is not asked for again: a signed order is posted, whatever is chosen but `preSign`. An object also
   * changes what is chosen. Anything else ends the trade with that error. Not asked after ABORTED, a declined review, an
   * `onReview` that threw, and a module that cannot go on; nor once the trade is posted or sent.
   */
  onFailure?: ((failure: TradeFailure) => TradeRetry | Promise<TradeRetry>) | undefined;
  /**
   * Same as `ClientOptions.onPrompt`, for this trade: asked before each of its prompts. Without `onReview` nothing else is
   * reviewed; with it, the trade as a whole is before.
   */
  onPrompt?: OnPrompt | undefined;
  /** Called with each state. */
  onProgress?: ((state: TradeProgress) => void) | undefined;
  /**
   * `"whenPossible"`: if an approval is missing and the token takes a permit of its own (`eip2612`), a permit is
   * signed in its place, after the review, for the amount that the reviewed build spends, which is then built again
   * with it. If anything in that fails or differs, the reviewed build is approved and signed. Not for limit orders,
   * slices, `advanced.external` and `preSign`. A kind is what the user chose: if an approval is missing, that permit is signed, or the
   * trade fails with the error of `signPermit`; INVALID_INPUT where the order would outlive it. A `Permit` is signed already:
   * every build is made with it, and an order is valid no longer than it. Default `"never"`: approves.
   */
  permit?: "never" | "whenPossible" | PermitKind | Permit | undefined;
  /** Same as `ApproveOptions.amount`. Default: exactly the needed amount. */
  approveAmount?: AmountInput | "unlimited" | undefined;
}

/**
 * Where the user agrees to a trade: at least one of the two, unless the client has an `onPrompt`. `onReview: undefined` leaves
 * it to that one, where TypeScript does not see it, and is INVALID_INPUT if there is none.
 */
export type TradeConsent = { onReview: TradeOptions["onReview"] } | { onPrompt: OnPrompt };

/** Choices of a trade. In an answer they hold from then on, in place of the options. */
export interface TradeChoices {
  /** Same as `StatedConsent.preSign`. It takes the place of a permit that is not signed yet, and of a signature. */
  preSign?: boolean | undefined;
  /** Same as in `AdvancedClientOptions`. With `approveAmount` the approval is a transaction of its own. */
  batch?: "auto" | "never" | undefined;
  /** Same as `SubmitOptions.withoutJournal`, for the approval, too. Default false. */
  withoutJournal?: boolean | undefined;
}

/** The answer of `onReview`. */
export type ReviewAnswer = Answer | ({ accept: string[] } & TradeChoices);

/** The answer of `onFailure`. */
export type TradeRetry = boolean | TradeRetryChoices;

/** How a trade is tried again. */
export interface TradeRetryChoices extends TradeChoices {
  /** The ids of the questions of the error. */
  accept?: string[] | undefined;
  /** A new price, whose build is reviewed, also if the old one is still good. */
  requote?: boolean | undefined;
  /**
   * Same as `SubmitOptions.existing`, until the next failure. `"keepBoth"` of a gasless order builds it anew, to be
   * reviewed.
   */
  existing?: "replace" | "keepBoth" | undefined;
}

/** A trade that is about to end with an error. */
export interface TradeFailure {
  /** The error; its `step` names the failed step. */
  error: TradeError;
  /** The price in use; null if there is none. */
  quote: Quote | null;
  /** The latest build that was agreed to, or made; null if there is none. */
  build: DeltaBuild | MarketBuild | null;
  /** Aborts when the question is over. */
  signal: AbortSignal;
}

/** The trade that the user is about to agree to. */
export interface Review {
  /** The price on which the build is based. */
  quote: Quote;
  /** The build to sign or send. */
  build: DeltaBuild | MarketBuild;
  /** `build.report`. */
  report: Report;
  /** `build.report.sentence`. */
  sentence: string;
  /** The approval that comes first, after the review; null if none. */
  approval: Approval | null;
  /**
   * The questions for the user: those of `report` to which no answer of this trade carries over (`carriesOver`).
   */
  questions: Question[];
  /** The wallet's prompts that come, in order, as far as that is known. */
  steps: ReviewStep[];
  /** Aborts when this review is over: it was answered, or a newer one takes its place. */
  signal: AbortSignal;
}

/** A prompt of the wallet that is to come. */
export interface ReviewStep {
  /** Its purpose. A missing approval that the wallet takes together with the trade is no prompt of its own. */
  purpose: PromptPurpose;
  /** Whether it is a transaction, which costs gas. */
  paysGas: boolean;
  /**
   * Whether it opens unless the trade ends before. `false`: a permit, and the approval in its place if the token takes
   * none; the deposit (`"presign"`) of an order that sells the native token, if the service wants one.
   */
  isCertain: boolean;
}

/** A trade under way: a promise of its end. */
export interface ActiveTrade extends Promise<FinishedTrade> {
  /** The state now: a new object whenever it changes. */
  readonly state: TradeProgress;
  /**
   * Calls `listener` with each state from now on; a failure is then reported there. Returns a function that ends that.
   */
  subscribe(listener: (state: TradeProgress) => void): () => void;
}

/** The state of a trade. Members are null until they are known. */
export interface TradeProgress {
  /** The current step. */
  step: TradeStep;
  /** The same in one English sentence, to show. */
  message: string;
  /** The price in use. */
  quote: Quote | null;
  /** The latest build. */
  build: DeltaBuild | MarketBuild | null;
  /** Hash of the transaction of this step, if it sends one. */
  transaction: Hex | null;
  /** The wallet's id, if this step sent several calls together. */
  batch: string | null;
  /** The order once it is signed. Keep it: `submit` takes it after a reload. */
  signedOrder: SignedOrder | null;
  /** Once it is signed or sent: see `Progress.journal`. */
  journal: "stored" | "memory" | null;
  /** At "permitting" and "signing": the display of a hardware wallet; else null. */
  hardware: HardwareScreen | null;
  /** The order, or the sent transaction, as it was seen last. */
  order: Order | SentTransaction | null;
  /** With "failed": the error. Its `step` names the failed step. */
  error: TradeError | null;
}

/** A trade that has ended: filled or not, as `order.status` says. */
export interface FinishedTrade extends TradeProgress {
  /** The last step. */
  step: "done";
  /** The price on which the build was based. */
  quote: Quote;
  /** The signed or sent build. */
  build: DeltaBuild | MarketBuild;
  /** The order, or the sent transaction, at its last status. */
  order: Order | SentTransaction;
}
