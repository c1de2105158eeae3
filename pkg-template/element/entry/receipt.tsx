import type { VNode } from "preact";
import type { SwapEntry, SwapFigures } from "../../src/types/swap.ts";
import { Rate } from "../form/outcome.tsx";
import { clock, dollars, percent } from "../format.ts";
import type { Words } from "../messages.ts";
import { Icon } from "../parts/icon.tsx";
import { AddressText, Row, Rows, Sum } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { Amounts } from "./about.tsx";
import { isClaimed, isEnded, needOf } from "./words.ts";

interface Props {
  entry: SwapEntry;
  figures: SwapFigures;
}

/** The numbers of a trade: what is due, then what was paid and what arrived. */
export function Receipt({ entry, figures }: Props): VNode {
  const { words } = useScene();
  const texts = words.entry.facts;
  const { until, slices, filledPercent, paid, received } = figures;
  const next = slices?.nextAt ? clock(slices.nextAt) : null;
  const isOver = isEnded(entry);
  const rateName = figures.kind === "limit" && !isOver ? words.form.lines.limitRate : texts.rate;
  const isPartly = filledPercent > 0 && filledPercent < 100;
  return (
    <Rows>
      {!isOver && <Due figures={figures} />}
      {needOf(entry) === "unposted" && <Today entry={entry} />}
      {isOver && entry.state !== "done" && <Row name={texts.asked}><Amounts figures={figures} isOutcome={false} /></Row>}
      {(entry.state === "done" || paid || received) && <Outcome entry={entry} figures={figures} isOver={isOver} />}
      {!isOver && next && <Row name={texts.nextSlice}>{next}</Row>}
      {isPartly && !slices && <Row name={texts.filled}>{percent(Math.round(filledPercent * 100))}</Row>}
      {figures.rate !== null && (!isOver || received) && <Row name={rateName}><Rate figures={figures} /></Row>}
      {(!isOver || entry.state === "done") && <Row name={texts.costs}>{costsOf(figures, texts)}</Row>}
      <Row name={texts.to}><Receiver figures={figures} /></Row>
      {!isOver && until !== null && <Row name={texts.until}>{clock(until) ?? words.parts.noDate}</Row>}
    </Rows>
  );
}

/** The present price of a signed order that waits for a decision. */
export function Today({ entry: { figures, today } }: { entry: SwapEntry }): VNode | null {
  const { words } = useScene();
  if (!figures) return null;
  const [amount = null, place, rounding] =
    figures.side === "SELL" ? [today?.get, figures.dest, "down" as const] : [today?.pay, figures.src, "up" as const];
  return (
    <Row name={words.entry.facts.today} tone={amount ? undefined : "unknown"}>
      {amount && `${words.activity.expected} `}<Sum amount={amount} {...place} rounding={rounding} />
    </Row>
  );
}

function Due({ figures }: { figures: SwapFigures }): VNode {
  const texts = useScene().words.entry.facts;
  const { side, src, dest, pay, payAtMost, get, getAtLeast, arrival } = figures;
  const isSale = side === "SELL";
  const open = arrival === "promised" ? texts.promised : texts.expected;
  return (
    <>
      <Row name={isSale ? texts.pay : texts.payAtMost}><Sum amount={payAtMost ?? pay} {...src} rounding="up" /></Row>
      <Row name={getAtLeast === null ? open : isSale ? texts.getAtLeast : texts.get} tone={getAtLeast === null ? "unknown" : undefined}>
        <Sum amount={getAtLeast ?? get} {...dest} rounding="down" />
      </Row>
    </>
  );
}

function Outcome({ entry, figures, isOver }: Props & { isOver: boolean }): VNode {
  const texts = useScene().words.entry.facts;
  const { side, src, dest, paid, received } = figures;
  return (
    <>
      {(isOver || paid !== null) && (
        <Row name={isOver ? texts.paid : texts.paidSoFar}>
          <Sum amount={paid} {...src} rounding="up" />
          {side === "BUY" && <Gain entry={entry} figures={figures} />}
        </Row>
      )}
      {(isOver || received !== null) && (
        <Row name={isOver ? texts.received : texts.receivedSoFar} tone={isClaimed(entry) ? "unknown" : undefined}>
          <Sum amount={received} {...dest} rounding="down" />
          {side === "SELL" && <Gain entry={entry} figures={figures} />}
        </Row>
      )}
    </>
  );
}

/** By how much it was better or worse than quoted, or than the limit. The amounts of an order are the service's: no praise. */
function Gain({ entry, figures: { betterBps, kind } }: Props): VNode | null {
  const { gain: gains, claimed } = useScene().words.entry;
  if (betterBps === null || isClaimed(entry)) return null;
  const texts = kind === "limit" ? gains.limit : gains.quote;
  const text = betterBps === 0 ? texts.as : betterBps > 0 ? texts.better(percent(betterBps)) : texts.worse(percent(betterBps));
  if (betterBps > 0 && entry.order) return <small class="entry-gain own-order">{claimed(text)}</small>;
  return <small class={betterBps > 0 ? "entry-gain own-order entry-better" : "entry-gain own-order"}>{text}</small>;
}

/** Whether the chain was seen to have done it, or only the service has it so. */
export function Seen({ entry, figures }: Props): VNode | null {
  const texts = useScene().words.entry.seen;
  const isSeen = entry.order?.settled === "seen";
  if (!isSeen && !isClaimed(entry)) return null;
  const isBridged = figures.src.chainId !== figures.dest.chainId && figures.arrival !== "guaranteed";
  return (
    <p class="entry-seen quiet">
      <Icon name={isSeen ? "tick" : "unknown"} />
      {!isSeen ? texts.claimed : isBridged ? texts.filled : texts.seen}
    </p>
  );
}

function Receiver({ figures: { receiver, src, dest } }: { figures: SwapFigures }): VNode {
  const { words, state, chainName } = useScene();
  if (receiver === null) return <span class="unknown">{words.parts.notKnown}</span>;
  const isOwn = receiver.toLowerCase() === state.account?.toLowerCase();
  return (
    <>
      {isOwn && `${words.entry.facts.you}, `}<AddressText address={receiver} />
      {src.chainId !== dest.chainId && ` ${words.activity.on(chainName(dest.chainId))}`}
    </>
  );
}

function costsOf({ feeBps, gas }: SwapFigures, texts: Words["entry"]["facts"]): string {
  const fee = feeBps === null ? texts.feeUnknown : feeBps === 0 ? texts.noFee : texts.fee(percent(feeBps));
  if (!gas) return fee;
  return `${fee} · ${gas.by === "solver" ? texts.noGas : texts.ownGas(dollars(gas.usd))}`;
}
