import assert from "node:assert/strict";
import { test } from "node:test";
import { violationsOf } from "../accessible.mjs";
import { UNREACHABLE, allowed, openCrossing, openLimit, openMarket, openTwap, openWith } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, there, usdc, weth } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A price that gets old under review: the next one is there before that, and takes nothing from who reads. */

const MOVED = /^The price moved: now at (?:least|most) [\d.,]+ \w+ \(was [\d.,]+ \w+\)\.$/;
const TAKE = "Take the new price";

const withClock = (page) => page.clock.install();

/** A price that is better for who sells USDC, and one that is worse. */
const better = () => sandbox.trade(weth, usdc, 13);
const worse = (units = 40_000) => sandbox.trade(usdc, weth, units);

/** A review on a page whose clock can be moved. */
async function reviewed(options = {}) {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), ...options, prepare: withClock });
  await swap.review();
  return swap;
}

/** What has to be ticked in the review of what that page asks for, ticked. */
async function ticked(swap, name) {
  await swap.main.click();
  await swap.heading("What you are signing").waitFor();
  const tick = swap.page.getByRole("checkbox", { name });
  await tick.check();
  await swap.ready(/^Sign$/);
  return tick;
}

/** Old enough for the next price, and not too old. */
async function due(swap) {
  await swap.page.clock.fastForward(23_000);
}

/** The price that is shown is a new one. With `asks` its build has a question, which is put anew. */
async function renewed(swap, asks) {
  await swap.message.filter({ hasText: /^Price \d s old$/ }).waitFor();
  const built = swap.page.waitForResponse((response) => /\/(build|transactions\/\d+)\b/.test(response.url()));
  await due(swap);
  await built;
  if (asks) await swap.bridgeTick.click();
  await swap.message.filter({ hasText: /^Price \d s old$/ }).waitFor();
}

const least = (swap) => swap.figure("You get at least").getAttribute("value");

test("a price that is no worse takes the old one's place, and the reader stays where they are", async () => {
  const swap = await reviewed({ viewport: { width: 1280, height: 720 } });
  const group = swap.page.locator(".stage:visible details.vs-group summary", { hasText: "How much" });
  await group.focus();
  await swap.page.keyboard.press("Enter");
  await swap.page.evaluate(() => scrollTo(0, 150));
  const at = () => swap.page.evaluate(() => [scrollY, document.activeElement.textContent.slice(0, 8)]);
  const [before, place] = [await least(swap), await at()];
  await renewed(swap);
  assert.equal(await least(swap), before, "the market stood still");
  assert.deepEqual(await at(), place);
  await better();
  try {
    await renewed(swap);
    const now = await least(swap);
    assert.ok(Number(now) > Number(before), `${now} is more than ${before}`);
    assert.ok((await swap.sentence.textContent()).includes(now), "one number everywhere");
    await swap.page.getByRole("status").filter({ hasText: /^The price moved: now at least [\d.]+ WETH\.$/ }).waitFor();
    const [scroll, focused] = await at();
    assert.equal(focused, place[1]);
    assert.ok(Math.abs(scroll - place[0]) < 60, `${scroll} is where it was, but for a line more or less`);
    assert.ok(await group.evaluate((node) => node.parentElement.open), "what was opened is open");
    assert.equal(await swap.page.getByRole("button", { name: TAKE }).count(), 0);
    const hash = await swap.page.locator(".stage:visible .vs-technical-body").first().textContent();
    await swap.swapReviewed({ approve: false });
    const [order] = await swap.newOrders();
    assert.ok(hash.includes(order.orderHash.slice(2)) || hash.includes(order.orderHash), "the newest is signed");
    assert.equal(await swap.prompts(), 1);
  } finally {
    await worse(40_000);
  }
});

test("a worse price is one question: the old one is shown beside it, and the new one is signed once it was taken", async () => {
  const swap = await reviewed();
  const [before, sentence] = [await least(swap), await swap.sentence.textContent()];
  const take = swap.page.getByRole("button", { name: TAKE });
  try {
    await worse();
    await due(swap);
    await swap.says(MOVED);
    const first = await swap.message.textContent();
    await swap.page.getByRole("status").filter({ hasText: first }).waitFor();
    assert.deepEqual([await least(swap), await swap.sentence.textContent()], [before, sentence], "what is shown stays");
    assert.equal(await take.count(), 1);
    assert.deepEqual(await violationsOf(swap.page), []);
    await swap.ready(TAKE);
    await worse();
    await due(swap);
    await swap.message.filter({ hasText: MOVED }).filter({ hasNotText: first }).waitFor();
    assert.equal(await swap.message.count() + await take.count(), 2, "one question");
    await swap.ready(TAKE);
    assert.equal(await swap.page.getByRole("button", { name: /^(Sign|Refresh)$/ }).count(), 0, "the old one is no offer any more");
    assert.deepEqual([await least(swap), await swap.sentence.textContent()], [before, sentence]);
    const [, now] = /now at least ([\d.]+)/.exec(await swap.message.textContent());
    await take.click();
    await swap.ready(/^Sign$/);
    assert.ok((await least(swap)).startsWith(now.slice(0, -1)), "what was asked about");
    assert.equal(await swap.page.evaluate(() => document.activeElement.id), "review-title", "it is reviewed anew");
    assert.equal(await swap.prompts(), 0);
    await swap.swapReviewed({ approve: false });
    assert.equal(await swap.prompts(), 1);
  } finally {
    await sandbox.trade(weth, usdc, 26);
  }
});

