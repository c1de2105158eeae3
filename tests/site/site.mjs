/** The built site, as a static host serves it: its files in a folder of the host, and nothing else. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, relative } from "node:path";
import { after, before } from "node:test";
import { ROOT } from "../package/locations.mjs";
import { serve, startBrowser } from "../package/page.mjs";

export const SITE = join(ROOT, "target/site");
/** All its pages. */
export const html = readdirSync(SITE, { recursive: true, withFileTypes: true })
  .filter(({ name }) => name.endsWith(".html"))
  .map((entry) => relative(SITE, join(entry.parentPath ?? entry.path, entry.name)));
/** A desk and a phone, each light and dark. */
export const VIEWS = [1280, 390].flatMap((width) => ["light", "dark"].map((colorScheme) => ({ viewport: { width, height: 800 }, colorScheme })));

const WCAG = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

let browser;
let server;
before(async () => {
  browser = await startBrowser();
  // A folder above the site, so that the site is not at the top of its host; files are kept, as hosts let browsers keep them.
  server = await serve(join(ROOT, "target"), { "cache-control": "max-age=600" });
});
after(async () => {
  await browser?.close();
  await server?.stop();
});

/**
 * A page of the site. `close` fails if it asked for anything outside of the site's folder, if its policy stopped anything, or if
 * the browser complained.
 */
export async function opened(path, settings = {}) {
  const site = `${server.url}/site/`;
  const context = await browser.newContext({ reducedMotion: "reduce", ...settings });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  const files = new Set();
  context.on("request", (request) => {
    const url = request.url();
    if (url.startsWith(site)) files.add(new URL(url).pathname.slice("/site/".length));
    else if (!url.startsWith("data:")) complaints.push(`asked for ${url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => ["error", "warning"].includes(message.type()) && complaints.push(message.text()));
  await page.exposeFunction("reportViolation", (text) => complaints.push(`policy: ${text}`));
  await page.addInitScript(() =>
    document.addEventListener("securitypolicyviolation", (event) => window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`)),
  );
  const goto = (to) => page.goto(`${site}${to}`, { waitUntil: "domcontentloaded" });
  await goto(path);
  return {
    page,
    context,
    goto,
    files,
    complaints,
    async close() {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

/** The paste box, once it answers. */
export async function pasteBox(settings, fragment = "") {
  const box = await opened(`paste.html${fragment}`, settings);
  await box.page.locator("#presets button").first().waitFor();
  return box;
}

/** The text of the answer about this text; with `choice` after the button of that name was pressed. */
export async function answerTo(page, text, { choice, given } = {}) {
  const output = page.locator("#output");
  await output.evaluate((node) => node.replaceChildren("waiting"));
  await page.locator("#payload").fill(text);
  await page.waitForFunction(() => document.querySelector("#output").textContent !== "waiting");
  if (choice) {
    const row = page.locator(".question li").filter({ hasText: choice });
    if (given) await row.locator("input").fill(given);
    await row.locator("button").click();
    await page.locator(".answer").waitFor();
  }
  return spaced(await output.innerText());
}

/** A text without its empty lines. */
export const spaced = (text) => text.replace(/\n\s*\n/g, "\n");

const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The findings of axe on the page as it is. */
export async function violationsOf(page, more = ["best-practice"]) {
  await page.evaluate(axe);
  const { violations } = await page.evaluate((runOnly) => window.axe.run(document, { runOnly }), [...WCAG, ...more]);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id} at ${target.join(" ")}`));
}

export const overflow = (page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
