import { moreBps } from "./money.ts";
import type { State } from "./state.ts";

/* How much worse than the market an order at one's own price is. */

/** From here on it is marked. */
export const MARKED_BPS = 300;
/** From here on the user has to say that they know. */
const FAR_BPS = 1_000;

/** In basis points; null where the order under review is not far from the market, or nobody knows. */
export function farBelowMarket({ build, market }: State): number | null {
  let bps: number | null = null;
  // Slices that are bought have a cap of the user's own.
  const isOwn = build?.kind === "delta" && (build.type === "LIMIT" || (build.twap && build.request.side === "BUY"));
  if (isOwn) bps = build.report.distanceBps ?? null;
  if (build?.kind === "otc" && market && market !== "failed")
    bps = -Number(moreBps(build.takerAmount, market.destAmount) ?? 0);
  return bps !== null && bps >= FAR_BPS ? bps : null;
}
