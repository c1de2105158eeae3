import type { Check, Report } from "verified-swap";
import { messages } from "../messages/en.ts";
import { formatDuration, formatMoment, formatTime } from "./format.ts";
import { afterFee, dollars, exact, percent, rounded, type Rounding } from "./money.ts";
import { chainName, isNative, short, tokenAt, type State } from "./state.ts";
import type { Token } from "../sandbox/sandbox.ts";

/* The package's checks in the user's words: what each is about, in which of six groups it belongs, and its values as a
   person reads them. */

export const GROUPS = ["who", "what", "amount", "until", "cost", "contract", "other"] as const;
export type GroupName = (typeof GROUPS)[number];

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
  /** `mismatch` if one failed; else `unusual` if one is, or the user is asked about one; else `ok`. */
  verdict: "ok" | "unusual" | "mismatch";
}

/** Every check of a report in its group: none is dropped, and groups without one are left out. */
export function groupsOf({ checks, questions }: Report): CheckGroup[] {
  return GROUPS.map((name) => {
    const own = checks.filter(({ field }) => groupOf(field) === name);
    const has = (verdict: Check["verdict"]): boolean => own.some((check) => check.verdict === verdict);
    const isUnusual = has("unusual") || questions.some(({ field }) => groupOf(field) === name);
    return { name, checks: own, verdict: has("mismatch") ? "mismatch" : isUnusual ? "unusual" : "ok" } as const;
  }).filter(({ checks: own }) => own.length > 0);
}

/** The failed checks, the worst first: who gets it, and who may take it, before how much, until when and at what cost. */
export function failedChecks({ checks }: Report): Check[] {
  const rank: readonly GroupName[] = ["who", "contract", "amount", "what", "until", "cost", "other"];
  const place = ({ field }: Check): number => rank.indexOf(groupOf(field));
  return checks.filter(({ verdict }) => verdict === "mismatch").toSorted((one, other) => place(one) - place(other));
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
    ...new Set(checks.filter(fits).map(({ field }) => field.split(".").at(-1) ?? field)),
  ];
  return {
    bounded: names((check) => check.verdict === "opaque" && !isBridge(check)),
    bridge: names((check) => check.verdict === "opaque" && isBridge(check)),
    unknown: names(({ verdict }) => verdict === "unknown"),
  };
}

/** How many were judged: what nobody can judge has not passed, and has not failed. */
export function countJudged({ checks }: Report): number {
  return checks.filter(({ verdict }) => verdict !== "opaque" && verdict !== "unknown").length;
}

/** How many are as asked for, or are so and so. */
export function counted({ checks }: Report, verdict: Check["verdict"] = "ok"): number {
  return checks.filter((check) => check.verdict === verdict).length;
}

const NAMES: readonly [RegExp, string][] = [
  [/beneficiary|receiver/, messages.review.names.receiver],
  [/spender|verifyingContract/, messages.review.names.spender],
  [/transaction\.to$/, messages.review.names.called],
  [/deadline|expiry/, messages.review.names.deadline],
  [/remaining/, messages.review.names.remaining],
  [/loss|price$/, messages.review.names.price],
  [/quote\.(destAmount|origin\.output|destination\.input)/, messages.review.names.toReceive],
  [/destAmount|minReceived|toAmount|fill\.makerAmount/, messages.review.names.least],
  [/srcAmount|maxSpent|fromAmount|totalSrcAmount/i, messages.review.names.paid],
  [/expectedAmount|quotedAmount/, messages.review.names.expected],
  [/fee/i, messages.review.names.fee],
  [/owner|\.from$/, messages.review.names.owner],
  [/srcToken/, messages.review.names.srcToken],
  [/destToken|outputToken/, messages.review.names.destToken],
  [/chainId|network/i, messages.review.names.chain],
  [/distance/, messages.review.names.distance],
  [/nonce$/, messages.review.names.nonce],
  [/types$/, messages.review.names.types],
  [/orderHash/, messages.review.names.hash],
];

/** What a field is, in words; its path where nobody gave it a name. */
export function nameOf(field: string): string {
  return NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? field;
}

/** What values are read by: the page's state, and the tokens that the checks are about. */
export interface Reader {
  state: State;
  src: Token;
  dest: Token;
}

export function readerOf(state: State, report?: Report): Reader {
  const { src, dest } = state.pair ?? state;
  const chainId = state.build?.chainId ?? state.chain.chainId;
  // Across chains an order ends on the source chain, in a token of its own.
  const ends = report?.checks.find(({ field }) => field === "order.destToken")?.expected;
  return { state, src, dest: ends ? tokenAt(state.chains, chainId, ends) : dest };
}

