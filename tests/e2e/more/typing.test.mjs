import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTyping } from "../outcomes.mjs";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a refused price shows on request what differs, and the way back leads to the form", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.lie("Spender");
  await swap.payField.fill("60");
  await swap.ready("See what differs");
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  await swap.page.getByRole("button", { name: "Back to the form" }).first().click();
  assert.equal(await swap.payField.inputValue(), "60");
  await swap.lie("Honest");
  await swap.pay("61");
  await swap.review();
});

test("typing on while an order is built stays in the form", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "build", delayMs: 1500 });
  const asked = swap.page.waitForRequest((request) => request.url().endsWith("/build"));
  await swap.main.click();
  await asked;
  await swap.payField.focus();
  await swap.page.keyboard.press("End");
  await swap.page.keyboard.type("5");
  await swap.priced();
  await assertTyping(swap, swap.payField, "1005");
  await swap.review();
  assert.match(await swap.figure("You pay").first().textContent(), /^1,005 USDC/);
});

test("a price that is renewed while an order is built loses no click", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "build", delayMs: 2_500 });
  const asked = swap.page.waitForRequest((request) => request.url().endsWith("/build"));
  await swap.main.click();
  await asked;
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.heading("What you are signing").waitFor();
});
