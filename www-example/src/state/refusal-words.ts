import type { TradeError } from "verified-swap";
import { messages } from "../messages/en.ts";
import { briefPrice, isAllowed, isBeforeFee, lessFee, nameOf, readerOf, valueOf as read } from "./checks.ts";
import { short, type State } from "./state.ts";

export interface RefusalWords {
  title: string;
  /** What it is about. */
  name: string;
  sentence: string;
  asked: string;
  received: string;
}

/** `Stopped. The service put 0xBAD… as receiver; you asked for 0xYOU….` */
export function refusalWords(error: TradeError, state: State): RefusalWords {
  const texts = messages.review.refusal;
  const field = error.field ?? "";
  const reader = readerOf(state, error.report);
  // Addresses stand for themselves: which of them is whose is said below.
  const isSigned = isBeforeFee({ field }, state);
  const valueOf = (value: string): string =>
    isSigned ? read(field, lessFee(value, state), reader, true) : value.includes("0x") ? value : read(field, value, reader);
  const name = nameOf(field);
  const [asked, received] = [valueOf(error.expected ?? texts.somethingElse), valueOf(error.actual ?? texts.nothing)];
  const offer = state.tab === "otc" ? offerWords(field) : null;
  if (offer) return { title: texts.cannotFill, name, sentence: texts.stopped(offer), asked, received };
  // `Stopped. This price is 20 % below the 30-minute price of 2 pools and price feeds.`
  const low = (): string => messages.prices.refused(briefPrice(error.actual ?? ""));
  if (field.endsWith(".price")) return { title: texts.tooLow, name, sentence: low(), asked, received };
  const put = isAllowed({ field, expected: error.expected ?? "" }, state) ? texts.putBeyond : texts.put;
  const sentence = texts.stopped(put(brief(received), name, brief(asked)));
  return { title: texts.title, name, sentence, asked, received };
}

/** With several orders (`orders.0`, ...) it is one of them. */
function offerWords(field: string): string | null {
  const [one, several] = messages.review.refusal.offers[field.replace(/^orders\.\d+/, "order")] ?? [];
  return (field.startsWith("orders.") ? several : one) ?? null;
}

function brief(value: string): string {
  return value.replace(/0x[0-9a-fA-F]{40,}/g, (hex) => short(hex));
}
