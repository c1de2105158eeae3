import type { Check, Prompt, PromptPart, Question, Report, TradeError } from "verified-swap";
import type { Reader, Rounding, Token } from "./reader";
import type { Texts } from "./texts";

/* The package's checks in the user's words: what each is about, in which of its groups it belongs, and its values as a person
   reads them. Decides nothing: what is refused was refused before. */

export type GroupName = keyof Texts["groups"];

const GROUPS: readonly GroupName[] = ["who", "what", "amount", "until", "cost", "contract", "other"];

/** The first that fits counts. */
const MEMBERS: readonly [GroupName, RegExp][] = [
  ["cost", /partnerAndFee|fee(Bps)?$|gasFee|AfterFee$|maxImpact/i],
  ["until", /deadline|expir|interval|nonce$/i],
  ["who", /owner|beneficiary|payee|receiver|\.from$|\.(maker|taker)$|signature$|handler$/i],
  ["what", /token$|asset$|\.(kind|side)$|pools/i],
  ["contract", /chain(Id)?$|network|spender|selector|protocolData|^quote\.bridge$/i],
  [
    "amount",
    /amount|received|spent|slice|remaining|balance|allowance|\.value$|distance|price$|loss|bridgeInput|decimals|factor|toll|^quote\.(origin|destination)/i,
  ],
  [
    "contract",
    /^domain|^types|orderHash|^transaction|^permit|permit$|bridge|metadata|version|contract|proxy|order\.(id|data)$|orders$/i,
  ],
];

export function groupOf(field: string): GroupName {
  return MEMBERS.find(([, pattern]) => pattern.test(field))?.[0] ?? "other";
}

export interface CheckGroup {
  name: GroupName;
  checks: Check[];
  /** `unusual` also if the user is asked about one; `unjudged` if nothing in it could be judged. */
  verdict: "ok" | "unusual" | "unjudged" | "mismatch";
}

const FIRST: readonly CheckGroup["verdict"][] = ["mismatch", "unusual", "unjudged", "ok"];

/** Every check of a report in its group, the worst group first: none is dropped, and groups without one are left out. */
export function groupsOf({ checks, questions }: Report): CheckGroup[] {
  const groups = GROUPS.map((name): CheckGroup => {
    const own = checks.filter(({ field }) => groupOf(field) === name);
    const has = (verdict: Check["verdict"]): boolean => own.some((check) => check.verdict === verdict);
    const isUnusual = has("unusual") || questions.some(({ field }) => groupOf(field) === name);
    return { name, checks: own, verdict: has("mismatch") ? "mismatch" : isUnusual ? "unusual" : has("ok") ? "ok" : "unjudged" };
  });
  const place = ({ verdict }: CheckGroup): number => FIRST.indexOf(verdict);
  return groups.filter(({ checks: own }) => own.length > 0).sort((one, other) => place(one) - place(other));
}

/** The failed checks, the worst first: who gets it, and who may take it, before how much, until when and at what cost. */
export function failedChecks({ checks }: Report): Check[] {
  const rank: readonly GroupName[] = ["who", "contract", "amount", "what", "until", "cost", "other"];
  const place = ({ field }: Check): number => rank.indexOf(groupOf(field));
  return checks.filter(({ verdict }) => verdict === "mismatch").sort((one, other) => place(one) - place(other));
}

/** What no check says, by the names of the fields, each once. */
export interface Unjudged {
  /** Nobody outside of the service can judge it, and what is guaranteed bounds it. */
  bounded: string[];
  /** Nothing bounds it: the bridge has to keep its word. */
  bridge: string[];
  /** Data is missing. */
  unknown: string[];
}

export function unjudged({ checks }: Report): Unjudged {
  const isBridge = ({ field, expected }: Check): boolean => field.includes("bridge") || expected.includes("bridge");
  const names = (fits: (check: Check) => boolean): string[] => [
    ...new Set(checks.filter(fits).map(({ field }) => plain(field.split(".").at(-1) ?? field))),
  ];
  return {
    bounded: names((check) => check.verdict === "opaque" && !isBridge(check)),
    bridge: names((check) => check.verdict === "opaque" && isBridge(check)),
    unknown: names(({ verdict }) => verdict === "unknown"),
  };
}

/** How many were judged: what nobody can judge has not passed, and has not failed. */
export function countJudged({ checks }: Report): number {
  return checks.length - countUnjudged(checks);
}

/** How many of these nobody can judge, or nobody could. */
export function countUnjudged(checks: readonly Check[]): number {
  return checks.filter(isUnjudged).length;
}

export function isUnjudged({ verdict }: Pick<Check, "verdict">): boolean {
  return verdict === "opaque" || verdict === "unknown";
}

