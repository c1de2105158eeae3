/** A page of examples/NAME in Chromium, from a copy. Its wallets are the sandbox's. */
import assert from "node:assert/strict";
import { serve, startBrowser } from "../package/page.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { copyOf } from "./example.mjs";

export async function startPages(name) {
  const folder = await copyOf(name);
  const [sandbox, browser] = await Promise.all([startSandbox(), startBrowser()]);
  const server = await serve(folder);
  const stop = () => Promise.all([sandbox.stop(), browser.close(), server.stop()]);

  /** Opened by a link if `search` has more than the sandbox; `expected`: the console's errors that a test provokes. */
  async function open({ account = 0, search = "", url = server.url, expected, prepare, ...view } = {}) {
    const page = await browser.newPage({ viewport: { width: 1000, height: 900 }, ...view });
    const complaints = [];
    const note = (text) => !expected?.test(text) && complaints.push(text);
    page.on("console", (message) => ["error", "warning"].includes(message.type()) && note(message.text()));
    page.on("pageerror", (error) => note(String(error)));
    const wallet = sandbox.wallet(account);
    await wallet.announceTo(page, "Test wallet");
    await prepare?.(page);
    await page.goto(`${url}/?sandbox=${sandbox.url}${search}`);

    const focused = () => page.evaluate(() => document.activeElement.ariaLabel ?? document.activeElement.textContent);
    /** By the keyboard: Tab leads to the control of that name, and the key presses it. */
    async function press(name, key = "Enter") {
      for (let left = 30; left > 0 && (await focused()) !== name; left--) await page.keyboard.press("Tab");
      assert.equal(await focused(), name);
      await page.keyboard.press(key);
    }
    const status = page.getByRole("status");
    async function says(text) {
      await status.filter({ hasText: text }).waitFor();
      return status.textContent();
    }
    /** The review's sentence, once it is open. */
    async function reviewed(sentence) {
      await page.getByRole("dialog", { name: sentence }).waitFor();
      return page.locator("#sentence").textContent();
    }
    async function connect() {
      await page.getByRole("button", { name: "Connect Test wallet" }).waitFor();
      await press("Connect Test wallet");
      await page.getByText(/^Test wallet: 0x/).waitFor();
    }
    /** Nothing went wrong unseen, and nothing scrolls sideways. */
    async function close() {
      const [wide, view] = await page.evaluate(() => [document.documentElement.scrollWidth, innerWidth]);
      assert.deepEqual([complaints, wide], [[], view]);
      await page.close();
    }
    const methods = () => wallet.prompts.map(({ method }) => method);
    return { page, wallet, press, says, reviewed, connect, close, focused, methods };
  }

  /** The hosts that the page asks if it is served to others, and opened by a link that names a sandbox. */
  async function hostsAsked(shown = (page) => page.getByRole("status").filter({ hasText: /\S/ }).waitFor()) {
    const page = await browser.newPage();
    const hosts = new Set();
    await page.route("**", async (route) => {
      const { host, pathname } = new URL(route.request().url());
      if (host === "page.example") return route.fulfill({ response: await route.fetch({ url: server.url + pathname }) });
      hosts.add(host);
      await route.abort();
    });
    await page.goto(`https://page.example/?sandbox=${sandbox.url}`);
    await shown(page);
    await page.close();
    return [...hosts];
  }

  return { sandbox, folder, open, hostsAsked, stop };
}
