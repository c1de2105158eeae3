import type { ComponentChildren, VNode } from "preact";
import { useState } from "preact/hooks";
import { dollars, duration, percent, roundedDecimal, shortAddress, units } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { Row, Rows, Sum, TokenSymbol } from "../parts/text.tsx";
import { plainText } from "../parts/plain-text.ts";
import { useScene } from "../scene.ts";
import type { SwapFigures, SwapState } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";

/** From here on a difference in value is marked. */
const LARGE_BPS = 300;
/** From here on gas that the account pays is marked. */
const MUCH_GAS_BPS = 1_000;
const SCALE = 18;

/** The loss of dollars between payment and arrival, as text with its sign; null where dollars are not known. */
function impactOf(figures: SwapFigures | null): { text: string; isLarge: boolean } | null {
  const usd = figures && usdOf(figures);
  const left = usd && shareBps(usd.get, usd.pay);
  if (left === null) return null;
  const loss = 10_000 - left;
  return { text: `${loss > 0 ? "−" : loss < 0 ? "+" : ""}${percent(loss)}`, isLarge: loss >= LARGE_BPS };
}

/** The service's dollars; none where they would make the trade a gift. A limit may well be above the market. */
export function usdOf({ usd, kind }: SwapFigures): SwapFigures["usd"] {
  const share = kind === "limit" ? null : shareBps(usd.get, usd.pay);
  return share !== null && share >= 10_000 + LARGE_BPS ? { pay: usd.pay, get: null } : usd;
}

/** `part` of `whole` in bps, both decimal text; null where one is not known. */
export function shareBps(part: string | null, whole: string | null): number | null {
  const [some, all] = [scaled(part), scaled(whole)];
  return some === null || !all ? null : Number((some * 10_000n) / all);
}

function scaled(decimal: string | null): bigint | null {
  if (decimal === null || !/^\d+(\.\d+)?$/.test(decimal)) return null;
  const [whole = "0", fraction = ""] = decimal.split(".");
  return BigInt(whole + fraction.slice(0, SCALE).padEnd(SCALE, "0"));
}

/** The price of the form in rows: the bound first, then each part of the cost. The rows are there before the price is. */
export function Outcome(): VNode {
  const { state, words } = useScene();
  const { form, figures, price } = state;
  const lines = words.form.lines;
  const isWaiting = figures === null && price.isFetching;
  const value = (children: (known: SwapFigures) => ComponentChildren, like = ""): ComponentChildren =>
    figures ? children(figures) : <span class={`${like} form-wait${isWaiting ? " skeleton" : ""}`}>–</span>;
  const impact = impactOf(figures);
  const gas = figures && gasOf(figures, words);
  return (
    <div class="form-outcome" data-dimmed={state.price.isStale || undefined}>
      <div class="form-headline"><Rows><Row name={boundName(state, words)}>{value((known) => <Bound figures={known} />)}</Row></Rows></div>
      <Rows>
        <Row name={form.kind === "limit" ? lines.limitRate : lines.rate}>{value((known) => <Rate figures={known} />, "form-rate")}</Row>
        {form.kind === "limit" && (
          <Row name={belowOf(state) === null ? lines.againstQuote : lines.against}>
            {value((known) => <Against bps={known.aboveMarketBps} below={belowOf(state) ?? 0} />)}
          </Row>
        )}
        {form.kind === "swap" && (
          <Row name={lines.impact} tone={impact?.isLarge ? "warn" : undefined}>{value(() => impact?.text ?? lines.noDollars)}</Row>
        )}
        {form.kind === "slices" && <Row name={lines.each}>{value((known) => <Slice figures={known} />)}</Row>}
        <Row name={lines.gas} tone={gas?.isMuch ? "warn" : undefined}>{value(() => gas?.text)}</Row>
        <Row name={lines.fee}>{value(({ feeBps }) => feeWords(feeBps, words))}</Row>
        <Reference />
        <Row name={lines.route}>{value(() => <Route />)}</Row>
      </Rows>
    </div>
  );
}

function boundName({ form, figures }: SwapState, { form: { lines } }: Words): string {
  if (form.side === "BUY") return lines.atMost;
  return figures?.arrival === "promised" ? lines.promised : lines.atLeast;
}

function Bound({ figures }: { figures: SwapFigures }): VNode {
  const { side, src, dest, payAtMost, getAtLeast, get, arrival } = figures;
  if (side === "BUY") return <Sum {...src} amount={payAtMost} rounding="up" />;
  return <Sum {...dest} amount={arrival === "promised" ? get : getAtLeast} rounding="down" />;
}