/** How many are as asked for, or are so and so. */
export function counted({ checks }: Report, verdict: Check["verdict"] = "ok"): number {
  return checks.filter((check) => check.verdict === verdict).length;
}

const NAMES: readonly [RegExp, keyof Texts["names"]][] = [
  [/beneficiary|receiver/, "receiver"],
  [/spender|verifyingContract/, "spender"],
  [/transaction\.to$/, "called"],
  [/deadline|expiry/, "deadline"],
  [/remaining/, "remaining"],
  [/loss|price$/, "price"],
  [/quote\.(destAmount|origin\.output|destination\.input)/, "toReceive"],
  [/destAmount|minReceived|toAmount|fill\.makerAmount/, "least"],
  [/srcAmount|maxSpent|fromAmount|totalSrcAmount/i, "paid"],
  [/expectedAmount|quotedAmount/, "expected"],
  [/fee/i, "fee"],
  [/owner|\.from$/, "owner"],
  [/srcToken/, "srcToken"],
  [/destToken|outputToken/, "destToken"],
  [/chainId|network/i, "chain"],
  [/distance/, "distance"],
  [/nonce$/, "nonce"],
  [/types$/, "types"],
  [/orderHash/, "hash"],
];

/** What a field is, in words; its path where it has no name. */
export function nameOf(field: string, { texts }: Pick<Reader, "texts">): string {
  const name = NAMES.find(([pattern]) => pattern.test(field))?.[1];
  return name ? texts.names[name] : plain(field);
}

/** A price against its references, without what is for who looks closer: how long pools were deep, and what each says. */
export const briefPrice = (words: string): string => words.replace(/ \((depth [^()]*\)|[^()]*\)$)/g, "");

/** The most characters of a value beside another; all of it is in the list of checks. */
const MOST_BRIEF = 200;

/** A value as a person reads it: amounts in whole tokens, times as times, addresses with their names. */
export function valueOf(field: string, value: string, reader: Reader, isBrief = false): string {
  const read = plain(readValue(field, value, reader, isBrief));
  return isBrief ? cut(read) : read;
}

function cut(text: string): string {
  return text.length > MOST_BRIEF ? `${text.slice(0, MOST_BRIEF)}…` : text;
}

function readValue(field: string, value: string, reader: Reader, isBrief: boolean): string {
  const { texts } = reader;
  if (/chainId$|network$|Chain$/i.test(field)) return value.replace(/^\d+$/, (id) => reader.chainName(Number(id)));
  if (/deadline|expir/i.test(field)) return value.replace(/\b\d{9,12}\b/g, (secs) => reader.time(Number(secs), isBrief));
  if (/interval$/.test(field)) return value.replace(/^\d+$/, (secs) => reader.duration(Number(secs)));
  if (/feeBps$/i.test(field)) return value.replace(/\d+$/, (bps) => reader.percent(BigInt(bps)));
  if (/distance$/.test(field)) return value.replace(/(\d+) bps/, (_, bps: string) => reader.percent(BigInt(bps)));
  if (/\.kind$/.test(field)) return texts.kinds[value] ?? value;
  if (/\.(price|loss)$/.test(field)) {
    const said = (isBrief ? briefPrice(value) : value).replace("the references", texts.references);
    return said.replace(/(\d+(?:\.\d+)?) USD\b/g, (_, decimal: string) => reader.dollars(decimal));
  }
  if (/numSlices$/.test(field)) return texts.slices(value);
  if (/PerSlice$/.test(field)) return texts.each(inAmounts(value, reader.dest, reader, isBrief ? "down" : "exact"));
  if (/outputToken$/.test(field) && isBrief) return arrivalOf(value, reader);
  const token = tokenOf(field, reader);
  if (token) return inAmounts(value, token, reader, !isBrief ? "exact" : token === reader.src ? "up" : "down");
  const named = value.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => addressWords(address, reader, isBrief));
  return isBrief ? named.replace(/ \(.*\)$/, "").replace(/0x[0-9a-fA-F]{41,}/g, short) : named;
}

