// Calls that are sent together (EIP-5792), by accounts of each kind, on the real contracts.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { isTradeError } from "verified-swap";
import { guard, init } from "verified-swap/verify";
import { createClient, custom, defineChain, encodeFunctionData, erc20Abi } from "viem";
import { getCallsStatus, getCapabilities, sendCalls } from "viem/actions";
import { walletOf } from "../shared/batching-wallet.mjs";
import { startWorld } from "./world.mjs";

const PACE = { intervalMs: 50, maxIntervalMs: 100 };
/** Kinds of account, by their wallet's word. */
const KINDS = ["contract", "delegated", "own key, upgrades"];
const SEND_CALLS = "wallet_sendCalls";

let world, usdc, dai, usdt, eth;
before(async () => {
  await init();
  world = await startWorld();
  [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => world.token(symbol));
  usdt = world.chain.tokens.find(({ kind }) => kind === "usdt");
});
after(() => world?.sandbox.stop());

/** An account of that kind with 1,000 of each dollar and ten ether, its wallet, and its client. */
async function traderOf(kind, habits, options) {
  const wallet = await walletOf(world, kind, habits);
  const { account } = wallet;
  for (const token of [usdc, dai, usdt]) await world.fund(account, token, world.units(1_000, token));
  await world.fund(account, eth, world.units(10, eth));
  const client = await world.client(account, { wallet, ...options });
  return { wallet, account, client };
}

const allowance = async (token, owner, spender) => {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  return BigInt(await world.sandbox.rpc(world.chain.chainId, "eth_call", [{ to: token.address, data }, "latest"]));
};
const approve = (token, owner, spender, amount) =>
  world.sandbox.control("POST", "approve", { chainId: world.chain.chainId, token: token.address, owner, spender, amount: String(amount) });

/** The selectors of the calls in the prompts, each of which was one for several calls. */
const asked = ({ prompts }) =>
  prompts.splice(0).map(({ method, params }) => (method === SEND_CALLS ? params[0].calls.map(({ data }) => data.slice(0, 10)) : method));
const APPROVE = "0x095ea7b3";
const isFailure = (code) => (error) => isTradeError(error, code) || assert.fail(`${error.code}: ${error.stack}`);

const market = async ({ client, account }, src = usdc) => {
  const quote = await client.quote({ ...world.pair(src, dai, { amount: world.units(100, src) }), mode: "MARKET" });
  const build = await client.build(quote, { slippageBps: 100 });
  const before = await world.balance(src, account);
  return { build, paid: async () => before - (await world.balance(src, account)) };
};

test("viem asks in the same words, and reads the same of the wallet", async () => {
  const { wallet, account } = await traderOf("contract");
  const ours = [];
  const request = (asked) => (asked.method === SEND_CALLS && ours.push(asked.params[0]), wallet.request(asked));
  const client = await world.client(account, { wallet: { request } });
  const { chainId } = world.chain;
  const { build } = await market({ client, account });
  const done = await client.wait(await client.submit(build), PACE);
  const chain = defineChain({ id: chainId, name: "one", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [] } } });
  const viemOf = (request) => createClient({ account, chain, transport: custom({ request }, { retryCount: 0 }) });
  const seen = [];
  const calls = ours[0].calls.map(({ to, data, value }) => ({ to, data, value: BigInt(value) }));
  await sendCalls(viemOf(async (asked) => (seen.push(asked), { id: done.batch })), { calls, id: done.batch, forceAtomic: true });
  const [theirs] = JSON.parse(JSON.stringify(seen.find(({ method }) => method === SEND_CALLS).params));
  // It writes addresses as they came, and leaves a value of 0 out.
  const plain = (request) => ({
    ...request,
    from: request.from.toLowerCase(),
    calls: request.calls.map(({ to, data, value = "0x0" }) => ({ to: to.toLowerCase(), data, value })),
  });
  assert.deepEqual(plain(ours[0]), plain(theirs));
  const viem = viemOf(wallet.request);
  assert.equal((await getCapabilities(viem, { account, chainId })).atomic.status, (await client.info.capabilities({ chainId, account })).atomic);
  const { status, atomic, receipts } = await getCallsStatus(viem, { id: done.batch });
  assert.deepEqual([status, atomic, receipts.map(({ transactionHash }) => transactionHash)], ["success", true, [done.hash]]);
});

