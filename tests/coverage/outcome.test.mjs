// Balances after a Market transaction and a fill, tried on real contracts before they are sent: an honest trade, a token
// that taxes, one that cannot be sold, and a router that pays one unit less.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, test } from "node:test";
import { encodeDeployData } from "viem";
import { locate } from "../package/locations.mjs";
import { startWorld } from "./world.mjs";

let world, usdc, dai, eth, tax, account, receiver, client;
before(async () => {
  world = await startWorld();
  [usdc, dai, eth, tax] = ["USDC", "DAI", "ETH", "TAX"].map((symbol) => world.token(symbol));
  [, account, , , receiver] = world.accounts;
  client = await world.client(account);
  await world.fund(account, usdc, world.units(10_000, usdc));
});
after(() => world?.sandbox.stop());

const rpc = (method, params) => world.sandbox.rpc(world.chain.chainId, method, params);
const undo = [];
afterEach(async () => {
  for (const [address, code] of undo.splice(0)) await rpc("anvil_setCode", [address, code]);
});

/** Puts a contract of that name, made with these arguments, in the place of another. */
async function replace(address, name, args) {
  const { abi, bytecode } = JSON.parse(readFileSync(join(locate("SANDBOX_ARTIFACTS"), `${name}.json`), "utf8"));
  const hash = await rpc("eth_sendTransaction", [{ from: account, data: encodeDeployData({ abi, bytecode, args }), gas: "0x1000000" }]);
  let receipt;
  while (!(receipt = await rpc("eth_getTransactionReceipt", [hash])));
  undo.push([address, await rpc("eth_getCode", [address, "latest"])]);
  await rpc("anvil_setCode", [address, await rpc("eth_getCode", [receipt.contractAddress, "latest"])]);
}

/** A build that was tried, and its outcome: the checks by their fields. */
async function tried(request, options = {}, trader = client) {
  const quote = await trader.quote({ ...request, mode: "MARKET" });
  const build = await trader.build(quote, { slippageBps: 100, tryOutcome: true, ...options });
  const checks = build.report.checks.filter(({ field }) => field.startsWith("outcome."));
  return { build, outcome: Object.fromEntries(checks.map(({ field, ...check }) => [field.slice(8), check])) };
}
const verdicts = (outcome) => Object.fromEntries(Object.entries(outcome).map(([field, { verdict }]) => [field, verdict]));
const FINE = { received: "ok", spent: "ok", otherwiseTaken: "ok", allowanceLeft: "ok", movedOn: "ok", transferTax: "ok", ownerCode: "ok" };
const sell = (src, dest, amount, more) => world.pair(src, dest, { amount: world.units(amount, src), ...more });

test("what an honest trade is said to bring is what it brings, before its approval too", async () => {
  const { allowanceLeft, ...native } = FINE;
  for (const [src, dest, amount, beneficiary, expected] of [
    [usdc, dai, 100, account, FINE],
    [usdc, dai, 100, receiver, FINE],
    [usdc, eth, 100, receiver, FINE],
    [usdc, eth, 100, account, FINE],
    [eth, usdc, 0.1, account, native],
  ]) {
    const { build, outcome } = await tried(sell(src, dest, amount, beneficiary === account ? {} : { beneficiary }));
    const name = `${src.symbol} to ${dest.symbol}`;
    assert.deepEqual(verdicts(outcome), expected, `${name} ${JSON.stringify(outcome)}`);
    assert.equal(outcome.spent.actual, build.maxSpent, name);
    assert.equal(build.approval !== null, src !== eth, "the trial made the approval that is missing");
    if (build.approval) await client.approve(build.approval);
    const before = await world.balance(dest, beneficiary);
    const sent = await client.wait(await client.submit(build), { intervalMs: 50 });
    assert.equal(sent.status, "COMPLETED");
    // Gas is paid apart.
    if (dest === eth && beneficiary === account) continue;
    assert.equal((await world.balance(dest, beneficiary)) - before, BigInt(outcome.received.actual), name);
  }
});

