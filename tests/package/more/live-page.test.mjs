/** A live price in a real page, by a clock that the test sets: hidden, seen again, idle. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freshApp } from "../app.mjs";
import { serve, startBrowser } from "../page.mjs";
import { startSandbox } from "../sandbox.mjs";
import { fundedTrade } from "../trade.mjs";

const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  "app.js": `import { createClient } from "/node_modules/verified-swap/index.js";
const { baseUrl, contracts, references, request } = window.settings;
window.client = await createClient({ baseUrl, contracts, advanced: { references } });
window.live = window.client.watchQuotes(request);
window.states = [];
window.live.subscribe(({ paused, quote, isFetching }) => window.states.push({ paused, sealed: quote?.sealed ?? null, isFetching }));
`,
};

let [sandbox, browser] = [];
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

test("a page that is hidden asks nothing, one that is seen again asks at once, and an idle one stops", async () => {
  const server = await serve(await freshApp("live-page", FILES));
  const page = await browser.newPage();
  try {
    const { settings } = await fundedTrade(sandbox);
    await page.clock.install();
    await page.addInitScript((settings) => (window.settings = settings), settings);
    await page.goto(server.url);
    const priced = (but) => page.waitForFunction((but) => {
      const { quote, isFetching } = window.live?.state ?? {};
      return quote && !isFetching && quote.sealed !== but && quote.sealed;
    }, but).then((sealed) => sealed.jsonValue());
    const show = (state) => page.evaluate((state) => {
      Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, state);
    const asked = async () =>
      (await sandbox.control("GET", "record")).requests.filter(({ endpoint, method }) => endpoint === "quote" && method === "GET").length;
    const paused = () => page.evaluate(() => window.live.state.paused);

    const first = await priced(null);
    await show("hidden");
    await page.clock.runFor(120_000);
    assert.deepEqual([await paused(), await asked()], ["hidden", 1]);
    await show("visible");
    const second = await priced(first);
    assert.equal(await asked(), 2);

    await page.clock.fastForward(299_000);
    const third = await priced(second);
    await page.clock.fastForward(60_000);
    await page.waitForFunction(() => window.live.state.paused === "idle");
    const before = await asked();
    await page.clock.runFor(600_000);
    assert.equal(await asked(), before);
    await page.mouse.click(5, 5);
    await priced(third);
    assert.deepEqual([await paused(), await asked()], [null, before + 1]);

    await page.evaluate(() => window.client.close());
    await show("hidden");
    await show("visible");
    await page.clock.runFor(60_000);
    assert.deepEqual([await paused(), await asked()], ["closed", before + 1]);
  } finally {
    await page.close();
    await server.stop();
  }
});
