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

/** The package in a worker; the wallet stays where the user sees it. */
const worker = (entry) => `import { createClient } from "/node_modules/verified-swap/${entry}";
import { swap } from "/swap.js";
const violations = [];
addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective + " " + event.blockedURI));
const waiting = [];
const rpc = (method, params) => new Promise((...settle) => postMessage({ id: waiting.push(settle) - 1, method, params }));
addEventListener("message", ({ data: { settings, id, result, failure } }) => {
  if (settings) swap(createClient, settings, rpc).then((value) => postMessage({ value, violations }), (error) => postMessage({ error: error.stack }));
  else failure ? waiting[id][1](new Error(failure)) : waiting[id][0](result);
});
`;

const OUTSIDE = `const inWorker = (settings) => new Promise((resolve, reject) => {
  const worker = new Worker("/worker.js", { type: "module" });
  worker.addEventListener("error", (event) => reject(new Error(event.message ?? "the worker did not load")));
  worker.addEventListener("message", async ({ data: { value, violations, error, id, method, params } }) => {
    if (error) return reject(new Error(error));
    if (value) return resolve({ ...value, violations });
    const answer = window.rpc(method, params).then((result) => ({ id, result }), ({ message }) => ({ id, failure: message }));
    worker.postMessage(await answer);
  });
  worker.postMessage({ settings });
});
${reporting("inWorker(window.settings)")}`;

let sandbox;
let browser;
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

const policy = (wasm) =>
  `default-src 'none'; script-src 'self' ${wasm}; connect-src 'self' ${sandbox.url}; img-src data:; base-uri 'none'`;

async function swapIn(name, scripts, wasm = "'wasm-unsafe-eval'") {
  const folder = await freshApp(name, { "index.html": PAGE.replace("/icon.png", "data:,"), ...scripts });
  const server = await serve(folder, { "content-security-policy": policy(wasm) });
  try {
    const trade = await fundedTrade(sandbox);
    return { trade, ...(await resultOf(browser, server.url, sandbox, trade.settings)) };
  } finally {
    await server.stop();
  }
}

test("a plain module script swaps under a strict policy, without one violation", async () => {
  const { trade, value, complaints } = await swapIn("plain-page", { "app.js": app("index.js") });
  await assertSwapped(trade, value);
  assert.deepEqual(complaints, []);
});

test("the inline entry swaps without fetching the module", async () => {
  const { trade, value, complaints } = await swapIn("inline-page", { "app.js": app("inline.js") });
  await assertSwapped(trade, value);
  assert.deepEqual(complaints, []);
});

for (const entry of ["index.js", "inline.js"]) {
  test(`${entry} swaps in a module worker, under the same policy`, async () => {
    const scripts = { "app.js": OUTSIDE, "worker.js": worker(entry) };
    const { trade, value, complaints } = await swapIn(`worker-${entry.split(".")[0]}`, scripts);
    await assertSwapped(trade, value);
    assert.deepEqual([...complaints, ...value.violations], []);
  });
}

test("without wasm-unsafe-eval the page says that it cannot load the module", async () => {
  await assert.rejects(swapIn("no-wasm-page", { "app.js": app("index.js") }, ""), /wasm|WebAssembly/i);
});
