import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, eth, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

const isPhone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

/** The amount that the last request for a price asked for, in raw units. */
async function asked() {
  const { query } = (await sandbox.requests("quote")).at(-1);
  return new URLSearchParams(query).get("amount");
}

for (const [locale, text, said] of [
  ["de-DE", "1.000,5", "Read as 1.000,5"],
  ["en-US", "1,000.5", "Read as 1,000.5"],
  ["de-DE", "1,000.5", "Read as 1.000,5"],
]) {
  test(`${text}, pasted in ${locale}, is a thousand and a half, and the form says so`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { locale });
    await swap.pay(text);
    await swap.page.locator("#src-note", { hasText: said }).waitFor();
    assert.equal(await asked(), "1000500000");
  });
}

test("figures follow the visitor's locale, and Max fills what is read as itself", async () => {
  const swap = await SwapPage.open(browser, sandbox, { locale: "de-DE" });
  await swap.pay("1234,5");
  assert.match(await swap.page.locator("#src-note").textContent(), /^1\.234,50\s\$$/);
  assert.match(await swap.figure("You get at least").textContent(), /^0,\d+ WETH$/);
  const before = (await sandbox.requests("quote")).length;
  await swap.page.getByRole("button", { name: /^Max/ }).click();
  await swap.priced();
  assert.ok((await sandbox.requests("quote")).length > before);
  assert.equal(await asked(), String(await sandbox.balance(swap.account, sandbox.token("permit"))));
});

test("a language that Intl does not know stops nothing: figures, dates and the list of orders are in English", async () => {
  const swap = await SwapPage.open(browser, sandbox, {
    prepare: (page) =>
      page.addInitScript(() => {
        // WebKitGTK's under LANG=C.
        for (const [name, value] of [["language", "C"], ["languages", ["C", "en_US"]]])
          Object.defineProperty(navigator, name, { get: () => value });
      }),
  });
  await swap.swap();
  await swap.main.click();
  await swap.pay("1234.5");
  await swap.latest.locator("time").waitFor();
  assert.match(await swap.page.locator("#src-note").textContent(), /^\$1,234\.50$/);
});

test("Max of the native token leaves gas, and says how much", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.choose("pay", eth.symbol);
  await swap.page.getByRole("button", { name: /^Max/ }).click();
  await swap.page.locator("#src-note", { hasText: /^Leaves 0\.\d+ ETH for gas$/ }).waitFor();
  await swap.ready(/./);
  const held = await sandbox.nativeBalance(swap.account);
  const sold = BigInt(await asked());
  assert.ok(sold < held && sold > (held * 9n) / 10n, `${sold} of ${held}`);
});

test("Enter in an amount reviews; Enter in the list of tokens and in the settings does not", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.page.getByRole("button", { name: /^You receive: / }).click();
  const search = swap.page.getByRole("combobox", { name: "Search tokens" });
  await search.fill("dai");
  await search.press("Enter");
  await swap.page.getByRole("button", { name: /^You receive: DAI/ }).waitFor();
  await swap.priced();
  await swap.openSettings();
  await swap.page.getByLabel("Other slippage limit, in percent").fill("0.4");
  await swap.page.keyboard.press("Enter");
  await swap.page.keyboard.press("Escape");
  await swap.page.getByRole("button", { name: "Slippage 0.4 %" }).waitFor();
  assert.match(await swap.message.textContent(), /^Price/);
  assert.deepEqual(await sandbox.requests("build"), []);
  await swap.payField.press("Enter");
  await swap.heading("What you are signing").waitFor();
});

test("tokens are chosen with the arrows, the last chosen come first, and Escape gives the focus back", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const open = () => swap.page.getByRole("button", { name: /^You receive: / }).click();
  const active = () =>
    swap.page.evaluate(() => document.getElementById(document.activeElement.getAttribute("aria-activedescendant")).textContent);
  await open();
  const first = await active();
  await swap.page.keyboard.press("ArrowDown");
  assert.notEqual(await active(), first);
  await swap.page.keyboard.press("Home");
  assert.equal(await active(), first);
  await swap.page.keyboard.press("ArrowUp");
  const last = await active();
  await swap.page.keyboard.press("Enter");
  await open();
  await swap.page.getByRole("group", { name: "Recent" }).waitFor();
  assert.equal((await active()).slice(0, 4), last.slice(0, 4));
  await swap.page.keyboard.press("Escape");
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "dest-token");
});

test("a token of no list is read from the chain, and used only after a warning", async () => {
  const { wrappedNative } = sandbox.chain;
  // Nobody has a price for it.
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const button = swap.page.getByRole("button", { name: /^You receive: / });
  await button.click();
  const search = swap.page.getByRole("combobox", { name: "Search tokens" });
  await search.fill("0x000000000000000000000000000000000000dEaD");
  await swap.page.getByText("There is no token at this address.").waitFor();
  await search.fill(wrappedNative);
  await swap.page.getByRole("option", { name: /Not in the list/ }).waitFor();
  await search.press("Enter");
  const dialog = swap.page.getByRole("dialog", { name: "A token that no list knows" });
  await dialog.getByText("Anybody can make a token").waitFor();
  assert.match((await dialog.textContent()).toLowerCase(), new RegExp(wrappedNative.toLowerCase()));
  assert.match(await button.getAttribute("aria-label"), /WETH/, "nothing is chosen before it is confirmed");
  await dialog.getByRole("button", { name: /^Use / }).click();
  await swap.page.locator("#dest-token:not([aria-label*=WETH])").waitFor();
  await swap.page.reload();
  await swap.settledIn();
  await button.click();
  await swap.page.getByRole("option", { name: /Not in the list/ }).waitFor();
});

