import {
  isTerminal,
  isTradeError,
  type Client,
  type DeltaBuild,
  type Order,
  type SentTransaction,
  type SignedOrder,
  type Trade,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { explain } from "../state/failure.ts";
import { openedFrom, openedOf } from "./opened.ts";
import type { Failure, InFlight } from "../state/parts.ts";
import { pause } from "./pause.ts";
import { sentBy, type SentName } from "./sending.ts";
import { balanceOf, tokenAt, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* An order after its signature: posted for certain, watched to its end. The journal keeps it over a reload. */

export interface Following {
  /** The wallet has signed, or sent the consent. */
  signed(build: DeltaBuild, signedOrder: SignedOrder, consent: SentName | null): void;
  /** The service has the order. */
  posted(order: Order): void;
  /** Shows an order of the list in the same view as a new one. */
  open(order: Order): void;
  /**
   * Signed, but without an answer: submits the same signed order again, after its consent is in a block. Otherwise
   * reads its progress.
   */
  check(): Promise<void>;
  /** Shows an order that the service has, by what the journal knows of it. */
  resume(trade: Trade): void;
  /** The service refused the signed order for good. */
  dropped(): void;
  /** Another view takes its place. */
  leave(): void;
}

const CHECK_AGAIN_MS = [2_000, 4_000, 8_000, 15_000];
const READ_AGAIN_MS = 4_000;
const UNDONE: Failure = {
  message: "Your consent reverted or was lost.",
  button: "Back to the form",
  remedy: "startOver",
};
export const UNKNOWN: Failure = {
  message: "The service does not know this order.",
  button: "Back to the form",
  remedy: "startOver",
};

export function createFollowing(store: Store<State>, client: () => Client, accounts: Accounts): Following {
  let current = new AbortController();

  function signed(build: DeltaBuild, signedOrder: SignedOrder, consent: SentName | null): void {
    const state = store.get();
    const { src, dest } = state.pair ?? state;
    const inFlight = {
      chainId: build.chainId,
      destChainId: dest.chainId,
      owner: build.owner,
      beneficiary: build.beneficiary,
      orderHash: build.orderHash,
      srcToken: src.address,
      destToken: dest.address,
      side: build.request.side,
      resting: build.type === "LIMIT" || build.twap !== undefined,
      twap: build.twap ?? null,
      isFresh: true,
      signedAt: Date.now(),
      postedAt: null,
      activeAt: null,
      settledAt: null,
      before: { src: balanceOf(state, src), dest: balanceOf(state, dest) },
      after: null,
      signedOrder,
      consent: consent && sentBy(build.chainId, build.owner, consent),
    };
    store.set({ inFlight, order: null, stage: "progress" });
  }

  function posted(order: Order): void {
    const { inFlight } = store.get();
    store.set({
      order,
      busy: null,
      failure: null,
      inFlight: inFlight && { ...inFlight, postedAt: inFlight.postedAt ?? Date.now() },
    });
    void accounts.refresh();
    void watch(order);
  }

  function open(order: Order): void {
    const { busy, stage, order: shown } = store.get();
    // A signed order that the service does not have yet is submitted again.
    if (busy || (stage === "progress" && !shown)) return;
    store.set({ order, inFlight: openedFrom(order), stage: "progress", failure: null, notice: null });
    void watch(order);
  }

  async function check(): Promise<void> {
    const { inFlight } = store.get();
    if (inFlight?.consent) await consented(inFlight, inFlight.consent);
    else if (inFlight?.signedOrder && inFlight.postedAt === null) await post(inFlight.signedOrder);
    else if (inFlight) await watch(inFlight.orderHash);
  }

  /** Waits for the block of the transaction that consents; only then the order can be posted. */
  async function consented(inFlight: InFlight, consent: SentTransaction): Promise<void> {
    const signal = restart();
    store.set({ busy: "confirming" });
    while (!signal.aborted) {
      try {
        const { status } = await client().wait(consent, { signal, intervalMs: 300, maxIntervalMs: 3_000 });
        store.set({ busy: null });
        // A wallet may replace a transaction by a faster one with the same content. The service knows whether that
        // one consents.
        if (status === "COMPLETED" || status === "REPLACED") return (store.set({ inFlight: { ...inFlight, consent: null } }), check());
        return (dropped(), store.set({ failure: UNDONE }));
      } catch {
        await pause(READ_AGAIN_MS, signal);
      }
    }
  }

  async function post(signedOrder: SignedOrder): Promise<void> {
    const signal = restart();
    for (let round = 0; !signal.aborted; round++) {
      store.set({ busy: "posting" });
      try {
        const order = await client().submit(signedOrder, { signal });
        return posted(order);
      } catch (error) {
        if (signal.aborted) return;
        const failure = explain(error, store.get());
        store.set({ busy: null, failure });
        if (failure.remedy !== "check") return dropped();
      }
      await pause(CHECK_AGAIN_MS[Math.min(round, CHECK_AGAIN_MS.length - 1)]!, signal);
    }
  }

  function resume(trade: Trade): void {
    store.set({ inFlight: openedOf(trade), order: null, stage: "progress", failure: null });
    void watch(trade.id);
  }

  /** Shows the order until it has ended. A read that fails is repeated. */
  async function watch(order: Order | string): Promise<void> {
    const signal = restart();
    while (!signal.aborted) {
      try {
        for await (const seen of client().watch(order, { signal, intervalMs: 500, maxIntervalMs: 4_000 })) show(seen);
        return;
      } catch (error) {
        if (signal.aborted) return;
        if (isUnknown(error)) return unknown();
        const message = "Sent. Its progress cannot be read right now; we keep trying.";
        store.set({ failure: { message, button: "Check now", remedy: "check" } });
        await pause(READ_AGAIN_MS, signal);
      }
    }
  }

  function show(order: Order): void {
    store.set({ order, failure: null });
    const { inFlight } = store.get();
    if (!inFlight) return;
    const { isFresh, signedAt, signedOrder } = inFlight;
    if (!isFresh) {
      store.set({ inFlight: { ...openedFrom(order), signedAt, signedOrder } });
      if (isTerminal(order)) void accounts.refresh();
      return;
    }
    if (order.status === "PENDING") return;
    const activeAt = inFlight.activeAt ?? Date.now();
    const settledAt = isTerminal(order) ? (inFlight.settledAt ?? Date.now()) : null;
    store.set({ inFlight: { ...inFlight, activeAt, settledAt } });
    if (settledAt !== null) void compareBalances();
  }

  function isUnknown(error: unknown): boolean {
    return store.get().order === null && isTradeError(error) && error.status === 404;
  }

  /**
   * The service does not have the order: a signed one is submitted again, one that was only opened is left.
   */
  async function unknown(): Promise<void> {
    const { inFlight } = store.get();
    if (inFlight?.signedOrder) return post(inFlight.signedOrder);
    store.set({ failure: UNKNOWN });
  }

  async function compareBalances(): Promise<void> {
    await accounts.refresh();
    const state = store.get();
    const { inFlight, chains } = state;
    if (!inFlight) return;
    const src = balanceOf(state, tokenAt(chains, inFlight.chainId, inFlight.srcToken));
    const dest = balanceOf(state, tokenAt(chains, inFlight.destChainId, inFlight.destToken));
    store.set({ inFlight: { ...inFlight, after: { src, dest } } });
  }

  /** A reload then shows the form. */
  function dropped(): void {
    const { inFlight } = store.get();
    // If the journal does not have it, or the service has it after all, there is nothing to abandon.
    if (inFlight) client().abandon(inFlight.orderHash).catch(() => {});
  }

  function restart(): AbortSignal {
    current.abort();
    current = new AbortController();
    return current.signal;
  }

  return { signed, posted, open, check, resume, dropped, leave: () => current.abort() };
}
