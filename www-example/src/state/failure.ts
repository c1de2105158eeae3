import { isTradeError, type Amount, type Approval, type TradeError } from "verified-swap";
import { refusalWords } from "../../../examples/review-components/src/checks.ts";
import { messages } from "../messages/en.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { readerOf } from "./checks.ts";
import { percent, rounded } from "./money.ts";
import type { Failure, Remedy, Trouble } from "./parts.ts";
import { isCrosschain, short, tokenAt, type Busy, type State } from "./state.ts";
import { USED_UP_BPS } from "./worse.ts";

const words = messages.failures;
const { buttons } = words;

/** A prompt was refused before the wallet opened: the user went elsewhere, or it is for what the page has not shown. */
export class RefusedHere extends Error {
  constructor(readonly why: "left" | "unshown") {
    super(why);
  }
}

/** Why it was refused on the page; null if it was in the wallet. */
export function whyRefusedHere(error: unknown): RefusedHere["why"] | null {
  const cause = isTradeError(error) ? error.cause : null;
  return cause instanceof RefusedHere ? cause.why : null;
}

/** Puts an error into words. Only its code and its data are read, never its message's wording. */
export function explain(error: unknown, state: State): Failure {
  if (!isTradeError(error)) return failure(words.unexpected, buttons.startAgain, "startOver");
  if (error.signedOrder && fateUnknown(error)) {
    // Submit the signed order again: the wallet is not asked twice for one order.
    if (error.signedOrder.kind !== "signedOrder") return failure(words.unanswered, buttons.sendAgain, "confirm");
    return { ...failure(words.fateUnknown, buttons.check, "check"), signedOrder: error.signedOrder };
  }
  const why = whyRefusedHere(error);
  if (why === "unshown") return failure(words.unshown, buttons.startAgain, "startOver");
  switch (why === "left" ? "USER_REJECTED" : (error.code as string)) {
    case "USER_REJECTED":
      return failure(words.rejected, AGAIN[state.busy ?? "building"] ?? buttons.again, "confirm");
    case "QUOTE_EXPIRED":
      return stalePrice();
    case "INSUFFICIENT_BALANCE":
      return notEnough(state, missing(error));
    case "INSUFFICIENT_ALLOWANCE":
      return notApproved(state, error.approval);
    case "WRONG_CHAIN":
      return failure(words.otherNetwork(state.chain.name), buttons.switchNetwork, "switchChain");
    case "WRONG_ACCOUNT":
      return failure(
        error.actual?.startsWith("0x")
          ? words.otherAccountThan(short(error.actual), short(error.expected ?? ""))
          : words.otherAccount,
        buttons.useAccount,
        "useWalletAccount",
      );
    case "WALLET_PENDING":
      return failure(words.walletPending, buttons.again, "confirm");
    case "WALLET_FAILED":
      if (state.busy === "signing" && state.build?.kind === "delta" && signsNothing(error)) return consentInstead();
      return failure(
        walletTrouble(error, state.busy),
        buttons.again,
        state.busy === "simulating" ? "requote" : "confirm",
      );
    case "SIGNATURE_MISMATCH":
      if (state.hasCode && state.build?.kind === "delta") return consentInstead();
      return failure(words.otherSigner, buttons.signAgain, "confirm");
    case "UNSUPPORTED_ACCOUNT":
      return failure(words.cannotSign, buttons.chooseAnother, "connect");
    case "ALREADY_SIGNED":
      return signedAlready(state, error);
    case "JOURNAL_UNREADABLE":
      return unreadable(state, error);
    case "MODULE_UNAVAILABLE":
      return failure(words.renewed, buttons.reload, "reload");
    case "LOSS_TOO_HIGH":
      return costly(state, error);
    case "PRICE_UNJUDGED":
      return requote(words.unjudged, words.nothingSigned);
    case "VERIFY_MISMATCH":
      return { ...failure(mismatch(error, state), buttons.compare, "compare"), refusal: error };
    case "NO_ROUTE":
      return error.errorType === "GasCostExceedsTradeAmount"
        ? tooSmall(state, words.tooSmall.gas)
        : requote(words.noPrice, words.noPriceHelp);
    case "RATE_LIMITED":
      return requote(words.rateLimited, words.nothingSigned);
    case "NETWORK":
    case "TIMEOUT":
      return navigator.onLine
        ? requote(words.noAnswer, words.nothingSigned)
        : offline(state.quote !== null);
    case "NODES_DISAGREE":
      return requote(words.nodesDisagree);
    case "SERVICE_REJECTED":
      if (error.requote || error.action === "requote") return stalePrice();
      // Whatever it says of it: it refused nothing.
      if ((error.status ?? 0) >= 500)
        return requote(words.broken(error.status ?? 0), words.nothingSigned);
      return requote(
        words.refused(plain(error.details ?? error.errorType ?? words.noReason)),
        error.signedOrder ? undefined : words.nothingSigned,
      );
    case "SERVICE_MALFORMED":
      return requote(words.unreadable);
    case "UNSUPPORTED_CHAIN":
      return requote(words.noSwaps(state.chain.name));
    case "INVALID_INPUT": {
      if (error.action === "rebuild") return stalePrice();
      const field = error.field ?? words.theRequest;
      return requote(error.expected ? words.wrongInputThan(field, plain(error.expected)) : words.wrongInput(field));
    }
    default:
      return failure(words.unexpected, buttons.startAgain, "startOver");
  }
}

