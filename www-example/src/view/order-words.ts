import type { OrderStatus } from "verified-swap";

const WORDS: Record<string, string> = {
  PENDING: "Posted",
  AWAITING_SIGNATURE: "Waiting for a signature",
  ACTIVE: "Solvers bid",
  EXECUTING: "Settling",
  SUSPENDED: "Paused",
  CANCELLING: "Cancelling",
  COMPLETED: "Settled",
  FAILED: "Failed",
  EXPIRED: "Expired",
  CANCELLED: "Cancelled",
  REFUNDING: "Refunding",
  REFUNDED: "Refunded",
};

/** A status in words. The set is open: one we do not know is shown as the service spells it. */
export function statusWords(status: OrderStatus): string {
  return WORDS[status] ?? status;
}
