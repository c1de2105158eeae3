import {
  isTerminal,
  parseAddress,
  type Address,
  type NormalizedRequest,
  type Order,
  type QuoteRequest,
  type ResumedTrade,
  type Trade,
  type TradeSummary,
  type TwapPlan,
} from "verified-swap";
import type { InFlight } from "../state/parts.ts";

/* Orders of the list and of the journal, in the form in which the page keeps its own. */

/** What nobody knows of an order that was not signed on this page. */
const UNKNOWN = {
  guaranteed: null,
  isFresh: false,
  activeAt: null,
  before: { src: null, dest: null },
  after: null,
  signedOrder: null,
  consent: null,
};

export function openedFrom(order: Order): InFlight {
  const { input, output, type, side, owner, beneficiary, orderHash } = order;
  const twap = planOf(order);
  return {
    ...UNKNOWN,
    chainId: input.chainId,
    destChainId: output.chainId,
    owner: parseAddress(owner),
    beneficiary: parseAddress(beneficiary),
    orderHash,
    srcToken: input.token,
    destToken: output.token,
    side,
    resting: type === "LIMIT" || twap !== null,
    twap,
    signedAt: null,
    postedAt: msOf(order.createdAt) ?? Date.now(),
    settledAt: isTerminal(order) ? msOf(order.updatedAt) : null,
  };
}

/** What the journal notes of a trade, and a build has as well. */
export type Noted = Omit<Partial<TradeSummary>, "request"> & { request?: TradeSummary["request"] | NormalizedRequest };

/** A gasless order, as far as both tell of it. */
type NotedOrder = Pick<Trade, "kind" | "chainId" | "owner" | "id" | "signedAt" | "signedOrder"> & {
  summary: Omit<Noted, "approval">;
};

/** A gasless order of the journal, until the service has told more of it. */
export function openedOf(trade: NotedOrder): InFlight {
  const { chainId, owner, id, signedAt, summary, signedOrder } = trade;
  const request = summary.request as QuoteRequest;
  return {
    ...UNKNOWN,
    chainId,
    destChainId: request.destChainId ?? chainId,
    owner,
    beneficiary: summary.beneficiary ?? owner,
    orderHash: id,
    srcToken: request.srcToken as Address,
    destToken: request.destToken as Address,
    side: request.side ?? "SELL",
    resting: isResting(trade),
    twap: null,
    signedAt,
    postedAt: signedAt,
    settledAt: null,
    signedOrder: signedOrder?.kind === "signedOrder" ? signedOrder : null,
  };
}

/** Whether `trades.resume` has looked at it. */
export function isResumed(trade: Trade): trade is ResumedTrade {
  return "busy" in trade;
}

/** Whether an order stays open until its price is reached, or its next slice is due. */
export function isResting({ summary: { type, orderKind } }: Pick<NotedOrder, "summary">): boolean {
  return type === "LIMIT" || orderKind?.startsWith("TWAP") === true;
}

/** The plan of an order in slices, out of what was signed; null of any other. */
function planOf({ onChainOrderType, side, order }: Order): TwapPlan | null {
  if (!onChainOrderType.startsWith("TWAP")) return null;
  const [numSlices, intervalSecs] = [Number(order["numSlices"]), Number(order["interval"])];
  const total = String(order[side === "SELL" ? "totalSrcAmount" : "totalDestAmount"]);
  if (!(numSlices > 0) || !(intervalSecs > 0) || !/^\d+$/.test(total)) return null;
  const sliceAmount = BigInt(total) / BigInt(numSlices);
  const lastSliceAmount = BigInt(total) - sliceAmount * BigInt(numSlices - 1);
  return {
    numSlices,
    intervalSecs,
    total,
    sliceAmount: sliceAmount.toString(),
    lastSliceAmount: lastSliceAmount.toString(),
  };
}

/** Unix milliseconds of a time as the service writes it. */
export function msOf(time: string): number | null {
  const ms = Date.parse(time);
  return Number.isNaN(ms) ? null : ms;
}
