// How values of checks are written: by the tokens, chains and contracts of one trade.
import type { Check, Report } from "../../src/types/report.ts";
import type { DeltaBuild, MarketBuild } from "../../src/types/build.ts";
import type { Approval } from "../../src/types/permit.ts";
import type { SwapFigures, SwapToken } from "../../src/types/swap.ts";
import type { Address, Amount } from "../../src/types/values.ts";
import { clock, duration, exact, grouped, percent, rounded, shortAddress, type Rounding } from "../format.ts";
import type { Words } from "../messages.ts";
import { plainSymbol } from "../parts/plain-text.ts";
import type { Scene } from "../scene.ts";

/** A token of a trade. */
export interface Place {
  chainId: number;
  token: Address;
  /** Its decimals by the request. */
  decimals?: number | null | undefined;
}

/** The tokens, names and rules by which one trade's checks are read. */
export interface Reading {
  words: Words;
  account: Address | null;
  side: "SELL" | "BUY";
  /** The token that is paid. */
  src: Place;
  /** The token that the order ends in, on the chain where it is signed. */
  dest: Place;
  /** The token that arrives: over a bridge another one than `dest`. */
  arrives: Place;
  /** The fee that is taken from what the order pays out, in bps. */
  feeBps: number;
  /** Whether the user chose until when it holds. */
  isOwnTime: boolean;
  /** An amount with its symbol. */
  sum(amount: Amount, place: Place, rounding: Rounding | "exact"): string;
  /** The name of an address: the account's, a contract's or a token's; null if it has none here. */
  nameOf(address: string): string | null;
  chainName(chainId: number): string;
}

/** A trade as the views have it. */
interface Subject {
  /** Its tokens; null: those of the form. */
  figures: (Pick<SwapFigures, "side" | "kind"> & { src: Place; dest: Place }) | null;
  report: Report | undefined;
  /** The build, or the quote of a refused one: its contract has a name. */
  build: (Pick<DeltaBuild | MarketBuild, "kind" | "spender"> & { approval?: Approval | null }) | null;
  feeBps: number | null;
}

/** The reading of a trade. */
export function readingOf({ words, state, tokenOf, chainName }: Scene, { figures, report, build, feeBps }: Subject): Reading {
  const { form } = state;
  const placeOf = ({ chainId, address }: SwapToken): Place => ({ chainId, token: address });
  const { src, dest, side, kind } = figures ?? { ...form, src: placeOf(form.src), dest: placeOf(form.dest) };
  const ends = report?.checks.find(({ field }) => field === "order.destToken")?.expected;
  const symbolOf = ({ chainId, token }: Place): string => {
    const known = tokenOf(chainId, token);
    if (!known) return shortAddress(token);
    return known.isUnlisted ? `${isolated(known.symbol)} ${shortAddress(token)}` : isolated(known.symbol);
  };
  const contracts = contractsOf(build, words);
  return {
    words, side, src, chainName, arrives: dest,
    account: state.account,
    dest: isAddress(ends) ? { chainId: src.chainId, token: ends } : dest,
    feeBps: feeBps ?? 0,
    isOwnTime: kind === "limit",
    sum(amount, place, rounding) {
      const isIt = ({ chainId, token }: Place): boolean => chainId === place.chainId && isSame(token, place.token);
      const stated = [place, src, dest].find((one) => one.decimals && isIt(one));
      const decimals = stated?.decimals ?? tokenOf(place.chainId, place.token)?.decimals;
      if (decimals === undefined) return `${words.parts.unknownAmount(grouped(amount))} ${symbolOf(place)}`;
      return `${rounding === "exact" ? exact(amount, decimals) : rounded(amount, decimals, rounding)} ${symbolOf(place)}`;
    },
    nameOf(address) {
      if (isSame(address, state.account)) return words.review.facts.you;
      const token = isAddress(address) ? (tokenOf(src.chainId, address) ?? tokenOf(dest.chainId, address)) : null;
      return contracts.get(address.toLowerCase()) ?? (token && !token.isUnlisted ? isolated(token.symbol) : null);
    },
  };
}

/** A symbol within a sentence: letters of another direction turn nothing around but themselves (first strong isolate). */
function isolated(symbol: string): string {
  const text = plainSymbol(symbol);
  return /^[\x20-\x7e]*$/.test(text) ? text : `\u2068${text}\u2069`;
}

function contractsOf(build: Subject["build"], words: Words): Map<string, string> {
  const names = words.review.checks.contracts;
  const all = new Map<string, string>();
  if (build?.approval) all.set(build.approval.spender.toLowerCase(), names.permit2);
  if (build) all.set(build.spender.toLowerCase(), names[build.kind]);
  return all;
}

