import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, FAILED_REQUEST, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

/* "Make it lie": the sandbox's service lies for real, to the form as it is; the page counts prompts. */

const told = ({ page }, step = "stopped") => page.locator(`#lie-outcome[data-step=${step}]`).waitFor();
const chip = ({ page }, name) => page.locator(`[data-lie=${name}]`);
/** The service is honest again, and the form asks for its price anew. */
async function honest({ page }) {
  await page.locator("#lie-end").click();
  await page.locator('#lies[aria-busy="false"]').waitFor();
}

async function assertUntouched(swap) {
  assert.equal(await swap.prompts(), 0, "no wallet window has opened");
  assert.equal(swap.signatures() + swap.transactions(), 0, "the wallet was asked for nothing");
  assert.deepEqual(await sandbox.requests("post"), [], "nothing was posted");
}

test("all eight lies are told after one press and end in a score; then an honest swap works", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.pay("42");
  await chip(swap, "marketTo").click();
  await told(swap);
  const market = (await sandbox.requests("transactions")).at(-1);
  assert.equal(JSON.parse(market.body).srcAmount, "42000000", "the swap of the form was attacked");
  await swap.page.locator("#lie-rest").click();
  await swap.page.locator("#lie-score", { hasText: "8 lies. 0 prompts." }).waitFor({ timeout: 60_000 });
  assert.equal(await swap.page.locator("[data-lie][data-told=stopped]").count(), 8);
  await assertUntouched(swap);
  await honest(swap);
  await swap.priced();
  assert.equal(await swap.payField.inputValue(), "42");
  assert.equal(new URL(swap.page.url()).search, "");
  await swap.swap();
});

test("a reload tells the lie of the address again; a page that is left, or crashes, leaves none behind", async () => {
  // A document that is no page has no icon.
  const swap = await SwapPage.open(browser, sandbox, { expected: FAILED_REQUEST });
  await chip(swap, "minimum").click();
  await told(swap);
  assert.equal(new URL(swap.page.url()).search, "?attack=minimum");
  await swap.page.reload();
  await told(swap);
  await swap.page.goto(new URL("/sandbox/config", sandbox.url).href);
  await swap.page.goto(sandbox.url);
  await swap.priced();
  await swap.review();
  await chip(swap, "minimum").click();
  await told(swap);
  const context = swap.page.context();
  const crashed = swap.page;
  swap.page = await context.newPage();
  const session = await context.newCDPSession(crashed);
  session.send("Page.crash").catch(() => {});
  await crashed.waitForEvent("crash");
  await swap.page.goto(sandbox.url);
  await swap.priced();
  await swap.review();
});

test("an address that names no lie is told as such, and a lie can be told all the same", async () => {
  const swap = await SwapPage.open(browser, sandbox, { path: "/?attack=moon" });
  const alert = swap.page.getByRole("alert").filter({ hasText: "The link names no lie." });
  await alert.waitFor();
  await chip(swap, "receiver").click();
  await told(swap);
  assert.equal(await alert.count(), 0);
});

test("a lie that nothing stops is in the score, too", async () => {
  // The service's build is honest, and passes.
  const prepare = (page) =>
    page.route("**/build", async (route) => {
      await sandbox.control("lie", { kind: "none" });
      return route.continue();
    });
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await chip(swap, "receiver").click();
  await told(swap, "missed");
  await swap.ready("Approve 100 USDC");
  await swap.main.click();
  await swap.answer("Approve", "Reject");
  await swap.page.locator("#lie-score", { hasText: "1 lie, 1 not stopped. 1 prompt." }).waitFor();
});

test("a lie that was not told proves nothing", async () => {
  const prepare = (page) =>
    page.route("**/sandbox/lie", (route) =>
      route.request().postDataJSON().kind === "none" ? route.continue() : route.fulfill({ status: 500 }));
  const swap = await SwapPage.open(browser, sandbox, { prepare, expected: FAILED_REQUEST });
  await chip(swap, "receiver").click();
  await told(swap, "failed");
  assert.equal(await swap.page.locator("#lie-score").textContent(), "");
});
