import type { AccountQuery } from "./info.ts";
import type { Address, AmountInput, Hex } from "./values.ts";
import type { OnPrompt } from "./prompt.ts";
import type { CallOptions } from "./client.ts";
import type { QuoteRequest, TwapRequest } from "./request.ts";
import type { BuildOptions, DeltaBuild, MarketBuild, TransactionBuild } from "./build.ts";
import type { HardwareScreen } from "./report.ts";
import type { Permit } from "./approvals.ts";
import type { OtcBuild, OtcRequest, SignedOtcOrder } from "./otc.ts";
import type { TradeBuild } from "./trades.ts";

/** Options of every call that opens a prompt. */
export interface PromptOptions extends CallOptions {
  /** Same as `ClientOptions.onPrompt`, for this call. */
  onPrompt?: OnPrompt | undefined;
  /** Called at each step. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A consent to an order other than by the wallet's signature: one of the two, or none. */
export type StatedConsent =
  | {
      /**
       * A signature made elsewhere over `build.typedData`: 64 or 65 bytes, of an account with code any number. No wallet is
       * asked.
       */
      signature: Hex;
      preSign?: false | undefined;
    }
  | {
      signature?: undefined;
      /**
       * Record the order's hash on chain by a transaction (`setPreSignature`) instead of signing: for accounts that cannot
       * sign typed data, or whose signature the chain refuses. Costs gas. Default false.
       */
      preSign?: boolean | undefined;
    };

/** Options of `submit`, beside its `StatedConsent`. */
export interface SubmitOptions extends PromptOptions {
  /**
   * The request of the order, with your own bounds: `minReceived`, for a BUY also `maxSpent`; an `OtcRequest` has no bounds beside its amounts. Needed only for a
   * `Trade.build`, because the journal vouches for nothing, and for a signed order from elsewhere that needs a deposit.
   * Without a `deadline` here, the order's may be at most 24 hours ahead.
   */
  request?:
    | ((QuoteRequest | TwapRequest) &
        Pick<BuildOptions, "minReceived" | "maxSpent" | "minBridgeInput" | "acceptUnguaranteedArrival"> & {
          /** The latest deadline that the order may have, unix seconds. */
          deadline?: number | undefined;
        })
    | OtcRequest
    | undefined;
  /**
   * The choice if an order for the same trade is signed and may still be filled on chain, whatever the service reports.
   * `"replace"` signs a build of the same nonce (any, unless it was built for `"keepBoth"`); `"keepBoth"` signs one
   * that was built with that word. Default: as `build` was called, else ALREADY_SIGNED. See `existing` of `build`. For
   * a transaction only `"keepBoth"`: it is sent while one for the same trade may still be mined.
   */
  existing?: "replace" | "keepBoth" | undefined;
  /** OTC only: a permit posted with the order in place of the maker's approval (`eip2612`). A taker's fill uses it. */
  permit?: Permit | undefined;
  /**
   * Same as in `AdvancedClientOptions`. If the wallet takes several calls together, a missing approval goes with the
   * transaction, for exactly what the trade may spend. Then a gasless order is consented to on chain, in the same
   * prompt.
   */
  batch?: "auto" | "never" | undefined;
  /**
   * The ids of those `report.questions` of this build that the user answered with yes. Without all of them:
   * PRICE_UNJUDGED. Never pass them without having asked.
   */
  accept?: string[] | undefined;
  /**
   * The user goes on though the journal cannot be read or written (JOURNAL_UNREADABLE), for this one call: signatures
   * for the same trade in an earlier page or another tab may not be known, and a reload forgets this trade. A gasless
   * order is first compared with the account's open orders at the service. Default false.
   */
  withoutJournal?: boolean | undefined;
}

/** Input of `submit`. */
export type Submittable =
  DeltaBuild | MarketBuild | TransactionBuild | OtcBuild | SignedOrder | SignedOtcOrder | TradeBuild;

/** A step of a call, as passed to `onProgress`. */
export interface Progress {
  /** The current step, or the last one. */
  step: "checking" | "signing" | "signed" | "posting" | "posted" | "resetting" | "approving" | "confirming" | "approved"
    | "simulating" | "sending" | "sent" | "presigning";
  /** A transaction hash, where one was sent. */
  transaction?: Hex | undefined;
  /** The wallet's id, where calls were sent together. */
  batch?: string | undefined;
  /**
   * Present from "signed" on, also at "confirming" of the approval that it waits for, and at that of a pre-signature.
   * Keep it: `submit` takes it back (a pre-signature's once that is in a block).
   */
  signedOrder?: SignedOrder | SignedOtcOrder | undefined;
  /**
   * At "signed" and "sent": whether the journal has it on disk ("stored"), or only this page knows it ("memory"), for
   * lack of a storage, or because it took longer than half a second.
   */
  journal?: "stored" | "memory" | undefined;
  /** At "signing": the display of a hardware wallet. For orders it is also in `build.report`. */
  hardware?: HardwareScreen | undefined;
}

/** A signed order. `submit` accepts it again, so nothing signed is lost. */
export interface SignedOrder {
  /** Tells it from a build. */
  kind: "signedOrder";
  /** The chain of the order. */
  chainId: number;
  /** Who signed. */
  owner: Address;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** Until when it may be filled, unix seconds. */
  deadline: number;
  /**
   * As it is posted: compact for an account without code, the account's own bytes for one with code, `0x` for a
   * pre-signature.
   */
  signature: Hex;
  /** The order, verbatim. Pass it on untouched. */
  sealed: string;
}

/** A transaction that was sent, or calls that were sent together. */
export interface SentTransaction {
  /** Tells it from an order. */
  kind: "sent";
  /** The chain. */
  chainId: number;
  /** The sender. */
  from: Address;
  /** Transaction hash; null for calls that were sent together, until the wallet names a transaction that has them. */
  hash: Hex | null;
  /** The wallet's id of calls that were sent together (EIP-5792); null for a transaction. */
  batch: string | null;
  /** The sender's nonce; null until `watch` or `wait` has read it. A replacement has the same. */
  nonce: number | null;
  /**
   * `REPLACED`: another transaction with this nonce was read in a block. `DROPPED`: the node no longer knows it. `PARTIAL`: some
   * of the calls that were sent together reverted, which a wallet that keeps its word does not let happen. `FAILED`
   * without a `hash`: the wallet sent nothing, and will not. `FOREIGN`: an account without code was asked, and the hash
   * that its wallet named is another account's transaction, or one to another contract or with other calldata. The trade
   * has not failed by that: it stands in the way of the same one until the user decides (`existing: "keepBoth"`,
   * `trades.abandon`).
   */
  status: "PENDING" | "COMPLETED" | "FAILED" | "REPLACED" | "DROPPED" | "PARTIAL" | "FOREIGN";
  /** The block it was mined in; null before. */
  blockNumber: number | null;
  /**
   * How many of the sender's earlier nonces are in no block yet, while it is `PENDING` and there are any: they go first. If
   * the wallet shows no transaction for one of them, there is a gap, and this one waits until the wallet fills it.
   */
  waitsFor?: number;
}

/** Options of `watch` and `wait`. */
export interface WatchOptions extends CallOptions {
  /** The pause after a change, in ms, 50 to 3,600,000; it grows to `maxIntervalMs`. Default 2000. */
  intervalMs?: number | undefined;
  /** The longest pause, in ms, up to 3,600,000. Default 55 000; in the five minutes after a change 15 000 at most. */
  maxIntervalMs?: number | undefined;
}

/** All orders of an account, as `watch` takes it. */
export interface WatchedAccount {
  /** The owner of the orders. */
  account: Address;
  /** Only orders whose source is on these chains. Default: all. */
  chainId?: number | number[] | undefined;
}

/** Options of `buildWithdrawal`. */
export interface WithdrawalRequest extends AccountQuery {
  /** Raw units (wei) to unwrap. */
  amount: AmountInput;
}
