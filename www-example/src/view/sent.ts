import { isTerminal, type SentTransaction } from "verified-swap";
import { element, setText } from "./element.ts";
import type { Sent } from "../state/parts.ts";
import { balanceTable } from "./balance-table.ts";
import { hashLine, lineList } from "./lines.ts";
import type { Page } from "./page.ts";
import { timeline, type Stop } from "./timeline.ts";

type Status = SentTransaction["status"];

const TITLES: Record<Status, string> = {
  PENDING: "Transaction sent",
  COMPLETED: "Confirmed",
  FAILED: "Reverted",
  REPLACED: "Replaced",
  DROPPED: "Dropped",
  PARTIAL: "Partly reverted",
};

/** The sentence is of the order that it is for. */
const CONSENT_TITLE = "Consent sent";

const OUTCOMES: Record<Status, string> = {
  PENDING: "You can close this page; the transaction continues.",
  COMPLETED: "",
  FAILED: "The transaction reverted. Nothing changed; only the gas was spent.",
  REPLACED: "Another transaction with the same number took its place. This one did nothing.",
  DROPPED: "The network no longer knows it. It did nothing.",
  PARTIAL: "Your wallet sent the steps one by one, and one of them reverted. See there which.",
};

/** From sent to mined, with what changed. */
export function sent({ store, swap }: Page): HTMLElement {
  const heading = element("h1", { id: "sent-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const steps = timeline();
  const proof = lineList();
  const balances = balanceTable();
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function press(): void {
    const errand = store.get().sent;
    if (errand && isTerminal(errand.transaction)) swap.compose();
  }

  store.subscribe((state) => {
    const errand = state.sent;
    if (state.stage !== "sent" || !errand) return;
    const { status } = errand.transaction;
    setText(heading, titleOf(errand));
    setText(sentence, errand.sentence);
    steps.show(stopsOf(errand));
    proof.show([
      hashLine("Transaction", errand.transaction.hash),
      ...(errand.to ? [hashLine("Contract", errand.to)] : []),
    ]);
    balances.node.hidden = errand.before === null;
    if (errand.before) balances.show(errand.src, errand.dest, errand.before, errand.after);
    setText(message, outcomeOf(errand));
    message.classList.toggle("problem", status !== "PENDING" && status !== "COMPLETED");
    setText(
      button,
      status === "PENDING" ? "In progress…" : errand.purpose === "swap" ? "New swap" : "Back to the form",
    );
    button.setAttribute("aria-disabled", String(status === "PENDING"));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "sent-title" },
    element("div", { class: "title" }, heading),
    sentence,
    steps.node,
    proof.node,
    balances.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message), button),
  );
}

function titleOf({ purpose, transaction: { status, hash } }: Sent): string {
  if (status === "FAILED" && hash === null) return "Not sent";
  return purpose === "consent" && status === "PENDING" ? CONSENT_TITLE : TITLES[status];
}

function outcomeOf({ purpose, src, transaction: { status, hash } }: Sent): string {
  if (status === "FAILED" && hash === null) return "Your wallet did not send it, and will not. Nothing changed.";
  if (purpose === "approval" && status === "COMPLETED")
    return "Start your trade again. You will not be asked for this approval again.";
  if (purpose === "revoke" && status === "COMPLETED") return "It may take nothing any more.";
  const trades = purpose === "swap" || purpose === "fill";
  return status === "FAILED" && trades
    ? `The transaction reverted. You still have your ${src.symbol}; only the gas was spent.`
    : OUTCOMES[status];
}

function stopsOf(errand: Sent): Stop[] {
  const { transaction: { status }, sentAt, endedAt } = errand;
  const end: Stop["state"] = status === "PENDING" ? "now" : status === "COMPLETED" ? "done" : "failed";
  return [
    { name: "Sent", state: "done", at: sentAt },
    { name: status === "PENDING" ? "Confirmed" : titleOf(errand), state: end, at: endedAt },
  ];
}