/** A price against its references, without what is for who looks closer: how long pools were deep, and what each says. */
export const briefPrice = (words: string): string => words.replace(/ \((depth [^()]*\)|[^()]*\)$)/g, "");

/** A value as a person reads it: amounts in whole tokens, times as times, addresses with their names. */
export function valueOf(field: string, value: string, reader: Reader, brief = false): string {
  const { state } = reader;
  if (/chainId$|network$|Chain$/i.test(field)) return value.replace(/^\d+$/, (id) => chainName(state, Number(id)));
  if (/deadline|expir/i.test(field)) return value.replace(/\b\d{9,12}\b/g, (secs) => momentOf(Number(secs), brief));
  if (/interval$/.test(field)) return value.replace(/^\d+$/, (secs) => formatDuration(Number(secs)));
  if (/feeBps$/i.test(field)) return value.replace(/\d+$/, (bps) => percent(Number(bps)));
  if (/distance$/.test(field)) return value.replace(/(\d+) bps/, (_, bps: string) => percent(BigInt(bps)));
  if (/\.kind$/.test(field)) return messages.review.kinds[value] ?? value;
  if (/\.(price|loss)$/.test(field)) {
    const said = (brief ? briefPrice(value) : value).replace("the references", messages.prices.chain);
    return said.replace(/(\d+(?:\.\d+)?) USD\b/g, (whole, decimal: string) => dollars(decimal) ?? whole);
  }
  if (/numSlices$/.test(field)) return messages.review.slices(value);
  if (/PerSlice$/.test(field)) return messages.review.each(inAmounts(value, reader.dest, brief, "down"));
  if (/outputToken$/.test(field) && brief) return arrivalOf(value, reader);
  const token = tokenOf(field, reader);
  if (token) return inAmounts(value, token, brief, token === reader.src ? "up" : "down");
  const named = value.replace(/0x[0-9a-fA-F]{40}\b/g, (address) => addressWords(address, state, brief));
  return brief ? named.replace(/ \(.*\)$/, "").replace(/0x[0-9a-fA-F]{41,}/g, short) : named;
}

/** What arrives on another chain, which is not what the order ends in. */
function arrivalOf(address: string, { state }: Reader): string {
  const { dest } = state.pair ?? state;
  const isIt = address.toLowerCase() === dest.address.toLowerCase();
  return isIt ? messages.review.on(dest.symbol, chainName(state, dest.chainId)) : short(address);
}

/** What is paid is rounded up, what is received down: nothing looks better than it is. */
function inAmounts(value: string, { decimals, symbol }: Token, brief: boolean, rounding: Rounding): string {
  const inUnits = (raw: string): string => (brief ? rounded(raw, decimals, rounding) : exact(raw, decimals));
  return value.replace(/\b\d+\b/g, (raw) => `${inUnits(raw)} ${symbol}`);
}

/** A value before the fee as it arrives: one least in all that is read at first sight. */
export function lessFee(value: string, state: State): string {
  return value.replace(/\b\d+\b/g, (raw) => afterFee(raw, feeOf(state)));
}

/** Whether what is expected of a field is a bound of this page or the package, and nothing that the user said. */
export function isAllowed({ field, expected }: Pick<Check, "field" | "expected">, { tab }: Pick<State, "tab">): boolean {
  const isOwnTime = tab === "limit" || tab === "otc";
  if (/deadline|expir/i.test(field)) return !isOwnTime;
  if (/chainId$/i.test(field)) return false;
  const isBound = /fee|(price|loss|distance)$|nonce$|spender|verifyingContract|transaction\.to$|^domain|^types|Hash$/i;
  return isBound.test(field) || expected === "at least 1";
}

/** What is received as it is signed: the fee is taken from it afterwards. */
export function isBeforeFee({ field }: Pick<Check, "field">, state: State): boolean {
  return /^order\.(destAmount|destAmountPerSlice|totalDestAmount)$|\.toAmount$/.test(field) && feeOf(state) > 0;
}

/** Of what is reviewed; of what was refused, by its price. */
function feeOf({ build, quote }: State): number {
  return build ? ("feeBps" in build ? build.feeBps : 0) : (quote?.feeBps ?? 0);
}

function momentOf(secs: number, brief: boolean): string {
  const date = new Date(secs * 1000);
  return brief ? formatTime(date) : formatMoment(date);
}

