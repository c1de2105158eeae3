import { isTerminal, summarizeOrder, type Amount, type Order } from "verified-swap";
import type { Token } from "../sandbox/sandbox.ts";
import type { InFlight, Sent } from "./parts.ts";
import { isNative, tokenAt, type State } from "./state.ts";

/* What a trade brought, against what was guaranteed. */

export interface Result {
  token: Token;
  /** `received`: the more the better. `spent`: the less the better. */
  of: "received" | "spent";
  /** The bound that was signed; what is expected, where only the bridge decides, or what was reviewed is not known. */
  bound: Amount;
  isGuaranteed: boolean;
  expected: Amount | null;
  /** What it is compared with: what the quote said, or a limit of one's own; null where neither is known. */
  reference: { of: "quote" | "limit"; amount: Amount } | null;
  /** Null until it has ended. */
  actual: Amount | null;
  /** Who says so. */
  seen: "seen" | "claimed" | "receipt" | "balance" | null;
}

export function resultOfOrder({ chains }: State, order: Order, { guaranteed }: InFlight): Result | null {
  const summary = summarizeOrder(order);
  const isOver = isTerminal(order) && order.status === "COMPLETED";
  if (isTerminal(order) && !isOver) return null;
  const seen = isOver ? (order.settled ?? null) : null;
  const sells = order.side === "SELL";
  const bound = sells ? (guaranteed ?? summary.minReceived) : summary.maxSpent;
  const actual = sells ? summary.received : summary.spent;
  const expected = sells ? summary.expectedReceived : summary.expectedSpent;
  if (bound === null || bound === "0") return null;
  const { chainId, token } = sells ? order.output : order.input;
  return {
    token: tokenAt(chains, chainId, token),
    of: sells ? "received" : "spent",
    bound,
    isGuaranteed: !sells || !summary.isCrosschain || guaranteed !== null,
    expected,
    reference: order.type === "LIMIT" ? { of: "limit", amount: bound } : summary.slices ? null : quoted(expected),
    actual: isOver && actual !== "0" ? actual : null,
    seen,
  };
}

function quoted(amount: Amount | null): Result["reference"] {
  return amount === null || amount === "0" ? null : { of: "quote", amount };
}

/** Of a Market swap. */
export function resultOfSent({ promise, src, dest, paid, received, transaction }: Sent): Result | null {
  const of = promise?.side === "BUY" ? "spent" : "received";
  const [token, actual] = of === "spent" ? [src, paid] : [dest, received];
  if (!promise || promise.bound === "0" || (actual === null && isTerminal(transaction))) return null;
  const { bound, expected } = promise;
  const seen = actual === null ? null : isNative(token) ? "balance" : "receipt";
  return { token, of, bound, isGuaranteed: true, expected, reference: quoted(expected), actual, seen };
}
