/** The figures of a trade, from its price to its end: each stage has the same, and the end has what moved on the chain. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { NATIVE_TOKEN, formatUnits, parseUnits } from "verified-swap";
import { figuresOf } from "verified-swap/swap";
import { movedBy } from "../../node_modules/verified-swap/swap-receipt.js";
import { PACE, SLIPPAGE, accepted, near, sliced, trader } from "./figures.mjs";
import { held, raw, sandbox, tokenOf } from "./swapping.mjs";

async function gasOf({ chainId, hash }) {
  const { gasUsed, effectiveGasPrice } = await sandbox.rpc(chainId, "eth_getTransactionReceipt", [hash]);
  return BigInt(gasUsed) * BigInt(effectiveGasPrice);
}

const FORM = {
  kind: "swap", path: "gasless", route: null, slippageBps: SLIPPAGE, limit: { by: "price", text: "", validForSecs: 3600, partiallyFillable: false },
  slices: { count: "3", intervalSecs: 60, most: "" },
};
const price = ({ srcAmount, destAmount, request }, percent) => {
  const rate = (BigInt(destAmount) * 10n ** BigInt(18 + request.srcDecimals) * BigInt(percent)) / (BigInt(srcAmount) * 10n ** BigInt(request.destDecimals) * 100n);
  return formatUnits(rate, 18);
};

/** Each kind: its request beside tokens and amount, the form, and the options of its build. */
const KINDS = {
  swap: {},
  limit: {
    form: (quote) => ({ kind: "limit", limit: { ...FORM.limit, text: price(quote, 98) } }),
    options: (form) => ({ type: "LIMIT", limitPrice: form.limit.text }),
  },
  slices: {
    asks: { numSlices: 3, intervalSecs: 60 },
    form: ({ srcAmount, request }) => ({ kind: "slices", slices: { ...FORM.slices, most: formatUnits((BigInt(srcAmount) * 309n) / 100n, request.srcDecimals) } }),
    options: (form, { request }) => (request.side === "SELL" ? { slippageBps: SLIPPAGE } : { maxSrcAmount: parseUnits(form.slices.most, request.srcDecimals) }),
  },
  crosschain: { place: 1 },
  "crosschain by another bridge": {
    place: 1,
    symbol: "USDC",
    form: ({ alternatives }) => ({ route: alternatives.length - 1 }),
    options: ({ route }) => ({ slippageBps: SLIPPAGE, advanced: { route } }),
  },
  "crosschain, promised": { place: 1, symbol: "USDT", sides: ["SELL"], options: () => ({ slippageBps: SLIPPAGE, acceptUnguaranteedArrival: true }) },
  market: { asks: { mode: "MARKET" } },
  "market, of the native token": { asks: { mode: "MARKET" }, symbol: "ETH" },
};

/** The figures of two stages agree: all that is known of both, amounts within rounding. */
function assertAgree(one, other, what) {
  for (const name of ["pay", "payAtMost", "get", "getAtLeast"])
    if (one[name] !== null && other[name] !== null) near(one[name], other[name], `${what}: ${name}`);
  for (const name of ["kind", "side", "src", "dest", "feeBps", "receiver"])
    if (one[name] !== null && other[name] !== null) assert.deepEqual(one[name], other[name], `${what}: ${name}`);
  const plan = ({ slices }) => slices && [slices.count, slices.intervalSecs, slices.amount];
  assert.deepEqual(plan(one), plan(other), `${what}: slices`);
}

