/** A page's requests while the module is loading, and how it loads the module. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freshApp } from "./app.mjs";
import { MODULES } from "./locations.mjs";
import { serve, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { fundedTrade } from "./trade.mjs";

const PACKAGE = "/node_modules/verified-swap";
const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  "app.js": `import { createClient, init, isTradeError } from "${PACKAGE}/index.js";
import { preload } from "${PACKAGE}/preload.js";
Object.assign(window, { createClient, init, isTradeError, preload, ready: true });
`,
};

let folder;
let browser;
let server;
let sandbox;
let settings;
before(async () => {
  [folder, sandbox] = await Promise.all([freshApp("loading", FILES), startSandbox()]);
  [server, browser] = [await serve(folder), await startBrowser()];
  ({ settings } = await fundedTrade(sandbox));
});
after(() => Promise.all([browser?.close(), server?.stop(), sandbox?.stop()]));

let users = 0;

/**
 * A browser of one's own, whose module arrives once `release` is called, with another type if `type` is set. Its pages run
 * `prepare` first, with the time that it is now.
 */
async function withPages(work, { type, prepare } = {}) {
  const context = await browser.newContext();
  if (prepare) await context.addInitScript(prepare, Date.now());
  const fetched = [];
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await context.route("**/*.wasm", async (route) => {
    fetched.push(route.request().url());
    await released;
    if (!type) return route.continue();
    const response = await route.fetch();
    return route.fulfill({ response, headers: { ...response.headers(), "content-type": type } });
  });
  const open = async () => {
    const page = await context.newPage();
    await page.goto(server.url);
    await page.waitForFunction(() => window.ready);
    return page;
  };
  const tenant = `user${users++}`;
  const { baseUrl, contracts, request } = settings;
  const options = { baseUrl: `${baseUrl}/as/${tenant}`, contracts, advanced: { rateLimit: { perDay: 10 } } };
  /** How many prices the service was asked for. */
  const asked = async () => (await sandbox.control("GET", `record?tenant=${tenant}`)).requests.filter(({ endpoint }) => endpoint.includes("quote")).length;
  try {
    await work({ open, release, fetched, asked, options, request });
  } finally {
    release();
    await context.unrouteAll({ behavior: "ignoreErrors" });
    await context.close();
  }
}

/** Asks for a price of a client that is not there yet; `later` changes the request after it was read first. */
const ask = (page, options, request, later = {}) =>
  page.evaluate(([options, request, later]) => {
    const changing = { ...request };
    for (const name of Object.keys(later)) {
      let isRead = false;
      const get = () => (isRead ? later[name] : ((isRead = true), request[name]));
      Object.defineProperty(changing, name, { get, enumerable: true });
    }
    window.opening = createClient(options);
    window.price = opening.quote(changing);
    price.catch(() => {});
    opening.catch(() => {});
  }, [options, request, later]);

const told = (page) => page.evaluate(() => price.then(({ srcAmount }) => srcAmount, ({ name, code, field }) => [name, code, field].join(" ")));
const left = (page) => page.evaluate(async () => (await (await opening).info.rateLimit()).remainingToday);
const until = async (isSo) => {
  for (const end = Date.now() + 10_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 20))) {
    assert.ok(Date.now() < end, `not in ten seconds: ${isSo}`);
  }
};
/** Nothing leaves any more without the module: the storage has answered long since. */
const settled = (page) => page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 700)));

test("a price is asked for while the module is loading, once, and all tabs count it", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const page = await open();
    await ask(page, options, request);
    await until(async () => (await asked()) === 1);
    release();
    assert.equal(await told(page), request.amount);
    assert.equal(await asked(), 1);
    assert.equal(await left(page), 9);
    const other = await open();
    await other.evaluate((options) => { window.opening = createClient(options); }, options);
    assert.equal(await left(other), 9);
  }));

test("it leaves while another tab holds lock and storage, and nothing waits for its count", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const [holder, page] = [await open(), await open()];
    const name = `verified-swap/rateLimit/${options.baseUrl}`;
    await holder.evaluate((name) => new Promise((held) => void navigator.locks.request(name, () => (held(), new Promise((free) => (window.free = free))))), name);
    await ask(page, options, request);
    await until(async () => (await asked()) === 1);
    release();
    assert.equal(await told(page), request.amount);
    assert.equal(await asked(), 1);
    await holder.evaluate(() => free());
    assert.equal(await left(page), 9);
  }));

