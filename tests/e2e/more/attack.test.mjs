import assert from "node:assert/strict";
import { test } from "node:test";
import { assertAccessible } from "../accessible.mjs";
import { browser, FAILED_REQUEST, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { VIEWS } from "../views.mjs";
import { WALKS } from "../walks.mjs";

/** Each attack, the check that stops it, and what its panel calls the member that the lying service changed. */
const ATTACKS = [
  { name: "receiver", title: "Send your tokens to a stranger", field: "order.beneficiary", member: "receiver" },
  { name: "minimum", title: "Give you 90 % less", field: "order.destAmount", member: "minimum to receive" },
  { name: "spender", title: "Let a stranger’s contract spend your tokens", field: /spender/, member: "contract to approve" },
  { name: "deadline", title: "Keep your order open for ten years", field: "order.deadline", member: "deadline" },
  { name: "price", title: "A price that the market never had", field: "quote.price", member: "price" },
  { name: "token", title: "Pay you in a worthless token", field: "order.destToken", member: "token to receive" },
  { name: "marketReceiver", title: "A transaction that pays somebody else", field: /beneficiary/, member: "receiver" },
  { name: "marketTo", title: "A transaction to another contract", field: "transaction.to", member: "contract to call" },
];
const THIEF = /^0xbad0{34}bad$/i;

const run = ({ page }) => page.locator("#attack-panel");
const stopped = (swap) => run(swap).getByRole("status").filter({ hasText: "Stopped before your wallet opened" }).waitFor();
/** What the form asks for. */
const formOf = ({ page }) =>
  page.locator(".stage:visible").evaluate((form) => [...form.querySelectorAll("input")].map(({ value, checked }) => [value, checked]));

async function assertUntouched(swap) {
  assert.equal(await swap.prompts(), 0, "no wallet window has opened");
  assert.equal(swap.signatures() + swap.transactions(), 0, "the wallet was asked for nothing");
  assert.deepEqual(await sandbox.requests("post"), [], "nothing was posted");
}

for (const { name, title, field, member } of ATTACKS) {
  test(`the attack "${name}", by its address, is stopped before the wallet opens`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { path: `/?attack=${name}`, priced: false });
    await run(swap).getByRole("heading", { name: title }).waitFor();
    await stopped(swap);
    await swap.page.locator(".stage:visible#refused, .stage.refused:visible").waitFor();
    const check = await run(swap).locator(".attack-outcome dd.mono").textContent();
    if (typeof field === "string") assert.equal(check, field);
    else assert.match(check, field);
    assert.match(await run(swap).locator(".attack-outcome").textContent(), /Requests to sign or send: 0/);

    const change = run(swap).locator(".attack-change");
    assert.equal(await change.getByRole("heading").textContent(), member);
    const sides = await change.locator("dd").allTextContents();
    assert.deepEqual(await swap.page.locator(".stage.refused .vs-sides dd").allTextContents(), sides, "one set of figures");
    const [asked, put] = sides;
    assert.notEqual(asked, put);
    if (/receiver|spender|token|marketTo/i.test(name)) assert.match(put, THIEF);
    if (name === "deadline") assert.match(put, new RegExp(`${new Date().getFullYear() + 10}|${new Date().getFullYear() + 9}`));
    if (typeof field === "string" && field.startsWith("order.")) assert.equal((await sandbox.requests("build")).length, 1, "it is built once");
    await assertUntouched(swap);

    await run(swap).getByRole("button", { name: "End the lie" }).click();
    await swap.priced();
    assert.equal(new URL(swap.page.url()).search, "");
  });
}

test("an attack changes path and tab by itself, and leaves the form as it was; then an honest swap works", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.set("Market");
  await swap.payField.fill("42");
  await swap.priced();
  const before = await formOf(swap);
  await run(swap).getByRole("button", { name: /^A transaction to another contract/ }).click();
  await stopped(swap);
  assert.equal(new URL(swap.page.url()).search, "?attack=marketTo");
  const market = (await sandbox.requests("transactions")).at(-1);
  assert.equal(JSON.parse(market.body).srcAmount, "42000000", "the swap of the form was attacked");
  // The one after the last is the first, on the other path.
  await run(swap).getByRole("button", { name: "Next lie" }).click();
  await run(swap).getByRole("heading", { name: "Send your tokens to a stranger" }).waitFor();
  await stopped(swap);
  assert.equal(new URL(swap.page.url()).search, "?attack=receiver");
  await assertUntouched(swap);
  await run(swap).getByRole("button", { name: "End the lie" }).click();
  await swap.priced();
  assert.deepEqual(await formOf(swap), before);
  // On the path that was chosen.
  await swap.send();
});

test("after a reload in an attack the page still says which one", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await run(swap).getByRole("button", { name: /^Give you 90 % less/ }).click();
  await stopped(swap);
  await swap.page.reload();
  await run(swap).getByRole("heading", { name: "Give you 90 % less" }).waitFor();
  await stopped(swap);
  // Who leaves the page leaves an honest service behind.
  await swap.page.goto(new URL("/icon.svg", sandbox.url).href);
  await swap.page.goto(sandbox.url);
  await swap.priced();
  await swap.swap();
});

