import { maxSpent, type Amount } from "verified-swap";
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { firstSpending } from "../../client/permits.ts";
import { beneficiaryOf } from "../../client/pricing.ts";
import { limitAmountOf } from "../../client/terms.ts";
import { messages } from "../../messages/en.ts";
import { isDearer, price, typed } from "../../state/money.ts";
import { leastOf } from "../../state/prices.ts";
import { chainName, isCrosschain, isPromised, isStale, routeOf, short, type State } from "../../state/state.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { useScene } from "../context.ts";
import { LimitForm } from "../limit-form.tsx";
import { CheckBox } from "../parts/choice.tsx";
import { Figure } from "../parts/figure.tsx";
import { Icon } from "../parts/icon.tsx";
import { emptyLines, Lines } from "../parts/lines.tsx";
import { isSubmit } from "../parts/submit.ts";
import { RouteRail } from "../rail.tsx";
import { TwapForm } from "../twap-form.tsx";
import { Action, pressMain } from "./action.tsx";
import { AmountField } from "./amount-field.tsx";
import { ComparisonView } from "./comparison.tsx";
import { headline, linesOf, namesOf, noticeWords, summaryOf } from "./quote-lines.ts";
import { Settings } from "./settings.tsx";

const words = messages.form;

/** The form: what is paid, what is received, on which terms, who receives it, and what it comes to. */
export function Compose({ hidden }: { hidden: boolean }): VNode {
  const scene = useScene();
  const { state } = scene;
  const amounts = amountsOf(state);
  const dimmed = state.quoting || isStale(state) || !state.online || state.failure !== null;
  return (
    <section
      class="stage"
      hidden={hidden}
      aria-labelledby="compose-title"
      data-dimmed={dimmed || undefined}
      onKeyDown={(event) => isSubmit(event) && pressMain(scene)}
    >
      {/* The tab says it already, to the eye. */}
      <div class="title form-title">
        <h1 id="compose-title" class="visually-hidden" tabIndex={-1}>
          {words.titles[state.tab]}
        </h1>
        <Settings />
      </div>
      <div class="fields">
        <AmountField of="src" label={words.youPay} priced={amounts?.src ?? null} />
        <Turn />
        <AmountField of="dest" label={words.youReceive} priced={amounts?.dest ?? null} />
      </div>
      <Stayed />
      <LimitForm />
      <TwapForm />
      <ComparisonView />
      <RouteRail />
      <BridgePromise />
      <OtherReceiver />
      <Notice />
      <Outcome />
      <Action />
    </section>
  );
}

/**
 * What is paid and received in all, after the fee: a limit takes the place of the price, and a TWAP quote is of one slice.
 */
function amountsOf(state: State): { src: Amount; dest: Amount } | null {
  const { quote, tab, side } = state;
  if (!quote) return null;
  const limit = tab === "limit" ? limitAmountOf(state) : null;
  if (limit && side === "SELL") return { src: quote.srcAmount, dest: leastOf({ ...quote, destAmount: limit }, 0) };
  if (limit) return { src: limit, dest: leastOf(quote, 0) };
  if (quote.kind === "market") return { src: maxSpent(quote, 0), dest: leastOf(quote, 0) };
  const chosen = { ...quote, ...routeOf(state) };
  const { total, sliceAmount } = quote.twap ?? { total: "1", sliceAmount: "1" };
  return {
    src: ((BigInt(chosen.srcAmount) * BigInt(total)) / BigInt(sliceAmount)).toString(),
    dest: leastOf(chosen, 0),
  };
}

/** Turns the pair around; what was to be received is now to be paid. */
function Turn(): VNode {
  const { state, store, pricing } = useScene();
  const stays = isCrosschain(state);

  function turn(): void {
    if (stays) return;
    const { src, dest, side } = state;
    const amounts = amountsOf(state);
    const kept =
      amounts && side === "SELL" ? typed(amounts.dest, dest.decimals) : amounts && typed(amounts.src, src.decimals);
    store.set({
      src: dest,
      dest: src,
      side: "SELL",
      spending: firstSpending(dest),
      ...(kept ? { amountText: kept } : {}),
    });
    pricing.changed();
  }

  return (
    <button
      type="button"
      class="turn"
      aria-label={words.turn}
      aria-disabled={stays}
      title={stays ? words.turnStays : ""}
      onClick={turn}
    >
      <Icon name="turn" />
    </button>
  );
}

