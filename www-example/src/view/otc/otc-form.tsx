import type { Address, Amount } from "verified-swap";
import type { VNode } from "preact";
import { nowSecs, VALIDITIES } from "../../client/terms.ts";
import { messages } from "../../messages/en.ts";
import { readAmount } from "../../state/money.ts";
import type { OfferTerms } from "../../state/parts.ts";
import { balanceOf, isNative, nameOf, type State } from "../../state/state.ts";
import { busyWords } from "../busy.ts";
import { useScene, type Scene } from "../context.ts";
import { Stayed } from "../form/compose.tsx";
import { TokenButton } from "../form/token-button.tsx";
import { Entry, Selection } from "../parts/choice.tsx";
import { isSubmit } from "../parts/submit.ts";
import { Message } from "../trouble.tsx";
import { readAddress } from "./sides.ts";
import { AgainstMarket, Ticket, useWorths, type Side } from "./ticket.tsx";

const texts = messages.terms.otc;

/** An order for somebody, or for anyone: what is given, what is wanted, who may fill it, and until when. */
export function OtcForm(): VNode {
  const scene = useScene();
  const { state, store } = scene;
  const { offer, failure, busy, unknownOffer } = state;
  const [give, want] = sidesOf(state);
  const worths = useWorths(give, want);
  const { problem } = orderOf(state);
  const change = (terms: Partial<OfferTerms>): void =>
    store.set({ offer: { ...store.get().offer, ...terms }, failure: null });
  return (
    <section class="stage" aria-labelledby="otc-title" onKeyDown={(event) => isSubmit(event) && press(scene)}>
      <div class="title form-title">
        <h1 id="otc-title" class="visually-hidden" tabIndex={-1}>
          {messages.form.titles.otc}
        </h1>
      </div>
      {unknownOffer !== null && (
        <p class="notice" role="alert">
          {unknownOffer === "" ? texts.unread : wordsOf(unknownOffer)}
        </p>
      )}
      <p class="quiet">{texts.intro}</p>
      <Stayed />
      <Ticket
        sides={[
          <TypedSide key="give" of="src" id="offer-give" field="giveText" label={texts.give} worth={worths.pay} />,
          <TypedSide key="get" of="dest" id="offer-want" field="wantText" label={texts.get} worth={worths.get} />,
        ]}
      >
        <AgainstMarket pay={give} get={want} />
      </Ticket>
      <Entry
        id="offer-taker"
        label={texts.openTo}
        value={offer.takerText}
        mono
        placeholder={texts.anyoneOr}
        problem={readAddress(offer.takerText).problem}
        onType={(takerText) => change({ takerText })}
      />
      <Selection
        name={messages.terms.goodFor}
        options={VALIDITIES}
        value={offer.validForSecs}
        onChoose={(validForSecs) => change({ validForSecs })}
      />
      <div class="action">
        <div class="status">
          <Message failure={failure} words={busy ? busyWords(busy) : (problem ?? "")} />
        </div>
        <button
          type="button"
          class="primary"
          aria-disabled={failure === null && (busy !== null || problem !== null)}
          onClick={() => press(scene)}
        >
          {failure?.button ?? texts.review}
        </button>
      </div>
    </section>
  );
}

/** Any other text of a link would be words of a stranger in the mouth of this page. */
function wordsOf(unknownOffer: string): string {
  return /^0x[0-9a-f]{64}$/i.test(unknownOffer) ? texts.unknown(unknownOffer) : texts.noHash;
}

interface TypedSideProps {
  of: "src" | "dest";
  id: string;
  field: "giveText" | "wantText";
  label: string;
  worth: string | null;
}

/** One side of the ticket while it is being written. */
function TypedSide({ of, id, field, label, worth }: TypedSideProps): VNode {
  const { state, store } = useScene();
  const { symbol, decimals } = state[of];
  const text = state.offer[field];
  return (
    <div class="ticket-side with-token">
      <Entry
        id={id}
        label={label}
        value={text}
        inputMode="decimal"
        placeholder="0"
        problem={readAmount(text, symbol, decimals).problem}
        hint={worth}
        onType={(typed) => store.set({ offer: { ...store.get().offer, [field]: typed }, failure: null })}
      />
      <TokenButton of={of} label={label} />
    </div>
  );
}

function press({ store, swap }: Scene): void {
  const state = store.get();
  const { failure, busy, src, dest, offer } = state;
  const order = orderOf(state);
  if (busy) return;
  if (failure) return swap.remedy(failure);
  if (order.problem !== null) return;
  const { makerAmount, takerAmount, taker } = order;
  const request = {
    chainId: src.chainId,
    makerAsset: src.address,
    takerAsset: dest.address,
    makerAmount,
    takerAmount,
    makerDecimals: src.decimals,
    takerDecimals: dest.decimals,
    makerSymbol: nameOf(src),
    takerSymbol: nameOf(dest),
    expiry: nowSecs() + offer.validForSecs,
    ...(taker ? { taker } : {}),
  };
  void swap.reviewThis((client) => client.otc.build(request, { coverOpenOrders: true }), { src, dest });
}

function sidesOf({ src, dest, offer }: State): [give: Side, want: Side] {
  return [
    { token: src, amount: readAmount(offer.giveText, src.symbol, src.decimals).amount },
    { token: dest, amount: readAmount(offer.wantText, dest.symbol, dest.decimals).amount },
  ];
}

type Read =
  | { problem: string }
  | { problem: null; makerAmount: Amount; takerAmount: Amount; taker: Address | null };

/** What the form asks for, or the first thing that is missing. */
function orderOf(state: State): Read {
  const { src, dest, offer, account } = state;
  if (!account) return { problem: texts.connectFirst };
  const native = [src, dest].find(isNative);
  if (native) return { problem: texts.wrapFirst(native.symbol) };
  const { amount: makerAmount, problem: givingProblem } = readAmount(offer.giveText, src.symbol, src.decimals);
  const { amount: takerAmount, problem: gettingProblem } = readAmount(offer.wantText, dest.symbol, dest.decimals);
  const { address, problem } = readAddress(offer.takerText);
  const wrong = givingProblem ?? gettingProblem ?? problem;
  if (wrong) return { problem: wrong };
  if (makerAmount === null || takerAmount === null) return { problem: texts.enterBoth };
  const held = balanceOf(state, src);
  if (held !== null && BigInt(held) < BigInt(makerAmount)) return { problem: texts.notHeld(src.symbol) };
  return { problem: null, makerAmount, takerAmount, taker: address };
}
