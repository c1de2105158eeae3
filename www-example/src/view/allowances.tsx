import type { Allowance, Allowances } from "verified-swap";
import type { VNode } from "preact";
import { useRef } from "preact/hooks";
import { messages } from "../messages/en.ts";
import { formatDecimal, formatTime } from "../state/format.ts";
import { exact, rounded } from "../state/money.ts";
import { isUnlisted, symbolAt, tokenAt, type State } from "../state/state.ts";
import { useScene } from "./context.ts";
import { Figure } from "./parts/figure.tsx";
import { Icon } from "./parts/icon.tsx";
import { TokenLogo } from "./parts/token-logo.tsx";

const texts = messages.progress.allowances;

/** What the account has approved for the service's contracts, and a button for each to take it back. */
export function AllowanceList(): VNode {
  const { state, allowancesBook } = useScene();
  const { allowances } = state;
  // What was there stays while it is read again.
  const last = useRef<Allowance[]>([]);
  if (allowances !== "reading") last.current = found(state);
  const words = wordsOf(allowances);
  return (
    <section class="card allowances" aria-labelledby="allowances-title">
      <div class="list-title">
        <h2 id="allowances-title">{texts.title}</h2>
        <button
          id="allowances-read"
          type="button"
          class="link"
          aria-disabled={allowances === "reading"}
          onClick={() => void allowancesBook.read()}
        >
          {allowances === null ? texts.look : texts.lookAgain}
        </button>
      </div>
      {words && <p class="quiet">{words}</p>}
      {last.current.length > 0 && (
        <ul class="allowance-list">
          {last.current.map((one) => (
            <Entry key={idOf(one)} allowance={one} onRevoke={() => void allowancesBook.revoke(one)} />
          ))}
        </ul>
      )}
    </section>
  );
}

/** Old contracts first: nobody needs these. Tokens that only the chain's logs name may be anybody's: they come last. */
function found(state: State): Allowance[] {
  const { allowances } = state;
  if (typeof allowances !== "object" || !allowances) return [];
  const place = (one: Allowance): number => Number(!isKnown(one, state)) * 2 + Number(one.isCurrent);
  return allowances.allowances.toSorted((one, other) => place(one) - place(other));
}

function wordsOf(allowances: State["allowances"]): string {
  if (allowances === null) return texts.unread;
  if (allowances === "reading") return texts.reading;
  if (allowances === "failed") return texts.failed;
  return [allowances.allowances.length === 0 && texts.nothing, searchedWords(allowances), unreadWords(allowances)]
    .filter(Boolean)
    .join(" ");
}

function searchedWords({ fromBlock }: Allowances): string | false {
  if (fromBlock === null) return texts.knownOnly;
  return fromBlock > 0 && texts.knownBefore(formatDecimal(String(fromBlock)));
}

function unreadWords({ unread }: Allowances): string | false {
  return unread.length > 0 && texts.missing(unread.length);
}

/** Whether the package or this page knows the token. */
function isKnown({ isKnown, chainId, token }: Allowance, { chains }: State): boolean {
  return isKnown || !isUnlisted(tokenAt(chains, chainId, token));
}

function idOf({ kind, token, spender }: Allowance): string {
  return `revoke-${kind}-${token}-${spender}`;
}

function Entry({ allowance, onRevoke }: { allowance: Allowance; onRevoke(): void }): VNode {
  const { state } = useScene();
  const { chainId, spender, isCurrent, kind, expiration, isUnlimited } = allowance;
  const token = tokenAt(state.chains, chainId, allowance.token);
  const symbol = symbolAt(state.chains, chainId, allowance.token);
  const decimals = allowance.decimals ?? 0;
  const name = allowance.name.replace(/^./, (first) => first.toUpperCase());
  const ends = expiration !== null && expiration < 2 ** 48 - 1;
  const notes = [
    kind === "permit2" && texts.permit2,
    ends && texts.until(formatTime(new Date(expiration * 1000))),
    !isKnown(allowance, state) && texts.unknownToken,
    !isCurrent && texts.old,
    isUnlimited && texts.unlimitedNote,
  ].filter(Boolean);
  return (
    <li class="allowance">
      <TokenLogo token={token} />
      <p class="allowance-words">
        <span>
          <span title={spender}>{name}</span> {texts.mayTake}{" "}
          {isUnlimited ? (
            <strong class="unlimited">
              <Icon name="warning" />
              {texts.unlimited}
            </strong>
          ) : (
            <Figure text={rounded(allowance.amount, decimals, "up")} exact={exact(allowance.amount, decimals)} />
          )}{" "}
          <strong title={allowance.token}>{symbol}</strong>
        </span>
        {notes.length > 0 && <small>{notes.join(" · ")}</small>}
      </p>
      <button
        id={idOf(allowance)}
        type="button"
        class="secondary small"
        aria-label={texts.revokeOf(name, symbol)}
        onClick={onRevoke}
      >
        {texts.revoke}
      </button>
    </li>
  );
}
