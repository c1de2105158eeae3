import assert from "node:assert/strict";
import { openOtc } from "./forms.mjs";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

/** A maker's page after it has posted an order: 90 USDC for 0.03 WETH (or `want`), or for so much of `get`. Answers with the order's hash too. */
export async function offered({ taker = "", want = "0.03", get, ...options } = {}) {
  const maker = await openOtc(options);
  if (get) {
    await maker.page.getByRole("button", { name: /^You get: / }).click();
    await maker.page
      .getByRole("dialog")
      .getByRole("option", { name: new RegExp(`^${get.symbol}`) })
      .click();
  }
  const mine = maker.page.locator(".recent:visible ul").nth(1);
  const card = maker.page.locator(".stage:visible");
  await card.getByLabel("You give", { exact: true }).fill("90");
  await card.getByLabel("You get", { exact: true }).fill(get?.amount ?? want);
  await card.getByLabel("Open to").fill(taker);
  await maker.ready("Review order");
  await maker.review();
  assert.match(await maker.figure("Open to").textContent(), taker ? /^0x/ : /^Anyone$/);
  await maker.main.click();
  await maker.approveInWallet();
  await maker.signInWallet();
  await maker.heading("OTC order, open").waitFor();
  const hash = await maker.figure("Order").getAttribute("title");
  await mine.locator(`li[title="${hash}"]`).waitFor();
  return { maker, mine: mine.locator(`li[title="${hash}"]`), hash };
}

/** A taker's page with the order's dialog open. */
export async function openFill(hash, options) {
  const taker = await openOtc(options);
  await taker.page.getByLabel("Fill an order by its hash").fill(hash);
  await taker.page.getByRole("button", { name: "Open", exact: true }).click();
  await taker.page.getByRole("dialog").waitFor();
  return taker;
}

/** A page that was opened by an order's link. */
export function openLinked(path, options) {
  return SwapPage.open(browser, sandbox, { path: `/${path}`, priced: false, ...options });
}

export async function fill(taker, { amount, receiver } = {}) {
  const dialog = taker.page.getByRole("dialog");
  if (amount) await dialog.getByLabel("You pay, in WETH").fill(amount);
  if (receiver) await dialog.getByLabel("Receiver").fill(receiver);
  await dialog.getByRole("button", { name: "Review fill" }).click();
  await taker.heading("What you are sending").waitFor();
  await taker.sendReviewed();
}

/** The page says why not, and the wallet was asked for nothing. */
export async function refused(taker, why) {
  await taker.heading("This order cannot be filled").waitFor();
  assert.equal(await taker.sentence.textContent(), `Stopped. ${why}`);
  assert.equal(await taker.prompts(), 0);
  assert.equal(taker.transactions(), 0);
}
