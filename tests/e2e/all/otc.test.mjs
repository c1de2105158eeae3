import assert from "node:assert/strict";
import { test } from "node:test";
import { openOtc } from "../forms.mjs";
import { fill, offered, openFill, refused } from "../offers.mjs";
import { holdings, sandbox, usdc, weth } from "../rig.mjs";
import { raw, unitsOf } from "../sandbox.mjs";

/** Two orders for `taker`, 90 USDC each: for 0.03 WETH, and, older, for 0.028. */
async function twoOffers(taker) {
  const cheap = await offered({ taker, want: "0.028" });
  const dear = await offered({ taker });
  return { hashes: [dear.hash, cheap.hash], lines: [dear.mine, cheap.mine] };
}

test("an order is filled in part, then the rest", async () => {
  const { mine, hash } = await offered();
  const taker = await openFill(hash);
  const before = await holdings(taker.account);
  await fill(taker, { amount: "0.01" });
  const between = await holdings(taker.account);
  assert.equal(between.usdc - before.usdc, BigInt(raw(30, usdc)));
  await mine.filter({ hasText: "Partly filled" }).waitFor();
  await taker.page.getByRole("button", { name: "Back to the form" }).last().click();
  await taker.page.getByRole("button", { name: "Open", exact: true }).click();
  assert.equal(await taker.page.getByRole("dialog").getByLabel("You pay, in WETH").inputValue(), "0.02");
  await fill(taker);
  const now = await holdings(taker.account);
  assert.equal(now.usdc - before.usdc, BigInt(raw(90, usdc)));
  assert.equal(before.weth - now.weth, unitsOf("0.03", weth));
  await mine.filter({ hasText: /Filled/ }).waitFor();
});

test("a fill goes to another receiver, and not to the one who pays", async () => {
  const receiver = "0x00000000000000000000000000000000000CAFe7";
  const { hash } = await offered();
  const taker = await openFill(hash);
  const before = await holdings(taker.account);
  await fill(taker, { receiver: receiver.toLowerCase() });
  const now = await holdings(taker.account);
  assert.equal(now.usdc, before.usdc);
  assert.equal(await sandbox.balance(receiver, usdc), BigInt(raw(90, usdc)));
});

test("a fill is paid by a permit in place of an approval", async () => {
  const token = sandbox.token("signOnly");
  const { maker, hash } = await offered({ get: { symbol: token.symbol, amount: "89" } });
  const taker = await openFill(hash);
  const before = [await sandbox.balance(taker.account, usdc), await sandbox.balance(taker.account, token)];
  const dialog = taker.page.getByRole("dialog");
  await dialog.getByLabel("Sign a permit instead of approving").check();
  await dialog.getByRole("button", { name: "Review fill" }).click();
  await taker.heading("What you permit").waitFor();
  await taker.nextStep("Sign the permit");
  await taker.answer("Sign this permit?", "Reject");
  await taker.says("Rejected in your wallet. Nothing was sent.");
  await taker.page.getByRole("button", { name: "Sign again" }).click();
  await taker.permitInWallet();
  await taker.heading("What you are sending").waitFor();
  await taker.sendReviewed({ approve: false });
  assert.equal((await sandbox.balance(taker.account, usdc)) - before[0], BigInt(raw(90, usdc)));
  assert.equal(before[1] - (await sandbox.balance(taker.account, token)), BigInt(raw(89, token)));
  assert.equal(taker.transactions(), 1, "the fill that was asked for, and not the form's swap");
  await taker.close();
  await maker.close();
});

test("an order for one taker is in that taker's list, and filled from there", async () => {
  const named = await sandbox.nextAccount();
  const { hash } = await offered({ taker: named });
  const taker = await openOtc({ account: named });
  const before = await holdings(named);
  await taker.page.locator(`li[title="${hash}"]`).getByRole("button", { name: /^Fill/ }).click();
  await fill(taker);
  assert.equal((await holdings(named)).usdc - before.usdc, BigInt(raw(90, usdc)));
});

test("a maker's order is in the list after a reload, and has a view that follows its fills, and cancels it", async () => {
  const { maker, mine, hash } = await offered();
  assert.match(await maker.page.getByRole("status").textContent(), /^OTC order open\.$/);
  await maker.page.reload();
  await mine.getByRole("button").first().click();
  await maker.heading("OTC order, open").waitFor();
  assert.equal(await maker.figure("Order").getAttribute("title"), hash);
  assert.equal(await maker.figure("Open to").textContent(), "Anyone");
  const taker = await openFill(hash);
  await fill(taker, { amount: "0.01" });
  await maker.heading("OTC order, partly filled").waitFor();
  assert.equal(await maker.figure("Left").textContent(), "60 USDC for 0.02 WETH");
  assert.match(await maker.figure("Filled").textContent(), /^33\.33 %$/);
  assert.match(await maker.figure("Transaction").getAttribute("title"), /^0x[0-9a-f]{64}$/);
  await maker.page.getByRole("button", { name: "Cancel this order" }).click();
  await maker.cancelOnChain();
  await maker.heading("OTC order, cancelled").waitFor();
  assert.equal(await maker.page.getByRole("button", { name: "Cancel this order" }).count(), 0);
  await maker.page.reload();
  await maker.heading("OTC order").waitFor();
});