export function notEnough(state: State, amount: Amount | null): Failure {
  const { symbol, decimals } = sourceOf(state);
  const more =
    amount === null ? words.moreOf(symbol) : words.sumMore(`${rounded(amount, decimals, "up")} ${symbol}`);
  const other = state.build?.kind === "transaction";
  return other
    ? failure(words.notEnough(more), buttons.startAgain, "startOver")
    : failure(words.notEnough(more), buttons.useMaximum, "useMaximum");
}

/** An order with the same nonce replaces the first. An order in parts or slices can only be added. */
function signedAlready({ build }: State, { actual, orderHash, questions, signedOrder }: TradeError): Failure {
  if (questions) return { ...failure(words.maybeSent, buttons.sendAgain, "confirm"), questions };
  if (actual === "under way" || actual === "in another tab") return underWay();
  const other = { button: buttons.another, remedy: "another" } as const;
  const sent = { "may still be mined": words.sentBefore, "another was sent": words.anotherBefore }[actual ?? ""];
  if (sent) return { ...failure(sent, buttons.lookAgain, "confirm"), other: { ...other, button: buttons.sendBoth } };
  if (actual === "filled or cancelled") {
    // Nobody was told how it ended: that it may have been filled is no reason to trade once more.
    if (signedOrder && orderHash) return { ...failure(words.endedUntold, buttons.lookUp, "lookUp"), orderHash, other };
    // There is nothing to replace, so the user is asked anew whether to trade.
    return failure(words.signedAndOver, buttons.startAgain, "startOver");
  }
  const stays = build?.kind === "delta" && (build.twap !== undefined || build.orderKind === "FillableOrder");
  return stays
    ? failure(words.signedAndAdds, buttons.another, "another")
    : failure(words.signedAndReplaced, buttons.replace, "replace");
}

/** What was traded here before is not known. Only who knows that may go on, and only with what is under review. */
function unreadable({ stage, build }: State, { actual }: TradeError): Failure {
  const first = /^(0x|LostKeyError)/.test(actual ?? "")
    ? failure(words.journalEntry, buttons.toForm, "startOver")
    : actual === "newer"
      ? failure(words.newerPage, buttons.reload, "reload")
      : actual?.startsWith("HungError")
        ? failure(words.journalHangs, buttons.reload, "reload")
        : failure(words.journalUnreadable, buttons.again, "confirm");
  const other = { button: buttons.withoutJournal, remedy: "withoutJournal" } as const;
  return { ...first, consequence: words.journalUnknown, ...(stage === "review" && build ? { other } : {}) };
}

/** The trade is too small. */
function tooSmall(state: State, why: string): Failure {
  const { orFewer, tradeMore } = words.tooSmall;
  const say = state.tab === "twap" ? orFewer : tradeMore;
  return { ...failure(say(why), buttons.toForm, "startOver"), ofAmount: true };
}

/** It can be traded all the same by who knows it, unless costs take all. */
function costly(state: State, { lossBps, costBps }: TradeError): Failure {
  const small = tooSmall(state, costWords(state, costBps ?? 0));
  const isAccepted = lossBps !== undefined && lossBps <= (state.mostLostBps ?? 0);
  if (lossBps === undefined || lossBps >= USED_UP_BPS || isAccepted) return small;
  return { ...small, button: buttons.acceptCosts, remedy: "acceptCosts", lossBps };
}

/** `Gas takes 30 % of this`. */
function costWords(state: State, costBps: number): string {
  const share = percent(Math.round(costBps / 100) * 100);
  return words.tooSmall.takes(
    isCrosschain(state) ? "gasAndBridge" : "gas",
    share,
    state.tab === "twap" ? "slice" : "this",
  );
}

