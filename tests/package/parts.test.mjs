/** A page whose module comes in files: what it has with the first ones alone, and what if another is late, fails, or is another version. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { freshApp } from "./app.mjs";
import { MODULES } from "./locations.mjs";
import { serve, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { fundedTrade } from "./trade.mjs";

const PACKAGE = "/node_modules/verified-swap";
const [FIRST, TRADE, REST] = MODULES;
const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  "app.js": `import { createClient, hashTypedData, init, minReceived, parseUnits } from "${PACKAGE}/index.js";
Object.assign(window, { createClient, hashTypedData, init, minReceived, parseUnits, ready: true });
window.said = (promise) => promise.then((value) => value ?? null, ({ name, code, message }) => ({ name, code, message }));
`,
};

let browser;
let server;
let sandbox;
let settings;
let folder;
before(async () => {
  [folder, sandbox] = await Promise.all([freshApp("parts", FILES), startSandbox()]);
  [server, browser] = [await serve(folder), await startBrowser()];
  ({ settings } = await fundedTrade(sandbox));
});
after(() => Promise.all([browser?.close(), server?.stop(), sandbox?.stop()]));

let users = 0;

/** A page of its own; `answer(route, name)` is what the module's files get. */
async function withPage(answer, work) {
  const context = await browser.newContext();
  const fetched = [];
  await context.route("**/*.wasm", (route) => {
    const name = new URL(route.request().url()).pathname.split("/").at(-1);
    fetched.push(name);
    return answer(route, name);
  });
  const page = await context.newPage();
  const { baseUrl, chainId, contracts, references, account, request } = settings;
  const own = `${baseUrl}/as/parts${users++}`;
  const options = { baseUrl: own, rpc: { [chainId]: `${own}/rpc/${chainId}` }, contracts, advanced: { references }, account };
  try {
    await page.goto(server.url);
    await page.waitForFunction(() => window.ready);
    await work({ page, options, request, fetched });
  } finally {
    await context.close();
  }
}

/** Makes a client, and asks it for a price at once. */
const open = (page, options, request) =>
  page.evaluate(([options, request]) => {
    window.opening = createClient(options);
    opening.catch(() => {});
    return said(opening.quote(request));
  }, [options, request]);

/** A build for a new price, or why there is none. */
const build = (page, request) =>
  page.evaluate(async (request) => {
    const client = await opening;
    return said(client.quote(request).then((quote) => client.build(quote, { slippageBps: 100 })));
  }, request);

/** Awaits what a page is to have fetched, for ten seconds at most. */
async function toFetch(page, fetched, count) {
  for (let turn = 0; turn < 500 && fetched.length < count; turn++) await page.waitForTimeout(20);
  assert.ok(fetched.length >= count, fetched.join());
}

test("the price is there with the first file alone, a build with the second, and the rest follows them unasked", async () => {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  const answer = async (route, name) => {
    if (name === TRADE) await released;
    return route.continue();
  };
  await withPage(answer, async ({ page, options, request, fetched }) => {
    const quote = await open(page, options, request);
    assert.deepEqual([quote.kind, quote.srcAmount, quote.reference], ["delta", request.amount, "pending"]);
    assert.ok(quote.report.checks.length > 5);
    assert.deepEqual(fetched, [FIRST, TRADE]);
    const isOpen = await page.evaluate(() => Promise.race([opening.then(() => true), new Promise((resolve) => setTimeout(resolve, 300, false))]));
    assert.equal(isOpen, false, "a client can trade");
    // Showing a price needs no more.
    const [units, least] = await page.evaluate((quote) => [parseUnits("1", 6), minReceived(quote, 0)], quote);
    assert.equal(units, "1000000");
    assert.ok(BigInt(least) > 0n && BigInt(least) <= BigInt(quote.destAmount), least);
    await assert.rejects(page.evaluate(() => hashTypedData({})), /init/);
    release();
    await toFetch(page, fetched, 3);
    const built = await page.evaluate(async (quote) => said((await opening).build(quote, { slippageBps: 100 })), quote);
    assert.equal(built.kind, "delta", built.message);
    assert.equal(await page.evaluate(() => parseUnits("1", 6)), "1000000");
    assert.deepEqual(fetched, MODULES);
  });
});

