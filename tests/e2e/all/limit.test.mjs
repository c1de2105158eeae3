import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { UNREACHABLE, allowed, openLimit } from "../forms.mjs";
import { browser, holdings, sandbox, usdc, weth } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a limit order below the market is filled at once, for its amount or more", async () => {
  const swap = await openLimit("0.03");
  const before = await holdings(swap.account);
  await swap.ready("Review order");
  await swap.review();
  assert.match(await swap.figure("Filled").textContent(), /Whole or not at all/);
  const least = await swap.figure("You get at least").getAttribute("value");
  await swap.swapReviewed();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth - before.weth >= unitsOf(least, weth));
  const [order] = await swap.newOrders();
  assert.equal(order.type, "LIMIT");
});

test("a purchase with a limit spends at most what was typed", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.tab("Limit");
  await swap.receiveField.fill("0.01");
  await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await swap.page.getByLabel("At most, in USDC").fill("32");
  const before = await holdings(swap.account);
  await swap.place();
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.01", weth));
  assert.ok(before.usdc - now.usdc <= BigInt(raw(32, usdc)));
});

test("an order in parts shows how much of it is filled, and its average price, then the rest", async () => {
  const swap = await openLimit("0.03");
  await sandbox.control("settings", { solving: false });
  await swap.page.getByLabel("May be filled in parts").check();
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const before = await holdings(swap.account);
  const [{ id: orderId }] = await swap.newOrders();
  await swap.main.click();
  await swap.latest.filter({ hasText: "Waiting for its price" }).waitFor();
  // The page says so of an order that the auction has not taken up yet, too.
  while ((await swap.newOrders())[0].status !== "ACTIVE") await sleep(20);
  await sandbox.control("fill", { orderId, percent: 40 });
  await swap.latest.filter({ hasText: /40 % filled ?1 WETH = [\d,.]+ USDC/ }).waitFor();
  const between = await holdings(swap.account);
  assert.equal(before.usdc - between.usdc, BigInt(raw(40, usdc)));
  assert.ok(between.weth > before.weth);
  await sandbox.control("fill", { orderId });
  await swap.latest.filter({ hasText: "Settled" }).waitFor();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
});

test("an order pauses when its allowance goes, and goes on when it is back", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.main.click();
  await swap.latest.filter({ hasText: "Waiting for its price" }).waitFor();
  await sandbox.approve(swap.account, usdc, 0);
  await swap.latest.filter({ hasText: "Paused" }).waitFor();
  await sandbox.approve(swap.account, usdc, raw(100, usdc));
  await swap.latest.filter({ hasText: "Waiting for its price" }).waitFor();
  await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).click();
  await swap.cancelInWallet();
});

test("several orders are cancelled by one signature together; a rejection cancels none", async () => {
  const account = await allowed();
  const swap = await openLimit(UNREACHABLE, { account });
  for (const amount of ["0.05", "0.06"]) {
    await swap.page.getByLabel("At least, in WETH").fill(amount);
    await swap.place({ approve: false });
    await swap.heading("Order placed").waitFor();
    await swap.main.click();
  }
  const all = swap.page.getByRole("button", { name: "Cancel all 2" });
  await all.click();
  await swap.cancelInWallet("Reject");
  await swap.page.locator(".recent:visible").getByText("Rejected in your wallet. Nothing was sent.").waitFor();
  // A wallet that cannot sign.
  await swap.page.route("**/rpc/**", (route) =>
    route.request().postData()?.includes("eth_signTypedData_v4")
      ? route.fulfill({ json: { jsonrpc: "2.0", id: 1, error: { code: 4200, message: "Not offered." } } })
      : route.fallback(),
  );
  await all.click();
  await swap.cancelInWallet();
  const words = "Your wallet could not sign the cancellation. A transaction cancels one order: 1 other stays open.";
  await swap.page.locator(".recent:visible").getByText(words).waitFor();
  await swap.page.locator(".stage.review .title button").click();
  await swap.page.unroute("**/rpc/**");
  const signed = swap.signatures();
  await all.click();
  await swap.cancelInWallet();
  await swap.page.locator(".recent:visible").getByText("2 orders cancelled.").waitFor();
  assert.equal(swap.signatures() - signed, 1);
  assert.deepEqual((await swap.newOrders()).map(({ status }) => status), ["CANCELLED", "CANCELLED"]);
});

test("a new order leaves an older one what it needs", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.main.click();
  await swap.tab("Swap");
  await swap.pay("30");
  await swap.review();
  assert.match(await swap.plan.textContent(), /approve exactly 130 USDC .* including what your open orders need/);
  await swap.swapReviewed();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(100, usdc)));
  const older = swap.page.locator(".recent .order").nth(1);
  await older.filter({ hasText: "Waiting for its price" }).waitFor();
  await older.getByRole("button", { name: /^Cancel/ }).click();
  await swap.cancelInWallet();
  await older.filter({ hasText: "Cancelled" }).waitFor();
});

test("an order past its deadline expires, nothing was exchanged, and its approval is not called free", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.page.locator(".stage:visible").getByLabel("Good for").selectOption("1 hour");
  const before = await holdings(swap.account);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await sandbox.time(3700);
  await swap.heading("Expired").waitFor();
  await swap.page.getByText("The service shows no fill of it. Your balances show whether it was filled.", { exact: true }).waitFor();
  assert.deepEqual({ ...(await holdings(swap.account)), eth: before.eth }, before);
});

test("the same order again takes the place of the one that rests; in parts it is another one", async () => {
  for (const { partly, button, signs } of [
    { partly: false, button: "Sign in its place" },
    { partly: true, button: "Review another", signs: true },
  ]) {
    const swap = await openLimit(UNREACHABLE);
    if (partly) await swap.page.getByLabel("May be filled in parts").check();
    await swap.place();
    await swap.heading("Order placed").waitFor();
    await swap.page.getByRole("button", { name: "Back to the form" }).locator("visible=true").click();
    await swap.ready("Review order");
    await swap.review();
    const asked = swap.signatures();
    await swap.main.click();
    // What the order that rests still needs is approved with it.
    await swap.approveInWallet();
    await swap.says("You already signed this order");
    assert.equal(swap.signatures(), asked, "nobody was asked to sign");
    await swap.page.getByRole("button", { name: button }).click();
    if (signs) {
      await swap.ready("Sign");
      await swap.main.click();
    }
    await swap.signInWallet();
    await swap.heading("Order placed").waitFor();
    const nonces = (await swap.newOrders()).map(({ order }) => order.nonce);
    assert.equal(nonces.length, 2);
    assert.equal(new Set(nonces).size, partly ? 2 : 1);
    await swap.close();
  }
});
