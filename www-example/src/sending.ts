import {
  isTerminal,
  type Address,
  type Approval,
  type Client,
  type Hex,
  type MarketBuild,
  type SentTransaction,
  type TransactionBuild,
} from "verified-swap";
import type { Accounts } from "./accounts.ts";
import { exact } from "./money.ts";
import type { Sent } from "./parts.ts";
import { balanceOf, short, tokenAt, type State } from "./state.ts";
import type { Store } from "./store.ts";

/* A transaction after the wallet sent it: followed to its end. */

export interface Sending {
  /** Remembered from now on, and shown. */
  sent(build: MarketBuild | TransactionBuild, hash: Hex): void;
  /** An approval is on its way: only a reload shows it by itself. */
  approving(approval: Approval, hash: Hex): void;
  /** It is mined: the trade it was for goes on. */
  approved(): void;
  /** Goes on with what was under way before a reload. */
  resume(): void;
  stop(): void;
}

const KEY = "transaction-in-flight";
const READ_AGAIN_MS = 3_000;

export function createSending(store: Store<State>, client: () => Client, accounts: Accounts): Sending {
  let current = new AbortController();

  function sent(build: MarketBuild | TransactionBuild, hash: Hex): void {
    const state = store.get();
    const { src, dest } = state.pair ?? state;
    current.abort();
    current = new AbortController();
    const errand = begun({
      purpose: build.kind === "market" ? "swap" : build.purpose,
      sentence: build.report.sentence,
      to: build.transaction.to,
      src,
      dest,
      transaction: sentBy(build.chainId, build.owner, hash),
      before: { src: balanceOf(state, src), dest: balanceOf(state, dest) },
    });
    remember(errand);
    store.set({ stage: "sent", busy: null, failure: null, sent: errand });
    void watch(errand.transaction, current.signal);
  }

  function approving({ chainId, token, owner, spender, amount }: Approval, hash: Hex): void {
    const src = tokenAt(store.get().chains, chainId, token);
    const sentence = `Your approval of ${exact(amount, src.decimals)} ${src.symbol} for ${short(spender)}.`;
    remember(
      begun({
        purpose: "approval",
        sentence,
        to: token,
        src,
        dest: src,
        transaction: sentBy(chainId, owner, hash),
        before: null,
      }),
    );
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
        for await (const seen of client().watch(transaction, { signal, intervalMs: 300, maxIntervalMs: 3_000 }))
          await show(seen, signal);
        return;
      } catch {
        await new Promise((resolve) => setTimeout(resolve, READ_AGAIN_MS));
      }
    }
  }

  async function show(transaction: SentTransaction, signal: AbortSignal): Promise<void> {
    const update = (change: Partial<Sent>): void => {
      const { sent: errand } = store.get();
      if (!errand || signal.aborted) return;
      const sent = { ...errand, ...change };
      if (isTerminal(sent.transaction)) forget();
      else remember(sent);
      store.set({ sent });
    };
    if (!isTerminal(transaction)) return update({ transaction });
    update({ transaction, endedAt: Date.now() });
    await accounts.refresh();
    const state = store.get();
    if (state.sent)
      update({ after: { src: balanceOf(state, state.sent.src), dest: balanceOf(state, state.sent.dest) } });
  }

  return { sent, approving, approved: forget, resume, stop: () => current.abort() };
}

/** A transaction of which only the wallet's answer is known; to be watched. */
export function sentBy(chainId: number, from: Address, hash: Hex): SentTransaction {
  return { kind: "sent", chainId, from, hash, nonce: null, status: "PENDING", blockNumber: null };
}

function begun(errand: Omit<Sent, "after" | "sentAt" | "endedAt">): Sent {
  return { ...errand, after: null, sentAt: Date.now(), endedAt: null };
}

function remember(errand: Sent): void {
  localStorage.setItem(KEY, JSON.stringify(errand));
}

function forget(): void {
  localStorage.removeItem(KEY);
}

function recall(): Sent | null {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "null") as Sent | null;
  } catch {
    return null;
  }
}
