import assert from "node:assert/strict";
import { test } from "node:test";
import { openTwap } from "../forms.mjs";
import { sliced, spent } from "../outcomes.mjs";
import { holdings, sandbox, usdc, weth } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";

/** A form with slices a minute apart. */
async function minutely(slices) {
  const swap = await openTwap(slices);
  await swap.page.getByLabel("One every").selectOption("60");
  return swap;
}

test("a purchase in slices is bounded by what its buyer enters, and by no quote, and brings its total to the last unit", async () => {
  await sandbox.control("reference", { state: "missing" });
  const swap = await minutely("2");
  await swap.receiveField.fill("0.03");
  await swap.page.getByText("Enter the most that you pay.").waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  const most = swap.page.getByLabel("At most, in USDC");
  assert.equal(await most.inputValue(), "", "the page suggests none");
  await most.fill("92");
  await swap.ready("Review order");
  const before = await holdings(swap.account);
  await swap.review();
  assert.equal(await swap.card.getByRole("checkbox").count(), 0, "the bound is the buyer's own: nothing is left to ask");
  assert.equal(await swap.amount("You pay at most"), unitsOf("92", usdc));
  await swap.main.click();
  await swap.approveInWallet();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(92, usdc)));
  await swap.signInWallet();
  await sliced(swap, 1);
  await sandbox.time(61);
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.03", weth));
  assert.ok(before.usdc - now.usdc <= unitsOf("92", usdc));
  const [order] = await swap.newOrders();
  assert.equal(order.onChainOrderType, "TWAPBuyOrder");
});

test("a purchase in slices that may cost far more than the market is agreed to only by who knows", async () => {
  const swap = await minutely("2");
  await swap.receiveField.fill("0.02");
  await swap.page.getByLabel("At most, in USDC").fill("600");
  await swap.ready("Review order");
  await swap.main.click();
  await swap.page.getByRole("checkbox", { name: /^I know: this is \d{2,3}(\.\d+)? % worse than the market\.$/ }).waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
});

test("slices go on after a reload; cancelled half-way the order keeps what was filled, and takes no more", async () => {
  const swap = await minutely("4");
  await swap.payField.fill("80");
  await swap.ready("Review order");
  const before = await holdings(swap.account);
  await swap.place();
  await sliced(swap, 1);
  await swap.page.reload();
  await swap.latest.filter({ hasText: "1 of 4 slices" }).getByRole("button").first().click();
  await sandbox.time(61);
  await sliced(swap, 2);
  assert.equal(await swap.amount("Paid so far"), BigInt(raw(40, usdc)));
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  assert.equal(await swap.amount("Paid"), BigInt(raw(40, usdc)));
  await sandbox.time(300);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
  assert.equal(order.transactions.length, 2);
  assert.equal(await spent(swap, before), BigInt(raw(40, usdc)));
});
