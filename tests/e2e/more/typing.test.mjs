import assert from "node:assert/strict";
import { test } from "node:test";
import { assertTyping } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a refused price shows on request what differs, and the way back leads to the form", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.lie("Spender");
  await swap.payField.fill("60");
  for (let round = 0; round < 2; round++) {
    await swap.ready("See what differs");
    await swap.main.click();
    await swap.heading("Not what you asked for").waitFor();
    await swap.page.getByRole("button", { name: "Get a new price" }).click();
  }
  await swap.says("The service changed the contract to approve");
  assert.equal(await swap.payField.inputValue(), "60");
  await swap.lie("Honest");
  await swap.pay("61");
  await swap.review();
});

test("a price refused while an order is reviewed ends the review", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: (page) => page.clock.install(), expected: FAILED_REQUEST });
  await swap.review();
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "Refused" });
  await swap.page.clock.fastForward(31_000);
  await swap.says("This price is 30 s old.");
  await sandbox.control("lie", { kind: "spender" });
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.heading("Not what you asked for").waitFor();
});

test("typing on while an order is built stays in the form", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "build", delayMs: 1500 });
  const built = swap.page.waitForResponse((response) => response.url().endsWith("/build"));
  await swap.main.click();
  await swap.payField.focus();
  await swap.page.keyboard.press("End");
  await swap.page.keyboard.type("5");
  await built;
  await swap.priced();
  await assertTyping(swap, swap.payField, "1005");
  await swap.review();
  assert.equal(await swap.figure("You pay").getAttribute("value"), "1,005");
});

test("a price that is renewed while an order is built loses no click", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "build", delayMs: 2_500 });
  const asked = swap.page.waitForRequest((request) => request.url().endsWith("/build"));
  await swap.main.click();
  await asked;
  const priced = swap.page.waitForResponse((response) => response.url().includes("/quote"));
  await swap.press("Refresh");
  await priced;
  await swap.heading("What you are signing").waitFor();
});

test("a refresh that fails hands the focus to the button that tries again", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError" });
  await swap.press("Refresh");
  await swap.says("No price for this swap");
  assert.equal(await swap.page.evaluate(() => document.activeElement.textContent), "Try again");
});
