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

test("a first sale is approved exactly, signed once, settled, and costs only the approval's gas", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.pay("100");
  const before = await holdings(swap.account);
  await swap.review();
  assert.match(await swap.sentence.textContent(), /^Sell 100 USDC .* for at least 0?\.?\d.* to 0x/);
  assert.match(await swap.plan.textContent(), /approve exactly 100 USDC/);
  await swap.page.locator(".stage:visible .vs-technical > summary").click();
  const { chainId, delta: verifyingContract } = sandbox.chain;
  const domain = { name: "Portikus", version: "2.0.0", chainId, verifyingContract };
  const domainHash = hashDomain({ domain, types: { EIP712Domain: DOMAIN_TYPE } });
  assert.match(
    await swap.page.locator(".stage:visible .vs-technical").textContent(),
    new RegExp(`On a hardware walletDomain hash${domainHash}Message hash0x\\w{64}Signed0x\\w{64}`),
  );
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(100, usdc)));
  const afterApproval = await holdings(swap.account);
  await swap.signInWallet();
  await swap.settled();

  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth > before.weth, "WETH arrived");
  assert.equal(now.eth, afterApproval.eth, "the order itself cost no gas");
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n, "nothing stays approved");
  const [order] = await swap.newOrders();
  assert.equal(order.status, "COMPLETED");
  assert.equal(BigInt(order.output.executedAmount), now.weth - before.weth);
  assert.equal(swap.signatures(), 1);
  assert.equal(swap.transactions(), 1);
  assert.equal(await swap.figure("Transaction").getAttribute("title"), order.transactions[0].originTx);
});

test("a market sale is approved for the router, sent, and brings at least what was reviewed", async () => {
  const swap = await openMarket();
  await swap.pay("100");
  assert.match(await swap.figure(/^Gas/).textContent(), /you pay it/);
  const before = await holdings(swap.account);
  const offered = await swap.figure("You get at least").getAttribute("value");
  await swap.review("What you are sending");
  assert.equal(await swap.figure("You get at least").getAttribute("value"), offered, "the fee is taken once");
  assert.match(await swap.figure("Method").textContent(), /^swap/);
  assert.match(await swap.plan.textContent(), /^Two prompts: /);
  assert.match(await swap.figure("Gas, paid by you").textContent(), /^About \$/);
  const least = await swap.figure("You get at least").getAttribute("value");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc, sandbox.chain.router), BigInt(raw(100, usdc)));
  assert.equal(await sandbox.allowance(swap.account, usdc), 0n, "Delta's contract gets nothing");
  await swap.sendInWallet();
  await swap.ended("Confirmed");

  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, BigInt(raw(100, usdc)));
  assert.ok(now.weth - before.weth >= unitsOf(least, weth), `${now.weth - before.weth} is at least ${least}`);
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
  await swap.main.click();
  await swap.latest.filter({ hasText: /Limit.*0 % filled/ }).waitFor();
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

test("a sale in slices shows its schedule, takes one slice at a time, and all of it in the end", async () => {
  const swap = await openTwap("3");
  await swap.payField.fill("100");
  await swap.ready("Review order");
  const drawn = await swap.page.locator(".stage:visible .schedule li").allTextContents();
  assert.equal(drawn.length, 3);
  assert.match(drawn[0], /33\.3334 USDC/);
  assert.match(drawn[2], /33\.3334 USDC/);
  const exact = await swap.page
    .locator(".stage:visible .schedule li [title]")
    .evaluateAll((all) => all.map(({ title }) => title));
  assert.deepEqual(exact, ["33.333333 USDC", "33.333333 USDC", "33.333334 USDC"]);
  const before = await holdings(swap.account);
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  assert.equal(await sandbox.allowance(swap.account, usdc), BigInt(raw(100, usdc)), "exactly the total is approved");
  await swap.signInWallet();
  await sliced(swap, 1, 3);
  assert.equal(await spent(swap, before), 33_333_333n);
  await sandbox.time(61);
  await sliced(swap, 2, 3);
  assert.equal(await spent(swap, before), 66_666_666n);
  await sandbox.time(61);
  await swap.settled();
  const now = await holdings(swap.account);
  assert.equal(before.usdc - now.usdc, 100_000_000n);
  assert.ok(now.weth > before.weth);
  const [order] = await swap.newOrders();
  assert.equal(order.transactions.length, 3);
  const filled = await swap.page.locator(".stage:visible .schedule li.done .slice-state").allTextContents();
  const rates = order.transactions.map(({ receivedAmount, spentAmount }) => Number(receivedAmount) / Number(spentAmount));
  rates.forEach((rate, slice) => {
    const share = Number(/ WETH, ([+−]?[\d.]+) %$/.exec(filled[slice])?.[1].replace("−", "-"));
    const against = (rate / rates[0] - 1) * 100;
    if (slice === 0) assert.match(filled[0], /^Filled for [\d.]+ WETH$/, "the first is the reference");
    else assert.ok(Math.abs(share - against) < 0.02, `${filled[slice]} is ${against} % from the first slice's price`);
  });
  assert.equal(filled.length, 3);
  const entry = swap.page.locator(".recent .order").first().filter({ hasText: /TWAP.*3 of 3 slices/ });
  await entry.waitFor();
  const words = await swap.page.locator(".stage:visible .plan-words").textContent();
  await swap.page.reload();
  await entry.getByRole("button").first().click();
  await swap.heading("Settled").waitFor();
  assert.equal(await swap.page.locator(".stage:visible .plan-words").textContent(), words);
  const again = await swap.page.locator(".stage:visible .schedule li.done .slice-state").allTextContents();
  assert.deepEqual(again, filled, "in progress and in the history by one reference");
});

