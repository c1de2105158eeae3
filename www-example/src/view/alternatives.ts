import { element, fill } from "./element.ts";
import { rounded } from "../state/money.ts";
import { isCrosschain, type State } from "../state/state.ts";
import type { Page } from "./page.ts";
import { chosenRoute, durationWords } from "./form/quote-lines.ts";

/** Other ways over the bridge, where the quote has some. */
export function alternatives({ store }: Page): HTMLElement {
  const select = element("select", {
    class: "text",
    onchange: () => store.set({ alternative: select.selectedIndex === 0 ? null : select.selectedIndex - 1 }),
  });
  const node = element("label", { class: "selection" }, element("span", {}, "Bridge"), select);
  let drawn: State["quote"] = null;
  store.subscribe((state) => {
    const { quote, dest, alternative } = state;
    const several =
      state.tab === "swap" && isCrosschain(state) && quote?.kind === "delta" && quote.alternatives.length > 0;
    node.hidden = !several;
    if (!several || drawn === quote) return;
    drawn = quote;
    const routes = [null, ...quote.alternatives.keys()].map((index) => chosenRoute(quote, index));
    fill(
      select,
      ...routes.map(({ bridge, destAmount }, position) => {
        const time = bridge?.estimatedTimeMs ? `, ${durationWords(bridge.estimatedTimeMs)}` : "";
        const text = `${bridge?.protocol ?? "Bridge"}: ${rounded(destAmount, dest.decimals)} ${dest.symbol}${time}`;
        return element("option", { selected: position === (alternative ?? -1) + 1 }, text);
      }),
    );
  });
  return node;
}
