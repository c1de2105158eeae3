import { isTerminal, type Address, type Amount, type Client, type MarketBuild, type SentTransaction, type TransactionBuild } from "verified-swap";
import type { Accounts } from "./accounts.ts";
import type { Token } from "./sandbox.ts";
import { balanceOf, type State } from "./state.ts";
import type { Store } from "./store.ts";

/* A transaction after the wallet sent it: followed to its end. */

export interface Sent {
  purpose: "swap" | TransactionBuild["purpose"];
  /** What was agreed to. */
  sentence: string;
  to: Address;
  src: Token;
  dest: Token;
  transaction: SentTransaction;
  /** The sender's balances before, and after it ended; null where they could not be read. */
  before: { src: Amount | null; dest: Amount | null };
  after: { src: Amount | null; dest: Amount | null } | null;
  /** Unix milliseconds. */
  sentAt: number;
  endedAt: number | null;
}

export interface Sending {
  sent(build: MarketBuild | TransactionBuild, transaction: SentTransaction): void;
  /** Goes on with what was under way before a reload. */
  resume(): void;
  stop(): void;
}

const KEY = "transaction-in-flight";
const READ_AGAIN_MS = 3_000;

export function createSending(store: Store<State>, client: () => Client, accounts: Accounts): Sending {
  let current = new AbortController();

  function sent(build: MarketBuild | TransactionBuild, transaction: SentTransaction): void {
    const state = store.get();
    const { src, dest } = state.pair ?? state;
    current.abort();
    current = new AbortController();
    const before = { src: balanceOf(state, src), dest: balanceOf(state, dest) };
    const purpose = build.kind === "market" ? "swap" : build.purpose;
    const { to } = build.transaction;
    const errand: Sent = { purpose, sentence: build.report.sentence, to, src, dest, transaction, before, after: null, sentAt: Date.now(), endedAt: null };
    localStorage.setItem(KEY, JSON.stringify(errand));
    store.set({ stage: "sent", busy: null, failure: null, sent: errand });
    void watch(transaction, current.signal);
  }

  function resume(): void {
    const errand = recall();
    const { account, stage } = store.get();
    if (!errand || errand.transaction.from !== account || stage !== "compose") return;
    store.set({ stage: "sent", sent: errand });
    void watch(errand.transaction, current.signal);
  }

  /** Shows the transaction until it has ended. A read that fails is repeated. */
  async function watch(transaction: SentTransaction, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        for await (const seen of client().watch(transaction, { signal, intervalMs: 300, maxIntervalMs: 3_000 })) await show(seen, signal);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      }
    }
  }

  async function show(transaction: SentTransaction, signal: AbortSignal): Promise<void> {
    const update = (change: Partial<Sent>): void => {
      const { sent: errand } = store.get();
      if (errand && !signal.aborted) store.set({ sent: { ...errand, ...change } });
    };
    if (!isTerminal(transaction)) return update({ transaction });
    localStorage.removeItem(KEY);
    update({ transaction, endedAt: Date.now() });
    await accounts.refresh();
    const state = store.get();
    if (state.sent) update({ after: { src: balanceOf(state, state.sent.src), dest: balanceOf(state, state.sent.dest) } });
  }

  return { sent, resume, stop: () => current.abort() };
}

function recall(): Sent | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Sent | null;
  } catch {
    return null;
  }
}
