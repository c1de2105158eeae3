import assert from "node:assert/strict";
import { before, test } from "node:test";
import { init, isTradeError, verifyOrder } from "verified-swap/verify";
import { honestTrade } from "./delta-trade.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";

before(() => init());

const STRANGER = `0x${"9".repeat(40)}`;
const BRIDGED = { protocolSelector: "0x12345678", outputToken: STRANGER, scalingFactor: 0, protocolData: "0x" };

/** A quote's possible lies, by the check that must refuse it: functions that change a copy of an honest one. */
const LIES = {
  "quote.side": [(quote) => { quote.side = quote.side === "SELL" ? "BUY" : "SELL"; }],
  "quote.inputToken": [(quote) => { quote.inputToken.address = STRANGER; }, (quote) => { quote.inputToken.chainId += 1; }],
  "quote.outputToken": [(quote) => { quote.outputToken.address = STRANGER; }, (quote) => { quote.outputToken.chainId += 1; }],
  "quote.srcToken": [({ route }) => { route.origin.input.token.address = STRANGER; }],
  "quote.srcChain": [({ route }) => { route.origin.input.token.chainId += 1; }],
  "quote.destToken": [(quote) => eachReceived(quote, (leg) => { leg.token.address = STRANGER; })],
  "quote.destChain": [(quote) => eachReceived(quote, (leg) => { leg.token.chainId += 1; })],
  "quote.srcAmount": [(quote) => { quote.route.origin.input.amount = quote.side === "SELL" ? plus(quote.route.origin.input.amount, 1n) : "0"; }],
  "quote.destAmount": [(quote) => eachReceived(quote, (leg) => { leg.amount = quote.side === "BUY" ? plus(leg.amount, -1n) : "0"; })],
  "quote.bridge": [({ route }) => { route.bridge = {}; }, ({ route }) => { route.bridge = { protocol: "x", contractParams: BRIDGED }; }],
  "quote.origin.output": legLies("origin", "output"),
  "quote.destination.input": legLies("destination", "input"),
  "quote.spender": [(quote) => { quote.spender = STRANGER; }, (quote) => { quote.spender = quote.inputToken.address; }],
  "quote.fee": [
    (quote) => { quote.partner.feePercent = (Math.round(quote.partner.feePercent * 100) + 1) / 100; },
    (quote) => { quote.partner.feePercent = `${quote.partner.feePercent.toFixed(2)}00000001`; },
    (quote) => { quote.partner.feePercent = 100; }, (quote) => { quote.partner.feePercent = "-1"; }, (quote) => { quote.partner.feePercent = "1e9"; },
  ],
  "quote.loss": [
    ({ route }) => { route.destination.output.amountUSD = "84.999999999999999999"; }, ({ route }) => { route.destination.output.amountUSD = 0; },
    ({ route }) => { route.origin.input.amountUSD = "1e9"; },
  ],
};

test("a quote that answers something else is refused by the check of what it says", async () => {
  await forEachCase(campaign(40), (random) => {
    const trade = honestTrade(random);
    assert.ok(verifyOrder(trade).digest, "the honest quote itself");
    for (const [field, lies] of Object.entries(LIES)) {
      lies.forEach((lie, which) => {
        const quote = structuredClone(trade.quote);
        separate(quote);
        lie(quote);
        refused({ ...trade, quote }, field, `${field} #${which}`);
      });
    }
  });
});

test("a quote is accepted at its bounds, and with what it does not say", async () => {
  const honest = {
    "fee as asked for, in another spelling": (quote) => { quote.partner.feePercent = `${quote.partner.feePercent}`; },
    "no fee stated": (quote) => { delete quote.partner; },
    "a loss of exactly the limit": ({ route }) => { route.destination.output.amountUSD = "85.00"; },
    "no USD value in": ({ route }) => { route.origin.input.amountUSD = null; },
    "no USD value out": ({ route }) => { delete route.destination.output.amountUSD; },
    "no side": (quote) => { delete quote.side; },
    "members nobody knows": (quote) => { quote.hmac = "x"; quote.route.more = [{ a: 1.5 }]; },
    "addresses in lower and upper case": (quote) => { quote.spender = quote.spender.toLowerCase(); quote.inputToken.address = `0x${quote.inputToken.address.slice(2).toUpperCase()}`; },
  };
  await forEachCase(campaign(30), (random) => {
    const trade = honestTrade(random);
    for (const [what, change] of Object.entries(honest)) {
      const quote = structuredClone(trade.quote);
      separate(quote);
      change(quote);
      assert.equal(verifyOrder({ ...trade, quote }).digest, trade.orderHash, what);
    }
  });
});

test("a missing figure is unknown, never zero", async () => {
  await forEachCase(campaign(10), (random) => {
    const trade = honestTrade(random);
    const quote = structuredClone(trade.quote);
    separate(quote);
    delete quote.partner;
    quote.route.origin.input.amountUSD = null;
    const verdicts = Object.fromEntries(verifyOrder({ ...trade, quote }).checks.map(({ field, verdict }) => [field, verdict]));
    assert.equal(verdicts["quote.fee"], "unknown");
    assert.equal(verdicts["quote.loss"], "unknown");
  });
});

/** The steps of a same-chain route are one and the same object in an honest trade: here each becomes its own. */
function separate(quote) {
  const own = JSON.parse(JSON.stringify(quote));
  Object.assign(quote, own);
}

function legLies(step, end) {
  return [
    ({ route }) => { route[step][end].token.address = STRANGER; }, ({ route }) => { route[step][end].token.chainId += 1; },
    ({ route }) => { route[step][end].amount = plus(route[step][end].amount, 1n); },
  ];
}

/** Every step after the swap, changed alike: only the comparison with the request is left to refuse it. */
function eachReceived({ route }, change) {
  for (const leg of [route.origin.output, route.destination.input, route.destination.output]) change(leg);
}

function plus(decimal, difference) {
  return (BigInt(decimal) + difference).toString();
}

function refused(trade, field, what) {
  let report;
  try {
    report = verifyOrder(trade);
  } catch (error) {
    assert.ok(isTradeError(error, "VERIFY_MISMATCH"), `${what}: ${error.code ?? ""} ${error.message}`);
    assert.equal(error.field, field, what);
    return;
  }
  assert.fail(`${what}: accepted: ${report.sentence}`);
}
