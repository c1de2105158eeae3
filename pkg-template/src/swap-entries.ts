// The list of what the account traded: the journal's trades and the service's orders, which may be of other devices, as one.
import { isTerminal, summarizeOrder } from "verified-swap";
import { figuresOf, swapRequest } from "./swap-figures.ts";
import type { Order, SentTransaction, Trade, UnreadableTrade } from "./types.ts";
import type { MadeTrade, MovedAmounts, SwapEntry, SwapFailure } from "./types/swap.ts";

/** The sources of the list, for one account. */
export interface Known {
  /** The journal. */
  trades: readonly (Trade | UnreadableTrade)[];
  /** The journal's trades as text, by id. */
  readonly texts: Map<string, { text: string; trade: Trade | UnreadableTrade }>;
  /** The service's orders, by hash. */
  readonly orders: Map<string, Order>;
  /** Sent transactions as they were seen last, by their names. */
  readonly sents: Map<string, SentTransaction>;
  /** Amounts of receipts, by the names of their transactions. */
  readonly moved: Map<string, MovedAmounts>;
  /** Builds of this session, by the hash of the order, or the names of the transaction. */
  readonly made: Map<string, MadeTrade>;
  /** When the transactions of this session were sent that the journal may not have, by their names, unix milliseconds. */
  readonly sentAt: Map<string, number>;
  /** Failures of following them, by id. */
  readonly failures: Map<string, SwapFailure>;
  /** Trades for which the wallet was asked, and that nothing is at work on now, by id. */
  readonly idle: Set<string>;
  /** Entries as they were made last, with what they were made of, by id. */
  readonly kept: Map<string, { of: readonly unknown[]; entry: SwapEntry }>;
}

export const nothingKnown = (): Known => ({
  trades: [], texts: new Map(), orders: new Map(), sents: new Map(), moved: new Map(), made: new Map(), sentAt: new Map(),
  failures: new Map(), idle: new Set(), kept: new Map(),
});

type State = SwapEntry["state"];
const PURPOSES = ["approve", "fill", "cancel", "withdraw", "revoke", "presign", "market"] as const;
const STATUSES = ["PENDING", "COMPLETED", "FAILED", "REPLACED", "DROPPED", "PARTIAL", "FOREIGN"] as const;
const ENDS: Readonly<Record<string, State>> = {
  COMPLETED: "done", FULFILLED: "done", CANCELLED: "cancelled", EXPIRED: "cancelled", ABANDONED: "cancelled", VOID: "cancelled",
};

/** The names of a transaction: its hash, the wallet's id of several calls. */
export const namesOf = ({ hash, batch }: Pick<SentTransaction, "hash" | "batch">): string[] =>
  [hash, batch].filter((name) => name !== null);

/** A transaction as the journal has it; null if the wallet did not answer. */
export function sentOf({ kind, chainId, owner, transaction, batch, state, status: known }: Trade): SentTransaction | null {
  if (kind !== "transaction" || (transaction === null && (batch === null || state === "asking"))) return null;
  const status = STATUSES.find((one) => one === known) ?? "PENDING";
  return { kind: "sent", chainId, from: owner, hash: transaction, batch, nonce: null, status, blockNumber: null };
}

/** Whether nothing more happens to an entry. */
export const isOver = ({ state }: SwapEntry) => state === "done" || state === "cancelled" || state === "failed";

/** All entries, the latest first; those that cannot be read before them. */
export function entriesOf(known: Known): SwapEntry[] {
  const trades = known.trades.filter((trade) => isListed(trade, known));
  const ids = new Set<string>(known.trades.map(({ id }) => id));
  const names = new Set(known.trades.flatMap((trade) => (trade.kind === "transaction" ? [trade.transaction, trade.batch] : [])));
  const unlisted = [...known.sentAt.keys()].filter((name) => !names.has(name) && !ids.has(name));
  const entries = [
    ...trades.map((trade) => kept(known, trade.id, trade)),
    ...[...known.orders.values()].filter(({ orderHash }) => !ids.has(orderHash)).map(({ orderHash }) => kept(known, orderHash, null)),
    ...unlisted.map((name) => kept(known, name, null)),
  ];
  return entries.sort((one, other) => (other.startedAt ?? Infinity) - (one.startedAt ?? Infinity));
}

