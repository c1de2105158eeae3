import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrossing, signedSale } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, there } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* Two places of the page that would say two things. */

test("who has less than nobody offers is told what is missing", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("999999999");
  await swap.says(/^You need 999,[\d,]+ USDC more\.$/);
  await swap.payField.fill("30");
  await swap.says("No price for this swap right now.");
});

test("a service whose proxy answers with a page is out of order, and refuses nothing", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.page.route("**/v2/quote?**", (route) =>
    route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" }),
  );
  await swap.payField.fill("30");
  await swap.says("The service is out of order (502).");
});

test("a tab that stays on one network says what it took in place of the other's token", async () => {
  const swap = await openCrossing("USDC");
  for (const tab of ["TWAP", "Limit"]) {
    await swap.tab(tab);
    const note = swap.page.locator(".stage:visible .notice", { hasText: "Only a swap crosses networks" });
    if (tab === "TWAP") assert.match(await note.textContent(), new RegExp(`in place of USDC on ${there.name}\\.$`));
    else assert.equal(await note.count(), 0, "said once");
  }
});

test("an attack out of another tab says that it is on a swap, and leads back", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const panel = swap.page.locator("#attack-panel");
  const said = panel.getByText("What you typed here comes back when you end it.");
  assert.equal(await said.count(), 0);
  await swap.tab("Limit");
  await said.waitFor();
  await panel.getByRole("button", { name: /^Give you 90 % less/ }).click();
  await panel.getByText("Stopped before your wallet opened").waitFor();
  await panel.getByRole("button", { name: "End the lie" }).click();
  await swap.heading("Limit order").waitFor();
});

test("the badge is on the network that the bar below it warns of", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const badge = swap.page.locator("header .chain");
  assert.equal(await badge.textContent(), sandbox.chain.name);
  await swap.page.locator("#wallet-button").click();
  await swap.page.getByRole("combobox", { name: "Network" }).selectOption(String(there.chainId));
  await swap.page.keyboard.press("Escape");
  await swap.page.locator(".obstacle", { hasText: there.name }).waitFor();
  assert.equal(await badge.textContent(), there.name);
});

test("no card has a hole: what a step does stands at the top, and short cards are short", async () => {
  const swap = await signedSale({ viewport: { width: 1280, height: 720 } });
  await swap.ready(/^Deposit /);
  const top = (selector) => swap.page.locator(`.stage:visible ${selector}`).evaluate((node) => node.getBoundingClientRect().top);
  assert.ok(Math.abs((await top(".step-panel")) - (await top(".checks-all"))) < 2, "beside the checks");
  await swap.close();
  const other = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await other.review();
  await other.main.click();
  await other.approveInWallet();
  await other.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await other.page.reload();
  await other.heading("Not signed yet").waitFor();
  const [hashes, action] = [".hashes", ".action"].map((part) => other.page.locator(`.stage:visible ${part}`).boundingBox());
  const gap = (await action).y - (await hashes).y - (await hashes).height;
  assert.ok(gap < 40, `${gap} px of nothing`);
});

test("what this page allows is not what the user asked, and the wallet's name of the contract is said once", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.review();
  const card = swap.page.locator(".stage:visible");
  const pairs = await card.locator(".vs-group").evaluateAll((groups) =>
    groups.map((group) => [
      group.querySelector(".vs-group-name").firstChild.textContent,
      [...group.querySelectorAll(".vs-pair > span:first-child")].map(({ textContent }) => textContent.split(/[: ]/, 3).join(" ")),
    ]),
  );
  const said = Object.fromEntries(pairs);
  assert.deepEqual([...new Set([...said.Who, ...said.What, ...said["How much"].slice(0, 2)])], ["You asked "]);
  assert.deepEqual([...new Set([...said.Until, ...said.Cost, ...said["How much"].slice(2)])], ["This page allows"]);
  assert.equal((await card.innerText()).split("Portikus").length - 1, 1, "where the wallet opens");
});
