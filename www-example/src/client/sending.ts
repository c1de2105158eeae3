import {
  isTerminal,
  maxSpent,
  NATIVE_TOKEN,
  type Address,
  type Client,
  type Hex,
  type MarketBuild,
  type QuoteRequest,
  type SentTransaction,
  type Trade,
  type TransactionBuild,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import type { Errands } from "./errands.ts";
import type { Noted } from "./opened.ts";
import { amountsMoved } from "./receipts.ts";
import { messages } from "../messages/en.ts";
import { exact } from "../state/money.ts";
import type { Sent } from "../state/parts.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { leastOf } from "../state/prices.ts";
import { balanceOf, short, tokenAt, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* Transactions after the wallet sent them: followed to their end, shown or not. The journal keeps them over a reload. */

/** What the wallet answered: a transaction's hash, or the id of several calls. */
export interface SentName {
  transaction?: Hex | null | undefined;
  batch?: string | null | undefined;
}

export interface Sending {
  /** Follows it, and shows it or lists it. */
  sent(build: MarketBuild | TransactionBuild, name: SentName, show: boolean): void;
  /** The same for one of the journal, which has its hash. Resolves when nothing more happens to it. */
  resume(trade: Trade, show: boolean): Promise<void>;
}

/** A transaction, as far as the journal and a build tell of it. */
type NotedSent = SentName &
  Pick<Trade, "purpose" | "chainId" | "owner" | "startedAt" | "changedAt" | "state" | "status"> & { summary: Noted };

/** Of the journal's words. */
const PURPOSES: Record<string, Sent["purpose"]> = {
  market: "swap",
  approve: "approval",
  presign: "consent",
  cancel: "cancel",
  withdraw: "withdraw",
};
const PACE = { intervalMs: 300, maxIntervalMs: 3_000 };
/** Of the journal's trades, those that the history may show. */
const LISTED = 40;

export function createSending(store: Store<State>, client: () => Client, accounts: Accounts, errands: Errands): Sending {
  let isReading = false;

  function sent(build: MarketBuild | TransactionBuild, name: SentName, show: boolean): void {
    const state = store.get();
    const { chainId, owner, report: { sentence }, transaction: { to } } = build; // prettier-ignore
    const isMarket = build.kind === "market";
    const [purpose, summary] = isMarket ? (["market", { ...build, sentence, approval: undefined }] as const) : [build.purpose, { sentence }];
    const noted = sentOf({ ...name, purpose, chainId, owner, startedAt: Date.now(), changedAt: 0, state: "sent", status: null, summary });
    const { src, dest } = isMarket ? noted : (state.pair ?? state);
    const { quote } = state;
    const priced = quote?.kind === "market" && (noted.promise?.side === "BUY" ? maxSpent(quote, 0) : leastOf(quote, 0));
    const promise = noted.promise && { ...noted.promise, expected: priced || null };
    const before = { src: balanceOf(state, src), dest: balanceOf(state, dest) };
    void follow({ ...noted, to, src, dest, promise, before }, show);
  }

  async function resume(trade: Trade, show: boolean): Promise<void> {
    if (!errands.find(nameOf(trade) ?? "")) return follow(sentOf(trade), show);
    if (show) errands.show(nameOf(trade) ?? "");
  }

  function sentOf(trade: NotedSent): Sent {
    const { chains } = store.get();
    const { purpose, chainId, owner, startedAt, changedAt, status, state, summary } = trade;
    const { sentence, request, approval, beneficiary = owner, minReceived: least, maxSpent: most } = summary;
    const { srcToken = NATIVE_TOKEN, destToken, side = "SELL" } = (request ?? {}) as Partial<QuoteRequest>;
    const src = tokenAt(chains, chainId, approval?.token ?? srcToken);
    const transaction = sentBy(chainId, owner, trade);
    const ended = { ...transaction, status: status as SentTransaction["status"] };
    const bound = side === "BUY" ? most : least;
    return {
      purpose: PURPOSES[purpose ?? ""] ?? "cancel",
      sentence: approval ? approvalWords(approval, src) : (sentence ?? ""),
      to: null,
      src,
      dest: tokenAt(chains, chainId, destToken ?? src.address),
      transaction: state === "ended" && isTerminal(ended) ? ended : transaction,
      promise: purpose === "market" && bound ? { beneficiary, side, bound, expected: null } : null,
      paid: null,
      received: null,
      before: null,
      after: null,
      sentAt: startedAt,
      endedAt: state === "ended" ? changedAt : null,
    };
  }

  /** Until it has ended. */
  async function follow(sent: Sent, show: boolean): Promise<void> {
    const { transaction } = sent;
    const id = transaction.hash ?? transaction.batch ?? "";
    errands.begin({ kind: "transaction", id, sent, isNews: false }, show);
    if (isTerminal(transaction)) return change(id, await movedIn(sent));
    await errands.follow(id, async (signal) => {
      for await (const seen of client().watch(transaction, { signal, ...PACE })) await read(id, seen, signal);
    });
  }

  function change(id: string, changed: Partial<Sent>): void {
    const errand = errands.find(id);
    if (errand?.kind === "transaction") errands.change({ ...errand, sent: { ...errand.sent, ...changed } });
  }

  async function read(id: string, transaction: SentTransaction, signal: AbortSignal): Promise<void> {
    const errand = errands.find(id);
    if (errand?.kind !== "transaction") return;
    if (!isTerminal(transaction)) return change(id, { transaction });
    const moved = await movedIn({ ...errand.sent, transaction });
    change(id, { ...moved, transaction, endedAt: Date.now() });
    void accounts.refresh();
    const { src, dest, before } = errand.sent;
    const after = before && (await accounts.holdings(transaction.from, src, dest, signal));
    if (after) change(id, { after });
  }

  async function movedIn({ promise, transaction, src, dest }: Sent): Promise<Pick<Sent, "paid" | "received">> {
    const { hash, status, chainId } = transaction;
    const chain = store.get().chains.find((one) => one.chainId === chainId);
    const isRead = chain && promise && hash && status === "COMPLETED";
    return isRead ? amountsMoved(chain, transaction, [src, dest], promise.beneficiary) : { paid: null, received: null };
  }

  /** The journal has only the bound of a swap: the receipts have the rest, after a reload as well. */
  async function readMoved({ trades, moves }: State): Promise<void> {
    const isUnread = ({ purpose, status, transaction }: Trade): boolean =>
      purpose === "market" && status === "COMPLETED" && transaction !== null && !(transaction in moves);
    const next = trades.slice(0, LISTED).find(isUnread);
    if (!next?.transaction || isReading) return;
    isReading = true;
    const moved = await movedIn(sentOf(next));
    isReading = false;
    store.set({ moves: { ...store.get().moves, [next.transaction]: moved } });
  }

  store.subscribe((state) => void readMoved(state));
  return { sent, resume };
}

/** Whether the wallet answered to a transaction, or to several calls. */
export function isSent({ transaction, batch, state }: Trade): boolean {
  return transaction !== null || (batch !== null && state !== "asking");
}

/** The name of its errand. */
function nameOf({ kind, id, transaction, batch }: Trade): string | null {
  return kind === "transaction" ? (transaction ?? batch) : id;
}

/** A transaction of which only the wallet's answer is known; to be watched. */
export function sentBy(chainId: number, from: Address, { transaction, batch }: SentName): SentTransaction {
  const hash = transaction ?? null;
  return { kind: "sent", chainId, from, hash, batch: batch ?? null, nonce: null, status: "PENDING", blockNumber: null };
}

/** An approval as the journal has it. */
export function approvalWords({ amount, spender }: NonNullable<Trade["summary"]["approval"]>, token: Token): string {
  return messages.progress.approval(exact(amount, token.decimals), token.symbol, short(spender));
}
