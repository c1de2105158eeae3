/**
 * From a page's navigation to its first price and its first order, by this package and by its peer, with nothing cached,
 * on the networks that Chromium's DevTools emulate.
 */
import { privateKeyToAccount } from "viem/accounts";
import { launchChromium } from "../in-chromium.mjs";
import { openStage } from "../network/stage.mjs";
import { quantile } from "../stopwatch.mjs";
import { openSite } from "./site.mjs";

/** Bytes a second, and milliseconds of each request: as DevTools have them, and as a phone has them that is near the service. */
const NETWORKS = {
  "10 Mbit/s, 40 ms": { downloadThroughput: 10e6 / 8, uploadThroughput: 5e6 / 8, latency: 40 },
  "1.6 Mbit/s, 150 ms": { downloadThroughput: 1.6e6 / 8, uploadThroughput: 0.75e6 / 8, latency: 150 },
  "Fast 4G": { downloadThroughput: (9e6 / 8) * 0.9, uploadThroughput: (1.5e6 / 8) * 0.9, latency: 60 * 2.75 },
  "Slow 4G": { downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (0.75e6 / 8) * 0.9, latency: 150 * 3.75 },
};
const CPU_RATES = [1, 4];
/** By the page, and whether the user looks at the price for a second before going on. */
const SIDES = ["ours", "preload", "plain", "peer", "preload look", "peer look"];
const LOOK_MS = 1_000;
/** Nothing is held back but by the emulated network. */
const DELAYS = { delays: [0, 0], corsMaxAge: 600 };

/** Rows, or with `once` the first of them, of `{ network, cpu, sides: { name: { quoteMs, postedMs, bytes } } }`, medians. */
export async function measureCold({ rounds, once, progress }) {
  const site = await openSite();
  const opened = await Promise.allSettled([openStage({ withChromium: false }), launchChromium()]);
  const close = () => Promise.all([site.close(), ...opened.map(({ value }) => value?.close())]);
  const failed = opened.find(({ reason }) => reason);
  if (failed) {
    await close();
    throw failed.reason;
  }
  const [stage, browser] = opened.map(({ value }) => value);
  const rows = [];
  try {
    for (const network of Object.keys(NETWORKS).slice(0, once ? 1 : Infinity)) {
      for (const cpu of CPU_RATES.slice(0, once ? 1 : Infinity)) {
        progress(`${network}, CPU x${cpu}`);
        const seen = Object.fromEntries(SIDES.map((side) => [side, []]));
        for (let round = 0; round < rounds; round++) {
          for (let turn = 0; turn < SIDES.length; turn++) {
            const side = SIDES[(turn + round) % SIDES.length];
            const { world } = await stage.user(DELAYS);
            const [page, look] = side.split(" ");
            const job = { ...world, lookMs: look ? LOOK_MS : 0 };
            seen[side].push(await openPage(browser, `${site.origin}/${page}.html`, job, NETWORKS[network], cpu));
          }
        }
        const median = (samples, name) => Math.round(quantile(samples.map((sample) => sample[name]), 0.5));
        const medians = (samples) => Object.fromEntries(["quoteMs", "postedMs", "bytes"].map((name) => [name, median(samples, name)]));
        rows.push({ network, cpu, sides: Object.fromEntries(SIDES.map((side) => [side, medians(seen[side])])) });
      }
    }
  } finally {
    await close();
  }
  return rows;
}

/** One visit, in a browser context and a process of its own. */
async function openPage(browser, url, world, network, cpu) {
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const failed = new Promise((_, reject) => page.on("pageerror", reject));
    // A wallet is no part of the page: it has its own process, and is there before the page is.
    const account = privateKeyToAccount(world.key);
    await page.exposeFunction("signTypedData", (text) => {
      const { types: { EIP712Domain, ...types }, ...data } = JSON.parse(text);
      return account.signTypedData({ ...data, types });
    });
    const { key, lookMs, ...shown } = world;
    await page.addInitScript(putJob, { world: shown, address: account.address, lookMs });
    const devtools = await context.newCDPSession(page);
    await devtools.send("Network.enable");
    await devtools.send("Network.emulateNetworkConditions", { offline: false, ...network });
    await devtools.send("Emulation.setCPUThrottlingRate", { rate: cpu });
    await page.goto(url, { waitUntil: "commit" });
    await page.waitForFunction(() => globalThis.done);
    return await Promise.race([page.evaluate(() => globalThis.done), failed]);
  } finally {
    await context.close();
  }
}

/** Runs in the page before its own scripts. The wallet reads the chain as the page does, by its network. */
function putJob({ world, address, lookMs }) {
  const request = async ({ method, params = [] }) => {
    if (method === "eth_accounts" || method === "eth_requestAccounts") return [address];
    if (method === "eth_chainId") return `0x${world.chainId.toString(16)}`;
    if (method === "eth_signTypedData_v4") return globalThis.signTypedData(params[1]);
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    const { result, error } = await (await fetch(world.rpc, { method: "POST", headers: { "content-type": "application/json" }, body })).json();
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  };
  globalThis.job = { world, lookMs, wallet: { address, request } };
}
