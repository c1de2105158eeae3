import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { FAILED_REQUEST, browser, eth, holdings, sandbox, usdc, weth, withoutBlocks } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("what arrives in the native token is said to the wei, and not said where more was sent in the same block", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  await swap.choose("receive", eth.symbol);
  const before = await sandbox.nativeBalance(account);
  await swap.pay("100");
  await swap.send({ approve: false });
  const hash = await swap.figure("Transaction").getAttribute("title");
  const { gasUsed, effectiveGasPrice } = await sandbox.rpc("eth_getTransactionReceipt", [hash]);
  const result = swap.page.getByRole("region", { name: "What arrives" });
  const said = await result.locator("strong data").getAttribute("value");
  const gas = BigInt(gasUsed) * BigInt(effectiveGasPrice);
  assert.equal(unitsOf(said, eth), (await sandbox.nativeBalance(account)) - before + gas);
  await swap.main.click();
  await swap.priced();
  await swap.review("What you are sending");
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    await sandbox.rpc("eth_sendTransaction", [{ from: account, to: usdc.address, gas: "0x186a0" }]);
  });
  await swap.ended("Confirmed");
  assert.equal(await result.count(), 0);
});

test("an order that nobody fills gasless falls back to Market, says why, and trades there", async () => {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.getByText("Not gasless this time: the amount is less than the solver’s gas.").waitFor();
  const before = await holdings(swap.account);
  await swap.send();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth);
});

test("a price route that the service takes no more is renewed before the review", async () => {
  const swap = await openMarket({ expected: FAILED_REQUEST });
  const refused = swap.page.waitForResponse((response) => response.url().includes("/transactions/") && response.status() >= 400);
  await sandbox.time(60);
  await swap.review("What you are sending");
  await refused;
  await swap.sendReviewed();
});

test("a transaction that would revert is stopped before the wallet opens", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  await swap.review("What you are sending");
  await sandbox.trade(usdc, weth, 2_000_000);
  await swap.pass(2_001);
  await swap.main.click();
  await swap.says(/^This transaction would fail \(.*InsufficientReturnAmount.*\)\. It was not sent\.$/);
  assert.equal(await swap.prompts(), 0);
  assert.equal(swap.transactions(), 0);
});

test("a reload while a transaction is on its way goes on with it, and does not ask to send again", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    await swap.page.reload();
    await swap.heading("Transaction sent").waitFor();
  });
  await swap.heading("Confirmed").waitFor();
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal(swap.transactions(), 1);
  assert.equal(before.usdc - (await holdings(account)).usdc, BigInt(raw(100, usdc)));
  await swap.page.reload();
  await swap.priced();
});