test("a purchase is tried as well, and what an older approval leaves is shown", async () => {
  const purchase = await tried(world.pair(usdc, dai, { amount: world.units(10, dai), side: "BUY" }));
  assert.deepEqual(verdicts(purchase.outcome), FINE, JSON.stringify(purchase.outcome));
  const { build } = await tried(sell(usdc, dai, 100));
  const allowance = world.units(1_000, usdc);
  await client.approve(build.approval, { amount: allowance });
  const { outcome } = await tried(sell(usdc, dai, 100));
  assert.deepEqual([verdicts(outcome), outcome.allowanceLeft.actual], [FINE, String(allowance - BigInt(outcome.spent.actual))]);
});

test("a token that taxes its transfers is named, whether the tax was stated or not", async () => {
  const minReceived = world.units(15, tax);
  const request = sell(usdc, tax, 20);
  const stated = await tried({ ...request, advanced: { market: { destTransferFeeBps: 100 } } }, { minReceived });
  assert.deepEqual(verdicts(stated.outcome), { ...FINE, transferTax: "unusual" }, JSON.stringify(stated.outcome));
  // An account without any of it.
  const unsaid = await tried({ ...request, beneficiary: "0x00000000000000000000000000000000000f12e4" }, { minReceived, slippageBps: 0 });
  const { received, movedOn } = unsaid.outcome;
  assert.equal(received.verdict, "unusual", JSON.stringify(unsaid.outcome));
  assert.ok(BigInt(received.actual) < BigInt(unsaid.build.minReceived));
  assert.equal(movedOn.verdict, "unknown", "there is less than would be sent on");
});

test("a token that its buyer cannot send on is named, and nobody else's is", async () => {
  await replace(dai.address, "UnsellableToken", ["Dai Stablecoin", "DAI", 18, receiver]);
  const request = sell(usdc, dai, 100);
  const { outcome } = await tried({ ...request, beneficiary: receiver });
  assert.deepEqual(verdicts(outcome), (({ transferTax, ...rest }) => ({ ...rest, movedOn: "unusual" }))(FINE), JSON.stringify(outcome));
  assert.match(outcome.movedOn.actual, /cannot be moved on/);
  assert.deepEqual(verdicts((await tried(request)).outcome), FINE);
});

test("a router that pays one unit less than it promises is named", async () => {
  const { router, pool, rfq } = world.chain;
  const vault = `0x${(await rpc("eth_call", [{ to: router, data: "0x478222c2" }, "latest"])).slice(26)}`;
  const request = sell(usdc, dai, 100, { partner: "shop", partnerFeeBps: 0 });
  const least = async () => (await tried(request, { slippageBps: 0 })).outcome.received;
  const fair = await least();
  assert.equal(fair.verdict, "ok");
  await replace(router, "ShortRouter", [pool, world.token("WETH").address, vault, rfq]);
  const short = await least();
  assert.deepEqual([short.verdict, BigInt(fair.actual) - BigInt(short.actual)], ["unusual", 1n], JSON.stringify([fair, short]));
});

/** A fill that was tried, of an offer of `gives` for DAI; the taker has approved nothing. */
async function triedFill(gives, options) {
  const [owner] = world.accounts;
  const maker = await world.client(owner);
  const chainId = world.chain.chainId;
  if ((await world.balance(gives, owner)) < world.units(10, gives)) await world.fund(owner, gives, world.units(100, gives));
  await world.fund(account, dai, world.units(100, dai));
  const { timestamp } = await rpc("eth_getBlockByNumber", ["latest", false]);
  const offer = await maker.otc.build({
    chainId, makerAsset: gives.address, takerAsset: dai.address, expiry: Number(timestamp) + 3_600,
    makerAmount: world.units(10, gives), takerAmount: world.units(9, dai), makerDecimals: gives.decimals, takerDecimals: dai.decimals,
  });
  if (offer.approval) await maker.approve(offer.approval);
  const order = await maker.submit(offer);
  const decimals = { makerDecimals: gives.decimals, takerDecimals: dai.decimals };
  const build = await client.otc.buildFill(order, { ...decimals, tryOutcome: true, ...options });
  const checks = build.report.checks.filter(({ field }) => field.startsWith("outcome."));
  return { build, outcome: Object.fromEntries(checks.map(({ field, ...check }) => [field.slice(8), check])) };
}

