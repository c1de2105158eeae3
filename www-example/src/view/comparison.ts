import { minReceived, maxSpent, type Comparison, type Quote, type TradeError } from "verified-swap";
import { element, fill } from "./element.ts";
import { explain } from "../state/failure.ts";
import { dollars, exact, percent, rounded } from "../state/money.ts";
import type { State } from "../state/state.ts";
import type { Page } from "./page.ts";

/** Both prices beside each other: what arrives, what it costs, which is better; and why one is missing. */
export function comparisonView({ store }: Page): HTMLElement {
  const node = element(
    "fieldset",
    { class: "comparison" },
    element("legend", { class: "visually-hidden" }, "Both ways to swap"),
  );
  const sides = element("div", { class: "both" });
  node.append(sides);
  let drawn: { comparison: State["comparison"]; quote: Quote | null } | null = null;
  store.subscribe((state) => {
    const { comparison, quote } = state;
    node.hidden = state.tab !== "swap" || state.path !== "both" || comparison === null;
    if (node.hidden || (drawn?.comparison === comparison && drawn.quote === quote)) return;
    drawn = { comparison, quote };
    const focused =
      document.activeElement instanceof HTMLInputElement && node.contains(document.activeElement)
        ? document.activeElement.value
        : null;
    fill(sides, side("delta", "Gasless", comparison!, state), side("market", "Market", comparison!, state));
    if (focused) sides.querySelector<HTMLInputElement>(`input[value="${focused}"]`)?.focus();
  });

  function side(kind: "delta" | "market", name: string, comparison: Partial<Comparison>, state: State): HTMLElement {
    const quote = comparison[kind];
    if (!quote)
      return element(
        "div",
        { class: "way" },
        element("strong", {}, name),
        element("span", { class: "note" }, missing(comparison[`${kind}Error`], state)),
      );
    const radio = element("input", {
      type: "radio",
      name: "way",
      value: kind,
      checked: state.quote === quote,
      onchange: () => store.set({ quote, way: kind }),
    });
    const best =
      comparison.best === kind
        ? ` Best${comparison.differenceBps ? `, by ${percent(comparison.differenceBps)}` : ""}`
        : "";
    return element(
      "label",
      { class: "way chip" },
      radio,
      element(
        "span",
        {},
        element("strong", {}, name, best && element("em", {}, best)),
        arrives(quote, state),
        element("small", {}, cost(quote)),
      ),
    );
  }
  return node;
}

/** What arrives (or, buying, is paid) after the fee; gas is shown beside it. */
function arrives(quote: Quote, { src, dest }: State): HTMLElement {
  const [amount, token] =
    quote.request.side === "SELL" ? ([minReceived(quote, 0), dest] as const) : ([maxSpent(quote, 0), src] as const);
  return element(
    "span",
    { class: "way-amount", title: `${exact(amount, token.decimals)} ${token.symbol}` },
    `${rounded(amount, token.decimals)} ${token.symbol}`,
  );
}

function cost(quote: Quote): string {
  return quote.kind === "delta" ? "No gas to pay" : `Less ${dollars(quote.gasCostUsd) ?? "some"} gas, paid by you`;
}

function missing(error: TradeError | null | undefined, state: State): string {
  if (!error) return "Asking…";
  return error.code === "VERIFY_MISMATCH"
    ? "Refused: its answer is not what you asked for."
    : explain(error, state).message;
}
