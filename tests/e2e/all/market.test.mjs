import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { FAILED_REQUEST, browser, eth, holdings, sandbox, usdc, weth, withoutBlocks } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

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
});

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
  const [gasless, market] = [
    swap.page.getByRole("radio", { name: /^Gasless/ }),
    swap.page.getByRole("radio", { name: /^Market ?(Best.*)?[\d.]+ WETH/ }),
  ];
  const words = await swap.page.locator(".way").allTextContents();
  assert.equal(words.filter((text) => text.includes("Best")).length, 1, words.join(" | "));
  assert.match(words[0], /WETH.*Gas within the price/);
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

test("a missing price says why", async () => {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.set("Best of both");
  await swap.page.locator(".way", { hasText: "Gasless" }).filter({ hasText: "less than its network cost" }).waitFor();
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
});

test("a transaction that reverts on chain after it was sent costs its gas, and nothing else, and says so", async () => {
  const account = await allowed("router");
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
  await swap.says("The transaction reverted. You still have your USDC; only the gas was spent.");
  const hash = await swap.figure("Transaction").getAttribute("title");
  const { status, gasUsed, effectiveGasPrice } = await sandbox.rpc("eth_getTransactionReceipt", [hash]);
  assert.equal(status, "0x0");
  const now = await holdings(account);
  assert.equal(now.usdc, before.usdc);
  assert.equal(now.weth, before.weth);
  assert.equal(before.eth - now.eth, BigInt(gasUsed) * BigInt(effectiveGasPrice), "the gas, and nothing else");
  const shown = await swap.page
    .locator(".stage:visible .balances tbody td data")
    .evaluateAll((all) => all.map(({ value }) => value));
  assert.deepEqual([shown[0], shown[2]], [shown[1], shown[3]], "the balances are as before");
  assert.equal(swap.transactions(), 1);
  await swap.main.click();
  await swap.priced();
});

test("a replaced transaction is reported as replaced, and nothing was exchanged", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    const hash = await swap.figure("Transaction").getAttribute("title");
    const { nonce, gasPrice } = await sandbox.rpc("eth_getTransactionByHash", [hash]);
    const dearer = `0x${(BigInt(gasPrice) * 3n).toString(16)}`;
    await sandbox.rpc("eth_sendTransaction", [{ from: account, to: account, nonce, gas: "0x5208", gasPrice: dearer }]);
  });
  await swap.ended("Replaced");
  await swap.says("Another transaction with the same number took its place.");
  const now = await holdings(account);
  assert.equal(now.usdc, before.usdc);
  assert.equal(now.weth, before.weth);
});

test("a transaction that the network forgot is reported as dropped", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account, prepare: (page) => page.clock.install() });
  const before = await holdings(account);
  await swap.review("What you are sending");
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.sendInWallet();
    await swap.heading("Transaction sent").waitFor();
    await sandbox.rpc("anvil_dropTransaction", [await swap.figure("Transaction").getAttribute("title")]);
    // Looked for once, and again when a minute has gone by.
    await swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_getTransactionByHash"));
    await swap.page.waitForResponse((response) => response.request().postData()?.includes("eth_getTransactionByHash"));
    await swap.page.clock.fastForward(61_000);
    await swap.ended("Dropped");
  });
  await swap.says("The network no longer knows it. It did nothing.");
  assert.equal((await holdings(account)).usdc, before.usdc);
});
