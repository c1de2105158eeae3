import assert from "node:assert/strict";
import { test } from "node:test";
import { openOtc } from "../forms.mjs";
import { fill, offered, openFill, openLinked, refused } from "../offers.mjs";
import { FAILED_REQUEST, holdings, sandbox, usdc } from "../rig.mjs";
import { focusIsOn } from "../outcomes.mjs";
import { raw } from "../sandbox.mjs";

test("anyone but the named taker is stopped before the wallet opens", async () => {
  const named = await sandbox.nextAccount();
  const { hash } = await offered({ taker: named });
  const stranger = await openFill(hash);
  assert.notEqual(stranger.account, named);
  await stranger.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await refused(stranger, "This order is for another account.");
});

test("a cancelled order is cancelled on chain, and cannot be filled", async () => {
  const { maker, mine, hash } = await offered();
  const taker = await openFill(hash);
  const before = await holdings(maker.account);
  await mine.getByRole("button", { name: /^Cancel/ }).click();
  await maker.heading("What you cancel").waitFor();
  assert.match(await maker.page.locator(".step-panel").textContent(), /Give 90 USDC for 0\.03 WETH\./);
  // Out of the order's own view.
  await maker.page.getByRole("button", { name: "Back", exact: true }).click();
  await maker.heading("OTC order, open").waitFor();
  await focusIsOn(maker, "Cancel");
  await maker.page.keyboard.press("Enter");
  await maker.cancelOnChain();
  await maker.heading("OTC order, cancelled").waitFor();
  await mine.filter({ hasText: "Cancelled" }).waitFor();
  await taker.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await refused(taker, "Nothing is left of this order.");
  assert.deepEqual({ ...(await holdings(maker.account)), eth: before.eth }, before);
});

test("an order far below the market is signed only by who says that they know", async () => {
  const swap = await openOtc();
  await swap.page.getByLabel("You give", { exact: true }).fill("90");
  await swap.page.getByLabel("You get", { exact: true }).fill("0.00002");
  await swap.page.locator(".against .worse", { hasText: /^ *99\.9\d % worse than the market$/ }).waitFor();
  await swap.ready("Review order");
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  await swap.page.locator(".stage:visible .against .worse").waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.main.dispatchEvent("click");
  assert.equal(await swap.prompts(), 0);
  await swap.page.getByRole("checkbox", { name: /^I know: 99\.9\d % worse than the market$/ }).check();
  await swap.main.click();
  await swap.answer("Approve USDC?", "Approve");
  // It is said again for a new price.
  await swap.ready("Sign");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.ready("Review order");
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  assert.equal(await swap.page.getByRole("checkbox", { name: /^I know/ }).isChecked(), false);
});

test("an order's link opens it elsewhere, and its address names it only while it is shown", async () => {
  const { maker, hash } = await offered();
  await maker.page.getByRole("button", { name: "Share" }).click();
  const dialog = maker.page.getByRole("dialog", { name: "Share this order" });
  const link = await dialog.getByRole("textbox", { name: "Link" }).inputValue();
  assert.equal(link, new URL(`/?otc=${hash}`, sandbox.url).href);
  await dialog.getByRole("img", { name: "QR code of the link" }).waitFor();
  await maker.page.keyboard.press("Escape");
  const taker = await openLinked(new URL(link).search);
  await taker.heading("OTC order, open").waitFor();
  assert.equal(await taker.figure("Order").getAttribute("title"), hash);
  await taker.page.getByRole("button", { name: "Copy Made by" }).waitFor();
  await taker.page.getByText("% better than the market").waitFor();
  await taker.page.getByRole("button", { name: "Fill this order" }).click();
  await fill(taker);
  assert.equal(new URL(taker.page.url()).search, "");
  await maker.heading("OTC order, filled").waitFor();
});

test("a link stays open when the wallet moves to the account that the order is for", async () => {
  const [stranger, named] = [await sandbox.nextAccount(), await sandbox.nextAccount()];
  const { hash } = await offered({ taker: named });
  const taker = await openLinked(`?otc=${hash}`, { account: stranger });
  await taker.heading("OTC order, open").waitFor();
  await taker.page.locator("#wallet-button").click();
  await taker.page.getByRole("combobox", { name: "Account" }).selectOption(named);
  await taker.page.locator(`#wallet-button[title$="${named}" i]`).waitFor();
  await taker.page.keyboard.press("Escape");
  await taker.page.getByRole("button", { name: "Fill this order" }).click();
  assert.equal(new URL(taker.page.url()).search, `?otc=${hash}`);
  await fill(taker);
});

test("another order that is opened over it takes its name out of the address", async () => {
  await sandbox.control("settings", { solving: false });
  const { maker, mine, hash } = await offered();
  await maker.tab("Swap");
  await maker.priced();
  await maker.approveAndSign();
  await maker.heading("Order on its way").waitFor();
  await maker.tab("OTC");
  await mine.getByRole("button").first().click();
  await maker.heading("OTC order, open").waitFor();
  await maker.page.waitForURL(`**/?otc=${hash}`);
  await maker.page.getByRole("button", { name: /Show it$/ }).click();
  await maker.heading("Order on its way").waitFor();
  assert.equal(new URL(maker.page.url()).search, "");
});

test("a link to an order that nobody knows is said", async () => {
  const swap = await openLinked(`?otc=0x${"12".repeat(32)}`, { expected: FAILED_REQUEST });
  await swap.page.getByRole("alert").filter({ hasText: "The service knows no OTC order" }).waitFor();
});

test("a part by the slider is what the dialog says will come", async () => {
  const { hash } = await offered();
  const taker = await openFill(hash);
  const dialog = taker.page.getByRole("dialog");
  await dialog.getByRole("slider", { name: "Part of what is left" }).fill("50");
  assert.equal(await dialog.getByLabel("You pay, in WETH").inputValue(), "0.015");
  const said = await dialog.locator(".row", { hasText: "You get" }).locator("data").getAttribute("value");
  assert.equal(said, "45");
  const before = await holdings(taker.account);
  await fill(taker);
  assert.equal((await holdings(taker.account)).usdc - before.usdc, BigInt(raw(45, usdc)));
});
