import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { test } from "node:test";
import { FAILED_REQUEST, setUp } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

let sandbox, browser;

setUp((started) => ({ sandbox, browser } = started));

/** Walks through every state of the page and calls `look` in each. */
async function visitEveryState(swap, look) {
  const { page } = swap;
  await look("price");
  await page.getByRole("button", { name: /Slippage/ }).click();
  await page.getByRole("button", { name: "Send to another address" }).click();
  await page.getByLabel("Receiving address").fill("0x12");
  await look("settings and a wrong receiver");
  await page.getByRole("button", { name: "Send to my own address" }).click();
  await page.getByRole("button", { name: /Slippage/ }).click();
  await page.locator("#wallet-button").click();
  await look("wallets");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^You pay: / }).click();
  await look("tokens");
  await page.keyboard.press("Escape");
  await swap.payField.fill("");
  await look("empty");
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await page.locator(".rows .skeleton").first().waitFor();
  await look("loading");
  await swap.priced();
  await swap.payField.fill("20000000");
  await swap.says("You need");
  await look("too little");
  await swap.payField.fill("1");
  await page.locator("#src-note", { hasText: "Gas takes" }).waitFor();
  await look("too small");
  // Until it is cleared: the page refreshes by itself, and would use up a single one before the amount is typed.
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await swap.says("Nobody offers");
  await look("error");
  await sandbox.control("fault", { endpoint: "quote", times: 0 });
  await page.getByRole("button", { name: "Try again" }).click();
  await swap.priced();
  await page.context().setOffline(true);
  await swap.says("You are offline.");
  await look("offline");
  await page.context().setOffline(false);
  await swap.priced();
  await swap.lie("Spender");
  await swap.ready("See what differs");
  await look("refused price");
  await swap.lie("Receiver");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  await look("refusal");
  await swap.lie("Honest");
  await swap.main.click();
  await swap.priced();
  await swap.review();
  await look("review");
  await page.locator(".stage:visible summary").click();
  await look("checks");
  await page.locator(".stage:visible summary").click();
  await swap.main.click();
  await swap.prompt.waitFor();
  await look("approval prompt");
  await sandbox.control("settings", { solving: false });
  await swap.approveInWallet();
  await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
  await look("signature prompt");
  await swap.signInWallet();
  await swap.heading("Order on its way").waitFor();
  await look("on its way");
  await sandbox.control("settings", { solving: true });
  await swap.settled();
  await look("settled");
}

/** The same for everything but the gasless swap on one chain. */
async function visitEveryOtherTrade(swap, look) {
  const { page } = swap;
  const card = page.locator(".stage:visible");
  await page.getByRole("button", { name: /Slippage/ }).click();
  await look("paths and permits");
  await page.getByRole("button", { name: /Slippage/ }).click();
  await swap.set("Best of both");
  await swap.priced();
  await look("best of both");
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  await look("market review");
  await swap.sendReviewed();
  await look("confirmed");
  await swap.main.click();
  await swap.set("Gasless, else Market");
  await swap.choose("receive", "USDC", sandbox.config.chains[1].name);
  await swap.priced();
  await look("across chains");
  await swap.review();
  await look("review across chains");
  await swap.tab("Limit");
  await card.getByLabel(/^Price in/).fill("1..2");
  await swap.says("A price is digits");
  await look("a wrong limit");
  await card.getByLabel(/^Price in/).fill("1.2");
  await swap.ready("Review order");
  await look("limit");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await look("placed");
  await swap.main.click();
  await swap.latest.getByRole("button", { name: /^Cancel/ }).waitFor();
  await look("open orders");
  await swap.tab("TWAP");
  await swap.ready("Review order");
  await look("slices");
  await swap.review();
  await look("review of slices");
  await swap.tab("OTC");
  await look("offer");
  await card.getByLabel("You give", { exact: true }).fill("5");
  await card.getByLabel("You get", { exact: true }).fill("5");
  await swap.ready("Review order");
  await swap.review();
  await look("review of an offer");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.heading("OTC order, open").waitFor();
  await page.locator(".offers li.order").first().waitFor();
  await look("an offer in its own view");
  await page.getByLabel("Fill an order by its hash").fill(await page.locator(".offers li.order").first().getAttribute("title"));
  await page.getByRole("button", { name: "Open", exact: true }).click();
  await page.getByRole("dialog").waitFor();
  await look("fill");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: /^Cancel the order/ }).first().click();
  await swap.heading("What you are sending").waitFor();
  await look("review of a cancellation");
}

