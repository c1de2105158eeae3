/**
 * The benchmark: sizes, whole swaps in Node and in headless Chromium, and there pure operations and cold starts, beside the
 * libraries a user would take instead. Prints Markdown; writes it and all numbers to target/bench. It asserts that results are
 * right, and nothing about time.
 *
 *     node tests/bench/run.mjs [--sizes | --network | --cold | --page] [--no-chromium] [--rounds N | --once]
 *
 * `--network`: instead, whole trades behind a network's delays, with the sandbox; the last line is JSON. `--cold`: instead,
 * the first price and the first order of a page with nothing cached, on emulated networks; the last line is JSON. `--page`: instead,
 * first visits of the example page; the last line is JSON. `--once`: each of its parts one time and as short as it can be, to
 * see that it ends; its figures mean nothing.
 */
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { cpus, loadavg, totalmem } from "node:os";
import { join } from "node:path";
import { PACKAGE, ROOT, bundled, verifyFile, wasmFile, wasmParts } from "./bundles.mjs";
import { measureSizes } from "./sizes.mjs";
import {
  coldParts, coldRatios, hostileNote, networkParts, networkRatios, sizesNote, sizesTable, speedsTable, visitParts,
} from "./table.mjs";
import { summary } from "./stopwatch.mjs";

const PEERS = ["viem", "ethers"];
const option = (name) => process.argv.includes(name);
const once = option("--once");
const OUTPUT = join(ROOT, "target", once ? "bench-once" : "bench");
const ASSETS = join(OUTPUT, "assets");
const [isNetwork, isCold, isPage] = ["--network", "--cold", "--page"].map(option);
/** The only thing to measure, and its rounds unless others are stated. */
const [alone, usual] = isNetwork ? ["network", 3] : isCold ? ["cold", 5] : isPage ? ["page", 5] : [null, 21];
const starts = once ? 1 : 9;
const rounds = once ? 1 : option("--rounds") ? Number(process.argv[process.argv.indexOf("--rounds") + 1]) : usual;

if (!existsSync(join(PACKAGE, "package.json"))) {
  process.stderr.write("The package is not built: run `cargo xtask package` first.\n");
  process.exit(1);
}
const started = Date.now();
const result = { at: new Date().toISOString(), machine: machine(), versions: await versions(), environments: {} };
const failures = [];
const measured = await packageHash();

await mkdir(ASSETS, { recursive: true });
if (isNetwork) {
  const { measureNetwork } = await import("./network/measure.mjs");
  result.network = await attempt("Network", () => measureNetwork({ rounds, once, withChromium: !option("--no-chromium"), progress }));
} else if (isCold) {
  const { measureCold } = await import("./cold/measure.mjs");
  result.cold = await attempt("Cold", () => measureCold({ rounds, once, progress }));
} else if (isPage) {
  const { measureVisits } = await import("./visit/measure.mjs");
  result.visits = await attempt("Page", () => measureVisits({ rounds, progress }));
} else {
  progress("bundles and sizes");
  result.sizes = await measureSizes();
}
if (!alone && !option("--sizes")) {
  const node = await attempt("Node", () => import("./swap-timing.mjs"));
  if (node) await measureSwaps(`Node ${process.version}`, node.timeSwaps);
  if (!option("--no-chromium")) await measureChromium(await writeAssets());
}
result.machine.loadAfter = load();
if ((await packageHash().catch(() => null)) !== measured) failures.push({ what: "the package was rebuilt during the run", error: "Its numbers are of several builds." });
result.failures = failures;
result.seconds = Math.round((Date.now() - started) / 1000);

