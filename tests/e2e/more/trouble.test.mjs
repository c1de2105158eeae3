import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a price that expired during the review is renewed with one button and reviewed again", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: (page) => page.clock.install(), expected: FAILED_REQUEST });
  await swap.review();
  // Refused for good: else a new price comes by itself.
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "Refused" });
  await swap.page.clock.fastForward(31_000);
  await swap.says("This price is 30 s old.");
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.ready(/^Approve /);
  assert.equal((await sandbox.requests("build")).length, 2);
  assert.equal(await swap.prompts(), 0);
  await swap.swapReviewed();
});

test("an order whose answer is lost is found again: one order, one signature, no second prompt", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("fault", { endpoint: "post", dropAfterAccept: true });
  await swap.swap();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
});

test("a balance too small is shown in units, and one button takes the maximum", async () => {
  const account = await sandbox.nextAccount();
  const usdc = sandbox.token("permit");
  await sandbox.mint(account, usdc, 88);
  const swap = await SwapPage.open(browser, sandbox, { account, priced: false });
  const held = await sandbox.balance(account, usdc);
  const more = held + 12_500_000n;
  await swap.payField.fill(`${more / 1_000_000n}.${(more % 1_000_000n).toString().padStart(6, "0")}`);
  await swap.says("You need 12.5 USDC more.");
  await swap.page.getByRole("button", { name: "Use maximum" }).click();
  await swap.priced();
  assert.equal(BigInt((await swap.payField.inputValue()).replace(".", "").padEnd(String(held).length, "0")), held);
});

test("no route, a busy service and a broken answer each say so and leave one button", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const cases = [
    [{ status: 400, errorType: "PricingError", details: "no route" }, "No price for this swap right now."],
    [
      { times: -1, status: 429, html: true },
      "The service is busy and asks us to wait.",
      /^The service is busy\. Asking again in \d+ s\.$/,
    ],
    [{ times: -1, cutBody: true }, /cannot be read|does not answer/],
  ];
  for (const [fault, words, before] of cases) {
    await sandbox.control("fault", { endpoint: "quote", ...fault });
    await swap.page.getByRole("button", { name: "Refresh" }).click();
    if (before) await swap.says(before);
    await swap.says(words);
    assert.equal(await swap.page.locator(".stage:visible .action button:visible").count(), 1);
    await sandbox.reset();
    await swap.page.getByRole("button", { name: "Try again" }).click();
    await swap.priced();
  }
});

test("offline keeps the last price, and online asks for a new one", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.page.context().setOffline(true);
  await swap.says("You are offline.");
  assert.notEqual(await swap.receiveField.inputValue(), "");
  await swap.page.context().setOffline(false);
  await swap.priced();
});
