import type { PriceReport } from "verified-swap";
import { percent } from "../state/money.ts";
import type { Line } from "./parts/lines.tsx";

/* What pools and price feeds of the chain say of the service's price. */

/** The row's name while there is no price. */
export const PRICE_CHECK = "Against the chain";

/** `Against the chain: 0.02 % below`, on one line of a phone; all of it when pointed at. */
export function priceLine(price: PriceReport | "pending" | null | undefined): Line {
  const name = PRICE_CHECK;
  if (price === "pending") return { name, text: "Before you sign", told: true };
  if (!price || price.belowBps === null) return { name, text: "Not known there", told: true };
  const size = percent(Math.abs(price.belowBps));
  const text = price.verdict === "mismatch" ? `Too low by ${size}` : `${size} ${price.belowBps < 0 ? "above" : "below"}`;
  return { name, text, exact: price.text, told: price.verdict !== "ok" };
}

/** Why a price was refused: `Stopped. This price is 20 % below 30-minute price of 2 pools. Your wallet was not opened.` */
export function lowPriceWords(actual: string): string {
  const [said = actual] = actual.split(" (");
  return `Stopped. This price is ${said}. Your wallet was not opened.`;
}
