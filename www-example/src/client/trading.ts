import {
  type ActiveTrade,
  type Approval,
  type Client,
  type Hex,
  type Order,
  type Permit,
  type Progress,
  type Quote,
  type QuoteRequest,
  type Review,
  type ReviewAnswer,
  type TradeError,
  type TradeFailure,
  type TradeProgress,
  type TradeRetry,
  type TradeRetryChoices,
} from "verified-swap";
import { keptAccepted, stillAccepted } from "../state/consents.ts";
import { underWay, whyRefusedHere } from "../state/failure.ts";
import { changeOf, digestOf, isGasDearer, movedOf, reviewOf } from "../state/renewal.ts";
import { isConsent, isPriced, orderShown, QUOTE_LIFE_SECS, type Busy, type Priced, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Errands } from "./errands.ts";
import type { Following } from "./following.ts";
import { takesPermit } from "./permits.ts";
import { arrivalOf, priced } from "./pricing.ts";
import type { Prompting } from "./prompting.ts";
import type { Sending } from "./sending.ts";
import { orderOptions } from "./terms.ts";

/* A swap, a limit order or slices, by the package's `trade`: it builds, verifies, renews the price under review, approves or
   permits, signs or sends, and tries again. The page shows what it is asked, and waits for the user. */

/** What the page says it is waiting for, by the package's step. */
export const WAITING: Partial<Record<Progress["step"] | TradeProgress["step"], Busy>> = {
  quoting: "building",
  building: "building",
  permitting: "permitting",
  resetting: "resetting",
  approving: "approving",
  confirming: "confirming",
  signing: "signing",
  signed: "posting",
  presigning: "presigning",
  posting: "posting",
  simulating: "simulating",
  sending: "sending",
};

/** The steps at which the wallet opens. */
const ASKING: TradeProgress["step"][] = ["resetting", "approving", "signing", "presigning", "sending"];

/** The age at which what is held back is built anew, in seconds: the user has yet to read it. */
const RENEW_AT_SECS = 0.75 * QUOTE_LIFE_SECS;

/** After a renewal that failed. */
const RENEW_AGAIN_MS = 5_000;

export interface Trading {
  /** Trades at that price. Resolves once the page shows what is agreed to, or why it cannot be. */
  begin(quote: Quote, what: { permit: Permit | null; isWanted(now: State): boolean }): Promise<void>;
  /** The user agrees to what the page shows, or wants to try again, by these choices. False: no trade waits for that. */
  agree(chosen?: Chosen): boolean;
  /** A new price, and a new build of it. False: no trade waits for the user. */
  requote(): boolean;
  /** The user wants what is asked about: it is under review instead. */
  take(): void;
  /** Called once a second. */
  tick(): void;
  /** Another view takes its place: what the wallet has goes on. */
  leave(): void;
}

/** What the user chose on the page, knowing what may come of it. */
export type Chosen = TradeRetryChoices;

/** One trade, as the page has it. */
interface Deal {
  isWanted(now: State): boolean;
  /** Answers what the package waits for. */
  answer: ((answer: false | (Chosen & { accept: string[] })) => void) | null;
  /** The build of the review that waits; null where it is a failure. */
  shown: Priced | null;
  /** Whether the user is to see the next build as another one. */
  isNew: boolean;
  /** What is held back is built anew. */
  isRenewing: boolean;
  /** The review of a limit order whose place it takes, and `performance.now()` from which it is renewed so itself. */
  renews: Deal | null;
  renewAt: number;
  /** Once it is signed. */
  orderHash: Hex | null;
  /** What was approved for it. */
  allowed: Approval | null;
  /** The last step at which the wallet was asked, and the last build. */
  asking: TradeProgress["step"] | null;
  build: Priced | null;
}

interface Rooms {
  prompting: Prompting;
  following: Following;
  sending: Sending;
  errands: Errands;
  /** Shows what went wrong. */
  fail(error: unknown): void;
}

