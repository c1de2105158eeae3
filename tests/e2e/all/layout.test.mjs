import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";
import { visitEveryState, visitOrdersAndAccounts } from "../walks.mjs";

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
  const swap = await SwapPage.open(browser, sandbox, {
    account,
    prepare,
    viewport: { width: 320, height: 640 },
    expected: FAILED_REQUEST,
  });
  const { page } = swap;
  const fits = async (state) => {
    const over = await page.evaluate(() => {
      const boxes = [...document.querySelectorAll(".card.swap, dialog[open]")].filter((node) => node.checkVisibility());
      return boxes.flatMap((box) => {
        const { left, right } = box.getBoundingClientRect();
        // What its own parent cuts off does not stick out; a dialog is a box of its own.
        const inside = [...box.querySelectorAll("*")].filter(
          (node) =>
            node.checkVisibility() &&
            getComputedStyle(node.parentElement).overflowX === "visible" &&
            [null, box].includes(node.closest("dialog")),
        );
        const out = inside.filter(
          (node) => node.getBoundingClientRect().left < left || node.getBoundingClientRect().right > right + 0.5,
        );
        return out.map((node) => node.outerHTML.slice(0, 80));
      });
    });
    assert.deepEqual(over, [], state);
    if (!(await swap.payField.isVisible())) return;
    const [field, token] = [
      await swap.payField.boundingBox(),
      await page.locator(".stage:visible .token").first().boundingBox(),
    ];
    assert.ok(field.width >= 80 && field.x + field.width <= token.x, `${state}: ${field.width} px for the amount`);
  };
  await fits("a long name");
  await swap.payField.fill("0.000001");
  await swap.says("Gas would cost more than what you trade");
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
});

for (const width of [1000, 390, 320])
  test(`the form and its button keep their place in every state, ${width} px wide`, async () => {
    const swap = await SwapPage.open(browser, sandbox, { viewport: { width, height: 900 }, expected: FAILED_REQUEST });
    const places = {};
    const look = async (state) => {
      if (/settings|checks/.test(state)) return;
      // What is reviewed or under way is as long as what there is to read.
      if (!(await swap.payField.isVisible())) return;
      const card = await swap.page.locator(".card.swap").boundingBox();
      const button = await swap.main.boundingBox();
      places[state] = [card.height, button.y - card.y];
    };
    await visitEveryState(swap, look);
    await swap.main.click();
    await sandbox.approve(swap.account, sandbox.token("permit"), 0);
    await visitOrdersAndAccounts(swap, look);
    const [first] = Object.values(places);
    // A browser rounds to whole pixels where it likes.
    const moved = Object.entries(places).filter(([, place]) => place.some((at, which) => Math.abs(at - first[which]) > 1));
    assert.deepEqual(moved, [], String(first));
  });

test("a figure shows six digits, its minimum rounded down, and every digit on focus", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  const figure = swap.page.locator(".row", { hasText: "You get at least" }).first().locator("data");
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
  await figure.getByRole("button").focus();
  assert.equal(await swap.receiveField.inputValue(), rounded);
  const tip = await figure.evaluate((node) => getComputedStyle(node, "::after").content);
  assert.ok(tip.includes(exact), tip);
});
