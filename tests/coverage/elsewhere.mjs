// Other chains (delivered, refunded), the native token (deposited, withdrawn), and the small reads.
import assert from "node:assert/strict";
import { isTradeError, summarizeOrder, rawQuote } from "verified-swap";

const PACE = { intervalMs: 50, maxIntervalMs: 100 };

/** The ids of the questions of a build: over a bridge one, who receives. */
function asked({ destination, report: { questions } }) {
  assert.equal(questions.length, destination ? 1 : 0);
  return questions.filter(({ reason }) => reason === "receiverUnbound").map(({ id }) => id);
}

export async function elsewhere(t, world) {
  const { accounts, token, units, balance, fund, chain, elsewhere: other } = world;
  const account = accounts[1];
  const [usdc, there] = [token("USDC"), token("USDC", other)];
  const client = await world.client(account);
  await fund(account, usdc, units(10_000, usdc));
  const request = {
    chainId: chain.chainId, destChainId: other.chainId, srcToken: usdc.address, srcDecimals: usdc.decimals, srcSymbol: "USDC",
    destToken: there.address, destDecimals: there.decimals, destSymbol: "USDC", amount: units(100, usdc),
  };
  const place = async (quote, options = {}) => {
    const build = await client.build(quote, { slippageBps: 100, ...options });
    // The user is asked about the data for the bridge, and says yes.
    const accept = asked(build);
    if (build.approval) await client.approve(build.approval, { accept });
    return { build, order: await client.submit(build, { accept }) };
  };

  await t.test("which tokens go where, and how", async () => {
    const routes = await client.info.bridgeRoutes({ allowBridgeAndSwap: true });
    assert.ok(routes.some(({ srcChainId, destChainId }) => srcChainId === chain.chainId && destChainId === other.chainId));
    const protocols = await client.info.bridgeProtocols();
    assert.ok(protocols.length > 0 && protocols.every(({ protocol, displayName }) => protocol && displayName));
    await client.info.bridgeRoutes({ bridges: [protocols[0].protocol] });
  });

  for (const side of ["SELL", "BUY"]) {
    await t.test(`a ${side} to another chain brings there at least what was said`, async () => {
      const before = await balance(there, account, other.chainId);
      const quote = await client.quote({ ...request, side, amount: units(100, side === "SELL" ? usdc : there) });
      const { build, order } = await place(quote, { minReceived: units(90, there) });
      assert.equal(build.destination.chainId, other.chainId);
      const done = await client.wait(order, PACE);
      assert.deepEqual([done.status, done.settled], ["COMPLETED", "seen"], "on both chains");
      const arrived = (await balance(there, account, other.chainId)) - before;
      assert.ok(arrived >= BigInt(build.destination.minReceived), `${arrived} of ${build.destination.minReceived}`);
      assert.ok(summarizeOrder(done).isCrosschain && summarizeOrder(done).filledPercent === 100);
    });
  }

  await t.test("slices to another chain arrive there one by one", async () => {
    const before = await balance(there, account, other.chainId);
    const quote = await client.quote({ ...request, numSlices: 2, intervalSecs: 60 });
    const { build, order } = await place(quote, { slippageBps: 200 });
    for await (const now of client.watch(order, PACE)) {
      if (now.transactions.some(({ destinationTx }) => destinationTx)) break;
    }
    await world.pass(61);
    const done = await client.wait(order, PACE);
    assert.equal(done.status, "COMPLETED");
    const arrived = (await balance(there, account, other.chainId)) - before;
    assert.ok(arrived >= BigInt(build.destination.minReceived), `${arrived} of ${build.destination.minReceived}`);
  });

  await t.test("bridges are chosen among, or left aside", async () => {
    const bridge = async (delta) => rawQuote(await client.quote({ ...request, advanced: { ...request.advanced, delta } })).route.bridge.protocol;
    const usual = await bridge({});
    const other = await bridge({ excludeBridges: [usual] });
    assert.notEqual(other, usual);
    assert.equal(await bridge({ includeBridges: [other] }), other);
  });

  await t.test("what a bridge fails to deliver comes back", async () => {
    // Each step waits for the next to be asked for, however slow this machine is.
    await world.settings({ bridge: "hold" });
    const before = await balance(usdc, account);
    const { order } = await place(await client.quote(request));
    const reaches = async (status) => {
      for await (const now of client.watch(order, PACE)) if (now.status === status) return now;
      throw new Error(`it ended without having been ${status}`);
    };
    assert.deepEqual((await reaches("BRIDGING")).refunds, []);
    await world.settings({ bridge: "fail", bridgeDelayMs: 3_000 });
    const onItsWay = await reaches("REFUNDING");
    assert.deepEqual([onItsWay.refunds, summarizeOrder(onItsWay).isTerminal], [[], false], "not there yet");
    await world.settings({ bridgeDelayMs: 500 });
    const ended = await client.wait(order, PACE);
    await world.settings({ bridge: "fill" });
    assert.equal(ended.status, "REFUNDED");
    assert.equal(ended.refunds.length, 1);
    assert.ok(before - (await balance(usdc, account)) < units(5, usdc), "most of it is back");
  });

  await t.test("an order that sells the native token waits for its deposit", async () => {
    await world.settings({ nativeReading: "deposit" });
    const [eth, dai] = [token("ETH"), token("DAI")];
    const wallet = world.wallet(account);
    let isWilling = false;
    const request = async (asked) => {
      if (asked.method === "eth_sendTransaction" && !isWilling) throw Object.assign(new Error("not now"), { code: 4001 });
      return wallet.request(asked);
    };
    const hesitant = await world.client(account, { wallet: { request } });
    const build = await hesitant.build(await hesitant.quote(world.pair(eth, dai, { amount: units(0.5, eth) })), { slippageBps: 100 });
    const error = await hesitant.submit(build).catch((error) => error);
    assert.ok(isTradeError(error, "USER_REJECTED") && error.signedOrder, error);
    assert.equal((await hesitant.order(build.orderHash)).status, "AWAITING_SIGNATURE");
    isWilling = true;
    assert.equal((await client.wait(await hesitant.submit(error.signedOrder), PACE)).status, "COMPLETED");
    await world.settings({ nativeReading: "sign" });
  });

  await t.test("a deposit is taken back with its order", async () => {
    await world.settings({ nativeReading: "deposit" });
    const [eth, dai] = [token("ETH"), token("DAI")];
    const quote = await client.quote(world.pair(eth, dai, { amount: units(0.5, eth) }));
    const { order } = await place(quote, { slippageBps: undefined, type: "LIMIT", limitAmount: units(5_000, dai) });
    assert.equal(summarizeOrder(order).cancel, "transaction");
    const before = await balance(eth, account);
    const sent = await client.wait(await client.submit(await client.buildCancellation(order)), PACE);
    assert.equal(sent.status, "COMPLETED");
    assert.ok((await balance(eth, account)) - before > units(0.49, eth));
    await world.settings({ nativeReading: "sign" });
  });

  await t.test("on a chain that is not pinned the service names the contracts, in either of two places", async () => {
    const [dai, eth] = [token("DAI"), token("ETH")];
    const { chainId } = chain;
    const expiry = Number((await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp) + 3600;
    const offer = {
      chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(1, usdc), takerAmount: units(1, dai),
      makerDecimals: 6, takerDecimals: 18, expiry,
    };
    const names = ["ParaswapDelta", "AugustusSwapper", "AugustusRFQ"];
    const tamper = (patch, times) => world.sandbox.control("POST", "tamper", { target: "contracts", patch, times });
    for (const missing of [[], names]) {
      await tamper(missing.map((name) => ({ op: "remove", path: `/${name}` })), missing.length ? -1 : 0);
      const bare = await world.client(account, { contracts: undefined, advanced: { allowServiceContracts: true } });
      const request = world.pair(usdc, dai, { amount: units(10, usdc) });
      const quote = await bare.quote(request);
      const told = quote.report.checks.find(({ field }) => field === "quote.spender");
      assert.deepEqual([told.verdict, told.expected], ["ok", `${chain.delta} (from the service's contracts resource)`]);
      const build = await bare.build(quote, { slippageBps: 100 });
      if (build.approval) await bare.approve(build.approval);
      assert.equal((await bare.wait(await bare.submit(build), PACE)).status, "COMPLETED");
      assert.equal((await bare.quote({ ...request, mode: "MARKET" })).spender, chain.router);
      assert.equal((await bare.otc.build(offer)).spender, chain.rfq);
    }
    // The second place names Delta's wrapped native token, too.
    await world.settings({ nativeToken: "wrapped" });
    const bare = await world.client(account, { contracts: undefined, advanced: { allowServiceContracts: true } });
    const sold = await bare.build(await bare.quote(world.pair(eth, dai, { amount: units(0.1, eth) })), { slippageBps: 100 });
    assert.equal(sold.typedData.message.srcToken.toLowerCase(), chain.wrappedNative.toLowerCase());
    await world.settings({ nativeToken: "placeholder" });
    await tamper([], 0);
  });

  await t.test("the small reads", async () => {
    assert.deepEqual(await client.info.chains(), [chain.chainId, other.chainId]);
    const { chainId } = chain;
    const { tokens, leftOut } = await client.info.tokens({ chainId });
    assert.equal(leftOut, 0);
    const [first] = await client.info.tokenCategories();
    const { tokens: [one] } = await client.info.tokens({ chainId: "all", category: first.id });
    assert.deepEqual([one.symbol, one.categories, one.logoURI.slice(0, 8)], ["USDC", [first.id], "https://"]);
    await world.settings({ fiatTokens: false });
    const { tokens: older } = await (await world.client(account)).info.tokens({ chainId });
    await world.settings({ fiatTokens: true });
    const shown = (list) => list.map(({ address, symbol, decimals, chainId }) => [address, symbol, decimals, chainId]);
    assert.deepEqual(shown(older), shown(tokens));
    assert.ok((await client.info.agents({ chainId })).length > 0);
    const strategies = Object.values(await client.info.strategies({ chainId }));
    assert.ok(strategies[0].strategies[0].vault);
    assert.equal(await client.info.isTokenSupported({ chainId, token: usdc.address }), true);
  });
}