const report = markdown();
await writeFile(join(OUTPUT, `${alone ?? "result"}.json`), `${JSON.stringify(result, null, 2)}\n`);
await writeFile(join(OUTPUT, `${alone ?? "report"}.md`), report);
process.stdout.write(report);
if (result.network) process.stdout.write(`${JSON.stringify(networkRatios(result.network))}\n`);
if (result.cold) process.stdout.write(`${JSON.stringify(coldRatios(result.cold))}\n`);
if (result.visits) process.stdout.write(`${JSON.stringify(result.visits)}\n`);
if (failures.length > 0) process.exitCode = 1;

async function measureChromium(wasm) {
  const { openChromium } = await import("./in-chromium.mjs");
  const browser = await attempt("Chromium", () => openChromium(ASSETS));
  if (!browser) return;
  try {
    await measurePage(`Chromium ${browser.version}`, wasm, browser);
  } finally {
    await browser.close();
  }
}

/** Warm trades, in one environment; returns where its results go. */
async function measureSwaps(name, timeSwaps) {
  const into = (result.environments[name] = {});
  progress(`${name}: whole swaps`);
  into.swaps = await attempt(`${name}: whole swaps`, () => timeSwaps({ rounds: rounds * 5 }));
  return into;
}

async function measurePage(name, wasm, browser) {
  const into = await measureSwaps(name, (options) => browser.call("timeSwaps", options));
  progress(`${name}: pure operations`);
  into.operations = await attempt(`${name}: pure operations`, () => browser.call("timeOperations", { rounds }));
  progress(`${name}: hostile answers`);
  into.hostile = await attempt(`${name}: hostile answers`, () => browser.call("timeHostile", { once }));
  const jobs = { ours: { kind: "module", bundle: "ours.js", wasm }, viem: { kind: "evaluate", bundle: "viem-functions.js" } };
  progress(`${name}: cold starts`);
  const cold = await attempt(`${name}: cold starts`, () => browser.timeColdStarts(jobs, { rounds: starts }));
  if (cold) into.coldStarts = summary(cold, "ours");
  progress(`${name}: first swaps`);
  into.firstSwaps = await attempt(`${name}: first swaps`, async () => {
    const recordings = await browser.call("recordFirstSwaps");
    for (const [flow, recording] of Object.entries(recordings)) await writeFile(join(ASSETS, `${flow}.json`), JSON.stringify(recording));
    const first = {
      ours: { kind: "firstSwap", bundle: "flow-ours.js", wasm, recording: "ours.json" },
      velora: { kind: "firstSwap", bundle: "flow-velora.js", recording: "velora.json" },
    };
    return summary(await browser.timeColdStarts(first, { rounds: starts }), "ours");
  });
}

/** Everything a page loads, in one folder; returns the module's file name. */
async function writeAssets() {
  const entries = {
    "ours.js": "bundles/ours.js", "viem-functions.js": "bundles/viem-functions.js",
    "flow-ours.js": "flows/ours.mjs", "flow-velora.js": "flows/velora.mjs", "page.js": "page.mjs", "cold-start.js": "cold-start.mjs",
  };
  for (const [file, entry] of Object.entries(entries)) {
    const text = await bundled(entry);
    await writeFile(join(ASSETS, file), text);
  }
  const whole = await wasmFile();
  for (const { name, bytes } of [whole, await verifyFile(), ...(await wasmParts())]) await writeFile(join(ASSETS, name), bytes);
  return whole.name;
}

async function attempt(what, run) {
  try {
    return await run();
  } catch (error) {
    failures.push({ what, error: String(error?.stack ?? error) });
    process.stderr.write(`${what} failed: ${error?.stack ?? error}\n`);
    return null;
  }
}

