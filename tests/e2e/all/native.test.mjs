import assert from "node:assert/strict";
import { test } from "node:test";
import { openSale } from "../forms.mjs";
import { browser, eth, sandbox, usdc } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/** The deposit with Delta, as its wrapped token. */
function deposited(account) {
  return sandbox.balance(account, { address: sandbox.chain.wrappedNative });
}

for (const nativeToken of ["placeholder", "wrapped"]) {
  test(`the native token is sold by a signature and a deposit, named by the ${nativeToken}`, async () => {
    await sandbox.control("settings", { nativeReading: "deposit", nativeToken });
    const swap = await openSale();
    const [ether, held] = [await sandbox.nativeBalance(swap.account), await sandbox.balance(swap.account, usdc)];
    await swap.review();
    assert.match(await swap.plan.textContent(), /deposits 1 ETH/);
    const least = await swap.figure("You get at least").getAttribute("value");
    await swap.main.click();
    await swap.signInWallet();
    await swap.depositInWallet();
    await swap.settled();
    assert.ok(ether - (await sandbox.nativeBalance(swap.account)) >= unitsOf("1", eth));
    assert.ok((await sandbox.balance(swap.account, usdc)) - held >= unitsOf(least, usdc));
    assert.equal(await deposited(swap.account), 0n);
    assert.equal(swap.transactions(), 1, "the deposit alone");
  });

  test(`the native token is sold by a signature alone, named by the ${nativeToken}`, async () => {
    await sandbox.control("settings", { nativeReading: "sign", nativeToken });
    const swap = await openSale();
    const [ether, held] = [await sandbox.nativeBalance(swap.account), await sandbox.balance(swap.account, usdc)];
    await swap.swap({ approve: false });
    assert.equal(ether - (await sandbox.nativeBalance(swap.account)), unitsOf("1", eth), "and no gas");
    assert.ok((await sandbox.balance(swap.account, usdc)) > held);
    assert.equal(swap.transactions(), 0);
  });
}

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
  await swap.main.click();
  await swap.page.getByRole("button", { name: "Cancel the order of ETH for USDC" }).click();
  await swap.cancelOnChain();
  await swap.ended("Confirmed");
  assert.equal(await deposited(swap.account), 0n);
  const back = (await sandbox.nativeBalance(swap.account)) - ether;
  assert.ok(back > unitsOf("0.99", eth) && back < unitsOf("1", eth), `one ether less gas: ${back}`);
  await swap.main.click();
  // The service sees the transaction a moment after the wallet's node does.
  const row = swap.page.locator(".recent:visible .order", { hasText: "1 ETH → 9,000 USDC" });
  await row.filter({ hasText: "Cancelled" }).waitFor();
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
});

test("what is left of a deposit is withdrawn", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.rpc("eth_sendTransaction", [
    { from: account, to: sandbox.chain.wrappedNative, value: "0xde0b6b3a7640000" },
  ]);
  const swap = await SwapPage.open(browser, sandbox, { account });
  assert.equal(await deposited(account), unitsOf("1", eth));
  await swap.page.getByText("Still deposited: 1 ETH").waitFor();
  await swap.page.getByRole("button", { name: "Withdraw" }).click();
  await swap.heading("What you are sending").waitFor();
  await swap.sendReviewed({ approve: false });
  assert.equal(await deposited(account), 0n);
});
