/* Owners with code, which sign by their own rules or consent by a transaction; wallets that take several calls at once (EIP-5792). */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openWith } from "../forms.mjs";
import { consent, traded } from "../outcomes.mjs";
import { holdings, sandbox, usdc, usdt, withoutBlocks } from "../rig.mjs";
import { raw } from "../sandbox.mjs";

const CONTRACT = "Contract wallet (EIP-1271)";
const DELEGATED = "Delegated account (EIP-7702)";
const READY = "Account that can batch (EIP-7702, upgrades when first used)";
const MUTE = "Contract wallet that cannot sign";

const codeOf = (account) => sandbox.rpc("eth_getCode", [account, "latest"]);
const calls = (swap) => swap.prompt.locator(".calls h3").allTextContents();

/** A page whose wallet is asked to approve and swap in one prompt. */
async function asked(kind, options) {
  const swap = await openWith(kind, options);
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  assert.match(await swap.step.textContent(), /take exactly 100 USDC, and send the transaction, in one prompt \(gas\)$/);
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send these 2 calls?" }).waitFor();
  return swap;
}

for (const kind of [CONTRACT, DELEGATED]) {
  test(`${kind}: its signature is taken`, async () => {
    const swap = await openWith(kind);
    assert.notEqual(await codeOf(swap.account), "0x");
    // With an approval to come, a wallet that takes several calls is asked for both at once.
    await sandbox.approve(swap.account, usdc, raw(100, usdc));
    await swap.refresh();
    await swap.priced();
    const before = await holdings(swap.account);
    await swap.swap({ approve: false });
    await traded(swap, before);
    const [order] = await swap.newOrders();
    assert.equal(order.owner.toLowerCase(), swap.account.toLowerCase());
    assert.equal(swap.signatures(), 1);
  });

  test(`${kind}: it approves and consents in one prompt, and signs nothing`, async () => {
    const swap = await openWith(kind);
    await swap.set("Transaction");
    await swap.pay("100", "USDT");
    const before = await holdings(swap.account);
    await swap.review("What you consent to");
    await swap.page.getByRole("button", { name: "Approve and consent" }).click();
    await swap.prompt.waitFor();
    assert.deepEqual(await calls(swap), ["Approve USDT", "Send a transaction"]);
    await swap.sendCallsInWallet();
    await swap.settled();
    const now = await holdings(swap.account);
    assert.equal(before.usdt - now.usdt, BigInt(raw(100, usdt)));
    assert.ok(now.weth > before.weth);
    await swap.page.getByRole("list", { name: "Progress" }).getByText("Consented on chain").waitFor();
    assert.deepEqual([swap.signatures(), swap.transactions()], [0, 1], "one transaction of the account's key");
    const [post] = await sandbox.requests("post");
    assert.equal(JSON.parse(post.body).signature, "0x");
  });
}

for (const kind of [CONTRACT, READY])
  test(`${kind}: an old allowance is taken back, the new one given, and the swap made in one prompt`, async () => {
    const swap = await openWith(kind);
    await sandbox.approve(swap.account, usdt, 5, sandbox.chain.router);
    await swap.set("Market");
    await swap.pay("100", "USDT");
    const before = await holdings(swap.account);
    await swap.review("What you are sending");
    await swap.main.click();
    await swap.prompt.waitFor();
    assert.deepEqual(await calls(swap), ["Take back the USDT approval", "Approve USDT", "Send a transaction"]);
    await swap.sendCallsInWallet(3);
    await swap.ended("Confirmed");
    assert.equal(before.usdt - (await holdings(swap.account)).usdt, BigInt(raw(100, usdt)));
    assert.equal(await sandbox.allowance(swap.account, usdt, sandbox.chain.router), 0n);
  });

test("an account whose wallet does not batch approves, then consents by a transaction", async () => {
  const swap = await openWith(CONTRACT, { habits: { claims: "unsupported" } });
  await swap.set("Transaction");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.review("What you consent to");
  assert.match(await swap.step.textContent(), /take exactly 100 USDC \(gas\)Send your consent to the order \(gas\)$/);
  await consent(swap, "Approve 100 USDC");
  await traded(swap, before);
  assert.deepEqual([swap.signatures(), swap.transactions()], [0, 2], "the approval and the consent");
});

