import { isTradeError, type Amount, type Approval, type TradeError } from "verified-swap";
import { percent, rounded } from "./money.ts";
import type { Failure, Remedy } from "./parts.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { isCrosschain, short, tokenAt, type Busy, type State } from "./state.ts";
import { refusalWords } from "../view/refusal-words.ts";

/** Puts an error into words. Only its code and its data are read, never its message's wording. */
export function explain(error: unknown, state: State): Failure {
  if (!isTradeError(error)) return failure("Something went wrong on this page.", "Start again", "startOver");
  if (error.signedOrder && fateUnknown(error)) {
    // Submit the signed order again: the wallet is not asked twice for one order.
    if (error.signedOrder.kind !== "signedOrder")
      return failure("Signed, but the service does not answer.", "Send again", "confirm");
    return {
      ...failure("Sent, but no answer yet. Do not sign again; we are checking.", "Check now", "check"),
      signedOrder: error.signedOrder,
    };
  }
  switch (error.code) {
    case "USER_REJECTED":
      return failure(
        "Rejected in your wallet. Nothing was sent.",
        AGAIN[state.busy ?? "building"] ?? "Try again",
        "confirm",
      );
    case "QUOTE_EXPIRED":
      return stalePrice();
    case "INSUFFICIENT_BALANCE":
      return notEnough(state, missing(error));
    case "INSUFFICIENT_ALLOWANCE":
      return notApproved(state, error.approval);
    case "WRONG_CHAIN":
      return failure(
        `Your wallet is on another network; this swap is on ${state.chain.name}.`,
        "Switch network",
        "switchChain",
      );
    case "WRONG_ACCOUNT":
      return failure(
        error.actual?.startsWith("0x")
          ? `Your wallet is on ${short(error.actual)}; this order is for ${short(state.account ?? "")}.`
          : "Your wallet is on another account than this order.",
        "Use the wallet’s account",
        "useWalletAccount",
      );
    case "WALLET_PENDING":
      return failure("Your wallet has an open request. Answer it there first.", "Try again", "confirm");
    case "WALLET_FAILED":
      if (state.busy === "signing" && state.build?.kind === "delta" && signsNothing(error)) return consentInstead();
      return failure(
        walletTrouble(error, state.busy),
        "Try again",
        state.busy === "simulating" ? "requote" : "confirm",
      );
    case "SIGNATURE_MISMATCH":
      if (state.hasCode && state.build?.kind === "delta") return consentInstead();
      return failure("That signature is from another account. Nothing was sent.", "Sign again", "confirm");
    case "UNSUPPORTED_ACCOUNT":
      return failure("This account cannot sign for this order.", "Choose another wallet", "connect");
    case "ALREADY_SIGNED":
      return signedAlready(state, error);
    case "LOSS_TOO_HIGH":
      return tooSmall(state, costWords(state, error.costBps ?? 0));
    case "VERIFY_MISMATCH":
      return { ...failure(mismatch(error, state), "See what differs", "compare"), refusal: error };
    case "NO_ROUTE":
      return error.errorType === "GasCostExceedsTradeAmount"
        ? tooSmall(state, "This amount is less than its network cost")
        : failure("No price for this swap right now.", "Try again", "requote");
    case "RATE_LIMITED":
      return failure("The service is busy and asks us to wait.", "Try again", "requote");
    case "NETWORK":
    case "TIMEOUT":
      return navigator.onLine
        ? failure("The service does not answer.", "Try again", "requote")
        : failure("You are offline.", "Try again", "requote");
    case "NODES_DISAGREE":
      return failure("Two nodes disagree about the chain. Nothing was sent.", "Try again", "requote");
    case "SERVICE_REJECTED":
      if (error.requote || error.action === "requote") return stalePrice();
      return failure(
        `The service refused: ${plain(error.details ?? error.errorType ?? "no reason given")}.`,
        "Try again",
        "requote",
      );
    case "SERVICE_MALFORMED":
      return failure("The service’s answer cannot be read. Nothing was sent.", "Try again", "requote");
    case "UNSUPPORTED_CHAIN":
      return failure(`Swaps are not offered on ${state.chain.name}.`, "Try again", "requote");
    case "INVALID_INPUT": {
      const expected = error.expected ? `: expected ${plain(error.expected)}` : "";
      return failure(`Something is wrong with ${error.field ?? "the request"}${expected}.`, "Try again", "requote");
    }
    default:
      return failure("Something went wrong on this page.", "Start again", "startOver");
  }
}

export function notEnough(state: State, amount: Amount | null): Failure {
  const { symbol, decimals } = sourceOf(state);
  const more = amount === null ? `more ${symbol}` : `${rounded(amount, decimals, "up")} ${symbol} more`;
  const other = state.build?.kind === "otc" || state.build?.kind === "transaction";
  return other
    ? failure(`You need ${more}.`, "Start again", "startOver")
    : failure(`You need ${more}.`, "Use maximum", "useMaximum");
}

