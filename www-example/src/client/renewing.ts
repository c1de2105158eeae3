import { isTradeError, type Quote, type TradeError } from "verified-swap";
import { keptAccepted } from "../state/consents.ts";
import { changeOf, digestOf, isGasDearer, movedOf, reviewOf } from "../state/renewal.ts";
import { isRead, QUOTE_LIFE_SECS, type Build, type Priced, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { arrivalOf, priced, type Pricing } from "./pricing.ts";

/* Who reads a review slowly is not thrown out of it: each newer price is built, and verified as the first was. It takes the
   place of the one under review if it is no worse; else the user is asked. */

/** After a build that failed. */
const BUILD_AGAIN_MS = 5_000;

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
  let retryAt = 0;

  function tick(): void {
    const state = store.get();
    if (!make || !isRead(state)) return inFlight?.abort();
    const { quote, quotedAt } = movedOf(state) ?? state;
    // An old price is no offer.
    if (state.moved && performance.now() - quotedAt >= QUOTE_LIFE_SECS * 1000) store.set({ moved: null });
    const latest = pricing.latest();
    if (!latest) return;
    // Of two prices, that of the path under review.
    const { kind } = state.build;
    const { comparison } = latest;
    const error = latest.error ?? comparison?.[`${kind}Error`];
    if (isTradeError(error, "VERIFY_MISMATCH")) return refuse(error, null);
    const next = comparison ? comparison[kind] : latest.quote;
    if (next && next !== quote && !latest.isStale && Date.now() >= retryAt && !inFlight) void renew(state.build, next);
  }

  function wake(): boolean {
    pricing.look();
    tick();
    return inFlight !== null || pricing.latest()?.isFetching === true;
  }

  async function renew(before: Priced, quote: Quote): Promise<void> {
    const { signal } = (inFlight = new AbortController());
    // What was pressed is what was shown: nothing takes its place from then on.
    const isSame = (): boolean => !signal.aborted && isRead(store.get()) && store.get().build === before;
    try {
      const build = await make!({ ...store.get(), ...priced(store.get(), quote) }, signal);
      const together = await takesBoth(build);
      if (!isSame()) return;
      if (changeOf(before, build) || isGasDearer(store.get().quote, quote)) store.set({ moved: { from: before, build, together, quote, quotedAt: arrivalOf(quote) } });
      else replace(before, build, quote);
    } catch (error) {
      if (!isSame()) return;
      if (isTradeError(error, "VERIFY_MISMATCH")) return refuse(error, null);
      retryAt = Date.now() + BUILD_AGAIN_MS;
    } finally {
      inFlight = null;
    }
  }

  /** Under the eyes of the reader: the same review, with other figures. */
  function replace(before: Priced, build: Priced, quote: Quote): void {
    const state = store.get();
    const change = { ...priced(state, quote), build, together: state.together && build.approval !== null };
    const accepted = keptAccepted(state, { ...state, ...change });
    const renewed = { digest: digestOf(build), first: reviewOf(state, before) };
    store.set({ ...change, accepted, moved: null, renewed });
  }

  function take(): void {
    const state = store.get();
    const moved = movedOf(state);
    if (!make || !moved || !isRead(state)) return;
    const { build, together, quote } = moved;
    store.set({ ...priced(state, quote), build, together, accepted: [], moved: null });
  }

  pricing.subscribe(() => isRead(store.get()) && tick());
  return {
    begin(how) {
      make = how;
      retryAt = 0;
    },
    end: () => void (make = null),
    tick,
    wake,
    take,
  };
}
