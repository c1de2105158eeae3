import { isTradeError, type Hex, type OtcOrder } from "verified-swap";
import { element, fill, setText } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import { short, tokenAt, type State } from "../state/state.ts";
import { byPrice, together } from "../client/offers.ts";
import { entry } from "./choice.ts";
import { fillDialog } from "./fill-dialog.ts";
import { isForAnyone } from "./offer.ts";
import { offerWords } from "./order-words.ts";
import type { Page } from "./page.ts";
import { timeWords } from "./schedule.ts";

const SHOWN = 8;

/** OTC orders: those the account made, those that it may fill, and any other by its hash. */
export function offers(page: Page): HTMLElement {
  const { store, offering, offersBook } = page;
  const mine = element("ul", { class: "orders" });
  const forMe = element("ul", { class: "orders" });
  const atOnce = element("div", { class: "at-once" });
  const hash = entry(
    "offer-hash",
    "Fill an order by its hash, or several of one pair",
    () => hash.show(hash.input.value, null),
    { mono: "yes", placeholder: "0x…" },
  );
  const open = element("button", { type: "button", class: "secondary", onclick: () => void openByHash() }, "Open");
  const note = element("p", { class: "quiet" });
  const node = element(
    "section",
    { class: "card recent offers", "aria-labelledby": "offers-title" },
    element("h2", { id: "offers-title" }, "OTC orders"),
    note,
    element("h3", {}, "For you to fill"),
    forMe,
    atOnce,
    element("h3", {}, "Yours"),
    mine,
    hash.node,
    open,
  );

  async function openByHash(): Promise<void> {
    const hashes = new Set(hash.input.value.split(/[\s,]+/).filter(Boolean));
    try {
      const [first, ...rest] = await Promise.all([...hashes].map((one) => offersBook.read(one as Hex)));
      if (!first) return;
      const alike = rest.every(
        ({ makerAsset, takerAsset }) => makerAsset === first.makerAsset && takerAsset === first.takerAsset,
      );
      if (alike) fillDialog(page, [first, ...rest].toSorted(byPrice));
      else hash.show(hash.input.value, "Only orders of one pair are filled at once.");
    } catch (error) {
      const unknown = isTradeError(error) && error.status === 404;
      hash.show(hash.input.value, unknown ? "The service does not know this order." : "That order cannot be read.");
    }
  }

  let shown: State["offers"] | undefined;
  store.subscribe((state) => {
    node.hidden = state.tab !== "otc";
    note.hidden = !state.notice;
    setText(note, state.notice ?? "");
    if (state.offers === shown) return;
    const before = shown;
    shown = state.offers;
    if (!shown) return [mine, forMe].forEach((list) => fill(list, element("li", { class: "quiet" }, "Reading…")));
    if (before && JSON.stringify(before) === JSON.stringify(shown)) return;
    const focused = document.activeElement?.id ?? "";
    fill(atOnce, ...together(shown.forMe).map((orders) => allOf(orders, state, () => fillDialog(page, orders))));
    show(mine, shown.mine, state, offering.open, (order) => ["Cancel", () => void offersBook.cancel(order)]);
    show(forMe, shown.forMe, state, offering.open, (order) => ["Fill", () => fillDialog(page, [order])]);
    if (/^offer-/.test(focused))
      (document.getElementById(focused) ?? document.getElementById(focused.replace("-0x", "-open-0x")))?.focus();
  });
  return node;
}

/** The way to fill all orders of one pair. */
function allOf(orders: OtcOrder[], { chains }: State, act: () => void): HTMLElement {
  const [{ chainId, makerAsset, takerAsset }] = orders as [OtcOrder];
  const [get, give] = [tokenAt(chains, chainId, makerAsset), tokenAt(chains, chainId, takerAsset)];
  const words = `Fill all ${orders.length} of ${get.symbol} for ${give.symbol} at once`;
  return element(
    "button",
    { id: `offer-${makerAsset}-${takerAsset}`, type: "button", class: "link", onclick: act },
    words,
  );
}

type Open = (order: OtcOrder) => void;

function show(
  list: HTMLElement,
  orders: OtcOrder[],
  state: State,
  open: Open,
  act: (order: OtcOrder) => [string, () => void],
): void {
  if (orders.length === 0) return fill(list, element("li", { class: "quiet" }, "None."));
  fill(list, ...orders.slice(0, SHOWN).map((order) => line(order, state, open, ...act(order))));
}

function line(order: OtcOrder, state: State, open: Open, verb: string, act: () => void): HTMLElement {
  const give = tokenAt(state.chains, order.chainId, order.makerAsset);
  const get = tokenAt(state.chains, order.chainId, order.takerAsset);
  const sum = (amount: string, { decimals, symbol }: { decimals: number; symbol: string }): HTMLElement =>
    element("span", { title: `${exact(amount, decimals)} ${symbol}` }, `${rounded(amount, decimals)} ${symbol}`);
  const live = order.state === "PENDING" || order.state === "SUSPENDED";
  const button = element(
    "button",
    { id: `offer-${order.orderHash}`, type: "button", class: "link order-cancel", onclick: act },
    verb,
  );
  button.setAttribute(
    "aria-label",
    `${verb} the order of ${rounded(order.makerAmount, give.decimals)} ${give.symbol} for ${get.symbol}`,
  );
  return element(
    "li",
    { class: "order", title: order.orderHash },
    element(
      "button",
      { id: `offer-open-${order.orderHash}`, type: "button", class: "order-open", onclick: () => open(order) },
      element("span", { class: "order-amounts" }, sum(order.makerAmount, give), " for ", sum(order.takerAmount, get)),
      element("span", { class: `order-status ${order.state.toLowerCase()}` }, offerWords(order)),
      element(
        "small",
        {},
        element("span", { class: "mono" }, short(order.orderHash)),
        order.expiry === 0 ? "" : `, until ${timeWords(new Date(order.expiry * 1000))}`,
        isForAnyone(order) ? ", for anyone" : "",
      ),
    ),
    live && button,
  );
}
