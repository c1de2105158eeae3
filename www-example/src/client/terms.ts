import type { Amount, BuildOptions, DeltaQuote, StatedPrice, StatedTime } from "verified-swap";
import { parseUnits } from "verified-swap";
import { messages } from "../messages/en.ts";
import { formatDuration, formatPlain } from "../state/format.ts";
import { atPrice, readAmount, readDecimal, typed } from "../state/money.ts";
import { aboveBps, marketPriceOf, priceOf } from "../state/prices.ts";
import { amountOf, isPromised, type State } from "../state/state.ts";

/* What the form asks for besides tokens and amount, and the package's options for it. */

/** Seconds, with their words. */
type Spans = readonly (readonly [secs: number, words: string])[];

const spansOf = (words: Record<number, string>): Spans => Object.entries(words).map(([secs, text]) => [Number(secs), text]);

export const VALIDITIES: Spans = spansOf(messages.terms.validities);

export const INTERVALS: Spans = spansOf(messages.terms.intervals);

/** What stands after "one every". */
export function everyWords(secs: number): string {
  return INTERVALS.find(([known]) => known === secs)?.[1] ?? formatDuration(secs);
}

/** A TWAP order gets this much time beyond its slices. */
const TWAP_MARGIN_SECS = 600;
const MOST_SLICES = 100;

/** A limit order's price or amount, as the package takes it; or what is wrong with it. */
export function limitOf({ limit, side, src, dest }: State): {
  text: string | null;
  problem: string | null;
  readAs: string | null;
} {
  const { value, problem, readAs } = readDecimal(limit.text);
  const token = side === "SELL" ? dest : src;
  const wrong = (words: string): ReturnType<typeof limitOf> => ({ text: null, problem: words, readAs: null });
  if (problem !== null) return wrong(limit.by === "price" ? messages.terms.notAPrice : problem);
  if (value === null || !/[1-9]/.test(value)) return { text: null, problem: null, readAs: null };
  const decimals = value.split(".")[1]?.length ?? 0;
  if (limit.by === "amount" && decimals > token.decimals)
    return wrong(messages.form.tooManyDecimals(token.symbol, token.decimals));
  return { text: value, problem: null, readAs };
}

/** The limit as an amount of the side that is not fixed; null while it or the fixed amount is not known. */
export function limitAmountOf(state: State): Amount | null {
  const { text } = limitOf(state);
  const { amount } = amountOf(state);
  const { side, src, dest, limit } = state;
  if (text === null) return null;
  if (limit.by === "amount") return parseUnits(text, (side === "SELL" ? dest : src).decimals);
  return amount && atPrice(side, amount, text, src.decimals, dest.decimals);
}

/** The limit as a price, however it was typed. */
export function limitPriceOf(state: State): string | null {
  const { limit, side, src, dest } = state;
  if (limit.by === "price") return limitOf(state).text;
  const { amount } = amountOf(state);
  const other = limitAmountOf(state);
  if (!amount || !other) return null;
  const [paid, received] = side === "SELL" ? [amount, other] : [other, amount];
  return priceOf({ amount: paid, decimals: src.decimals }, { amount: received, decimals: dest.decimals });
}

/** What to type for a limit at that price; null while the amount that it is for is not known. */
export function limitTextAt(state: State, price: string): string | null {
  const { limit, side, src, dest } = state;
  if (limit.by === "price") return formatPlain(price);
  const { amount } = amountOf(state);
  const other = amount && atPrice(side, amount, price, src.decimals, dest.decimals);
  return other && typed(other, (side === "SELL" ? dest : src).decimals);
}

/** How far the limit is above the market, in basis points; null while one of them is not known. */
export function limitAboveBps(state: State): number | null {
  const limit = limitPriceOf(state);
  const market = state.quote && marketPriceOf(state.quote);
  return limit && market ? aboveBps(limit, market) : null;
}

/** How many slices, or what is wrong with the number. */
export function slicesOf({ twap }: State): { numSlices: number | null; problem: string | null } {
  const text = twap.slicesText.trim();
  if (text === "") return { numSlices: null, problem: null };
  const numSlices = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (numSlices < 2 || numSlices > MOST_SLICES)
    return { numSlices: null, problem: messages.terms.sliceCount(MOST_SLICES) };
  return { numSlices, problem: null };
}

/** The most that a purchase in slices may cost, or what is wrong with it. */
export function mostOf({ twap, src }: State): ReturnType<typeof readAmount> {
  return readAmount(twap.mostText, src.symbol, src.decimals);
}

/** The options of `build` for an order, as the form is. */
export function orderOptions(state: State, quote: DeltaQuote): BuildOptions & StatedPrice & StatedTime {
  const { tab, slippageBps, limit, alternative } = state;
  // A smaller approval would take away what an older order still needs.
  const coverOpenOrders = state.spending === "approve" || tab !== "swap";
  const shared = {
    coverOpenOrders,
    ...(isPromised(state) && state.acceptsPromise ? { acceptUnguaranteedArrival: true } : {}),
  };
  if (tab === "limit") {
    const bound =
      limit.by === "price" ? { limitPrice: limitOf(state).text ?? "" } : { limitAmount: limitAmountOf(state) ?? "" };
    return {
      ...shared,
      type: "LIMIT",
      ...bound,
      validForSecs: limit.validForSecs,
      partiallyFillable: limit.partiallyFillable,
    };
  }
  if (quote.twap) {
    const validForSecs = quote.twap.numSlices * quote.twap.intervalSecs + TWAP_MARGIN_SECS;
    const price = quote.request.side === "BUY" ? { maxSrcAmount: mostOf(state).amount ?? "" } : { slippageBps };
    return { ...shared, ...price, validForSecs };
  }
  return { ...shared, slippageBps, ...(alternative === null ? {} : { advanced: { route: alternative } }) };
}

export function nowSecs(): number {
  return Math.floor(Date.now() / 1000);
}
