import type { ComponentChildren, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { Address, Amount } from "../../src/types/values.ts";
import { exact, grouped, rounded, shortAddress, type Rounding } from "../format.ts";
import { useScene } from "../scene.ts";
import { Icon } from "./icon.tsx";
import { plainSymbol } from "./plain-text.ts";

/** A token as figures have it. */
interface TokenPlace {
  chainId: number;
  token: Address;
  /** Its decimals by the request, for a token that no list has. */
  decimals?: number | null | undefined;
}

/** The title of a view; it gets the focus when the view opens. */
export function Heading({ children }: { children: ComponentChildren }): VNode {
  return <h2 class="heading" tabIndex={-1}>{children}</h2>;
}

/** Names and values. */
export function Rows({ children }: { children: ComponentChildren }): VNode {
  return <dl class="rows">{children}</dl>;
}

/** A name and its value. `tone`: `"ok"` green with a tick, `"unknown"` grey, `"warn"` to be looked at twice. */
export function Row({ name, tone, children }: { name: string; tone?: "ok" | "unknown" | "warn" | undefined; children: ComponentChildren }): VNode {
  const icon = tone && <Icon name={tone === "ok" ? "tick" : tone === "warn" ? "warning" : "unknown"} />;
  return (
    <div class={tone ? `row row-${tone}` : "row"}>
      <dt>{name}</dt>
      <dd>{children}{icon}</dd>
    </div>
  );
}

/** A token's symbol; that of one which no list has is only its own word, so its address is beside it. */
export function TokenSymbol({ chainId, token }: TokenPlace): VNode {
  const known = useScene().tokenOf(chainId, token);
  const address = <bdi class="mono">{shortAddress(token)}</bdi>;
  if (!known) return <span class="symbol">{address}</span>;
  return (
    <span class="symbol">
      <bdi>{plainSymbol(known.symbol)}</bdi>
      {known.isUnlisted && <> {address}</>}
    </span>
  );
}

/** The symbol as text, for labels. */
export function useSymbol(): (chainId: number, token: Address) => string {
  const { tokenOf } = useScene();
  return (chainId, token) => {
    const known = tokenOf(chainId, token);
    if (!known) return shortAddress(token);
    return known.isUnlisted ? `${plainSymbol(known.symbol)} ${shortAddress(token)}` : plainSymbol(known.symbol);
  };
}

interface SumProps extends TokenPlace {
  /** Raw units; null: not known. */
  amount: Amount | null;
  rounding?: Rounding | undefined;
  /** All digits. */
  isExact?: boolean | undefined;
}

/** An amount of a token: shortened, with all digits in its title. */
export function Sum({ amount, chainId, token, decimals: stated, rounding, isExact = false }: SumProps): VNode {
  const { tokenOf, words } = useScene();
  const decimals = stated ?? tokenOf(chainId, token)?.decimals;
  if (amount === null) return <span class="sum unknown">{words.parts.notKnown}</span>;
  const symbol = <TokenSymbol chainId={chainId} token={token} />;
  if (decimals === undefined) return <span class="sum unknown"><bdi>{words.parts.unknownAmount(grouped(amount))}</bdi> {symbol}</span>;
  const all = exact(amount, decimals);
  return (
    <data class="sum" value={amount} title={all}>
      <bdi>{isExact ? all : rounded(amount, decimals, rounding)}</bdi> {symbol}
    </data>
  );
}

/** A button that copies a text. `name` is what it copies. */
export function Copy({ text, name }: { text: string; name: string }): VNode {
  const { words, announce } = useScene();
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    const timer = isCopied ? setTimeout(() => setCopied(false), 2000) : undefined;
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = (): void => {
    void navigator.clipboard.writeText(text).then(() => {
      setCopied(true);
      announce(words.parts.copied);
    }, () => {});
  };
  return (
    <button type="button" class="icon-button small" aria-label={words.parts.copyOf(name)} onClick={copy}>
      <Icon name={isCopied ? "tick" : "copy"} />
    </button>
  );
}

/** An address, short, with all of it in its title and a button that copies it. */
export function AddressText({ address, isWhole = false }: { address: Address; isWhole?: boolean | undefined }): VNode {
  const { words } = useScene();
  return (
    <span class="address">
      <bdi class="mono" title={address}>{isWhole ? address : shortAddress(address)}</bdi>
      <Copy text={address} name={words.parts.address} />
    </span>
  );
}

/** A link to a transaction in the chain's explorer; its short hash alone if there is none. */
export function TransactionLink({ chainId, hash }: { chainId: number; hash: string }): VNode {
  const explorer = useScene().chains.find((chain) => chain.chainId === chainId)?.explorer;
  const text = <bdi class="mono">{shortAddress(hash)}</bdi>;
  if (!explorer || !/^https?:\/\//.test(explorer)) return text;
  return (
    <a href={`${explorer.replace(/\/$/, "")}/tx/${hash}`} target="_blank" rel="noreferrer">
      {text}<Icon name="out" />
    </a>
  );
}
