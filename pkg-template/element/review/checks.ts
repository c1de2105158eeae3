// The checks of a report in groups, and what a refused value would have done. Nothing is decided here: what is refused was
// refused before.
import type { Check, Report } from "../../src/types/report.ts";
import { duration, percent } from "../format.ts";
import type { Words } from "../messages.ts";
import { BY_APP, isAddress, plain, type Reading } from "./reading.ts";

/** Groups of checks. */
export type GroupName = keyof Words["review"]["checks"]["groups"];

/** The checks of one subject. */
export interface CheckGroup {
  name: GroupName;
  checks: Check[];
  verdict: "ok" | "unusual" | "mismatch";
}

/** The first that fits counts; all others are of the contract and the form. */
const MEMBERS: readonly [GroupName, RegExp][] = [
  ["rules", /distance$|partnerAndFee|feeBps$|fee$|gasFee|AfterFee$|nonce$|loss$|maxImpact|quotedAmount$|\.length$/],
  ["price", /\.price$/],
  ["bridge", /bridge|minReceived$|^quote\.(origin|destination)/i],
  ["who", /owner|beneficiary|payee|receiver|\.from$|\.(maker|taker)$|signature$|handler$/i],
  ["amounts", /amount|token$|asset$|slice|interval|\.kind$|side$|deadline|expir|outcome|\.value$|decimals/i],
];

const BADNESS: readonly CheckGroup["verdict"][] = ["mismatch", "unusual", "ok"];

/** Whether a value cannot be judged from outside, or data is missing for it: neither passed nor failed. */
export const isOpen = ({ verdict }: Check): boolean => verdict === "opaque" || verdict === "unknown";

/** Whether the expected value is the interface's own, and nothing that the user asked for. */
export function isRule({ field, expected }: Pick<Check, "field" | "expected">, isOwnTime: boolean): boolean {
  if (/deadline|expir/i.test(field)) return !isOwnTime;
  return groupOf(field) === "rules" || BY_APP.test(expected) || expected === "at least 1";
}

/** Whether the receiver of a Market transaction is left out: the router pays the sender. */
export const isSender = ({ field, actual, verdict }: Check): boolean =>
  verdict === "ok" && /beneficiary$/.test(field) && /^0x0+$/.test(actual);

function groupOf(field: string): GroupName {
  return MEMBERS.find(([, pattern]) => pattern.test(field))?.[0] ?? "contract";
}

/** Every check that was made, in its group; the worst group first. */
export function groupsOf({ checks }: Report, isOwnTime: boolean): CheckGroup[] {
  const groups = new Map<GroupName, Check[]>();
  const names: GroupName[] = ["who", "amounts", "price", "bridge", "contract", "rules"];
  for (const name of names) groups.set(name, []);
  const made = checks.filter((check) => !isOpen(check));
  for (const check of made) groups.get(isRule(check, isOwnTime) ? "rules" : groupOf(check.field))?.push(check);
  const all = [...groups].filter(([, own]) => own.length > 0).map(([name, own]): CheckGroup => {
    const verdict = BADNESS.find((bad) => own.some((check) => check.verdict === bad)) ?? "ok";
    const isEmpty = name === "bridge" && own.every(({ actual }) => /^(0x)?0*$|^none$|^\d+ of 0x\w+ on \d+$/.test(actual));
    return { name: isEmpty ? "noBridge" : name, checks: own, verdict };
  });
  return all.sort((one, other) => BADNESS.indexOf(one.verdict) - BADNESS.indexOf(other.verdict));
}

/** How many checks were made, and passed; and how many could not be made. */
export function countsOf({ checks }: Report): Record<"judged" | "passed" | "unusual" | "failed" | "open", number> {
  const count = (verdict: Check["verdict"]): number => checks.filter((check) => check.verdict === verdict).length;
  const open = checks.filter(isOpen).length;
  return { judged: checks.length - open, passed: count("ok"), unusual: count("unusual"), failed: count("mismatch"), open };
}

/** The values that could not be judged, each subject once. */
export function openWords({ checks }: Report, { words }: Pick<Reading, "words">): string[] {
  const texts = words.review.checks;
  const isCrosschain = checks.some(({ field, verdict }) => field === "order.bridge.protocolData" && verdict === "opaque");
  return [...new Set(checks.filter(isOpen).map(({ field, actual, verdict }) => {
    if (verdict === "unknown") return texts.unknown(nameOf(field, words));
    if (/metadata$/.test(field)) return texts.metadata(Math.max(0, Math.ceil((actual.length - 2) / 2)));
    if (/scalingFactor$|minReceived$/.test(field) && isCrosschain) return texts.arrival;
    if (/bridge/.test(field)) return texts.bridge;
    return /^transaction\.data|^data\.|^orders$/.test(field) ? texts.route : texts.other(nameOf(field, words));
  }).map((text) => text.charAt(0).toUpperCase() + text.slice(1)))];
}

