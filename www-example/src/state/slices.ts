import { summarizeOrder, type Amount, type Order } from "verified-swap";
import { difference } from "./money.ts";

/** What the service says a slice of a TWAP order came to. */
export interface SliceFill {
  /** Of the side that is not fixed; null where it is not told. */
  amount: Amount | null;
  /** A sale: how much more that is than the least it had to be. */
  aboveLeast: string | null;
}

/** The slices that are done, in their order. */
export function fillsOf(order: Order): SliceFill[] {
  const { minReceived, slices } = summarizeOrder(order);
  const sells = order.side === "SELL";
  const least = sells && minReceived && slices ? (BigInt(minReceived) / BigInt(slices.total)).toString() : null;
  return order.transactions.map(({ spentAmount, receivedAmount }) => ({
    amount: sells ? receivedAmount : spentAmount,
    aboveLeast: least && receivedAmount ? difference(receivedAmount, least) : null,
  }));
}
