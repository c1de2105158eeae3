// What an interface shows of an order. Sums of what the service reports, for display: no check rests on them, and in
// JavaScript they cost the least.

const OPEN = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "EXECUTING"];
/** The native coin as an order names it: the placeholder, or the wrapped coin of Delta that a deposit becomes. */
const COIN = ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742"];

/** The first of them that is there, as text. */
const first = (...amounts) => amounts.find((amount) => amount !== undefined && amount !== null)?.toString() ?? null;

const sum = (items, name) => items.reduce((total, item) => total + BigInt(item[name] ?? 0), 0n);

const times = (amount, count) => (amount === undefined || count === undefined ? undefined : BigInt(amount) * BigInt(count));

export function factsOf(whole, isTerminal) {
  const { status, onChainOrderType, input = {}, output = {}, order = {}, transactions, createdAt } = whole;
  const isCrosschain = BigInt(order.bridge?.destinationChainId ?? 0) !== 0n;
  // What has left for another chain has not arrived yet.
  const fills = (transactions ?? []).filter((fill) => !isCrosschain || fill.destinationTx);
  const isTwap = String(onChainOrderType).startsWith("TWAP");
  const done = status === "COMPLETED";
  const spent = (done && input.executedAmount) || sum(transactions ?? [], "spentAmount").toString();
  const received = (done && output.executedAmount) || sum(fills, "receivedAmount").toString();
  // What is still on its way to another chain was paid for, but has no price yet.
  const paid = done ? BigInt(spent) : sum(fills, "spentAmount");
  const twapSpent = isTwap ? first(order.totalSrcAmount, order.maxSrcAmount) : null;
  const twapReceived = isTwap ? first(order.totalDestAmount, times(order.destAmountPerSlice, order.numSlices)) : null;
  const expectedSpent = first(input.amount, input.expectedAmount, twapSpent);
  const expectedReceived = first(output.amount, output.expectedAmount, twapReceived);
  // A bridge, not the order, decides what arrives on another chain.
  const signedReceived = isCrosschain ? null : order.destAmount;
  return {
    isTerminal,
    isCrosschain,
    filledPercent: Math.min(100, fills.reduce((percent, fill) => percent + Number(fill.filledPercent ?? 0), 0)),
    spent,
    received,
    expectedSpent,
    expectedReceived,
    maxSpent: first(input.amount, input.maxAmount, twapSpent, order.srcAmount, expectedSpent),
    minReceived: first(output.amount, output.minAmount, twapReceived, signedReceived, expectedReceived),
    averagePrice: paid > 0n ? ((BigInt(received) * 10n ** 18n) / paid).toString() : null,
    cancel: !OPEN.includes(status) ? null : COIN.includes(String(order.srcToken).toLowerCase()) ? "transaction" : "signature",
    slices: isTwap ? slices(order, transactions ?? [], isTerminal, createdAt) : null,
  };
}

function slices({ numSlices, interval }, transactions, isTerminal, createdAt) {
  const [total, done] = [Number(numSlices), Math.min(transactions.length, Number(numSlices))];
  const begun = Math.floor(Date.parse(createdAt) / 1000);
  const goesOn = done < total && !isTerminal && !Number.isNaN(begun);
  return { done, total, nextNotBefore: goesOn ? begun + done * Number(interval) : null };
}
