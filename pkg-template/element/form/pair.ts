// The two tokens of the form, and which others go with a new one.
import type { Kind } from "../scene.ts";
import type { SwapForm, SwapToken } from "../../src/types/swap.ts";

/** A side of the form. */
export type Side = "src" | "dest";

/** Whether two tokens are one. */
export function isSame(one: SwapToken, other: SwapToken): boolean {
  return one.chainId === other.chainId && one.address.toLowerCase() === other.address.toLowerCase();
}

/** Whether a form of that kind may cross to another chain. */
export function mayCross(kind: SwapForm["kind"], kinds: readonly Kind[]): boolean {
  return kind === "swap" && kinds.includes("crosschain");
}

/**
 * The form with `token` on that side. The other side's token turns the pair around; where a trade stays on one chain, the
 * other side goes along.
 */
export function withToken(
  form: SwapForm, side: Side, token: SwapToken, tokens: readonly SwapToken[], kinds: readonly Kind[],
): Pick<SwapForm, "src" | "dest"> {
  const other = side === "src" ? form.dest : form.src;
  const before = form[side];
  const kept = isSame(token, other) ? before : other;
  const goes = kept.chainId === token.chainId || mayCross(form.kind, kinds) ? kept : substitute(kept, token, tokens);
  return side === "src" ? { src: token, dest: goes } : { src: goes, dest: token };
}

/** The token that takes the place of `token` on the chain of `beside`: of the same symbol, else the first that is another one. */
export function substitute(token: SwapToken, beside: SwapToken, tokens: readonly SwapToken[]): SwapToken {
  const there = tokens.filter((one) => one.chainId === beside.chainId && !isSame(one, beside));
  return there.find(({ symbol, isUnlisted }) => symbol === token.symbol && !isUnlisted) ?? there[0] ?? token;
}
