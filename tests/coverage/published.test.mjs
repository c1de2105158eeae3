// Attacks on the references themselves, on the pool that Uniswap published (a devDependency; nothing of it is part of this
// repository), through the whole package: what silences a pool, what makes one testify, what starves the call that asks.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, beforeEach, test } from "node:test";
import { join } from "node:path";
import { encodeFunctionData, parseAbi } from "viem";
import { ROOT, locate } from "../package/locations.mjs";
import { outcome } from "./attacks.mjs";
import { startWorld } from "./world.mjs";

const ABI = parseAbi([
  "function createPool(address a, address b, uint24 fee) returns (address)",
  "function getPool(address a, address b, uint24 fee) view returns (address)",
  "function enableFeeAmount(uint24 fee, int24 spacing)",
  "function initialize(uint160 sqrtPriceX96)",
  "function mint(address pool, int24 lower, int24 upper, uint128 amount)",
  "function shift(address pool, bool zeroForOne, uint160 limit, int24 lower, int24 upper, uint128 amount)",
  "function increaseObservationCardinalityNext(uint16 next)",
  "function fill(address pool, int24 lower, int24 spacing, uint256 count, uint128 amount)",
]);
/** For any transaction: the most that one may have (EIP-7825). */
const GAS = "0x1000000";
const SPACING = { 100: 1, 500: 10, 3_000: 60 };

let world;
let factory;
let minter;
before(async () => {
  world = await startWorld();
  const code = (path) => JSON.parse(readFileSync(path, "utf8")).bytecode;
  const published = join(ROOT, "node_modules/@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json");
  factory = async () => {
    const { contractAddress } = await sent({ data: code(published) });
    // As its owner did everywhere.
    await send(contractAddress, "enableFeeAmount", [100, SPACING[100]]);
    return contractAddress;
  };
  minter = (await sent({ data: code(join(locate("SANDBOX_ARTIFACTS"), "Minter.json")) })).contractAddress;
  for (const symbol of ["USDC", "WETH", "DAI", "USDT"]) {
    const token = world.token(symbol);
    await world.fund(minter, token, world.units(1_000_000_000, token));
  }
});
after(() => world?.sandbox.stop());
beforeEach(() => world.sandbox.control("POST", "reset"));

const rpc = (method, params) => world.sandbox.rpc(world.chain.chainId, method, params);

