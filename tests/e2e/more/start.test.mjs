import assert from "node:assert/strict";
import { test } from "node:test";
import { openPage } from "../browser.mjs";
import { FAILED_REQUEST, browser, sandbox, there } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { VIEWS } from "../views.mjs";

/* The first screen, and what cannot start. */

const BLOCKED = /Failed to load resource|ERR_FAILED|preloaded using link preload/;

test("without JavaScript the header and the first sentence are there", async () => {
  const { page } = await openPage(browser, { javaScriptEnabled: false, viewport: { width: 390, height: 844 } });
  await page.goto(sandbox.url);
  await page.getByRole("heading", { level: 1, name: "Every order is checked here" }).waitFor();
  await page.getByRole("heading", { name: "Make it lie" }).waitFor();
});

for (const view of ["laptop", "phone"])
  test(`${view}: the form's button, and a review with its button, are on the first screen`, async () => {
    const swap = await SwapPage.open(browser, sandbox, VIEWS[view]);
    const isSeen = async () => {
      const { y, height } = await swap.main.boundingBox();
      assert.ok(y >= 0 && y + height <= VIEWS[view].viewport.height, `${y} + ${height}`);
    };
    await isSeen();
    await swap.review();
    await isSeen();
  });

for (const view of ["desktop", "phone", "narrow"]) {
  test(`${view}: nothing moves until the first price is there`, async () => {
    const prepare = (page) =>
      page.addInitScript(() => {
        window.shift = 0;
        const add = (list) => list.getEntries().forEach(({ value }) => (window.shift += value));
        new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
      });
    const swap = await SwapPage.open(browser, sandbox, { ...VIEWS[view], prepare });
    const shift = await swap.page.evaluate(() => window.shift);
    assert.ok(shift < 0.0001, `layout shift ${shift}`);
  });
}

/** A page whose files of that pattern do not arrive. */
async function blocked(pattern) {
  const account = await sandbox.nextAccount();
  const opened = await openPage(browser, { expected: BLOCKED, prepare: (page) => page.route(pattern, (route) => route.abort()) });
  await opened.page.goto(sandbox.url);
  return new SwapPage(opened, sandbox, account, []);
}

test("a page whose module does not load says so, and starts after one press once it can", async () => {
  const swap = await blocked("**/*.wasm");
  await swap.page.getByText("The part that checks what you sign did not load, so nothing can be signed here.").waitFor();
  await swap.page.unroute("**/*.wasm");
  await swap.page.getByRole("button", { name: "Try again" }).click();
  await swap.priced();
});

test("a page whose sandbox does not answer says so, and starts by itself once it does", async () => {
  const swap = await blocked("**/sandbox/config");
  await swap.page.getByRole("alert").filter({ hasText: "The sandbox does not answer." }).waitFor();
  await swap.page.unroute("**/sandbox/config");
  await swap.priced();
});

test("a browser without WebAssembly: the page says so, and asks for no price", async () => {
  const { page } = await openPage(browser, { prepare: (page) => page.addInitScript(() => delete window.WebAssembly), expected: BLOCKED });
  const asked = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.goto(sandbox.url);
  await page.getByText("This browser cannot run the part that checks what you sign").waitFor();
  assert.equal(await page.locator("verified-swap").getByRole("textbox").count(), 0, "nothing there would work");
  assert.deepEqual(asked.filter((path) => /\/quote/.test(path)), []);
});

test("a wallet on another chain is named where it is chosen, and trades after one press", async () => {
  const swap = await SwapPage.open(browser, sandbox, {
    prepare: (page) =>
      page.addInitScript((chainId) => {
        const name = "sandbox-wallet";
        localStorage.setItem(name, JSON.stringify({ ...JSON.parse(localStorage.getItem(name)), chainId }));
      }, there.chainId),
  });
  await swap.page.locator("verified-swap .wallets-button").click();
  await swap.page.getByText(`Your wallet is on ${there.name}. It is asked to switch to ${sandbox.chain.name} when you trade.`).waitFor();
  await swap.page.keyboard.press("Escape");
  await swap.review();
  await swap.main.click();
  await swap.approveInWallet();
  await swap.signInWallet();
  await swap.settled();
});

test("offline the last price stays, and a new one comes once the network, or the service, is back", async () => {
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await swap.page.context().setOffline(true);
  await swap.page.getByRole("button", { name: "Refresh" }).click();
  await swap.says("You are offline.");
  assert.notEqual(await swap.receiveField.inputValue(), "");
  await swap.page.context().setOffline(false);
  await swap.priced();
  await sandbox.control("fault", { endpoint: "quote", dropBefore: true, times: 1000 });
  await swap.payField.fill("50");
  await swap.says("The service does not answer.");
  await sandbox.reset();
  await swap.priced();
});
