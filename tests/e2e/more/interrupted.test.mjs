import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A page that goes away in mid-swap: the journal tells the next one how far it was, and what is left to the user. */

/** A page whose order is signed and cannot be posted. */
async function signed(options) {
  const swap = await asked(options);
  await sandbox.control("fault", { endpoint: "post", times: 1000, dropBefore: true });
  await swap.signInWallet();
  await swap.heading("Order signed").waitFor();
  return swap;
}

/** The same after a reload that comes too late to post unasked. */
async function late() {
  const swap = await signed({ prepare: (page) => page.clock.install() });
  await swap.page.clock.fastForward(61_000);
  await swap.page.reload();
  await swap.heading("Signed, not posted").waitFor();
  await sandbox.reset();
  return swap;
}

/** A page whose wallet is asked to sign an order. */
async function asked(options) {
  const account = await allowed();
  const swap = await SwapPage.open(browser, sandbox, { account, expected: FAILED_REQUEST, ...options });
  await swap.review();
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  return swap;
}

function words(swap) {
  return swap.page.locator("main").innerText();
}

test("a prompt that was open at the reload is opened again for the same order, when the user says so", async () => {
  const swap = await asked();
  await swap.page.reload();
  await swap.heading("Not signed yet").waitFor();
  await swap.ready("Ask the wallet again");
  assert.match(await swap.sentence.textContent(), /^Sell 100 USDC for at least 0\.0\d+ WETH\.$/);
  assert.equal(await swap.prompts(), 0, "the journal alone opens no prompt");
  await swap.main.click();
  await swap.signInWallet();
  await swap.heading("Settled").waitFor();
  assert.deepEqual([await swap.prompts(), swap.signatures(), swap.transactions()], [1, 1, 0], "the allowance stands");
  assert.equal((await swap.newOrders()).length, 1);
});

test("a reload after the signature, with the network gone, posts the same order once it is back", async () => {
  const swap = await signed();
  await swap.page.reload();
  await swap.heading("Order signed").waitFor();
  await swap.says(/^Signed\. /);
  assert.doesNotMatch(await words(swap), /in your wallet/i);
  assert.deepEqual(await swap.newOrders(), []);
  await sandbox.reset();
  await swap.heading("Settled").waitFor();
  assert.equal(swap.signatures(), 1);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal((await swap.newOrders()).length, 1);
});

test("a minute later the user decides, with today's price beside the signed one, and posts it", async () => {
  const swap = await late();
  assert.doesNotMatch(await words(swap), /in your wallet/i);
  assert.match(await swap.figure("Signed").last().textContent(), /WETH|\d/);
  assert.match(await swap.figure("Today").textContent(), /^about 0\.0\d+ WETH$/);
  assert.deepEqual(await swap.newOrders(), []);
  await swap.main.click();
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal((await swap.newOrders()).length, 1);
});

test("an order that is abandoned is asked about no more, and is not posted", async () => {
  const swap = await late();
  await swap.press("Abandon it");
  await swap.priced();
  await swap.page.reload();
  await swap.priced();
  assert.deepEqual(await swap.newOrders(), []);
  assert.equal(swap.signatures(), 1);
});

test("a signed order that is not wanted any more is made void on chain", async () => {
  const swap = await late();
  await swap.page.getByRole("button", { name: "Make it void on chain" }).click();
  await swap.cancelOnChain();
  await swap.ended("Confirmed");
  await swap.main.click();
  await swap.priced();
  await swap.page.reload();
  await swap.priced();
  assert.deepEqual(await swap.newOrders(), []);
});

test("while one tab has the prompt open another says so, and follows the order to its end", async () => {
  const swap = await asked();
  const page = await swap.page.context().newPage();
  await page.goto(sandbox.url);
  const elsewhere = page.locator(".stage:visible .message", { hasText: "Another tab of this page is at work on it." });
  await elsewhere.waitFor();
  await swap.signInWallet();
  await swap.settled();
  await page.getByRole("heading", { level: 1, name: "Settled" }).waitFor();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
});

test("a transaction that the wallet may have sent is uncertain, and looked for again when the user says so", async () => {
  const account = await allowed("router");
  const swap = await SwapPage.open(browser, sandbox, { account });
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  await swap.page.reload();
  await swap.heading("Not known to be sent").waitFor();
  await swap.says("Look into your wallet before you start it again.");
  await swap.main.click();
  await swap.ready("Look again");
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  await swap.press("Abandon it");
  await swap.priced();
  await swap.page.reload();
  await swap.priced();
  assert.equal(swap.transactions(), 0);
});

test("where the browser keeps nothing the page says so, and still swaps", async () => {
  const prepare = (page) =>
    page.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.page.getByText("Nothing is kept here: a reload forgets what is under way.").waitFor();
  await swap.swap();
});