/** An order with the same nonce replaces the first. An order in parts or slices can only be added. */
function signedAlready({ build }: State, { actual }: TradeError): Failure {
  // There is nothing to replace, so the user is asked anew whether to trade.
  if (actual === "filled or cancelled")
    return failure("This order was filled or cancelled meanwhile. Nothing was signed.", "Start again", "startOver");
  const stays = build?.kind === "delta" && (build.twap !== undefined || build.orderKind === "FillableOrder");
  return stays
    ? failure(
        "You already signed this order, and it may still be filled. If you sign another, both may be filled.",
        "Review another",
        "another",
      )
    : failure(
        "You already signed this order, and it may still be filled. If you sign in its place, only one fills.",
        "Sign in its place",
        "replace",
      );
}

/** The trade is too small. No button helps. */
function tooSmall(state: State, why: string): Failure {
  const market = state.tab === "swap" && state.path === "fallback" && !isCrosschain(state);
  const help = state.tab === "twap" ? "trade more, or in fewer" : market ? "trade more, or use Market" : "trade more";
  return { ...failure(`${why}: ${help}.`, "Back to the form", "startOver"), ofAmount: true };
}

/** `Gas takes 30 % of this`. */
function costWords(state: State, costBps: number): string {
  const takers = isCrosschain(state) ? "Gas and bridge take" : "Gas takes";
  return `${takers} ${percent(Math.round(costBps / 100) * 100)} of ${state.tab === "twap" ? "each slice" : "this"}`;
}

/** A check that failed before the review: of a price or a list. */
function mismatch(error: TradeError, state: State): string {
  const { name, received } = refusalWords(error, state);
  return error.field === "quote.loss"
    ? `This price loses too much (${received}). It is not used.`
    : `The service changed the ${name}. Its answer is not used.`;
}

function consentInstead(): Failure {
  return failure("This account cannot sign. Consent by a transaction instead.", "Consent on chain", "consent");
}

/** Whether the wallet does not know how to sign (EIP-1193: unsupported method; JSON-RPC: no such method). */
export function signsNothing({ code, cause }: TradeError): boolean {
  const number = (cause as { code?: unknown } | undefined)?.code;
  return code === "WALLET_FAILED" && (number === 4200 || number === -32601);
}

/** An approval is missing, and the button makes it. If it is not known which, the order is built again. */
function notApproved(state: State, approval?: Approval): Failure {
  if (!approval)
    return failure(`${sourceOf(state).symbol} is not approved for this amount.`, "Approve again", "requote");
  const { symbol, decimals } = tokenAt(state.chains, approval.chainId, approval.token);
  const sum = `${rounded(approval.amount, decimals, "up")} ${symbol}`;
  const spender = approval.spender === state.chain.permit2 ? "Permit2" : short(approval.spender);
  return { ...failure(`${spender} may not take ${sum} yet.`, `Approve ${sum}`, "approve"), approval };
}

/** The token that is spent: by the build under review, else by the form. */
function sourceOf({ build, pair, src }: State): Token {
  return (build && pair?.src) || src;
}

export function stalePrice(): Failure {
  return failure("This price is 30 s old.", "Refresh", "requote");
}

const AGAIN: Partial<Record<Busy, string>> = {
  signing: "Sign again",
  permitting: "Sign again",
  presigning: "Send again",
  sending: "Send again",
  approving: "Approve again",
  resetting: "Approve again",
};

function walletTrouble({ actual }: TradeError, busy: Busy | null): string {
  if (busy === "simulating")
    return `This transaction would fail${actual ? ` (${plain(actual)})` : ""}. It was not sent.`;
  if (busy === "signing" || busy === "permitting") return "Your wallet could not sign. Nothing was sent.";
  if (busy === "confirming") return "Your transaction reverted or was lost.";
  return busy === "sending" || busy === "presigning"
    ? "Your wallet could not send the transaction."
    : "Your wallet could not send the approval.";
}

/** Once the signed order was sent, only a clear refusal means that it does not exist. */
function fateUnknown(error: TradeError): boolean {
  if (error.status !== undefined && error.status >= 500) return true;
  return ["NETWORK", "TIMEOUT", "SERVICE_MALFORMED", "RATE_LIMITED", "ABORTED"].includes(error.code);
}

/** The service's own words: shortened, without invisible or direction-changing characters. */
function plain(words: string): string {
  return words.replace(/\p{C}/gu, "").replace(/\.$/, "").slice(0, 120);
}

function missing({ expected, actual }: TradeError): Amount | null {
  if (!/^\d+$/.test(expected ?? "") || !/^\d+$/.test(actual ?? "")) return null;
  const difference = BigInt(expected!) - BigInt(actual!);
  return difference > 0n ? difference.toString() : null;
}

function failure(message: string, button: string, remedy: Remedy): Failure {
  return { message, button, remedy };
}
