import { isTerminal, summarizeOrder, type Order } from "verified-swap";
import { rounded } from "../state/money.ts";
import type { InFlight } from "../state/parts.ts";
import { chainName, isNative, short, tokenAt, type State } from "../state/state.ts";
import { statusWords } from "./order-words.ts";
import type { Stop } from "./timeline.ts";

/* The progress of an order, in words and as a timeline. */

export function titleOf(order: Order | null, { resting, postedAt, consent }: InFlight): string {
  if (consent) return "Consent sent";
  if (!order && postedAt === null) return "Order signed";
  if (order && isTerminal(order)) return statusWords(order.status);
  return resting ? "Order placed" : "Order on its way";
}

export function standing(order: Order | null, { resting, postedAt }: InFlight): string {
  if (!order) return postedAt === null ? "Signed. Posting… Do not sign again." : "Reading its progress…";
  if (isTerminal(order)) return "";
  return resting ? "It is open, and listed with your orders." : "You can close this page; the order continues.";
}

export function sentenceOf(state: State, inFlight: InFlight): string {
  const { order, chains } = state;
  const { owner, beneficiary, signedOrder } = inFlight;
  const src = tokenAt(chains, inFlight.chainId, inFlight.srcToken);
  const dest = tokenAt(chains, inFlight.destChainId, inFlight.destToken);
  const there = inFlight.destChainId === inFlight.chainId ? "" : ` on ${chainName(state, inFlight.destChainId)}`;
  // A deposit, or a consent on chain, costs gas.
  const isFree = !isNative(src) && signedOrder?.signature !== "0x";
  const summary = order && summarizeOrder(order);
  if (
    summary &&
    (order.status === "COMPLETED" || (summary.isTerminal && summary.received !== "0" && order.refunds.length === 0))
  ) {
    if (summary.received === "0" || summary.spent === "0")
      return `Your swap of ${src.symbol} for ${dest.symbol} is settled.`;
    const to = beneficiary === owner ? "" : ` at ${short(beneficiary)}`;
    const [paid, got] = [rounded(summary.spent, src.decimals), rounded(summary.received, dest.decimals)];
    return `${paid} ${src.symbol} became ${got} ${dest.symbol}${there}${to}.`;
  }
  if (order && order.refunds.length > 0) {
    const [{ token, chainId, amount } = { token: inFlight.srcToken, chainId: inFlight.chainId, amount: "0" }] =
      order.refunds;
    const back = tokenAt(chains, chainId, token);
    const returned = `${rounded(amount, back.decimals)} ${back.symbol}`;
    return `The bridge did not deliver: ${returned} came back to you on ${chainName(state, chainId)}.`;
  }
  if (summary?.isTerminal) return isFree ? "Nothing was exchanged, and it cost you nothing." : "Nothing was exchanged.";
  const to = beneficiary === owner ? "" : `, to ${short(beneficiary)}`;
  const gas = isFree ? "; you pay no gas" : "";
  return `Swapping ${src.symbol} for ${dest.symbol}${there}${to}. Solvers compete to fill it${gas}.`;
}

export function stopsOf(inFlight: InFlight, order: Order | null): Stop[] {
  const { signedAt, postedAt, activeAt, settledAt, chainId, destChainId, signedOrder, consent } = inFlight;
  const ended = order !== null && isTerminal(order);
  const settled = order?.status === "COMPLETED";
  const active = order !== null && order.status !== "PENDING" && order.status !== "AWAITING_SIGNATURE";
  // What was spent here is with the bridge, or was.
  const left =
    settled || order?.status === "BRIDGING" || order?.status === "REFUNDING" || (order?.transactions.length ?? 0) > 0;
  const crossing: Stop = { name: "Over the bridge", state: left ? "done" : "ahead", at: null };
  return [
    {
      name: signedOrder?.signature === "0x" ? "Consented on chain" : "Signed",
      state: consent ? "now" : "done",
      at: consent ? null : signedAt,
    },
    { name: "Posted", state: order || postedAt !== null ? "done" : consent ? "ahead" : "now", at: postedAt },
    { name: "Active", state: ended || active ? "done" : order || postedAt !== null ? "now" : "ahead", at: activeAt },
    ...(chainId === destChainId ? [] : [crossing]),
    {
      name: ended && !settled ? statusWords(order.status) : "Settled",
      state: settled ? "done" : ended ? "failed" : active ? "now" : "ahead",
      at: settledAt,
    },
  ];
}
