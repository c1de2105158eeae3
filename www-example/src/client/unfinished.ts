import {
  type Address,
  type Client,
  type Order,
  type Progress,
  type QuoteRequest,
  type SubmitOptions,
  type Trade,
  type TransactionBuild,
  type UnreadableTrade,
} from "verified-swap";
import { messages } from "../messages/en.ts";
import { explain } from "../state/failure.ts";
import type { Errands } from "./errands.ts";
import type { Following } from "./following.ts";
import { isResting, isResumed } from "./opened.ts";
import { insist, pause } from "./pause.ts";
import type { Prompting } from "./prompting.ts";
import { isSent, type Sending } from "./sending.ts";
import { sentShown, tokensAsked, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import type { Swap } from "./swap.ts";
import { WAITING } from "./trading.ts";

/* The journal: every trade of the account, also those of other tabs and from before a reload. What is under way is gone
   on with; what only the user can decide is shown. */

export interface Unfinished {
  /** After a reload, or for another account: shows what is under way, and goes on with it. */
  resume(): Promise<void>;
  /** Shows one of the journal, and looks how far it is. */
  open(trade: Trade): void;
  /** Asks the wallet again for what it never answered, posts what is signed, or looks again for a transaction. */
  goOn(): Promise<void>;
  /** The user does not want it any more. */
  abandon(): Promise<void>;
  /** The user lets go of an entry that cannot be read. */
  letGo(entry: UnreadableTrade): Promise<void>;
  /** Builds the transaction that makes a signed order void, to be reviewed. */
  makeVoid(): Promise<void>;
  /** Another view takes its place. */
  leave(): void;
}

type Listed = Trade | UnreadableTrade;

/** Whether the page shows it: the journal has more of it than its name. This page makes no OTC orders. */
function isShown(trade: Listed): trade is Trade {
  return trade.kind !== "unreadable" && trade.kind !== "otc";
}

const LOOK_AGAIN_MS = 3_000;
/** Transactions that are followed wherever they were sent. Others are steps of what their own tab shows. */
const ADOPTED = ["market", "cancel", "withdraw"];

export function createUnfinished(
  store: Store<State>,
  client: () => Client,
  prompting: Prompting,
  following: Following,
  sending: Sending,
  errands: Errands,
  swap: () => Swap,
): Unfinished {
  let current = new AbortController();
  let journal = new AbortController();

  async function resume(): Promise<void> {
    const { account } = store.get();
    journal.abort();
    errands.clear();
    if (!account) return;
    const { signal } = (journal = new AbortController());
    // One that cannot be read now is read by the watch, as often as it takes.
    const trades = await client().trades.list({ account }, { signal }).catch(() => null);
    if (signal.aborted) return;
    if (trades) keep(trades);
    const open = (trades ?? []).filter(isShown).filter(({ state }) => state !== "ended");
    // An order waits for the transaction that consents to it. An approval is for an order, which says more.
    const latest =
      open.find((trade) => isSent(trade) && trade.purpose !== "approve") ??
      open.find((trade) => !isSent(trade) && (trade.state !== "posted" || !isResting(trade))) ??
      open.find(isSent);
    if (latest && store.get().stage === "compose") show(latest);
    void look();
    void insist(() => watchJournal(account, signal), signal);
  }

  /** Every change of the journal, by this tab or another: what is under way is followed beside what is shown. */
  async function watchJournal(account: Address, signal: AbortSignal): Promise<void> {
    for await (const trades of client().trades.watch({ account }, { signal })) {
      if (signal.aborted) return;
      keep(trades);
      for (const trade of trades.filter(isShown)) {
        if (trade.kind === "delta" && trade.state === "posted") following.resume(trade, false);
        const isOpen = trade.state !== "ended" && isSent(trade);
        if (isOpen && ADOPTED.includes(trade.purpose ?? "")) void sending.resume(trade, false);
      }
    }
  }

  function keep(listed: Listed[]): void {
    store.set({ trades: listed.filter(isShown), unreadable: listed.filter((one) => one.kind === "unreadable") });
  }

  function open(trade: Trade): void {
    if (store.get().busy) return;
    show(trade);
    if (trade.state !== "ended") void look();
  }

  /** In its own view if the service or a node has it, else as what is left to do. */
  function show(trade: Trade): void {
    const { kind, id, orderId, purpose, state } = trade;
    if (isSent(trade)) {
      // Once its consent is in a block, an order can be posted.
      void sending.resume(trade, true).then(() => purpose === "presign" && again());
    } else if (kind === "delta" && (state === "posted" || orderId || errands.find(id))) following.resume(trade, true);
    else {
      const { trade: before, failure } = store.get();
      store.set({ stage: "unfinished", trade, shown: null, failure: before?.id === id ? failure : null, notice: null });
    }
  }

  /** The consent has ended, and is still shown. */
  function again(): void {
    if (sentShown(store.get())?.sent.transaction.status !== "COMPLETED") return;
    store.set({ stage: "compose" });
    void resume();
  }

  /** Has the package find out how far everything is, until nothing can be done without the user about what is shown. */
  async function look(): Promise<void> {
    current.abort();
    const { signal } = (current = new AbortController());
    while (!signal.aborted) {
      const resumed: Listed[] = await client()
        .trades.resume({ signal })
        .catch(() => []);
      const found = resumed.filter(isShown);
      const { stage, trade, trades } = store.get();
      if (signal.aborted || stage !== "unfinished" || !trade) return;
      // Another tab may have ended it, or given it up.
      const now = [...found, ...trades].find(({ id }) => id === trade.id);
      if (!now || now.status === "ABANDONED") return swap().compose();
      show(now);
      const isLeft = isResumed(now) && now.needs !== null && !now.busy && !now.error;
      if (isLeft || now.state === "ended") return;
      await pause(LOOK_AGAIN_MS, signal);
    }
  }

  async function goOn(): Promise<void> {
    const { trade, busy } = store.get();
    if (!trade || busy) return;
    if (trade.kind === "transaction") return void look();
    const signed = trade.signedOrder;
    leave();
    prompting.confirm();
    store.set({ busy: signed ? "posting" : "signing", failure: null });
    // The user may go elsewhere while it is posted. The journal then follows it.
    const isHere = (): boolean => store.get().stage === "unfinished" && store.get().trade?.id === trade.id;
    const onProgress = ({ step, signedOrder }: Progress): void => {
      if (!isHere()) return;
      store.set({ busy: WAITING[step] ?? store.get().busy });
      if (signedOrder) store.set({ trade: { ...trade, state: "signed", needs: null, signedAt: Date.now(), signedOrder } });
    };
    try {
      const request = signed ? undefined : statedAgain(trade);
      const order = await client().submit(signed ?? trade.build!, { request, onProgress });
      if (!isHere()) return;
      store.set({ busy: null });
      following.open(order as Order);
    } catch (error) {
      if (!isHere()) return;
      const failure = explain(error, store.get());
      store.set({ busy: null, failure: failure.signedOrder ? null : failure });
      if (store.get().trade?.signedOrder) void look();
    }
  }

  async function abandon(): Promise<void> {
    const { trade, busy } = store.get();
    if (!trade || busy) return;
    leave();
    try {
      await client().trades.abandon(trade.id);
      swap().compose();
    } catch (error) {
      store.set({ failure: explain(error, store.get()) });
      void look();
    }
  }

  async function letGo({ id }: UnreadableTrade): Promise<void> {
    if (store.get().busy) return;
    try {
      await client().trades.abandon(id);
      store.set({ unreadable: store.get().unreadable.filter((entry) => entry.id !== id), notice: null });
    } catch {
      store.set({ notice: messages.progress.unfinished.kept });
    }
  }

  async function makeVoid(): Promise<void> {
    const { trade, busy, chains } = store.get();
    if (trade?.signedOrder?.kind !== "signedOrder" || busy) return;
    leave();
    const { signedOrder, summary } = trade;
    const build = async (trader: Client): Promise<TransactionBuild> => {
      const cancellation = await trader.buildCancellation(signedOrder);
      // Before its button is there: both work on the same trade.
      await trader.trades.abandon(trade.id);
      return cancellation;
    };
    await swap().reviewThis(build, {
      ...tokensAsked(chains, summary.request as QuoteRequest),
      cancels: { order: trade, from: "compose" },
    });
  }

  function leave(): void {
    current.abort();
  }

  return { resume, open, goOn, abandon, letGo, makeVoid, leave };
}

/**
 * What the page shows of it, and the wallet is asked for: the request with its bounds. They are those of the build that
 * the user confirmed, with its questions answered: before that nothing is in the journal.
 */
function statedAgain({ deadline, summary }: Trade): NonNullable<SubmitOptions["request"]> {
  const { request, minReceived, maxSpent } = summary;
  const { side } = request as QuoteRequest;
  return {
    ...(request as QuoteRequest),
    ...(minReceived ? { minReceived } : {}),
    ...(side === "BUY" && maxSpent ? { maxSpent } : {}),
    ...(deadline ? { deadline } : {}),
  };
}
