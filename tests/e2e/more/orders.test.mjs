import assert from "node:assert/strict";
import { test } from "node:test";
import { cancelHere, detail, openLatest } from "../own-view.mjs";
import { browser, sandbox, weth } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* An order's own view: after a reload, and opened from the list. */

test("after a reload the resting order is in the list; opened, it shows all its details, and is cancelled there", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  const [order] = await swap.newOrders();
  await swap.page.reload();
  await openLatest(swap);
  assert.equal(await detail(swap, "To pay").textContent(), "100 USDC");
  assert.equal(await swap.figure("Guaranteed at least").textContent(), "0.049995 WETH");
  assert.match(await detail(swap, "Good until").textContent(), /\d/);
  assert.equal((await detail(swap, "Receiver").getAttribute("title")).toLowerCase(), `you, ${swap.account.toLowerCase()}`);
  assert.equal(await detail(swap, "Order").getAttribute("title"), order.orderHash);
  await swap.page.locator(".timeline li[aria-current]", { hasText: "Waiting for its price" }).waitFor();
  assert.match(await swap.sentence.textContent(), /It waits for its price, 1 WETH = 2,000 USDC\.$/);
  await cancelHere(swap);
  await swap.page.getByText("The service shows no fill of it. Your balances show whether it was filled.", { exact: true }).waitFor();
  assert.equal(await swap.page.getByRole("button", { name: "Cancel this order" }).count(), 0);
  assert.equal((await swap.newOrders())[0].status, "CANCELLED");
  assert.equal(await swap.prompts(), 1, "since the reload: the cancellation alone");
  await swap.page.reload();
  await swap.heading("Limit order").waitFor();
});

test("a settled order is in the list, also after a reload, is opened with the keyboard, and shows amounts, time and transaction", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.swap();
  await swap.main.click();
  await swap.priced();
  const entry = swap.latest.filter({ hasText: /100 USDC → .* WETH\s*Settled/ });
  await entry.waitFor();
  await swap.page.reload();
  await swap.priced();
  await entry.waitFor();
  const [order] = await swap.newOrders();
  await swap.press(/^100 USDC → /);
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.page.evaluate(() => document.activeElement.textContent), "Settled");
  assert.equal(await detail(swap, "Paid").textContent(), "100 USDC");
  const arrived = swap.page.getByRole("region", { name: "What arrives" }).locator("strong data");
  assert.equal(unitsOf(await arrived.getAttribute("value"), weth), BigInt(order.output.executedAmount));
  assert.match(await arrived.textContent(), /^0\.0[1-9]\d{0,5} WETH$/, "six digits, like every figure");
  assert.match(await detail(swap, "Average price").textContent(), /^1 WETH = [\d,.]+ USDC$/);
  assert.deepEqual(await swap.page.locator(".timeline li.done time").count(), 2, "when it was posted, and when it was settled");
  assert.equal(await detail(swap, "Transaction").getAttribute("title"), order.transactions[0].originTx);
  assert.equal(await swap.prompts(), 0, "nothing is asked for again");
  await swap.press("Back to the form");
  await swap.priced();
});
