import assert from "node:assert/strict";
import { raw } from "../e2e/sandbox.mjs";
import { SwapPage } from "../e2e/swap-page.mjs";

/* The trials on the example page, by the steps of tests/e2e. Each returns what to print of it. */

/** 100 of one token sold for the other: reviewed, approved, signed, settled, on chain. */
export async function swap(tab, sandbox) {
  const page = await opened(tab, sandbox);
  const [usdc, weth] = [sandbox.token("permit"), sandbox.token("WETH")];
  const held = async () => [await sandbox.balance(page.account, usdc), await sandbox.balance(page.account, weth)];
  const before = await held();
  await page.swap();
  const now = await held();
  assert.equal(before[0] - now[0], BigInt(raw(100, usdc)), "100 USDC are paid");
  assert.ok(now[1] > before[1], "WETH arrived");
  assert.equal(await sandbox.allowance(page.account, usdc), 0n, "nothing stays approved");
  assert.deepEqual(await noted(tab, "prompts"), ["Approve USDC?", "Sign this order?"]);
  return "100 USDC sold: one approval, one signature, settled on chain";
}

/** The service puts another receiver into what it builds. */
export async function refusal(tab, sandbox) {
  await sandbox.control("lie", { kind: "receiver" });
  const page = await opened(tab, sandbox);
  await page.main.click();
  await page.heading("Not what you asked for").waitFor();
  assert.match(await page.card.textContent(), /Stopped before your wallet opened\. Nothing was signed: 0 prompts\./);
  assert.deepEqual(await noted(tab, "prompts"), [], "no wallet window has opened");
  assert.deepEqual(await page.newOrders(), [], "nothing was posted");
  return "another receiver: stopped before the wallet opened";
}

/** The page is loaded anew while its order waits to be filled. */
export async function reload(tab, sandbox) {
  const page = await opened(tab, sandbox);
  await sandbox.control("settings", { solving: false });
  await page.approveAndSign();
  await page.heading("Order on its way").waitFor();
  await tab.reload();
  await tab.locator(".activity-open").first().click();
  await page.heading("Order on its way").waitFor();
  await sandbox.control("settings", { solving: true });
  await page.heading("Settled").waitFor();
  assert.deepEqual((await page.newOrders()).map(({ status }) => status), ["COMPLETED"]);
  assert.deepEqual(await noted(tab, "prompts"), ["Approve USDC?", "Sign this order?"]);
  return "in mid-swap: the same order went on, nothing signed twice";
}

/** The page, for an account that has traded nothing. */
async function opened(tab, sandbox) {
  const account = await sandbox.nextAccount();
  await tab.goto(sandbox.url);
  await tab.evaluate(
    (wallet) => {
      sessionStorage.clear();
      localStorage.clear();
      localStorage.setItem("sandbox-wallet", wallet);
    },
    JSON.stringify({ account, chainId: sandbox.chain.chainId }),
  );
  return SwapPage.on({ page: tab }, sandbox, { account });
}

/** The notes of watched.js since the account was chosen. */
export async function noted(tab, kind) {
  return JSON.parse((await tab.evaluate((kind) => sessionStorage.getItem(kind), kind)) ?? "[]");
}
