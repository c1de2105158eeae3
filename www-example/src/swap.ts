import { isTradeError, type Client, type Progress } from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { explain, type Failure, type Remedy } from "./failure.ts";
import type { Following } from "./following.ts";
import { typed } from "./money.ts";
import type { Pricing } from "./pricing.ts";
import { balanceOf, type Busy, type State } from "./state.ts";
import type { Store } from "./store.ts";

/* The swap itself: build and verify, approve, sign, post. What a reader of this example came for. */

export interface Swap {
  /** Builds the order for the price on the page, verifies it, and shows what is about to be signed. */
  review(): Promise<void>;
  /** Approves if needed, asks the wallet to sign, posts. */
  confirm(): Promise<void>;
  /** Back to the form. */
  compose(): void;
  /** Does what a failure's one button says. */
  remedy(failure: Failure): void;
}

/** What the page says it is waiting for, by the package's step. */
const WAITING: Partial<Record<Progress["step"], Busy>> = {
  resetting: "resetting",
  approving: "approving",
  confirming: "confirming",
  signing: "signing",
  posting: "posting",
};

export function createSwap(
  store: Store<State>,
  client: () => Client,
  pricing: Pricing,
  accounts: Accounts,
  following: Following,
): Swap {
  async function review(): Promise<void> {
    const { quote, slippageBps, busy } = store.get();
    if (!quote || busy) return;
    store.set({ busy: "building", failure: null });
    try {
      const build = await client().build(quote, { slippageBps });
      store.set({ build, stage: "review", busy: null });
    } catch (error) {
      fail(error);
    }
  }

  async function confirm(): Promise<void> {
    const { build, busy } = store.get();
    if (!build || busy) return;
    store.set({ busy: build.approval ? "approving" : "signing", failure: null });
    const onProgress = ({ step, signedOrder }: Progress): void => {
      store.set({ busy: WAITING[step] ?? store.get().busy });
      if (step === "signed" && signedOrder) following.signed(build, signedOrder);
    };
    try {
      if (build.approval) {
        await client().approve(build.approval, { onProgress });
        store.set({ build: { ...build, approval: null }, busy: "signing" });
      }
      following.posted(await client().submit(build, { onProgress }));
    } catch (error) {
      fail(error);
    }
  }

  function fail(error: unknown): void {
    const { stage } = store.get();
    if (isTradeError(error, "VERIFY_MISMATCH")) {
      return store.set({ busy: null, stage: "refused", refusal: error, build: null });
    }
    const failure = explain(error, store.get());
    store.set({ busy: null, failure });
    if (failure.signedOrder) return void following.check(failure.signedOrder);
    if (stage !== "progress") return;
    following.dropped();
    store.set({ stage: "review", inFlight: null });
  }

  function compose(): void {
    following.stop();
    store.set({ stage: "compose", build: null, failure: null, refusal: null, inFlight: null, order: null, busy: null });
    void pricing.refresh();
    void accounts.refresh();
  }

  /** A new price; on the review page the order is built again for it, and reviewed again. */
  async function requote(): Promise<void> {
    const reviewing = store.get().stage === "review";
    store.set({ failure: null, refusal: null, stage: reviewing ? "review" : "compose", busy: reviewing ? "building" : null });
    await pricing.refresh();
    store.set({ busy: null });
    if (reviewing && store.get().stage === "review" && !store.get().failure) await review();
  }

  function useMaximum(): void {
    const state = store.get();
    const amountText = typed(balanceOf(state, state.src) ?? "0", state.src.decimals);
    store.set({ stage: "compose", build: null, failure: null, side: "SELL", amountText });
    pricing.changed();
  }

  async function switchChain(): Promise<void> {
    try {
      await accounts.switchChain();
      store.set({ failure: null });
    } catch (error) {
      fail(error);
    }
  }

  const remedies: Record<Remedy, (failure: Failure) => void> = {
    requote: () => void requote(),
    confirm: () => void (store.get().stage === "review" ? confirm() : review()),
    switchChain: () => void switchChain(),
    useWalletAccount: () => void accounts.adopt().then(compose),
    connect: () => document.getElementById("wallet-button")?.click(),
    check: ({ signedOrder = store.get().inFlight?.signedOrder }) => void (signedOrder && following.check(signedOrder)),
    startOver: compose,
    useMaximum,
  };

  return { review, confirm, compose, remedy: (failure) => remedies[failure.remedy](failure) };
}
