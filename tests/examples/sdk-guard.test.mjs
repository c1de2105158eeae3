/** The guarded wallet of examples/sdk-verify against the sandbox: services that lie to the operator's SDK, and an SDK that does. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { encodeFunctionData, erc20Abi, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { startSandbox } from "../package/sandbox.mjs";
import { copyOf } from "./example.mjs";
import { LIES, THIEF, countLines, lying, posted as postedAt, run as runOf } from "./sdk-lies.mjs";

const [SIGN, SEND] = ["eth_signTypedData_v4", "eth_sendTransaction"];
let sandbox, folder, trade, walletOf, keyWallet;
before(async () => {
  [sandbox, folder] = await Promise.all([startSandbox(), copyOf("sdk-verify", "sdk-guarded")]);
  [{ trade }, { walletOf }, { keyWallet }] = await Promise.all(["guarded.mjs", "shared.mjs", "wallet.mjs"].map((path) => import(pathToFileURL(join(folder, path)))));
});
after(() => sandbox?.stop());

const run = (settings, input) => runOf({ sandbox, folder, script: "guarded.mjs" }, settings, input);
const posted = () => postedAt(sandbox);

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
  // The price is unknown: one question more.
  assert.match((await run({}, "n\ny\ny\n")).said, /a question is open|the user declined/);
});

test("the guard takes at most 15 lines", () => {
  countLines(readFileSync(join(folder, "guarded.mjs"), "utf8"), "guardedWallet", /\bsaid\b/);
});

/** A trade of the example whose user agrees to everything. `change` alters the SDK; the wallet shows what it was asked. */
async function attempt({ change = (sdk) => sdk, known = {} } = {}) {
  const pair = sandbox.request("USDC", "WETH", "100");
  const { contracts, rpc } = sandbox.clientOptions;
  const { address: account, privateKey } = sandbox.accounts[1];
  const { chainId, srcDecimals, destDecimals } = pair;
  const own = keyWallet(walletOf(privateKeyToAccount(privateKey), chainId, http(rpc[chainId])));
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
  const reference = { src: pair.srcToken, dest: pair.destToken, price: "0.000333" };
  const input = { provider, makeSdk, request: { ...pair, ...stated }, known: { contracts, reference, readings: { srcDecimals, destDecimals }, ...known }, agree };
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

for (const lie of LIES) {
  const [what, , , expected] = lie;
  test(`the service lies: ${what}`, async () => {
    const { error, asked, count, calls } = await lying(sandbox, lie, attempt);
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

/** A compromised SDK's acts with the wallet that it was given. */
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
