/** `verified-swap/testing` from the tarball, as the tests of an app use it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { entries } from "../../../xtask/node/tar.mjs";
import { snippets } from "../../docs/snippets.mjs";
import { freshApp, run } from "../app.mjs";
import { ROOT, locate } from "../locations.mjs";
import { startBrowser } from "../page.mjs";
import { startSandbox } from "../sandbox.mjs";

const SANDBOX_PACKAGES = join(ROOT, "target/sandbox/packages");

const APP = `import assert from "node:assert/strict";
import { createClient, isTradeError } from "verified-swap";
import { startSandbox } from "verified-swap/testing";

const sandbox = await startSandbox(JSON.parse(process.argv[2]));
const wallet = sandbox.wallet(1);
const client = await createClient({ ...sandbox.clientOptions, wallet });
const request = sandbox.request("USDC", "WETH", "100");
const options = { slippageBps: 50, onReview: () => true, intervalMs: 100 };
await sandbox.lie("receiver");
await assert.rejects(client.trade(request, options), (error) => isTradeError(error, "VERIFY_MISMATCH"));
assert.deepEqual(wallet.prompts, []);
await sandbox.reset();
wallet.rejects = true;
await assert.rejects(client.trade(request, options), (error) => isTradeError(error, "USER_REJECTED"));
wallet.rejects = false;
const before = await sandbox.balance(wallet.address, "WETH");
const { order } = await client.trade(request, options);
assert.equal(order.status, "COMPLETED");
assert.ok((await sandbox.balance(wallet.address, "WETH")) > before);
await sandbox.faucet(wallet.address, "ETH", "12.5");
assert.equal(await sandbox.balance(wallet.address, "ETH"), 125n * 10n ** 17n);
assert.throws(() => sandbox.request("USDC", "WETH", "0.0000001"), /no amount with 6 decimals/);
assert.throws(() => sandbox.token("WBTC"), /USDC/);
console.log(sandbox.url, wallet.prompts.map(({ method }) => method).join());
`;

const PROMPTS = "eth_sendTransaction,eth_sendTransaction,eth_signTypedData_v4";
const inApp = (name, options, env = "") =>
  freshApp(name, { "app.js": APP, "run.sh": `${env} exec node app.js '${JSON.stringify(options)}'` }).then((folder) => run(folder, "sh", ["run.sh"]));

test("a lie, a rejection and a trade; a sandbox that nobody stops ends with the process, and keeps it from nothing", async () => {
  const { stdout } = await inApp("testing", { checkout: ROOT });
  const [url, prompts] = stdout.trim().split(" ");
  assert.equal(prompts, PROMPTS);
  await assert.rejects(async () => {
    // It takes a moment to end its nodes.
    for (;;) await fetch(`${url}/sandbox/config`);
  });
});

/** An empty folder with what npm makes of the tarballs: the package's, the sandbox's, and the node's as they are installed here. */
async function stranger() {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-"));
  const nodes = ["anvil", locate("SANDBOX_ANVIL").match(/anvil-[^/]+/)[0]].map((name) => join(ROOT, "node_modules/@foundry-rs", name));
  const packed = readdirSync(SANDBOX_PACKAGES).map((name) => join(SANDBOX_PACKAGES, name));
  writeFileSync(join(folder, "package.json"), "{}");
  const flags = ["--offline", "--ignore-scripts", "--no-audit", "--no-fund", "--install-links"];
  await run(folder, "npm", ["install", ...flags, ...nodes, ...packed, locate("PACKAGE_TARBALL")]);
  return folder;
}

/** Node with no variable of the environment: `cargo` is not on PATH, and no checkout is named. */
const bare = (folder, ...args) => run(folder, "env", ["-i", process.execPath, ...args]);
const ELSEWHERE = "--import=data:text/javascript,Object.defineProperty(process,'platform',{value:'darwin'})";