test("of tabs that begin within a second one asks early, and what they ask is counted for all", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const pages = [];
    while (pages.length < 6) pages.push(await open());
    for (const [place, page] of pages.entries()) {
      await page.evaluate((ms) => (window.passedMs = ms), 500 * place);
      await ask(page, options, request);
    }
    await Promise.all(pages.map(settled));
    assert.equal(await asked(), 3);
    // Asked for now, the lock comes behind all of theirs.
    await pages[0].evaluate((name) => navigator.locks.request(name, () => {}), `verified-swap/rateLimit/${options.baseUrl}`);
    await Promise.all(pages.map((page) => page.close()));
    release();
    const page = await open();
    await page.evaluate((options) => { window.opening = createClient(options); }, options);
    assert.equal(await left(page), 7);
  }, {
    prepare: (now) => {
      const passing = Date.now;
      Date.now = () => (window.passedMs === undefined ? passing() : now + window.passedMs);
    },
  }));

test("a client that is made while a script is evaluated loads the module and opens the connection, and asks for nothing", () =>
  withPages(async ({ open, release, fetched, asked, options, request }) => {
    const page = await open();
    const links = () => page.evaluate(() => [...document.querySelectorAll("link[rel=preconnect]")].map((link) => [link.href, link.crossOrigin]));
    assert.deepEqual([fetched, await links()], [[], []], "importing does nothing");
    await page.evaluate((options) => void (window.opening = createClient(options)), options);
    await until(() => fetched.length === 1);
    assert.deepEqual(await links(), [[options.baseUrl, "anonymous"]]);
    await settled(page);
    assert.equal(await asked(), 0);
    release();
    assert.equal(await page.evaluate((request) => opening.quote(request).then(({ srcAmount }) => srcAmount), request), request.amount);
  }));

test("the second file is asked for once two thirds of the first one are there", async () => {
  const types = { ".js": "text/javascript", ".wasm": "application/wasm", ".html": "text/html" };
  const asked = [];
  const toAsk = async (name, ms) => {
    for (const end = Date.now() + ms; Date.now() < end && !asked.includes(name); ) await new Promise((resolve) => setTimeout(resolve, 20));
    return asked.includes(name);
  };
  const seen = [];
  const slow = createServer(async ({ url }, response) => {
    const path = url === "/" ? "/index.html" : url;
    const [name, bytes] = [path.split("/").at(-1), readFileSync(join(folder, path))];
    asked.push(name);
    response.writeHead(200, { "content-type": types[/\.\w+$/.exec(name)] });
    if (name !== MODULES[0]) return response.end(bytes);
    for (const [from, to, ms] of [[0, 0.6, 500], [0.6, 0.8, 10_000], [0.8, 1, 0]]) {
      response.write(bytes.subarray(from * bytes.length, to * bytes.length));
      seen.push(await toAsk(MODULES[1], ms));
    }
    response.end();
  });
  await new Promise((listening) => slow.listen(0, "127.0.0.1", listening));
  const page = await browser.newPage();
  try {
    await page.goto(`http://127.0.0.1:${slow.address().port}`);
    await page.waitForFunction(() => window.ready);
    await page.evaluate(() => init());
    assert.deepEqual(seen, [false, true, true]);
    assert.equal(asked.filter((name) => name === MODULES[1]).length, 1);
  } finally {
    await page.close();
    slow.closeAllConnections();
    slow.close();
  }
});

