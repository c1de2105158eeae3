/** The tarball in a Vite app: built, and in development. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build, createServer } from "vite";
import { freshApp } from "./app.mjs";
import { reporting, resultOf, serve, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { assertSwapped, fundedTrade } from "./trade.mjs";

const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">
<script type="module" src="/app.js"></script>`,
  "app.js": `import { createClient } from "verified-swap";
import { swap } from "./swap.js";
${reporting("swap(createClient, window.settings, window.rpc)")}`,
};

let sandbox;
let browser;
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

test("a Vite build swaps, with the module as a file of its own", async () => {
  const root = await freshApp("vite-build", FILES);
  await build({ root, configFile: false, logLevel: "error" });
  assert.equal(readdirSync(join(root, "dist/assets")).filter((name) => name.endsWith(".wasm")).length, 1);
  const server = await serve(join(root, "dist"));
  try {
    const trade = await fundedTrade(sandbox);
    const { value, complaints } = await resultOf(browser, server.url, sandbox, trade.settings);
    await assertSwapped(trade, value);
    assert.deepEqual(complaints, []);
  } finally {
    await server.stop();
  }
});

test("Vite's development server swaps without a setting", async () => {
  const root = await freshApp("vite-dev", FILES);
  const server = await createServer({ root, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1" } });
  await server.listen();
  try {
    const trade = await fundedTrade(sandbox);
    const { value, complaints } = await resultOf(browser, server.resolvedUrls.local[0], sandbox, trade.settings);
    await assertSwapped(trade, value);
    assert.deepEqual(complaints, []);
  } finally {
    await server.close();
  }
});
