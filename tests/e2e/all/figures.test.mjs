/* One trade, one set of figures: in the form, the review, the approval, its own view and the list, and as the chain has it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { arriving, openTwap } from "../forms.mjs";
import { browser, sandbox, there, usdc, weth } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/**
 * Every form: where it is found, what is typed, and the slices it is in. Without a limit, a purchase is at the price. Those that
 * leave an order open come last: an approval covers the open orders of its account, too.
 */
const FORMS = [
  { name: "a sale across chains", crossing: true, pay: "100" },
  { name: "a purchase across chains", crossing: true, receive: "0.04" },
  { name: "a sale", pay: "100" },
  { name: "a purchase", receive: "0.04" },
  { name: "a sale on Market", path: "Market", pay: "100" },
  { name: "a purchase on Market", path: "Market", receive: "0.04" },
  { name: "a sale in slices", tab: "TWAP", slices: 3, pay: "100" },
  { name: "a purchase in slices that leaves a rest", tab: "TWAP", slices: 3, receive: "0.04", limit: "130.654321" },
  { name: "a sale at a limit", tab: "Limit", pay: "100", limit: "0.05" },
  { name: "a purchase at a limit", tab: "Limit", receive: "0.04", limit: "97.654321" },
];

async function fill(swap, { tab, path, slices, crossing, pay, receive, limit }) {
  if (path) await swap.set(path);
  if (crossing) await swap.choose("receive", "WETH", there.name);
  if (tab) await swap.tab(tab);
  if (slices) await swap.page.getByLabel("Slices").fill(String(slices));
  await (pay ? swap.payField.fill(pay) : swap.receiveField.fill(receive));
  if (limit) {
    if (tab === "Limit") await swap.page.getByRole("radio", { name: "Amount" }).check({ force: true });
    await swap.page.getByLabel(pay ? "At least, in WETH" : "At most, in USDC").fill(limit);
  }
  await swap.ready(/^Review/);
}

/** The two amounts of the latest trade in the list. */
async function listed(swap) {
  const values = await swap.latest.locator(".activity-what data").evaluateAll((all) => all.map(({ value }) => BigInt(value)));
  assert.equal(values.length, 2);
  return values;
}

for (const form of FORMS)
  test(`${form.name} has the same figures in the form, the review, its own view and the list, and the chain's`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    await fill(swap, form);
    const [bought, place] = form.crossing ? [arriving("WETH"), there] : [weth, sandbox.chain];
    const holdings = async () => [await sandbox.balance(swap.account, usdc), await sandbox.balance(swap.account, bought, place)];
    const before = await holdings();
    const offered = await swap.amount(form.pay ? "You get at least" : "You pay at most");
    await swap.review(form.path ? "What you are sending" : undefined);
    const [pay, get] = [await swap.amount("You pay"), await swap.amount("You get at least")];
    // The service rounds the last units of a bound by itself.
    const apart = (form.pay ? get : pay) - offered;
    assert.ok(apart >= -2n && apart <= 2n, `${apart} from the bound of the form`);
    const typed = form.pay ?? form.limit;
    if (typed) assert.equal(pay, unitsOf(typed, usdc));
    const [, approved] = /take exactly ([\d.,]+) USDC/.exec(await swap.step.textContent());
    assert.equal(unitsOf(approved, usdc), pay, "as much is approved");
    assert.ok((await swap.sentence.textContent()).replaceAll(",", "").includes(`${approved.replaceAll(",", "")} USDC`), "and signed");
    await swap.main.click();
    await swap.approveInWallet();
    await (form.path ? swap.sendInWallet() : swap.signInWallet());

    if (form.tab) {
      await swap.heading("Order placed").waitFor();
      assert.deepEqual([await swap.amount("You pay"), await swap.amount("You get")], [pay, get], "its own view");
    } else {
      await swap.heading(form.path ? "Confirmed" : "Settled").waitFor();
      const now = await holdings();
      const moved = [before[0] - now[0], now[1] - before[1]];
      assert.deepEqual([await swap.amount("Paid"), await swap.amount("Received")], moved, "the receipt has what the chain has");
      assert.ok(moved[0] <= pay && moved[1] >= get, `${moved} within ${[pay, get]}`);
      assert.match(await swap.card.locator(".entry-gain").textContent(), /^as quoted$/);
    }
    const own = form.tab ? [pay, get] : [await swap.amount("Paid"), await swap.amount("Received")];
    await swap.page.getByRole("button", { name: "New swap" }).click();
    assert.deepEqual(await listed(swap), own, "the list");
    await swap.page.reload();
    await swap.latest.waitFor();
    assert.deepEqual(await listed(swap), own, "the list after a reload");
  });

test("the gas of slices is that of all of them", async () => {
  const gas = async (slices) => {
    const swap = await openTwap(slices);
    await swap.ready("Review order");
    return Number(/\$([\d.]+), within the price/.exec(await swap.figure("Gas").textContent())?.[1]);
  };
  const [two, four] = [await gas("2"), await gas("4")];
  assert.ok(two > 0 && Math.abs(four - 2 * two) < 0.02, `$${two} of two, $${four} of four`);
});
