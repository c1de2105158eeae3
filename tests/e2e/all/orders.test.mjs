/* An order's own view: beside the form, after a reload, and opened from the list. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, usdc, weth } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

const rows = (swap) => swap.page.locator("verified-swap .activity li");

test("after a reload the resting order is in the list; opened, it has all its details, and is cancelled there without gas", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  const [order] = await swap.newOrders();
  const get = await swap.amount("You get at least");
  await swap.page.reload();
  await swap.latest.filter({ hasText: "Limit" }).getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
  assert.deepEqual([await swap.amount("You pay"), await swap.amount("You get at least")], [BigInt(raw(100, usdc)), get]);
  assert.match(await swap.figure("Good until").textContent(), /\d/);
  assert.match(await swap.figure("To").textContent(), /^You, /);
  assert.equal(await swap.figure("Order").locator("bdi").getAttribute("title"), order.orderHash);
  await swap.page.getByRole("list", { name: "Progress" }).locator("[aria-current]", { hasText: "Waiting for its price" }).waitFor();
  const ether = await sandbox.nativeBalance(swap.account);
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await swap.card.getByText("Nothing was exchanged.").waitFor();
  assert.equal(await swap.page.getByRole("button", { name: "Cancel this order" }).count(), 0);
  assert.equal((await swap.newOrders())[0].status, "CANCELLED");
  assert.equal(await sandbox.nativeBalance(swap.account), ether);
  assert.equal(await swap.prompts(), 1, "since the reload: the cancellation alone");
});

test("an opened order in parts is followed while it is filled, and a rejected cancellation is told there", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.031");
  await swap.page.getByLabel("May be filled in parts").check();
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const [{ id: orderId }] = await swap.newOrders();
  while ((await swap.newOrders())[0].status !== "ACTIVE") await swap.page.waitForTimeout(20);
  await sandbox.control("fill", { orderId, percent: 40 });
  await swap.figure("Filled").filter({ hasText: "40 %" }).waitFor();
  assert.equal(await swap.amount("Paid so far"), BigInt(raw(40, usdc)));
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.latest.filter({ hasText: "40 % filled" }).getByRole("button").first().click();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet("Reject");
  await swap.says("Rejected in your wallet.");
  const before = await sandbox.balance(swap.account, usdc);
  await sandbox.control("fill", { orderId });
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await rows(swap).filter({ hasText: "Settled" }).getByRole("button").first().click();
  assert.equal(await swap.amount("Paid"), BigInt(raw(100, usdc)));
  assert.equal(before - (await sandbox.balance(swap.account, usdc)), BigInt(raw(60, usdc)));
});

test("an order goes on beside the form, is opened from the list, and its end is news until it is looked at", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.priced();
  await swap.latest.filter({ hasText: "Solvers bid" }).getByRole("button").first().click();
  await swap.heading("Order on its way").waitFor();
  const now = swap.page.getByRole("list", { name: "Progress" }).locator("[aria-current=step]");
  await now.filter({ hasText: /Solvers bid.*[1-9]\d* sec/ }).waitFor();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await sandbox.control("settings", { solving: true });
  const news = swap.page.getByRole("button", { name: /Settled: 0\.0\d+ WETH arrived/ });
  await news.click();
  await swap.heading("Settled").waitFor();
  const [order] = await swap.newOrders();
  assert.equal(await swap.amount("Received"), BigInt(order.output.executedAmount));
  assert.match(await swap.card.locator(".entry-gain").textContent(), /^(as quoted|[\d.]+ % (better|worse) than quoted)$/);
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.priced();
  assert.equal(await news.count(), 0);
});

test("a settled order is in the list after a reload, is opened with the keyboard, and has amounts, times and transaction", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.swap();
  await swap.page.reload();
  await swap.priced();
  const [order] = await swap.newOrders();
  await rows(swap).filter({ hasText: "Settled" }).waitFor();
  await swap.press(/^100 USDC for /);
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.page.evaluate(() => document.activeElement.shadowRoot.activeElement.tagName), "H2");
  assert.equal(await swap.amount("Paid"), BigInt(raw(100, usdc)));
  assert.equal(await swap.amount("Received"), BigInt(order.output.executedAmount));
  assert.match(await swap.figure("Rate").textContent(), /^1 WETH = [\d,.]+ USDC$/);
  assert.equal(await swap.page.getByRole("list", { name: "Progress" }).locator("time").count() >= 2, true, "posted and settled");
  assert.ok((await swap.figure("Transaction").textContent()).includes(order.transactions[0].originTx.slice(0, 6)));
  assert.equal(await swap.prompts(), 0, "nothing is asked for again");
});

test("a Market swap is in the list with its approval, and opened after a reload has what its receipt has", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Market");
  await swap.priced();
  const before = await sandbox.balance(swap.account, weth);
  await swap.send();
  const received = (await sandbox.balance(swap.account, weth)) - before;
  await swap.page.reload();
  await swap.priced();
  await rows(swap).filter({ hasText: "Approval" }).waitFor();
  await rows(swap).filter({ hasText: "Market" }).getByRole("button").first().click();
  await swap.heading("Confirmed").waitFor();
  assert.equal(await swap.amount("Received"), received);
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 0n);
});