/** Whether a text is an address. */
export const isAddress = (text: string | undefined): text is Address => /^0x[0-9a-fA-F]{40}$/.test(text ?? "");

/** Whether two addresses are one. */
export const isSame = (one: string, other: string | null): boolean => one.toLowerCase() === other?.toLowerCase();

/** Without characters that are not seen, or turn the text around: they are written out. */
export function plain(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** A contract or account: its name and address, such as `Delta 0x8aBb…b720`. */
export function whoIs(address: string, reading: Pick<Reading, "nameOf">, isWhole = false): string {
  const [name, shown] = [reading.nameOf(address), isWhole ? address : shortAddress(address)];
  return name === null ? shown : `${name} ${shown}`;
}

/** A time by the visitor's clock. */
export const timeOf = (secs: number, words: Words): string => clock(secs) ?? words.parts.noDate;

/** A time, and how far away it is: `04:27 (20 min)`. */
export function spanOf(secs: number, words: Words): string {
  const left = secs - Date.now() / 1000;
  return left > 0 ? words.review.facts.isIn(timeOf(secs, words), duration(left)) : timeOf(secs, words);
}

/** The token whose units a field counts; null if it counts none. */
function tokenOf(field: string, { side, src, dest, arrives }: Reading): Place | null {
  if (/bridgeInput|length|factor|distance|worth/i.test(field)) return null;
  if (/order\.minReceived$|quote\.destination\.output$/.test(field)) return arrives;
  if (/(srcAmount|fromAmount|maxSpent|outcome\.spent|outcome\.allowanceLeft)(AfterFee)?$/i.test(field)) return src;
  if (/(destAmount|toAmount|PerSlice|bridge\.cost|outcome\.received|outcome\.transferTax)(AfterFee)?$/i.test(field)) return dest;
  if (/(expectedAmount|quotedAmount)$/.test(field)) return side === "SELL" ? dest : src;
  return null;
}

/** A value of a check as a person reads it. `isBrief`: amounts with six digits, addresses short. */
export function valueOf(field: string, value: string, reading: Reading, isBrief: boolean): string {
  return read(field, plain(value), reading, isBrief).slice(0, isBrief ? 160 : 4_096);
}

/** The mark of a contract that the interface named, and the package has not pinned. */
export const BY_APP = / \(supplied by the application\)$/;

function read(field: string, value: string, reading: Reading, isBrief: boolean): string {
  const { words, chainName, sum } = reading;
  const { checks } = words.review;
  if (BY_APP.test(value)) return checks.byThisPage(read(field, value.replace(BY_APP, ""), reading, isBrief));
  if (/chainId$|network$|Chain$/i.test(field)) return value.replace(/^[1-9]\d*$/, (id) => chainName(Number(id)));
  if (/deadline|expir/i.test(field)) return value.replace(/\b\d{9,12}\b/g, (secs) => timeOf(Number(secs), words));
  if (/interval$/.test(field)) return value.replace(/^\d+$/, (secs) => duration(Number(secs)));
  if (/feeBps$/i.test(field)) return value.replace(/\d+$/, (bps) => percent(Number(bps)));
  if (/distance$/.test(field)) return value.replace(/(\d+) bps/, (_, bps: string) => percent(Number(bps)));
  if (/\.kind$/.test(field)) return checks.kinds[Number(value)] ?? value;
  if (/\.(price|loss)$/.test(field)) return isBrief ? briefPrice(value) : value.replace(/(\d\.\d{2})0+ USD/g, "$1 USD");
  const token = tokenOf(field, reading);
  const rounding = !isBrief ? "exact" : token === reading.src ? "up" : "down";
  if (token && !value.includes("%")) return value.replace(/\b\d+\b/g, (raw) => sum(raw, token, rounding));
  if (/^types$/.test(field) && isBrief) return value.replace(/\(.*/, "(…)");
  const named = value.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => whoIs(address, reading, !isBrief));
  return isBrief ? named.replace(/0x[0-9a-fA-F]{41,}/g, shortAddress) : named;
}

/** A price in words without what is for a second look: for how long pools were deep, and what each source has. */
export const briefPrice = (text: string): string => text.replace(/ \((depth [^()]*\)|0x[^()]*\)|[^()]*\)$)/g, "");

/** The check of an amount that the fee is taken from after it is signed. */
export function isBeforeFee({ field }: Pick<Check, "field">, { feeBps }: Reading): boolean {
  return feeBps > 0 && /^order\.(destAmount|destAmountPerSlice|totalDestAmount)$|\.toAmount$/.test(field);
}

/** Amounts in a text, less the fee: as they arrive. */
export function lessFee(value: string, { feeBps }: Reading): string {
  return value.replace(/\b\d+\b/g, (raw) => ((BigInt(raw) * BigInt(10_000 - feeBps)) / 10_000n).toString());
}
