import assert from "node:assert/strict";
import { test } from "node:test";
import { openCrossing, openMarket } from "../forms.mjs";
import { browser, sandbox, usdc } from "../rig.mjs";
import { unitsOf } from "../sandbox.mjs";
import { SwapPage } from "../swap-page.mjs";

/* What the review says, and how it is read: on a narrow screen and by ear as well. */

const PHONE = { viewport: { width: 390, height: 844 } };
const LAPTOP = { viewport: { width: 1280, height: 720 } };

for (const [name, view] of Object.entries({ "a phone": PHONE, "a laptop": LAPTOP })) {
  test(`on ${name} each value of the review has who said it, to be seen or heard`, async () => {
    const swap = await SwapPage.open(browser, sandbox, view);
    await swap.review();
    const sides = swap.page.locator(".stage:visible .vs-groups .vs-pair > span");
    const sizes = await sides.evaluateAll((all) =>
      all.map((side) => {
        const [by, value] = [...side.children].slice(-2).map((node) => node.getBoundingClientRect());
        return { text: side.textContent, labelled: by.width > 20 && by.height > 8, seen: value.width > 20 };
      }),
    );
    assert.ok(sizes.length >= 20, `${sizes.length} values`);
    for (const { text, labelled, seen } of sizes) {
      assert.match(text, /^(You asked: |This page allows |; You are signing: )\S/);
      if (view === PHONE) assert.ok(labelled, `it is seen who said ${text}`);
      else assert.ok(seen, text);
    }
    assert.ok(sizes.some(({ seen }) => seen));
    await swap.close();
  });
}

test("a bridge has a name, and one that the page does not know is written as it comes, without what is invisible", async () => {
  const swap = await openCrossing("USDC");
  const way = swap.page.locator(".stage:visible .rail");
  await way.locator(".rail-name").getByText("Fast bridge", { exact: true }).waitFor();
  assert.deepEqual(
    (await way.locator(".route-name").allTextContents()).map((text) => text.split("bridge")[0]),
    ["Fast ", "Slow "],
  );
  await swap.review();
  await swap.page.locator(".stage:visible .rail-name").getByText("Fast bridge", { exact: true }).waitFor();
  await swap.page.getByRole("button", { name: "Back to the form" }).click();
  await swap.priced();
  await swap.page.route("**/v2/quote?**", async (route) => {
    const response = await route.fetch();
    const text = (await response.text()).replaceAll('"sandbox-fast"', '"Ac\\u202eross \\u0007v3"').replaceAll('"sandbox-slow"', '"constructor"');
    await route.fulfill({ response, body: text });
  });
  await swap.payField.fill("51");
  await swap.priced();
  assert.deepEqual(
    await way.locator(".route-name").evaluateAll((all) => all.map(({ firstChild }) => firstChild.textContent)),
    ["“Across v3”", "“constructor”"],
  );
});

test("what a purchase on Market costs is one number, after the fee", async () => {
  const swap = await openMarket();
  await swap.receive("0.02");
  const pays = await swap.payField.getAttribute("title");
  const most = await swap.figure("You pay at most").getAttribute("value");
  const [expected, bound] = [pays, most].map((text) => unitsOf(text.replaceAll(",", ""), usdc));
  assert.equal(bound, (expected * 10_050n + 9_999n) / 10_000n, `${pays} and 0.5 % more is ${most}`);
  const shown = await swap.figure("You pay at most").textContent();
  await swap.review("What you are sending");
  assert.equal(await swap.figure("You pay at most").textContent(), shown);
});

/** What asks for a tick beside an approval: a price that nobody but the service knows. */
async function askedBoth(view) {
  await sandbox.control("reference", { state: "missing" });
  const swap = await SwapPage.open(browser, sandbox, view);
  await swap.main.click();
  await swap.page.getByRole("checkbox", { name: /I accept its price\.$/ }).waitFor();
  return swap;
}

for (const [name, view, most] of [["a phone", PHONE, 0.26], ["a laptop", LAPTOP, 0.3]]) {
  test(`on ${name} the bar with the button leaves in sight what it is about`, async () => {
    const swap = await askedBoth(view);
    const bar = await swap.page.locator(".review > .action").boundingBox();
    const { height } = view.viewport;
    assert.equal(Math.round(bar.y + bar.height), height, "it is at the bottom");
    assert.ok(bar.height <= most * height, `${bar.height} of ${height} px`);
    const title = await swap.page.locator("#step-title").boundingBox();
    assert.ok(title.y + title.height <= bar.y, `the step’s title ends at ${title.y + title.height}, the bar begins at ${bar.y}`);
  });
}

test("the sentence is the package’s, and whole addresses stand in one line of a phone", async () => {
  const swap = await SwapPage.open(browser, sandbox, PHONE);
  await swap.review();
  const words = await swap.sentence.textContent();
  assert.match(words, new RegExp(`^Sell 100 USDC \\(0x\\w+\\.\\.\\.\\w+\\) on .* to ${swap.account}; expires .* included$`));
  const addresses = await swap.sentence.locator(".mono").evaluateAll((all) => all.map((one) => [one.textContent, one.getClientRects().length]));
  assert.deepEqual(addresses.at(-1), [swap.account, 1]);
  assert.equal(addresses.length, 3);
});
