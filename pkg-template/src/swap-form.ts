// The form of a swap: its text as amounts, its faults, the request of its price and the terms of its trade. All of it works
// before the module is there, because the first price leaves before that; the module reads the request again.
import { NATIVE_TOKEN, parseAddress } from "verified-swap";
import { membersOf } from "./module.ts";
import type { Address, Amount, BuildOptions, Quote, StatedPrice, StatedTime, TradeOptions, WatchedRequest } from "./types.ts";
import type { SwapFault, SwapForm, SwapToken } from "./types/swap.ts";

type Reason = SwapFault["reason"];
type Read = { readonly amount: Amount; readonly reason: null } | { readonly amount: null; readonly reason: Reason };
/** The options of a trade that the form states. */
export type Terms = StatedPrice & StatedTime & Pick<TradeOptions, "permit" | "preSign" | "advanced"> &
  Pick<BuildOptions, "coverOpenOrders" | "acceptUnguaranteedArrival" | "type" | "partiallyFillable">;

const MOST = 2n ** 256n;
/** Longer than any amount with its decimals and groups. */
const LONGEST_TEXT = 200;
const [FEWEST_SLICES, MOST_SLICES] = [2, 100];
/** Seconds that slices get beyond their plan. */
const SLICES_MARGIN_SECS = 600;
/** The most characters of a symbol in a request. */
const LONGEST_SYMBOL = 64;
/** Kinds of permit that the router does not take. */
const DELTA_ONLY: readonly unknown[] = ["permit2Allowance", "permit2Existing"];

/** Groups of three digits, or of two before the last as in India. */
const GROUPED = /^\d*$|^\d{1,3}([.,'])\d{3}(?:\1\d{3})*$|^\d{1,2}([,'])(?:\d{2}\2)+\d{3}$/;

/** The form before anything is typed. */
export const EMPTY_FORM: Omit<SwapForm, "src" | "dest"> = {
  side: "SELL", amount: "", kind: "swap", path: "gasless", chosen: null, route: null, acceptsPromise: false, receiver: null,
  slippageBps: 50, permit: "never", preSign: false,
  limit: { by: "price", text: "", validForSecs: 86_400, partiallyFillable: false },
  slices: { count: "4", intervalSecs: 300, most: "" },
};

/** 0 to 9 of a digit of any script: Unicode keeps the ten of a script in a row. */
function digitOf(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && /\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value++;
  return String(value);
}

/**
 * A number as people write it (`1,000.5`, `1 000,5`, in any digits) as plain decimal text; null if it is none. `1,000` could
 * be one or a thousand, and is none.
 */
export function readDecimal(text: string): string | null {
  // "²" is no digit of a number, but would become one.
  if (/\p{No}/u.test(text)) return null;
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "").trim().replace(/\p{Nd}/gu, digitOf)
    .replace(/[\s’‘ʼ'`]+/g, "'").replaceAll("٫", ".").replaceAll("٬", ",");
  const marks: string[] = plain.match(/[.,]/g) ?? [];
  const last = marks.at(-1);
  const isPoint = last !== undefined && marks.filter((mark) => mark === last).length === 1;
  const [whole = "", fraction = ""] = isPoint ? plain.split(last) : [plain];
  const isUnclear = marks.length === 1 && /^[1-9]\d{0,2},\d{3}$/.test(plain);
  if (isUnclear || !GROUPED.test(whole) || !/^\d*$/.test(fraction) || !/\d/.test(plain)) return null;
  const digits = whole.replace(/\D/g, "").replace(/^0+(?=\d)/, "") || "0";
  return fraction ? `${digits}.${fraction}` : digits;
}

/** An amount in raw units; zero counts as nothing typed. */
export function readUnits(text: string, decimals: number): Read {
  const fails = (reason: Reason): Read => ({ amount: null, reason });
  if (text.length > LONGEST_TEXT) return fails("tooLong");
  if (!text.trim()) return fails("empty");
  const [whole, fraction = ""] = readDecimal(text)?.split(".") ?? [];
  if (whole === undefined) return fails("notNumber");
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > decimals) return fails("tooManyDecimals");
  const units = BigInt(whole + digits.padEnd(decimals, "0"));
  if (units >= MOST) return fails("tooLong");
  return units ? { amount: String(units), reason: null } : fails("empty");
}

