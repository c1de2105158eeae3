import { isTradeError, type Quote, type TradeError } from "verified-swap";
import { keptAccepted } from "../state/consents.ts";
import { changeOf, digestOf, isGasDearer, movedOf, reviewOf } from "../state/renewal.ts";
import { QUOTE_LIFE_SECS, type Build, type Priced, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { pauseSecs, priced, RENEW_AFTER_SECS, type Pricing } from "./pricing.ts";

/* Who reads a review slowly is not thrown out of it: before its price is old, the next one is asked for and built, and
   verified as the first was. It takes the place of the one under review if it is no worse; else the user is asked. */

export interface Renewing {
  /** A review begins; `make` builds what is under review at the price of another state of the page. */
  begin(make: Make): void;
  /** What is built next goes by no price. */
  end(): void;
  /** Called once a second. */
  tick(): void;
  /** The user comes back to what may be old, as from a prompt. Whether the next price is on its way. */
  wake(): boolean;
  /** The user wants what is asked about: it is under review instead. */
  take(): void;
}

type Make = (next: State, signal: AbortSignal) => Promise<Priced>;

export function createRenewing(
  store: Store<State>,
  pricing: Pricing,
  takesBoth: (build: Build) => Promise<boolean>,
  refuse: (refusal: TradeError, quote: null) => void,
): Renewing {
  let make: Make | null = null;
  let inFlight: AbortController | null = null;
  let failed = 0;
  let retryAt = 0;
  /** A tab that nobody looks at asks for nothing. Who comes back to an old price, also from a prompt, gets the next one. */
  let wasHidden = false;

  function tick(): void {
    const state = store.get();
    wasHidden ||= document.hidden;
    if (!isRead(state)) return inFlight?.abort();
    const ageSecs = (performance.now() - (movedOf(state)?.quotedAt ?? state.quotedAt)) / 1000;
    // An old price is no offer.
    if (state.moved && ageSecs >= QUOTE_LIFE_SECS) store.set({ moved: null });
    const isDue = ageSecs >= RENEW_AFTER_SECS && (ageSecs < QUOTE_LIFE_SECS || wasHidden);
    if (isDue && Date.now() >= retryAt && state.online && !document.hidden && !inFlight) void renew(state.build);
  }

  function wake(): boolean {
    wasHidden = true;
    tick();
    return inFlight !== null;
  }

  async function renew(before: Priced): Promise<void> {
    const { signal } = (inFlight = new AbortController());
    wasHidden = false;
    // What was pressed is what was shown: nothing takes its place from then on.
    const isSame = (): boolean => !signal.aborted && isRead(store.get()) && store.get().build === before;
    try {
      const quote = await pricing.next(before, signal);
      const quotedAt = performance.now();
      const build = isSame() && (await make!({ ...store.get(), ...priced(store.get(), quote, quotedAt) }, signal));
      const together = build && (await takesBoth(build));
      if (!build || !isSame()) return;
      failed = 0;
      if (changeOf(before, build) || isGasDearer(store.get().quote, quote)) store.set({ moved: { from: before, build, together, quote, quotedAt } });
      else replace(before, build, quote, quotedAt);
    } catch (error) {
      if (!isSame()) return;
      if (isTradeError(error, "VERIFY_MISMATCH")) return refuse(error, null);
      retryAt = Date.now() + pauseSecs(failed++, error) * 1000;
    } finally {
      inFlight = null;
    }
  }

  /** Under the eyes of the reader: the same review, with other figures. */
  function replace(before: Priced, build: Priced, quote: Quote, quotedAt: number): void {
    const state = store.get();
    const change = { ...priced(state, quote, quotedAt), build, together: state.together && build.approval !== null };
    const accepted = keptAccepted(state, { ...state, ...change });
    const renewed = { digest: digestOf(build), first: reviewOf(state, before) };
    store.set({ ...change, accepted, moved: null, renewed });
  }

  function take(): void {
    const state = store.get();
    const moved = movedOf(state);
    if (!moved || !isRead(state)) return;
    const { build, together, quote, quotedAt } = moved;
    store.set({ ...priced(state, quote, quotedAt), build, together, accepted: [], moved: null });
  }

  /** Whether a price is under review, and nothing of it is signed, or asked of the wallet. */
  function isRead(state: State): state is State & { build: Priced } {
    const { stage, build, busy, asked, isHeld, failure, questions } = state;
    const isIdle = !busy && !asked && !isHeld && !failure && questions.length === 0;
    return make !== null && stage === "review" && build !== null && isIdle;
  }

  return {
    begin(how) {
      make = how;
      [failed, retryAt] = [0, 0];
    },
    end: () => void (make = null),
    tick,
    wake,
    take,
  };
}
