import type { VNode } from "preact";
import { NATIVE_TOKEN } from "verified-swap";
import type { SwapEntry } from "../../src/types/swap.ts";
import { isAsked } from "../entry/actions.tsx";
import { isEnded } from "../entry/words.ts";
import { Icon } from "../parts/icon.tsx";
import { Sum } from "../parts/text.tsx";
import { trusted, useScene } from "../scene.ts";
import { History } from "./history.tsx";
import { EntryRow } from "./row.tsx";
import { News } from "./news.tsx";
import { UnfinishedRow } from "./unfinished.tsx";

/** The trades of the account: unfinished, open, ended. One that is shown by itself, with its buttons, is listed once it has ended. */
export function Activity(): VNode | null {
  const { state, words: { activity: texts } } = useScene();
  const { entries, error } = state.activity;
  const others = entries.filter(({ id }) => state.view !== "entry" || id !== state.entry?.id);
  const unfinished = others.filter((entry) => entry.state === "unfinished");
  const open = others.filter((entry) => entry.state === "open" || entry.state === "moving");
  if (state.account === null && entries.length === 0) return null;
  return (
    <section class="card activity" tabIndex={-1} aria-label={texts.label}>
      <News />
      {unfinished.length > 0 && (
        <div class="activity-part">
          <h2>{texts.unfinished}</h2>
          <ul class="activity-list">{unfinished.map((entry) => <UnfinishedRow key={entry.id} entry={entry} />)}</ul>
        </div>
      )}
      {open.length > 0 && (
        <div class="activity-part">
          <div class="activity-title"><h2>{texts.open}</h2><CancelAll entries={[...unfinished, ...open]} /></div>
          <ul class="activity-list">{open.map((entry) => <EntryRow key={entry.id} entry={entry} />)}</ul>
        </div>
      )}
      <Deposit />
      <History entries={entries.filter(isEnded)} isAlone={open.length + unfinished.length === 0} />
      {state.isStored === false && <p class="quiet">{texts.forgetful}</p>}
      {error && <p class="note note-warn"><Icon name="warning" />{entries.length === 0 ? texts.unreadAll : texts.unread}</p>}
    </section>
  );
}

/** The native token that is left of a deposit, and a button that withdraws it. */
function Deposit(): VNode | null {
  const { swap, state, words: { activity: texts } } = useScene();
  const { deposit } = state.activity;
  if (!deposit) return null;
  const isOff = isAsked(state);
  return (
    <p class="activity-title">
      <span><Sum {...deposit} token={NATIVE_TOKEN} decimals={18} rounding="down" /> {texts.deposited}</span>{" "}
      <button type="button" class="link" aria-disabled={isOff} onClick={trusted(() => { if (!isOff) swap.withdraw(); })}>
        {texts.withdraw}
      </button>
    </p>
  );
}

/** Cancels all orders that one signature cancels. */
function CancelAll({ entries }: { entries: SwapEntry[] }): VNode | null {
  const { swap, state, words: { activity: texts } } = useScene();
  const ids = entries.filter(({ cancel, order }) => order !== null && cancel === "signature").map(({ id }) => id);
  if (ids.length < 2) return null;
  const isOff = isAsked(state);
  return (
    <button type="button" class="link" aria-disabled={isOff} onClick={trusted(() => { if (!isOff) swap.cancel(ids); })}>
      {texts.cancelAll(ids.length)}
    </button>
  );
}
