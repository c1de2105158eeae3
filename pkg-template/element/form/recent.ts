// The tokens that were chosen last, kept by this browser.
import type { SwapToken } from "../../src/types/swap.ts";

const NAME = "verified-swap-recent-tokens";
const MOST = 4;

/** The key of a token in the list. */
export function keyOf({ chainId, address }: SwapToken): string {
  return `${chainId}/${address.toLowerCase()}`;
}

/** Keys, the latest first. The storage may hold anything. */
export function recentTokens(): string[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(NAME) ?? "[]");
    return Array.isArray(list) ? list.filter((key) => typeof key === "string").slice(0, MOST) : [];
  } catch {
    return [];
  }
}

/** Puts a token first. Without storage it is forgotten. */
export function keepRecent(token: SwapToken): void {
  const key = keyOf(token);
  try {
    localStorage.setItem(NAME, JSON.stringify([key, ...recentTokens().filter((one) => one !== key)].slice(0, MOST)));
  } catch {
    // The list is a convenience.
  }
}
