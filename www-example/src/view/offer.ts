import { summarizeOtcOrder, type Amount, type OtcOrder } from "verified-swap";
import { element, setText } from "./element.ts";
import { exact, rate, rounded } from "../state/money.ts";
import { short, tokenAt, type State } from "../state/state.ts";
import { busyWords } from "./busy.ts";
import { fillDialog } from "./fill-dialog.ts";
import { hashLine, lineList, type Line } from "./lines.ts";
import { offerWords } from "./order-words.ts";
import type { Page } from "./page.ts";
import { timeWords } from "./schedule.ts";

/** An OTC order's own view: what it trades, how much is left, whose it is, and the one action for it. */
export function offer(page: Page): HTMLElement {
  const { store, swap, offersBook } = page;
  const heading = element("h1", { id: "offer-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const list = lineList();
  const message = element("p", { class: "message" });
  const act = element("button", { type: "button", class: "link", onclick: () => actOn(store.get()) });
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function actOn(state: State): void {
    const { offerShown, busy } = state;
    if (!offerShown || busy) return;
    if (deedOf(state, offerShown) === "Fill this order") fillDialog(page, [offerShown]);
    else void offersBook.cancel(offerShown);
  }

  function press(): void {
    const { failure, busy } = store.get();
    if (failure) swap.remedy(failure);
    else if (!busy) swap.compose();
  }

  store.subscribe((state) => {
    const { offerShown: order, failure, busy } = state;
    if (state.stage !== "offer" || !order) return;
    const deed = deedOf(state, order);
    setText(heading, `OTC order, ${offerWords(order).toLowerCase()}`);
    setText(sentence, sentenceOf(state, order));
    list.show(linesOf(state, order));
    const standing = deed === "Cancel this order" ? "It is open, and listed with your orders." : "";
    setText(message, failure?.message ?? (busy ? busyWords(busy) : standing));
    message.classList.toggle("problem", failure !== null);
    act.hidden = deed === null || failure !== null;
    act.setAttribute("aria-disabled", String(busy !== null));
    setText(act, deed ?? "");
    setText(button, failure?.button ?? "Back to the form");
    button.setAttribute("aria-disabled", String(busy !== null));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "offer-title" },
    element("div", { class: "title" }, heading),
    sentence,
    list.node,
    element("div", { class: "action" }, element("div", { class: "status" }, message, act), button),
  );
}

/** What the account can do about it. */
function deedOf({ account }: State, order: OtcOrder): "Cancel this order" | "Fill this order" | null {
  if (summarizeOtcOrder(order).isTerminal) return null;
  if (isAt(order.maker, account)) return "Cancel this order";
  return isForAnyone(order) || isAt(order.taker, account) ? "Fill this order" : null;
}

function sentenceOf(state: State, order: OtcOrder): string {
  const { give, get } = tokensOf(state, order);
  const [given, got] = [
    `${rounded(order.makerAmount, give.decimals)} ${give.symbol}`,
    `${rounded(order.takerAmount, get.decimals)} ${get.symbol}`,
  ];
  if (isAt(order.maker, state.account)) return `You give ${given} for ${got}; whoever fills it pays the gas.`;
  return `${short(order.maker)} gives ${given} for ${got}; whoever fills it pays the gas.`;
}

function linesOf(state: State, order: OtcOrder): Line[] {
  const { give, get } = tokensOf(state, order);
  const { filledPercent, leftMakerAmount, leftTakerAmount } = summarizeOtcOrder(order);
  const pairWords = (write: typeof exact, given: Amount, got: Amount): string =>
    `${write(given, give.decimals)} ${give.symbol} for ${write(got, get.decimals)} ${get.symbol}`;
  const price = rate({ ...give, amount: order.makerAmount }, { ...get, amount: order.takerAmount });
  return [
    { name: "Price", text: price?.rounded ?? "–", exact: price?.exact ?? "–" },
    { name: "Filled", text: filledPercent === null ? "–" : `${filledPercent} %` },
    {
      name: "Left",
      text: pairWords(rounded, leftMakerAmount, leftTakerAmount),
      exact: pairWords(exact, leftMakerAmount, leftTakerAmount),
    },
    whose("Made by", order.maker, state),
    isForAnyone(order) ? { name: "Open to", text: "Anyone" } : whose("Open to", order.taker, state),
    { name: "Good until", text: order.expiry === 0 ? "Cancelled" : timeWords(new Date(order.expiry * 1000)) },
    hashLine("Order", order.orderHash),
    hashLine("Transaction", order.transactionHash ?? null),
  ];
}

function whose(name: string, address: string, { account }: State): Line {
  return account && isAt(address, account)
    ? { name, text: `You, ${short(account)}`, exact: `You, ${account}` }
    : hashLine(name, address);
}

function tokensOf({ chains }: State, { chainId, makerAsset, takerAsset }: OtcOrder) {
  return { give: tokenAt(chains, chainId, makerAsset), get: tokenAt(chains, chainId, takerAsset) };
}

export function isForAnyone({ taker }: Pick<OtcOrder, "taker">): boolean {
  return /^0x0+$/.test(taker);
}

function isAt(address: string, account: State["account"]): boolean {
  return address.toLowerCase() === account?.toLowerCase();
}
