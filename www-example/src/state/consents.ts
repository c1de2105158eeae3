import type { Amount, DeltaBuild, Question } from "verified-swap";
import { questionWords } from "../../../examples/review-components/src/checks.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "./checks.ts";
import { percent } from "./money.ts";
import type { Build, State } from "./state.ts";
import { costsOf, farBelowMarket } from "./worse.ts";

/* What only the user can say yes to before the wallet opens: a price far from the market, and the package's questions. The
   page ticks nothing by itself. */

/** One tick. */
interface Consent {
  id: string;
  text: string;
  /** How large what is accepted is, in basis points, where it is no question of the package. */
  bps?: number;
}

/** Of a price far from the market, and of costs; all other ids are those of questions. */
const FAR = "far";
const COSTS = "costs";

const texts = messages.review;

/** What has to be ticked for what the page shows. */
export function consentsAsked(state: State): Consent[] {
  const far = farBelowMarket(state);
  const costs = costsOf(state);
  const reader = readerOf(state);
  const questions = questionsOf(state).map((question) => ({ id: question.id, text: questionWords(question, reader) }));
  return [
    ...(far === null ? [] : [{ id: FAR, text: texts.worse(percent(far)), bps: far }]),
    ...(costs === null
      ? []
      : [{ id: COSTS, text: texts.costs(percent(costs.share), costs.most === null ? null : percent(costs.most)), bps: costs.share }]),
    ...questions,
  ];
}

/** Whether one of them is not ticked. */
export function lacksConsent(state: State): boolean {
  return consentsAsked(state).some(({ id }) => !state.accepted.includes(id));
}

/**
 * What stays ticked when `next` takes the place of the build under review: the same question about the same trade, at a
 * bound that is no worse.
 */
export function stillAccepted({ build, accepted }: State, next: Build): string[] {
  if (!build || !isAsGood(next, build)) return [];
  // The data for a bridge may name another receiver in another build.
  const answered = build.report.questions.filter(({ id, reason }) => accepted.includes(id) && reason !== "receiverUnbound");
  const isAnswered = ({ id, reason, field }: Question): boolean =>
    accepted.includes(id) || answered.some((before) => before.reason === reason && before.field === field);
  return next.report.questions.filter(isAnswered).map(({ id }) => id);
}

/**
 * What stays ticked when a renewed build is under review, `next` being the page with it. A tick is for what was read
 * beside it: it holds while that is the same or better, also of costs and of the distance to the market. Of anything
 * worse it is gone, and the button waits for it.
 */
export function keptAccepted(before: State, next: State & { build: Build }): string[] {
  const held = consentsAsked(next).filter(({ id, bps }) => {
    const then = consentsAsked(before).find((consent) => consent.id === id)?.bps;
    return before.accepted.includes(id) && bps !== undefined && then !== undefined && bps <= then;
  });
  return [...stillAccepted(before, next.build), ...held.map(({ id }) => id)];
}

/** What the user is asked: about what is held back, the build's price, or what the wallet did with it before. */
function questionsOf({ build, questions, asked }: State): Question[] {
  if (questions.length > 0) return questions;
  const isSigned = asked !== null && ["deposit", "consent", "cancel"].includes(asked.kind);
  return isSigned ? [] : (build?.report.questions ?? []);
}

/** Whether what binds `next` is no worse for the user than it was before, for the same request. */
export function isAsGood(next: Build, before: Build): boolean {
  if (next.kind !== before.kind || (next.kind !== "delta" && next.kind !== "market")) return false;
  const [now, then] = [boundsOf(next), boundsOf(before as typeof next)];
  return now.request === then.request && now.most <= then.most && now.least.every((amount, index) => amount >= then.least[index]!);
}

/** The least that arrives on another chain; where no order bounds it, what the bridge promises. */
export function arrivalOf({ destination }: DeltaBuild): Amount | null {
  return destination?.minReceived ?? destination?.expected ?? null;
}

function boundsOf(build: Extract<Build, { kind: "delta" | "market" }>): { request: string; most: bigint; least: bigint[] } {
  const arrives = build.kind === "delta" ? arrivalOf(build) : null;
  return {
    request: JSON.stringify([build.owner, build.request]),
    most: BigInt(build.maxSpent),
    least: [build.minReceived, arrives ?? 0].map(BigInt),
  };
}
