import type { Order, OrderStatus, OtcOrder } from "verified-swap";
import { messages } from "../messages/en.ts";

const ORDERS: Record<string, string> = messages.progress.status;
const OFFERS: Record<string, string> = messages.progress.offerStatus;

/** A status in words. The set is open: one we do not know is shown as the service spells it. */
export function statusWords(status: OrderStatus): string {
  return ORDERS[status] ?? status;
}

/** A limit order that nobody fills yet: it rests until its price is reached. */
export function isWaiting({ status, type, onChainOrderType }: Order): boolean {
  return type === "LIMIT" && !onChainOrderType.startsWith("TWAP") && (status === "PENDING" || status === "ACTIVE");
}

/** How far an order is, in words. */
export function orderWords(order: Order): string {
  return isWaiting(order) ? messages.progress.stop.waits : statusWords(order.status);
}

/** The state of an OTC order in words; the service may not have looked at the clock yet. */
export function offerWords({ state, expiry, makerAmount, fillableBalance }: OtcOrder): string {
  const isOpen = state === "PENDING";
  if (isOpen && expiry !== 0 && expiry * 1000 < Date.now()) return OFFERS["EXPIRED"] ?? state;
  const left = typeof fillableBalance === "string" && fillableBalance !== "0" ? fillableBalance : makerAmount;
  return (isOpen && left !== makerAmount ? OFFERS["PARTLY"] : OFFERS[state]) ?? state;
}
