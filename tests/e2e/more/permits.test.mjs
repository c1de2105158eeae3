import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { openSale } from "../forms.mjs";
import { browser, sandbox } from "../rig.mjs";
import { raw } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a token without approve is sold by a permit, without being asked for", async () => {
  const token = sandbox.token("signOnly");
  const swap = await SwapPage.open(browser, sandbox);
  await swap.pay("20", token.symbol);
  const before = await sandbox.balance(swap.account, token);
  await swap.main.click();
  await swap.permitInWallet();
  await swap.heading("What you are signing").waitFor();
  await swap.main.click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(before - (await sandbox.balance(swap.account, token)), BigInt(raw(20, token)));
  await swap.close();
});

/** What lets a contract take tokens: how it is chosen, what is said of it, and whether it is signed or sent. */
const SPENDINGS = [
  { name: "an approval", title: "Approve 50 USDC" },
  { name: "an approval for a route", title: "Approve 50 USDC", path: "Market", spender: "router" },
  { name: "an approval that is taken back first", token: "usdt", old: 7, title: /Take back the old USDT/, amount: "0 USDT" },
  { name: "a permit", kind: "Permit" },
  { name: "a permit for a route", kind: "Permit", path: "Market", spender: "router" },
  { name: "a transfer by Permit2", kind: "Permit2, once", permit2: true },
  { name: "an allowance in Permit2", kind: "Permit2 allowance", permit2: true },
  { name: "an approval for Permit2", kind: "Permit2, once", permit2: "lost", title: "Approve 50 USDC", spender: "permit2" },
];

for (const { name, token: kindOf = "permit", spender = "delta", ...spending } of SPENDINGS) {
  test(`${name} is reviewed before the wallet opens, and leaving the review opens none`, async () => {
    const token = sandbox.token(kindOf);
    const account = await sandbox.nextAccount();
    const { chain } = sandbox;
    if (spending.old) await sandbox.approve(account, token, raw(spending.old, token));
    if (spending.permit2) await sandbox.approve(account, token, raw(1_000_000, token), chain.permit2);
    const swap = await SwapPage.open(browser, sandbox, { account });
    await swap.pay("50", token.symbol === "USDC" ? undefined : token.symbol);
    if (spending.path) await swap.set(spending.path);
    if (spending.kind) await swap.set(spending.kind);
    await swap.priced();
    if (spending.permit2 === "lost") {
      await sandbox.approve(account, token, 0, chain.permit2);
      await swap.main.click();
      await swap.page.getByRole("button", { name: "Approve 50 USDC", exact: true }).click();
    } else await swap.main.click();
    const panel = swap.page.locator(".step-panel");
    await panel.getByRole("heading", { name: spending.title ?? "Sign the permit" }).waitFor();
    const said = (await panel.textContent()).toLowerCase();
    assert.ok(said.includes(chain[spender].toLowerCase()), "it names the spender");
    assert.ok(said.includes((spending.amount ?? `Exactly 50 ${token.symbol}`).toLowerCase()), said);
    assert.ok(said.includes(token.address.toLowerCase()), "it names the token");
    assert.equal(await swap.prompts(), 0, "the wallet is closed while it is reviewed");
    // What is paid for was verified, and is there to be read.
    if (spending.permit2 !== "lost") assert.match(await swap.sentence.textContent(), /^Sell 50 /);
    await swap.page.getByRole("button", { name: "Back to the form" }).click();
    await swap.priced();
    assert.equal(await swap.prompts(), 0);
    assert.equal(swap.signatures() + swap.transactions(), 0, "the wallet was asked for nothing");
    await swap.close();
  });
}

test("a permit is signed for the order that was reviewed, which is then signed with it", async () => {
  const token = sandbox.token("permit");
  const swap = await SwapPage.open(browser, sandbox, { account: await sandbox.nextAccount() });
  await swap.pay("50");
  await swap.set("Permit");
  await swap.priced();
  const before = await sandbox.balance(swap.account, token);
  await swap.main.click();
  await swap.permitPanel.waitFor();
  const reviewed = await swap.sentence.textContent();
  await swap.permitInWallet();
  await swap.ready("Sign");
  assert.equal(await swap.sentence.textContent(), reviewed);
  await swap.main.click();
  await swap.signInWallet();
  await swap.settled();
  assert.equal(before - (await sandbox.balance(swap.account, token)), BigInt(raw(50, token)));
  assert.deepEqual([swap.signatures(), swap.transactions()], [2, 0]);
  await swap.close();
});

test("a deposit is reviewed after the signature and before the wallet opens again", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  await swap.review();
  await swap.main.click();
  await swap.signInWallet();
  const panel = swap.page.locator(".step-panel");
  await panel.getByRole("heading", { name: "Deposit 1 ETH" }).waitFor();
  assert.ok((await panel.textContent()).toLowerCase().includes(sandbox.chain.delta.toLowerCase()));
  assert.equal(await swap.prompts(), 1, "the signature alone");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.heading("Swap").waitFor();
  assert.deepEqual([await swap.prompts(), swap.transactions()], [1, 0]);
  await swap.close();
});

test("the report of a review is saved as a file with every check that the groups show", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  const card = swap.page.locator(".stage:visible");
  await card.locator(".vs-technical > summary").click();
  const [download] = await Promise.all([
    swap.page.waitForEvent("download"),
    card.getByRole("button", { name: "Download it" }).click(),
  ]);
  const { checks, digest } = JSON.parse(await readFile(await download.path(), "utf8"));
  assert.match(digest, /^0x[0-9a-f]{64}$/);
  const shown = await card.locator(".vs-group .vs-check-field").allTextContents();
  assert.equal(shown.length, checks.length);
  for (const { field } of checks) assert.ok(shown.some((text) => text.includes(field.split(".")[0])), field);
  const passed = checks.filter(({ verdict }) => verdict === "ok").length;
  await card.getByText(`${passed} checks passed`).waitFor();
  await swap.close();
});
