import {
  isTerminal,
  isTradeError,
  type Client,
  type DeltaBuild,
  type Hex,
  type Order,
  type SentTransaction,
  type SignedOrder,
  type Trade,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import type { Errands } from "./errands.ts";
import { openedFrom, openedOf } from "./opened.ts";
import { insist, pause } from "./pause.ts";
import { sentBy, type SentName } from "./sending.ts";
import { messages } from "../messages/en.ts";
import { explain, whyRefusedHere } from "../state/failure.ts";
import type { Failure, InFlight, OrderErrand } from "../state/parts.ts";
import { balanceOf, tokenAt, tokensAsked, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* Orders after their signature: posted for certain, watched to their end, shown or not. The journal keeps them over a
   reload. */

export interface Following {
  /** The wallet has signed, or sent the consent, or sent it after the signature. */
  signed(build: DeltaBuild, signedOrder: SignedOrder, consent: SentName | null): void;
  /** The service has the order. */
  posted(order: Order): void;
  /** Shows an order of the list in the same view as a new one. */
  open(order: Order): void;
  /** Shows one that is followed. */
  show(id: string): void;
  /**
   * Signed, but without an answer: submits the same signed order again, after its consent is in a block. Otherwise
   * reads its progress. Without an id: the one that is shown.
   */
  check(id?: string): Promise<void>;
  /** Checks what became of it; where the user left the review of its deposit, only once they ask for it. */
  failed(id: string, error: unknown): void;
  /** Follows an order that the service has, by what the journal knows of it. */
  resume(trade: Trade, show: boolean): void;
  /** The service refused the signed order for good. */
  dropped(id: Hex): void;
}

const CHECK_AGAIN_MS = [2_000, 4_000, 8_000, 15_000];
const READ_AGAIN_MS = 4_000;
const texts = messages.progress;
const backToForm = (message: string): Failure => ({ message, button: texts.back, remedy: "startOver" });
export const UNKNOWN: Failure = backToForm(texts.unknownOrder);
const UNDEPOSITED: Failure = { message: texts.undeposited, button: texts.goOn, remedy: "check" };

export function createFollowing(store: Store<State>, client: () => Client, accounts: Accounts, errands: Errands): Following {
  function signed(
    build: DeltaBuild,
    signedOrder: SignedOrder,
    consent: SentName | null,
  ): void {
    const { orderHash: id, chainId, owner, request } = build;
    const state = store.get();
    const sent = consent && sentBy(chainId, owner, consent);
    const busy = consent ? "confirming" : "posting";
    if (find(id)) {
      change(id, ({ inFlight }) => ({ busy, inFlight: { ...inFlight, signedOrder, consent: sent } }));
      // Its deposit was reviewed over another view, and that review is over.
      if (state.stage === "review" && state.asked?.kind === "deposit" && state.asked.orderHash === id) errands.show(id);
      return;
    }
    const { src, dest } = tokensAsked(state.chains, request);
    begin(
      {
        chainId,
        destChainId: dest.chainId,
        owner,
        beneficiary: build.beneficiary,
        orderHash: id,
        srcToken: src.address,
        destToken: dest.address,
        side: request.side,
        guaranteed: build.destination?.minReceived ?? null,
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
        consent: sent,
      },
      null,
      true,
      busy,
    );
  }

  function begin(inFlight: InFlight, order: Order | null, show: boolean, busy: OrderErrand["busy"] = null): void {
    const id = inFlight.orderHash;
    errands.begin({ kind: "order", id, inFlight, order, busy, failure: null, isNews: false }, show);
  }

  /** What is known of it now, with this changed. */
  function change(id: string, changed: (errand: OrderErrand) => Partial<OrderErrand>): void {
    const errand = find(id);
    if (errand) errands.change({ ...errand, ...changed(errand) });
  }

  function find(id: string | null): OrderErrand | null {
    const errand = id === null ? undefined : errands.find(id);
    return errand?.kind === "order" ? errand : null;
  }

  function posted(order: Order): void {
    change(order.orderHash, ({ inFlight }) => ({
      order,
      busy: null,
      failure: null,
      inFlight: { ...inFlight, consent: null, postedAt: inFlight.postedAt ?? Date.now() },
    }));
    if (store.get().shown === order.orderHash) store.set({ busy: null, failure: null });
    void accounts.refresh();
    void watch(order.orderHash, order);
  }

  function open(order: Order): void {
    if (store.get().busy) return;
    if (find(order.orderHash)) return errands.show(order.orderHash);
    begin(openedFrom(order), order, true);
    void watch(order.orderHash, order);
  }

  async function check(id = store.get().shown): Promise<void> {
    const errand = find(id);
    if (!errand) return;
    const { consent, signedOrder, postedAt } = errand.inFlight;
    if (consent) await consented(errand.id, consent);
    else if (signedOrder && postedAt === null) await post(errand.id, signedOrder);
    else await watch(errand.id);
  }

  /** Waits for the block of the transaction that consents; only then the order can be posted. */
  async function consented(id: string, consent: SentTransaction): Promise<void> {
    const signal = errands.restart(id);
    change(id, () => ({ busy: "confirming" }));
    while (!signal.aborted) {
      try {
        const { status } = await client().wait(consent, { signal, intervalMs: 300, maxIntervalMs: 3_000 });
        // A wallet may replace a transaction by a faster one with the same content. The service knows whether that
        // one consents.
        const mayConsent = status === "COMPLETED" || status === "REPLACED";
        change(id, ({ inFlight }) => (mayConsent ? { busy: null, inFlight: { ...inFlight, consent: null } } : { busy: null }));
        return mayConsent ? check(id) : refused(id, backToForm(texts.consentUndone));
      } catch {
        await pause(READ_AGAIN_MS, signal);
      }
    }
  }

  async function post(id: string, signedOrder: SignedOrder): Promise<void> {
    const signal = errands.restart(id);
    for (let round = 0; !signal.aborted; round++) {
      change(id, () => ({ busy: "posting" }));
      try {
        const order = await client().submit(signedOrder, { signal });
        return posted(order);
      } catch (error) {
        if (signal.aborted) return;
        if (whyRefusedHere(error) === "left") return failed(id, error);
        const failure = explain(error, store.get());
        if (failure.remedy !== "check") return refused(id, failure);
        const wait = CHECK_AGAIN_MS[Math.min(round, CHECK_AGAIN_MS.length - 1)]!;
        change(id, () => ({ busy: null, failure: { ...failure, retryAt: Date.now() + wait } }));
        await pause(wait, signal);
      }
    }
  }

  function failed(id: string, error: unknown): void {
    if (whyRefusedHere(error) === "left") return change(id, () => ({ busy: null, failure: UNDEPOSITED }));
    void check(id);
  }

  function refused(id: string, failure: Failure): void {
    change(id, () => ({ busy: null, failure }));
    abandon(id);
  }

  function resume(trade: Trade, show: boolean): void {
    begin(openedOf(trade), null, show);
    void watch(trade.id);
  }

  /** Reads the order until it has ended. A read that fails is repeated. */
  async function watch(id: string, order: Order | string = id): Promise<void> {
    const signal = errands.restart(id);
    while (!signal.aborted) {
      try {
        for await (const seen of client().watch(order, { signal, intervalMs: 500, maxIntervalMs: 4_000 }))
          read(id, seen, signal);
        return;
      } catch (error) {
        const errand = find(id);
        if (signal.aborted || !errand) return;
        const isUnknown = errand.order === null && isTradeError(error) && error.status === 404;
        if (isUnknown) return unknown(errand);
        const retryAt = Date.now() + READ_AGAIN_MS;
        const failure: Failure = { message: texts.unread, button: texts.checkNow, remedy: "check", retryAt };
        change(id, () => ({ failure }));
        await pause(READ_AGAIN_MS, signal);
      }
    }
  }

  function read(id: string, order: Order, signal: AbortSignal): void {
    change(id, ({ inFlight }) => {
      if (!inFlight.isFresh) {
        const { signedAt, signedOrder } = inFlight;
        return { order, failure: null, inFlight: { ...openedFrom(order), signedAt, signedOrder } };
      }
      if (order.status === "PENDING") return { order, failure: null };
      const activeAt = inFlight.activeAt ?? Date.now();
      const settledAt = isTerminal(order) ? (inFlight.settledAt ?? Date.now()) : null;
      return { order, failure: null, inFlight: { ...inFlight, activeAt, settledAt } };
    });
    if (isTerminal(order)) void compareBalances(id, signal);
  }

  /** The service does not have the order: a signed one is submitted again, one that was only opened is left. */
  async function unknown({ id, inFlight }: OrderErrand): Promise<void> {
    if (inFlight.signedOrder) return post(id, inFlight.signedOrder);
    change(id, () => ({ failure: UNKNOWN }));
  }

  /** What was held before is never shown as what is held after: it is read until a node tells. */
  async function compareBalances(id: string, signal: AbortSignal): Promise<void> {
    void accounts.refresh();
    const inFlight = find(id)?.inFlight;
    if (!inFlight?.isFresh) return;
    const { chains } = store.get();
    const src = tokenAt(chains, inFlight.chainId, inFlight.srcToken);
    const dest = tokenAt(chains, inFlight.destChainId, inFlight.destToken);
    const after = await insist(() => accounts.holdings(inFlight.owner, src, dest), READ_AGAIN_MS, signal);
    if (after) change(id, (now) => ({ inFlight: { ...now.inFlight, after } }));
  }

  /** A reload then shows the form. */
  function abandon(id: string): void {
    // If the journal does not have it, or the service has it after all, there is nothing to abandon.
    const errand = find(id);
    if (errand) client().trades.abandon(errand.inFlight.orderHash).catch(() => {});
  }

  function dropped(id: Hex): void {
    abandon(id);
    errands.drop(id);
  }

  return { signed, posted, open, show: errands.show, check, failed, resume, dropped };
}
