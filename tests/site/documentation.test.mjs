/** The documentation: each link leads somewhere, and the search finds what one looks for. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ROOT } from "../package/locations.mjs";
import { SITE, opened } from "./site.mjs";

const html = new Map();
const files = new Set();

before(() => {
  for (const entry of readdirSync(SITE, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath ?? entry.path, entry.name);
    if (entry.isFile()) files.add(file);
    if (entry.name.endsWith(".html")) html.set(file, readFileSync(file, "utf8"));
  }
});

const attributes = (text, name) => [...text.matchAll(new RegExp(`\\s${name}="([^"]*)"`, "g"))].map(([, value]) => value.replaceAll("&amp;", "&"));

test("each link leads to a page, and to a place in it", () => {
  const ids = new Map([...html].map(([file, text]) => [file, new Set([...attributes(text, "id"), ...attributes(text, "name")])]));
  const dead = [];
  let count = 0;
  for (const [file, text] of html) {
    for (const link of [...attributes(text, "href"), ...attributes(text, "src")]) {
      if (/^(https?|data):/.test(link)) continue;
      count++;
      const { pathname, hash } = new URL(link, pathToFileURL(file));
      const target = fileURLToPath(`file://${pathname}`);
      const found = files.has(target) && (!hash || !ids.has(target) || ids.get(target).has(decodeURIComponent(hash.slice(1))));
      if (!found) dead.push(`${relative(SITE, file)}: ${link}`);
    }
  }
  assert.deepEqual(dead, []);
  assert.ok(html.size > 100 && count > 1000, `${html.size} pages, ${count} links`);
});

test("every page of the documentation is among them, and every entry", () => {
  const expected = ["docs", "docs/guides"].flatMap((folder) =>
    readdirSync(join(ROOT, folder)).filter((name) => name.endsWith(".md")).map((name) => join(SITE, folder, name.replace(/md$/, "html"))),
  );
  assert.deepEqual(expected.filter((file) => !html.has(file)), []);
  for (const name of ["verified-swap", "verified-swap_preload"]) assert.ok(html.has(join(SITE, `docs/modules/${name}.html`)), name);
});

test("the search finds calls, and words of the guides, from disk", async () => {
  const { page, close } = await opened("docs/index.html");
  for (const [words, place] of [["watchQuotes", "LiveQuote|Client"], ["migration", "guides/migration"], ["WalletConnect", "guides/"]]) {
    await page.locator("#tsd-search-trigger").click();
    await page.locator("#tsd-search-status:empty").waitFor({ state: "attached" }); // its index is there
    await page.locator("#tsd-search-input").fill(words);
    const result = page.locator("#tsd-search-results a").first();
    await result.waitFor();
    assert.match(await result.getAttribute("href"), new RegExp(place), words);
    await result.click();
    await page.waitForURL(new RegExp(place));
  }
  await close();
});

test("a guide is among the first that the search finds for what one wants to do; the guides are open", async () => {
  const { page, close } = await opened("docs/index.html");
  await page.locator("#tsd-nav-container").getByRole("link", { name: "Quick start" }).waitFor();
  await page.locator("#tsd-search-trigger").click();
  await page.locator("#tsd-search-status:empty").waitFor({ state: "attached" });
  for (const [words, guide] of [["limit order", "ways-to-trade"], ["cancel order", "ways-to-trade"], ["permit", "ways-to-trade"], ["quote as you type", "quick-start"]]) {
    await page.locator("#tsd-search-input").fill(words);
    await page.locator(`#tsd-search-results li:nth-child(-n + 5) a[href$="guides/${guide}.html"]`).waitFor();
    await page.locator("#tsd-search-input").fill("");
    await page.locator("#tsd-search-results:empty").waitFor({ state: "attached" });
  }
  await close();
});
