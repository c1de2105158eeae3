import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox, withoutBlocks } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A reload between a transaction and its block: it is followed, and nobody is asked to send it again. */

test("an approval is followed after a reload, and then not asked for again", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  await withoutBlocks(async () => {
    await swap.main.click();
    await swap.answer("Approve USDC?", "Approve");
    // The order is signed while it is mined.
    await swap.ready(/^Sign$/);
    await swap.page.reload();
    await swap.heading("Transaction sent").waitFor();
    assert.match(await swap.sentence.textContent(), /^Your approval of 100 USDC for 0x/);
    assert.equal(await swap.page.locator(".balances:visible").count(), 0, "no balance changes by it");
  });
  await swap.heading("Confirmed").waitFor();
  await swap.says("Start your trade again");
  await swap.main.click();
  await swap.priced();
  await swap.swap({ approve: false });
  assert.equal(swap.transactions(), 1, "one approval");
  await swap.page.reload();
  await swap.priced();
});
