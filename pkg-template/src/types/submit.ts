import type { Address, AmountInput, CallOptions, Hex } from "./values.ts";
import type { Permit } from "./permit.ts";
import type { Progress, SignedOrder, SignedOtcOrder, TradeBuild } from "./signed.ts";
import type { OnPrompt } from "./prompt.ts";
import type { QuoteRequest, TwapRequest } from "./request.ts";
import type { BuildOptions, DeltaBuild, MarketBuild, TransactionBuild } from "./build.ts";
import type { AccountQuery } from "./info.ts";
import type { OtcBuild, OtcRequest } from "./otc.ts";

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
   * transaction, for what the trade and open orders may spend. Then a gasless order is consented to on chain, in the same
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
