import type { VNode } from "preact";
import type { SwapEntry } from "../../src/types/swap.ts";
import { isAsked } from "../entry/actions.tsx";
import { About } from "../entry/about.tsx";
import { Time } from "../entry/timeline.tsx";
import { lookOf, statusOf } from "../entry/words.ts";
import { clock, percent } from "../format.ts";
import { useSymbol } from "../parts/text.tsx";
import { trusted, useScene } from "../scene.ts";

/** A trade of the list: a press shows it by itself. */
export function EntryRow({ entry }: { entry: SwapEntry }): VNode {
  const { swap, state, words } = useScene();
  const isShown = state.view === "entry" && state.entry?.id === entry.id;
  return (
    <li class="activity-row">
      <button
        type="button"
        class="activity-open"
        aria-current={isShown || undefined}
        aria-disabled={isAsked(state)}
        onClick={() => !isAsked(state) && swap.open(entry.id)}
      >
        <span class="activity-what own-order"><About entry={entry} /></span>{" "}
        <span class={`activity-state own-order activity-is-${lookOf(entry)}`}>{statusOf(entry, words.entry)}</span>{" "}
        <span class="activity-notes quiet"><Notes entry={entry} /></span>
      </button>
      {entry.cancel && <Cancel entry={entry} />}
    </li>
  );
}

/** Kind, progress and time. */
function Notes({ entry: { purpose, figures, startedAt } }: { entry: SwapEntry }): VNode {
  const { entry: texts, activity } = useScene().words;
  const { slices = null, filledPercent = 0 } = figures ?? {};
  const next = slices?.nextAt ? clock(slices.nextAt) : null;
  const isPartly = filledPercent > 0 && filledPercent < 100;
  const notes = [
    texts.purpose[purpose],
    slices ? texts.facts.slices(slices.done, slices.count) : isPartly && activity.filled(percent(Math.round(filledPercent * 100))),
    next && texts.facts.next(next),
  ];
  return <>{startedAt !== null && <><Time at={startedAt} /> · </>}{notes.filter(Boolean).join(" · ")}</>;
}

function Cancel({ entry: { id, figures } }: { entry: SwapEntry }): VNode {
  const { swap, state, words: { activity: texts } } = useScene();
  const symbolOf = useSymbol();
  const isOff = isAsked(state);
  const pair = figures && texts.pair(symbolOf(figures.src.chainId, figures.src.token), symbolOf(figures.dest.chainId, figures.dest.token));
  return (
    <button
      type="button"
      class="link activity-cancel"
      aria-label={pair ? texts.cancelOf(pair) : undefined}
      aria-disabled={isOff}
      onClick={trusted(() => { if (!isOff) swap.cancel([id]); })}
    >
      {texts.cancel}
    </button>
  );
}
