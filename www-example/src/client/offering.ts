import { isTradeError, summarizeOtcOrder, type Amount, type Client, type Hex, type OtcOrder } from "verified-swap";
import type { Token } from "../sandbox/sandbox.ts";
import { messages } from "../messages/en.ts";
import type { Failure } from "../state/parts.ts";
import type { State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Accounts } from "./accounts.ts";
import { setParameter } from "./address.ts";
import { UNKNOWN } from "./following.ts";
import { pause } from "./pause.ts";
import { pairOf } from "./pricing.ts";

/* An OTC order in its own view: found by its link, read until it has ended, compared with the market. */

export interface Offering {
  /** Shows it as it is known, and goes on reading it. */
  open(offer: OtcOrder): void;
  /** Opens the order that the page's address names. */
  openLink(): Promise<void>;
  /** It is read no more: something else is built. */
  leave(): void;
  /** Asks now and then what the market gives for that much, until the function that it returns is called. */
  compare(src: Token, amount: Amount, dest: Token): () => void;
}

const PARAMETER = "otc";
const READ_AGAIN_MS = 3_000;
const TYPING_PAUSE_MS = 400;
const COMPARE_AGAIN_MS = 20_000;

export function createOffering(store: Store<State>, client: () => Client, accounts: Accounts): Offering {
  let current = new AbortController();
  let isSought = true;
  /** What the market was asked for last. */
  let compared = "";
  // The address names the order that is shown, and no other; what it came with stays until that was found.
  store.subscribe(({ stage, offerShown, unknownOffer }) => {
    const isShown = stage === "offer" && offerShown !== null;
    if (!isShown) current.abort();
    if (stage === "compose" && (isSought || unknownOffer !== null)) return;
    setParameter(PARAMETER, isShown ? offerShown.orderHash : null);
  });

  function open(offer: OtcOrder): void {
    if (store.get().busy) return;
    current.abort();
    current = new AbortController();
    store.set({ tab: "otc", stage: "offer", offerShown: offer, shown: null, failure: null, notice: null });
    void accounts.refresh();
    void watch(offer.orderHash, current.signal);
  }

  async function openLink(): Promise<void> {
    const linked = new URL(location.href).searchParams.get(PARAMETER);
    try {
      if (linked === null) return;
      const offer = await client().otc.order(linked as Hex);
      if (store.get().stage === "compose") open(offer);
    } catch (error) {
      const isUnknown = isTradeError(error) && (error.status === 404 || error.code === "INVALID_INPUT");
      if (store.get().stage === "compose") store.set({ tab: "otc", unknownOffer: isUnknown ? linked : "" });
    } finally {
      isSought = false;
    }
  }

  async function watch(orderHash: Hex, signal: AbortSignal): Promise<void> {
    let unread: Failure | null = null;
    while (!signal.aborted) {
      try {
        const offerShown = await client().otc.order(orderHash, { signal });
        // Another failure is not of this reading.
        const { failure } = store.get();
        store.set({ offerShown, failure: failure === unread ? null : failure });
        if (summarizeOtcOrder(offerShown).isTerminal) return;
      } catch (error) {
        if (signal.aborted) return;
        if (isTradeError(error) && error.status === 404) return store.set({ failure: UNKNOWN });
        unread = {
          message: messages.terms.otc.unreadState,
          button: messages.failures.buttons.toForm,
          remedy: "startOver",
          retryAt: Date.now() + READ_AGAIN_MS,
        };
        store.set({ failure: unread });
      }
      await pause(READ_AGAIN_MS, signal);
    }
  }

  function compare(src: Token, amount: Amount, dest: Token): () => void {
    const asking = new AbortController();
    const question = [src.chainId, src.address, amount, dest.address].join();
    if (question !== compared) store.set({ market: null });
    compared = question;
    void ask(src, amount, dest, asking.signal);
    return () => asking.abort();
  }

  async function ask(src: Token, amount: Amount, dest: Token, signal: AbortSignal): Promise<void> {
    const { account } = store.get();
    const request = {
      ...pairOf(src, dest),
      side: "SELL",
      amount,
      mode: "ALL",
      ...(account ? { account } : {}),
    } as const;
    await pause(TYPING_PAUSE_MS, signal);
    while (!signal.aborted) {
      const market = await client()
        .quote(request, { signal })
        .catch(() => "failed" as const);
      if (!signal.aborted) store.set({ market });
      await pause(COMPARE_AGAIN_MS, signal);
    }
  }

  return { open, openLink, leave: () => current.abort(), compare };
}

/** Opens that order on this page. */
export function linkTo(orderHash: Hex): string {
  return new URL(`/?${PARAMETER}=${orderHash}`, location.origin).href;
}