for (const kind of KINDS) {
  for (const paymaster of ["pays", "refuses", undefined]) {
    test(`${kind}: a wallet ${paymaster ? `whose paymaster ${paymaster}` : "that takes no paymaster"}`, async () => {
      const { chainId } = world.chain;
      const service = { url: "https://pay.example/v1", context: { policyId: "1" } };
      const prompts = [];
      const onPrompt = (prompt) => (prompts.push(prompt), true);
      const inner = await walletOf(world, kind, { paymaster });
      const { account, payer } = inner;
      for (const token of [usdc, eth]) await world.fund(account, token, world.units(1_000, token));
      // Around the wallet, so that it has to let the very batch pass that the client asked about.
      const wallet = guard(inner, { onPrompt });
      const client = await world.client(account, { wallet, onPrompt, paymasterService: { [chainId]: service } });
      const { build, paid } = await market({ client, account });
      const before = await world.balance(eth, payer);
      const done = await client.wait(await client.submit(build), PACE);
      const { gasUsed, effectiveGasPrice } = await world.sandbox.rpc(chainId, "eth_getTransactionReceipt", [done.hash]);
      const cost = BigInt(gasUsed) * BigInt(effectiveGasPrice);
      assert.ok(done.status === "COMPLETED" && cost > 0n, JSON.stringify(done));
      assert.equal(before - (await world.balance(eth, payer)), paymaster === "pays" ? 0n : cost);
      assert.equal(await paid(), world.units(100, usdc));
      // The next one lacks no approval: with a paymaster it is a batch of one all the same.
      await approve(usdc, account, world.chain.router, world.units(100, usdc));
      const other = await world.client(account, { wallet, onPrompt, paymasterService: { [chainId]: service } });
      const sent = await other.submit((await market({ client: other, account })).build);
      assert.equal(sent.batch !== null, paymaster !== undefined || kind === "contract");
      assert.equal((await other.wait(sent, PACE)).status, "COMPLETED");
      assert.equal(prompts.length, 2, "the guard asks nothing that the client asked");
      for (const { sentence, capabilities } of prompts) {
        assert.equal(sentence.endsWith("; gas paid by pay.example if it agrees"), paymaster !== undefined, sentence);
        assert.deepEqual(capabilities, paymaster ? { paymasterService: { ...service, optional: true } } : null);
      }
      const told = inner.prompts.map(({ method, params: [first] }) => method === SEND_CALLS && first.paymaster);
      assert.deepEqual(told[0], paymaster && { ...service, optional: true });
    });
  }

  test(`${kind}: approve and swap in one prompt`, async () => {
    const trader = await traderOf(kind);
    const { build, paid } = await market(trader);
    assert.ok(build.approval);
    const before = await world.balance(dai, trader.account);
    const sent = await trader.client.submit(build);
    assert.ok(sent.batch && sent.status === "PENDING", JSON.stringify(sent));
    const done = await trader.client.wait(sent, PACE);
    assert.deepEqual([done.status, done.batch], ["COMPLETED", sent.batch]);
    const receipt = await world.sandbox.rpc(world.chain.chainId, "eth_getTransactionReceipt", [done.hash]);
    assert.equal(receipt.status, "0x1");
    assert.deepEqual(asked(trader.wallet), [[APPROVE, build.transaction.data.slice(0, 10)]]);
    assert.equal(await paid(), world.units(100, usdc));
    assert.ok((await world.balance(dai, trader.account)) - before >= BigInt(build.minReceived));
    assert.equal(await allowance(usdc, trader.account, world.chain.router), 0n, "exactly what was needed");
    // Again: the one that was sent.
    assert.equal((await trader.client.submit(build)).batch, sent.batch);
    assert.deepEqual(asked(trader.wallet), []);
  });

  test(`${kind}: approve and fill in one prompt`, async () => {
    const { chain, accounts, units, balance } = world;
    const maker = await world.client(accounts[0]);
    await world.fund(accounts[0], usdc, units(1_000, usdc));
    const { timestamp } = await world.sandbox.rpc(chain.chainId, "eth_getBlockByNumber", ["latest", false]);
    const decimals = { makerDecimals: usdc.decimals, takerDecimals: dai.decimals };
    const made = await maker.otc.build({
      chainId: chain.chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(100, usdc), takerAmount: units(99, dai),
      ...decimals, expiry: Number(timestamp) + 3600,
    });
    if (made.approval) await maker.approve(made.approval);
    const offer = await maker.submit(made);
    const taker = await traderOf(kind);
    const before = [await balance(usdc, taker.account), await balance(dai, taker.account)];
    const build = await taker.client.otc.buildFill(offer, decimals);
    const done = await taker.client.wait(await taker.client.submit(build), PACE);
    assert.equal(done.status, "COMPLETED");
    assert.deepEqual(asked(taker.wallet), [[APPROVE, build.transaction.data.slice(0, 10)]]);
    const after = [await balance(usdc, taker.account), await balance(dai, taker.account)];
    assert.deepEqual([after[0] - before[0], before[1] - after[1]], [units(100, usdc), units(99, dai)]);
    assert.equal((await taker.client.otc.order(offer.orderHash)).state, "FULFILLED");
  });

  test(`${kind}: reset and approve in one prompt, with the swap or without`, async () => {
    const trader = await traderOf(kind);
    const { account, client, wallet } = trader;
    const { router } = world.chain;
    await approve(usdt, account, router, 5);
    const first = await market(trader, usdt);
    assert.equal(first.build.approval.resetFirst, true);
    await client.approve(first.build.approval);
    assert.deepEqual(asked(wallet), [[APPROVE, APPROVE]]);
    assert.equal(await allowance(usdt, account, router), world.units(100, usdt));
    await approve(usdt, account, router, 0);
    await approve(usdt, account, router, 5);
    // In another page: this client has just read the allowance.
    const other = await world.client(account, { wallet });
    const { build, paid } = await market({ client: other, account }, usdt);
    assert.equal((await other.wait(await other.submit(build), PACE)).status, "COMPLETED");
    assert.deepEqual(asked(wallet), [[APPROVE, APPROVE, build.transaction.data.slice(0, 10)]]);
    assert.equal(await paid(), world.units(100, usdt));
  });

  test(`${kind}: approve and consent in one prompt, for a gasless trade of a token without permits`, async () => {
    const { client, wallet, account } = await traderOf(kind);
    const before = [await world.balance(dai, account), await world.balance(usdc, account)];
    const quote = await client.quote(world.pair(dai, usdc, { amount: world.units(100, dai) }));
    const build = await client.build(quote, { slippageBps: 100 });
    const order = await client.wait(await client.submit(build, { preSign: true }), PACE);
    assert.deepEqual([order.status, order.settled], ["COMPLETED", "seen"]);
    const [calls, ...more] = asked(wallet);
    assert.deepEqual([calls.length, calls[0], more], [2, APPROVE, []]);
    assert.equal(before[0] - (await world.balance(dai, account)), world.units(100, dai));
    assert.ok((await world.balance(usdc, account)) - before[1] >= BigInt(build.minReceived));
  });

  test(`${kind}: the native token is deposited, with the consent in the same transaction`, async () => {
    await world.settings({ nativeReading: "deposit" });
    const { client, wallet, account } = await traderOf(kind);
    const before = [await world.balance(eth, account), await world.balance(usdc, account)];
    const quote = await client.quote(world.pair(eth, usdc, { amount: world.units(1, eth) }));
    const build = await client.build(quote, { slippageBps: 100 });
    const order = await client.wait(await client.submit(build, { preSign: true }), PACE);
    assert.equal(order.status, "COMPLETED");
    assert.equal(wallet.prompts.length, 1);
    assert.ok(before[0] - (await world.balance(eth, account)) >= world.units(1, eth));
    assert.ok((await world.balance(usdc, account)) - before[1] >= BigInt(build.minReceived));
    await world.settings({ nativeReading: "sign" });
  });
}

