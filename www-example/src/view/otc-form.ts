import { isAddress, parseAddress, type Address } from "verified-swap";
import { element, setText } from "./element.ts";
import { readAmount } from "../state/money.ts";
import { balanceOf, isNative, type State } from "../state/state.ts";
import { nowSecs, VALIDITIES } from "../client/terms.ts";
import type { OfferTerms } from "../state/parts.ts";
import { busyWords } from "./busy.ts";
import { entry, selection } from "./choice.ts";
import type { Page } from "./page.ts";
import { pickToken } from "./token-picker.ts";

/** An order for somebody, or for anyone: what is given, what is wanted, who may fill it, and until when. */
export function otcForm(page: Page): HTMLElement {
  const { store, swap } = page;
  const give = entry("offer-give", "You give", (giveText) => change({ giveText }), {
    inputmode: "decimal",
    placeholder: "0",
  });
  const want = entry("offer-want", "You get", (wantText) => change({ wantText }), {
    inputmode: "decimal",
    placeholder: "0",
  });
  const giveToken = tokenButton("src", "You give");
  const wantToken = tokenButton("dest", "You get");
  const taker = entry("offer-taker", "Open to", (takerText) => change({ takerText }), {
    mono: "yes",
    placeholder: "Anyone, or 0x…",
  });
  const validity = selection("Good for", VALIDITIES, (validForSecs) => change({ validForSecs }));
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function change(terms: Partial<OfferTerms>): void {
    store.set({ offer: { ...store.get().offer, ...terms }, failure: null });
  }

  function tokenButton(of: "src" | "dest", label: string): { node: HTMLElement; show(symbol: string): void } {
    const name = element("span");
    const node = element("button", { type: "button", class: "token", onclick: () => pickToken(page, of) }, name);
    return {
      node,
      show(symbol) {
        setText(name, symbol);
        node.setAttribute("aria-label", `${label}: ${symbol}. Choose another token`);
      },
    };
  }

  function press(): void {
    const state = store.get();
    const { failure, busy, src, dest } = state;
    const order = orderOf(state);
    if (busy) return;
    if (failure) return swap.remedy(failure);
    if (order.problem !== null) return;
    const { makerAmount, takerAmount, taker: only } = order;
    void swap.reviewThis(
      (client) =>
        client.buildOtc(
          {
            chainId: src.chainId,
            makerAsset: src.address,
            takerAsset: dest.address,
            makerAmount,
            takerAmount,
            makerDecimals: src.decimals,
            takerDecimals: dest.decimals,
            makerSymbol: src.symbol,
            takerSymbol: dest.symbol,
            expiry: nowSecs() + state.offer.validForSecs,
            ...(only ? { taker: only } : {}),
          },
          { coverOpenOrders: true },
        ),
      { src, dest },
    );
  }

  const node = element(
    "section",
    { class: "stage", "aria-labelledby": "otc-title" },
    element("div", { class: "title" }, element("h1", { id: "otc-title", tabindex: -1 }, "OTC order")),
    element("p", { class: "quiet" }, "You sign an order at a fixed price; whoever fills it pays the gas."),
    element("div", { class: "with-token" }, give.node, giveToken.node),
    element("div", { class: "with-token" }, want.node, wantToken.node),
    taker.node,
    validity.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message), button),
  );
  store.subscribe((state) => {
    if (state.tab !== "otc") return;
    const { src, dest, offer, failure, busy } = state;
    const order = orderOf(state);
    give.show(offer.giveText, readAmount(offer.giveText, src.symbol, src.decimals).problem);
    want.show(offer.wantText, readAmount(offer.wantText, dest.symbol, dest.decimals).problem);
    giveToken.show(src.symbol);
    wantToken.show(dest.symbol);
    taker.show(offer.takerText, takerOf(offer.takerText).problem);
    validity.show(offer.validForSecs);
    setText(message, failure?.message ?? (busy ? busyWords(busy) : (order.problem ?? "")));
    message.classList.toggle("problem", failure !== null);
    setText(button, failure?.button ?? "Review order");
    button.setAttribute("aria-disabled", String(failure === null && (busy !== null || order.problem !== null)));
  });
  return node;
}

type Read = { problem: string } | { problem: null; makerAmount: string; takerAmount: string; taker: Address | null };

/** What the form asks for, or the first thing that is missing. */
function orderOf(state: State): Read {
  const { src, dest, offer, account } = state;
  if (!account) return { problem: "Connect a wallet first." };
  const native = [src, dest].find(isNative);
  if (native) return { problem: `OTC orders trade ERC-20 tokens. Wrap your ${native.symbol} first.` };
  const { amount: makerAmount, problem: givingProblem } = readAmount(offer.giveText, src.symbol, src.decimals);
  const { amount: takerAmount, problem: gettingProblem } = readAmount(offer.wantText, dest.symbol, dest.decimals);
  const { address, problem } = takerOf(offer.takerText);
  const wrong = givingProblem ?? gettingProblem ?? problem;
  if (wrong) return { problem: wrong };
  if (makerAmount === null || takerAmount === null) return { problem: "Enter both amounts." };
  const held = balanceOf(state, src);
  if (held !== null && BigInt(held) < BigInt(makerAmount))
    return { problem: `You do not hold that much ${src.symbol}.` };
  return { problem: null, makerAmount, takerAmount, taker: address };
}

export function takerOf(text: string): { address: Address | null; problem: string | null } {
  const plain = text.trim();
  if (plain === "") return { address: null, problem: null };
  return isAddress(plain)
    ? { address: parseAddress(plain), problem: null }
    : { address: null, problem: "That is not an address." };
}
