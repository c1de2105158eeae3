import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrossing, openMarket } from "../forms.mjs";
import { focusIsOn } from "../outcomes.mjs";
import { FAILED_REQUEST, browser, eth, sandbox, usdc } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The amount that the last request for a price asked for, in raw units. */
async function asked() {
  const { query } = (await sandbox.requests("quote")).at(-1);
  return new URLSearchParams(query).get("amount");
}

test("an amount is read as it was meant, and the form says how; Max is the whole balance, of ETH less its gas", async () => {
  // There is no price for that much ETH.
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.pay("1’000,5");
  await swap.page.getByText("Read as 1,000.5").waitFor();
  assert.equal(await asked(), "1000500000");
  await swap.page.getByRole("button", { name: /^Max/ }).click();
  await swap.priced();
  assert.equal(await asked(), String(await sandbox.balance(swap.account, usdc)));
  await swap.choose("receive", "DAI");
  await swap.choose("pay", eth.symbol);
  const most = swap.page.waitForResponse((response) => /\/quote\?.*amount=\d{20}/.test(response.url()));
  await swap.page.getByRole("button", { name: /^Max/ }).click();
  await most;
  const held = await sandbox.nativeBalance(swap.account);
  const sold = BigInt(await asked());
  assert.ok(sold < held && sold > (held * 9n) / 10n, `${sold} of ${held}`);
});

test("a language that Intl does not know stops nothing", async () => {
  const swap = await SwapPage.open(browser, sandbox, {
    prepare: (page) =>
      page.addInitScript(() => {
        // WebKitGTK's under LANG=C.
        for (const [name, value] of [["language", "C"], ["languages", ["C", "en_US"]]])
          Object.defineProperty(navigator, name, { get: () => value });
      }),
  });
  await swap.swap();
  await swap.latest.locator("time").waitFor();
});

test("Enter in an amount reviews; Enter in the list of tokens and in the settings does not", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const receive = swap.page.getByRole("button", { name: /^You receive: / });
  await receive.click();
  const search = swap.page.getByRole("combobox", { name: "Search tokens" });
  await search.fill("dai");
  await search.press("Enter");
  await swap.page.getByRole("button", { name: /^You receive: DAI/ }).waitFor();
  await swap.priced();
  // The last chosen come first, and the arrows move among all.
  await receive.click();
  await swap.page.getByRole("group", { name: "Recent" }).waitFor();
  const active = () =>
    search.evaluate((node) => node.getRootNode().getElementById(node.getAttribute("aria-activedescendant")).textContent);
  const first = await active();
  await swap.page.keyboard.press("ArrowDown");
  assert.notEqual(await active(), first);
  await swap.page.keyboard.press("Escape");
  await focusIsOn(swap, /^You receive: DAI/);
  const settings = await swap.openSettings();
  await settings.getByLabel("Other slippage limit, in percent").fill("0.4");
  await swap.page.keyboard.press("Enter");
  await swap.page.keyboard.press("Escape");
  await swap.page.getByRole("button", { name: "Settings. Slippage 0.4 %" }).waitFor();
  assert.deepEqual(await sandbox.requests("build"), []);
  await swap.priced();
  await swap.payField.press("Enter");
  await swap.heading("What you are signing").waitFor();
});

test("a token of no list is read from the chain, and used only after a warning", async () => {
  const { wrappedNative } = sandbox.chain;
  // There is no price for it.
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.page.getByRole("button", { name: /^You receive: / }).click();
  const search = swap.page.getByRole("combobox", { name: "Search tokens" });
  await search.fill("0x000000000000000000000000000000000000dEaD");
  await swap.page.getByText("There is no token at this address.").waitFor();
  await search.fill(wrappedNative);
  await swap.page.getByRole("option", { name: /Not in the list/ }).waitFor();
  await search.press("Enter");
  const dialog = swap.page.getByRole("dialog", { name: "A token that is in no list here" });
  assert.match((await dialog.textContent()).toLowerCase(), new RegExp(wrappedNative.toLowerCase()));
  await swap.page.getByText("Anybody can make a token").waitFor();
  await dialog.getByRole("button", { name: /^Use / }).click();
  await swap.page.getByRole("button", { name: new RegExp(`^You receive: .*${wrappedNative.slice(0, 6)}`, "i") }).waitFor();
});

test("another receiver is said in the form and reviewed, and what is wrong with it stands below its field", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const settings = await swap.openSettings();
  const field = settings.getByLabel("Receiving address");
  await field.fill("0x12");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  await settings.getByText(/40 hex digits/).waitFor();
  const receiver = "0x00000000000000000000000000000000000cafe1";
  await field.fill(receiver);
  await swap.page.keyboard.press("Escape");
  await focusIsOn(swap, /^Settings/);
  await swap.page.getByText("Sent to another address, not to you:").waitFor();
  await swap.priced();
  await swap.review();
  assert.equal((await swap.figure("To").textContent()).toLowerCase(), receiver, "with every digit");
});

test("the rate turns around; what is received is after the fee, and the same number in form and review", async () => {
  const swap = await SwapPage.open(browser, sandbox, phone);
  await swap.figure("Rate").filter({ hasText: /^1 WETH = \d,\d{3}/ }).waitFor();
  await swap.figure("Rate").getByRole("button").tap();
  await swap.figure("Rate").filter({ hasText: /^1 USDC = / }).waitFor();
  const least = await swap.amount("You get at least");
  await swap.review();
  assert.equal(await swap.amount("You get at least"), least);
});

test("what costs take is traded knowingly, with a limit of that trade's own; gas of more than all of it is marked", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.payField.fill("1");
  await swap.ready("Show its price anyway");
  await swap.main.click();
  await swap.priced();
  await swap.main.click();
  const knows = swap.page.getByRole("checkbox", { name: /\d/ });
  await knows.waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await knows.check();
  await swap.swapReviewed();
  await swap.main.click();
  await swap.set("Market");
  await swap.payField.fill("0.1");
  await swap.figure("Gas").filter({ hasText: /\d % of what you trade/ }).waitFor();
});

test("a bridge that the page does not know is written as it comes, without what is invisible", async () => {
  const swap = await openCrossing("USDC");
  await swap.page.route("**/v2/quote?**", async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll('"sandbox-fast"', '"Ac\\u202eross \\u0007v3"');
    await route.fulfill({ response, body: text.replaceAll('"sandbox-slow"', '"constructor"') });
  });
  await swap.payField.fill("51");
  await swap.priced();
  const names = await swap.page.getByRole("group", { name: "Bridge" }).getByRole("radio").evaluateAll((all) =>
    all.map((radio) => radio.closest("label").textContent),
  );
  assert.deepEqual(names.map((name) => name.match(/“[^”]*”/)[0]), ["“Across v3”", "“constructor”"]);
  // A tab that stays on one network shows what it took in place of the other's token.
  await swap.tab("TWAP");
  await swap.page.getByText(/^Only a swap crosses networks: .* in place of USDC/).waitFor();
});

test("the most that a purchase on Market costs is one number, after the fee", async () => {
  const swap = await openMarket();
  await swap.receive("0.02");
  const most = await swap.figure("You pay at most").locator("data").textContent();
  await swap.review("What you are sending");
  assert.equal(await swap.figure("You pay at most").locator("data").first().textContent(), most);
});
