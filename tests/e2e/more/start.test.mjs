import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../browser.mjs";
import { FAILED_REQUEST, browser, sandbox, there } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { VIEWS } from "../views.mjs";

/* The first screen, what the first price costs, and what cannot start. */

const BLOCKED = /Failed to load resource|ERR_FAILED|preloaded using link preload/;

test("without JavaScript the first screen is there: the line, the strip, the red button, the form", async () => {
  const opened = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  const { page } = opened;
  await page.goto(sandbox.url);
  const shown = [
    page.getByText("Swap tokens. If the service lies, your wallet stays shut."),
    page.getByRole("list", { name: "How a swap goes" }),
    page.getByRole("button", { name: "Make it lie" }),
    page.getByLabel("You pay", { exact: true }),
  ];
  for (const part of shown) {
    const { y, height } = await part.boundingBox();
    assert.ok(y + height <= 844, `${part} is in the first view of a phone`);
  }
});

for (const view of ["laptop", "phone"])
  test(`${view}: the form's button is on the first screen, and the lie's`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { ...VIEWS[view] });
    const { height } = VIEWS[view].viewport;
    for (const button of [swap.main, swap.page.getByRole("button", { name: "Make it lie" })]) {
      const box = await button.boundingBox();
      assert.ok(box.y >= 0 && box.y + box.height <= height, JSON.stringify(box));
    }
    // Folded, not gone.
    const costs = swap.page.locator("#costs");
    assert.equal(await costs.getByText("Difference in value").isVisible(), false);
    await swap.page.getByRole("button", { name: /^Details/ }).click();
    await costs.getByText("Difference in value").waitFor();
  });

for (const view of ["desktop", "phone", "narrow"]) {
  test(`${view}: the first price takes ten requests at most, and moves nothing`, async () => {
    const asked = [];
    const watch = async (page) => {
      page.on("request", (request) => !request.url().startsWith("data:") && asked.push(request.url()));
      await page.addInitScript(() => {
        window.shift = 0;
        const add = (list) => list.getEntries().forEach(({ value }) => (window.shift += value));
        new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
        const button = () => document.querySelector('.stage button.primary[aria-disabled="false"]');
        const look = () => {
          if (!window.isPriced && button()?.textContent === "Review swap") window.isPriced = window.notePrice();
        };
        new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
      });
    };
    let before = null;
    const swap = await SwapPage.open(browser, sandbox, {
      ...VIEWS[view],
      prepare: async (page) => {
        await page.exposeFunction("notePrice", () => (before ??= [...asked]));
        await watch(page);
      },
    });
    // Nobody waits for two of them: the rest of the module, and what asks the reference prices of older blocks.
    assert.ok(before.length <= 10, `before the first price: ${before.join(" ")}`);
    const shift = await swap.page.evaluate(() => window.shift);
    assert.ok(shift < 0.0001, `layout shift ${shift}`);
  });
}

for (const [name, pattern, words] of [
  ["module", "**/*.wasm", "The part that checks what you sign did not load."],
  ["configuration", "**/sandbox/config", "The sandbox does not say where its chains are."],
]) {
  test(`a page without its ${name} says so, counts down, and starts by itself once it can`, async () => {
    const swap = await blocked(pattern);
    const { page } = swap;
    await page.getByRole("heading", { name: "This page cannot start" }).waitFor();
    await page.getByText(words).waitFor();
    await page.locator(".cannot-start").getByText(/We try again in \d+ s\./).waitFor();
    assert.equal(await swap.prompts(), 0);
    await page.unroute(pattern);
    await swap.priced();
  });
}

test("a browser without WebAssembly: the page says so, asks nobody, and does not try again", async () => {
  const prepare = (page) => Promise.all([page.clock.install(), page.addInitScript(() => delete window.WebAssembly)]);
  const opened = await openPage(browser, { prepare });
  const { page } = opened;
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(sandbox.url);
  await page.getByRole("heading", { name: "This page cannot start" }).waitFor();
  await page.getByText("This browser cannot run the part that checks what you sign.").waitFor();
  await page.getByText("Open this page in another browser.").waitFor();
  for (const name of ["button", "tab", "navigation", "complementary"]) assert.equal(await page.getByRole(name).count(), 0, `${name}: nothing there would work`);
  for (const waits of ["Connecting…", "Reading your history…"]) assert.ok(await page.getByText(waits).isHidden(), waits);
  await page.clock.runFor(60_000);
  // The HTML asks for the first two by itself.
  assert.deepEqual(asked.filter((path) => !/\/sandbox\/config$|_first-[\w-]+\.wasm$/.test(path) && /wasm|quote|rpc/.test(path)), []);
});

/** A page whose files of that pattern do not arrive. */
async function blocked(pattern) {
  const account = await sandbox.nextAccount();
  const opened = await openPage(browser, { expected: BLOCKED, prepare: (page) => page.route(pattern, (route) => route.abort()) });
  await opened.page.goto(sandbox.url);
  return new SwapPage(opened, sandbox, account, []);
}

test("a wallet on another chain is said in the header, and one button there moves it", async () => {
  const swap = await SwapPage.open(browser, sandbox, {
    prepare: (page) =>
      page.addInitScript((chainId) => {
        const name = "sandbox-wallet";
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), chainId }));
      }, there.chainId),
  });
  const header = swap.page.getByRole("banner");
  await header.getByText(`Your wallet is on ${there.name}. This page trades on ${sandbox.chain.name}.`).waitFor();
  assert.equal((await sandbox.requests("build")).length, 0);
  await header.getByRole("button", { name: `Switch to ${sandbox.chain.name}` }).click();
  await header.getByText(/^Your wallet is on/).waitFor({ state: "detached" });
});

test("a service that was gone is asked again without a click", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST, prepare: (page) => page.clock.install() });
  const { page } = swap;
  await page.route("**/quote?**", (route) => route.abort());
  await swap.payField.fill("50");
  await page.clock.runFor(1_000);
  await page.locator(".stage:visible .message", { hasText: "The service does not answer. Nothing was signed. We try again" }).waitFor();
  await page.unroute("**/quote?**");
  await page.clock.runFor(40_000);
  await swap.priced();
});
