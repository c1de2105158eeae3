import type { Amount } from "verified-swap";
import { element, icon, setText } from "./element.ts";
import { exact, rounded, typed } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { balanceOf, chainName } from "../state/state.ts";
import type { Page } from "./page.ts";
import { pickToken } from "./token-picker.ts";

const DOWN = "m6 8 4 4 4-4";

/** Characters from which on an amount is written smaller: it stays to be read whole. */
const LONG = 10;

export interface AmountField {
  node: HTMLElement;
  of: "src" | "dest";
  show(content: Content): void;
}

interface Content {
  token: Token;
  text: string;
  /** All digits, where `text` is rounded: shown while the field has the focus. */
  exact: string | null;
  loading: boolean;
  worth: string | null;
  balance: Amount | null;
  problem: string | null;
  /** What would help with this amount. */
  hint: string | null;
}

/** An amount and its token. Typing in either field makes it the fixed side. */
export function amountField(page: Page, of: "src" | "dest", label: string): AmountField {
  const { store, pricing } = page;
  const side = of === "src" ? "SELL" : "BUY";
  const input = element("input", {
    id: `${of}-amount`,
    class: "amount",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "0",
    "aria-describedby": `${of}-note`,
    onfocus: () => {
      if (!shown?.exact) return;
      show(shown);
      input.select();
    },
    onblur: () => shown && show(shown),
    oninput: () => {
      store.set({ side, amountText: input.value });
      pricing.changed();
    },
  });
  const symbol = element("span");
  const network = element("small");
  const tokenButton = element(
    "button",
    { type: "button", class: "token", onclick: () => pickToken(page, of) },
    element("span", {}, symbol, network),
    icon(DOWN),
  );
  const note = element("span", { id: `${of}-note`, class: "note" });
  const held = element("span", { class: "held" });
  const maximum = element(
    "button",
    { type: "button", class: "link", "aria-label": "Max: use the whole balance", onclick: useMaximum },
    "Max",
  );

  function useMaximum(): void {
    const state = store.get();
    store.set({ side: "SELL", amountText: typed(balanceOf(state, state.src) ?? "0", state.src.decimals) });
    pricing.changed();
  }

  const under = element("div", { class: "under" }, note, held, of === "src" && maximum);
  const node = element(
    "div",
    { class: "field" },
    element("label", { for: input.id }, label),
    element("div", { class: "entry" }, input, tokenButton),
    under,
  );

  let shown: Content | null = null;

  function show(content: Content): void {
    shown = content;
    const { token } = content;
    const focused = document.activeElement === input;
    const text = focused ? (content.exact ?? content.text) : content.text;
    if (input.value !== text) input.value = text;
    input.title = content.exact ?? "";
    input.classList.toggle("long", text.length > LONG);
    input.classList.toggle("skeleton", content.loading);
    input.setAttribute("aria-invalid", String(content.problem !== null));
    const state = store.get();
    const elsewhere = token.chainId === state.chain.chainId ? "" : ` ${chainName(state, token.chainId)}`;
    setText(symbol, token.symbol);
    setText(network, elsewhere);
    tokenButton.setAttribute("aria-label", `${label}: ${token.symbol}${elsewhere}. Choose another token`);
    setText(note, content.problem ?? content.hint ?? content.worth ?? "");
    under.classList.toggle("hinted", content.hint !== null);
    note.classList.toggle("problem", content.problem !== null);
    const holding = content.balance === null ? "–" : rounded(content.balance, token.decimals, "down");
    const whole = content.balance === null ? "" : `${exact(content.balance, token.decimals)} ${token.symbol}`;
    setText(held, `Balance ${holding}`);
    held.title = whole;
  }

  return { node, of, show };
}
