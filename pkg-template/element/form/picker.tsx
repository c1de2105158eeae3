import type { TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { rounded, shortAddress } from "../format.ts";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { AddressText } from "../parts/text.tsx";
import { plainSymbol, plainText } from "../parts/plain-text.ts";
import { TokenLogo } from "../parts/token-logo.tsx";
import { useId, useScene } from "../scene.ts";
import { Chips } from "./controls.tsx";
import { isSame, mayCross, withToken, type Side } from "./pair.ts";
import { addressIn, isForeign, posesAs, readUnlisted, type Unlisted } from "./unlisted.ts";
import { keepRecent, keyOf, recentTokens } from "./recent.ts";
import type { SwapToken } from "../../src/types/swap.ts";

/** Tokens that are drawn at once: a service lists thousands. */
const MOST_SHOWN = 100;

/** The choice of the token of one side, on which chain too. The other side's token turns the pair around. */
export function TokenPicker({ side, onClose }: { side: Side; onClose: () => void }): VNode {
  const { state: { form }, swap, words, tokens, kinds, addToken } = useScene();
  const [chainId, setChainId] = useState(form[side].chainId);
  const [text, setText] = useState("");
  const [asked, setAsked] = useState<Unlisted | null>(null);
  const texts = words.form.picker;

  function choose(token: SwapToken): void {
    keepRecent(token);
    swap.change(withToken(form, side, token, tokens, kinds));
    onClose();
  }
  if (asked)
    return (
      <Dialog key="unlisted" title={texts.unknownTitle} onClose={onClose}>
        <UnlistedWarning unlisted={asked} onBack={() => setAsked(null)} onUse={() => (addToken(asked.token), choose(asked.token))} />
      </Dialog>
    );
  return (
    <Dialog key="list" title={side === "src" ? texts.payWith : texts.receive} onClose={onClose}>
      <div class="form-picker">
        {(side === "src" || mayCross(form.kind, kinds)) && <Networks chainId={chainId} onChoose={setChainId} />}
        <Options
          key={chainId}
          {...{ chainId, text, setText }}
          current={form[side]}
          onChoose={choose}
          onUnlisted={setAsked}
        />
      </div>
    </Dialog>
  );
}

function Networks({ chainId, onChoose }: { chainId: number; onChoose: (chainId: number) => void }): VNode | null {
  const { words, chains } = useScene();
  if (chains.length < 2) return null;
  const options = chains.map((chain) => [chain.chainId, <bdi>{chain.name}</bdi>] as const);
  return <Chips legend={words.form.picker.network} options={options} value={chainId} onChoose={(id) => onChoose(id)} />;
}

interface OptionsProps {
  chainId: number;
  text: string;
  setText(text: string): void;
  current: SwapToken;
  onChoose(token: SwapToken): void;
  onUnlisted(token: Unlisted): void;
}

/** The search, and the tokens that fit it. */
function Options({ chainId, text, setText, current, onChoose, onUnlisted }: OptionsProps): VNode {
  const { words } = useScene();
  const texts = words.form.picker;
  const [active, setActive] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { recent, others, left } = useFitting(chainId, text);
  const { unlisted, remark } = useAtAddress(chainId, text);
  const found = [...recent, ...others];
  const count = found.length + (unlisted ? 1 : 0);

  function chooseAt(index: number): void {
    const token = found[index];
    if (token) onChoose(token);
    else if (unlisted && index === found.length) onUnlisted(unlisted);
  }
  const type = (typed: string): void => (setText(typed), setActive(0));
  useEffect(() => list.current?.querySelector(".form-active")?.scrollIntoView({ block: "nearest" }), [active]);

  const option = (token: SwapToken, index: number): VNode => {
    const is = { isActive: index === active, isCurrent: isSame(token, current) };
    return <TokenOption key={keyOf(token)} id={`${id}-${index}`} token={token} {...is} onChoose={() => chooseAt(index)} />;
  };
  return (
    <>
      <Search {...{ id, text, count, active, setActive }} onType={type} onEnter={() => chooseAt(active)} />
      <div class="form-options" id={`${id}-list`} ref={list} role="listbox" aria-label={texts.tokens}>
        {recent.length > 0 && (
          <div role="group" aria-label={texts.recent}>
            <p class="quiet" aria-hidden="true">{texts.recent}</p>
            {recent.map(option)}
          </div>
        )}
        {others.map((token, index) => option(token, recent.length + index))}
        {unlisted && option(unlisted.token, found.length)}
      </div>
      <p class="quiet form-remark" role="status">{remark ?? (count === 0 ? texts.noMatch : left > 0 ? texts.more(left) : "")}</p>
    </>
  );
}

interface SearchProps {
  id: string;
  text: string;
  /** The number of options, and the one that Enter takes. */
  count: number;
  active: number;
  setActive(index: number): void;
  onType(text: string): void;
  onEnter(): void;
}

/** The search; its arrow keys go through the options. */
function Search({ id, text, count, active, setActive, onType, onEnter }: SearchProps): VNode {
  const texts = useScene().words.form.picker;
  function steer(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const last = Math.max(count - 1, 0);
    if (event.key === "Enter") onEnter();
    else if (event.key === "ArrowDown") setActive(active >= last ? 0 : active + 1);
    else if (event.key === "ArrowUp") setActive(active <= 0 ? last : active - 1);
    else return;
    event.preventDefault();
  }
  return (
    <input
      class="text"
      type="text"
      role="combobox"
      aria-label={texts.search}
      aria-expanded="true"
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={count > 0 ? `${id}-${active}` : undefined}
      autocomplete="off"
      spellcheck={false}
      autofocus
      enterkeyhint="done"
      placeholder={texts.placeholder}
      value={text}
      onInput={({ currentTarget }) => onType(currentTarget.value)}
      onKeyDown={steer}
    />
  );
}

interface OptionProps {
  id: string;
  token: SwapToken;
  isActive: boolean;
  isCurrent: boolean;
  onChoose(): void;
}

function TokenOption({ id, token, isActive, isCurrent, onChoose }: OptionProps): VNode {
  const { state: { balances }, words } = useScene();
  const held = balances[`${token.chainId}/${token.address}`];
  return (
    <div id={id} class={isActive ? "form-option form-active" : "form-option"} role="option" aria-selected={isCurrent} onClick={onChoose}>
      <TokenLogo token={token} />
      <span class="form-option-name">
        <bdi>{plainSymbol(token.symbol)}</bdi> {isCurrent && <Icon name="tick" />}
        <small>
          {token.name && <bdi class="form-name">{plainText(token.name, 40)}</bdi>} <bdi class="mono">{shortAddress(token.address)}</bdi>
          {token.isUnlisted && <span class="form-warns"> {words.form.picker.unlisted}</span>}
        </small>
      </span>
      {held !== undefined && <span class="form-option-sum"><bdi>{rounded(held, token.decimals, "down")}</bdi></span>}
    </div>
  );
}

/** The tokens of the chain that fit the text: those that were used last, then those with a balance, then all others. */
function useFitting(chainId: number, text: string): { recent: SwapToken[]; others: SwapToken[]; left: number } {
  const { state: { balances }, tokens } = useScene();
  const [keys] = useState(recentTokens);
  const sought = text.trim().toLowerCase();
  const found = tokens.filter((token) => token.chainId === chainId
    && `${token.symbol} ${token.name ?? ""} ${token.address}`.toLowerCase().includes(sought));
  const recent = keys.flatMap((key) => found.find((token) => keyOf(token) === key) ?? []);
  const isHeld = ({ address }: SwapToken): boolean => (balances[`${chainId}/${address}`] ?? "0") !== "0";
  const rest = found.filter((token) => !recent.includes(token));
  const others = [...rest.filter(isHeld), ...rest.filter((token) => !isHeld(token))];
  return { recent, others: others.slice(0, MOST_SHOWN), left: Math.max(others.length - MOST_SHOWN, 0) };
}

/** The token at the address that was typed, if no list has it; `remark`: what there is to mention of that. */
function useAtAddress(chainId: number, text: string): { unlisted: Unlisted | null; remark: string | null } {
  const { ask, words: { form: { picker } }, tokens } = useScene();
  const address = addressIn(text);
  const isListed = tokens.some((token) => token.chainId === chainId && token.address.toLowerCase() === address?.toLowerCase());
  const sought = isListed ? null : address;
  const [read, setRead] = useState<{ of: string; found: Unlisted | "none" | "unread" } | null>(null);
  useEffect(() => {
    let isLeft = false;
    if (sought) void readUnlisted(ask, chainId, sought).then((found) => isLeft || setRead({ of: sought, found }));
    return () => {
      isLeft = true;
    };
  }, [sought]);
  if (!sought) return { unlisted: null, remark: null };
  if (read?.of !== sought) return { unlisted: null, remark: picker.reading };
  if (read.found === "none") return { unlisted: null, remark: picker.noToken };
  return read.found === "unread" ? { unlisted: null, remark: picker.noNode } : { unlisted: read.found, remark: "" };
}

/** A token that no list has is used only after this. */
function UnlistedWarning({ unlisted, onBack, onUse }: { unlisted: Unlisted; onBack: () => void; onUse: () => void }): VNode {
  const { tokens, words, chainName } = useScene();
  const texts = words.form.picker;
  const { token, calls } = unlisted;
  const posed = posesAs(calls, tokens);
  return (
    <div class="form-unlisted">
      <p class="form-unlisted-token"><TokenLogo token={token} /> <bdi>{plainSymbol(token.symbol)}</bdi></p>
      <p class="quiet"><bdi>{texts.itself(calls, token.decimals, chainName(token.chainId))}</bdi></p>
      <p class="note note-stop">
        <Icon name="warning" />
        <span>
          {posed && <strong>{texts.poses(plainSymbol(posed.symbol))}</strong>}
          {isForeign(calls) && <strong>{texts.foreign}</strong>}
          {texts.warning} <AddressText address={token.address} isWhole />
        </span>
      </p>
      <div class="form-buttons">
        <button type="button" class="secondary" onClick={onBack}>{texts.back}</button>
        <button type="button" class="primary" onClick={onUse}>{texts.use}</button>
      </div>
    </div>
  );
}
