/** examples/python-check against the sandbox: an order in Python, checked by the program, and one that lies. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { after, before, test } from "node:test";
import { encodeFunctionData, erc20Abi } from "viem";
import { startSandbox } from "../../package/sandbox.mjs";
import { copyOf } from "../example.mjs";

let sandbox, folder;
before(async () => {
  [sandbox, folder] = await Promise.all([startSandbox(), copyOf("python-check")]);
  // An approval is a transaction: the script makes none.
  const { chainId, srcToken } = sandbox.request("USDC", "WETH", "1");
  const { delta } = sandbox.clientOptions.contracts[chainId];
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [delta, 300_000_000n] });
  await sandbox.rpc(chainId, "eth_sendTransaction", [{ from: sandbox.accounts[0].address, to: srcToken, data }]);
});
after(() => sandbox?.stop());

/** One run: its exit code, and all that it printed. */
function run({ reference, ...more }) {
  const { amount, ...pair } = sandbox.request("USDC", "WETH", "300");
  const { contracts, rpc } = sandbox.clientOptions;
  const readings = { srcDecimals: pair.srcDecimals, destDecimals: pair.destDecimals };
  const env = {
    ...process.env, BASE_URL: sandbox.url, SIGNER_URL: [rpc[pair.chainId]].flat()[0], ACCOUNT: sandbox.accounts[0].address,
    REQUEST: JSON.stringify({ ...pair, amount: String(amount), side: "SELL", slippageBps: 50 }),
    GIVEN: JSON.stringify({ reference, readings, contracts }), ...more,
  };
  return new Promise((resolve) =>
    execFile("python3", ["check.py"], { cwd: folder, env }, (error, stdout, stderr) => resolve({ code: error?.code ?? 0, said: stdout + stderr })),
  );
}

const posted = async () => (await sandbox.control("GET", "record")).requests.filter(({ endpoint }) => endpoint === "post").length;

test("an order is checked, signed and posted; one with an open question, or another receiver, is not signed", async () => {
  const own = { reference: "0.00033333" };
  const { code, said } = await run(own);
  assert.equal(code, 0, said);
  assert.match(said, /^Sell 300 USDC .*\nPosted: 0x/);
  assert.equal(await posted(), 1);

  const asked = await run({});
  assert.equal(asked.code, 1);
  assert.match(asked.said, /^Not signed\. open: /);

  await sandbox.control("POST", "tamper", { target: "build", patch: [{ op: "replace", path: "/toSign/value/beneficiary", value: `0x${"66".repeat(20)}` }] });
  const lied = await run(own);
  assert.equal(lied.code, 1);
  assert.match(lied.said, /^Not signed\. VERIFY_MISMATCH: .*order\.beneficiary/);
  assert.equal(await posted(), 1);
});

test("without an answer of the check nothing is signed", async () => {
  // A Node that does not start.
  const { code, said } = await run({ reference: "0.00033333", NODE_OPTIONS: "--require=./none.cjs" });
  assert.equal(code, 1);
  assert.match(said, /Not signed\. the check ended without an answer/);
  assert.equal(await posted(), 1);
});
