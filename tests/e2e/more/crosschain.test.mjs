import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrossing } from "../forms.mjs";
import { sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";

test("what the bridge does not deliver comes back, and the page says where", async () => {
  await sandbox.control("settings", { bridge: "fail", bridgeDelayMs: 1500 });
  const swap = await openCrossing("USDC");
  const before = await sandbox.balance(swap.account, usdc);
  await swap.approveAndSign();
  await swap.page.locator(".timeline li.done", { hasText: "Over the bridge" }).waitFor();
  const way = swap.page.getByRole("list", { name: "The way of your tokens" });
  await way.getByText("On the bridge").waitFor();
  await swap.page.getByText("Expected to arrive").waitFor();
  assert.equal(await swap.page.getByText("To receive at least").count(), 0, "no order says how much");
  await swap.ended("Refunded");
  await swap.page.getByText(/The bridge did not deliver: [\d.]+ USDC came back to you on/).waitFor();
  await way.getByText("Came back").waitFor();
  const lost = before - (await sandbox.balance(swap.account, usdc));
  assert.ok(lost >= 0n && lost < BigInt(raw(2, usdc)), `all but fees are back: ${lost}`);
  const [order] = await swap.newOrders();
  assert.equal(order.refunds.length, 1);
});