test("the guide's test passes as it stands with what npm installs: no Rust, no checkout, no variable", async () => {
  const folder = await stranger();
  try {
    const { code } = snippets().find(({ page }) => page === "docs/guides/testing.md");
    writeFileSync(join(folder, "trade.test.mjs"), code);
    const { stdout } = await bare(folder, "--test", "--test-reporter=tap");
    assert.match(stdout, /^# pass 3$[^]*^# fail 0$/m);

    // The settings that apps need are on pages that come with it.
    const pages = ["README.md", "docs/sandbox.md"].map((page) => readFileSync(join(folder, "node_modules/verified-swap-sandbox", page), "utf8"));
    for (const page of pages) assert.match(page, /^\| `routes/m);

    // The command: it prints where it listens, and ends with its input.
    const command = join(folder, "node_modules/.bin/verified-swap-sandbox");
    const started = spawn(process.execPath, [command, "--delay", "0,0"], { env: {}, stdio: ["pipe", "pipe", "inherit"] });
    const ended = once(started, "exit");
    const [line] = await once(createInterface({ input: started.stdout }), "line");
    started.stdin.end();
    assert.deepEqual([JSON.parse(line).ready, await ended], [true, [0, null]]);

    const missing = /^verified-swap-sandbox cannot start here, because it has no program for darwin-\w+: run it on linux-x64 and set VERIFIED_SWAP_SANDBOX to/;
    const start = 'import { startSandbox } from "verified-swap/testing"; await startSandbox().catch(({ message }) => console.log(message));';
    const { stdout: said } = await bare(folder, ELSEWHERE, "--input-type=module", "--eval", start);
    assert.match(said, missing);
    assert.equal(said.trim().split("\n").length, 1);
    await assert.rejects(bare(folder, ELSEWHERE, command), ({ message }) => missing.test(message.split("\n").at(-2)));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** On other systems it is linked with what each of their versions has. */
if (process.platform === "linux") {
  test("the service's program is static, so that it asks for no C library, and names no folder of its builder", () => {
    const [tarball] = readdirSync(SANDBOX_PACKAGES).filter((name) => name.includes(process.platform));
    const files = [...entries(gunzipSync(readFileSync(join(SANDBOX_PACKAGES, tarball))))];
    const elf = files.find(({ name }) => name === "package/sandbox").bytes;
    const [at, size, count] = [Number(elf.readBigUInt64LE(0x20)), elf.readUInt16LE(0x36), elf.readUInt16LE(0x38)];
    const kinds = Array.from({ length: count }, (_, index) => elf.readUInt32LE(at + index * size));
    // PT_LOAD is there, PT_INTERP is not.
    assert.ok(kinds.includes(1) && !kinds.includes(3), kinds.join());
    assert.doesNotMatch(elf.toString("latin1"), /\/home\/|\/root\/|\.cargo\/registry/);
  });
}

test("it uses the sandbox at a URL, and leaves it running", async () => {
  const sandbox = await startSandbox();
  const { stdout } = await inApp("testing-url", {}, `VERIFIED_SWAP_SANDBOX=${sandbox.url}/`);
  assert.equal(stdout.trim(), `${sandbox.url} ${PROMPTS}`);
  await (await startSandbox({ binary: undefined, checkout: sandbox.url })).stop();
  assert.equal((await sandbox.control("GET", "config")).accounts.length, 5);
  await sandbox.stop();
});

test("without one it says in a line how to get it", async () => {
  const built = "a checkout of verified-swap in which `cargo xtask sandbox` was run once";
  const sentences = [
    [{ checkout: "/nowhere" }, `there is no sandbox in /nowhere: it is not ${built}`],
    [{}, "there is no sandbox: install verified-swap-sandbox (for Linux on x64), or set VERIFIED_SWAP_SANDBOX to the URL of one that " +
      `runs, or to the path of ${built}`],
  ];
  for (const [options, sentence] of sentences) {
    const app = `import { startSandbox } from ${JSON.stringify(join(ROOT, "target/pkg/testing.js"))};
      await startSandbox(${JSON.stringify(options)}).catch((error) => console.log(error.message));`;
    const { stdout } = await run("/", process.execPath, ["--input-type=module", "--eval", app]);
    assert.equal(stdout, `${sentence}\n`);
  }
  await assert.rejects(startSandbox({ prot: 4041 }), /^Error: prot is no option: checkout, pages, port, /);
  await assert.rejects(startSandbox({ checkout: "http://127.0.0.1:1" }), /^Error: no sandbox answers at http:/);
  const places = { anvil: locate("SANDBOX_ANVIL"), artifacts: locate("SANDBOX_ARTIFACTS") };
  await assert.rejects(startSandbox({ ...places, binary: "/nowhere/sandbox" }), /ENOENT/);
  await assert.rejects(startSandbox({ ...places, artifacts: "/nowhere" }), /the sandbox ended \(\d+\): .*\/nowhere/s);
});

test("a page of Playwright finds the wallet, connects to it, and hears of another chain", async () => {
  const [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
  try {
    const page = await browser.newPage();
    const wallet = sandbox.wallet(2);
    await wallet.announceTo(page, "Mine");
    await page.goto(sandbox.url);
    const heard = await page.evaluate(async () => {
      const found = [];
      addEventListener("eip6963:announceProvider", ({ detail }) => found.push(detail));
      dispatchEvent(new Event("eip6963:requestProvider"));
      const [{ info, provider }] = found;
      const before = await provider.request({ method: "eth_accounts" });
      const given = await provider.request({ method: "eth_requestAccounts" });
      const changed = new Promise((resolve) => provider.on("chainChanged", resolve));
      await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x7a6a" }] });
      const unknown = await provider.request({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x1" }] }).catch(({ code }) => code);
      const after = await provider.request({ method: "eth_accounts" });
      return [found.length, info.name, provider === window.ethereum, before, given, after, await changed, unknown];
    });
    const known = [wallet.address];
    assert.deepEqual(heard, [1, "Mine", true, [], known, known, "0x7a6a", 4902]);
    assert.deepEqual(await sandbox.wallet(2).request({ method: "eth_accounts" }), known);
    await page.reload();
    assert.deepEqual(await page.evaluate(() => window.ethereum.request({ method: "eth_accounts" })), known);
  } finally {
    await browser.close();
    await sandbox.stop();
  }
});
