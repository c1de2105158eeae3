/** The bridge of the guide to WebViews, as it is printed there: its page in Chromium, its other side outside of it. */
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, transform } from "esbuild";
import { ROOT } from "../package/locations.mjs";
import { serve, startBrowser } from "../package/page.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { snippets } from "./snippets.mjs";

const FOLDER = join(ROOT, "target/webview");
const [inPage, inApp] = snippets().filter(({ page }) => page === "docs/guides/webview.md").map(({ code }) => code);
const APP = `import { createClient } from "verified-swap/inline";
  import { walletOfApp } from "./bridge.ts";
  const wallet = walletOfApp();
  window.ask = (method, params) => wallet.request({ method, params }).then((result) => ({ result }), ({ code, message }) => ({ code, message }));
  window.trade = async (options, request) => {
    const client = await createClient({ ...options, wallet });
    const ending = client.trade(request, { slippageBps: 100, intervalMs: 200, onReview: () => true });
    return ending.then(({ order }) => order.status, ({ code }) => code).finally(() => client.close());
  };`;

const made = [];
let [sandbox, browser, server, answerTo] = [];
before(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, "bridge.ts"), inPage);
  writeFileSync(join(FOLDER, "index.html"), '<!doctype html><link rel="icon" href="data:," /><script type="module" src="app.js"></script>');
  await build({ stdin: { contents: APP, resolveDir: FOLDER }, bundle: true, format: "esm", outfile: join(FOLDER, "app.js") });
  // The part that needs React Native stays away.
  const { code } = await transform(inApp.replace(/^import .*\n/gm, "").replace(/^export function Swap[^]*/m, ""), { loader: "tsx" });
  ({ answerTo } = await import(`data:text/javascript,${encodeURIComponent(code)}`));
  [sandbox, browser, server] = await Promise.all([startSandbox(), startBrowser(), serve(FOLDER)]);
  made.push(() => sandbox.stop(), () => browser.close(), () => server.stop());
});
after(() => Promise.all(made.map((end) => end())));

/** A page inside an app that has this wallet. */
async function opened(t, wallet) {
  const context = await browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  const failed = [];
  page.on("pageerror", (error) => failed.push(String(error)));
  await page.exposeFunction("toApp", async (text) => {
    const script = await answerTo(text, page.url(), wallet, `${server.url}/`);
    page.evaluate(script).catch((error) => failed.push(String(error)));
  });
  await page.addInitScript(() => (window.ReactNativeWebView = { postMessage: (text) => void window.toApp(text) }));
  await page.goto(server.url);
  await page.waitForFunction(() => window.trade);
  return { page, failed };
}

const trade = (page) => {
  const { srcSymbol, destSymbol, ...request } = sandbox.request("USDC", "WETH", "100");
  return page.evaluate(([options, request]) => window.trade(options, request), [{ baseUrl: sandbox.url, ...sandbox.clientOptions }, request]);
};

test("a trade ends as it does beside a wallet", async (t) => {
  const wallet = sandbox.wallet();
  const { page, failed } = await opened(t, wallet);
  assert.equal(await trade(page), "COMPLETED");
  assert.ok(wallet.prompts.some(({ method }) => method === "eth_signTypedData_v4"));
  wallet.rejects = true;
  assert.equal(await trade(page), "USER_REJECTED");
  assert.deepEqual(failed, []);
});

test("words of the wallet stay words, and a method that it has not is refused", async (t) => {
  const message = "\"'`</script>\u2028${1}\\";
  const { page, failed } = await opened(t, { request: async () => Promise.reject(Object.assign(new Error(message), { code: 4100 })) });
  assert.deepEqual(await page.evaluate(() => window.ask("eth_accounts", [])), { code: 4100, message });
  assert.equal((await page.evaluate(() => window.ask("eth_sign", []))).code, 4200);
  assert.deepEqual(failed, []);
});

test("no other page is answered", async () => {
  const asked = [];
  const wallet = { request: async ({ method }) => asked.push(method) };
  const text = JSON.stringify({ id: "1", method: "eth_accounts", params: [] });
  for (const url of ["https://swap.example.evil/", "https://evil/?https://swap.example/", "about:blank", ""]) {
    assert.equal(await answerTo(text, url, wallet), null, url);
  }
  assert.deepEqual(asked, []);
  assert.match(await answerTo(text, "https://swap.example/a", wallet), /^window\.answerWallet\(\{"id":"1"/);
});
