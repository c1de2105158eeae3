/** How Node comes to the module: from disk, from a script where a bundler left the file behind, and with little around it. */
import assert from "node:assert/strict";
import { renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { build } from "esbuild";
import { freshApp, run } from "../app.mjs";

const APP = `import { init, parseUnits } from "verified-swap";
await init();
console.log(parseUnits("1.5", 6));
`;
const REQUIRED = `const { init, parseUnits } = require("verified-swap");
init().then(() => console.log(parseUnits("1.5", 6), require("verified-swap") === require("verified-swap/inline")));
`;
const GIVEN = `import { readFileSync } from "node:fs";
import { init, isSupported, parseUnits } from "verified-swap";
const module = await WebAssembly.compile(readFileSync("node_modules/verified-swap/verified_swap_bg.wasm"));
WebAssembly.Module = new Proxy(WebAssembly.Module, { construct() { throw new WebAssembly.CompileError("refused"); } });
const refused = await init().catch(({ code }) => code);
await init(module);
console.log(isSupported(), refused, parseUnits("1.5", 6));
`;
/** All that a page, or a test that imitates one, may lack. */
const BARE = `const lacking = ["TextDecoder", "TextEncoder", "fetch", "Request", "Response", "Headers", "performance", "crypto",
  "navigator", "AbortController", "AbortSignal", "BroadcastChannel", "FinalizationRegistry", "structuredClone", "atob", "btoa"];
for (const name of lacking) delete globalThis[name];
if (lacking.some((name) => name in globalThis)) throw new Error("something is still there");
// Only the first of the two that import loads the module: it is the page's, which has no fetch.
const entries = [import("./node_modules/verified-swap/index.js"), import("verified-swap"), require("verified-swap")];
Promise.all([import("verified-swap/inline"), import("verified-swap/preload"), require("verified-swap/preload"), ...entries]).then(async () => {
  for (const entry of entries) {
    const { init, parseUnits, isAddress } = await entry;
    await init();
    let refused;
    try { parseUnits("1€", 6); } catch ({ message }) { refused = message; }
    console.log(parseUnits("1.5", 6), refused);
  }
});
`;

let folder;
before(async () => (folder = await freshApp("loading-node", { "app.js": APP, "required.cjs": REQUIRED, "given.js": GIVEN, "bare.cjs": BARE })));

const told = async (script) => (await run(folder, process.execPath, [script])).stdout.trim();

test("require gives what Node's entry has, for the inlined one, too", async () => {
  assert.equal(await told("required.cjs"), "1500000 true");
});

test("importing asks for nothing of a page or of Node's globals, and the pure functions work without", async () => {
  assert.match(await told("bare.cjs"), /^(1500000 .*, got "1€"\n?){3}$/);
});

test("where compiling is refused, a module that is compiled already is taken", async () => {
  assert.equal(await told("given.js"), "false WASM_UNAVAILABLE 1500000");
});

for (const format of ["esm", "cjs"]) {
  test(`a server that is bundled as ${format} has the module in a script`, async () => {
    const logOverride = { "empty-import-meta": "silent" };
    const text = format === "cjs" ? `import("verified-swap").then(async ({ init, parseUnits }) => { await init(); console.log(parseUnits("1.5", 6)); });` : APP;
    const stdin = { contents: text, resolveDir: folder };
    const outfile = join(folder, "bundled", format === "cjs" ? "server.cjs" : "server.mjs");
    await build({ stdin, outfile, bundle: true, platform: "node", target: "node20", format, logOverride });
    assert.equal(await told(outfile), "1500000");
  });
}

test("a page's bundle does not carry the inlined module, nor anything of Node", async () => {
  const { metafile } = await build({
    entryPoints: [join(folder, "app.js")], bundle: true, platform: "browser", format: "esm", target: "es2022", metafile: true, write: false,
  });
  const inputs = Object.keys(metafile.inputs).map((path) => path.split("/").at(-1));
  assert.ok(inputs.includes("index.js"));
  assert.deepEqual(inputs.filter((name) => /base64|node|inline|workerd/.test(name)), []);
});

test("from disk, without the inlined module; from that, without the file; with neither, the error says so", async () => {
  const [file, script] = ["verified_swap_bg.wasm", "wasm_base64.js"].map((name) => join(folder, "node_modules/verified-swap", name));
  for (const missing of [script, file]) {
    renameSync(missing, `${missing}.away`);
    assert.equal(await told("app.js"), "1500000");
    assert.equal(await told("required.cjs"), "1500000 true");
    if (missing === script) renameSync(`${missing}.away`, missing);
  }
  rmSync(script);
  await assert.rejects(told("app.js"), /verified-swap: no module: .*wasm_base64/);
});
