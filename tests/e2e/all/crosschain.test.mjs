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
  await swap.close();
});

test("another bridge can be chosen, and carries the order", async () => {
  const swap = await openCrossing("USDC");
  const bridges = swap.page.getByLabel("Bridge", { exact: false }).locator("visible=true").first();
  const offered = await bridges.locator("option").allTextContents();
  assert.equal(offered.length, 2);
  await bridges.selectOption({ index: 1 });
  const name = offered[1].split(":")[0];
  await swap.figure(`Bridge to ${there.name}`).filter({ hasText: name }).waitFor();
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.match(
    await swap.figure(`Bridge to ${there.name}`).textContent(),
    new RegExp(name),
    "a renewed price keeps the bridge",
  );
  const token = arriving("USDC");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const [{ body }] = await sandbox.requests("build");
  assert.equal(JSON.parse(body).route.bridge.protocol, name);
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
  await swap.close();
});

test("an arrival that only the bridge promises is built after the user consents", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "USDT", there.name);
  await swap.says("Accept the bridge’s promise, or choose another token.");
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
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.payField.fill("101");
  await swap.says("Accept the bridge’s promise");
  assert.equal(await consent.isChecked(), false, "another amount, another consent");
  await swap.close();
});
