import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { FAILED_REQUEST, browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";
import { VIEWS } from "./views.mjs";

/* What every state of a walk is held to. */

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The walk in that view: axe finds nothing in any of its states; on a narrow screen nothing scrolls sideways, every target
 * is 44 px or more each way, and the form keeps its height.
 */
export async function assertAccessible({ visit, looks }, view) {
  const swap = await SwapPage.open(browser, sandbox, { ...VIEWS[view], expected: FAILED_REQUEST });
  const isNarrow = VIEWS[view].viewport.width < 400;
  const found = [];
  const heights = new Set();
  let looked = 0;
  await visit(swap, async (state) => {
    looked++;
    for (const violation of await violationsOf(swap.page)) found.push(`${state}: ${violation}`);
    if (!isNarrow) return;
    if (/^(price|empty|loading|too little|error|offline)$/.test(state))
      heights.add((await swap.page.locator(".card.swap").boundingBox()).height);
    await assertFits(swap.page, state);
  });
  assert.deepEqual(found, []);
  assert.equal(looked, looks);
  // A browser rounds to whole pixels where it likes.
  assert.ok(Math.max(...heights, 0) - Math.min(...heights, Infinity) <= 1, [...heights].join());
}

/** What axe finds on the page as it is. */
export async function violationsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), TAGS);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
}

/** Nothing scrolls sideways, and every target is large enough. */
export async function assertFits(page, state) {
  const { scrolls, small } = await page.evaluate(() => {
    const targets = [...document.querySelectorAll("button, input, select, summary, label.chip, label.check-box, label.vs-consent")];
    const shown = targets.filter(
      (node) => node.checkVisibility() && !node.closest(".chip:not(label)") && !/^(radio|checkbox)$/.test(node.type),
    );
    const sizes = (node) => [node.getBoundingClientRect().width, node.getBoundingClientRect().height];
    const tight = shown.filter((node) => Math.round(Math.min(...sizes(node))) < 44);
    return {
      scrolls: document.documentElement.scrollWidth > innerWidth,
      small: tight.map((node) => node.outerHTML.slice(0, 80)),
    };
  });
  assert.equal(scrolls, false, `${state} scrolls sideways`);
  assert.deepEqual(small, [], `${state} has small targets`);
}
