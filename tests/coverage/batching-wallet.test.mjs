// The simulated wallet that knows batches, by itself: what the tests of the package rely on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { encodeFunctionData, erc20Abi } from "viem";
import { walletOf } from "../shared/batching-wallet.mjs";
import { startWorld } from "./world.mjs";

const ID = `0x${"1d".repeat(32)}`;
const RECEIVER = "0x00000000000000000000000000000000000c0ffe";

let world, usdc, onChain;
before(async () => {
  world = await startWorld();
  usdc = world.token("USDC");
  onChain = `0x${world.chain.chainId.toString(16)}`;
});
after(() => world?.sandbox.stop());

/** A wallet of an account of that kind, which has 100 dollars and ether. */
async function open(kind, habits) {
  const { fund, units, token } = world;
  const wallet = await walletOf(world, kind, habits);
  await fund(wallet.account, usdc, units(100, usdc));
  await fund(wallet.account, token("ETH"), units(10, token("ETH")));
  return wallet;
}

const ask = (wallet, method, ...params) => wallet.request({ method, params });
const pay = (dollars) => ({
  to: usdc.address,
  data: encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [RECEIVER, world.units(dollars, usdc)] }),
  value: "0x0",
});
const batchOf = ({ account: from }, calls, more = {}) => ({ version: "2.0.0", id: ID, from, chainId: onChain, atomicRequired: true, calls, ...more });
const sendCalls = (wallet, calls, more) => ask(wallet, "wallet_sendCalls", batchOf(wallet, calls, more));
const statusOf = (wallet, id = ID) => ask(wallet, "wallet_getCallsStatus", id);
const received = () => world.balance(usdc, RECEIVER);
const isRefused = (code) => (error) => error.code === code || assert.fail(`${error.code}: ${error.message}`);
const capability = async (wallet) => (await ask(wallet, "wallet_getCapabilities", wallet.account, [onChain]))[onChain].atomic.status;

for (const [kind, said] of Object.entries({
  contract: "supported",
  delegated: "supported",
  "node's key, upgrades": "ready",
  "own key, upgrades": "ready",
})) {
  test(`${kind}: a batch is one prompt and one transaction, and known by its id`, async () => {
    const wallet = await open(kind);
    assert.equal(await capability(wallet), said);
    const before = await received();
    assert.deepEqual(await sendCalls(wallet, [pay(1), { to: RECEIVER, value: "0x1" }, pay(2)]), { id: ID });
    assert.equal((await received()) - before, world.units(3, usdc));
    const { status, atomic, chainId, version, receipts } = await statusOf(wallet);
    assert.deepEqual({ status, atomic, chainId, version }, { status: 200, atomic: true, chainId: onChain, version: "2.0.0" });
    assert.equal(receipts.length, 1);
    const real = await world.sandbox.rpc(world.chain.chainId, "eth_getTransactionReceipt", [receipts[0].transactionHash]);
    assert.deepEqual(receipts[0], Object.fromEntries(Object.keys(receipts[0]).map((name) => [name, real[name]])));
    assert.equal(receipts[0].logs.length, 2);
    assert.equal(await capability(wallet), "supported");
    assert.equal(await ask(wallet, "wallet_showCallsStatus", ID), null);
    await assert.rejects(sendCalls(wallet, [pay(1)]), isRefused(5720));
    assert.equal(wallet.prompts.length, 1);
  });
}

test("an account of a key alone makes no batches, and sends what it is asked to", async () => {
  const wallet = await open("own key");
  assert.equal(await capability(wallet), "unsupported");
  await assert.rejects(sendCalls(wallet, [pay(1)]), isRefused(5760));
  assert.equal(wallet.prompts.length, 0);
  const before = await received();
  await ask(wallet, "eth_sendTransaction", { from: wallet.account, ...pay(1) });
  await sendCalls(wallet, [pay(1), pay(2)], { atomicRequired: false });
  const { status, atomic, receipts } = await statusOf(wallet);
  assert.deepEqual([status, atomic, receipts.length], [200, false, 2]);
  assert.equal((await received()) - before, world.units(4, usdc));
});

