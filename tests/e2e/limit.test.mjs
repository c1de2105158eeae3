import assert from "node:assert/strict";
import { test } from "node:test";
import { UNREACHABLE, openLimit } from "./forms.mjs";
import { holdings, sandbox, usdc, weth } from "./rig.mjs";
import { unitsOf } from "./sandbox.mjs";

test("a price is turned into the amount exactly, and rests until the market reaches it", async () => {
  const swap = await openLimit();
  await swap.page.getByLabel("Price in WETH for 1 USDC").fill("0.00034");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const [order] = await swap.newOrders();
  assert.equal(order.order.destAmount, unitsOf("0.034", weth).toString());
  await swap.main.click();
  await swap.latest.filter({ hasText: /Limit,.*0 % filled/ }).waitFor();
  const before = await holdings(swap.account);
  await sandbox.trade(weth, usdc, 600);
  try {
    await swap.latest.filter({ hasText: "Settled" }).waitFor();
  } finally {
    await sandbox.trade(usdc, weth, 1_800_000);
  }
  const now = await holdings(swap.account);
  assert.ok(now.weth - before.weth >= (unitsOf("0.034", weth) * 9998n) / 10_000n);
  await swap.close();
});

test("an order is cancelled by one signature, without gas, and cannot be filled any more", async () => {
  const swap = await openLimit(UNREACHABLE);
  const before = await holdings(swap.account);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await swap.main.click();
  const ether = await sandbox.nativeBalance(swap.account);
  await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.latest.filter({ hasText: "Cancelled" }).waitFor();
  assert.equal(await sandbox.nativeBalance(swap.account), ether);
  assert.deepEqual({ ...(await holdings(swap.account)), eth: before.eth }, before);
  const [order] = await swap.newOrders();
  assert.equal(order.status, "CANCELLED");
  assert.equal(await swap.page.getByRole("button", { name: "Cancel the order of USDC for WETH" }).count(), 0);
  await swap.close();
});
