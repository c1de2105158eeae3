import { isTerminal, type Order, type QuoteRequest, type Trade } from "verified-swap";
import type { Chain } from "../sandbox/sandbox.ts";
import type { HistoryState } from "./parts.ts";
import type { State } from "./state.ts";

/* One list of everything the account traded: the journal's trades and the service's orders, which may be of other
   devices. */

export type HistoryKind = "gasless" | "limit" | "twap" | "market" | "approval" | "other";

export interface HistoryEntry {
  /** The order's hash, or the journal's id. */
  id: string;
  kind: HistoryKind;
  state: HistoryState;
  /** Unix milliseconds. */
  at: number;
  /** As the service knows it. */
  order: Order | null;
  /** As the journal knows it. */
  trade: Trade | null;
  /** The approvals that were made for it. */
  approvals: Trade[];
}

/** A trade that comes later has nothing to do with an approval. */
const SOON_MS = 15 * 60_000;
const ENDS: Record<string, HistoryState> = {
  COMPLETED: "done",
  FULFILLED: "done",
  CANCELLED: "cancelled",
  EXPIRED: "cancelled",
  ABANDONED: "cancelled",
  VOID: "cancelled",
};

/** The latest first. What was never signed or sent is in no history. */
export function historyOf({ trades, orders, chains }: Pick<State, "trades" | "orders" | "chains">): HistoryEntry[] {
  const known = new Map(orders?.map((order) => [order.orderHash.toLowerCase(), order]));
  const kept = trades.filter(({ state, status }) => status !== "UNSIGNED" && (state === "ended" || isOut(state)));
  const main = kept.filter(({ purpose }) => purpose !== "approve" && purpose !== "presign");
  const approvals = kept.filter(({ purpose }) => purpose === "approve");
  const entries = main.map((trade) => entryOf(trade, known.get(trade.id.toLowerCase()) ?? null));
  const ours = new Set(main.map(({ id }) => id.toLowerCase()));
  for (const order of orders ?? []) if (!ours.has(order.orderHash.toLowerCase())) entries.push(elsewhere(order));
  for (const approval of approvals) {
    const owner = nextOf(approval, entries, chains);
    if (owner) owner.approvals.push(approval);
    else entries.push(entryOf(approval, null));
  }
  return entries.sort((one, other) => other.at - one.at);
}

/** The approvals that were made for the trade of that id. */
export function approvalsOf(state: Pick<State, "trades" | "orders" | "chains">, id: string): Trade[] {
  return historyOf(state).find((entry) => entry.id === id)?.approvals ?? [];
}

function isOut(state: Trade["state"]): boolean {
  return state !== "asking" && state !== "signed" && state !== "waiting" && state !== "unapproved";
}

function entryOf(trade: Trade, order: Order | null): HistoryEntry {
  const base = { id: trade.id, at: trade.startedAt, order, trade, approvals: [] };
  if (order) return { ...base, kind: kindOfOrder(order), state: stateOfOrder(order) };
  return { ...base, kind: kindOfTrade(trade), state: trade.state === "ended" ? endOf(trade.status) : "open" };
}

function elsewhere(order: Order): HistoryEntry {
  const at = Date.parse(order.createdAt);
  const base = { id: order.orderHash, at: Number.isNaN(at) ? 0 : at, order, trade: null, approvals: [] };
  return { ...base, kind: kindOfOrder(order), state: stateOfOrder(order) };
}

function stateOfOrder(order: Order): HistoryState {
  return isTerminal(order) ? endOf(order.status) : "open";
}

function endOf(status: string | null): HistoryState {
  return ENDS[status ?? ""] ?? "failed";
}

function kindOfOrder({ type, onChainOrderType }: Order): HistoryKind {
  return onChainOrderType.startsWith("TWAP") ? "twap" : type === "LIMIT" ? "limit" : "gasless";
}

function kindOfTrade({ kind, purpose, summary }: Trade): HistoryKind {
  if (kind === "transaction") return purpose === "market" ? "market" : purpose === "approve" ? "approval" : "other";
  return summary.orderKind?.startsWith("TWAP") ? "twap" : summary.type === "LIMIT" ? "limit" : "gasless";
}

/**
 * The trade that an approval was made for: the first one soon after it that takes its token by its spender, no more
 * than it allows, and has no nearer approval. Where an old one was taken back, the trade of the approval that followed.
 */
function nextOf({ startedAt, summary }: Trade, entries: HistoryEntry[], chains: Chain[]): HistoryEntry | undefined {
  const { approval } = summary;
  if (!approval) return undefined;
  const allowed = BigInt(approval.amount);
  const later = entries.filter(({ at, trade, approvals }) => {
    const request: Partial<QuoteRequest> = trade?.summary.request ?? {};
    const { maxSpent } = trade?.summary ?? {};
    return (
      at >= startedAt &&
      at - startedAt < SOON_MS &&
      isSame(request.srcToken, approval.token) &&
      isSame(trade && spenderOf(trade, chains), approval.spender) &&
      (allowed === 0n || (approvals.length === 0 && BigInt(maxSpent ?? 0) <= allowed))
    );
  });
  return later.sort((one, other) => one.at - other.at)[0];
}

/** Whose contract takes what a trade sells. */
function spenderOf({ chainId, kind, purpose }: Trade, chains: Chain[]): string | undefined {
  const chain = chains.find((one) => one.chainId === chainId);
  if (kind === "transaction") return purpose === "market" ? chain?.router : undefined;
  return chain?.delta;
}

function isSame(one: string | null | undefined, other: string): boolean {
  return one?.toLowerCase() === other.toLowerCase();
}
