// The way of a trade, step by step, with the times that service and journal state.
import type { Order } from "../../src/types/orders.ts";
import type { SwapEntry } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";
import { isClaimed, isEnded, isOrder, statusOf, wordOf } from "./words.ts";

/** A step of a trade. */
export interface Step {
  name: string;
  state: "done" | "claimed" | "now" | "ahead" | "failed" | "over";
  /** Unix milliseconds; null: not known. */
  at: number | null;
}

type Texts = Words["entry"];

/** The steps of a trade, the first one first; none of one that is neither posted nor sent. */
export function stepsOf(entry: SwapEntry, texts: Texts, chainName: (chainId: number) => string): Step[] {
  const isOut = entry.order !== null || entry.sent !== null || (entry.trade?.kind !== "unreadable" && entry.trade?.signedAt);
  if (!isOut || (entry.state === "unfinished" && !entry.order)) return [];
  return isOrder(entry) ? orderSteps(entry, texts, chainName) : sentSteps(entry, texts);
}

function sentSteps(entry: SwapEntry, texts: Texts): Step[] {
  const { state, startedAt, trade } = entry;
  const isOver = isEnded(entry);
  const endedAt = isOver && trade?.kind !== "unreadable" ? (trade?.changedAt ?? null) : null;
  return [
    { name: texts.steps.sent, state: "done", at: startedAt },
    {
      name: isOver ? statusOf(entry, texts) : texts.steps.mining,
      state: state === "done" ? "done" : state === "failed" ? "failed" : isOver ? "over" : "now",
      at: endedAt,
    },
  ];
}

function orderSteps(entry: SwapEntry, texts: Texts, chainName: (chainId: number) => string): Step[] {
  const { order, trade, figures, state } = entry;
  const signed = trade?.kind === "delta" ? trade : null;
  const isOver = isEnded(entry);
  const isOnChain = signed?.signedOrder?.signature === "0x";
  const hasLeft = order !== null && (order.transactions.length > 0 || order.status === "BRIDGING" || state === "done");
  const isSettling = !isOver && order !== null && figures?.kind !== "slices" && (hasLeft || order.status === "EXECUTING");
  const isCrosschain = figures !== null && figures.src.chainId !== figures.dest.chainId;
  const hasArrival = isCrosschain && (!isOver || state === "done");
  const left: Step = { name: texts.steps.left(chainName(figures?.src.chainId ?? 0)), state: hasLeft ? "done" : "ahead", at: null };
  return [
    { name: isOnChain ? texts.steps.consented : texts.steps.signed, state: "done", at: signed?.signedAt ?? null },
    { name: texts.steps.posted, state: order ? "done" : "now", at: order ? msOf(order.createdAt) : null },
    { name: fillName(entry, texts), state: isOver || isSettling ? "done" : order ? "now" : "ahead", at: null },
    ...(isCrosschain ? [left] : []),
    {
      name: hasArrival ? arrivalName(entry, isSettling, texts, chainName) : lastName(entry, isSettling, texts),
      state: isClaimed(entry) ? "claimed" : state === "done" || state === "failed" ? state : isOver ? "over" : isSettling ? "now" : "ahead",
      at: isOver && order ? msOf(order.updatedAt) : null,
    },
  ];
}

/** The step in which solvers fill it. */
function fillName({ order, figures }: SwapEntry, { steps, order: words, ...texts }: Texts): string {
  if (figures?.slices) return steps.slices(figures.slices.done, figures.slices.count);
  if (figures?.kind === "limit" && order?.transactions.length === 0 && order.status !== "EXECUTING") return steps.waits;
  const isOther = order !== null && OTHER_WAITS.includes(order.status);
  return isOther || (order && isUnknown(order, words)) ? wordOf(words, order.status, { steps, order: words, ...texts }) : steps.bids;
}

/** Statuses in which no solver bids, before anything was filled. */
const OTHER_WAITS: readonly string[] = ["AWAITING_SIGNATURE", "SUSPENDED", "CANCELLING"];

function isUnknown({ status }: Order, words: object): boolean {
  return !Object.hasOwn(words, status);
}

function arrivalName({ figures, order }: SwapEntry, isSettling: boolean, { steps }: Texts, chainName: (chainId: number) => string): string {
  if (order?.status === "REFUNDING") return steps.returning;
  return (isSettling ? steps.crossing : steps.arrived)(chainName(figures?.dest.chainId ?? 0));
}

function lastName(entry: SwapEntry, isSettling: boolean, texts: Texts): string {
  if (isEnded(entry)) return statusOf(entry, texts);
  return isSettling ? texts.order.EXECUTING : texts.steps.settled;
}

/** Unix milliseconds of a time of the service; null for one that no calendar has. */
export function msOf(time: string): number | null {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
