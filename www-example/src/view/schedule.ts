import type { Amount } from "verified-swap";
import { element, fill } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";

interface Slice {
  index: number;
  /** Unix seconds. */
  notBefore: number;
  amount: Amount;
}

/** The slices of a TWAP order as a row of bars over time: their amounts, their times, which are done. */
export function scheduleView(): { node: HTMLElement; show(slices: Slice[], token: Token, done?: number): void } {
  const list = element("ol", { class: "schedule", tabindex: 0, "aria-label": "Schedule" });
  let drawn = "";
  return {
    node: list,
    show(slices, token, done = 0) {
      list.hidden = slices.length === 0;
      const key =
        slices.map(({ notBefore, amount }) => `${Math.floor(notBefore / 60)} ${amount}`).join() + token.symbol + done;
      if (key === drawn) return;
      drawn = key;
      const most = slices.reduce((highest, { amount }) => (BigInt(amount) > highest ? BigInt(amount) : highest), 1n);
      fill(list, ...slices.map((slice) => bar(slice, token, most, done)));
    },
  };
}

function bar({ index, notBefore, amount }: Slice, token: Token, most: bigint, done: number): HTMLElement {
  const at = new Date(notBefore * 1000);
  const measure = element("span", { class: "slice-bar", "aria-hidden": "true" });
  measure.style.width = `${(BigInt(amount) * 100n) / most}%`;
  return element(
    "li",
    { class: index < done ? "slice done" : "slice" },
    element("time", { datetime: at.toISOString() }, timeWords(at)),
    element("span", { class: "slice-track" }, measure),
    element(
      "span",
      { title: `${exact(amount, token.decimals)} ${token.symbol}` },
      `${rounded(amount, token.decimals)} ${token.symbol}`,
    ),
    element("span", { class: "visually-hidden" }, index < done ? ", done" : ""),
  );
}

/** The time of day; with the date when it is not today. */
export function timeWords(at: Date): string {
  const time = at.toLocaleTimeString([], { timeStyle: "short" });
  return at.toDateString() === new Date().toDateString()
    ? time
    : `${at.toLocaleDateString([], { month: "short", day: "numeric" })}, ${time}`;
}
