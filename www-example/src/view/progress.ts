import { isTerminal, summarizeOrder, twapSchedule } from "verified-swap";
import { element, setText } from "./element.ts";
import { fillsOf } from "../state/slices.ts";
import { tokenAt } from "../state/state.ts";
import { balanceTable } from "./balance-table.ts";
import { busyWords } from "./busy.ts";
import { hashLine, lineList } from "./lines.ts";
import { orderLines } from "./order-lines.ts";
import { sentenceOf, standing, stopsOf, titleOf } from "./order-story.ts";
import type { Page } from "./page.ts";
import { scheduleView } from "./schedule.ts";
import { timeline } from "./timeline.ts";

/** An order's own view: from signed to settled, or from slice to slice, with its transactions, and what changed. */
export function progress({ store, swap, orders }: Page): HTMLElement {
  const heading = element("h1", { id: "progress-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const steps = timeline();
  const schedule = scheduleView();
  const proof = lineList();
  const details = lineList();
  const whole = element(
    "div",
    { class: "details", tabindex: 0, role: "region", "aria-label": "Details" },
    details.node,
  );
  const balances = balanceTable();
  const message = element("p", { class: "message" });
  const cancel = element(
    "button",
    { type: "button", class: "link", onclick: () => cancelShown() },
    "Cancel this order",
  );
  const button = element("button", { type: "button", class: "primary", onclick: press });

  /** The page does not wait for an open limit or TWAP order, or one that was only opened. */
  function isFree(): boolean {
    const { order, inFlight } = store.get();
    return order !== null && inFlight !== null && (inFlight.resting || !inFlight.isFresh || isTerminal(order));
  }

  function press(): void {
    const { failure } = store.get();
    if (failure) swap.remedy(failure);
    else if (isFree()) swap.compose();
  }

  function cancelShown(): void {
    const { order, busy } = store.get();
    if (order && !busy) void orders.cancel([order]);
  }

  store.subscribe((state) => {
    const { inFlight, order, failure, chains, busy } = state;
    if (state.stage !== "progress" || !inFlight) return;
    const [src, dest] = [
      tokenAt(chains, inFlight.chainId, inFlight.srcToken),
      tokenAt(chains, inFlight.destChainId, inFlight.destToken),
    ];
    const summary = order && summarizeOrder(order);
    // If the page waited for it, show what changed; else show everything known.
    const waitedFor = inFlight.before.src !== null && (!inFlight.resting || inFlight.after !== null);
    const startSecs = Math.floor((inFlight.signedAt ?? inFlight.postedAt ?? 0) / 1000);
    setText(heading, titleOf(order, inFlight));
    setText(sentence, sentenceOf(state, inFlight));
    steps.node.hidden = inFlight.twap !== null;
    steps.show(stopsOf(inFlight, order));
    schedule.show(
      inFlight.twap ? twapSchedule(inFlight.twap, startSecs) : [],
      inFlight.side === "SELL" ? src : dest,
      summary?.slices?.done ?? 0,
      order
        ? { fills: { of: fillsOf(order), token: inFlight.side === "SELL" ? dest : src }, isOver: isTerminal(order) }
        : {},
    );
    proof.node.hidden = order !== null && !waitedFor;
    proof.show([
      hashLine("Order", inFlight.orderHash),
      hashLine("Transaction", order?.transactions.at(-1)?.originTx ?? inFlight.consent?.hash ?? null),
    ]);
    whole.hidden = order === null || waitedFor;
    details.show(whole.hidden || !order ? [] : orderLines(state, order));
    balances.node.hidden = !waitedFor;
    balances.show(src, dest, inFlight.before, inFlight.after);
    const asked = busy && busy !== "posting" ? busyWords(busy) : null;
    setText(message, failure?.message ?? asked ?? state.notice ?? standing(order, inFlight));
    message.classList.toggle("problem", failure !== null);
    cancel.hidden = !summary || summary.cancel === null || failure !== null;
    // The button keeps the focus while the wallet is asked.
    cancel.setAttribute("aria-disabled", String(busy !== null));
    const over = order !== null && isTerminal(order);
    setText(
      button,
      failure?.button ?? (over && inFlight.isFresh ? "New swap" : isFree() ? "Back to the form" : "In progress…"),
    );
    button.setAttribute("aria-disabled", String(!failure && !isFree()));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "progress-title" },
    element("div", { class: "title" }, heading),
    sentence,
    steps.node,
    schedule.node,
    proof.node,
    whole,
    balances.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message, cancel), button),
  );
}
