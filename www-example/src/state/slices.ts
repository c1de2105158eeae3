import type { Amount, Order } from "verified-swap";
import { difference } from "./money.ts";

/** What the service says a slice of a TWAP order came to. */
export interface SliceFill {
  /** Of the side that is not fixed; null where it is not told. */
  amount: Amount | null;
  /** How much more that is than at the first slice's price, which the history knows as well; null of the first. */
  against: string | null;
}

/** The slices that are done, in their order. */
export function fillsOf({ side, transactions }: Order): SliceFill[] {
  const sides = transactions.map(({ spentAmount, receivedAmount }) =>
    side === "SELL" ? ([receivedAmount, spentAmount] as const) : ([spentAmount, receivedAmount] as const),
  );
  const [first, firstFixed] = sides[0] ?? [];
  return sides.map(([amount, fixed], place) => ({
    amount,
    against:
      place > 0 && amount && fixed && first && firstFixed ? difference(times(amount, firstFixed), times(first, fixed)) : null,
  }));
}

function times(one: Amount, other: Amount): Amount {
  return String(BigInt(one) * BigInt(other));
}
