import { balanceKey, firstState, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { firstSpending } from "./permits.ts";

/* What the form asks for, kept over a reload of this tab. */

const KEY = "form";
const TABS: readonly unknown[] = ["swap", "limit", "twap"] satisfies State["tab"][];
const SIDES: readonly unknown[] = ["SELL", "BUY"] satisfies State["side"][];

export function keepForm(store: Store<State>): void {
  store.subscribe(({ starting, attack, tab, side, amountText, src, dest }) => {
    // Before it is read there is nothing to keep, and an attack makes a form of its own.
    if (starting || attack) return;
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ tab, side, amountText, src: balanceKey(src), dest: balanceKey(dest) }));
    } catch {
      // Without storage a reload starts over.
    }
  });
}

/**
 * A tab, tokens of the lists, and an amount that is read like a typed one: the storage may hold anything. Nothing, if
 * the user has begun to type.
 */
export function keptForm(now: State, { chain, chains }: Pick<State, "chain" | "chains">): Partial<State> {
  const first = firstState();
  if (now.tab !== first.tab || now.side !== first.side || now.amountText !== first.amountText) return {};
  const { tab, side, amountText, ...keys } = kept();
  const tokens = (tab === "swap" ? chains : [chain]).flatMap((one) => one.tokens);
  const [src, dest] = [keys["src"], keys["dest"]].map((key) => tokens.find((token) => balanceKey(token) === key));
  if (!TABS.includes(tab) || !SIDES.includes(side) || typeof amountText !== "string") return {};
  if (!src || !dest || src === dest || src.chainId !== chain.chainId) return {};
  return { tab, side, amountText, src, dest, spending: firstSpending(src) } as Partial<State>;
}

function kept(): Record<string, unknown> {
  try {
    return Object(JSON.parse(sessionStorage.getItem(KEY) ?? "{}"));
  } catch {
    return {};
  }
}
