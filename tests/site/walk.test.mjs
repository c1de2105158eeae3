/** Every page, one after another. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { VIEWS, html, opened, overflow } from "./site.mjs";

test("every page asks for its own files alone, does not scroll sideways, and is as light or dark as asked for", async () => {
  const { page, goto, close } = await opened("index.html");
  const wrong = [];
  for (const [index, file] of html.entries()) {
    await goto(file);
    // Those of declarations are alike: a phone is narrowest.
    const isAlike = /^docs\/(functions|interfaces|types|variables)\//.test(file);
    for (const { viewport, colorScheme } of isAlike ? [VIEWS[2 + (index % 2)]] : [VIEWS[0], VIEWS[3]]) {
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      const isLight = background.match(/\d+/g).slice(0, 3).every((part) => Number(part) > 127);
      const over = await overflow(page);
      if (over > 0 || isLight !== (colorScheme === "light")) wrong.push(`${file}, ${viewport.width}, ${colorScheme}: ${over} ${background}`);
    }
  }
  assert.deepEqual(wrong, []);
  assert.ok(html.length > 100, `${html.length} pages`);
  await close();
});
