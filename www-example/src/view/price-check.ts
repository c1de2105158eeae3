import type { PriceReport } from "verified-swap";
import { percent } from "../money.ts";
import type { Line } from "./lines.ts";

/* What pools, price feeds and others say of the service's price. */

const NAMES: Record<PriceReport["witnesses"][number]["by"], string> = {
  prices: "your prices",
  asset: "the same asset",
  pools: "pools",
  feeds: "price feeds",
  app: "this app",
};

/** `Price check: 0.02 % below pools and price feeds`. */
export function priceLine(price: PriceReport | "pending" | null | undefined): Line {
  const name = "Price check";
  if (price === "pending") return { name, text: "Before you sign", told: true };
  if (!price || price.belowBps === null) return { name, text: "Nobody else knows it", told: true };
  const by = price.witnesses.map((witness) => NAMES[witness.by]).join(" and ");
  const low = price.verdict === "mismatch" ? "Too low: " : "";
  return { name, text: `${low}${distance(price.belowBps)} ${by}`, exact: price.text, told: price.verdict !== "ok" };
}

function distance(belowBps: number): string {
  return `${percent(Math.abs(belowBps))} ${belowBps < 0 ? "above" : "below"}`;
}

/** Why a price was refused: `Stopped. This price is 20 % below 30-minute price of 2 pools. Your wallet was not opened.` */
export function lowPriceWords(actual: string): string {
  const [said = actual] = actual.split(" (");
  return `Stopped. This price is ${said}. Your wallet was not opened.`;
}
