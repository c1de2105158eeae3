import { isAddress, parseAddress, summarizeOtcOrder, type Address, type OtcOrder } from "verified-swap";
import { messages } from "../../messages/en.ts";
import { rounded, type Rounding } from "../../state/money.ts";
import { tokenAt, type State } from "../../state/state.ts";
import type { Token } from "../../sandbox/sandbox.ts";

/* Who stands where in an OTC order. */

type Part = "maker" | "taker" | "nobody";

export function partOf({ account }: Pick<State, "account">, order: OtcOrder): Part {
  if (isSame(order.maker, account)) return "maker";
  return isForAnyone(order) || isSame(order.taker, account) ? "taker" : "nobody";
}

export function isForAnyone({ taker }: Pick<OtcOrder, "taker">): boolean {
  return /^0x0+$/.test(taker);
}

export function isSame(address: string, account: State["account"]): boolean {
  return address.toLowerCase() === account?.toLowerCase();
}

/** The maker gives `give` and gets `get`. */
export function tokensOf({ chains }: Pick<State, "chains">, { chainId, makerAsset, takerAsset }: OtcOrder) {
  return { give: tokenAt(chains, chainId, makerAsset), get: tokenAt(chains, chainId, takerAsset) };
}

/** How both amounts are rounded for whoever looks: up what they give, down what they get. */
export function roundingsOf(state: Pick<State, "account">, order: OtcOrder): { give: Rounding; get: Rounding } {
  return partOf(state, order) === "maker" ? { give: "up", get: "down" } : { give: "down", get: "up" };
}

export function isOver(order: OtcOrder): boolean {
  return summarizeOtcOrder(order).isTerminal;
}

export function sumOf(amount: string, { decimals, symbol }: Token, rounding: Rounding): string {
  return `${rounded(amount, decimals, rounding)} ${symbol}`;
}

/** An address as typed. Nothing is not wrong: it is anyone, or oneself. */
export function readAddress(text: string): { address: Address | null; problem: string | null } {
  const plain = text.trim();
  if (plain === "") return { address: null, problem: null };
  return isAddress(plain)
    ? { address: parseAddress(plain), problem: null }
    : { address: null, problem: messages.terms.otc.notAnAddress };
}
