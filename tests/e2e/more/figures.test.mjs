import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrossing, openMarket, openTwap, UNREACHABLE, openLimit } from "../forms.mjs";
import { holdings, usdc, weth } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";

/* One order, one set of figures: in the form, the review, its own view and the history, before and after a reload. */

const exact = (figure) => figure.getAttribute("value").then((text) => text.replaceAll(",", ""));

test("a Market purchase is compared by what was paid, and the history has that, also after a reload", async () => {
  const swap = await openMarket();
  await swap.receive("0.02");
  const before = await holdings(swap.account);
  await swap.review("What you are sending");
  assert.equal(await exact(swap.figure("You get at least")), "0.02", "all of it arrives");
  await swap.sendReviewed();
  const now = await holdings(swap.account);
  const spent = before.usdc - now.usdc;
  assert.equal(now.weth - before.weth, unitsOf("0.02", weth));
  const paid = swap.page.getByRole("region", { name: "What it costs" });
  assert.equal(unitsOf(await exact(paid.locator("strong data")), usdc), spent);
  const shown = await paid.locator("strong data").textContent();
  assert.match(await paid.locator(".result-gain").textContent(), /^As quoted/);
  assert.equal(await swap.sentence.textContent(), `${shown} became 0.02 WETH.`);
  await swap.latest.filter({ hasText: `${shown} → 0.02 WETH` }).waitFor();
  await swap.page.reload();
  await swap.priced();
  await swap.latest.filter({ hasText: `${shown} → 0.02 WETH` }).waitFor();
});

test("an open order is in the history as on its card: after the fee", async () => {
  const swap = await openLimit(UNREACHABLE);
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const card = await swap.figure("Guaranteed at least").textContent();
  await swap.latest.filter({ hasText: `100 USDC → ${card}` }).waitFor();
  assert.notEqual(card, `${UNREACHABLE} WETH`, "the fee is taken of it");
});

test("across chains one amount is expected: in the form, the review, the order's view, and it arrives as quoted", async () => {
  const swap = await openCrossing("WETH");
  const form = await swap.receiveField.inputValue();
  await swap.review();
  const expected = await exact(swap.figure("Expected"));
  assert.ok(expected.startsWith(form), `${form} in the form, ${expected} in the review`);
  await swap.swapReviewed();
  assert.equal(await exact(swap.figure("Expected")), expected);
  assert.match(await swap.page.getByRole("region", { name: "What arrives" }).locator(".result-gain").textContent(), /^As quoted/);
});

test("the gas of slices is that of all of them", async () => {
  const gas = async (slices) => {
    const swap = await openTwap(slices);
    await swap.ready("Review order");
    return Number(/\$([\d.]+), within the price/.exec(await swap.figure("^Gas").textContent())?.[1]);
  };
  const [two, four] = [await gas("2"), await gas("4")];
  assert.ok(two > 0 && Math.abs(four - 2 * two) < 0.02, `$${two} of two, $${four} of four`);
});
