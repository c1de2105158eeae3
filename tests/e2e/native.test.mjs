import assert from "node:assert/strict";
import { test } from "node:test";
import { openSale } from "./forms.mjs";
import { sandbox, usdc } from "./rig.mjs";

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
