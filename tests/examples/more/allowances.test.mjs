/** examples/allowances in Chromium, by the keyboard: the list, what open orders need, and taking one back. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { startPages } from "../page.mjs";

const UNLIMITED = 2n ** 256n - 1n;
const RAW_USDC = 1_000_000n;
let pages, sandbox, chain;
before(async () => {
  pages = await startPages("allowances");
  ({ sandbox } = pages);
  [chain] = sandbox.chains;
});
after(() => pages?.stop());

const allow = (owner, token, amount, spender) =>
  sandbox.control("POST", "approve", { chainId: chain.chainId, token: sandbox.token(token).address, owner, amount: String(amount), spender });
const allowed = async (owner, token, spender) => {
  const data = `0xdd62ed3e${[owner, spender].map((address) => address.slice(2).padStart(64, "0")).join("")}`;
  return BigInt(await sandbox.rpc(chain.chainId, "eth_call", [{ to: sandbox.token(token).address, data }, "latest"]));
};
const rows = (page) => page.locator("#allowances li > span").allInnerTexts();

/** An order at a limit that is not met, of another client: the page learns of it from the service alone. */
async function openOrder(account, amount) {
  const { createClient } = await import(pathToFileURL(join(pages.folder, "node_modules/verified-swap/node.js")));
  const client = await createClient({ ...sandbox.clientOptions, wallet: sandbox.wallet(account) });
  const quote = await client.quote(sandbox.request("USDC", "DAI", amount));
  const build = await client.build(quote, { limitPrice: "2" });
  await client.approve(build.approval);
  await client.submit(build);
}

test("an unlimited approval is listed, taken back after a review, and gone", async () => {
  const { page, wallet, press, says, reviewed, connect, close, focused, methods } = await pages.open({ viewport: { width: 390, height: 844 } });
  await allow(wallet.address, "USDC", UNLIMITED, chain.router);
  await connect();
  const name = await page.getByRole("button", { name: /^Revoke: .*“USDC” \(0x\w{4}…\w{4}\)$/ }).getAttribute("aria-label");
  assert.match((await rows(page))[0], /^Market router may take all “USDC” \(0x\w{4}…\w{4}\) that you have and will have$/);
  await press(name);
  const sentence = await reviewed(/^Take back what /);
  assert.ok(sentence.includes(sandbox.token("USDC").address), sentence);
  await page.keyboard.press("Escape");
  await says("Nothing was sent.");
  assert.deepEqual([methods(), await focused()], [[], name]);
  await press(name);
  await reviewed(/^Take back what /);
  wallet.rejects = true;
  await press("Agree");
  await says("Nothing was sent.");
  wallet.rejects = false;
  await press(name);
  await reviewed(/^Take back what /);
  await press("Agree");
  await says(/^Taken back: transaction 0x[0-9a-f]{64} in block \d+\.$/);
  assert.deepEqual([await rows(page), await focused()], [[], "Look again"]);
  assert.equal(await allowed(wallet.address, "USDC", chain.router), 0n);
  await close();
});

test("what open orders need of an allowance is beside it, and in the review; what cannot be read is said", async () => {
  await openOrder(1, "250");
  const { page, wallet, press, says, reviewed, connect, close, methods } = await pages.open({ account: 1, expected: /status of [45]00/ });
  await allow(wallet.address, "USDC", 900n * RAW_USDC, chain.delta);
  await connect();
  await page.getByText(/^Open orders need 250 “USDC” \(0x\w{4}…\w{4}\) of it\.$/).waitFor();
  assert.match((await rows(page))[0], /may take 900 “USDC”/);
  await page.locator("#allowances button").click();
  await reviewed(/^Take back what /);
  assert.match(await page.locator("#warning").textContent(), /^Open orders need 250 .* Without it they pause or fail\.$/);
  await page.keyboard.press("Escape");

  await sandbox.control("POST", "fault", { endpoint: "fillableBalance", status: 400, times: -1 });
  await press("Look again");
  await page.getByText("What open orders need of it could not be read.").waitFor();
  await sandbox.reset();
  await sandbox.control("POST", "fault", { endpoint: "eth_getLogs", status: 500, times: 100 });
  await press("Look again");
  await page.getByText("The node returns no logs: only known tokens were searched.").waitFor();
  await says(/^No allowance was found\.$/);
  assert.deepEqual(methods(), []);
  await sandbox.reset();
  await close();
});

test("a link chooses no service where the page is served to others", async () => {
  assert.deepEqual(await pages.hostsAsked(), ["api.velora.xyz"]);
});
