import { isTradeError, summarizeOtcOrder, type Client, type Hex, type OtcOrder } from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { UNKNOWN } from "./following.ts";
import { pause } from "./pause.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* An OTC order in its own view: read until it has ended. */

export interface Offering {
  /** Shows it as it is known, and goes on reading it. */
  open(offer: OtcOrder): void;
  /** Another view takes its place. */
  leave(): void;
}

const READ_AGAIN_MS = 3_000;

export function createOffering(store: Store<State>, client: () => Client, accounts: Accounts): Offering {
  let current = new AbortController();

  function open(offer: OtcOrder): void {
    if (store.get().busy) return;
    current.abort();
    current = new AbortController();
    store.set({ tab: "otc", stage: "offer", offerShown: offer, failure: null, notice: null });
    void accounts.refresh();
    void watch(offer.orderHash, current.signal);
  }

  async function watch(orderHash: Hex, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        const offerShown = await client().otcOrder(orderHash, { signal });
        store.set({ offerShown, failure: null });
        if (summarizeOtcOrder(offerShown).isTerminal) return;
      } catch (error) {
        if (signal.aborted) return;
        if (isTradeError(error) && error.status === 404) return store.set({ failure: UNKNOWN });
        store.set({
          failure: {
            message: "Its progress cannot be read right now; we keep trying.",
            button: "Back to the form",
            remedy: "startOver",
          },
        });
      }
      await pause(READ_AGAIN_MS, signal);
    }
  }

  return { open, leave: () => current.abort() };
}
