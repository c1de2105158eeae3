/* One walk for each path: what is reviewed, signed or sent, and what the chain holds afterwards. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { hashDomain } from "viem";
import { DOMAIN_TYPE } from "../vectors/delta-types.mjs";
import { arriving, openCrossing, openLimit, openMarket, openSale, openTwap } from "./forms.mjs";
import { sliced, spent } from "./outcomes.mjs";
import { browser, holdings, sandbox, there, usdc, weth } from "./rig.mjs";
import { raw, unitsOf } from "./sandbox.mjs";
import { SwapPage } from "./swap-page.mjs";

const HUNDRED = BigInt(raw(100, { decimals: 6 }));

test("a first sale is approved exactly, signed once, settled, and costs only the approval's gas", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.pay("100");
  const before = await holdings(swap.account);
  await swap.review();
  const least = await swap.amount("You get at least");
  assert.match(await swap.sentence.textContent(), /^Sell 100 USDC .* for at least 0?\.?\d.* to 0x/);
  assert.match(await swap.step.textContent(), /^Step 1 of 2: let Delta 0x.* take exactly 100 USDC \(gas\)Sign the order \(no gas\)$/);
  await swap.page.getByText("Technical details").click();
  const { chainId, delta: verifyingContract } = sandbox.chain;
  const domain = { name: "Portikus", version: "2.0.0", chainId, verifyingContract };
  const domainHash = hashDomain({ domain, types: { EIP712Domain: DOMAIN_TYPE } });
  assert.match(
    await swap.card.locator(".review-technical").textContent(),
    new RegExp(`On a hardware walletDomain hash ${domainHash}Message hash 0x\\w{64}Hash that is signed 0x\\w{64}`),
  );
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc), HUNDRED);
  const afterApproval = await holdings(swap.account);
  await swap.signInWallet();
  await swap.settled();

  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, HUNDRED);
  assert.ok(now.weth - before.weth >= least, "at least what was reviewed arrived");
  assert.equal(now.eth, afterApproval.eth, "the order itself cost no gas");
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n, "nothing stays approved");
  const [order] = await swap.newOrders();
  assert.equal(order.status, "COMPLETED");
  assert.equal(BigInt(order.output.executedAmount), now.weth - before.weth);
  assert.equal(await swap.amount("Received"), now.weth - before.weth);
  assert.equal(swap.signatures(), 1);
  assert.equal(swap.transactions(), 1);
  assert.match(await swap.figure("Transaction").textContent(), new RegExp(order.transactions[0].originTx.slice(0, 6)));
});

test("a market sale is approved for the router, sent, and brings at least what was reviewed", async () => {
  const swap = await openMarket();
  await swap.pay("100");
  assert.match(await swap.figure("Gas").textContent(), /you pay it/);
  const before = await holdings(swap.account);
  const offered = await swap.amount("You get at least");
  await swap.review("What you are sending");
  const least = await swap.amount("You get at least");
  assert.equal(least, offered, "the fee is taken once");
  assert.match(await swap.step.textContent(), /^Step 1 of 2: let Router 0x.* take exactly 100 USDC \(gas\)Send the transaction \(gas\)$/);
  assert.match(await swap.figure("Until").textContent(), /you pay about \$[\d.]+ of gas/);
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  const compared = await swap.card.locator(".review-wallet").textContent();
  assert.match(compared, new RegExp(`Contract Router ${sandbox.chain.router}`, "i"), "what the wallet shows, not the approval");
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), HUNDRED);
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n, "Delta's contract gets nothing");
  await swap.sendInWallet();
  await swap.ended("Confirmed");

  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, HUNDRED);
  assert.ok(now.weth - before.weth >= least, `${now.weth - before.weth} is at least ${least}`);
  assert.ok(now.eth < before.eth, "gas was paid");
  assert.equal(swap.signatures(), 0);
  assert.equal(swap.transactions(), 2);
  assert.deepEqual(await swap.newOrders(), []);
});

test("a price is turned into the amount exactly, and rests until the market reaches it", async () => {
  const swap = await openLimit();
  await swap.page.getByLabel("Price in WETH for 1 USDC").fill("0.00034");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  const [order] = await swap.newOrders();
  assert.equal(order.order.destAmount, unitsOf("0.034", weth).toString());
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.latest.filter({ hasText: /Limit/ }).waitFor();
  const before = await holdings(swap.account);
  await sandbox.trade(weth, usdc, 600);
  try {
    await swap.latest.filter({ hasText: "Settled" }).waitFor();
  } finally {
    await sandbox.trade(usdc, weth, 1_800_000);
  }
  const now = await holdings(swap.account);
  assert.ok(now.weth - before.weth >= (unitsOf("0.034", weth) * 9998n) / 10_000n);
});

test("a sale in slices takes one slice at a time, exactly, and all of it in the end", async () => {
  const swap = await openTwap("3");
  await swap.payField.fill("100");
  await swap.page.getByLabel("One every").selectOption("60");
  await swap.ready("Review order");
  assert.match(await swap.figure("Each slice").textContent(), /^33\.3334 USDC, one every 60 sec$/);
  const before = await holdings(swap.account);
  await swap.review();
  assert.equal(await swap.figure("Slices").textContent(), "3, one every 60 sec");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc), HUNDRED, "exactly the total is approved");
  await swap.signInWallet();
  await sliced(swap, 1);
  assert.equal(await spent(swap, before), 33_333_333n);
  await sandbox.time(61);
  await sliced(swap, 2);
  assert.equal(await spent(swap, before), 66_666_666n);
  await sandbox.time(61);
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, HUNDRED);
  const [order] = await swap.newOrders();
  assert.equal(order.transactions.length, 3);
  assert.equal(await swap.amount("Paid"), HUNDRED);
  assert.equal(await swap.amount("Received"), now.weth - before.weth);
  const fills = [1, 2, 3].map((slice) => swap.amount(`Slice ${slice}`));
  assert.equal((await Promise.all(fills)).reduce((sum, fill) => sum + fill), now.weth - before.weth);
  await swap.page.reload();
  await swap.latest.filter({ hasText: /TWAP · 3 of 3 slices/ }).getByRole("button").first().click();
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.amount("Received"), now.weth - before.weth, "the history has the same");
});

test("an order across chains arrives there, with at least what it guarantees", async () => {
  const swap = await openCrossing("WETH");
  const token = arriving("WETH");
  const paid = await sandbox.balance(swap.account, usdc);
  const held = await sandbox.balance(swap.account, token, there);
  const offered = await swap.amount("You get at least");
  await swap.review();
  assert.match(await swap.figure("You get at least").textContent(), new RegExp(`on ${there.name}`));
  const least = await swap.amount("You get at least");
  assert.ok(least - offered <= 2n && offered - least <= 2n, "but for the last units, which the service rounds");
  await swap.swapReviewed();
  await swap.page.getByRole("list", { name: "Progress" }).getByText(`Arrived on ${there.name}`).waitFor();
  await swap.page.getByRole("button", { name: "New swap" }).click();
  await swap.latest.filter({ hasText: `on ${there.name}` }).waitFor();
  assert.equal(paid - (await sandbox.balance(swap.account, usdc)), HUNDRED);
  assert.ok((await sandbox.balance(swap.account, token, there)) - held >= least);
});

test("a sale of ETH is signed, deposited, and brings at least what was reviewed", async () => {
  await sandbox.control("settings", { nativeReading: "deposit" });
  const swap = await openSale();
  const before = await holdings(swap.account);
  assert.match(await swap.figure("Gas").textContent(), /you pay that of a deposit/);
  await swap.review();
  assert.match(await swap.figure("Until").textContent(), /a deposit costs gas/, "the review has it too");
  assert.match(await swap.step.textContent(), /Deposit 1 ETH into Delta 0x.* \(gas/);
  const least = await swap.amount("You get at least");
  await swap.main.click();
  await swap.signInWallet();
  await swap.depositInWallet();
  await swap.settled();
  const now = await holdings(swap.account);
  assert.ok(before.eth - now.eth >= 10n ** 18n);
  assert.ok(now.usdc - before.usdc >= least);
  assert.deepEqual([swap.signatures(), swap.transactions()], [1, 1]);
});
