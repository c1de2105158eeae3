import { minReceived, maxSpent } from "verified-swap";
import { element, icon, setText } from "../element.ts";
import { dollars, exact, percent, rate, rounded, typed } from "../money.ts";
import { beneficiaryOf } from "../pricing.ts";
import { amountOf, balanceOf, isSellable, isStale, short, type State } from "../state.ts";
import { action } from "./action.ts";
import { amountField, type AmountField } from "./amount-field.ts";
import { figureRow } from "./figure.ts";
import type { Page } from "./page.ts";
import { settings } from "./settings.ts";

const TURN = "M6 3v13m0 0-3-3m3 3 3-3M14 17V4m0 0-3 3m3-3 3 3";

/** The form: what is paid, what is received, who receives it, and what it comes to. */
export function compose(page: Page): HTMLElement {
  const { store, pricing } = page;
  const pay = amountField(page, "src", "You pay");
  const receive = amountField(page, "dest", "You receive");
  const { toggle, panel } = settings(page);

  const turn = element("button", { type: "button", class: "turn", "aria-label": "Swap the two tokens", onclick: turnAround }, icon(TURN));
  const list = element("dl", { class: "rows" });
  const rows = {
    rate: figureRow(list, "Rate"),
    limit: figureRow(list, "Minimum received"),
    fee: figureRow(list, "Fee"),
    gas: figureRow(list, "Network cost"),
    route: figureRow(list, "Route"),
  };

  function turnAround(): void {
    const { src, dest, quote, side } = store.get();
    if (!isSellable(dest)) return;
    const kept = quote && side === "SELL" ? typed(quote.destAmount, dest.decimals) : quote && typed(quote.srcAmount, src.decimals);
    store.set({ src: dest, dest: src, side: "SELL", ...(kept ? { amountText: kept } : {}) });
    pricing.changed();
  }

  const section = element(
    "section",
    { class: "stage", "aria-labelledby": "compose-title" },
    element("div", { class: "title" }, element("h1", { id: "compose-title", tabindex: -1 }, "Swap"), toggle),
    panel,
    element("div", { class: "fields" }, pay.node, turn, receive.node),
    otherReceiver(page),
    list,
    action(page),
  );

  store.subscribe((state) => {
    const { quote, src, dest, side, slippageBps } = state;
    const selling = side === "SELL";
    turn.setAttribute("aria-disabled", String(!isSellable(dest)));
    turn.title = isSellable(dest) ? "" : `${dest.symbol} can be received, not sold`;
    section.toggleAttribute("data-dimmed", state.quoting || isStale(state) || !state.online || state.failure !== null);
    showAmount(pay, state, selling);
    showAmount(receive, state, !selling);
    setText(rows.limit.name, selling ? "Minimum received" : "Maximum paid");
    if (!quote) {
      for (const row of Object.values(rows)) row.figure.clear(state.quoting);
      return;
    }
    const price = rate({ ...src, amount: quote.srcAmount }, { ...dest, amount: quote.destAmount });
    if (price) rows.rate.figure.show(price.rounded, price.exact);
    const limit = selling ? minReceived(quote, slippageBps) : maxSpent(quote, slippageBps);
    const limited = selling ? dest : src;
    rows.limit.figure.show(rounded(limit, limited.decimals, selling ? "down" : "up"), exact(limit, limited.decimals), limited.symbol);
    rows.fee.figure.show(quote.feeBps === null ? "Not stated" : percent(quote.feeBps));
    const gas = dollars(quote.gasFee?.amountUsd ?? null);
    rows.gas.figure.show(gas ? `${gas}, within the price` : "Within the price");
    rows.route.figure.show(`Delta auction ${short(quote.spender)}`, `Delta auction ${quote.spender}`);
  });
  return section;
}

function showAmount(field: AmountField, state: State, typedHere: boolean): void {
  const { quote, quoting } = state;
  const source = field.of === "src";
  const token = source ? state.src : state.dest;
  const { problem } = amountOf(state);
  const amount = quote && (source ? quote.srcAmount : quote.destAmount);
  field.show({
    token,
    text: typedHere ? state.amountText : amount ? rounded(amount, token.decimals).replaceAll(",", "") : "",
    exact: typedHere || !amount ? null : typed(amount, token.decimals),
    loading: !typedHere && quoting && !amount,
    worth: dollars((quote && (source ? quote.srcUsd : quote.destUsd)) ?? null),
    balance: balanceOf(state, token),
    problem: typedHere ? problem : null,
  });
}

/** "Send to another address": closed, the owner receives. */
function otherReceiver({ store, pricing }: Page): HTMLElement {
  const input = element("input", {
    id: "beneficiary",
    class: "text mono",
    type: "text",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "0x…",
    "aria-describedby": "beneficiary-problem",
    oninput: () => {
      store.set({ beneficiaryText: input.value });
      pricing.changed();
    },
  });
  const problem = element("p", { id: "beneficiary-problem", class: "problem" });
  const field = element("div", { class: "receiver" }, element("label", { for: "beneficiary" }, "Receiving address"), input, problem);
  const button = element("button", { type: "button", class: "link", "aria-expanded": "false", onclick: flip }, "Send to another address");

  function flip(): void {
    const opens = store.get().beneficiaryText === null;
    input.value = "";
    store.set({ beneficiaryText: opens ? "" : null });
    if (opens) queueMicrotask(() => input.focus());
    pricing.changed();
  }

  store.subscribe((state) => {
    const open = state.beneficiaryText !== null;
    field.hidden = !open;
    button.setAttribute("aria-expanded", String(open));
    setText(button, open ? "Send to my own address" : "Send to another address");
    const read = beneficiaryOf(state);
    setText(problem, read.ok ? "" : read.problem);
    input.setAttribute("aria-invalid", String(!read.ok && read.problem !== ""));
  });
  return element("div", { class: "other-receiver" }, button, field);
}
