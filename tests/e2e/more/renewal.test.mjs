import assert from "node:assert/strict";
import { test } from "node:test";
import { violationsOf } from "../accessible.mjs";
import { allowed, openCrossing, openMarket } from "../forms.mjs";
import { FAILED_REQUEST, browser, sandbox, there, usdc, weth } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* A price that gets old under review: the next one is there before that, and changes nothing under its reader's eyes. */

const MOVED = /The price moved: now at (?:least|most) [\d.,]+ \w+ \(was [\d.,]+ \w+\)\./;
const TAKE = "Take the new price";

const withClock = (page) => page.clock.install();

/** A price that is better for a sale of USDC, and one that is worse. */
const better = () => sandbox.trade(weth, usdc, 13);
const worse = (units = 40_000) => sandbox.trade(usdc, weth, units);

/** A review on a page whose clock can be moved. */
async function reviewed(options = {}) {
  const swap = await SwapPage.open(browser, sandbox, { account: await allowed(), ...options, prepare: withClock });
  await swap.review();
  return swap;
}

/** Old enough for the next price, and not too old. */
const due = (swap) => swap.page.clock.fastForward(23_000);

/** The next build is there. */
async function renewed(swap) {
  const built = swap.page.waitForResponse((response) => /\/(build|transactions\/\d+)\b/.test(response.url()));
  await due(swap);
  await (await built).finished();
  await swap.card.getByText("Price just asked for").waitFor();
}

const least = (swap) => swap.amount("You get at least");
const take = (swap) => swap.page.getByRole("button", { name: TAKE });

test("a price that is no worse takes the old one's place, and the reader stays where they are", async () => {
  const swap = await reviewed({ viewport: { width: 1280, height: 720 } });
  const checks = swap.card.locator("summary").first();
  await checks.focus();
  await swap.page.keyboard.press("Enter");
  await swap.page.evaluate(() => scrollTo(0, 150));
  const place = () => swap.page.evaluate(() => [scrollY, document.activeElement.shadowRoot.activeElement.tagName]);
  const [before, at] = [await least(swap), await place()];
  await better();
  try {
    await renewed(swap);
    await swap.card.getByText("New price, no worse than before").waitFor();
    assert.ok((await least(swap)) > before);
    const [scroll, focused] = await place();
    assert.equal(focused, at[1]);
    assert.ok(Math.abs(scroll - at[0]) < 60, `${scroll} is where it was, but for a line more or less`);
    assert.ok(await checks.evaluate((node) => node.parentElement.open), "what was opened is open");
    assert.equal(await take(swap).count(), 0);
    await swap.card.getByText("Technical details").click();
    const hashes = await swap.card.locator(".review-technical").textContent();
    await swap.swapReviewed({ approve: false });
    const [order] = await swap.newOrders();
    assert.ok(hashes.includes(order.orderHash), "the newest is signed");
    assert.equal(await swap.prompts(), 1);
  } finally {
    await worse();
  }
});

test("a worse price is one question, which is withdrawn when the price is as good again; the new one is signed once taken", async () => {
  const swap = await reviewed();
  const [before, sentence] = [await least(swap), await swap.sentence.textContent()];
  await worse();
  await due(swap);
  await swap.says(MOVED);
  await sandbox.trade(weth, usdc, 26);
  await due(swap);
  await take(swap).waitFor({ state: "detached" });
  try {
    await worse(60_000);
    await due(swap);
    await swap.says(MOVED);
    const first = await swap.message.textContent();
    assert.ok((await swap.amount("You get at least")) >= before && (await take(swap).count()) === 1, "what is shown stays");
    assert.deepEqual(await violationsOf(swap.page), []);
    await worse();
    await due(swap);
    await swap.message.filter({ hasText: MOVED }).filter({ hasNotText: first }).waitFor();
    assert.equal((await swap.message.count()) + (await take(swap).count()), 2, "one question");
    assert.equal(await swap.page.getByRole("button", { name: /^Sign$/ }).count(), 0, "the old one is no offer any more");
    const [, now] = /now at least ([\d.]+)/.exec(await swap.message.textContent());
    await take(swap).click();
    await swap.ready(/^Sign$/);
    assert.ok((await swap.figure("You get at least").textContent()).startsWith(now), "what was asked about");
    assert.notEqual(await swap.sentence.textContent(), sentence);
    assert.equal(await swap.prompts(), 0);
    await swap.swapReviewed({ approve: false });
    assert.equal(await swap.prompts(), 1);
  } finally {
    await sandbox.trade(weth, usdc, 40);
  }
});

