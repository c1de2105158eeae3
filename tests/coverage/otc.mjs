// OTC: made, posted, filled in every way, cancelled, expired; and seen on the chain.
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isTradeError, summarizeOtcOrder } from "verified-swap";
import { encodeFunctionData, erc20Abi } from "viem";

/** Whether it is an error of that code and field. */
const isRefused = (code, field) => (error) => {
  assert.ok(isTradeError(error), error);
  assert.deepEqual([error.code, error.field], [code, field]);
  return true;
};

const ZERO = "0x0000000000000000000000000000000000000000";

export async function otc(t, world) {
  const { accounts, token, units, balance, fund, chain } = world;
  const [maker, taker, stranger, receiver] = [accounts[0], accounts[1], accounts[2], accounts[4]];
  const [usdc, dai] = ["USDC", "DAI"].map((symbol) => token(symbol));
  const [making, taking, strange] = await Promise.all([maker, taker, stranger].map((account) => world.client(account)));
  const chainId = chain.chainId;
  await fund(maker, usdc, units(100_000, usdc));
  await fund(taker, dai, units(100_000, dai));

  const now = async () => Number((await world.sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp);
  const offer = (more = {}) => ({
    chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(100, usdc), takerAmount: units(99, dai),
    makerDecimals: usdc.decimals, takerDecimals: dai.decimals, makerSymbol: "USDC", takerSymbol: "DAI", ...more,
  });
  const post = async (more) => {
    const build = await making.otc.build(offer({ expiry: (await now()) + 3600, ...more }));
    if (build.approval) await making.approve(build.approval, { amount: "unlimited" });
    return making.submit(build);
  };
  const decimals = { makerDecimals: usdc.decimals, takerDecimals: dai.decimals };
  const fill = async (client, order, options = {}) => {
    const build = await client.otc.buildFill(order, { ...decimals, ...options });
    if (build.approval) await client.approve(build.approval, { amount: "unlimited" });
    return client.wait(await client.submit(build), { intervalMs: 50 });
  };

  await t.test("an offer to anyone is filled whole", async () => {
    const order = await post();
    assert.equal(order.taker, ZERO);
    assert.equal(order.state, "PENDING");
    const before = [await balance(usdc, taker), await balance(dai, maker)];
    assert.equal((await fill(taking, order)).status, "COMPLETED");
    const after = [await balance(usdc, taker), await balance(dai, maker)];
    assert.deepEqual([after[0] - before[0], after[1] - before[1]], [units(100, usdc), units(99, dai)]);
    const filled = await taking.otc.order(order.orderHash);
    assert.equal(filled.state, "FULFILLED");
    assert.match(filled.transactionHash, /^0x[0-9a-f]{64}$/);
  });

  await t.test("an offer is filled in part, then the rest, to somebody else", async () => {
    const order = await post({ taker });
    assert.equal((await fill(taking, order, { takerAmount: units(33, dai) })).status, "COMPLETED");
    const partly = await taking.otc.order(order.orderHash);
    assert.equal(partly.state, "PENDING");
    const left = await taking.otc.remaining(partly);
    // 33 of 99 were paid.
    assert.equal(BigInt(left), units(100, usdc) - units(100, usdc) / 3n);
    assert.equal(summarizeOtcOrder({ ...partly, fillableBalance: "1" }, await now(), left).leftMakerAmount, left);
    const before = await balance(usdc, receiver);
    assert.equal((await fill(taking, partly, { receiver })).status, "COMPLETED");
    assert.ok((await balance(usdc, receiver)) > before);
    assert.equal((await taking.otc.order(order.orderHash)).state, "FULFILLED");
    assert.deepEqual(await taking.otc.remaining([partly]), ["0"]);
  });

  await t.test("a maker whose code no longer takes the signature, once part of it is filled", async () => {
    const rpc = (method, params) => world.sandbox.rpc(chainId, method, params);
    const contract = "0x00000000000000000000000000000000a11e7002";
    const answering = (word) => `0x7f${word}${"0".repeat(56)}5f5260205ff3`;
    await rpc("anvil_setCode", [contract, answering("1626ba7e")]);
    await rpc("anvil_setBalance", [contract, "0xde0b6b3a7640000"]);
    await rpc("anvil_impersonateAccount", [contract]);
    await fund(contract, usdc, units(200, usdc));
    // The account takes whatever its wallet signs with.
    const request = ({ method, params }) => {
      if (method === "eth_accounts") return [contract];
      return rpc(method, method === "eth_signTypedData_v4" ? [stranger, params[1]] : params);
    };
    const contracting = await world.client(contract, { wallet: { request } });
    const offered = async () => {
      const build = await contracting.otc.build(offer({ expiry: (await now()) + 3600, taker }));
      if (build.approval) await contracting.approve(build.approval, { amount: "unlimited" });
      return contracting.submit(build);
    };
    const [begun, untouched] = [await offered(), await offered()];
    assert.equal((await fill(taking, begun, { takerAmount: units(33, dai) })).status, "COMPLETED");
    const verdict = ({ report }) => report.checks.find(({ field }) => field === "order.signature");
    assert.equal(verdict(await taking.otc.buildFill(begun, decimals)).verdict, "ok");
    for (const code of [answering("ffffffff"), "0x5b5f56", "0x5f5ffd"]) {
      await rpc("anvil_setCode", [contract, code]);
      await world.pass(15);
      await assert.rejects(taking.otc.buildFill(untouched, decimals), (error) => isTradeError(error), code);
      const build = await taking.otc.buildFill(begun, { ...decimals, takerAmount: units(11, dai) });
      assert.deepEqual([verdict(build).verdict, verdict(build).actual], ["opaque", "accepted by the contract at an earlier fill"], code);
      assert.match(build.report.sentence, /its maker no longer confirms the signature, which the contract accepted/);
      assert.equal((await taking.wait(await taking.submit(build), { intervalMs: 50 })).status, "COMPLETED");
    }
    assert.equal((await fill(taking, begun)).status, "COMPLETED");
    assert.deepEqual(await taking.otc.remaining([begun]), ["0"]);
  });

  await t.test("an offer to another is not filled, nor is an expired one", async () => {
    const order = await post({ taker });
    await assert.rejects(strange.otc.buildFill(order, decimals), isRefused("VERIFY_MISMATCH", "order.taker"));
    await world.pass(4000);
    await assert.rejects(taking.otc.buildFill(order, decimals), isRefused("VERIFY_MISMATCH", "order.expiry"));
    assert.equal((await taking.otc.order(order.orderHash)).state, "EXPIRED");
  });

  await t.test("the maker cancels one, and several", async () => {
    const orders = [await post({ taker }), await post({ taker }), await post({ taker })];
    for (const some of [orders[0], orders.slice(1)]) {
      const sent = await making.wait(await making.submit(await making.otc.buildCancellation(some)), { intervalMs: 50 });
      assert.equal(sent.status, "COMPLETED");
    }
    for (const { orderHash } of orders) assert.equal((await making.otc.order(orderHash)).state, "CANCELLED");
    await assert.rejects(strange.otc.buildCancellation(orders[0]), isRefused("VERIFY_MISMATCH", "order.maker"));
    await assert.rejects(taking.otc.buildFill(orders[0], decimals), isRefused("VERIFY_MISMATCH", "order.remaining"));
  });

  await t.test("a draft is shown as one", async () => {
    const { orderHash } = await post({ taker });
    await world.sandbox.control("POST", "tamper", { target: "otcOrder", patch: [{ op: "replace", path: "/state", value: "DRAFT" }], times: 1 });
    const summary = summarizeOtcOrder(await making.otc.order(orderHash), await now());
    assert.deepEqual([summary.state, summary.isTerminal], ["DRAFT", false]);
  });

  await t.test("an offer beyond what the maker has is suspended until it is there", async () => {
    // A maker without other offers.
    const poor = await world.client(receiver);
    const whole = await balance(usdc, receiver);
    const offered = async (makerAmount) => {
      const build = await poor.otc.build(offer({ expiry: (await now()) + 3600, taker, makerAmount }));
      if (build.approval) await poor.approve(build.approval);
      return poor.submit(build);
    };
    const move = async (from, to, amount) => {
      const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
      const hash = await world.sandbox.rpc(chainId, "eth_sendTransaction", [{ from, to: usdc.address, data }]);
      while (!(await world.sandbox.rpc(chainId, "eth_getTransactionReceipt", [hash]))) await sleep(20);
    };
    const state = async ({ orderHash }) => (await taking.otc.order(orderHash)).state;
    await assert.rejects(offered(whole + 1n), (error) => isTradeError(error, "INSUFFICIENT_BALANCE") && error.actual === whole.toString());
    const first = await offered(whole);
    assert.equal(first.state, "PENDING");
    // The first claims everything already.
    const cheap = offer({ expiry: (await now()) + 3600, taker, makerAmount: units(10, usdc) });
    assert.equal((await poor.otc.build(cheap)).approval, null, "the allowance covers it alone");
    assert.equal((await poor.otc.build(cheap, { coverOpenOrders: true })).approval, null, "and all there is to take");
    await fund(receiver, usdc, units(10, usdc));
    const { approval } = await poor.otc.build(cheap, { coverOpenOrders: true });
    assert.equal(approval.amount, (whole + units(10, usdc)).toString(), "which does not cover both");
    await poor.approve(approval);
    await move(receiver, stranger, units(10, usdc));
    const second = await offered(units(10, usdc));
    assert.equal(second.state, "SUSPENDED");
    assert.equal(summarizeOtcOrder(second, await now()).isTerminal, false);
    await fund(receiver, usdc, units(10, usdc));
    assert.equal(await state(second), "PENDING", "topped up");
    const all = await balance(usdc, receiver);
    await move(receiver, stranger, all);
    assert.deepEqual([await state(first), await state(second)], ["SUSPENDED", "SUSPENDED"]);
    await assert.rejects(taking.otc.buildFill(first, decimals), isRefused("VERIFY_MISMATCH", "order.makerBalance"));
    await move(stranger, receiver, all);
    assert.deepEqual([await state(first), await state(second)], ["PENDING", "PENDING"]);
    // It is a tenth of what the pools would give.
    await assert.rejects(fill(taking, second), isRefused("VERIFY_MISMATCH", "quote.price"));
    assert.equal((await fill(taking, second, { maxPriceDeviationBps: 9_500 })).status, "COMPLETED");
    assert.equal(await state(second), "FULFILLED");
  });

  await t.test("lists with every parameter, and what the orders claim", async () => {
    const list = await making.otc.orders({ chainId, maker, type: "P2P", limit: 2, offset: 1, orderBy: "createdAt", hideSmallBalances: false });
    assert.ok(list.orders.length === 2 && list.offset === 1 && list.hasMore && list.total > 3, JSON.stringify(list).slice(0, 300));
    const mine = await taking.otc.orders({ chainId, taker, limit: 50, offset: 0 });
    assert.ok(mine.orders.length > 3 && mine.orders.every((order) => order.taker.toLowerCase() === taker.toLowerCase()));
    const claimed = await making.otc.fillableBalance({ chainId, account: maker });
    assert.equal(typeof claimed[usdc.address], "string");
    const one = await making.otc.fillableBalance({ chainId, account: maker, token: usdc.address });
    assert.equal(one[usdc.address], claimed[usdc.address]);
    assert.ok(BigInt(await making.approvals.needed({ chainId, token: usdc.address, amount: 5n, account: maker, path: "otc" })) >= 5n);
  });
}
