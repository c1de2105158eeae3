import type { TradeError } from "verified-swap";
import { dollars, exact } from "../state/money.ts";
import { short, type State } from "../state/state.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { lowPriceWords } from "./price-check.ts";

export interface RefusalWords {
  title: string;
  /** What it is about. */
  name: string;
  sentence: string;
  asked: string;
  received: string;
}

/** `Stopped. The service put 0xBAD… as receiver; you asked for 0xYOU…. Your wallet was not opened.` */
export function refusalWords(error: TradeError, state: State): RefusalWords {
  const field = error.field ?? "";
  const offer = state.tab === "otc" ? offerWords(field) : null;
  if (offer) {
    const [asked, received] = [valueOf(field, error.expected ?? "", state), valueOf(field, error.actual ?? "", state)];
    return {
      title: "This order cannot be filled",
      name: nameOf(field),
      sentence: `Stopped. ${offer} Your wallet was not opened.`,
      asked,
      received,
    };
  }
  const name = nameOf(field);
  if (field.endsWith(".price")) {
    const [asked, received] = [error.expected ?? "", error.actual ?? ""];
    return { title: "This price is too low", name, sentence: lowPriceWords(received), asked, received };
  }
  const asked = valueOf(field, error.expected ?? "something else", state);
  const received = valueOf(field, error.actual ?? "nothing", state);
  const difference = `The service put ${brief(received)} as ${name}; you asked for ${brief(asked)}.`;
  const sentence = `Stopped. ${difference} Your wallet was not opened.`;
  return { title: "Not what you asked for", name, sentence, asked, received };
}

/** An OTC order that this account can no longer fill, without any lie. */
const OFFERS: Record<string, string> = {
  "order.taker": "This order is for another account.",
  "order.remaining": "Nothing is left of this order.",
  "order.expiry": "This order has expired.",
};

/** With several orders (`orders.0`, ...): the sentence says that it is one of them. */
function offerWords(field: string): string | null {
  const one = OFFERS[field.replace(/^orders\.\d+/, "order")] ?? null;
  return field.startsWith("orders.")
    ? (one?.replace(/\bthis order\b/i, (words) => (words[0] === "T" ? "One of these orders" : "one of these orders")) ??
        null)
    : one;
}

const NAMES: [RegExp, string][] = [
  [/beneficiary/, "receiver"],
  [/spender|verifyingContract/, "contract to approve"],
  [/transaction\.to/, "contract to call"],
  [/deadline|expiry/, "deadline"],
  [/remaining/, "amount left"],
  [/loss|price/, "price"],
  [/quote\.(destAmount|origin\.output|destination\.input)/, "amount to receive"],
  [/destAmount|minReceived|toAmount/, "minimum to receive"],
  [/srcAmount|maxSpent|fromAmount/, "amount to pay"],
  [/expectedAmount/, "expected amount"],
  [/fee/i, "fee"],
  [/owner/, "owner"],
];

function nameOf(field: string): string {
  return NAMES.find(([pattern]) => pattern.test(field))?.[1] ?? field;
}

/** Raw units and unix seconds, as a person reads them; everything else as it is. */
function valueOf(field: string, value: string, { pair, src: paid, dest: got, side }: State): string {
  const { src, dest } = pair ?? { src: paid, dest: got };
  switch (nameOf(field)) {
    case "amount to receive":
    case "minimum to receive":
      return inUnits(value, dest);
    case "amount to pay":
      return inUnits(value, src);
    case "expected amount":
      return inUnits(value, side === "SELL" ? dest : src);
    case "deadline":
      return value.replace(/\b\d{9,12}\b/g, (secs) => new Date(Number(secs) * 1000).toLocaleString());
    case "price":
      return value.replace(/(\d+(?:\.\d+)?) USD\b/g, (whole, decimal: string) => dollars(decimal) ?? whole);
    default:
      return value;
  }
}

function inUnits(value: string, token: Token): string {
  return value.replace(/\b\d+\b/g, (raw) => `${exact(raw, token.decimals)} ${token.symbol}`);
}

function brief(value: string): string {
  return value.replace(/0x[0-9a-fA-F]{40,}/g, (hex) => short(hex));
}
