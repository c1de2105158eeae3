import { isTerminal, summarizeOrder, type Order, type OrderSide, type OrderSummary } from "verified-swap";
import { element, fill, setText } from "./element.ts";
import { exact, rate, rounded } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { depositOf, isNative, short, tokenAt, type State } from "../state/state.ts";
import { statusWords } from "./order-words.ts";
import type { Page } from "./page.ts";
import { timeWords } from "./schedule.ts";

const SHOWN = 8;

/**
 * The account's latest orders, as the service knows them: their progress, and buttons to cancel the open ones.
 */
export function recent({ store, orders, following }: Page): HTMLElement {
  const list = element("ul", { class: "orders" });
  const note = element("p", { class: "quiet" });
  const all = element("button", {
    type: "button",
    class: "link",
    onclick: () => void orders.cancel(cancellable(store.get())),
  });
  let shown: State["orders"] | undefined;
  const node = element(
    "section",
    { class: "card recent", "aria-labelledby": "recent-title" },
    element("div", { class: "list-title" }, element("h2", { id: "recent-title" }, "Recent orders"), all),
    note,
    deposit(orders, store),
    list,
  );
  store.subscribe((state) => {
    node.hidden = state.tab === "otc";
    note.hidden = !state.notice;
    setText(note, state.notice ?? "");
    const open = cancellable(state).length;
    all.hidden = open < 2;
    setText(all, `Cancel all ${open}`);
    if (state.orders === shown) return;
    const before = shown;
    shown = state.orders;
    // Keep what did not change, so that it keeps pointer and focus.
    if (before && JSON.stringify(before) === JSON.stringify(shown)) return;
    if (!shown) return fill(list, element("li", { class: "quiet" }, "Reading your orders…"));
    if (shown.length === 0)
      return fill(list, element("li", { class: "quiet" }, "Nothing here yet. Your orders will be listed here."));
    const focused = document.activeElement?.id ?? "";
    fill(
      list,
      ...shown.slice(0, SHOWN).map((order) =>
        entry(
          order,
          state,
          () => following.open(order),
          () => void orders.cancel([order]),
        ),
      ),
    );
    // An order that cannot be cancelled any more can still be opened.
    if (/^(open|cancel)-/.test(focused))
      (document.getElementById(focused) ?? document.getElementById(focused.replace("cancel", "open")))?.focus();
  });
  return node;
}

/** What is left of a deposit for an order, and a button to withdraw it. */
function deposit(orders: Page["orders"], store: Page["store"]): HTMLElement {
  const words = element("span");
  const button = element(
    "button",
    { type: "button", class: "link", onclick: () => void orders.withdraw() },
    "Withdraw",
  );
  const node = element("p", { class: "list-title quiet" }, words, button);
  store.subscribe((state) => {
    const amount = depositOf(state);
    // Do not offer what an open order still needs.
    const open = (state.orders ?? []).some(
      (order) => !isTerminal(order) && isNative(tokenAt(state.chains, order.input.chainId, order.input.token)),
    );
    node.hidden = amount === null || open;
    const native = state.chain.tokens.find(isNative);
    if (amount && native) setText(words, `${rounded(amount, native.decimals)} ${native.symbol} are still deposited.`);
  });
  return node;
}

/** Those that one signature can cancel. */
function cancellable({ orders, consent }: State): Order[] {
  if (consent === "transaction") return [];
  return (orders ?? []).filter((order) => summarizeOrder(order).cancel === "signature");
}

function entry(order: Order, state: State, open: () => void, cancel: () => void): HTMLElement {
  const summary = summarizeOrder(order);
  const src = tokenAt(state.chains, order.input.chainId, order.input.token);
  const dest = tokenAt(state.chains, order.output.chainId, order.output.token);
  const transaction = order.transactions.at(-1)?.originTx;
  const made = new Date(order.createdAt);
  const filled = !summary.isTerminal || summary.filledPercent > 0;
  const cancelWords = `Cancel the order of ${src.symbol} for ${dest.symbol}`;
  return element(
    "li",
    { class: "order" },
    element(
      "button",
      { id: `open-${order.id}`, type: "button", class: "order-open", onclick: open },
      element("span", { class: "order-amounts" }, amount(order.input, src), " → ", amount(order.output, dest)),
      element("span", { class: `order-status ${order.status.toLowerCase()}` }, statusWords(order.status)),
      element(
        "small",
        {},
        kindOf(order),
        element("time", { datetime: order.createdAt }, Number.isNaN(made.getTime()) ? "" : timeWords(made)),
        transaction ? element("span", { class: "mono", title: transaction }, ` ${short(transaction)}`) : null,
        filled &&
          summary.filledPercent < 100 &&
          element("span", { class: "order-filled" }, `, ${Number(summary.filledPercent.toFixed(2))} % filled`),
        averageWords(summary, src, dest),
        sliceWords(summary),
      ),
    ),
    summary.cancel !== null &&
      element(
        "button",
        {
          id: `cancel-${order.id}`,
          type: "button",
          class: "link order-cancel",
          "aria-label": cancelWords,
          onclick: cancel,
        },
        "Cancel",
      ),
  );
}

function kindOf({ type, onChainOrderType }: Order): string {
  if (onChainOrderType.startsWith("TWAP")) return "TWAP, ";
  return type === "LIMIT" ? "Limit, " : "";
}

function averageWords({ spent, received }: OrderSummary, src: Token, dest: Token): HTMLElement | null {
  const price = rate({ ...src, amount: spent }, { ...dest, amount: received });
  return price && element("span", { class: "order-price", title: price.exact }, `, ${price.rounded}`);
}

function sliceWords({ slices }: OrderSummary): string {
  if (!slices) return "";
  const next =
    slices.nextNotBefore === null || slices.done === slices.total
      ? ""
      : `, next ${timeWords(new Date(slices.nextNotBefore * 1000))}`;
  return `, ${slices.done} of ${slices.total} slices${next}`;
}

function amount(side: OrderSide, token: Token): HTMLElement {
  const executed = side.executedAmount === "0" ? null : side.executedAmount;
  const raw = executed ?? side.amount ?? side.expectedAmount ?? null;
  if (raw === null) return element("span", {}, token.symbol);
  return element(
    "span",
    { title: `${exact(raw, token.decimals)} ${token.symbol}` },
    `${rounded(raw, token.decimals)} ${token.symbol}`,
  );
}
