import type { Amount, Side } from "verified-swap";
import { messages } from "../messages/en.ts";
import { formatDecimal, formatDollars, formatPlain, separatorsOf, visitorLocales, type Locales } from "./format.ts";
import { formatUnits, parseUnits } from "./units.ts";

/* Money is text and BigInt from end to end: no figure on this page is ever a floating point number. */

export type Rounding = "nearest" | "down" | "up";

const SIGNIFICANT_DIGITS = 6;
const RATE_DECIMALS = 24;
const DOLLAR_DECIMALS = 12;

/** `amount` raw units with at most six significant digits; whole units are never cut. `1234567` stays `1,234,567`. */
export function rounded(amount: Amount, decimals: number, rounding: Rounding = "nearest"): string {
  return formatDecimal(significant(formatUnits(amount, decimals), SIGNIFICANT_DIGITS, rounding));
}

/** Every digit of `amount`, grouped. */
export function exact(amount: Amount, decimals: number): string {
  return formatDecimal(formatUnits(amount, decimals));
}

/** Every digit of `amount`, as a person would type it into a field: `readAmount` reads it as the same amount. */
export function typed(amount: Amount, decimals: number): string {
  return formatPlain(formatUnits(amount, decimals));
}

/** An amount of a token. */
interface Sum {
  amount: Amount;
  symbol: string;
  decimals: number;
}

/** `1 WETH = 3,672.24 USDC`: the price of `one` in the other; exact to 24 decimals. */
export function price(one: Sum, other: Sum): { rounded: string; exact: string } | null {
  if (one.amount === "0" || other.amount === "0") return null;
  const oneUnits = BigInt(one.amount) * 10n ** BigInt(other.decimals);
  const otherUnits = BigInt(other.amount) * 10n ** BigInt(one.decimals);
  const decimal = formatUnits((otherUnits * 10n ** BigInt(RATE_DECIMALS)) / oneUnits, RATE_DECIMALS);
  const sentence = (text: string): string => `1 ${one.symbol} = ${formatDecimal(text)} ${other.symbol}`;
  return { rounded: sentence(significant(decimal, SIGNIFICANT_DIGITS, "nearest")), exact: sentence(decimal) };
}

/** The price of the dearer of the two in the other. */
export function rate(one: Sum, other: Sum): { rounded: string; exact: string } | null {
  return isDearer(one, other) ? price(one, other) : price(other, one);
}

