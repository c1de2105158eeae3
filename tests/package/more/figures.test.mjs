/** One order, one set of figures: those of the price, of the build, its sentence, the order as it is listed, and what moved. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { encodeFunctionData, erc20Abi } from "viem";
import { freshApp } from "../app.mjs";
import { startSandbox } from "../sandbox.mjs";

const PACE = { intervalMs: 50, maxIntervalMs: 200 };
const SLIPPAGE = 100;
/** Contracts round the fee down, this package what is left: each transaction differs by a unit or two. */
const ROUNDING = 2n;

let [library, sandbox] = [];
before(async () => {
  const folder = await freshApp("figures");
  library = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
  await library.init();
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

const tokenOf = (symbol, place = 0) => sandbox.config.chains[place].tokens.find((token) => token.symbol === symbol);
const units = (amount, { decimals }) => library.parseUnits(String(amount), decimals);

async function balance(account, token, place) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  const { chainId } = sandbox.config.chains[place];
  return BigInt(await sandbox.rpc(chainId, "eth_call", [{ to: token.address, data }, "latest"]));
}

/** A user who agrees to everything. */
const accepted = ({ report }) => ({ accept: report.questions.map(({ id }) => id) });

/** A client of the account, which has the token, and a wallet that does what it is asked. */
async function trader(place, token, amount) {
  const [account, { chainId }] = [sandbox.config.accounts[place], sandbox.config.chains[0]];
  await sandbox.control("POST", "faucet", { chainId, address: account, token: token.address, amount });
  const request = async ({ method, params }) =>
    method === "eth_accounts" ? [account] : sandbox.rpc(chainId, method, params ?? []);
  const client = await library.createClient({ ...sandbox.config.clientOptions, wallet: { request } });
  const approved = async (build) => {
    if (build.approval) await client.approve(build.approval, accepted(build));
    return build;
  };
  return { account, chainId, client, approved };
}

function near(actual, expected, what, most = ROUNDING) {
  const apart = BigInt(actual) - BigInt(expected);
  assert.ok(apart <= most && apart >= -most, `${what}: ${actual}, not ${expected}`);
}

/** The least that a price comes to. A Market price may state its amount after the fee, from which it would be taken twice. */
const least = (quote, bps) => library.minReceived(quote.kind === "market" ? { ...quote, destAmountAfterFee: null } : quote, bps);

/** The kinds of trades with a price: what is asked beside tokens and amount, and how it is built. */
const KINDS = {
  gasless: { options: () => ({ slippageBps: SLIPPAGE }) },
  limit: {
    options: ({ side, srcAmount, destAmount }) => {
      const limitAmount = side === "SELL" ? (BigInt(destAmount) * 98n) / 100n : (BigInt(srcAmount) * 102n) / 100n;
      return { limitAmount: String(limitAmount), type: "LIMIT" };
    },
  },
  twap: {
    asks: { numSlices: 3, intervalSecs: 60 },
    options: ({ side, srcAmount }) =>
      side === "SELL" ? { slippageBps: SLIPPAGE } : { maxSrcAmount: String((BigInt(srcAmount) * 3n * 103n) / 100n) },
  },
  crosschain: { place: 1, options: () => ({ slippageBps: SLIPPAGE }) },
  market: { asks: { mode: "MARKET" }, options: () => ({ slippageBps: SLIPPAGE }) },
};

for (const [kind, { asks, place = 0, options }] of Object.entries(KINDS)) {
  for (const side of ["SELL", "BUY"]) {
    test(`${kind}, ${side}: price, build, sentence, order and outcome have the same figures`, async () => {
      await sandbox.control("POST", "reset");
      const [src, dest] = [tokenOf("USDC"), tokenOf("WETH", place)];
      const { account, chainId, client, approved } = await trader(0, src, units(2_000, src));
      const destChainId = place === 0 ? undefined : sandbox.config.chains[place].chainId;
      const amount = side === "SELL" ? units(500, src) : units("0.1", dest);
      const request = {
        chainId, destChainId, side, amount, srcToken: src.address, destToken: dest.address,
        srcDecimals: src.decimals, destDecimals: dest.decimals, ...asks,
      };
      const quote = await client.quote(request);
      const { srcAmount, destAmount } = quote;
      const built = { ...options({ side, srcAmount, destAmount }) };
      const build = await approved(await client.build(quote, built));
      const sells = side === "SELL";

      // The bounds, by the price and by the build.
      const priced = built.limitAmount && sells ? { ...quote, destAmount: built.limitAmount } : quote;
      const slippage = built.slippageBps ?? 0;
      const bounds = { least: least(priced, slippage), most: built.maxSrcAmount ?? (!sells && built.limitAmount) };
      bounds.most ||= library.maxSpent(quote, slippage);
      const arrives = build.destination?.minReceived ?? build.minReceived;
      near(arrives, bounds.least, "the least of build and price");
      near(build.maxSpent, bounds.most, "the most of build and price", 1n);
      // The router takes the fee of a purchase out of what is paid; who bears it in an order is not published.
      if (kind === "market" && !sells) assert.equal(arrives, amount, "all of a purchase arrives");
      const { sentence } = build.report;
      for (const [sum, token] of [[build.maxSpent, src], [arrives, dest]])
        assert.ok(sentence.includes(library.formatUnits(sum, token.decimals)), `${library.formatUnits(sum, token.decimals)} in: ${sentence}`);

      // Expected, by the price and by the build.
      const expected = { received: least(priced, 0), spent: bounds.most };
      if (built.slippageBps !== undefined) expected.spent = library.maxSpent(quote, 0);
      if (build.destination) assert.equal(build.destination.expected, expected.received, "build.destination.expected");

      const held = await Promise.all([balance(account, src, 0), balance(account, dest, place)]);
      const sent = await client.submit(build, accepted(build));
      if (kind !== "market") assertListed(library.summarizeOrder(sent), { build, bounds, expected, kind, sells });
      const done = kind === "twap" ? await sliced(client, sent) : await client.wait(sent, PACE);
      assert.equal(done.status, "COMPLETED");
      const now = await Promise.all([balance(account, src, 0), balance(account, dest, place)]);
      const [spent, received] = [held[0] - now[0], now[1] - held[1]];
      assert.ok(spent <= BigInt(build.maxSpent), `${spent} of at most ${build.maxSpent}`);
      assert.ok(received >= BigInt(arrives), `${received} of at least ${arrives}`);
      // Nothing else moved the price: what was quoted is what comes. An own limit, and later slices, are at prices of their own.
      if (["gasless", "crosschain", "market"].includes(kind)) {
        near(spent, expected.spent, "spent as quoted");
        near(received, sells ? expected.received : amount, "received as quoted");
      }
      assert.equal(sells ? spent : received, BigInt(amount), "what is fixed is exact");
      if (kind === "market") return;
      const over = library.summarizeOrder(done);
      assert.deepEqual([BigInt(over.spent), BigInt(over.received)], [spent, received], "the order has what moved");
      assertListed(over, { build, bounds, expected, kind, sells });
    });
  }
}

/** The order of the list has the bounds of its build, and what its price had. */
function assertListed(summary, { build, bounds, expected, kind, sells }) {
  assert.equal(summary.maxSpent, build.maxSpent, "the most of the order");
  near(summary.minReceived, kind === "crosschain" ? expected.received : bounds.least, "the least of the order");
  if (kind === "twap") return;
  near(summary.expectedReceived, expected.received, "expected by the order");
  near(summary.expectedSpent, expected.spent, `expected to be ${sells ? "sold" : "spent"} by the order`, 1n);
}

/** Every slice, each when it is due. */
async function sliced(client, order) {
  for (let [done, seen] = [1, order]; done < 3; seen = await client.order(order.id)) {
    await setTimeout(50);
    if (library.summarizeOrder(seen).slices.done < done) continue;
    await sandbox.control("POST", "time", { advanceSecs: 60 });
    done += 1;
  }
  return client.wait(order, PACE);
}

test("OTC: the offer, its fills and what moved have the same figures, whole and in part", async () => {
  await sandbox.control("POST", "reset");
  const [gives, takes] = [tokenOf("USDC"), tokenOf("WETH")];
  const making = await trader(1, gives, units(100, gives));
  const taking = await trader(2, takes, units("0.05", takes));
  const terms = { chainId: making.chainId, makerAsset: gives.address, takerAsset: takes.address, makerDecimals: gives.decimals, takerDecimals: takes.decimals };
  const [makerAmount, takerAmount] = [units(90, gives), units("0.03", takes)];
  const { timestamp } = await sandbox.rpc(making.chainId, "eth_getBlockByNumber", ["latest", false]);
  const build = await making.approved(await making.client.otc.build({ ...terms, makerAmount, takerAmount, expiry: Number(timestamp) + 3_600 }));
  const order = await making.client.submit(build);
  for (const one of [build, order]) assert.deepEqual([one.makerAmount, one.takerAmount], [makerAmount, takerAmount]);
  let left = BigInt(makerAmount);
  for (const [paid, got] of [[units("0.01", takes), units(30, gives)], [units("0.02", takes), units(60, gives)]]) {
    const listed = await taking.client.otc.order(order.orderHash);
    assert.equal(BigInt(library.summarizeOtcOrder(listed, Number(timestamp)).leftMakerAmount), left);
    const fill = await taking.approved(await taking.client.otc.buildFill(listed, { makerDecimals: gives.decimals, takerDecimals: takes.decimals, takerAmount: paid }));
    for (const sum of [library.formatUnits(paid, takes.decimals), library.formatUnits(got, gives.decimals)])
      assert.ok(fill.report.sentence.includes(sum), `${sum} in: ${fill.report.sentence}`);
    const both = () => Promise.all([balance(taking.account, takes, 0), balance(taking.account, gives, 0)]);
    const held = await both();
    assert.equal((await taking.client.wait(await taking.client.submit(fill), PACE)).status, "COMPLETED");
    const now = await both();
    assert.deepEqual([held[0] - now[0], now[1] - held[1]], [BigInt(paid), BigInt(got)]);
    left -= BigInt(got);
  }
  assert.equal((await taking.client.otc.order(order.orderHash)).state, "FULFILLED");
});
