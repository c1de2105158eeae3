import { waitsFor, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* The browser's Back: from a review, a refusal or an order to the form, as their own button goes. Whatever is shown in
   the form's place is one entry above it in the history. */

const ABOVE = "above the form";

export function followHistory(store: Store<State>, compose: () => void): void {
  /** The address, while the page itself goes back: it stays. */
  let leaving: string | null = null;

  function follow(): void {
    const isAbove = store.get().stage !== "compose";
    if (leaving !== null || isAbove === (history.state === ABOVE)) return;
    if (isAbove) return history.pushState(ABOVE, "");
    leaving = location.href;
    history.back();
  }

  window.addEventListener("popstate", () => {
    if (leaving !== null) history.replaceState(history.state, "", leaving);
    else if (history.state !== ABOVE && mayLeave(store.get())) compose();
    leaving = null;
    follow();
  });
  store.subscribe(follow);
}

/** While the wallet has a prompt open there is no way back to the form; what is held back is refused. */
function mayLeave(state: State): boolean {
  const busy = waitsFor(state);
  return state.stage !== "compose" && (busy === null || busy === "posting");
}
