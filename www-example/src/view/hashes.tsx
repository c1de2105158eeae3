import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { explorerUrl } from "../state/explorers.ts";
import { short } from "../state/state.ts";
import { Figure } from "./parts/figure.tsx";
import { Icon } from "./parts/icon.tsx";

const texts = messages.progress;
const COPIED_MS = 2_000;

/** A hash or an address, with its name. */
export interface Reference {
  name: string;
  hex: string | null;
  /** Where an explorer shows it. */
  chainId?: number;
  kind?: "tx" | "address";
}

/** Rows of hashes, each to be copied, and looked up where its chain has an explorer. */
export function Hashes({ references }: { references: Reference[] }): VNode {
  return (
    <dl class="rows hashes">
      {references.map(({ name, hex, chainId, kind }) => (
        <div key={`${name} ${hex}`} class="row">
          <dt>{name}</dt>
          <dd>
            {hex ? <Figure text={short(hex)} exact={hex} mono /> : <Figure text="–" />}
            {hex && <Copy what={name} text={hex} />}
            {hex && chainId !== undefined && kind && <Explore what={name} url={explorerUrl(chainId, kind, hex)} />}
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** A button that copies a text, and says so. */
export function Copy({ what, text }: { what: string; text: string }): VNode {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), COPIED_MS);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = (): void => void navigator.clipboard.writeText(text).then(() => setCopied(true), () => {});
  const words = copied ? texts.copied : texts.copy(what);
  return (
    <button type="button" class="quiet-button small" aria-label={words} title={words} onClick={copy}>
      <Icon name={copied ? "tick" : "copy"} />
    </button>
  );
}

function Explore({ what, url }: { what: string; url: string | null }): VNode | null {
  if (!url) return null;
  const words = texts.explore(what);
  return (
    <a class="quiet-button small" href={url} target="_blank" rel="noreferrer" aria-label={words} title={words}>
      <Icon name="out" />
    </a>
  );
}