for (const [name, { asks, place = 0, symbol = "WETH", sides = ["SELL", "BUY"], form: formed = () => ({}), options = () => ({ slippageBps: SLIPPAGE }) }] of Object.entries(KINDS)) {
  for (const side of sides) {
    const [kind] = name.split(/[ ,]/);
    test(`${name}, ${side}: price, build, order and end have the same figures, and the chain's`, async () => {
      const [src, dest] = [tokenOf("USDC"), tokenOf(symbol, sandbox.config.chains[place])];
      const { account, client, request: node, approved } = await trader(src, 2_000);
      const destChainId = place === 0 ? undefined : dest.chainId;
      const amount = side === "SELL" ? raw(500, src) : raw(symbol === "USDC" ? 200 : 0.1, dest);
      const request = {
        chainId: src.chainId, destChainId, side, amount, account, srcToken: src.address, destToken: dest.address,
        srcDecimals: src.decimals, destDecimals: dest.decimals, ...asks,
      };
      const quote = await client.quote(request);
      const form = { ...FORM, ...formed(quote) };
      const build = await approved(await client.build(quote, options(form, quote)));
      const made = { build, quote, route: form.route };
      const [priced, built] = [figuresOf({ quote, form }), figuresOf(made)];
      assertAgree(priced, built, "price and build");
      assert.deepEqual([built.kind, built.side, built.feeBps, built.receiver], [kind, side, build.feeBps, account]);
      const isPromised = build.destination?.arrival === "promised";
      assert.equal(isPromised, name.endsWith("promised"));
      for (const figures of [priced, built]) {
        assert.equal(figures.arrival, kind === "crosschain" ? (isPromised ? "promised" : "guaranteed") : null);
        if (isPromised) assert.equal(figures.getAtLeast, null, "a promise is no least amount");
        for (const name of ["pay", "payAtMost", "get", ...(isPromised ? [] : ["getAtLeast"]), "rate", "gas"]) assert.notEqual(figures[name], null, `${name} is known`);
      }
      assert.equal(built.gas.by, kind === "market" ? "account" : "solver");
      if (kind === "slices") assert.ok(Number(built.gas.usd) > 2.9 * Number(quote.gasFee.amountUsd), "gas of all slices");
      if (kind === "limit") assert.deepEqual([priced.aboveMarketBps, built.aboveMarketBps], [-200, -200]);

      const before = await Promise.all([held(account, src), held(account, dest)]);
      const sent = await client.submit(build, accepted(build));
      const [trade] = await client.trades.list({ account });
      const at = (seen, more) =>
        kind === "market" ? figuresOf({ trade, sent: seen, moved: null, ...more }) : figuresOf({ order: seen, trade, ...more });
      for (const more of [{}, { made }]) assertAgree(built, at(sent, more), "build and order");
      assert.equal(at(sent).betterBps, null);
      const slicesOf = (seen) => {
        const { slices } = at(seen);
        if ([1, 2].includes(slices.done)) assert.equal(slices.nextAt, Math.floor(Date.parse(seen.createdAt) / 1000) + 60 * slices.done);
        return slices;
      };
      const done = kind === "slices" ? await sliced(client, sent, slicesOf) : await client.wait(sent, PACE);
      assert.equal(done.status, "COMPLETED");
      const now = await Promise.all([held(account, src), held(account, dest)]);
      const gas = symbol === "ETH" ? await gasOf(done) : 0n;
      const [paid, received] = [before[0] - now[0], now[1] - before[1] + gas].map(String);
      const moved = kind === "market" ? await movedBy(node, done, built) : undefined;
      const over = at(done, { made, moved });
      assertAgree(built, over, "build and end");
      assert.deepEqual([over.paid, over.received, over.filledPercent], [paid, received, 100], "what moved on the chain");
      // Nothing else moved the price. Slices have prices of their own, and a limit is filled at the market's.
      if (["swap", "crosschain", "market"].includes(kind)) assert.equal(over.betterBps, 0, "exactly as quoted is no better");
      if (kind === "limit") assert.ok(over.betterBps > 80, "better than its limit, of which the protocol has a share");
      // After a reload: the journal and the service alone.
      const later = at(done, { moved });
      assertAgree(over, later, "end, and after a reload");
      assert.deepEqual([later.paid, later.received, later.rate], [over.paid, over.received, over.rate]);
    });
  }
}

test("the native token that is paid for: its receipt has the gas beside what left", async () => {
  const [src, dest] = [tokenOf("ETH"), tokenOf("USDC")];
  const { account, client, request: node } = await trader(src);
  const quote = await client.quote({ chainId: src.chainId, mode: "MARKET", amount: raw(0.25, src), srcToken: src.address, destToken: dest.address, destDecimals: dest.decimals });
  const build = await client.build(quote, { slippageBps: SLIPPAGE });
  const done = await client.wait(await client.submit(build, accepted(build)), PACE);
  const [trade] = await client.trades.list({ account });
  const figures = figuresOf({ trade, sent: done, moved: await movedBy(node, done, figuresOf({ build, quote })), made: { build, quote } });
  assert.deepEqual([figures.paid, figures.pay, figures.betterBps], [quote.srcAmount, quote.srcAmount, 0]);
  assert.equal(figures.receiver, account, "the account of the build, which the request does not name");
});

