import {
  isTerminal,
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
import { exact } from "../state/money.ts";
import type { Sent } from "../state/parts.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { balanceOf, short, tokenAt, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";

/* A transaction after the wallet sent it: followed to its end. The journal keeps it over a reload. */

/** What the wallet answered: a transaction's hash, or the id of several calls. */
export interface SentName {
  transaction?: Hex | null | undefined;
  batch?: string | null | undefined;
}

export interface Sending {
  /** Shows it, and follows it. */
  sent(build: MarketBuild | TransactionBuild, name: SentName): void;
  /** The same for one of the journal, which has its hash. Resolves when it has ended, or another view takes its place. */
  resume(trade: Trade): Promise<void>;
  stop(): void;
}

/** Of the journal's words. */
const PURPOSES: Record<string, Sent["purpose"]> = {
  market: "swap",
  approve: "approval",
  presign: "consent",
  fill: "fill",
  cancel: "cancel",
  withdraw: "withdraw",
  revoke: "revoke",
};
const READ_AGAIN_MS = 3_000;

export function createSending(store: Store<State>, client: () => Client, accounts: Accounts): Sending {
  let current = new AbortController();

  function sent(build: MarketBuild | TransactionBuild, name: SentName): void {
    const state = store.get();
    const { src, dest } = state.pair ?? state;
    const purpose = build.kind === "market" ? "swap" : build.purpose;
    void follow({
      purpose,
      sentence: build.report.sentence,
      to: build.transaction.to,
      src,
      dest,
      transaction: sentBy(build.chainId, build.owner, name),
      before: purpose === "revoke" ? null : { src: balanceOf(state, src), dest: balanceOf(state, dest) },
      after: null,
      sentAt: Date.now(),
      endedAt: null,
    });
  }

  async function resume({ purpose, chainId, owner, transaction, batch, startedAt, summary }: Trade): Promise<void> {
    const { chains } = store.get();
    const { sentence, request, approval } = summary;
    const { srcToken, destToken } = (request ?? {}) as Partial<QuoteRequest>;
    const src = tokenAt(chains, chainId, approval?.token ?? srcToken ?? NATIVE_TOKEN);
    await follow({
      purpose: PURPOSES[purpose ?? ""] ?? "cancel",
      sentence: approval ? approvalWords(approval, src) : (sentence ?? ""),
      to: null,
      src,
      dest: tokenAt(chains, chainId, destToken ?? src.address),
      transaction: sentBy(chainId, owner, { transaction, batch }),
      before: null,
      after: null,
      sentAt: startedAt,
      endedAt: null,
    });
  }

  async function follow(errand: Sent): Promise<void> {
    current.abort();
    current = new AbortController();
    store.set({ stage: "sent", busy: null, failure: null, sent: errand });
    await watch(errand.transaction, current.signal);
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
      store.set({ sent: { ...errand, ...change } });
    };
    if (!isTerminal(transaction)) return update({ transaction });
    update({ transaction, endedAt: Date.now() });
    await accounts.refresh();
    const state = store.get();
    if (state.sent)
      update({ after: { src: balanceOf(state, state.sent.src), dest: balanceOf(state, state.sent.dest) } });
  }

  return { sent, resume, stop: () => current.abort() };
}

/** A transaction of which only the wallet's answer is known; to be watched. */
export function sentBy(chainId: number, from: Address, { transaction, batch }: SentName): SentTransaction {
  const hash = transaction ?? null;
  return { kind: "sent", chainId, from, hash, batch: batch ?? null, nonce: null, status: "PENDING", blockNumber: null };
}

/** An approval as the journal has it. */
export function approvalWords({ amount, spender }: NonNullable<Trade["summary"]["approval"]>, token: Token): string {
  return `Your approval of ${exact(amount, token.decimals)} ${token.symbol} for ${short(spender)}.`;
}
