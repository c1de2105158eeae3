import { messages } from "../messages/en.ts";

/* Numbers, dollars, dates and durations as the visitor's locale writes them. Numbers are decimal text, so no digit is
   lost. */

export type Locales = readonly string[];

/** The browser's languages that Intl takes, else English: WebKitGTK's under LANG=C is `C`, which is no tag of a language. */
export function visitorLocales(): Locales {
  const known = typeof navigator === "undefined" ? [] : navigator.languages.filter(isTag);
  return known.length > 0 ? known : ["en-US"];
}

function isTag(language: string): boolean {
  try {
    return Intl.getCanonicalLocales(language).length > 0;
  } catch {
    return false;
  }
}

/** Which character parts the decimals, and which one groups the digits before them. */
export function separatorsOf(locales: Locales = visitorLocales()): { decimal: string; group: string } {
  return signsOf(locales);
}

/** `1234.5` is `1,234.5` in English, `1.234,5` in German. */
export function formatDecimal(decimal: string, locales: Locales = visitorLocales()): string {
  const [whole = "0", fraction] = decimal.split(".");
  const groups = wholeNumber(locales).format(BigInt(whole));
  return fraction === undefined ? groups : `${groups}${signsOf(locales).decimal}${inDigits(fraction, locales)}`;
}

/** As `formatDecimal`, without groups: what a field shows while it is typed into. */
export function formatPlain(decimal: string, locales: Locales = visitorLocales()): string {
  const [whole = "0", fraction] = decimal.split(".");
  const digits = inDigits(whole, locales);
  return fraction === undefined ? digits : `${digits}${signsOf(locales).decimal}${inDigits(fraction, locales)}`;
}

/** Dollars and cents of a decimal text with two decimals at most. */
export function formatDollars(decimal: string, locales: Locales = visitorLocales()): string {
  const [whole = "0", cents = ""] = decimal.split(".");
  const parts = currency(locales).formatToParts(BigInt(whole));
  return parts
    .map(({ type, value }) => (type === "fraction" ? inDigits(cents.padEnd(2, "0"), locales) : value))
    .join("");
}

/** `14:05 GMT+1`; with the day where it is another one, and the year where that is: `24 Nov 2036, 14:05 GMT+1`. */
export function formatTime(date: Date, locales: Locales = visitorLocales(), now = new Date(), today = clock): string {
  const isThisYear = date.getFullYear() === now.getFullYear();
  const isToday = date.toDateString() === now.toDateString();
  return inWords(isToday ? today : isThisYear ? dayAndClock : yearAndClock, date, locales);
}

/** The same, to the second where it is today. */
export function formatSecond(date: Date, locales: Locales = visitorLocales(), now = new Date()): string {
  return formatTime(date, locales, now, clockToSecond);
}

/** Times as the package writes them (`2026-11-20 14:05 UTC`) by the visitor's clock, which all others go by. */
export function inLocalTime(sentence: string, locales: Locales = visitorLocales(), now = new Date()): string {
  return sentence.replace(/\b(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC\b/g, (_, day, time) =>
    formatTime(new Date(`${day}T${time}Z`), locales, now),
  );
}

/** Day, time and zone, in full. */
export function formatMoment(date: Date, locales: Locales = visitorLocales()): string {
  return inWords(moment, date, locales);
}

/** An order of a stranger may name a time that no `Date` can hold. */
function inWords(format: (locales: Locales) => Intl.DateTimeFormat, date: Date, locales: Locales): string {
  return Number.isNaN(date.getTime()) ? messages.noDate : format(locales).format(date);
}

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** About how long: `45 sec`, `3 min`, `2 hr`, `7 days`. Rounded to the unit. */
export function formatDuration(secs: number, locales: Locales = visitorLocales()): string {
  const [unit, size] = UNITS.find(([, size]) => secs >= 1.5 * size) ?? (["second", 1] as const);
  const options = { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat([...locales], options).format(secs / size);
}

const wholeNumber = kept((locales) => new Intl.NumberFormat(locales, { maximumFractionDigits: 0 }));
const currency = kept((locales) => {
  return new Intl.NumberFormat(locales, { style: "currency", currency: "USD", currencyDisplay: "narrowSymbol" });
});
const CLOCK = { hour: "2-digit", minute: "2-digit", timeZoneName: "short" } as const;
const DAY = { day: "numeric", month: "short" } as const;
const clock = kept((locales) => new Intl.DateTimeFormat(locales, CLOCK));
const clockToSecond = kept((locales) => new Intl.DateTimeFormat(locales, { ...CLOCK, second: "2-digit" }));
const dayAndClock = kept((locales) => new Intl.DateTimeFormat(locales, { ...DAY, ...CLOCK }));
const yearAndClock = kept((locales) => new Intl.DateTimeFormat(locales, { ...DAY, year: "numeric", ...CLOCK }));
const moment = kept((locales) => new Intl.DateTimeFormat(locales, { dateStyle: "medium", timeStyle: "long" }));

const signsOf = kept((locales) => {
  const parts = new Intl.NumberFormat(locales).formatToParts(1_234_567.5);
  const of = (type: string): string => parts.find((part) => part.type === type)?.value ?? "";
  const digits = new Intl.NumberFormat(locales, { useGrouping: false }).format(9_876_543_210n);
  return { decimal: of("decimal"), group: of("group"), digits: [...digits].reverse() };
});

/** The locale's own digits in place of 0 to 9. */
function inDigits(text: string, locales: Locales): string {
  const { digits } = signsOf(locales);
  return text.replace(/\d/g, (digit) => digits[Number(digit)] ?? digit);
}

/** Formats are slow to make, so each is made once for each list of languages. */
function kept<F>(make: (locales: string[]) => F): (locales: Locales) => F {
  const made = new Map<string, F>();
  return (locales) => {
    const key = locales.join();
    const format = made.get(key) ?? make([...locales]);
    made.set(key, format);
    return format;
  };
}