function markdown() {
  const { model, cores, memoryGb, loadBefore, loadAfter } = result.machine;
  const parts = [
    `Measured ${result.at.slice(0, 10)} on ${cores} x ${model}, ${memoryGb} GB (load ${loadBefore} at the start, ${loadAfter} at the end), in ${result.seconds} s. ` +
      `${Object.entries(result.versions).map(([name, version]) => `${name} ${version}`).join(", ")}.`,
  ];
  if (result.network) parts.push(...networkParts(result.network, rounds));
  if (result.cold) parts.push(...coldParts(result.cold, rounds));
  if (result.visits) parts.push(...visitParts(result.visits, rounds));
  if (result.sizes) {
    parts.push(
      `Ratios are ours over theirs, below 1 is better for us; speed ratios are the median of ${rounds} interleaved rounds (swaps: ${rounds * 5}), and ` +
        `"better" is said where three rounds out of four agree.`,
      "## Sizes", sizesTable(result.sizes), sizesNote(result.sizes),
    );
  }
  for (const [name, { operations, coldStarts, swaps, firstSwaps, hostile }] of Object.entries(result.environments)) {
    if (operations) parts.push(`## ${name}: pure operations`, speedsTable(operations, PEERS));
    if (coldStarts) {
      const row = { title: "ready to work: compile + instantiate against evaluating the bundle", ...inMicroseconds(coldStarts) };
      parts.push(`## ${name}: cold start`, speedsTable([row], ["viem"]), "`viem` is what this package's functions would be taken from.");
    }
    if (swaps || firstSwaps) {
      parts.push(`## ${name}: local CPU of one whole trade (quote, build, verify, sign, post or send; service, wallet and signature played back)`);
      const rows = [...(swaps ?? [])];
      if (firstSwaps) rows.push({ title: "code text to first gasless swap, fresh page", ...inMicroseconds(firstSwaps) });
      parts.push(speedsTable(rows, ["velora", "veloraChecked"]), swapsNote(swaps));
    }
    if (hostile) parts.push(`## ${name}: hostile answers`, hostileNote(hostile));
  }
  for (const { what, error } of failures) parts.push(`**Failed: ${what}.** ${error.split("\n")[0]}`);
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function swapsNote(swaps) {
  if (!swaps) return "";
  const list = (counts) => Object.entries(counts).map(([name, count]) => `${name} ${count}`).join(", ");
  const calls = swaps.map(({ title, requests, walletCalls }) => `- ${title}: requests ${list(requests)}; wallet and RPC calls ${list(walletCalls)}`);
  return [
    "`velora` is the SDK 9.5.4 on viem: it signs, posts or sends what came, unchecked. `veloraChecked` is the same made to ask account and chain, by viem, " +
      "what this package asks, and to check something: who signed (by viem), and for Market the arguments of the one method used here and a trial by " +
      "`eth_call`. This package verifies every member of what the service built, before it is shown and again before it is signed, and reports each check. " +
      "The SDK builds gasless and OTC orders itself, with one request less. Nothing is written down, but where a row says so: the SDK has no journal. " +
      "Calls a trade, answered here at once, over a network not:",
    calls.join("\n"),
  ].join("\n\n");
}

function inMicroseconds({ times, ratios }) {
  const scaled = Object.entries(times).map(([name, { median }]) => [name, { median: median * 1000 }]);
  return { times: Object.fromEntries(scaled), ratios };
}

function machine() {
  return { model: cpus()[0]?.model.trim() ?? "unknown", cores: cpus().length, memoryGb: Math.round(totalmem() / 2 ** 30), loadBefore: load() };
}

/** The measured module's hash. */
async function packageHash() {
  return createHash("sha256").update((await wasmFile()).bytes).digest("hex");
}

/** The load of the last minute. Above the number of cores others were at work too, and the times show it. */
function load() {
  return loadavg()[0].toFixed(1);
}

async function versions() {
  const names = ["viem", "ethers", "@velora-dex/sdk", "esbuild"];
  const found = {};
  for (const name of ["verified-swap", ...names]) {
    found[name] = JSON.parse(await readFile(join(ROOT, "node_modules", name, "package.json"), "utf8")).version;
  }
  return found;
}

function progress(what) {
  process.stderr.write(`[${((Date.now() - started) / 1000).toFixed(0)} s] ${what}\n`);
}