test("an order across chains arrives there, with at least what it guarantees", async () => {
  const swap = await openCrossing("WETH");
  const token = arriving("WETH");
  const [paid, held, here] = [
    await sandbox.balance(swap.account, usdc),
    await sandbox.balance(swap.account, token, there),
    await sandbox.balance(swap.account, weth),
  ];
  await swap.page.getByRole("list", { name: "The way of your tokens" }).getByText(there.name).waitFor();
  await swap.review();
  assert.equal(await swap.figure("Arrives on").textContent(), there.name);
  const expected = await swap.figure("Expected").getAttribute("value");
  const least = await swap.figure("Guaranteed").getAttribute("value");
  assert.ok(unitsOf(least, token) < unitsOf(expected, token), `${least} is guaranteed, ${expected} only expected`);
  const promises = await swap.page.locator(".stage:visible .rail-promises").textContent();
  const [, enters] = /At least ([\d.]+) WETH enters/.exec(promises);
  assert.match(promises, /Guaranteed, if it delivers.*At least [\d.]+ WETH arrives/);
  assert.ok(unitsOf(enters, weth) > unitsOf(least, token), "the bridge’s cost is between them");
  await swap.swapReviewed();
  await swap.page.locator(".rail-line:visible", { hasText: "Arrived" }).waitFor();
  assert.equal(await swap.figure("Guaranteed at least").getAttribute("value"), least);
  await swap.page.getByRole("rowheader", { name: `WETH on ${there.name}` }).waitFor();
  await swap.latest.filter({ hasText: `WETH on ${there.name}` }).waitFor();
  assert.equal(paid - (await sandbox.balance(swap.account, usdc)), BigInt(raw(100, usdc)));
  assert.ok((await sandbox.balance(swap.account, token, there)) - held >= unitsOf(least, token));
  assert.equal(await sandbox.balance(swap.account, weth), here, "nothing arrived here");
  assert.match(await swap.sentence.textContent(), new RegExp(`became .* WETH on ${there.name}`));
});

test("gas that is paid is never said to be none: a native sale deposits, on its own gas", async () => {
  const swap = await openSale();
  const said = /deposit/i;
  assert.match(await swap.figure("^Gas").textContent(), said);
  assert.match(await swap.page.locator(".costs-button").textContent(), said);
  await swap.set("Best of both");
  await swap.priced();
  assert.match(await swap.page.locator(".way").first().textContent(), said);
  await swap.set("Gasless, else Market");
  await swap.review();
  assert.match(await swap.page.locator(".plan").last().textContent(), said, "the review asks for it");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.choose("pay", "USDC");
  await swap.choose("receive", "WETH");
  await swap.pay("100");
  assert.match(await swap.figure("^Gas").textContent(), /^\$[\d.]+, within the price$/);
  assert.doesNotMatch(await swap.page.locator("main").innerText(), /gasless(ly)?\b.*\bswap|no gas|gas\W+none/i);
});
