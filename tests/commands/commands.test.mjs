import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { ROOT, locate } from "../package/locations.mjs";
import { startSandbox } from "../package/sandbox.mjs";

/* The project's commands, as they are typed: that each does what CONTRIBUTING.md promises, and ends well. Others are suites
   of their own (`Trial::itself`), or CONTRIBUTING.md states why not; `xtask/tests/architecture.rs` misses none. */

/**
 * Runs a command, which has to end with this code, and returns what it printed. `served` is what to do once it serves; then it
 * is interrupted, as by Ctrl-C.
 */
async function xtask(name, words = [], { served = null, code = 0 } = {}) {
  const child = spawn(locate("XTASK"), [name, ...words], { cwd: ROOT, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  let isReady;
  const ready = new Promise((resolve) => (isReady = resolve));
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      if (printed.includes("Ctrl-C ends")) isReady();
    });
  }
  const ended = new Promise((resolve, reject) => child.once("error", reject).once("close", resolve));
  if (served) {
    await Promise.race([ready, ended]);
    await Promise.resolve(served(printed)).finally(() => child.kill("SIGINT"));
  }
  assert.equal(await ended, code, printed);
  return printed;
}

const textOf = async (url) => (await fetch(url)).text();

test("demo: the page is at the address that is printed, until Ctrl-C", async () => {
  let url;
  const served = async (printed) => {
    [, url] = /Open {2}(http:\S+)/.exec(printed);
    assert.match(await textOf(url), /<title>Verified swap<\/title>/);
  };
  await xtask("demo", [], { served });
  await assert.rejects(fetch(url), "it has ended");
});

test("sandbox: the service is at the address that is printed, until Ctrl-C", async () => {
  const served = async (printed) => {
    const [, url] = /The service is at (http:\S+)/.exec(printed);
    const { chains } = JSON.parse(await textOf(`${url}/sandbox/config`));
    assert.deepEqual(chains.map(({ chainId }) => chainId), [31337, 31338]);
  };
  await xtask("sandbox", [], { served });
});

test("wasm-pack: with stock tools it makes a module that loads and quotes", async () => {
  const folder = join(ROOT, "target/stock");
  await rm(folder, { recursive: true, force: true });
  // wasm-bindgen's own program is found before the one that stands in for it.
  const tools = join(ROOT, "target/tools/bin");
  // In a folder of its own: `cargo xtask size` looks at the module that was compiled last.
  const env = { ...process.env, CARGO_TARGET_DIR: join(ROOT, "target/stock-build"), PATH: `${tools}:${process.env.PATH}` };
  const words = ["build", "--target", "web", "--mode", "no-install", "--out-dir", folder, "--", "--package", "verified-swap"];
  await promisify(execFile)(join(tools, "wasm-pack"), words, { cwd: ROOT, env, maxBuffer: 2 ** 24 });
  const stock = await import(join(folder, "verified_swap.js"));
  await stock.default({ module_or_path: await readFile(join(folder, "verified_swap_bg.wasm")) });
  const { Tabs } = await import(join(ROOT, "target/pkg/tabs.js"));
  const { parted, readOnce } = await import(join(ROOT, "target/pkg/plain.js"));
  // It is in one file, and reads callers' values by the package's reader.
  stock.attachParts(3, { written: readOnce, parted });
  const sandbox = await startSandbox();
  const tabs = new Tabs();
  try {
    const { chainId, tokens, delta } = sandbox.config.chains[0];
    const [src, dest] = ["USDC", "WETH"].map((symbol) => tokens.find((token) => token.symbol === symbol));
    const client = stock.openClient({ baseUrl: sandbox.url, partner: "stock", reference: false, contracts: { [chainId]: { delta } } }, tabs);
    const request = { chainId, srcToken: src.address, srcDecimals: src.decimals, destToken: dest.address, destDecimals: dest.decimals, amount: "100000000" };
    const quote = await client.invoke("quote", request, {});
    assert.ok(BigInt(quote.destAmount) > 0n, JSON.stringify(quote));
  } finally {
    tabs.close();
    await sandbox.stop();
  }
});

test("test: a suite is run by its name, and counted in the last line", async () => {
  assert.match(await xtask("test", ["fmt"]), /^ok {5}fmt .*\n[^]*\n1 passed, 0 failed\n$/m);
});

test("probe: a service is asked, and what it does not answer is not passed over", async () => {
  const sandbox = await startSandbox();
  try {
    // No pair is known on the sandbox's chains; the probe's own tests name one.
    const said = await xtask("probe", ["--base-url", `${sandbox.url}/v2`, "--chain", "31337"], { code: 1 });
    const { findings } = JSON.parse(said.split("\n").find((line) => line.startsWith("{")));
    const readings = Object.fromEntries(findings.map(({ topic, reading }) => [topic, reading]));
    assert.match(readings["CORS on an answer"], /^allow-origin \*/);
    assert.match(readings["this chain"], /^could not be probed: no two tokens are known/);
  } finally {
    await sandbox.stop();
  }
});

test("live: without a key nothing is asked", async () => {
  assert.match(await xtask("live", ["--until", "build"], { code: 2 }), /--base-url, --rpc and --key-file are needed\nusage: cargo xtask live /);
});

test("tables: each has its day; a folder that is not there is named", async () => {
  assert.match(await xtask("tables"), /^contracts: \d+ rows, compared on \d{4}-\d\d-\d\d\n/m);
  assert.match(await xtask("tables", ["/nowhere"], { code: 1 }), /^\/nowhere is not there$/m);
});

test("site: the pages are new, and what they load is printed", async () => {
  const index = join(ROOT, "target/site/docs/index.html");
  await rm(index, { force: true });
  assert.match(await xtask("site"), /^paste\.html: \d+ bytes, \d+ with brotli/m);
  assert.match(await readFile(index, "utf8"), /<html/);
});

test("bench: what is measured is printed, the last line as JSON", async () => {
  const visits = JSON.parse((await xtask("bench", ["--once", "--page"])).trimEnd().split("\n").at(-1));
  assert.equal(visits.length, 2);
  for (const { median } of visits) assert.ok(median.priceMs > 0 && median.requests > 0 && median.bytes > 0);
});

test("screenshots: the README's picture can be taken", async () => {
  const folder = join(ROOT, "target/pictures-of-a-test");
  await rm(folder, { recursive: true, force: true });
  await xtask("screenshots", ["--into", folder]);
  assert.ok((await stat(join(folder, "review.png"))).size > 0);
});
