/* Each lie of the service: what is shown of it, and that the wallet is asked for nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

const ASKED = "You asked";
const ALLOWED = "This page allows";
const ADDRESS = /^(\w+ )?0x[0-9a-fA-F]{40}\b/;
const STRANGER = /^Your tokens would go to a stranger: not you, not your wallet\.$/;
const LESS = /^\d\d[\d.]* % less than you asked for\.$/;
const CHEAP = /^You would give away \d\d[\d.]* % of its worth\.$/;
const LONGER = /^It could be filled 10 years longer/;
const TAKEN = /^Your USDC could be taken by a stranger/;
const SENT = /^Your transaction would go to a stranger/;
const SUM = /^[\d.]+ WETH$/;
/** A price with dollars to match: the chain's pools and feeds show it. */
const [FAIR, LOW] = [/^market [\d.]+ WETH$/, /^[\d.]+ WETH, \d\d[\d.]* % below$/];
const PRICE = { kind: "Price", row: "Price", head: ASKED, asked: FAIR, built: LOW, field: "quote.price", does: CHEAP };

/** The lie, where it is stopped, the row that differs with both its values, the check that failed, and what it would have done. */
const LIES = [
  { kind: "Receiver", row: "To", head: ASKED, asked: ADDRESS, built: ADDRESS, field: "order.beneficiary", does: STRANGER },
  { kind: "Minimum", row: "You get at least", head: ASKED, asked: SUM, built: SUM, field: "order.destAmount", does: LESS },
  { kind: "Deadline", row: "Until", head: ALLOWED, asked: /\d/, built: /\b20\d\d\b/, field: "order.deadline", does: LONGER },
  { kind: "Spender", at: "quote", row: "Contract", head: ALLOWED, asked: ADDRESS, built: ADDRESS, field: "spender", does: TAKEN },
  PRICE,
  { ...PRICE, path: "Market" },
  { kind: "Market receiver", path: "Market", row: "To", head: ASKED, asked: /./, built: ADDRESS, field: "beneficiary", does: STRANGER },
  { kind: "Market minimum", path: "Market", row: "You get at least", head: ASKED, asked: SUM, built: SUM, field: "toAmount", does: LESS },
  { kind: "Market contract", path: "Market", row: "Contract", head: ALLOWED, asked: ADDRESS, built: ADDRESS, field: "to", does: SENT },
]; // prettier-ignore

for (const lie of LIES) {
  const name = `${lie.kind.toLowerCase()}${lie.path && lie.row === "Price" ? " of a route" : ""}`;
  test(`a service that lies about the ${name} is stopped before the wallet opens`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    if (lie.path) await swap.set(lie.path);
    if (lie.row === "Price") await swap.judged();
    await swap.lie(lie.kind);
    const against = swap.figure("Reference prices");
    if (lie.row === "Price") await against.filter({ hasText: /^too low, by .*: it will be refused/ }).waitFor();
    // A price with another contract is not used; what differs is shown when asked for.
    await swap.ready(lie.at === "quote" ? "See what differs" : "Review swap");
    await swap.main.click();
    await swap.heading(lie.row === "Price" ? "This price is too low" : "Not what you asked for").waitFor();
    await swap.card.getByText("Stopped before your wallet opened. Nothing was signed: 0 prompts.").waitFor();

    const sides = swap.card.getByRole("table");
    const first = sides.locator("tbody tr").first();
    const [head, row, asked, built] = await Promise.all(
      [sides.getByRole("columnheader").first(), first.locator("th"), first.locator("td").nth(0), first.locator("td").nth(1)].map(
        (cell) => cell.textContent(),
      ),
    );
    assert.deepEqual([head, row], [lie.head, lie.row]);
    assert.match(asked, lie.asked);
    assert.match(built, lie.built);
    assert.notEqual(asked, built);
    if (lie.kind === "Receiver") assert.equal(asked.toLowerCase(), `you ${swap.account.toLowerCase()}`, "in full");
    // The least amount is below the market too.
    assert.equal(await sides.locator("tr.differs").count(), /Minimum/i.test(lie.kind) ? 2 : 1);
    assert.match(await swap.card.locator(".review-consequence").textContent(), lie.does);
    const failing = await swap.card.getByText(/^Check that failed: /).textContent();
    assert.ok(failing.endsWith(lie.field), failing);
    await countsAgree(swap);

    assert.equal(await swap.prompts(), 0, "no wallet window has opened");
    assert.equal(swap.signatures() + swap.transactions(), 0, "the wallet was asked for nothing");
    assert.deepEqual(await sandbox.requests("post"), [], "nothing was posted");
  });
}

/** Every check that was made is in a group, and the sums are theirs. */
async function countsAgree({ card }) {
  const summary = card.getByText(/^\d+ of \d+ checks failed/);
  const [failed, all] = (await summary.textContent()).match(/\d+/g).map(Number);
  const groups = card.locator(".review-group");
  assert.equal(await groups.locator(".review-check").count(), all, "every check is in a group");
  assert.equal(await groups.locator(".review-check:is(.ok, .unusual)").count() + failed, all);
  assert.equal(await groups.locator(".review-check.mismatch").count(), failed);
  assert.ok(await groups.first().evaluate((node) => node.open && node.matches(".mismatch")), "the one that failed is open");
  assert.equal(await card.locator("details.review-group.ok[open]").count(), 0);
}

test("a price that came before what the chain says is judged before the wallet opens", async () => {
  const held = [];
  let isHeld = false;
  const prepare = (page) => page.route(/\/rpc\//, (route) => (isHeld ? held.push(route) : route.continue()));
  const swap = await SwapPage.open(browser, sandbox, { prepare });
  isHeld = true;
  await swap.lie("Price");
  // The chain's prices of another token were not read yet.
  await swap.choose("pay", "USDT");
  await swap.priced();
  assert.equal(await swap.figure("Reference prices").textContent(), "checked on review");
  await swap.main.click();
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await swap.heading("This price is too low").waitFor();
  assert.equal(await swap.prompts(), 0, "no wallet window has opened");
});

test("an honest service is believed again after a lie", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  await swap.lie("Receiver");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  await swap.lie("Honest");
  await swap.main.click();
  await swap.priced();
  await swap.swap();
});

test("times of the facts are by the visitor's clock; a deadline of another year has its year", async () => {
  const timeZone = "Asia/Tokyo";
  const swap = await SwapPage.open(browser, sandbox, { timezoneId: timeZone });
  await swap.review();
  const [, signed] = /expires (\S+ \S+) UTC/.exec(await swap.sentence.textContent());
  const here = new Intl.DateTimeFormat("en-US", { timeZone, hour: "numeric", minute: "2-digit" }).format(new Date(`${signed}Z`));
  assert.ok((await swap.figure("Until").textContent()).startsWith(here), here);
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.lie("Deadline");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  const [asked, built] = await swap.card.locator("tr.differs td").allTextContents();
  const years = new RegExp(`\\b${new Date().getFullYear() + 9}|${new Date().getFullYear() + 10}\\b`);
  assert.match(built, years);
  assert.doesNotMatch(asked, years);
});
