// The trades of an account, read and followed: the journal, the service's orders, sent transactions. It goes on whatever view is
// shown, and all of it ends when the account is another one.
import { attempt, entriesOf, freeDeposit, isOver, namesOf, nothingKnown, sentOf } from "./swap-entries.ts";
import { asTradeError, explain } from "./swap-failure.ts";
import { figuresOf } from "./swap-figures.ts";
import { isSame } from "./swap-form.ts";
import type { Activity, ActivityHost, Work } from "./swap-parts.ts";
import { movedBy } from "./swap-receipt.ts";
import { createUnfinished } from "./swap-unfinished.ts";
import type {
  Address, Order, ResumedTrade, SentTransaction, Trade, TradeError, TradeProgress, UnreadableTrade,
} from "./types.ts";
import type { MadeTrade, SwapActivity, SwapEntry, SwapState } from "./types/swap.ts";

export const NO_ACTIVITY: SwapActivity = { entries: [], hasMore: false, isFetching: false, error: null, deposit: null };
/** More than anything deposited. */
const MOST = 2n ** 256n - 1n;
/** A change is looked for soon, and then as rarely as `watch` does by itself. */
const PACE = { intervalMs: 500 };
const AGAIN_MS = [2_000, 4_000, 8_000, 15_000] as const;
/** The Market swaps of the list whose receipts are read: the latest. */
const RECEIPTS = 20;
/** From these steps on a trade is shown by itself. */
const OUT: readonly TradeProgress["step"][] = ["posted", "sent", "confirming", "following", "done"];

