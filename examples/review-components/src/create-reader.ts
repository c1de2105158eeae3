import type { QuoteRequest } from "verified-swap";
import type { Reader, Rounding, Token } from "./reader";
import { english } from "./texts";

/** What a reader is made of: the request as the client was given it, who trades, and whatever the app knows better. */
export interface ReaderOptions extends Partial<Reader> {
  request: QuoteRequest;
  /** Tokens that the app knows, by lists it trusts. The two of the request need not be among them. */
  tokens?: readonly Token[];
  /** The app's names of contracts, by address. */
  contracts?: Record<string, string>;
  /** Languages for numbers and times. Default: the browser's. */
  locales?: string | string[];
}

/** The most significant digits of an amount that is rounded; whole units are never cut. */
const SIGNIFICANT = 6;

/** A reader in English, with numbers and times by `Intl`. */
export function createReader({ request, tokens = [], contracts = {}, locales, ...own }: ReaderOptions): Reader {
  const { chainId, destChainId = chainId } = request;
  const known = [
    tokenOf(chainId, request.srcToken, request.srcDecimals, request.srcSymbol),
    tokenOf(destChainId, request.destToken, request.destDecimals, request.destSymbol),
  ] as const;
  const same = (address: string) => (other: string) => other.toLowerCase() === address.toLowerCase();
  const chains: Record<number, string | undefined> = { [destChainId]: request.advanced?.destChainName, [chainId]: request.advanced?.chainName };
  return {
    texts: english,
    account: request.account ?? null,
    side: request.side ?? "SELL",
    src: known[0],
    dest: known[1],
    arrives: known[1],
    native: null,
    feeBps: 0,
    isOwnTime: false,
    amount: (amount, decimals, rounding) => inLocale(decimalOf(amount, decimals, rounding), locales),
    time: (secs, isBrief) => timeOf(secs, isBrief, locales),
    duration: (secs) => durationOf(secs, locales),
    percent: (bps) => `${inLocale(decimalOf(String(bps), 2, "exact"), locales)} %`,
    dollars: (decimal) => `$${inLocale(decimal, locales)}`,
    chainName: (id) => chains[id] ?? `chain ${id}`,
    contractName: (address) => Object.entries(contracts).find(([other]) => same(address)(other))?.[1] ?? null,
    symbolOf: (address) => [...tokens, ...known].find((token) => same(address)(token.address))?.symbol ?? null,
    sentence: (text) => text,
    ...own,
  };
}

/** A token without a name has its address, one without decimals its raw units. */
function tokenOf(chainId: number, address: string, decimals = 0, symbol = `${address.slice(0, 6)}…${address.slice(-4)}`): Token {
  return { chainId, address, decimals, symbol };
}

/** Text all the way: an amount is never a number, which would lose digits. */
function decimalOf(amount: string, decimals: number, rounding: Rounding): string {
  const digits = amount.padStart(decimals + 1, "0");
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals);
  const isSmall = /^0+$/.test(whole);
  const zeros = isSmall ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  const places = rounding === "exact" ? decimals : Math.min(decimals, zeros + Math.max(0, SIGNIFICANT - (isSmall ? 0 : whole.length)));
  const isMore = rounding === "up" && /[1-9]/.test(fraction.slice(places));
  const kept = String(BigInt(whole + fraction.slice(0, places)) + (isMore ? 1n : 0n)).padStart(places + 1, "0");
  const end = kept.slice(kept.length - places).replace(/0+$/, "");
  return places === 0 || end === "" ? kept.slice(0, kept.length - places) : `${kept.slice(0, kept.length - places)}.${end}`;
}

function inLocale(decimal: string, locales?: string | string[]): string {
  const [whole = "0", fraction] = decimal.split(".");
  const sign = new Intl.NumberFormat(locales).formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const groups = BigInt(whole).toLocaleString(locales);
  return fraction === undefined ? groups : `${groups}${sign}${fraction}`;
}

function timeOf(secs: number, isBrief: boolean, locales?: string | string[]): string {
  const date = new Date(secs * 1000);
  // A stranger's order may name a time that no `Date` can hold.
  if (Number.isNaN(date.getTime())) return String(secs);
  const options = isBrief ? ({ dateStyle: "medium", timeStyle: "short" } as const) : ({ dateStyle: "medium", timeStyle: "long" } as const);
  return new Intl.DateTimeFormat(locales, options).format(date);
}

const UNITS = [["day", 86_400], ["hour", 3_600], ["minute", 60]] as const;

function durationOf(secs: number, locales?: string | string[]): string {
  const [unit, size] = UNITS.find(([, size]) => secs >= 1.5 * size) ?? (["second", 1] as const);
  return new Intl.NumberFormat(locales, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: 0 }).format(secs / size);
}