test("a question is withdrawn when the price is as good again", async () => {
  const swap = await reviewed();
  await worse();
  try {
    await due(swap);
    await swap.says(MOVED);
  } finally {
    await sandbox.trade(weth, usdc, 26);
  }
  await due(swap);
  await swap.message.filter({ hasText: /^Price \d s old$/ }).waitFor();
  assert.equal(await swap.page.getByRole("button", { name: TAKE }).count(), 0);
  await worse(40_000);
});

/**
 * A review whose next price is better, and whose next build waits for `answer`. The page's clock stands still: nothing of
 * the page notices that a second has passed.
 */
async function heldBack() {
  const prepare = async (page) => {
    await withClock(page);
    await page.addInitScript(() => {
      const [parse, queue] = [JSON.parse, window.queueMicrotask];
      // The package writes what it built as text, and this is where that becomes an object.
      JSON.parse = (...given) => {
        const value = parse(...given);
        window.isBuilt ||= window.isNext && value?.orderHash !== undefined && value.sealed !== undefined;
        return value;
      };
      // Told to press, somebody does it when the page's state is another one, and nothing has drawn that.
      window.queueMicrotask = (task) => {
        if (window.isBuilt && window.presses) {
          window.presses = false;
          document.querySelector(".review button.primary").click();
        }
        queue(task);
      };
    });
  };
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), prepare });
  const { page } = swap;
  await swap.review();
  await better();
  let next;
  const asked = new Promise((resolve) => void page.route("**/build", (route) => resolve((next = route))));
  await due(swap);
  await asked;
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 1_000);
  const answer = async () => {
    await page.evaluate(() => (window.isNext = true));
    await next.continue();
    while (!(await page.evaluate(() => window.isBuilt))) await new Promise((later) => setTimeout(later, 50));
    // What follows from it by itself has been done.
    for (let turn = 0; turn < 3; turn++) {
      await page.evaluate(() => {
        const { port1, port2 } = new MessageChannel();
        return new Promise((done) => ((port1.onmessage = done), port2.postMessage(0)));
      });
    }
  };
  return { swap, answer };
}

test("a price that comes after the button was pressed changes nothing of what was pressed", async () => {
  const { swap, answer } = await heldBack();
  try {
    const sentence = await swap.sentence.textContent();
    await swap.main.click();
    await swap.prompt.filter({ hasText: "Sign this order?" }).waitFor();
    await answer();
    await swap.page.clock.resume();
    assert.equal(await swap.sentence.textContent(), sentence);
    await swap.signInWallet();
    await swap.settled();
    assert.equal(await swap.prompts(), 1);
  } finally {
    await worse(40_000);
  }
});

test("what is pressed in the moment between a newer build and its drawing is not signed", async () => {
  const { swap, answer } = await heldBack();
  try {
    await swap.page.evaluate(() => (window.presses = true));
    await answer();
    assert.equal(await swap.page.evaluate(() => window.presses), false, "it was pressed");
    await swap.page.clock.resume();
    await swap.ready(/^Sign$/);
    assert.equal(await swap.prompts(), 0);
  } finally {
    await worse(40_000);
  }
});

test("a lie instead of the next price is refused, and the wallet stays shut", async () => {
  for (const lie of ["Spender", "Receiver"]) {
    const swap = await reviewed();
    await sandbox.control("lie", { kind: lie.toLowerCase() });
    await due(swap);
    await swap.heading("Not what you asked for").waitFor();
    assert.equal(await swap.prompts(), 0);
    await swap.lie("Honest");
    await swap.close();
  }
});

test("while no new price comes the old one stays, until it is old", async () => {
  const swap = await reviewed({ expected: FAILED_REQUEST });
  const sentence = await swap.sentence.textContent();
  await sandbox.control("fault", { endpoint: "quote", times: -1, status: 400, errorType: "PricingError" });
  const failed = swap.page.waitForResponse((response) => response.status() === 400);
  await due(swap);
  await failed;
  await swap.ready(/^Sign$/);
  await swap.message.filter({ hasText: /^Price 2\d s old$/ }).waitFor();
  await swap.page.clock.fastForward(9_000);
  await swap.says("This price is 30 s old.");
  assert.equal(await swap.sentence.textContent(), sentence);
  await sandbox.reset();
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.ready(/^Sign$/);
});

