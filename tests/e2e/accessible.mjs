import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { FAILED_REQUEST, browser, sandbox } from "./rig.mjs";
import { SwapPage } from "./swap-page.mjs";
import { VIEWS } from "./views.mjs";

/* Rules for every state of a walk. */

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/**
 * The walk in that view: axe finds nothing in any of its states, and nothing moves; on a narrow screen nothing scrolls sideways, every
 * target is 44 px high or more, and the form keeps its height.
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
    found.push(...(await moving(swap.page)).map((name) => `${state} moves ${name}`));
    if (!isNarrow) return;
    if (/^(price|empty|loading)$/.test(state)) heights.add((await swap.card.boundingBox()).height);
    found.push(...(await misfits(swap.page)).map((what) => `${state}: ${what}`));
  });
  assert.deepEqual(found, []);
  assert.equal(looked, looks);
  // A browser rounds to whole pixels where it likes.
  assert.ok(Math.max(...heights, 0) - Math.min(...heights, Infinity) <= 1, [...heights].join());
}

/** Axe's findings on the page as it is. */
export async function violationsOf(page) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), TAGS);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
}

/** Motion, for visitors who want none. */
function moving(page) {
  return page.evaluate(() =>
    document
      .getAnimations()
      .filter((one) => one.effect.getComputedTiming().activeDuration > 0)
      .map(({ animationName, transitionProperty }) => animationName ?? transitionProperty),
  );
}

/** Sideways scrolling, and targets that are too small. */
function misfits(page) {
  return page.evaluate(() => {
    const roots = [document, document.querySelector("verified-swap").shadowRoot];
    const targets = roots.flatMap((root) => [...root.querySelectorAll("button, input, select, summary, label:has(input)")]);
    // Those within a text are held to 24 px, by axe.
    const isInText = (node) => node.closest("dd, p, .text, .link, .small, .about") || /^(radio|checkbox)$/.test(node.type);
    const small = targets.filter((node) => {
      const { width, height } = node.getBoundingClientRect();
      return node.checkVisibility() && !isInText(node) && (Math.round(height) < 44 || width < 36);
    });
    const scrolls = document.documentElement.scrollWidth > innerWidth ? ["it scrolls sideways"] : [];
    return [...scrolls, ...small.map((node) => `too small: ${node.outerHTML.slice(0, 90)}`)];
  });
}
