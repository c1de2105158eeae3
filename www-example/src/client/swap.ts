import {
  isTradeError,
  type Approval,
  type Client,
  type Permit,
  type Progress,
  type Quote,
  type TradeError,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { explain, unconnected, whyRefusedHere } from "../state/failure.ts";
import type { Failure, Remedy } from "../state/parts.ts";
import type { Errands } from "./errands.ts";
import type { Following } from "./following.ts";
import { takesPermit, takesPermitOnly } from "./permits.ts";
import type { Pricing } from "./pricing.ts";
import type { Prompting } from "./prompting.ts";
import type { Sending } from "./sending.ts";
import { COMPOSING, isOnePrompt, isPriced, isStale, orderShown, type Build, type State } from "../state/state.ts";
import { withoutPrice } from "../state/prices.ts";
import type { Store } from "../state/store.ts";
import { askedNext, withAllowed } from "../state/steps.ts";
import { USED_UP_BPS } from "../state/worse.ts";
import { createTrading, WAITING, type Chosen } from "./trading.ts";
import { messages } from "../messages/en.ts";

/* A trade: build and verify, review, approve, sign or send. The core of this example. */

const texts = messages.failures;

export interface Swap {
  /**
   * Builds the order or transaction for the price on the page, verifies it, and shows what is about to be agreed to.
   */
  review(): Promise<void>;
  /** The same for anything else that is built: `make` builds it, `pair` is what it takes and gives. */
  reviewThis(make: (client: Client) => Promise<Build>, pair: NonNullable<State["pair"]>): Promise<void>;
  /** One prompt for one click: what the page shows is approved, permitted, deposited, signed or sent. */
  confirm(): Promise<void>;
  /** Called once a second: the price under review is renewed before it is old. */
  tick(): void;
  /** Back to the form. */
  compose(): void;
  /** Out of the review: to the form, or to what a cancellation was asked for in. */
  back(): void;
  /** Asks the wallet to move to the page's chain. */
  switchChain(): Promise<void>;
  /** Does what a failure's one button says. */
  remedy(failure: Failure): void;
}

/** What a reload interrupted: see `unfinished.ts`. */
interface Interrupted {
  goOn(): Promise<void>;
  leave(): void;
}

/** What a trade needs of the page. */
interface Rooms {
  pricing: Pricing;
  accounts: Accounts;
  prompting: Prompting;
  following: Following;
  sending: Sending;
  errands: Errands;
  unfinished(): Interrupted;
}

export function createSwap(store: Store<State>, client: () => Client, rooms: Rooms): Swap {
  const { pricing, accounts, prompting, following, sending, errands, unfinished } = rooms;
  /** What is being confirmed, while it is shown. */
  let confirming: object | null = null;
  /** Tells whether the page still shows what is confirmed now. */
  function turn(): () => boolean {
    const mine = (confirming = {});
    return () => confirming === mine;
  }
  /** Builds what was asked for last once more, where it goes by no price. */
  let buildAgain = async (): Promise<void> => {};
  const trading = createTrading(store, client, { prompting, following, sending, errands, fail });

  async function review(): Promise<void> {
    const state = store.get();
    const { src, dest, quote } = state;
    if (!quote || !prepare({ src, dest })) return;
    const asked = askedOf(state);
    // A price that was renewed meanwhile is the same question: the review renews its own.
    const isWanted = (now: State): boolean => askedOf(now) === asked;
    try {
      const permit = takesPermitOnly(src) ? await permitOf(quote, state) : null;
      await trading.begin(quote, { permit, isWanted });
    } catch (error) {
      if (isWanted(store.get())) fail(error);
      else store.set({ busy: null });
    }
  }

  /** What was shown before is left. False: nothing is reviewed now. */
  function prepare(pair: NonNullable<State["pair"]>): boolean {
    const { busy, account } = store.get();
    if (busy) return false;
    if (!account) {
      store.set({ failure: unconnected() });
      return false;
    }
    trading.leave();
    errands.leave();
    unfinished().leave();
    buildAgain = async () => {};
    store.set({ busy: "building", failure: null, pair });
    if (store.get().stage !== "review") store.set({ prompts: 0, stepsDone: [] });
    return true;
  }

  async function reviewThis(make: (client: Client) => Promise<Build>, pair: NonNullable<State["pair"]>): Promise<void> {
    if (!prepare(pair)) return;
    buildAgain = () => reviewThis(make, pair);
    try {
      const build = await make(client());
      const together = await takesBoth(client(), build);
      // A step of another order keeps its review.
      if (store.get().isHeld) return store.set({ busy: null });
      store.set({ build, together, asked: null, accepted: [], questions: [], pair, stage: "review", busy: null });
    } catch (error) {
      if (store.get().isHeld) return store.set({ busy: null });
      fail(error);
    }
  }

  /** Whether the wallet takes the approval that a build lacks together with what is built. */
  async function takesBoth(trader: Client, build: Build): Promise<boolean> {
    if (!build.approval) return false;
    const { chainId, owner: account } = build;
    return (await trader.info.capabilities({ chainId, account })).atomic !== "unsupported";
  }

  /** Of a token that takes nothing else a permit is signed first: without it the service builds nothing. */
  async function permitOf(quote: Quote, { spending, tab, slippageBps }: State): Promise<Permit | null> {
    // What a purchase costs is the service's word, which is no bound of a permit.
    if (!takesPermit(spending, tab, quote) || quote.request.side === "BUY") return null;
    store.set({ busy: "permitting" });
    const permit = await client().signPermit(quote, { kind: spending, slippageBps });
    store.set({ busy: "building", asked: null, stepsDone: [...store.get().stepsDone, "permit"] });
    return permit;
  }

  /** Unless it `isShown`, it is held back for a review. */
  async function confirm({ isShown = true, ...chosen }: Chosen & { isShown?: boolean } = {}): Promise<void> {
    const state = store.get();
    const { build, busy } = state;
    if (state.isHeld) return prompting.agree();
    if (busy || !build) return;
    if (isShown) prompting.confirm();
    if (isPriced(build)) return trading.agree(chosen) ? undefined : review();
    const together = isOnePrompt(state);
    const { existing: _, ...knowing } = chosen;
    if (build.approval && !together) return allow(build, build.approval, knowing);
    const isMine = turn();
    const isHere = (): boolean => isMine() && store.get().stage === "review";
    store.set({ busy: together ? "sending" : "signing", failure: null });
    const onProgress = ({ step, transaction, batch }: Progress): void => {
      if (isHere()) store.set({ busy: WAITING[step] ?? store.get().busy });
      if (step !== "sent" || build.kind !== "transaction") return;
      // An order that is cancelled in its own view is shown again, and followed there to its end.
      const goesBack = isHere() && (store.get().pair?.cancels?.from ?? "compose") !== "compose";
      sending.sent(build, { transaction, batch }, !goesBack);
      if (goesBack) back();
    };
    try {
      await client().submit(build, { onProgress, ...chosen });
    } catch (error) {
      if (!isHere()) return;
      // The wallet does not take both after all. Nothing was sent: what is asked for now is on the button.
      if (together && isTradeError(error, "INSUFFICIENT_ALLOWANCE")) store.set({ together: false, busy: null });
      else fail(error);
    }
  }

  /** The approval that a build lacks. What follows is reviewed by itself. */
  async function allow(build: Build, approval: Approval, knowing: Chosen): Promise<void> {
    const isHere = turn();
    store.set({ busy: "approving", failure: null });
    try {
      await approved(approval, isHere, knowing);
    } catch (error) {
      if (isHere()) fail(error);
      return;
    }
    if (!isHere()) return;
    store.set({ build: { ...build, approval: null }, asked: null, busy: null, stepsDone: withAllowed(store.get(), approval) });
  }

  async function approved(approval: Approval, isHere: () => boolean, knowing: Chosen = {}): Promise<void> {
    await client().approve(approval, {
      ...knowing,
      onProgress: ({ step }) => isHere() && store.set({ busy: WAITING[step] ?? store.get().busy }),
    });
  }

  function fail(error: unknown): void {
    const { stage, build } = store.get();
    if (isTradeError(error, "VERIFY_MISMATCH")) return refuse(error);
    // The user left the review: the wallet was not opened.
    if (stage === "compose" && whyRefusedHere(error) === "left") return;
    const failure = explain(error, store.get());
    store.set({ busy: null, asked: null, failure, questions: failure.questions ?? store.get().questions });
    // Nothing was built yet: the form is where it is said.
    if (stage === "review" && !build) store.set({ stage: "compose", pair: null });
    // What turned out to be missing is a step of its own.
    if (stage === "review" && build && failure.approval)
      store.set({ build: { ...build, approval: failure.approval } });
  }

  /** Shows what was asked for beside what came instead; `quote`: the price that it was built for. */
  function refuse(refusal: TradeError, quote: Quote | null = store.get().quote): void {
    const { samples } = store.get();
    if (quote) store.set({ samples: withoutPrice(samples, quote) });
    store.set({ busy: null, stage: "refused", refusal, build: null, asked: null, failure: null });
  }

  function compose(): void {
    prompting.refuse();
    confirming = null;
    trading.leave();
    errands.leave();
    unfinished().leave();
    store.set(COMPOSING);
    void pricing.refresh();
    void accounts.refresh();
  }

  function back(): void {
    const state = store.get();
    const asked = askedNext(state);
    if (asked?.kind !== "cancel" || asked.from === "compose") return compose();
    prompting.refuse();
    store.set({ asked: null, isHeld: false, failure: null, stage: asked.from });
    if (!asked.isSigned) store.set({ busy: null, build: null, pair: null });
  }

  /** A new price; on the review page the order is built again for it, and reviewed again. */
  async function requote(): Promise<void> {
    const { stage, build } = store.get();
    if (isOther()) return tryOther();
    if (trading.requote()) return;
    if (stage === "review" && build?.kind === "transaction") return compose();
    const reviewing = stage === "review";
    store.set({
      failure: null,
      refusal: null,
      stage: reviewing ? "review" : "compose",
      busy: reviewing ? "building" : null,
    });
    await pricing.refresh();
    store.set({ busy: null });
    if (!reviewing || store.get().stage !== "review") return;
    const { failure } = store.get();
    if (failure?.refusal) refuse(failure.refusal);
    else if (!failure) await review();
  }

  /** Approves what was missing, and goes on from where that stopped. */
  async function approve({ approval, ...shown }: Failure): Promise<void> {
    const { busy, build, stage } = store.get();
    if (!approval || busy) return;
    if (stage === "review" && build) return confirm();
    const isHere = turn();
    store.set({ busy: "approving", failure: null });
    try {
      await approved(approval, isHere);
    } catch (error) {
      if (!isHere()) return;
      fail(error);
      // The same button again, because the approval is still missing.
      if (isTradeError(error, "USER_REJECTED") && store.get().failure)
        store.set({ failure: { ...shown, approval, message: explain(error, store.get()).message } });
      return;
    }
    if (!isHere()) return;
    store.set({ busy: null, asked: null, stepsDone: [...store.get().stepsDone, "allow"] });
    await (stage === "unfinished" ? unfinished().goOn() : stage === "progress" ? following.check() : review());
  }

  /** Shows how an order ended of which nobody was told: from then on it is in no trade's way. */
  async function lookUp(failure: Failure): Promise<void> {
    const { orderHash } = failure;
    if (!orderHash || store.get().busy) return;
    const isHere = turn();
    try {
      const order = await client().order(orderHash);
      if (!isHere()) return;
      compose();
      following.open(order);
    } catch (error) {
      if (!isHere()) return;
      const isUnknown = isTradeError(error) && error.status === 404;
      store.set({ failure: { ...failure, message: isUnknown ? texts.untoldUnknown : texts.untoldUnread } });
    }
  }

  /** Once more, with a limit of this trade's own: to the whole percent above what it loses, and one for a price that moves. */
  function acceptCosts({ lossBps = 0 }: Failure): void {
    store.set({ mostLostBps: Math.min(USED_UP_BPS, Math.ceil(lossBps / 100) * 100 + 100) });
    void pricing.refresh();
  }

  function useMaximum(): void {
    trading.leave();
    store.set({ stage: "compose", build: null, failure: null });
    void pricing.useShare(100);
  }

  async function switchChain(): Promise<void> {
    try {
      await accounts.switchChain();
      store.set({ failure: null });
    } catch (error) {
      fail(error);
    }
  }

  function again(): Promise<void> {
    const state = store.get();
    if (state.stage === "review") return confirm();
    if (state.stage === "unfinished") return unfinished().goOn();
    return isOther() ? tryOther() : isStale(state) ? requote() : review();
  }

  /** What failed of an order is its own: it is posted, or read, again. */
  function tryOther(): Promise<void> {
    return orderShown(store.get())?.failure ? following.check() : buildAgain();
  }

  /** What could not be built is not the form's price: a cancellation. */
  function isOther(): boolean {
    return store.get().stage === "progress";
  }

  const remedies: Record<Remedy, (failure: Failure) => void> = {
    requote: () => void requote(),
    confirm: () => void again(),
    switchChain: () => void switchChain(),
    useWalletAccount: () => void accounts.adopt(),
    connect: () => document.getElementById("wallet-button")?.click(),
    check: () => void following.check(),
    startOver: compose,
    approve: (failure) => void approve(failure),
    consent: () => (store.set({ consent: "transaction" }), void confirm({ isShown: false })),
    useMaximum,
    another: () => void confirm({ existing: "keepBoth" }),
    replace: () => void confirm({ existing: "replace" }),
    compare: ({ refusal }) => (refusal ? refuse(refusal) : void review()),
    lookUp: (failure) => void lookUp(failure),
    reload: () => location.reload(),
    withoutJournal: () => void confirm({ withoutJournal: true }),
    acceptCosts,
    take: trading.take,
  };

  return {
    review: () => review(),
    reviewThis,
    confirm: () => confirm(),
    tick: trading.tick,
    compose,
    back,
    switchChain,
    remedy: (failure) => remedies[failure.remedy](failure),
  };
}

/** What a review is made for, as one text; not at which price. */
function askedOf({ quote, account, limit, twap, slippageBps, alternative }: State): string | null {
  return quote && JSON.stringify([quote.kind, quote.request, account, limit, twap, slippageBps, alternative]);
}
