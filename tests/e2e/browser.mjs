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

/**
 * A page of its own context. `complaints` fills with console errors, page errors and violations of the
 * Content-Security-Policy; `requests` with what the page's wallet asked of the node.
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
  await prepare?.(page);
  return {
    page,
    /** How many requests the node got for `method`, from the page's wallet. */
    countRpc(method) {
      let count = 0;
      page.on("request", (request) => {
        if (new URL(request.url()).pathname.startsWith("/rpc/") && request.postData()?.includes(`"${method}"`)) count++;
      });
      return () => count;
    },
    async close() {
      await context.close();
      assert.deepEqual(complaints, [], "The browser complained.");
    },
  };
}