/** A trade that was never signed or sent is in no list, nor is a prompt that is open. */
function isListed(trade: Trade | UnreadableTrade, { idle }: Known): boolean {
  return trade.status !== "UNSIGNED" && (trade.state !== "asking" || idle.has(trade.id));
}

/** The entry of that id: the same one as long as nothing of it has changed. */
function kept(known: Known, id: string, trade: Trade | UnreadableTrade | null): SwapEntry {
  const noted = trade?.kind === "unreadable" ? null : trade;
  const names = noted ? [noted.transaction, noted.batch, id] : [id];
  const find = <Value>(map: Map<string, Value>): Value | null => names.map((name) => name && map.get(name)).find(Boolean) || null;
  const parts = { order: known.orders.get(id) ?? null, sent: find(known.sents) ?? (noted && sentOf(noted)), made: find(known.made) };
  const [moved, failure] = [find(known.moved), known.failures.get(id) ?? null];
  const of = [trade, parts.order, find(known.sents), moved, parts.made, failure];
  const before = known.kept.get(id);
  if (before?.of.every((part, at) => part === of[at])) return before.entry;
  const startedAt = trade?.kind === "unreadable" ? null : noted?.startedAt ?? known.sentAt.get(id) ?? timeOf(parts.order);
  const entry = { ...entryOf(id, trade, noted, parts, moved), startedAt, failure };
  known.kept.set(id, { of, entry });
  return entry;
}

const timeOf = (order: Order | null) => (order && Date.parse(order.createdAt)) || null;

interface Parts {
  order: Order | null;
  sent: SentTransaction | null;
  made: MadeTrade | null;
}

function entryOf(
  id: string, trade: SwapEntry["trade"], noted: Trade | null, { order, sent, made }: Parts, moved: MovedAmounts | null,
): SwapEntry {
  const isTrade = order || made || (noted && swapRequest(noted) && (noted.kind === "delta" || noted.purpose === "market"));
  const read = () => figuresOf(order ? { order, trade: noted, made } : { trade: noted, sent, moved, made });
  const figures = isTrade ? attempt(read) : null;
  const isSigned = noted?.signedOrder?.kind === "signedOrder" && noted.needs === "decision";
  return {
    id, figures, order, sent, trade,
    purpose: trade?.kind === "unreadable" ? "unreadable" : noted?.kind === "otc" ? "otc" : figures?.kind ?? purposeOf(noted),
    state: stateOf(trade, order, sent),
    status: (order ?? (noted?.status === "UNCERTAIN" ? noted : sent ?? noted))?.status ?? null,
    needs: trade?.needs ?? null,
    sentence: trade?.summary.sentence ?? made?.build.report.sentence ?? null,
    startedAt: null,
    cancel: order ? attempt(() => summarizeOrder(order).cancel) : isSigned ? "transaction" : null,
    failure: null, isNews: false,
  };
}

const purposeOf = (trade: Trade | null): SwapEntry["purpose"] => PURPOSES.find((one) => one === trade?.purpose) ?? "swap";

/** The result of `read`; null where an order or an entry of the journal is malformed. */
export function attempt<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch {
    return null;
  }
}

function stateOf(trade: SwapEntry["trade"], order: Order | null, sent: SentTransaction | null): State {
  if (order && isTerminal(order)) return endOf(order.status);
  if (order?.ended) return "cancelled";
  if (trade?.state === "ended" && !order) return endOf(trade.status);
  if (trade?.needs) return "unfinished";
  const isResting = order ? order.type === "LIMIT" || order.onChainOrderType.startsWith("TWAP") : trade?.kind === "otc";
  if (isResting && order?.status !== "CANCELLING") return "open";
  return sent && isTerminal(sent) ? endOf(sent.status) : "moving";
}

const endOf = (status: string | null): State => ENDS[status ?? ""] ?? "failed";
