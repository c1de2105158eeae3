// Numbers, dollars, dates and durations as the visitor's locale writes them. Money is text and BigInt from end to end: no
// figure is ever a floating point number.
import type { Amount } from "../src/types/values.ts";

/** How a shortened amount is rounded: what is received down, what is given up. */
export type Rounding = "nearest" | "down" | "up";

const SIGNIFICANT_DIGITS = 6;
const LEAST_DECIMALS = 2;
const BALANCE_DIGITS = 11;

/** `amount` raw units as decimal text: `formatUnits` of the package, which the module would have to be there for. */
export function units(amount: Amount, decimals: number): string {
  const digits = amount.padStart(decimals + 1, "0");
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "");
  const whole = digits.slice(0, digits.length - decimals);
  return decimals === 0 || fraction === "" ? whole : `${whole}.${fraction}`;
}

/** `amount` with at most six significant digits, at least two decimals; whole units are never cut. */
export function rounded(amount: Amount, decimals: number, rounding: Rounding = "nearest"): string {
  return roundedDecimal(units(amount, decimals), rounding);
}

/** Decimal text with at most six significant digits. */
export function roundedDecimal(decimal: string, rounding: Rounding = "nearest"): string {
  return grouped(significant(decimal, rounding));
}

/** The same as it is typed: without groups, with a point. */
export function significant(decimal: string, rounding: Rounding = "nearest"): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const zeros = whole === "0" ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const digits = whole === "0" ? SIGNIFICANT_DIGITS : SIGNIFICANT_DIGITS - whole.length;
  return cut(decimal, zeros + Math.max(LEAST_DECIMALS, digits), rounding);
}

/** A balance: eleven digits, so that it adds up with what is paid and received; eight decimals at most, two at least. */
export function balance(amount: Amount, decimals: number): string {
  const decimal = units(amount, decimals);
  const places = BALANCE_DIGITS - decimal.split(".", 1).join("").length;
  return grouped(cut(decimal, Math.min(8, Math.max(LEAST_DECIMALS, places)), "down"));
}

/** Every digit of `amount`, grouped. */
export function exact(amount: Amount, decimals: number): string {
  return grouped(units(amount, decimals));
}

/** Every digit of `amount`, without groups, as one would type it into a field. */
export function typed(amount: Amount, decimals: number): string {
  return units(amount, decimals);
}

/** Basis points as a percentage: 50 is `0.5 %`. The sign is left out. */
export function percent(bps: number): string {
  return `${grouped(units(String(Math.abs(Math.trunc(bps))), 2))} %`;
}

/** Dollars and cents of decimal text; null if it is none. */
export function dollars(decimal: string | null): string | null {
  if (decimal === null || !/^\d+(\.\d+)?$/.test(decimal)) return null;
  const [whole = "0", cents = ""] = cut(decimal, 2, "nearest").split(".");
  const money = new Intl.NumberFormat(locales(), { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
  const parts = money.formatToParts(BigInt(whole));
  return parts.map(({ type, value }) => (type === "fraction" ? inDigits(cents.padEnd(2, "0")) : value)).join("");
}

/** `0x1234…cdef`. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** `14:05`, with the day where it is another one; null for a time that no calendar has. Unix seconds. */
export function clock(secs: number, now = new Date()): string | null {
  const date = new Date(secs * 1000);
  if (Number.isNaN(date.getTime())) return null;
  const isToday = date.toDateString() === now.toDateString();
  const year = date.getFullYear() === now.getFullYear() ? {} : { year: "numeric" as const };
  const day = isToday ? {} : { day: "numeric" as const, month: "short" as const, ...year };
  return new Intl.DateTimeFormat(locales(), { hour: "numeric", minute: "2-digit", ...day }).format(date);
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]] as const;

/** About how long: `45 sec`, `3 min`, `2 hr`, `7 days`. */
export function duration(secs: number): string {
  const [unit, size] = UNITS.find(([, size]) => secs >= 1.5 * size) ?? (["second", 1] as const);
  return new Intl.NumberFormat(locales(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(secs / size);
}

/** Times as Rust writes them (`2026-11-20 14:05 UTC`) by the visitor's clock. */
export function inLocalTime(sentence: string): string {
  return sentence.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC\b/g, (all, day, time) => clock(Date.parse(`${day}T${time}Z`) / 1000) ?? all);
}

/** The sign before the decimals in the visitor's locale, and the one between groups. */
export function separators(): { decimal: string; group: string } {
  const parts = new Intl.NumberFormat(locales()).formatToParts(12345.5);
  const of = (name: string) => parts.find(({ type }) => type === name)?.value ?? "";
  return { decimal: of("decimal") || ".", group: of("group") };
}

/** Decimal text with the locale's digits and groups; no digit is lost. */
export function grouped(decimal: string): string {
  const [whole = "0", fraction] = decimal.split(".");
  const groups = new Intl.NumberFormat(locales(), { maximumFractionDigits: 0 }).format(BigInt(whole));
  return fraction === undefined ? groups : `${groups}${separators().decimal}${inDigits(fraction)}`;
}

function inDigits(digits: string): string {
  const one = new Intl.NumberFormat(locales(), { useGrouping: false });
  return digits.replace(/\d/g, (digit) => one.format(Number(digit)));
}

/** The browser's languages that Intl takes: WebKitGTK's under LANG=C is `C`, which is no tag of a language. */
function locales(): string[] {
  const known = navigator.languages.filter((language) => {
    try {
      return Intl.getCanonicalLocales(language).length > 0;
    } catch {
      return false;
    }
  });
  return known.length > 0 ? known : ["en-US"];
}

/** `decimal` with at most `places` decimals, and no zeros at its end. */
function cut(decimal: string, places: number, rounding: Rounding): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  const [kept, rest] = [fraction.slice(0, places), fraction.slice(places)];
  const isUp = rounding === "up" ? /[1-9]/.test(rest) : rounding === "nearest" && /^[5-9]/.test(rest);
  return units((BigInt(whole + kept) + (isUp ? 1n : 0n)).toString(), kept.length);
}
