import { isTerminal, type Order } from "verified-swap";
import { element, fill, icon, setText } from "../element.ts";
import type { InFlight } from "../memory.ts";
import { exact, rounded } from "../money.ts";
import type { Token } from "../sandbox.ts";
import { short, type State } from "../state.ts";
import { figure, type Figure } from "./figure.ts";
import { statusWords } from "./order-words.ts";
import type { Page } from "./page.ts";

const TICK = "m4.5 10.5 3.8 3.8 7.2-8";
const CROSS = "m5 5 10 10M15 5 5 15";

/** From signed to settled, with the transaction and what changed. */
export function progress({ store, swap }: Page): HTMLElement {
  const heading = element("h1", { id: "progress-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const steps = element("ol", { class: "timeline" });
  const proof = element("dl", { class: "rows" });
  const hash = reference(proof, "Order");
  const transaction = reference(proof, "Transaction");
  const balances = balanceTable();
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function press(): void {
    const { failure, order } = store.get();
    if (failure) swap.remedy(failure);
    else if (order && isTerminal(order)) swap.compose();
  }

  let drawn = "";
  store.subscribe((state) => {
    const { inFlight, order, failure } = state;
    if (state.stage !== "progress" || !inFlight) return;
    const ended = order !== null && isTerminal(order);
    setText(heading, titleOf(order));
    setText(sentence, sentenceOf(state, inFlight));
    const stops = stopsOf(inFlight, order);
    if (drawn !== JSON.stringify(stops)) fill(steps, ...stops.map(stopLine));
    drawn = JSON.stringify(stops);
    show(hash, inFlight.orderHash);
    show(transaction, order?.transactions[0]?.originTx ?? null);
    balances.show(state, inFlight);
    setText(message, failure?.message ?? standing(order));
    message.classList.toggle("problem", failure !== null);
    setText(button, failure?.button ?? (ended ? "New swap" : "In progress…"));
    button.setAttribute("aria-disabled", String(!failure && !ended));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "progress-title" },
    element("div", { class: "title" }, heading),
    sentence,
    steps,
    proof,
    balances.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message), button),
  );
}

function titleOf(order: Order | null): string {
  if (!order) return "Order signed";
  return isTerminal(order) ? statusWords(order.status) : "Order on its way";
}

function standing(order: Order | null): string {
  if (!order) return "Sending the signed order. Do not sign again.";
  return isTerminal(order) ? "" : "You can close this page. The order goes on without it.";
}

function sentenceOf(state: State, { owner, beneficiary }: InFlight): string {
  const { order, src, dest } = state;
  const to = beneficiary === owner ? "" : ` at ${short(beneficiary)}`;
  if (order?.status === "COMPLETED") {
    const received = order.output.executedAmount ?? order.transactions[0]?.receivedAmount ?? order.output.amount;
    const spent = order.input.executedAmount ?? order.transactions[0]?.spentAmount ?? order.input.amount;
    if (!received || !spent) return `Your swap of ${src.symbol} for ${dest.symbol} is settled.`;
    return `${rounded(spent, src.decimals)} ${src.symbol} became ${rounded(received, dest.decimals)} ${dest.symbol}${to}.`;
  }
  if (order && isTerminal(order)) return "Nothing was exchanged, and it cost you nothing.";
  return `Swapping ${src.symbol} for ${dest.symbol}${beneficiary === owner ? "" : `, to ${short(beneficiary)}`}. Solvers compete to fill it; you pay no gas.`;
}

interface Stop {
  name: string;
  state: "done" | "now" | "ahead" | "failed";
  at: number | null;
}

function stopsOf({ signedAt, postedAt, activeAt, settledAt }: InFlight, order: Order | null): Stop[] {
  const ended = order !== null && isTerminal(order);
  const settled = order?.status === "COMPLETED";
  const active = order !== null && order.status !== "PENDING";
  return [
    { name: "Signed", state: "done", at: signedAt },
    { name: "Posted", state: order ? "done" : "now", at: postedAt },
    { name: "Active", state: ended ? "done" : order ? (active ? "done" : "now") : "ahead", at: activeAt },
    {
      name: ended && !settled ? statusWords(order.status) : "Settled",
      state: settled ? "done" : ended ? "failed" : active ? "now" : "ahead",
      at: settledAt,
    },
  ];
}

const SPOKEN: Record<Stop["state"], string> = { done: "done", now: "in progress", ahead: "not yet", failed: "ended" };

function stopLine({ name, state, at }: Stop): HTMLElement {
  const mark = state === "done" ? icon(TICK) : state === "failed" ? icon(CROSS) : null;
  return element(
    "li",
    { class: state, "aria-current": state === "now" && "step" },
    element("span", { class: "dot" }, mark),
    element("span", { class: "stop-name" }, name, element("span", { class: "visually-hidden" }, `, ${SPOKEN[state]}`)),
    at === null ? null : element("time", { datetime: new Date(at).toISOString() }, new Date(at).toLocaleTimeString()),
  );
}

function reference(list: HTMLElement, name: string): Figure {
  const value = figure();
  value.node.classList.add("mono");
  list.append(element("div", { class: "row" }, element("dt", {}, name), element("dd", {}, value.node)));
  return value;
}

function show(value: Figure, hex: string | null): void {
  if (hex) value.show(short(hex), hex);
  else value.clear();
}

function balanceTable(): { node: HTMLElement; show(state: State, inFlight: InFlight): void } {
  const body = element("tbody");
  const lines = [balanceLine(body), balanceLine(body)] as const;
  const node = element(
    "table",
    { class: "balances" },
    element("caption", {}, "Your balances"),
    element(
      "thead",
      {},
      element("tr", {}, element("th", { scope: "col" }, "Token"), element("th", { scope: "col" }, "Before"), element("th", { scope: "col" }, "After")),
    ),
    body,
  );
  return {
    node,
    show({ src, dest }, { before, after }) {
      lines[0](src, before.src, after && after.src);
      lines[1](dest, before.dest, after && after.dest);
    },
  };
}

function balanceLine(body: HTMLElement): (token: Token, before: string | null, after: string | null) => void {
  const name = element("th", { scope: "row" });
  const values = [figure(), figure()] as const;
  body.append(element("tr", {}, name, ...values.map(({ node }) => element("td", {}, node))));
  return (token, before, after) => {
    setText(name, token.symbol);
    [before, after].forEach((amount, position) => {
      if (amount === null) values[position]?.clear();
      else values[position]?.show(rounded(amount, token.decimals, "down"), exact(amount, token.decimals));
    });
  };
}