/** An order's own view, accounts with code, what is missing, and several orders at once. */
async function visitOrdersAndAccounts(swap, look) {
  const { page } = swap;
  const token = sandbox.token("permit");
  await swap.pay("100");
  await swap.swap();
  await swap.main.click();
  await swap.priced();
  await swap.latest.getByRole("button").first().click();
  await swap.heading("Settled").waitFor();
  await look("a settled order, opened");
  await swap.main.click();
  await swap.tab("Limit");
  await page.getByRole("radio", { name: "Amount" }).check({ force: true });
  await page.getByLabel("At least, in WETH").fill("0.09");
  await swap.place();
  await swap.heading("Order placed").waitFor();
  await page.reload();
  await swap.heading("Order placed").waitFor();
  await page.getByRole("button", { name: "Cancel this order" }).waitFor();
  await look("an order that rests, after a reload");
  await page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.heading("Cancelled").waitFor();
  await look("a cancelled order");
  await swap.main.click();
  await swap.tab("TWAP");
  // What was approved for the cancelled order is still there.
  await swap.place({ approve: false });
  await page.locator(".stage:visible .schedule li.done").first().waitFor();
  await look("an order in slices");
  await page.getByRole("button", { name: "Cancel this order" }).click();
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.heading("Cancelled").waitFor();
  await swap.main.click();
  await swap.tab("Swap");
  await sandbox.approve(swap.account, token, 10n ** 12n, sandbox.chain.permit2);
  await page.reload();
  await swap.priced();
  await swap.set("Permit2, once");
  await swap.priced();
  await sandbox.approve(swap.account, token, 0, sandbox.chain.permit2);
  await swap.main.click();
  await page.getByRole("button", { name: /^Approve 100 USDC$/ }).waitFor();
  await look("a missing approval");
  await swap.set("Approval");
  await swap.choose("receive", "DAI");
  await swap.set("Market");
  await swap.priced();
  await page.route("**/rpc/**", (route) => {
    const request = route.request().postDataJSON();
    const isTrade = request.method === "eth_sendTransaction" && request.params[0].to.toLowerCase() === sandbox.chain.router.toLowerCase();
    // Too little gas for it: it is mined, and undone.
    return route.continue(isTrade ? { postData: { ...request, params: [{ ...request.params[0], gas: "0x11170" }] } } : {});
  });
  await swap.review("What you are sending");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.sendInWallet();
  await swap.ended("Reverted");
  await page.unroute("**/rpc/**");
  await look("a transaction that was undone");
  await swap.main.click();
  await swap.set("Gasless, else Market");
  await swap.useAccount("Contract wallet that cannot sign");
  await swap.review();
  await look("review of an account with code");
  await swap.main.click();
  await swap.approveInWallet();
  await swap.says("This account cannot sign");
  await look("an account that cannot sign");
  await page.getByRole("button", { name: "Consent on chain" }).click();
  await swap.prompt.filter({ hasText: "Send this transaction?" }).waitFor();
  await look("consent prompt");
  await swap.sendInWallet();
  await swap.settled();
  await look("settled by consent");
}

/** Two offers for the account, of two makers. */
async function visitOffers(swap, look) {
  const { page } = swap;
  for (const amount of ["0.01", "0.02"]) {
    const maker = await SwapPage.open(browser, sandbox);
    // Enough for what it offered before, too.
    await sandbox.approve(maker.account, sandbox.token("permit"), 10n ** 12n, sandbox.chain.rfq);
    await maker.tab("OTC");
    const card = maker.page.locator(".stage:visible");
    await card.getByLabel("You give", { exact: true }).fill("5");
    await card.getByLabel("You get", { exact: true }).fill(amount);
    await card.getByLabel("Who may fill it").fill(swap.account);
    await maker.ready("Review order");
    await maker.review();
    await maker.main.click();
    await maker.signInWallet();
    await maker.heading("OTC order, open").waitFor();
    await maker.close();
  }
  await swap.tab("OTC");
  await page.getByRole("button", { name: /^Fill all \d/ }).waitFor();
  await look("offers to fill at once");
  await page.getByRole("button", { name: /^Fill all \d/ }).click();
  await page.getByRole("dialog").waitFor();
  await look("several to fill");
  await page.getByRole("button", { name: "Review fill" }).click();
  await swap.heading("What you are sending").waitFor();
  await look("review of several fills");
}

