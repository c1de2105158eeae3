import {
  isTerminal,
  isTradeError,
  type Client,
  type DeltaBuild,
  type Hex,
  type Order,
  type SignedOrder,
  type Trade,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import type { Errands } from "./errands.ts";
import { openedFrom, openedOf } from "./opened.ts";
import { sentBy, type SentName } from "./sending.ts";
import { messages } from "../messages/en.ts";
import { explain, whyRefusedHere } from "../state/failure.ts";
import type { Failure, InFlight, OrderErrand, Remedy } from "../state/parts.ts";
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
  /**
   * Signed, but without an answer: submits the same signed order again, after its consent is in a block. Otherwise
   * reads its progress. Without an id: the one that is shown.
   */
  check(id?: string): Promise<void>;
  /** Checks what became of it; where the user declined its deposit, only once they ask for it. */
  failed(id: string, error: unknown): void;
  /** Follows an order that the service has, by what the journal knows of it, unless it is followed. */
  resume(trade: Trade, show: boolean): void;
  /** The service refused the signed order for good. */
  dropped(id: Hex): void;
}

const PACE = { intervalMs: 500, maxIntervalMs: 4_000 };
const texts = messages.progress;
const backToForm = (message: string): Failure => ({ message, button: texts.back, remedy: "startOver" });
export const UNKNOWN: Failure = backToForm(texts.unknownOrder);
const UNDEPOSITED: Failure = { message: texts.undeposited, button: texts.goOn, remedy: "check" };
const UNREAD: Failure = { message: texts.unread, button: texts.checkNow, remedy: "check" };

/** The buttons of an order's own view that go on with it. */
const POSTING: readonly Remedy[] = ["check", "confirm", "requote", "approve"];

/** Whether the user did not want its deposit now: here, or in the wallet. */
const isDeclined = (error: unknown): boolean => whyRefusedHere(error) === "left" || isTradeError(error, "USER_REJECTED");

