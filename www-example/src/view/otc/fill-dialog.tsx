import type { OtcOrder } from "verified-swap";
import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { leftOf, receivedFor } from "../../client/offers.ts";
import { ownPermit } from "../../client/permits.ts";
import { messages } from "../../messages/en.ts";
import { readAmount, typed } from "../../state/money.ts";
import { balanceOf, isUnlisted } from "../../state/state.ts";
import { useScene } from "../context.ts";
import { CheckBox, Entry } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { amountLine, emptyLines, Lines } from "../parts/lines.tsx";
import { UnlistedDialog } from "../parts/unlisted.tsx";
import { readAddress, sumOf, tokensOf } from "./sides.ts";

const texts = messages.terms.otc.fill;

/**
 * How much of an OTC order, or of several of one pair, to fill, and who receives. What follows is built, verified and
 * reviewed like everything else.
 */
export function FillDialog({ orders, onClose }: { orders: OtcOrder[]; onClose(): void }): VNode | null {
  const { state, tokens } = useScene();
  const [isRead, setRead] = useState(false);
  const [accepted, setAccepted] = useState<string[]>([]);
  const [first] = orders;
  useEffect(() => {
    if (first) void tokens.learn(first.chainId, [first.makerAsset, first.takerAsset]).finally(() => setRead(true));
  }, []);
  if (!first) return null;
  const { give, get } = tokensOf(state, first);
  const unlisted = [give, get].find((token) => isUnlisted(token) && !accepted.includes(token.address));
  if (unlisted?.kind === "unread")
    return (
      <Dialog title={messages.form.picker.unknownTitle} onClose={onClose}>
        <p role="status">{isRead ? messages.form.picker.noToken : messages.form.picker.reading}</p>
      </Dialog>
    );
  if (unlisted)
    return (
      <UnlistedDialog
        key={unlisted.address}
        token={unlisted}
        onUse={() => setAccepted([...accepted, unlisted.address])}
        onBack={onClose}
        onClose={onClose}
      />
    );
  return <FillForm first={first} orders={orders} onClose={onClose} />;
}

interface FillProps {
  first: OtcOrder;
  orders: OtcOrder[];
  onClose(): void;
}

function FillForm({ first, orders, onClose }: FillProps): VNode {
  const { state, offersBook } = useScene();
  const { give: get, get: pay } = tokensOf(state, first);
  const left = leftOf(orders);
  const [text, setText] = useState(() => typed(left, pay.decimals));
  const [receiver, setReceiver] = useState("");
  const [permits, setPermits] = useState(pay.kind === "signOnly");
  const kind = ownPermit(pay);
  const { amount, problem, readAs } = readAmount(text, pay.symbol, pay.decimals);
  const held = balanceOf(state, pay);
  const tooMuch = amount !== null && held !== null && BigInt(held) < BigInt(amount);
  const wrong = problem ?? (tooMuch ? messages.terms.otc.notHeld(pay.symbol) : null);
  const to = readAddress(receiver);
  const isReady = amount !== null && wrong === null && to.problem === null;
  const exchange = ({ makerAmount, takerAmount }: OtcOrder): string =>
    messages.terms.otc.exchange(sumOf(makerAmount, get, "down"), sumOf(takerAmount, pay, "up"));

  function press(): void {
    if (!isReady) return;
    onClose();
    // Everything that is left is the default, and the chain knows how much that is.
    const part = amount === left ? {} : { takerAmount: amount };
    void offersBook.fill(orders, { ...part, ...(to.address ? { receiver: to.address } : {}) }, permits ? kind : null);
  }

  const hint = left === "0" ? texts.nothingLeft : texts.left(`${typed(left, pay.decimals)} ${pay.symbol}`);
  return (
    <Dialog title={orders.length === 1 ? texts.title : texts.several(orders.length)} onClose={onClose}>
      {orders.length === 1 ? (
        <p>{texts.all(exchange(first))}</p>
      ) : (
        <>
          <p class="quiet">{texts.each}</p>
          <ol class="batch" tabIndex={0} aria-label={texts.orders}>
            {orders.map((order) => (
              <li key={order.orderHash} title={order.orderHash}>
                {exchange(order)}
              </li>
            ))}
          </ol>
        </>
      )}
      <Entry
        id="fill-amount"
        label={texts.pay(pay.symbol)}
        value={text}
        inputMode="decimal"
        problem={wrong}
        hint={readAs ? messages.form.readAs(readAs) : hint}
        onType={setText}
      />
      {left !== "0" && (
        <input
          class="part"
          type="range"
          min={1}
          max={100}
          aria-label={texts.part}
          aria-valuetext={`${shareOf(amount, left)} %`}
          value={shareOf(amount, left)}
          onInput={({ currentTarget }) => setText(typed(partOf(left, currentTarget.valueAsNumber), pay.decimals))}
        />
      )}
      <Lines
        lines={
          amount === null
            ? emptyLines([messages.terms.otc.get])
            : [amountLine(messages.terms.otc.get, receivedFor(orders, amount), get, "down")]
        }
      />
      <Entry
        id="fill-receiver"
        label={texts.receiver}
        value={receiver}
        mono
        placeholder={texts.youOr}
        problem={to.problem}
        onType={setReceiver}
      />
      {kind && (
        <CheckBox checked={permits} onCheck={setPermits}>
          {texts.permit}
        </CheckBox>
      )}
      <button type="button" class="primary" aria-disabled={!isReady} onClick={press}>
        {texts.review}
      </button>
    </Dialog>
  );
}

/** So many percent of what is left, of raw units. */
function partOf(left: string, percent: number): string {
  return ((BigInt(left) * BigInt(percent)) / 100n).toString();
}

function shareOf(amount: string | null, left: string): number {
  if (amount === null || left === "0") return 0;
  return Math.min(100, Number((BigInt(amount) * 100n) / BigInt(left)));
}
