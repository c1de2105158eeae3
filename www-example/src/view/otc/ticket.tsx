import type { Amount } from "verified-swap";
import type { ComponentChildren, VNode } from "preact";
import { useEffect } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { dollars, exact, moreBps, percent, rounded, worth, type Rounding } from "../../state/money.ts";
import { MARKED_BPS } from "../../state/worse.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { useScene } from "../context.ts";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { TokenLogo } from "../parts/token-logo.tsx";

const texts = messages.terms.otc;

/** An amount of a token; null where none is known yet. */
export interface Side {
  token: Token;
  amount: Amount | null;
}

/** Two sides above a perforation, and what holds for both below it. `stamp`: how it ended. */
export function Ticket(props: { sides: [VNode, VNode]; stamp?: string | null; children: ComponentChildren }): VNode {
  const { sides, stamp = null, children } = props;
  return (
    <div class={`ticket${stamp ? " ended" : ""}`}>
      <div class="ticket-sides">{sides}</div>
      <div class="ticket-stub">
        {stamp && (
          <span class="ticket-stamp" aria-hidden="true">
            {stamp}
          </span>
        )}
        {children}
      </div>
    </div>
  );
}

/** One side of a ticket that is written already. */
export function TicketSide(props: { name: string; side: Side; rounding: Rounding; usd: string | null }): VNode {
  const { name, side, rounding, usd } = props;
  const { token, amount } = side;
  return (
    <div class="ticket-side">
      <span class="quiet">{name}</span>
      <span class="ticket-sum">
        <TokenLogo token={token} />
        {amount !== null && (
          <Figure text={rounded(amount, token.decimals, rounding)} exact={exact(amount, token.decimals)} unit={token.symbol} />
        )}
      </span>
      <small>{usd ?? " "}</small>
    </div>
  );
}

/** How much better than a swap at once: for whoever pays `pay` and gets `get`. */
export function AgainstMarket({ pay, get }: { pay: Side; get: Side }): VNode {
  const { state, offering } = useScene();
  const { market, starting } = state;
  const { token: src, amount } = pay;
  const isAsked = starting === null && amount !== null && get.amount !== null;
  useEffect(() => {
    if (isAsked && amount) return offering.compare(src, amount, get.token);
    return undefined;
  }, [isAsked, amount, src.address, get.token.address, src.chainId]);
  const words = texts.market;
  if (!isAsked || get.amount === null) return <p class="against quiet">{words.none}</p>;
  if (market === null) return <p class="against quiet">{words.asking}</p>;
  if (market === "failed") return <p class="against quiet">{words.failed}</p>;
  const bps = Number(moreBps(get.amount, market.destAmount) ?? 0);
  const said = bps === 0 ? words.same : bps > 0 ? words.better(percent(bps)) : words.worse(percent(-bps));
  const isWorse = -bps >= MARKED_BPS;
  const { decimals, symbol } = get.token;
  const usd = dollars(market.destUsd);
  return (
    <p class="against">
      <strong class={isWorse ? "worse" : bps > 0 ? "better" : ""}>
        {isWorse && <Icon name="warning" />} {said}
      </strong>{" "}
      {words.gives(`${rounded(market.destAmount, decimals, "down")} ${symbol}${usd ? ` (${usd})` : ""}`)}
    </p>
  );
}

/** Dollars of both sides by the market's quote, as far as it tells. */
export function useWorths(pay: Side, get: Side): { pay: string | null; get: string | null } {
  const { market } = useScene().state;
  if (market === null || market === "failed") return { pay: null, get: null };
  const { srcUsd, destUsd, srcAmount, destAmount } = market;
  return {
    pay: pay.amount && srcUsd && worth(pay.amount, srcAmount, srcUsd),
    get: get.amount && destUsd && worth(get.amount, destAmount, destUsd),
  };
}
