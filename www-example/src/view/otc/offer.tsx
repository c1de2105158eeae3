import { summarizeOtcOrder, type OtcOrder } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { formatTime } from "../../state/format.ts";
import { exact, rate } from "../../state/money.ts";
import { short, type State } from "../../state/state.ts";
import { busyWords } from "../busy.ts";
import { useScene } from "../context.ts";
import { offerWords } from "../order-words.ts";
import { hashLine, Lines, type Line } from "../parts/lines.tsx";
import { FillDialog } from "./fill-dialog.tsx";
import { Share } from "./share.tsx";
import { isForAnyone, isOver, isSame, partOf, sumOf, tokensOf } from "./sides.ts";
import { AgainstMarket, Ticket, TicketSide, useWorths, type Side } from "./ticket.tsx";

const texts = messages.terms.otc;

/** An OTC order as a ticket: what it trades, how much is left, whose it is, and the one action for it. */
export function OfferView({ order }: { order: OtcOrder }): VNode {
  const { state } = useScene();
  return (
    <section class="stage" aria-labelledby="offer-title">
      <div class="title">
        <h1 id="offer-title" tabIndex={-1}>
          {texts.title(offerWords(order).toLowerCase())}
        </h1>
        <Share orderHash={order.orderHash} />
      </div>
      <p class="sentence">{sentenceOf(state, order)}</p>
      <OfferTicket order={order} />
      <Lines lines={linesOf(state, order)} />
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
  const { filledPercent } = summarizeOtcOrder(order);
  return (
    <Ticket
      stamp={isOver(order) ? offerWords(order) : null}
      sides={[
        <TicketSide key="pay" name={payName} side={pay} usd={worths.pay} />,
        <TicketSide key="get" name={getName} side={receive} usd={worths.get} />,
      ]}
    >
      {!isOver(order) && <AgainstMarket pay={pay} get={receive} />}
      {filledPercent !== null && <progress max={100} value={filledPercent} aria-label={texts.lines.filled} />}
    </Ticket>
  );
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
        <p class={failure ? "message problem" : "message"}>
          {failure?.message ?? (busy ? busyWords(busy) : part === "maker" ? texts.listed : "")}
        </p>
        {second && (
          <button type="button" class="secondary" aria-disabled={busy !== null} onClick={whenFree(second.act)}>
            {second.words}
          </button>
        )}
      </div>
      <button
        type="button"
        id="offer-first"
        class="primary"
        aria-disabled={busy !== null}
        onClick={failure ? first.act : whenFree(first.act)}
      >
        {first.words}
      </button>
      {filling && <FillDialog orders={[order]} onClose={() => setFilling(false)} />}
    </div>
  );
}

function sentenceOf(state: State, order: OtcOrder): string {
  const { give, get } = tokensOf(state, order);
  const [given, got] = [sumOf(order.makerAmount, give), sumOf(order.takerAmount, get)];
  return isSame(order.maker, state.account) ? texts.yours(given, got) : texts.theirs(short(order.maker), given, got);
}

function linesOf(state: State, order: OtcOrder): Line[] {
  const { give, get } = tokensOf(state, order);
  const { lines } = texts;
  const { filledPercent, leftMakerAmount, leftTakerAmount } = summarizeOtcOrder(order);
  const price = rate({ ...give, amount: order.makerAmount }, { ...get, amount: order.takerAmount });
  const exactly = (amount: string, { decimals, symbol }: typeof give): string => `${exact(amount, decimals)} ${symbol}`;
  return [
    { name: lines.price, text: price?.rounded ?? "–", exact: price?.exact ?? "–" },
    { name: lines.filled, text: filledPercent === null ? "–" : `${filledPercent} %` },
    {
      name: lines.left,
      text: texts.exchange(sumOf(leftMakerAmount, give), sumOf(leftTakerAmount, get)),
      exact: texts.exchange(exactly(leftMakerAmount, give), exactly(leftTakerAmount, get)),
    },
    whose(lines.madeBy, order.maker, state),
    isForAnyone(order) ? { name: texts.openTo, text: texts.anyone } : whose(texts.openTo, order.taker, state),
    {
      name: lines.until,
      text: order.expiry === 0 ? lines.cancelled : formatTime(new Date(order.expiry * 1000)),
    },
    hashLine(lines.order, order.orderHash),
    hashLine(lines.transaction, order.transactionHash ?? null),
  ];
}

function whose(name: string, address: string, { account }: State): Line {
  return account && isSame(address, account)
    ? { name, text: texts.you(short(account)), exact: texts.you(account) }
    : hashLine(name, address);
}
