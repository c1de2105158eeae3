import { messages } from "../messages/en.ts";
import { formatMoment } from "../state/format.ts";
import { rounded } from "../state/money.ts";
import type { State } from "../state/state.ts";

/* What a member of an order or a transaction means to a person. */

const texts = messages.attack;
const ZERO = /^0x0{40}$/;

/** Null for what means nothing more than it says. */
export function meaningOf(name: string, value: string, state: State): string | null {
  const { src, dest } = state.pair ?? state;
  if (/^0x[0-9a-fA-F]{40}$/.test(value)) return whoIs(name, value, state);
  if (/^(srcAmount|fromAmount|amount)$/.test(name)) return texts.amount(rounded(value, src.decimals, "up"), src.symbol);
  if (/^(destAmount|toAmount|expectedAmount|quotedAmount)$/.test(name))
    return texts.amount(rounded(value, dest.decimals, "down"), dest.symbol);
  return name === "deadline" ? formatMoment(new Date(Number(value) * 1000)) : null;
}

function whoIs(name: string, address: string, { account, chain }: State): string {
  const isIt = (other: string | null | undefined): boolean => other?.toLowerCase() === address.toLowerCase();
  if (isIt(account)) return texts.you;
  if (name === "beneficiary" && ZERO.test(address)) return texts.sender;
  if (isIt(chain.delta) || isIt(chain.router)) return texts.swapContract;
  return chain.tokens.find((token) => isIt(token.address))?.symbol ?? texts.stranger;
}
