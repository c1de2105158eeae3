import { maxSpent, minReceived, type DeltaQuote, type MarketQuote, type Quote } from "verified-swap";
import { difference, dollars, feeWords, rate, rounded } from "../state/money.ts";
import { chainName, isCrosschain, short, type State } from "../state/state.ts";
import { INTERVALS, limitAmountOf } from "../client/terms.ts";
import { amountLine, type Line } from "./lines.ts";
import { PRICE_CHECK, priceLine } from "./price-check.ts";

/* What a price comes to, row by row. */

/** The names of the rows while there is no price. */
export function namesOf({ tab, side }: State): string[] {
  const limit = side === "SELL" ? "Minimum received" : "Maximum paid";
  if (tab === "limit")
    return [
      "Market price",
      `${side === "SELL" ? "At least" : "At most"}, before the fee`,
      "Against the market",
      "Fee",
      "Network cost",
      PRICE_CHECK,
    ];
  if (tab === "twap")
    return ["Rate of one slice", "Each slice", `${limit}, in all`, "Fee", "Network cost", PRICE_CHECK];
  return ["Rate", limit, "Fee", "Network cost", PRICE_CHECK, "Route"];
}

export function linesOf(state: State, quote: Quote): Line[] {
  const { src, dest, tab } = state;
  const price = rate({ ...src, amount: quote.srcAmount }, { ...dest, amount: quote.destAmount });
  const [rateName = "", limitName = ""] = [namesOf(state)[0], namesOf(state)[tab === "twap" ? 2 : 1]];
  const ends = [
    { name: "Fee", text: quote.feeBps === null ? "Not stated" : feeWords(quote.feeBps) },
    { name: "Network cost", text: networkCost(quote) },
    priceLine(quote.witness),
  ];
  const rated = { name: rateName, text: price?.rounded ?? "–", exact: price?.exact ?? "–" };
  if (tab === "limit") return [rated, ...limitLines(state, quote, limitName), ...ends];
  if (tab === "twap") return [rated, ...sliceLines(state, quote, limitName), ...ends];
  return [rated, bound(state, quote, limitName), ...ends, ...routeLines(state, quote)];
}

function bound(state: State, quote: Quote, name: string): Line {
  return quote.request.side === "SELL"
    ? amountLine(name, minReceived(quote, state.slippageBps), state.dest, "down")
    : amountLine(name, maxSpent(quote, state.slippageBps), state.src, "up");
}

function networkCost(quote: Quote): string {
  const cost = dollars(quote.kind === "delta" ? (quote.gasFee?.amountUsd ?? null) : quote.gasCostUsd);
  if (quote.kind === "market") return `${cost ?? "Gas"}, you pay it`;
  return cost ? `${cost}, within the price` : "Within the price";
}

function limitLines(state: State, quote: Quote, name: string): Line[] {
  const selling = state.side === "SELL";
  const limit = limitAmountOf(state);
  const against = limit && difference(limit, selling ? quote.destAmount : quote.srcAmount);
  return [
    limit ? amountLine(name, limit, selling ? state.dest : state.src, selling ? "down" : "up") : { name, text: "–" },
    { name: "Against the market", text: against ?? "–" },
  ];
}

function sliceLines(state: State, quote: Quote, name: string): Line[] {
  const plan = quote.kind === "delta" ? quote.twap : undefined;
  if (!plan) return [];
  const every = INTERVALS.find(([secs]) => secs === plan.intervalSecs)?.[1] ?? `${plan.intervalSecs} s`;
  const { symbol, decimals } = state.side === "SELL" ? state.src : state.dest;
  const least = bound(state, quote, name);
  return [{ name: "Each slice", text: `${rounded(plan.sliceAmount, decimals)} ${symbol}, every ${every}` }, least];
}

function routeLines(state: State, quote: Quote): Line[] {
  if (quote.kind === "market")
    return [
      { name: "Route", text: `Market ${short(quote.spender)}`, exact: `${quote.contractMethod} of ${quote.spender}` },
    ];
  const auction = {
    name: "Route",
    text: `Delta auction ${short(quote.spender)}`,
    exact: `Delta auction ${quote.spender}`,
  };
  return isCrosschain(state) ? [auction, ...bridgeLines(state, quote)] : [auction];
}

function bridgeLines(state: State, quote: DeltaQuote): Line[] {
  const { bridge } = chosenRoute(quote, state.alternative);
  const takes = bridge?.estimatedTimeMs ? `, about ${durationWords(bridge.estimatedTimeMs)}` : "";
  return [
    { name: `Bridge to ${chainName(state, state.dest.chainId)}`, text: `${bridge?.protocol ?? "Not stated"}${takes}` },
  ];
}

/** The recommended route, or the alternative that was chosen. */
export function chosenRoute(quote: DeltaQuote, alternative: number | null): DeltaQuote["alternatives"][number] {
  return (alternative === null ? null : quote.alternatives[alternative]) ?? quote;
}

export function durationWords(ms: number): string {
  const secs = Math.ceil(ms / 1000);
  return secs < 90 ? `${secs} s` : `${Math.round(secs / 60)} min`;
}

/**
 * Why there is a Market price where a gasless one was asked for first, and that it moves the market; null where it is
 * as asked.
 */
export function noticeWords(quote: MarketQuote): string | null {
  const impact = quote.maxImpactReached ? "This trade moves the price by more than the usual limit." : null;
  return [fallbackWords(quote), impact].filter((words) => words !== null).join(" ") || null;
}

function fallbackWords({ fallbackReason }: MarketQuote): string | null {
  if (!fallbackReason) return null;
  const why =
    fallbackReason.errorType === "GasCostExceedsTradeAmount"
      ? "the amount is less than the solver’s gas"
      : (fallbackReason.details ?? fallbackReason.errorType ?? "no reason given")
          .replace(/\p{C}/gu, "")
          .replace(/\.$/, "")
          .slice(0, 120);
  return `Not gasless this time: ${why}. On Market you send the transaction and pay its gas.`;
}