test("a page that crashed in an attack leaves no lie to the next one", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await run(swap).getByRole("button", { name: /^Give you 90 % less/ }).click();
  await stopped(swap);
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

test("an attack that does not exist is said", async () => {
  const swap = await SwapPage.open(browser, sandbox, { path: "/?attack=moon" });
  await run(swap).getByRole("alert").filter({ hasText: "The link names no lie." }).waitFor();
  await run(swap).getByRole("button", { name: /^Send your tokens/ }).click();
  await stopped(swap);
  assert.equal(await run(swap).getByRole("alert").count(), 0);
});

for (const view of ["laptop", "phone"])
  test(`${view}: one button has the service lie, eight times, and ends in a score`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { ...VIEWS[view] });
    await swap.page.getByRole("button", { name: "Make it lie" }).click();
    await swap.heading("Not what you asked for").waitFor();
    await run(swap).getByRole("button", { name: "Next lie" }).click();
    await run(swap).getByRole("heading", { name: "Give you 90 % less" }).waitFor();
    await swap.page.locator('#attack-panel button.primary[aria-disabled="false"]').waitFor();
    const story = run(swap).getByRole("button", { name: "What this lie does", expanded: false });
    if (await story.isVisible()) await story.click();
    await run(swap).getByRole("button", { name: "Tell all 6 that are left" }).click();
    await run(swap).getByRole("heading", { name: "8 lies, 0 prompts" }).waitFor();
    const rows = await run(swap).getByRole("listitem").evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll("span > small, strong")].map(({ textContent }) => textContent)),
    );
    assert.equal(rows.length, 8);
    for (const [would, end] of rows) {
      assert.match(would, /would|could|less than you asked/);
      assert.equal(end, "0 prompts");
    }
    await swap.page.getByRole("button", { name: "8 lies, 0 prompts" }).waitFor();
    await assertUntouched(swap);
    // The service is honest again, and the form as it was.
    await swap.page.keyboard.press("Escape");
    await swap.priced();
    await swap.review();
  });

test("a lie that nothing stops is in the score, too", async () => {
  // The service's build is honest, and passes.
  const prepare = (page) =>
    page.route("**/build", async (route) => {
      await sandbox.control("lie", { kind: "none" });
      return route.continue();
    });
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  await swap.page.getByRole("button", { name: "Make it lie" }).click();
  await run(swap).getByRole("status").filter({ hasText: "Not stopped. Please report this." }).waitFor();
  await swap.ready("Approve 100 USDC");
  await swap.main.click();
  await swap.answer("Approve", "Reject");
  await run(swap).getByRole("button", { name: "End the lie" }).click();
  await run(swap).getByRole("heading", { name: "1 lie, 1 not stopped, 1 prompt" }).waitFor();
});

test("a lie that was not told proves nothing", async () => {
  const prepare = (page) => page.route("**/sandbox/lie", (route) => {
    const isEnd = route.request().postDataJSON().kind === "none";
    return isEnd ? route.continue() : route.fulfill({ status: 500 });
  });
  const swap = await SwapPage.open(browser, sandbox, { prepare, expected: FAILED_REQUEST });
  await swap.page.getByRole("button", { name: "Make it lie" }).click();
  await run(swap).getByRole("status").filter({ hasText: "This lie could not be told." }).waitFor();
  await run(swap).getByRole("button", { name: "End the lie" }).click();
  await run(swap).getByRole("heading", { name: "Eight lies" }).waitFor();
});

test("on a phone the story of a lie is folded below what was refused, and says which one it is", async () => {
  const swap = await SwapPage.open(browser, sandbox, { ...VIEWS.phone });
  const [list, form] = [await run(swap).boundingBox(), await swap.main.boundingBox()];
  assert.ok(list.y > form.y + form.height, "what can be told stands below the form");
  await swap.page.getByRole("button", { name: "Make it lie" }).click();
  // What is refused is not covered; how it was attacked is folded below it.
  await swap.heading("Not what you asked for").waitFor();
  const story = run(swap).getByRole("button", { name: "What this lie does" });
  await story.and(swap.page.locator("[aria-expanded=false]")).waitFor();
  const folded = await run(swap).boundingBox();
  assert.ok(folded.height < 0.25 * VIEWS.phone.viewport.height, `${folded.height} px`);
  const last = swap.page.getByRole("contentinfo").getByRole("link");
  await last.focus();
  const focused = await last.boundingBox();
  assert.ok(focused.y + focused.height <= folded.y, "what has the focus is not under it");
  await story.click();
  await stopped(swap);
  await swap.page.keyboard.press("Escape");
  await run(swap).getByRole("status").waitFor({ state: "hidden" });
  assert.equal(await swap.page.evaluate(() => document.activeElement.id), "attack-title");
  await run(swap).getByRole("heading", { name: "Send your tokens to a stranger" }).waitFor();
});

test("attacks: axe finds nothing, and everything fits the screen (narrow)", () =>
  assertAccessible(WALKS.find(({ name }) => name === "attacks"), "narrow"));