const WALKS = [
  { name: "the gasless swap", visit: visitEveryState, looks: 18 },
  { name: "everything else", visit: visitEveryOtherTrade, looks: 17 },
  { name: "orders and accounts", visit: visitOrdersAndAccounts, looks: 10 },
  { name: "offers filled at once", visit: visitOffers, looks: 3 },
];

for (const { name, visit, looks } of WALKS) {
  for (const colorScheme of ["light", "dark"]) {
    test(`axe finds nothing in any state of ${name}, ${colorScheme}`, async () => {
      const swap = await SwapPage.open(browser, sandbox, { colorScheme, expected: FAILED_REQUEST });
      const found = [];
      let looked = 0;
      await visit(swap, async (state) => {
        looked++;
        await swap.page.evaluate(axe);
        const { violations } = await swap.page.evaluate((runOnly) => window.axe.run(document, { runOnly }), TAGS);
        for (const { id, nodes } of violations) found.push(...nodes.map(({ target }) => `${state}: ${id} at ${target.join(" ")}`));
      });
      assert.deepEqual(found, []);
      assert.equal(looked, looks);
      await swap.close();
    });
  }

  test(`at 320 px nothing of ${name} scrolls sideways, every target is 44 px or more each way, and the form keeps its height`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { viewport: { width: 320, height: 640 }, expected: FAILED_REQUEST });
    const heights = new Set();
    await visit(swap, async (state) => {
      if (/^(price|empty|loading|too little|error|offline)$/.test(state)) heights.add((await swap.page.locator(".card.swap").boundingBox()).height);
      const { scrolls, small } = await swap.page.evaluate(() => {
        const targets = [...document.querySelectorAll("button, input, select, summary, label.chip, label.check-box")];
        const shown = targets.filter((node) => node.checkVisibility() && !node.closest(".chip:not(label)") && !/^(radio|checkbox)$/.test(node.type));
        const sizes = (node) => [node.getBoundingClientRect().width, node.getBoundingClientRect().height];
        const tight = shown.filter((node) => Math.round(Math.min(...sizes(node))) < 44);
        return { scrolls: document.documentElement.scrollWidth > innerWidth, small: tight.map((node) => node.outerHTML.slice(0, 80)) };
      });
      assert.equal(scrolls, false, `${state} scrolls sideways`);
      assert.deepEqual(small, [], `${state} has small targets`);
    });
    assert.ok(heights.size <= 1, [...heights].join());
    await swap.close();
  });
}

test("a long name, a small and a huge amount stay inside of the card at 320 px", async () => {
  const symbol = "SUPERCALIFRAGILISTICTOKEN";
  const account = await sandbox.nextAccount();
  await sandbox.mint(account, sandbox.token("permit"), 10_000);
  await sandbox.mint(account, sandbox.token("dai"), "987654321987654321987");
  const prepare = (page) =>
    page.route("**/sandbox/config", async (route) => {
      const response = await route.fetch();
      const config = await response.json();
      for (const token of config.chains[0].tokens) if (token.symbol === "USDC") token.symbol = symbol;
      await route.fulfill({ response, json: config });
    });
  const swap = await SwapPage.open(browser, sandbox, { account, prepare, viewport: { width: 320, height: 640 }, expected: FAILED_REQUEST });
  const { page } = swap;
  const fits = async (state) => {
    const over = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".card.swap, dialog[open]")].filter((node) => node.checkVisibility());
      return boxes.flatMap((box) => {
        const { left, right } = box.getBoundingClientRect();
        // What its own parent cuts off does not stick out.
        const inside = [...box.querySelectorAll("*")].filter((node) => node.checkVisibility() && getComputedStyle(node.parentElement).overflowX === "visible");
        const out = inside.filter((node) => node.getBoundingClientRect().left < left || node.getBoundingClientRect().right > right + 0.5);
        return out.map((node) => node.outerHTML.slice(0, 80));
      });
    });
    assert.deepEqual(over, [], state);
    if (!(await swap.payField.isVisible())) return;
    const [field, token] = [await swap.payField.boundingBox(), await page.locator(".stage:visible .token").first().boundingBox()];
    assert.ok(field.width >= 80 && field.x + field.width <= token.x, `${state}: ${field.width} px for the amount`);
  };
  await fits("a long name");
  await swap.pay("0.000001");
  await fits("a small amount");
  assert.equal(await swap.payField.evaluate((node) => node.scrollWidth <= node.clientWidth), true, "all of it can be read");
  await swap.pay("9876.543211");
  assert.equal(await swap.payField.evaluate((node) => node.scrollWidth <= node.clientWidth), true, "all of it can be read");
  await swap.review();
  await fits("its review");
  await page.getByRole("button", { name: "Back to the form" }).locator("visible=true").click();
  await swap.choose("pay", "DAI");
  await page.getByRole("button", { name: /^Max/ }).click();
  await fits("a huge amount");
  await page.getByRole("button", { name: /^You pay: / }).click();
  await fits("the list of tokens");
  await swap.close();
});

