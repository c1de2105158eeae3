import assert from "node:assert/strict";
import { test } from "node:test";
import { fill, offered, openFill, refused } from "./offers.mjs";
import { holdings, sandbox, usdc, weth } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";

test("an order for anyone is signed without gas and filled whole, and both sides get what was agreed", async () => {
  const { maker, mine, hash } = await offered();
  assert.equal(maker.transactions(), 1, "the approval alone");
  const taker = await openFill(hash);
  const [madeBefore, takenBefore] = [await holdings(maker.account), await holdings(taker.account)];
  await fill(taker);
  const [made, taken] = [await holdings(maker.account), await holdings(taker.account)];
  assert.equal(madeBefore.usdc - made.usdc, BigInt(raw(90, usdc)));
  assert.equal(made.weth - madeBefore.weth, unitsOf("0.03", weth));
  assert.equal(taken.usdc - takenBefore.usdc, BigInt(raw(90, usdc)));
  assert.equal(takenBefore.weth - taken.weth, unitsOf("0.03", weth));
  assert.equal(await sandbox.allowance(taker.account, weth, sandbox.chain.rfq), 0n, "nothing stays approved");
  await mine.filter({ hasText: "Filled" }).waitFor();
  await taker.close();
  await maker.close();
});

test("anyone but the named taker is stopped before the wallet opens", async () => {
  const named = await sandbox.nextAccount();
  const { maker, hash } = await offered({ taker: named });
  const stranger = await openFill(hash);
  assert.notEqual(stranger.account, named);
  await stranger.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await refused(stranger, "This order is for another account.");
  await stranger.close();
  await maker.close();
});

test("a cancelled order is cancelled on chain, and cannot be filled", async () => {
  const { maker, mine, hash } = await offered();
  const taker = await openFill(hash);
  const before = await holdings(maker.account);
  await mine.getByRole("button", { name: /^Cancel/ }).click();
  await maker.heading("What you are sending").waitFor();
  await maker.sendReviewed({ approve: false });
  await maker.main.click();
  await mine.filter({ hasText: "Cancelled" }).waitFor();
  await taker.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await refused(taker, "Nothing is left of this order.");
  assert.deepEqual({ ...(await holdings(maker.account)), eth: before.eth }, before);
  await taker.close();
  await maker.close();
});
