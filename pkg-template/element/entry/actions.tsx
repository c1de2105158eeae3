import type { ComponentChildren, VNode } from "preact";
import type { SwapEntry, SwapState } from "../../src/types/swap.ts";
import { trusted, useScene } from "../scene.ts";
import { canAbandon, isOrder, needOf } from "./words.ts";

/** Steps in which the wallet has a prompt open, or is about to. */
const ASKED: readonly SwapState["busy"][] =
  ["permitting", "resetting", "approving", "signing", "presigning", "simulating", "sending", "cancelling"];

/** Whether the wallet is asked for something: nothing else is begun meanwhile. */
export function isAsked({ busy }: SwapState): boolean {
  return ASKED.includes(busy);
}

interface Props {
  entry: SwapEntry;
  /** The class of the button that goes on. */
  kind: "primary" | "secondary";
  /** More of them. */
  children?: ComponentChildren;
}

/** The buttons of a trade that needs its user or can be cancelled; null where there are none. */
export function Actions({ entry, kind, children }: Props): VNode | null {
  const { swap, state, words: { entry: texts } } = useScene();
  const need = needOf(entry);
  const go = need && texts.needs[need].go;
  const isOff = isAsked(state);
  const on = (act: () => void): ((event: Event) => void) => trusted(() => { if (!isOff) act(); });
  const abandon = ({ currentTarget }: Event): void => {
    if (isOff) return;
    // Its row goes, and the focus would go with it.
    if (currentTarget instanceof Element) currentTarget.closest<HTMLElement>(".activity")?.focus();
    swap.abandon(entry.id);
  };
  const cancelWords = isOrder(entry) && entry.order === null ? texts.makeVoid : texts.cancelThis;
  if (!go && !canAbandon(entry) && !entry.cancel && !children) return null;
  return (
    <div class="entry-actions">
      {go && <button type="button" class={kind} aria-disabled={isOff} onClick={on(() => swap.resume(entry.id))}>{go}</button>}
      {canAbandon(entry) && (
        <button type="button" class="link" aria-disabled={isOff} onClick={trusted(abandon)}>
          {need === "unreadable" ? texts.letGo : texts.abandon}
        </button>
      )}
      {entry.cancel && (
        <button type="button" class="link" aria-disabled={isOff} onClick={on(() => swap.cancel([entry.id]))}>{cancelWords}</button>
      )}
      {children}
    </div>
  );
}
