import type { DeltaBuild } from "verified-swap";
import { messages } from "../messages/en.ts";
import { formatTime } from "../state/format.ts";
import { dollars, exact, feeWords } from "../state/money.ts";
import type { Token } from "../sandbox/sandbox.ts";
import { chainName, isNative, short, type Build, type State } from "../state/state.ts";
import { everyWords } from "../client/terms.ts";
import { amountLine, type Line } from "./parts/lines.tsx";
import { muchGas } from "./form/quote-lines.ts";
import { boundOf, priceLine } from "./price-check.ts";

const texts = messages.review.lines;

/* What a build comes to, row by row, and what the wallet will be asked. */

export function buildLines(state: State, build: Build): Line[] {
  const { src, dest } = state.pair ?? state;
  if (build.kind === "transaction") {
    return [
      { name: texts.called, text: short(build.transaction.to), exact: build.transaction.to },
      ...valueLines(state, build.transaction.value),
      ...(build.report.price ? [priceLine(boundOf(build), build.report.price)] : []),
      { name: texts.gas, text: texts.byWallet, told: true },
    ];
  }
  const selling = build.request.side === "SELL";
  const own = build.beneficiary === build.owner;
  const lines = [
    amountLine(selling ? texts.pay : texts.atMost, build.maxSpent, src, "up"),
    ...(build.kind === "delta" && build.destination
      ? crossing(state, build.destination)
      : [amountLine(texts.atLeast, build.minReceived, dest, "down")]),
    {
      name: texts.receiver,
      text: own ? texts.you(short(build.owner)) : short(build.beneficiary),
      exact: own ? texts.you(build.owner) : build.beneficiary,
    },
    { name: texts.fee, text: feeWords(build.feeBps) },
    priceLine(boundOf(build), build.report.price),
  ];
  if (build.kind === "delta")
    return [...lines, { name: texts.until, text: formatTime(new Date(build.deadline * 1000)) }, ...kindLines(build)];
  const market = state.quote?.kind === "market" ? state.quote : null;
  const [gas, much] = [market && dollars(market.gasCostUsd), market && muchGas(market)];
  return [
    ...lines,
    { name: texts.method, text: build.contractMethod },
    { name: texts.gas, text: gas ? texts.about(much ?? gas) : texts.byWallet, told: true, warns: much !== null },
  ];
}

/** Across chains: what the order guarantees, and what is only expected. */
function crossing(state: State, { minReceived: least, expected }: NonNullable<DeltaBuild["destination"]>): Line[] {
  const { dest } = state.pair ?? state;
  return [
    { name: texts.arrivesOn, text: chainName(state, dest.chainId) },
    { ...amountLine(texts.expected, expected, dest, "down"), told: true },
    least
      ? amountLine(texts.guaranteedIf, least, dest, "down")
      : { name: texts.guaranteed, text: texts.byBridge },
  ];
}

function kindLines({ orderKind, type, twap }: DeltaBuild): Line[] {
  if (twap) {
    return [{ name: texts.slices, text: texts.sliced(twap.numSlices, everyWords(twap.intervalSecs)) }];
  }
  return type === "LIMIT"
    ? [{ name: texts.filled, text: orderKind === "FillableOrder" ? texts.inParts : texts.whole }]
    : [];
}

function valueLines({ chain }: State, value: string): Line[] {
  const native = chain.tokens.find(isNative);
  return value === "0" || !native ? [] : [{ name: texts.sent(native.symbol), text: exact(value, native.decimals) }];
}

/** Whether the wallet is asked to sign, rather than to send. */
export function isSigned({ kind }: Build): boolean {
  return kind === "delta";
}

/**
 * The wallet's prompts, in words. `consents`: by a transaction in place of the signature. `together`: with the
 * approval, of what the trade itself may spend.
 */
export function planOf(build: Build, { symbol, decimals, kind }: Token, consents: boolean, together: boolean): string {
  const { plan } = messages.review;
  if (build.kind === "delta" && kind === "native")
    return consents ? plan.consentNative(symbol) : plan.deposit(`${exact(build.maxSpent, decimals)} ${symbol}`);
  const last = consents ? "consent" : isSigned(build) ? "sign" : "send";
  const named = build.kind === "delta" && last === "sign" ? ` ${plan.portikus}` : "";
  if (!build.approval) return plan[last] + named;
  const { amount, spender, resetFirst } = build.approval;
  const own = build.kind === "delta" ? build.maxSpent : amount;
  const others = BigInt(amount) > BigInt(own) ? plan.others : "";
  const approve = (sum: string): string =>
    (resetFirst ? plan.reset : "") + plan.approve(`${exact(sum, decimals)} ${symbol}`, short(spender));
  if (together) return plan.together(approve(own), consents);
  return plan.several(resetFirst ? 3 : 2, approve(amount) + others, plan.then[last]) + named;
}
