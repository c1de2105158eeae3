import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { answer } from "../keys.mjs";
import { FAILED_REQUEST, browser, holdings, sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* What may have happened, and nobody knows: the page says so, and goes on only with what the user knows. */

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];

async function fits(swap, { width }) {
  assert.equal(await swap.page.evaluate(() => document.documentElement.scrollWidth), width);
}

/** What the wallet says in place of a hash, as long as that is set. */
async function breakWallet(swap) {
  await swap.page.route("**/rpc/*", async (route) => {
    const body = route.request().postDataJSON();
    if (body.method !== "eth_sendTransaction") return route.fallback();
    const error = { code: -32603, message: "Internal JSON-RPC error." };
    return route.fulfill({ json: { jsonrpc: "2.0", id: body.id, error } });
  });
  return () => swap.page.unroute("**/rpc/*");
}

const QUESTION =
  /^Your wallet said "Internal JSON-RPC error\.": no transaction of it is known; look into it first\. I looked: it sent nothing\.$/;

for (const viewport of SIZES) {
  test(`a wallet that may have sent is asked again once the user has looked, by the keyboard alone, ${viewport.width} wide`, async () => {
    const account = await allowed("router");
    const swap = await openMarket({ account, viewport, prepare: (page) => page.clock.install() });
    const before = await holdings(account);
    const mend = await breakWallet(swap);
    await swap.press("Review swap");
    await swap.heading("What you are sending").waitFor();
    await swap.ready(/^Send$/);
    await swap.press("Send");
    await answer(swap, [["Send this transaction?", "Send"]]);
    await swap.says("Your wallet gave no transaction. It may still send one: look there first.");
    await swap.press("Try again");
    await swap.says(/^This was sent before, or your wallet may have sent it: it can still go through\./);
    await swap.page.clock.fastForward(61_000);
    await swap.press("Look again");
    // At a price of that minute.
    await swap.ready(/^Send$/);
    await swap.press("Send");
    const tick = swap.page.getByRole("checkbox", { name: QUESTION });
    await tick.waitFor();
    assert.equal(await tick.isChecked(), false, "the page ticks nothing by itself");
    assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
    await fits(swap, viewport);
    await swap.press("Send again");
    assert.equal(await swap.prompts(), 1, "nothing opens without the tick");
    await mend();
    await swap.press(QUESTION, "Space");
    await swap.ready("Send again");
    await swap.press("Send again");
    await answer(swap, [["Send this transaction?", "Send"]]);
    await swap.ended("Confirmed");
    assert.equal(before.usdc - (await holdings(account)).usdc, BigInt(raw(100, usdc)));
  });

  test(`a journal that cannot be read opens no prompt, and the user may go on without it, ${viewport.width} wide`, async () => {
    const account = await allowed();
    const swap = await SwapPage.open(browser, sandbox, { account, viewport, prepare: (page) => page.addInitScript(unreadable) });
    await swap.review();
    await swap.page.evaluate(() => (window.isUnreadable = true));
    await swap.press("Sign");
    await swap.says("Your browser does not show what this page traded before. Close its other tabs, or try again. Your wallet was not opened");
    await swap.press("Try again");
    await swap.ready("Try again");
    await fits(swap, viewport);
    assert.equal(await swap.prompts(), 0);
    await swap.press("Go on without knowing");
    await answer(swap, [["Sign this order?", "Sign"]]);
    await swap.settled();
    assert.equal((await swap.newOrders()).length, 1);
  });
}

test("a transaction of another account is not called failed, and stands in the way of the same trade", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  // As the node tells it of one that was sent from the account that the wallet was switched to.
  await swap.page.route("**/rpc/*", async (route) => {
    if (!route.request().postData()?.includes("eth_getTransactionByHash")) return route.fallback();
    const response = await route.fetch();
    const answers = await response.json();
    for (const { result } of [answers].flat()) if (result?.hash) result.from = sandbox.config.accounts.find((other) => other !== account);
    return route.fulfill({ response, json: answers });
  });
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.sendInWallet();
  await swap.heading("Another was sent").waitFor();
  await swap.says(/^Your wallet sent another transaction than it was asked for/);
  assert.doesNotMatch(await swap.page.title(), /✕/);
  assert.equal(await swap.page.locator(".stage:visible .timeline li", { hasText: "Another was sent" }).getAttribute("class"), "now");
  await swap.main.click();
  await swap.priced();
  await swap.latest.filter({ hasText: "Another was sent" }).waitFor();
  await swap.review("What you are sending");
  await swap.press("Send");
  await swap.says(/^Your wallet was asked for this before, and sent another transaction:/);
  assert.equal(await swap.prompts(), 1);
  await swap.press("Send a second one");
  await answer(swap, [["Send this transaction?", "Send"]]);
  await swap.heading("Another was sent").waitFor();
});

