import { summarizeOtcOrder, type OtcOrder } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { formatTime } from "../../state/format.ts";
import { exact, rate } from "../../state/money.ts";
import { short, type State } from "../../state/state.ts";
import { busyWords } from "../busy.ts";
import { useScene } from "../context.ts";
import { Hashes, type Reference } from "../hashes.tsx";
import { offerWords } from "../order-words.ts";
import { Lines, type Line } from "../parts/lines.tsx";
import { Message } from "../trouble.tsx";
import { FillDialog } from "./fill-dialog.tsx";
import { Share } from "./share.tsx";
import { isForAnyone, isOver, isSame, partOf, roundingsOf, sumOf, tokensOf } from "./sides.ts";
import { AgainstMarket, Ticket, TicketSide, useWorths, type Side } from "./ticket.tsx";

const texts = messages.terms.otc;
const { lines } = texts;

/** An OTC order as a ticket: what it trades, how much is left, whose it is, and the one action for it. */
export function OfferView({ order }: { order: OtcOrder }): VNode {
  const { state } = useScene();
  return (
    <section class="stage" aria-labelledby="offer-title">
      <div class="title">
        <h1 id="offer-title" tabIndex={-1}>
          {texts.title(offerWords(order).toLowerCase())}
        </h1>
        {!sharesFirst(state, order) && <Share orderHash={order.orderHash} />}
      </div>
      <OfferTicket order={order} />
      <div class="details">
        <Lines lines={linesOf(state, order)} />
        <Hashes references={referencesOf(state, order)} />
      </div>
      <Actions order={order} />
    </section>
  );
}

/** As the one sees it who looks: the maker's own side first, or the taker's. */
function OfferTicket({ order }: { order: OtcOrder }): VNode {
  const { state } = useScene();
  const { give, get } = tokensOf(state, order);
  const part = partOf(state, order);
  const makers: Side = { token: give, amount: order.makerAmount };
  const takers: Side = { token: get, amount: order.takerAmount };
  const [pay, receive] = part === "maker" ? [makers, takers] : [takers, makers];
  const worths = useWorths(pay, receive);
  const [payName, getName] = {
    maker: [texts.give, texts.get] as const,
    taker: [texts.pay, texts.get] as const,
    nobody: [texts.takerPays, texts.takerGets] as const,
  }[part];
  const { filledPercent, leftMakerAmount, leftTakerAmount } = summarizeOtcOrder(order);
  const left = (side: Side): Side => ({ ...side, amount: side === makers ? leftMakerAmount : leftTakerAmount });
  const isRead = [give, get].every(({ kind }) => kind !== "unread");
  return (
    <Ticket
      stamp={isOver(order) ? offerWords(order) : null}
      sides={[
        <TicketSide key="pay" name={payName} side={pay} rounding="up" usd={worths.pay} />,
        <TicketSide key="get" name={getName} side={receive} rounding="down" usd={worths.get} />,
      ]}
    >
      {!isOver(order) && isRead && <AgainstMarket pay={left(pay)} get={left(receive)} />}
      {filledPercent !== null && <progress max={100} value={filledPercent} aria-label={texts.lines.filled} />}
    </Ticket>
  );
}

/** Of an open order sharing it is the point: nobody else knows of it. */
function sharesFirst(state: State, order: OtcOrder): boolean {
  return !state.failure && !isOver(order) && partOf(state, order) === "maker";
}

/** What the account can do about it: filling it is what a taker came for. */
function Actions({ order }: { order: OtcOrder }): VNode {
  const { state, swap, offersBook } = useScene();
  const [filling, setFilling] = useState(false);
  const { failure, busy } = state;
  const part = failure || isOver(order) ? "nobody" : partOf(state, order);
  const whenFree = (act: () => void) => (): void => void (busy || act());
  const back = { words: texts.back, act: swap.compose };
  const fill = { words: texts.fillThis, act: () => setFilling(true) };
  const cancel = { words: texts.cancelThis, act: () => void offersBook.cancel(order) };
  const remedy = failure && { words: failure.button, act: () => swap.remedy(failure) };
  const first = remedy ?? (part === "taker" ? fill : back);
  const second = part === "taker" ? back : part === "maker" ? cancel : null;
  return (
    <div class="action">
      <div class="status">
        <Message failure={failure} words={busy ? busyWords(busy) : part === "maker" ? texts.listed : ""} />
        {second && (
          <button
            id="offer-second"
            type="button"
            class="secondary"
            aria-disabled={busy !== null}
            onClick={whenFree(second.act)}
          >
            {second.words}
          </button>
        )}
      </div>
      {sharesFirst(state, order) && <Share orderHash={order.orderHash} isFirst />}
      <button
        type="button"
        id="offer-first"
        class={sharesFirst(state, order) ? "secondary" : "primary"}
        aria-disabled={busy !== null}
        onClick={failure ? first.act : whenFree(first.act)}
      >
        {first.words}
      </button>
      {filling && <FillDialog orders={[order]} onClose={() => setFilling(false)} />}
    </div>
  );
}

function linesOf(state: State, order: OtcOrder): Line[] {
  const { give, get } = tokensOf(state, order);
  const { filledPercent, isPartlyFilled, isTerminal, leftMakerAmount, leftTakerAmount } = summarizeOtcOrder(order);
  const price = rate({ ...give, amount: order.makerAmount }, { ...get, amount: order.takerAmount });
  const exactly = (amount: string, { decimals, symbol }: typeof give): string => `${exact(amount, decimals)} ${symbol}`;
  const rounding = roundingsOf(state, order);
  const parts = [
    { name: lines.filled, text: `${filledPercent} %` },
    {
      name: lines.left,
      text: texts.exchange(sumOf(leftMakerAmount, give, rounding.give), sumOf(leftTakerAmount, get, rounding.get)),
      exact: texts.exchange(exactly(leftMakerAmount, give), exactly(leftTakerAmount, get)),
    },
  ];
  return [
    { name: lines.price, text: price?.rounded ?? "–", exact: price?.exact ?? "–" },
    ...(isPartlyFilled && !isTerminal ? parts : []),
    ...(isSame(order.maker, state.account) ? [you(lines.madeBy, order.maker)] : []),
    ...(isForAnyone(order) ? [{ name: texts.openTo, text: texts.anyone }] : []),
    ...(isSame(order.taker, state.account) ? [you(texts.openTo, order.taker)] : []),
    {
      name: lines.until,
      text: order.expiry === 0 ? lines.cancelled : formatTime(new Date(order.expiry * 1000)),
    },
  ];
}

function you(name: string, address: string): Line {
  return { name, text: texts.you(short(address)), exact: texts.you(address) };
}

/** Its hashes, and who else is party to it. */
function referencesOf({ account }: State, order: OtcOrder): Reference[] {
  const { chainId, maker, taker, orderHash, transactionHash } = order;
  const parties: Reference[] = [
    { name: lines.madeBy, hex: maker, chainId, kind: "address" },
    { name: texts.openTo, hex: isForAnyone(order) ? null : taker, chainId, kind: "address" },
  ];
  const sent: Reference = { name: lines.transaction, hex: transactionHash ?? null, chainId, kind: "tx" };
  const all = [...parties.filter(({ hex }) => !isSame(hex ?? "", account)), { name: lines.order, hex: orderHash }, sent];
  return all.filter(({ hex }) => hex !== null);
}
