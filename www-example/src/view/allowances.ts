import type { Allowance, Allowances } from "verified-swap";
import { element, fill, setText } from "./element.ts";
import { exact, rounded } from "../state/money.ts";
import type { Page } from "./page.ts";
import { tokenAt, type State } from "../state/state.ts";
import { timeWords } from "./schedule.ts";

/** What the account has approved for the service's contracts, and a button for each to take it back. */
export function allowances({ store, allowancesBook }: Page): HTMLElement {
  const read = element("button", {
    id: "allowances-read",
    type: "button",
    class: "link",
    onclick: () => void allowancesBook.read(),
  });
  const note = element("p", { class: "quiet" });
  const body = element("tbody");
  const table = element(
    "table",
    { class: "balances", "aria-labelledby": "allowances-title" },
    element("thead", {}, element("tr", {}, ...["Token", "Contract", "May take"].map(head))),
    body,
  );
  let shown: State["allowances"] | undefined;
  store.subscribe((state) => {
    if (state.allowances === shown) return;
    shown = state.allowances;
    setText(read, shown === null ? "Look" : "Look again");
    read.setAttribute("aria-disabled", String(shown === "reading"));
    const words = wordsOf(shown);
    setText(note, words);
    note.hidden = words === "";
    // What was there stays while it is read again.
    if (shown === "reading") return;
    const found = typeof shown === "object" && shown ? shown.allowances : [];
    // Old contracts first: nobody needs these. Tokens that only the chain's logs name may be anybody's: they come last.
    const place = (one: Allowance): number => Number(!isKnown(one, state)) * 2 + Number(one.isCurrent);
    const rows = found.toSorted((one, other) => place(one) - place(other));
    fill(body, ...rows.map((one) => row(one, state, () => void allowancesBook.revoke(one))));
    table.hidden = rows.length === 0;
  });
  return element(
    "section",
    { class: "card allowances", "aria-labelledby": "allowances-title" },
    element("div", { class: "list-title" }, element("h2", { id: "allowances-title" }, "Allowances"), read),
    note,
    table,
  );
}

function head(name: string): HTMLElement {
  return element("th", { scope: "col" }, name);
}

function wordsOf(found: State["allowances"]): string {
  if (found === null) return "What contracts may take from you, also those no longer in use.";
  if (found === "reading") return "Reading…";
  if (found === "failed") return "The network did not answer. Look again.";
  return [found.allowances.length === 0 && "Nothing.", searchedWords(found), unreadWords(found)]
    .filter(Boolean)
    .join(" ");
}

function searchedWords({ fromBlock }: Allowances): string | false {
  if (fromBlock === null) return "Only known tokens were searched.";
  return fromBlock > 0 && `Before block ${fromBlock}, only known tokens were searched.`;
}

function unreadWords({ unread }: Allowances): string | false {
  return unread.length > 0 && `${unread.length} more ${unread.length === 1 ? "token" : "tokens"} could not be read.`;
}

/** Whether the package or this page knows the token. */
function isKnown({ isKnown, chainId, token }: Allowance, { chains }: State): boolean {
  return isKnown || tokenAt(chains, chainId, token).kind !== "unknown";
}

function row(allowance: Allowance, state: State, revoke: () => void): HTMLElement {
  const { chainId, token: address, spender, isCurrent, kind, expiration, isUnlimited } = allowance;
  const token = tokenAt(state.chains, chainId, address);
  const decimals = allowance.decimals ?? 0;
  const name = allowance.name.replace(/^./, (first) => first.toUpperCase());
  const amount = isUnlimited ? "Unlimited" : rounded(allowance.amount, decimals);
  const ends = expiration !== null && expiration < 2 ** 48 - 1;
  return element(
    "tr",
    {},
    element(
      "th",
      { scope: "row", title: address },
      token.symbol,
      !isKnown(allowance, state) && element("small", {}, " (unknown token)"),
    ),
    element(
      "td",
      { title: spender },
      element("span", { class: isCurrent ? null : "problem" }, name),
      kind === "permit2" && element("small", {}, " through Permit2"),
      ends && element("small", {}, `, until ${timeWords(new Date(expiration * 1000))}`),
    ),
    element(
      "td",
      {},
      element("span", { title: `${exact(allowance.amount, decimals)} ${token.symbol}` }, amount),
      element(
        "button",
        {
          id: `revoke-${kind}-${address}-${spender}`,
          type: "button",
          class: "link",
          "aria-label": `Revoke: ${name} may take ${token.symbol}`,
          onclick: revoke,
        },
        "Revoke",
      ),
    ),
  );
}
