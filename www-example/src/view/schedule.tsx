import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { everyWords } from "../client/terms.ts";
import { messages } from "../messages/en.ts";
import { formatDuration, formatTime } from "../state/format.ts";
import { exact, rounded } from "../state/money.ts";
import type { SliceFill } from "../state/slices.ts";
import type { Token } from "../sandbox/sandbox.ts";

const texts = messages.terms.schedule;

export interface Slice {
  index: number;
  /** Unix seconds. */
  notBefore: number;
  amount: Amount;
}

export interface ScheduleProps {
  slices: Slice[];
  /** Of the side that is fixed: of a sale what is paid. */
  token: Token;
  sells: boolean;
  /** How many are filled; without it, it is a plan. */
  done?: number | undefined;
  /** What came of each that is done, in the other token. */
  fills?: { of: SliceFill[]; token: Token } | undefined;
  /** No slice comes any more. */
  isOver?: boolean | undefined;
}

/** The slices of a TWAP order over time: the plan, which then fills. */
export function Schedule({ slices, token, sells, done, fills, isOver = false }: ScheduleProps): VNode | null {
  const [first, second, last] = [slices[0], slices[1], slices.at(-1)];
  if (!first || !second || !last) return null;
  const [every, all] = [second.notBefore - first.notBefore, last.notBefore - first.notBefore];
  const most = slices.reduce((highest, { amount }) => (BigInt(amount) > highest ? BigInt(amount) : highest), 1n);
  const stateOf = (index: number): string =>
    index < (done ?? 0) ? " done" : index === done && !isOver ? " next" : isOver ? " missed" : "";
  return (
    <div class="plan">
      <p class="plan-words">
        {done === undefined
          ? texts.plan(slices.length, everyWords(every), formatDuration(all))
          : texts.done(done, slices.length, fills?.of[1]?.against != null)}
      </p>
      <div class="slice-strip" aria-hidden="true">
        {slices.map(({ index, amount }) => (
          <span key={index} class={`slice-bar${stateOf(index)}`} style={{ height: `${(BigInt(amount) * 100n) / most}%` }} />
        ))}
      </div>
      <div class="slice-ends" aria-hidden="true">
        <span>{formatTime(timeOf(first))}</span>
        <span>{formatTime(timeOf(last))}</span>
      </div>
      <ol class="schedule" tabIndex={0} aria-label={texts.label}>
        {slices.map((slice) => (
          <li key={slice.index} class={`slice${stateOf(slice.index)}`}>
            <time dateTime={timeOf(slice).toISOString()}>{formatTime(timeOf(slice))}</time>
            <span title={`${exact(slice.amount, token.decimals)} ${token.symbol}`}>
              {`${rounded(slice.amount, token.decimals, sells ? "up" : "down")} ${token.symbol}`}
            </span>
            <span class="slice-state">{sliceWords(slice.index)}</span>
          </li>
        ))}
      </ol>
    </div>
  );

  function sliceWords(index: number): string {
    if (done === undefined) return "";
    if (index >= done) return isOver ? texts.missed : index === done ? texts.next : texts.ahead;
    const fill = fills?.of[index];
    if (!fills || !fill?.amount) return texts.filled;
    const sum = `${rounded(fill.amount, fills.token.decimals, sells ? "down" : "up")} ${fills.token.symbol}`;
    return fill.against ? texts.against(sum, fill.against) : texts.filledFor(sum);
  }
}

function timeOf({ notBefore }: Slice): Date {
  return new Date(notBefore * 1000);
}
