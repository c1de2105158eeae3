import { summarizeOrder, type Amount, type Order } from "verified-swap";
import { difference } from "./money.ts";

/** What the service says a slice of a TWAP order came to. */
export interface SliceFill {
  /** Of the side that is not fixed; null where it is not told. */
  amount: Amount | null;
  /** How much more that is than by the price it was built at; where that is not known, of a sale, than the least. */
  against: string | null;
}

/** The slices that are done, in their order. */
export function fillsOf(order: Order, quoted: Amount | null): SliceFill[] {
  const { minReceived, slices } = summarizeOrder(order);
  const sells = order.side === "SELL";
  const least = sells && minReceived && slices ? (BigInt(minReceived) / BigInt(slices.total)).toString() : null;
  const base = quoted ?? least;
  return order.transactions.map(({ spentAmount, receivedAmount }) => {
    const amount = sells ? receivedAmount : spentAmount;
    return { amount, against: base && amount ? difference(amount, base) : null };
  });
}
