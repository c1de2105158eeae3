import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { exact, moreBps, percent, rounded } from "../state/money.ts";
import type { Result } from "../state/results.ts";
import { Figure } from "./parts/figure.tsx";
import { Icon } from "./parts/icon.tsx";

const texts = messages.progress.result;

/** What was guaranteed, what was expected, and what came: with the exact difference to the quote, and who has seen it. */
export function ResultView({ result }: { result: Result }): VNode {
  const { token, of, bound, isGuaranteed, expected, actual, seen } = result;
  const bps = gainBps(result);
  const receives = of === "received";
  const amount = (raw: Amount): VNode => (
    <Figure text={rounded(raw, token.decimals, receives ? "down" : "up")} exact={exact(raw, token.decimals)} unit={token.symbol} />
  );
  return (
    <section class="result" aria-label={receives ? texts.title : texts.titlePaid}>
      <p class="result-head">
        <span>{receives ? texts.arrived : texts.paid}</span>
        <strong>{actual === null ? <span class="quiet">{texts.waiting}</span> : amount(actual)}</strong>
      </p>
      <p class={bps !== null && bps > 0n ? "result-gain more" : "result-gain"}>
        {actual === null ? "\u00a0" : gainWords(result)}
        {bps !== null && bps !== 0n && <small>{gainAmount(result)}</small>}
      </p>
      <Scale result={result} />
      <dl class="rows">
        <div class="row">
          <dt>{!isGuaranteed ? texts.expected : receives ? texts.guaranteed : texts.atMost}</dt>
          <dd>{amount(bound)}</dd>
        </div>
        {isGuaranteed && expected !== null && (
          <div class="row">
            <dt>{texts.expected}</dt>
            <dd>{amount(expected)}</dd>
          </div>
        )}
      </dl>
      {seen !== null && (
        <p class="quiet result-seen">
          {seen !== "claimed" && <Icon name="tick" />}
          {seen === "seen" && !isGuaranteed ? texts.filled : texts.by[seen]}
        </p>
      )}
    </section>
  );
}

/** How it is against the quote, or one's own limit: in the words of a toast, too. What slippage allowed is no gain. */
export function gainWords(result: Result): string {
  const { actual, reference } = result;
  if (actual === null) return "";
  const bps = gainBps(result);
  if (reference === null || bps === null) return texts.kept;
  if (bps === 0n) return texts.as[reference.of];
  return bps > 0n ? texts.better[reference.of](percent(bps)) : texts.worse[reference.of](percent(-bps));
}

/** Basis points on the good side of what was quoted; null where that, or the end, is not known. */
function gainBps({ actual, reference, of }: Result): bigint | null {
  const more = actual === null || reference === null ? null : moreBps(actual, reference.amount);
  return more === null || of === "received" ? more : -more;
}

function gainAmount({ token, actual, reference }: Result): string {
  const raw = BigInt(actual ?? "0") - BigInt(reference?.amount ?? "0");
  const words = `${exact(String(raw < 0n ? -raw : raw), token.decimals)} ${token.symbol}`;
  return raw > 0n ? texts.more(words) : texts.less(words);
}

/** The bound at one end, and where the expected and the actual amount lie. Its words are beside it. */
function Scale({ result: { bound, expected, actual } }: { result: Result }): VNode {
  const marks = [bound, expected, actual].filter((raw) => raw !== null).map(BigInt);
  const low = marks.reduce((least, mark) => (mark < least ? mark : least));
  const span = marks.reduce((most, mark) => (mark > most ? mark : most)) - low;
  const place = (raw: string): string => `${4 + (span === 0n ? 0 : Number(((BigInt(raw) - low) * 92n) / span))}%`;
  return (
    <div class="scale" aria-hidden="true">
      <span class="scale-mark bound" style={{ left: place(bound) }} />
      {expected !== null && <span class="scale-mark expected" style={{ left: place(expected) }} />}
      {actual !== null && <span class="scale-mark actual" style={{ left: place(actual) }} />}
    </div>
  );
}
