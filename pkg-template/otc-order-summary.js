// What an interface shows of an OTC order. For display: before a fill, buildFill asks the chain itself.
import { absent, fault, integer, object } from "./reading.js";

const OVER = ["FULFILLED", "CANCELLED", "EXPIRED"];

export function summarizeOtcOrder(order, nowSecs = Date.now() / 1000, remaining = null) {
  const { makerAmount, takerAmount, fillableBalance, state } = object(order, "order");
  if (typeof state !== "string") fault("order.state", "a string", state);
  if (!Number.isFinite(nowSecs)) fault("nowSecs", "unix seconds", nowSecs);
  const over = OVER.includes(state);
  // At its last second it can still be filled; 0 is never.
  const expiry = absent(order.expiry) ? 0n : integer(order.expiry, "order.expiry");
  const expired = !over && expiry !== 0n && BigInt(Math.floor(nowSecs)) > expiry;
  const [whole, price] = [integer(makerAmount, "order.makerAmount"), integer(takerAmount, "order.takerAmount")];
  // What the service calls fillable is what has not been filled; the contract's own word, where it is here, goes first.
  const left = !absent(remaining)
    ? integer(remaining, "remaining")
    : !absent(fillableBalance)
      ? integer(fillableBalance, "order.fillableBalance")
      : state === "FULFILLED" ? 0n : whole;
  const filled = whole - left;
  const gone = !absent(remaining) && left === 0n;
  return {
    state: expired ? "EXPIRED" : state,
    // The contract's none is for good.
    isTerminal: over || expired || gone,
    isPartlyFilled: filled > 0n && left > 0n,
    // Of a cancelled one nobody says how much was filled; what the contract calls gone may be one until the service says.
    filledPercent: state === "CANCELLED" || (gone && state !== "FULFILLED") ? null : whole ? Number((filled * 10_000n) / whole) / 100 : 0,
    leftMakerAmount: left.toString(),
    // Rounded up: a fill of less would leave a rest.
    leftTakerAmount: (whole ? (left * price + whole - 1n) / whole : 0n).toString(),
  };
}
