import type { TargetedKeyboardEvent, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { firstSpending } from "../../client/permits.ts";
import { messages } from "../../messages/en.ts";
import { rounded } from "../../state/money.ts";
import type { Token } from "../../sandbox/sandbox.ts";
import { balanceKey, balanceOf, short, worthOf, type State } from "../../state/state.ts";
import { useScene } from "../context.ts";
import type { Page } from "../page.ts";
import { Choice } from "../parts/choice.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { TokenLogo } from "../parts/token-logo.tsx";
import { UnlistedDialog } from "../parts/unlisted.tsx";

const words = messages.form.picker;

/**
 * Lets a person choose the token of one side; of a swap's destination, on which network too. Choosing the other side's
 * token turns the pair around.
 */
export function TokenPicker({ of, onClose }: { of: "src" | "dest"; onClose(): void }): VNode {
  const scene = useScene();
  const { state, tokens } = scene;
  const [chainId, setChainId] = useState(state[of].chainId);
  const [text, setText] = useState("");
  const [active, setActive] = useState(0);
  const [unknown, setUnknown] = useState<Token | null>(null);
  const listed = state.chains.find((chain) => chain.chainId === chainId)?.tokens ?? [];
  const [recent, others] = arranged(state, listed, tokens.recent(), text);
  const { token: read, reading } = useUnlisted(chainId, listed, text);
  const found = [...recent, ...others, ...(read ? [read] : [])];

  function choose(token: Token | undefined): void {
    if (!token) return;
    const isListed = listed.some((one) => one === token);
    if (!isListed && !unknown) return setUnknown(token);
    onClose();
    take(scene, of, token);
  }

  function steer(event: TargetedKeyboardEvent<HTMLInputElement>): void {
    const last = found.length - 1;
    const next = { ArrowDown: active >= last ? 0 : active + 1, ArrowUp: active <= 0 ? last : active - 1, Home: 0, End: last };
    if (event.key === "Enter") choose(found[active]);
    else if (event.key in next) setActive(next[event.key as keyof typeof next]);
    else return;
    event.preventDefault();
  }

  useEffect(() => document.getElementById(`token-${active}`)?.scrollIntoView({ block: "nearest" }), [active]);

  if (unknown)
    return <UnlistedDialog token={unknown} onUse={() => choose(unknown)} onBack={() => setUnknown(null)} onClose={onClose} />;
  const networks = state.chains.map((chain) => [chain.chainId, chain.name] as const);
  const option = (token: Token, position: number): VNode => (
    <Option
      key={balanceKey(token)}
      id={`token-${position}`}
      token={token}
      isActive={position === active}
      isCurrent={token === state[of]}
      onChoose={() => choose(token)}
    />
  );
  return (
    <Dialog title={of === "src" ? words.payWith : words.receive} class="picker" onClose={onClose}>
      {of === "dest" && state.tab === "swap" && networks.length > 1 && (
        <Choice
          name="dest-network"
          legend={words.network}
          options={networks}
          value={chainId}
          onChoose={(chosen) => (setChainId(chosen), setActive(0))}
        />
      )}
      <label for="token-search" class="visually-hidden">
        {words.search}
      </label>
      <input
        id="token-search"
        class="text"
        type="text"
        role="combobox"
        aria-expanded="true"
        aria-controls="token-list"
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `token-${active}` : undefined}
        autocomplete="off"
        spellcheck={false}
        autofocus
        enterkeyhint="done"
        placeholder={words.placeholder}
        value={text}
        onInput={({ currentTarget }) => (setText(currentTarget.value), setActive(0))}
        onKeyDown={steer}
      />
      <div class="options" id="token-list" role="listbox" aria-label={words.tokens}>
        {recent.length > 0 && (
          <div role="group" aria-label={words.recent}>
            <p class="options-title" aria-hidden="true">
              {words.recent}
            </p>
            {recent.map(option)}
          </div>
        )}
        {[...others, ...(read ? [read] : [])].map((token, index) => option(token, recent.length + index))}
      </div>
      <p class="quiet" role="status">
        {reading ? words.reading : found.length === 0 ? (tokens.addressIn(text) ? words.noToken : words.noMatch) : ""}
      </p>
    </Dialog>
  );
}

interface OptionProps {
  id: string;
  token: Token;
  isActive: boolean;
  isCurrent: boolean;
  onChoose(): void;
}

function Option({ id, token, isActive, isCurrent, onChoose }: OptionProps): VNode {
  const { state } = useScene();
  const held = balanceOf(state, token);
  return (
    <div id={id} class={isActive ? "option active" : "option"} role="option" aria-selected={isCurrent} onClick={onChoose}>
      <TokenLogo token={token} />
      <span class="choice-name">
        {token.symbol}
        <small>
          {token.name} <span class="mono">{short(token.address)}</span>
          {token.kind === "unknown" && <span class="unlisted"> {words.unlisted}</span>}
        </small>
      </span>
      <span class="choice-value">
        {held === null ? "" : rounded(held, token.decimals, "down")}
        <small>{held === null ? "" : worthOf(state, token, held)}</small>
      </span>
      {isCurrent && <Icon name="tick" />}
    </div>
  );
}

/** Those that were used last, and all others with what is held first; of both what fits the text. */
function arranged(state: State, listed: Token[], keys: string[], text: string): [recent: Token[], others: Token[]] {
  const sought = text.trim().toLowerCase();
  const fits = ({ symbol, name, address }: Token): boolean =>
    `${symbol} ${name} ${address}`.toLowerCase().includes(sought);
  const found = listed.filter(fits);
  const recent = keys.map((key) => found.find((token) => balanceKey(token) === key)).filter((token) => token !== undefined);
  const isHeld = (token: Token): number => ((balanceOf(state, token) ?? "0") === "0" ? 1 : 0);
  const others = found.filter((token) => !recent.includes(token));
  return [recent, others.toSorted((one, other) => isHeld(one) - isHeld(other))];
}

/** The token at the address that was typed, if it is in no list. */
function useUnlisted(chainId: number, listed: Token[], text: string): { token: Token | null; reading: boolean } {
  const { tokens } = useScene();
  const address = tokens.addressIn(text);
  const sought = address && !listed.some((token) => token.address === address) ? address : null;
  const [read, setRead] = useState<{ of: string; token: Token | null } | null>(null);
  const key = `${chainId}/${sought}`;
  useEffect(() => {
    let left = false;
    if (sought)
      void tokens.read(chainId, sought).then((token) => {
        if (!left) setRead({ of: key, token });
      });
    return () => {
      left = true;
    };
  }, [key]);
  const known = read?.of === key;
  return { token: (known && read.token) || null, reading: sought !== null && !known };
}

/** Puts the token into the form. */
function take({ store, pricing, accounts, tokens }: Page, of: "src" | "dest", token: Token): void {
  tokens.use(token);
  const { chain, ...before } = store.get();
  const turned = token === (of === "src" ? before.dest : before.src);
  const src =
    of === "src"
      ? token
      : !turned
        ? before.src
        : before.dest.chainId === chain.chainId
          ? before.dest
          : (chain.tokens.find((one) => one !== token) ?? before.src);
  const dest = of === "dest" ? token : turned ? before.src : before.dest;
  store.set({ src, dest, ...(src === before.src ? {} : { spending: firstSpending(src) }) });
  pricing.changed();
  void accounts.refresh();
}