test("a live price begins while the module is loading, and goes on with the client until that is closed", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const page = await open();
    await page.evaluate(([options, request]) => {
      window.opening = createClient(options);
      window.live = opening.watchQuotes(null);
      live.update(request);
    }, [options, request]);
    await until(async () => (await asked()) === 1);
    assert.deepEqual(await page.evaluate(() => [live.state.isFetching, live.state.quote]), [true, null]);
    release();
    const seen = (amount) => page.waitForFunction((amount) => !live.state.isFetching && live.state.quote?.srcAmount === amount, amount);
    await seen(request.amount);
    assert.equal(await asked(), 1);
    const twice = String(2n * BigInt(request.amount));
    await page.evaluate((request) => ((window.first = live.state.quote), live.update(request)), { ...request, amount: twice });
    await seen(twice);
    const errors = await page.evaluate(async () => {
      const client = await opening;
      const code = (quote) => client.build(quote, { slippageBps: 100, account: `0x${"1".repeat(40)}` }).then(() => "built", ({ code }) => code);
      const built = [await code(first), await code(live.state.quote)];
      client.close();
      return [...built, live.state.paused];
    });
    assert.deepEqual(errors, ["QUOTE_EXPIRED", "built", "closed"]);
  }));

test("a live price of a client that cannot be made has its error", () =>
  withPages(async ({ open, release, options, request }) => {
    const page = await open();
    release();
    const told = await page.evaluate(async ([options, request]) => {
      const opening = createClient({ ...options, partner: 7 });
      opening.catch(() => {});
      const live = opening.watchQuotes(request);
      // The module itself arrives.
      await createClient(options);
      const { error, retryAtMs } = await new Promise((told) => {
        const look = (state) => state.error && told(state);
        live.subscribe(look);
        look(live.state);
      });
      return [error.code, error.field, retryAtMs];
    }, [options, request]);
    assert.deepEqual(told, ["INVALID_INPUT", "partner", null]);
  }));

test("a request is read once, as it is when the call is made", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const page = await open();
    await ask(page, options, request, { amount: String(2n * BigInt(request.amount)) });
    await until(async () => (await asked()) === 1);
    release();
    assert.equal(await told(page), request.amount);
    assert.equal(await asked(), 1);
    assert.equal(await left(page), 9);
  }));

test("an answer for which the module comes too late is not taken", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const page = await open();
    await ask(page, options, request);
    await until(async () => (await asked()) === 1);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 5_000)));
    release();
    assert.equal(await told(page), request.amount);
    assert.equal(await asked(), 2);
    assert.equal(await left(page), 8);
  }));

test("what is not plain, or beyond the limit, waits for the module", () =>
  withPages(async ({ open, release, asked, options, request }) => {
    const cases = [
      [{ ...options, apiKey: "key" }, request],
      [{ ...options, storage: false }, request],
      [{ ...options, baseUrl: `${options.baseUrl}/` }, request],
      [options, { ...request, srcToken: request.srcToken.toLowerCase() }],
      [options, { ...request, amount: `0${request.amount}` }],
      [options, { ...request, advanced: { maxImpactPercent: "1" } }],
    ];
    const pages = [];
    for (const [options, request] of cases) {
      const page = await open();
      await ask(page, options, request);
      await settled(page);
      pages.push(page);
    }
    assert.equal(await asked(), 0);
    release();
    assert.equal(await told(pages[5]), request.amount);
    const page = await open();
    await ask(page, { ...options, advanced: { rateLimit: { perDay: 1 } } }, request);
    assert.equal(await told(page), "TradeError RATE_LIMITED ");
  }));

test("wrong options are told as ever, by client and price", () =>
  withPages(async ({ open, release, options, request }) => {
    const page = await open();
    await ask(page, { ...options, nonsense: 1 }, request);
    release();
    assert.equal(await told(page), "TradeError INVALID_INPUT options.nonsense");
    assert.equal(await page.evaluate(() => opening.catch((error) => isTradeError(error, "INVALID_INPUT"))), true);
  }));

for (const type of [undefined, "application/octet-stream"]) {
  test(`each part of a preloaded module is fetched once, as ${type ?? "application/wasm"}`, () =>
    withPages(async ({ open, release, fetched, options, request }) => {
      const page = await open();
      release();
      await page.evaluate((baseUrl) => preload(baseUrl).then(() => preload()), options.baseUrl);
      assert.equal(await page.evaluate(() => document.querySelector("link[rel=preconnect]").href), options.baseUrl);
      await ask(page, options, request);
      assert.equal(await told(page), request.amount);
      await until(() => fetched.length === MODULES.length);
      assert.deepEqual(fetched.map((url) => url.split("/").at(-1)), MODULES);
    }, { type }));
}