test("nobody asks for a tab that is hidden, and who comes back has the next price", async () => {
  const swap = await reviewed();
  const hide = (hidden) =>
    swap.page.evaluate((hidden) => {
      Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
      Object.defineProperty(document, "visibilityState", { configurable: true, get: () => (hidden ? "hidden" : "visible") });
      document.dispatchEvent(new Event("visibilitychange"));
    }, hidden);
  const asked = async () => [(await sandbox.requests("quote")).length, (await sandbox.requests("build")).length];
  await hide(true);
  const before = await asked();
  await due(swap);
  await swap.page.clock.fastForward(20_000);
  await swap.says("This price is 30 s old.");
  assert.deepEqual(await asked(), before);
  await hide(false);
  await swap.message.filter({ hasText: /^Price \d s old$/ }).waitFor();
  await swap.ready(/^Sign$/);
});

async function bought(options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.receive("0.02");
  return swap;
}

async function fallenBack(options) {
  await sandbox.control("settings", { deltaRefuses: "GasCostExceedsTradeAmount" });
  return SwapPage.open(browser, sandbox, options);
}

async function chosen(path, options) {
  const swap = await SwapPage.open(browser, sandbox, options);
  await swap.set(path);
  await swap.priced();
  return swap;
}

async function overTheSlow(options) {
  const swap = await openCrossing("USDC", options);
  await swap.page.getByRole("radio", { name: /Slow bridge/ }).check({ force: true });
  return swap;
}

async function together(options) {
  const swap = await openWith("Contract wallet (EIP-1271)", { prepare: options.prepare });
  await swap.set("Market");
  await swap.priced();
  return swap;
}

/** Everything else that goes by a price: how it is opened, and who may take the token. */
const TRADES = {
  "a purchase": { open: bought },
  "a sale on Market": { open: openMarket, title: "What you are sending", spender: "router" },
  "a sale in slices": { open: (options) => openTwap("3", options) },
  "an order at one's own price": { open: (options) => openLimit(UNREACHABLE, options) },
  "a sale across chains": { open: (options) => openCrossing("WETH", options), asks: true },
  "a sale over a bridge that was chosen": { open: overTheSlow, asks: true },
  "the better of both": { open: (options) => chosen("Best of both", options) },
  "a sale that fell back to Market": { open: fallenBack, title: "What you are sending", spender: "router" },
  "an approval and a sale in one prompt": { open: together, title: "What you are sending" },
};

for (const [name, { open, title, spender, asks }] of Object.entries(TRADES)) {
  test(`the price of ${name} is renewed under review`, async () => {
    const swap = await open({ account: await allowed(spender), prepare: withClock });
    await swap.ready(/^Review/);
    await swap.review(title);
    // A deadline is as much later as the price is.
    const said = async () => (await swap.sentence.textContent()).replace(/expires [^;]+;/, "");
    const shown = async () => [await said(), await swap.main.textContent()];
    const before = await shown();
    await renewed(swap, asks);
    assert.deepEqual(await shown(), before);
    assert.equal(await swap.prompts(), 0);
  });
}

test("of a purchase the most that is paid is asked about, and what is missing of the approval is asked for", async () => {
  const swap = await bought({ prepare: withClock });
  await swap.review();
  await renewed(swap);
  await swap.ready(/^Approve /);
  await swap.main.click();
  await swap.answer(/Approve \w+\?/, "Approve");
  await swap.ready(/^Sign$/);
  await worse();
  try {
    await due(swap);
    await swap.says(/^The price moved: now at most [\d.]+ USDC \(was [\d.]+ USDC\)\.$/);
    const most = await swap.figure("You pay at most").getAttribute("value");
    await swap.page.getByRole("button", { name: TAKE }).click();
    await swap.ready(/^Approve /);
    const now = await swap.figure("You pay at most").getAttribute("value");
    assert.ok(Number(now) > Number(most), `${now} is more than ${most}`);
    assert.match(await swap.page.locator(".step-panel").textContent(), new RegExp(`Exactly ${now.replace(".", "\\.")} USDC`));
    await swap.swapReviewed();
    assert.equal(await swap.prompts(), 3);
  } finally {
    await sandbox.trade(weth, usdc, 13);
  }
});

test("a permit that was signed pays for the next price as well", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: withClock });
  await swap.set("Permit");
  await swap.priced();
  await swap.main.click();
  await swap.permitInWallet();
  await swap.ready(/^Sign$/);
  await renewed(swap);
  await swap.swapReviewed({ approve: false });
  assert.equal(await swap.prompts(), 2);
});

