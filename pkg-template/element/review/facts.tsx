// The facts of a trade: all from its figures, each number once.
import type { ComponentChildren, VNode } from "preact";
import type { PriceReport } from "../../src/types/report.ts";
import type { SwapFigures, SwapReview } from "../../src/types/swap.ts";
import type { Amount, Side } from "../../src/types/values.ts";
import { dollars, duration, percent } from "../format.ts";
import type { Words } from "../messages.ts";
import { AddressText, Row, Rows, Sum } from "../parts/text.tsx";
import { useScene, type Scene } from "../scene.ts";
import { briefPrice, isSame, spanOf, type Place } from "./reading.ts";

/** From here on a distance to the market is marked, in bps. */
const MARKED_BPS = 300;

/** The rows above the fold: what is paid, what arrives, for whom, until when, at what cost. */
export function Facts({ review, figures }: { review: SwapReview; figures: SwapFigures }): VNode {
  const scene = useScene();
  const { review: { facts: texts }, entry: { facts: { expected } } } = scene.words;
  const { side, src, dest, pay, payAtMost, get, getAtLeast, arrival, slices } = figures;
  const isPromised = arrival === "promised";
  const bound = isPromised ? null : getAtLeast;
  const price = review.build.report.price;
  const isLow = figures.belowMarketBps !== null && figures.belowMarketBps >= MARKED_BPS;
  const isInParts = review.build.kind === "delta" && review.build.orderKind === "FillableOrder";
  const isMarked = price !== undefined && (isLow || price.verdict !== "ok");
  return (
    <Rows>
      <Row name={side === "SELL" ? texts.pay : texts.payAtMost}>
        <Sum {...src} amount={payAtMost ?? pay} rounding="up" />
      </Row>
      <Row name={isPromised ? texts.promised : bound === null ? expected : texts.get} tone={bound === null ? "unknown" : isLow ? "warn" : undefined}>
        <Beside note={isMarked ? null : <Market figures={figures} />}>
          <Sum {...dest} amount={bound ?? get} rounding="down" />
          {dest.chainId !== src.chainId && <bdi>{texts.on(scene.chainName(dest.chainId))}</bdi>}
        </Beside>
        {review.isRenewed && <small class="review-renewed"><bdi>{texts.renewed}</bdi></small>}
      </Row>
      {isMarked && (
        <Row name={texts.price} tone={isLow || price.verdict === "unusual" ? "warn" : "unknown"}>
          <PriceLine figures={figures} price={price} />
        </Row>
      )}
      <To review={review} figures={figures} />
      <Row name={texts.until}>
        <Beside note={costWords(figures, scene.words) + (isInParts ? ` · ${texts.inParts}` : "")}>{figures.until === null ? texts.noEnd : spanOf(figures.until, scene.words)}</Beside>
      </Row>
      {slices && <Row name={texts.slices}>{texts.each(slices.count, duration(slices.intervalSecs))}</Row>}
      {figures.wraps && <Row name="" tone="warn">{texts.wraps(figures.wraps.contract)}</Row>}
    </Rows>
  );
}

function Beside({ children, note }: { children: ComponentChildren; note: ComponentChildren }): VNode {
  return <>{children}{note && <small class="review-note"><bdi>{note}</bdi></small>}</>;
}

function Market({ figures: { belowMarketBps } }: { figures: SwapFigures }): VNode {
  const texts = useScene().words.review.facts;
  if (belowMarketBps === null) return <>{texts.noMarket}</>;
  if (belowMarketBps === 0) return <>{texts.atMarket}</>;
  return <>{texts[belowMarketBps > 0 ? "below" : "above"](percent(belowMarketBps))}</>;
}

/** The receiver. Where a bridge's data was not read, the order does not bind it. */
function To({ review: { build }, figures: { receiver } }: { review: SwapReview; figures: SwapFigures }): VNode | null {
  const { state, words } = useScene();
  const texts = words.review.facts;
  if (receiver === null) return null;
  const isUnbound = build.report.checks.some(({ field, verdict }) => field === "order.bridge.protocolData" && verdict === "opaque");
  const isOwn = isSame(receiver, state.account);
  // Every digit of another one counts: it may be made to look like one that the user knows.
  const address = <AddressText address={receiver} isWhole={!isOwn} />;
  if (!isUnbound) return <Row name={texts.to}>{isOwn && <bdi>{`${texts.you}, `}</bdi>}{address}</Row>;
  return (
    <Row name={texts.to} tone="unknown">
      <Beside note={isOwn ? address : null}>
        {!isOwn && address}<bdi>{isOwn && `${texts.you}, `}{texts.ifObeyed}</bdi>
      </Beside>
    </Row>
  );
}

/** Fee and gas in a line. */
function costWords({ kind, feeBps, gas }: SwapFigures, words: Words): string {
  const texts = words.review.facts;
  const fee = feeBps === 0 ? texts.noFee : texts.fee(feeBps === null ? null : percent(feeBps));
  const own = gas?.by !== "account" ? texts.noGas : kind === "market" ? texts.ownGas(dollars(gas.usd)) : texts.depositGas;
  return `${fee} · ${own}`;
}

/** `Market 0.0333 · offered 0.0264 · 20.69 % below the 30-minute price of 1 pool`. */
export function PriceLine({ figures, price }: { figures: SwapFigures; price: PriceReport }): VNode {
  const scene = useScene();
  const { side, dest, src, payAtMost, getAtLeast } = figures;
  const texts = scene.words.review.facts;
  const [place, offered] = side === "SELL" ? [dest, getAtLeast] : [src, payAtMost];
  const market = atPrice(figures, side === "SELL" ? payAtMost : getAtLeast, price.references[0]?.price, scene);
  const rounding = side === "SELL" ? "down" : "up";
  return (
    <span class="review-price">
      {market !== null && offered !== null && (
        <>
          {texts.market} <Sum {...place} amount={market} /> · {texts.offered}{" "}
          <Sum {...place} amount={offered} rounding={rounding} /> ·{" "}
        </>
      )}
      {briefPrice(price.text)}
    </span>
  );
}

/** The side that is not fixed, for an amount of the other at a price (whole `dest` for one `src`); null where a figure is missing. */
export function atPrice(
  { side, src, dest }: { side: Side; src: Place; dest: Place }, amount: Amount | null, price: string | undefined, { tokenOf }: Scene,
): Amount | null {
  const [own, other] = [src, dest].map(({ chainId, token }) => tokenOf(chainId, token)?.decimals);
  if (price === undefined || !/[1-9]/.test(price) || own === undefined || other === undefined || amount === null) return null;
  const [whole = "0", fraction = ""] = price.split(".");
  const [paid, received] = [10n ** BigInt(own + fraction.length), BigInt(whole + fraction) * 10n ** BigInt(other)];
  return (side === "SELL" ? (BigInt(amount) * received) / paid : (BigInt(amount) * paid) / received).toString();
}
