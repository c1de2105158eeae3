import assert from "node:assert/strict";
import { test } from "node:test";
import { signedSale } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, usdc, weth, withoutBlocks } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a price the service calls stale is renewed, and reviewed", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.time(60);
  await swap.review();
});

test("a service that is away for minutes gets the order once it is back, and the user is asked nothing", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  for (const endpoint of ["post", "orderByHash"]) await sandbox.control("fault", { endpoint, times: 1000, dropBefore: true });
  await swap.approveAndSign();
  await swap.says("Signed, but no answer yet. Do not sign again: look first.");
  assert.deepEqual(await swap.newOrders(), []);
  await sandbox.reset();
  await swap.page.getByRole("button", { name: "Check now" }).click();
  await swap.settled();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
});

test("an order the service refuses is not on its way, and a reload does not bring it back", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const details = "Token is \u202eblocked.";
  await sandbox.control("fault", { endpoint: "post", status: 400, errorType: "InvalidInput", details });
  await swap.approveAndSign();
  await swap.says("The service refused: Token is \\u{202e}blocked.");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.priced();
  await swap.page.reload();
  await swap.priced();
  assert.deepEqual(await swap.newOrders(), []);
});

test("a reload in mid-swap goes on with the same order, and does not ask to sign again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("settings", { solving: false });
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  await swap.page.reload();
  await swap.latest.filter({ hasText: "Solvers bid" }).waitFor();
  await sandbox.control("settings", { solving: true });
  await swap.latest.filter({ hasText: "Settled" }).waitFor();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
});

test("a pre-signature is followed after a reload, and its order posted once it is in a block", async () => {
  const swap = await SwapPage.open(browser, sandbox, { habits: { claims: "unsupported" }, expected: FAILED_REQUEST });
  await swap.useAccount("Contract wallet that cannot sign");
  await swap.set("Transaction");
  await swap.priced();
  await swap.review("What you consent to");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  const before = await sandbox.balance(swap.account, weth);
  await withoutBlocks(async () => {
    await swap.sendInWallet();
    await swap.card.getByText("Waiting for the network to confirm…").waitFor();
    await swap.page.reload();
    await swap.latest.waitFor();
    assert.deepEqual(await sandbox.requests("post"), []);
  });
  await swap.latest.filter({ hasText: "Settled" }).waitFor();
  assert.ok((await sandbox.balance(swap.account, weth)) > before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal(swap.transactions(), 2, "the approval, and one consent");
  assert.equal((await sandbox.requests("post")).length, 1);
});

test("a deposit is followed after a reload, and the order that it is for goes on by the same signature", async () => {
  const swap = await signedSale();
  const before = await sandbox.balance(swap.account, usdc);
  await withoutBlocks(async () => {
    await swap.depositInWallet();
    await swap.heading("Order signed").waitFor();
    await swap.page.reload();
    await swap.latest.waitFor();
  });
  await swap.latest.filter({ hasText: "Settled" }).waitFor();
  assert.ok((await sandbox.balance(swap.account, usdc)) > before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.deepEqual([swap.signatures(), swap.transactions()], [1, 1]);
  assert.equal((await swap.newOrders()).length, 1);
  assert.equal(await sandbox.balance(swap.account, { address: sandbox.chain.wrappedNative }), 0n);
});
