import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, holdings, sandbox, usdc, weth } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a second sale needs no approval when the allowance stands", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.mint(account, usdc, 1000);
  await sandbox.control("approve", {
    chainId: sandbox.chain.chainId,
    token: usdc.address,
    owner: account,
    amount: raw(500, usdc),
  });
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.swap({ approve: false });
  assert.equal(swap.transactions(), 0);
  assert.equal(await swap.prompts(), 1);
  await swap.close();
});

test("a purchase brings exactly what was asked for and spends no more than the cap", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const before = await holdings(swap.account);
  await swap.receive("0.01");
  await swap.page.getByText("You pay at most").waitFor();
  await swap.review();
  const cap = await swap.page
    .locator(".stage:visible .row", { hasText: "You pay at most" })
    .locator("data")
    .getAttribute("value");
  const least = await swap.page
    .locator(".stage:visible .row", { hasText: "You get at least" })
    .locator("data")
    .getAttribute("value");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.01", weth));
  assert.ok(now.weth - before.weth >= unitsOf(least, weth), `at least ${least} as reviewed`);
  const spent = before.usdc - now.usdc;
  assert.ok(spent > 0n && spent <= unitsOf(cap, usdc), `${spent} within ${cap}`);
  const [order] = await swap.newOrders();
  assert.equal(order.side, "BUY");
  await swap.close();
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
  await swap.close();
});

test("recent orders show the settled swap, also after a reload", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.swap();
  const entry = swap.page.locator(".recent .order").first();
  await entry.filter({ hasText: /100 USDC → .* WETH\s*Settled/ }).waitFor();
  await swap.page.reload();
  await swap.priced();
  await entry.filter({ hasText: "Settled" }).waitFor();
  await swap.close();
});
