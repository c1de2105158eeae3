import { element, setText } from "./element.ts";
import { percent, readAmount } from "../state/money.ts";
import type { Path, State } from "../state/state.ts";
import { firstSpending, isTaken, permitKinds } from "../client/permits.ts";
import { choice } from "./choice.ts";
import type { Page } from "./page.ts";

const CHOICES_BPS = [10, 50, 100];
const HIGHEST_BPS = 5_000;

const PATHS: readonly (readonly [Path, string])[] = [
  ["fallback", "Gasless, else Market"],
  ["both", "Best of both"],
  ["market", "Market"],
];

const SPENDING: readonly (readonly [State["spending"], string])[] = [
  ["approve", "Approval"],
  ["eip2612", "Permit"],
  ["dai", "DAI permit"],
  ["permit2Transfer", "Permit2, once"],
  ["permit2Allowance", "Permit2 allowance"],
  ["permit2Existing", "Permit2, as allowed"],
];

/** How far the price may move, which path is taken, and how the contract gets to spend. */
export function settings({ store, pricing }: Page): { toggle: HTMLElement; panel: HTMLElement } {
  const toggle = element("button", {
    type: "button",
    class: "link",
    "aria-expanded": "false",
    "aria-controls": "slippage",
    onclick: flip,
  });
  const other = element("input", {
    class: "text short",
    type: "text",
    inputmode: "decimal",
    autocomplete: "off",
    placeholder: "Other",
    "aria-label": "Other slippage limit, in percent",
    "aria-describedby": "slippage-note",
    oninput: () => readOther(),
  });
  const note = element("p", { id: "slippage-note", class: "note" });
  const choices = CHOICES_BPS.map((bps) => {
    const radio = element("input", { type: "radio", name: "slippage", value: bps, onchange: () => set(bps) });
    return { bps, radio, label: element("label", { class: "chip" }, radio, element("span", {}, percent(bps))) };
  });
  const path = choice("path", "Path", PATHS, (chosen) => {
    const { spending, src } = store.get();
    const stays = spending === "approve" || isTaken(spending, chosen === "market");
    store.set({ path: chosen, ...(stays ? {} : { spending: firstSpending(src) }) });
    pricing.changed();
  });
  const spending = choice("spending", "Spending", SPENDING, (chosen) => store.set({ spending: chosen }));
  const panel = element(
    "div",
    { id: "slippage", class: "settings", hidden: true },
    element(
      "fieldset",
      {},
      element("legend", {}, "Slippage limit"),
      element("div", { class: "chips" }, ...choices.map(({ label }) => label), other),
      note,
    ),
    path.node,
    spending.node,
  );

  function flip(): void {
    panel.hidden = !panel.hidden;
    toggle.setAttribute("aria-expanded", String(!panel.hidden));
  }

  function set(slippageBps: number): void {
    other.value = "";
    store.set({ slippageBps });
  }

  function readOther(): void {
    const { amount, problem } = readAmount(other.value, "A percentage", 2);
    const bps = amount === null ? null : Number(amount);
    const fits = bps !== null && bps <= HIGHEST_BPS;
    other.setAttribute("aria-invalid", String(!fits && other.value !== ""));
    setText(note, problem ?? (bps !== null && !fits ? `At most ${percent(HIGHEST_BPS)}.` : ""));
    if (fits) store.set({ slippageBps: bps });
  }

  store.subscribe((state) => {
    const { slippageBps, tab, src } = state;
    toggle.hidden = tab === "limit";
    if (toggle.hidden && !panel.hidden) flip();
    path.node.hidden = tab !== "swap" || src.chainId !== state.dest.chainId;
    path.show(state.path);
    const kinds = permitKinds(state);
    spending.node.hidden = tab !== "swap" || kinds.length === 0;
    spending.show(state.spending, src.kind === "signOnly" ? kinds : ["approve", ...kinds]);
    setText(toggle, `Slippage ${percent(slippageBps)}`);
    for (const { bps, radio } of choices) radio.checked = bps === slippageBps;
    if (other.getAttribute("aria-invalid") !== "true")
      setText(note, slippageBps > 300 ? "You may receive much less than shown." : "");
  });
  return { toggle, panel };
}