/** The token whose units a field counts; null if it counts none. */
function tokenOf(field: string, { state, src, dest }: Reader): Token | null {
  const paid = state.side === "SELL" ? dest : src;
  if (/bridgeInput|length|factor|distance/i.test(field)) return null;
  if (/minReceived$/.test(field)) return (state.pair ?? state).dest;
  if (/(srcAmount|fromAmount|maxSpent|SrcAmount|SrcAmountAfterFee|minBridgeInput)$/i.test(field)) return src;
  if (/(destAmount|toAmount|fill\.makerAmount|remaining|makerBalance|makerAllowance|destAmountAfterFee)$/i.test(field))
    return dest;
  if (/(expectedAmount|quotedAmount)$/.test(field)) return paid;
  if (/^(permit|allowance|transaction)\.amount$/.test(field)) return src;
  if (/withdrawal\.amount|transaction\.value$/.test(field)) return state.chain.tokens.find(isNative) ?? null;
  return null;
}

/** `You, 0xf39F…2266`: with the name by which this page knows an address. */
export function addressWords(address: string, state: State, brief = false): string {
  const name = addressName(address, state);
  const shown = brief ? short(address) : address;
  const isToken = state.chains.some(({ tokens }) => tokens.some(({ symbol }) => symbol === name));
  return name === null ? shown : brief && isToken ? name : `${name}, ${shown}`;
}

export function addressName(address: string, { account, chains }: State): string | null {
  const is = (other: string | null | undefined): boolean => other?.toLowerCase() === address.toLowerCase();
  if (is(account)) return messages.review.you;
  for (const { delta, router, rfq, permit2, tokens } of chains) {
    const contracts: [string | undefined, string][] = [
      [delta, messages.review.contracts.delta],
      [router, messages.review.contracts.router],
      [rfq, messages.review.contracts.rfq],
      [permit2, messages.review.contracts.permit2],
    ];
    const known = contracts.find(([one]) => is(one))?.[1] ?? tokens.find((token) => is(token.address))?.symbol;
    if (known) return known;
  }
  return null;
}

/* What a refused value would have done. */

/** In words, from what was asked for and what came: `90 % less`, `ten years longer`, `to a stranger`. Null if unknown. */
export function consequenceOf(check: Check, state: State): string | null {
  const { field, expected, actual } = check;
  const words = messages.review.consequences;
  const group = groupOf(field);
  const address = /0x[0-9a-fA-F]{40}\b/.exec(actual)?.[0];
  if (address && (group === "who" || group === "contract")) {
    const name = addressName(address, state);
    const who = /^0x0+$/.test(address) ? words.nobody : name ? words.somebody(name) : words.stranger;
    if (group === "who") return words.goesTo(who);
    return /spender|verifyingContract/.test(field) ? words.mayTake(who, (state.pair ?? state).src.symbol) : words.isCalled(who);
  }
  if (address && group === "what" && /dest|toToken/i.test(field))
    return words.paidIn(addressName(address, state) ?? words.unknownToken);
  const [asked, came] = [lastNumber(expected), lastNumber(actual)];
  if (/\.price$|\.loss$/.test(field)) {
    const share = /(\d+(?:\.\d+)?) %/.exec(actual)?.[1];
    return share ? words.worthLess(percentOf(share)) : null;
  }
  if (asked === null || came === null || asked === came) return null;
  if (group === "until") return came > asked ? words.longer(span(came - asked)) : words.shorter(span(asked - came));
  if (group !== "amount" && group !== "cost") return null;
  if (group === "cost") return words.fee(percent(came));
  const isPaid = /(srcAmount|fromAmount|maxSpent)$/i.test(field);
  if (asked === 0n) return null;
  const bps = ((came > asked ? came - asked : asked - came) * 10_000n) / asked;
  const size = bps === 0n ? words.aBit : percent(bps);
  if (came < asked) return isPaid ? null : words.less(size);
  return isPaid ? words.more(size) : null;
}

function percentOf(decimal: string): string {
  const [whole = "0", fraction = ""] = decimal.split(".");
  return percent(BigInt(whole + fraction.padEnd(2, "0").slice(0, 2)));
}

/** `at least 33050472888673658` is that number. */
function lastNumber(text: string): bigint | null {
  const digits = /^\D*(\d+)$/.exec(text)?.[1];
  return digits === undefined || text.includes("0x") ? null : BigInt(digits);
}

const YEAR = 31_536_000n;

function span(secs: bigint): string {
  return secs < 2n * YEAR ? formatDuration(Number(secs)) : messages.review.consequences.years(Number(secs / YEAR));
}
