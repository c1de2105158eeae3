// A trade in words: its title, what it waits for, how it ended.
import type { Order } from "../../src/types/orders.ts";
import type { SwapEntry } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";

/** The reason why a trade needs its user. */
export type Need = keyof Words["entry"]["needs"];

type Texts = Words["entry"];

const ENDED: readonly SwapEntry["state"][] = ["done", "cancelled", "failed"];
/** A status of the service that this file has no word for is quoted, and no longer than this. */
const LONGEST_STATUS = 40;

/** Whether it is over. */
export function isEnded({ state }: SwapEntry): boolean {
  return ENDED.includes(state);
}

/** Whether it is an order, which others fill; else it is a transaction of the account. */
export function isOrder({ order, trade }: SwapEntry): boolean {
  return order !== null || trade?.kind === "delta" || trade?.kind === "otc";
}

/** Why it needs the user; null if it does not. */
export function needOf(entry: SwapEntry): Need | null {
  if (entry.purpose === "unreadable") return "unreadable";
  if (entry.trade?.state === "asking" && entry.state === "moving") return "asked";
  if (entry.needs === "approval" || entry.needs === "balance" || entry.needs === "signature") return entry.needs;
  if (entry.state !== "unfinished") return null;
  if (entry.needs !== "decision") return "other";
  if (isOrder(entry)) return "unposted";
  return entry.status === "FOREIGN" ? "foreign" : "maybeSent";
}

/** Whether the user can give it up: neither service nor chain has it, as far as it is known. */
export function canAbandon(entry: SwapEntry): boolean {
  const need = needOf(entry);
  return entry.state === "unfinished" && entry.trade !== null && need !== "approval" && need !== "balance";
}

/** Whether it is done by the service's word alone: the chain was not seen to have done it. */
export function isClaimed(entry: SwapEntry): boolean {
  return entry.state === "done" && isOrder(entry) && entry.trade?.kind !== "otc" && entry.order?.settled !== "seen";
}

/** The look of its state: green is what the chain was seen to have done. */
export function lookOf(entry: SwapEntry): SwapEntry["state"] | "claimed" {
  return isClaimed(entry) ? "claimed" : entry.state;
}

/** Its state, as the title of its view. */
export function titleOf(entry: SwapEntry, texts: Texts): string {
  const need = needOf(entry);
  if (need && (entry.state === "unfinished" || need === "asked")) return texts.needs[need].title;
  if (isClaimed(entry)) return texts.claimed(statusOf(entry, texts));
  if (!isOrder(entry) || isEnded(entry)) return statusOf(entry, texts);
  const { order, state, trade } = entry;
  if (!order && trade?.state !== "posted") return texts.title.signed;
  return !order || order.unseenSince || state === "open" ? texts.title.placed : texts.title.onItsWay;
}

/** Its state in a list. */
export function statusOf(entry: SwapEntry, texts: Texts): string {
  const { status, sent, order } = entry;
  const need = needOf(entry);
  if (need && (entry.state === "unfinished" || need === "asked")) return texts.needs[need].title;
  if (isOrder(entry) && !order && !status) return texts.title.signed;
  if (order && isWaiting(order) && entry.figures?.kind === "limit") return texts.steps.waits;
  if (order?.ended) return order.ended === "deadline" ? texts.order.EXPIRED : texts.over;
  if (sent && sent.status === "FAILED" && sent.hash === null) return texts.notSent;
  return wordOf(isOrder(entry) ? texts.order : texts.sent, status ?? "PENDING", texts);
}

/** A status in words; the service may have others than those known here. */
export function wordOf(words: Readonly<Record<string, string>>, status: string, texts: Texts): string {
  const known = Object.hasOwn(words, status) ? words[status] : undefined;
  return known ?? texts.foreignStatus(status.replace(/[^\x20-\x7e]/g, "").slice(0, LONGEST_STATUS));
}

/** Whether solvers have nothing of it in hand. */
export function isWaiting({ status }: Order): boolean {
  return status === "PENDING" || status === "ACTIVE";
}

/** One sentence on how it stands, or how it ended; null where the rows are enough. */
export function standingOf(entry: SwapEntry, texts: Texts): string | null {
  const need = needOf(entry);
  if (need) return texts.needs[need].text;
  if (isEnded(entry)) return isOrder(entry) ? endOfOrder(entry, texts) : endOfSent(entry, texts);
  const { order, sent, trade } = entry;
  if (!isOrder(entry)) return sent?.waitsFor ? texts.standing.waitsFor(sent.waitsFor) : texts.standing.sent;
  if (!order) return trade?.state === "posted" ? texts.standing.reading : texts.standing.posting;
  if (order.unseenSince) return texts.standing.unseen;
  return entry.state === "open" ? texts.standing.rests : texts.standing.goesOn;
}

function endOfOrder({ state, status, order, figures }: SwapEntry, { ended }: Texts): string | null {
  if (state === "done") return null;
  if (status === "ABANDONED") return ended.abandoned;
  if (status === "VOID") return ended.void;
  if (order?.ended) return order.ended === "deadline" ? ended.deadline : ended.chain;
  if (order && order.refunds.length > 0) return ended.returned;
  return !order || figures?.received ? null : ended.notFilled;
}

function endOfSent({ status, sent, purpose, state }: SwapEntry, { ended }: Texts): string | null {
  if (state === "done") return purpose === "approve" ? ended.approved : null;
  if (sent?.status === "FAILED" && sent.hash === null) return ended.notSent;
  const texts: Readonly<Record<string, string>> = {
    FAILED: ended.reverted, REPLACED: ended.replaced, DROPPED: ended.dropped, PARTIAL: ended.partial, FOREIGN: ended.foreign,
    ABANDONED: ended.abandoned,
  };
  return (status && texts[status]) ?? null;
}
