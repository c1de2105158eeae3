import { formatUnits, minReceived, parseUnits, type Amount, type Quote } from "verified-swap";
import { significant } from "./money.ts";

/* Prices as decimal text, whole destination tokens for one source token, and those of this session by their time. */

/** A price that the page got. */
export interface Sample {
  /** Unix seconds. */
  at: number;
  price: string;
}

const PRICE_DECIMALS = 18;
/** Digits of a price that somebody chose by hand. */
const CHOSEN_DIGITS = 6;
const KEPT = 240;

interface Units {
  amount: Amount;
  decimals: number;
}

/**
 * What arrives at least, after the fee. Of the two amounts that a Market price may state, the one before the fee: from the
 * other it would be taken twice.
 */
export function leastOf(quote: Quote, slippageBps: number): Amount {
  return minReceived(quote.kind === "market" ? { ...quote, destAmountAfterFee: null } : quote, slippageBps);
}

export function priceOf(src: Units, dest: Units): string | null {
  if (src.amount === "0" || dest.amount === "0") return null;
  const scaled = BigInt(dest.amount) * 10n ** BigInt(PRICE_DECIMALS + src.decimals);
  return formatUnits(scaled / (BigInt(src.amount) * 10n ** BigInt(dest.decimals)), PRICE_DECIMALS);
}

export function marketPriceOf({ srcAmount, destAmount, request }: Quote): string | null {
  const { srcDecimals, destDecimals } = request;
  return priceOf({ amount: srcAmount, decimals: srcDecimals }, { amount: destAmount, decimals: destDecimals });
}

/** `price` moved by so many basis points of it. */
export function movedBy(bps: number, price: string): string {
  const moved = (scaled(price) * BigInt(10_000 + bps)) / 10_000n;
  return significant(formatUnits(moved, PRICE_DECIMALS), CHOSEN_DIGITS, "nearest");
}

/** A point of the chart as a price: the one place where a price comes from a floating point number. */
export function chosenPrice(point: number): string | null {
  if (!(point > 0) || !Number.isFinite(point)) return null;
  const text = point.toFixed(PRICE_DECIMALS);
  return /[1-9]/.test(text) ? significant(text, CHOSEN_DIGITS, "nearest") : null;
}

/** How far `price` is above `base`, in basis points, to the nearest. */
export function aboveBps(price: string, base: string): number {
  const [one, other] = [scaled(price), scaled(base)];
  if (other === 0n) return 0;
  const tenths = ((one - other) * 100_000n) / other;
  return Math.round(Number(tenths) / 10);
}

function scaled(price: string): bigint {
  const [whole = "0", fraction = ""] = price.split(".");
  return BigInt(parseUnits(`${whole}.${fraction.slice(0, PRICE_DECIMALS) || "0"}`, PRICE_DECIMALS));
}

interface Place {
  chainId: number;
  address: string;
}

export function pairKey(src: Place, dest: Place): string {
  return `${src.chainId}/${src.address} ${dest.chainId}/${dest.address}`;
}

function keyOf({ chainId, destChainId, srcToken, destToken }: Quote["request"]): string {
  return pairKey({ chainId, address: srcToken }, { chainId: destChainId ?? chainId, address: destToken });
}

/**
 * The session's prices with one more, at most one of a second, and no more than the latest of each pair. One that the
 * chain contradicts was never the market's.
 */
export function withPrice(known: Record<string, Sample[]>, quote: Quote): Record<string, Sample[]> {
  const { reference } = quote;
  const key = keyOf(quote.request);
  const price = marketPriceOf(quote);
  if (price === null || (reference && reference !== "pending" && reference.verdict === "mismatch")) return known;
  const sample = { at: Math.floor(Date.now() / 1000), price };
  const before = (known[key] ?? []).filter(({ at }) => at < sample.at);
  return { ...known, [key]: [...before, sample].slice(-KEPT) };
}

/** Without the price of a quote that was refused when it was built. */
export function withoutPrice(known: Record<string, Sample[]>, quote: Quote): Record<string, Sample[]> {
  const key = keyOf(quote.request);
  const price = marketPriceOf(quote);
  return { ...known, [key]: (known[key] ?? []).filter((sample) => sample.price !== price) };
}
