import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { balance, dollars, exact, rounded, typed } from "../format.ts";
import { Icon } from "../parts/icon.tsx";
import { TokenSymbol, useSymbol } from "../parts/text.tsx";
import { TokenLogo } from "../parts/token-logo.tsx";
import { useId, useScene } from "../scene.ts";
import { faultWords } from "./faults.ts";
import { usdOf } from "./outcome.tsx";
import type { Side } from "./pair.ts";
import type { SwapForm } from "../../src/types/swap.ts";

const SHARES = [25, 50, 100] as const;

/** Characters from which on an amount is written smaller, so that it can be read whole. */
const SIZES = [[22, "tiny"], [15, "small"], [7, "medium"]] as const;

/** An amount and its token. Typing in either field makes it the fixed side. */
export function AmountField({ side, onPick }: { side: Side; onPick: () => void }): VNode {
  const { state, words } = useScene();
  const id = useId();
  const fault = isFixed(side, state.form) ? faultWords(state, "amount", words) : null;
  const lacks = side === "src" && state.faults.some(({ reason }) => reason === "tooMuch");
  return (
    <div class="form-field">
      <div class="form-over">
        <label class="form-label" for={id}>{side === "src" ? words.form.youPay : words.form.youReceive}</label>
        {side === "src" && <Shares />}
      </div>
      <div class="form-amount">
        <AmountInput id={id} side={side} isWrong={fault !== null || lacks} />
        <TokenButton side={side} onPick={onPick} />
      </div>
      <div class="form-under">
        <span id={`${id}-note`} class={fault === null ? undefined : "problem"}>{fault ?? <Worth side={side} />}</span>
        {fault === null && <Balance side={side} lacks={lacks} />}
      </div>
    </div>
  );
}

function isFixed(side: Side, { side: fixed }: SwapForm): boolean {
  return (side === "src") === (fixed === "SELL");
}

/** The typed amount, or the expected one: rounded, until the focus is in it. */
function AmountInput({ id, side, isWrong }: { id: string; side: Side; isWrong: boolean }): VNode {
  const { state: { form, figures, price }, swap } = useScene();
  const input = useRef<HTMLInputElement>(null);
  const [isFocused, setFocused] = useState(false);
  const isTyped = isFixed(side, form);
  const { decimals } = form[side];
  const expected = isTyped ? null : ((side === "src" ? figures?.pay : figures?.get) ?? null);
  const whole = expected === null ? "" : typed(expected, decimals);
  const short = expected === null ? "" : rounded(expected, decimals, side === "src" ? "up" : "down");
  const text = isTyped ? form.amount : isFocused ? whole : short;
  const isLoading = !isTyped && expected === null && price.isFetching;
  // An amount that is on its way takes the size of most, so that nothing moves when it is there.
  const size = SIZES.find(([length]) => text.length >= length)?.[1] ?? (isTyped ? "large" : "medium");
  // All digits are there to be copied, or typed over.
  useLayoutEffect(() => {
    if (isFocused && whole) input.current?.select();
  }, [isFocused]);
  return (
    <input
      ref={input}
      id={id}
      class={`form-number form-${size}${isLoading ? " skeleton" : ""}`}
      type="text"
      inputMode="decimal"
      enterkeyhint="go"
      autocomplete="off"
      placeholder="0"
      title={whole}
      aria-describedby={`${id}-note`}
      aria-invalid={isWrong}
      value={text}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      onInput={({ currentTarget }) => swap.change({ side: side === "src" ? "SELL" : "BUY", amount: currentTarget.value })}
    />
  );
}

/** The amount as it was read where that is not plain from the text, and its dollars. */
function Worth({ side }: { side: Side }): VNode {
  const { state: { form, amount, figures }, words } = useScene();
  const isTyped = isFixed(side, form);
  // An amount that was read is short; in a text of any length the pattern takes for ever.
  const isOther = isTyped && amount !== null && !/^\s*\d*\.?\d*\s*$/.test(form.amount);
  const read = isOther ? words.form.readAs(exact(amount, form[side].decimals)) : null;
  const usd = figures && dollars(usdOf(figures)[side === "src" ? "pay" : "get"]);
  return <>{[read, usd].filter((text) => text !== null).join(" · ")}</>;
}

/** The balance of the side's token, once it is known. */
function Balance({ side, lacks }: { side: Side; lacks: boolean }): VNode | null {
  const { state: { form, balances }, words } = useScene();
  const { chainId, address, decimals } = form[side];
  const held = balances[`${chainId}/${address}`];
  if (held === undefined) return null;
  return (
    <span class={lacks ? "form-balance problem" : "form-balance"} title={exact(held, decimals)}>
      {words.form.balance} <bdi>{balance(held, decimals)}</bdi>
    </span>
  );
}

function Shares(): VNode {
  const { state: { form, balances }, swap, words } = useScene();
  const isKnown = balances[`${form.src.chainId}/${form.src.address}`] !== undefined;
  return (
    <span class="form-shares" role="group" aria-label={words.form.shares}>
      {SHARES.map((share) => (
        <button
          key={share}
          type="button"
          class="form-share"
          aria-disabled={!isKnown}
          aria-label={share === 100 ? words.form.useMax : words.form.useShare(`${share} %`)}
          onClick={() => isKnown && void swap.useShare(share).catch(() => {})}
        >
          {share === 100 ? words.form.max : `${share} %`}
        </button>
      ))}
    </span>
  );
}

/** The token of one side; a press lets another one be chosen. */
function TokenButton({ side, onPick }: { side: Side; onPick: () => void }): VNode {
  const { state: { form }, words, chains, chainName } = useScene();
  const { chainId, address } = form[side];
  const symbolOf = useSymbol();
  const chain = chains.length > 1 ? chainName(chainId) : "";
  const label = side === "src" ? words.form.youPay : words.form.youReceive;
  return (
    <button type="button" class="form-token" aria-label={words.form.chooseToken(label, symbolOf(chainId, address), chain)} onClick={onPick}>
      <TokenLogo token={form[side]} />
      <span class="form-token-name">
        <TokenSymbol chainId={chainId} token={address} />
        {chain && <> <small><bdi>{chain}</bdi></small></>}
      </span>
      <Icon name="down" />
    </button>
  );
}
