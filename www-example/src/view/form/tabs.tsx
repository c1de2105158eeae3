import type { VNode } from "preact";
import { messages } from "../../messages/en.ts";
import type { Tab } from "../../state/state.ts";
import { useScene } from "../context.ts";

const TABS: Tab[] = ["swap", "limit", "twap"];

/** What the card is about. */
export function Tabs(): VNode {
  const { state, store, swap, pricing } = useScene();
  const { busy, chain, dest, src, tab: before } = state;

  function choose(tab: Tab): void {
    if (busy || tab === before) return;
    // Only a swap crosses chains. Other tabs take the same token on this chain, or another one.
    const same =
      dest.chainId === chain.chainId
        ? dest
        : chain.tokens.find(({ symbol }) => symbol === dest.symbol && symbol !== src.symbol);
    const to = same ?? chain.tokens.find((token) => token !== src) ?? dest;
    store.set({ tab, dest: to });
    swap.compose();
    if (to !== dest) store.set({ stayed: { from: dest, to } });
    pricing.changed();
  }

  return (
    <nav class="tabs" aria-label={messages.form.tabs.label}>
      {TABS.map((tab) => (
        <button
          key={tab}
          type="button"
          class="tab"
          aria-current={tab === before ? "page" : undefined}
          aria-disabled={busy !== null}
          onClick={() => choose(tab)}
        >
          {messages.form.tabs[tab]}
        </button>
      ))}
    </nav>
  );
}
