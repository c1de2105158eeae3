/** What an app is told whose module cannot be loaded, in Chromium; and where it is looked for in Vite's development server. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { freshApp } from "./app.mjs";
import { serve, startBrowser } from "./page.mjs";

const APP = `import { init, parseUnits } from "verified-swap";
const told = ({ name, message, cause }) => ({ name, message, cause: String(cause) });
window.load = (source) => init(source).then(() => parseUnits("1.5", 6), told);
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
async function withPage(stack, work, policy) {
  const page = await browser.newPage();
  const opened = { load: (source) => page.evaluate((source) => window.load(source), source) };
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

/** What the package has in place of what the stack has not. */
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
      const message = `verified-swap: no module at ${url}: ${came}. ${remedies.join("; ")}; or anywhere: import verified-swap/inline`;
      assert.deepEqual([error.name, error.message], ["Error", message]);
      assert.match(error.cause, cause);
      page.answer = inPlace;
      assert.equal(await page.load(), "1500000");
    }));
}

test("nobody answers: the browser's error is the cause", () =>
  withPage("esbuild", async (page) => {
    page.answer = (route) => route.abort();
    const { message, cause } = await page.load();
    assert.match(message, /^verified-swap: no module at \S+\/assets\/verified_swap_first\.wasm: no answer\. /);
    assert.match(cause, /^TypeError: Failed to fetch/);
  }));

test("init(url): told the same way, and loads from there", () =>
  withPage("esbuild", async (page) => {
    const { message } = await page.load("/nowhere.wasm");
    assert.match(message, /^verified-swap: no module at \S+\/nowhere\.wasm: 404 without a type ""\. Rollup/);
    assert.equal(await page.load("/node_modules/verified-swap/verified_swap_bg.wasm"), "1500000");
  }));

test("a Content-Security-Policy that refuses to compile: the error names what it lacks", () =>
  withPage("vite", async (page) => {
    const { message } = await page.load();
    assert.match(message, /: 200 application\/wasm\. Compiling was refused: .* script-src 'wasm-unsafe-eval'; /);
  }, "script-src 'self'"));

test("where Vite's optimizer moved the script, the module is found in the package's folder", () =>
  withPage("vite", async (page) => assert.equal(await page.load(), "1500000")));
