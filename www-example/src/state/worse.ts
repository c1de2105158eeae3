import type { Quote } from "verified-swap";
import { lossBps, shareBps } from "./money.ts";
import type { State } from "./state.ts";

/* How much worse than the market an order at one's own price is, or costs make a trade. */

/** From here on it is marked. */
export const MARKED_BPS = 300;
/** From here on the user has to say that they know. */
const FAR_BPS = 1_000;

/** In basis points; null where the order under review is not far from the market, or nobody knows. */
export function farBelowMarket({ build }: State): number | null {
  let bps: number | null = null;
  // Slices that are bought have a cap of the user's own.
  const isOwn = build?.kind === "delta" && (build.type === "LIMIT" || (build.twap && build.request.side === "BUY"));
  if (isOwn) bps = build.report.distanceBps ?? null;
  return bps !== null && bps >= FAR_BPS ? bps : null;
}

/** From here on costs are accepted by whoever knows them; the package's own limit of a price's loss. */
const COSTLY_BPS = 1_500;
/** All of it, or nearly: no trade. */
export const USED_UP_BPS = 9_900;

/** What gas costs of what is traded, in basis points; null where nobody knows. */
export function gasShareBps(quote: Quote): number | null {
  const cost = quote.kind === "market" ? quote.gasCostUsd : (quote.gasFee?.amountUsd ?? null);
  const share = shareBps(cost, quote.srcUsd);
  return share === null ? null : Number(share);
}

/**
 * What costs take of the trade under review, and the most that it alone may lose to them (null: no more than any), where
 * the user has to say that they know; both in basis points.
 */
export function costsOf({ build, quote }: State): { share: number; most: number | null } | null {
  if (!quote || build?.kind !== quote.kind) return null;
  if (build.kind === "delta" && build.request.maxLossBps > COSTLY_BPS)
    return { share: Number(lossBps(quote.srcUsd, quote.destUsd) ?? 0), most: build.request.maxLossBps };
  const share = gasShareBps(quote) ?? 0;
  return share >= COSTLY_BPS ? { share, most: null } : null;
}