/** A review whose next price is better, and whose next build waits for `answer`. The page's clock stands still. */
async function heldUp() {
  const prepare = async (page) => {
    await withClock(page);
    await page.addInitScript(() => {
      const parse = JSON.parse;
      // The package writes what it built as text, and this is where that becomes an object.
      JSON.parse = (...given) => {
        const value = parse(...given);
        window.isBuilt ||= window.isNext && value?.orderHash !== undefined && value.sealed !== undefined;
        return value;
      };
      const later = queueMicrotask;
      // The views are drawn by it. A build that is no text any more gets into the state by promises alone.
      window.queueMicrotask = (work) => (window.isBuilt && window.undrawn ? window.undrawn.push(work) : later(work));
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
  const { swap, answer } = await heldUp();
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
    await worse();
  }
});

test("a click that comes before the newer price is drawn was meant for the older one, and opens nothing", async () => {
  const { swap, answer } = await heldUp();
  const { page } = swap;
  try {
    await page.evaluate(() => (window.undrawn = []));
    await answer();
    assert.ok(await page.evaluate(() => undrawn.length > 0), "it is not drawn yet");
    await swap.main.click();
    await page.evaluate(() => {
      const works = undrawn;
      undrawn = null;
      works.forEach(queueMicrotask);
    });
    await page.clock.resume();
    await swap.card.getByText("New price, no worse than before").waitFor();
    await swap.ready(/^Sign$/);
    assert.equal(await swap.prompts(), 0);
    await swap.swapReviewed({ approve: false });
    assert.equal(await swap.prompts(), 1);
  } finally {
    await worse();
  }
});

test("a lie instead of the next price is refused, and the wallet stays shut", async () => {
  const swap = await reviewed();
  await sandbox.control("lie", { kind: "receiver" });
  await due(swap);
  await swap.heading("Not what you asked for").waitFor();
  assert.equal(await swap.prompts(), 0);
});

test("while no new price comes the old one stays, and is not signed once it is too old", async () => {
  const swap = await reviewed({ expected: FAILED_REQUEST });
  const sentence = await swap.sentence.textContent();
  await sandbox.control("fault", { endpoint: "quote", times: -1, status: 400, errorType: "PricingError" });
  const failed = swap.page.waitForResponse((response) => response.status() === 400);
  await due(swap);
  await failed;
  await swap.ready(/^Sign$/);
  assert.equal(await swap.sentence.textContent(), sentence);
  await swap.page.clock.fastForward(9_000);
  await swap.main.click();
  await swap.says(/This price is too old\.|No price for this swap right now/);
  assert.equal(await swap.prompts(), 0);
  await sandbox.reset();
  await swap.main.click();
  await swap.ready(/^Sign$/);
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
    await take(swap).click();
    await swap.ready(/^Sign$/);
    assert.ok((await least(swap)) < before);
    await swap.swapReviewed({ approve: false });
  } finally {
    await better();
  }
});

/* The other numbers that a newer price may make worse. */

test("the most that a purchase pays is asked about, and what is missing of the approval is approved", async () => {
  const swap = await SwapPage.open(browser, sandbox, { prepare: withClock });
  await swap.receive("0.02");
  await swap.review();
  await swap.main.click();
  await swap.answer(/Approve \w+\?/, "Approve");
  await swap.ready(/^Sign$/);
  const most = await swap.amount("You pay at most");
  await worse();
  try {
    await due(swap);
    await swap.says(/The price moved: now at most [\d.]+ USDC \(was [\d.]+ USDC\)\./);
    await take(swap).click();
    await swap.ready(/^Approve /);
    const now = await swap.amount("You pay at most");
    assert.ok(now > most, `${now} is more than ${most}`);
    await swap.swapReviewed();
    assert.equal(await swap.prompts(), 3);
  } finally {
    await sandbox.trade(weth, usdc, 13);
  }
});

/** From now on the quote has this in place of what is at that path. */
const puts = (...patch) =>
  sandbox.control("tamper", { target: "quote", times: -1, patch: patch.map(([path, value]) => ({ op: "replace", path, value })) });

test("a bridge that promises less is one question", async () => {
  const swap = await openCrossing("WETH", { account: await allowed(), prepare: withClock });
  await swap.choose("receive", "USDT", there.name);
  await swap.page.getByRole("checkbox", { name: /promised by the bridge/ }).check();
  await swap.priced();
  await swap.review();
  const arrival = "/delta/route/destination/output/amount";
  await puts([arrival, "97000000"], [`${arrival}USD`, "97.0"]);
  await due(swap);
  // After the fee of 0.01 %.
  await swap.says(/The price moved: the bridge now promises 96\.9903 USDT \(was 99\.\d+ USDT\)\./);
  assert.match(await swap.figure("The bridge promises").textContent(), /^99\./, "what is shown stays");
  await take(swap).click();
  await swap.bridgeTick.click();
  await swap.ready(/^Sign$/);
  assert.match(await swap.figure("The bridge promises").textContent(), /^96\.9903/);
  assert.equal(await swap.prompts(), 0);
});

for (const [name, tamper] of [
  ["is much more", { op: "replace", path: "/market/gasCostUSD", value: "9.0" }],
  ["is not known any more", { op: "remove", path: "/market/gasCostUSD" }],
])
  test(`gas that the user pays is asked about once it ${name}`, async () => {
    const swap = await openMarket({ account: await allowed("router"), prepare: withClock });
    await swap.review("What you are sending");
    await sandbox.control("tamper", { target: "quote", times: -1, patch: [tamper] });
    await due(swap);
    await swap.says("The service now offers something else. Look at it before you go on.");
    await take(swap).click();
    await swap.card.getByText(tamper.value ? "you pay about $9.00 of gas" : "you pay the gas").waitFor();
  });
