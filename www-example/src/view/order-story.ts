import { isTerminal, summarizeOrder, type Order } from "verified-swap";
import { messages } from "../messages/en.ts";
import { approvalsOf } from "../state/history.ts";
import { rate, rounded } from "../state/money.ts";
import type { Errand, InFlight, OrderErrand, Sent } from "../state/parts.ts";
import { resultOfOrder, resultOfSent } from "../state/results.ts";
import { chainName, isNative, nameChains, short, tokenAt, type State } from "../state/state.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { isWaiting, orderWords, statusWords } from "./order-words.ts";
import { gainWords } from "./result.tsx";
import type { Stop } from "./timeline.tsx";

/* The progress of an order or a transaction, in words and as a timeline. */

const texts = messages.progress;

export function titleOf({ order, inFlight: { resting, postedAt, consent } }: OrderErrand): string {
  if (consent) return texts.title.consent;
  if (!order && postedAt === null) return texts.title.signed;
  if (order && isTerminal(order)) return statusWords(order.status);
  if (order?.unseenSince) return texts.title.placed;
  return resting ? texts.title.placed : texts.title.onItsWay;
}

export function standing({ order, inFlight: { resting, postedAt } }: OrderErrand): string {
  if (!order) return postedAt === null ? texts.standing.posting : texts.standing.reading;
  if (isTerminal(order)) return "";
  if (order.unseenSince) return texts.standing.unseen;
  return resting ? texts.standing.open : texts.standing.goesOn;
}

export function sentenceOf(state: State, { id, order, inFlight }: OrderErrand): string {
  const { chains } = state;
  const { owner, beneficiary, signedOrder } = inFlight;
  const src = tokenAt(chains, inFlight.chainId, inFlight.srcToken);
  const dest = tokenAt(chains, inFlight.destChainId, inFlight.destToken);
  const there = inFlight.destChainId === inFlight.chainId ? "" : texts.story.on(chainName(state, inFlight.destChainId));
  // A deposit, or a consent on chain, costs gas.
  const isFree = !isNative(src) && signedOrder?.signature !== "0x";
  const summary = order && summarizeOrder(order);
  if (
    summary &&
    (order.status === "COMPLETED" || (summary.isTerminal && summary.received !== "0" && order.refunds.length === 0))
  ) {
    if (summary.received === "0" || summary.spent === "0") return texts.story.settled(src.symbol, dest.symbol);
    const at = beneficiary === owner ? "" : texts.story.at(short(beneficiary));
    const [paid, got] = [rounded(summary.spent, src.decimals, "up"), rounded(summary.received, dest.decimals, "down")];
    return texts.story.became(`${paid} ${src.symbol}`, `${got} ${dest.symbol}`, there + at);
  }
  const refund = order?.refunds[0];
  if (refund) {
    const back = tokenAt(chains, refund.chainId, refund.token);
    const returned = `${rounded(refund.amount, back.decimals, "down")} ${back.symbol}`;
    return texts.story.returned(returned, chainName(state, refund.chainId));
  }
  if (summary?.isTerminal)
    return isFree && approvalsOf(state, id).length === 0 ? texts.story.nothingFree : texts.story.nothing;
  const to = beneficiary === owner ? "" : texts.story.to(short(beneficiary));
  const limit = order && !order.unseenSince && isWaiting(order) && there === "" ? limitOf(order, src, dest) : null;
  const now = limit ? texts.story.waits(limit) : nowWords(order, isFree);
  return `${texts.story.swapping(src.symbol, dest.symbol, there + to)} ${now}`;
}

/** The price of a limit order, as it was signed. */
function limitOf({ order }: Order, src: Token, dest: Token): string | null {
  const [paid, got] = [String(order["srcAmount"]), String(order["destAmount"])];
  if (!/^\d+$/.test(paid + got)) return null;
  return rate({ ...src, amount: paid }, { ...dest, amount: got })?.rounded ?? null;
}

function nowWords(order: Order | null, isFree: boolean): string {
  if (order?.unseenSince) return texts.story.unseen;
  if (order?.status === "BRIDGING") return texts.story.bridging;
  if (order?.status === "REFUNDING") return texts.story.refunding;
  return isFree ? texts.story.raceFree : texts.story.race;
}

export function stopsOf(errand: OrderErrand): Stop[] {
  // Its own word, not this page's: the wait is for the service.
  const told = errand.order?.unseenSince ? undefined : errand.order?.status;
  return wayOf(errand).map((stop) => (stop.state === "now" && told ? { ...stop, told } : stop));
}

function wayOf({ order, inFlight }: OrderErrand): Stop[] {
  const { signedAt, postedAt, activeAt, settledAt, chainId, destChainId, signedOrder, consent } = inFlight;
  const status = order?.status;
  const isLimit = inFlight.resting && inFlight.twap === null;
  const ended = order !== null && isTerminal(order);
  const settled = status === "COMPLETED";
  const posted = order !== null || postedAt !== null;
  const bids = order !== null && status !== "PENDING" && status !== "AWAITING_SIGNATURE";
  // What was spent here is with the bridge, or was.
  const left = settled || status === "BRIDGING" || status === "REFUNDING" || (order?.transactions.length ?? 0) > 0;
  const settling = bids && !ended && (status === "EXECUTING" || left);
  const crossing: Stop = { name: texts.stop.bridge, state: left ? "done" : "ahead", at: null };
  return [
    {
      name: signedOrder?.signature === "0x" ? texts.stop.consented : texts.stop.signed,
      state: consent ? "now" : "done",
      at: consent ? null : signedAt,
    },
    { name: texts.stop.posted, state: posted ? "done" : consent ? "ahead" : "now", at: postedAt },
    {
      name: isLimit && !settling && !settled ? texts.stop.waits : texts.stop.bids,
      state: ended || settling ? "done" : posted ? "now" : "ahead",
      at: activeAt,
    },
    ...(chainId === destChainId ? [] : [crossing]),
    {
      name: ended && !settled ? statusWords(order.status) : settling ? texts.stop.settling : texts.stop.settled,
      state: settled ? "done" : ended ? "failed" : settling ? "now" : "ahead",
      at: settledAt,
    },
  ];
}

