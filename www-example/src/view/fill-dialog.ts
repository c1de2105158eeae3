import type { OtcOrder } from "verified-swap";
import { element } from "./element.ts";
import { readAmount, rounded, typed } from "../state/money.ts";
import { leftOf } from "../client/offers.ts";
import { ownPermit } from "../client/permits.ts";
import { balanceOf, tokenAt } from "../state/state.ts";
import { entry } from "./choice.ts";
import { openDialog } from "./dialog.ts";
import { takerOf } from "./otc-form.ts";
import type { Page } from "./page.ts";

/**
 * How much of an OTC order, or of several of one pair, to fill, and who receives. What follows is built, verified and
 * reviewed like everything else.
 */
export function fillDialog({ store, offersBook }: Page, orders: OtcOrder[]): void {
  const { chains } = store.get();
  const [first] = orders;
  if (!first) return;
  const pay = tokenAt(chains, first.chainId, first.takerAsset);
  const get = tokenAt(chains, first.chainId, first.makerAsset);
  const left = leftOf(orders);
  let amountText = typed(left, pay.decimals);
  let receiverText = "";
  const amount = entry("fill-amount", `You pay, in ${pay.symbol}`, (text) => ((amountText = text), show()), {
    inputmode: "decimal",
  });
  const receiver = entry("fill-receiver", "Receiver", (text) => ((receiverText = text), show()), {
    mono: "yes",
    placeholder: "You, or 0x…",
  });
  const kind = ownPermit(pay);
  const permit = element("input", { type: "checkbox", checked: pay.kind === "signOnly" });
  const button = element("button", { type: "button", class: "primary", onclick: press }, "Review fill");
  const words = ({ makerAmount, takerAmount }: OtcOrder): string =>
    `${rounded(makerAmount, get.decimals)} ${get.symbol} for ${rounded(takerAmount, pay.decimals)} ${pay.symbol}`;
  const dialog = openDialog(orders.length === 1 ? "Fill an order" : `Fill ${orders.length} orders at once`, [
    ...(orders.length === 1
      ? [element("p", {}, `${words(first)} in all.`)]
      : [
          element("p", { class: "quiet" }, "By one transaction, each at its own price, in this order:"),
          element(
            "ol",
            { class: "batch", tabindex: 0, "aria-label": "Orders" },
            ...orders.map((order) => element("li", { title: order.orderHash }, words(order))),
          ),
        ]),
    amount.node,
    receiver.node,
    ...(kind ? [element("label", { class: "check-box" }, permit, "Sign a permit instead of approving")] : []),
    button,
  ]);

  function read(): { takerAmount: string | null; problem: string | null } {
    const { amount: takerAmount, problem } = readAmount(amountText, pay.symbol, pay.decimals);
    const held = balanceOf(store.get(), pay);
    if (problem || takerAmount === null) return { takerAmount: null, problem };
    if (held !== null && BigInt(held) < BigInt(takerAmount))
      return { takerAmount: null, problem: `You do not hold that much ${pay.symbol}.` };
    return { takerAmount, problem: null };
  }

  function show(): void {
    const { takerAmount, problem } = read();
    const wrong = takerOf(receiverText).problem;
    amount.show(
      amountText,
      problem,
      left === "0" ? "Nothing is left." : `${typed(left, pay.decimals)} ${pay.symbol} are left.`,
    );
    receiver.show(receiverText, wrong);
    button.setAttribute("aria-disabled", String(takerAmount === null || wrong !== null));
  }

  function press(): void {
    const { takerAmount } = read();
    const { address, problem } = takerOf(receiverText);
    if (takerAmount === null || problem) return;
    dialog.close();
    // Everything that is left is the default, and the chain knows how much that is.
    void offersBook.fill(
      orders,
      { ...(takerAmount === left ? {} : { takerAmount }), ...(address ? { receiver: address } : {}) },
      permit.checked ? kind : null,
    );
  }

  show();
}
