// Remedies for the failures of a trade, by code and members alone: no text is read that a service or a wallet wrote.
import { membersOf } from "./module.ts";
import { isTradeError, tradeError } from "./reading.ts";
import type { TradeError } from "./types.ts";
import type { SwapFailure, SwapRemedy } from "./types/swap.ts";

/** The circumstances of a failure, where they decide about the remedy. */
export interface Circumstances {
  /** Whether a gasless order is under review, in one piece (`"order"`), in parts or slices (`"parts"`); null: something else. */
  readonly order?: "order" | "parts" | null;
  /** Whether the account has code. */
  readonly hasCode?: boolean | null;
  /** Whether a trade is under review, which can go on. */
  readonly isReviewed?: boolean;
  /** Whether nothing of it has a price, such as a cancellation. */
  readonly isUnpriced?: boolean;
  /** The loss that the user accepted, in bps. */
  readonly maxLossBps?: number | null;
}

/** A loss, in bps, from which on the costs have used the trade up. */
export const USED_UP_BPS = 9_000;
const SIGNING: readonly unknown[] = ["signing", "permitting"];
/** The errors after which a posted order may exist all the same. */
const UNANSWERED: readonly string[] = ["NETWORK", "TIMEOUT", "SERVICE_MALFORMED", "RATE_LIMITED", "ABORTED"];

/** Any thrown value as an error of this package. */
export const asTradeError = (cause: unknown): TradeError =>
  isTradeError(cause) ? cause : tradeError("an unexpected failure: see the cause", { code: "INTERNAL", cause });

/** Whether a signed order may be at the service: only a clear refusal means that it is not. */
export const isFateUnknown = ({ signedOrder, status = 0, code }: TradeError) =>
  Boolean(signedOrder) && (status >= 500 || UNANSWERED.includes(code));

/** A failure with its remedies. */
export function explain(cause: unknown, circumstances: Circumstances = {}): SwapFailure {
  const error = asTradeError(cause);
  if (isFateUnknown(error)) return { error, remedies: ["check"], isFateUnknown: true };
  const all = remediesOf(error, circumstances);
  const others = all.filter((one) => one !== "requote");
  // A signed order stays signed, whatever the service calls its refusal: the same bytes may be posted again, and another trade begins
  // with the form.
  const isPriced = !error.signedOrder && !circumstances.isUnpriced;
  return { error, remedies: isPriced ? all : others.length > 0 ? others : ["retry", "startOver"], isFateUnknown: false };
}

function remediesOf(error: TradeError, { order = null, hasCode, isReviewed, maxLossBps }: Circumstances): SwapRemedy[] {
  const { code, step, approval, lossBps, errorType, signedOrder } = error;
  switch (code) {
    case "USER_REJECTED": case "WALLET_PENDING": return ["retry"];
    case "QUOTE_EXPIRED": case "PRICE_UNJUDGED": case "INVALID_INPUT": case "SERVICE_REJECTED": case "SERVICE_MALFORMED": return ["requote"];
    case "INSUFFICIENT_BALANCE": return ["useMaximum", "startOver"];
    case "INSUFFICIENT_ALLOWANCE": return approval ? ["approve"] : ["requote"];
    case "WRONG_CHAIN": return ["switchChain"];
    case "WRONG_ACCOUNT": return ["useWalletAccount"];
    case "WALLET_FAILED":
      if (order && SIGNING.includes(step) && signsNothing(error)) return ["preSign", "retry"];
      return step === "simulating" ? ["requote"] : ["retry"];
    case "SIGNATURE_MISMATCH": return hasCode && order ? ["preSign", "retry"] : ["retry"];
    case "UNSUPPORTED_ACCOUNT": return ["connect"];
    case "ALREADY_SIGNED": return afterEarlier(error, order);
    case "JOURNAL_UNREADABLE": return [...unread(error), ...(isReviewed ? ["withoutJournal" as const] : [])];
    case "MODULE_UNAVAILABLE": case "WASM_UNAVAILABLE": return ["reload"];
    case "LOSS_TOO_HIGH": {
      const isAcceptable = lossBps !== undefined && lossBps < USED_UP_BPS && lossBps > (maxLossBps ?? 0);
      return isAcceptable ? ["acceptCosts", "startOver"] : ["startOver"];
    }
    case "VERIFY_MISMATCH": return signedOrder ? ["check"] : ["compare"];
    case "NO_ROUTE": return errorType === "GasCostExceedsTradeAmount" ? ["startOver"] : ["requote"];
    case "RATE_LIMITED": case "NETWORK": case "TIMEOUT": case "NODES_DISAGREE": return isReviewed ? ["retry", "requote"] : ["requote"];
    case "UNSUPPORTED_CHAIN": case "ABORTED": return ["startOver"];
    case "INTERNAL": return error.cause instanceof WebAssembly.RuntimeError ? ["reload"] : ["startOver"];
  }
}

/** Whether the wallet has no method that signs (EIP-1193, JSON-RPC). */
function signsNothing({ cause }: TradeError): boolean {
  const number = membersOf(cause)?.code;
  return number === 4200 || number === -32601;
}

/** An order with the nonce of the first replaces it. One in parts or slices can only be added. */
function afterEarlier({ actual = "", orderHash, questions, signedOrder }: TradeError, order: Circumstances["order"]): SwapRemedy[] {
  if (questions || actual === "under way" || actual === "in another tab") return ["retry"];
  if (actual === "may still be mined" || actual === "another was sent") return ["retry", "keepBoth"];
  // The order may have been filled, and no call has reported that yet.
  if (actual === "filled or cancelled") return signedOrder && orderHash ? ["lookUp", "keepBoth"] : ["startOver"];
  return order === "order" ? ["replace"] : ["keepBoth"];
}

/** One entry of the journal, a newer page, a storage that does not answer, or all of it. */
function unread({ actual = "" }: TradeError): SwapRemedy[] {
  if (/^(0x|LostKeyError)/.test(actual)) return ["startOver"];
  return actual === "newer" || actual.startsWith("HungError") ? ["reload"] : ["retry"];
}
