// An order's figures for an interface: sums over the service's report. No check depends on them, and in JavaScript they
// cost the least. The module computes the amounts after the fee.
import type { Members } from "./module.ts";
import { absent, fault, integer, list, maybeObject, object, text } from "./reading.ts";
import type { Order, OrderSummary } from "./types.ts";
import type { PaidOutTerms } from "./verified_swap.js";

const OPEN = ["PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "EXECUTING"];
/** The native token as an order names it: the placeholder, or the wrapped token of Delta that a deposit becomes. */
const NATIVE = ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", "0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742"];
/** Whether an order that names this token sells the native one. */
export const isNativeInOrder = (token: string) => NATIVE.includes(token.toLowerCase());

/** `paidOut` is the module's: what is left of an amount after the fee of an order. */
export function summarize(whole: Order, isTerminal: boolean, paidOut: (terms: PaidOutTerms) => string): OrderSummary {
  const { status, onChainOrderType, createdAt } = object(whole, "order");
  const part = (name: string) => maybeObject(whole[name], `order.${name}`);
  const [input, output, order] = [part("input"), part("output"), part("order")];
  const path = (at: number) => `order.transactions.${at}`;
  const transactions = list(whole.transactions, "order.transactions").map((fill, at) => object(fill, path(at)));
  const bridge = maybeObject(order.bridge, "order.order.bridge");
  const isCrosschain = (amount(bridge, "destinationChainId", "order.order.bridge") ?? 0n) !== 0n;
  // Crosschain: a fill that has not arrived does not count.
  const fills = transactions.filter((fill) => !isCrosschain || fill.destinationTx);
  const isTwap = text(onChainOrderType).startsWith("TWAP");
  const done = status === "COMPLETED";
  const ofInput = (name: string) => amount(input, name, "order.input");
  const ofOutput = (name: string) => amount(output, name, "order.output");
  const ofOrder = (name: string) => amount(order, name, "order.order");
  const spent = (done ? ofInput("executedAmount") : null) ?? sum(transactions, "spentAmount");
  const received = (done ? ofOutput("executedAmount") : null) ?? sum(fills, "receivedAmount");
  // Tokens on their way to another chain were paid, but have no price yet.
  const paid = done ? spent : sum(fills, "spentAmount");
  const numSlices = isTwap ? ofOrder("numSlices") : null;
  // The contract takes the fee out of what it pays, of each slice by itself; the bounds are signed without it. A bridge gets
  // what is left, so what arrives on another chain is after the fee as well.
  const terms = { partnerAndFee: ofOrder("partnerAndFee"), numSlices: numSlices ?? 1n };
  const afterFee = (total: bigint | null) => (total === null ? total : BigInt(paidOut({ ...terms, total })));
  const slice = ofOrder("destAmountPerSlice");
  const twapSpent = isTwap ? (ofOrder("totalSrcAmount") ?? ofOrder("maxSrcAmount")) : null;
  const twapReceived = isTwap ? afterFee(ofOrder("totalDestAmount") ?? (slice && numSlices && slice * numSlices)) : null;
  const expectedSpent = ofInput("amount") ?? ofInput("expectedAmount") ?? twapSpent;
  const bought = afterFee(ofOutput("amount"));
  const expectedReceived = bought ?? afterFee(ofOutput("expectedAmount")) ?? twapReceived;
  const signedReceived = isCrosschain ? null : afterFee(ofOrder("destAmount"));
  const leastSigned = bought ?? afterFee(ofOutput("minAmount")) ?? twapReceived ?? signedReceived;
  const filled = fills.map((fill, at) => percent(fill.filledPercent, `${path(at)}.filledPercent`));
  const cancel = isNativeInOrder(text(order.srcToken)) ? "transaction" : "signature";
  const shown = (amount: bigint | null) => amount?.toString() ?? null;
  return {
    isTerminal,
    isCrosschain,
    filledPercent: Math.min(100, filled.reduce((total, share) => total + share, 0)),
    spent: `${spent}`,
    received: `${received}`,
    expectedSpent: shown(expectedSpent),
    expectedReceived: shown(expectedReceived),
    maxSpent: shown(ofInput("amount") ?? ofInput("maxAmount") ?? twapSpent ?? ofOrder("srcAmount") ?? expectedSpent),
    minReceived: shown(leastSigned ?? expectedReceived),
    averagePrice: paid > 0n ? ((received * 10n ** 18n) / paid).toString() : null,
    cancel: OPEN.includes(status) ? cancel : null,
    slices: numSlices !== null ? slices(numSlices, ofOrder("interval"), transactions, isTerminal, createdAt) : null,
  };
}

const amount = (holder: Members, name: string, path: string) => (absent(holder[name]) ? null : integer(holder[name], `${path}.${name}`));

const sum = (items: readonly Members[], name: string) =>
  items.reduce((total, item, at) => total + (amount(item, name, `order.transactions.${at}`) ?? 0n), 0n);

function percent(value: unknown, field: string) {
  const number = absent(value) ? 0 : ["number", "string"].includes(typeof value) ? Number(value) : NaN;
  return number >= 0 && number < Infinity ? number : fault(field, "a percentage", value);
}

function slices(
  numSlices: bigint, interval: bigint | null, transactions: readonly unknown[], isTerminal: boolean, createdAt: unknown,
): OrderSummary["slices"] {
  const total = Number(numSlices);
  const done = Math.min(transactions.length, total);
  const begun = Math.floor(Date.parse(text(createdAt)) / 1000);
  const goesOn = done < total && !isTerminal && !Number.isNaN(begun) && interval !== null;
  return { done, total, nextNotBefore: goesOn ? begun + done * Number(interval) : null };
}
