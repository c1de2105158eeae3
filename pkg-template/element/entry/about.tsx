import type { VNode } from "preact";
import type { SwapEntry, SwapFigures } from "../../src/types/swap.ts";
import { inLocalTime, shortAddress } from "../format.ts";
import { Sum } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { isEnded } from "./words.ts";

/** The subject of a trade in one line: its amounts; of an approval its sum; else the sentence of its report. */
export function About({ entry }: { entry: SwapEntry }): VNode {
  const { words } = useScene();
  const { figures, sentence, purpose, state, trade } = entry;
  if (figures) return <Amounts figures={figures} isOutcome={isEnded(entry) && (state === "done" || figures.filledPercent > 0)} />;
  const approval = trade?.kind === "transaction" ? trade.summary.approval : undefined;
  if (approval && trade?.kind === "transaction") {
    return (
      <span class="entry-amounts">
        <Sum amount={approval.amount} chainId={trade.chainId} token={approval.token} isExact />
        {` ${words.activity.by} `}<bdi class="mono" title={approval.spender}>{shortAddress(approval.spender)}</bdi>
      </span>
    );
  }
  // The order that it consents to is listed by itself.
  return <bdi>{sentence === null || purpose === "presign" ? words.entry.purpose[purpose] : inLocalTime(sentence)}</bdi>;
}

/** The amounts of a trade in one line: paid and received, else its bounds. */
export function Amounts({ figures, isOutcome }: { figures: SwapFigures; isOutcome: boolean }): VNode {
  const { words: { activity: texts }, chainName } = useScene();
  const { side, src, dest, pay, payAtMost, get, getAtLeast } = figures;
  const paid = isOutcome ? figures.paid : null;
  const received = isOutcome ? figures.received : null;
  const isMost = paid === null && side === "BUY";
  const bound = received ?? getAtLeast ?? get;
  const word = received !== null ? "" : getAtLeast === null ? texts.expected : side === "SELL" ? texts.atLeast : "";
  return (
    <span class="entry-amounts">
      {isMost && `${texts.atMost} `}<Sum amount={paid ?? payAtMost ?? pay} {...src} rounding="up" />
      {` ${texts.becomes} `}
      {bound !== null && word && `${word} `}<Sum amount={bound} {...dest} rounding="down" />
      {src.chainId !== dest.chainId && ` ${texts.on(chainName(dest.chainId))}`}
    </span>
  );
}
