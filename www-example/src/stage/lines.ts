import type { Check, Report } from "verified-swap";
import type { SwapFigures, SwapRefusal, SwapReview, SwapToken } from "verified-swap/swap";
import { clock, rounded, shortAddress, type Rounding } from "../../../pkg-template/element/format.ts";

/* The lines of the card: of a review by its figures, of a refusal by its own report. Nothing here is known from elsewhere. */

/** A line of the card; `built` is null where it is as asked. */
export interface Line {
  name: string;
  asked: string;
  built: string | null;
}

/** The report of a trade as it is drawn. */
export interface Drawn {
  lines: Line[];
  /** The checks that were judged, in order: whether each passed. */
  ticks: boolean[];
}

type Figures = SwapFigures | null;
type Names = keyof typeof FIELDS;

/** The fields of a line, in reports of orders, transactions and quotes. */
const FIELDS = {
  Pay: /(srcAmount|totalSrcAmount|fromAmount)$/,
  "Get ≥": /(order|data)\.(destAmount|totalDestAmount|toAmount)$/,
  To: /\.beneficiary$/,
  Until: /\.deadline$/,
  Contract: /(spender|verifyingContract|transaction\.to)$/,
  Token: /destToken$/,
  Price: /\.price$/,
};
const ADDRESS = /0x[0-9a-fA-F]{40}/;

/** A review: all is as asked. */
export function drawnReview({ build: { report }, figures }: SwapReview, tokens: readonly SwapToken[]): Drawn {
  return { lines: factsOf(report, figures, tokens), ticks: ticksOf(report) };
}

/** A refusal: the line that the error names has another value than was asked for. */
export function drawnRefusal({ error, figures }: SwapRefusal, tokens: readonly SwapToken[]): Drawn {
  const { field = "", expected = "", actual = "", report } = error;
  const checks = report?.checks ?? [];
  const names = Object.keys(FIELDS) as Names[];
  const name = names.find((one) => FIELDS[one].test(field)) ?? field;
  const write = writer(checks, figures, tokens);
  const below = /^\d[\d.]* % below/.exec(actual)?.[0] ?? actual;
  const differs: Line =
    name === "Price" ? { name, asked: "market", built: below } : { name, asked: write(name, expected), built: write(name, actual) };
  // The least amount of a price that is too low was computed from it.
  const facts = factsOf(report, figures, tokens).filter((line) => line.name !== name && !(name === "Price" && line.name === "Get ≥"));
  const place = name === "Pay" ? 0 : name === "Get ≥" ? 1 : 2;
  return { lines: [...facts.slice(0, place), differs, ...facts.slice(place)].slice(0, 4), ticks: ticksOf(report) };
}

/** Values that could not be judged are no ticks. */
function ticksOf(report: Report | undefined): boolean[] {
  const judged = report?.checks.filter(({ verdict }) => verdict !== "opaque" && verdict !== "unknown") ?? [];
  return judged.map(({ verdict }) => verdict !== "mismatch");
}

/** The amounts that are paid and received, by whom and until when; without what is not known. */
function factsOf(report: Report | undefined, figures: Figures, tokens: readonly SwapToken[]): Line[] {
  const checks = report?.checks ?? [];
  const write = writer(checks, figures, tokens);
  const find = (name: Names): Check | undefined => checks.find(({ field, verdict }) => FIELDS[name].test(field) && verdict === "ok");
  const to = find("To");
  const values: [Names, string | null | undefined][] = [
    ["Pay", figures?.payAtMost ?? find("Pay")?.actual],
    ["Get ≥", figures?.getAtLeast ?? figures?.get],
    // A router pays the sender where a transaction names none.
    ["To", figures?.receiver ?? (/0x0{40}$/.test(to?.actual ?? "") ? to?.expected : to?.actual)],
    ["Until", figures?.until?.toString() ?? find("Until")?.actual],
  ];
  const lines = values.map(([name, value]) => (value ? { name, asked: write(name, value, true), built: null } : null));
  return lines.filter((line) => line !== null);
}

/** Writes values of one trade's fields as element does: amounts after the fee, times by the visitor's clock. */
function writer(checks: readonly Check[], figures: Figures, tokens: readonly SwapToken[]) {
  const expected = (field: RegExp): string | undefined => checks.find((check) => field.test(check.field))?.expected;
  const owner = figures?.receiver ?? expected(/\.owner$/) ?? expected(FIELDS.To);
  const feeBps = Number(/^\d+$/.exec(checks.find(({ field }) => field.endsWith("feeBps"))?.actual ?? "")?.[0] ?? 0);
  const sum = (raw: string, address: string | undefined, rounding: Rounding): string => {
    const token = tokens.find((one) => one.address.toLowerCase() === address?.toLowerCase());
    return token ? `${rounded(raw, token.decimals, rounding)} ${token.symbol}` : raw;
  };
  const paid = figures?.src.token ?? expected(/srcToken$/);
  const received = figures?.dest.token ?? expected(/destToken$/);
  const named = (name: string, address: string): string => {
    const token = name === "Token" ? tokens.find((one) => one.address.toLowerCase() === address.toLowerCase()) : null;
    if (token) return token.symbol;
    return name === "To" && address.toLowerCase() === owner?.toLowerCase() ? `You, ${shortAddress(address)}` : shortAddress(address);
  };
  return (name: string, value: string, isAfterFee = false): string => {
    const digits = /\d+$/.exec(value)?.[0];
    if (name === "Pay" && digits) return sum(digits, paid, "up");
    const left = BigInt(isAfterFee || !digits ? 10_000 : 10_000 - feeBps);
    if (name === "Get ≥" && digits) return sum(`${(BigInt(digits) * left) / 10_000n}`, received, "down");
    if (name === "Until" && digits) return clock(Number(digits)) ?? value;
    const address = ADDRESS.exec(value)?.[0];
    return address ? named(name, address) : value.slice(0, 40);
  };
}
