import { summarizeOrder, type Order } from "verified-swap";
import { rate, type Rounding } from "../state/money.ts";
import { msOf } from "../client/opened.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { short, tokenAt, type State } from "../state/state.ts";
import { amountLine, hashLine, type Line } from "./lines.ts";
import { timeWords } from "./schedule.ts";

/* What the service reports of an order, row by row: what was asked, what came of it, when, to whom, and where to look
   it up. */

export function orderLines(state: State, order: Order): Line[] {
  const src = tokenAt(state.chains, order.input.chainId, order.input.token);
  const dest = tokenAt(state.chains, order.output.chainId, order.output.token);
  const summary = summarizeOrder(order);
  const selling = order.side === "SELL";
  const price = rate({ ...src, amount: summary.spent }, { ...dest, amount: summary.received });
  return [
    sum(selling ? "To pay" : "To pay at most", summary.maxSpent, src, "up"),
    sum(selling ? "To receive at least" : "To receive", summary.minReceived, dest, "down"),
    sum("Paid", summary.spent, src),
    sum("Received", summary.received, dest),
    ...(price ? [{ name: "Average price", text: price.rounded, exact: price.exact }] : []),
    ...(summary.slices ? [time("Placed", order.createdAt)] : []),
    // A timeline, if there is one, shows the other times.
    ...(!summary.isTerminal
      ? [time("Good until", order.expiresAt)]
      : summary.slices
        ? [time("Ended", order.updatedAt)]
        : []),
    order.beneficiary.toLowerCase() === order.owner.toLowerCase()
      ? { name: "Receiver", text: `You, ${short(order.owner)}`, exact: `You, ${order.owner}` }
      : hashLine("Receiver", order.beneficiary),
    ...references(order),
  ];
}

/** Its hash and its transactions. */
export function references({ orderHash, transactions, refunds }: Order): Line[] {
  const name = (index: number): string => (transactions.length > 1 ? `Transaction ${index + 1}` : "Transaction");
  return [
    hashLine("Order", orderHash),
    ...transactions.flatMap(({ originTx, destinationTx }, index) => [
      hashLine(name(index), originTx),
      ...(destinationTx && destinationTx !== originTx ? [hashLine("Arrived by", destinationTx)] : []),
    ]),
    ...refunds.map(({ tx }) => hashLine("Refunded by", tx)),
  ];
}

function sum(name: string, amount: string | null, token: Token, rounding?: Rounding): Line {
  return amount === null ? { name, text: "–" } : amountLine(name, amount, token, rounding);
}

function time(name: string, text: string): Line {
  const ms = msOf(text);
  return { name, text: ms === null ? "–" : timeWords(new Date(ms)) };
}
