/** Thousands of trades in one page of Chromium: what its memory does, and what the journal costs. */
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT, bundled, wasmParts } from "../bench/bundles.mjs";
import { openChromium } from "../bench/in-chromium.mjs";

const once = process.argv.includes("--once");
const CYCLES = once ? 100 : Number(process.env.SOAK_CYCLES ?? 20_000);
/** After so many every memory of the client is full: of 20 builds one becomes a trade, and 256 are kept. */
const WARM_UP = 6_000;
const STEP = Math.min(1_000, CYCLES);
const PAGE = 65_536;
/** More than the client keeps for ever: 256 trades and as many nonces, and the count of requests. */
const MOST_ENTRIES = 2 * 256 + 8;

/** Opens the page; `work` gets what calls it. */
async function inPage(work) {
  const assets = join(ROOT, "target", "soak");
  await mkdir(assets, { recursive: true });
  await writeFile(join(assets, "page.js"), await bundled("../soak/page.mjs"));
  for (const { name, bytes } of await wasmParts()) await writeFile(join(assets, name), bytes);
  const browser = await openChromium(assets);
  try {
    return await work(browser, await browser.page());
  } finally {
    await browser.close();
  }
}

/** Bytes of the page's JavaScript after a collection, of the module, and listeners. */
async function measured(page, session) {
  for (let turn = 0; turn < 3; turn++) await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  const { metrics } = await session.send("Performance.getMetrics");
  const listeners = metrics.find(({ name }) => name === "JSEventListeners").value;
  const module = await page.evaluate(() => globalThis.moduleBytes());
  return { heap: usedSize, module, listeners };
}

export const memory = () =>
  inPage(async (browser, page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("HeapProfiler.enable");
    await session.send("Performance.enable");
    let warm;
    let last;
    for (let done = 0; done < CYCLES; done += STEP) {
      const told = await browser.call("soak", STEP);
      last = { ...told, ...(await measured(page, session)) };
      process.stderr.write(`${JSON.stringify(last)}\n`);
      assert.equal(last.journal, "stored");
      assert.ok(last.entries <= MOST_ENTRIES, `${last.entries} entries in the database`);
      if (told.cycles === Math.min(WARM_UP, CYCLES)) warm = last;
    }
    // A browser's allocator and compiler vary a little.
    assert.ok(last.heap < warm.heap * 1.1 + 500_000, `JavaScript: ${warm.heap} bytes, then ${last.heap}`);
    assert.ok(last.module <= warm.module + 2 * PAGE, `module: ${warm.module} bytes, then ${last.module}`);
    assert.ok(last.listeners <= warm.listeners + 5, `listeners: ${warm.listeners}, then ${last.listeners}`);
    const mb = (bytes) => (bytes / 2 ** 20).toFixed(2);
    return `${last.cycles} cycles; after ${warm.cycles} and at the end: JavaScript ${mb(warm.heap)} and ${mb(last.heap)} MB, module ${mb(warm.module)} and ${mb(last.module)} MB, ${last.entries} entries stored`;
  });

export const journal = () =>
  inPage(async (browser) => {
    const { times, transactions } = await browser.call("timePosts", 20);
    const median = (list) => list.toSorted((a, b) => a - b)[list.length / 2];
    const [stored, none] = [median(times.with), median(times.without)];
    return `from the wallet's answer to the post ${stored.toFixed(1)} ms with storage, ${none.toFixed(1)} ms without, medians of 20; ${transactions} transactions of the database a trade`;
  });
