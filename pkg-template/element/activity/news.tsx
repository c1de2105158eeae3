import type { VNode } from "preact";
import type { SwapEntry } from "../../src/types/swap.ts";
import { isAsked } from "../entry/actions.tsx";
import { isClaimed, lookOf, titleOf } from "../entry/words.ts";
import { rounded } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { useSymbol } from "../parts/text.tsx";
import { useScene, type Scene } from "../scene.ts";

/** Trades that ended while another view was shown, a line each; a press shows one. */
export function News(): VNode | null {
  const { swap, state, words, ...scene } = useScene();
  const symbolOf = useSymbol();
  const news = state.activity.entries.filter(({ isNews }) => isNews);
  if (news.length === 0) return null;
  return (
    <ul class="activity-list" aria-label={words.activity.news}>
      {news.map((entry) => (
        <li key={entry.id}>
          <button
            type="button"
            class={`activity-news activity-news-${lookOf(entry)}`}
            aria-disabled={isAsked(state)}
            onClick={() => !isAsked(state) && swap.open(entry.id)}
          >
            <Icon name={lookOf(entry) === "done" ? "tick" : entry.state === "failed" ? "warning" : "info"} />
            <span>{endWords(entry, { words, ...scene }, symbolOf)}</span>
          </button>
        </li>
      ))}
    </ul>
  );
}

type SymbolOf = ReturnType<typeof useSymbol>;

/** The end of a trade in one line. */
export function endWords(entry: SwapEntry, { words, tokenOf }: Pick<Scene, "words" | "tokenOf">, symbolOf: SymbolOf): string {
  const { figures, purpose } = entry;
  const status = titleOf(entry, words.entry);
  if (!figures) return words.activity.ended(words.entry.purpose[purpose], status);
  const { src, dest, received } = figures;
  const decimals = dest.decimals ?? tokenOf(dest.chainId, dest.token)?.decimals;
  const symbol = symbolOf(dest.chainId, dest.token);
  const sum = received && decimals !== undefined && !isClaimed(entry) ? `${rounded(received, decimals, "down")} ${symbol}` : null;
  if (sum) return words.activity.arrived(status, sum);
  return words.activity.ended(status, words.activity.pair(symbolOf(src.chainId, src.token), symbol));
}
