import assert from "node:assert/strict";
import { test } from "node:test";
import { openSale } from "./forms.mjs";
import { eth, sandbox, usdc } from "./rig.mjs";

test("a rejected deposit can be made after all, by the same signature", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  const held = await sandbox.balance(swap.account, usdc);
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  await swap.nextStep(/^Deposit /);
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet.");
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.depositInWallet();
  await swap.settled();
  assert.ok((await sandbox.balance(swap.account, usdc)) > held);
  assert.equal((await swap.newOrders()).length, 1);
  await swap.close();
});

test("a deposit that comes while the form has other tokens is of what was signed, and so is its result", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  await swap.review();
  await swap.main.click();
  // The service wants the deposit only after the form was changed.
  let answer;
  const changed = new Promise((resolve) => (answer = resolve));
  await swap.page.route("**/v2/delta/orders", async (route) => {
    if (route.request().method() === "POST") await changed;
    await route.continue();
  });
  await swap.signInWallet();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.choose("pay", "USDC");
  await swap.choose("receive", "WETH");
  await swap.pay("100");
  answer();
  await swap.ready(/^Deposit /);
  assert.equal(await swap.main.textContent(), `Deposit 1 ${eth.symbol}`);
  const facts = await swap.page.locator(".step-panel dd").allTextContents();
  assert.deepEqual([facts[0], facts.at(-1)], [`Exactly 1 ${eth.symbol}`, eth.symbol]);
  await swap.main.click();
  await swap.sendInWallet();
  await swap.settled();
  assert.match(await swap.sentence.textContent(), /^1 ETH became [\d,.]+ USDC\./);
  await swap.close();
});
