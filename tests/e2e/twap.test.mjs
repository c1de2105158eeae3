import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

let sandbox, browser, usdc, weth;

setUp((started) => {
  ({ sandbox, browser } = started);
  usdc = sandbox.token("permit");
  weth = sandbox.token("WETH");
});

async function openTwap(slices) {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("TWAP");
  await swap.page.getByLabel("Slices").fill(slices);
  return swap;
}

async function holdings(account) {
  return { usdc: await sandbox.balance(account, usdc), weth: await sandbox.balance(account, weth) };
}

/** Waits until so many slices are done. */
function sliced(swap, done, of) {
  return swap.page.locator(".stage:visible .schedule li.done").nth(done - 1).waitFor().then(async () => {
    assert.equal(await swap.page.locator(".stage:visible .schedule li").count(), of);
  });
}

test("a sale in slices shows its schedule, takes one slice at a time, and all of it in the end", async () => {
  const swap = await openTwap("3");
  await swap.payField.fill("100");
  await swap.ready("Review order");
  const drawn = await swap.page.locator(".stage:visible .schedule li").allTextContents();
  assert.equal(drawn.length, 3);
  assert.match(drawn[0], /33\.3333 USDC/);
  assert.match(drawn[2], /33\.3333 USDC/);
  const exact = await swap.page.locator(".stage:visible .schedule li [title]").evaluateAll((all) => all.map(({ title }) => title));
  assert.deepEqual(exact, ["33.333333 USDC", "33.333333 USDC", "33.333334 USDC"]);
  const before = await holdings(swap.account);
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(100, usdc)), "exactly the total is approved");
  await swap.signInWallet();
  await sliced(swap, 1, 3);
  assert.equal(await spent(swap, before), 33_333_333n);
  await sandbox.time(61);
  await sliced(swap, 2, 3);
  assert.equal(await spent(swap, before), 66_666_666n);
  await sandbox.time(61);
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, 100_000_000n);
  assert.ok(now.weth > before.weth);
  const [order] = await swap.newOrders();
  assert.equal(order.transactions.length, 3);
  await swap.page.locator(".recent .order").first().filter({ hasText: /TWAP.*3 of 3 slices/ }).waitFor();
  await swap.close();
});

test("a purchase in slices brings its total to the last unit within what all slices may spend", async () => {
  const swap = await openTwap("2");
  await swap.receiveField.fill("0.03");
  await swap.ready("Review order");
  const before = await holdings(swap.account);
  await swap.review();
  const cap = await swap.figure("You pay at most").getAttribute("value");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await sliced(swap, 1, 2);
  await sandbox.time(61);
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.03", weth));
  assert.ok(before.usdc - now.usdc <= unitsOf(cap, usdc), `${before.usdc - now.usdc} within ${cap}`);
  const [order] = await swap.newOrders();
  assert.equal(order.onChainOrderType, "TWAPBuyOrder");
  await swap.close();
});

test("an order cancelled half-way keeps what was filled, and takes no more", async () => {
  const swap = await openTwap("4");
  await swap.payField.fill("80");
  await swap.ready("Review order");
  const before = await holdings(swap.account);
  await swap.place();
  await sliced(swap, 1, 4);
  await sandbox.time(61);
  await sliced(swap, 2, 4);
  await swap.main.click();
  await swap.latest.filter({ hasText: "2 of 4 slices" }).waitFor();
  await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.latest.filter({ hasText: "Cancelled" }).waitFor();
  await sandbox.time(300);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
  assert.equal(order.transactions.length, 2);
  assert.equal(await spent(swap, before), BigInt(raw(40, usdc)));
  await swap.close();
});

async function spent(swap, before) {
  return before.usdc - (await sandbox.balance(swap.account, usdc));
}