/** A check that failed before the review: of a price or a list. */
function mismatch(error: TradeError, state: State): string {
  const { name, received } = refusalWords(error, readerOf(state, error.report));
  return error.field === "quote.loss" ? words.lossTooHigh(received) : words.changed(name);
}

function consentInstead(): Failure {
  return failure(words.consentInstead, buttons.consent, "consent");
}

/** Whether the wallet does not know how to sign (EIP-1193: unsupported method; JSON-RPC: no such method). */
export function signsNothing({ code, cause }: TradeError): boolean {
  const number = (cause as { code?: unknown } | undefined)?.code;
  return code === "WALLET_FAILED" && (number === 4200 || number === -32601);
}

/** An approval is missing, and the button makes it. If it is not known which, the order is built again. */
function notApproved(state: State, approval?: Approval): Failure {
  if (!approval) return failure(words.notApproved(sourceOf(state).symbol), buttons.approveAgain, "requote");
  const { symbol, decimals } = tokenAt(state.chains, approval.chainId, approval.token);
  const sum = `${rounded(approval.amount, decimals, "up")} ${symbol}`;
  const spender = approval.spender === state.chain.permit2 ? "Permit2" : short(approval.spender);
  return { ...failure(words.spenderNotApproved(spender, sum), buttons.approve(sum), "approve"), approval };
}

/** The token that is spent: by the build under review, else by the form. */
function sourceOf({ build, pair, src }: State): Token {
  return (build && pair?.src) || src;
}

/** Of a price that is shown, and of what is asked for without one. */
export function offline(isPriced: boolean): Failure {
  return requote(words.offline, isPriced ? words.lastPrice : words.backOnline);
}

/** A trouble in full. */
export function troubleWords({ message, consequence }: Trouble): string {
  return consequence ? `${message} ${consequence}` : message;
}

/** A price that the chain contradicts: it is not built, and what differs can be seen. */
export function lowPrice({ quote, tab }: State): Failure | null {
  const reference = quote?.reference;
  if (tab === "limit" || !reference || reference === "pending" || reference.verdict !== "mismatch") return null;
  return failure(messages.prices.low(percent(reference.belowBps ?? 0)), buttons.compare, "compare");
}

/** The wallet is still open for the same. */
export function underWay(): Failure {
  return failure(words.elsewhere, buttons.again, "confirm");
}

export function unconnected(): Failure {
  return failure(messages.form.standing.connect, messages.form.standing.connectButton, "connect");
}

export function stalePrice(): Failure {
  return failure(words.stalePrice, buttons.refresh, "requote");
}

const AGAIN: Partial<Record<Busy, string>> = {
  signing: buttons.signAgain,
  permitting: buttons.signAgain,
  presigning: buttons.sendAgain,
  sending: buttons.sendAgain,
  approving: buttons.approveAgain,
  resetting: buttons.approveAgain,
};

function walletTrouble({ actual }: TradeError, busy: Busy | null): string {
  const { walletDid } = words;
  if (busy === "simulating") return walletDid.notSimulate(actual ? plain(actual) : "");
  if (busy === "signing" || busy === "permitting") return walletDid.notSign;
  if (busy === "cancelling") return walletDid.notCancel;
  if (busy === "confirming") return walletDid.revert;
  return busy === "sending" || busy === "presigning" ? walletDid.notSend : walletDid.notApprove;
}

/** Once the signed order was sent, only a clear refusal means that it does not exist. */
function fateUnknown(error: TradeError): boolean {
  if (error.status !== undefined && error.status >= 500) return true;
  return ["NETWORK", "TIMEOUT", "SERVICE_MALFORMED", "RATE_LIMITED", "ABORTED"].includes(error.code);
}

/** The service's own words: shortened, without invisible or direction-changing characters. */
function plain(text: string): string {
  return text.replace(/\p{C}/gu, "").replace(/\.$/, "").slice(0, 120);
}

function missing({ expected, actual }: TradeError): Amount | null {
  if (!/^\d+$/.test(expected ?? "") || !/^\d+$/.test(actual ?? "")) return null;
  const difference = BigInt(expected!) - BigInt(actual!);
  return difference > 0n ? difference.toString() : null;
}

/** Asking again may help. */
function requote(message: string, consequence?: string): Failure {
  return { ...failure(message, buttons.again, "requote"), ...(consequence ? { consequence } : {}) };
}

function failure(message: string, button: string, remedy: Remedy): Failure {
  return { message, button, remedy };
}
