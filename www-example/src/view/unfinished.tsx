import type { Trade } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import type { Remedy } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import { busyWords } from "./busy.ts";
import { useScene } from "./context.ts";
import { Hashes } from "./hashes.tsx";
import { Lines } from "./parts/lines.tsx";
import { Message } from "./trouble.tsx";
import { When } from "./when.tsx";
import { headingOf, linesOf, storyOf, tradeWords } from "./unfinished-words.ts";

const texts = messages.progress.unfinished;

/** Of a failure: what has to be done before the same button helps. */
const FIRST: readonly Remedy[] = ["approve", "switchChain", "useWalletAccount", "connect"];

/** A trade that a reload interrupted: how far it is, and what the user can do. */
export function UnfinishedView(): VNode | null {
  const { state, swap, unfinished: trades } = useScene();
  const { stage, trade, busy, failure } = state;
  if (stage !== "unfinished" || !trade) return null;
  const story = storyOf(trade);
  const first = failure && FIRST.includes(failure.remedy) ? failure : null;
  const press = (): void => {
    if (busy) return;
    if (first) swap.remedy(first);
    else if (story.does === "leave") swap.compose();
    else if (story.button) void trades.goOn();
  };
  const choice = (words: string, onClick: () => void): VNode => (
    <button type="button" class="link" aria-disabled={busy !== null} onClick={onClick}>
      {words}
    </button>
  );
  return (
    <section class="stage" aria-labelledby="unfinished-title">
      <div class="title">
        <h1 id="unfinished-title" tabIndex={-1}>
          {story.heading}
        </h1>
      </div>
      <p class="sentence">{tradeWords(state, trade)}</p>
      <Lines lines={linesOf(state, trade)} />
      {trade.orderHash && <Hashes references={[{ name: messages.progress.line.order, hex: trade.orderHash }]} />}
      <div class="action">
        <div class="status">
          <Message failure={failure} words={busy ? busyWords(busy) : story.message} />
        </div>
        <button type="button" class="primary" aria-disabled={busy !== null || story.button === null} onClick={press}>
          {busy ? messages.progress.inProgress : (first?.button ?? story.button ?? messages.progress.inProgress)}
        </button>
        <div class="choices-row">
          {story.isOpen &&
            trade.signedOrder?.kind === "signedOrder" &&
            choice(texts.makeVoid, () => void trades.makeVoid())}
          {story.isOpen && choice(texts.abandon, () => void trades.abandon())}
          {story.does !== "leave" && choice(messages.progress.back, () => swap.compose())}
        </div>
      </div>
    </section>
  );
}

/**
 * The account's trades that are neither posted, nor sent, nor ended, those that were sent and need a decision, and what cannot
 * be read: a card each, with its one next step.
 */
export function UnfinishedList(): VNode | null {
  const { state, unfinished: trades } = useScene();
  const open = state.stage === "compose" ? state.trades.filter((trade) => isLeft(state, trade)) : [];
  const lost = state.stage === "compose" ? state.unreadable : [];
  if (open.length + lost.length === 0) return null;
  return (
    <section class="card interrupted" aria-labelledby="unfinished-list-title">
      <h2 id="unfinished-list-title">{texts.title}</h2>
      <ul class="unfinished-list">
        {open.map((trade) => (
          <li key={trade.id}>
            <strong>{headingOf(trade)}</strong>
            <p>{tradeWords(state, trade)}</p>
            <div class="list-title">
              <When at={trade.startedAt} />
              <button type="button" class="secondary small" onClick={() => trades.open(trade)}>
                {texts.open}
              </button>
            </div>
          </li>
        ))}
        {lost.map((entry) => (
          <li key={entry.id}>
            <strong>{texts.unreadable}</strong>
            <p>{texts.unreadableWords}</p>
            <Hashes references={[{ name: texts.entry, hex: entry.id }]} />
            <div class="list-title">
              <button type="button" class="secondary small" onClick={() => void trades.letGo(entry)}>
                {texts.letGo}
              </button>
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Nobody goes on with it by itself. */
function isLeft({ errands }: State, { state, id, purpose, needs }: Trade): boolean {
  const isSent = state === "sent" && purpose !== "presign" && needs !== "decision";
  const isOut = state === "posted" || state === "ended" || isSent;
  return !isOut && errands.every((errand) => errand.id !== id);
}