test("what a fill is said to bring is what it brings, before its approval too", async () => {
  for (const [options, beneficiary, received, spent] of [
    [{}, account, 10, 9],
    [{ receiver, takerAmount: world.units(3, dai) }, receiver, 10 / 3, 3],
  ]) {
    const { build, outcome } = await triedFill(usdc, options);
    assert.deepEqual(verdicts(outcome), FINE, JSON.stringify(outcome));
    assert.equal(outcome.spent.actual, String(world.units(spent, dai)));
    assert.notEqual(build.approval, null, "the trial made the approval that is missing");
    await client.approve(build.approval);
    const before = await world.balance(usdc, beneficiary);
    assert.equal((await client.wait(await client.submit(build), { intervalMs: 50 })).status, "COMPLETED");
    const came = (await world.balance(usdc, beneficiary)) - before;
    assert.deepEqual([came, Math.floor(received * 1e6)], [BigInt(outcome.received.actual), Number(came)]);
  }
});

test("an offered token that its taker cannot send on, or that is taxed, is named", async () => {
  // The taker has some of it already, and could send on as much as was promised.
  const taxed = await triedFill(tax);
  assert.deepEqual(verdicts(taxed.outcome), { ...FINE, received: "unusual", transferTax: "unusual" }, JSON.stringify(taxed.outcome));
  assert.ok(BigInt(taxed.outcome.received.actual) < world.units(10, tax));
  // The token in its place mints nothing.
  await world.fund(world.accounts[0], usdc, world.units(100, usdc));
  await replace(usdc.address, "UnsellableToken", ["USD Coin", "USDC", 6, account]);
  const { outcome } = await triedFill(usdc);
  assert.deepEqual(verdicts(outcome), (({ transferTax, ...rest }) => ({ ...rest, movedOn: "unusual" }))(FINE), JSON.stringify(outcome));
  assert.match(outcome.movedOn.actual, /cannot be moved on/);
});

test("a node that knows no overrides tells nothing, and refuses nothing", async () => {
  const { chainId } = world.chain;
  for (const plain of [
    ({ method, params }) => rpc(method, method === "eth_call" ? params.slice(0, 2) : params),
    ({ method, params }) => (params?.length === 3 && method === "eth_call" ? Promise.reject({ code: -32602, message: "too many arguments" }) : rpc(method, params)),
  ]) {
    const trader = await world.client(account, { rpc: { ...world.rpc, [chainId]: { request: plain } } });
    const { build, outcome } = await tried(sell(usdc, dai, 100), {}, trader);
    assert.deepEqual(verdicts(outcome), { trial: "unknown", ownerCode: "ok" });
    assert.equal(build.kind, "market");
  }
});

test("an account that delegates is tried with other code in its place, and its delegate is shown", async () => {
  const delegating = world.accounts[2];
  await world.fund(delegating, usdc, world.units(1_000, usdc));
  await world.sandbox.control("POST", "wallet", { chainId: world.chain.chainId, owner: delegating, kind: "delegated" });
  const { outcome } = await tried(sell(usdc, dai, 100), {}, await world.client(delegating));
  assert.deepEqual(verdicts(outcome), { ...FINE, ownerCode: "opaque" }, JSON.stringify(outcome));
  assert.match(outcome.ownerCode.actual, /^of 0x[0-9a-fA-F]{40}, which no table has$/);
});
