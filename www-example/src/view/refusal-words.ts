import type { TradeError } from "verified-swap";
import { exact } from "../money.ts";
import { short, type State } from "../state.ts";
import type { Token } from "../sandbox.ts";

export interface RefusalWords {
  sentence: string;
  asked: string;
  received: string;
}

/** `Stopped. The service put 0xBAD… as receiver; you asked for 0xYOU…. Your wallet was not opened.` */
export function refusalWords(error: TradeError, state: State): RefusalWords {
  const field = error.field ?? "";
  const name = nameOf(field);
  const asked = valueOf(field, error.expected ?? "something else", state);
  const received = valueOf(field, error.actual ?? "nothing", state);
  const sentence = `Stopped. The service put ${brief(received)} as ${name}; you asked for ${brief(asked)}. Your wallet was not opened.`;
  return { sentence, asked, received };
}

const NAMES: [RegExp, string][] = [
  [/beneficiary/i, "receiver"],
  [/spender|verifyingContract/i, "contract to approve"],
  [/deadline/i, "deadline"],
  [/loss|usd|price/i, "price"],
  [/dest.*amount|minReceived|output/i, "minimum to receive"],
  [/src.*amount|maxSpent|input/i, "most to pay"],
  [/fee/i, "fee"],
  [/owner/i, "owner"],
];

function nameOf(field: string): string {
  return NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? field;
}

function valueOf(field: string, value: string, { src, dest }: State): string {
  const name = nameOf(field);
  if (name === "minimum to receive") return inUnits(value, dest);
  if (name === "most to pay") return inUnits(value, src);
  if (name === "deadline") return value.replace(/\b\d{9,11}\b/g, (secs) => new Date(Number(secs) * 1000).toLocaleString());
  return value;
}

/** Raw units inside a text such as `at least 123`, as a person reads them. */
function inUnits(value: string, token: Token): string {
  return value.replace(/\b\d+\b/g, (raw) => `${exact(raw, token.decimals)} ${token.symbol}`);
}

function brief(value: string): string {
  return value.replace(/0x[0-9a-fA-F]{40,}/g, (hex) => short(hex));
}
