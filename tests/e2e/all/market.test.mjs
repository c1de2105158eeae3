import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { sentHash } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, eth, holdings, sandbox, usdc, weth, withoutBlocks } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("the native token is sold on Market without an approval", async () => {
  const swap = await openMarket({ priced: false });
  await swap.choose("pay", "ETH");
  await swap.choose("receive", "USDC");
  await swap.payField.fill("0.5");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.send({ approve: false });
  const now = await holdings(swap.account);
  assert.ok(before.eth - now.eth >= unitsOf("0.5", eth), "half an ether, and gas");
  assert.ok(now.usdc > before.usdc);
  assert.equal(swap.transactions(), 1);
});

test("both prices are shown, the better one is selected, and the other can be selected", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Best of both");
  await swap.priced();
  const ways = swap.page.getByRole("group", { name: "Both ways to swap" });
  const [gasless, market] = ["Gasless", "Market"].map((name) => ways.getByRole("radio", { name: new RegExp(`^${name}`) }));
  const words = await ways.locator("label").allTextContents();
  assert.equal(words.filter((text) => /Best, by [\d.]+ %/.test(text)).length, 1, words.join(" | "));
  assert.match(words[0], /^Gasless.*within the price.*WETH/);
  assert.match(words[1], /^Market.*\$[\d.]+, you pay it.*WETH/);
  assert.ok(await (words[0].includes("Best") ? gasless : market).isChecked());
  await market.check({ force: true });
  await swap.refresh();
  await swap.priced();
  assert.ok(await market.isChecked(), "a renewed price keeps what was chosen");
  const before = await holdings(swap.account);
  await swap.send();
  assert.ok((await holdings(swap.account)).weth > before.weth);
});

test("an order that nobody fills gasless falls back to Market, says why, and trades there", async () => {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.page.getByText("Not gasless this time: the amount is less than the solver’s gas.").waitFor();
  await swap.set("Best of both");
  await swap.page.locator(".form-route", { hasText: "Gasless" }).filter({ hasText: "No price" }).waitFor();
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.send();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth);
});

test("a price route that was altered on its way back is refused, and nothing is prompted", async () => {
  const swap = await openMarket({ expected: FAILED_REQUEST });
  await swap.page.route("**/transactions/**", (route) => {
    const body = route.request().postData();
    const altered = body.replace(/"blockNumber":\d+/, '"blockNumber":1');
    assert.notEqual(altered, body);
    return route.continue({ postData: altered });
  });
  await swap.main.click();
  await swap.says(/The service refused|This price is too old/);
  assert.equal(await swap.prompts(), 0);
});

test("a price route that the service takes no more is renewed before the review", async () => {
  const swap = await openMarket({ expected: FAILED_REQUEST });
  const isRefused = (response) => response.url().includes("/transactions/") && response.status() >= 400;
  const refused = swap.page.waitForResponse(isRefused);
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
  await swap.says(/This transaction would fail \(.*InsufficientReturnAmount.*\)\. It was not sent\./);
  assert.equal(await swap.prompts(), 0);
  assert.equal(swap.transactions(), 0);
});

test("a transaction that reverts on chain after it was sent costs its gas, and nothing else, and says so", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  // A stranger trades between the wallet's own trial of the transaction and the block.
  await swap.page.route("**/rpc/**", async (route) => {
    const request = route.request().postDataJSON();
    if (request.method !== "eth_sendTransaction") return route.continue();
    await sandbox.trade(usdc, weth, 2_000_000);
    const [transaction] = request.params;
    return route.continue({ postData: { ...request, params: [{ ...transaction, gas: "0xf4240" }] } });
  });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await swap.main.click();
  const hash = await sentHash(swap, () => swap.sendInWallet());
  await swap.ended("Reverted");
  await swap.card.getByText("The transaction reverted. Nothing was exchanged; only the gas was spent.").waitFor();
  const { status, gasUsed, effectiveGasPrice } = await sandbox.rpc("eth_getTransactionReceipt", [hash]);
  assert.equal(status, "0x0");
  const now = await holdings(account);
  assert.deepEqual([now.usdc, now.weth], [before.usdc, before.weth]);
  assert.equal(before.eth - now.eth, BigInt(gasUsed) * BigInt(effectiveGasPrice), "the gas, and nothing else");
  assert.equal(swap.transactions(), 1);
});

test("a replaced transaction is reported as replaced, and nothing was exchanged", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await withoutBlocks(async () => {
    await swap.main.click();
    const hash = await sentHash(swap, () => swap.sendInWallet());
    await swap.heading("Transaction sent").waitFor();
    const { nonce, gasPrice } = await sandbox.rpc("eth_getTransactionByHash", [hash]);
    const dearer = `0x${(BigInt(gasPrice) * 3n).toString(16)}`;
    await sandbox.rpc("eth_sendTransaction", [{ from: account, to: account, nonce, gas: "0x5208", gasPrice: dearer }]);
  });
  await swap.ended("Replaced");
  await swap.card.getByText("Another transaction with the same number took its place.").waitFor();
  const now = await holdings(account);
  assert.deepEqual([now.usdc, now.weth], [before.usdc, before.weth]);
});

test("what arrives in the native token is known to the wei, and not stated where more was sent in the same block", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  await swap.choose("receive", eth.symbol);
  const before = await sandbox.nativeBalance(account);
  await swap.pay("100");
  await swap.review("What you are sending");
  await swap.main.click();
  const hash = await sentHash(swap, () => swap.sendInWallet());
  await swap.ended("Confirmed");
  const { gasUsed, effectiveGasPrice } = await sandbox.rpc("eth_getTransactionReceipt", [hash]);
  const gas = BigInt(gasUsed) * BigInt(effectiveGasPrice);
  assert.equal(await swap.amount("Received"), (await sandbox.nativeBalance(account)) - before + gas);
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
  assert.equal(await swap.figure("Received").textContent(), "not known");
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
    await swap.latest.filter({ hasText: "Transaction sent" }).waitFor();
  });
  await swap.latest.filter({ hasText: "Confirmed" }).waitFor();
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal(swap.transactions(), 1);
  assert.equal(before.usdc - (await holdings(account)).usdc, BigInt(raw(100, usdc)));
});
