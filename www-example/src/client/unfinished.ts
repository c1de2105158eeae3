import {
  type Client,
  type Order,
  type OtcOrder,
  type OtcRequest,
  type Progress,
  type QuoteRequest,
  type SubmitOptions,
  type Trade,
} from "verified-swap";
import { explain } from "../state/failure.ts";
import type { Following } from "./following.ts";
import type { Offering } from "./offering.ts";
import { isResting, isResumed } from "./opened.ts";
import { pause } from "./pause.ts";
import type { Sending } from "./sending.ts";
import { tokenAt, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { WAITING, type Swap } from "./swap.ts";

/* Trades that a reload interrupted, as the journal has them: shown, gone on with, and left to the user where only the
   user can say what is wanted. */

export interface Unfinished {
  /** After a reload, or for another account: shows what is under way, and goes on with it. */
  resume(): Promise<void>;
  /** Reads the journal again, for the list. */
  list(): Promise<void>;
  /** Shows one of the list, and looks how far it is. */
  open(trade: Trade): void;
  /** Asks the wallet again for what it never answered, posts what is signed, or looks again for a transaction. */
  goOn(): Promise<void>;
  /** The user does not want it any more. */
  abandon(): Promise<void>;
  /** Builds the transaction that makes a signed order void, to be reviewed. */
  makeVoid(): Promise<void>;
  /** Another view takes its place. */
  leave(): void;
}

const LOOK_AGAIN_MS = 3_000;

export function createUnfinished(
  store: Store<State>,
  client: () => Client,
  following: Following,
  sending: Sending,
  offering: Offering,
  swap: () => Swap,
): Unfinished {
  let current = new AbortController();

  async function resume(): Promise<void> {
    await list();
    const { trades } = store.get();
    // An order waits for the transaction that consents to it.
    const latest =
      trades.find(isSent) ??
      trades.find((trade) => trade.state !== "posted" || !isResting(trade));
    if (latest && store.get().stage === "compose") show(latest);
    void look();
  }

  async function list(): Promise<void> {
    const { account } = store.get();
    if (!account) return;
    const trades = await client().listTrades({ account, open: true });
    if (store.get().account === account) store.set({ trades });
  }

  function open(trade: Trade): void {
    if (store.get().busy) return;
    following.leave();
    sending.stop();
    offering.leave();
    show(trade);
    void look();
  }

  /** In its own view if the service or a node has it, else as what is left to do. */
  function show(trade: Trade): void {
    const { kind, orderId, purpose, state, status } = trade;
    if (isSent(trade)) {
      // Once its consent is in a block, an order can be posted.
      void sending.resume(trade).then(() => purpose === "presign" && again());
    } else if (kind === "delta" && (state === "posted" || orderId)) following.resume(trade);
    else if (kind === "otc" && (state === "posted" || (state === "ended" && status !== "EXPIRED"))) void showOffer(trade);
    else store.set({ stage: "unfinished", trade });
  }

  /** The consent has ended, and is still shown. */
  function again(): void {
    const { stage, sent } = store.get();
    if (stage !== "sent" || sent?.transaction.status !== "COMPLETED") return;
    store.set({ stage: "compose" });
    void resume();
  }

  async function showOffer({ id }: Trade): Promise<void> {
    const offer = await client()
      .otcOrder(id)
      .catch(() => null);
    if (offer) offering.open(offer);
  }

  /** Has the package find out how far everything is, until nothing can be done without the user about what is shown. */
  async function look(): Promise<void> {
    current.abort();
    const { signal } = (current = new AbortController());
    while (!signal.aborted) {
      const found = await client()
        .resume({ signal })
        .catch(() => []);
      await list();
      const { stage, trade } = store.get();
      if (signal.aborted || stage !== "unfinished" || !trade) return;
      const isShown = ({ id }: Trade): boolean => id === trade.id;
      // Another tab may have ended it, or given it up.
      const now = found.find(isShown) ?? (await client().listTrades({ account: trade.owner })).find(isShown);
      if (!now || now.status === "ABANDONED") return swap().compose();
      show(now);
      const isOver = now.state === "ended" || now.needs !== null;
      if (isOver && !(isResumed(now) && (now.busy || now.error))) return;
      await pause(LOOK_AGAIN_MS, signal);
    }
  }

  async function goOn(): Promise<void> {
    const { trade, busy } = store.get();
    if (!trade || busy) return;
    if (trade.kind === "transaction") return void look();
    const signed = trade.signedOrder;
    leave();
    store.set({ busy: signed ? "posting" : "signing", failure: null });
    const onProgress = ({ step, signedOrder }: Progress): void => {
      store.set({ busy: WAITING[step] ?? store.get().busy });
      if (signedOrder) store.set({ trade: { ...trade, state: "signed", needs: null, signedAt: Date.now(), signedOrder } });
    };
    try {
      const order: Order | OtcOrder = signed
        ? await client().submit(signed, { onProgress })
        : await client().submit(trade.build!, { request: statedAgain(trade), onProgress });
      store.set({ busy: null });
      if ("makerAsset" in order) offering.open(order as OtcOrder);
      else following.open(order as Order);
    } catch (error) {
      const failure = explain(error, store.get());
      store.set({ busy: null, failure: failure.signedOrder ? null : failure });
      if (store.get().trade?.signedOrder) void look();
    }
    await list();
  }

  async function abandon(): Promise<void> {
    const { trade, busy } = store.get();
    if (!trade || busy) return;
    leave();
    try {
      await client().abandon(trade.id);
      swap().compose();
    } catch (error) {
      store.set({ failure: explain(error, store.get()) });
      void look();
    }
  }

  async function makeVoid(): Promise<void> {
    const { trade, busy, chains } = store.get();
    if (trade?.signedOrder?.kind !== "signedOrder" || busy) return;
    leave();
    const { signedOrder, summary, chainId } = trade;
    const { srcToken, destToken, destChainId } = summary.request as QuoteRequest;
    await swap().reviewThis((trader) => trader.buildCancellation(signedOrder), {
      src: tokenAt(chains, chainId, srcToken),
      dest: tokenAt(chains, destChainId ?? chainId, destToken),
    });
    if (store.get().stage === "review") await client().abandon(trade.id);
  }

  function leave(): void {
    current.abort();
  }

  return { resume, list, open, goOn, abandon, makeVoid, leave };
}

/** What the page shows of it, and the wallet is asked for: the request with its bounds. */
function statedAgain({ kind, deadline, summary }: Trade): NonNullable<SubmitOptions["request"]> {
  const { request, minReceived, maxSpent } = summary;
  if (kind === "otc") return request as OtcRequest;
  const { side } = request as QuoteRequest;
  return {
    ...(request as QuoteRequest),
    ...(minReceived ? { minReceived } : {}),
    ...(side === "BUY" && maxSpent ? { maxSpent } : {}),
    ...(deadline ? { deadline } : {}),
  };
}

/** Whether the wallet answered to a transaction, or to several calls. */
function isSent({ transaction, batch, state }: Trade): boolean {
  return transaction !== null || (batch !== null && state !== "asking");
}
