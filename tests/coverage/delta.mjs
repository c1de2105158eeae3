// Delta: every kind of order, signed, settled or ended, and seen on the chain.
import assert from "node:assert/strict";
import { isTradeError, summarizeOrder, rawQuote, twapSchedule } from "verified-swap";

const PACE = { intervalMs: 50, maxIntervalMs: 100 };

export async function delta(t, world) {
  const { accounts, token, units, pair, balance, fund, chain } = world;
  const [account, receiver] = [accounts[2], accounts[4]];
  const [usdc, dai] = ["USDC", "DAI"].map((symbol) => token(symbol));
  const client = await world.client(account);
  await fund(account, usdc, units(1_000_000, usdc));
  const chainId = chain.chainId;
  const until = (order, status) => reaches(client, order, status);

  /** Approved and posted. */
  const place = async (quote, options) => {
    const build = await client.build(quote, options);
    if (build.approval) await client.approve(build.approval, { amount: "unlimited" });
    return { build, order: await client.submit(build) };
  };

  for (const side of ["SELL", "BUY"]) {
    await t.test(`a gasless ${side} with every parameter of the price`, async () => {
      const amount = side === "SELL" ? units(100, usdc) : units(100, dai);
      const request = pair(usdc, dai, {
        amount, side, beneficiary: receiver, partner: "shop", partnerFeeBps: 20, partnerAddress: accounts[3],
        advanced: {
          maxImpactPercent: "12", maxUsdImpact: "500",
          delta: { includeAgents: ["sandbox-solver"], excludeAgents: ["sandbox-idle"], allowBridgeAndSwap: side === "SELL" },
        },
      });
      const before = await balance(dai, receiver);
      const quote = await client.quote(request);
      assert.ok("bridge" in rawQuote(quote).route.fees, "what only the service says can be shown");
      const { build, order } = await place(quote, { slippageBps: 100, advanced: { capSurplus: true, metadata: "0x1234" } });
      const done = await client.wait(order, PACE);
      assert.deepEqual([done.status, done.settled, done.unverified], ["COMPLETED", "seen", undefined]);
      assert.ok((await balance(dai, receiver)) - before >= BigInt(build.minReceived));
      assert.equal(build.feeBps, 20);
      assert.equal(summarizeOrder(done).filledPercent, 100);
    });
  }

  await t.test("every other member of a build", async () => {
    const request = pair(usdc, dai, { amount: units(20, usdc), partner: "shop", partnerAddress: accounts[3], advanced: { delta: { degenMode: true } } });
    const { order } = await place(await client.quote(request), { slippageBps: 100, advanced: { takeSurplus: true } });
    assert.equal((await client.wait(order, PACE)).status, "COMPLETED");
  });

  for (const side of ["SELL", "BUY"]) {
    await t.test(`a limit ${side} rests until its price is there`, async () => {
      const amount = side === "SELL" ? units(100, usdc) : units(100, dai);
      const quote = await client.quote(pair(usdc, dai, { amount, side }));
      const limitAmount = side === "SELL" ? units(101, dai) : units(99, usdc);
      const { build, order } = await place(quote, { type: "LIMIT", limitAmount, validForSecs: 3600 });
      assert.equal(build.type, "LIMIT");
      assert.equal(order.status, "PENDING");
      await until(order, "ACTIVE");
      // A trade moves the price, and back.
      await world.sandbox.control("POST", "trade", { chainId, srcToken: dai.address, destToken: usdc.address, amount: units(400_000, dai).toString() });
      assert.equal((await client.wait(order, PACE)).status, "COMPLETED");
      await world.sandbox.control("POST", "trade", { chainId, srcToken: usdc.address, destToken: dai.address, amount: units(400_000, usdc).toString() });
    });
  }

  await t.test("an order in parts is filled in parts", async () => {
    await world.settings({ solving: false });
    const quote = await client.quote(pair(usdc, dai, { amount: units(100, usdc) }));
    const { build, order } = await place(quote, { type: "LIMIT", limitAmount: units(98, dai), partiallyFillable: true });
    assert.equal(build.orderKind, "FillableOrder");
    await until(order, "ACTIVE");
    await world.sandbox.control("POST", "fill", { orderId: order.id, percent: 40 });
    const partly = await client.order(order.id);
    assert.equal(summarizeOrder(partly).filledPercent, 40);
    await world.settings({ solving: true });
    const done = await client.wait(order, PACE);
    assert.deepEqual([done.status, done.settled], ["COMPLETED", "seen"]);
    assert.equal(done.transactions.length, 2);
    await world.settings({ fillPercent: 50 });
    const now = await client.quote(pair(usdc, dai, { amount: units(100, usdc) }));
    const second = await place(now, { slippageBps: 300, partiallyFillable: true, advanced: { referrerAddress: receiver } });
    assert.deepEqual([second.build.orderKind, second.build.type], ["FillableOrder", "MARKET"]);
    assert.equal((await client.wait(second.order, PACE)).transactions.length, 2);
    await world.settings({ fillPercent: 100 });
  });

  await t.test("a resting order is suspended without an allowance, goes on with one, and expires", async () => {
    const quote = await client.quote(pair(usdc, dai, { amount: units(100, usdc) }));
    const { order } = await place(quote, { type: "LIMIT", limitAmount: units(150, dai), validForSecs: 600 });
    await until(order, "ACTIVE");
    await world.sandbox.control("POST", "approve", { chainId, token: usdc.address, owner: account, amount: "0" });
    await until(order, "SUSPENDED");
    await world.sandbox.control("POST", "approve", { chainId, token: usdc.address, owner: account, amount: units(1e6, usdc).toString() });
    await until(order, "ACTIVE");
    const claimed = await client.info.fillableBalance({ chainId, account });
    assert.ok(BigInt(claimed[usdc.address]) >= units(100, usdc), JSON.stringify(claimed));
    assert.deepEqual(await client.info.fillableBalance({ chainId, account, token: usdc.address }), { [usdc.address]: claimed[usdc.address] });
    assert.deepEqual(await client.info.fillableBalance({ chainId, account, token: dai.address }), { [dai.address]: "0" });
    const needed = await client.approvals.needed({ chainId, token: usdc.address, amount: units(5, usdc), account });
    assert.ok(BigInt(needed) >= units(105, usdc), needed);
    await world.pass(700);
    assert.equal((await client.wait(order, PACE)).status, "EXPIRED");
  });

  await t.test("orders are cancelled by one signature, without gas", async () => {
    const orders = [];
    for (const amount of [units(10, usdc), units(11, usdc), units(12, usdc)]) {
      const quote = await client.quote(pair(usdc, dai, { amount }));
      orders.push((await place(quote, { type: "LIMIT", limitAmount: units(50, dai) })).order);
    }
    // The service lists those cancelled, or only confirms that they were.
    for (const [cancelReply, some] of [["cancelled", orders.slice(0, 2)], ["success", orders.slice(2)]]) {
      await world.settings({ cancelReply });
      const { orderIds } = await client.cancel(some);
      assert.deepEqual(orderIds, some.map(({ id }) => id));
      for (const order of some) assert.equal((await client.wait(order, PACE)).status, "CANCELLED");
    }
    await world.settings({ cancelReply: "cancelled" });
  });

  await t.test("a cancellation that meets a fill waits for it", async () => {
    await world.settings({ solving: false, flightMs: 60_000 });
    const { order } = await place(await client.quote(pair(usdc, dai, { amount: units(10, usdc) })), { limitAmount: units(9, dai) });
    await until(order, "ACTIVE");
    await world.sandbox.control("POST", "fill", { orderId: order.id, hold: true });
    await client.cancel(order);
    const cancelling = await client.order(order.id);
    assert.equal(cancelling.status, "CANCELLING");
    assert.equal(summarizeOrder(cancelling).cancel, null, "once is enough");
    await world.settings({ solving: true, flightMs: 0 });
    assert.equal((await client.wait(order, PACE)).status, "COMPLETED", "the fill landed");
  });

  await t.test("an order is cancelled on chain by its nonce", async () => {
    const quote = await client.quote(pair(usdc, dai, { amount: units(10, usdc) }));
    const limit = { type: "LIMIT", limitAmount: units(50, dai) };
    // One like it was cancelled above by the service's word alone, which leaves its signature good.
    await assert.rejects(place(quote, limit), (error) => isTradeError(error, "ALREADY_SIGNED") && /^0x/.test(error.orderHash));
    const { order } = await place(quote, { ...limit, existing: "keepBoth" });
    const build = await client.buildCancellation(order);
    assert.equal(build.report.checks.find(({ field }) => field === "order.nonce").verdict, "ok");
    const elsewhere = await (await world.client(account)).buildCancellation(order);
    assert.equal(elsewhere.report.checks.find(({ field }) => field === "order.nonce").verdict, "unknown");
    assert.equal(elsewhere.transaction.data, build.transaction.data);
    const sent = await client.wait(await client.submit(build), PACE);
    assert.equal(sent.status, "COMPLETED");
    assert.equal((await client.wait(order, PACE)).status, "FAILED");
  });

  for (const side of ["SELL", "BUY"]) {
    await t.test(`a ${side} in slices, to the last one`, async () => {
      const total = side === "SELL" ? units(100, usdc) + 1n : units(100, dai) + 1n;
      const quote = await client.quote(pair(usdc, dai, { amount: total, side, numSlices: 3, intervalSecs: 60, beneficiary: receiver }));
      const schedule = twapSchedule(quote.twap, 1_000);
      assert.equal(schedule.reduce((sum, { amount }) => sum + BigInt(amount), 0n), total);
      assert.deepEqual(schedule.map(({ notBefore }) => notBefore), [1_000, 1_060, 1_120]);
      const options = side === "SELL" ? { slippageBps: 200 } : { maxSrcAmount: units(103, usdc) };
      const before = [await balance(usdc, account), await balance(dai, receiver)];
      const { build, order } = await place(quote, options);
      assert.equal(build.orderKind, side === "SELL" ? "TWAPOrder" : "TWAPBuyOrder");
      for (let slice = 1; slice <= 3; slice++) {
        await fills(client, order, slice);
        await world.pass(61);
      }
      const done = await client.wait(order, PACE);
      assert.deepEqual([done.status, done.settled], ["COMPLETED", "seen"]);
      assert.deepEqual(summarizeOrder(done).slices, { done: 3, total: 3, nextNotBefore: null });
      const after = [await balance(usdc, account), await balance(dai, receiver)];
      assert.ok(before[0] - after[0] <= BigInt(build.maxSpent), "spent no more than was signed");
      assert.ok(after[1] - before[1] >= BigInt(build.minReceived), "received at least what was signed");
    });
  }

  await t.test("an account with code signs, or consents by a transaction", async () => {
    const { address } = await world.sandbox.control("POST", "wallet", { chainId, owner: accounts[3], kind: "delegated", fund: true });
    const owner = await world.client(address, { wallet: world.wallet(address) });
    const quote = await owner.quote(pair(usdc, dai, { amount: units(10, usdc) }));
    const build = await owner.build(quote, { slippageBps: 100 });
    if (build.approval) await owner.approve(build.approval);
    assert.equal((await owner.wait(await owner.submit(build), PACE)).status, "COMPLETED");
    const second = await owner.build(await owner.quote(pair(usdc, dai, { amount: units(11, usdc) })), { slippageBps: 100 });
    if (second.approval) await owner.approve(second.approval);
    const order = await owner.submit(second, { preSign: true });
    assert.equal((await owner.wait(order, PACE)).status, "COMPLETED");
    await world.sandbox.control("POST", "wallet", { chainId, owner: accounts[3], kind: "plain" });
  });

  await t.test("an order for another contract to handle", async () => {
    const quote = await client.quote(pair(usdc, dai, { amount: units(10, usdc) }));
    const needs = { token: usdc.address, spender: chain.depository, amount: units(10, usdc) };
    const external = { handler: chain.depository, data: "0x", prerequisite: needs };
    const refused = await client.build(quote, { slippageBps: 100, advanced: { external } });
    assert.equal(refused.approval, null, "approving for another contract is the app's affair");
    await assert.rejects(client.submit(refused), (error) => isTradeError(error, "INSUFFICIENT_ALLOWANCE"));
    await world.sandbox.control("POST", "approve", { chainId, token: usdc.address, owner: account, spender: chain.depository, amount: needs.amount.toString() });
    const { build, order } = await place(quote, { slippageBps: 100, advanced: { external } });
    assert.equal(build.orderKind, "ExternalOrder");
    const done = await client.wait(order, PACE);
    assert.deepEqual([done.status, done.settled], ["COMPLETED", "claimed"], "what a handler makes of it is its own affair");
    const productive = { strategy: chain.depository };
    await assert.rejects(client.build(await client.quote(pair(usdc, dai, { amount: units(10, usdc) })), { slippageBps: 100, advanced: { productive } }), (error) =>
      isTradeError(error, "INVALID_INPUT") && error.field === "options.advanced.productive");
  });

  await t.test("orders are listed by every filter, and page by page", async () => {
    const page = await client.orders({ account, chainId: [chainId], status: ["COMPLETED", "CANCELLED"], type: "LIMIT", page: 1, limit: 2 });
    assert.ok(page.orders.length === 2 && page.hasMore && page.total > 2, JSON.stringify(page).slice(0, 200));
    assert.ok(page.orders.every(({ type, status }) => type === "LIMIT" && ["COMPLETED", "CANCELLED"].includes(status)));
    const sliced = (await client.orders({ account, onChainOrderType: "TWAPOrder" })).orders;
    assert.ok(sliced.length > 0 && sliced.every((order) => order.onChainOrderType === "TWAPOrder"), `${sliced.length}`);
    const all = [];
    for await (const { id, unverified } of client.allOrders({ account, limit: 3 })) {
      assert.equal(unverified, undefined, id);
      all.push(id);
    }
    assert.equal(new Set(all).size, all.length);
    assert.ok(all.length >= 10, `${all.length}`);
    const [some] = page.orders;
    assert.equal((await client.order(some.orderHash)).id, some.id);
  });
}

/** The order once it has that status. */
async function reaches(client, order, status) {
  for await (const now of client.watch(order, PACE)) {
    if (now.status === status) return now;
  }
  throw new Error(`the order ended without having been ${status}`);
}

async function fills(client, order, count) {
  for await (const now of client.watch(order, PACE)) {
    if (now.transactions.length >= count) return now;
  }
  throw new Error(`the order ended before fill ${count}`);
}
