import type { Report } from "verified-swap";
import type { Reader } from "../../../examples/review-components/src/reader.ts";
import { messages } from "../messages/en.ts";
import { formatDuration, formatMoment, formatTime } from "./format.ts";
import { dollars, exact, percent, rounded } from "./money.ts";
import { chainName, isNative, nameChains, tokenAt, type State } from "./state.ts";

/* Checks are put into words by the components of `examples/review-components`; how this page writes tokens, amounts, times
   and names they read here. */

/** Of what is traded or reviewed; `report` says which token an order ends in. */
export function readerOf(state: State, report?: Report | null): Reader {
  const { src, dest } = state.pair ?? state;
  const chainId = state.build?.chainId ?? state.chain.chainId;
  // Across chains an order ends on the source chain, in a token of its own.
  const ends = report?.checks.find(({ field }) => field === "order.destToken")?.expected;
  return {
    texts: messages.review,
    account: state.account,
    side: state.side,
    src,
    dest: ends ? tokenAt(state.chains, chainId, ends) : dest,
    arrives: dest,
    native: state.chain.tokens.find(isNative) ?? null,
    feeBps: feeOf(state),
    isOwnTime: state.tab === "limit",
    amount: (amount, decimals, rounding) =>
      rounding === "exact" ? exact(amount, decimals) : rounded(amount, decimals, rounding),
    time: (secs, isBrief) => (isBrief ? formatTime : formatMoment)(new Date(secs * 1000)),
    duration: (secs) => formatDuration(secs),
    percent,
    dollars: (decimal) => dollars(decimal) ?? `${decimal} USD`,
    chainName: (id) => chainName(state, id),
    contractName: (address) => contractName(address, state),
    symbolOf: (address) => symbolOf(address, state),
    sentence: (text) => nameChains(state, text),
  };
}

/** Of what is reviewed; of what was refused, by its price. */
function feeOf({ build, quote }: State): number {
  return build ? ("feeBps" in build ? build.feeBps : 0) : (quote?.feeBps ?? 0);
}

function contractName(address: string, { chains }: State): string | null {
  const { contracts } = messages.review;
  const known = chains.flatMap(({ delta, router, rfq, permit2 }) => [
    [delta, contracts.delta],
    [router, contracts.router],
    [rfq, contracts.rfq],
    [permit2, contracts.permit2],
  ]);
  return known.find(([one]) => one?.toLowerCase() === address.toLowerCase())?.[1] ?? null;
}

/** Of the tokens that this page lists. */
function symbolOf(address: string, { chains }: State): string | null {
  const tokens = chains.flatMap((chain) => chain.tokens);
  return tokens.find((token) => token.address.toLowerCase() === address.toLowerCase())?.symbol ?? null;
}
