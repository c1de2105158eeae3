/** The tarball in a React app under StrictMode: every effect runs twice, and yet there is one prompt and one order. */
import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createServer } from "vite";
import { freshApp } from "./app.mjs";
import { ROOT } from "./locations.mjs";
import { resultOf, startBrowser } from "./page.mjs";
import { startSandbox } from "./sandbox.mjs";
import { assertSwapped, fundedTrade } from "./trade.mjs";

const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,">
<div id="root"></div><script type="module" src="/app.js"></script>`,
  "app.js": `import { StrictMode, createElement, useEffect, useState } from "react";
import { createRoot } from "react-dom/client";
import { createClient } from "verified-swap";

const { baseUrl, chainId, contracts, account, request } = window.settings;
const prompts = [];
const seen = { effects: 0, quotes: 0, closed: 0 };
const wallet = {
  async request({ method, params }) {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
    if (method === "eth_signTypedData_v4" || method === "eth_sendTransaction") prompts.push(method);
    return window.rpc(method, params ?? []);
  },
};

function useClient() {
  const [client, setClient] = useState(null);
  useEffect(() => {
    seen.effects++;
    let mounted = true;
    const making = createClient({ baseUrl, wallet, account, rpc: { [chainId]: wallet }, contracts });
    making.then((made) => mounted && setClient(made));
    return () => {
      mounted = false;
      making.then((made) => { made.close(); seen.closed++; });
    };
  }, []);
  return client;
}

function useQuote(client) {
  const [quote, setQuote] = useState(null);
  useEffect(() => {
    if (!client) return;
    const controller = new AbortController();
    client.quote(request, { signal: controller.signal }).then(
      (answer) => { seen.quotes++; setQuote(answer); },
      (error) => { if (error.code !== "ABORTED") window.result = { error: error.stack }; },
    );
    return () => controller.abort();
  }, [client]);
  return quote;
}

async function swapTwice(client, quote) {
  const build = await client.build(quote, { slippageBps: 100 });
  if (build.approval) await client.approve(build.approval);
  // A double click, the second with the state's own copy.
  const [first, second] = await Promise.all([client.submit(build), client.submit(structuredClone(build))]);
  const order = await client.wait(first, { intervalMs: 200 });
  return { status: order.status, sameOrder: first.id === second.id, minReceived: build.minReceived, prompts, seen };
}

function App() {
  const client = useClient();
  const quote = useQuote(client);
  const [started, setStarted] = useState(false);
  useEffect(() => {
    if (!quote || started) return;
    setStarted(true);
    if (window.swapping) return;
    window.swapping = true;
    swapTwice(client, quote).then(
      (value) => { window.result = { value }; },
      (error) => { window.result = { error: \`\${error.code} \${error.field} \${error.stack}\` }; },
    );
  }, [client, quote, started]);
  return createElement("output", null, quote ? quote.destAmount : "...");
}

createRoot(document.getElementById("root")).render(createElement(StrictMode, null, createElement(App)));
`,
};

let sandbox;
let browser;
before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
after(() => Promise.all([sandbox?.stop(), browser?.close()]));

test("doubled effects and a double click give one prompt and one posted order", async () => {
  const root = await freshApp("react-strict", FILES);
  for (const name of ["react", "react-dom", "scheduler"]) {
    symlinkSync(join(ROOT, "node_modules", name), join(root, "node_modules", name));
  }
  // StrictMode doubles effects in development only.
  const server = await createServer({ root, configFile: false, logLevel: "error", server: { port: 0, host: "127.0.0.1", fs: { allow: [ROOT] } } });
  await server.listen();
  try {
    const trade = await fundedTrade(sandbox);
    await sandbox.control("DELETE", "record");
    const { value, complaints } = await resultOf(browser, server.resolvedUrls.local[0], sandbox, trade.settings);
    await assertSwapped(trade, value);
    assert.equal(value.seen.effects, 2);
    assert.equal(value.seen.closed, 1);
    assert.ok(value.sameOrder);
    const { requests } = await sandbox.control("GET", "record");
    assert.equal(requests.filter(({ endpoint }) => endpoint === "post").length, 1);
    assert.deepEqual(complaints, []);
  } finally {
    await server.close();
  }
});
