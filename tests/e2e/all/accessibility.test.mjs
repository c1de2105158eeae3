import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../accessible.mjs";
import { focusIsOn } from "../outcomes.mjs";
import { browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { WALKS } from "../walks.mjs";

const VIEWS = ["narrow", "desktop", "desktop-dark", "forced-colours"];
for (const [place, walk] of WALKS.entries()) {
  // Two views of the first walk are in every run.
  for (const view of VIEWS.filter((view) => place > 0 || !["narrow", "forced-colours"].includes(view))) {
    test(`${walk.name}: axe finds nothing, and everything fits the screen (${view})`, () => assertAccessible(walk, view));
  }
}

test("the focus moves to the cancelled order in the list, and to the heading of an opened one", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  await swap.press("Back to the form");
  // Another trade: the same one again would be asked about.
  await swap.page.getByLabel("At least, in WETH").fill("0.06");
  await swap.place({ approve: true });
  await swap.heading("Order placed").waitFor();
  const lines = swap.page.locator(".recent:visible .order");
  await lines.nth(1).waitFor();
  const hash = swap.page.locator(".stage:visible .details .row", { hasText: "Order" }).locator("data");
  const shown = await hash.getAttribute("title");
  await lines.nth(1).getByRole("button").first().focus();
  await swap.page.keyboard.press("Enter");
  await focusIsOn(swap, "Order placed");
  assert.notEqual(await hash.getAttribute("title"), shown);
  for (const line of [lines.nth(1), lines.first()]) {
    await line.getByRole("button", { name: /^Cancel/ }).focus();
    await swap.page.keyboard.press("Enter");
    await swap.cancelInWallet();
    await line.filter({ hasText: "Cancelled" }).waitFor();
    await focusIsOn(swap, "100 USDC");
  }
});
