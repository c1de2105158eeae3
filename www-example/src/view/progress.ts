import { isTerminal, orderFacts, twapSchedule, type Order } from "verified-swap";
import { element, setText } from "../element.ts";
import type { InFlight } from "../memory.ts";
import { rounded } from "../money.ts";
import { chainName, isNative, short, tokenAt, type State } from "../state.ts";
import { balanceTable } from "./balance-table.ts";
import { busyWords } from "./busy.ts";
import { figure, type Figure } from "./figure.ts";
import { statusWords } from "./order-words.ts";
import type { Page } from "./page.ts";
import { scheduleView } from "./schedule.ts";
import { timeline, type Stop } from "./timeline.ts";

/** From signed to settled, with the transaction and what changed. */
export function progress({ store, swap }: Page): HTMLElement {
  const heading = element("h1", { id: "progress-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const steps = timeline();
  const schedule = scheduleView();
  const proof = element("dl", { class: "rows" });
  const hash = reference(proof, "Order");
  const transaction = reference(proof, "Transaction");
  const balances = balanceTable();
  const message = element("p", { class: "message" });
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function press(): void {
    const { failure, order, inFlight } = store.get();
    if (failure) swap.remedy(failure);
    else if (order && (inFlight?.resting || isTerminal(order))) swap.compose();
  }

  store.subscribe((state) => {
    const { inFlight, order, failure, chains } = state;
    if (state.stage !== "progress" || !inFlight) return;
    const ended = order !== null && isTerminal(order);
    const free = order !== null && (ended || inFlight.resting);
    setText(heading, titleOf(order, inFlight));
    setText(sentence, sentenceOf(state, inFlight));
    steps.show(stopsOf(inFlight, order));
    const [src, dest] = [tokenAt(chains, inFlight.chainId, inFlight.srcToken), tokenAt(chains, inFlight.destChainId, inFlight.destToken)];
    const slices = inFlight.twap ? twapSchedule(inFlight.twap, Math.floor(inFlight.signedAt / 1000)) : [];
    schedule.show(slices, inFlight.side === "SELL" ? src : dest, order ? (orderFacts(order).slices?.done ?? 0) : 0);
    show(hash, inFlight.orderHash);
    show(transaction, order?.transactions.at(-1)?.originTx ?? null);
    balances.show(src, dest, inFlight.before, inFlight.after);
    const asked = state.busy === "presigning" || state.busy === "confirming" ? busyWords(state.busy) : null;
    setText(message, failure?.message ?? asked ?? standing(order, inFlight));
    message.classList.toggle("problem", failure !== null);
    setText(button, failure?.button ?? (ended ? "New swap" : free ? "Back to the form" : "In progress…"));
    button.setAttribute("aria-disabled", String(!failure && !free));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "progress-title" },
    element("div", { class: "title" }, heading),
    sentence,
    steps.node,
    schedule.node,
    proof,
    balances.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message), button),
  );
}

function titleOf(order: Order | null, { resting }: InFlight): string {
  if (!order) return "Order signed";
  if (isTerminal(order)) return statusWords(order.status);
  return resting ? "Order placed" : "Order on its way";
}

function standing(order: Order | null, { resting }: InFlight): string {
  if (!order) return "Sending the signed order. Do not sign again.";
  if (isTerminal(order)) return "";
  return resting ? "It rests with the service; you find it among your orders." : "You can close this page. The order goes on without it.";
}

function sentenceOf(state: State, inFlight: InFlight): string {
  const { order, chains } = state;
  const { owner, beneficiary } = inFlight;
  const src = tokenAt(chains, inFlight.chainId, inFlight.srcToken);
  const dest = tokenAt(chains, inFlight.destChainId, inFlight.destToken);
  const there = inFlight.destChainId === inFlight.chainId ? "" : ` on ${chainName(state, inFlight.destChainId)}`;
  const facts = order && orderFacts(order);
  if (facts && (order.status === "COMPLETED" || (facts.isTerminal && facts.received !== "0" && order.refunds.length === 0))) {
    if (facts.received === "0" || facts.spent === "0") return `Your swap of ${src.symbol} for ${dest.symbol} is settled.`;
    const to = beneficiary === owner ? "" : ` at ${short(beneficiary)}`;
    return `${rounded(facts.spent, src.decimals)} ${src.symbol} became ${rounded(facts.received, dest.decimals)} ${dest.symbol}${there}${to}.`;
  }
  if (order && order.refunds.length > 0) {
    const [{ token, chainId, amount } = { token: inFlight.srcToken, chainId: inFlight.chainId, amount: "0" }] = order.refunds;
    const back = tokenAt(chains, chainId, token);
    return `The bridge did not deliver: ${rounded(amount, back.decimals)} ${back.symbol} came back to you on ${chainName(state, chainId)}.`;
  }
  if (facts?.isTerminal) return isNative(src) ? "Nothing was exchanged." : "Nothing was exchanged, and it cost you nothing.";
  return `Swapping ${src.symbol} for ${dest.symbol}${there}${beneficiary === owner ? "" : `, to ${short(beneficiary)}`}. Solvers compete to fill it${isNative(src) ? "" : "; you pay no gas"}.`;
}

function stopsOf({ signedAt, postedAt, activeAt, settledAt, chainId, destChainId }: InFlight, order: Order | null): Stop[] {
  const ended = order !== null && isTerminal(order);
  const settled = order?.status === "COMPLETED";
  const active = order !== null && order.status !== "PENDING" && order.status !== "AWAITING_SIGNATURE";
  const bridging = order?.status === "BRIDGING" || order?.status === "REFUNDING";
  const crossing: Stop = { name: "Over the bridge", state: settled || bridging ? "done" : "ahead", at: null };
  return [
    { name: "Signed", state: "done", at: signedAt },
    { name: "Posted", state: order ? "done" : "now", at: postedAt },
    { name: "Active", state: ended || active ? "done" : order ? "now" : "ahead", at: activeAt },
    ...(chainId === destChainId ? [] : [crossing]),
    {
      name: ended && !settled ? statusWords(order.status) : "Settled",
      state: settled ? "done" : ended ? "failed" : active ? "now" : "ahead",
      at: settledAt,
    },
  ];
}

export function reference(list: HTMLElement, name: string): Figure {
  const value = figure();
  value.node.classList.add("mono");
  list.append(element("div", { class: "row" }, element("dt", {}, name), element("dd", {}, value.node)));
  return value;
}

export function show(value: Figure, hex: string | null): void {
  if (hex) value.show(short(hex), hex);
  else value.clear();
}
