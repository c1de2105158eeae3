import type { VNode } from "preact";
import { useState } from "preact/hooks";
import type { SwapEntry } from "../../src/types/swap.ts";
import { useId, useScene } from "../scene.ts";
import { EntryRow } from "./row.tsx";

const STATES = ["all", "done", "cancelled", "failed"] as const;
type Shown = (typeof STATES)[number];

/** Rows that are shown at first, and more with each press. */
const ROWS = 5;

interface Props {
  entries: SwapEntry[];
  /** Whether there is no other list. */
  isAlone: boolean;
}

/** The trades that have ended. */
export function History({ entries, isAlone }: Props): VNode | null {
  const { swap, state, words: { activity: texts } } = useScene();
  const { hasMore, isFetching, error } = state.activity;
  const [shown, setShown] = useState<Shown>("all");
  const [rows, setRows] = useState(ROWS);
  const ofState = (one: Shown): SwapEntry[] => entries.filter((entry) => one === "all" || entry.state === one);
  const found = ofState(shown);
  const more = (): void => {
    if (rows >= found.length) swap.loadMore();
    setRows(rows + ROWS);
  };
  if (!isAlone && entries.length === 0 && !hasMore) return null;
  return (
    <div class="activity-part">
      <h2>{texts.history}</h2>
      {(entries.length > ROWS || shown !== "all") && <Filter shown={shown} countOf={(one) => ofState(one).length} onChange={setShown} />}
      {found.length > 0 && <ul class="activity-list">{found.slice(0, rows).map((entry) => <EntryRow key={entry.id} entry={entry} />)}</ul>}
      {found.length === 0 && !error && (isFetching || !hasMore) && (
        <p class="quiet">{isFetching ? texts.reading : entries.length > 0 ? texts.none : texts.empty}</p>
      )}
      {(found.length > rows || hasMore) && <button type="button" class="link" onClick={more}>{texts.more}</button>}
    </div>
  );
}

interface FilterProps {
  shown: Shown;
  countOf(shown: Shown): number;
  onChange(shown: Shown): void;
}

function Filter({ shown, countOf, onChange }: FilterProps): VNode {
  const texts = useScene().words.activity;
  const name = useId();
  return (
    <fieldset class="activity-filter">
      <legend class="visually-hidden">{texts.show}</legend>
      {STATES.filter((one) => one === shown || one === "all" || countOf(one) > 0).map((one) => (
        <label key={one}>
          <input type="radio" name={name} checked={one === shown} onChange={() => onChange(one)} />
          <span>{texts.counted(texts.states[one], countOf(one))}</span>
        </label>
      ))}
    </fieldset>
  );
}
