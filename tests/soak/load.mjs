/** Load in real time, with the service's limit of one request a second: many orders in one process, many tabs in one browser. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "verified-swap";
import { ROOT, bundled, wasmParts } from "../bench/bundles.mjs";
import { serve, startBrowser } from "../package/page.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { fundedTrade } from "../package/trade.mjs";

const once = process.argv.includes("--once");
const [ORDERS, TABS, SECONDS] = once ? [3, 2, 16] : [50, 8, 60];
const FREE = { perSecond: 1_000, burst: 1_000 };

/** Runs `work` with a sandbox that fills nothing by itself, a funded account, and a wallet that signs everything. */
async function withAccount(units, work) {
  const sandbox = await startSandbox();
  try {
    const trade = await fundedTrade(sandbox);
    const { settings, source } = trade;
    const { chainId, account } = settings;
    const amount = (BigInt(units) * 10n ** BigInt(source.decimals)).toString();
    await sandbox.control("POST", "faucet", { chainId, address: account, token: source.address, amount });
    await sandbox.control("POST", "approve", { chainId, token: source.address, owner: account, amount });
    await sandbox.control("POST", "settings", { solving: false });
    const wallet = {
      request: async ({ method, params }) => (method === "eth_accounts" ? [account] : sandbox.rpc(chainId, method, params ?? [])),
    };
    const open = (advanced) =>
      createClient({ baseUrl: settings.baseUrl, wallet, account, rpc: { [chainId]: wallet }, contracts: settings.contracts, advanced: { references: settings.references, ...advanced } });
    return await work({ sandbox, settings, source, open });
  } finally {
    await sandbox.stop();
  }
}

/** Posts so many orders, without the service's limit. */
async function post(count, { settings, source, open }) {
  const client = await open({ rateLimit: FREE });
  const orders = [];
  for (let number = 1; number <= count; number++) {
    const amount = (BigInt(100 + number) * 10n ** BigInt(source.decimals - 1)).toString();
    const quote = await client.quote({ ...settings.request, amount });
    orders.push(await client.submit(await client.build(quote, { slippageBps: 500, validForSecs: 3_600 })));
  }
  client.close();
  return orders;
}

const requests = async (sandbox) => (await sandbox.control("GET", "record")).requests;
/** Which request came when, for the message of a failure. */
const told = (all) => all.map(({ at, endpoint, status }) => `${at - all[0].at} ${endpoint} ${status}`).join(", ");
/**
 * How many were refused behind the first second. A page starts with a burst; this service takes none, as it shows at the
 * second request.
 */
const refused = (all) => all.filter(({ at, status }) => status === 429 && at - all[0].at > 1_000).length;

/** Orders of one account, each followed by itself, which end one after the other: 50 in three minutes. */
export const fiftyOrders = () =>
  withAccount(1_000, async (world) => {
    const { sandbox, open } = world;
    const orders = await post(ORDERS, world);
    await sandbox.control("DELETE", "record");
    await sandbox.control("POST", "settings", { rateLimit: true });
    const client = await open();
    const ended = new Map();
    const follow = async (order) => {
      for await (const { status } of client.watch(order)) if (status === "COMPLETED") ended.set(order.id, Date.now());
    };
    const watching = Promise.all(orders.map(follow));
    const late = [];
    for (const { id } of orders) {
      await sleep(3_400);
      const { status } = await sandbox.control("POST", "fill", { orderId: id });
      assert.equal(status, "COMPLETED");
      late.push([id, Date.now()]);
    }
    await watching;
    client.close();
    assert.equal(ended.size, ORDERS);
    const all = await requests(sandbox);
    assert.equal(refused(all), 0, told(all));
    const worst = Math.max(...late.map(([id, at]) => ended.get(id) - at));
    return `all ${ORDERS} ends were seen, the last of them ${(worst / 1_000).toFixed(1)} s after it came; ${all.length} requests, none refused behind the burst of the first second`;
  });

const PAGE = `<!doctype html><meta charset="utf-8"><title>tab</title><link rel="icon" href="data:,"><script type="module" src="/tab.js"></script>`;

/** Tabs of one browser, eight for a minute, that ask for prices and follow an account, at the same time. */
export const eightTabs = () =>
  withAccount(1_000, async (world) => {
    const { sandbox, settings } = world;
    const orders = await post(TABS, world);
    const folder = join(ROOT, "target", "soak-tabs");
    await mkdir(folder, { recursive: true });
    for (const { name, bytes } of await wasmParts()) await writeFile(join(folder, name), bytes);
    await writeFile(join(folder, "index.html"), PAGE);
    await writeFile(join(folder, "tab.js"), await bundled("../soak/tab.mjs"));
    const server = await serve(folder);
    const browser = await startBrowser();
    try {
      const context = await browser.newContext();
      await context.exposeFunction("rpc", (method, params) => sandbox.rpc(settings.chainId, method, params));
      const tabs = await Promise.all(orders.map(() => context.newPage()));
      for (const tab of tabs) {
        await tab.goto(server.url);
        await tab.waitForFunction(() => globalThis.follow);
      }
      await sandbox.control("DELETE", "record");
      await sandbox.control("POST", "settings", { rateLimit: true });
      const started = Date.now();
      const work = Promise.all(tabs.map((tab, number) => tab.evaluate(([given, number]) => follow(given, number), [settings, number])));
      await sleep(SECONDS * 500);
      for (const { id } of orders) await sandbox.control("POST", "fill", { orderId: id });
      await sleep(SECONDS * 500);
      const [all, seconds] = [await requests(sandbox), (Date.now() - started) / 1_000];
      await Promise.all(tabs.map((tab) => tab.evaluate(() => stop())));
      const seen = await work;
      for (const { prices, ended, errors } of seen) assert.ok(prices > 0 && ended === TABS && errors.length === 0, JSON.stringify(seen));
      assert.ok(all.length <= seconds + 3, told(all));
      const prices = seen.reduce((sum, tab) => sum + tab.prices, 0);
      return `${TABS} tabs sent ${all.length} requests in ${Math.round(seconds)} s, ${refused(all)} were refused behind the first second; each saw all ${TABS} orders end; ${prices} prices`;
    } finally {
      await browser.close();
      await server.stop();
    }
  });
