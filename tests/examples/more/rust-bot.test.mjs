/** examples/rust-bot against the sandbox: an order in Rust, checked by the crate, and one that lies. */
import assert from "node:assert/strict";
import { execFile, execFileSync } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { encodeFunctionData, erc20Abi } from "viem";
import { ROOT } from "../../package/locations.mjs";
import { startSandbox } from "../../package/sandbox.mjs";

const TARGET = join(ROOT, "target/rust-bot");
let sandbox;
before(async () => {
  const cargo = ["build", "--locked", "--target-dir", TARGET];
  execFileSync("cargo", cargo, { cwd: join(ROOT, "examples/rust-bot"), stdio: ["ignore", "ignore", "inherit"] });
  sandbox = await startSandbox();
  // An approval is a transaction: the bot makes none.
  const { chainId, srcToken } = sandbox.request("USDC", "WETH", "1");
  const { delta } = sandbox.clientOptions.contracts[chainId];
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [delta, 300_000_000n] });
  await sandbox.rpc(chainId, "eth_sendTransaction", [{ from: sandbox.accounts[0].address, to: srcToken, data }]);
});
after(() => sandbox?.stop());

/** One run: its exit code, and all that it printed. */
function run(more) {
  const { amount, ...pair } = sandbox.request("USDC", "WETH", "300");
  const request = { ...pair, amount, side: "SELL", slippageBps: 50, ...more };
  const { delta } = sandbox.clientOptions.contracts[pair.chainId];
  const env = { PATH: process.env.PATH, BASE_URL: sandbox.url, RPC_URL: sandbox.clientOptions.rpc[pair.chainId], PRIVATE_KEY: sandbox.accounts[0].privateKey, DELTA: delta, REQUEST: JSON.stringify(request) };
  return new Promise((resolve) =>
    execFile(join(TARGET, "debug/rust-bot"), { env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr })),
  );
}

const posted = async () => (await sandbox.control("GET", "record")).requests.filter(({ endpoint }) => endpoint === "post").length;

test("an order is checked, signed and posted; one with an open question, or another receiver, is not signed", async () => {
  const own = { advanced: { srcPriceUsd: "1", destPriceUsd: "3000" } };
  const { code, said } = await run(own);
  assert.equal(code, 0, said);
  assert.match(said, /^Sell 300 USDC .*\nPosted: \{/);
  assert.equal(await posted(), 1);

  const asked = await run({});
  assert.notEqual(asked.code, 0);
  assert.match(asked.said, /open: /);

  await sandbox.control("POST", "tamper", { target: "build", patch: [{ op: "replace", path: "/toSign/value/beneficiary", value: `0x${"66".repeat(20)}` }] });
  const lied = await run(own);
  assert.notEqual(lied.code, 0);
  assert.match(lied.said, /VERIFY_MISMATCH: .*order\.beneficiary/);
  assert.equal(await posted(), 1);
});
