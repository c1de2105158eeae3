import { isTradeError, type Hex, type OtcOrder } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { byPrice, together } from "../../client/offers.ts";
import { messages } from "../../messages/en.ts";
import { formatTime } from "../../state/format.ts";
import { exact, type Rounding } from "../../state/money.ts";
import { short } from "../../state/state.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { useScene } from "../context.ts";
import { offerWords } from "../order-words.ts";
import { Entry } from "../parts/choice.tsx";
import { FillDialog } from "./fill-dialog.tsx";
import { isForAnyone, roundingsOf, sumOf, tokensOf } from "./sides.ts";

const SHOWN = 8;
const texts = messages.terms.otc.list;

type Fill = (orders: OtcOrder[]) => void;

/** OTC orders: those the account made, those that it may fill, and any other by its hash. */
export function OfferList(): VNode | null {
  const { state, offersBook } = useScene();
  const [filling, setFilling] = useState<OtcOrder[] | null>(null);
  const { tab, notice, offers } = state;
  if (tab !== "otc") return null;
  return (
    <section class="card recent offers" aria-labelledby="offers-title">
      <h2 id="offers-title">{texts.title}</h2>
      {notice && <p class="quiet">{notice}</p>}
      <h3>{texts.forYou}</h3>
      <Orders orders={offers?.forMe} verb={texts.fill} onAct={(order) => setFilling([order])} />
      <div class="at-once">
        {together(offers?.forMe ?? []).map((orders) => (
          <AllOf key={orders[0]?.orderHash} orders={orders} onFill={setFilling} />
        ))}
      </div>
      <h3>{texts.yours}</h3>
      <Orders orders={offers?.mine} verb={texts.cancel} onAct={(order) => void offersBook.cancel(order)} />
      <ByHash onFill={setFilling} />
      {filling && <FillDialog orders={filling} onClose={() => setFilling(null)} />}
    </section>
  );
}

/** The way to fill all orders of one pair. */
function AllOf({ orders, onFill }: { orders: OtcOrder[]; onFill: Fill }): VNode | null {
  const { state } = useScene();
  const [first] = orders;
  if (!first) return null;
  const { give, get } = tokensOf(state, first);
  const id = `offer-${first.makerAsset}-${first.takerAsset}`;
  return (
    <button id={id} type="button" class="link" onClick={() => onFill(orders)}>
      {texts.fillAll(orders.length, give.symbol, get.symbol)}
    </button>
  );
}

interface OrdersProps {
  orders: OtcOrder[] | undefined;
  verb: string;
  onAct(order: OtcOrder): void;
}

function Orders({ orders, verb, onAct }: OrdersProps): VNode {
  return (
    <ul class="orders">
      {!orders?.length && <li class="quiet">{orders ? texts.none : texts.reading}</li>}
      {orders?.slice(0, SHOWN).map((order) => (
        <Order key={order.orderHash} order={order} verb={verb} onAct={onAct} />
      ))}
    </ul>
  );
}

function Order({ order, verb, onAct }: Omit<OrdersProps, "orders"> & { order: OtcOrder }): VNode {
  const { state, offering } = useScene();
  const { give, get } = tokensOf(state, order);
  const rounding = roundingsOf(state, order);
  const isLive = order.state === "PENDING" || order.state === "SUSPENDED";
  return (
    <li class="order" title={order.orderHash}>
      <button
        id={`offer-open-${order.orderHash}`}
        type="button"
        class="order-open"
        onClick={() => offering.open(order)}
      >
        <span class="order-amounts">
          <Sum amount={order.makerAmount} token={give} rounding={rounding.give} /> {texts.for}{" "}
          <Sum amount={order.takerAmount} token={get} rounding={rounding.get} />
        </span>
        <span class={order.state === "FULFILLED" ? "order-status done" : "order-status"}>{offerWords(order)}</span>
        <small>
          <span class="mono">{short(order.orderHash)}</span>
          {order.expiry !== 0 && texts.until(formatTime(new Date(order.expiry * 1000)))}
          {isForAnyone(order) && texts.forAnyone}
        </small>
      </button>
      {isLive && (
        <button
          id={`offer-${order.orderHash}`}
          type="button"
          class="link order-cancel"
          aria-label={texts.act(verb, sumOf(order.makerAmount, give, rounding.give), get.symbol)}
          onClick={() => onAct(order)}
        >
          {verb}
        </button>
      )}
    </li>
  );
}

function Sum({ amount, token, rounding }: { amount: string; token: Token; rounding: Rounding }): VNode {
  return <span title={`${exact(amount, token.decimals)} ${token.symbol}`}>{sumOf(amount, token, rounding)}</span>;
}

function ByHash({ onFill }: { onFill: Fill }): VNode {
  const { offersBook } = useScene();
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);

  async function open(): Promise<void> {
    const hashes = new Set(text.split(/[\s,]+/).filter(Boolean));
    try {
      const [first, ...rest] = await Promise.all([...hashes].map((one) => offersBook.read(one as Hex)));
      if (!first) return;
      const isOnePair = rest.every(
        ({ makerAsset, takerAsset }) => makerAsset === first.makerAsset && takerAsset === first.takerAsset,
      );
      if (isOnePair) onFill([first, ...rest].toSorted(byPrice));
      else setProblem(texts.onePair);
    } catch (error) {
      setProblem(isTradeError(error) && error.status === 404 ? texts.unknown : texts.unread);
    }
  }

  return (
    <>
      <Entry
        id="offer-hash"
        label={texts.hash}
        value={text}
        mono
        placeholder="0x…"
        problem={problem}
        onType={(typed) => (setText(typed), setProblem(null))}
      />
      <button type="button" id="offer-hash-open" class="secondary" onClick={() => void open()}>
        {texts.open}
      </button>
    </>
  );
}
