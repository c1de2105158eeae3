/** An app's steps, up to the signature, for each way to trade: this package's checks against the service's answers. */
import { isTradeError, maxSpent } from "verified-swap";
import { crosschain, native } from "./requests.mjs";

const SLIPPAGE = () => ({ slippageBps: 50 });
const DAY = { validForSecs: 86_400 };

/** `[title, changes of the request, options of the build (given the quote)]`. A BUY buys what the SELL was quoted. */
const TRADES = [
  ["SELL", () => ({}), SLIPPAGE],
  ["BUY", () => ({ side: "BUY" }), SLIPPAGE],
  ["limit SELL", () => ({}), ({ destAmount }) => ({ limitAmount: destAmount, ...DAY })],
  ["limit BUY", () => ({ side: "BUY" }), ({ srcAmount }) => ({ limitAmount: srcAmount, ...DAY })],
  ["limit in parts", () => ({}), ({ destAmount }) => ({ limitAmount: destAmount, partiallyFillable: true, ...DAY })],
  ["slices SELL", () => ({ numSlices: 2, intervalSecs: 60 }), SLIPPAGE],
  ["slices BUY", () => ({ side: "BUY", numSlices: 2, intervalSecs: 60 }), (quote) => ({ maxSrcAmount: maxSpent(quote, 50) })],
  ["external", () => ({}), (_, { pair }) => ({ ...SLIPPAGE(), advanced: { external: { handler: pair.destination.address, data: "0x" } } })],
  ["native token", native, SLIPPAGE],
  ["crosschain", (subject) => ({ ...crosschain(subject), beneficiary: subject.owner }), SLIPPAGE],
  ["Market SELL", () => ({ mode: "MARKET" }), SLIPPAGE],
  ["Market BUY", () => ({ mode: "MARKET", side: "BUY" }), SLIPPAGE],
];

/** A refusal by the service, not by a check. For the first two trades it counts as a failure all the same. */
const NOT_TRADED = ["NO_ROUTE", "SERVICE_REJECTED", "UNSUPPORTED_CHAIN"];
const REQUIRED = ["SELL", "BUY"];

/** `{ title, reading, refused }` of one trade after the other. */
export async function* checkedTrades(subject, openClient) {
  const client = await openClient({ account: subject.owner });
  try {
    let bought;
    for (const [title, changes, options] of TRADES) {
      try {
        const request = { ...usual(subject), ...changes(subject) };
        if (request.side === "BUY") request.amount = bought;
        const { quote, build } = await trade(client, request, (quote) => options(quote, subject));
        bought ??= quote.destAmount;
        const open = build.report.checks.filter(({ verdict }) => verdict !== "ok").map(({ field, verdict }) => `${field} ${verdict}`);
        const verified = `quote and build verified, ${build.report.checks.length} checks`;
        yield { title, refused: false, reading: `${verified} (${open.join(", ") || "all ok"}); fee ${build.feeBps} bps` };
      } catch (error) {
        const refused = REQUIRED.includes(title) || (isTradeError(error) && !NOT_TRADED.includes(error.code));
        yield { title, refused, reading: `${refused ? "REFUSED" : "could not be told"}: ${said(error)}` };
      }
    }
  } finally {
    client.close();
  }
}

/** The quote of a trade and what its calldata holds, by the report; also of one that was refused. */
export async function tradeWith(subject, openClient, { request, options }) {
  const client = await openClient({ account: subject.owner });
  try {
    const quote = await client.quote({ ...usual(subject), partnerAddress: subject.owner, ...request });
    const { checks } = (await client.build(quote, options).catch((error) => (error.report ? error : Promise.reject(error)))).report;
    return { quote, checks };
  } finally {
    client.close();
  }
}

async function trade(client, request, options) {
  const quote = await client.quote(request);
  return { quote, build: await client.build(quote, options(quote)) };
}

function usual({ chainId, pair }) {
  return {
    chainId,
    srcToken: pair.source.address,
    destToken: pair.destination.address,
    amount: pair.amount,
    srcDecimals: pair.source.decimals,
    destDecimals: pair.destination.decimals,
  };
}

function said(error) {
  if (!isTradeError(error)) return error.message;
  const { code, field, expected, actual, errorType, details } = error;
  return [code, field, expected && `expected ${expected}`, actual && `got ${actual}`, errorType, details].filter(Boolean).join(" · ");
}