const NAMES: readonly [RegExp, keyof Words["review"]["checks"]["names"]][] = [
  [/beneficiary|receiver/, "receiver"],
  [/spender|verifyingContract/, "spender"],
  [/transaction\.to$/, "called"],
  [/deadline|expiry/, "deadline"],
  [/loss$/, "loss"],
  [/bridgeInput$/, "bridgeInput"],
  [/price$/, "price"],
  [/destAmount|minReceived|toAmount/, "least"],
  [/srcAmount|maxSpent|fromAmount|totalSrcAmount/i, "paid"],
  [/expectedAmount|quotedAmount/, "expected"],
  [/feeBps$|\.fee$/i, "fee"],
  [/owner$|\.from$/, "owner"],
  [/srcToken/, "srcToken"],
  [/destToken|outputToken/, "destToken"],
  [/chainId|network/i, "chain"],
  [/distance/, "distance"],
  [/nonce$/, "nonce"],
  [/\.kind$/, "kind"],
  [/^types$/, "types"],
  [/orderHash/, "hash"],
];

/** The name of a checked value; its path where it has none. */
export function nameOf(field: string, words: Words): string {
  const name = NAMES.find(([pattern]) => pattern.test(field))?.[1];
  return name ? words.review.checks.names[name] : plain(field);
}

/** The consequence of a refused value, had it been signed; null where it is not plain. */
export function consequenceOf({ field, expected, actual }: Pick<Check, "field" | "expected" | "actual">, reading: Reading): string | null {
  const texts = reading.words.review.consequences;
  const address = /0x[0-9a-fA-F]{40}\b/.exec(actual)?.[0];
  if (isAddress(address)) return addressed(field, address, reading);
  if (/\.(price|loss)$/.test(field)) {
    const share = /(\d+(?:\.\d+)?) % below/.exec(actual)?.[1];
    return share === undefined ? null : texts.worthLess(`${share} %`);
  }
  const [asked, came] = [lastNumber(expected), lastNumber(actual)];
  if (asked === null || came === null || asked === came) return null;
  const isLater = came > asked;
  if (/deadline|expir/i.test(field)) return texts[isLater ? "longer" : "shorter"](span(isLater ? came - asked : asked - came, reading));
  if (/feeBps$/.test(field)) return texts.fee(percent(Number(came)));
  return /amount|received|spent/i.test(field) && asked > 0n ? amounted(field, asked, came, reading) : null;
}

function addressed(field: string, address: string, { words, nameOf: named, sum, src }: Reading): string | null {
  const texts = words.review.consequences;
  const who = /^0x0+$/.test(address) ? texts.lost : (named(address) ?? texts.stranger);
  const symbol = sum("0", src, "exact").replace(/^\S+ /, "");
  if (/spender|verifyingContract/.test(field)) return texts.mayTake(who, symbol);
  if (/transaction\.to$/.test(field)) return texts.isCalled(who);
  if (/destToken|outputToken|toToken/i.test(field)) return texts.paidIn(named(address) ?? texts.unknownToken);
  return groupOf(field) === "who" ? texts.goesTo(who) : null;
}

function amounted(field: string, asked: bigint, came: bigint, { words }: Reading): string | null {
  const texts = words.review.consequences;
  const isPaid = /(srcAmount|fromAmount|maxSpent)$/i.test(field);
  if (came > asked !== isPaid) return null;
  const bps = Number(((isPaid ? came - asked : asked - came) * 10_000n) / asked);
  return texts[isPaid ? "more" : "less"](bps === 0 ? texts.aBit : percent(bps));
}

/** `at least 33050472888673658` is that number. */
function lastNumber(text: string): bigint | null {
  const digits = /^\D*(\d+)$/.exec(text)?.[1];
  return digits === undefined || text.includes("0x") ? null : BigInt(digits);
}

const YEAR = 31_536_000n;

function span(secs: bigint, { words }: Reading): string {
  return secs < 2n * YEAR ? duration(Number(secs)) : words.review.consequences.years(Number(secs / YEAR));
}
