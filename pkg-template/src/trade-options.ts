// The options of `trade`, and the answers of its functions, as they are read before anything is asked for.
import { answerOf, membersOf } from "./module.ts";
import { absent, fault, inside, list, object } from "./reading.ts";
import type { Choices, Existing, Retry, Terms } from "./trade-steps.ts";
import type { Permit, PermitKind, Quote, QuoteRequest, StatedPrice, StatedTime, TradeOptions, TwapRequest } from "./types.ts";
import { compute } from "./verified_swap.js";

export type Traded = QuoteRequest | TwapRequest | Quote;
export type Given = TradeOptions & StatedPrice & StatedTime;

/** The options of a trade, apart by what they are for. */
export interface Settings {
  readonly terms: Terms;
  readonly chosen: Choices;
  /** A permit that is signed already. */
  readonly permit: Permit | null;
  readonly request: QuoteRequest | TwapRequest;
  /** The price to begin with, if it is of a quote. */
  readonly first: Quote | undefined;
  /** Whether the price's age does not count. */
  readonly isLimit: boolean;
  /** The options of each build. */
  readonly building: object;
  readonly options: Given;
}

/** The choices of an answer, or of the options. */
interface Made extends Choices {
  readonly slippageBps?: unknown;
  readonly existing?: Existing | undefined;
  readonly permit?: PermitKind | undefined;
}

/** Whether the module takes all words in it. Throws with the first that it does not take. */
const isKnown = (made: object, field: string): made is Made => {
  inside(() => compute("checkChoices", made, field));
  return true;
};

/** Those of a list of members that are there, once the module has read them. */
function choicesOf(value: unknown, names: readonly string[], field: string): Made {
  const given = membersOf(value);
  const made = Object.fromEntries(names.map((name) => [name, given?.[name]]).filter(([, one]) => !absent(one)));
  return isKnown(made, field) ? made : {};
}

const CHOICES = ["preSign", "batch", "withoutJournal"];

/** The ids of the questions that an answer of `onReview` accepts, `true` none of them; null: the user declined. */
function acceptedBy(answer: unknown): readonly unknown[] | null {
  if (!answer && answer !== undefined) return null;
  if (answer === true) return [];
  const accept = membersOf(answer)?.accept;
  // A value that only counts as true (a text, an event) is no consent.
  if (!Array.isArray(accept)) fault("options.onReview", "a function that returns the user's answer: true, false or { accept }", answer);
  return accept;
}

/** An answer of `onReview`; null: the user declined. */
export function readAnswer(answer: unknown): { accept: readonly unknown[]; chosen: Choices } | null {
  const accept = acceptedBy(answer);
  return accept && { accept, chosen: choicesOf(answer, CHOICES, "onReview") };
}

/** An answer of `onFailure`; null: that is the end. A failure of the page's own dialog, as a value, is no answer either. */
export function readRetry(answer: unknown, isGood: boolean): Retry | null {
  if (answer !== true && Object.prototype.toString.call(answer) !== "[object Object]") return null;
  const { accept, requote } = membersOf(answer) ?? {};
  const accepted = list(accept, "onFailure.accept");
  const { existing = null, ...chosen } = choicesOf(answer, [...CHOICES, "existing"], "onFailure");
  return { accept: accepted, chosen, existing, isRequoted: Boolean(requote), isGood };
}

/** Refuses what is no function of the app. */
function checkFunctions({ onReview, onPrompt, onProgress, onFailure }: Given, isPrompted: boolean): void {
  if (!absent(onPrompt) && typeof onPrompt !== "function") fault("options.onPrompt", "a function", onPrompt);
  if (typeof onReview !== "function" && !(isPrompted && absent(onReview))) {
    fault("options.onReview", isPrompted ? "a function, or nothing" : "a function, or onPrompt in its place", onReview);
  }
  for (const [name, value] of Object.entries({ onProgress, onFailure })) {
    if (value !== undefined && typeof value !== "function") fault(`options.${name}`, "a function", value);
  }
}

/** Whether an order of it outlives a permit: a limit, slices, a transaction's consent; an external order's approval is for its handler. */
const outlives = ({ preSign, advanced }: Given, isLimit: boolean, request: unknown) =>
  isLimit || Boolean(advanced?.external) || Boolean(preSign) || !absent(membersOf(request)?.numSlices);

const isQuote = (what: Traded): what is Quote => "sealed" in what && typeof what.sealed === "string";

/** Reads them all. `isPrompted`: the client has an `onPrompt`. */
export function settingsOf(what: Traded, given: Given, isAlwaysPrompted: boolean): Settings {
  const options: Given = object(given, "options");
  const isPrompted = Boolean(options.onPrompt) || isAlwaysPrompted;
  checkFunctions(options, isPrompted);
  const {
    onReview, onFailure, onPrompt, onProgress, signal, permit, approveAmount, preSign, batch, withoutJournal, intervalMs,
    maxIntervalMs, ...building
  } = options;
  const { slippageBps, limitAmount, limitPrice, maxSrcAmount, deadline, validForSecs, type } = options;
  const signed = typeof permit === "object" ? permit : null;
  const word = signed || permit === "never" || permit === "whenPossible" ? undefined : permit;
  const { slippageBps: _, permit: kind = null, ...chosen } = choicesOf(
    { slippageBps, permit: word, preSign, batch, withoutJournal }, ["slippageBps", "permit", ...CHOICES], "options");
  const advanced = { ...(absent(options.advanced) ? {} : object(options.advanced, "options.advanced")), requireBalance: true };
  const traded: Traded = object(what, "request");
  // The request of a quote may be made again, though its absent members are null.
  const [first, request] = isQuote(traded) ? [traded, answerOf<QuoteRequest | TwapRequest>(traded.request)] : [undefined, traded];
  const mode: unknown = membersOf(request)?.mode;
  if (!first && mode === "BOTH") fault("request.mode", "ALL, DELTA or MARKET: a trade is of one path", mode);
  // Refused before the price is requested; the build, which has to know that, refuses the rest.
  if ([slippageBps, limitAmount, limitPrice, maxSrcAmount].every(absent)) {
    fault("options.slippageBps", "basis points from 0 to 10000 (50 is 0.5 %), or a limit in its place", slippageBps);
  }
  const isLimit = type === "LIMIT" || !absent(limitAmount) || !absent(limitPrice);
  const isLasting = outlives(options, isLimit, request);
  if ((kind || signed) && isLasting) fault("options.permit", "never or whenPossible, for an order that outlives a permit", permit);
  const terms: Terms = {
    isReviewed: Boolean(onReview), isPrompted, isRetried: Boolean(onFailure), isTimed: !absent(deadline) || !absent(validForSecs),
    isAmountApproved: approveAmount !== undefined, kind, mayPermit: Boolean(kind || permit === "whenPossible") && !isLasting,
  };
  return { terms, chosen, permit: signed ?? null, request, first, isLimit, building: { ...building, advanced }, options };
}
