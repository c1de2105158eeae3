import { isTerminal, parseAddress, type Order, type TwapPlan } from "verified-swap";
import type { InFlight } from "./memory.ts";

/* An order of the list, in the form in which the page keeps its own orders. */

export function openedFrom(order: Order): InFlight {
  const { input, output, type, side, owner, beneficiary, orderHash } = order;
  const twap = planOf(order);
  return {
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
    activeAt: null,
    settledAt: isTerminal(order) ? msOf(order.updatedAt) : null,
    before: { src: null, dest: null },
    after: null,
    signedOrder: null,
    consent: null,
  };
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
