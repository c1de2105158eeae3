/** examples/sdk-guard against the sandbox: the operator's SDK with a guarded wallet, services that lie, and an SDK that does. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { encodeFunctionData, erc20Abi } from "viem";
import { startSandbox } from "../package/sandbox.mjs";
import { copyOf } from "./example.mjs";
import { LIES, THIEF } from "./sdk-lies.mjs";

const [SIGN, SEND] = ["eth_signTypedData_v4", "eth_sendTransaction"];
let sandbox, folder, trade, keyWallet;
before(async () => {
  [sandbox, folder] = await Promise.all([startSandbox(), copyOf("sdk-guard")]);
  [{ trade }, { keyWallet }] = await Promise.all(["trade.mjs", "wallet.mjs"].map((path) => import(pathToFileURL(join(folder, path)))));
});
after(() => sandbox?.stop());

const posted = async () => (await sandbox.control("GET", "record")).requests.filter(({ endpoint }) => endpoint === "olderPost").length;

/** One run of the example: its exit code, and what it printed. `input` is typed at it. */
function run(settings, input = "") {
  const env = { ...process.env, PRIVATE_KEY: sandbox.accounts[0].privateKey, SANDBOX: sandbox.url, ...settings };
  const program = spawn(process.execPath, ["trade.mjs"], { cwd: folder, env });
  let said = "";
  for (const stream of [program.stdout, program.stderr]) stream.on("data", (text) => (said += text));
  program.stdin.end(input);
  return new Promise((resolve) => program.once("close", (code) => resolve({ code, said })));
}

test("a trade settles after a yes to each prompt, and not without one", async () => {
  const [{ address }] = sandbox.accounts;
  const weth = await sandbox.balance(address, "WETH");
  for (const input of ["", "n\n", "y\nn\n"]) {
    const { code, said } = await run({ REFERENCE: String(1 / 3000) }, input);
    assert.notEqual(code, 0);
    assert.match(said, /the user declined/, said);
  }
  assert.equal(await posted(), 0);
  const { code, said } = await run({ REFERENCE: String(1 / 3000) }, "y\ny\n");
  assert.equal(code, 0, said);
  assert.match(said, /^Sell 100 USDC .* for at least 0\.03\d* WETH .* \(verified\)/m);
  assert.ok((await sandbox.balance(address, "WETH")) > weth);
  // Nobody knows the price: one question more.
  assert.match((await run({}, "n\ny\ny\n")).said, /a question is open|the user declined/);
});

test("the guard takes at most 15 lines", () => {
  const lines = readFileSync(join(folder, "trade.mjs"), "utf8").split("\n");
  const begin = lines.findIndex((line) => line.includes("function guardedWallet("));
  const end = lines.indexOf("}", begin);
  assert.ok(begin > 0 && end > begin);
  const needed = lines.filter((line, at) => (at >= begin && at <= end) || /verified-swap\/verify"|\binit\(\)|\bsaid\b/.test(line));
  assert.ok(needed.length > 5 && needed.length <= 15, `${needed.length} lines:\n${needed.join("\n")}`);
});

/** A trade of the example whose user says yes to everything. `change` alters the SDK; the wallet tells what it was asked. */
async function attempt({ change = (sdk) => sdk, known = {} } = {}) {
  const pair = sandbox.request("USDC", "WETH", "100");
  const { contracts, rpc } = sandbox.clientOptions;
  const { address: account, privateKey } = sandbox.accounts[1];
  const { chainId, srcDecimals, destDecimals } = pair;
  const own = keyWallet({ privateKey, rpc: rpc[chainId], chainId });
  await own.request({ method: SEND, params: [{ to: pair.srcToken, data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [contracts[chainId].delta, 0n] }) }] });
  const asked = [];
  const provider = {
    request(call) {
      if (!/^eth_(accounts|blockNumber|call|chainId|estimateGas|get.*)$/.test(call.method)) asked.push(call);
      return own.request(call);
    },
  };
  const makeSdk = (viemClient) => change(constructSimpleSDK({ chainId, fetch, apiURL: sandbox.url }, { viemClient, account }), viemClient);
  const stated = { account, slippageBps: 50, deadline: Math.floor(Date.now() / 1_000) + 600, nonce: String(Date.now()), advanced: { metadata: "0x" } };
  const before = await posted();
  const prompts = [];
  const agree = (prompt) => (prompts.push(prompt), true);
  const input = { provider, makeSdk, request: { ...pair, ...stated }, known: { contracts, reference: "0.000333", readings: { srcDecimals, destDecimals }, ...known }, agree };
  const ended = await trade(input).then((order) => ({ order }), (error) => ({ error }));
  return { ...ended, prompts, asked: asked.map(({ method }) => method), delta: contracts[chainId].delta, calls: asked, count: (await posted()) - before };
}

