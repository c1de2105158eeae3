import { carriesOver, type Question } from "verified-swap";
import { questionWords } from "../../../examples/review-components/src/checks.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "./checks.ts";
import { percent } from "./money.ts";
import { isPriced, type Build, type State } from "./state.ts";
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

/** What stays ticked when `next` takes the place of the build under review. */
export function stillAccepted({ build, accepted }: State, next: Build): string[] {
  if (!isPriced(build) || !isPriced(next)) return [];
  return carriesOver(build.report.questions.filter(({ id }) => accepted.includes(id)), next, build);
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
