/** One order, one set of figures: those of the price, of the build, its sentence, the order as it is listed, and what moved. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatUnits, maxSpent, minReceived, summarizeOrder, summarizeOtcOrder } from "verified-swap";
import { PACE, SLIPPAGE, accepted, near, sliced, trader } from "../figures.mjs";
import { held, raw, sandbox, tokenOf } from "../swapping.mjs";

/** The least that a price comes to. A Market price may state its amount after the fee, from which it would be taken twice. */
const least = (quote, bps) => minReceived(quote.kind === "market" ? { ...quote, destAmountAfterFee: null } : quote, bps);

/** The kinds of trades with a price: what is asked beside tokens and amount, and how it is built. */
const KINDS = {
  gasless: { options: () => ({ slippageBps: SLIPPAGE }) },
  limit: {
    options: ({ side, srcAmount, destAmount }) => {
      const limitAmount = side === "SELL" ? (BigInt(destAmount) * 98n) / 100n : (BigInt(srcAmount) * 102n) / 100n;
      return { limitAmount: String(limitAmount), type: "LIMIT" };
    },
  },
  twap: {
    asks: { numSlices: 3, intervalSecs: 60 },
    options: ({ side, srcAmount }) =>
      side === "SELL" ? { slippageBps: SLIPPAGE } : { maxSrcAmount: String((BigInt(srcAmount) * 3n * 103n) / 100n) },
  },
  crosschain: { place: 1, options: () => ({ slippageBps: SLIPPAGE }) },
  market: { asks: { mode: "MARKET" }, options: () => ({ slippageBps: SLIPPAGE }) },
};

for (const [kind, { asks, place = 0, options }] of Object.entries(KINDS)) {
  for (const side of ["SELL", "BUY"]) {
    test(`${kind}, ${side}: price, build, sentence, order and outcome have the same figures`, async () => {
      const [src, dest] = [tokenOf("USDC"), tokenOf("WETH", sandbox.config.chains[place])];
      const { account, client, approved } = await trader(src, 2_000);
      const destChainId = place === 0 ? undefined : dest.chainId;
      const amount = side === "SELL" ? raw(500, src) : raw(0.1, dest);
      const request = {
        chainId: src.chainId, destChainId, side, amount, srcToken: src.address, destToken: dest.address,
        srcDecimals: src.decimals, destDecimals: dest.decimals, ...asks,
      };
      const quote = await client.quote(request);
      const { srcAmount, destAmount } = quote;
      const built = { ...options({ side, srcAmount, destAmount }) };
      const build = await approved(await client.build(quote, built));
      const sells = side === "SELL";

      // The bounds, by the price and by the build.
      const priced = built.limitAmount && sells ? { ...quote, destAmount: built.limitAmount } : quote;
      const slippage = built.slippageBps ?? 0;
      const bounds = { least: least(priced, slippage), most: built.maxSrcAmount ?? (!sells && built.limitAmount) };
      bounds.most ||= maxSpent(quote, slippage);
      const arrives = build.destination?.minReceived ?? build.minReceived;
      near(arrives, bounds.least, "the least of build and price");
      near(build.maxSpent, bounds.most, "the most of build and price", 1n);
      // The router takes the fee of a purchase out of what is paid; who bears it in an order is not published.
      if (kind === "market" && !sells) assert.equal(arrives, amount, "all of a purchase arrives");
      const { sentence } = build.report;
      for (const [sum, token] of [[build.maxSpent, src], [arrives, dest]])
        assert.ok(sentence.includes(formatUnits(sum, token.decimals)), `${formatUnits(sum, token.decimals)} in: ${sentence}`);

      // Expected, by the price and by the build.
      const expected = { received: least(priced, 0), spent: bounds.most };
      if (built.slippageBps !== undefined) expected.spent = maxSpent(quote, 0);
      if (build.destination) assert.equal(build.destination.expected, expected.received, "build.destination.expected");

      const before = await Promise.all([held(account, src), held(account, dest)]);
      const sent = await client.submit(build, accepted(build));
      if (kind !== "market") assertListed(summarizeOrder(sent), { build, bounds, expected, kind, sells });
      const done = kind === "twap" ? await sliced(client, sent, (seen) => summarizeOrder(seen).slices) : await client.wait(sent, PACE);
      assert.equal(done.status, "COMPLETED");
      const now = await Promise.all([held(account, src), held(account, dest)]);
      const [spent, received] = [before[0] - now[0], now[1] - before[1]];
      assert.ok(spent <= BigInt(build.maxSpent), `${spent} of at most ${build.maxSpent}`);
      assert.ok(received >= BigInt(arrives), `${received} of at least ${arrives}`);
      // Nothing else moved the price: what was quoted is what comes. An own limit, and later slices, are at prices of their own.
      if (["gasless", "crosschain", "market"].includes(kind)) {
        near(spent, expected.spent, "spent as quoted");
        near(received, sells ? expected.received : amount, "received as quoted");
      }
      assert.equal(sells ? spent : received, BigInt(amount), "what is fixed is exact");
      if (kind === "market") return;
      const over = summarizeOrder(done);
      assert.deepEqual([BigInt(over.spent), BigInt(over.received)], [spent, received], "the order has what moved");
      assertListed(over, { build, bounds, expected, kind, sells });
    });
  }
}

