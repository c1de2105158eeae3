import type { Amount } from "verified-swap";
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { messages } from "../../messages/en.ts";
import { exact, percent, rounded, typed } from "../../state/money.ts";
import { amountOf, balanceOf, worthOf, type State } from "../../state/state.ts";
import { useScene } from "../context.ts";
import { Figure } from "../parts/figure.tsx";
import { impactOf } from "./quote-lines.ts";
import { shortfall } from "./standing.ts";
import { TokenButton } from "./token-button.tsx";

const words = messages.form;

/** Characters from which on an amount is written smaller: it stays to be read whole. */
const LONG = 7;
const LONGER = 10;
const LONGEST = 16;

const SHARES = [25, 50, 100] as const;

interface FieldProps {
  of: "src" | "dest";
  label: string;
  /** What the price comes to on this side; null without a price. */
  priced: Amount | null;
}

/** An amount and its token. Typing in either field makes it the fixed side. */
export function AmountField({ of, label, priced }: FieldProps): VNode {
  const { state, store, pricing } = useScene();
  const input = useRef<HTMLInputElement>(null);
  const [focused, setFocused] = useState(false);
  const token = state[of];
  const side = of === "src" ? "SELL" : "BUY";
  const isTyped = state.side === side;
  const loading = !isTyped && state.quoting && priced === null;
  const all = isTyped || priced === null ? null : typed(priced, token.decimals);
  const rounding = of === "src" ? "up" : "down";
  const text = isTyped ? state.amountText : priced === null ? "" : rounded(priced, token.decimals, rounding);
  const shown = focused && all ? all : text;
  const { note, kind } = noteOf(state, of, isTyped, priced);
  const lacks = of === "src" && shortfall(state) !== null;

  // All digits are ready to be copied or typed over.
  useLayoutEffect(() => {
    if (focused && all) input.current?.select();
  }, [focused]);

  return (
    <div class="field">
      <div class="over">
        <label for={`${of}-amount`}>{label}</label>
        {of === "src" && <Shares />}
      </div>
      <div class="entry">
        <input
          ref={input}
          id={`${of}-amount`}
          class={`amount${sizeOf(shown)}${loading ? " skeleton" : ""}`}
          type="text"
          inputMode="decimal"
          enterkeyhint="go"
          autocomplete="off"
          placeholder="0"
          title={all ?? ""}
          aria-describedby={`${of}-note`}
          aria-invalid={kind === "problem" || lacks}
          value={shown}
          onFocus={() => setFocused(true)}
          onBlur={() => setFocused(false)}
          onInput={({ currentTarget }) => {
            store.set({ side, amountText: currentTarget.value });
            pricing.changed();
          }}
        />
        <TokenButton of={of} label={label} />
      </div>
      <div class={`under ${kind}`}>
        <span id={`${of}-note`} class={kind === "problem" ? "note problem" : "note"}>
          {note}
        </span>
        {kind === "" && <Balance of={of} lacks={lacks} />}
      </div>
    </div>
  );
}

function sizeOf({ length }: string): string {
  return length > LONGEST ? " longest" : length > LONGER ? " longer" : length > LONG ? " long" : "";
}

/** What stands below a field: what is wrong, what would help, how it was read, what it is worth. */
function noteOf(
  state: State,
  of: "src" | "dest",
  isTyped: boolean,
  priced: Amount | null,
): { note: VNode | string; kind: string } {
  const { amount, problem, readAs } = amountOf(state);
  const { quote, failure, leftForGas, src } = state;
  if (isTyped && problem) return { note: problem, kind: "problem" };
  if (isTyped && failure?.ofAmount) return { note: failure.message, kind: "hinted" };
  const usd = quote && state.tab !== "twap" ? (of === "src" ? quote.srcUsd : quote.destUsd) : null;
  const dollars = usd && priced ? worthOf(state, state[of], priced) : null;
  const impact = of === "dest" && state.tab === "swap" && quote ? impactOf(quote) : null;
  if (isTyped && readAs) return { note: dollars ? `${words.readAs(readAs)} · ${dollars}` : words.readAs(readAs), kind: "" };
  if (of === "src" && leftForGas)
    return { note: words.leavesGas(`${rounded(leftForGas, src.decimals, "down")} ${src.symbol}`), kind: "" };
  // Of a purchase the fee is taken from what was typed.
  if (of === "dest" && isTyped && priced && amount && BigInt(priced) < BigInt(amount))
    return { note: words.afterFee(`${rounded(priced, state.dest.decimals, "down")} ${state.dest.symbol}`), kind: "" };
  if (!dollars) return { note: "", kind: "" };
  if (!impact) return { note: dollars, kind: "" };
  const looks = impact.isLarge ? "impact problem" : "impact";
  return { note: <>{dollars} <span class={looks}>({impact.text})</span></>, kind: "" }; // prettier-ignore
}

/** What is held of the field's token, once that is known. */
function Balance({ of, lacks }: { of: "src" | "dest"; lacks: boolean }): VNode | null {
  const { state } = useScene();
  const token = state[of];
  const held = balanceOf(state, token);
  if (held === null) return null;
  return (
    <span class={lacks ? "held problem" : "held"}>
      {words.balance}{" "}
      <Figure text={rounded(held, token.decimals, "down")} exact={exact(held, token.decimals)} />
    </span>
  );
}

/** 25 %, 50 %, all of what is held. */
function Shares(): VNode {
  const { state, pricing } = useScene();
  const unknown = balanceOf(state, state.src) === null;
  return (
    <span class="shares" role="group" aria-label={words.shares}>
      {SHARES.map((share) => (
        <button
          key={share}
          type="button"
          class="share"
          aria-disabled={unknown}
          aria-label={words.useShare(share, percent(share * 100))}
          onClick={() => unknown || void pricing.useShare(share)}
        >
          {share === 100 ? words.max : percent(share * 100)}
        </button>
      ))}
    </span>
  );
}