/** Another tab took another token: not in silence. */
export function Stayed(): VNode | null {
  const { state } = useScene();
  const { stayed, dest } = state;
  if (!stayed || stayed.to !== dest) return null;
  const nameOf = ({ symbol, chainId }: Token): string => messages.review.on(symbol, chainName(state, chainId));
  return <p class="notice">{words.stays(nameOf(stayed.from), nameOf(stayed.to))}</p>;
}

/** Consent to an arrival that no order guarantees. */
function BridgePromise(): VNode | null {
  const { state, store } = useScene();
  if (!isPromised(state)) return null;
  return (
    <CheckBox checked={state.acceptsPromise} onCheck={(acceptsPromise) => store.set({ acceptsPromise })}>
      {words.promise}
    </CheckBox>
  );
}

/** Somebody else receives: said in the form itself, where the settings are closed. */
function OtherReceiver(): VNode | null {
  const { state } = useScene();
  const read = beneficiaryOf(state);
  if (read.ok && read.address === null) return null;
  const to = read.ok && read.address ? words.sentTo(short(read.address)) : words.sentToNobody;
  return <p class={read.ok ? "notice" : "notice problem"}>{to}</p>;
}

function Notice(): VNode | null {
  const { quote } = useScene().state;
  const text = quote?.kind === "market" ? noticeWords(quote) : null;
  return text === null ? null : <p class="notice">{text}</p>;
}

/** What it comes to: the headline, the rate, and each part of the cost. */
function Outcome(): VNode {
  const { state } = useScene();
  const { quote, quoting } = state;
  const loading = quoting && !quote;
  const [open, setOpen] = useState(false);
  return (
    <div class="outcome">
      <div class="headline">
        <Lines lines={[headline(state)]} loading={loading} />
      </div>
      <Rate />
      {/* Where there is room, they stand open. */}
      <button
        type="button"
        class="costs-button"
        aria-expanded={open}
        aria-controls="costs"
        onClick={() => setOpen(!open)}
      >
        {words.details}
        <span>{quote ? summaryOf(state, quote) : ""}</span>
        <Icon name="down" />
      </button>
      <div id="costs" class={open ? "costs open" : "costs"}>
        <Lines lines={quote ? linesOf(state, quote) : emptyLines(namesOf(state))} loading={loading} />
      </div>
    </div>
  );
}

/** The price of one token in the other; a press turns it around. */
function Rate(): VNode {
  const { state } = useScene();
  const { quote, quoting, src, dest, tab } = state;
  const [turned, setTurned] = useState(false);
  // The market's own has nothing to do with the limit above it.
  const amounts = tab === "limit" ? quote && { src: quote.srcAmount, dest: quote.destAmount } : amountsOf(state);
  const sums = amounts && ([{ ...src, amount: amounts.src }, { ...dest, amount: amounts.dest }] as const);
  // The large number first: how much of the cheaper one for one of the dearer.
  const dear = sums && isDearer(sums[0], sums[1]) ? [sums[0], sums[1]] as const : sums && ([sums[1], sums[0]] as const);
  const shown = dear && (turned ? price(dear[1], dear[0]) : price(dear[0], dear[1]));
  const name = tab === "limit" ? words.lines.marketPrice : tab === "twap" ? words.lines.rateOfSlice : words.lines.rate;
  return (
    <dl class="rows">
      <div class="row">
        <dt>{name}</dt>
        <dd class="rate">
          <Figure text={shown?.rounded ?? "–"} exact={shown?.exact} loading={quoting && !quote} />
          <button
            type="button"
            class="flip"
            aria-label={words.flip}
            aria-disabled={!shown}
            onClick={() => setTurned(!turned)}
          >
            <Icon name="flip" />
          </button>
        </dd>
      </div>
    </dl>
  );
}
