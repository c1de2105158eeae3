import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, withoutBlocks } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A page that goes away in the middle of a swap: the next one shows how far it was, and leaves what is left to the user. */

/** A page whose wallet is asked to sign an order. */
async function asked(options) {
  const account = await allowed();
  const swap = await SwapPage.open(browser, sandbox, { account, expected: FAILED_REQUEST, ...options });
  await swap.review();
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  return swap;
}

/** A page whose order is signed and cannot be posted. */
async function signed(options) {
  const swap = await asked(options);
  await sandbox.control("fault", { endpoint: "post", times: 1000, dropBefore: true });
  const posts = swap.page.waitForRequest((request) => request.method() === "POST" && /\/v2\/delta\/orders/.test(request.url()));
  await swap.signInWallet();
  await posts;
  return swap;
}

/** The list of trades; an unfinished one of it has this title. */
function listed({ page }, title) {
  const trades = page.getByRole("region", { name: "Your trades" });
  return title ? trades.getByRole("listitem").filter({ has: page.getByRole("heading", { name: title }) }) : trades;
}

/** The trade has settled: in the list, or shown by itself. */
const ended = ({ page }) => page.locator("verified-swap").getByText(/^Settled\b/).first().waitFor();

const button = (swap, name) => listed(swap).getByRole("button", { name });

test("a prompt that was open at the reload is opened again for the same order, after a click", async () => {
  const swap = await asked();
  await swap.page.reload();
  await listed(swap, "Not signed yet").filter({ hasText: /100 USDC for at least 0\.0\d+ WETH/ }).waitFor();
  await swap.priced();
  assert.equal(await swap.prompts(), 0, "the journal alone opens no prompt");
  await button(swap, "Ask the wallet again").click();
  await swap.ready("Sign");
  assert.equal(await swap.prompts(), 0, "it is reviewed first");
  await swap.main.click();
  await swap.signInWallet();
  await ended(swap);
  assert.deepEqual([await swap.prompts(), swap.signatures(), swap.transactions()], [1, 1, 0], "the allowance stands");
  assert.equal((await swap.newOrders()).length, 1);
});

test("a reload after the signature, with the network gone, posts the same order once it is back", async () => {
  const swap = await signed();
  await swap.page.reload();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Order signed").waitFor();
  await swap.card.getByText(/^Signed\. Posting… Do not sign again\.$/).waitFor();
  assert.deepEqual(await swap.newOrders(), []);
  await sandbox.reset();
  await swap.settled();
  assert.equal(swap.signatures(), 1);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal((await swap.newOrders()).length, 1);
});

test("a minute later nothing is posted unless the user wants it", async () => {
  const swap = await signed({ prepare: (page) => page.clock.install() });
  await swap.page.clock.fastForward(61_000);
  await swap.page.reload();
  await listed(swap, "Signed, not posted").waitFor();
  await sandbox.reset();
  await swap.priced();
  assert.deepEqual(await swap.newOrders(), []);
  await button(swap, "Post it").click();
  await ended(swap);
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  assert.equal((await swap.newOrders()).length, 1);
});

test("while one tab has the prompt open another opens none, and follows the order to its end", async () => {
  const swap = await asked();
  const page = await swap.page.context().newPage();
  await page.goto(sandbox.url);
  const trades = listed({ page });
  await trades.getByRole("listitem").filter({ hasText: "In your wallet" }).waitFor();
  assert.equal(await trades.getByRole("button", { name: "Ask the wallet again" }).count(), 0);
  await swap.signInWallet();
  await swap.settled();
  await trades.getByRole("listitem").filter({ hasText: "Settled: " }).waitFor();
  assert.equal(swap.signatures(), 1);
  assert.equal((await swap.newOrders()).length, 1);
});

test("a transaction that the wallet may have sent is not called failed, and looked for again after a click", async () => {
  const swap = await openMarket({ account: await allowed("router") });
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  await swap.page.reload();
  await listed(swap, "Not known to be sent").filter({ hasText: "Look into your wallet before you start it again." }).waitFor();
  await button(swap, "Look again").click();
  await listed(swap, "Not known to be sent").waitFor();
  assert.equal(await swap.prompts(), 0, "no prompt since the reload");
  await button(swap, "Abandon it").first().click();
  await listed(swap, "Not known to be sent").waitFor({ state: "detached" });
  await swap.page.reload();
  await swap.priced();
  await listed(swap).getByText("Reading your trades…").waitFor({ state: "detached" });
  assert.equal(await listed(swap, "Not known to be sent").count(), 0);
  assert.equal(swap.transactions(), 0);
});

test("an approval is followed after a reload, and then not asked for again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.answer("Approve USDC?", "Approve");
    await swap.step.filter({ hasText: "Step 2 of 2" }).waitFor();
    await swap.page.reload();
    await swap.latest.filter({ hasText: "Transaction sent" }).waitFor();
  });
  await swap.latest.filter({ hasText: "Confirmed" }).waitFor();
  await swap.priced();
  await swap.swap({ approve: false });
  assert.equal(swap.transactions(), 1, "one approval");
});

test("where the browser keeps nothing the page says so, and still swaps", async () => {
  const prepare = (page) => page.addInitScript(() => Object.defineProperty(window, "indexedDB", { value: undefined }));
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.page.getByText("This browser keeps nothing for this page.").waitFor();
  await swap.swap();
});
