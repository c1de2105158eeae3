/** `verified-swap/testing` from the tarball, as the tests of an app use it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { transform } from "esbuild";
import { snippets } from "../../docs/snippets.mjs";
import { freshApp, run } from "../app.mjs";
import { ROOT, locate } from "../locations.mjs";
import { startBrowser } from "../page.mjs";
import { startSandbox } from "../sandbox.mjs";

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

test("the tests of its guide pass", async () => {
  const { code } = snippets().find(({ page }) => page === "docs/guides/testing.md");
  const folder = await freshApp("testing-guide", { "app.test.mjs": (await transform(code, { loader: "ts" })).code });
  const { stdout } = await run(folder, "env", ["-u", "NODE_TEST_CONTEXT", `VERIFIED_SWAP_SANDBOX=${ROOT}`, process.execPath, "--test", "--test-reporter=tap"]);
  assert.match(stdout, /^# pass 3$[^]*^# fail 0$/m);
});

test("it uses the sandbox at a URL, and leaves it running", async () => {
  const sandbox = await startSandbox();
  const { stdout } = await inApp("testing-url", {}, `VERIFIED_SWAP_SANDBOX=${sandbox.url}/`);
  assert.equal(stdout.trim(), `${sandbox.url} ${PROMPTS}`);
  await (await startSandbox({ binary: undefined, checkout: sandbox.url })).stop();
  assert.equal((await sandbox.control("GET", "config")).accounts.length, 5);
  await sandbox.stop();
});

test("without one it says in a line how to get it", async () => {
  for (const [options, where] of [[{ checkout: "/nowhere" }, "in /nowhere"], [{}, "in this folder or above it"]]) {
    const app = `import { startSandbox } from ${JSON.stringify(join(ROOT, "pkg-template/testing.js"))};
      await startSandbox(${JSON.stringify(options)}).catch((error) => console.log(error.message));`;
    const { stdout } = await run("/", process.execPath, ["--input-type=module", "--eval", app]);
    assert.equal(
      stdout,
      `there is no sandbox ${where}: run \`cargo xtask sandbox\` once in a checkout of verified-swap, and set ` +
        "VERIFIED_SWAP_SANDBOX to its path, or to the URL that the command prints\n",
    );
  }
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
