import assert from "node:assert/strict";
import { test } from "node:test";
import { arriving, openCrossing } from "./forms.mjs";
import { sandbox, there, usdc, weth } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";

test("an order across chains arrives there, with at least what it guarantees", async () => {
  const swap = await openCrossing("WETH");
  const token = arriving("WETH");
  const [paid, held, here] = [
    await sandbox.balance(swap.account, usdc),
    await sandbox.balance(swap.account, token, there),
    await sandbox.balance(swap.account, weth),
  ];
  await swap.page.getByRole("list", { name: "The way of your tokens" }).getByText(there.name).waitFor();
  await swap.review();
  assert.equal(await swap.figure("Arrives on").textContent(), there.name);
  const expected = await swap.figure("Expected").getAttribute("value");
  const least = await swap.figure("Guaranteed").getAttribute("value");
  assert.ok(unitsOf(least, token) < unitsOf(expected, token), `${least} is guaranteed, ${expected} only expected`);
  const promises = await swap.page.locator(".stage:visible .rail-promises").textContent();
  const [, enters] = /At least ([\d.]+) WETH enters/.exec(promises);
  assert.match(promises, /Guaranteed, if it delivers.*At least [\d.]+ WETH arrives/);
  assert.ok(unitsOf(enters, weth) > unitsOf(least, token), "the bridge’s cost is between them");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  await swap.page.locator(".rail-line:visible", { hasText: "Arrived" }).waitFor();
  assert.equal(await swap.figure("Guaranteed at least").getAttribute("value"), least);
  await swap.page.getByRole("rowheader", { name: `WETH on ${there.name}` }).waitFor();
  await swap.latest.filter({ hasText: `WETH on ${there.name}` }).waitFor();
  assert.equal(paid - (await sandbox.balance(swap.account, usdc)), BigInt(raw(100, usdc)));
  assert.ok((await sandbox.balance(swap.account, token, there)) - held >= unitsOf(least, token));
  assert.equal(await sandbox.balance(swap.account, weth), here, "nothing arrived here");
  assert.match(await swap.sentence.textContent(), new RegExp(`became .* WETH on ${there.name}`));
  await swap.close();
});

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
  await swap.close();
});
