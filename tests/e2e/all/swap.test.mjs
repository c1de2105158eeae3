import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed } from "../forms.mjs";
import { browser, holdings, sandbox, usdc, usdt, weth } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

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

test("a token like USDT with a leftover allowance is reset first, in two transactions", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.mint(account, usdt, 1000);
  await sandbox.approve(account, usdt, raw(7, usdt));
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.pay("50", usdt.symbol);
  const before = await holdings(account);
  await swap.review();
  assert.match(await swap.step.textContent(), /^Step 1 of 3: /);
  await swap.main.click();
  await swap.answer(/Take back/, "Take back");
  await swap.nextStep("Approve 50 USDT");
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(swap.transactions(), 2);
  assert.equal(before.usdt - (await holdings(account)).usdt, BigInt(raw(50, usdt)));
});

for (const path of ["Gasless, else Market", "Market"])
  test(`an allowance lost during the review is restored by one button, and the trade goes on: ${path}`, async () => {
    const isGasless = path !== "Market";
    const spender = isGasless ? sandbox.chain.delta : sandbox.chain.router;
    const account = await allowed(isGasless ? "delta" : "router");
    const swap = await SwapPage.open(browser, sandbox, { account });
    await swap.set(path);
    await swap.pay("12.5");
    const before = await holdings(account);
    await swap.review(isGasless ? "What you are signing" : "What you are sending");
    assert.doesNotMatch(await swap.step.textContent(), /Step 1/);
    await sandbox.approve(account, usdc, 0, spender);
    await swap.pass(12_001);
    await swap.main.click();
    await swap.says("may not take 12.5 USDC yet.");
    assert.equal(await swap.prompts(), 0);
    await swap.page.getByRole("button", { name: "Approve 12.5 USDC", exact: true }).click();
    await swap.approveInWallet();
    await (isGasless ? swap.signInWallet() : swap.sendInWallet());
    await swap.ended(isGasless ? "Settled" : "Confirmed");
    const now = await holdings(account);
    assert.equal(before.usdc - now.usdc, 12_500_000n);
    assert.ok(now.weth > before.weth);
    assert.equal(await sandbox.allowance(account, usdc, spender), 0n, "exactly what was missing was approved");
  });

test("a double click confirms nothing that was not there at its first click", async () => {
  const account = await allowed();
  const swap = await SwapPage.open(browser, sandbox, { account });
  const press = async (clickCount) => {
    const { x, y, width, height } = await swap.main.boundingBox();
    await swap.page.mouse.move(x + width / 2, y + height / 2);
    await swap.page.mouse.down({ clickCount });
    await swap.page.mouse.up({ clickCount });
  };
  await press(1);
  await swap.ready(/^Sign$/);
  await press(2);
  await swap.page.getByRole("heading", { name: "What you are signing" }).waitFor();
  assert.equal(await swap.prompts(), 0);
  assert.equal(swap.signatures(), 0);
});

test("another receiver gets the tokens, and the owner does not", async () => {
  const receiver = "0x00000000000000000000000000000000000CAFE1";
  const swap = await SwapPage.open(browser, sandbox);
  const settings = await swap.openSettings();
  const field = settings.getByLabel("Receiving address");
  await field.fill("0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266");
  await settings.getByText("The checksum is wrong").waitFor();
  await field.fill(receiver.toLowerCase());
  await swap.page.keyboard.press("Escape");
  await swap.priced();
  await swap.page.getByText("Sent to another address, not to you:").waitFor();
  const before = await holdings(swap.account);
  const received = await sandbox.balance(receiver, weth);
  await swap.review();
  assert.doesNotMatch(await swap.figure("To").textContent(), /You/);
  await swap.swapReviewed();
  const now = await holdings(swap.account);
  assert.equal(now.weth, before.weth);
  assert.ok((await sandbox.balance(receiver, weth)) > received);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
});