/** Whether one whole token of `one` is worth a whole token of `other`, or more, where these amounts are exchanged. */
export function isDearer(one: Sum, other: Sum): boolean {
  return BigInt(other.amount) * 10n ** BigInt(one.decimals) >= BigInt(one.amount) * 10n ** BigInt(other.decimals);
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

/** How much more `amount` is than `base`, in basis points. Cut, not rounded. */
export function moreBps(amount: Amount, base: Amount): bigint | null {
  return base === "0" ? null : ((BigInt(amount) - BigInt(base)) * 10_000n) / BigInt(base);
}

/** The same as a percentage: `+2.04 %`. */
export function difference(amount: Amount, base: Amount): string | null {
  const bps = moreBps(amount, base);
  if (bps === null) return null;
  const size = percent(bps < 0n ? -bps : bps);
  return bps === 0n ? "0 %" : `${bps > 0n ? "+" : "−"}${size}`;
}

/** Dollars and cents of a decimal text such as `"99.99471"`; null when it is not one. */
export function dollars(decimal: string | null): string | null {
  if (decimal === null || !/^\d+(\.\d+)?$/.test(decimal)) return null;
  return formatDollars(cut(decimal, 2, "nearest"));
}

/** Basis points of `paid` that are gone in `got`, both dollars as decimal text; null where one is not known. */
export function lossBps(paid: string | null, got: string | null): bigint | null {
  const [before, after] = [dollarUnits(paid), dollarUnits(got)];
  return before && after !== null ? ((before - after) * 10_000n) / before : null;
}

/** `part` of `whole` in basis points, both dollars as decimal text; null where one is not known. */
export function shareBps(part: string | null, whole: string | null): bigint | null {
  const [some, all] = [dollarUnits(part), dollarUnits(whole)];
  return all && some !== null ? (some * 10_000n) / all : null;
}

/** Dollars of `amount`, where `of` of the same token is worth `usd`. */
export function worth(amount: Amount, of: Amount, usd: string): string | null {
  const units = dollarUnits(usd);
  if (units === null || of === "0") return null;
  return dollars(formatUnits((units * BigInt(amount)) / BigInt(of), DOLLAR_DECIMALS));
}

function dollarUnits(decimal: string | null): bigint | null {
  if (decimal === null || !/^\d+(\.\d+)?$/.test(decimal)) return null;
  return BigInt(parseUnits(cut(decimal, DOLLAR_DECIMALS, "nearest"), DOLLAR_DECIMALS));
}

/** Basis points as a percentage: 50 is `0.5 %`. */
export function percent(bps: number | bigint): string {
  return `${formatDecimal(formatUnits(String(bps), 2))} %`;
}

export function feeWords(bps: number): string {
  return bps === 0 ? messages.form.noFee : percent(bps);
}

/** What a person typed or pasted. */
interface Reading<T> {
  value: T | null;
  /** What is wrong with it, in a sentence. Empty and zero are neither a value nor wrong. */
  problem: string | null;
  /** The number as it was understood, where that is not plain from the text. */
  readAs: string | null;
}

/** What a person typed, in raw units. */
export function readAmount(
  text: string,
  symbol: string,
  decimals: number,
  locales: Locales = visitorLocales(),
): { amount: Amount | null; problem: string | null; readAs: string | null } {
  const { value, problem, readAs } = readDecimal(text, locales);
  const wrong = (words: string): ReturnType<typeof readAmount> => ({ amount: null, problem: words, readAs: null });
  if (value === null) return { amount: null, problem, readAs };
  const fraction = value.split(".")[1]?.replace(/0+$/, "") ?? "";
  if (fraction.length > decimals) return wrong(messages.form.tooManyDecimals(symbol, decimals));
  try {
    const amount = parseUnits(value, decimals);
    return { amount: amount === "0" ? null : amount, problem: null, readAs };
  } catch {
    return wrong(messages.form.tooMuch);
  }
}

/** `S` is the sign between groups. */
const GROUPED = /^\d{1,3}(?:(?:S\d{3})+|(?:S\d{2})+S\d{3})$/.source;

/**
 * A number as people write it: `1,000.50`, `1.000,5`, `1 000,5`, `1’000`, in any digits. Where one sign could part
 * decimals or groups ("1,000"), the locale decides. Groups have three digits, or two before the last as in India.
 */
export function readDecimal(text: string, locales: Locales = visitorLocales()): Reading<string> {
  const plain = inAscii(text);
  // "²" and "①" are no digits of a number, but would become some.
  if (/\p{No}/u.test(text)) return { value: null, problem: messages.form.notANumber, readAs: null };
  if (plain === "") return { value: null, problem: null, readAs: null };
  const decimal = decimalSignOf(plain, locales);
  const [whole = "", fraction, ...more] = decimal ? plain.split(decimal) : [plain];
  const group = /[^\d]/.exec(whole)?.[0];
  const isGrouped = group !== undefined && new RegExp(GROUPED.replaceAll("S", `\\${group}`)).test(whole);
  const isNumber =
    (isGrouped || /^\d*$/.test(whole)) && /^\d*$/.test(fraction ?? "") && /\d/.test(plain) && more.length === 0;
  if (!isNumber) return { value: null, problem: messages.form.notANumber, readAs: null };
  const digits = (isGrouped ? whole.replaceAll(group, "") : whole).replace(/^0+(?=\d)/, "") || "0";
  const value = fraction ? `${digits}.${fraction}` : digits;
  const isPlain = !isGrouped && (decimal === null || decimal === inAscii(separatorsOf(locales).decimal));
  return { value, problem: null, readAs: isPlain ? null : formatDecimal(value, locales) };
}

/** The sign before the decimals of `plain`; null if it has none. */
function decimalSignOf(plain: string, locales: Locales): "." | "," | null {
  const signs: string[] = plain.match(/[.,]/g) ?? [];
  const last = signs.at(-1);
  if (last !== "." && last !== ",") return null;
  if (signs.includes(last === "." ? "," : ".") || /[ ']/.test(plain)) return last;
  if (signs.length > 1) return null;
  const isGroup = inAscii(separatorsOf(locales).group) === last && /^[1-9]\d{0,2}[.,]\d{3}$/.test(plain);
  return isGroup ? null : last;
}

/** Ordinary digits, and one sign for each kind of space and apostrophe. */
function inAscii(text: string): string {
  return text
    .normalize("NFKC")
    .replace(/\p{Cf}/gu, "")
    .trim()
    .replace(/\p{Nd}/gu, digitOf)
    .replace(/\s+/g, " ")
    .replace(/[’‘ʼ`]/g, "'")
    .replaceAll("٫", ".")
    .replaceAll("٬", ",");
}

/** 0 to 9 of a digit of any script: Unicode keeps the ten of a script in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
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