/** The check's own error, which libraries wrap; the guard's, if that has none. */
function reason(error) {
  let at = error;
  while (at && at.name !== "TradeError" && at.cause) at = at.cause;
  return at?.name === "TradeError" ? `${at.code} ${at.field}` : `${at?.name} ${at?.code}`;
}

test("an honest service and SDK: both prompts are verified", async () => {
  const { order, prompts, asked } = await attempt();
  assert.equal(order?.status, "EXECUTED");
  assert.deepEqual(prompts.map(({ purpose, verdict }) => [purpose, verdict]), [["approve", "verified"], ["order", "verified"]]);
  assert.deepEqual(asked, [SEND, SIGN]);
});

const tamper = (target, patch, times = -1) => sandbox.control("POST", "tamper", { target, patch, times });

for (const [what, target, patch, expected] of LIES) {
  test(`the service lies: ${what}`, async () => {
    if (target === "partnerFee") await tamper("olderPrices", [{ op: "remove", path: "/price/partnerFee" }]);
    await tamper(target, patch);
    const { error, asked, count, calls } = await attempt();
    for (const told of [target, "olderPrices"]) await tamper(told, [], 0);
    // The SDK asks the service whom to approve: that is refused already.
    assert.equal(reason(error), what === "another contract" ? "VERIFY_MISMATCH transaction.data" : expected, error?.stack);
    assert.deepEqual([asked, count], [what === "another contract" ? [] : [SEND], 0], "at most what was asked for is approved");
    assert.doesNotMatch(JSON.stringify(calls).toLowerCase(), new RegExp(THIEF.slice(2).toLowerCase()));
  });
}

test("a price that is worse for everybody: refused by the caller's own, and without one a yes to everything is no answer", async () => {
  await sandbox.control("POST", "lie", { kind: "price" });
  assert.equal(reason((await attempt()).error), "VERIFY_MISMATCH quote.price");
  const { error, asked, count } = await attempt({ known: { reference: undefined } });
  await sandbox.control("POST", "lie", { kind: "none" });
  assert.match(String(error.stack) + String(error.cause?.message), /a question is open/);
  assert.deepEqual([asked, count], [[SEND], 0]);
});

/** What a compromised SDK does with the wallet that it was given. */
const TRAITORS = {
  "another receiver": (sdk) => ({ delta: { ...sdk.delta, signDeltaOrder: (built) => sdk.delta.signDeltaOrder({ ...built, data: { ...built.data, beneficiary: THIEF } }) } }),
  "more approved": (sdk) => ({ delta: { ...sdk.delta, approveTokenForDelta: () => sdk.delta.approveTokenForDelta("100000001", sandbox.request("USDC", "WETH", "1").srcToken) } }),
  "another approved": (sdk, client) => ({
    delta: { ...sdk.delta, approveTokenForDelta: (amount, token) => client.writeContract({ address: token, abi: erc20Abi, functionName: "approve", args: [THIEF, BigInt(amount)] }) },
  }),
  "a transfer": (sdk, client) => ({ delta: { ...sdk.delta, getDeltaPrice: () => client.sendTransaction({ to: THIEF, value: 1n }) } }),
  "a message": (sdk, client) => ({ delta: { ...sdk.delta, getDeltaPrice: () => client.signMessage({ message: "Sign in" }) } }),
  "a delegation": (sdk, client) => ({ delta: { ...sdk.delta, getDeltaPrice: () => client.request({ method: "wallet_signAuthorization", params: [{ address: THIEF, chainId: 0 }] }) } }),
  "a hash": (sdk, client) => ({ delta: { ...sdk.delta, getDeltaPrice: () => client.request({ method: "eth_sign", params: [client.account.address, `0x${"11".repeat(32)}`] }) } }),
};
for (const [what, change] of Object.entries(TRAITORS)) {
  test(`the SDK lies: ${what}`, async () => {
    const { error, asked, count } = await attempt({ change });
    assert.match(reason(error), /^VERIFY_MISMATCH /, error?.stack);
    assert.deepEqual([asked, count], [what === "another receiver" ? [SEND] : [], 0]);
  });
}
