import assert from "node:assert/strict";
import { test } from "node:test";
import { arriving, openCrossing } from "../forms.mjs";
import { browser, sandbox, there, usdc } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a token of other decimals arrives in its own units", async () => {
  const swap = await openCrossing("USDB");
  const token = arriving("USDB");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const received = (await sandbox.balance(swap.account, token, there)) - held;
  assert.ok(received > unitsOf("99", token) && received < unitsOf("100", token), String(received));
  assert.equal(await swap.amount("Received"), received);
});

test("another bridge can be chosen, and carries the order", async () => {
  const swap = await openCrossing("USDC");
  const bridges = swap.page.getByRole("group", { name: "Bridge" }).getByRole("radio");
  assert.equal(await bridges.count(), 2);
  const before = await swap.amount("You get at least");
  await bridges.first().focus();
  await swap.page.keyboard.press("ArrowDown");
  const row = swap.page.locator(".form-route", { has: swap.page.locator(":checked") });
  const name = await row.locator("bdi").first().textContent();
  assert.ok((await swap.amount("You get at least")) > before, "what is guaranteed is that of the chosen bridge");
  assert.match(await swap.figure("Route").textContent(), new RegExp(`over ${name}`));
  await swap.refresh();
  await swap.priced();
  assert.ok(await bridges.nth(1).isChecked(), "a renewed price keeps the bridge");
  const token = arriving("USDC");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const [{ body }] = await sandbox.requests("build");
  assert.ok(name.includes(JSON.parse(body).route.bridge.protocol), `${name}: ${body}`);
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
});

test("an arrival that only the bridge promises is built after the user consents", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "USDT", there.name);
  await swap.page.getByText("Accept the bridge’s promise, or choose another route or token.").waitFor();
  assert.equal(await swap.figure("You get at least").count(), 0, "nothing is guaranteed");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  const consent = swap.page.getByRole("checkbox", { name: /^What arrives is promised by the bridge, not guaranteed by this order/ });
  await consent.focus();
  await swap.page.keyboard.press("Space");
  await swap.priced();
  const token = arriving("USDT");
  const held = await sandbox.balance(swap.account, token, there);
  const promised = await swap.amount("The bridge promises");
  await swap.review();
  assert.equal(await swap.amount("The bridge promises"), promised);
  assert.match(await swap.figure("To").textContent(), /if the bridge obeys/);
  await swap.swapReviewed();
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
});

test("what the bridge does not deliver comes back, and the page has where", async () => {
  await sandbox.control("settings", { bridge: "fail", bridgeDelayMs: 1500 });
  const swap = await openCrossing("USDC");
  const before = await sandbox.balance(swap.account, usdc);
  await swap.approveAndSign();
  await swap.page.getByRole("list", { name: "Progress" }).getByText(`On the way to ${there.name}`).waitFor();
  await swap.ended("Refunded");
  await swap.card.getByText("The bridge did not deliver, and gave back what is listed below.").waitFor();
  const lost = before - (await sandbox.balance(swap.account, usdc));
  assert.ok(lost >= 0n && lost < BigInt(raw(2, usdc)), `all but fees are back: ${lost}`);
  assert.equal(await swap.amount("Refund transaction"), BigInt(raw(100, usdc)) - lost);
  const [order] = await swap.newOrders();
  assert.equal(order.refunds.length, 1);
});