test("an account that cannot sign is told so, and one button consents by a transaction", async () => {
  const swap = await openWith(MUTE, { habits: { claims: "unsupported" } });
  await swap.set("Signature");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.says("This account cannot sign. Consent by a transaction instead.");
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Consent on chain" }).click();
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet.");
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.sendInWallet();
  await swap.settled();
  await traded(swap, before);
  assert.equal(swap.signatures(), 0);
});

test("an account that cannot sign cancels its order by a transaction", async () => {
  const swap = await openWith(MUTE);
  await swap.set("Transaction");
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.05");
  await swap.ready("Review order");
  await swap.review("What you consent to");
  await swap.main.click();
  await swap.sendCallsInWallet();
  await swap.heading("Order placed").waitFor();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelOnChain();
  await swap.page.locator("verified-swap .activity li", { hasText: /Failed|Cancelled/ }).first().waitFor();
  const [{ status, transactions }] = await swap.newOrders();
  assert.notEqual(status, "COMPLETED");
  assert.deepEqual(transactions, []);
});

test("an account of a key becomes a smart account in the prompt that approves and swaps", async () => {
  const swap = await openWith(READY);
  assert.equal(await codeOf(swap.account), "0x");
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.answer("Send these 2 calls?", "Reject");
  await swap.says("Rejected in your wallet.");
  assert.equal(await codeOf(swap.account), "0x", "nothing was upgraded");
  const before = await holdings(swap.account);
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.prompt.getByText("The account becomes a smart account (EIP-7702).").waitFor();
  await swap.sendCallsInWallet();
  await swap.ended("Confirmed");
  await traded(swap, before);
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 0n, "exactly what was needed");
  assert.match(await codeOf(swap.account), /^0xef0100/);
  assert.equal(await swap.prompts(), 2);
});

test("calls that the wallet never sends have failed, and cost nothing", async () => {
  const swap = await asked(CONTRACT, { habits: { sends: "never" } });
  const before = await holdings(swap.account);
  await swap.sendCallsInWallet();
  await swap.ended("Not sent");
  await swap.card.getByText("Your wallet did not send it, and will not. Nothing changed.").waitFor();
  assert.deepEqual(await holdings(swap.account), before);
});

test("a wallet that refuses the calls is asked for the approval, then for the swap", async () => {
  const swap = await asked(CONTRACT, { habits: { refuses: 5750 } });
  const before = await holdings(swap.account);
  await swap.sendCallsInWallet();
  await swap.nextStep("Approve 100 USDC");
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.ended("Confirmed");
  await traded(swap, before);
});

test("calls that went through in part are told apart", async () => {
  const swap = await asked(CONTRACT, { habits: { sends: "one by one" } });
  const before = await holdings(swap.account);
  await sandbox.trade(usdc, sandbox.token("WETH"), 2_000_000);
  await swap.sendCallsInWallet();
  await swap.ended("Partly reverted");
  await swap.card.getByText("Your wallet sent the steps one by one, and one of them reverted.").waitFor();
  assert.equal((await holdings(swap.account)).usdc, before.usdc);
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 100_000_000n);
});

test("a reload while the calls are on their way goes on with them by their id", async () => {
  const swap = await asked(CONTRACT);
  const before = await holdings(swap.account);
  await withoutBlocks(async () => {
    await swap.sendCallsInWallet();
    await swap.heading("Transaction sent").waitFor();
    await swap.page.reload();
    await swap.latest.filter({ hasText: "Transaction sent" }).waitFor();
  });
  await swap.latest.filter({ hasText: "Confirmed" }).waitFor();
  await traded(swap, before);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
});

test("a reload while the prompt is open leaves the calls to the user, and sends none", async () => {
  const swap = await asked(CONTRACT);
  const before = await holdings(swap.account);
  await swap.page.reload();
  const left = swap.page.locator("verified-swap .activity-unfinished");
  await left.getByText("Look into your wallet before you start it again.").waitFor();
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  await left.getByRole("button", { name: "Abandon it" }).click();
  await left.waitFor({ state: "detached" });
  assert.deepEqual(await holdings(swap.account), before);
});
