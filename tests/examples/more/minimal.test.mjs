/** examples/minimal in Chromium, by the keyboard alone. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { serve, startBrowser } from "../../package/page.mjs";
import { startSandbox } from "../../package/sandbox.mjs";
import { copyOf } from "../example.mjs";

let sandbox, browser, server;
before(async () => {
  const folder = copyOf("minimal");
  [sandbox, browser, server] = await Promise.all([startSandbox(), startBrowser(), folder.then((folder) => serve(folder))]);
});
after(() => Promise.all([sandbox?.stop(), browser?.close(), server?.stop()]));

/** The page with a wallet that announces itself, and what it complains of. */
async function open(options) {
  const page = await browser.newPage({ viewport: { width: 1000, height: 800 }, ...options });
  const complaints = [];
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  const wallet = sandbox.wallet(0);
  await wallet.announceTo(page, "Test wallet");
  await page.goto(`${server.url}/?sandbox=${sandbox.url}`);
  const press = async (name, key = "Enter") => {
    // As with a screen reader's keys: to the control of that name, and it has to be the focused one.
    for (let left = 12; left > 0 && (await focused(page)) !== name; left--) await page.keyboard.press("Tab");
    assert.equal(await focused(page), name);
    await page.keyboard.press(key);
  };
  const says = (text) => page.getByRole("status").filter({ hasText: text }).waitFor();
  return { page, wallet, complaints, press, says };
}

const focused = (page) => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);

test("a trade by the keyboard: connect, price, review, sign, follow", async () => {
  const { page, wallet, complaints, press, says } = await open();
  const before = await sandbox.balance(wallet.address, "DAI");
  await page.getByRole("button", { name: "Connect Test wallet" }).waitFor();
  await press("Connect Test wallet");
  await page.getByRole("button", { name: "Review" }).waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.id), "amount");
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("250");
  await page.locator("#price").filter({ hasText: /^249\.\d+$/ }).waitFor();
  await press("Review");
  await page.getByRole("dialog", { name: /^Sell 250 USDC .* for at least 24\d\.\d+ DAI \(0x\w+\.{3}\w+\) to 0x/ }).waitFor();
  assert.deepEqual(wallet.prompts, []);
  await page.keyboard.press("Escape");
  await says("Nothing was signed.");
  await press("Review");
  await page.getByRole("dialog").waitFor();
  await press("Agree");
  await says("Done: the tokens are in your wallet.");
  assert.deepEqual(wallet.prompts.map(({ method }) => method), ["eth_sendTransaction", "eth_signTypedData_v4"]);
  assert.ok((await sandbox.balance(wallet.address, "DAI")) - before > 248n * 10n ** 18n);
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a lie, an empty amount and a refusing wallet are told, and nothing is signed", async () => {
  const { page, wallet, complaints, press, says } = await open({ viewport: { width: 360, height: 740 } });
  await page.getByRole("button", { name: "Connect Test wallet" }).click();
  await page.locator("#amount").fill("");
  await page.getByText("Enter an amount, such as 12.5").waitFor();
  await page.locator("#amount").fill("100");
  await page.locator("#price").filter({ hasText: /\d/ }).waitFor();
  await sandbox.lie("receiver");
  await page.getByRole("button", { name: "Review" }).click();
  await says("beneficiary");
  await sandbox.reset();
  wallet.rejects = true;
  await page.getByRole("button", { name: "Review" }).click();
  await page.getByRole("dialog").waitFor();
  await press("Agree");
  await says("Nothing was signed.");
  assert.equal(wallet.prompts.length, 1);
  const widths = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
  assert.equal(widths[0], widths[1], "nothing is cut off or scrolls sideways on a phone");
  assert.deepEqual(complaints, []);
  await page.close();
});

test("a price that nobody knows is asked about, and nothing is signed without the tick", async () => {
  await sandbox.control("POST", "reference", { state: "missing" });
  const { page, wallet, complaints, press, says } = await open({ viewport: { width: 390, height: 844 } });
  await page.getByRole("button", { name: "Connect Test wallet" }).click();
  await page.locator("#price").filter({ hasText: /\d/ }).waitFor();
  await press("Review");
  const dialog = page.getByRole("dialog");
  const tick = dialog.getByRole("checkbox", { name: /nobody but whoever offers it says what this is worth .* I accept that\.$/ });
  await tick.waitFor();
  assert.ok(await dialog.getByRole("button", { name: "Agree" }).isDisabled());
  // Enter in a dialog presses its first button, which cancels.
  await tick.press("Enter");
  await says("Nothing was signed.");
  assert.deepEqual(wallet.prompts, []);
  await press("Review");
  await tick.press("Space");
  await press("Agree");
  await says("Done: the tokens are in your wallet.");
  assert.equal(wallet.prompts.at(-1).method, "eth_signTypedData_v4");
  assert.deepEqual(complaints, []);
  await sandbox.reset();
  await page.close();
});

test("a service that is not there is told", async () => {
  const page = await browser.newPage();
  await page.goto(`${server.url}/?sandbox=http://127.0.0.1:1`);
  await page.getByRole("status").filter({ hasText: "Failed to fetch" }).waitFor();
  await page.close();
});