test("both paths are compared, also for a client that is still being made", () =>
  withPage((route) => route.continue(), async ({ page, options, request }) => {
    const [{ chainId, router }] = sandbox.config.chains;
    const contracts = { [chainId]: { ...options.contracts[chainId], router } };
    const both = await open(page, { ...options, contracts }, { ...request, mode: "BOTH" });
    assert.deepEqual([both.delta?.kind, both.market?.kind], ["delta", "market"], both.message);
  }));

test("a part that does not come is said with its URL and what helps, and the next client gets it", () => {
  let isBusy = true;
  const answer = (route, name) => (name === TRADE && isBusy ? route.fulfill({ status: 503, body: "busy" }) : route.continue());
  return withPage(answer, async ({ page, options, request }) => {
    assert.equal((await open(page, options, request)).kind, "delta");
    const { name, code, message } = await page.evaluate(() => said(opening));
    assert.deepEqual([name, code], ["TradeError", "NETWORK"]);
    assert.match(message, new RegExp(`^verified-swap: no module at \\S+/${TRADE}: 503 .*verified-swap/inline$`));
    isBusy = false;
    assert.equal((await open(page, options, request)).kind, "delta");
    assert.equal((await build(page, request)).kind, "delta");
  });
});

/** Those that need no more than a price and its build do, or no module. */
const EARLY = new Set(["quote", "watchQuotes", "build", "warm", "trade", "withWallet", "close", "trades.storage"]);

test("no call does anything without the rest, each says so, and each goes once it is there", () => {
  let isBusy = true;
  const answer = (route, name) => (name === REST && isBusy ? route.fulfill({ status: 503, body: "busy" }) : route.continue());
  return withPage(answer, async ({ page, options, request }) => {
    await open(page, options, request);
    const outcomes = () =>
      page.evaluate(async (early) => {
        const client = await opening;
        const calls = (of, group = "") =>
          Object.entries(of).flatMap(([name, call]) => (typeof call === "function" ? [[group + name, call]] : call ? calls(call, `${name}.`) : []));
        const late = calls(client).filter(([name]) => !early.includes(name));
        const first = (answer) => (answer?.[Symbol.asyncIterator] ? answer.next() : answer);
        return Promise.all(late.map(async ([name, call]) => [name, await said(Promise.resolve().then(() => first(call({}))))]));
      }, [...EARLY]);
    const refused = await outcomes();
    assert.ok(refused.length > 30, `${refused.length} calls`);
    const told = new RegExp(`^verified-swap: no module at \\S+/${REST}: 503 .*verified-swap/inline$`);
    for (const [name, { code, message }] of refused) {
      assert.equal(code, "NETWORK", name);
      assert.match(message, told, name);
    }
    assert.equal((await build(page, request)).kind, "delta", "a build needs none of it");
    // The page has asked for it, too: that attempt is over first.
    assert.equal((await page.evaluate(async () => said((await opening).info.chains()))).code, "NETWORK");
    isBusy = false;
    for (const [name, said] of await outcomes()) assert.doesNotMatch(String(said?.message), /no module/, name);
  });
});

