import type { Order, OrderSide } from "verified-swap";
import { element, fill } from "../element.ts";
import { exact, rounded } from "../money.ts";
import { short, tokenAt, type State } from "../state.ts";
import { statusWords } from "./order-words.ts";
import type { Page } from "./page.ts";

const SHOWN = 5;

/** The account's latest orders, as the service knows them. */
export function recent({ store }: Page): HTMLElement {
  const list = element("ul", { class: "orders" });
  let shown: State["orders"] | undefined;
  store.subscribe((state) => {
    if (state.orders === shown) return;
    shown = state.orders;
    if (!shown) return fill(list, element("li", { class: "quiet" }, "Reading your orders…"));
    if (shown.length === 0) return fill(list, element("li", { class: "quiet" }, "Nothing here yet. Your swaps will be listed here."));
    fill(list, ...shown.slice(0, SHOWN).map((order) => entry(order, state)));
  });
  return element("section", { class: "card recent", "aria-labelledby": "recent-title" }, element("h2", { id: "recent-title" }, "Recent orders"), list);
}

function entry(order: Order, state: State): HTMLElement {
  const transaction = order.transactions[0]?.originTx;
  const made = new Date(order.createdAt);
  return element(
    "li",
    { class: "order" },
    element("span", { class: "order-amounts" }, amount(order.input, state), " → ", amount(order.output, state)),
    element("span", { class: `order-status ${order.status.toLowerCase()}` }, statusWords(order.status)),
    element(
      "small",
      {},
      element("time", { datetime: order.createdAt }, Number.isNaN(made.getTime()) ? "" : made.toLocaleTimeString([], { timeStyle: "short" })),
      transaction ? element("span", { class: "mono", title: transaction }, ` ${short(transaction)}`) : null,
    ),
  );
}

function amount(side: OrderSide, state: State): HTMLElement {
  const token = tokenAt(state.chain, side.token);
  const raw = side.executedAmount ?? side.amount ?? side.expectedAmount ?? null;
  if (raw === null) return element("span", {}, token.symbol);
  return element("span", { title: `${exact(raw, token.decimals)} ${token.symbol}` }, `${rounded(raw, token.decimals)} ${token.symbol}`);
}
