import { maxSpent, type MarketQuote, type Quote } from "verified-swap";
import { everyWords, limitAboveBps, limitAmountOf, mostOf } from "../../client/terms.ts";
import { messages } from "../../messages/en.ts";
import { difference, dollars, feeWords, lossBps, percent, rounded, shareBps, worth } from "../../state/money.ts";
import { leastOf } from "../../state/prices.ts";
import { isNative, isPromised, routeOf, short, type State } from "../../state/state.ts";
import { MARKED_BPS } from "../../state/worse.ts";
import { amountLine, type Line } from "../parts/lines.tsx";
import { priceLine } from "../price-check.ts";

/* What a price comes to, row by row. */

const words = messages.form.lines;

/** From here on Market's gas is marked. */
const MUCH_GAS_BPS = 1_000n;

/** The name that the headline has everywhere: after all fees. */
function headlineName({ side }: Pick<State, "side">): string {
  return side === "SELL" ? words.getAtLeast : words.payAtMost;
}

/** What arrives at least, or is paid at most, after all fees. */
export function headline(state: State): Line {
  const { quote, tab, side, slippageBps } = state;
  const name = headlineName(state);
  if (!quote) return { name, text: "–" };
  if (tab === "limit") return limitHeadline(state, quote);
  if (tab === "twap" && side === "BUY") {
    const { amount } = mostOf(state);
    return amount === null ? { name, text: "–" } : amountLine(name, amount, state.src, "up");
  }
  // Another bridge brings another amount.
  const chosen = quote.kind === "delta" ? { ...quote, ...routeOf(state) } : quote;
  if (isPromised(state)) return amountLine(words.promised, leastOf(chosen, 0), state.dest, "down");
  return side === "SELL"
    ? amountLine(name, leastOf(chosen, slippageBps), state.dest, "down")
    : amountLine(name, maxSpent(chosen, slippageBps), state.src, "up");
}

/** A limit is before the fee, which the service states rounded up. */
function limitHeadline(state: State, quote: Quote): Line {
  const limit = limitAmountOf(state);
  const name = headlineName(state);
  if (limit === null) return { name, text: "–" };
  if (state.side === "BUY") return amountLine(name, limit, state.src, "up");
  if (quote.feeBps === null) return amountLine(words.beforeFee(name), limit, state.dest, "down");
  return amountLine(name, leastOf({ ...quote, destAmount: limit }, 0), state.dest, "down");
}

/** The names of the rows while there is no price. */
export function namesOf({ tab }: State): string[] {
  const shared = [words.gas, words.fee, messages.prices.names.quote];
  if (tab === "limit") return [words.againstMarket, ...shared];
  return tab === "twap" ? [words.eachSlice, ...shared] : [words.impact, ...shared, words.route];
}

export function linesOf(state: State, quote: Quote): Line[] {
  const shared = [
    gasLine(state, quote),
    { name: words.fee, text: quote.feeBps === null ? words.notStated : words.feeTaken(feeWords(quote.feeBps), quote.feeBps > 0) },
    priceLine("quote", quote.reference),
  ];
  if (state.tab === "limit") return [againstMarket(state, quote), ...shared];
  if (state.tab === "twap") return [...sliceLines(state, quote), ...shared];
  return [impactLine(quote), ...shared, routeLine(quote)];
}

/** How many dollars fewer arrive than are paid, in percent. */
export function impactOf({ srcUsd, destUsd }: Quote): { text: string; isLarge: boolean } | null {
  const loss = lossBps(srcUsd, destUsd);
  if (loss === null) return null;
  const size = percent(loss < 0n ? -loss : loss);
  return { text: loss > 0n ? `−${size}` : loss < 0n ? `+${size}` : size, isLarge: loss >= MARKED_BPS };
}

function impactLine(quote: Quote): Line {
  const impact = impactOf(quote);
  return { name: words.impact, text: impact?.text ?? words.notKnown, warns: impact?.isLarge ?? false };
}

/**
 * The solver's gas is in the price, each slice's in its own. The native token cannot be taken by a signature: its owner
 * deposits it, and pays that.
 */
function gasLine({ src }: State, quote: Quote): Line {
  if (quote.kind === "delta") {
    const say = isNative(src) ? words.gasOfDeposit : words.gasWithin;
    const each = quote.gasFee?.amountUsd ?? null;
    return { name: words.gas, text: say(each && worth(String(quote.twap?.numSlices ?? 1), "1", each)) };
  }
  const much = muchGas(quote);
  return { name: words.gas, text: much ?? words.gasYouPay(dollars(quote.gasCostUsd)), warns: much !== null };
}

/** Gas that is a big share of what is traded: `$0.75, 7.5 times what you trade`; null where it is not. */
export function muchGas({ gasCostUsd, srcUsd }: MarketQuote): string | null {
  const [share, cost] = [shareBps(gasCostUsd, srcUsd), dollars(gasCostUsd)];
  if (share === null || cost === null || share < MUCH_GAS_BPS) return null;
  if (share < 10_000n) return words.gasShare(cost, percent(share));
  return words.gasTimes(cost, rounded(String(share / 1_000n), 1));
}

/** Gas and fee in a few words. */
export function summaryOf({ src }: State, quote: Quote): string {
  const included = isNative(src) ? words.depositGas : words.gasIncluded;
  const gas = quote.kind === "market" ? words.someGas(dollars(quote.gasCostUsd)) : included;
  return quote.feeBps === null ? gas : words.gasAndFee(gas, feeWords(quote.feeBps));
}

function againstMarket(state: State, quote: Quote): Line {
  const limit = limitAmountOf(state);
  const against = limit && difference(limit, state.side === "SELL" ? quote.destAmount : quote.srcAmount);
  return { name: words.againstMarket, text: against ?? "–", warns: -(limitAboveBps(state) ?? 0) >= MARKED_BPS };
}

function sliceLines(state: State, quote: Quote): Line[] {
  const plan = quote.kind === "delta" ? quote.twap : undefined;
  if (!plan) return [];
  const every = everyWords(plan.intervalSecs);
  const sells = state.side === "SELL";
  const { symbol, decimals } = sells ? state.src : state.dest;
  const slice = rounded(plan.sliceAmount, decimals, sells ? "up" : "down");
  return [{ name: words.eachSlice, text: words.every(`${slice} ${symbol}`, every) }];
}

function routeLine(quote: Quote): Line {
  const { spender } = quote;
  return quote.kind === "market"
    ? { name: words.route, text: words.market(short(spender)), exact: words.marketExact(quote.contractMethod, spender) }
    : { name: words.route, text: words.auction(short(spender)), exact: words.auction(spender) };
}

/**
 * Why there is a Market price where a gasless one was asked for first, and that it moves the market; null where it is
 * as asked.
 */
export function noticeWords(quote: MarketQuote): string | null {
  const impact = quote.maxImpactReached ? words.movesMarket : null;
  return [fallbackWords(quote), impact].filter((text) => text !== null).join(" ") || null;
}

function fallbackWords({ fallbackReason }: MarketQuote): string | null {
  if (!fallbackReason) return null;
  const { errorType, details } = fallbackReason;
  const why =
    errorType === "GasCostExceedsTradeAmount"
      ? words.lessThanGas
      : (details ?? errorType ?? words.noReason).replace(/\p{C}/gu, "").replace(/\.$/, "").slice(0, 120);
  return words.notGasless(why);
}
