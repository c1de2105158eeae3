import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "../forms.mjs";
import { traded } from "../outcomes.mjs";
import { holdings, sandbox, usdc, withoutBlocks } from "../rig.mjs";

/* Several calls in one prompt (EIP-5792), by wallets that take them. */

const READY = "Account that can batch (EIP-7702, upgrades when first used)";

/** A page whose wallet is asked to approve and swap. */
async function asked(kind, options) {
  const swap = await openWith(kind, options);
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  assert.match(await swap.plan.textContent(), /^One prompt: approve exactly 100 USDC /);
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send these 2 calls?" }).waitFor();
  return swap;
}

test("an account of a key becomes a smart account in the prompt that approves and swaps", async () => {
  const swap = await asked(READY);
  const before = await holdings(swap.account);
  assert.equal(await sandbox.rpc("eth_getCode", [swap.account, "latest"]), "0x");
  const prompt = swap.prompt.first();
  await prompt.getByText("The account becomes a smart account (EIP-7702).").waitFor();
  assert.deepEqual(await prompt.locator(".calls h3").allTextContents(), ["Approve USDC", "Send a transaction"]);
  await swap.sendCallsInWallet();
  await swap.ended("Confirmed");
  await traded(swap, before);
  assert.match(await swap.figure("Transaction").getAttribute("title"), /^0x[0-9a-f]{64}$/);
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 0n, "exactly what was needed");
  assert.match(await sandbox.rpc("eth_getCode", [swap.account, "latest"]), /^0xef0100/);
  assert.equal(await swap.prompts(), 1);
});

test("a reload while the calls are on their way goes on with them by their id", async () => {
  const swap = await asked("Contract wallet (EIP-1271)");
  const before = await holdings(swap.account);
  await withoutBlocks(async () => {
    await swap.sendCallsInWallet();
    await swap.heading("Transaction sent").waitFor();
    await swap.page.reload();
    await swap.heading("Transaction sent").waitFor();
  });
  await swap.heading("Confirmed").waitFor();
  await traded(swap, before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  await swap.page.reload();
  await swap.priced();
  assert.equal(await swap.page.locator("#wallet-button").getAttribute("title"), `Sandbox wallet: ${swap.account}`);
});

test("a reload while the prompt is open leaves the calls to the user, and sends none", async () => {
  const swap = await asked("Contract wallet (EIP-1271)");
  const before = await holdings(swap.account);
  await swap.page.reload();
  await swap.heading("Not known to be sent").waitFor();
  await swap.says("Look into your wallet before you start it again.");
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  await swap.press("Abandon it");
  await swap.priced();
  assert.deepEqual(await holdings(swap.account), before);
});

test("calls that went through in part are told apart", async () => {
  const swap = await asked("Contract wallet (EIP-1271)", { habits: { sends: "one by one" } });
  const before = await holdings(swap.account);
  await sandbox.trade(usdc, sandbox.token("WETH"), 2_000_000);
  await swap.sendCallsInWallet();
  await swap.ended("Partly reverted");
  await swap.page.getByText("Your wallet sent the steps one by one, and one of them reverted.").waitFor();
  assert.equal((await holdings(swap.account)).usdc, before.usdc);
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 100_000_000n);
});
