import { element, icon, setText } from "./element.ts";
import { dollars, rounded, typed } from "../state/money.ts";
import { firstSpending } from "../client/permits.ts";
import { beneficiaryOf } from "../client/pricing.ts";
import { amountOf, balanceOf, isCrosschain, isPromised, isStale, type State, type Tab } from "../state/state.ts";
import { limitAmountOf } from "../client/terms.ts";
import { action } from "./action.ts";
import { alternatives } from "./alternatives.ts";
import { amountField, type AmountField } from "./amount-field.ts";
import { comparisonView } from "./comparison.ts";
import { LimitForm } from "./limit-form.tsx";
import { island } from "./island.tsx";
import { lineList } from "./lines.ts";
import type { Page } from "./page.ts";
import { chosenRoute, linesOf, namesOf, noticeWords } from "./quote-lines.ts";
import { settings } from "./settings.ts";
import { TwapForm } from "./twap-form.tsx";

const TURN = "M6 3v13m0 0-3-3m3 3 3-3M14 17V4m0 0-3 3m3-3 3 3";
const TITLES: Record<Tab, string> = { swap: "Swap", limit: "Limit order", twap: "TWAP order", otc: "OTC order" };

/** The form: what is paid, what is received, on which terms, who receives it, and what it comes to. */
export function compose(page: Page): HTMLElement {
  const { store, pricing } = page;
  const pay = amountField(page, "src", "You pay");
  const receive = amountField(page, "dest", "You receive");
  const { toggle, panel } = settings(page);
  const heading = element("h1", { id: "compose-title", tabindex: -1 });
  const turn = element(
    "button",
    { type: "button", class: "turn", "aria-label": "Swap the two tokens", onclick: turnAround },
    icon(TURN),
  );
  const notice = element("p", { class: "notice" });
  const list = lineList();

  function turnAround(): void {
    const state = store.get();
    const { src, dest, side } = state;
    if (isCrosschain(state)) return;
    const amounts = amountsOf(state);
    const kept =
      amounts && side === "SELL" ? typed(amounts.dest, dest.decimals) : amounts && typed(amounts.src, src.decimals);
    store.set({
      src: dest,
      dest: src,
      side: "SELL",
      spending: firstSpending(dest),
      ...(kept ? { amountText: kept } : {}),
    });
    pricing.changed();
  }

  const section = element(
    "section",
    { class: "stage", "aria-labelledby": "compose-title" },
    element("div", { class: "title" }, heading, toggle),
    panel,
    element("div", { class: "fields" }, pay.node, turn, receive.node),
    island(page, LimitForm),
    island(page, TwapForm),
    comparisonView(page),
    alternatives(page),
    promise(page),
    otherReceiver(page),
    notice,
    list.node,
    action(page),
  );

  store.subscribe((state) => {
    const { quote, side } = state;
    if (state.tab === "otc") return;
    const selling = side === "SELL";
    setText(heading, TITLES[state.tab]);
    const stays = isCrosschain(state);
    turn.setAttribute("aria-disabled", String(stays));
    turn.title = stays ? "The network you sell on" : "";
    section.toggleAttribute("data-dimmed", state.quoting || isStale(state) || !state.online || state.failure !== null);
    section.toggleAttribute("data-hinted", state.failure?.ofAmount === true);
    showAmount(pay, state, selling);
    showAmount(receive, state, !selling);
    const words = quote?.kind === "market" ? noticeWords(quote) : null;
    notice.hidden = words === null;
    setText(notice, words ?? "");
    if (quote) list.show(linesOf(state, quote));
    else list.clear(namesOf(state), state.quoting);
  });
  return section;
}

/** What is paid and received in all: a limit takes the place of the price, and a TWAP quote is of one slice. */
function amountsOf(state: State): { src: string; dest: string } | null {
  const { quote, alternative, tab, side } = state;
  const limit = tab === "limit" ? limitAmountOf(state) : null;
  if (quote && limit)
    return side === "SELL" ? { src: quote.srcAmount, dest: limit } : { src: limit, dest: quote.destAmount };
  if (!quote || quote.kind === "market") return quote && { src: quote.srcAmount, dest: quote.destAmount };
  const { srcAmount, destAmount } = chosenRoute(quote, alternative);
  const { total, sliceAmount } = quote.twap ?? { total: "1", sliceAmount: "1" };
  const all = (amount: string): string => ((BigInt(amount) * BigInt(total)) / BigInt(sliceAmount)).toString();
  return { src: all(srcAmount), dest: all(destAmount) };
}

function showAmount(field: AmountField, state: State, typedHere: boolean): void {
  const { quote, quoting, failure } = state;
  const source = field.of === "src";
  const token = source ? state.src : state.dest;
  const { problem } = amountOf(state);
  const amount = amountsOf(state)?.[field.of] ?? null;
  field.show({
    token,
    text: typedHere ? state.amountText : amount ? rounded(amount, token.decimals).replaceAll(",", "") : "",
    exact: typedHere || !amount ? null : typed(amount, token.decimals),
    loading: !typedHere && quoting && !amount,
    worth: state.tab !== "swap" ? null : dollars((quote && (source ? quote.srcUsd : quote.destUsd)) ?? null),
    balance: balanceOf(state, token),
    problem: typedHere ? problem : null,
    hint: typedHere && failure?.ofAmount ? failure.message : null,
  });
}

/** Consent to an arrival that no order guarantees. */
function promise({ store }: Page): HTMLElement {
  const box = element("input", { type: "checkbox", onchange: () => store.set({ acceptsPromise: box.checked }) });
  const node = element(
    "label",
    { class: "check-box" },
    box,
    "What arrives is promised by the bridge, not guaranteed by this order",
  );
  store.subscribe((state) => {
    node.hidden = !isPromised(state);
    box.checked = state.acceptsPromise;
  });
  return node;
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
  const field = element(
    "div",
    { class: "receiver" },
    element("label", { for: "beneficiary" }, "Receiving address"),
    input,
    problem,
  );
  const button = element(
    "button",
    { type: "button", class: "link", "aria-expanded": "false", onclick: flip },
    "Send to another address",
  );

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
