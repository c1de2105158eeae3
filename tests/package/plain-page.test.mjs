/** The tarball in a page without a bundler, under a Content-Security-Policy that allows nothing it does not need. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { freshApp } from "./app.mjs";
import { reporting, resultOf, serve, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { assertSwapped, fundedTrade } from "./trade.mjs";

const PAGE = `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="/icon.png">
<script type="module" src="/app.js"></script>`;

const app = (entry) => `import { createClient } from "/node_modules/verified-swap/${entry}";
import { swap } from "/swap.js";
${reporting("swap(createClient, window.settings, window.rpc)")}`;

let sandbox;
let browser;
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

const policy = (wasm) =>
  `default-src 'none'; script-src 'self' ${wasm}; connect-src 'self' ${sandbox.url}; img-src data:; base-uri 'none'`;

async function swapIn(name, entry, wasm = "'wasm-unsafe-eval'") {
  const folder = await freshApp(name, { "index.html": PAGE.replace("/icon.png", "data:,"), "app.js": app(entry) });
  const server = await serve(folder, { "content-security-policy": policy(wasm) });
  try {
    const trade = await fundedTrade(sandbox);
    return { trade, ...(await resultOf(browser, server.url, sandbox, trade.settings)) };
  } finally {
    await server.stop();
  }
}

test("a plain module script swaps under a strict policy, without one violation", async () => {
  const { trade, value, complaints } = await swapIn("plain-page", "index.js");
  await assertSwapped(trade, value);
  assert.deepEqual(complaints, []);
});

test("the inline entry swaps without fetching the module", async () => {
  const { trade, value, complaints } = await swapIn("inline-page", "inline.js");
  await assertSwapped(trade, value);
  assert.deepEqual(complaints, []);
});

test("without wasm-unsafe-eval the page says that it cannot load the module", async () => {
  await assert.rejects(swapIn("no-wasm-page", "index.js", ""), /wasm|WebAssembly/i);
});