/** Without what cannot be seen, or turns the direction: such characters are written out. */
export function plain(text: string): string {
  return text.replace(/\p{C}/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** `0x1234…9abc`. */
export function short(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}

/** What arrives on another chain, which is not what the order ends in. */
function arrivalOf(address: string, { arrives, texts, chainName }: Reader): string {
  const isIt = address.toLowerCase() === arrives.address.toLowerCase();
  return isIt ? texts.on(arrives.symbol, chainName(arrives.chainId)) : short(address);
}

function inAmounts(value: string, { decimals, symbol }: Token, reader: Reader, rounding: Rounding): string {
  return value.replace(/\b\d+\b/g, (raw) => `${reader.amount(raw, decimals, rounding)} ${symbol}`);
}

/** A value before the fee as it arrives: one least in all that is read at first sight. */
export function lessFee(value: string, { feeBps }: Reader): string {
  return value.replace(/\b\d+\b/g, (raw) => ((BigInt(raw) * BigInt(10_000 - feeBps)) / 10_000n).toString());
}

/** Whether what is expected of a field is a bound of the app or the package, and nothing that the user said. */
export function isAllowed({ field, expected }: Pick<Check, "field" | "expected">, { isOwnTime }: Reader): boolean {
  if (/deadline|expir/i.test(field)) return !isOwnTime;
  if (/chainId$/i.test(field)) return false;
  const isBound = /fee|(price|loss|distance)$|nonce$|spender|verifyingContract|transaction\.to$|^domain|^types|Hash$/i;
  return isBound.test(field) || expected === "at least 1";
}

/** What is received as it is signed: the fee is taken from it afterwards. */
export function isBeforeFee({ field }: Pick<Check, "field">, { feeBps }: Reader): boolean {
  return /^order\.(destAmount|destAmountPerSlice|totalDestAmount)$|\.toAmount$/.test(field) && feeBps > 0;
}

/** The token whose units a field counts; null if it counts none. */
function tokenOf(field: string, { side, src, dest, arrives, native }: Reader): Token | null {
  if (/bridgeInput|length|factor|distance/i.test(field)) return null;
  if (/minReceived$/.test(field)) return arrives;
  if (/(srcAmount|fromAmount|maxSpent|SrcAmount|SrcAmountAfterFee|minBridgeInput)$/i.test(field)) return src;
  if (/(destAmount|toAmount|fill\.makerAmount|remaining|makerBalance|makerAllowance|destAmountAfterFee)$/i.test(field))
    return dest;
  if (/(expectedAmount|quotedAmount)$/.test(field)) return side === "SELL" ? dest : src;
  if (/^(permit|allowance|transaction)\.amount$/.test(field)) return src;
  if (/withdrawal\.amount|transaction\.value$/.test(field)) return native;
  return null;
}

/** `You, 0xf39F…2266`: with the name by which the app knows an address. */
export function addressWords(address: string, reader: Reader, isBrief = false): string {
  const name = addressName(address, reader);
  const shown = isBrief ? short(address) : address;
  return name === null ? shown : isBrief && name === reader.symbolOf(address) ? name : `${name}, ${shown}`;
}

export function addressName(address: string, { account, texts, contractName, symbolOf }: Reader): string | null {
  if (account?.toLowerCase() === address.toLowerCase()) return texts.you;
  return contractName(address) ?? symbolOf(address);
}

/** A question as a sentence, with what a tick beside it says. A wallet's own words may be in it. */
export function questionWords({ reason, text }: Question, reader: Reader): string {
  const { price, permit, sent, receiver } = reader.texts.questions;
  const answers: Partial<Record<Question["reason"], string>> = {
    unlimitedPermit: permit, permitChainUnbound: permit, mayHaveBeenSent: sent, receiverUnbound: receiver, slippageHigh: permit,
  };
  const named = plain(text.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => addressWords(address, reader)));
  const sentence = `${named.charAt(0).toUpperCase()}${named.slice(1)}${/[.?!]$/.test(named) ? "" : "."}`;
  return `${sentence} ${answers[reason] ?? price}`;
}

/* What somebody may take. */

/** What tokens and Permit2 take for "no limit", each by the width of its numbers; anything wider than the second is as much. */
const UNLIMITED = [2n ** 96n - 1n, 2n ** 160n - 1n] as const;

type Allowance = NonNullable<PromptPart["approval"]> & { chainId?: number | undefined };

/** Whom it lets take how much: `Lets 0x… take 250 USDC.` Everything, for ever, is said as such. */
export function allowanceWords({ token, spender, amount, chainId }: Allowance, reader: Reader): string {
  const texts = reader.texts.allowance;
  const [who, raw] = [addressWords(spender, reader), BigInt(amount)];
  const known = [reader.src, reader.dest, reader.arrives].find(
    (own) => own.address.toLowerCase() === token.toLowerCase() && (chainId === undefined || own.chainId === chainId),
  );
  const name = addressWords(token, reader);
  if (raw === 0n) return texts.nothing(who, name);
  if (raw === UNLIMITED[0] || raw >= UNLIMITED[1]) return texts.unlimited(who, name);
  return texts.some(who, known ? `${reader.amount(amount, known.decimals, "exact")} ${name}` : texts.raw(amount, name));
}

/** The same of a permit, and until when it can be used. */
export function permitWords({ deadline, ...permit }: NonNullable<Prompt["permit"]>, reader: Reader): string {
  return `${allowanceWords(permit, reader)} ${reader.texts.allowance.until(reader.time(deadline, false))}`;
}

/* What a refused value would have done. */

/** In words, from what was asked for and what came: `90 % less`, `ten years longer`, `to a stranger`. Null if unknown. */
export function consequenceOf({ field, expected, actual }: Check, reader: Reader): string | null {
  const words = reader.texts.consequences;
  const group = groupOf(field);
  const address = /0x[0-9a-fA-F]{40}\b/.exec(actual)?.[0];
  if (address && (group === "who" || group === "contract")) {
    const who = /^0x0+$/.test(address) ? words.nobody : (addressName(address, reader) ?? words.stranger);
    if (group === "who") return words.goesTo(who);
    return /spender|verifyingContract/.test(field) ? words.mayTake(who, reader.src.symbol) : words.isCalled(who);
  }
  if (address && group === "what" && /dest|toToken/i.test(field))
    return words.paidIn(addressName(address, reader) ?? words.unknownToken);
  if (/\.price$|\.loss$/.test(field)) {
    const share = /(\d+(?:\.\d+)?) %/.exec(actual)?.[1];
    return share ? words.worthLess(reader.percent(inBps(share))) : null;
  }
  const [asked, came] = [lastNumber(expected), lastNumber(actual)];
  if (asked === null || came === null || asked === came) return null;
  if (group === "until")
    return came > asked ? words.longer(span(came - asked, reader)) : words.shorter(span(asked - came, reader));
  if (group === "cost") return words.fee(reader.percent(came));
  if (group !== "amount" || asked === 0n) return null;
  const isPaid = /(srcAmount|fromAmount|maxSpent)$/i.test(field);
  const bps = ((came > asked ? came - asked : asked - came) * 10_000n) / asked;
  const size = bps === 0n ? words.aBit : reader.percent(bps);
  if (came < asked) return isPaid ? null : words.less(size);
  return isPaid ? words.more(size) : null;
}

function inBps(decimal: string): bigint {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.padEnd(2, "0").slice(0, 2));
}