test("a tick holds while what it is for is no worse", async () => {
  await sandbox.control("reference", { state: "missing" });
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), prepare: withClock });
  const tick = await ticked(swap, /I accept its price\.$/);
  await renewed(swap);
  assert.ok(await tick.isChecked(), "the same bound");
  await worse();
  try {
    await due(swap);
    await swap.says(MOVED);
    assert.ok(await tick.isChecked(), "it is for what is shown");
    await swap.page.getByRole("button", { name: TAKE }).click();
    await swap.says("Tick what you accept, or go back.");
    assert.equal(await tick.isChecked(), false);
  } finally {
    await sandbox.trade(weth, usdc, 13);
  }
});

test("the tick for a price far from the market is gone once it is farther", async () => {
  const swap = await openLimit("0.003", { account: await allowed(), prepare: withClock });
  await swap.ready("Review order");
  const tick = await ticked(swap, /^I know: [\d.]+ % worse than the market$/);
  await renewed(swap);
  assert.ok(await tick.isChecked());
  await better();
  try {
    await due(swap);
    await swap.says("Tick what you accept, or go back.");
    assert.equal(await tick.isChecked(), false);
  } finally {
    await worse(40_000);
  }
});

/** From now on the quote has this in place of what is at that path. */
const puts = (patch) => sandbox.control("tamper", { target: "quote", times: -1, patch: patch.map(([path, value]) => ({ op: "replace", path, value })) });
const ARRIVAL = "/delta/route/destination/output/amount";

/** A form across chains, whose arrival only the bridge promises, with the promise accepted. */
async function promised() {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), prepare: withClock });
  await swap.choose("receive", "USDT", there.name);
  const tick = swap.page.getByRole("checkbox", { name: /promised by the bridge/ });
  await tick.check();
  await swap.priced();
  return { swap, tick };
}

test("a bridge that promises less is one question", async () => {
  const { swap } = await promised();
  await swap.review();
  await puts([[ARRIVAL, "97000000"], [`${ARRIVAL}USD`, "97.0"]]);
  await due(swap);
  // After the fee of 0.01 %.
  await swap.says(/^The price moved: the bridge now promises 96\.9903 USDT \(was 99\.\d+ USDT\)\.$/);
  assert.match(await swap.figure("Expected").first().getAttribute("value"), /^99\./, "what is shown stays");
  await swap.page.getByRole("button", { name: TAKE }).click();
  await swap.bridgeTick.click();
  await swap.ready(/^Sign$/);
  assert.equal(await swap.figure("Expected").first().getAttribute("value"), "96.9903");
  assert.equal(await swap.prompts(), 0);
});

test("a promise that was accepted is one bridge's", async () => {
  const { swap, tick } = await promised();
  await puts([["/delta/route/bridge/protocol", "Guaranteed by order"]]);
  await swap.press("Refresh");
  await swap.says("Accept the bridge’s promise");
  assert.equal(await tick.isChecked(), false);
  await swap.page.locator(".stage:visible .rail-name").getByText("“Guaranteed by order”", { exact: true }).waitFor();
});

test("gas that the user pays is asked about once it is twice as much", async () => {
  const swap = await openMarket({ account: await allowed("router"), prepare: withClock });
  await swap.review("What you are sending");
  await puts([["/market/gasCostUSD", "9.0"]]);
  await due(swap);
  await swap.says("The service now offers something else. Look at it before you go on.");
  await swap.page.getByRole("button", { name: TAKE }).click();
  await swap.page.locator(".stage:visible .row", { hasText: "Gas, paid by you" }).getByText("$9.00").waitFor();
});

test("a price that got worse while the wallet was open is asked about, too", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: withClock });
  await swap.review();
  const before = await least(swap);
  try {
    await swap.main.click();
    await swap.prompt.waitFor();
    await worse();
    await swap.page.clock.fastForward(31_000);
    await swap.answer(/Approve \w+\?/, "Approve");
    await swap.says(MOVED);
    assert.equal(await least(swap), before, "what is shown stays");
    await swap.page.getByRole("button", { name: TAKE }).click();
    await swap.ready(/^Sign$/);
    assert.ok(Number(await least(swap)) < Number(before));
    await swap.swapReviewed({ approve: false });
  } finally {
    await better();
  }
});

test("gas that the user pays is asked about once it is not known any more", async () => {
  const swap = await openMarket({ account: await allowed("router"), prepare: withClock });
  await swap.review("What you are sending");
  await sandbox.control("tamper", { target: "quote", times: -1, patch: [{ op: "remove", path: "/market/gasCostUSD" }] });
  await due(swap);
  await swap.says("The service now offers something else. Look at it before you go on.");
});