for (const width of [1000, 320]) test(`the card and its button keep their place in every state, ${width} px wide`, async () => {
  const swap = await SwapPage.open(browser, sandbox, { viewport: { width, height: 900 }, expected: FAILED_REQUEST });
  const places = {};
  const look = async (state) => {
    if (/settings|checks/.test(state)) return;
    const card = await swap.page.locator(".card.swap").boundingBox();
    const button = await swap.main.boundingBox();
    places[state] = `${Math.round(card.height)} high, button at ${Math.round(button.y - card.y)}`;
  };
  await visitEveryState(swap, look);
  await swap.main.click();
  await visitOffers(swap, look);
  await swap.tab("Swap");
  await sandbox.approve(swap.account, sandbox.token("permit"), 0);
  await visitOrdersAndAccounts(swap, look);
  assert.equal(new Set(Object.values(places)).size, 1, JSON.stringify(places, null, 2));
  await swap.close();
});

test("a refresh is not announced; the first price for an amount and each step are", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const spoken = await swap.page.getByRole("status").elementHandle();
  await swap.page.evaluate((node) => {
    window.spoken = [];
    new MutationObserver(() => window.spoken.push(node.textContent)).observe(node, { childList: true, characterData: true, subtree: true });
  }, spoken);
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.priced();
  assert.deepEqual(await swap.page.evaluate(() => window.spoken), []);
  await swap.pay("55");
  const [first, ...more] = await swap.page.evaluate(() => window.spoken);
  assert.match(first, /^55 USDC for about [\d.]+ WETH\.$/);
  assert.deepEqual(more, []);
  await swap.review();
  const steps = await swap.page.evaluate(() => window.spoken);
  assert.equal(steps.at(-1), "Order checked. Review it before you sign.");
  await swap.close();
});

test("a step moves the focus to its heading, and a closed dialog gives it back", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const focused = () => swap.page.evaluate(() => document.activeElement.textContent);
  await swap.page.locator("#wallet-button").click();
  await swap.page.keyboard.press("Escape");
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "wallet-button");
  await swap.review();
  assert.equal(await focused(), "What you are signing");
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.heading("Swap").waitFor();
  assert.equal(await focused(), "Swap");
  await swap.close();
});

/** What has the focus says this, as soon as the page has come to it. */
function focusIsOn(swap, words) {
  return swap.page.waitForFunction((text) => (document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent).startsWith(text), words);
}

test("a cancellation that is rejected leaves the focus where it was, and one that is done moves it to the heading", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  await swap.press("Cancel this order");
  await swap.answer("Sign this cancellation?", "Reject");
  await swap.says("Rejected in your wallet.");
  await focusIsOn(swap, "Cancel this order");
  await swap.page.keyboard.press("Enter");
  await swap.answer("Sign this cancellation?", "Sign");
  await swap.heading("Cancelled").waitFor();
  await focusIsOn(swap, "Cancelled");
  await swap.close();
});

