import {
  summarizeOrder,
  type DeltaQuote,
  type Order,
  type Quote,
  type QuoteRequest,
  type Trade,
} from "verified-swap";
import { isResumed } from "../client/opened.ts";
import { approvalWords } from "../client/sending.ts";
import { messages } from "../messages/en.ts";
import { formatTime } from "../state/format.ts";
import { exact, rounded } from "../state/money.ts";
import type { Cancelled } from "../state/parts.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { nameChains, tokenAt, type State } from "../state/state.ts";
import { leastOf } from "../state/prices.ts";
import type { Line } from "./parts/lines.tsx";

/* An interrupted trade in words: how far it is, and what it is about. */

const texts = messages.progress.unfinished;
const lines = messages.progress.line;

export interface Story {
  heading: string;
  message: string;
  /** Its one next step; null while the package is at work. */
  button: string | null;
  does: "goOn" | "leave";
  /** Whether the user may give it up. */
  isOpen: boolean;
}

/** The same before it is looked at. */
export function headingOf(trade: Trade): string {
  return trade.kind !== "transaction" && trade.needs === "decision" ? texts.unposted : storyOf(trade).heading;
}

/** How far it is, in words. */
export function storyOf(trade: Trade): Story {
  const isOpen = trade.state !== "ended";
  if (trade.state === "ended") {
    const isAbandoned = trade.status === "ABANDONED";
    return {
      heading: isAbandoned ? texts.abandoned : trade.status === "EXPIRED" ? texts.expired : texts.over,
      message: isAbandoned ? texts.abandonedWords : texts.overWords,
      button: messages.progress.back,
      does: "leave",
      isOpen,
    };
  }
  // Until `trades.resume` has looked at it, nobody knows how far it is.
  const { busy, error } = isResumed(trade) ? trade : { busy: false, error: null };
  const isKnown = isResumed(trade) && !busy && !error;
  const waits = busy ? texts.otherTab : error ? texts.noAnswer : null;
  if (trade.kind === "transaction")
    return {
      heading: trade.transaction || trade.state === "sent" ? texts.sent : texts.maybeSent,
      message: waits ?? (isKnown ? texts.maybeSentWords : texts.looking),
      button: isKnown ? texts.lookAgain : null,
      does: "goOn",
      isOpen: !busy,
    };
  if (trade.state === "asking")
    return {
      heading: texts.unsigned,
      message: waits ?? (isKnown ? texts.unsignedWords : texts.asking),
      button: isKnown ? texts.askAgain : null,
      does: "goOn",
      isOpen: !busy,
    };
  if (trade.needs === "decision" && isKnown)
    return {
      heading: texts.unposted,
      message: texts.unpostedWords,
      button: texts.post,
      does: "goOn",
      isOpen,
    };
  return {
    heading: texts.signed,
    message: waits ? texts.signedAnd(waits) : texts.signedWords,
    button: null,
    does: "goOn",
    isOpen: false,
  };
}

/** What is traded, in one sentence: all that the wallet is asked for again. */
export function tradeWords(state: State, { kind, chainId, owner, summary }: Trade): string {
  const { chains } = state;
  const { approval, request, sentence, minReceived, maxSpent } = summary;
  if (approval) return approvalWords(approval, tokenAt(chains, chainId, approval.token));
  if (kind === "transaction" || !request) return nameChains(state, sentence ?? "");
  const { srcToken, destToken, destChainId, side, amount, beneficiary } = request as QuoteRequest;
  const [src, dest] = [tokenAt(chains, chainId, srcToken), tokenAt(chains, destChainId ?? chainId, destToken)];
  const to = beneficiary && beneficiary !== owner ? messages.progress.story.to(beneficiary) : "";
  return side === "BUY"
    ? texts.buy(sum(amount, dest), sum(maxSpent ?? "0", src), to)
    : texts.sell(sum(amount, src), sum(minReceived ?? "0", dest), to);
}

/** An order that is to be cancelled, in one sentence. */
export function cancelledWords(state: State, order: Cancelled): string {
  const { chains } = state;
  if ("summary" in order) return tradeWords(state, order as Trade);
  const { input, output, side, owner, beneficiary } = order as Order;
  const [src, dest] = [tokenAt(chains, input.chainId, input.token), tokenAt(chains, output.chainId, output.token)];
  const { maxSpent, minReceived } = summarizeOrder(order as Order);
  const to = beneficiary.toLowerCase() === owner.toLowerCase() ? "" : messages.progress.story.to(beneficiary);
  return side === "BUY"
    ? texts.buy(sum(minReceived ?? "0", dest), sum(maxSpent ?? "0", src), to)
    : texts.sell(sum(maxSpent ?? "0", src), sum(minReceived ?? "0", dest), to);
}

function sum(amount: bigint | string, { symbol, decimals }: Token): string {
  return `${exact(String(amount), decimals)} ${symbol}`;
}

export function linesOf(state: State, trade: Trade): Line[] {
  const { signedAt, deadline, needs } = trade;
  return [
    ...(signedAt ? [{ name: lines.signedAt, text: formatTime(new Date(signedAt)) }] : []),
    ...(deadline ? [{ name: lines.goodUntil, text: formatTime(new Date(deadline * 1000)) }] : []),
    ...(isResumed(trade) && needs === "decision" && trade.kind === "delta" ? pricesOf(state, trade, trade.today) : []),
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
          text: `${word} ${rounded(amount, token.decimals, buys ? "up" : "down")} ${token.symbol}`,
          exact: `${word} ${exact(amount, token.decimals)} ${token.symbol}`,
        }
      : { name, text: lines.noPrice };
  return [
    line(lines.signed, buys ? lines.atMost : lines.atLeast, signed),
    line(lines.today, lines.about, today && inAll(today as DeltaQuote, buys)),
  ];
}

/** A price in slices is of one. After the fee, as what was signed. */
function inAll(quote: DeltaQuote, buys: boolean): string {
  const { srcAmount, twap } = quote;
  if (!buys) return leastOf(quote, 0);
  return (twap ? (BigInt(srcAmount) * BigInt(twap.total)) / BigInt(twap.sliceAmount) : srcAmount).toString();
}
