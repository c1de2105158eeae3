import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, sandbox, usdc, weth } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* Progress beside the form: pills, toasts, the tab's title; the history; what arrived against what was guaranteed. */

test("an order goes on beside the form as a pill, is shown by it, and ends as a toast with what arrived", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  const dock = swap.page.getByRole("complementary", { name: "Under way" });
  assert.equal(await dock.count(), 0, "what is shown needs no pill");
  await swap.main.click();
  await swap.priced();
  await dock.getByRole("button", { name: "USDC → WETH: Solvers bid. Show it" }).click();
  await swap.heading("Order on its way").waitFor();
  // The wait says what the service calls it, and for how long.
  const now = swap.page.locator('.timeline [aria-current="step"]').locator("visible=true");
  await now.getByText("The service says ACTIVE").waitFor();
  await now.locator(".moment", { hasText: /^[1-9]\d* sec$/ }).waitFor();
  await swap.main.click();
  await swap.priced();
  assert.match(await swap.page.title(), /^⏳ Solvers bid…/);
  await sandbox.control("settings", { solving: true });
  const toast = dock.locator(".toast-open", { hasText: /Settled: 0\.0\d+ WETH arrived, (as quoted|[\d.]+ % (better|worse) than quoted)$/ });
  await toast.waitFor();
  assert.match(await swap.page.title(), /^✓ Settled/);
  await toast.click();
  await swap.heading("Settled").waitFor();
  const [order] = await swap.newOrders();
  const result = swap.page.getByRole("region", { name: "What arrives" });
  const arrived = unitsOf(await result.locator("strong data").getAttribute("value"), weth);
  assert.equal(arrived, BigInt(order.output.executedAmount));
  const [least, quoted] = await result.locator(".rows data").evaluateAll((all) => all.map(({ value }) => value));
  assert.ok(arrived > unitsOf(least, weth), "slippage was not used up");
  const bps = ((arrived - unitsOf(quoted, weth)) * 10_000n) / unitsOf(quoted, weth);
  const size = `${Number(bps < 0n ? -bps : bps) / 100} %`;
  const words = bps === 0n ? "As quoted" : `${size} ${bps > 0n ? "better" : "worse"} than quoted`;
  const said = result.locator(".result-gain");
  assert.ok((await said.textContent()).startsWith(words), `slippage that was not used is no gain: ${await said.textContent()}`);
  assert.equal(await said.evaluate((node) => node.matches(".more")), bps > 0n);
  await swap.main.click();
  await swap.priced();
  assert.equal(await swap.page.title(), "Verified swap");
});

test("what is held after a swap is asked for until a node tells: never what was held before", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.approveAndSign();
  await swap.heading("Order on its way").waitFor();
  let isDown = true;
  await swap.page.route("**/rpc/*", (route) =>
    isDown && route.request().postData().includes("eth_call") ? route.fulfill({ status: 502 }) : route.fallback(),
  );
  await sandbox.control("settings", { solving: true });
  await swap.heading("Settled").waitFor();
  // Each of them has been refused by now.
  await swap.page.waitForTimeout(1_500);
  const after = swap.page.locator(".balances:visible tbody tr td:last-child");
  assert.deepEqual(await after.allTextContents(), ["–", "–"]);
  isDown = false;
  await after.locator("data:not([value=–])").nth(1).waitFor();
  const held = await after.locator("data").evaluateAll((all) => all.map(({ value }) => value));
  const [left, got] = [await sandbox.balance(swap.account, usdc), await sandbox.balance(swap.account, weth)];
  assert.deepEqual(held.map((sum, place) => unitsOf(sum.replaceAll(",", ""), [usdc, weth][place])), [left, got]);
});

test("a Market swap is in the history with its approval, and opened after a reload shows what its receipt says", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Market");
  await swap.priced();
  const before = await sandbox.balance(swap.account, weth);
  await swap.send();
  const received = (await sandbox.balance(swap.account, weth)) - before;
  const said = await swap.sentence.textContent();
  assert.match(said, /^100 USDC became 0\.0\d{1,8} WETH\.$/, "it is over, in few digits, to nobody else");
  const [sum] = said.match(/[\d.]+ WETH/);
  await swap.page.reload();
  await swap.priced();
  const entry = swap.latest.filter({ hasText: "Confirmed" });
  await entry.filter({ hasText: `100 USDC → ${sum}` }).waitFor();
  assert.match(await entry.textContent(), /Market · with its approval/);
  await entry.getByRole("button").first().click();
  await swap.heading("Confirmed").waitFor();
  const value = swap.page.getByRole("region", { name: "What arrives" }).locator("strong data");
  assert.equal(unitsOf(await value.getAttribute("value"), weth), received);
  assert.equal(await swap.sentence.textContent(), said);
  await swap.main.click();
  await swap.priced();
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), 0n);
});
