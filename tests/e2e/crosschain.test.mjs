import assert from "node:assert/strict";
import { test } from "node:test";
import { setUp } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

let sandbox, browser, usdc, weth, there;

setUp((started) => {
  ({ sandbox, browser } = started);
  usdc = sandbox.token("permit");
  weth = sandbox.token("WETH");
  there = sandbox.config.chains[1];
});

/** Opens the page with a destination on the other chain. */
async function openCrossing(symbol) {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", symbol, there.name);
  await swap.priced();
  return swap;
}

function arriving(symbol) {
  return there.tokens.find((token) => token.symbol === symbol);
}

test("an order across chains arrives there, with at least what it guarantees", async () => {
  const swap = await openCrossing("WETH");
  const token = arriving("WETH");
  const [paid, held, here] = [await sandbox.balance(swap.account, usdc), await sandbox.balance(swap.account, token, there), await sandbox.balance(swap.account, weth)];
  await swap.page.getByText(`Bridge to ${there.name}`).waitFor();
  await swap.review();
  assert.equal(await swap.figure("Arrives on").textContent(), there.name);
  const expected = await swap.figure("Expected").getAttribute("value");
  const least = await swap.figure("Guaranteed").getAttribute("value");
  assert.ok(unitsOf(least, token) < unitsOf(expected, token), `${least} is guaranteed, ${expected} only expected`);
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(paid - (await sandbox.balance(swap.account, usdc)), BigInt(raw(100, usdc)));
  assert.ok((await sandbox.balance(swap.account, token, there)) - held >= unitsOf(least, token));
  assert.equal(await sandbox.balance(swap.account, weth), here, "nothing arrived here");
  assert.match(await swap.sentence.textContent(), new RegExp(`became .* WETH on ${there.name}`));
  await swap.close();
});

test("a token of other decimals arrives in its own units", async () => {
  const swap = await openCrossing("USDB");
  const token = arriving("USDB");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const received = (await sandbox.balance(swap.account, token, there)) - held;
  assert.ok(received > unitsOf("99", token) && received < unitsOf("100", token), String(received));
  await swap.close();
});

test("another bridge can be chosen, and carries the order", async () => {
  const swap = await openCrossing("USDC");
  const bridges = swap.page.getByLabel("Bridge", { exact: false }).locator("visible=true").first();
  const offered = await bridges.locator("option").allTextContents();
  assert.equal(offered.length, 2);
  await bridges.selectOption({ index: 1 });
  const name = offered[1].split(":")[0];
  await swap.figure(`Bridge to ${there.name}`).filter({ hasText: name }).waitFor();
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.match(await swap.figure(`Bridge to ${there.name}`).textContent(), new RegExp(name), "a renewed price keeps the bridge");
  const token = arriving("USDC");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.swap();
  const [{ body }] = await sandbox.requests("build");
  assert.equal(JSON.parse(body).route.bridge.protocol, name);
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
  await swap.close();
});

test("what only the bridge promises is built when the person has said so", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("receive", "USDT", there.name);
  await swap.says("Accept the bridge’s promise, or choose another token.");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  const consent = swap.page.getByRole("checkbox", { name: "What arrives is promised by the bridge, not guaranteed by this order" });
  await consent.focus();
  await swap.page.keyboard.press("Space");
  await swap.priced();
  const token = arriving("USDT");
  const held = await sandbox.balance(swap.account, token, there);
  await swap.review();
  assert.equal(await swap.figure("Guaranteed").textContent(), "The bridge decides");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
  assert.ok((await sandbox.balance(swap.account, token, there)) > held);
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.payField.fill("101");
  await swap.says("Accept the bridge’s promise");
  assert.equal(await consent.isChecked(), false, "another amount, another consent");
  await swap.close();
});

test("what the bridge does not deliver comes back, and the page says where", async () => {
  await sandbox.control("settings", { bridge: "fail", bridgeDelayMs: 1500 });
  const swap = await openCrossing("USDC");
  const before = await sandbox.balance(swap.account, usdc);
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.page.locator(".timeline li.done", { hasText: "Over the bridge" }).waitFor();
  await swap.ended("Refunded");
  await swap.page.getByText(/The bridge did not deliver: [\d.]+ USDC came back to you on/).waitFor();
  const lost = before - (await sandbox.balance(swap.account, usdc));
  assert.ok(lost >= 0n && lost < BigInt(raw(2, usdc)), `all but fees are back: ${lost}`);
  const [order] = await swap.newOrders();
  assert.equal(order.refunds.length, 1);
  await swap.close();
});
