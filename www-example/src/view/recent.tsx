import { isTerminal, summarizeOrder, type Order, type QuoteRequest } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { formatTime, visitorLocales } from "../state/format.ts";
import { historyOf, type HistoryEntry, type HistoryKind } from "../state/history.ts";
import { rate, rounded, type Rounding } from "../state/money.ts";
import { chainName, depositOf, isNative, tokenAt, type State } from "../state/state.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { useScene } from "./context.ts";
import { orderWords } from "./order-words.ts";
import { Icon } from "./parts/icon.tsx";
import { tradeWords } from "./unfinished-words.ts";
import { When } from "./when.tsx";

const texts = messages.progress.history;
const STATES = ["all", "open", "done", "cancelled", "failed"] as const;
const SHOWN = 8;

/** Everything the account traded: its progress, what came of it, and buttons to cancel what is open. */
export function HistoryList(): VNode {
  const { state, store, orders } = useScene();
  const { listed } = state;
  const [kind, setKind] = useState<HistoryKind | "all">("all");
  const [whole, setWhole] = useState(false);
  const entries = historyOf(state);
  const kinds = [...new Set(entries.map((entry) => entry.kind))];
  const ofKind = entries.filter((entry) => kind === "all" || entry.kind === kind);
  const inState = (one: (typeof STATES)[number]): HistoryEntry[] =>
    ofKind.filter(({ state: its }) => one === "all" || its === one);
  const found = inState(listed);
  const open = cancellable(state);
  return (
    <section class="card recent" aria-labelledby="recent-title">
      <div class="list-title">
        <h2 id="recent-title" tabIndex={-1}>{texts.title}</h2>
        {open.length > 1 && (
          <button id="cancel-all" type="button" class="link" onClick={() => void orders.cancel(open)}>
            {texts.cancelAll(open.length)}
          </button>
        )}
      </div>
      {(entries.length > 1 || listed !== "all") && (
        <div class="filters">
          <fieldset>
            <legend class="visually-hidden">{texts.show}</legend>
            {STATES.filter((one) => one === listed || inState(one).length > 0).map((one) => (
              <label key={one} class="chip">
                <input type="radio" name="history-state" checked={listed === one} onChange={() => store.set({ listed: one })} />
                <span>{texts.counted(texts.state[one], inState(one).length)}</span>
              </label>
            ))}
          </fieldset>
          {kinds.length > 1 && (
            <select class="text" aria-label={texts.kindName} value={kind} onChange={({ currentTarget }) => setKind(kinds[currentTarget.selectedIndex - 1] ?? "all")}>
              <option value="all">{texts.kinds}</option>
              {kinds.map((one) => (
                <option key={one} value={one}>
                  {texts.kind[one]}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
      {state.notice && <p class="quiet">{state.notice}</p>}
      <Deposit />
      {found.length === 0 ? (
        <Nothing isRead={state.orders !== null} isFiltered={entries.length > 0} />
      ) : (
        <ul class="orders">
          {found.slice(0, whole ? undefined : SHOWN).map((entry) => (
            <Entry key={entry.id} entry={entry} />
          ))}
        </ul>
      )}
      {found.length > SHOWN && !whole && (
        <button type="button" class="link" onClick={() => setWhole(true)}>
          {texts.more(found.length)}
        </button>
      )}
    </section>
  );
}

function Nothing({ isRead, isFiltered }: { isRead: boolean; isFiltered: boolean }): VNode {
  if (!isRead || isFiltered)
    return (
      <ul class="orders">
        <li class="quiet">{isRead ? texts.noneSuch : texts.reading}</li>
      </ul>
    );
  return (
    <div class="history-empty">
      <Icon name="turn" />
      <p>
        <strong>{texts.empty}</strong>
        <span class="quiet">{texts.emptyMore}</span>
      </p>
    </div>
  );
}

/** What is left of a deposit for an order, and a button to withdraw it. */
function Deposit(): VNode | null {
  const { state, orders } = useScene();
  const amount = depositOf(state);
  const native = state.chain.tokens.find(isNative);
  // Do not offer what an open order still needs.
  const isNeeded = (state.orders ?? []).some(
    (order) => !isTerminal(order) && isNative(tokenAt(state.chains, order.input.chainId, order.input.token)),
  );
  if (!amount || !native || isNeeded) return null;
  return (
    <p class="list-title quiet">
      <span>{texts.deposited(`${rounded(amount, native.decimals, "down")} ${native.symbol}`)}</span>
      <button type="button" class="link" onClick={() => void orders.withdraw()}>
        {texts.withdraw}
      </button>
    </p>
  );
}

/** Those that one signature can cancel. */
function cancellable({ orders, consent }: State): Order[] {
  if (consent === "transaction") return [];
  return (orders ?? []).filter((order) => summarizeOrder(order).cancel === "signature");
}

function Entry({ entry }: { entry: HistoryEntry }): VNode {
  const { state, following, unfinished, orders } = useScene();
  const { id, order, trade, kind, at, approvals } = entry;
  const open = (): void => {
    if (order) following.open(order);
    else if (trade) unfinished.open(trade);
  };
  const name = order?.id ?? id;
  const cancel = order && summarizeOrder(order).cancel !== null ? order : null;
  const needs = entry.state === "open" && (trade?.needs === "approval" || trade?.needs === "balance") && texts.needs[trade.needs];
  return (
    <li class="order">
      <button
        id={`open-${name}`}
        type="button"
        class="order-open"
        title={order?.transactions.at(-1)?.originTx ?? trade?.transaction ?? undefined}
        onClick={open}
      >
        <span class="order-amounts">{aboutWords(state, entry)}</span>
        <span class={`order-status ${entry.state}`}>{statusOf(entry)}</span>
        <small class="order-notes">
          <span>{[texts.kind[kind], approvals.length > 0 && texts.approved, ...(order ? orderNotes(order) : [])].filter(Boolean).join(" · ")}</span>
          {order && <Average order={order} />}
          <When at={at} />
        </small>
        {needs && <small class="order-notes">{needs}</small>}
      </button>
      {cancel && (
        <button
          id={`cancel-${name}`}
          type="button"
          class="link order-cancel"
          aria-label={texts.cancelOf(...symbolsOf(state, cancel))}
          onClick={() => void orders.cancel([cancel])}
        >
          {texts.cancel}
        </button>
      )}
    </li>
  );
}

function symbolsOf({ chains }: State, { input, output }: Order): [string, string] {
  return [tokenAt(chains, input.chainId, input.token).symbol, tokenAt(chains, output.chainId, output.token).symbol];
}

/** `100 USDC → 0.0272 WETH`, or what a transaction was for. */
function aboutWords(state: State, { order, trade, kind }: HistoryEntry): VNode | string {
  const { chains, moves } = state;
  if (order) {
    const { isTerminal: isOver, spent, received, expectedSpent, expectedReceived } = summarizeOrder(order);
    const [paid, got] = isOver && received !== "0" ? [spent, received] : [expectedSpent, expectedReceived];
    const src = tokenAt(chains, order.input.chainId, order.input.token);
    const dest = tokenAt(chains, order.output.chainId, order.output.token);
    return `${sum(paid, src, "up")} → ${where(src, dest, sum(got, dest, "down"))}`;
  }
  if (!trade) return "";
  const { chainId, summary } = trade;
  if (!summary.request || (trade.kind === "transaction" && kind !== "market")) return tradeWords(state, trade);
  const { srcToken, destToken, destChainId, side, amount } = summary.request as QuoteRequest;
  const [src, dest] = [tokenAt(chains, chainId, srcToken), tokenAt(chains, destChainId ?? chainId, destToken)];
  const { paid, received } = moves[trade.transaction ?? ""] ?? {};
  if (received && (paid || side !== "BUY")) return `${sum(paid ?? amount, src, "up")} → ${where(src, dest, sum(received, dest, "down"))}`;
  if (side === "BUY")
    return `${texts.atMost(sum(summary.maxSpent ?? null, src, "up"))} → ${where(src, dest, sum(amount, dest, "down"))}`;
  // Across chains the least that was signed is of what enters the bridge.
  const isHere = src.chainId === dest.chainId;
  const least = isHere ? texts.atLeast(sum(summary.minReceived ?? null, dest, "down")) : dest.symbol;
  return `${sum(amount, src, "up")} → ${where(src, dest, least)}`;

  function where(from: Token, to: Token, words: string): string {
    return from.chainId === to.chainId ? words : messages.review.on(words, chainName(state, to.chainId));
  }
}

function sum(amount: bigint | string | null, { symbol, decimals }: Token, rounding: Rounding): string {
  return amount === null ? symbol : `${rounded(String(amount), decimals, rounding)} ${symbol}`;
}

function statusOf({ order, trade }: HistoryEntry): string {
  if (order) return orderWords(order);
  const { kind, status, state } = trade!;
  if (status === "ABANDONED") return texts.abandoned;
  if (status === "VOID") return texts.void;
  if (status === "UNCERTAIN") return texts.uncertain;
  const words: Record<string, string> = kind === "transaction" ? messages.progress.sentStatus : messages.progress.status;
  return words[status ?? "PENDING"] ?? status ?? state;
}

/** How much of it is done. */
function orderNotes(order: Order): string[] {
  const { isTerminal: isOver, filledPercent, slices } = summarizeOrder(order);
  const isPartly = (!isOver || filledPercent > 0) && filledPercent < 100;
  const percent = new Intl.NumberFormat([...visitorLocales()], { maximumFractionDigits: 2 }).format(filledPercent);
  const next = slices && slices.done < slices.total ? slices.nextNotBefore : null;
  return [
    ...(isPartly ? [texts.filled(`${percent} %`)] : []),
    ...(slices ? [texts.slices(slices.done, slices.total)] : []),
    ...(next === null ? [] : [texts.next(formatTime(new Date(next * 1000)))]),
  ];
}

function Average({ order }: { order: Order }): VNode | null {
  const { state } = useScene();
  const { spent, received } = summarizeOrder(order);
  const src = tokenAt(state.chains, order.input.chainId, order.input.token);
  const dest = tokenAt(state.chains, order.output.chainId, order.output.token);
  const price = rate({ ...src, amount: spent }, { ...dest, amount: received });
  return price && <span class="order-price" title={price.exact}>{price.rounded}</span>;
}
