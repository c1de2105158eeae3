import assert from "node:assert/strict";
import { test } from "node:test";
import { openTwap } from "../forms.mjs";
import { sliced } from "../outcomes.mjs";
import { sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";

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
});
