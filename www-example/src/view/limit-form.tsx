import type { VNode } from "preact";
import { limitAboveBps, limitOf, limitPriceOf, limitTextAt, VALIDITIES } from "../client/terms.ts";
import { messages } from "../messages/en.ts";
import { formatDecimal } from "../state/format.ts";
import { percent, rate } from "../state/money.ts";
import type { LimitTerms } from "../state/parts.ts";
import { marketPriceOf, movedBy, pairKey } from "../state/prices.ts";
import type { State } from "../state/state.ts";
import { useScene } from "./context.ts";
import { CheckBox, Choice, Entry, Selection } from "./parts/choice.tsx";
import { PriceChart } from "./price-chart.tsx";

/** Above the market, in basis points. */
const PRESETS = [0, 100, 500, 1_000];

/** The limit as a price or an amount, typed or as a line on the chart; how long it rests, and whether it may be filled
 * in parts. */
export function LimitForm(): VNode | null {
  const { store, state } = useScene();
  const { tab, src, dest, side, limit, quote, samples } = state;
  if (tab !== "limit") return null;
  const { terms } = messages;
  const { problem, readAs } = limitOf(state);
  const market = quote && marketPriceOf(quote);
  const price = limitPriceOf(state);
  const change = (changed: Partial<LimitTerms>): void =>
    store.set({ limit: { ...limit, ...changed }, failure: null });
  const setPrice = (chosen: string): void => {
    const text = limitTextAt(store.get(), chosen);
    if (text !== null) change({ text });
  };
  const label =
    limit.by === "price"
      ? terms.priceLabel(dest.symbol, src.symbol)
      : side === "SELL"
        ? terms.atLeast(dest.symbol)
        : terms.atMost(src.symbol);
  return (
    <div class="terms">
      <PriceChart
        label={terms.chart(src.symbol, dest.symbol)}
        samples={samples[pairKey(src, dest)] ?? NONE}
        market={market}
        limit={price}
        limitText={limitWords(state, price)}
        onLimit={setPrice}
      />
      <div class="chips presets" role="group" aria-label={terms.presets}>
        {PRESETS.map((bps) => (
          <button
            key={bps}
            type="button"
            class="preset"
            aria-disabled={market === null}
            aria-pressed={price !== null && limitAboveBps(state) === bps}
            onClick={() => market && setPrice(movedBy(bps, market))}
          >
            {bps === 0 ? terms.market : `+${percent(bps)}`}
          </button>
        ))}
      </div>
      <div class="limit-entry">
        <Entry
          id="limit"
          label={label}
          value={limit.text}
          inputMode="decimal"
          placeholder="0"
          problem={problem}
          hint={readAs ? messages.form.readAs(readAs) : hintOf(state)}
          onType={(text) => change({ text })}
        />
      </div>
      <div class="terms-row">
        <Choice
          name="limit-by"
          legend={terms.limitAs}
          options={[
            ["price", terms.limitPrice],
            ["amount", terms.limitAmount],
          ]}
          value={limit.by}
          onChoose={(by) => change({ by, text: "" })}
        />
        <Selection
          name={terms.goodFor}
          options={VALIDITIES}
          value={limit.validForSecs}
          onChoose={(validForSecs) => change({ validForSecs })}
        />
      </div>
      <CheckBox checked={limit.partiallyFillable} onCheck={(partiallyFillable) => change({ partiallyFillable })}>
        {terms.partly}
      </CheckBox>
    </div>
  );
}

const NONE: never[] = [];

function limitWords(state: State, price: string | null): string {
  const { terms } = messages;
  if (price === null) return terms.noLimit;
  return `${terms.limitAt(formatDecimal(price), state.dest.symbol, state.src.symbol)}. ${distanceWords(state)}`;
}

/** Where the limit is, in words, and the other way round. */
function hintOf(state: State): string {
  const { src, dest } = state;
  const price = limitPriceOf(state);
  if (price === null) return messages.terms.dragHint;
  const [, fraction = ""] = price.split(".");
  const whole = { amount: `1${"0".repeat(fraction.length)}`, symbol: src.symbol, decimals: fraction.length };
  const paid = { amount: BigInt(price.replace(".", "")).toString(), symbol: dest.symbol, decimals: fraction.length };
  return [distanceWords(state), rate(whole, paid)?.rounded].filter(Boolean).join(" ");
}

function distanceWords(state: State): string {
  const { terms } = messages;
  const bps = limitAboveBps(state);
  if (bps === null) return state.quote || !state.quoting ? "" : terms.noMarket;
  if (bps === 0) return terms.atMarket;
  return bps > 0 ? terms.above(percent(bps)) : terms.below(percent(-bps));
}
