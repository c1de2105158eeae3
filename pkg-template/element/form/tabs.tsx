import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useSymbol } from "../parts/text.tsx";
import { useScene } from "../scene.ts";
import { substitute } from "./pair.ts";
import type { SwapToken } from "../../src/types/swap.ts";

const KINDS = ["swap", "limit", "slices"] as const;

/** The kinds of trade. Only a swap crosses chains: another kind takes a token of the same chain, and the form mentions it. */
export function useTabs(): { tabs: VNode | null; stayed: string | null } {
  const { state: { form }, swap, words, kinds, tokens, chainName } = useScene();
  const [moved, setMoved] = useState<{ from: SwapToken; to: SwapToken } | null>(null);
  const symbolOf = useSymbol();
  const named = ({ chainId, address }: SwapToken): string => `${symbolOf(chainId, address)} (${chainName(chainId)})`;
  const offered = KINDS.filter((kind) => kinds.includes(kind));

  function choose(kind: (typeof KINDS)[number]): void {
    if (kind === form.kind) return;
    const stays = kind === "swap" || form.src.chainId === form.dest.chainId;
    const dest = stays ? form.dest : substitute(form.dest, form.src, tokens);
    setMoved(stays ? null : { from: form.dest, to: dest });
    swap.change({ kind, dest });
  }

  const tabs = (
    <nav class="form-tabs" aria-label={words.form.tabs.label}>
      {offered.map((kind) => (
        <button
          key={kind}
          type="button"
          class="form-tab"
          aria-current={kind === form.kind ? "page" : undefined}
          onClick={() => choose(kind)}
        >
          {words.form.tabs[kind]}
        </button>
      ))}
    </nav>
  );
  return {
    tabs: offered.length > 1 ? tabs : null,
    stayed: moved && moved.to === form.dest ? words.form.stays(named(moved.from), named(moved.to)) : null,
  };
}