test("what reverts: all of it, or what comes after the first calls of a wallet that sends one by one", async () => {
  const before = await received();
  const honest = await open("contract");
  await sendCalls(honest, [pay(1), pay(1_000_000)]);
  assert.deepEqual([(await statusOf(honest)).status, await received()], [500, before]);
  for (const [calls, status, count, paid] of [[[pay(1), pay(1_000_000), pay(1)], 600, 2, 1], [[pay(1_000_000), pay(1)], 500, 1, 0]]) {
    const liar = await open("own key", { claims: "supported", sends: "one by one" });
    const held = await received();
    await sendCalls(liar, calls);
    const answer = await statusOf(liar);
    assert.deepEqual([answer.status, answer.receipts.length, (await received()) - held], [status, count, world.units(paid, usdc)]);
  }
});

test("a batch that is never sent, or when others sign, or is forgotten", async () => {
  const before = await received();
  const lazy = await open("contract", { sends: "never" });
  await sendCalls(lazy, [pay(1)]);
  const { status, receipts } = await statusOf(lazy);
  assert.deepEqual([status, receipts, await received()], [400, undefined, before]);
  const safe = await open("contract", { sends: "later" });
  await sendCalls(safe, [pay(1)]);
  assert.deepEqual([(await statusOf(safe)).status, await received()], [100, before]);
  await safe.release();
  assert.deepEqual([(await statusOf(safe)).status, (await received()) - before], [200, world.units(1, usdc)]);
  const forgetful = await open("contract", { forgets: true });
  await sendCalls(forgetful, [pay(1)]);
  await assert.rejects(statusOf(forgetful), isRefused(5730));
  assert.equal((await received()) - before, world.units(2, usdc));
});

test("version 1.0 has ids of its own, and other words", async () => {
  const wallet = await open("contract", { version: "1.0", sends: "later" });
  const said = await ask(wallet, "wallet_getCapabilities", wallet.account);
  assert.deepEqual(said, { [onChain]: { atomicBatch: { supported: true } } });
  await assert.rejects(sendCalls(wallet, [pay(1)]), isRefused(-32602));
  const id = await sendCalls(wallet, [pay(1)], { version: "1.0", atomicRequired: undefined });
  assert.ok(/^0x[0-9a-f]{64}$/.test(id) && id !== ID);
  assert.deepEqual(await statusOf(wallet, id), { status: "PENDING" });
  await wallet.release();
  const { status, receipts } = await statusOf(wallet, id);
  assert.deepEqual([status, receipts.map(({ status }) => status)], ["CONFIRMED", ["0x1"]]);
});

test("what it refuses, before its prompt and after it", async () => {
  const wallet = await open("contract");
  const refused = async (code, prompts, more) => {
    await assert.rejects(sendCalls(wallet, [pay(1), pay(1)], more), isRefused(code));
    assert.equal(wallet.prompts.splice(0).length, prompts, `${code}`);
  };
  const before = await received();
  await refused(4100, 0, { from: RECEIVER });
  await refused(5700, 0, { capabilities: { paymasterService: { url: "https://paymaster.example" } } });
  await refused(5710, 0, { chainId: "0x1" });
  wallet.habits.maxCalls = 1;
  await refused(5740, 0);
  for (const [code, prompts] of [[-32601, 0], [4200, 0], [5750, 1]]) {
    wallet.habits = { refuses: code };
    await refused(code, prompts);
  }
  wallet.habits = { rejects: true };
  await refused(4001, 1);
  await assert.rejects(statusOf(wallet), isRefused(5730));
  assert.equal(await received(), before);
});

test("a prompt that is asked for twice is confirmed once", async () => {
  const wallet = await open("contract");
  const before = await received();
  wallet.holds = true;
  const both = [sendCalls(wallet, [pay(1)]), sendCalls(wallet, [pay(1)])];
  while (wallet.prompts.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
  const ended = Promise.allSettled(both);
  await wallet.answer();
  assert.deepEqual((await ended).map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
  assert.equal((await received()) - before, world.units(1, usdc));
});

test("a Safe signs nothing here, and answers by a hash that no node knows", async () => {
  const wallet = await open("contract", { signs: "0x", hidesHashes: true });
  assert.equal(await ask(wallet, "eth_signTypedData_v4", wallet.account, "{}"), "0x");
  const before = await received();
  const hash = await ask(wallet, "eth_sendTransaction", { from: wallet.account, ...pay(1) });
  assert.equal(await ask(wallet, "eth_getTransactionByHash", hash), null);
  assert.equal(await received(), before);
  assert.equal(await ask(wallet, "eth_getTransactionReceipt", hash), null);
  await wallet.release();
  assert.equal((await received()) - before, world.units(1, usdc));
  const { status, transactionHash } = await ask(wallet, "eth_getTransactionReceipt", hash);
  assert.ok(status === "0x1" && transactionHash !== hash);
});
