/**
 * A first visit of the example page as the sandbox serves it: Chromium's report of its loading, on a desktop and on a
 * slow phone's network and processor.
 */
import { startSandbox } from "../../e2e/sandbox.mjs";
import { launchChromium } from "../in-chromium.mjs";
import { quantile } from "../stopwatch.mjs";

const MBIT = 1e6 / 8;
/** The second is that of Lighthouse's mobile runs, throttled by DevTools. */
const MACHINES = {
  desktop: { cpu: 1, network: null },
  "Slow 4G, CPU / 4": {
    cpu: 4,
    network: { offline: false, latency: 150, downloadThroughput: 1.6 * MBIT, uploadThroughput: 0.75 * MBIT },
  },
};
const VIEWS = { desktop: { viewport: { width: 1440, height: 900 } } };
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true, deviceScaleFactor: 2 };
const TYPED = "123456.789";
/** A person who types fast. */
const KEY_MS = 80;
/** After the last key a price is asked for, and drawn. */
const QUIET_MS = 1_000;

/** Rows of `{ machine, median: { lcpMs, cls, tbtMs, priceMs, requests, bytes, typingMs, dropped } }`. */
export async function measureVisits({ rounds, progress }) {
  const opened = await Promise.allSettled([startSandbox(), launchChromium()]);
  const [sandbox, browser] = opened.map(({ value }) => value);
  const close = () => Promise.all([sandbox?.stop(), browser?.close()]);
  try {
    const failed = opened.find(({ reason }) => reason);
    if (failed) throw failed.reason;
    const rows = [];
    for (const machine of Object.keys(MACHINES)) {
      progress(machine);
      const visits = [];
      for (let round = 0; round < rounds; round++) visits.push(await visit(browser, sandbox.url, machine));
      const names = Object.keys(visits[0]);
      const middle = (name) => quantile(visits.map((one) => one[name]), 0.5);
      rows.push({ machine, median: Object.fromEntries(names.map((name) => [name, middle(name)])) });
    }
    return rows;
  } finally {
    await close();
  }
}

/** One visit, in a browser context of its own: nothing is cached. */
async function visit(browser, url, machine) {
  const context = await browser.newContext(VIEWS[machine] ?? PHONE);
  try {
    const page = await context.newPage();
    const failed = new Promise((_, reject) => page.on("pageerror", reject));
    failed.catch(() => {});
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    const { cpu, network } = MACHINES[machine];
    if (network) await devtools.send("Network.emulateNetworkConditions", network);
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    const loaded = record(devtools);
    await page.addInitScript(watch);
    await page.goto(url, { waitUntil: "commit" });
    await Promise.race([page.waitForFunction(() => globalThis.seen?.priceMs), failed]);
    const priceMs = await page.evaluate(() => globalThis.seen.priceMs);
    const before = loaded(priceMs);
    await page.locator('main[data-settled="true"]').waitFor({ timeout: 60_000 });
    const { lcpMs, cls, tasks, paintedMs } = await page.evaluate(() => globalThis.seen);
    const tbtMs = tasks
      .filter(({ start }) => start >= paintedMs)
      .reduce((sum, { ms }) => sum + Math.max(0, ms - 50), 0);
    return { lcpMs, cls, tbtMs, priceMs, ...before, typingMs: await type(page), dropped: await playStage(page) };
  } finally {
    await context.close();
  }
}

/** The longest task while an amount is typed, and until its price is there; 0 if none lasts 50 ms. */
async function type(page) {
  const field = page.getByLabel("You pay", { exact: true });
  await field.fill("");
  await page.waitForTimeout(QUIET_MS);
  await page.evaluate(() => (globalThis.seen.tasks.length = 0));
  await field.pressSequentially(TYPED, { delay: KEY_MS });
  await page.waitForTimeout(QUIET_MS);
  return page.evaluate(() => Math.max(0, ...globalThis.seen.tasks.map(({ ms }) => ms)));
}

/** The share of frames, in percent, that the honest stage lost while it moved, beside the element that draws its review. */
async function playStage(page) {
  await page.evaluate(() => {
    const isMoving = () =>
      document.getAnimations().some(({ effect, playState }) => effect.target.closest("#scene") && playState === "running");
    globalThis.played = new Promise((resolve) => {
      const begin = (start) => {
        let frames = 0;
        const look = (now) => {
          frames += 1;
          const wanted = Math.round(((now - start) * 60) / 1_000);
          if (isMoving()) requestAnimationFrame(look);
          else resolve((100 * Math.max(0, wanted - frames)) / wanted);
        };
        requestAnimationFrame(look);
      };
      document.querySelector("verified-swap").addEventListener("review", () => requestAnimationFrame(begin), { once: true });
    });
  });
  // No more than the account has.
  await page.getByLabel("You pay", { exact: true }).fill("100");
  await page.getByRole("button", { name: "Review swap", disabled: false }).click();
  return page.evaluate(() => globalThis.played);
}

/** Requests of the page that left before that time, and the bytes that had come for them when they were done. */
function record(devtools) {
  const requests = new Map();
  let first = null;
  devtools.on("Network.requestWillBeSent", ({ requestId, timestamp, request: { url } }) => {
    first ??= timestamp;
    // Data in the script itself is no request.
    if (url.startsWith("data:")) return;
    requests.set(requestId, { ms: (timestamp - first) * 1_000, bytes: 0, end: Infinity });
  });
  devtools.on("Network.loadingFinished", ({ requestId, timestamp, encodedDataLength }) => {
    const request = requests.get(requestId);
    if (request) Object.assign(request, { bytes: encodedDataLength, end: (timestamp - first) * 1_000 });
  });
  return (priceMs) => {
    const sent = [...requests.values()].filter(({ ms }) => ms <= priceMs);
    const got = sent.filter(({ end }) => end <= priceMs);
    return { requests: sent.length, bytes: got.reduce((sum, { bytes }) => sum + bytes, 0) };
  };
}

/** Runs in the page before its own scripts. */
function watch() {
  const seen = (globalThis.seen = { lcpMs: 0, cls: 0, tasks: [], paintedMs: Infinity, priceMs: 0 });
  const observe = (type, read) =>
    new PerformanceObserver((list) => list.getEntries().forEach(read)).observe({ type, buffered: true });
  observe("largest-contentful-paint", ({ startTime }) => (seen.lcpMs = startTime));
  observe("layout-shift", ({ value, hadRecentInput }) => (seen.cls += hadRecentInput ? 0 : value));
  observe("longtask", ({ startTime, duration }) => seen.tasks.push({ start: startTime, ms: duration }));
  observe("paint", ({ name, startTime }) => name === "first-contentful-paint" && (seen.paintedMs = startTime));
  // A shadow tree is not observed from outside.
  const look = () => {
    const root = document.querySelector("verified-swap")?.shadowRoot;
    const button = root?.querySelector('button.primary[aria-disabled="false"]');
    if (button?.checkVisibility() && button.textContent === "Review swap") seen.priceMs = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}
