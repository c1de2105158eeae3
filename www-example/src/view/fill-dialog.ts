import type { OtcOrder } from "verified-swap";
import { element } from "../element.ts";
import { readAmount, rounded, typed } from "../money.ts";
import { ownPermit } from "../permits.ts";
import { balanceOf, tokenAt } from "../state.ts";
import { entry } from "./choice.ts";
import { openDialog } from "./dialog.ts";
import { takerOf } from "./otc-form.ts";
import type { Page } from "./page.ts";

/** How much of an OTC order to fill, and who receives. What follows is built, verified and reviewed like everything else. */
export function fillDialog({ store, offersBook }: Page, order: OtcOrder): void {
  const { chains } = store.get();
  const pay = tokenAt(chains, order.chainId, order.takerAsset);
  const get = tokenAt(chains, order.chainId, order.makerAsset);
  const left = leftOf(order);
  let amountText = typed(left, pay.decimals);
  let receiverText = "";
  const amount = entry("fill-amount", `You pay, in ${pay.symbol}`, (text) => ((amountText = text), show()), { inputmode: "decimal" });
  const receiver = entry("fill-receiver", "Receiver", (text) => ((receiverText = text), show()), { mono: "yes", placeholder: "You, or 0x…" });
  const kind = ownPermit(pay);
  const permit = element("input", { type: "checkbox", checked: pay.kind === "signOnly" });
  const button = element("button", { type: "button", class: "primary", onclick: press }, "Review fill");
  const dialog = openDialog("Fill an order", [
    element("p", {}, `${rounded(order.makerAmount, get.decimals)} ${get.symbol} for ${rounded(order.takerAmount, pay.decimals)} ${pay.symbol} in all.`),
    amount.node,
    receiver.node,
    ...(kind ? [element("label", { class: "check-box" }, permit, "Sign a permit instead of approving")] : []),
    button,
  ]);

  function read(): { takerAmount: string | null; problem: string | null } {
    const { amount: takerAmount, problem } = readAmount(amountText, pay.symbol, pay.decimals);
    const held = balanceOf(store.get(), pay);
    if (problem || takerAmount === null) return { takerAmount: null, problem };
    if (held !== null && BigInt(held) < BigInt(takerAmount)) return { takerAmount: null, problem: `You do not hold that much ${pay.symbol}.` };
    return { takerAmount, problem: null };
  }

  function show(): void {
    const { takerAmount, problem } = read();
    const wrong = takerOf(receiverText).problem;
    amount.show(amountText, problem, left === "0" ? "Nothing of it is left." : `${typed(left, pay.decimals)} ${pay.symbol} are left.`);
    receiver.show(receiverText, wrong);
    button.setAttribute("aria-disabled", String(takerAmount === null || wrong !== null));
  }

  function press(): void {
    const { takerAmount } = read();
    const { address, problem } = takerOf(receiverText);
    if (takerAmount === null || problem) return;
    dialog.close();
    // All that is left is what is filled by default: the chain knows it best.
    void offersBook.fill(order, { ...(takerAmount === left ? {} : { takerAmount }), ...(address ? { receiver: address } : {}) }, permit.checked ? kind : null);
  }

  show();
}

/** Raw units of the taker's token that were not paid yet, as the service last saw it. */
function leftOf({ fillableBalance, makerAmount, takerAmount }: OtcOrder): string {
  const left = typeof fillableBalance === "string" && /^\d+$/.test(fillableBalance) ? BigInt(fillableBalance) : BigInt(makerAmount);
  return ((left * BigInt(takerAmount) + BigInt(makerAmount) - 1n) / BigInt(makerAmount)).toString();
}
