import type { PriceReport } from "verified-swap";
import { messages } from "../messages/en.ts";
import { percent } from "../state/money.ts";
import type { Line } from "./parts/lines.tsx";

/* What pools and price feeds of the chain say of the service's price. */

const texts = messages.prices;

/** The row's name while there is no price. */
export const PRICE_CHECK = texts.name;

/** `Against the chain: 0.02 % below`, on one line of a phone; all of it when pointed at. */
export function priceLine(price: PriceReport | "pending" | null | undefined): Line {
  const name = PRICE_CHECK;
  if (price === "pending") return { name, text: texts.pending, told: true };
  if (!price || price.belowBps === null) return { name, text: texts.unknown, told: true };
  const size = percent(Math.abs(price.belowBps));
  const text = price.verdict === "mismatch" ? texts.tooLow(size) : texts[price.belowBps < 0 ? "above" : "below"](size);
  return { name, text, exact: price.text, told: price.verdict !== "ok" };
}

/** Why a price was refused: `Stopped. This price is 20 % below the 30-minute price of 2 pools.` */
export function lowPriceWords(actual: string): string {
  const [said = actual] = actual.split(" (");
  return texts.refused(said);
}