/** `1 WETH = 3,026.11 USDC`: the dearer token first, until a press turns it around. */
export function Rate({ figures }: { figures: Pick<SwapFigures, "rate" | "src" | "dest"> }): VNode {
  const { words } = useScene();
  const [isTurned, setTurned] = useState(false);
  const { rate, src, dest } = figures;
  if (rate === null || !/[1-9]/.test(rate)) return <span class="unknown">{words.parts.notKnown}</span>;
  const isDear = /[1-9]/.test(rate.split(".")[0] ?? "");
  const isPlain = isDear !== isTurned;
  const [one, other, price] = isPlain ? [src, dest, rate] : [dest, src, inverse(rate)];
  return (
    <button type="button" class="form-rate" title={words.form.flip} onClick={() => setTurned(!isTurned)}>
      <bdi dir="ltr">1 <TokenSymbol {...one} /> = {roundedDecimal(price)} <TokenSymbol {...other} /></bdi>
      <Icon name="flip" />
    </button>
  );
}

function inverse(rate: string): string {
  const [whole = "0", fraction = ""] = rate.split(".");
  return units((10n ** BigInt(2 * SCALE + fraction.length) / BigInt(whole + fraction)).toString(), 2 * SCALE);
}

function Slice({ figures: { slices, side, src, dest } }: { figures: SwapFigures }): VNode {
  const { words } = useScene();
  if (!slices) return <span class="unknown">{words.parts.notKnown}</span>;
  const token = side === "SELL" ? src : dest;
  const rounding = side === "SELL" ? "up" : "down";
  return <><Sum {...token} amount={slices.amount} rounding={rounding} />{words.form.lines.every(duration(slices.intervalSecs))}</>;
}

/** How far the quote is below the prices of the chain, in bps; null where these are not known, or disagree. */
function belowOf({ quote }: SwapState): number | null {
  const reference = quote?.reference;
  return reference && reference !== "pending" && reference.verdict !== "unknown" ? reference.belowBps : null;
}

/** The distance of a limit to the market. `quoted`: to the quote, which is that much below the prices of the chain. */
function Against({ bps: quoted, below }: { bps: number | null; below: number }): VNode {
  const { words: { form: { limit, lines }, parts } } = useScene();
  if (quoted === null) return <span class="unknown">{parts.notKnown}</span>;
  const bps = Math.round(((10_000 + quoted) * (10_000 - below)) / 10_000) - 10_000;
  return <>{bps === 0 ? lines.same : (bps > 0 ? limit.above : limit.below)(percent(bps))}</>;
}

/** Gas in words, and whether it is much of what is traded. The native token is deposited by its owner's own transaction. */
export function gasOf({ gas, kind, usd }: SwapFigures, { form: { lines } }: Words): { text: string; isMuch: boolean } {
  if (gas === null) return { text: lines.notStated, isMuch: false };
  const cost = dollars(gas.usd);
  if (gas.by === "solver") return { text: lines.withinPrice(cost), isMuch: false };
  if (kind !== "market") return { text: lines.deposit, isMuch: false };
  const share = shareBps(gas.usd, usd.pay);
  const isMuch = cost !== null && share !== null && share >= MUCH_GAS_BPS;
  return { text: isMuch ? lines.muchGas(cost, percent(share)) : lines.youPay(cost), isMuch };
}

function feeWords(bps: number | null, { form: { lines } }: Words): string {
  return bps === null ? lines.notStated : bps === 0 ? lines.noFee : lines.feeIncluded(percent(bps));
}

/** The quote against pools and price feeds of the chain. */
function Reference(): VNode {
  const { state: { quote, price }, words } = useScene();
  const { lines } = words.form;
  const reference = quote?.reference ?? null;
  if (!quote) return <Row name={lines.chain}><span class={price.isFetching ? "form-wait skeleton" : "form-wait"}>–</span></Row>;
  if (reference === "pending") return <Row name={lines.chain} tone="unknown">{lines.beforeSigning}</Row>;
  if (!reference || reference.belowBps === null) return <Row name={lines.chain} tone="unknown">{lines.unknownThere}</Row>;
  const { belowBps, verdict, text } = reference;
  const share = percent(belowBps);
  const words_ = verdict === "mismatch" ? lines.tooLow(share)
    : verdict === "unknown" ? lines.disagree
    : belowBps === 0 ? lines.same : (belowBps > 0 ? lines.below : lines.above)(share);
  return <Row name={lines.chain} tone={verdict === "ok" ? undefined : "warn"}><span title={text}>{words_}</span></Row>;
}

function Route(): VNode | null {
  const { state: { quote, choices }, words } = useScene();
  if (!quote) return null;
  const { lines } = words.form;
  const bridge = quote.kind === "delta" && quote.bridge ? choices.find(({ isChosen }) => isChosen)?.bridge ?? quote.bridge.protocol : null;
  return (
    <>
      {quote.kind === "market" ? lines.market : lines.auction} <bdi class="mono" title={quote.spender}>{shortAddress(quote.spender)}</bdi>
      {bridge && <> {lines.overBridge(bridgeName(bridge, words))}</>}
    </>
  );
}

/** A bridge's name as a quotation: the service's word, without what is hidden in it or turns the text round. */
export function bridgeName(name: string | null, { form: { choices } }: Words): string {
  const plain = plainText(name ?? "", 40);
  return plain ? choices.bridge(plain) : choices.unnamed;
}
