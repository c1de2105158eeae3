/** Remains of a client once it is closed, whatever it was doing: none. In a browser, and in Node. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freshApp, run } from "../app.mjs";
import { NOTHING, census } from "../census.mjs";
import { serve, startBrowser } from "../page.mjs";
import { startSandbox } from "../sandbox.mjs";
import { fundedTrade } from "../trade.mjs";

/** A client that does everything at once, and is closed. */
const BUSY = `export async function busy(createClient, { baseUrl, chainId, contracts, references, account, request }, rpc, moments) {
  const listening = new Set();
  const pick = (name, listener) => [...listening].find(([known, one]) => known === name && one === listener);
  const wallet = {
    on: (name, listener) => listening.add([name, listener]),
    removeListener: (name, listener) => listening.delete(pick(name, listener)),
    async request({ method, params }) {
      if (method === "eth_accounts") return [account];
      // The prompt stays open.
      if (method === "eth_signTypedData_v4") return new Promise(moments.prompt);
      return rpc(method, params ?? []);
    },
  };
  const client = await createClient({ baseUrl, wallet, rpc: { [chainId]: wallet }, contracts, advanced: { references, rateLimit: { perSecond: 20, burst: 20 } } });
  const own = new AbortController();
  const { signal } = own;
  const [quote, other] = [await client.quote(request), await client.quote({ ...request, amount: String(BigInt(request.amount) / 2n) })];
  const build = await client.build(quote, { slippageBps: 100 });
  if (build.approval) await client.approve(build.approval);
  const all = [];
  const start = (...work) => all.push(...work);
  const drain = async (changes) => {
    for await (const change of changes);
  };
  const ended = () => Promise.allSettled(all);
  start(client.submit(build, { signal }));
  const reviewing = new Promise((resolve) => {
    start(client.trade(other, { slippageBps: 100, signal, onReview: () => (resolve(), new Promise(() => {})) }));
  });
  await Promise.race([Promise.all([reviewing, moments.asked]), Promise.all(all)]);
  await moments.hold();
  start(drain(client.watchQuotes(request, { signal })));
  const id = (number) => "00000000-0000-4000-8000-" + String(number).padStart(12, "0");
  for (let number = 0; number < 20; number++) start(drain(client.watch(id(number), { signal })), client.order(id(100 + number), { signal }));
  start(drain(client.watch({ account }, { signal })), client.orders({ account }), client.trades.resume());
  // More than leave at once: they wait in line.
  for (let number = 1; number < 60; number++) start(client.quote({ ...request, amount: String(BigInt(request.amount) + BigInt(number)) }, { signal }));
  await new Promise((resolve) => setTimeout(resolve, 500));
  const before = { wallet: listening.size, ...(await moments.alive?.()) };
  client.close();
  const codes = (await ended()).map(({ status, reason }) => (status === "fulfilled" ? status : (reason.code ?? reason.stack)));
  return { before, after: listening.size, codes: [...new Set(codes)].sort() };
}
`;

const PAGE = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  "busy.js": BUSY,
  "app.js": `import { createClient } from "/node_modules/verified-swap/index.js";
import { busy } from "/busy.js";
window.busy = (settings) => {
  let prompt;
  const asked = new Promise((resolve) => (prompt = resolve));
  return busy(createClient, settings, (method, params) => window.rpc(method, params), { asked, prompt, hold: window.hold, alive: window.alive });
};
`,
};

let [browser, sandbox] = [];
before(async () => ([browser, sandbox] = await Promise.all([startBrowser(), startSandbox()])));
after(() => Promise.all([browser?.close(), sandbox?.stop()]));

/** From now on the service is silent. */
const hold = () => sandbox.control("POST", "fault", { endpoint: "*", hold: true, times: -1 });
const ENDS = ["ABORTED", "fulfilled"];

test("a page has no listener, timer, lock, channel, connection or request of a closed client", async () => {
  const server = await serve(await freshApp("close", PAGE));
  try {
    const context = await browser.newContext();
    await context.addInitScript(census);
    const page = await context.newPage();
    const trade = await fundedTrade(sandbox);
    await page.exposeFunction("rpc", (method, params) => sandbox.rpc(trade.settings.chainId, method, params));
    await page.exposeFunction("hold", hold);
    await page.goto(server.url);
    await page.waitForFunction(() => window.busy);
    for (let round = 0; round < 3; round++) {
      await sandbox.control("POST", "reset");
      const { before, after, codes } = await page.evaluate((settings) => busy(settings), trade.settings);
      assert.ok(Object.values(before).every((count) => count > 0), JSON.stringify(before));
      // One for each signal, however many wait for it: the client's, the application's, and those of live prices.
      assert.ok(before.listeners < 20, JSON.stringify(before));
      assert.equal(after, 0, "listeners of the wallet");
      assert.ok(codes.every((code) => ENDS.includes(code)), codes.join());
      assert.deepEqual(await page.evaluate(() => atRest()), NOTHING);
    }
    const deleted = await page.evaluate(() => new Promise((resolve) => {
      const deleting = indexedDB.deleteDatabase("verified-swap");
      deleting.onblocked = () => resolve("blocked");
      deleting.onsuccess = () => resolve("deleted");
    }));
    assert.equal(deleted, "deleted");
    await context.close();
  } finally {
    await server.stop();
  }
});

const IN_NODE = `import { createClient } from "verified-swap";
import { busy } from "./busy.js";
const [url, settings] = process.argv.slice(2).map((text) => JSON.parse(text));
const ask = async (path, body) => (await fetch(url + path, { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } })).json();
async function rpc(method, params) {
  const { result, error } = await ask("/rpc/" + settings.chainId, { jsonrpc: "2.0", id: 1, method, params });
  if (error) throw Object.assign(new Error(error.message), error);
  return result;
}
let prompt;
const asked = new Promise((resolve) => (prompt = resolve));
const hold = () => ask("/sandbox/fault", { endpoint: "*", hold: true, times: -1 });
console.log(JSON.stringify(await busy(createClient, settings, rpc, { asked, prompt, hold })));
`;

test("a process of Node ends after close, and prints no warning of many listeners before", async () => {
  await sandbox.control("POST", "reset");
  const folder = await freshApp("close-node", { "busy.js": BUSY, "app.js": IN_NODE });
  const { settings } = await fundedTrade(sandbox, 1);
  const { stdout, stderr } = await run(folder, process.execPath, ["app.js", JSON.stringify(sandbox.url), JSON.stringify(settings)]);
  const { after, codes } = JSON.parse(stdout);
  assert.deepEqual([after, stderr], [0, ""]);
  assert.ok(codes.every((code) => ENDS.includes(code)), codes.join());
});
