/** The Market path: prices, and transactions built from them, which are never sent. */
import { known, within } from "./known.mjs";
import { query, seen } from "./requests.mjs";
import { told } from "./service.mjs";
import { rawMember } from "./verbatim.mjs";

const FEE_BPS = 100;
const SLIPPAGE_BPS = 50;

export function readingsOfMarket(subject, priced) {
  return [
    ["GET /prices, `others`", async () => {
      const { json } = await prices(subject, { otherExchangePrices: true });
      const isEntry = (entry) => ["exchange", "srcAmount", "destAmount"].every((name) => entry?.[name] !== undefined);
      const isList = (others) => Array.isArray(others) && others.every(isEntry);
      return known({ within: json.priceRoute?.others, beside: json.others }, {
        "a list in priceRoute": ({ within }) => isList(within),
        "an object in priceRoute": ({ within }) => within && typeof within === "object" && !Array.isArray(within),
        "a list beside priceRoute": ({ beside }) => isList(beside),
        "an object beside priceRoute": ({ beside }) => beside && typeof beside === "object" && !Array.isArray(beside),
        "neither in priceRoute nor beside it": ({ within, beside }) => within === undefined && beside === undefined,
      });
    }],
    ["POST /transactions, onlyParams", async () => known(seen(await transaction(subject, { onlyParams: true })).json, {
      "the bare list of arguments": Array.isArray,
      "a list of arguments in an object": (answer) => Object.values(answer ?? {}).some(Array.isArray),
    })],
    ["POST /transactions, ignoreChecks, its members", async () => known(Object.keys(seen(await transaction(subject, {})).json), {
      "as documented": (names) => names.filter((name) => !/gas|fee/i.test(name)).sort().join() === "chainId,data,from,to,value",
    })],
    ["POST /transactions, checked, of an empty account", async () => told(await transaction(subject, { ignoreChecks: undefined }))],
    ["toAmount, SELL with a fee of 1 %", async () => amountOf(await priced(), "toAmount", SLIPPAGE_BPS)],
    ["quotedAmount, SELL with a fee of 1 %", async () => amountOf(await priced(), "quotedAmount", 0)],
  ];
}

/** The request to the package, whose report has what the calldata holds. */
export const FEE_TRADE = {
  request: { mode: "MARKET", partnerFeeBps: FEE_BPS, maxFeeBps: 200 },
  options: { slippageBps: SLIPPAGE_BPS },
};

/** The same reading for any rounding of the steps. */
function amountOf({ quote, checks }, argument, bps) {
  const check = checks.find(({ field }) => field === `transaction.data.${argument}`);
  if (!check) throw new Error(`the calldata of ${quote.contractMethod} has no ${argument}`);
  const off = (amount) => {
    const distance = BigInt(check.actual) - within(amount, bps).low;
    return distance >= -2n && distance <= 2n;
  };
  const after = quote.destAmountAfterFee ?? within(quote.destAmount, FEE_BPS).low;
  return known(`${check.actual}; destAmount ${quote.destAmount}, after the fee ${quote.destAmountAfterFee}`, {
    "before the fee": () => off(quote.destAmount),
    "after the fee": () => off(after),
  });
}

async function prices(subject, changes) {
  const { mode, chainId, ...usual } = query(subject, {});
  return seen(await subject.ask("/prices", { query: { network: chainId, version: "6.2", ...usual, ...changes } }));
}

async function transaction(subject, switches) {
  const { text, json } = await prices(subject, {});
  const { srcToken, destToken, srcDecimals, destDecimals, srcAmount } = json.priceRoute;
  const members = { srcToken, destToken, srcDecimals, destDecimals, srcAmount, slippage: SLIPPAGE_BPS, userAddress: subject.owner, partner: "anon" };
  const asked = Object.entries({ ignoreChecks: true, ...switches }).filter(([, value]) => value !== undefined);
  return subject.ask(`/transactions/${subject.chainId}`, {
    query: Object.fromEntries(asked),
    body: `{"priceRoute":${rawMember(text, ["priceRoute"])},${JSON.stringify(members).slice(1)}`,
  });
}
