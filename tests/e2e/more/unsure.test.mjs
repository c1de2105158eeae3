import assert from "node:assert/strict";
import { test } from "node:test";
import { allowed, openMarket } from "../forms.mjs";
import { answer } from "../keys.mjs";
import { FAILED_REQUEST, browser, holdings, sandbox, usdc } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* An outcome that is not known: the page shows that, and goes on only with what the user knows. */

const QUESTION =
  /^Your wallet said "Internal JSON-RPC error\.": no transaction of it is known; look into it first\. I looked: it sent nothing\.$/;

test("a wallet that may have sent is asked again once the user has looked, by the keyboard alone", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account, viewport: { width: 390, height: 844 }, prepare: (page) => page.clock.install() });
  const before = await holdings(account);
  await swap.page.route("**/rpc/*", async (route) => {
    const body = route.request().postDataJSON();
    if (body.method !== "eth_sendTransaction") return route.fallback();
    const error = { code: -32603, message: "Internal JSON-RPC error." };
    return route.fulfill({ json: { jsonrpc: "2.0", id: body.id, error } });
  });
  await swap.press("Review swap");
  await swap.heading("What you are sending").waitFor();
  await swap.ready(/^Send$/);
  await swap.press("Send");
  await answer(swap, [["Send this transaction?", "Send"]]);
  await swap.says("Your wallet gave no transaction. It may still send one: look there first.");
  await swap.press("Try again");
  await swap.says(/This was sent before, or your wallet may have sent it: it can still go through\./);
  await swap.page.clock.fastForward(61_000);
  await swap.press("Try again");
  // At a price of that minute.
  await swap.ready(/^Send$/);
  await swap.press("Send");
  const tick = swap.page.getByRole("checkbox", { name: QUESTION });
  await tick.waitFor();
  assert.equal(await tick.isChecked(), false, "the page ticks nothing by itself");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.press("Send");
  assert.equal(await swap.prompts(), 1, "nothing opens without the tick");
  await swap.page.unroute("**/rpc/*");
  await swap.press(QUESTION, "Space");
  await swap.ready(/^Send$/);
  await swap.press("Send");
  await answer(swap, [["Send this transaction?", "Send"]]);
  await swap.ended("Confirmed");
  assert.equal(before.usdc - (await holdings(account)).usdc, BigInt(raw(100, usdc)));
});

/** A database whose transactions fail as long as the page wants. */
function unreadable() {
  const { transaction } = IDBDatabase.prototype;
  IDBDatabase.prototype.transaction = function (...args) {
    if (window.isUnreadable) throw new DOMException("The database is gone.", "UnknownError");
    return transaction.apply(this, args);
  };
}

for (const goesOn of ["without it", "with it, once it can be read again"]) {
  test(`a journal that cannot be read opens no prompt, and the user may go on ${goesOn}`, async () => {
    const prepare = (page) => page.addInitScript(unreadable);
    const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), prepare });
    await swap.review();
    await swap.page.evaluate(() => (window.isUnreadable = true));
    await swap.press("Sign");
    await swap.says(/Your browser does not show what was traded here before\. .* Your wallet was not opened/);
    await swap.press("Try again");
    await swap.ready("Try again");
    assert.equal(await swap.prompts(), 0);
    if (goesOn === "without it") await swap.press("Go on without knowing");
    else {
      await swap.page.evaluate(() => (window.isUnreadable = false));
      await swap.press("Try again");
      await swap.prompt.or(swap.main.filter({ hasText: /^Sign$/ })).first().waitFor();
      if (!(await swap.prompts())) await swap.press("Sign");
    }
    await answer(swap, [["Sign this order?", "Sign"]]);
    await swap.settled();
    assert.equal((await swap.newOrders()).length, 1);
  });
}

test("a transaction of another account is not called failed, and stands in the way of the same trade", async () => {
  const account = await allowed("router");
  const swap = await openMarket({ account });
  // As the node has it of one that was sent from the account that the wallet was switched to.
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
  await swap.card.getByText(/Your wallet sent another transaction than it was asked for/).waitFor();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.priced();
  await swap.latest.filter({ hasText: "Another was sent" }).waitFor();
  await swap.review("What you are sending");
  await swap.press("Send");
  await swap.says(/Your wallet was asked for this before, and sent another transaction\./);
  assert.equal(await swap.prompts(), 1);
  await swap.press("Send a second one");
  await answer(swap, [["Send this transaction?", "Send"]]);
  await swap.heading("Another was sent").waitFor();
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
  await swap.says(/A newer version of this page was open in this browser\. Reload to get it\. Your wallet was not opened/);
  const loaded = swap.page.waitForEvent("load");
  await swap.press("Reload the page");
  await loaded;
});

const LOOK_UPS = ["order", "orderByHash", "orders"];

test("an order that was filled, unseen, is looked up before the same trade is signed again", async () => {
  const account = await allowed();
  const swap = await SwapPage.open(browser, sandbox, { account, expected: FAILED_REQUEST });
  // It is taken and filled, and no answer comes.
  await sandbox.control("fault", { endpoint: "post", times: 1000, dropAfterAccept: true });
  for (const endpoint of LOOK_UPS) await sandbox.control("fault", { endpoint, times: 1000, status: 503 });
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  while ((await sandbox.allowance(account, usdc)) === BigInt(raw(5000, usdc))) await new Promise((later) => setTimeout(later, 50));
  await swap.page.reload();
  await swap.priced();
  await swap.review();
  await swap.press("Sign");
  await swap.message.waitFor();
  // The page posts what was signed a moment ago by itself, until it is unsure.
  const isAtWork = swap.message.filter({ hasText: "is at work on the same trade" });
  while (await isAtWork.count()) {
    await swap.ready("Try again");
    await swap.main.click();
    await new Promise((later) => setTimeout(later, 500));
  }
  await swap.says(/You signed this order before, and it may have been filled\. Look it up first\./);
  await swap.press("Look it up");
  await swap.heading("Order signed").waitFor();
  assert.equal(await swap.prompts(), 0, "nothing is signed");
  await sandbox.reset();
  await swap.settled();
});

test("an order that the service took and does not show is placed, and not failed", async () => {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), expected: FAILED_REQUEST });
  await sandbox.control("settings", { solving: false });
  for (const endpoint of LOOK_UPS) await sandbox.control("fault", { endpoint, times: 1000, status: 404, errorType: "NotFound" });
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  await swap.heading("Order placed").waitFor();
  await swap.card.getByText("Placed, not visible yet. We keep looking; do not sign it again.").waitFor();
  await sandbox.reset();
  await swap.settled();
  assert.equal((await swap.newOrders()).length, 1);
});
