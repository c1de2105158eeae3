import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

/* An order's own view: after a reload, and opened from the list. */

let sandbox, browser, usdc, weth;

setUp((started) => {
  ({ sandbox, browser } = started);
  usdc = sandbox.token("permit");
  weth = sandbox.token("WETH");
});

/** What the details say beside this name. */
function detail(swap, name) {
  const row = swap.page.locator(".stage:visible .details .row:visible").filter({ has: swap.page.locator("dt", { hasText: new RegExp(`^${name}$`) }) });
  return row.locator("data");
}

async function cancelHere(swap) {
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.heading("Cancelled").waitFor();
}

test("a reload comes back to the order that rests, with all there is to know of it, and it is cancelled there", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  const [order] = await swap.newOrders();
  await swap.page.reload();
  await swap.heading("Order placed").waitFor();
  assert.equal(await detail(swap, "To pay").textContent(), "100 USDC");
  assert.equal(await detail(swap, "To receive at least").textContent(), "0.05 WETH");
  assert.equal(await detail(swap, "Paid").textContent(), "0 USDC");
  assert.equal(await detail(swap, "Received").textContent(), "0 WETH");
  assert.match(await detail(swap, "Good until").textContent(), /\d/);
  assert.equal((await detail(swap, "Receiver").getAttribute("title")).toLowerCase(), `you, ${swap.account.toLowerCase()}`);
  assert.equal(await detail(swap, "Order").getAttribute("title"), order.orderHash);
  await swap.page.locator(".timeline li[aria-current]", { hasText: "Settled" }).waitFor();
  await cancelHere(swap);
  await swap.page.getByText("Nothing was exchanged, and it cost you nothing.").waitFor();
  assert.equal(await swap.page.getByRole("button", { name: "Cancel this order" }).count(), 0);
  assert.equal((await swap.newOrders())[0].status, "CANCELLED");
  assert.equal(await swap.prompts(), 1, "since the reload: the cancellation alone");
  await swap.page.reload();
  await swap.heading("Swap").waitFor();
  await swap.close();
});

test("a reload comes back to the slices, and they go on", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("TWAP");
  await swap.page.getByLabel("Slices").fill("3");
  await swap.payField.fill("90");
  await swap.place();
  const bars = swap.page.locator(".stage:visible .schedule li");
  const done = swap.page.locator(".stage:visible .schedule li.done");
  await done.first().waitFor();
  await swap.page.reload();
  await swap.heading("Order placed").waitFor();
  await done.first().waitFor();
  assert.equal(await bars.count(), 3);
  assert.equal(await detail(swap, "Paid").textContent(), "30 USDC");
  await sandbox.time(61);
  await done.nth(1).waitFor();
  await detail(swap, "Transaction 2").waitFor();
  const [{ transactions }] = await swap.newOrders();
  const shown = [await detail(swap, "Transaction 1").getAttribute("title"), await detail(swap, "Transaction 2").getAttribute("title")];
  assert.deepEqual(shown, transactions.map(({ originTx }) => originTx));
  assert.equal(await detail(swap, "Paid").textContent(), "60 USDC");
  await cancelHere(swap);
  await swap.page.getByText(/^60 USDC became [\d.]+ WETH\.$/).waitFor();
  await swap.close();
});

test("whoever went back to the form finds the form after a reload, and the order in the list", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  await swap.main.click();
  await swap.page.reload();
  await swap.priced();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
  await swap.page.reload();
  await swap.heading("Order placed").waitFor();
  assert.equal(await detail(swap, "To pay").textContent(), "100 USDC", "it was open, and is again");
  await cancelHere(swap);
  await swap.close();
});

test("a settled order of the list is opened with the keyboard, and says what was paid, received, when, and by which transaction", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.swap();
  await swap.main.click();
  await swap.priced();
  await swap.latest.filter({ hasText: "Settled" }).waitFor();
  const [order] = await swap.newOrders();
  await swap.press(/^100 USDC → /);
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.page.evaluate(() => document.activeElement.textContent), "Settled");
  assert.equal(await detail(swap, "Paid").textContent(), "100 USDC");
  const received = (await detail(swap, "Received").getAttribute("value")).replace(" WETH", "");
  assert.equal(unitsOf(received, weth), BigInt(order.output.executedAmount));
  assert.match(await detail(swap, "Received").textContent(), /^0\.0[1-9]\d{0,5} WETH$/, "six digits, like every figure");
  assert.match(await detail(swap, "Average price").textContent(), /^1 WETH = [\d,.]+ USDC$/);
  assert.deepEqual(await swap.page.locator(".timeline li.done time").count(), 2, "when it was posted, and when it was settled");
  assert.equal(await detail(swap, "Transaction").getAttribute("title"), order.transactions[0].originTx);
  assert.equal(await swap.prompts(), 2, "nothing is asked for again");
  await swap.press("Details");
  await swap.press("Back to the form");
  await swap.priced();
  await swap.close();
});

test("an opened order is followed while it is filled, and a rejected cancellation says so there", async () => {
  await sandbox.control("settings", { solving: false });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("Limit");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At least, in WETH").fill("0.02");
  await swap.page.getByLabel("May be filled in parts").check();
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const [{ id: orderId }] = await swap.newOrders();
  await swap.main.click();
  await swap.latest.filter({ hasText: "Solvers bid" }).waitFor();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order placed").waitFor();
  await sandbox.control("fill", { orderId, percent: 40 });
  await detail(swap, "Paid").filter({ hasText: "40 USDC" }).waitFor();
  await swap.page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.answer("Sign this cancellation?", "Reject");
  await swap.says("Rejected in your wallet. Nothing was sent.");
  const before = await sandbox.balance(swap.account, usdc);
  await sandbox.control("fill", { orderId });
  await swap.heading("Settled").waitFor();
  await detail(swap, "Paid").filter({ hasText: "100 USDC" }).waitFor();
  assert.equal(before - (await sandbox.balance(swap.account, usdc)), BigInt(raw(60, usdc)));
  await swap.close();
});

/** What the page remembers of the order, with another hash. */
function misremember(swap, more) {
  return swap.page.evaluate((changes) => {
    const [order] = JSON.parse(localStorage.getItem("orders-in-flight"));
    localStorage.setItem("orders-in-flight", JSON.stringify([{ ...order, orderHash: `0x${"12".repeat(32)}`, ...changes }]));
  }, more);
}

test("a signed order that the service does not find after a reload is handed in again as it was signed, not signed again", async () => {
  const swap = await SwapPage.placed(browser, sandbox, { expected: /Failed to load resource/ });
  const [{ orderHash }] = await swap.newOrders();
  await misremember(swap, {});
  const posts = (await sandbox.requests("post")).length;
  await swap.page.reload();
  await detail(swap, "Order").and(swap.page.locator(`[title="${orderHash}"]`)).waitFor();
  const [first, again] = (await sandbox.requests("post")).slice(posts - 1).map(({ body }) => JSON.parse(body).signature);
  assert.equal(again, first);
  assert.equal(swap.signatures(), 1);
  await cancelHere(swap);
  await swap.close();
});

test("an order that was only looked at, and that the service no longer knows after a reload, is let go", async () => {
  const swap = await SwapPage.placed(browser, sandbox, { expected: /Failed to load resource/ });
  await misremember(swap, { signedOrder: null });
  await swap.page.reload();
  await swap.says("The service does not know this order.");
  await swap.main.click();
  await swap.heading("Swap").waitFor();
  await swap.page.reload();
  await swap.priced();
  await swap.close();
});
