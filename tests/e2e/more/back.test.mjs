import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* The browser's Back leads to the form, as the page's own button does, and a reload finds the form as it was. */

async function back({ page }, heading = "Swap") {
  await page.goBack();
  await page.getByRole("heading", { level: 1, name: heading }).waitFor();
}

test("Back leads from a review to the form, Forward to nothing, and from the form out of the page", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  await back(swap);
  await swap.priced();
  await swap.page.goForward();
  await swap.priced();
  await swap.review();
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.priced();
  // No entry of the page is left to go back to.
  await swap.page.waitForFunction(() => history.state === null);
});

test("Back refuses what waits to be reviewed, and not what the wallet was asked", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.permitPanel.waitFor();
  await back(swap);
  await swap.priced();
  assert.equal(await swap.prompts(), 0);
  await swap.main.click();
  await swap.permitInWallet();
  await swap.ready("Sign");
  await swap.main.click();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await back(swap, "What you are signing");
  await swap.signInWallet();
  await swap.settled();
  await back(swap);
});

test("Back leads from a refusal to the form, and its address names it until the lie ends", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.getByRole("button", { name: /^Send your tokens to a stranger/ }).click();
  await swap.page.locator(".stage.refused").waitFor();
  await swap.page.reload();
  await swap.page.locator(".stage.refused").waitFor();
  await back(swap);
  assert.equal(new URL(swap.page.url()).search, "?attack=receiver");
  await swap.page.getByRole("button", { name: "End the lie" }).click();
  await swap.priced();
  await swap.page.waitForURL((url) => url.search === "");
});

test("a reload keeps the tab, the tokens and the amount", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("pay", "WETH");
  await swap.choose("receive", "USDT");
  await swap.payField.fill("0.01");
  await swap.tab("Limit");
  await swap.page.reload();
  await swap.heading("Limit order").waitFor();
  assert.equal(await swap.payField.inputValue(), "0.01");
  await swap.page.getByRole("button", { name: /^You pay: WETH/ }).waitFor();
  await swap.page.getByRole("button", { name: /^You receive: USDT/ }).waitFor();
  // Whatever is found there is no form.
  await swap.page.addInitScript(() => sessionStorage.setItem("form", '{"tab":"moon","src":7}'));
  await swap.page.reload();
  await swap.priced();
});
