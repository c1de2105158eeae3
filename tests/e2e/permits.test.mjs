import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "./rig.mjs";
import { raw } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

test("a token without approve is sold by a permit, without being asked for", async () => {
  const token = sandbox.token("signOnly");
  const swap = await SwapPage.open(browser, sandbox);
  await swap.pay("20", token.symbol);
  const before = await sandbox.balance(swap.account, token);
  await swap.main.click();
  await swap.permitInWallet();
  await swap.heading("What you are signing").waitFor();
  await swap.main.click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(before - (await sandbox.balance(swap.account, token)), BigInt(raw(20, token)));
  await swap.close();
});
