import type { Order, OrderStatus } from "verified-swap";
import { messages } from "../messages/en.ts";

const ORDERS: Record<string, string> = messages.progress.status;

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