test("a contract account's single call has an id, too", async () => {
  const trader = await traderOf("contract");
  await approve(usdc, trader.account, world.chain.router, world.units(100, usdc));
  const { build } = await market(trader);
  const sent = await trader.client.submit(build);
  assert.ok(sent.batch);
  assert.equal((await trader.client.wait(sent, PACE)).status, "COMPLETED");
  assert.equal(asked(trader.wallet)[0].length, 1);
});

test("version 1.0: approve and swap in one prompt, by the wallet's own id", async () => {
  const trader = await traderOf("contract", { version: "1.0" });
  const { build, paid } = await market(trader);
  const sent = await trader.client.submit(build);
  assert.match(sent.batch, /^0x[0-9a-f]{64}$/);
  assert.equal((await trader.client.wait(sent, PACE)).status, "COMPLETED");
  assert.equal(asked(trader.wallet)[0].length, 2);
  assert.equal(await paid(), world.units(100, usdc));
});

test("a wallet that sends one by one: what went through in part is told apart", async () => {
  const trader = await traderOf("own key", { claims: "supported", sends: "one by one" });
  const { build, paid } = await market(trader);
  trader.wallet.holds = true;
  const submitted = trader.client.submit(build);
  while (trader.wallet.prompts.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  // The price moves away while the prompt is open.
  const trade = { chainId: world.chain.chainId, srcToken: usdc.address, destToken: dai.address };
  await world.sandbox.control("POST", "trade", { ...trade, amount: world.units(2_000_000, usdc).toString() });
  await trader.wallet.answer();
  const done = await trader.client.wait(await submitted, PACE);
  await world.sandbox.control("POST", "trade", { ...trade, srcToken: dai.address, destToken: usdc.address, amount: world.units(2_000_000, dai).toString() });
  assert.equal(done.status, "PARTIAL");
  assert.equal(await paid(), 0n);
  assert.equal(await allowance(usdc, trader.account, world.chain.router), world.units(100, usdc));
  const [listed] = await trader.client.trades.list({ account: trader.account });
  assert.deepEqual([listed.state, listed.status], ["ended", "PARTIAL"]);
});

test("the same in a wallet that makes all or none: nothing went through", async () => {
  const trader = await traderOf("contract");
  const { build, paid } = await market(trader);
  trader.wallet.holds = true;
  const submitted = trader.client.submit(build);
  while (trader.wallet.prompts.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
  await world.sandbox.control("POST", "approve", { chainId: world.chain.chainId, token: usdc.address, owner: trader.account, amount: "0" });
  const move = { chainId: world.chain.chainId, srcToken: usdc.address, destToken: dai.address, amount: world.units(2_000_000, usdc).toString() };
  await world.sandbox.control("POST", "trade", move);
  await trader.wallet.answer();
  const done = await trader.client.wait(await submitted, PACE);
  await world.sandbox.control("POST", "trade", { ...move, srcToken: dai.address, destToken: usdc.address, amount: world.units(2_000_000, dai).toString() });
  assert.equal(done.status, "FAILED");
  assert.equal(await paid(), 0n);
  assert.equal(await allowance(usdc, trader.account, world.chain.router), 0n);
});

test("a batch that is never sent has failed, and a new build goes out", async () => {
  const trader = await traderOf("contract", { sends: "never" });
  const { build, paid } = await market(trader);
  const done = await trader.client.wait(await trader.client.submit(build), PACE);
  assert.deepEqual([done.status, done.hash], ["FAILED", null]);
  assert.equal(await paid(), 0n);
  const [listed] = await trader.client.trades.list({ account: trader.account });
  assert.deepEqual([listed.state, listed.status], ["ended", "FAILED"]);
  trader.wallet.habits = {};
  const { build: another } = await market(trader);
  assert.equal((await trader.client.wait(await trader.client.submit(another), PACE)).status, "COMPLETED");
  assert.equal(await paid(), world.units(100, usdc));
});

test("a consent that was never sent is sent by another batch", async () => {
  const { client, wallet } = await traderOf("contract", { sends: "never" });
  const build = await client.build(await client.quote(world.pair(dai, usdc, { amount: world.units(100, dai) })), { slippageBps: 100 });
  await assert.rejects(client.submit(build, { preSign: true }), isFailure("WALLET_FAILED"));
  wallet.habits = {};
  assert.equal((await client.wait(await client.submit(build, { preSign: true }), PACE)).status, "COMPLETED");
  const ids = wallet.prompts.length;
  assert.equal(ids, 2);
});

test("a Safe: what the others sign later is pending until then", async () => {
  const trader = await traderOf("contract", { version: "1.0", sends: "later", signs: "0x", hidesHashes: true });
  const { build, paid } = await market(trader);
  const sent = await trader.client.submit(build);
  const soon = AbortSignal.timeout(1_500);
  await assert.rejects(trader.client.wait(sent, { ...PACE, signal: soon }), isFailure("ABORTED"));
  assert.equal((await trader.client.submit(build)).batch, sent.batch);
  assert.equal(await paid(), 0n);
  await trader.wallet.release();
  assert.equal((await trader.client.wait(sent, PACE)).status, "COMPLETED");
  assert.equal(await paid(), world.units(100, usdc));
  assert.equal(trader.wallet.prompts.length, 1);
});

test("a Safe that takes one transaction at a time names it by a hash that no node knows, also after a reload", async () => {
  const storage = new Map();
  const trader = await traderOf("contract", { claims: "unsupported", hidesHashes: true }, { storage });
  await approve(usdc, trader.account, world.chain.router, world.units(100, usdc));
  const { build, paid } = await market(trader);
  const sent = await trader.client.submit(build);
  assert.deepEqual([sent.batch, await paid()], [null, 0n]);
  await assert.rejects(trader.client.wait(sent, { ...PACE, signal: AbortSignal.timeout(1_000) }), isFailure("ABORTED"));
  await trader.client.close();
  const later = await world.client(trader.account, { wallet: trader.wallet, storage });
  const [resumed] = await later.trades.resume();
  assert.deepEqual([resumed.state, resumed.transaction], ["sent", sent.hash]);
  await trader.wallet.release();
  const done = await later.wait(sent, PACE);
  assert.equal(done.status, "COMPLETED");
  assert.notEqual(done.hash, sent.hash);
  assert.equal(await paid(), world.units(100, usdc));
  assert.equal(trader.wallet.prompts.length, 1);
});

test("a page that died in the prompt, or behind it, asks the wallet by the id", async () => {
  for (const isConfirmed of [false, true]) {
    const storage = new Map();
    const trader = await traderOf("own key, upgrades", {}, { storage });
    const { wallet, account } = trader;
    const { build, paid } = await market(trader);
    wallet.holds = true;
    void trader.client.submit(build).catch(() => {});
    while (wallet.prompts.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await trader.client.close();
    if (isConfirmed) await wallet.answer();
    const later = await world.client(account, { wallet, storage });
    const resumed = async () => (await later.trades.resume()).map(({ state, status }) => [state, status]);
    if (!isConfirmed) {
      assert.deepEqual(await resumed(), [["asking", "UNCERTAIN"]]);
      assert.equal(await paid(), 0n);
      await wallet.answer();
    }
    assert.deepEqual(await resumed(), [["ended", "COMPLETED"]]);
    assert.equal(await paid(), world.units(100, usdc));
    assert.equal(wallet.prompts.length, 1);
  }
});

test("a Safe consents to a gasless trade by a batch, since it signs nothing here", async () => {
  const trader = await traderOf("contract", { version: "1.0", signs: "0x" });
  const { client, wallet, account } = trader;
  await approve(usdc, account, world.chain.delta, world.units(100, usdc));
  const quote = await client.quote(world.pair(usdc, dai, { amount: world.units(100, usdc) }));
  const order = await client.wait(await client.submit(await client.build(quote, { slippageBps: 100 })), PACE);
  assert.equal(order.status, "COMPLETED");
  assert.deepEqual(wallet.prompts.map(({ method }) => method), ["eth_signTypedData_v4", SEND_CALLS]);
});

for (const code of [-32601, 4200, 5700, 5740, 5750, 5760]) {
  test(`a wallet that refuses a batch with ${code} is asked for one no more, and the approval is the app's affair`, async () => {
    const trader = await traderOf("contract", { refuses: code });
    const { client, wallet } = trader;
    const { build, paid } = await market(trader);
    const error = await client.submit(build).then(() => assert.fail("it resolves"), (error) => error);
    assert.ok(isTradeError(error, "INSUFFICIENT_ALLOWANCE") && error.approval, error);
    wallet.habits = {};
    await client.approve(error.approval);
    const done = await client.wait(await client.submit(build), PACE);
    assert.deepEqual([done.status, done.batch], ["COMPLETED", null]);
    assert.equal(await paid(), world.units(100, usdc));
    assert.equal(wallet.asked.filter((method) => method === SEND_CALLS).length, 1);
  });
}

test("a user who refuses is told so, and may send the same build after all", async () => {
  const trader = await traderOf("contract", { rejects: true });
  const { build, paid } = await market(trader);
  await assert.rejects(trader.client.submit(build), isFailure("USER_REJECTED"));
  trader.wallet.habits = {};
  assert.equal((await trader.client.wait(await trader.client.submit(build), PACE)).status, "COMPLETED");
  assert.equal(await paid(), world.units(100, usdc));
});

test("never: the client, or the call, sends nothing together", async () => {
  const trader = await traderOf("contract");
  const { build } = await market(trader);
  await assert.rejects(trader.client.submit(build, { batch: "never" }), isFailure("INSUFFICIENT_ALLOWANCE"));
  const stern = await world.client(trader.account, { wallet: trader.wallet, advanced: { batch: "never" } });
  const { build: another } = await market({ ...trader, client: stern });
  await assert.rejects(stern.submit(another), isFailure("INSUFFICIENT_ALLOWANCE"));
  assert.deepEqual([trader.wallet.prompts.length, trader.wallet.asked.includes(SEND_CALLS)], [0, false]);
});

test("what the wallet is asked for: everything, once per account and chain for its capabilities", async () => {
  const trader = await traderOf("contract");
  for (let trades = 0; trades < 2; trades++) {
    const { build } = await market(trader);
    await trader.client.wait(await trader.client.submit(build), PACE);
  }
  const count = (method) => trader.wallet.asked.filter((one) => one === method).length;
  assert.deepEqual([count("wallet_getCapabilities"), count(SEND_CALLS), count("eth_sendTransaction")], [1, 2, 0]);
});
