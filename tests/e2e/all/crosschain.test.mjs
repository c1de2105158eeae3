import assert from "node:assert/strict";
import { test } from "node:test";
import { arriving, openCrossing } from "../forms.mjs";
import { browser, sandbox, there } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a token of other decimals arrives in its own units", async () => {
  const swap = await openCrossing("USDB");
  const token = arriving("USDB");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const received = (await sandbox.balance(swap.account, token, there)) - held;
  assert.ok(received > unitsOf("99", token) && received < unitsOf("100", token), String(received));
});

test("another bridge can be chosen, and carries the order", async () => {
  const swap = await openCrossing("USDC");
  const bridges = swap.page.getByRole("group", { name: "Bridge" }).getByRole("radio");
  assert.equal(await bridges.count(), 2);
  const units = async () => unitsOf(await swap.figure("You get at least").getAttribute("value"), arriving("USDC"));
  const before = await units();
  await bridges.first().focus();
  await swap.page.keyboard.press("ArrowDown");
  const row = swap.page.locator(".route", { has: swap.page.locator(":checked") });
  const name = (await row.locator(".route-name").textContent()).split("about")[0];
  assert.ok((await units()) > before, "what is guaranteed is that of the chosen bridge");
  assert.match(await row.textContent(), /most arrives.*Bridge takes 0\.0\d+ USDC/);
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.ok(await bridges.nth(1).isChecked(), "a renewed price keeps the bridge");
  await swap.page.locator(".rail-bridge", { hasText: name }).waitFor();
  const token = arriving("USDC");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const [{ body }] = await sandbox.requests("build");
  assert.equal(JSON.parse(body).route.bridge.protocol, { "Fast bridge": "sandbox-fast", "Slow bridge": "sandbox-slow" }[name]);
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
});

test("an arrival that only the bridge promises is built after the user consents", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "USDT", there.name);
  await swap.says("Accept the bridge’s promise, or choose another token.");
  await swap.page.getByText("How much USDT arrives: it is another asset.").waitFor();
  assert.equal(await swap.figure("You get at least").count(), 0, "nothing is guaranteed");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  const consent = swap.page.getByRole("checkbox", {
    name: "What arrives is promised by the bridge, not guaranteed by this order",
  });
  await consent.focus();
  await swap.page.keyboard.press("Space");
  await swap.priced();
  const token = arriving("USDT");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.review();
  assert.equal(await swap.figure("Guaranteed").textContent(), "The bridge decides");
  const promised = swap.page.locator(".stage:visible .rail-promises p", { hasText: "Promised by bridge" });
  assert.match(await promised.textContent(), /About [\d.]+ USDT arrives\. No order says how much\./);
  await swap.swapReviewed();
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.payField.fill("101");
  await swap.says("Accept the bridge’s promise");
  assert.equal(await consent.isChecked(), false, "another amount, another consent");
});