/** Of a transaction. */
export function sentTitle({ purpose, transaction: { status, hash } }: Sent): string {
  if (status === "FAILED" && hash === null) return texts.notSent;
  return purpose === "consent" && status === "PENDING" ? texts.title.consent : texts.sentStatus[status];
}

/** What it is about, and once it has ended what came of it; of what is no trade, as it was agreed to. */
export function sentSentence(state: State, sent: Sent): string {
  const { purpose, src, dest, promise, paid, received, sentence, transaction: { status, from } } = sent; // prettier-ignore
  if (purpose !== "swap") return nameChains(state, sentence);
  const to = promise && promise.beneficiary.toLowerCase() !== from.toLowerCase() ? short(promise.beneficiary) : null;
  if (status === "PENDING") return texts.story.swapping(src.symbol, dest.symbol, to ? texts.story.to(to) : "");
  if (status !== "COMPLETED") return texts.story.swapOf(src.symbol, dest.symbol);
  if (received === null) return texts.story.settled(src.symbol, dest.symbol);
  const got = `${rounded(received, dest.decimals, "down")} ${dest.symbol}`;
  const where = to ? texts.story.at(to) : "";
  return paid
    ? texts.story.became(`${rounded(paid, src.decimals, "up")} ${src.symbol}`, got, where)
    : texts.story.arrived(got, where);
}

export function sentOutcome({ purpose, src, transaction: { status, hash } }: Sent): string {
  if (status === "FAILED" && hash === null) return texts.neverSent;
  if (purpose === "approval" && status === "COMPLETED") return texts.approvedOnly;
  const trades = purpose === "swap";
  return status === "FAILED" && trades ? texts.tradeReverted(src.symbol) : texts.outcome[status];
}

/** Whether the wallet sent another transaction than it was asked for. */
export function isForeign({ transaction }: Sent): boolean {
  return (transaction.status as string) === "FOREIGN";
}

export function sentStops(sent: Sent): Stop[] {
  const { transaction: { status }, sentAt, endedAt } = sent; // prettier-ignore
  // That another was sent says nothing of this one.
  const isOpen = status === "PENDING" || isForeign(sent);
  const state: Stop["state"] = isOpen ? "now" : status === "COMPLETED" ? "done" : "failed";
  return [
    { name: texts.stop.sent, state: "done", at: sentAt },
    { name: status === "PENDING" ? texts.stop.confirmed : sentTitle(sent), state, at: endedAt },
  ];
}

/** What an errand is about: `USDC → WETH`. */
export function errandName(state: State, errand: Errand): string {
  if (errand.kind === "order") {
    const { chainId, destChainId, srcToken, destToken } = errand.inFlight;
    const [src, dest] = [tokenAt(state.chains, chainId, srcToken), tokenAt(state.chains, destChainId, destToken)];
    return texts.dock.swap(src.symbol, dest.symbol);
  }
  const { purpose, src, dest } = errand.sent;
  return purpose === "swap" ? texts.dock.swap(src.symbol, dest.symbol) : texts.dock.purpose[purpose];
}

/** Where it is, in a few words. */
export function whereabouts(errand: Errand): string {
  if (errand.kind === "transaction") return texts.dock.sent;
  const { order, inFlight, busy, failure } = errand;
  if (inFlight.consent) return texts.dock.consent;
  if (failure) return failure.retryAt ? texts.dock.noAnswer : texts.dock.waits;
  if (!order) return busy === "posting" || inFlight.postedAt === null ? texts.dock.posting : texts.dock.reading;
  return order.unseenSince ? texts.dock.unseen : orderWords(order);
}

/** How it ended, in one line. */
export function endWords(state: State, errand: Errand): string {
  const isOrder = errand.kind === "order";
  const result = isOrder ? errand.order && resultOfOrder(state, errand.order, errand.inFlight) : resultOfSent(errand.sent);
  const status = isOrder ? statusWords(errand.order?.status ?? "") : sentTitle(errand.sent);
  if (result && result.actual !== null && result.of === "received") {
    const { actual, token } = result;
    return texts.dock.arrived(status, `${rounded(actual, token.decimals, "down")} ${token.symbol}`, gainWords(result));
  }
  if (!isOrder) return texts.dock.ended(status, errandName(state, errand));
  return errand.order?.status === "COMPLETED" ? `${status}: ${sentenceOf(state, errand)}` : texts.dock.nothing(status);
}

/** Whether it ended as it was meant to. */
export function isFine(errand: Errand): boolean {
  return (errand.kind === "order" ? errand.order?.status : errand.sent.transaction.status) === "COMPLETED";
}

/** An order that waits for its price or its next slice is open, and not under way. */
export function isMoving({ inFlight, order }: { inFlight: InFlight; order: Order | null }): boolean {
  return !inFlight.resting || order === null;
}
