import type { VNode } from "preact";
import { percent, significant, units } from "../format.ts";
import { useSymbol } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { CheckBox, Chips, Entry, Spans } from "./controls.tsx";
import { faultWords } from "./faults.ts";
import type { Quote } from "../../src/types/quote.ts";
import type { SwapForm } from "../../src/types/swap.ts";

/** Above the market, in bps. */
const PRESETS = [0, 100, 500, 1_000];
const VALIDITIES = [600, 3_600, 86_400, 604_800];
const INTERVALS = [60, 300, 3_600, 86_400];
const PRICE_DECIMALS = 24;

/** A limit and its time, added to the form of a swap. */
export function LimitTerms(): VNode | null {
  const { state, swap, words } = useScene();
  const { form } = state;
  const symbolOf = useSymbol();
  if (form.kind !== "limit") return null;
  const { limit } = form;
  const change = (changes: Partial<SwapForm["limit"]>): void => swap.change({ limit: { ...limit, ...changes } });
  const [src, dest] = [symbolOf(form.src.chainId, form.src.address), symbolOf(form.dest.chainId, form.dest.address)];
  const texts = words.form.limit;
  const label = limit.by === "price" ? texts.priceOf(dest, src) : form.side === "SELL" ? texts.atLeast(dest) : texts.atMost(src);
  return (
    <div class="form-terms">
      <Entry label={label} value={limit.text} fault={faultWords(state, "limit", words)} onType={(text) => change({ text })} />
      <Presets onChoose={(text) => change({ by: "price", text })} />
      <div class="form-pair">
        <Chips
          legend={texts.as}
          options={[["price", texts.price], ["amount", texts.amount]]}
          value={limit.by}
          onChoose={(by) => change({ by, text: "" })}
        />
        <Spans
          label={texts.goodFor}
          options={VALIDITIES}
          value={limit.validForSecs}
          onChoose={(validForSecs) => change({ validForSecs })}
        />
      </div>
      <CheckBox isChecked={limit.partiallyFillable} onCheck={(partiallyFillable) => change({ partiallyFillable })}>{texts.partly}</CheckBox>
    </div>
  );
}

/** Prices at the market, and above it. */
function Presets({ onChoose }: { onChoose: (price: string) => void }): VNode {
  const { state: { form, quote }, words: { form: { limit } } } = useScene();
  return (
    <div class="form-chips" role="group" aria-label={limit.presets}>
      {PRESETS.map((above) => (
        <button
          key={above}
          type="button"
          class="form-share"
          aria-disabled={quote === null}
          onClick={() => quote && onChoose(priceAbove(quote, form, above))}
        >
          {above === 0 ? limit.market : `+${percent(above)}`}
        </button>
      ))}
    </div>
  );
}

/** The number of slices and their times, added to the form of a swap. */
export function SliceTerms(): VNode | null {
  const { state, swap, words } = useScene();
  const { form } = state;
  const symbolOf = useSymbol();
  if (form.kind !== "slices") return null;
  const { slices } = form;
  const change = (changes: Partial<SwapForm["slices"]>): void => swap.change({ slices: { ...slices, ...changes } });
  const texts = words.form.slices;
  return (
    <div class="form-terms">
      <div class="form-pair">
        <Entry
          label={texts.count}
          value={slices.count}
          inputMode="numeric"
          fault={faultWords(state, "slices", words)}
          onType={(count) => change({ count })}
        />
        <Spans label={texts.every} options={INTERVALS} value={slices.intervalSecs} onChoose={(intervalSecs) => change({ intervalSecs })} />
      </div>
      {form.side === "BUY" && (
        <Entry
          label={words.form.limit.atMost(symbolOf(form.src.chainId, form.src.address))}
          value={slices.most}
          fault={faultWords(state, "most", words)}
          hint={texts.mostHint}
          onType={(most) => change({ most })}
        />
      )}
    </div>
  );
}

/** The present price moved by that many bps, as one would type it. */
function priceAbove({ srcAmount, destAmount }: Quote, { src, dest }: SwapForm, bps: number): string {
  const moved = BigInt(destAmount) * BigInt(10_000 + bps) * 10n ** BigInt(PRICE_DECIMALS + src.decimals);
  const price = moved / (BigInt(srcAmount) * 10_000n * 10n ** BigInt(dest.decimals));
  return significant(units(price.toString(), PRICE_DECIMALS));
}
