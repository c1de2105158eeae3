import assert from "node:assert/strict";
import { test } from "node:test";
import { openSale, signedSale } from "../forms.mjs";
import { eth, sandbox, usdc } from "../rig.mjs";

/** What is posted waits until this is called. */
async function holdPosts(swap) {
  let answer;
  const released = new Promise((resolve) => (answer = resolve));
  await swap.page.route("**/v2/delta/orders", async (route) => {
    if (route.request().method() === "POST") await released;
    await route.continue();
  });
  return answer;
}

test("a rejected deposit can be made after all, by the same signature", async () => {
  const swap = await signedSale();
  const held = await sandbox.balance(swap.account, usdc);
  await swap.nextStep(/^Deposit /);
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet.");
  await swap.page.getByRole("button", { name: "Send again" }).click();
  await swap.depositInWallet();
  await swap.settled();
  assert.ok((await sandbox.balance(swap.account, usdc)) > held);
  assert.equal((await swap.newOrders()).length, 1);
});

test("a deposit that comes while the form has other tokens is of what was signed, and so is its result", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  await swap.review();
  await swap.main.click();
  // The service wants the deposit only after the form was changed.
  const answer = await holdPosts(swap);
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
});

test("deposits of two orders are reviewed one after the other, and none in the other's review", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  const answer = await holdPosts(swap);
  for (const amount of ["1", "2"]) {
    await swap.pay(amount);
    await swap.review();
    await swap.main.click();
    await swap.signInWallet();
    await swap.page.getByRole("button", { name: "New swap" }).click();
  }
  await swap.pay("3");
  await swap.review();
  answer();
  assert.equal(await swap.main.textContent(), "Sign", "the button of this review is for nothing else");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  const deposited = [];
  for (let step = 0; step < 2; step++) {
    await swap.ready(/^Deposit /);
    await swap.main.filter({ hasNotText: deposited[0] ?? "Sign" }).waitFor();
    deposited.push(await swap.main.textContent());
    assert.equal(await swap.sentence.count(), 0, "no other order is said");
    await swap.main.click();
    await swap.sendInWallet();
  }
  assert.deepEqual(deposited.toSorted(), [`Deposit 1 ${eth.symbol}`, `Deposit 2 ${eth.symbol}`]);
});

test("a deposit whose review was left is asked for again only by the user", async () => {
  const swap = await signedSale();
  await swap.ready(/^Deposit /);
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.page.getByRole("button", { name: /Waits for you\. Show it/ }).click();
  await swap.says("Signed, but not deposited.");
  await swap.page.getByRole("button", { name: "Go on" }).click();
  // Rejected there it waits again, whatever the form has.
  await swap.nextStep(/^Deposit /);
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Signed, but not deposited.");
  await swap.page.getByRole("button", { name: "Go on" }).click();
  await swap.depositInWallet();
  await swap.settled();
  assert.equal((await swap.newOrders()).length, 1);
});
