import type { Hex } from "./values.ts";
import type { Question, Report } from "./report.ts";
import type { Approval } from "./permit.ts";
import type { SignedOrder, SignedOtcOrder, TradeStep } from "./signed.ts";

/** The error codes; docs/errors.md explains each. */
export type ErrorCode =
  | "INVALID_INPUT" | "UNSUPPORTED_CHAIN" | "NO_ROUTE" | "QUOTE_EXPIRED" | "VERIFY_MISMATCH" | "LOSS_TOO_HIGH" | "PRICE_UNJUDGED"
  | "SIGNATURE_MISMATCH" | "USER_REJECTED" | "WRONG_CHAIN" | "WRONG_ACCOUNT" | "WALLET_PENDING" | "WALLET_FAILED"
  | "UNSUPPORTED_ACCOUNT" | "ALREADY_SIGNED" | "JOURNAL_UNREADABLE" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_ALLOWANCE" | "RATE_LIMITED"
  | "SERVICE_REJECTED" | "SERVICE_MALFORMED" | "NODES_DISAGREE" | "NETWORK" | "TIMEOUT" | "ABORTED"
  | "WASM_UNAVAILABLE" | "MODULE_UNAVAILABLE" | "INTERNAL";

/**
 * The remedy for an error. `"rebuild"`: another client made it, or this page before a reload; quote or build again. At
 * `build.permit`: its permit is used, and the allowance suffices; build again without one. `"reload"`: of the page, whose
 * files are gone.
 */
export type ErrorAction = "requote" | "rebuild" | "approve" | "switchChain" | "changeAmount" | "retry" | "reload" | "none";

/** Every error this package throws. Recognise it with `isTradeError`, not with instanceof. */
export interface TradeError extends Error {
  /** Always `"TradeError"`. */
  name: "TradeError";
  /** The failure; docs/errors.md explains each code. */
  code: ErrorCode;
  /** The remedy for an error. */
  action: ErrorAction;
  /** Path of the input, option or payload member that is wrong. With NO_ROUTE: the member to change, to `expected`; where
   * it is `request.amount`, `action` is `"changeAmount"`, and `actual` the amount in raw and in whole units. */
  field?: string | undefined;
  /** The expected value, as text. */
  expected?: string | undefined;
  /** The actual value, as text. */
  actual?: string | undefined;
  /** HTTP status of the service's answer. */
  status?: number | undefined;
  /** The service's own error type, unchanged. */
  errorType?: string | undefined;
  /** The service's own details, unchanged. */
  details?: string | undefined;
  /** Whether a new quote helps. */
  requote?: boolean | undefined;
  /** Seconds to wait, if the service states them. */
  retryAfterSecs?: number | undefined;
  /** With LOSS_TOO_HIGH: the loss, as a share of the given amount, by the dollar values, in bps. */
  lossBps?: number | undefined;
  /** With LOSS_TOO_HIGH: the part of that loss that is the service's costs, in bps. */
  costBps?: number | undefined;
  /**
   * With ALREADY_SIGNED: the earlier order; `signedOrder` is there too if no call has said yet that it was posted.
   * `actual` is `may still be filled` (a transaction: `mined`; or `another was sent`, see `FOREIGN`), or `filled or cancelled`: then there is nothing to
   * replace, or no call has said yet how it ended; while a call is at work on it `under way`, or `in another tab`.
   */
  orderHash?: Hex | undefined;
  /**
   * The order that was signed before this error. It may be filled until its `deadline`; `submit(signedOrder)` goes on.
   */
  signedOrder?: SignedOrder | SignedOtcOrder | undefined;
  /** From `trade`: the step that failed. */
  step?: TradeStep | undefined;
  /** Every check, if a verification failed. */
  report?: Report | undefined;
  /** With PRICE_UNJUDGED, and a transaction's ALREADY_SIGNED: the questions that were not answered. */
  questions?: Question[] | undefined;
  /**
   * With INSUFFICIENT_ALLOWANCE of `submit` and `signPermit`: the input of `approve` now. Absent with
   * `permit2Existing`, and if the chain says that the allowance suffices.
   */
  approval?: Approval | undefined;
  /** The wallet's or network's original error, untouched. */
  cause?: unknown | undefined;
}

/** Whether a caught value is an error of this package, and of that code if one is given. */
export declare function isTradeError(error: unknown): error is TradeError;
export declare function isTradeError<C extends ErrorCode>(error: unknown, code: C): error is TradeError & { code: C };