export function createTrading(store: Store<State>, client: () => Client, { prompting, following, sending, errands, fail }: Rooms): Trading {
  let deal: Deal | null = null;
  const known = new WeakSet<ActiveTrade>();

  function begin(quote: Quote, { permit, isWanted }: { permit: Permit | null; isWanted(now: State): boolean }): Promise<void> {
    deal = { ...FIRST, isWanted };
    return start(deal, quote, permit);
  }

  function start(mine: Deal, quote: Quote, permit: Permit | null): Promise<void> {
    const state = store.get();
    const { tab, spending } = state;
    // From then on the page follows it as any other.
    const taken = new AbortController();
    return new Promise((begun) => {
      const trade = client().trade(quote, {
        ...(quote.kind === "market" ? { slippageBps: state.slippageBps } : orderOptions(state, quote)),
        permit: permit ?? (takesPermit(spending, tab, quote) ? spending : "never"),
        onReview: (review) => {
          queueMicrotask(begun);
          return reviewed(mine, review);
        },
        onFailure: (failure) => {
          queueMicrotask(begun);
          return failed(mine, failure);
        },
        signal: taken.signal,
      });
      trade.finally(begun).catch(() => {});
      // The same one, from before the form was shown: the wallet is still open for it.
      if (known.has(trade)) return store.set({ busy: null, failure: underWay() });
      known.add(trade);
      trade.subscribe((progress) => follow(mine, progress, taken));
    });
  }

  /** Whether the page shows what becomes of it. */
  function isHere(mine: Deal): boolean {
    const { stage, shown } = store.get();
    return mine === deal && (mine.orderHash === null || stage === "review" || shown === mine.orderHash);
  }

  async function reviewed(mine: Deal, { quote, build, questions, steps }: Review): Promise<ReviewAnswer> {
    if (!takesOver(mine) || !isStillWanted(mine)) return false;
    const state = store.get();
    // What is on its way is not approved twice.
    const next = isAllowed(mine, build) ? { ...build, approval: null } : build;
    const [first] = steps;
    const together = next.approval !== null && first?.purpose !== "approve" && first?.purpose !== "permit";
    // A permit is reviewed at its own prompt, above the order that it pays for.
    if (first?.purpose === "permit" && questions.length === 0) {
      store.set({ busy: "permitting", ...atPrice(state, quote), build: next, together: false, accepted: stillAccepted(state, next) });
      mine.isNew = false;
      return true;
    }
    show(mine, quote, next, together);
    mine.shown = next;
    mine.renewAt = performance.now() + RENEW_AT_SECS * 1000;
    return new Promise((answer) => (mine.answer = answer));
  }

  /** Whether it may be shown: in place of what it renews only while that is read. */
  function takesOver(mine: Deal): boolean {
    const { renews } = mine;
    if (!renews) return true;
    mine.renews = null;
    if (deal !== renews || !renews.answer) return false;
    deal = mine;
    renews.answer(false);
    return true;
  }

  /** If the user typed on meanwhile, they want something else; and a step of another order keeps its review. */
  function isStillWanted(mine: Deal): boolean {
    const state = store.get();
    if (mine !== deal) return false;
    if (!mine.isNew || (mine.isWanted(state) && !state.isHeld)) return true;
    store.set({ busy: null });
    deal = null;
    return false;
  }

  /**
   * Who reads a review slowly is not thrown out of it: a newer build takes the place of the one under review if it is no worse;
   * else the user is asked.
   */
  function show(mine: Deal, quote: Quote, build: Priced, together: boolean): void {
    const state = store.get();
    const before = state.build;
    const ready = { busy: null, failure: null, asked: null, questions: [] };
    if (mine.isNew || !isPriced(before) || state.stage !== "review") {
      const accepted = stillAccepted(state, build);
      store.set({ ...ready, ...atPrice(state, quote), build, together, accepted, moved: null, stage: "review" });
    } else if (changeOf(before, build) || isGasDearer(state.quote, quote)) {
      store.set({ ...ready, moved: { from: before, build, together, quote, quotedAt: arrivalOf(quote) } });
    } else {
      // Under the eyes of the reader: the same review, with other figures.
      const change = { ...priced(state, quote), build, together: together && build.approval !== null };
      const accepted = keptAccepted(state, { ...state, ...change });
      const renewed = { digest: digestOf(build), first: reviewOf(state, before) };
      store.set({ ...ready, ...change, accepted, moved: null, renewed });
    }
    mine.isNew = false;
  }

  async function failed(mine: Deal, { error }: TradeFailure): Promise<TradeRetry> {
    if (mine === deal && mine.isRenewing && whyRefusedHere(error) === "left") {
      mine.isRenewing = false;
      return { requote: true };
    }
    if (mine.renews) return notRenewed(mine.renews, error);
    if (!isHere(mine)) {
      if (mine.orderHash) following.failed(mine.orderHash, error);
      return false;
    }
    if (!isStillWanted(mine)) return false;
    fail(error);
    const isLeft = isFollowed(mine, error);
    const { stage, build, failure } = store.get();
    if (isLeft || stage !== "review" || !build || !failure) {
      if (stage === "compose") store.set({ build: null });
      deal = null;
      return false;
    }
    mine.shown = null;
    return new Promise((answer) => (mine.answer = answer));
  }

  /** What is read stays, and is renewed later; unless what came is wrong. */
  function notRenewed(read: Deal, error: TradeError): false {
    read.renewAt = performance.now() + RENEW_AGAIN_MS;
    if (deal !== read || !read.answer || error.code !== "VERIFY_MISMATCH") return false;
    leave();
    fail(error);
    return false;
  }

  /** Whether its order needs no other try: it may exist, or never will. Otherwise the review is shown again. */
  function isFollowed({ orderHash }: Deal, error: TradeError): boolean {
    const shown = orderShown(store.get());
    if (!orderHash || shown?.id !== orderHash) return false;
    // A consent that is on its way may still be mined.
    if (store.get().failure?.signedOrder || shown.inFlight.consent) {
      void following.check(orderHash);
      return true;
    }
    store.set({ stage: "review" });
    // What only the wallet refused can be posted as it is signed.
    const isRefused = error.code.startsWith("SERVICE_");
    if (isRefused) following.dropped(orderHash);
    else errands.drop(orderHash);
    return isRefused;
  }

  function follow(mine: Deal, progress: TradeProgress, taken: AbortController): void {
    const { step, build, signedOrder, transaction, batch, order, error } = progress;
    // It ended, and nobody was asked.
    if (error && mine === deal && !mine.answer && store.get().busy && isHere(mine)) fail(error);
    const waiting = WAITING[step];
    if (waiting && isHere(mine)) store.set({ busy: waiting });
    if (ASKING.includes(step)) mine.asking = step;
    const isApproved = ["sent", "confirming", "approved"].includes(step) && mine.asking === "approving";
    if (isApproved && build) mine.allowed = build.approval;
    // With the permit that was signed for it.
    if (step === "building" && build && build !== mine.build && mine === deal) {
      const state = store.get();
      store.set({ build, asked: null, accepted: stillAccepted(state, build), stepsDone: [...state.stepsDone, "permit"] });
    }
    mine.build = build;
    if (build?.kind === "delta" && signedOrder && ["signed", "confirming", "posting"].includes(step)) {
      // What it waits for may also be its approval, which is no consent.
      const consents = signedOrder.signature === "0x" || /^0xe{40}$/i.test(build.request.srcToken);
      const consent = consents && (transaction || batch) ? { transaction, batch } : null;
      mine.orderHash = build.orderHash;
      following.signed(build, signedOrder, consent);
    }
    if (step === "sent" && build?.kind === "market" && mine.asking === "sending") sending.sent(build, { transaction, batch }, true);
    if (step === "following") {
      taken.abort();
      if (build?.kind === "delta") following.posted(order as Order);
      if (mine === deal) deal = null;
    }
  }

  function agree({ accept: _, ...chosen }: Chosen = {}): boolean {
    const state = store.get();
    const { build, accepted, consent, together, questions } = state;
    if (!deal?.answer || !build) return false;
    if (deal.shown && deal.shown !== build) return true;
    const { answer } = deal;
    const ticked = [...build.report.questions, ...questions].filter(({ id }) => accepted.includes(id));
    const first = build.approval && !together ? "approving" : null;
    store.set({ busy: first ?? (together ? "sending" : isConsent(state) ? "presigning" : "signing"), failure: null });
    deal.answer = null;
    answer({
      accept: ticked.map(({ id }) => id),
      // Also what was chosen otherwise before.
      ...(build.kind === "delta" ? { preSign: consent === "transaction" } : {}),
      batch: consent === "signature" && together ? "never" : "auto",
      ...chosen,
    });
    return true;
  }

  function requote(): boolean {
    const { isHeld } = store.get();
    if (!deal || !(isHeld || (deal.answer && !deal.shown))) return false;
    deal.isNew = true;
    store.set({ busy: "building", failure: null });
    if (isHeld) renewHeld(deal);
    else agree({ requote: true });
    return true;
  }

  function renewHeld(mine: Deal): void {
    mine.isRenewing = true;
    prompting.refuse();
  }

  function take(): void {
    const state = store.get();
    const moved = movedOf(state);
    if (!moved || deal?.shown !== moved.build) return;
    const { build, together, quote } = moved;
    store.set({ ...priced(state, quote), build, together, accepted: [], moved: null });
  }

  function tick(): void {
    const { moved, isHeld, asked, build, ageSecs, quote, online } = store.get();
    // An old price is no offer.
    if (moved && performance.now() - moved.quotedAt >= QUOTE_LIFE_SECS * 1000) store.set({ moved: null });
    if (deal && isHeld && !asked && isPriced(build) && ageSecs >= RENEW_AT_SECS) {
      store.set({ busy: "building" });
      renewHeld(deal);
    }
    // The package reviews a limit order once; how far it is from the market is read as long as it is.
    const isLimit = deal?.answer && deal.shown?.kind === "delta" && deal.shown.type === "LIMIT";
    if (!deal || !quote || !isLimit || !online || document.hidden || performance.now() < deal.renewAt) return;
    deal.renewAt = Infinity;
    void renew(deal, quote.request as QuoteRequest);
  }

  /** By a trade of its own, at another price. */
  async function renew(read: Deal, request: QuoteRequest): Promise<void> {
    try {
      const quote = await client().quote(request);
      await start({ ...FIRST, isWanted: read.isWanted, isNew: false, allowed: read.allowed, renews: read }, quote as Quote, null);
    } catch (error) {
      notRenewed(read, error as TradeError);
    }
  }

  function leave(): void {
    const left = deal;
    deal = null;
    if (!left?.answer) return;
    left.answer(false);
    // Signed, and nobody posts it.
    if (left.orderHash) client().trades.abandon(left.orderHash).catch(() => {});
  }

  return { begin, agree, requote, take, tick, leave };
}

const FIRST: Omit<Deal, "isWanted"> = {
  answer: null,
  shown: null,
  isNew: true,
  isRenewing: false,
  renews: null,
  renewAt: 0,
  orderHash: null,
  allowed: null,
  asking: null,
  build: null,
};

/** Whether what it spends was approved before: that may not be in a block yet. */
function isAllowed({ allowed }: Deal, { approval }: Priced): boolean {
  const isSame = allowed?.token === approval?.token && allowed?.spender === approval?.spender;
  return allowed !== null && approval !== null && isSame && BigInt(approval.amount) <= BigInt(allowed.amount);
}

/** What the page takes over with another price than the one it has. */
function atPrice(state: State, quote: Quote): Partial<State> {
  return quote === state.quote ? {} : priced(state, quote);
}
