import { element, setText } from "./element.ts";
import { typed } from "../state/money.ts";
import { limitOf, VALIDITIES } from "../client/terms.ts";
import type { LimitTerms } from "../state/parts.ts";
import { formatUnits } from "verified-swap";
import { choice, entry, selection } from "./choice.ts";
import type { Page } from "./page.ts";

const PRICE_DECIMALS = 18;

/** The limit as a price or an amount, how long it rests, and whether it may be filled in parts. */
export function limitForm({ store }: Page): HTMLElement {
  const by = choice<LimitTerms["by"]>(
    "limit-by",
    "Limit as",
    [
      ["price", "Price"],
      ["amount", "Amount"],
    ],
    (value) => change({ by: value, text: "" }),
  );
  const limit = entry("limit", "", (text) => change({ text }), { inputmode: "decimal" });
  const label = limit.node.querySelector("label")!;
  const market = element("button", { type: "button", class: "link", onclick: useMarket }, "Use the market price");
  const validity = selection("Good for", VALIDITIES, (validForSecs) => change({ validForSecs }));
  const partly = element("input", { type: "checkbox", onchange: () => change({ partiallyFillable: partly.checked }) });

  function change(terms: Partial<LimitTerms>): void {
    store.set({ limit: { ...store.get().limit, ...terms }, failure: null });
  }

  function useMarket(): void {
    const {
      quote,
      src,
      dest,
      side,
      limit: { by: unit },
    } = store.get();
    if (!quote) return;
    if (unit === "amount") {
      return change({
        text: side === "SELL" ? typed(quote.destAmount, dest.decimals) : typed(quote.srcAmount, src.decimals),
      });
    }
    const price =
      (BigInt(quote.destAmount) * 10n ** BigInt(PRICE_DECIMALS + src.decimals)) /
      (BigInt(quote.srcAmount) * 10n ** BigInt(dest.decimals));
    change({ text: formatUnits(price, PRICE_DECIMALS) });
  }

  const node = element(
    "div",
    { class: "terms" },
    element("div", { class: "terms-row" }, by.node, validity.node),
    limit.node,
    element(
      "div",
      { class: "terms-row" },
      element("label", { class: "check-box" }, partly, "May be filled in parts"),
      market,
    ),
  );
  store.subscribe((state) => {
    node.hidden = state.tab !== "limit";
    if (node.hidden) return;
    const { src, dest, side, limit: terms } = state;
    by.show(terms.by);
    setText(
      label,
      terms.by === "price"
        ? `Price in ${dest.symbol} for 1 ${src.symbol}`
        : side === "SELL"
          ? `At least, in ${dest.symbol}`
          : `At most, in ${src.symbol}`,
    );
    limit.show(terms.text, limitOf(state).problem);
    validity.show(terms.validForSecs);
    partly.checked = terms.partiallyFillable;
    market.setAttribute("aria-disabled", String(!state.quote));
  });
  return node;
}
