import type { OrderStatus, OtcOrder } from "verified-swap";

const WORDS: Record<string, string> = {
  PENDING: "Posted",
  AWAITING_SIGNATURE: "Waiting for a signature",
  ACTIVE: "Solvers bid",
  EXECUTING: "Settling",
  SUSPENDED: "Paused",
  CANCELLING: "Cancelling",
  BRIDGING: "Over the bridge",
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

const OFFERS: Record<string, string> = {
  DRAFT: "Draft",
  PENDING: "Open",
  FULFILLED: "Filled",
  CANCELLED: "Cancelled",
  SUSPENDED: "Paused",
  EXPIRED: "Expired",
};

/** The state of an OTC order in words; the service may not have looked at the clock yet. */
export function offerWords({ state, expiry, makerAmount, fillableBalance }: OtcOrder): string {
  if (state === "PENDING" && expiry !== 0 && expiry * 1000 < Date.now()) return "Expired";
  const partly =
    state === "PENDING" &&
    typeof fillableBalance === "string" &&
    fillableBalance !== makerAmount &&
    fillableBalance !== "0";
  return partly ? "Partly filled" : (OFFERS[state] ?? state);
}
