import { twapSchedule } from "verified-swap";
import { element } from "./element.ts";
import { INTERVALS, nowSecs, slicesOf } from "../client/terms.ts";
import type { TwapTerms } from "../state/parts.ts";
import { entry, selection } from "./choice.ts";
import type { Page } from "./page.ts";
import { scheduleView } from "./schedule.ts";

/** How many slices, how far apart, and when each of them is due. */
export function twapForm({ store, pricing }: Page): HTMLElement {
  const slices = entry("slices", "Slices", (slicesText) => change({ slicesText }), { inputmode: "numeric" });
  const interval = selection("One every", INTERVALS, (intervalSecs) => change({ intervalSecs }));
  const schedule = scheduleView();

  function change(terms: Partial<TwapTerms>): void {
    store.set({ twap: { ...store.get().twap, ...terms } });
    pricing.changed();
  }

  const node = element(
    "div",
    { class: "terms" },
    element("div", { class: "terms-row" }, slices.node, interval.node),
    schedule.node,
  );
  store.subscribe((state) => {
    node.hidden = state.tab !== "twap";
    if (node.hidden) return;
    slices.show(state.twap.slicesText, slicesOf(state).problem);
    interval.show(state.twap.intervalSecs);
    const plan = state.quote?.kind === "delta" ? state.quote.twap : undefined;
    schedule.show(plan ? twapSchedule(plan, nowSecs()) : [], state.side === "SELL" ? state.src : state.dest);
  });
  return node;
}