/** The order of the list has the bounds of its build, and what its price had. */
function assertListed(summary, { build, bounds, expected, kind, sells }) {
  assert.equal(summary.maxSpent, build.maxSpent, "the most of the order");
  near(summary.minReceived, kind === "crosschain" ? expected.received : bounds.least, "the least of the order");
  if (kind === "twap") return;
  near(summary.expectedReceived, expected.received, "expected by the order");
  near(summary.expectedSpent, expected.spent, `expected to be ${sells ? "sold" : "spent"} by the order`, 1n);
}

test("OTC: the offer, its fills and what moved have the same figures, whole and in part", async () => {
  const [gives, takes] = [tokenOf("USDC"), tokenOf("WETH")];
  const making = await trader(gives, 100);
  const taking = await trader(takes, 0.05);
  const terms = { chainId: gives.chainId, makerAsset: gives.address, takerAsset: takes.address, makerDecimals: gives.decimals, takerDecimals: takes.decimals };
  const [makerAmount, takerAmount] = [raw(90, gives), raw(0.03, takes)];
  const { timestamp } = await sandbox.rpc(gives.chainId, "eth_getBlockByNumber", ["latest", false]);
  const build = await making.approved(await making.client.otc.build({ ...terms, makerAmount, takerAmount, expiry: Number(timestamp) + 3_600 }));
  const order = await making.client.submit(build);
  for (const one of [build, order]) assert.deepEqual([one.makerAmount, one.takerAmount], [makerAmount, takerAmount]);
  let left = BigInt(makerAmount);
  for (const [paid, got] of [[raw(0.01, takes), raw(30, gives)], [raw(0.02, takes), raw(60, gives)]]) {
    const listed = await taking.client.otc.order(order.orderHash);
    assert.equal(BigInt(summarizeOtcOrder(listed, Number(timestamp)).leftMakerAmount), left);
    const fill = await taking.approved(await taking.client.otc.buildFill(listed, { makerDecimals: gives.decimals, takerDecimals: takes.decimals, takerAmount: paid }));
    for (const sum of [formatUnits(paid, takes.decimals), formatUnits(got, gives.decimals)])
      assert.ok(fill.report.sentence.includes(sum), `${sum} in: ${fill.report.sentence}`);
    const both = () => Promise.all([held(taking.account, takes), held(taking.account, gives)]);
    const before = await both();
    assert.equal((await taking.client.wait(await taking.client.submit(fill), PACE)).status, "COMPLETED");
    const now = await both();
    assert.deepEqual([before[0] - now[0], now[1] - before[1]], [BigInt(paid), BigInt(got)]);
    left -= BigInt(got);
  }
  assert.equal((await taking.client.otc.order(order.orderHash)).state, "FULFILLED");
});
