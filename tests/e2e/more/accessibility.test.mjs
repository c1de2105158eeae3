import assert from "node:assert/strict";
import { test } from "node:test";
import { focusIsOn } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* By ear and by keyboard: what is spoken, and where the focus is. */

/** Every text that the element's status lines and alerts have from now on. */
async function listen({ page }) {
  await page.evaluate(() => {
    window.spoken = [];
    const root = document.querySelector("verified-swap").shadowRoot;
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const line = (target.closest ? target : target.parentElement)?.closest("[role=status], [role=alert]");
        if (line?.textContent.trim()) window.spoken.push(line.textContent.trim());
      }
    }).observe(root, { childList: true, characterData: true, subtree: true });
  });
  return () => page.evaluate(() => [...new Set(window.spoken)]);
}

test("a refresh is not announced; the first price for an amount and each step are", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const spoken = await listen(swap);
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.deepEqual((await spoken()).filter((text) => /for about/.test(text)), []);
  await swap.pay("55");
  assert.equal((await spoken()).filter((text) => /^55 USDC for about [\d.]+ WETH\.$/.test(text)).length, 1);
  await swap.review();
  assert.equal((await spoken()).at(-1), "Order checked. Review it before you sign.");
});

test("each view, and each step, has the focus on its heading; a closed dialog gives it back", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  for (const [open, name] of [[/^Wallet of this page/, "Wallet"], [/^Settings/, "Settings"], [/^You pay: /, "Pay with"]]) {
    await swap.page.getByRole("button", { name: open }).click();
    await swap.page.getByRole("dialog", { name }).waitFor();
    await swap.page.keyboard.press("Escape");
    await focusIsOn(swap, open);
  }
  await swap.review();
  await focusIsOn(swap, /^What you are signing$/);
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await focusIsOn(swap, /^Swap$/);
  await swap.priced();
  await swap.review();
  await swap.main.click();
  await swap.answer("Approve USDC?", "Reject");
  await swap.says("Rejected in your wallet.");
  await focusIsOn(swap, /^Step 1 of 2/);
  await swap.main.click();
  await swap.answer("Approve USDC?", "Approve");
  await focusIsOn(swap, /^Step 2 of 2/);
  await swap.ready("Sign");
  await swap.main.click();
  await swap.signInWallet();
  await swap.settled();
  await focusIsOn(swap, /^(Settled|Order on its way)$/);
});

test("a typing mistake and a failure are announced", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const lines = swap.page.locator("verified-swap").locator("[role=status], [role=alert]");
  const isSpoken = (text) => lines.filter({ hasText: text }).first().waitFor({ state: "attached" });
  await swap.payField.fill("1..2");
  await isSpoken(/An amount is digits with one decimal point\.$/);
  await swap.payField.fill("20000000");
  await isSpoken(/You have less USDC than that\.$/);
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await isSpoken(/No price for this swap right now\./);
});
