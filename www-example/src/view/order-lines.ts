import { summarizeOrder, type Order } from "verified-swap";
import { msOf } from "../client/opened.ts";
import { messages } from "../messages/en.ts";
import { formatTime } from "../state/format.ts";
import { rate, type Rounding } from "../state/money.ts";
import type { Result } from "../state/results.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { short, tokenAt, type State } from "../state/state.ts";
import type { Reference } from "./hashes.tsx";
import { amountLine, type Line } from "./parts/lines.tsx";

/* What the service reports of an order, row by row: what was asked, what came of it, when, to whom. What its result says
   above is not said again. */

const texts = messages.progress.line;

export function orderLines(state: State, order: Order, result: Result | null): Line[] {
  const src = tokenAt(state.chains, order.input.chainId, order.input.token);
  const dest = tokenAt(state.chains, order.output.chainId, order.output.token);
  const summary = summarizeOrder(order);
  const sells = order.side === "SELL";
  const price = rate({ ...src, amount: summary.spent }, { ...dest, amount: summary.received });
  const [pays, gets] = [sells ? texts.toPay : texts.toPayAtMost, receiveName(sells, summary.isCrosschain)];
  const isOwn = order.beneficiary.toLowerCase() === order.owner.toLowerCase();
  return [
    ...(result?.of === "spent" || summary.maxSpent === summary.spent ? [] : [sum(pays, summary.maxSpent, src, "up")]),
    ...(result?.of === "received" ? [] : [sum(gets, summary.minReceived, dest, "down")]),
    ...(isSaid("spent") ? [] : [sum(texts.paid, summary.spent, src, "up")]),
    ...(isSaid("received") ? [] : [sum(texts.received, summary.received, dest, "down")]),
    ...(price ? [{ name: texts.average, text: price.rounded, exact: price.exact }] : []),
    ...(summary.slices ? [time(texts.placed, order.createdAt)] : []),
    // A timeline, if there is one, shows the other times.
    ...(!summary.isTerminal ? [time(texts.goodUntil, order.expiresAt)] : summary.slices ? [time(texts.ended, order.updatedAt)] : []),
    ...(isOwn ? [{ name: texts.receiver, text: texts.you(short(order.owner)), exact: texts.you(order.owner) }] : []),
  ];

  function isSaid(of: Result["of"]): boolean {
    return summary[of] === "0" || (result?.of === of && result.actual !== null);
  }
}

/** Across chains the bridge decides. */
function receiveName(sells: boolean, isCrosschain: boolean): string {
  if (isCrosschain) return texts.expected;
  return sells ? texts.toReceiveAtLeast : texts.toReceive;
}

/** Its hash and its transactions; the receiver where it is somebody else. */
export function orderReferences({ orderHash, owner, beneficiary, transactions, refunds, input, output }: Order): Reference[] {
  const [here, there] = [input.chainId, output.chainId];
  const name = (index: number): string => (transactions.length > 1 ? texts.transactionOf(index + 1) : texts.transaction);
  return [
    ...(beneficiary.toLowerCase() === owner.toLowerCase()
      ? []
      : [{ name: texts.receiver, hex: beneficiary, chainId: there, kind: "address" } as const]),
    { name: texts.order, hex: orderHash },
    ...transactions.flatMap(({ originTx, destinationTx }, index): Reference[] => [
      { name: name(index), hex: originTx, chainId: here, kind: "tx" },
      ...(destinationTx && destinationTx !== originTx
        ? [{ name: texts.arrivedBy, hex: destinationTx, chainId: there, kind: "tx" } as const]
        : []),
    ]),
    ...refunds.map(({ tx, chainId }): Reference => ({ name: texts.refundedBy, hex: tx, chainId, kind: "tx" })),
  ];
}

function sum(name: string, amount: string | null, token: Token, rounding: Rounding): Line {
  return amount === null ? { name, text: "–" } : amountLine(name, amount, token, rounding);
}

function time(name: string, text: string): Line {
  const ms = msOf(text);
  return { name, text: ms === null ? "–" : formatTime(new Date(ms)) };
}
