import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("another account of the sandbox wallet is traded with as soon as it is chosen there, and read once", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const other = await sandbox.nextAccount();
  let orders = 0;
  swap.page.on("request", (request) => {
    const url = request.url().toLowerCase();
    // Watches, and a build, ask for the open ones by themselves.
    if (url.includes(other.slice(2).toLowerCase()) && url.includes("/v2/delta/orders?") && !url.includes("status=")) orders++;
  });
  await swap.useAccount(other);
  await swap.page.getByText("No trades were found.").waitFor();
  await swap.review();
  assert.match(await swap.sentence.textContent(), new RegExp(other, "i"));
  assert.equal(orders, 1);
});

test("the wallet's window fits a low browser window, and Escape in it is a rejection", async () => {
  const height = 480;
  const swap = await SwapPage.open(browser, sandbox, { viewport: { width: 1000, height } });
  await swap.review();
  await swap.main.click();
  await swap.prompt.waitFor();
  const { y, height: tall } = await swap.prompt.boundingBox();
  assert.ok(y >= 0 && y + tall <= height, `it spans ${y} to ${y + tall} of ${height}`);
  await swap.page.keyboard.press("Escape");
  await swap.says("Rejected in your wallet.");
  assert.equal(swap.transactions(), 0);
  await swap.page.getByRole("button", { name: "Approve again" }).click();
  await swap.approveInWallet();
  await swap.answer("Sign this order?", "Reject");
  await swap.says("Rejected in your wallet.");
  assert.deepEqual(await sandbox.requests("post"), []);
  await swap.page.getByRole("button", { name: "Sign again" }).click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal((await sandbox.requests("post")).length, 1);
});
