import assert from "node:assert/strict";
import { test } from "node:test";
import { openSale, signedSale } from "../forms.mjs";
import { eth, sandbox, usdc } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";

/** The deposit with Delta, as its wrapped token. */
function deposited(account) {
  return sandbox.balance(account, { address: sandbox.chain.wrappedNative });
}

test("the native token is sold by a signature and a deposit, also where the service names its wrapped form", async () => {
  await sandbox.control("settings", { nativeReading: "deposit", nativeToken: "wrapped" });
  const swap = await openSale();
  const [ether, held] = [await sandbox.nativeBalance(swap.account), await sandbox.balance(swap.account, usdc)];
  await swap.review();
  const least = await swap.amount("You get at least");
  await swap.main.click();
  await swap.signInWallet();
  await swap.depositInWallet();
  await swap.settled();
  assert.ok(ether - (await sandbox.nativeBalance(swap.account)) >= unitsOf("1", eth));
  assert.ok((await sandbox.balance(swap.account, usdc)) - held >= least);
  assert.equal(await deposited(swap.account), 0n);
  assert.equal(swap.transactions(), 1, "the deposit alone");
});

test("the native token is sold by a signature alone, where that is enough", async () => {
  await sandbox.control("settings", { nativeReading: "sign" });
  const swap = await openSale();
  const [ether, held] = [await sandbox.nativeBalance(swap.account), await sandbox.balance(swap.account, usdc)];
  await swap.swap({ approve: false });
  assert.equal(ether - (await sandbox.nativeBalance(swap.account)), unitsOf("1", eth), "and no gas");
  assert.ok((await sandbox.balance(swap.account, usdc)) > held);
  assert.equal(swap.transactions(), 0);
});

test("an order that sells the native token is cancelled on chain, and the deposit comes back", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in USDC").fill("9000");
  await swap.place({ approve: false });
  await swap.depositInWallet();
  await swap.heading("Order placed").waitFor();
  assert.equal(await deposited(swap.account), unitsOf("1", eth));
  const ether = await sandbox.nativeBalance(swap.account);
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.page.getByRole("button", { name: "Cancel the order of ETH for USDC" }).click();
  await swap.cancelOnChain();
  await swap.page.locator("verified-swap .activity li", { hasText: "1 ETH for" }).filter({ hasText: "Cancelled" }).waitFor();
  assert.equal(await deposited(swap.account), 0n);
  const back = (await sandbox.nativeBalance(swap.account)) - ether;
  assert.ok(back > unitsOf("0.99", eth) && back < unitsOf("1", eth), `one ether less gas: ${back}`);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
});

test("a deposit is reviewed after the signature, and rejected it can be made after all, by the same signature", async () => {
  const swap = await signedSale();
  const held = await sandbox.balance(swap.account, usdc);
  await swap.ready(/^Deposit 1 ETH$/);
  assert.match(await swap.step.textContent(), /deposit 1 ETH into Delta 0x/i);
  assert.deepEqual([await swap.prompts(), swap.transactions()], [1, 0], "the signature alone");
  await swap.nextStep(/^Deposit /);
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet.");
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.sendInWallet();
  await swap.settled();
  assert.ok((await sandbox.balance(swap.account, usdc)) > held);
  assert.equal((await swap.newOrders()).length, 1);
  assert.equal(swap.signatures(), 1);
});
