import type { VNode } from "preact";
import { percent } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { AddressText } from "../parts/text.tsx";
import { plainText } from "../parts/plain-text.ts";
import { useScene } from "../scene.ts";
import { CheckBox } from "./controls.tsx";
import { shareBps } from "./outcome.tsx";
import type { MarketQuote } from "../../src/types/quote.ts";
import type { SwapFigures } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";

/** The things about a price that one has to have seen before the review. */
export function Notices({ stayed }: { stayed: string | null }): VNode {
  const { state: { quote, figures, form, account }, swap, words } = useScene();
  const { notices } = words.form;
  const receiver = figures?.receiver ?? null;
  const isOther = form.receiver !== null && receiver !== null && receiver !== account;
  return (
    <>
      {stayed && <p class="note"><Icon name="info" /> <span><bdi>{stayed}</bdi></span></p>}
      {quote?.kind === "market" && quote.fallbackReason && (
        <p class="note"><Icon name="info" /> <span>{notices.notGasless(reasonOf(quote.fallbackReason, words))}</span></p>
      )}
      {quote?.kind === "market" && quote.maxImpactReached && (
        <p class="note note-warn"><Icon name="warning" /> <span>{notices.movesMarket}</span></p>
      )}
      {figures?.wraps && (
        <p class="note note-warn">
          <Icon name="warning" /> <span>{notices.wraps(costOf(figures))} <AddressText address={figures.wraps.contract} /></span>
        </p>
      )}
      {isOther && receiver && (
        <p class="note note-warn"><Icon name="warning" /> <span>{notices.sentTo} <AddressText address={receiver} /></span></p>
      )}
      {figures?.arrival === "promised" && (
        <CheckBox isChecked={form.acceptsPromise} onCheck={(acceptsPromise) => swap.change({ acceptsPromise })}>{notices.promise}</CheckBox>
      )}
    </>
  );
}

/** The share of the payment that does not arrive, where both are the same asset. */
function costOf({ pay, get }: SwapFigures): string | null {
  const left = shareBps(get, pay);
  return left === null || left >= 10_000 ? null : percent(10_000 - left);
}

/** The service's reason for Market, in its own words where the element has none: short, without hidden characters. */
function reasonOf({ errorType, details }: NonNullable<MarketQuote["fallbackReason"]>, { form: { notices } }: Words): string {
  if (errorType === "GasCostExceedsTradeAmount") return notices.lessThanGas;
  const why = plainText((details ?? errorType ?? "").replace(/\.$/, ""), 120);
  return why ? notices.said(why) : notices.noReason;
}
