/** The sandbox with a network's delays, and users who trade on it in pages and processes of their own. */
import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { startWorld } from "../../coverage/world.mjs";
import { HERE, ROOT, bundled, wasmParts } from "../bundles.mjs";
import { openChromium } from "../in-chromium.mjs";

/** `{ Chromium: run, Node: run }`: each runs a session, and returns its trades. */
async function openEnvironments(withChromium) {
  const Node = async (job) => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(HERE, "network", "process.mjs"), JSON.stringify(job)]);
    return JSON.parse(stdout);
  };
  if (!withChromium) return { environments: { Node }, close: () => {} };
  const assets = join(ROOT, "target", "bench", "network");
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, "session.js"), await bundled("network/session.mjs"));
  const parts = await wasmParts();
  for (const { name, bytes } of parts) await writeFile(join(assets, name), bytes);
  const browser = await openChromium(assets);
  return { environments: { Chromium: (job) => browser.runInFreshPage("session.js", job), Node }, close: () => browser.close() };
}

export async function openStage({ withChromium = true } = {}) {
  const [world, { environments, close }] = await Promise.all([startWorld(), openEnvironments(withChromium)]);
  const { sandbox, chain, contracts, references, token, units, fund, accounts, settings } = world;
  const { chainId } = chain;
  const [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => token(symbol));
  const maker = await world.client(accounts[0]);
  for (const token of [usdc, dai]) await fund(accounts[0], token, units(1_000_000, token));
  const approve = (owner, { address }, spender) =>
    sandbox.control("POST", "approve", { chainId, token: address, owner, spender, amount: String(2n ** 255n) });
  for (const token of [usdc, dai]) await approve(accounts[0], token, chain.rfq);
  // Nothing but the trades: no order settles. The SDK parses routes.
  await settings({ solving: false, routes: "json" });
  let users = 0;

  const offer = async (taker, amount, [given, taken] = [usdc, dai]) => {
    const expiry = Math.floor(Date.now() / 1000) + 86_400;
    const sides = { makerAsset: given.address, takerAsset: taken.address, makerDecimals: given.decimals, takerDecimals: taken.decimals };
    const amounts = { makerAmount: units(amount, given), takerAmount: units(amount, taken) };
    return (await maker.submit(await maker.otc.build({ chainId, ...sides, ...amounts, taker, expiry }))).orderHash;
  };

  /** A new user behind these delays: `{ tenant, world }`, what its side trades with. */
  const user = async ({ delays: [serviceDelayMs, nodeDelayMs], corsMaxAge, isNew = false }) => {
    await settings({ serviceDelayMs: 0, nodeDelayMs: 0 });
    const [tenant, key] = [`user${users++}`, generatePrivateKey()];
    const { address } = privateKeyToAccount(key);
    await Promise.all([fund(address, usdc, units(1_000, usdc)), fund(address, dai, units(1_000, dai)), fund(address, eth, units(10, eth))]);
    const allowed = [[usdc, chain.router], [dai, chain.rfq], ...(isNew ? [] : [[usdc, chain.delta]])];
    for (const [which, spender] of allowed) await approve(address, which, spender);
    // The sandbox approved in the user's name.
    const nonce = Number(await sandbox.rpc(chainId, "eth_getTransactionCount", [address, "latest"]));
    const offers = [await offer(address, 50), await offer(address, 60), await offer(address, 70, [dai, usdc])];
    await settings({ serviceDelayMs, nodeDelayMs, corsMaxAge });
    // Another host, so that a browser counts its connections apart.
    const nodes = sandbox.url.replace("127.0.0.1", "localhost");
    const pairOf = (src, dest) => ({ srcToken: src.address, destToken: dest.address, srcDecimals: src.decimals, destDecimals: dest.decimals });
    const world = {
      key, nonce, chainId, contracts, references, pair: pairOf(usdc, dai), unapproved: pairOf(dai, usdc), offers, slippageBps: 100,
      offered: { makerDecimals: usdc.decimals, takerDecimals: dai.decimals },
      unapprovedOffer: { makerDecimals: dai.decimals, takerDecimals: usdc.decimals },
      baseUrl: `${sandbox.url}/as/${tenant}`,
      rpc: `${nodes}/as/${tenant}${chain.rpc}`,
      walletRpc: `${nodes}/as/${tenant}wallet${chain.rpc}`,
    };
    return { tenant, world };
  };

  /** A new user's trades by that side, each with the requests it caused: `{ flow, start, end, marks, requests }`. */
  const session = async (environment, side, conditions) => {
    const { tenant, world } = await user(conditions);
    const trades = await environments[environment]({
      side,
      isLate: conditions.isLate ?? false,
      approves: conditions.approves ?? false,
      isNew: conditions.isNew ?? false,
      // Longer than a request and its preflight.
      quietMs: 2 * Math.max(...conditions.delays) + 100,
      world: { ...world, isLoaded: conditions.isLoaded ?? false },
    });
    const record = await sandbox.control("GET", `record?tenant=${tenant}`);
    const kinds = { service: record.requests, node: record.reads, preflight: record.preflights };
    const all = Object.entries(kinds).flatMap(([kind, list]) => list.map(({ endpoint, at, end }) => ({ kind, endpoint, at, end })));
    all.sort((one, other) => one.at - other.at);
    return trades.map((trade, place) => {
      const until = trades[place + 1]?.start ?? Infinity;
      return { ...trade, requests: all.filter(({ at }) => at >= trade.start && at < until) };
    });
  };

  return { user, session, environments: Object.keys(environments), close: () => Promise.all([close(), sandbox.stop()]) };
}
