// The list of what the account traded: the journal's trades and the service's orders, which may be of other devices, as one.
import { isTerminal, NATIVE_TOKEN, summarizeOrder } from "verified-swap";
import { figuresOf, swapRequest } from "./swap-figures.ts";
import type { Order, SentTransaction, Trade, UnreadableTrade } from "./types.ts";
import type { MadeTrade, MovedAmounts, SwapActivity, SwapEntry, SwapFailure, SwapFigures } from "./types/swap.ts";

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
  /** The figures of present prices, of trades that need a decision, by id. */
  readonly today: Map<string, SwapFigures | null>;
  /** Trades for which the wallet was asked, by id: whether nothing is at work on it now, or something that is not shown here. */
  readonly idle: Map<string, boolean>;
  /** The native token that is deposited with Delta on a chain, raw units; null: not known. */
  deposit: { chainId: number; amount: bigint } | null;
  /** Entries as they were made last, with what they were made of, by id. */
  readonly kept: Map<string, { of: readonly unknown[]; entry: SwapEntry }>;
}

export const nothingKnown = (): Known => ({
  trades: [], texts: new Map(), orders: new Map(), sents: new Map(), moved: new Map(), made: new Map(), sentAt: new Map(),
  failures: new Map(), today: new Map(), idle: new Map(), deposit: null, kept: new Map(),
});

type State = SwapEntry["state"];
/** They take nothing of a deposit. */
const UNCLAIMING: readonly SwapEntry["purpose"][] = ["approve", "revoke", "otc", "fill", "market"];
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

/** All entries, the latest first; those that cannot be read before them. `isWhole`: also those that are in no list. */
export function entriesOf(known: Known, isWhole = false): SwapEntry[] {
  const trades = known.trades.filter((trade) => isWhole || isListed(trade, known));
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

/** The part of the deposit that no order claims; null if there is none, or what claims it is not known. */
export function freeDeposit(known: Known): SwapActivity["deposit"] {
  if (!known.deposit) return null;
  let { chainId, amount } = known.deposit;
  for (const entry of entriesOf(known, true).filter((one) => !isOver(one) && !UNCLAIMING.includes(one.purpose))) {
    const { figures, trade, order } = entry;
    const place = figures?.src.chainId ?? order?.input.chainId ?? (trade?.kind === "unreadable" ? null : trade?.chainId);
    if ((place && place !== chainId) || (figures && figures.src.token !== NATIVE_TOKEN)) continue;
    if (!figures?.payAtMost) return null;
    amount -= BigInt(figures.payAtMost) - BigInt(figures.paid ?? "0");
  }
  return amount > 0n ? { chainId, amount: `${amount}` } : null;
}

/** The entry of that id: the same one as long as nothing of it has changed. */
function kept(known: Known, id: string, trade: Trade | UnreadableTrade | null): SwapEntry {
  const noted = trade?.kind === "unreadable" ? null : trade;
  const names = noted ? [noted.transaction, noted.batch, id] : [id];
  const find = <Value>(map: Map<string, Value>): Value | null => names.map((name) => name && map.get(name)).find(Boolean) || null;
  const parts = { order: known.orders.get(id) ?? null, sent: find(known.sents) ?? (noted && sentOf(noted)), made: find(known.made) };
  const [moved, failure, today] = [find(known.moved), known.failures.get(id) ?? null, known.today.get(id) ?? null];
  const isAsked = known.idle.get(id) === false;
  const of = [trade, parts.order, find(known.sents), moved, parts.made, failure, today, isAsked];
  const before = known.kept.get(id);
  if (before?.of.every((part, at) => part === of[at])) return before.entry;
  const startedAt = trade?.kind === "unreadable" ? null : noted?.startedAt ?? known.sentAt.get(id) ?? timeOf(parts.order);
  const made = entryOf(id, trade, noted, parts, moved);
  // The wallet is asked for it now, here or in another tab: there is nothing for the user to do here.
  const isOpen = isAsked && trade?.state === "asking";
  const entry = { ...made, ...(isOpen && { state: "moving" as const, needs: null }), startedAt, failure, today };
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
    today: null, failure: null, isNews: false,
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
