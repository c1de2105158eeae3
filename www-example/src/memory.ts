import type { Address, Amount, Hex, SentTransaction, Side, SignedOrder, TwapPlan } from "verified-swap";

/* Orders on the page, kept over a reload. Everything is plain data: what the package returns can be stored as it is. */

export interface InFlight {
  chainId: number;
  destChainId: number;
  owner: Address;
  beneficiary: Address;
  orderHash: Hex;
  srcToken: Address;
  destToken: Address;
  side: Side;
  /** It stays open until its price is reached or its next slice is due, so the page does not wait for it. */
  resting: boolean;
  twap: TwapPlan | null;
  /** Unix milliseconds; null if this page did not see it. */
  signedAt: number | null;
  postedAt: number | null;
  /** When the page first saw solvers bid. */
  activeAt: number | null;
  settledAt: number | null;
  /** Balances before the swap, of the owner; null where they could not be read, or it was not made here. */
  before: { src: Amount | null; dest: Amount | null };
  /** Balances after it ended; null until they were read. */
  after: { src: Amount | null; dest: Amount | null } | null;
  /**
   * Handed to `submit` again until the service is known to have the order; null of one that was opened from the list.
   */
  signedOrder: SignedOrder | null;
  /**
   * The transaction that consents in place of a signature, until it is in a block: only then is there something to
   * post.
   */
  consent: SentTransaction | null;
}

const KEY = "orders-in-flight";

export function remember(order: InFlight): void {
  const others = recallAll().filter(({ orderHash }) => orderHash !== order.orderHash);
  localStorage.setItem(KEY, JSON.stringify([order, ...others].slice(0, 20)));
}

export function forget(orderHash: Hex): void {
  localStorage.setItem(KEY, JSON.stringify(recallAll().filter((order) => order.orderHash !== orderHash)));
}

/** The order of `owner` that was on the page last, and has not been seen at its end. */
export function recall(owner: Address, chainId: number): InFlight | null {
  return recallAll().find((order) => order.owner === owner && order.chainId === chainId) ?? null;
}

function recallAll(): InFlight[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? (stored as InFlight[]) : [];
  } catch {
    return [];
  }
}
