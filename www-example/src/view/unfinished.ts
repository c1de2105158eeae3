import type { DeltaQuote, OtcRequest, Quote, QuoteRequest, Trade } from "verified-swap";
import { element, fill, setText } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import { isResumed } from "../client/opened.ts";
import type { Page } from "./page.ts";
import type { Remedy } from "../state/parts.ts";
import { approvalWords } from "../client/sending.ts";
import { short, tokenAt, type State } from "../state/state.ts";
import { busyWords } from "./busy.ts";
import { hashLine, lineList, type Line } from "./lines.ts";
import { timeWords } from "./schedule.ts";

/** Of a failure: what has to be done before the same button helps. */
const FIRST: readonly Remedy[] = ["approve", "switchChain", "useWalletAccount", "connect"];

const UNPOSTED = "Signed, not posted";

interface Story {
  heading: string;
  message: string;
  /** What the one button does; null while the package is at work. */
  button: "Ask the wallet again" | "Post it" | "Look again" | "Back to the form" | null;
  /** Whether the user may give it up. */
  isOpen: boolean;
}

/** A trade that a reload interrupted: how far it is, and what the user can do. */
export function unfinished({ store, swap, unfinished: trades }: Page): HTMLElement {
  const heading = element("h1", { id: "unfinished-title", tabindex: -1 });
  const sentence = element("p", { class: "sentence" });
  const list = lineList();
  const message = element("p", { class: "message" });
  const abandon = link("Abandon it", () => void trades.abandon());
  const makeVoid = link("Make it void on chain", () => void trades.makeVoid());
  const back = link("Back to the form", () => swap.compose());
  const button = element("button", { type: "button", class: "primary", onclick: press });

  function press(): void {
    const { failure, trade, busy } = store.get();
    if (busy || !trade) return;
    if (failure && FIRST.includes(failure.remedy)) return swap.remedy(failure);
    const { button: does } = storyOf(trade);
    if (does === "Back to the form") swap.compose();
    else if (does) void trades.goOn();
  }

  store.subscribe((state) => {
    const { trade, busy, failure } = state;
    if (state.stage !== "unfinished" || !trade) return;
    const story = storyOf(trade);
    setText(heading, story.heading);
    setText(sentence, tradeWords(state, trade));
    list.show(linesOf(state, trade));
    setText(message, failure?.message ?? (busy ? busyWords(busy) : story.message));
    message.classList.toggle("problem", failure !== null);
    const first = failure && FIRST.includes(failure.remedy) ? failure.button : null;
    setText(button, busy ? "In progress…" : (first ?? story.button ?? "In progress…"));
    button.setAttribute("aria-disabled", String(busy !== null || story.button === null));
    abandon.hidden = !story.isOpen;
    makeVoid.hidden = !story.isOpen || trade.signedOrder?.kind !== "signedOrder";
    back.hidden = story.button === "Back to the form";
    for (const choice of [abandon, makeVoid, back]) choice.setAttribute("aria-disabled", String(busy !== null));
  });

  return element(
    "section",
    { class: "stage", "aria-labelledby": "unfinished-title" },
    element("div", { class: "title" }, heading),
    sentence,
    list.node,
    element(
      "div",
      { class: "action" },
      element("div", { class: "status" }, message),
      button,
      element("div", { class: "choices-row" }, makeVoid, abandon, back),
    ),
  );
}

/** The account's trades that are neither posted, nor sent, nor ended: each can be opened. */
export function unfinishedList({ store, unfinished: trades }: Page): HTMLElement {
  const list = element("ul", { class: "orders" });
  const node = element(
    "section",
    { class: "card interrupted", "aria-labelledby": "unfinished-list-title" },
    element("div", { class: "list-title" }, element("h2", { id: "unfinished-list-title" }, "Unfinished")),
    list,
  );
  let drawn: Trade[] | null = null;
  store.subscribe((state) => {
    const open = state.trades.filter(({ state: stage }) => stage !== "posted");
    node.hidden = open.length === 0 || state.stage === "unfinished";
    if (drawn === state.trades) return;
    drawn = state.trades;
    fill(
      list,
      ...open.map((trade) =>
        element(
          "li",
          { class: "order" },
          element(
            "button",
            { type: "button", class: "order-open", onclick: () => trades.open(trade) },
            element("span", { class: "order-amounts" }, tradeWords(state, trade)),
            element("small", {}, `${headingOf(trade)}, ${timeWords(new Date(trade.startedAt))}`),
          ),
        ),
      ),
    );
  });
  return node;
}

/** The same before it is looked at. */
function headingOf(trade: Trade): string {
  return trade.kind !== "transaction" && trade.needs === "decision" ? UNPOSTED : storyOf(trade).heading;
}

