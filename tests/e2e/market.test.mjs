import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, setUp } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

let sandbox, browser, usdc, weth, coin;

setUp((started) => {
  ({ sandbox, browser } = started);
  usdc = sandbox.token("permit");
  weth = sandbox.token("WETH");
  coin = sandbox.token("native");
});

async function openMarket(options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.set("Market");
  await swap.priced();
  return swap;
}

async function holdings(account) {
  const [inUsdc, inWeth, coins] = await Promise.all([sandbox.balance(account, usdc), sandbox.balance(account, weth), sandbox.coins(account)]);
  return { usdc: inUsdc, weth: inWeth, coins };
}

test("a market sale is approved for the router, sent by the wallet, and brings at least what was reviewed", async () => {
  const swap = await openMarket();
  await swap.pay("100");
  assert.match(await swap.figure("Network cost").textContent(), /you pay it/);
  const before = await holdings(swap.account);
  await swap.review("What you are sending");
  assert.match(await swap.figure("Method").textContent(), /^swap/);
  assert.match(await swap.figure("Gas, paid by you").textContent(), /^About \$/);
  const least = await swap.figure("Arrives at least").getAttribute("value");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), BigInt(raw(100, usdc)));
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n, "Delta's contract gets nothing");
  await swap.sendInWallet();
  await swap.ended("Confirmed");

  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth - before.weth >= unitsOf(least, weth), `${now.weth - before.weth} is at least ${least}`);
  assert.ok(now.coins < before.coins, "gas was paid");
  assert.equal(swap.signatures(), 0);
  assert.equal(swap.transactions(), 2);
  assert.deepEqual(await swap.newOrders(), []);
  await swap.close();
});

test("a market purchase brings exactly what was asked for and spends no more than the cap", async () => {
  const swap = await openMarket();
  const before = await holdings(swap.account);
  await swap.receive("0.01");
  await swap.review("What you are sending");
  const cap = await swap.figure("You pay at most").getAttribute("value");
  await swap.sendReviewed();
  const now = await holdings(swap.account);
  assert.equal(now.weth - before.weth, unitsOf("0.01", weth));
  const spent = before.usdc - now.usdc;
  assert.ok(spent > 0n && spent <= unitsOf(cap, usdc), `${spent} within ${cap}`);
  await swap.close();
});

test("the chain's own coin is sold on Market without an approval", async () => {
  const swap = await openMarket({ priced: false });
  await swap.choose("pay", "ETH");
  await swap.choose("receive", "USDC");
  await swap.payField.fill("0.5");
  await swap.priced();
  const before = await holdings(swap.account);
  await swap.send({ approve: false });
  const now = await holdings(swap.account);
  assert.ok(before.coins - now.coins >= unitsOf("0.5", coin), "half a coin, and gas");
  assert.ok(now.usdc > before.usdc);
  assert.equal(swap.transactions(), 1);
  await swap.close();
});

test("what nobody fills gasless falls back to Market, says why, and trades there", async () => {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.getByText("Not gasless this time: the amount is less than a solver’s gas.").waitFor();
  const before = await holdings(swap.account);
  await swap.send();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth);
  await swap.close();
});

test("both ways stand beside each other, the better one is chosen, and the other can be", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Best of both");
  await swap.priced();
  const [gasless, market] = [swap.page.getByRole("radio", { name: /^Gasless/ }), swap.page.getByRole("radio", { name: /^Market ?(Best.*)?[\d.]+ WETH/ })];
  const words = await swap.page.locator(".way").allTextContents();
  assert.equal(words.filter((text) => text.includes("Best")).length, 1, words.join(" | "));
  assert.match(words[0], /WETH.*No gas to pay/);
  assert.match(words[1], /WETH.*Less \$[\d.]+ gas, paid by you/);
  const best = words[0].includes("Best") ? gasless : market;
  assert.ok(await best.isChecked());
  await market.check({ force: true });
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.ok(await market.isChecked(), "a renewed price keeps what was chosen");
  const before = await holdings(swap.account);
  await swap.send();
  assert.ok((await holdings(swap.account)).weth > before.weth);
  await swap.close();
});

test("of the two ways the one that is missing says why", async () => {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.set("Best of both");
  await swap.page.locator(".way", { hasText: "Gasless" }).filter({ hasText: "less than its network cost" }).waitFor();
  await swap.priced();
  await swap.send();
  await swap.close();
});

