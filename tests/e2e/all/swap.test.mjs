import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, holdings, sandbox, usdc, weth } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a purchase brings exactly what was asked for and spends no more than the cap", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const before = await holdings(swap.account);
  await swap.receive("0.01");
  await swap.page.getByText("You pay at most").waitFor();
  await swap.review();
  const cap = await swap.figure("You pay at most").getAttribute("value");
  const least = await swap.figure("You get at least").getAttribute("value");
  await swap.swapReviewed();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.01", weth));
  assert.ok(now.weth - before.weth >= unitsOf(least, weth), `at least ${least} as reviewed`);
  const spent = before.usdc - now.usdc;
  assert.ok(spent > 0n && spent <= unitsOf(cap, usdc), `${spent} within ${cap}`);
  const [order] = await swap.newOrders();
  assert.equal(order.side, "BUY");
});

test("the native token can be received", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "ETH");
  await swap.priced();
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  const before = await holdings(swap.account);
  await swap.signInWallet();
  await swap.settled();
  const now = await holdings(swap.account);
  const [order] = await swap.newOrders();
  assert.equal(now.eth - before.eth, BigInt(order.output.executedAmount));
  assert.equal(now.weth, before.weth);
});