/** How far it is, in words. */
export function storyOf(trade: Trade): Story {
  const isOpen = trade.state !== "ended";
  if (trade.state === "ended")
    return {
      heading: trade.status === "EXPIRED" ? "Expired" : "Over",
      message: "It was not posted, and can no longer be filled.",
      button: "Back to the form",
      isOpen,
    };
  // Until `resume` has looked at it, nobody knows how far it is.
  const { busy, error } = isResumed(trade) ? trade : { busy: false, error: null };
  const isKnown = isResumed(trade) && !busy && !error;
  const waits = busy ? "Another tab of this page is at work on it." : error ? "No answer yet; we keep asking." : null;
  if (trade.kind === "transaction")
    return {
      heading: trade.transaction || trade.state === "sent" ? "Transaction sent" : "Not known to be sent",
      message:
        waits ??
        (isKnown
          ? "Your wallet was asked to send this, and its answer did not reach this page. No node shows it. Look into your wallet before you start it again."
          : "Looking for it on the chain…"),
      button: isKnown ? "Look again" : null,
      isOpen: !busy,
    };
  if (trade.state === "asking")
    return {
      heading: "Not signed yet",
      message:
        waits ??
        (isKnown
          ? "Your wallet was asked to sign this, and its answer did not reach this page. It can be asked for the very same again."
          : "Asking the service whether it has it…"),
      button: isKnown ? "Ask the wallet again" : null,
      isOpen: !busy,
    };
  if (trade.needs === "decision" && isKnown)
    return {
      heading: UNPOSTED,
      message: "The service does not have it. Is it still wanted at this price?",
      button: "Post it",
      isOpen,
    };
  return {
    heading: "Order signed",
    message: waits ? `Signed. ${waits}` : "Signed. Posting… Do not sign again.",
    button: null,
    isOpen: false,
  };
}

/** What is traded, in one sentence: all that the wallet is asked for again. */
export function tradeWords({ chains }: State, { kind, chainId, owner, summary }: Trade): string {
  const { approval, request, sentence, minReceived, maxSpent } = summary;
  if (approval) return approvalWords(approval, tokenAt(chains, chainId, approval.token));
  if (kind === "otc") {
    const { makerAsset, takerAsset, makerAmount, takerAmount, taker } = request as OtcRequest;
    const [give, get] = [tokenAt(chains, chainId, makerAsset), tokenAt(chains, chainId, takerAsset)];
    const to = taker && !/^0x0+$/.test(taker) ? `, with ${short(taker)}` : "";
    return `Give ${exact(String(makerAmount), give.decimals)} ${give.symbol} for ${exact(String(takerAmount), get.decimals)} ${get.symbol}${to}.`;
  }
  if (kind === "transaction" || !request) return sentence ?? "";
  const { srcToken, destToken, destChainId, side, amount, beneficiary } = request as QuoteRequest;
  const [src, dest] = [tokenAt(chains, chainId, srcToken), tokenAt(chains, destChainId ?? chainId, destToken)];
  const to = beneficiary && beneficiary !== owner ? `, to ${beneficiary}` : "";
  const fixed = String(amount);
  return side === "BUY"
    ? `Buy ${exact(fixed, dest.decimals)} ${dest.symbol} for at most ${exact(maxSpent ?? "0", src.decimals)} ${src.symbol}${to}.`
    : `Sell ${exact(fixed, src.decimals)} ${src.symbol} for at least ${exact(minReceived ?? "0", dest.decimals)} ${dest.symbol}${to}.`;
}

function linesOf(state: State, trade: Trade): Line[] {
  const { signedAt, deadline, orderHash, needs } = trade;
  return [
    ...(signedAt ? [{ name: "Signed at", text: timeWords(new Date(signedAt)) }] : []),
    ...(deadline ? [{ name: "Good until", text: timeWords(new Date(deadline * 1000)) }] : []),
    ...(isResumed(trade) && needs === "decision" && trade.kind === "delta" ? pricesOf(state, trade, trade.today) : []),
    ...(orderHash ? [hashLine("Order", orderHash)] : []),
  ];
}

/** What was signed, and beside it what the same trade would get today. */
function pricesOf({ chains }: State, { chainId, summary }: Trade, today: Quote | null): Line[] {
  const { srcToken, destToken, destChainId, side } = summary.request as QuoteRequest;
  const buys = side === "BUY";
  const token = buys ? tokenAt(chains, chainId, srcToken) : tokenAt(chains, destChainId ?? chainId, destToken);
  const signed = buys ? summary.maxSpent : summary.minReceived;
  const line = (name: string, word: string, amount: string | null | undefined): Line =>
    amount
      ? {
          name,
          text: `${word} ${rounded(amount, token.decimals)} ${token.symbol}`,
          exact: `${word} ${exact(amount, token.decimals)} ${token.symbol}`,
        }
      : { name, text: "No price" };
  return [
    line("Signed", buys ? "at most" : "at least", signed),
    line("Today", "about", today && inAll(today as DeltaQuote, buys)),
  ];
}

/** A price in slices is of one. */
function inAll({ srcAmount, destAmount, twap }: DeltaQuote, buys: boolean): string {
  const amount = BigInt(buys ? srcAmount : destAmount);
  return (twap ? (amount * BigInt(twap.total)) / BigInt(twap.sliceAmount) : amount).toString();
}

function link(text: string, onclick: () => void): HTMLButtonElement {
  return element("button", { type: "button", class: "link", onclick }, text);
}
