// What an interface shows of an OTC order. For display: before a fill, buildFill asks the chain itself.

const OVER = ["FULFILLED", "CANCELLED", "EXPIRED"];

export function otcFacts(order, nowSecs = Date.now() / 1000, remaining = null) {
  const { makerAmount, takerAmount, expiry, fillableBalance } = order;
  const over = OVER.includes(order.state);
  // At its last second it can still be filled; 0 is never.
  const expired = !over && Number(expiry) !== 0 && Math.floor(nowSecs) > Number(expiry);
  const [whole, price] = [BigInt(makerAmount), BigInt(takerAmount)];
  // What the service calls fillable is what has not been filled; the contract's own word, where it is here, goes first.
  const left = BigInt(remaining ?? fillableBalance ?? (order.state === "FULFILLED" ? 0 : whole));
  const filled = whole - left;
  const gone = remaining !== null && left === 0n;
  return {
    state: expired ? "EXPIRED" : order.state,
    // The contract's none is for good.
    isTerminal: over || expired || gone,
    isPartlyFilled: filled > 0n && left > 0n,
    // Of a cancelled one nobody says how much was filled; what the contract calls gone may be one until the service says.
    filledPercent: order.state === "CANCELLED" || (gone && order.state !== "FULFILLED") ? null : whole ? Number((filled * 10_000n) / whole) / 100 : 0,
    leftMakerAmount: left.toString(),
    // Rounded up: a fill of less would leave a rest.
    leftTakerAmount: (whole ? (left * price + whole - 1n) / whole : 0n).toString(),
  };
}
