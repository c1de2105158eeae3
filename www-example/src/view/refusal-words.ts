import type { TradeError } from "verified-swap";
import { nameOf, readerOf, valueOf as read, type Reader } from "../state/checks.ts";
import { short, type State } from "../state/state.ts";
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
  // Addresses stand for themselves: which of them is whose is said below.
  const valueOf = (of: string, value: string, by: Reader): string => (value.includes("0x") ? value : read(of, value, by));
  const reader = readerOf(state, error.report);
  const offer = state.tab === "otc" ? offerWords(field) : null;
  if (offer) {
    const [asked, received] = [valueOf(field, error.expected ?? "", reader), valueOf(field, error.actual ?? "", reader)];
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
  const asked = valueOf(field, error.expected ?? "something else", reader);
  const received = valueOf(field, error.actual ?? "nothing", reader);
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

function brief(value: string): string {
  return value.replace(/0x[0-9a-fA-F]{40,}/g, (hex) => short(hex));
}