/** A transaction of anybody's, once it is mined. */
async function sent(transaction) {
  const hash = await rpc("eth_sendTransaction", [{ from: world.accounts[9], gas: GAS, ...transaction }]);
  for (;;) {
    const receipt = await rpc("eth_getTransactionReceipt", [hash]);
    if (receipt) {
      assert.equal(receipt.status, "0x1", `${JSON.stringify(transaction).slice(0, 400)} ${receipt.gasUsed}`);
      return receipt;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

const send = (to, functionName, args) => sent({ to, data: encodeFunctionData({ abi: ABI, functionName, args }) });

/** A pool of WETH, or of another token, and a dollar, at so many dollars for one; and what puts so many dollars a side around that. */
async function pool(at, fee, dollars, { of = "WETH", dollar = "USDC" } = {}) {
  const pair = [world.token(of), world.token(dollar)];
  const isFirst = BigInt(pair[0].address) < BigInt(pair[1].address);
  await send(at, "createPool", [pair[0].address, pair[1].address, fee]);
  const data = encodeFunctionData({ abi: ABI, functionName: "getPool", args: [pair[0].address, pair[1].address, fee] });
  const address = `0x${(await rpc("eth_call", [{ to: at, data }, "latest"])).slice(26)}`;
  const raw = (dollars * 10 ** pair[1].decimals) / 10 ** pair[0].decimals;
  const price = isFirst ? raw : 1 / raw;
  const rootOf = (price) => BigInt(Math.floor(Math.sqrt(price) * 2 ** 96));
  await send(address, "initialize", [rootOf(price)]);
  const tick = Math.floor(Math.log(price) / Math.log(1.0001));
  const low = Math.floor(tick / SPACING[fee]) * SPACING[fee];
  /** Puts as much liquidity as a reserve of so many dollars has into so many spacings below the price and above it. */
  const mint = (worth, below, above) => {
    const reserve = worth * 10 ** pair[1].decimals;
    const liquidity = worth === 0 ? 1n : BigInt(Math.floor(isFirst ? reserve / Math.sqrt(price) : reserve * Math.sqrt(price)));
    return send(minter, "mint", [address, low - below * SPACING[fee], low + (1 + above) * SPACING[fee], liquidity]);
  };
  /** The same beside the price, where it is not in range: the pool then writes nothing down. */
  const widen = async (worth, by) => {
    await mint(worth, by, -1);
    await mint(worth, -1, by);
  };
  /** Moves the price to so many dollars, and puts liquidity around it, in one block. */
  const shift = (to, worth, by) => {
    const [raw, reserve] = [(to * 10 ** pair[1].decimals) / 10 ** pair[0].decimals, worth * 10 ** pair[1].decimals];
    const next = isFirst ? raw : 1 / raw;
    const near = Math.floor(Math.log(next) / Math.log(1.0001) / SPACING[fee]) * SPACING[fee];
    const liquidity = BigInt(Math.floor(isFirst ? reserve / Math.sqrt(next) : reserve * Math.sqrt(next)));
    return send(minter, "shift", [address, next < price, rootOf(next), near - by * SPACING[fee], near + (1 + by) * SPACING[fee], liquidity]);
  };
  return { address, low, mint, widen, shift };
}

/** A client that has no references but pools of that factory, and what comes of an honest sale of WETH and of one at half the price. */
async function sales(at, { more = {}, references = {}, bps = [0, 5_000] } = {}) {
  const { chain, token, units, pair, accounts, client } = world;
  const [usdc, weth] = ["USDC", "WETH"].map((symbol) => token(symbol));
  const dollars = [{ address: usdc.address, decimals: usdc.decimals }];
  const of = { factory: at, wrappedNative: weth.address, dollars, blocksBack: 2, ...references };
  const builds = [];
  const cells = [];
  for (const lie of bps) {
    await world.sandbox.control("POST", "lie", lie ? { kind: "price", bps: lie } : { kind: "none" });
    for (const requireReference of [false, true]) {
      const trading = await client(accounts[2], { advanced: { references: { [chain.chainId]: of } }, ...more });
      cells.push(
        await outcome(async () => {
          const request = pair(weth, usdc, { amount: units(1, weth), requireReference });
          const build = await trading.build(await trading.quote(request), { slippageBps: 50 });
          builds.push(build.report);
          return build;
        }),
      );
    }
  }
  await world.sandbox.control("POST", "lie", { kind: "none" });
  return { cells, builds };
}

test("a mint of one unit silences a pool of one observation, and the silence is no consent", async () => {
  const at = await factory();
  const honest = await pool(at, 500, 3_000, 0);
  await honest.mint(20_000_000, 500, 500);
  await world.pass(3_600);
  await rpc("anvil_mine", ["0x2", "0x1"]);
  assert.deepEqual((await sales(at)).cells, ["ok", "ok", "refused", "refused"]);
  await honest.mint(0, 1, 1);
  await world.pass(12);
  const { cells, builds } = await sales(at);
  // It is not relied on; its price of this moment is shown, and a lie misses that by name.
  assert.deepEqual(cells, ["noReference", "refused", "referenceSilent", "refused"]);
  const [fair, half] = builds.map(({ questions: [{ text, belowBps }] }) => ({ text, belowBps }));
  assert.match(fair.text, /pools: none that can tell its past; price feeds: none for this pair\)\. The pool's price now would give 1(\.0\d)? times this/);
  assert.match(half.text, /The pool's price now would give 2(\.0\d)? times this; anybody may have moved it\.$/);
  assert.ok(Math.abs(fair.belowBps) < 200 && half.belowBps > 4_800, `${fair.belowBps} ${half.belowBps}`);
  // After five minutes it counts again.
  await world.pass(300);
  await rpc("anvil_mine", ["0x2", "0x1"]);
  assert.deepEqual((await sales(at)).cells, ["ok", "ok", "refused", "refused"]);
});

test("a pool that is deep for one block is no reference, alone and beside an honest one", async () => {
  const at = await factory();
  // A single tick, for 301 s, at half the price.
  const own = await pool(at, 100, 1_500);
  await own.mint(40_000_000, 0, 0);
  await world.pass(301);
  await rpc("anvil_mine", ["0x2", "0x1"]);
  assert.deepEqual((await sales(at, { bps: [5_000] })).cells, ["noReference", "refused"], "narrow: nobody hears it");
  // Wide, for one block.
  await own.widen(40_000_000, 210);
  const alone = await sales(at, { bps: [5_000] });
  assert.deepEqual(alone.cells, ["noReference", "refused"]);
  assert.match(alone.builds[0].questions[0].text, /The pool's price now would give 1(\.0\d)? times this/);
  const other = await factory();
  const honest = await pool(other, 500, 3_000);
  await honest.mint(20_000_000, 500, 500);
  const beside = await pool(other, 100, 1_500);
  await beside.mint(40_000_000, 0, 0);
  await world.pass(3_600);
  await rpc("anvil_mine", ["0x2", "0x1"]);
  await beside.widen(40_000_000, 210);
  assert.deepEqual((await sales(other)).cells, ["ok", "ok", "refused", "refused"]);
  // Held for as long as anybody looks, it is one of two deep pools that disagree; neither is believed alone.
  await rpc("anvil_mine", ["0x3", "0x1"]);
  const { cells, builds } = await sales(other);
  assert.deepEqual(cells, ["ok", "ok", "referencesDisagree", "referencesDisagree"]);
  const [{ lowestPrice, highestPrice, heldSecs }] = builds.at(-1).price.references;
  assert.ok(highestPrice / lowestPrice > 1.9 && highestPrice / lowestPrice < 2.1 && heldSecs >= 1, builds.at(-1).price.text);
});

test("a pool is no reference for a price at which it was never seen", async () => {
  const at = await factory();
  // For a minute it stands at a fiftieth, where a tick costs nearly nothing; then at the market, deep and without a risk.
  const own = await pool(at, 100, 60);
  await send(own.address, "increaseObservationCardinalityNext", [3]);
  await own.mint(40_000_000, 0, 0);
  await world.pass(60);
  await own.shift(3_000, 40_000_000, 210);
  await world.pass(243);
  await rpc("anvil_mine", ["0x3", "0x1"]);
  const { cells, builds } = await sales(at);
  // Its mean is far below the market, as the lie is; but that is not where it was deep.
  assert.deepEqual(cells, ["noReference", "refused", "referenceSilent", "refused"]);
  assert.match(builds.at(-1).questions[0].text, /The pool's price now would give 2(\.0\d)? times this/);
});

/** A pool with every tick around its price in use. */
async function filledPool(at, dollars, tokens, liquidity) {
  const filled = await pool(at, 100, dollars, tokens);
  for (let from = -210; from < 210; from += 35) await send(minter, "fill", [filled.address, filled.low + from, 1, 35n, liquidity]);
  return filled.address;
}

test("a call with too little gas fails, and never says less than it knows", async () => {
  const at = await factory();
  const pools = [];
  for (const dollar of ["USDC", "DAI"]) pools.push(await filledPool(at, 3_000, { dollar }, BigInt(4e18)));
  await world.pass(3_600);
  const { bytecode } = JSON.parse(readFileSync(join(locate("SANDBOX_ARTIFACTS"), "Lens.json"), "utf8"));
  const data = `${bytecode}02${pools.map((address) => address.slice(2)).join("")}`;
  const asked = (gas) => rpc("eth_call", [{ data, gas: `0x${gas.toString(16)}` }, "latest"]).catch(() => undefined);
  // Two pools are what the package asks in a call of at most 12 million.
  const whole = await asked(12_000_000);
  assert.equal(whole.length, 2 + 64 * (2 + 2 * 9), "both tell their past");
  // The least gas with which it answers at all, and a little more, is where it may be short of some.
  let [low, high] = [500_000, 12_000_000];
  while (high - low > 100) {
    const middle = Math.floor((low + high) / 2);
    if ((await asked(middle)) === undefined) low = middle;
    else high = middle;
  }
  for (let gas = high; gas < high + 60_000; gas += 1_000) assert.equal(await asked(gas), whole, `${gas}`);
  for (let gas = 500_000; gas < 12_000_000; gas += 230_000) assert.ok([undefined, whole].includes(await asked(gas)), `${gas}`);
});

test("pools with every tick in use take neither each other nor the feeds along", async () => {
  const at = await factory();
  const { chain, token, references } = world;
  const dollars = ["USDC", "DAI", "USDT"].map((symbol) => token(symbol));
  for (const { symbol } of dollars) await filledPool(at, 3_000, { dollar: symbol }, BigInt(4e18));
  // Two more, of dollars alone.
  for (const dollar of ["USDC", "USDT"]) await filledPool(at, 1, { of: "DAI", dollar }, BigInt(1e12));
  const honest = await pool(at, 500, 3_000);
  await honest.mint(20_000_000, 500, 500);
  await world.pass(3_600);
  await rpc("anvil_mine", ["0x2", "0x1"]);
  // A node that gives a call no more gas than a transaction may have (EIP-7825).
  const failures = [];
  const request = async ({ method, params: [call, ...rest] }) => {
    const isLens = method === "eth_call" && !call.to;
    try {
      return await rpc(method, [isLens ? { ...call, gas: GAS } : call, ...rest].filter((one) => one !== undefined));
    } catch (error) {
      if (isLens) failures.push(error.message);
      throw error;
    }
  };
  const listed = dollars.map(({ address, decimals }) => ({ address, decimals }));
  const { feeds } = references[chain.chainId];
  const more = { rpc: { [chain.chainId]: { request } } };
  for (const known of [{ dollars: listed }, { dollars: listed, feeds }]) {
    failures.length = 0;
    const { cells, builds } = await sales(at, { more, references: known });
    assert.deepEqual(cells, ["ok", "ok", "refused", "refused"]);
    const by = builds[0].price.references.map((reference) => reference.by);
    assert.deepEqual(by, known.feeds ? ["pools", "feeds"] : ["pools"]);
    assert.ok(failures.length > 0, "all at once are too much for it");
    assert.ok(builds[0].price.references[0].heldSecs >= 1);
  }
});
