import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../messages/en.ts";
import { difference, exact, rounded } from "../state/money.ts";
import type { Result } from "../state/results.ts";
import { Figure } from "./parts/figure.tsx";
import { Icon } from "./parts/icon.tsx";

const texts = messages.progress.result;

/** What was guaranteed, what was expected, and what came: with the exact difference, and who has seen it. */
export function ResultView({ result }: { result: Result }): VNode {
  const { token, of, bound, isGuaranteed, expected, actual, seen } = result;
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
      <p class={BigInt(gain(result)) > 0n ? "result-gain more" : "result-gain"}>
        {actual === null ? "\u00a0" : gainWords(result)}
        {actual !== null && gain(result) !== "0" && <small>{gainAmount(result)}</small>}
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

/** How far beyond the bound, in percent: in the words of a toast, too. */
export function gainWords(result: Result): string {
  const { actual, bound, of, isGuaranteed } = result;
  if (actual === null) return "";
  const percent = difference(actual, bound) ?? "";
  if (!isGuaranteed) return texts.overExpected(percent);
  if (actual === bound) return texts.exactly;
  return of === "received" ? texts.over(percent) : texts.under(percent.replace(/^[−-]/, ""));
}

/** Raw units on the good side of the bound. */
function gain({ actual, bound, of }: Result): string {
  if (actual === null) return "0";
  return String(of === "received" ? BigInt(actual) - BigInt(bound) : BigInt(bound) - BigInt(actual));
}

function gainAmount(result: Result): string {
  const { token, of } = result;
  const raw = gain(result);
  const isMore = (of === "received") === !raw.startsWith("-");
  const words = `${exact(raw.replace("-", ""), token.decimals)} ${token.symbol}`;
  return isMore ? texts.more(words) : texts.less(words);
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
