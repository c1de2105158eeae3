import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, signedSale } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, usdc, weth, withoutBlocks } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A reload between a transaction and its block: it is followed, and nobody is asked to send it again. */

/**
 * A page of an account that can neither sign nor batch, where its approval is there and its consent is about to be sent.
 */
async function consenting(options) {
  const swap = await SwapPage.open(browser, sandbox, { habits: { claims: "unsupported" }, ...options });
  await swap.useAccount("Contract wallet that cannot sign");
  await swap.review();
  await swap.page.getByRole("radio", { name: "Consent on chain" }).check({ force: true });
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  return swap;
}

test("a later reload comes back to the order, not to a finished approval", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await swap.page.reload();
  await swap.heading("Not signed yet").waitFor();
});

test("a pre-signature is followed after a reload, and its order posted once it is in a block", async () => {
  const swap = await consenting({ expected: FAILED_REQUEST });
  const before = await sandbox.balance(swap.account, weth);
  await withoutBlocks(async () => {
    await swap.sendInWallet();
    await swap.heading("Consent sent").waitFor();
    await swap.page.reload();
    await swap.heading("Consent sent").waitFor();
    assert.match(await swap.figure("Transaction").getAttribute("title"), /^0x[0-9a-f]{64}$/);
    assert.deepEqual(await sandbox.requests("post"), []);
  });
  await swap.heading("Settled").waitFor();
  assert.ok((await sandbox.balance(swap.account, weth)) > before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal(swap.transactions(), 2, "the approval, and one consent");
  assert.equal((await sandbox.requests("post")).length, 1);
});

test("a lost pre-signature is reported after a reload, and its order is left to the user", async () => {
  const swap = await consenting({ expected: FAILED_REQUEST, prepare: (page) => page.clock.install() });
  await withoutBlocks(async () => {
    await swap.sendInWallet();
    await swap.heading("Consent sent").waitFor();
    await swap.page.reload();
    await swap.heading("Consent sent").waitFor();
    const isLookedFor = () =>
      swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_getTransactionByHash"));
    // Twice, so that the page has its number: what a contract sent is never lost without.
    await isLookedFor();
    await isLookedFor();
    await sandbox.rpc("anvil_dropTransaction", [await swap.figure("Transaction").getAttribute("title")]);
    // Once more without it, and again when a minute has gone by.
    await isLookedFor();
    await isLookedFor();
    await swap.page.clock.fastForward(61_000);
    await swap.heading("Dropped").waitFor();
  });
  await swap.page.reload();
  await swap.heading("Signed, not posted").waitFor();
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Abandon it" }).click();
  await swap.priced();
});

test("a deposit is followed after a reload, and the order that it is for goes on by the same signature", async () => {
  const swap = await signedSale();
  const before = await sandbox.balance(swap.account, usdc);
  await withoutBlocks(async () => {
    await swap.depositInWallet();
    await swap.heading("Consent sent").waitFor();
    await swap.page.reload();
    await swap.heading("Consent sent").waitFor();
  });
  await swap.heading("Settled").waitFor();
  assert.ok((await sandbox.balance(swap.account, usdc)) > before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.deepEqual([swap.signatures(), swap.transactions()], [1, 1]);
  assert.equal((await swap.newOrders()).length, 1);
  assert.equal(await sandbox.balance(swap.account, { address: sandbox.chain.wrappedNative }), 0n);
});

test("a transaction is remembered from the wallet's answer on, also while its node does not answer", async () => {
  const account = await allowed("router");
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.set("Market");
  await swap.priced();
  const before = await sandbox.balance(account, usdc);
  await swap.review("What you are sending");
  let answers = false;
  await swap.page.route("**/rpc/**", (route) => {
    if (answers || !route.request().postData()?.includes("eth_getTransactionByHash")) return route.continue();
  });
  await swap.main.click();
  await swap.sendInWallet();
  await swap.heading("Transaction sent").waitFor();
  await swap.page.reload();
  await swap.heading("Transaction sent").waitFor();
  answers = true;
  await swap.page.reload();
  await swap.heading("Confirmed").waitFor();
  assert.equal(swap.transactions(), 1);
  assert.equal(before - (await sandbox.balance(account, usdc)), unitsOf("100", usdc));
});
