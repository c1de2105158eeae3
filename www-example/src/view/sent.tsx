import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { historyOf } from "../state/history.ts";
import { resultOfSent } from "../state/results.ts";
import { sentShown } from "../state/state.ts";
import { BalanceTable } from "./balance-table.tsx";
import { useScene } from "./context.ts";
import { Hashes, type Reference } from "./hashes.tsx";
import { sentOutcome, sentSentence, sentStops, sentTitle } from "./order-story.ts";
import { Seal } from "./parts/seal.tsx";
import { ResultView } from "./result.tsx";
import { Timeline } from "./timeline.tsx";

const texts = messages.progress;

/** A transaction's own view: from sent to mined, with what changed. */
export function SentView(): VNode | null {
  const { state, swap } = useScene();
  const errand = sentShown(state);
  if (!errand) return null;
  const { sent } = errand;
  const { transaction, purpose, src, dest, before, after, to } = sent;
  const { status, hash, chainId } = transaction;
  const result = resultOfSent(sent);
  const isWrong = status !== "PENDING" && status !== "COMPLETED";
  const entry = historyOf(state).find(({ trade }) => hash !== null && trade?.transaction === hash);
  const approvals = (entry?.approvals ?? []).map(
    ({ transaction: hex, chainId }): Reference => ({ name: texts.line.approvedBy, hex, chainId, kind: "tx" }),
  );
  const references: Reference[] = [
    ...approvals,
    { name: texts.line.transaction, hex: hash, chainId, kind: "tx" },
    ...(to ? [{ name: texts.line.contract, hex: to, chainId, kind: "address" } as const] : []),
  ];
  const isSettled = result !== null && result.actual !== null;
  return (
    <section class={isSettled ? "stage order-view settled" : "stage order-view"} aria-labelledby="sent-title">
      <div class="title">
        {isSettled && <Seal isNew={sent.endedAt !== null} />}
        <h1 id="sent-title" tabIndex={-1}>
          {sentTitle(sent)}
        </h1>
      </div>
      <p class="sentence">{sentSentence(state, sent)}</p>
      {isSettled && <ResultView result={result} />}
      <Timeline stops={sentStops(sent)} />
      {!isSettled && result && <ResultView result={result} />}
      {before && <BalanceTable src={src} dest={dest} before={before} after={after} />}
      <div class="details">
        <Hashes references={references} />
      </div>
      <div class="action">
        <div class="status">
          <p class={isWrong ? "message problem" : "message"}>{sentOutcome(sent)}</p>
        </div>
        <button type="button" class="primary" aria-disabled={false} onClick={() => swap.compose()}>
          {purpose === "swap" ? texts.newSwap : texts.back}
        </button>
      </div>
    </section>
  );
}
