import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a price the service calls stale is renewed with one button", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("time", { advanceSecs: 60 });
  await swap.main.click();
  await swap.says("This price is 30 s old.");
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  await swap.review();
});

test("a shown price is renewed by itself before it is 30 s old", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: (page) => page.clock.install() });
  const asked = (await sandbox.requests("quote")).length;
  await swap.page.clock.fastForward(21_000);
  await swap.says(/^Price [0-2] s old/);
  assert.equal((await sandbox.requests("quote")).length, asked + 1);
});

test("a service that is away for minutes gets the order once it is back, and the user is asked nothing", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: (page) => page.clock.install(), expected: FAILED_REQUEST });
  for (const endpoint of ["post", "orderByHash"]) await sandbox.control("fault", { endpoint, times: 1000, dropBefore: true });
  await swap.approveAndSign();
  await swap.says("Sent, but no answer yet. Do not sign again; we are checking.");
  await swap.page.clock.fastForward(180_000);
  await swap.says("Sent, but no answer yet. Do not sign again; we are checking.");
  assert.deepEqual(await swap.newOrders(), []);
  await sandbox.reset();
  await swap.settled();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
});

test("a reload in mid-swap goes on with the same order, and does not ask to sign again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("settings", { solving: false });
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  await swap.page.reload();
  await swap.heading("Order on its way").waitFor();
  await sandbox.control("settings", { solving: true });
  await swap.heading("Settled").waitFor();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
});

test("an order the service refuses is not on its way, and a reload does not bring it back", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("fault", {
    endpoint: "post",
    status: 400,
    errorType: "InvalidInput",
    details: "Token is \u202eblocked.",
  });
  await swap.approveAndSign();
  await swap.says("The service refused: Token is blocked.");
  await swap.heading("What you are signing").waitFor();
  await swap.page.reload();
  await swap.priced();
  assert.deepEqual(await swap.newOrders(), []);
});
