import assert from "node:assert/strict";
import { test } from "node:test";
import { openTwap } from "./forms.mjs";
import { sliced, spent } from "./outcomes.mjs";
import { holdings, sandbox, usdc } from "./rig.mjs";
import { raw } from "./sandbox.mjs";

test("a sale in slices shows its schedule, takes one slice at a time, and all of it in the end", async () => {
  const swap = await openTwap("3");
  await swap.payField.fill("100");
  await swap.ready("Review order");
  const drawn = await swap.page.locator(".stage:visible .schedule li").allTextContents();
  assert.equal(drawn.length, 3);
  assert.match(drawn[0], /33\.3334 USDC/);
  assert.match(drawn[2], /33\.3334 USDC/);
  const exact = await swap.page
    .locator(".stage:visible .schedule li [title]")
    .evaluateAll((all) => all.map(({ title }) => title));
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
  const filled = await swap.page.locator(".stage:visible .schedule li.done .slice-state").allTextContents();
  const rates = order.transactions.map(({ receivedAmount, spentAmount }) => Number(receivedAmount) / Number(spentAmount));
  rates.forEach((rate, slice) => {
    const share = Number(/ WETH, ([+−]?[\d.]+) %$/.exec(filled[slice])?.[1].replace("−", "-"));
    const against = (rate / rates[0] - 1) * 100;
    if (slice === 0) assert.match(filled[0], /^Filled for [\d.]+ WETH$/, "the first is the reference");
    else assert.ok(Math.abs(share - against) < 0.02, `${filled[slice]} is ${against} % from the first slice's price`);
  });
  assert.equal(filled.length, 3);
  const entry = swap.page.locator(".recent .order").first().filter({ hasText: /TWAP.*3 of 3 slices/ });
  await entry.waitFor();
  const words = await swap.page.locator(".stage:visible .plan-words").textContent();
  await swap.page.reload();
  await entry.getByRole("button").first().click();
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.page.locator(".stage:visible .plan-words").textContent(), words);
  const again = await swap.page.locator(".stage:visible .schedule li.done .slice-state").allTextContents();
  assert.deepEqual(again, filled, "in progress and in the history by one reference");
  await swap.close();
});

test("a purchase in slices is bounded by what its buyer says, and by no quote", async () => {
  await sandbox.control("reference", { state: "missing" });
  const swap = await openTwap("2");
  await swap.receiveField.fill("0.02");
  await swap.says("Enter the most that you pay.");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  const most = swap.page.getByLabel("At most, in USDC");
  assert.equal(await most.inputValue(), "", "the page suggests none");
  await most.fill("600");
  await swap.ready("Review order");
  await swap.main.click();
  const far = swap.page.getByRole("checkbox", { name: /^I know: \d{3}(\.\d+)? % worse than the market$/ });
  await far.waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await most.fill("62");
  await swap.ready("Review order");
  // The bound is the buyer's own: nothing is left to ask.
  await swap.review();
  assert.equal(await swap.page.locator(".review:visible").getByRole("checkbox").count(), 0);
  assert.equal(await swap.figure("You pay at most").getAttribute("value"), "62");
  await swap.main.click();
  await swap.approveInWallet();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(62, usdc)));
  await swap.signInWallet();
  await sliced(swap, 1, 2);
  await swap.close();
});
