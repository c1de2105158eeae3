import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../accessible.mjs";
import { FAILED_REQUEST, browser, sandbox, usdc, weth } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { WALKS } from "../walks.mjs";

/* What the account has approved, and how it takes that back. */

const UNLIMITED = 2n ** 256n - 1n;

/** The list, once it was read. */
async function listed(swap) {
  const list = swap.page.getByRole("region", { name: "Allowances" });
  await list.getByRole("button", { name: /^Look/ }).click();
  await list.locator('button[aria-disabled="false"]', { hasText: "Look again" }).waitFor();
  return list;
}

const rows = (list) => list.locator(".allowance");
const said = (list) => list.locator(".allowance-words").allInnerTexts();

test("an unlimited approval is listed, taken back after a review, and gone", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.approve(swap.account, usdc, UNLIMITED);
  const list = await listed(swap);
  assert.deepEqual(await said(list), ["Delta contract may take Unlimited USDC\nall you have, and will have"]);
  await list.getByRole("button", { name: "Revoke: Delta contract may take USDC" }).click();
  await swap.heading("What you are sending").waitFor();
  const sentence = await swap.sentence.textContent();
  assert.ok(sentence.startsWith("Take back what the Delta contract "), sentence);
  assert.ok(sentence.includes(usdc.address), sentence);
  assert.equal(await swap.prompts(), 0, "nothing is sent before the review");
  await swap.ready("Send");
  await swap.main.click();
  await swap.answer("Take back the USDC approval?", "Take back");
  await swap.heading("Confirmed").waitFor();
  await swap.says("It may take nothing any more.");
  await list.getByText("Nothing.").waitFor();
  assert.equal(await rows(list).count(), 0);
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n);
  await swap.main.click();
  await swap.priced();
});

test("what Permit2 lets a contract take is taken back from Permit2, and a rejection changes nothing", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.approve(swap.account, weth, 10n ** 18n, sandbox.chain.router);
  await sandbox.allowInPermit2(swap.account, weth, sandbox.chain.delta, 5n * 10n ** 17n);
  const list = await listed(swap);
  const [first, second] = (await said(list)).toSorted();
  assert.match(first, /^Delta contract may take 0\.5 WETH\nthrough Permit2$/);
  assert.match(second, /^Market router may take 1 WETH$/);
  await list.getByRole("button", { name: "Revoke: Delta contract may take WETH" }).click();
  await swap.heading("What you are sending").waitFor();
  assert.match(await swap.sentence.textContent(), / through Permit2 on /);
  await swap.ready("Send");
  await swap.main.click();
  await swap.answer("Send this transaction?", "Reject");
  await swap.says("Rejected in your wallet.");
  await swap.main.click();
  await swap.sendInWallet();
  await swap.heading("Confirmed").waitFor();
  await rows(list).nth(1).waitFor({ state: "detached" });
  assert.match((await rows(list).allInnerTexts())[0], /Market router/);
});

test("where the node tells no logs, the page says what was searched", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("fault", { endpoint: "eth_getLogs", status: 500, times: 100 });
  const list = await listed(swap);
  await list.getByText("Only known tokens were searched.").waitFor();
});

test("axe finds nothing in the list on a phone, and everything fits the screen", () =>
  assertAccessible(WALKS.find(({ name }) => name === "allowances"), "narrow"));
