import assert from "node:assert/strict";
import { test } from "node:test";
import { FAILED_REQUEST, browser, sandbox } from "../rig.mjs";
import { SwapPage } from "../swap-page.mjs";

test("a long name, a small and a huge amount stay inside of the card at 320 px", async () => {
  const account = await sandbox.nextAccount();
  await sandbox.mint(account, sandbox.token("permit"), 10_000);
  await sandbox.mint(account, sandbox.token("dai"), "987654321987654321987");
  const swap = await SwapPage.open(browser, sandbox, {
    account,
    viewport: { width: 320, height: 640 },
    expected: FAILED_REQUEST,
  });
  const { page } = swap;
  await page.evaluate(() => {
    const element = document.querySelector("verified-swap");
    const named = (token) => (token.symbol === "USDC" ? { ...token, symbol: "SUPERCALIFRAGILISTICTOKEN" } : token);
    element.tokens = element.tokens.map(named);
  });
  const fits = async (state) => {
    const over = await page.evaluate(() => {
      const root = document.querySelector("verified-swap").shadowRoot;
      const boxes = [...root.querySelectorAll(".card, dialog[open]")].filter((node) => node.checkVisibility());
      return boxes.flatMap((box) => {
        const { left, right } = box.getBoundingClientRect();
        // A box that its parent cuts off does not stick out; a dialog is a box of its own.
        const inside = [...box.querySelectorAll("*")].filter(
          (node) =>
            node.checkVisibility() &&
            !node.closest(".visually-hidden") &&
            getComputedStyle(node.parentElement).overflowX === "visible" &&
            [null, box].includes(node.closest("dialog")),
        );
        const out = inside.filter((node) => {
          const place = node.getBoundingClientRect();
          return place.left < left - 0.5 || place.right > right + 0.5;
        });
        return out.map((node) => node.outerHTML.slice(0, 80));
      });
    });
    assert.deepEqual(over, [], state);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 320, state);
  };
  await fits("a long name");
  await page.getByRole("button", { name: /^You pay: / }).click();
  await fits("the list of tokens");
  await page.getByRole("option", { name: /^SUPER/ }).click();
  await swap.pay("9876.543211");
  await fits("a long amount");
  await swap.review();
  await fits("its review");
  await page.getByRole("button", { name: "Back to the form" }).click();
  await swap.choose("pay", "DAI");
  await page.getByRole("button", { name: /^Max/ }).click();
  await fits("a huge amount");
});

test("a figure is rounded down, and has every digit; the expected amount has them on focus", async () => {
  const swap = await SwapPage.open(browser, sandbox);
  for (const amount of ["3", "3.1", "3.3", "3.7"]) {
    await swap.pay(amount);
    const figure = swap.figure("You get at least").locator("data").first();
    const shown = (await figure.textContent()).replace(/\s.*/, "");
    assert.match(shown, /^0\.0*[1-9]\d{0,5}$/);
    const raw = await figure.getAttribute("value");
    assert.ok(raw.startsWith(shown.replace(/^0\.0*/, "")), `${shown} is ${raw} cut off, not rounded up`);
  }
  const rounded = await swap.receiveField.inputValue();
  await swap.receiveField.focus();
  const whole = await swap.receiveField.inputValue();
  assert.ok(whole.length > rounded.length && whole.slice(0, 6) === rounded.slice(0, 6), `${rounded} becomes ${whole}`);
});