export function createActivity(host: ActivityHost): Activity {
  const { store } = host;
  let [known, ending] = [nothingKnown(), new AbortController()];
  let work: Work | null = null;
  let [page, hasMore, isFetching, isUnread] = [0, false, false, true];
  /** Errors of reading, by its source. */
  let errors: Record<"journal" | "orders" | "page", TradeError | null> = { journal: null, orders: null, page: null };
  const news = new Set<string>();
  const following = new Set<string>();
  let depositTurn = 0;
  /** The trade that is shown as soon as it is there, unless the user has left the view from which it was asked for. */
  let pending: { id: string; view: SwapState["view"] } | null = null;

  function restart(): void {
    ending.abort();
    [known, ending, work, pending, page, hasMore, isUnread] = [nothingKnown(), new AbortController(), null, null, 0, false, true];
    errors = { journal: null, orders: null, page: null };
    for (const ids of [news, following]) ids.clear();
    const { account, view } = store.state;
    const client = host.client();
    isFetching = account !== null;
    const left = view === "entry" ? "form" : view;
    store.set({ activity: { ...NO_ACTIVITY, isFetching }, entry: null, busy: null, hardware: null, view: left });
    if (!account || !client) return;
    const { signal } = ending;
    work = { client, signal, known };
    insist(() => readJournal(work, account), signal, (error) => fail("journal", error));
    insist(() => watchAccount(work, account), signal, (error) => fail("orders", error));
    insist(() => readPage(work, account), signal, (error) => fail("page", error));
    look();
    readDeposit();
  }

  /* ------------------------------------------------------------------ the list */

  /** Makes the list anew; one that ended while something else was shown is news. */
  function refresh(): void {
    const { activity: { entries: before }, view, entry } = store.state;
    const wasOpen = new Set(before.filter((one) => !isOver(one)).map(({ id }) => id));
    const entries = entriesOf(known).map((one) => {
      const isShown = view === "entry" && entry?.id === one.id;
      // An approval, or a consent, is a step of the trade that it is for; a cancellation was wanted.
      const isAwaited = (["approve", "presign"].includes(one.purpose) && one.state === "done") || one.status === "CANCELLED" || one.status === "ABANDONED";
      if (!isShown && isOver(one) && wasOpen.has(one.id) && !isAwaited) news.add(one.id);
      return news.has(one.id) ? { ...one, isNews: true } : one;
    });
    const error = errors.journal ?? errors.orders ?? errors.page;
    const isReading = isFetching || (isUnread && !error);
    // An order that was not read may claim it.
    const activity = { entries, hasMore, isFetching: isReading, error, deposit: isReading || error ? null : freeDeposit(known) };
    const shown = entry && find(entry.id, entries);
    // A trade that was never signed is in no list once it is given up.
    const isGone = view === "entry" && !shown;
    store.set({ activity, entry: shown, ...(isGone && { view: "form" as const }) });
    if (pending && pending.view !== store.state.view) pending = null;
    if (pending && find(pending.id, entries)) show(pending.id);
  }

  /** The entry of that id, or of the transaction of that name. */
  const find = (id: string, entries: readonly SwapEntry[] = store.state.activity.entries): SwapEntry | null =>
    entries.find((entry) => entry.id === id || (entry.sent && namesOf(entry.sent).includes(id))) ?? null;

  function show(id: string): void {
    const entry = find(id);
    if (!entry) return;
    pending = null;
    news.delete(entry.id);
    store.set({ view: "entry", entry: { ...entry, isNews: false }, failure: null });
    if (entry.isNews) refresh();
  }

  function fail(source: keyof typeof errors, error: unknown): void {
    errors = { ...errors, [source]: asTradeError(error) };
    if (source === "page") isFetching = false;
    refresh();
  }

  /* ------------------------------------------------------------------ the sources */

  async function readJournal(now: Work | null, account: Address): Promise<void> {
    if (!now) return;
    for await (const trades of now.client.trades.watch({ account }, { signal: now.signal })) {
      if (now.signal.aborted) return;
      [errors.journal, isUnread] = [null, false];
      known.trades = trades.map(keepTrade);
      for (const trade of known.trades) if (trade.kind !== "unreadable") adopt(now, trade);
      refresh();
    }
  }

  /** The same object for a trade that has not changed. */
  function keepTrade(trade: Trade | UnreadableTrade): Trade | UnreadableTrade {
    const text = JSON.stringify(trade);
    const before = known.texts.get(trade.id);
    if (before?.text === text) return before.trade;
    known.texts.set(trade.id, { text, trade });
    return trade;
  }

  /** Follows a trade that is under way: an order could begin and end between two looks at the account's. */
  function adopt(now: Work, trade: Trade): void {
    const sent = sentOf(trade);
    if (trade.kind === "delta" && trade.state === "posted") followOrder(now, trade.id);
    if (sent && trade.state === "sent") followSent(now, sent);
    const isRead = trade.purpose === "market" && trade.status === "COMPLETED";
    if (sent && isRead && known.trades.indexOf(trade) < RECEIPTS) void readReceipt(now, sent);
    // Nothing of this tab is at work on it, as far as the controller can see.
    if (trade.state === "asking" && !known.idle.has(trade.id) && store.state.busy === null) look();
  }

  async function watchAccount(now: Work | null, account: Address): Promise<void> {
    for await (const order of now?.client.watch({ account }, { signal: now.signal }) ?? []) {
      if (now?.signal.aborted) return;
      errors.orders = null;
      keep(order);
      refresh();
    }
  }

  async function readPage(now: Work | null, account: Address): Promise<void> {
    const read = await now?.client.orders({ account, page: page + 1 }, { signal: now.signal });
    if (!read || now?.signal.aborted) return;
    page++;
    [hasMore, isFetching, errors.page] = [read.hasMore, false, null];
    read.orders.forEach(keep);
    refresh();
  }

  /** Keeps the newer state of an order. */
  function keep(order: Order): void {
    const before = known.orders.get(order.orderHash);
    if (before && before.updatedAt > order.updatedAt) return;
    // The list has not looked at the chain.
    const settled = order.settled ?? (before?.status === order.status ? before.settled : undefined);
    known.orders.set(order.orderHash, settled ? { ...order, settled } : order);
    known.failures.delete(order.orderHash);
    const isOther = before && (before.status !== order.status || before.transactions.length !== order.transactions.length);
    if (isOther) host.readBalances();
  }

  function followOrder(now: Work, id: string): void {
    const { client, signal } = now;
    if (following.has(id)) return;
    following.add(id);
    const watch = async () => {
      for await (const order of client.watch(known.orders.get(id) ?? id, { signal, ...PACE })) {
        if (signal.aborted) return;
        keep(order);
        refresh();
      }
    };
    insist(watch, signal, (error) => {
      known.failures.set(id, { error, remedies: ["check"], isFateUnknown: false });
      refresh();
      // The service does not have it: `trades.resume` finds out what is left to do.
      return error.status === 404 && following.delete(id);
    });
  }

  function followSent(now: Work, sent: SentTransaction): void {
    const [name] = namesOf(sent);
    if (name === undefined || following.has(name)) return;
    following.add(name);
    const watch = async () => {
      for await (const seen of now.client.watch(sent, { signal: now.signal, ...PACE })) if (!now.signal.aborted) saw(now, seen, name);
    };
    insist(watch, now.signal);
  }

  function saw(now: Work, sent: SentTransaction, name?: string): void {
    for (const one of [name, ...namesOf(sent)]) if (one !== undefined) known.sents.set(one, sent);
    refresh();
    if (sent.status !== "COMPLETED") return;
    host.readBalances();
    void readReceipt(now, sent);
  }

  /** Reads the amounts of a Market swap: the journal has only its bounds. */
  async function readReceipt({ signal }: Work, sent: SentTransaction): Promise<void> {
    const provider = host.provider();
    const names = namesOf(sent);
    const isRead = names.map((name) => known.moved.get(name)).some((moved) => moved?.paid || moved?.received);
    const made = names.map((name) => known.made.get(name)).find(Boolean) ?? null;
    const isOf = (one: Trade | UnreadableTrade): one is Trade =>
      one.kind === "transaction" && names.includes(one.transaction ?? one.batch ?? "");
    const trade = known.trades.find(isOf) ?? null;
    if (!provider || isRead || !(made ? made.build.kind === "market" : trade?.purpose === "market")) return;
    const figures = attempt(() => figuresOf({ trade, sent, moved: null, made }));
    const moved = figures && (await movedBy(provider.request.bind(provider), sent, figures));
    if (!moved || signal.aborted) return;
    for (const name of names) known.moved.set(name, moved);
    refresh();
  }

  /** Finds out how far all trades are, and what is left of them for the user. */
  let looking: Work | null = null;
  function look(): void {
    const now = work;
    if (!now || looking === now) return;
    looking = now;
    const found = (trades: readonly (ResumedTrade | UnreadableTrade)[]) => {
      for (const trade of trades) {
        const { busy: isBusy = false, today: quote = null } = trade.kind === "unreadable" ? {} : trade;
        // The prompt of the review that is shown here is no news to its reader.
        if (!isBusy || (store.state.busy === null && store.state.review === null)) now.known.idle.set(trade.id, !isBusy);
        const form = { ...store.state.form, kind: "swap" as const, route: null };
        now.known.today.set(trade.id, quote && attempt(() => figuresOf({ quote, form })));
      }
    };
    now.client.trades.resume({ signal: now.signal }).then(found, () => {}).finally(() => {
      if (looking === now) looking = null;
      if (!now.signal.aborted) refresh();
    });
  }

  /** Reads how much is deposited: more cannot be withdrawn, and the client's error for that has the amount. */
  function readDeposit(): void {
    const now = work;
    const { account, form: { src: { chainId } } } = store.state;
    if (!now || !account) return;
    const turn = (depositTurn += 1);
    // Orders change while it is read: what was there before is not known any more.
    known.deposit = null;
    if (store.state.activity.deposit) refresh();
    now.client.buildWithdrawal({ chainId, account, amount: MOST }, { signal: now.signal }).catch((error: unknown) => {
      const { code, actual = "" } = asTradeError(error);
      if (turn !== depositTurn || now.signal.aborted || code !== "INSUFFICIENT_BALANCE" || !/^\d+$/.test(actual)) return;
      now.known.deposit = { chainId, amount: BigInt(actual) };
      refresh();
    });
  }

  /* ------------------------------------------------------------------ the trade of the form */

  function follow({ step, build, quote, order, transaction, batch, error }: TradeProgress, isShown: boolean, route: number | null): void {
    // A trade of another account goes on, and is not of this list.
    if (!build || !work || !isSame(build.owner, store.state.account ?? "")) return;
    const made: MadeTrade = { build, quote, route };
    const isMarket = build.kind === "market";
    const followed = order && "orderHash" in order ? order.orderHash : null;
    const id = isMarket ? sentBy(work, made, { order, transaction, batch }) : followed ?? build.orderHash;
    if (id === null) return;
    // An order that was signed before for the same trade has terms of its own.
    known.made.set(build.kind === "market" ? id : build.orderHash, made);
    if (order && "orderHash" in order) keep(order);
    if (step === "failed" && error?.signedOrder) known.failures.set(id, explain(error));
    if (isShown && OUT.includes(step) && (isMarket || step !== "confirming")) pending = { id, view: store.state.view };
    refresh();
  }

  /** Notes a transaction under each of its names; returns the first one. */
  function sentBy(now: Work, made: MadeTrade, progress: Pick<TradeProgress, "order" | "transaction" | "batch">): string | null {
    const { order, transaction, batch } = progress;
    const { chainId, owner: from } = made.build;
    const seen = order && !("orderHash" in order) ? order : null;
    const hash = seen?.hash ?? transaction;
    const names = namesOf({ hash, batch: seen?.batch ?? batch });
    const [name = null] = names;
    for (const one of names) {
      known.made.set(one, made);
      if (!known.sentAt.has(one)) known.sentAt.set(one, Date.now());
    }
    const sent = seen ?? { kind: "sent" as const, chainId, from, hash, batch, nonce: null, status: "PENDING" as const, blockNumber: null };
    if (name !== null) saw(now, sent);
    return name;
  }

  /* ------------------------------------------------------------------ the calls */

  function open(id: string): void {
    if (!work) return;
    const entry = find(id);
    pending = entry ? null : { id, view: store.state.view };
    if (!entry) return followOrder(work, id);
    // A failure of an earlier click is over, unless it is not known how far that came.
    if (entry.failure && !entry.failure.isFateUnknown && known.failures.delete(entry.id)) refresh();
    show(id);
    if (entry.sent?.status === "COMPLETED") void readReceipt(work, entry.sent);
    if (entry.order?.status === "COMPLETED" && !entry.order.settled) followOrder(work, id);
    if (entry.state === "unfinished" || known.idle.get(entry.id) === false) look();
  }

  function loadMore(): void {
    const { account } = store.state;
    if (!account || isFetching || !hasMore) return;
    isFetching = true;
    refresh();
    readPage(work, account).catch((error: unknown) => fail("page", error));
  }

  const unfinished = createUnfinished(host, { work: () => work, find, refresh, look });
  return { restart, follow, open, loadMore, readDeposit, ...unfinished, close: () => (ending.abort(), unfinished.ended()) };
}

/** Does `work`, and again after growing pauses, until it succeeds, `signal` aborts, or `failed` returns true. */
function insist(work: () => Promise<void>, signal: AbortSignal, failed: (error: TradeError) => boolean | void = () => {}): void {
  let round = 0;
  const again = () =>
    void work().catch((error: unknown) => {
      if (signal.aborted || failed(asTradeError(error))) return;
      const timer = setTimeout(again, AGAIN_MS[Math.min(round++, AGAIN_MS.length - 1)]);
      signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
    });
  again();
}
