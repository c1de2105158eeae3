import { formatUnits, parseUnits, type Amount, type Side } from "verified-swap";

/* Money is text and BigInt from end to end: no figure on this page is ever a floating point number. */

export type Rounding = "nearest" | "down" | "up";

const SIGNIFICANT_DIGITS = 6;
const RATE_DECIMALS = 24;

/** `amount` raw units with at most six significant digits; whole units are never cut. `1234567` stays `1,234,567`. */
export function rounded(amount: Amount, decimals: number, rounding: Rounding = "nearest"): string {
  return grouped(significant(formatUnits(amount, decimals), SIGNIFICANT_DIGITS, rounding));
}

/** Every digit of `amount`, grouped. */
export function exact(amount: Amount, decimals: number): string {
  return grouped(formatUnits(amount, decimals));
}

/** Every digit of `amount`, as a person would type it into a field. */
export function typed(amount: Amount, decimals: number): string {
  return formatUnits(amount, decimals);
}

/** An amount of a token. */
export interface Sum {
  amount: Amount;
  symbol: string;
  decimals: number;
}

/** `1 WETH = 3,672.24 USDC`: the price of the dearer of the two in the other; exact to 24 decimals. */
export function rate(one: Sum, other: Sum): { rounded: string; exact: string } | null {
  if (one.amount === "0" || other.amount === "0") return null;
  const oneUnits = BigInt(one.amount) * 10n ** BigInt(other.decimals);
  const otherUnits = BigInt(other.amount) * 10n ** BigInt(one.decimals);
  if (otherUnits < oneUnits) return rate(other, one);
  const decimal = formatUnits((otherUnits * 10n ** BigInt(RATE_DECIMALS)) / oneUnits, RATE_DECIMALS);
  const sentence = (price: string): string => `1 ${one.symbol} = ${grouped(price)} ${other.symbol}`;
  return { rounded: sentence(significant(decimal, SIGNIFICANT_DIGITS, "nearest")), exact: sentence(decimal) };
}

/**
 * The other side of an amount at a price, whole destination tokens for one source token: selling, at least so much
 * comes in (rounded up); buying, at most so much goes out (rounded down).
 */
export function atPrice(
  side: Side,
  amount: Amount,
  price: string,
  srcDecimals: number,
  destDecimals: number,
): Amount | null {
  const [whole = "", fraction = ""] = price.split(".");
  const paid = 10n ** BigInt(srcDecimals + fraction.length);
  const received = BigInt(whole + fraction) * 10n ** BigInt(destDecimals);
  if (received === 0n) return null;
  const other = side === "SELL" ? (BigInt(amount) * received + paid - 1n) / paid : (BigInt(amount) * paid) / received;
  return other.toString();
}

/** How much more `amount` is than `base`, as a percentage: `+2.04 %`. Cut, not rounded. */
export function difference(amount: Amount, base: Amount): string | null {
  if (base === "0") return null;
  const bps = ((BigInt(amount) - BigInt(base)) * 10_000n) / BigInt(base);
  const size = percent(bps < 0n ? -bps : bps);
  return bps === 0n ? "0 %" : `${bps > 0n ? "+" : "−"}${size}`;
}

/** Dollars and cents of a decimal text such as `"99.99471"`; null when it is not one. */
export function dollars(decimal: string | null): string | null {
  if (decimal === null || !/^\d+(\.\d+)?$/.test(decimal)) return null;
  const [whole = "0", cents = ""] = cut(decimal, 2, "nearest").split(".");
  return `$${grouped(whole)}.${cents.padEnd(2, "0")}`;
}

/** Basis points as a percentage: 50 is `0.5 %`. */
export function percent(bps: number | bigint): string {
  return `${formatUnits(String(bps), 2)} %`;
}

export function feeWords(bps: number): string {
  return bps === 0 ? "None" : percent(bps);
}

/** What a person typed, in raw units; or what is wrong with it, in a sentence. Empty and zero are neither. */
export function readAmount(
  text: string,
  symbol: string,
  decimals: number,
): { amount: Amount | null; problem: string | null } {
  const plain = text.replace(/\s/g, "");
  if (plain === "") return { amount: null, problem: null };
  if (/^\d{1,3}(,\d{3})+$/.test(plain)) {
    return { amount: null, problem: "Write thousands without a comma, and decimals with a point." };
  }
  const decimal = plain.replace(",", ".").replace(/\.$/, "").replace(/^\./, "0.");
  if (!/^\d+(\.\d+)?$/.test(decimal)) return { amount: null, problem: "An amount is digits with one decimal point." };
  const fraction = decimal.split(".")[1]?.replace(/0+$/, "") ?? "";
  if (fraction.length > decimals) return { amount: null, problem: `${symbol} has ${decimals} decimals, not more.` };
  try {
    const amount = parseUnits(decimal, decimals);
    return { amount: amount === "0" ? null : amount, problem: null };
  } catch {
    return { amount: null, problem: "That is more than any token has." };
  }
}

/** `decimal` with `digits` significant digits; the whole part is never cut. */
export function significant(decimal: string, digits: number, rounding: Rounding): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const leadingZeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const wholeDigits = whole === "0" ? 0 : whole.length;
  return cut(decimal, leadingZeros + Math.max(0, digits - wholeDigits), rounding);
}

/** `decimal` with at most `places` decimals, and no zeros at its end. */
function cut(decimal: string, places: number, rounding: Rounding): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const kept = fraction.slice(0, places);
  const rest = fraction.slice(places);
  const up = rounding === "up" ? /[1-9]/.test(rest) : rounding === "nearest" && /^[5-9]/.test(rest);
  const digits = (BigInt(whole + kept) + (up ? 1n : 0n)).toString().padStart(kept.length + 1, "0");
  const point = digits.length - kept.length;
  const end = digits.slice(point).replace(/0+$/, "");
  return end === "" ? digits.slice(0, point) : `${digits.slice(0, point)}.${end}`;
}

function grouped(decimal: string): string {
  const [whole = "0", fraction] = decimal.split(".");
  const groups = whole.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
  return fraction === undefined ? groups : `${groups}.${fraction}`;
}
