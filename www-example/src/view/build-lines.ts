import type { DeltaBuild } from "verified-swap";
import { dollars, exact, feeWords } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { chainName, isNative, short, type Build, type State } from "../state/state.ts";
import { INTERVALS } from "../client/terms.ts";
import { amountLine, type Line } from "./lines.ts";
import { isForAnyone } from "./offer.ts";
import { priceLine } from "./price-check.ts";
import { timeWords } from "./schedule.ts";

/* What a build comes to, row by row, and what the wallet will be asked. */

export function buildLines(state: State, build: Build): Line[] {
  const { src, dest } = state.pair ?? state;
  if (build.kind === "transaction") {
    return [
      { name: "Contract called", text: short(build.transaction.to), exact: build.transaction.to },
      ...valueLines(state, build.transaction.value),
      ...(build.report.price ? [priceLine(build.report.price)] : []),
      { name: "Gas, paid by you", text: "Shown by your wallet", told: true },
    ];
  }
  if (build.kind === "otc") {
    return [
      // Built here: there was nothing to check.
      { ...amountLine("You give", build.makerAmount, src), told: true },
      { ...amountLine("You get", build.takerAmount, dest), told: true },
      {
        name: "Open to",
        told: true,
        ...(isForAnyone(build) ? { text: "Anyone" } : { text: short(build.taker), exact: build.taker }),
      },
      { name: "Good until", told: true, text: build.expiry === 0 ? "Cancelled" : timeWords(new Date(build.expiry * 1000)) },
    ];
  }
  const selling = build.request.side === "SELL";
  const own = build.beneficiary === build.owner;
  const lines = [
    amountLine(selling ? "You pay" : "You pay at most", build.maxSpent, src, "up"),
    ...(build.kind === "delta" && build.destination
      ? crossing(state, build)
      : [amountLine("Arrives at least", build.minReceived, dest, "down")]),
    {
      name: "Receiver",
      text: own ? `You, ${short(build.owner)}` : short(build.beneficiary),
      exact: own ? `You, ${build.owner}` : build.beneficiary,
    },
    { name: "Fee included", text: feeWords(build.feeBps) },
    priceLine(build.report.price),
  ];
  if (build.kind === "delta")
    return [...lines, { name: "Good until", text: timeWords(new Date(build.deadline * 1000)) }, ...kindLines(build)];
  const gas = state.quote?.kind === "market" ? dollars(state.quote.gasCostUsd) : null;
  return [
    ...lines,
    { name: "Method", text: build.contractMethod },
    { name: "Gas, paid by you", text: gas ? `About ${gas}` : "Shown by your wallet", told: true },
  ];
}

/** Across chains: what the order guarantees, and what is only expected. */
function crossing(state: State, { destination }: DeltaBuild): Line[] {
  const { dest } = state.pair ?? state;
  const { quote, alternative } = state;
  const route =
    quote?.kind === "delta" ? ((alternative === null ? null : quote.alternatives[alternative]) ?? quote) : null;
  const least = destination?.minReceived ?? null;
  return [
    { name: "Arrives on", text: chainName(state, dest.chainId) },
    { ...(route ? amountLine("Expected", route.destAmount, dest) : { name: "Expected", text: "–" }), told: true },
    least
      ? amountLine("Guaranteed, if the bridge delivers", least, dest, "down")
      : { name: "Guaranteed", text: "The bridge decides" },
  ];
}

function kindLines({ orderKind, type, twap }: DeltaBuild): Line[] {
  if (twap) {
    const every = INTERVALS.find(([secs]) => secs === twap.intervalSecs)?.[1] ?? `${twap.intervalSecs} s`;
    return [{ name: "Slices", text: `${twap.numSlices}, one every ${every}` }];
  }
  return type === "LIMIT"
    ? [{ name: "Filled", text: orderKind === "FillableOrder" ? "In parts or whole" : "Whole or not at all" }]
    : [];
}

function valueLines({ chain }: State, value: string): Line[] {
  const native = chain.tokens.find(isNative);
  return value === "0" || !native ? [] : [{ name: `${native.symbol} sent`, text: exact(value, native.decimals) }];
}

/** Whether it goes by a price that gets old. */
export function isPriced({ kind }: Build): boolean {
  return kind === "delta" || kind === "market";
}

/** Whether the wallet is asked to sign, rather than to send. */
export function isSigned({ kind }: Build): boolean {
  return kind === "delta" || kind === "otc";
}

/**
 * The wallet's prompts, in words. `consents`: by a transaction in place of the signature. `together`: with the
 * approval, of what the trade itself may spend.
 */
export function planOf(build: Build, { symbol, decimals, kind }: Token, consents: boolean, together: boolean): string {
  if (build.kind === "delta" && kind === "native") {
    if (consents)
      return `One prompt: the transaction that consents, with the ${symbol} if it is not deposited yet. It costs gas.`;
    const deposit = `a transaction that deposits ${exact(build.maxSpent, decimals)} ${symbol}`;
    return `Your signature; then, if the service requires it, ${deposit}.`;
  }
  const [one, last] = consents
    ? ["One prompt: the transaction that consents to the order. It costs gas.", "then send your consent"]
    : isSigned(build)
      ? ["One prompt: your signature. It costs nothing.", "then sign"]
      : ["One prompt: the transaction. It costs gas.", "then send"];
  if (!build.approval) return one;
  const { amount, spender, resetFirst } = build.approval;
  const own = build.kind === "delta" ? build.maxSpent : amount;
  const others = BigInt(amount) > BigInt(own) ? ", including what your open orders need" : "";
  const reset = resetFirst ? "take back the old approval, " : "";
  const approve = (sum: string): string =>
    `${reset}approve exactly ${exact(sum, decimals)} ${symbol} for ${short(spender)}`;
  if (together) return `One prompt: ${approve(own)} and ${consents ? "consent" : "send"}.`;
  return `${resetFirst ? "Three" : "Two"} prompts: ${approve(amount)}${others}, ${last}.`;
}
