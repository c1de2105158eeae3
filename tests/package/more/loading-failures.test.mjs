/** The error of an app whose module cannot be loaded, in Chromium; and where it is looked for in Vite's development server. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { freshApp } from "../app.mjs";
import { serve, startBrowser } from "../page.mjs";

const APP = `import { createClient, init, isSupported, parseUnits } from "verified-swap";
import * as inlined from "verified-swap/inline";
import { preload } from "verified-swap/preload";
const told = ({ name, code, message, cause }) => ({ name, code, message, cause: String(cause) });
window.load = (source) => init(source).then(() => parseUnits("1.5", 6), told);
window.loadInlined = () => inlined.init().catch(told);
window.isSupported = isSupported;
window.fetches = 0;
const own = fetch;
window.fetch = (...given) => (window.fetches++, own(...given));
window.price = () => {
  // Where nothing can be compiled it fetches nothing. A policy is the developer's to see.
  if (!window.WebAssembly) preload().catch(() => {});
  return createClient({ baseUrl: "https://service.example" }).quote(
    { chainId: 1, srcToken: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", destToken: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", amount: "1", srcDecimals: 18, destDecimals: 6 },
  ).catch(told);
};
`;
/** Where stacks put the script: in development, Vite up to 7 leaves the module behind, in the package's own folder. */
const SCRIPTS = { esbuild: "assets", webpack: "_next/static/chunks", vite: "node_modules/.vite/deps" };
const VITE = 'Vite up to 7: optimizeDeps: { exclude: ["verified-swap"] }';
const WEBPACK = "webpack, Next.js: deploy it with the build's other files";
const COPY = "Rollup, esbuild: copy verified_swap_{first,trade,rest}.wasm there, or call init(wasm) with the URL or bytes of verified-swap/wasm";
const HTML = { contentType: "text/html", body: "<!doctype html>\n<title>app</title>" };

let browser;
let server;
before(async () => {
  const folder = await freshApp("loading-failures", { "app.js": APP });
  for (const [stack, place] of Object.entries(SCRIPTS)) {
    const outfile = join(folder, place, "app.js");
    await build({ entryPoints: [join(folder, "app.js")], outfile, bundle: true, format: "esm", target: "es2022" });
    const script = `<script type="module" src="/${place}/app.js?v=1"></script>`;
    writeFileSync(join(folder, `${stack}.html`), `<!doctype html><title>app</title><link rel="icon" href="data:,">${script}`);
  }
  [server, browser] = [await serve(folder), await startBrowser()];
});
after(() => Promise.all([browser?.close(), server?.stop()]));

/** A page of that stack: `{ load(source), answer }`; with an `answer` that is what the module's URL gets. */
async function withPage(stack, work, policy, prepare) {
  const page = await browser.newPage();
  const called = (name) => (argument) => page.evaluate(([name, argument]) => (typeof window[name] === "function" ? window[name](argument) : window[name]), [name, argument]);
  const opened = Object.fromEntries(["load", "loadInlined", "price", "isSupported", "fetches"].map((name) => [name, called(name)]));
  if (prepare) await page.addInitScript(prepare);
  await page.route("**/*.wasm", (route) => (opened.answer ? opened.answer(route) : route.continue()));
  try {
    if (policy) await page.route("**/*.html", async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), "content-security-policy": policy } });
    });
    await page.goto(`${server.url}/${stack}.html`);
    await page.waitForFunction(() => window.load);
    await work(opened);
  } finally {
    await page.close();
  }
}

/** The package's file in place of the stack's missing one. */
const inPlace = async (route) => {
  const name = new URL(route.request().url()).pathname.split("/").at(-1);
  await route.fulfill({ response: await route.fetch({ url: `${server.url}/node_modules/verified-swap/${name}` }) });
};
const answered = (answer) => (route) => route.fulfill(answer);
const path = { esbuild: "assets", webpack: "_next/static/chunks", vite: "node_modules/verified-swap" };
const cases = [
  ["esbuild", { status: 404, ...HTML }, `404 text/html "<!doctype html>\\n<title>app</title>"`, [COPY, VITE, WEBPACK], /^undefined$/],
  ["webpack", { status: 403, body: "" }, `403 without a type ""`, [WEBPACK, VITE, COPY], /^undefined$/],
  ["vite", HTML, `200 text/html "<!doctype html>\\n<title>app</title>"`, [VITE, WEBPACK, COPY], /magic/],
  ["esbuild", { ...HTML, contentType: "application/wasm" }, "200 application/wasm", [COPY, VITE, WEBPACK], /magic/],
];
for (const [stack, answer, came, remedies, cause] of cases) {
  test(`${stack}, ${came}: the error says so, and the likely remedy first; the next call tries again`, () =>
    withPage(stack, async (page) => {
      page.answer = answered(answer);
      const error = await page.load();
      const url = `${server.url}/${path[stack]}/verified_swap_first.wasm`;
      const message = `verified-swap: no module at ${url}: ${came}. ${remedies.join("; ")}; anywhere: import verified-swap/inline`;
      assert.deepEqual([error.name, error.code, error.message], ["TradeError", "MODULE_UNAVAILABLE", message]);
      assert.match(error.cause, cause);
      page.answer = inPlace;
      assert.equal(await page.load(), "1500000");
    }));
}

test("nobody answers: the browser's error is the cause", () =>
  withPage("esbuild", async (page) => {
    page.answer = (route) => route.abort();
    const { code, message, cause } = await page.load();
    assert.equal(code, "NETWORK");
    assert.match(message, /^verified-swap: no module at \S+\/assets\/verified_swap_first\.wasm: no answer\. /);
    assert.match(cause, /^TypeError: Failed to fetch/);
  }));

test("init(url): told the same way, and loads from there", () =>
  withPage("esbuild", async (page) => {
    const { message } = await page.load("/nowhere.wasm");
    assert.match(message, /^verified-swap: no module at \S+\/nowhere\.wasm: 404 without a type ""\. Rollup/);
    assert.equal(await page.load("/node_modules/verified-swap/verified_swap_bg.wasm"), "1500000");
  }));

for (const [what, policy, prepare, told] of [
  ["a Content-Security-Policy that refuses to compile", "script-src 'self'", undefined, /compiling WebAssembly was refused: .* script-src 'wasm-unsafe-eval'; /],
  ["a browser without WebAssembly", undefined, () => delete window.WebAssembly, /there is no WebAssembly, as in iOS' Lockdown Mode/],
]) {
  test(`${what}: a code of its own, and nothing is fetched`, () =>
    withPage("vite", async (page) => {
      const fetched = [];
      page.answer = (route) => (fetched.push(route.request().url()), route.continue());
      assert.equal(await page.isSupported(), false);
      for (const load of [page.load, page.price, page.loadInlined]) {
        const { name, code, message } = await load();
        assert.deepEqual([name, code], ["TradeError", "WASM_UNAVAILABLE"]);
        assert.match(message, told);
      }
      assert.deepEqual([fetched, await page.fetches()], [[], 0]);
    }, policy, prepare));
}

test("isSupported is true where the module loads, before and after", () =>
  withPage("vite", async (page) => {
    assert.equal(await page.isSupported(), true);
    assert.equal(await page.load(), "1500000");
    assert.equal(await page.isSupported(), true);
  }));

test("where Vite's optimizer moved the script, the module is found in the package's folder", () =>
  withPage("vite", async (page) => assert.equal(await page.load(), "1500000")));
