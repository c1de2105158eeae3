import { maxSpent, type Comparison, type Quote, type TradeError } from "verified-swap";
import type { VNode } from "preact";
import { messages } from "../../messages/en.ts";
import { explain } from "../../state/failure.ts";
import { dollars, exact, percent, rounded } from "../../state/money.ts";
import { isNative, type State } from "../../state/state.ts";
import { useScene } from "../context.ts";
import { leastOf } from "../../state/prices.ts";

const words = messages.form.comparison;

/** Both prices beside each other: what arrives, what it costs, which is better; and why one is missing. */
export function ComparisonView(): VNode | null {
  const { state } = useScene();
  const { comparison, tab, path } = state;
  if (tab !== "swap" || path !== "both" || comparison === null) return null;
  return (
    <fieldset class="comparison">
      <legend class="visually-hidden">{words.legend}</legend>
      <div class="both">
        <Way kind="delta" comparison={comparison} />
        <Way kind="market" comparison={comparison} />
      </div>
    </fieldset>
  );
}

function Way({ kind, comparison }: { kind: Quote["kind"]; comparison: Partial<Comparison> }): VNode {
  const { state, store } = useScene();
  const quote = comparison[kind];
  if (!quote)
    return (
      <div class="way">
        <strong>{words[kind]}</strong>
        <span class="note">{missing(comparison[`${kind}Error`], state)}</span>
      </div>
    );
  const [amount, token] =
    quote.request.side === "SELL"
      ? ([leastOf(quote, 0), state.dest] as const)
      : ([maxSpent(quote, 0), state.src] as const);
  const best = comparison.best === kind && words.best(comparison.differenceBps ? percent(comparison.differenceBps) : null);
  return (
    <label class="way chip">
      <input
        type="radio"
        name="way"
        value={kind}
        checked={state.quote === quote}
        onChange={() => store.set({ quote, way: kind })}
      />
      <span>
        <strong>
          {words[kind]}
          {best && <em> {best}</em>}
        </strong>
        <span class="way-amount" title={`${exact(amount, token.decimals)} ${token.symbol}`}>
          {rounded(amount, token.decimals, token === state.src ? "up" : "down")} {token.symbol}
        </span>
        <small>{quote.kind === "market" ? words.lessGas(dollars(quote.gasCostUsd)) : isNative(state.src) ? words.depositGas : words.gasWithin}</small>
      </span>
    </label>
  );
}

function missing(error: TradeError | null | undefined, state: State): string {
  if (!error) return words.asking;
  return error.code === "VERIFY_MISMATCH" ? words.refused : explain(error, state).message;
}
