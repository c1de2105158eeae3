import { useEffect } from "preact/hooks";
import { isOver } from "../client/errands.ts";
import { messages } from "../messages/en.ts";
import type { Errand } from "../state/parts.ts";
import { orderShown, sentShown, type Busy, type State } from "../state/state.ts";
import { useScene } from "./context.ts";
import { statusWords } from "./order-words.ts";
import { isFine, isForeign, isMoving, sentTitle, whereabouts } from "./order-story.ts";

const texts = messages.progress.tabTitle;

const WORDS: Partial<Record<Busy, string>> = {
  signing: texts.signing,
  permitting: texts.signing,
  cancelling: texts.signing,
  approving: texts.wallet,
  resetting: texts.wallet,
  sending: texts.sending,
};

/** The tab says what is under way, for those who look at another one. */
export function TabTitle(): null {
  const words = titleOf(useScene().state);
  useEffect(() => {
    document.title = words ? `${words} · ${messages.brand}` : messages.brand;
  }, [words]);
  return null;
}

function titleOf(state: State): string | null {
  if (state.busy) return WORDS[state.busy] ?? texts.busy;
  const shown = orderShown(state) ?? sentShown(state);
  const ended = shown && isOver(shown) && wasFollowed(shown) ? shown : state.errands.find(({ isNews }) => isNews);
  if (ended?.kind === "transaction" && isForeign(ended.sent)) return texts.underWay(endOf(ended));
  if (ended) return isFine(ended) ? texts.done(endOf(ended)) : texts.failed(endOf(ended));
  const moving = state.errands.find((errand) => !isOver(errand) && (errand.kind === "transaction" || isMoving(errand)));
  return moving ? texts.underWay(whereabouts(moving)) : null;
}

function endOf(errand: Errand): string {
  return errand.kind === "order" ? statusWords(errand.order?.status ?? "") : sentTitle(errand.sent);
}

/** Not one of the history, which ended long ago. */
function wasFollowed(errand: Errand): boolean {
  return errand.kind === "transaction" ? errand.sent.to !== null : errand.inFlight.isFresh;
}
