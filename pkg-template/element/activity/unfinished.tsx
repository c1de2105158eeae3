import type { VNode } from "preact";
import type { SwapEntry } from "../../src/types/swap.ts";
import { About } from "../entry/about.tsx";
import { Actions } from "../entry/actions.tsx";
import { Time } from "../entry/timeline.tsx";
import { Today } from "../entry/receipt.tsx";
import { needOf, standingOf, titleOf } from "../entry/words.ts";
import { shortAddress } from "../format.ts";
import { Rows } from "../parts/text.tsx";
import { useScene } from "../scene.ts";

/** A trade that needs its user: how far it is, and the buttons to go on or to give it up. */
export function UnfinishedRow({ entry }: { entry: SwapEntry }): VNode {
  const { swap, words } = useScene();
  const { startedAt, purpose, id } = entry;
  return (
    <li class="activity-unfinished">
      <div class="activity-title">
        <h3>{titleOf(entry, words.entry)}</h3>
        {startedAt !== null && <Time at={startedAt} />}
      </div>
      {purpose === "unreadable" ? <p class="mono"><bdi>{shortAddress(id)}</bdi></p> : <p><About entry={entry} /></p>}
      <p class="quiet">{standingOf(entry, words.entry)}</p>
      {needOf(entry) === "unposted" && <Rows><Today entry={entry} /></Rows>}
      <Actions entry={entry} kind="secondary">
        <button type="button" class="link" onClick={() => swap.open(id)}>{words.activity.show}</button>
      </Actions>
    </li>
  );
}