export function createFollowing(store: Store<State>, client: () => Client, accounts: Accounts, errands: Errands): Following {
  function signed(build: DeltaBuild, signedOrder: SignedOrder, name: SentName | null): void {
    const { orderHash: id, chainId, owner, request, destination, twap = null } = build;
    const state = store.get();
    const consent = name && sentBy(chainId, owner, name);
    const busy = consent ? "confirming" : "posting";
    if (find(id)) {
      change(id, ({ inFlight }) => ({ busy, inFlight: { ...inFlight, signedOrder, consent } }));
      // Its deposit was reviewed over another view, and that review is over.
      if (state.stage === "review" && state.asked?.kind === "deposit" && state.asked.orderHash === id) errands.show(id);
      return;
    }
    const { src, dest } = tokensAsked(state.chains, request);
    const noted = openedOf({ ...build, id, signedAt: Date.now(), signedOrder, summary: build });
    const guaranteed = destination?.minReceived ?? null;
    const before = { src: balanceOf(state, src), dest: balanceOf(state, dest) };
    begin({ ...noted, guaranteed, twap, isFresh: true, postedAt: null, before, consent }, null, true, busy);
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
    void watch(order.orderHash);
  }

  function open(order: Order): void {
    if (store.get().busy) return;
    if (find(order.orderHash)) return errands.show(order.orderHash);
    begin(openedFrom(order), order, true);
    void watch(order.orderHash);
  }

  async function check(id = store.get().shown): Promise<void> {
    const errand = find(id);
    if (!errand) return;
    const { signedOrder, postedAt } = errand.inFlight;
    await (signedOrder && postedAt === null ? post(errand.id, signedOrder) : watch(errand.id));
  }

  /** Until the service has it: that is for the user who waits here, however long the service is away. */
  function post(id: string, signedOrder: SignedOrder): Promise<void> {
    const work = async (signal: AbortSignal): Promise<void> => {
      if (!(await consented(id, signal))) return refused(id, backToForm(texts.consentUndone));
      change(id, () => ({ busy: "posting" }));
      posted(await client().submit(signedOrder, { signal }));
    };
    return errands.follow(id, work, (error, retryAt) => {
      if (isDeclined(error)) return (failed(id, error), true);
      const failure = find(id)?.inFlight.consent ? UNREAD : explained(id, error);
      // What the service refused is over. Anything else waits for the user.
      const isAgain = failure.remedy === "check";
      if (isTradeError(error) && error.code.startsWith("SERVICE_") && !isAgain)
        return (refused(id, backToForm(failure.message)), true);
      // Its button posts it again, whatever is done about it elsewhere.
      const ways = POSTING.includes(failure.remedy) ? {} : ({ button: texts.goOn, remedy: "check" } as const);
      change(id, () => ({ busy: null, failure: { ...failure, ...(isAgain ? { retryAt } : ways) } }));
      return !isAgain;
    });
  }

  /** In words, of the order's own tokens. */
  function explained(id: string, error: unknown): Failure {
    const state = store.get();
    const inFlight = find(id)?.inFlight;
    if (!inFlight) return explain(error, state);
    const { chains } = state;
    const [src, dest] = [tokenAt(chains, inFlight.chainId, inFlight.srcToken), tokenAt(chains, inFlight.destChainId, inFlight.destToken)];
    return explain(error, { ...state, pair: { src, dest }, build: null });
  }

  /** Once the transaction that consents is in a block: only then the order can be posted. False if it never will be. */
  async function consented(id: string, signal: AbortSignal): Promise<boolean> {
    const consent = find(id)?.inFlight.consent;
    if (!consent) return true;
    change(id, () => ({ busy: "confirming" }));
    const { status } = await client().wait(consent, { signal, ...PACE });
    // A wallet may replace a transaction by a faster one with the same content. The service knows whether that one
    // consents.
    if (status !== "COMPLETED" && status !== "REPLACED") return false;
    change(id, ({ inFlight }) => ({ inFlight: { ...inFlight, consent: null } }));
    return true;
  }

  function failed(id: string, error: unknown): void {
    if (isDeclined(error)) return change(id, () => ({ busy: null, failure: UNDEPOSITED }));
    void check(id);
  }

  function refused(id: string, failure: Failure): void {
    change(id, () => ({ busy: null, failure }));
    abandon(id);
  }

  function resume(trade: Trade, show: boolean): void {
    if (find(trade.id)) return show ? errands.show(trade.id) : undefined;
    begin(openedOf(trade), null, show);
    void watch(trade.id);
  }

  /** Until it has ended. What the package gives up, as after refusals, is said, and asked for again. */
  function watch(id: string): Promise<void> {
    const work = async (signal: AbortSignal): Promise<void> => {
      for await (const seen of client().watch(find(id)?.order ?? id, { signal, ...PACE })) read(id, seen, signal);
    };
    return errands.follow(id, work, (error, retryAt) => {
      const errand = find(id);
      const isUnknown = errand?.order === null && isTradeError(error) && error.status === 404;
      if (!isUnknown) return change(id, () => ({ failure: { ...UNREAD, retryAt } }));
      // The service does not have it: a signed one is submitted again, one that was only opened is left.
      const { signedOrder } = errand.inFlight;
      if (signedOrder) void post(id, signedOrder);
      else change(id, () => ({ failure: UNKNOWN }));
      return true;
    });
  }

  function read(id: string, order: Order, signal: AbortSignal): void {
    change(id, ({ inFlight: now }) => {
      const { isFresh, signedAt, signedOrder, activeAt, settledAt } = now;
      const [bids, isOver] = [order.status !== "PENDING", isTerminal(order)];
      const seen = { activeAt: bids ? (activeAt ?? Date.now()) : activeAt, settledAt: isOver ? (settledAt ?? Date.now()) : null };
      const inFlight = isFresh ? { ...now, ...seen } : { ...openedFrom(order), signedAt, signedOrder };
      return { order, failure: null, inFlight };
    });
    if (isTerminal(order)) void compareBalances(id, signal);
  }

  /** What was held before is never shown as what is held after: it is read until a node tells. */
  async function compareBalances(id: string, signal: AbortSignal): Promise<void> {
    void accounts.refresh();
    const inFlight = find(id)?.inFlight;
    if (!inFlight?.isFresh) return;
    const { chains } = store.get();
    const src = tokenAt(chains, inFlight.chainId, inFlight.srcToken);
    const dest = tokenAt(chains, inFlight.destChainId, inFlight.destToken);
    const after = await accounts.holdings(inFlight.owner, src, dest, signal);
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

  return { signed, posted, open, check, failed, resume, dropped };
}
