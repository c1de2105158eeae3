import assert from "node:assert/strict";
import { test } from "node:test";
import { browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";

/** A price with dollars to match: what the chain's pools and feeds say shows it. */
const TOO_LOW = /^Stopped\. This price is (\d\d[\d.]* %) below the 30-minute price of \d pools? and price feeds\.$/;

const STRANGER = /^Your tokens would go to a stranger: not you, not your wallet\.$/;
const LESS = /^\d\d[\d.]* % less than you asked for\.$/;

/** The lie, the word for it in the refusal, what it would have done, and the answer that carries it. */
const LIES = [
  { kind: "Receiver", word: "receiver", field: /beneficiary/, does: STRANGER, in: "build" },
  { kind: "Minimum", word: "minimum to receive", field: /destAmount/, does: LESS, in: "build" },
  { kind: "Deadline", word: "deadline", field: /deadline/, does: /^It could be filled 10 years longer/, in: "build" },
  { kind: "Spender", word: "contract to approve", field: /spender/, does: /^Your USDC could be taken by a stranger/, in: "quote" },
  { kind: "Price", says: TOO_LOW, field: /quote\.price/, does: /^You would give away \d\d[\d.]* % of its worth\.$/, in: "quote" },
  { kind: "Price", says: TOO_LOW, field: /quote\.price/, does: /^You would give away \d\d[\d.]* % of its worth\.$/, in: "quote", path: "Market" },
  { kind: "Market receiver", word: "receiver", field: /beneficiary/, does: STRANGER, in: "build", path: "Market" },
  {
    kind: "Market minimum",
    word: "minimum to receive",
    field: /toAmount|minReceived|destAmount/,
    does: LESS,
    in: "build",
    path: "Market",
  },
  { kind: "Market contract", word: "contract to call", field: /to\b/, does: /^Your transaction would go to a stranger/, in: "build", path: "Market" },
];

for (const lie of LIES) {
  test(`a service that lies about the ${lie.kind.toLowerCase()}${lie.path === "Market" && lie.says ? " of a route" : ""} is stopped before the wallet opens`, async () => {
    const swap = await SwapPage.open(browser, sandbox);
    if (lie.path) await swap.set(lie.path);
    if (lie.says) await swap.judged();
    await swap.lie(lie.kind);
    // A price that is refused is not used; what differs is shown when asked for.
    await swap.ready(lie.in === "build" ? "Review swap" : "See what differs");
    await swap.main.click();
    await swap.heading(lie.says ? "This price is too low" : "Not what you asked for").waitFor();
    const sentence = await swap.page.locator(".stage:visible .vs-sentence").textContent();
    if (lie.says) assert.match(sentence, lie.says);
    const shape = /^Stopped\. The service put (.+) as (.+); (?:you asked for|this page allows) (.+)\.$/;
    if (lie.word) {
      const [, put, name, asked] = shape.exec(sentence) ?? assert.fail(sentence);
      assert.equal(name, lie.word);
      assert.notEqual(put, asked);
    }
    const card = swap.page.locator(".stage:visible");
    assert.match(await card.locator(".vs-failed-field").textContent(), lie.field);
    assert.match(await card.locator(".vs-consequence p").textContent(), lie.does);
    await card.getByRole("heading", { name: "Your wallet was never opened" }).waitFor();
    assert.match(await card.locator(".vs-never-opened p").textContent(), /^0 prompts/);
    const [failed, all] = (await card.getByText(/^\d+ of \d+ checks failed$/).textContent()).match(/\d+/g).map(Number);
    const judged = card.locator(".vs-group .vs-check:not(.opaque, .unknown)");
    assert.equal(await judged.count(), all, "every check is in a group");
    assert.equal(await card.locator(".vs-group .vs-check:is(.ok, .unusual)").count() + failed, all, "nothing is missing in the sums");
    assert.equal(await card.locator(".vs-group .vs-check.mismatch").count(), failed);
    assert.ok(await card.locator(".vs-group").first().evaluate((node) => node.open && node.matches(".mismatch")));
    assert.equal(await card.locator(".vs-group.mismatch:not([open]), .vs-group.ok[open]").count(), 0);
    const told = await card.locator(".vs-group .vs-check").evaluateAll((rows) =>
      rows.map((row) => [row.querySelector(".vs-check-field").textContent, row.querySelector(".vs-check-verdict").textContent]),
    );
    const differs = told.filter(([, verdict]) => verdict === "Differs").map(([name]) => name);
    const both = told.filter(([name, verdict]) => verdict === "Matches" && differs.includes(name));
    assert.deepEqual(both, [], "nothing differs and matches");
    const sides = await swap.page.locator(".stage:visible .vs-sides dd").allTextContents();
    assert.equal(sides.length, 2);
    assert.notEqual(sides[0], sides[1]);
    if (/receiver/i.test(lie.kind)) {
      assert.equal(sides[0].toLowerCase(), swap.account.toLowerCase(), "addresses are shown in full");
      assert.match(sides[1], /^0x[0-9a-fA-F]{40}$/);
    }

    assert.equal(await swap.prompts(), 0, "no wallet window has opened");
    assert.equal(swap.signatures() + swap.transactions(), 0, "the wallet was asked for nothing");
    assert.deepEqual(await sandbox.requests("post"), [], "nothing was posted");
  });
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
  assert.equal(await swap.figure("Quote against the chain").textContent(), "Before you sign");
  await swap.main.click();
  isHeld = false;
  await Promise.all(held.map((route) => route.continue()));
  await swap.heading("This price is too low").waitFor();
  assert.match(await swap.page.locator(".stage:visible .vs-sentence").textContent(), TOO_LOW);
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

test("every time is by one clock, the visitor's, with its zone; a deadline of another year has its year", async () => {
  const swap = await SwapPage.open(browser, sandbox, { timezoneId: "Asia/Tokyo" });
  const card = swap.page.locator(".stage:visible");
  await swap.review();
  assert.match(await swap.sentence.textContent(), /; expires .*\d\d:\d\d [AP]M GMT\+9;/);
  const until = card.locator(".vs-group", { hasText: /^Until/ }).locator("summary .vs-pair");
  assert.match(await until.textContent(), /^This page allows .*GMT\+9; .*GMT\+9$/);
  assert.doesNotMatch(await card.innerText(), /UTC/);
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.lie("Deadline");
  await swap.priced();
  await swap.main.click();
  await swap.heading("Not what you asked for").waitFor();
  const [asked, received] = await until.locator("> span").allTextContents();
  const years = new RegExp(`\\b${new Date().getFullYear() + 9}|${new Date().getFullYear() + 10}\\b`);
  assert.match(received, years);
  assert.doesNotMatch(asked, years);
});