test("while the last file is gone from a site that was deployed anew, no prompt opens, and a reload is what helps", () => {
  let isGone = true;
  const html = { status: 404, contentType: "text/html", body: "<!doctype html>" };
  const answer = (route, name) => (name === REST && isGone ? route.fulfill(html) : route.continue());
  return withPage(answer, async ({ page, options, request }) => {
    const outcomes = await page.evaluate(async ([options, request]) => {
      const asked = [];
      const answers = { eth_accounts: [options.account], eth_chainId: `0x${request.chainId.toString(16)}` };
      const wallet = {
        async request({ method }) {
          asked.push(method);
          if (answers[method]) return answers[method];
          throw Object.assign(new Error("rejected"), { code: 4001 });
        },
      };
      const client = (window.client = await createClient({ ...options, wallet }));
      const outcome = async (work) => {
        asked.length = 0;
        const { code, action, step } = await work().then(() => ({}), (error) => error);
        return { code, action, step, asked: [...asked] };
      };
      const build = (window.built = await client.build(await client.quote(request), { slippageBps: 100 }));
      const submitted = [await outcome(() => client.submit(build)), await outcome(() => client.submit(build))];
      const prompts = (asked) => asked.filter((method) => /^eth_send|^eth_sign|^personal|^wallet_/.test(method));
      const traded = await outcome(() => client.trade(request, { slippageBps: 100, onReview: () => true }));
      return { submitted, traded: { ...traded, asked: prompts(traded.asked) } };
    }, [options, request]);
    const gone = { code: "MODULE_UNAVAILABLE", action: "reload", asked: [] };
    for (const outcome of outcomes.submitted) assert.deepEqual(outcome, { ...gone, step: undefined });
    assert.deepEqual({ ...outcomes.traded, step: null }, { ...gone, step: null }, `at ${outcomes.traded.step}`);
    isGone = false;
    const { code } = await page.evaluate(async () => said(client.submit(built)));
    assert.notEqual(code, "MODULE_UNAVAILABLE", "the next call tries again");
  });
});

for (const part of [TRADE, REST]) {
  test(`${part} of another version is refused, and nothing of it runs`, () => {
    const other = readFileSync(join(folder, "node_modules/verified-swap", part));
    // A letter of a text.
    const at = other.lastIndexOf(" the ");
    other[at + 1] = "T".charCodeAt(0);
    assert.ok(at > 0 && WebAssembly.validate(other));
    const answer = (route, name) => (name === part ? route.fulfill({ body: other, contentType: "application/wasm" }) : route.continue());
    return withPage(answer, async ({ page, options, request }) => {
      assert.equal((await open(page, options, request)).kind, "delta");
      const calls = part === TRADE ? ["opening", "init()", "createClient(options)"] : ["opening.then((client) => client.info.chains())"];
      for (const call of calls) {
        const { code, message } = await page.evaluate(([call, options]) => said(new Function("options", `return ${call}`)(options)), [call, options]);
        assert.equal(code, "MODULE_UNAVAILABLE", call);
        assert.match(message, new RegExp(`no module at \\S+/${part}: 200 application/wasm of another version\\.`), call);
      }
    });
  });
}

test("the module in one file, given to init, asks for no other", () =>
  withPage((route) => route.continue(), async ({ page, options, request, fetched }) => {
    await page.evaluate((url) => init(url), `${PACKAGE}/verified_swap_bg.wasm`);
    assert.equal((await open(page, options, request)).kind, "delta");
    assert.equal((await build(page, request)).kind, "delta");
    assert.deepEqual(fetched, ["verified_swap_bg.wasm"]);
  }));

test("the first file given to init fetches the next, from beside the script", () =>
  withPage((route) => route.continue(), async ({ page, options, request, fetched }) => {
    await page.evaluate(async (url) => init(await fetch(url)), `${PACKAGE}/${FIRST}`);
    assert.equal((await open(page, options, request)).kind, "delta");
    await toFetch(page, fetched, 3);
    assert.deepEqual(fetched, MODULES);
  }));

test("what trades wait for is read ahead once the rest is there", () =>
  withPage((route) => route.continue(), async ({ page, options, request }) => {
    await open(page, options, request);
    await page.evaluate(async () => void (await opening));
    const asked = async () => {
      const { reads } = await sandbox.control("GET", `record?tenant=${options.baseUrl.split("/").at(-1)}`);
      return reads.length;
    };
    while ((await asked()) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
  }));
