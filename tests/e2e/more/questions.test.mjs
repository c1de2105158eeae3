import assert from "node:assert/strict";
import { test } from "node:test";
import { answer } from "../keys.mjs";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A price that only the service has: the user is asked, for that very build. */

const QUESTION = /^A source of reference prices did not answer, so nobody but whoever offers it says .*\. I accept its price\.$/;

const tick = ({ page }) => page.getByRole("checkbox", { name: QUESTION });

async function heldBack(swap) {
  assert.equal(await tick(swap).isChecked(), false, "the page ticks nothing by itself");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.card.getByText("Tick what you accept, or go back.").waitFor();
}

test("a trade at a price that only the service knows is asked about and made by the keyboard alone", async () => {
  await sandbox.control("reference", { state: "missing" });
  const viewport = { width: 390, height: 844 };
  const swap = await SwapPage.open(browser, sandbox, { viewport });
  await swap.press("Review swap");
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
  await swap.press("Sign");
  await answer(swap, [["Sign this order", "Sign"]]);
  await swap.settled();
});

test("a tick that is taken back holds the button back", async () => {
  await sandbox.control("reference", { state: "missing" });
  const swap = await SwapPage.open(browser, sandbox);
  await swap.main.click();
  await tick(swap).check();
  await swap.ready(/^Approve /);
  await tick(swap).uncheck();
  await heldBack(swap);
  await swap.main.click({ force: true });
  assert.equal(await swap.prompts(), 0);
  await tick(swap).check();
  await swap.swapReviewed();
  assert.equal(await swap.prompts(), 2);
});
