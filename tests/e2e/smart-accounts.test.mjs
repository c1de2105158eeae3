import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* Owners with code: they sign by their own rules, or consent by a transaction. */

let sandbox, browser, usdc, weth;

setUp((started) => {
  ({ sandbox, browser } = started);
  usdc = sandbox.token("permit");
  weth = sandbox.token("WETH");
});

/** A page whose sandbox wallet is on an account of that kind. */
async function openWith(kind, options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.useAccount(kind);
  return swap;
}

async function hasCode(account) {
  return (await sandbox.rpc("eth_getCode", [account, "latest"])) !== "0x";
}

async function holdings(account) {
  return { usdc: await sandbox.balance(account, usdc), weth: await sandbox.balance(account, weth) };
}

/** The account paid exactly 100 USDC and received at least something. */
async function traded({ account }, before) {
  const now = await holdings(account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth);
}

/** Everything the wallet is asked when an order is consented to on chain. */
async function consent(swap, button) {
  await swap.page.getByRole("button", { name: button }).click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.settled();
}

for (const kind of ["Contract wallet (EIP-1271)", "Delegated account (EIP-7702)"]) {
  test(`${kind}: its signature is taken`, async () => {
    const swap = await openWith(kind);
    assert.ok(await hasCode(swap.account));
    const before = await holdings(swap.account);
    await swap.swap();
    await traded(swap, before);
    const [order] = await swap.newOrders();
    assert.equal(order.owner.toLowerCase(), swap.account.toLowerCase());
    assert.equal(swap.signatures(), 1);
    await swap.close();
  });

  test(`${kind}: it consents by a transaction where that is chosen, and signs nothing`, async () => {
    const swap = await openWith(kind);
    const before = await holdings(swap.account);
    await swap.review();
    await swap.page.getByRole("radio", { name: "Consent on chain" }).check({ force: true });
    await swap.heading("What you consent to").waitFor();
    assert.match(await swap.page.locator(".stage:visible .plan").textContent(), /^Two prompts: approve exactly 100 USDC .* then send your consent\.$/);
    await consent(swap, "Approve USDC and consent");
    await traded(swap, before);
    await swap.page.locator(".timeline li.done", { hasText: "Consented on chain" }).waitFor();
    assert.equal(swap.signatures(), 0);
    assert.equal(swap.transactions(), 2, "the approval and the consent");
    const [post] = await sandbox.requests("post");
    assert.equal(JSON.parse(post.body).signature, "0x");
    await swap.close();
  });
}

test("an account that cannot sign says so, and one button consents by a transaction, then and from there on", async () => {
  const swap = await openWith("Contract wallet that cannot sign");
  const before = await holdings(swap.account);
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.says("This account cannot sign; consent by a transaction instead.");
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Consent on chain" }).click();
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.sendInWallet();
  await swap.settled();
  await traded(swap, before);
  assert.equal(swap.signatures(), 0);
  await swap.main.click();
  await swap.priced();
  await swap.review("What you consent to");
  assert.ok(await swap.page.getByRole("radio", { name: "Consent on chain" }).isChecked());
  await swap.close();
});

test("an account with code trades on Market by what it makes its key send, also after a reload", async () => {
  const swap = await openWith("Contract wallet (EIP-1271)");
  await swap.page.reload();
  await swap.priced();
  assert.equal(await swap.page.locator("#wallet-button").getAttribute("title"), `Sandbox wallet: ${swap.account}`);
  await swap.set("Market");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.send();
  await traded(swap, before);
  await swap.close();
});

test("an account that cannot sign cancels its order by a transaction", async () => {
  const swap = await openWith("Contract wallet that cannot sign");
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.05");
  await swap.ready("Review order");
  await swap.review();
  await swap.page.getByRole("radio", { name: "Consent on chain" }).check({ force: true });
  await swap.main.click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.heading("Order placed").waitFor();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.heading("What you are sending").waitFor();
  await swap.sendReviewed({ approve: false });
  await swap.main.click();
  await swap.latest.filter({ hasText: /Failed|Cancelled/ }).waitFor();
  const [{ status, transactions }] = await swap.newOrders();
  assert.notEqual(status, "COMPLETED");
  assert.deepEqual(transactions, []);
  await swap.close();
});

test("the account that delegated is a plain one again once it is chosen as that, and is asked for signatures alone", async () => {
  const swap = await openWith("Delegated account (EIP-7702)");
  const delegated = swap.account;
  await swap.review();
  await swap.page.getByRole("radio", { name: "Consent on chain" }).waitFor({ state: "attached" });
  await swap.useAccount(delegated);
  assert.equal(await hasCode(delegated), false);
  await swap.review();
  assert.equal(await swap.page.locator(".stage:visible").getByRole("radio").count(), 0);
  await swap.close();
});
