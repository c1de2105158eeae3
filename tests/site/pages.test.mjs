/** The pages: each has its policy and keeps to its budget, works by keyboard alone, and axe finds nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { BUDGET, PAGES, loadedBy, sum } from "../../xtask/node/site-size.mjs";
import { SITE, VIEWS, html, answerTo, opened, overflow, pasteBox, violationsOf } from "./site.mjs";

const HASH = `0x${"ab".repeat(32)}`;
test("each page has the policy, and no script or style in itself", () => {
  for (const file of html) {
    const text = readFileSync(join(SITE, file), "utf8");
    const [, policy] = /<head>\s*(?:<meta charset="utf-8"\/?>)?\s*<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(text) ?? [];
    assert.match(policy ?? "none", /^default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self';/, file);
    assert.doesNotMatch(text.replace(/<pre>[^]*?<\/pre>/g, ""), /<script>|<style|<[a-z]+[^>]* (style|on[a-z]+)="/, file);
  }
});

test("what a page loads is what was measured, and within the budget", async () => {
  for (const file of PAGES) {
    const measured = loadedBy(file);
    assert.ok(sum(measured, "brotli") <= BUDGET, `${file}: ${sum(measured, "brotli")}`);
    const { page, files, close } = await opened(file);
    await page.locator("#lie:enabled, #presets button").first().waitFor();
    for (const button of await page.locator("#lie, #presets button").all()) await button.click();
    await page.waitForLoadState("networkidle");
    const names = new Set(measured.map(({ file }) => file));
    assert.deepEqual([...files].filter((name) => !names.has(name)), []);
    assert.ok([...files].some((name) => name.endsWith(".wasm")));
    await close();
  }
});

test("axe finds nothing in any state, and no state scrolls sideways", async () => {
  for (const view of VIEWS) {
    const { page, close } = await pasteBox(view);
    const look = async (state) => {
      assert.deepEqual(await violationsOf(page), [], `${state}, ${view.viewport.width}, ${view.colorScheme}`);
      assert.ok((await overflow(page)) <= 0, `${state} scrolls sideways`);
    };
    await look("empty");
    for (const button of await page.locator("#presets button").all()) {
      const before = await page.locator("#output").innerHTML();
      await button.click();
      await page.waitForFunction((before) => document.querySelector("#output").innerHTML !== before, before);
      await look(await button.innerText());
    }
    await answerTo(page, HASH);
    await look("question");
    await page.locator("#accounts").fill("wrong");
    await page.locator("#notes p").waitFor();
    await answerTo(page, `Pay \u202E${"long".repeat(200)}`, { choice: "A text" });
    await look("long text");
    await page.goto(page.url().replace(/paste\.html.*/, "index.html"));
    await page.locator("#lie:enabled").click();
    await page.getByRole("button", { name: "Again" }).and(page.locator(":enabled")).waitFor();
    await page.locator(".results summary").nth(1).click();
    await look("lies");
    await close();
  }
});

// The order of headings is TypeDoc's.
test("axe finds nothing on pages of the documentation, by WCAG's rules", async () => {
  const { page, goto, close } = await opened("index.html");
  const found = [];
  for (const name of ["index", "guides/quick-start", "guides/csp"]) {
    await goto(`docs/${name}.html`);
    for (const colorScheme of ["light", "dark"]) {
      await page.emulateMedia({ colorScheme });
      for (const violation of await violationsOf(page, [])) found.push(`${name}, ${colorScheme}: ${violation}`);
    }
  }
  assert.deepEqual(found, []);
  await close();
});

/** Presses Tab until that is focused; each element on the way shows its focus. */
async function tabTo(page, locator) {
  for (let pressed = 0; pressed < 60; pressed++) {
    await page.keyboard.press("Tab");
    const outline = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
    assert.notEqual(outline, "none", await page.evaluate(() => document.activeElement.outerHTML.slice(0, 80)));
    if (await locator.evaluate((node) => node === document.activeElement)) return;
  }
  assert.fail(`${locator} is not reached`);
}

test("the keyboard alone is enough", async () => {
  const { page, goto, close } = await pasteBox();
  await tabTo(page, page.locator("#presets button").first());
  await page.keyboard.press("Enter");
  await page.locator(".answer").waitFor();
  await tabTo(page, page.locator("#payload"));
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.insertText(HASH);
  await page.locator(".question").waitFor();
  await tabTo(page, page.locator(".question button").first());
  await page.keyboard.press("Space");
  await page.locator(".answer.unread").waitFor();
  assert.equal(await page.evaluate(() => document.activeElement.textContent), "This cannot be read.", "the answer has the focus");
  assert.equal(await page.locator("#status").textContent(), "This cannot be read.", "and is announced");
  await goto("index.html");
  await page.locator("#lie:enabled").waitFor();
  await tabTo(page, page.locator("#lie"));
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Again" }).and(page.locator(":enabled")).waitFor();
  assert.match(await page.locator("#announced").textContent(), / lies\. 0 prompts\.$/);
  await tabTo(page, page.locator(".results summary").first());
  await page.keyboard.press("Enter");
  await page.locator(".results table").first().waitFor();
  await close();
});