/** A database whose transactions fail as long as the page says so. */
function unreadable() {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...args) {
    if (window.isUnreadable) throw new DOMException("The database is gone.", "UnknownError");
    return transaction.apply(this, args);
  };
}

test("a journal that can be read again is gone on with", async () => {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), prepare: (page) => page.addInitScript(unreadable) });
  await swap.review();
  await swap.page.evaluate(() => (window.isUnreadable = true));
  await swap.main.click();
  await swap.ready("Try again");
  await swap.page.evaluate(() => (window.isUnreadable = false));
  await swap.swapReviewed({ approve: false });
});

test("an entry that cannot be read is listed, and let go of by the keyboard alone", async () => {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), viewport: SIZES[1] });
  await swap.review();
  await swap.swapReviewed({ approve: false });
  const { page } = swap;
  await page.evaluate(() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("verified-swap");
    opening.onerror = () => reject(opening.error);
    opening.onsuccess = () => {
      const entries = opening.result.transaction("entries", "readwrite").objectStore("entries");
      entries.getAllKeys().onsuccess = ({ target }) => {
        for (const name of target.result.filter((name) => name.startsWith("trade/"))) entries.put("spoiled", name);
      };
      entries.transaction.oncomplete = () => (opening.result.close(), resolve());
    };
  }));
  await page.reload();
  await swap.priced();
  const card = page.getByRole("region", { name: "Unfinished" });
  await card.getByText("Cannot be read").waitFor();
  await fits(swap, SIZES[1]);
  await swap.press("I have looked: let go of it");
  await card.waitFor({ state: "detached" });
  await page.reload();
  await swap.priced();
  assert.equal(await card.count(), 0);
});

test("a journal of a newer version of the page asks for a reload", async () => {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed() });
  await swap.review();
  await swap.page.evaluate(() => new Promise((resolve, reject) => {
    const opening = indexedDB.open("verified-swap", 2);
    opening.onsuccess = () => resolve(opening.result.close());
    opening.onerror = () => reject(opening.error);
  }));
  await swap.main.click();
  await swap.says("A newer version of this page was open in this browser. Reload to get it. Your wallet was not opened");
  const loaded = swap.page.waitForEvent("load");
  await swap.press("Reload the page");
  await loaded;
});

const LOOK_UPS = ["order", "orderByHash", "orders"];

test("an order that was filled and never told is looked up before the same trade is signed again", async () => {
  const account = await allowed();
  const swap = await SwapPage.open(browser, sandbox, { account, expected: FAILED_REQUEST });
  // It is taken and filled, and neither that nor anything about it is told.
  await sandbox.control("fault", { endpoint: "post", times: 1000, dropAfterAccept: true });
  for (const endpoint of LOOK_UPS) await sandbox.control("fault", { endpoint, times: 1000, status: 503 });
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  await swap.says(/^Sent, but no answer yet\./);
  while ((await sandbox.allowance(account, usdc)) === BigInt(raw(5000, usdc))) await new Promise((later) => setTimeout(later, 50));
  await swap.page.reload();
  await swap.heading("Order signed").waitFor();
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.priced();
  await swap.review();
  await swap.press("Sign");
  await swap.says("You signed this order before, and it may have been filled: nobody has told this page. Look it up first.");
  await swap.ready("Look it up");
  await swap.press("Look it up");
  await swap.says("You signed this order before, and it may have been filled. The service does not answer. Look again.");
  assert.equal(await swap.prompts(), 0, "nothing is signed");
  await sandbox.reset();
  await swap.press("Look it up");
  await swap.heading("Settled").waitFor();
});

test("an order that the service took and does not show is placed, and not failed", async () => {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), expected: FAILED_REQUEST });
  await sandbox.control("settings", { solving: false });
  for (const endpoint of LOOK_UPS) await sandbox.control("fault", { endpoint, times: 1000, status: 404, errorType: "NotFound" });
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  await swap.heading("Order placed").waitFor();
  await swap.says("Placed, not visible yet. We keep looking; do not sign it again.");
  assert.match(await swap.sentence.textContent(), /The service took it, and does not show it at the moment\.$/);
  await sandbox.reset();
  await swap.settled();
  assert.equal((await swap.newOrders()).length, 1);
});
