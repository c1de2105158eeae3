// Market: quoted on both endpoints with every parameter, built with every member, sent, and seen on the chain.
import assert from "node:assert/strict";
import { isTradeError, minReceived, rawQuote } from "verified-swap";

/** Methods that serve a side, as the router names them. */
const METHODS = {
  SELL: [
    "swapExactAmountIn", "swapExactAmountInOnUniswapV2", "swapExactAmountInOnUniswapV3", "swapExactAmountInOnCurveV1",
    "swapExactAmountInOnCurveV2", "swapExactAmountInOnBalancerV2", "swapExactAmountInPro",
  ],
  BUY: [
    "swapExactAmountOut", "swapExactAmountOutOnUniswapV2", "swapExactAmountOutOnUniswapV3", "swapExactAmountOutOnBalancerV2",
    "swapExactAmountOutPro",
  ],
};

export async function market(t, world) {
  const { accounts, token, units, pair, balance, fund } = world;
  const [account, receiver] = [accounts[1], accounts[4]];
  const [usdc, dai, eth, tax] = ["USDC", "DAI", "ETH", "TAX"].map((symbol) => token(symbol));
  const client = await world.client(account);
  await fund(account, usdc, units(100_000, usdc));

  /** Approved, sent and in a block; what the beneficiary got. */
  const trade = async (quote, options, beneficiary = account) => {
    const dest = [usdc, dai, eth, tax].find((one) => one.address.toLowerCase() === quote.request.destToken.toLowerCase());
    const build = await client.build(quote, { slippageBps: 100, ...options });
    if (build.approval) await client.approve(build.approval);
    const before = await balance(dest, beneficiary);
    const sent = await client.wait(await client.submit(build), { intervalMs: 50 });
    assert.equal(sent.status, "COMPLETED", JSON.stringify(sent));
    return { build, received: (await balance(dest, beneficiary)) - before };
  };

  for (const side of ["SELL", "BUY"]) {
    for (const method of METHODS[side]) {
      await t.test(`a ${side} by ${method} pays what its build guarantees`, async () => {
        await world.settings({ contractMethod: method });
        const amount = side === "SELL" ? units(100, usdc) : units(100, dai);
        const quote = await client.quote({ ...pair(usdc, dai, { amount, side }), mode: "MARKET" });
        assert.equal(quote.contractMethod, method);
        const { bestRoute, blockNumber } = rawQuote(quote);
        assert.ok(bestRoute.length > 0 && blockNumber > 0, "what only the service says can be shown");
        const { build, received } = await trade(quote);
        assert.equal(build.contractMethod, method);
        assert.ok(received >= BigInt(build.minReceived), `${received} of at least ${build.minReceived}`);
        assert.ok(BigInt(build.minReceived) >= BigInt(minReceived(quote, 100)), "no less than the quote said");
        await world.settings({ contractMethod: "" });
      });
    }
  }

  await t.test("another receiver, a named partner's fee and every other member of a build", async () => {
    const partnerAddress = accounts[3];
    const request = pair(usdc, dai, { amount: units(50, usdc), beneficiary: receiver, partner: "shop", partnerFeeBps: 25, partnerAddress });
    const quote = await client.quote({ ...request, mode: "MARKET" });
    const deadline = Math.floor(Date.now() / 1000) + 3600;
    const advanced = { capSurplus: true, surplusToUser: false, directFeeTransfer: true, txOrigin: account, ignoreChecks: true, referrer: "a friend" };
    const paid = await balance(dai, partnerAddress);
    const { build, received } = await trade(quote, { deadline, advanced }, receiver);
    assert.equal(build.feeBps, 25);
    assert.ok(received >= BigInt(build.minReceived));
    assert.ok((await balance(dai, partnerAddress)) > paid, "the partner's fee was paid directly");
  });

  await t.test("surplus for the partner excludes a fee", async () => {
    const quote = await client.quote({ ...pair(usdc, dai, { amount: units(10, usdc), partner: "shop", partnerAddress: receiver }), mode: "MARKET" });
    const build = await client.build(quote, { slippageBps: 100, advanced: { takeSurplus: true } });
    const told = build.report.checks.filter(({ field }) => field.endsWith(".takeSurplus"));
    assert.deepEqual(told.map(({ actual, verdict }) => [actual, verdict]), [["set", "ok"]]);
    const withFee = await client.quote({ ...pair(usdc, dai, { amount: units(10, usdc), partner: "shop", partnerAddress: receiver, partnerFeeBps: 10 }), mode: "MARKET" });
    await assert.rejects(client.build(withFee, { slippageBps: 100, advanced: { takeSurplus: true } }), (error) => isTradeError(error, "INVALID_INPUT"));
  });

  await t.test("every parameter of the price", async () => {
    const market = {
      otherExchangePrices: true, excludeRfq: true, includeContractMethods: ["swapExactAmountIn"],
      excludeContractMethodsWithoutFeeModel: true, route: [usdc.address, dai.address], ignoreBadUsdPrice: true,
    };
    const plain = { ...pair(usdc, dai, { amount: units(20, usdc), beneficiary: receiver }), mode: "MARKET" };
    const asking = (market) => ({ ...plain, advanced: { maxImpactPercent: "20", market } });
    const quote = await client.quote(asking(market));
    assert.ok(Array.isArray(quote.others) && quote.others.length > 0, "prices of others");
    assert.ok(rawQuote(quote).bestRoute[0].swaps.length > 0 && rawQuote(quote).blockNumber > 0);
    const { received } = await trade(quote, {}, receiver);
    assert.ok(received > 0n);
    const [, name] = await (await fetch(`${world.sandbox.url}/adapters/list?chainId=31337&version=6.2`)).json();
    const exchange = async (choice) => rawQuote(await client.quote(asking(choice))).bestRoute[0].swaps[0].swapExchanges[0].exchange;
    assert.equal(await exchange({ includeDexs: [name] }), name);
    assert.notEqual(await exchange({ excludeDexs: [await exchange({})] }), await exchange({}));
    await client.quote(asking({ excludePools: [account] }));
    await assert.rejects(client.quote(asking({ excludePools: [world.chain.pool] })), (error) => isTradeError(error, "NO_ROUTE"));
    const usual = (await client.quote(asking({}))).contractMethod;
    const other = await client.quote(asking({ excludeContractMethods: [usual] }));
    assert.notEqual(other.contractMethod, usual);
  });

  await t.test("a bound on the impact in dollars is the service's to keep, on either endpoint", async () => {
    const request = { ...pair(usdc, dai, { amount: units(20, usdc) }), mode: "MARKET" };
    const bounds = { maxImpactPercent: "20", maxUsdImpact: "500" };
    for (const market of [undefined, { otherExchangePrices: true }]) {
      assert.equal((await client.quote({ ...request, advanced: { ...bounds, market } })).kind, "market");
    }
    const large = { ...request, amount: units(50_000, usdc) };
    for (const market of [undefined, {}]) {
      await assert.rejects(client.quote({ ...large, advanced: { ...bounds, maxUsdImpact: "0.000001", market } }), (error) => isTradeError(error, "PRICE_IMPACT") || isTradeError(error, "NO_ROUTE"));
    }
  });

  await t.test("bounds are kept before anything is sent", async () => {
    const request = { ...pair(usdc, dai, { amount: units(20, usdc), partner: "shop" }), mode: "MARKET" };
    const route = [usdc, dai, usdc, dai, usdc].map(({ address }) => address);
    const sent = async () => (await world.sandbox.control("GET", "record")).requests.length;
    const before = await sent();
    for (const [field, wrong] of [
      ["request.partnerFeeBps", { partnerFeeBps: 201 }],
      ["request.advanced.market.route", { advanced: { market: { route } } }],
      ["request.advanced.market.srcTransferFeeBps", { advanced: { market: { srcTransferFeeBps: 10_001 } } }],
    ]) {
      await assert.rejects(client.quote({ ...request, ...wrong }), (error) => isTradeError(error, "INVALID_INPUT") && error.field === field, field);
    }
    assert.equal(await sent(), before);
    const quote = await client.quote({ ...request, partnerFeeBps: 200 });
    assert.equal(quote.feeBps, 200);
    await assert.rejects(client.build(quote, { slippageBps: 10_001 }), (error) => isTradeError(error, "INVALID_INPUT"));
  });

  await t.test("a token that taxes its transfers trades here and not on Delta", async () => {
    assert.equal(await client.info.isTokenSupported({ chainId: world.chain.chainId, token: tax.address }), false);
    const request = pair(usdc, tax, { amount: units(20, usdc) });
    await assert.rejects(client.quote(request), (error) => isTradeError(error, "NO_ROUTE"));
    const all = await client.quote({ ...request, mode: "ALL" });
    assert.equal(all.kind, "market");
    assert.ok(all.fallbackReason?.errorType, JSON.stringify(all.fallbackReason));
    const market = { destTransferFeeBps: 100, srcTransferFeeBps: 0, srcDexTransferFeeBps: 0, destDexTransferFeeBps: 0 };
    const quote = await client.quote({ ...request, mode: "MARKET", advanced: { market } });
    // Only the user can state what it is worth: a dollar each, less the tax.
    await assert.rejects(trade(quote, { slippageBps: 300 }), (error) => isTradeError(error, "PRICE_UNJUDGED"));
    const { received } = await trade(quote, { slippageBps: 300, minReceived: units(18.5, tax) });
    assert.ok(received > 0n);
  });

  await t.test("the native token is sent along, or arrives", async () => {
    const sold = await client.quote({ ...pair(eth, usdc, { amount: units(0.1, eth) }), mode: "MARKET" });
    const { build } = await trade(sold);
    assert.equal(build.transaction.value, units(0.1, eth).toString());
    assert.equal(build.approval, null);
    const bought = await client.quote({ ...pair(usdc, eth, { amount: units(300, usdc), beneficiary: receiver }), mode: "MARKET" });
    const { received, build: second } = await trade(bought, {}, receiver);
    assert.ok(received >= BigInt(second.minReceived));
  });

  for (const side of ["SELL", "BUY"]) {
    await t.test(`a ${side} priced and built in one call`, async () => {
      const amount = side === "SELL" ? units(100, usdc) : units(100, dai);
      const bound = side === "SELL" ? { minReceived: units(98, dai) } : { maxSpent: units(102, usdc) };
      const request = { ...pair(usdc, dai, { amount, side }), mode: "MARKET" };
      await assert.rejects(client.build(request, { slippageBps: 50 }), (error) => isTradeError(error, "INVALID_INPUT"), "without a bound of one's own");
      const build = await client.build(request, { slippageBps: 50, ...bound });
      if (build.approval) await client.approve(build.approval);
      assert.equal((await client.wait(await client.submit(build), { intervalMs: 50 })).status, "COMPLETED");
      const beyond = side === "SELL" ? { minReceived: units(101, dai) } : { maxSpent: units(99, usdc) };
      await assert.rejects(client.build(request, { slippageBps: 50, ...beyond }), (error) => isTradeError(error, "VERIFY_MISMATCH"));
    });
  }

  await t.test("priced and built in one call with every parameter", async () => {
    const usual = { route: [usdc.address, dai.address], otherExchangePrices: true, ignoreBadUsdPrice: true, excludePools: [account] };
    const [, name, other] = await (await fetch(`${world.sandbox.url}/adapters/list?chainId=31337&version=6.2`)).json();
    const taxes = { srcTransferFeeBps: 0, destTransferFeeBps: 0, srcDexTransferFeeBps: 0, destDexTransferFeeBps: 0 };
    const methods = { includeContractMethods: ["swapExactAmountIn"], excludeContractMethodsWithoutFeeModel: true };
    const request = pair(usdc, dai, { amount: units(20, usdc), beneficiary: receiver, partner: "shop", partnerAddress: accounts[3] });
    const shared = { maxImpactPercent: "20", maxUsdImpact: "500" };
    const bound = { slippageBps: 100, minReceived: units(19, dai) };
    for (const [market, more, advanced] of [
      [{ ...usual, ...methods, ...taxes, includeDexs: [name] }, { partnerFeeBps: 10 }, { capSurplus: true, surplusToUser: false, directFeeTransfer: true }],
      [{ excludeDexs: [other], excludeContractMethods: ["swapExactAmountInOnUniswapV2"] }, {}, { takeSurplus: true }],
    ]) {
      const build = await client.build({ ...request, ...more, mode: "MARKET", advanced: { ...shared, market } }, { ...bound, advanced });
      if (build.approval) await client.approve(build.approval);
      const before = await balance(dai, receiver);
      assert.equal((await client.wait(await client.submit(build), { intervalMs: 50 })).status, "COMPLETED");
      assert.ok((await balance(dai, receiver)) - before >= BigInt(build.minReceived));
    }
  });

  await t.test("gas is suggested in either form, and never sent", async () => {
    const quote = await client.quote({ ...pair(usdc, dai, { amount: units(10, usdc) }), mode: "MARKET" });
    const plain = await client.build(quote, { slippageBps: 100, advanced: { gasPriceWei: 7_000_000_000n } });
    assert.equal(plain.suggestedGas.gasPrice, "7000000000");
    const modern = await client.build(quote, { slippageBps: 100, advanced: { eip1559: true, ignoreGasEstimate: true, ignoreAllowance: true } });
    assert.ok(modern.suggestedGas.maxFeePerGas && modern.suggestedGas.gasPrice === null && modern.suggestedGas.gas === null);
    assert.ok(!("gasPrice" in modern.transaction));
  });

  await t.test("both paths compared: usable as they arrive, ranked by what is left", async () => {
    const seen = [];
    const compared = await client.quote({ ...pair(usdc, dai, { amount: units(500, usdc) }), mode: "BOTH" }, {
      onQuote(quote) {
        seen.push(quote.kind);
        throw new Error("a listener's own");
      },
    });
    assert.deepEqual(seen.sort(), ["delta", "market"]);
    assert.ok(compared.delta && compared.market);
    assert.ok(["delta", "market"].includes(compared.best));
    assert.equal(typeof compared.differenceBps, "number");
    const taxed = await client.quote({ ...pair(usdc, tax, { amount: units(500, usdc) }), mode: "BOTH" });
    assert.equal(taxed.best, "market");
    assert.ok(taxed.delta === null && isTradeError(taxed.deltaError));
    const sliced = { ...pair(usdc, dai, { amount: units(500, usdc) }), mode: "BOTH", numSlices: 2, intervalSecs: 60 };
    await assert.rejects(client.quote(sliced), (error) => isTradeError(error, "INVALID_INPUT") && error.field === "request.numSlices");
  });

  await t.test("a comparison goes on within one request a second, also where the refusal cannot be read", async () => {
    const request = { ...pair(usdc, dai, { amount: units(500, usdc) }), mode: "BOTH" };
    await world.settings({ rateLimit: true });
    const paced = await client.quote(request);
    await world.settings({ rateLimit: false });
    assert.ok(paced.delta && paced.market, `${paced.deltaError} ${paced.marketError}`);
    // A browser's view of a refusal without CORS headers, once; twice it is an outage.
    const drop = (times) => world.sandbox.control("POST", "fault", { endpoint: "quote", dropBefore: true, times });
    await drop(1);
    const again = await client.quote(request);
    assert.ok(again.delta && again.market, `${again.deltaError} ${again.marketError}`);
    await drop(6);
    await assert.rejects(client.quote(request), (error) => isTradeError(error, "NETWORK"));
  });

  const tampered = (patch, more = {}) => world.sandbox.control("POST", "tamper", { target: "quote", patch: [{ op: "replace", ...patch }], ...more });
  const altered = { path: "/market/gasCost", value: "1" };

  await t.test("a route goes back as it came, and one that was altered on its way is refused", async () => {
    const request = { ...pair(usdc, dai, { amount: units(10, usdc) }), mode: "MARKET" };
    await tampered(altered);
    const quote = await client.quote(request);
    assert.equal(quote.gasCost, "1");
    await client.build(quote, { slippageBps: 50 });
    // An edited quote is not even sent.
    await assert.rejects(client.build({ ...quote, destAmount: "1" }, { slippageBps: 50 }), (error) => isTradeError(error, "INVALID_INPUT"));
    await tampered(altered, { onTheWay: true });
    const other = await client.quote(request);
    assert.equal(other.gasCost, "1");
    await assert.rejects(client.build(other, { slippageBps: 50 }), (error) => {
      assert.deepEqual([error.code, error.requote, error.status, error.errorType], ["QUOTE_EXPIRED", true, 400, "InvalidInput"]);
      assert.match(error.details, /^Invalid priceRoute: it does not fit its hmac/);
      return true;
    });
    await client.build(await client.quote(request), { slippageBps: 50 });
  });

  await t.test("a route that has gone stale is refused, and says so", async () => {
    const late = await client.quote({ ...pair(usdc, dai, { amount: units(10, usdc) }), mode: "MARKET" });
    await world.pass(60);
    await assert.rejects(client.build(late, { slippageBps: 50 }), (error) => {
      assert.deepEqual([error.code, error.requote, error.status, error.errorType], ["QUOTE_EXPIRED", true, 400, "StalePriceRoute"]);
      return true;
    });
  });
}
