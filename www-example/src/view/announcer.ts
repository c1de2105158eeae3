import { element, setText } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import type { State } from "../state/state.ts";
import { standing } from "./form/standing.ts";
import { isSigned } from "./build-lines.ts";
import { offerWords } from "./order-words.ts";
import { busyWords } from "./busy.ts";
import type { Page } from "./page.ts";
import { refusalWords } from "./refusal-words.ts";
import { storyOf } from "./unfinished.ts";

/** Tells screen readers what changed: steps, failures, the first price for an amount. Never a mere refresh. */
export function announcer({ store }: Page): HTMLElement {
  const node = element("p", { role: "status", class: "visually-hidden" });
  let before = store.get();
  store.subscribe((state) => {
    const news = newsBetween(before, state);
    before = state;
    // A screen reader repeats a text only if it differs.
    if (news) setText(node, news === node.textContent ? `${news}\u00a0` : news);
  });
  return node;
}

function newsBetween(before: State, now: State): string | null {
  const wrong = troubleOf(now);
  if (wrong && (wrong !== troubleOf(before) || now.failure !== before.failure)) return wrong;
  if (now.refusal && now.refusal !== before.refusal) return refusalWords(now.refusal, now).sentence;
  if (now.trade && now.trade !== before.trade) {
    const { heading, message } = storyOf(now.trade);
    if (!before.trade || message !== storyOf(before.trade).message) return `${heading}. ${message}`;
  }
  if (now.notice && now.notice !== before.notice) return now.notice;
  if (now.online && !before.online) return "Online again.";
  if (now.order && now.order.status !== before.order?.status) return `Order ${now.order.status.toLowerCase()}.`;
  if (now.offerShown && offerWords(now.offerShown) !== (before.offerShown && offerWords(before.offerShown)))
    return `OTC order ${offerWords(now.offerShown).toLowerCase()}.`;
  if (now.sent && now.sent.transaction.status !== before.sent?.transaction.status)
    return `Transaction ${now.sent.transaction.status.toLowerCase()}.`;
  if (now.stage !== before.stage && now.stage === "review") {
    return now.build && !isSigned(now.build)
      ? "Transaction checked. Review it before you send it."
      : "Order checked. Review it before you sign.";
  }
  if (now.busy && now.busy !== before.busy) return busyWords(now.busy);
  if (now.quote && !before.quote) {
    const { srcAmount, destAmount } = now.quote;
    const [paid, got] = [exact(srcAmount, now.src.decimals), rounded(destAmount, now.dest.decimals)];
    const words = `${paid} ${now.src.symbol} for about ${got} ${now.dest.symbol}.`;
    return now.tab === "twap" ? `Each slice is ${words}` : words;
  }
  return null;
}

/** What the card says is wrong. */
function troubleOf(state: State): string | null {
  const { failure, stage, tab } = state;
  if (failure) return [failure.message, failure.consequence].filter(Boolean).join(" ");
  if (stage !== "compose" || tab === "otc") return null;
  const { text, wrong } = standing(state);
  return wrong ? text : null;
}
