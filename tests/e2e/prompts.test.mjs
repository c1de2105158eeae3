/* A prompt of the wallet opens after a click on what it is for; tests/package/swap-prompts has what is refused. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

test("an approval of another amount is shown with that amount first", async () => {
  // The package writes a prompt as text, and this is where it becomes an object.
  const prepare = (page) =>
    page.addInitScript(() => {
      const parse = JSON.parse;
      JSON.parse = (...given) => {
        const value = parse(...given);
        const approval = value?.[0]?.parts?.[0].approval;
        if (approval) approval.amount = String(2n ** 256n - 1n);
        return value;
      };
    });
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.review();
  await swap.page.getByRole("button", { name: "Approve 100 USDC", exact: true }).click();
  await swap.step.getByText(/take exactly 115,792,089,\S+ USDC/).waitFor();
  await swap.ready(/^Approve 115,792,089,\S+ USDC$/);
  assert.equal(await swap.prompts(), 0);
});

test("what was agreed to, and comes late to the wallet, is not asked for once more", async () => {
  const prepare = (page) =>
    page.addInitScript(() => {
      const [parse, now] = [JSON.parse, performance.now.bind(performance)];
      let [isAnswered, lateMs] = [false, 0];
      performance.now = () => now() + lateMs;
      window.asked = [];
      JSON.parse = (...given) => {
        const value = parse(...given);
        if (value?.[0]?.parts) window.asked.push(value[0].isRepeated), (isAnswered = true);
        // A wallet that is far away.
        if (value?.method === "eth_accounts" && isAnswered) (lateMs += 2_000), (isAnswered = false);
        return value;
      };
    });
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.permitInWallet();
  await swap.nextStep("Sign");
  await swap.signInWallet();
  assert.deepEqual(await swap.page.evaluate(() => window.asked), [false, true, false, true]);
  assert.equal(await swap.prompts(), 2);
});

/** Whether all of it is on the screen, under nothing else. */
function isSeen(locator) {
  return locator.evaluate((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const [middle, center] = [(left + right) / 2, (top + bottom) / 2];
    const points = [[left + 1, center], [right - 1, center], [middle, top + 1], [middle, bottom - 1], [middle, center]];
    const root = node.getRootNode();
    return top >= 0 && bottom <= innerHeight && points.every(([x, y]) => node.contains(root.elementFromPoint(x, y)));
  });
}

for (const [width, height] of [[1440, 900], [1280, 720], [390, 844]])
  test(`at ${width} x ${height} the button of an approval is seen with whom it is for, and its wallet with all of it`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { viewport: { width, height } });
    await swap.review();
    assert.ok(await isSeen(swap.main), "without scrolling");
    const { delta } = sandbox.chain;
    const name = new RegExp(`^Step 1 of 2: let Delta ${delta.slice(0, 6)}.${delta.slice(-4)} take exactly 100 USDC`);
    const step = swap.step.getByRole("heading", { name });
    for (const place of [0, 200, 400, 10_000]) {
      await swap.page.evaluate((top) => scrollTo(0, top), place);
      assert.ok((await isSeen(step)) || !(await isSeen(swap.main)), `scrolled to ${place}`);
    }
    await swap.main.click();
    await swap.prompt.waitFor();
    assert.ok((await swap.card.locator(".review-wallet").textContent()).includes(delta), "the whole address, to compare");
    await swap.approveInWallet();
    await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
    await swap.signInWallet();
  });
