import type { Amount, BuildOptions, DeltaQuote, StatedPrice, TwapPlan } from "verified-swap";
import { maxSpent, parseUnits } from "verified-swap";
import { atPrice } from "../state/money.ts";
import { amountOf, isPromised, type State } from "../state/state.ts";

/* What the form asks for besides tokens and amount, and the package's options for it. */

export const VALIDITIES: readonly (readonly [secs: number, words: string])[] = [
  [600, "10 minutes"],
  [3_600, "1 hour"],
  [86_400, "1 day"],
  [604_800, "1 week"],
];

export const INTERVALS: readonly (readonly [secs: number, words: string])[] = [
  [60, "minute"],
  [300, "5 minutes"],
  [3_600, "hour"],
  [86_400, "day"],
];

/** A TWAP order gets this much time beyond its slices. */
const TWAP_MARGIN_SECS = 600;
const MOST_SLICES = 100;

/** A limit order's price or amount, as the package takes it; or what is wrong with it. */
export function limitOf({ limit, side, src, dest }: State): { text: string | null; problem: string | null } {
  const text = limit.text.trim().replace(",", ".");
  if (text === "") return { text: null, problem: null };
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text) || !/[1-9]/.test(text)) {
    const of = limit.by === "price" ? "A price" : "An amount";
    return { text: null, problem: `${of} is digits with one decimal point.` };
  }
  const token = side === "SELL" ? dest : src;
  const decimals = text.split(".")[1]?.length ?? 0;
  if (limit.by === "amount" && decimals > token.decimals)
    return { text: null, problem: `${token.symbol} has ${token.decimals} decimals, not more.` };
  return { text: text.replace(/^\./, "0.").replace(/\.$/, ""), problem: null };
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

/** How many slices, or what is wrong with the number. */
export function slicesOf({ twap }: State): { numSlices: number | null; problem: string | null } {
  const text = twap.slicesText.trim();
  if (text === "") return { numSlices: null, problem: null };
  const numSlices = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (numSlices < 2 || numSlices > MOST_SLICES)
    return { numSlices: null, problem: `Between 2 and ${MOST_SLICES} slices.` };
  return { numSlices, problem: null };
}

/** The options of `build` for an order, as the form is. */
export function orderOptions(state: State, quote: DeltaQuote): BuildOptions & StatedPrice {
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
      deadline: nowSecs() + limit.validForSecs,
      partiallyFillable: limit.partiallyFillable,
    };
  }
  if (quote.twap) return { ...shared, slippageBps, ...twapOptions(quote, quote.twap, slippageBps) };
  return { ...shared, slippageBps, ...(alternative === null ? {} : { route: alternative }) };
}

function twapOptions(
  quote: DeltaQuote,
  plan: TwapPlan,
  slippageBps: number,
): { deadline: number; maxSrcAmount?: Amount } {
  const deadline = nowSecs() + plan.numSlices * plan.intervalSecs + TWAP_MARGIN_SECS;
  if (quote.request.side === "SELL") return { deadline };
  return { deadline, maxSrcAmount: maxSpent(quote, slippageBps) };
}

export function nowSecs(): number {
  return Math.floor(Date.now() / 1000);
}
