import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startSandbox } from "../e2e/sandbox.mjs";
import { BROWSERS } from "./browsers.mjs";
import { Tab } from "./tab.mjs";
import { noted, refusal, reload, swap } from "./trades.mjs";
import { watchedCopy } from "./watched.mjs";

/* The example page in Chromium, Firefox and WebKitGTK, or in those named: one line for each thing tried, and for each browser
   that is not on this machine. */

const TARGET = fileURLToPath(new URL("../../target/", import.meta.url));
const TRADES = { swap, refusal, reload };

let [tried, failed] = [0, 0];
const named = process.argv.slice(2);
const wanted = BROWSERS.filter(({ name }) => named.length === 0 || named.includes(name));
for (const { name, packages } of wanted.filter(({ programs }) => !programs)) {
  console.log(`${name} is not installed and not tried (Debian: apt install ${packages}).`);
}

await mkdir(join(TARGET, "engines"), { recursive: true });
const folder = await mkdtemp(join(TARGET, "engines/run-"));
try {
  const page = join(folder, "page");
  await watchedCopy(process.env.WWW_DIR ?? join(TARGET, "www"), page);
  process.env.WWW_DIR = page;
  for (const browser of wanted.filter(({ programs }) => programs)) await tryAll(browser);
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}
process.exitCode = tried > 0 && failed === 0 ? 0 : 1;

async function tryAll({ name, start, programs }) {
  const sandbox = await startSandbox();
  let browser;
  try {
    browser = await start(...programs, join(folder, name));
    for (const [what, trade] of Object.entries(TRADES)) {
      const outcome = await attempt(new Tab(browser), sandbox, trade);
      console.log(`${name} ${browser.version}  ${what.padEnd(7)}  ${outcome}`);
      await sandbox.reset();
    }
  } catch (error) {
    failed++;
    console.log(`${name}  FAILED  ${error.message}`);
  } finally {
    await browser?.close();
    await sandbox.stop();
  }
}

/** The line to print for a trade: how it ended, or why not. */
async function attempt(tab, sandbox, trade) {
  tried++;
  const complaints = async () => (await noted(tab, "complaints")).join("\n");
  try {
    const text = await trade(tab, sandbox);
    assert.equal(await complaints(), "", "the browser complained");
    return `ok      ${text}`;
  } catch (error) {
    failed++;
    return `FAILED  ${error.message}\n${await complaints().catch(() => "")}`;
  }
}
