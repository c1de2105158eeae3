import assert from "node:assert/strict";
import { test } from "node:test";
import { openTwap } from "../forms.mjs";
import { sliced, spent } from "../outcomes.mjs";
import { holdings, sandbox, usdc, weth } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";

test("a purchase in slices brings its total to the last unit within what all slices may spend", async () => {
  const swap = await openTwap("2");
  await swap.receiveField.fill("0.03");
  await swap.page.getByLabel("At most, in USDC").fill("92");
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
  await swap.cancelInWallet();
  await swap.latest.filter({ hasText: "Cancelled" }).waitFor();
  await sandbox.time(300);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
  assert.equal(order.transactions.length, 2);
  assert.equal(await spent(swap, before), BigInt(raw(40, usdc)));
});
