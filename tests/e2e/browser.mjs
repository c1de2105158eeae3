import { chromium } from "playwright-core";
import assert from "node:assert/strict";

/* Chromium, and pages that count every complaint of the browser as a failure of the test. */

const executablePath = process.env.CHROME || "/usr/bin/chromium";
const quiet = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export function startBrowser() {
  return chromium.launch({ executablePath, args: quiet });
}

/** No console message is expected, unless a test names the one that it causes on purpose. */
const NONE = /(?!)/;

/** The pages that are open. */
const opened = new Set();

/** Closes every page that is open, and fails if the browser complained of one. */
export async function closePages() {
  const complaints = await Promise.all([...opened].map((page) => page.leave()));
  assert.deepEqual(complaints.flat(), [], "The browser complained.");
}

/**
 * A page of its own context, open until the end of its test. Complaints are console errors, page errors and violations
 * of the Content-Security-Policy.
 */
export async function openPage(browser, { expected = NONE, prepare, ...options } = {}) {
  const context = await browser.newContext({
    viewport: { width: 1000, height: 900 },
    reducedMotion: "reduce",
    ...options,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const complaints = [];
  page.on("pageerror", (error) => complaints.push(`page error: ${error.stack ?? error}`));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && !expected.test(message.text()))
      complaints.push(`console ${message.type()}: ${message.text()}`);
  });
  await page.exposeFunction("reportViolation", (text) => complaints.push(`Content-Security-Policy: ${text}`));
  await page.addInitScript(() => {
    window.prompts = 0;
    document.addEventListener("securitypolicyviolation", (event) =>
      window.reportViolation(`${event.violatedDirective} ${event.blockedURI}`),
    );
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes)
        for (const node of addedNodes) if (node.className === "prompt") window.prompts++;
    }).observe(document, { childList: true, subtree: true });
  });
  const mine = {
    page,
    /** How many requests the node got for `method`, from the page's wallet. */
    countRpc(method) {
      let count = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname.startsWith("/rpc/") && request.postData()?.includes(`"${method}"`)) count++;
      });
      return () => count;
    },
    /** Closes it, and answers with the complaints. */
    async leave() {
      opened.delete(mine);
      // A request that is under way ends with the page: its handler has nothing to answer.
      await page.unrouteAll({ behavior: "ignoreErrors" }).catch(() => {});
      await context.close();
      return complaints;
    },
    async close() {
      assert.deepEqual(await mine.leave(), [], "The browser complained.");
    },
  };
  opened.add(mine);
  await prepare?.(page);
  return mine;
}
