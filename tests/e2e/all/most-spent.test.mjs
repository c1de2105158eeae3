import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, usdc } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/** The slippage the page starts with. */
const SLIPPAGE_BPS = 50n;

const WHOLE = 10_000n;

/** Every form: where it is found, what is typed, and the slices it is in. Without a limit, a purchase is at the price. */
const FORMS = [
  { name: "a sale", pay: "100" },
  { name: "a purchase", receive: "0.04" },
  { name: "a sale on Market", path: "Market", pay: "100" },
  { name: "a purchase on Market", path: "Market", receive: "0.04" },
  { name: "a sale in slices", tab: "TWAP", slices: 3, pay: "100" },
  { name: "a purchase in slices", tab: "TWAP", slices: 4, receive: "0.04", limit: "130.654321" },
  { name: "a purchase in slices that leaves a rest", tab: "TWAP", slices: 3, receive: "0.04", limit: "130.654321" },
  { name: "a sale at a limit", tab: "Limit", pay: "100", limit: "0.05" },
  { name: "a purchase at a limit", tab: "Limit", receive: "0.04", limit: "97.654321" },
  { name: "a sale across chains", crossing: true, pay: "100" },
  { name: "a purchase across chains", crossing: true, receive: "0.04" },
];

async function fill(swap, { tab, path, slices, crossing, pay, receive, limit }) {
  if (path) await swap.set(path);
  if (crossing) await swap.choose("receive", "WETH", sandbox.config.chains[1].name);
  if (tab) await swap.tab(tab);
  if (slices) await swap.page.getByLabel("Slices").fill(String(slices));
  await (pay ? swap.payField.fill(pay) : swap.receiveField.fill(receive));
  if (limit) {
    if (tab === "Limit") await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
    await swap.page.getByLabel(pay ? "At least, in WETH" : "At most, in USDC").fill(limit);
  }
  await swap.ready(/^Review/);
}

for (const form of FORMS) {
  test(`${form.name} spends at most what the form said and the slippage, to the unit`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    await fill(swap, form);
    const bound = form.receive && !form.limit ? await swap.figure("You pay at most").getAttribute("value") : null;
    const expected = form.pay ?? form.limit ?? bound;
    if (bound) {
      // What is not typed is rounded in the field; every digit of it is beside.
      const quoted = unitsOf(await swap.payField.getAttribute("title"), usdc);
      const apart = unitsOf(bound, usdc) * WHOLE - quoted * (WHOLE + SLIPPAGE_BPS);
      // Less than a unit for the division, of slices for each of them.
      assert.ok(apart >= 0n && apart < BigInt(form.slices ?? 1) * WHOLE, `${bound} for ${quoted}`);
    }
    await swap.review(form.path ? "What you are sending" : undefined);
    const figure = await swap.figure(form.pay ? "You pay" : "You pay at most").getAttribute("value");
    const most = unitsOf(figure, usdc);
    // The service rounds the cap of a purchase down.
    const below = unitsOf(expected, usdc) - most;
    assert.ok(below === 0n || (below === 1n && bound && !form.slices), `${figure} for ${expected}`);
    const approved = /approve exactly ([\d.,]+) USDC/.exec(
      await swap.page.locator(".stage:visible p.plan").textContent(),
    );
    assert.equal(unitsOf(approved[1], usdc), most, "as much is approved");
    assert.match(
      (await swap.sentence.textContent()).replaceAll(",", ""),
      new RegExp(`\\b${figure.replaceAll(",", "").replace(".", "\\.")} USDC`),
    );
  });
}
