import { maxSpent } from "verified-swap";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { refusalWords } from "../../../examples/review-components/src/index.ts";
import { messages } from "../messages/en.ts";
import { readerOf } from "../state/checks.ts";
import { exact, rounded } from "../state/money.ts";
import { troubleWords } from "../state/failure.ts";
import type { Errand } from "../state/parts.ts";
import { movedWords, renewedWords } from "../state/renewal.ts";
import { orderShown, sentShown, type State } from "../state/state.ts";
import { leastOf } from "../state/prices.ts";
import { standing } from "./form/standing.ts";
import { isSigned } from "./build-lines.ts";
import { busyWords } from "./busy.ts";
import { useScene } from "./context.ts";
import { endWords, isForeign, sentTitle } from "./order-story.ts";
import { storyOf } from "./unfinished-words.ts";

const texts = messages.progress.announce;

/** Tells screen readers what changed: steps, failures, the first price for an amount. Never a mere refresh. */
export function Announcer(): VNode {
  const { store } = useScene();
  const [said, say] = useState("");
  useEffect(() => {
    let before = store.get();
    return store.subscribe((now) => {
      const news = before === now ? null : newsBetween(before, now);
      before = now;
      // A screen reader repeats a text only if it differs.
      if (news) say((last) => (news === last ? `${news}\u00a0` : news));
    });
  }, [store]);
  return (
    <p role="status" class="visually-hidden">
      {said}
    </p>
  );
}

function newsBetween(before: State, now: State): string | null {
  const wrong = troubleOf(now);
  if (wrong && wrong !== troubleOf(before)) return wrong;
  if (now.refusal && now.refusal !== before.refusal) {
    const { neverOpened, notAgain } = messages.review.refusal;
    return `${refusalWords(now.refusal, readerOf(now, now.refusal.report)).sentence} ${now.prompts === 0 ? neverOpened : notAgain}.`;
  }
  if (now.trade && now.trade !== before.trade) {
    const { heading, message } = storyOf(now.trade);
    if (!before.trade || message !== storyOf(before.trade).message) return `${heading}. ${message}`;
  }
  if (now.notice && now.notice !== before.notice) return now.notice;
  if (now.online && !before.online) return texts.online;
  const ended = now.errands.find((errand) => errand.isNews && !wasNews(before, errand));
  if (ended) return endWords(now, ended);
  const shown = shownWords(now);
  if (shown && shown !== shownWords(before)) return shown;
  if (now.stage !== before.stage && now.stage === "review" && now.asked) return texts.step;
  if (now.stage !== before.stage && now.stage === "review")
    return now.build && !isSigned(now.build) ? texts.checkedTransaction : texts.checkedOrder;
  if (now.busy && now.busy !== before.busy) return busyWords(now.busy);
  const moved = movedWords(now);
  if (moved && !movedWords(before)) return moved;
  const renewed = renewedWords(before, now);
  if (renewed) return renewed;
  if (now.quote && !before.quote) {
    const { quote } = now;
    const pays = quote.kind === "market" ? maxSpent(quote, 0) : quote.srcAmount;
    const [paid, got] = [exact(pays, now.src.decimals), rounded(leastOf(quote, 0), now.dest.decimals, "down")];
    const words = texts.price(`${paid} ${now.src.symbol}`, `${got} ${now.dest.symbol}`);
    return now.tab === "twap" ? texts.slice(words) : words;
  }
  return null;
}

function wasNews({ errands }: State, { id }: Errand): boolean {
  return errands.some((errand) => errand.id === id && errand.isNews);
}

/** How far the shown order or transaction is. */
function shownWords(state: State): string | null {
  const order = orderShown(state)?.order;
  if (order) return order.unseenSince ? texts.unseen : texts.order(order.status);
  const sent = sentShown(state);
  if (sent) return isForeign(sent.sent) ? sentTitle(sent.sent) : texts.transaction(sent.sent.transaction.status);
  return null;
}

/** What the card says is wrong. */
function troubleOf(state: State): string | null {
  const failure = state.failure ?? orderShown(state)?.failure;
  if (failure) return troubleWords(failure);
  if (state.stage !== "compose") return null;
  const { text, wrong } = standing(state);
  return wrong ? text : null;
}
