import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("another account of the sandbox wallet is traded with as soon as it is chosen there", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const other = await sandbox.nextAccount();
  await swap.page.locator("#wallet-button").click();
  const choice = swap.page.getByRole("combobox", { name: /^Account/ });
  const values = await choice.locator("option").evaluateAll((options) => options.map(({ value }) => value));
  await choice.selectOption(values.find((value) => value.toLowerCase() === other.toLowerCase()));
  await swap.page.keyboard.press("Escape");
  await swap.page.getByRole("button", { name: new RegExp(`account ${other.slice(0, 6)}`, "i") }).waitFor();
  await swap.priced();
  await swap.review();
  assert.match(await swap.sentence.textContent(), new RegExp(other, "i"));
});

test("what an account has is read once when the wallet changes to it", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const other = await sandbox.nextAccount();
  const asked = { orders: 0, balance: 0 };
  const { address } = sandbox.token("usdt");
  swap.page.on("request", (request) => {
    const about = `${request.url()} ${request.postData() ?? ""}`.toLowerCase();
    if (!about.includes(other.slice(2).toLowerCase())) return;
    // What follows orders, and a build, ask for the open ones by themselves.
    if (about.includes("/v2/delta/orders?") && !about.includes("status=")) asked.orders++;
    if (about.includes(address.toLowerCase()) && about.includes("0x70a08231")) asked.balance++;
  });
  await swap.useAccount(other);
  await swap.page.locator(".recent:visible .history-empty").waitFor();
  await swap.review();
  assert.deepEqual(asked, { orders: 1, balance: 2 }, "and the balance once before, for the faucet");
});

test("Escape in the wallet's window is a rejection", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  await swap.main.click();
  await swap.prompt.waitFor();
  await swap.page.keyboard.press("Escape");
  await swap.says("Rejected in your wallet.");
});

test("the wallet's window ends inside a low browser window, so that its buttons can be reached", async () => {
  const height = 480;
  const swap = await SwapPage.open(browser, sandbox, { viewport: { width: 1000, height } });
  await swap.review();
  await swap.main.click();
  await swap.prompt.waitFor();
  const { y, height: tall } = await swap.prompt.boundingBox();
  assert.ok(y >= 0 && y + tall <= height, `it spans ${y} to ${y + tall} of ${height}`);
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
});
