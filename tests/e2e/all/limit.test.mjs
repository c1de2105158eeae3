import assert from "node:assert/strict";
import { test } from "node:test";
import { UNREACHABLE, allowed, openLimit } from "../forms.mjs";
import { holdings, sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";

const cancel = (swap) => swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" });

test("a limit far below the market is named in the review, and signed only by who knows; it fills at once", async () => {
  const swap = await openLimit("0.003");
  await swap.figure("Against the market").filter({ hasText: /^9\d(\.\d+)? % below: it can fill at once$/ }).waitFor();
  await swap.ready("Review order");
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  await swap.card.getByText(/^\d+ of \d+ checks passed, 2 unusual$/).waitFor();
  assert.match(await swap.figure("Price").textContent(), /9\d\.\d+ % below/);
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.main.click({ force: true });
  assert.equal(await swap.prompts(), 0);
  await swap.page.getByRole("checkbox", { name: /^I know: this is 9\d\.\d+ % worse than the market\.$/ }).check();
  const before = await holdings(swap.account);
  await swap.swapReviewed();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  const [order] = await swap.newOrders();
  assert.equal(order.type, "LIMIT");
});

test("several orders are cancelled by one signature together; a rejection cancels none", async () => {
  const account = await allowed();
  const swap = await openLimit(UNREACHABLE, { account });
  for (const amount of ["0.05", "0.06"]) {
    await swap.page.getByLabel("At least, in WETH").fill(amount);
    await swap.place({ approve: false });
    await swap.heading("Order placed").waitFor();
    await swap.page.getByRole("button", { name: "New swap" }).click();
  }
  await swap.page.getByRole("button", { name: "Cancel all 2" }).click();
  const signed = swap.signatures();
  await swap.cancelInWallet("Reject");
  await swap.says("Rejected in your wallet.");
  assert.equal((await swap.newOrders()).every(({ status }) => status === "ACTIVE"), true);
  await swap.page.getByRole("button", { name: /^(Sign|Try) again$/ }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.page.locator("verified-swap .activity li", { hasText: "Cancelled" }).nth(1).waitFor();
  assert.equal(swap.signatures() - signed, 1, "one signature");
  assert.deepEqual((await swap.newOrders()).map(({ status }) => status), ["CANCELLED", "CANCELLED"]);
});

test("an order pauses when its allowance goes, and goes on when it is back; a new one leaves it what it needs", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await sandbox.approve(swap.account, usdc, 0);
  await swap.page.getByText("Your approval does not cover it: it cannot be filled before you approve again.").waitFor();
  await sandbox.approve(swap.account, usdc, raw(100, usdc));
  await cancel(swap).waitFor();
  await swap.tab("Swap");
  await swap.pay("30");
  await swap.review();
  assert.match(await swap.step.textContent(), /take exactly 130 USDC \(gas\)This includes what your open orders need\./);
  await swap.swapReviewed();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(100, usdc)));
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await cancel(swap).click();
  await swap.cancelInWallet();
  await swap.page.locator("verified-swap .activity li", { hasText: "Cancelled" }).waitFor();
});

test("an order past its deadline expires, and nothing was exchanged", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.page.getByLabel("Good for").selectOption("3600");
  const before = await holdings(swap.account);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await sandbox.time(3700);
  await swap.heading("Expired").waitFor();
  await swap.card.getByText("The service shows no fill of it.").waitFor();
  assert.deepEqual({ ...(await holdings(swap.account)), eth: before.eth }, before);
});

for (const { what, partly, button } of [
  { what: "the same order again takes the place of the one that rests", partly: false, button: "Sign in its place" },
  { what: "the same order in parts again is another one", partly: true, button: "Have both" },
])
  test(what, async () => {
    const swap = await openLimit(UNREACHABLE);
    if (partly) await swap.page.getByLabel("May be filled in parts").check();
    await swap.place();
    await swap.heading("Order placed").waitFor();
    await swap.page.getByRole("button", { name: "New swap" }).click();
    await swap.ready("Review order");
    await swap.review();
    const asked = swap.signatures();
    await swap.main.click();
    // The resting order's own need is approved with it.
    await swap.answer("Approve USDC?", "Approve");
    await swap.says("You already signed this order");
    assert.equal(swap.signatures(), asked, "nothing was asked of the wallet");
    await swap.page.getByRole("button", { name: button }).click();
    if (partly) await swap.nextStep("Sign");
    await swap.signInWallet();
    await swap.heading("Order placed").waitFor();
    const nonces = (await swap.newOrders()).map(({ order }) => order.nonce);
    assert.equal(nonces.length, 2);
    assert.equal(new Set(nonces).size, partly ? 2 : 1);
  });
