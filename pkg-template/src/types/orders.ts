import type { Address, Amount, Hex, Side } from "./values.ts";
import type { DeltaBuild } from "./build.ts";

/**
 * An order as the service reports it. Members unknown to this package are kept. `id` and `status` are always there.
 * Owner, beneficiary, side, chains, tokens and fixed amounts, if stated, agree with the signed struct, whose hash is
 * `orderHash`, unless the order is `unverified`. Status, times and executed amounts are the service's word.
 */
export interface Order {
  /** The service's id, a UUID. */
  id: string;
  /** Its state, by the service. */
  status: OrderStatus;
  /** Which amount is fixed. */
  side: Side;
  /** Whether it fills at the market or waits for its limit. */
  type: "MARKET" | "LIMIT" | (string & {});
  /** The struct that was signed. */
  onChainOrderType: DeltaBuild["orderKind"] | "ProductiveOrder" | (string & {});
  /** The side that is spent. */
  input: OrderSide;
  /** The side that is received. */
  output: OrderSide;
  /** The account that signed and pays. */
  owner: Address;
  /** The account that receives. */
  beneficiary: Address;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** The partner's name. */
  partner: string;
  /** The struct that was signed. */
  order: Record<string, unknown>;
  /** The fills so far. */
  transactions: OrderTransaction[];
  /** Crosschain: the amount that a bridge gave back. */
  refunds: { tx: Hex; chainId: number; token: Address; amount: Amount }[];
  /** When it was posted, ISO 8601. */
  createdAt: string;
  /** When it last changed, ISO 8601. */
  updatedAt: string;
  /** Its deadline, ISO 8601. */
  expiresAt: string;
  /** The struct cannot be hashed here: it is missing, of an unknown type, or for an unknown contract. */
  unverified?: true | undefined;
  /**
   * For a COMPLETED order that `order`, `watch` or `wait` returned. `seen`: the chain shows that it was filled and that
   * the beneficiary received the guaranteed amount. `claimed`: only the service says so.
   */
  settled?: "seen" | "claimed" | undefined;
  /**
   * For an order that the service returned before and does not find now, as while its reads are late: since when, unix
   * milliseconds by this machine's clock. All other members are as known before.
   */
  unseenSince?: number | undefined;
  /**
   * For an order that `watch` or `wait` no longer follows though its status is not terminal. `deadline`: its deadline
   * was an hour ago. `chain`: this client cancelled it, the service does not find it, and the chain shows that it
   * cannot be filled any more; the balances show whether it was filled before.
   */
  ended?: "deadline" | "chain" | undefined;
  [member: string]: unknown;
}

/** Status of a gasless order. The service may add others. */
export type OrderStatus =
  | "PENDING" | "AWAITING_SIGNATURE" | "ACTIVE" | "EXECUTING" | "SUSPENDED" | "CANCELLING" | "BRIDGING"
  | "COMPLETED" | "FAILED" | "EXPIRED" | "REFUNDING" | "CANCELLED" | "REFUNDED"
  | (string & {});

/** One side of an order. `summarizeOrder` combines the two. */
export interface OrderSide {
  /** The chain of this side. */
  chainId: number;
  /** The token of this side. */
  token: Address;
  /** Raw units, on the side that is fixed. */
  amount?: Amount | undefined;
  /** Raw units by the quote, on the side that is not fixed. */
  expectedAmount?: Amount | null | undefined;
  /** Raw units executed, on the side that is not fixed; once COMPLETED. */
  executedAmount?: Amount | null | undefined;
  /** Raw units signed as the most spent, in a BUY's input. */
  maxAmount?: Amount | undefined;
  /** Raw units signed as the least received, in a SELL's output. */
  minAmount?: Amount | null | undefined;
}

/** A fill of an order. */
export interface OrderTransaction {
  /** Transaction hash on the source chain. */
  originTx: Hex;
  /** Crosschain: transaction hash of the arrival; null before. */
  destinationTx: Hex | null;
  /** Share of the whole order, 0..100. */
  filledPercent: number;
  /** Raw units spent; null if not stated. */
  spentAmount: Amount | null;
  /** Raw units received; null if not stated. */
  receivedAmount: Amount | null;
}

/** Filters of `orders` and `allOrders`. */
export interface OrdersFilter {
  /** The owner of the orders. Default: the client's account. */
  account?: Address | undefined;
  /** Only orders of these chains. Default: all. */
  chainId?: number | number[] | undefined;
  /** Only orders in these states. Default: all. */
  status?: OrderStatus | OrderStatus[] | undefined;
  /** Only orders of this type. Default: both. */
  type?: "MARKET" | "LIMIT" | undefined;
  /** Only orders of this struct, such as `"TWAPOrder"`. Default: all. */
  onChainOrderType?: string | undefined;
  /** Which page, from 1. Default 1. `allOrders` counts by itself. */
  page?: number | undefined;
  /** Orders per page, 1..1000. Default 100. */
  limit?: number | undefined;
}

/** Part of a list. Numbers are null if the service does not state them. */
export interface Page<Item> {
  /** The orders. */
  orders: Item[];
  /** Number of orders in all pages. */
  total: number | null;
  /** Orders per page. */
  limit: number | null;
  /** Whether there is another page. */
  hasMore: boolean;
}

/** A page of orders. Numbers are null if the service does not state them. */
export interface OrderPage extends Page<Order> {
  /** Which page this is, from 1. */
  page: number | null;
}

/** The figures of an order, to show. Throws INVALID_INPUT with the member that is malformed. */
export declare function summarizeOrder(order: Order): OrderSummary;

/** An order's figures for an interface, computed from the service's report. Amounts are raw units. */
export interface OrderSummary {
  /** Whether nothing more happens to it. */
  isTerminal: boolean;
  /** Whether it arrives on another chain. */
  isCrosschain: boolean;
  /** 0..100; a crosschain fill counts when it has arrived. */
  filledPercent: number;
  /** Spent so far. */
  spent: Amount;
  /** Received so far, by the service. `settled: "seen"` proves only the guaranteed least. */
  received: Amount;
  /** The expected spending when the order was made; null if not known. */
  expectedSpent: Amount | null;
  /** The expected receipt when the order was made, after its fee; null if not known. */
  expectedReceived: Amount | null;
  /** The most that may be spent by the signed order; null if not known. */
  maxSpent: Amount | null;
  /**
   * The least to be received by the signed order, after its fee; crosschain: `expectedReceived`, because the bridge
   * decides. Null if not known.
   */
  minReceived: Amount | null;
  /** Received raw units per 10^18 spent raw units; null before a fill. */
  averagePrice: Amount | null;
  /**
   * How it can be cancelled now: by `cancel` (a signature) or `buildCancellation` (a transaction); null if it cannot.
   */
  cancel: "signature" | "transaction" | null;
  /** TWAP only: slices done, their number, and the earliest time of the next (unix seconds). */
  slices: { done: number; total: number; nextNotBefore: number | null } | null;
}

/**
 * Whether nothing more happens to it: COMPLETED, FAILED, EXPIRED, CANCELLED, REFUNDED; for a sent transaction also
 * REPLACED, DROPPED, PARTIAL, FOREIGN.
 */
export declare function isTerminal(order: { status: string } | string): boolean;