test("in the list the focus moves to the order that was cancelled, and another order that is opened takes it to its heading", async () => {
  const swap = await SwapPage.placed(browser, sandbox);
  await swap.press("Back to the form");
  // Another trade: the same one again would be asked about.
  await swap.page.getByLabel("At least, in WETH").fill("0.06");
  await swap.place({ approve: true });
  await swap.heading("Order placed").waitFor();
  const lines = swap.page.locator(".recent:visible .order");
  await lines.nth(1).waitFor();
  const hash = swap.page.locator(".stage:visible .details .row", { hasText: "Order" }).locator("data");
  const shown = await hash.getAttribute("title");
  await lines.nth(1).getByRole("button").first().focus();
  await swap.page.keyboard.press("Enter");
  await focusIsOn(swap, "Order placed");
  assert.notEqual(await hash.getAttribute("title"), shown);
  for (const line of [lines.nth(1), lines.first()]) {
    await line.getByRole("button", { name: /^Cancel/ }).focus();
    await swap.page.keyboard.press("Enter");
    await swap.answer("Sign this cancellation?", "Sign");
    await line.filter({ hasText: "Cancelled" }).waitFor();
    await focusIsOn(swap, "100 USDC");
  }
  await swap.close();
});

test("what is wrong is announced as soon as it is typed, and a failure each time it happens", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  const status = swap.page.getByRole("status");
  await swap.payField.fill("1..2");
  await status.filter({ hasText: "An amount is digits with one decimal point." }).waitFor({ state: "attached" });
  await swap.payField.fill("20000000");
  await status.filter({ hasText: /^You need [\d,.]+ USDC more\.$/ }).waitFor({ state: "attached" });
  await sandbox.control("fault", { endpoint: "quote", status: 400, errorType: "PricingError", times: 100 });
  await swap.payField.fill("30");
  await status.filter({ hasText: "Nobody offers this swap right now." }).waitFor({ state: "attached" });
  const again = swap.page.evaluate(
    () => new Promise((told) => new MutationObserver(() => told(document.querySelector("[role=status]").textContent.trim())).observe(document.querySelector("[role=status]"), { childList: true, characterData: true, subtree: true })),
  );
  await swap.page.getByRole("button", { name: "Try again" }).click();
  assert.equal(await again, "Nobody offers this swap right now.");
  await swap.close();
});

test("while a price is on its way there is a placeholder, and no figure", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await swap.page.locator(".rows .skeleton").first().waitFor();
  const [bar, zero] = await swap.receiveField.evaluate((node) => [getComputedStyle(node).backgroundSize, getComputedStyle(node, "::placeholder").color]);
  assert.deepEqual([bar, zero], ["112px 20px", "rgba(0, 0, 0, 0)"]);
  await swap.close();
});

test("a tick stands beside what was checked, and not beside what is only told", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Market");
  await swap.priced();
  await swap.review("What you are sending");
  const tick = (name) => swap.page.locator(".stage:visible .row", { hasText: name }).locator(".icon");
  assert.equal(await tick("Arrives at least").isVisible(), true);
  assert.equal(await tick("Gas, paid by you").isVisible(), false);
  await swap.close();
});

test("with reduced motion nothing moves", async () => {
  const swap = await SwapPage.open(browser, sandbox, { reducedMotion: "reduce" });
  await sandbox.control("fault", { endpoint: "quote", delayMs: 1500 });
  await swap.payField.fill("20");
  await swap.page.locator(".rows .skeleton").first().waitFor();
  const moving = await swap.page.evaluate(() => document.getAnimations().filter((one) => one.effect.getComputedTiming().activeDuration > 0).length);
  assert.equal(moving, 0);
  await swap.close();
});

test("a figure shows six digits, its minimum rounded down, and every digit on focus", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const figure = swap.page.locator(".row", { hasText: "Minimum received" }).first().locator("data");
  let exact;
  for (const amount of ["3", "3.1", "3.2", "3.3", "3.4", "3.5", "3.6", "3.7"]) {
    await swap.pay(amount);
    const shown = (await figure.textContent()).replace(/ .*/, "");
    exact = await figure.getAttribute("value");
    assert.match(shown, /^0\.0*[1-9]\d{0,5}$/);
    assert.ok(exact.startsWith(shown), `${shown} is ${exact} cut off, not rounded up`);
    assert.ok(exact.length > shown.length);
  }
  const rounded = await swap.receiveField.inputValue();
  await swap.receiveField.focus();
  const whole = await swap.receiveField.inputValue();
  assert.ok(whole.length > rounded.length && whole.slice(0, 6) === rounded.slice(0, 6), `${rounded} becomes ${whole}`);
  await figure.focus();
  assert.equal(await swap.receiveField.inputValue(), rounded);
  const tip = await figure.evaluate((node) => getComputedStyle(node, "::after").content);
  assert.ok(tip.includes(exact), tip);
  await swap.close();
});
