import type { PriceReport } from "verified-swap";
import { messages } from "../messages/en.ts";
import { percent } from "../state/money.ts";
import type { Build } from "../state/state.ts";
import type { Line } from "./parts/lines.tsx";

/* What pools and price feeds of the chain say of the service's price. */

const texts = messages.prices;

/** What is held against the chain: a quote, the least or the most that a build guarantees, or one's own price. */
type Bound = keyof typeof texts.names;

export function boundOf(build: Build): Exclude<Bound, "quote"> {
  if (build.kind === "transaction" || (build.kind === "delta" && build.type === "LIMIT"))
    return "own";
  return build.request.side === "BUY" ? "most" : "least";
}

/** `Quote against the chain: 0.02 % below`, on one line of a phone; all of it when pointed at. */
export function priceLine(bound: Bound, price: PriceReport | "pending" | null | undefined): Line {
  const name = texts.names[bound];
  if (price === "pending") return { name, text: texts.pending, told: true };
  if (!price || price.belowBps === null) return { name, text: texts.unknown, told: true };
  const { verdict, belowBps } = price;
  if (verdict === "unknown") return { name, text: texts.disagree, exact: price.text, told: true, warns: true };
  const size = percent(Math.abs(belowBps));
  const text = verdict === "mismatch" ? texts.tooLow(size) : texts[belowBps < 0 ? "above" : "below"](size);
  return { name, text, exact: price.text, told: verdict !== "ok", warns: verdict !== "ok" };
}