test("a stored list of tokens that is no such list does not stop the page", async () => {
  const swap = await SwapPage.open(browser, sandbox, {
    prepare: (page) =>
      page.addInitScript(() => {
        localStorage.setItem("own-tokens", '[{"chainId":31337,"address":"0x12","symbol":1},null]');
        localStorage.setItem("recent-tokens", "{");
      }),
  });
  await swap.pay("5");
});

test("the rate turns around, and a tap shows all digits of a figure until Escape", async () => {
  const swap = await SwapPage.open(browser, sandbox, isPhone);
  await swap.page.locator(".rate", { hasText: /^1 WETH = \d,\d{3}/ }).waitFor();
  await swap.page.getByRole("button", { name: "Turn the rate around" }).tap();
  await swap.page.locator(".rate", { hasText: /^1 USDC = / }).waitFor();
  const figure = swap.figure("You get at least");
  await figure.getByRole("button").tap();
  assert.equal(await figure.locator(".bubble").textContent(), await figure.getAttribute("data-exact"));
  await swap.page.keyboard.press("Escape");
  await figure.locator(".bubble").waitFor({ state: "detached" });
});

test("what a swap loses in value is told in percent, and a large one is marked", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const row = swap.page.locator(".stage:visible .row", { hasText: "Difference in value" });
  assert.match(await row.locator("data").textContent(), /^−0\.\d+ %$/);
  await swap.payField.fill("10");
  await swap.page.locator(".row.warns", { hasText: /Difference in value−\d/ }).waitFor();
});

test("what costs take is traded knowingly, with a limit of that trade's own; what gas takes whole is not", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.payField.fill("1");
  await swap.ready("Show its price anyway");
  await swap.main.click();
  await swap.priced();
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  const knows = swap.page.getByRole("checkbox", {
    name: /^I know: costs take 30\.\d+ % of what I trade\. For this trade alone up to 32 % may be lost\.$/,
  });
  await knows.waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await knows.check();
  await swap.swapReviewed();
  await swap.main.click();
  await swap.ready("Show its price anyway");
  await swap.set("Market");
  await swap.payField.fill("2");
  await swap.priced();
  await swap.main.click();
  await swap.page.getByRole("checkbox", { name: /^I know: costs take 37\.\d+ % of what I trade\.$/ }).waitFor();
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.payField.fill("0.1");
  await swap.page.locator(".stage:visible .row.warns", { hasText: /^Gas\$0\.\d\d, \d[\d.]* times what you trade$/ }).waitFor();
  await swap.says("Gas would cost more than what you trade");
  assert.equal(await swap.main.getAttribute("aria-disabled"), "true");
  await swap.set("Gasless, else Market");
  await swap.pay("100");
  assert.equal(await swap.page.locator(".stage:visible .row.warns").count(), 0);
});

test("a price that the chain contradicts is told on a phone, too, and the button shows what differs", async () => {
  const swap = await SwapPage.open(browser, sandbox, isPhone);
  const row = swap.page.locator(".stage:visible .row.warns", { hasText: /Quote against the chainToo low by \d/ });
  assert.equal(await row.count(), 0);
  await swap.judged();
  await swap.lie("Price");
  await swap.ready("See what differs");
  assert.ok(await row.isVisible(), "it is not folded away");
  assert.equal(await swap.page.locator(".stage:visible .row", { hasText: "Fee" }).isVisible(), false);
  await swap.says(/^This price is \d[\d.]* % below what the chain says\. It would be refused\.$/);
  await swap.main.tap();
  await swap.heading("This price is too low").waitFor();
});

test("another receiver is said in the form, and what is wrong with it stands below its field", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.openSettings();
  const field = swap.page.getByLabel("Receiving address");
  await field.fill("0x12");
  assert.equal(await field.getAttribute("aria-invalid"), "true");
  assert.match(await swap.page.locator("#beneficiary-note").textContent(), /40 hex digits/);
  await field.fill("0x00000000000000000000000000000000000cafe1");
  await swap.page.keyboard.press("Escape");
  await swap.page.getByText(/^Sent to 0x0000…afe1, not to you/i).waitFor();
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "settings-button");
});

test("what is received is after the fee, from the form to the end, and a review has one least amount", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const quoted = await swap.receiveField.getAttribute("title");
  const least = await swap.figure("You get at least").textContent();
  await swap.review();
  assert.equal(await swap.figure("You get at least").textContent(), least);
  const pairs = await swap.page.locator(".stage:visible .vs-group", { hasText: /^How much/ }).locator("summary").innerText();
  assert.deepEqual([...new Set(pairs.match(/[\d.]+ WETH/g))].filter((sum) => sum.startsWith("0.03")), [least], pairs);
  assert.doesNotMatch(pairs, /before the fee/);
  await swap.swapReviewed();
  const expected = swap.page.getByRole("region", { name: "What arrives" }).locator(".rows data").nth(1);
  assert.equal(await expected.getAttribute("value"), quoted);
  await swap.main.click();
  await swap.priced();
  await swap.receive("0.03");
  assert.match(await swap.page.locator("#dest-note").textContent(), /^0\.02999\d* WETH after the fee$/);
});
