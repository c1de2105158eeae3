import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed } from "../forms.mjs";
import { browser, holdings, sandbox, usdc, usdt, weth } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a token like USDT with a leftover allowance is reset first, in two transactions", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.mint(account, usdt, 1000);
  await sandbox.control("approve", {
    chainId: sandbox.chain.chainId,
    token: usdt.address,
    owner: account,
    amount: raw(7, usdt),
  });
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.pay("50", usdt.symbol);
  const before = await holdings(account);
  await swap.review();
  assert.match(await swap.plan.textContent(), /^Three prompts/);
  await swap.main.click();
  await swap.answer(/Take back/, "Take back");
  await swap.nextStep("Approve 50 USDT");
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(swap.transactions(), 2);
  const now = await holdings(account);
  assert.equal(before.usdt - now.usdt, BigInt(raw(50, usdt)));
});

for (const path of ["Delta", "Market"]) {
  test(`an allowance lost during the review is restored by one button, and the trade goes on, on ${path}`, async () => {
    const account = await sandbox.nextAccount();
    const { delta, router } = sandbox.chain;
    const spender = path === "Delta" ? delta : router;
    await sandbox.approve(account, usdc, raw(500, usdc), spender);
    const swap = await SwapPage.open(browser, sandbox, { account });
    if (path === "Market") await swap.set("Market");
    await swap.pay("12.5");
    const before = await holdings(account);
    await swap.review(path === "Delta" ? "What you are signing" : "What you are sending");
    assert.match(await swap.plan.textContent(), /^One prompt/);
    await sandbox.approve(account, usdc, 0, spender);
    await swap.pass(12_001);
    await swap.main.click();
    await swap.says("may not take 12.5 USDC yet.");
    assert.equal(await swap.prompts(), 0);
    await swap.page.getByRole("button", { name: "Approve 12.5 USDC", exact: true }).click();
    await swap.approveInWallet();
    await (path === "Delta" ? swap.signInWallet() : swap.sendInWallet());
    await swap.ended(path === "Delta" ? "Settled" : "Confirmed");
    const now = await holdings(account);
    assert.equal(before.usdc - now.usdc, 12_500_000n);
    assert.ok(now.weth > before.weth);
    assert.equal(await sandbox.allowance(account, usdc, spender), 0n, "exactly what was missing was approved");
  });
}

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
  await swap.pass(31_000);
  await swap.ready("Refresh");
  const old = await swap.sentence.textContent();
  await sandbox.trade(usdc, weth, 20);
  await press(1);
  await swap.ready(/^Sign$/);
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "review-title", "it is read first");
  await press(2);
  assert.notEqual(await swap.sentence.textContent(), old);
  assert.equal(await swap.prompts(), 0);
});

test("another receiver gets the tokens, and the owner does not", async () => {
  const receiver = "0x00000000000000000000000000000000000CAFE1";
  const swap = await SwapPage.open(browser, sandbox);
  await swap.openSettings();
  const field = swap.page.getByLabel("Receiving address");
  await field.fill("0xF39fd6e51aad88f6f4ce6ab8827279cfffb92266");
  await swap.says("The checksum is wrong");
  await field.fill(receiver.toLowerCase());
  await swap.page.keyboard.press("Escape");
  await swap.priced();
  const before = await holdings(swap.account);
  const received = await sandbox.balance(receiver, weth);
  await swap.swap();
  const now = await holdings(swap.account);
  assert.equal(now.weth, before.weth);
  assert.ok((await sandbox.balance(receiver, weth)) > received);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
});
