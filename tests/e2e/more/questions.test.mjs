import assert from "node:assert/strict";
import { test } from "node:test";
import { openMarket } from "../forms.mjs";
import { answer } from "../keys.mjs";
import { FAILED_REQUEST, browser, sandbox, usdc, weth } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A price that nobody but the service knows: the user is asked, for that very build. */

const QUESTION = /^A source of reference prices did not answer, so nobody but whoever offers it says .*\. I accept its price\.$/;

const nobodyKnows = () => sandbox.control("reference", { state: "missing" });

function tick(swap) {
  return swap.page.getByRole("checkbox", { name: QUESTION });
}

/** The review of a build with one question, whose button does nothing yet. */
async function asked(swap, what = "What you are signing") {
  await swap.main.click();
  await swap.heading(what).waitFor();
  await tick(swap).waitFor();
  await heldBack(swap);
}

async function heldBack(swap) {
  assert.equal(await tick(swap).isChecked(), false, "the page ticks nothing by itself");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.says("Tick what you accept, or go back.");
  const before = await swap.prompts();
  await swap.main.dispatchEvent("click");
  await new Promise((later) => setTimeout(later, 300));
  assert.equal(await swap.prompts(), before);
}

/** A newer price of what is under review. */
async function renewed(swap) {
  const before = await swap.sentence.textContent();
  await swap.pass(31_000);
  await swap.ready("Refresh");
  await swap.main.click();
  await swap.page.locator(".stage:visible .message", { hasText: /^Price \d s old$|^Tick/ }).waitFor();
  return before;
}

for (const viewport of [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
]) {
  test(`a trade at a price that nobody knows is asked about and made by the keyboard alone, ${viewport.width} wide`, async () => {
    await nobodyKnows();
    const swap = await SwapPage.open(browser, sandbox, { viewport });
    await swap.press("Review swap");
    await swap.heading("What you are signing").waitFor();
    await tick(swap).waitFor();
    await heldBack(swap);
    await swap.press(/^Approve /);
    assert.equal(await swap.prompts(), 0, "nothing opens without the tick");
    assert.equal(await swap.page.evaluate(() => document.documentElement.scrollWidth), viewport.width);
    await swap.press(QUESTION, "Space");
    await swap.ready(/^Approve /);
    await swap.press(/^Approve /);
    await answer(swap, [["Approve", "Approve"]]);
    await swap.ready(/^Sign$/);
    assert.ok(await tick(swap).isChecked(), "it is the same build");
    await swap.press("Sign");
    await answer(swap, [["Sign this order", "Sign"]]);
    await swap.settled();
  });
}

test("a tick that is taken back holds the button back, also of a prompt that was rejected", async () => {
  await nobodyKnows();
  const swap = await SwapPage.open(browser, sandbox);
  await asked(swap);
  await tick(swap).check();
  await swap.ready(/^Approve /);
  await swap.main.click();
  await swap.answer(/Approve \w+\?/, "Reject");
  await swap.ready("Approve again");
  await tick(swap).uncheck();
  await swap.page.locator('.stage:visible button.primary[aria-disabled="true"]').waitFor();
  await swap.main.dispatchEvent("click");
  await tick(swap).check();
  await swap.swapReviewed();
  assert.equal(await swap.prompts(), 3);
});

test("a newer price is asked about again only if its bound is worse", async () => {
  await nobodyKnows();
  const swap = await SwapPage.open(browser, sandbox);
  await asked(swap);
  await tick(swap).check();
  await renewed(swap);
  assert.ok(await tick(swap).isChecked(), "the same bound");
  await sandbox.trade(usdc, weth, 40_000);
  try {
    const before = await renewed(swap);
    await swap.page.waitForFunction((text) => document.querySelector(".stage:not([hidden]) .sentence")?.textContent !== text, before);
    await heldBack(swap);
    await tick(swap).check();
  } finally {
    await sandbox.trade(weth, usdc, 13);
  }
  await renewed(swap);
  assert.ok(await tick(swap).isChecked(), "a better bound");
  await swap.swapReviewed();
});

test("a Market transaction at such a price is asked about as well", async () => {
  await nobodyKnows();
  const swap = await openMarket();
  await asked(swap, "What you are sending");
  await tick(swap).check();
  await swap.sendReviewed();
});

test("a prompt that was open at a reload is opened again for what was accepted", async () => {
  await nobodyKnows();
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await asked(swap);
  await tick(swap).check();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await swap.page.reload();
  await swap.heading("Not signed yet").waitFor();
  await swap.ready("Ask the wallet again");
  await swap.main.click();
  await swap.signInWallet();
  await swap.heading("Settled").waitFor();
});