test("a price route that got stale is refused, and renewed with one button", async () => {
  const swap = await openMarket({ expected: FAILED_REQUEST });
  await sandbox.time(60);
  await swap.main.click();
  await swap.says("This price is 30 s old.");
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  await swap.send();
  await swap.close();
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
  await swap.says(/The service refused|This price is 30 s old/);
  assert.equal(await swap.prompts(), 0);
  await swap.close();
});

test("a transaction that would revert is stopped before the wallet opens", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(1000, usdc), sandbox.chain.router);
  const swap = await openMarket({ account });
  await swap.review("What you are sending");
  await sandbox.trade(usdc, weth, 2_000_000);
  await swap.main.click();
  await swap.says(/^This transaction would fail \(.*InsufficientReturnAmount.*\)\. It was not sent\.$/);
  assert.equal(await swap.prompts(), 0);
  assert.equal(swap.transactions(), 0);
  await swap.close();
});

test("a transaction that reverts on chain after it was sent costs its gas, and nothing else, and says so", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(1000, usdc), sandbox.chain.router);
  const swap = await openMarket({ account });
  // Somebody else trades between the wallet's own trial of the transaction and the block.
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
  await swap.sendInWallet();
  await swap.ended("Reverted");
  await swap.says("Undone by the chain: your USDC is still yours, only the gas is spent.");
  const hash = await swap.figure("Transaction").getAttribute("title");
  const { status, gasUsed, effectiveGasPrice } = await sandbox.rpc("eth_getTransactionReceipt", [hash]);
  assert.equal(status, "0x0");
  const now = await holdings(account);
  assert.equal(now.usdc, before.usdc);
  assert.equal(now.weth, before.weth);
  assert.equal(before.coins - now.coins, BigInt(gasUsed) * BigInt(effectiveGasPrice), "the gas, and nothing else");
  const shown = await swap.page.locator(".stage:visible .balances tbody td data").evaluateAll((all) => all.map(({ value }) => value));
  assert.deepEqual([shown[0], shown[2]], [shown[1], shown[3]], "the balances are as before");
  assert.equal(swap.transactions(), 1);
  await swap.main.click();
  await swap.priced();
  await swap.close();
});

test("a reload while a transaction is on its way goes on with it, and does not ask to send again", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(1000, usdc), sandbox.chain.router);
  const swap = await openMarket({ account });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await sandbox.rpc("evm_setAutomine", [false]);
  try {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    await swap.page.reload();
    await swap.heading("Transaction sent").waitFor();
  } finally {
    await sandbox.rpc("evm_setAutomine", [true]);
    await sandbox.rpc("evm_mine", []);
  }
  await swap.ended("Confirmed");
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal(swap.transactions(), 1);
  assert.equal(before.usdc - (await holdings(account)).usdc, BigInt(raw(100, usdc)));
  await swap.page.reload();
  await swap.priced();
  await swap.close();
});

test("a transaction that another one replaced is said to be, and nothing was exchanged", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(1000, usdc), sandbox.chain.router);
  const swap = await openMarket({ account });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await sandbox.rpc("evm_setAutomine", [false]);
  try {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    const hash = await swap.figure("Transaction").getAttribute("title");
    const { nonce, gasPrice } = await sandbox.rpc("eth_getTransactionByHash", [hash]);
    const dearer = `0x${(BigInt(gasPrice) * 3n).toString(16)}`;
    await sandbox.rpc("eth_sendTransaction", [{ from: account, to: account, nonce, gas: "0x5208", gasPrice: dearer }]);
  } finally {
    await sandbox.rpc("evm_setAutomine", [true]);
    await sandbox.rpc("evm_mine", []);
  }
  await swap.ended("Replaced");
  await swap.says("Another transaction with the same number took its place.");
  const now = await holdings(account);
  assert.equal(now.usdc, before.usdc);
  assert.equal(now.weth, before.weth);
  await swap.close();
});

test("a transaction that the network forgot is said to be dropped", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.approve(account, usdc, raw(1000, usdc), sandbox.chain.router);
  const swap = await openMarket({ account, prepare: (page) => page.clock.install() });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await sandbox.rpc("evm_setAutomine", [false]);
  try {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    await sandbox.rpc("anvil_dropTransaction", [await swap.figure("Transaction").getAttribute("title")]);
    // Looked for once, and again when a minute has gone by.
    await swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_getTransactionByHash"));
    await swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_getTransactionByHash"));
    await swap.page.clock.fastForward(61_000);
    await swap.ended("Dropped");
  } finally {
    await sandbox.rpc("evm_setAutomine", [true]);
    await sandbox.rpc("evm_mine", []);
  }
  await swap.says("The network no longer knows it. It did nothing.");
  assert.equal((await holdings(account)).usdc, before.usdc);
  await swap.close();
});
