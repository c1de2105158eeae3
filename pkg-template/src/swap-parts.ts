// The parts of the controller, as they see each other: the form and its trade (swap.ts), and what the account traded
// before (swap-activity.ts).
import type { Observed } from "./observed.ts";
import type { Known } from "./swap-entries.ts";
import type { Client, Eip1193Provider, TradeProgress } from "./types.ts";
import type { Swap, SwapRemedy, SwapReview, SwapState } from "./types/swap.ts";

/** The state of the controller: `set` replaces it by one with these members changed. */
export type Store = Observed<SwapState>;

/** The work behind the shown review: a trade, or a cancellation. */
export interface Task {
  /** The user agrees to the shown review, or to its held prompt. `accept`: the ids of the answered questions. */
  confirm(accept: readonly string[]): void;
  /** Does what may help after `state.failure`. */
  remedy(remedy: SwapRemedy, accept: readonly string[]): void;
  /** The user left the review. Nothing more is asked of the wallet; what it has goes on. */
  leave(): void;
}

/** The controller, as the activity uses it. */
export interface ActivityHost {
  readonly store: Store;
  /** The client of the account now; null until it is made, and after its end. Without an account it can only read. */
  client(): Client | null;
  /** The wallet, whose node has the receipts of what it sent; null without one. */
  provider(): Eip1193Provider | null;
  /** Shows a review of the activity (view `"review"`), which replaces what was shown. False: a prompt is open, and nothing is shown. */
  show(review: SwapReview, task: Task): boolean;
  /** Leaves a review that is over, for the entry of that id, or for the form. */
  end(id?: string): void;
  /** Reads the balances again: an order has changed, or a transaction has ended. */
  readBalances(): void;
}

/** One account with its client: the work on its trades ends with `signal`. */
export interface Work {
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly known: Known;
}

/** Trades of the account; `createActivity(host)` makes it. It alone sets `state.activity`, and keeps `state.entry` up to date. */
export interface Activity extends Pick<Swap, "open" | "cancel" | "withdraw" | "resume" | "abandon" | "loadMore"> {
  /** Begins anew: with the first client, and whenever the account is another one. */
  restart(): void;
  /**
   * A trade of the form, at each of its steps from the signature, or the sent transaction, to its end. `isShown`: the user
   * waits for it, and from `posted` or `sent` on its entry is shown (view `"entry"`). `route`: same as `SwapForm.route`.
   */
  follow(progress: TradeProgress, isShown: boolean, route: number | null): void;
  /** Reads again how much is deposited. */
  readDeposit(): void;
  /** Does what may help after the failure of the shown entry. */
  remedy(remedy: SwapRemedy, accept: readonly string[]): void;
  /** Resolves once nothing is at work any more. */
  close(): Promise<unknown>;
}
