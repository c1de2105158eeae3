import { twapSchedule } from "verified-swap";
import type { VNode } from "preact";
import { INTERVALS, mostOf, nowSecs, slicesOf } from "../client/terms.ts";
import { messages } from "../messages/en.ts";
import type { TwapTerms } from "../state/parts.ts";
import { useScene } from "./context.ts";
import { Entry, Selection } from "./parts/choice.tsx";
import { Schedule } from "./schedule.tsx";

/** How many slices, how far apart, and when each of them is due. */
export function TwapForm(): VNode | null {
  const { store, pricing, state } = useScene();
  const { tab, twap, quote, side, src, dest } = state;
  if (tab !== "twap") return null;
  const texts = messages.terms.schedule;
  const sells = side === "SELL";
  const plan = quote?.kind === "delta" ? quote.twap : undefined;
  const change = (changed: Partial<TwapTerms>): void => {
    store.set({ twap: { ...twap, ...changed } });
    pricing.changed();
  };
  return (
    <div class="terms">
      <div class="terms-row">
        <Entry
          id="slices"
          label={texts.slices}
          value={twap.slicesText}
          inputMode="numeric"
          problem={slicesOf(state).problem}
          onType={(slicesText) => change({ slicesText })}
        />
        <Selection
          name={texts.every}
          options={INTERVALS}
          value={twap.intervalSecs}
          onChoose={(intervalSecs) => change({ intervalSecs })}
        />
      </div>
      {side === "BUY" && (
        <Entry
          id="most"
          label={messages.terms.atMost(src.symbol)}
          value={twap.mostText}
          inputMode="decimal"
          placeholder="0"
          problem={mostOf(state).problem}
          hint={texts.mostHint}
          onType={(mostText) => store.set({ twap: { ...twap, mostText }, failure: null })}
        />
      )}
      <div class="plan-room">
        {plan && <Schedule slices={twapSchedule(plan, nowSecs())} token={sells ? src : dest} sells={sells} />}
      </div>
    </div>
  );
}