/** An amount as text that `readUnits` reads as the same. */
export function typedUnits(amount: Amount, decimals: number): string {
  const digits = amount.padStart(decimals + 1, "0");
  const point = digits.length - decimals;
  return `${digits.slice(0, point)}.${digits.slice(point)}`.replace(/\.?0*$/, "");
}

/** The name of a balance. */
export const balanceKey = ({ chainId, address }: Pick<SwapToken, "chainId" | "address">) => `${chainId}/${address}`;
export const isNative = ({ address }: SwapToken) => isSame(address, NATIVE_TOKEN);
export const isCrosschain = ({ src, dest }: Pick<SwapForm, "src" | "dest">) => src.chainId !== dest.chainId;
export const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();

/** The amount of the fixed side. */
export const amountOf = ({ side, amount, src, dest }: SwapForm): Read => readUnits(amount, (side === "SELL" ? src : dest).decimals);

/** The address with its checksum, once the module can make it. */
export function checked(address: Address): Address {
  try {
    return parseAddress(address);
  } catch {
    return address;
  }
}

/** The limit as plain decimal text, and, unless it is a price, as an amount of the other side. */
function limitOf({ limit, side, src, dest }: SwapForm): Read & { text: string } {
  const text = readDecimal(limit.text) ?? "";
  if (limit.by === "amount") return { ...readUnits(limit.text, (side === "SELL" ? dest : src).decimals), text };
  const reason = limit.text.length > LONGEST_TEXT ? "tooLong"
    : !limit.text.trim() ? "empty"
    : !text ? "notNumber"
    : !/[1-9]/.test(text) && "empty";
  return reason ? { amount: null, reason, text } : { amount: "", reason: null, text };
}

const sliceCountOf = ({ slices: { count } }: SwapForm): number | null => {
  const value = /^\d{1,6}$/.test(count.trim()) ? Number(count) : 0;
  return value >= FEWEST_SLICES && value <= MOST_SLICES ? value : null;
};

/** The receiver, its checksum checked; null: the account. Until the module is there, it is the module that checks it later. */
function receiverOf({ receiver, src, dest }: SwapForm): { address: string | null; reason: Reason | null } {
  const text = receiver?.trim() ?? null;
  const fails = (reason: Reason) => ({ address: null, reason });
  if (text === null) return { address: null, reason: null };
  if (text === "") return fails("empty");
  if (!/^0x[\da-f]{40}$/i.test(text)) return fails("notAddress");
  if ([src, dest].some(({ address }) => isSame(address, text))) return fails("isToken");
  try {
    return { address: parseAddress(text), reason: null };
  } catch (error) {
    return membersOf(error)?.field === "init" ? { address: text, reason: null } : fails("wrongChecksum");
  }
}

/** All faults of the form. `pays`: the most that the account pays now; `held`: its balance. Null where not known. */
export function faultsOf(form: SwapForm, pays: Amount | null, held: Amount | null): SwapFault[] {
  const { kind, side, src, dest, slices } = form;
  const faults: SwapFault[] = [];
  const add = (field: SwapFault["field"], reason: Reason | null | false) => void (reason && faults.push({ field, reason }));
  add("pair", !isCrosschain(form) && isSame(src.address, dest.address) && "sameToken");
  add("pair", kind !== "swap" && isCrosschain(form) && "crosschainKind");
  add("amount", amountOf(form).reason);
  add("amount", pays !== null && held !== null && BigInt(pays) > BigInt(held) && "tooMuch");
  add("receiver", receiverOf(form).reason);
  if (kind === "limit") add("limit", limitOf(form).reason);
  if (kind === "slices") add("slices", !slices.count.trim() ? "empty" : sliceCountOf(form) === null && "sliceCount");
  if (kind === "slices" && side === "BUY") add("most", readUnits(slices.most, src.decimals).reason);
  return faults;
}

/** Whether there is a price of the form all the same: a limit, and the most of slices, are for its trade alone. */
const isPriceless = ({ field, reason }: SwapFault) => reason !== "tooMuch" && field !== "limit" && field !== "most";