test("an order for one taker is opened from the list with the keyboard, and filled in its own view", async () => {
  const named = await sandbox.nextAccount();
  const { hash } = await offered({ taker: named });
  const taker = await openOtc({ account: named });
  await taker.page.locator(`li[title="${hash}"]`).waitFor();
  const before = await holdings(named);
  await taker.press(/^90 USDC for 0\.03 WETH/);
  await taker.heading("OTC order, open").waitFor();
  assert.equal(await taker.page.evaluate(() => document.activeElement.textContent), "OTC order, open");
  assert.match(await taker.figure("Open to").textContent(), /^You, /);
  await taker.press("Fill this order");
  await taker.press("Review fill");
  await taker.heading("What you are sending").waitFor();
  await taker.sendReviewed();
  assert.equal((await holdings(named)).usdc - before.usdc, BigInt(raw(90, usdc)));
});

test("an offer that its maker's approval does not cover for a while is followed in the list all the same", async () => {
  const { maker, mine } = await offered();
  await sandbox.approve(maker.account, usdc, 0, sandbox.chain.rfq);
  await mine.filter({ hasText: "Paused" }).waitFor();
  await sandbox.approve(maker.account, usdc, raw(90, usdc), sandbox.chain.rfq);
  await mine.filter({ hasText: "Open" }).waitFor();
});

test("several orders of one pair are filled by one transaction, the best price first", async () => {
  const named = await sandbox.nextAccount();
  const { lines } = await twoOffers(named);
  const taker = await openOtc({ account: named });
  const before = await holdings(named);
  await taker.page.getByRole("button", { name: /^Fill all \d+ of USDC for WETH at once$/ }).click();
  const dialog = taker.page.getByRole("dialog");
  const listed = await dialog.locator("ol li").allTextContents();
  assert.deepEqual([listed[0], listed.at(-1)], ["90 USDC for 0.028 WETH", "90 USDC for 0.03 WETH"]);
  assert.equal(await dialog.getByLabel("You pay, in WETH").inputValue(), "0.058");
  await dialog.getByRole("button", { name: "Review fill" }).click();
  await taker.heading("What you are sending").waitFor();
  assert.match(await taker.sentence.textContent(), /^Give 0\.058 WETH \(0x\w+\.{3}\w+\) for 180 USDC \(0x\w+\.{3}\w+\) of 0x/);
  assert.match(await taker.plan.textContent(), /approve exactly 0\.058 WETH/);
  const sent = taker.transactions();
  await taker.sendReviewed();
  assert.equal(taker.transactions() - sent, 2, "the approval, and one transaction for both");
  const now = await holdings(named);
  assert.equal(now.usdc - before.usdc, BigInt(raw(180, usdc)));
  assert.equal(before.weth - now.weth, unitsOf("0.058", weth));
  for (const line of lines) await line.filter({ hasText: "Filled" }).waitFor();
});

test("several orders by hash: only the typed amount is filled, and one that is gone stops all", async () => {
  const { hashes, lines } = await twoOffers("");
  const taker = await openFill(hashes.join(" "));
  const before = await holdings(taker.account);
  await fill(taker, { amount: "0.043" });
  const now = await holdings(taker.account);
  // All of the cheaper one, and half of the other.
  assert.equal(now.usdc - before.usdc, BigInt(raw(135, usdc)));
  assert.equal(before.weth - now.weth, unitsOf("0.043", weth));
  await lines[0].filter({ hasText: "Partly filled" }).waitFor();
  await lines[1].filter({ hasText: "Filled" }).waitFor();
  await taker.main.click();
  const prompts = await taker.prompts();
  await taker.page.getByLabel("Fill an order by its hash").fill(hashes.join(", "));
  await taker.page.getByRole("button", { name: "Open", exact: true }).click();
  await taker.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await taker.heading("This order cannot be filled").waitFor();
  assert.equal(await taker.sentence.textContent(), "Stopped. Nothing is left of one of these orders.");
  assert.equal(await taker.prompts(), prompts);
});

test("orders of different pairs are not filled at once", async () => {
  const dai = sandbox.token("dai");
  const [one, other] = [await offered(), await offered({ get: { symbol: dai.symbol, amount: "89" } })];
  const taker = await openOtc();
  await taker.page.getByLabel("Fill an order by its hash").fill(`${one.hash} ${other.hash}`);
  await taker.page.getByRole("button", { name: "Open", exact: true }).click();
  await taker.page.getByText("Only orders of one pair are filled at once.").waitFor();
  assert.equal(await taker.page.getByRole("dialog").count(), 0);
  for (const page of [taker, one.maker, other.maker]) await page.close();
});

test("an expired order cannot be filled", async () => {
  const { mine, hash } = await offered();
  await sandbox.time(90_000);
  await mine.filter({ hasText: "Expired" }).waitFor();
  const taker = await openFill(hash, { priced: false });
  await taker.page.getByRole("dialog").getByRole("button", { name: "Review fill" }).click();
  await refused(taker, "This order has expired.");
});