test("a receipt is read of its own chain, sender and transaction alone", async () => {
  const sent = { kind: "sent", chainId: 1, from: `0x${"11".repeat(20)}`, hash: `0x${"22".repeat(32)}`, status: "COMPLETED" };
  const figures = { src: { chainId: 1, token: NATIVE_TOKEN }, dest: { chainId: 1, token: `0x${"33".repeat(20)}` }, receiver: sent.from };
  const pad = (address) => `0x${address.slice(2).padStart(64, "0")}`;
  const log = (from, to, value, address = figures.dest.token) => ({
    address, topics: ["0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", pad(from), pad(to)], data: pad(`0x${value.toString(16)}`),
  });
  const other = `0x${"44".repeat(20)}`;
  const receipt = { from: sent.from, blockNumber: "0x10", gasUsed: "0x2", effectiveGasPrice: "0x3", logs: [log(other, sent.from, 9n), log(sent.from, other, 2n), log(other, sent.from, 5n, other)] };
  const answers = { eth_chainId: "0x1", eth_getTransactionReceipt: receipt, eth_getBlockByNumber: { miner: other, transactions: [{ hash: sent.hash, from: sent.from, to: other }] } };
  const balances = { "0xf": "0x64", "0x10": "0x32" };
  const node = (changed) => async ({ method, params }) => (method === "eth_getBalance" ? balances[params[1]] : { ...answers, ...changed }[method]);
  assert.deepEqual(await movedBy(node({}), sent, figures), { paid: "44", received: "7" }, "50 less, 6 of it for gas");
  const busy = { eth_getBlockByNumber: { miner: other, transactions: [{ hash: "0x1", from: other, to: sent.from }] } };
  assert.deepEqual(await movedBy(node(busy), sent, figures), { paid: null, received: "7" }, "another transaction names the account");
  for (const changed of [{ eth_getTransactionReceipt: { ...receipt, l1Fee: "0x1" } }, { eth_getTransactionReceipt: { ...receipt, from: other } }])
    assert.equal((await movedBy(node(changed), sent, figures)).paid, null);
  assert.deepEqual(await movedBy(node({ eth_chainId: "0x2" }), sent, figures), { paid: null, received: null }, "of another chain");
  const broken = () => { throw new Error("no"); };
  for (const request of [broken, async () => broken(), async () => null, node({ eth_getTransactionReceipt: { logs: 1 } })])
    assert.deepEqual(await movedBy(request, sent, figures), { paid: null, received: null });
});

test("what the service does not state stays unknown", async () => {
  const [src, dest] = [tokenOf("USDC"), tokenOf("WETH")];
  const { client } = await trader(src);
  const quote = await client.quote({ chainId: src.chainId, amount: raw(500, src), srcToken: src.address, destToken: dest.address, srcDecimals: src.decimals, destDecimals: dest.decimals });
  const known = figuresOf({ quote, form: FORM });
  assert.equal(known.receiver, null);
  const bare = { ...quote, feeBps: null, gasFee: null, srcUsd: null, destUsd: null, reference: "pending" };
  const figures = figuresOf({ quote: bare, form: FORM });
  assert.deepEqual([figures.feeBps, figures.get, figures.rate, figures.gas, figures.usd], [null, null, null, { by: "solver", usd: null }, { pay: null, get: null }]);
  assert.ok(BigInt(figures.getAtLeast) <= BigInt(known.getAtLeast), "the least counts with the highest fee of the request");
  const asset = { ...quote, reference: { references: [{ by: "asset" }] } };
  assert.equal(figuresOf({ quote: asset, form: FORM }).wraps, null, "one asset in two tokens, none of them native");
  const wrapping = { ...asset, request: { ...quote.request, srcToken: NATIVE_TOKEN } };
  assert.deepEqual(figuresOf({ quote: wrapping, form: FORM }).wraps, { contract: dest.address });
  for (const text of ["", "x", "1,000", "0", "-1", "1e5", "9".repeat(90)]) {
    const { get, getAtLeast, pay } = figuresOf({ quote, form: { ...FORM, kind: "limit", limit: { ...FORM.limit, text } } });
    assert.deepEqual([get, getAtLeast, pay], [null, null, quote.srcAmount], text);
  }
});
