import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../accessible.mjs";
import { focusIsOn } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { WALKS } from "../walks.mjs";

for (const view of ["narrow", "forced-colours"]) {
  test(`the gasless swap: axe finds nothing, and everything fits the screen (${view})`, () =>
    assertAccessible(WALKS[0], view));
}

test("a refresh is not announced; the first price for an amount and each step are", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const spoken = await swap.page.getByRole("status").elementHandle();
  await swap.page.evaluate((node) => {
    window.spoken = [];
    new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  }, spoken);
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.deepEqual(await swap.page.evaluate(() => window.spoken), []);
  await swap.pay("55");
  const [first, ...more] = await swap.page.evaluate(() => window.spoken);
  assert.match(first, /^55 USDC for about [\d.]+ WETH\.$/);
  assert.deepEqual(more, []);
  await swap.review();
  const steps = await swap.page.evaluate(() => window.spoken);
  assert.equal(steps.at(-1), "Order checked. Review it before you sign.");
});

test("a step moves the focus to its heading, and a closed dialog gives it back", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const focused = () => swap.page.evaluate(() => document.activeElement.textContent);
  await swap.page.locator("#wallet-button").click();
  await swap.page.keyboard.press("Escape");
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "wallet-button");
  await swap.review();
  assert.equal(await focused(), "What you are signing");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.heading("Swap").waitFor();
  assert.equal(await focused(), "Swap");
});

test("a rejected cancellation leaves the focus, and a completed one moves it to the heading", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  await swap.press("Cancel this order");
  await swap.cancelInWallet("Reject");
  await swap.says("Rejected in your wallet.");
  await focusIsOn(swap, "Cancel this order");
  await swap.page.keyboard.press("Enter");
  await swap.cancelInWallet();
  await swap.heading("Cancelled").waitFor();
  await focusIsOn(swap, "Cancelled");
});

test("a typing mistake is announced at once, and a failure each time it happens", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const status = swap.page.getByRole("status");
  await swap.payField.fill("1..2");
  await status.filter({ hasText: "An amount is digits with one decimal point." }).waitFor({ state: "attached" });
  await swap.payField.fill("20000000");
  await status.filter({ hasText: /^You need [\d,.]+ USDC more\.$/ }).waitFor({ state: "attached" });
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await status.filter({ hasText: "No price for this swap right now." }).waitFor({ state: "attached" });
  const again = swap.page.evaluate(
    () =>
      new Promise((told) =>
        new MutationObserver(() => told(document.querySelector("[role=status]").textContent.trim())).observe(
          document.querySelector("[role=status]"),
          { childList: true, characterData: true, subtree: true },
        ),
      ),
  );
  await swap.page.getByRole("button", { name: "Try again" }).click();
  assert.match(await again, /^No price for this swap right now\. Nobody offers/);
});

test("while a price is loading there is a placeholder and no figure", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await swap.page.locator(".rows .skeleton").first().waitFor();
  const [bar, zero] = await swap.receiveField.evaluate((node) => [
    getComputedStyle(node).backgroundSize,
    getComputedStyle(node, "::placeholder").color,
  ]);
  assert.deepEqual([bar, zero], ["112px 20px", "rgba(0, 0, 0, 0)"]);
});

test("a tick marks what was checked, and not what the service only states", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  const tick = (name) => swap.page.locator(".stage:visible .row", { hasText: name }).locator(".icon");
  assert.equal(await tick("You get at least").isVisible(), true);
  assert.equal(await tick("Gas, paid by you").isVisible(), false);
});

test("with reduced motion nothing moves", async () => {
  const swap = await SwapPage.open(browser, sandbox, { reducedMotion: "reduce" });
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await swap.page.locator(".rows .skeleton").first().waitFor();
  const moving = await swap.page.evaluate(
    () => document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration > 0).length,
  );
  assert.equal(moving, 0);
});
