// Permits in place of approvals: every kind, on every path that takes it.
import assert from "node:assert/strict";
import { encodeFunctionData, parseAbi } from "viem";
import { isTradeError } from "verified-swap";

const PERMIT2 = parseAbi(["function approve(address token, address spender, uint160 amount, uint48 expiration)"]);
const PACE = { intervalMs: 50, maxIntervalMs: 100 };

export async function permits(t, world) {
  const { accounts, token, units, pair, balance, fund, chain } = world;
  const [account, maker] = [accounts[3], accounts[0]];
  const [usdc, dai, pusd, weth] = ["USDC", "DAI", "PUSD", "WETH"].map((symbol) => token(symbol));
  const client = await world.client(account);
  const chainId = chain.chainId;
  for (const one of [usdc, dai, pusd, weth]) await fund(account, one, units(10_000, one));
  const approve = (which, spender, amount) =>
    world.sandbox.control("POST", "approve", { chainId, token: which.address, owner: account, spender, amount: amount.toString() });

  // The walk has moved the chain's clock: a permit counted from it would be good for hours by this machine's.
  const inTwentyMinutes = async () =>
    Number((await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp) + 1200;

  const swap = async (mode, src, kind, more = {}) => {
    await approve(src, mode === "MARKET" ? chain.router : chain.delta, 0n).catch(() => {});
    const quote = await client.quote({ ...pair(src, dai, { amount: units(10, src) }), mode });
    // Nothing is built for a token that is allowed by signature only, until there is one.
    const reviewed = src === pusd ? null : await client.build(quote, { slippageBps: 100 });
    const options = { kind, ...(reviewed ? {} : { deadline: await inTwentyMinutes() }), ...more };
    const permit = await client.signPermit(reviewed ?? quote, options);
    const build = await (reviewed ? client.build(reviewed, { permit }) : client.build(quote, { slippageBps: 100, permit }));
    assert.equal(build.approval, null, "nothing is left to approve");
    const before = await balance(dai, account);
    const done = await client.wait(await client.submit(build), PACE);
    assert.equal(done.status, "COMPLETED", JSON.stringify(done).slice(0, 300));
    assert.ok((await balance(dai, account)) - before >= BigInt(build.minReceived));
    return permit;
  };

  for (const mode of ["DELTA", "MARKET"]) {
    await t.test(`EIP-2612 on ${mode}`, () => swap(mode, usdc, "eip2612"));
    await t.test(`DAI, whose own permit is of another form, is approved on ${mode}`, async () => {
      const quote = await client.quote({ ...pair(dai, usdc, { amount: units(10, dai) }), mode });
      await approve(dai, mode === "MARKET" ? chain.router : chain.delta, 0n);
      const build = await client.build(quote, { slippageBps: 100 });
      await assert.rejects(client.signPermit(build, { kind: "eip2612" }), (error) =>
        isTradeError(error, "INVALID_INPUT") && error.field === "options.kind" && /^its PERMIT_TYPEHASH\(\)/.test(error.actual));
      await client.approve(build.approval);
      assert.equal((await client.wait(await client.submit(build), PACE)).status, "COMPLETED");
    });
    await t.test(`one transfer signed for Permit2 on ${mode}`, async () => {
      await approve(weth, chain.permit2, units(1e6, weth));
      await swap(mode, weth, "permit2Transfer");
    });
  }
  await t.test("an allowance signed for Permit2", () => swap("DELTA", weth, "permit2Allowance"));
  await t.test("a token that is allowed by signature only, its domain told by the token", () => swap("DELTA", pusd, "eip2612"));
  await t.test("an allowance that is there in Permit2", async () => {
    const { timestamp } = await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false]);
    const data = encodeFunctionData({ abi: PERMIT2, functionName: "approve", args: [weth.address, chain.delta, units(100, weth), Number(timestamp) + 86_400] });
    await world.sandbox.rpc(chainId, "eth_sendTransaction", [{ from: account, to: chain.permit2, data }]);
    await swap("DELTA", weth, "permit2Existing");
  });

  await t.test("a permit is good once, and not for orders that rest", async () => {
    const quote = await client.quote(pair(usdc, dai, { amount: units(10, usdc) }));
    const permit = await client.signPermit(quote, { kind: "eip2612", deadline: (await inTwentyMinutes()) + 60 });
    await assert.rejects(client.build(quote, { type: "LIMIT", limitAmount: units(9, dai), permit }), (error) => isTradeError(error, "INVALID_INPUT"));
    const build = await client.build(quote, { slippageBps: 100, permit });
    await client.wait(await client.submit(build), PACE);
    const again = await client.quote(pair(usdc, dai, { amount: units(10, usdc) }));
    await assert.rejects(client.build(again, { slippageBps: 100, permit }), (error) =>
      isTradeError(error, "INVALID_INPUT") && error.field === "options.permit" && error.actual === "a used one");
  });

  await t.test("a maker's permit goes with the offer", async () => {
    const now = Number((await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp);
    await approve(usdc, chain.rfq, 0n);
    const build = await client.otc.build({
      chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(10, usdc), takerAmount: units(10, dai),
      makerDecimals: 6, takerDecimals: 18, expiry: now + 3600, taker: maker,
    });
    const permit = await client.signPermit(build, { kind: "eip2612", deadline: (await inTwentyMinutes()) + 3600 });
    const order = await client.submit(build, { permit });
    assert.equal(order.permitMakerAsset, permit.bytes);
    // Nothing but the permit lets the contract have it.
    const taking = await world.client(maker);
    const fill = await taking.otc.buildFill(order, { makerDecimals: 6, takerDecimals: 18 });
    if (fill.approval) await taking.approve(fill.approval);
    const before = [await balance(usdc, maker), await balance(dai, account)];
    assert.equal((await taking.wait(await taking.submit(fill), PACE)).status, "COMPLETED");
    const after = [await balance(usdc, maker), await balance(dai, account)];
    assert.deepEqual([after[0] - before[0], after[1] - before[1]], [units(10, usdc), units(10, dai)]);
  });

  await t.test("all that was approved on the way is found by the chain's logs, and taken back", async () => {
    await approve(usdc, chain.router, 2n ** 256n - 1n);
    const now = Number((await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp);
    const data = encodeFunctionData({ abi: PERMIT2, functionName: "approve", args: [weth.address, chain.router, 7n, now + 86_400] });
    await world.sandbox.rpc(chainId, "eth_sendTransaction", [{ from: account, to: chain.permit2, data }]);
    const { fromBlock, unread, allowances } = await client.approvals.list({ chainId });
    assert.deepEqual([fromBlock, unread], [0, []]);
    const of = (kind, { address }, spender) =>
      allowances.find((one) => one.kind === kind && one.token === address && one.spender.toLowerCase() === spender.toLowerCase());
    const unlimited = of("erc20", usdc, chain.router);
    assert.deepEqual([unlimited.contract, unlimited.isUnlimited, unlimited.decimals, unlimited.expiration], ["market", true, 6, null]);
    const lent = of("permit2", weth, chain.router);
    assert.deepEqual([lent.amount, lent.isUnlimited, lent.expiration], ["7", false, now + 86_400]);
    assert.equal(of("erc20", weth, chain.permit2), undefined, "Permit2 is not the service's");
    // This one takes no approvals from accounts, so none can be taken back.
    const revocable = allowances.filter((one) => one.token !== pusd.address);
    assert.ok(revocable.length >= 3);
    for (const one of revocable) {
      const build = await client.approvals.buildRevoke(one);
      assert.equal((await client.wait(await client.submit(build), PACE)).status, "COMPLETED");
      await assert.rejects(client.approvals.buildRevoke(one), (error) => isTradeError(error, "INVALID_INPUT") && error.field === "allowance.amount");
    }
    const left = await client.approvals.list({ chainId, tokens: [usdc.address, dai.address, weth.address] });
    assert.deepEqual([left.fromBlock, left.allowances], [null, []]);
    assert.ok((await client.trades.list({ account })).some(({ purpose }) => purpose === "revoke"));
  });
}