/** `at least 33050472888673658` is that number. */
function lastNumber(text: string): bigint | null {
  const digits = /^\D*(\d+)$/.exec(text)?.[1];
  return digits === undefined || text.includes("0x") ? null : BigInt(digits);
}

const YEAR = 31_536_000n;

function span(secs: bigint, { duration, texts }: Reader): string {
  return secs < 2n * YEAR ? duration(Number(secs)) : texts.consequences.years(Number(secs / YEAR));
}

export interface RefusalWords {
  title: string;
  /** What it is about. */
  name: string;
  sentence: string;
  asked: string;
  received: string;
}

/** `Stopped. The service put 0xBAD… as receiver; you asked for 0xYOU….` */
export function refusalWords(error: TradeError, reader: Reader): RefusalWords {
  const texts = reader.texts.refusal;
  const { field = "", expected = texts.somethingElse, actual = texts.nothing } = error;
  // Addresses stand for themselves: which of them is whose is said below.
  const isSigned = isBeforeFee({ field }, reader);
  const read = (value: string): string =>
    isSigned
      ? valueOf(field, lessFee(value, reader), reader, true)
      : value.includes("0x")
        ? plain(value)
        : valueOf(field, value, reader);
  const name = nameOf(field, reader);
  const [asked, received] = [read(expected), read(actual)];
  const offer = offerWords(field, texts);
  if (offer) return { title: texts.cannotFill, name, sentence: texts.stopped(offer), asked, received };
  // `Stopped. This price is 20 % below the 30-minute price of 2 pools and price feeds.`
  if (field.endsWith(".price")) {
    const sentence = texts.stopped(texts.price(plain(briefPrice(error.actual ?? ""))));
    return { title: texts.tooLow, name, sentence, asked, received };
  }
  const put = isAllowed({ field, expected }, reader) ? texts.putBeyond : texts.put;
  const sentence = texts.stopped(put(shorter(received), name, shorter(asked)));
  return { title: texts.title, name, sentence, asked, received };
}

/** With several orders (`orders.0`, ...) it is one of them. */
function offerWords(field: string, { offers }: Texts["refusal"]): string | null {
  const [one, several] = offers[field.replace(/^orders\.\d+/, "order")] ?? [];
  return (field.startsWith("orders.") ? several : one) ?? null;
}

function shorter(value: string): string {
  return cut(value.replace(/0x[0-9a-fA-F]{40,}/g, short));
}
