import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelHere, detail, openLatest } from "../own-view.mjs";
import { browser, sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* An order's own view: after a reload, and opened from the list. */

test("after a reload the slices go on, and are shown where the order is opened", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("TWAP");
  await swap.page.getByLabel("Slices").fill("3");
  await swap.payField.fill("90");
  await swap.place();
  const bars = swap.page.locator(".stage:visible .schedule li");
  const done = swap.page.locator(".stage:visible .schedule li.done");
  await done.first().waitFor();
  await swap.page.reload();
  await openLatest(swap);
  await done.first().waitFor();
  assert.equal(await bars.count(), 3);
  assert.equal(await detail(swap, "Paid").textContent(), "30 USDC");
  await sandbox.time(61);
  await done.nth(1).waitFor();
  await detail(swap, "Transaction 2").waitFor();
  const [{ transactions }] = await swap.newOrders();
  const shown = [
    await detail(swap, "Transaction 1").getAttribute("title"),
    await detail(swap, "Transaction 2").getAttribute("title"),
  ];
  assert.deepEqual(shown, transactions.map(({ originTx }) => originTx));
  assert.equal(await detail(swap, "Paid").textContent(), "60 USDC");
  await cancelHere(swap);
  await swap.page.getByText(/^60 USDC became [\d.]+ WETH\.$/).waitFor();
});

test("an opened order is followed while it is filled, and a rejected cancellation says so there", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.031");
  await swap.page.getByLabel("May be filled in parts").check();
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const [{ id: orderId }] = await swap.newOrders();
  await swap.main.click();
  await swap.latest.filter({ hasText: "Waiting for its price" }).waitFor();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
  await sandbox.control("fill", { orderId, percent: 40 });
  await detail(swap, "Paid").filter({ hasText: "40 USDC" }).waitFor();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet("Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  const before = await sandbox.balance(swap.account, usdc);
  await sandbox.control("fill", { orderId });
  await swap.heading("Settled").waitFor();
  await detail(swap, "Paid").filter({ hasText: "100 USDC" }).waitFor();
  assert.equal(before - (await sandbox.balance(swap.account, usdc)), BigInt(raw(60, usdc)));
});
