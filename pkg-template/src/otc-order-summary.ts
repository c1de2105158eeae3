// An OTC order's figures for an interface. For display only: before a fill, otc.buildFill asks the chain itself.
import { absent, fault, integer, object } from "./reading.ts";
import type { Amount, OtcOrder, OtcOrderSummary } from "./types.ts";

const OVER = ["FULFILLED", "CANCELLED", "EXPIRED"];

export function summarizeOtcOrder(order: OtcOrder, nowSecs = Date.now() / 1000, remaining: Amount | null = null): OtcOrderSummary {
  const { makerAmount, takerAmount, fillableBalance, state } = object(order, "order");
  if (typeof state !== "string") fault("order.state", "a string", state);
  if (!Number.isFinite(nowSecs)) fault("nowSecs", "unix seconds", nowSecs);
  const over = OVER.includes(state);
  // It can still be filled in its last second; 0 means never.
  const expiry = absent(order.expiry) ? 0n : integer(order.expiry, "order.expiry");
  const expired = !over && expiry !== 0n && BigInt(Math.floor(nowSecs)) > expiry;
  const [whole, price] = [integer(makerAmount, "order.makerAmount"), integer(takerAmount, "order.takerAmount")];
  // The service's "fillable" is the part that has not been filled. The contract's own word takes precedence.
  const left = !absent(remaining)
    ? integer(remaining, "remaining")
    : !absent(fillableBalance)
      ? integer(fillableBalance, "order.fillableBalance")
      : state === "FULFILLED" ? 0n : whole;
  const filled = whole - left;
  const gone = !absent(remaining) && left === 0n;
  // The service does not report how much of a cancelled order was filled. An order that the contract calls gone may be
  // cancelled, too, until the service reports it as filled.
  const isUnknown = state === "CANCELLED" || (gone && state !== "FULFILLED");
  const hundredths = whole ? Number((filled * 10_000n) / whole) : 0;
  return {
    state: expired ? "EXPIRED" : state,
    // An order that the contract calls gone never comes back.
    isTerminal: over || expired || gone,
    isPartlyFilled: filled > 0n && left > 0n,
    filledPercent: isUnknown ? null : hundredths / 100,
    leftMakerAmount: left.toString(),
    // Rounded up: less would not fill all of it.
    leftTakerAmount: (whole ? (left * price + whole - 1n) / whole : 0n).toString(),
  };
}