/**
 * The request of the form's price; null while there is none. It names no account: a price is good for all of them, and is
 * there before the wallet. `maxLossBps`: the loss that the user accepted.
 */
export function requestOf(form: SwapForm, maxLossBps: number | null): WatchedRequest | null {
  const { amount } = amountOf(form);
  if (amount === null || faultsOf(form, null, null).some(isPriceless)) return null;
  const { src, dest, side, kind, path, slices } = form;
  const receiver = receiverOf(form).address;
  const request = {
    chainId: src.chainId, srcToken: src.address, destToken: dest.address, amount, srcDecimals: src.decimals, destDecimals: dest.decimals,
    side, srcSymbol: symbolOf(src), destSymbol: symbolOf(dest),
    ...(isCrosschain(form) && { destChainId: dest.chainId }),
    ...(receiver && isHex(receiver) && { beneficiary: receiver }),
    ...(maxLossBps !== null && { maxLossBps }),
  };
  if (kind === "slices") return { ...request, numSlices: sliceCountOf(form) ?? 0, intervalSecs: slices.intervalSecs };
  if (kind === "limit") return request;
  if (isCrosschain(form) || path === "gasless") return { ...request, mode: "ALL" };
  return path === "best" ? { ...request, mode: "BOTH" } : { ...request, mode: "MARKET" };
}

const isHex = (text: string): text is Address => text.startsWith("0x");

/** The symbol of a listed token; that of any other is its own word. */
const symbolOf = ({ symbol, isUnlisted }: SwapToken) =>
  isUnlisted || !symbol ? undefined : [...symbol].slice(0, LONGEST_SYMBOL).join("");

/** The options of the trade of a quote, as the form states them. */
export function termsOf(form: SwapForm, quote: Quote): Terms {
  const { kind, permit, preSign, slippageBps, limit, slices, side, src } = form;
  const isPermitted = kind === "swap" && !preSign && !(quote.kind === "market" && DELTA_ONLY.includes(permit));
  const spending = { permit: isPermitted ? permit : "never" } as const;
  if (quote.kind === "market") return { ...spending, slippageBps };
  const isPromised = routeOf(quote, form.route).arrival === "promised";
  const order = {
    ...spending, preSign,
    // A smaller approval would take away from an older order.
    ...(spending.permit === "never" && { coverOpenOrders: true }),
    ...(isPromised && form.acceptsPromise && { acceptUnguaranteedArrival: true }),
  };
  if (kind === "limit") {
    const { amount, text } = limitOf(form);
    const bound = limit.by === "price" ? { limitPrice: text } : { limitAmount: amount ?? "" };
    return { ...order, ...bound, type: "LIMIT", validForSecs: limit.validForSecs, partiallyFillable: limit.partiallyFillable };
  }
  if (quote.twap) {
    const bound = side === "BUY" ? { maxSrcAmount: readUnits(slices.most, src.decimals).amount ?? "" } : { slippageBps };
    return { ...order, ...bound, validForSecs: quote.twap.numSlices * quote.twap.intervalSecs + SLICES_MARGIN_SECS };
  }
  return { ...order, slippageBps, ...(form.route !== null && { advanced: { route: form.route } }) };
}

/** The route of a gasless quote that is taken: an alternative, or its own. */
function routeOf(quote: Quote, route: number | null) {
  if (quote.kind === "market") return { bridge: null, arrival: null };
  return (route === null ? null : quote.alternatives[route]) ?? quote;
}

/** The name of the bridge that is taken; null on one chain. */
export const bridgeOf = (quote: Quote, route: number | null): string | null => routeOf(quote, route).bridge?.protocol ?? null;

/** The form with a newer price: the same bridge is taken, and another one is another one to trust. */
export function withPrice(form: SwapForm, before: Quote | null, next: Quote): Pick<SwapForm, "route" | "acceptsPromise"> {
  const was = before && bridgeOf(before, form.route);
  const place = next.kind === "delta" ? next.alternatives.findIndex((_, at) => bridgeOf(next, at) === was) : -1;
  const route = form.route === null || place < 0 ? null : place;
  return { route, acceptsPromise: form.acceptsPromise && bridgeOf(next, route) === was };
}
