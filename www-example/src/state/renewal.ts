import { isNoWorse, type Amount, type DeltaBuild, type Quote } from "verified-swap";
import { messages } from "../messages/en.ts";
import { exact, rounded } from "./money.ts";
import { isPriced, type Build, type Moved, type Priced, type State } from "./state.ts";
import { gasShareBps, MARKED_BPS } from "./worse.ts";

/* What a newer price changes of a review. */

/** What would be signed or sent, as one text. */
export function digestOf({ report: { digest, sentence } }: Build): string {
  return digest ?? sentence;
}

/** The digest that the review began with: a renewed build is the same review. */
export function reviewOf({ renewed }: State, build: Build): string {
  const digest = digestOf(build);
  return renewed?.digest === digest ? renewed.first : digest;
}

/** What the user is asked about; null once something else is under review. */
export function movedOf({ moved, build }: State): Moved | null {
  return moved && moved.from === build ? moved : null;
}

/**
 * Why a newer build does not take the place of the one under review unasked; null: it does. Not counted: what moves by
 * itself (the deadline, as much later; a number used once) and what the package has checked against the order (route,
 * method, the expected amount where the order bounds what arrives).
 */
export function changeOf(before: Priced, next: Priced): "worse" | "other" | null {
  if (confirmed(before) !== confirmed(next)) return "other";
  if (!isNoWorse(next, before)) return "worse";
  return isAllowedToo(next, before) ? null : "other";
}

/** Whether gas that the user pays takes a share that is marked, and twice what it was; or is not known any more. */
export function isGasDearer(before: Quote | null, next: Quote): boolean {
  if (next.kind !== "market") return false;
  const [was, is] = [before && gasShareBps(before), gasShareBps(next)];
  return is === null ? was !== null : is >= MARKED_BPS && is > 2 * (was ?? 0);
}

/** All that the user confirms beside amounts and times. */
function confirmed(build: Priced): string {
  const { kind, owner, request, beneficiary, spender, feeBps } = build;
  const shared = [kind, owner, request, beneficiary, spender, feeBps];
  if (build.kind === "market") return JSON.stringify(shared);
  const { type, orderKind, destination, typedData } = build;
  const { protocolSelector } = (typedData.message["bridge"] ?? {}) as { protocolSelector?: string };
  const there = destination && [destination.chainId, destination.token, destination.arrival, destination.bridgeInput.token];
  return JSON.stringify([...shared, type, orderKind, protocolSelector, there]);
}

/** Whether nothing has to be approved beyond what the review shows. */
function isAllowedToo({ approval: next }: Priced, { approval: before }: Priced): boolean {
  if (!next) return true;
  return (
    before !== null &&
    next.token === before.token &&
    next.spender === before.spender &&
    next.resetFirst === before.resetFirst &&
    BigInt(next.amount) <= BigInt(before.amount)
  );
}

/** The question, with the amount that bounds the trade; without one where that is not what differs. */
export function movedWords(state: State): string | null {
  const moved = movedOf(state);
  if (!moved) return null;
  const { worse, other } = messages.review.moved;
  if (changeOf(moved.from, moved.build) !== "worse") return other;
  const bound = boundOf(moved.build);
  const [[now, nowExact], [was, wasExact]] = [boundWords(state, moved.build), boundWords(state, moved.from)];
  // What is less by a digit that is not shown is less.
  return now === was ? worse[bound](nowExact, wasExact) : worse[bound](now, was);
}

/** The bound of a build that took the place of the one under review, where that is better; else null. */
export function renewedWords(before: State, now: State): string | null {
  if (!now.renewed || now.renewed === before.renewed || !isPriced(before.build) || !isPriced(now.build)) return null;
  const [was] = boundWords(before, before.build);
  const [is] = boundWords(now, now.build);
  return was === is ? null : messages.review.moved.better[boundOf(now.build)](is);
}

/** Which bound the words are about. */
function boundOf(build: Priced): "SELL" | "BUY" | "promised" {
  return build.kind === "delta" && build.destination?.minReceived === null ? "promised" : build.request.side;
}

/** The least that is received, or the most that is paid, as the review shows it, and with all its digits. */
function boundWords(state: State, build: Priced): [rounded: string, exact: string] {
  const { src, dest } = state.pair ?? state;
  const sells = build.request.side === "SELL";
  const arrives = build.kind === "delta" ? arrivalOf(build) : null;
  const { symbol, decimals } = sells ? dest : src;
  const amount = sells ? (arrives ?? build.minReceived) : build.maxSpent;
  return [`${rounded(amount, decimals, sells ? "down" : "up")} ${symbol}`, `${exact(amount, decimals)} ${symbol}`];
}

/** The least that arrives on another chain; where no order bounds it, what the bridge promises. */
function arrivalOf({ destination }: DeltaBuild): Amount | null {
  return destination?.minReceived ?? destination?.expected ?? null;
}
