import { element } from "./element.ts";
import type { Tab } from "../state/state.ts";
import type { Page } from "./page.ts";

const NAMES: [Tab, string][] = [
  ["swap", "Swap"],
  ["limit", "Limit"],
  ["twap", "TWAP"],
  ["otc", "OTC"],
];

/** What the card is about. */
export function tabs({ store, swap, pricing }: Page): HTMLElement {
  const buttons = NAMES.map(([tab, name]) => ({
    tab,
    button: element("button", { type: "button", class: "tab", onclick: () => choose(tab) }, name),
  }));

  function choose(tab: Tab): void {
    const { busy, chain, dest, src, tab: before } = store.get();
    if (busy || tab === before) return;
    // Only a swap crosses chains. Other tabs take the same token on this chain, or another one.
    const same =
      dest.chainId === chain.chainId
        ? dest
        : chain.tokens.find(({ symbol }) => symbol === dest.symbol && symbol !== src.symbol);
    store.set({ tab, dest: same ?? chain.tokens.find((token) => token !== src)! });
    swap.compose();
    pricing.changed();
  }

  store.subscribe(({ tab, busy }) => {
    for (const one of buttons) {
      if (one.tab === tab) one.button.setAttribute("aria-current", "page");
      else one.button.removeAttribute("aria-current");
      one.button.setAttribute("aria-disabled", String(busy !== null));
    }
  });
  return element("nav", { class: "tabs", "aria-label": "Kind of trade" }, ...buttons.map(({ button }) => button));
}
