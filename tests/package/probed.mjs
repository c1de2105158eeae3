/* The probe, pointed at a sandbox that is started before the tests of a file and ended after them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before } from "node:test";
import { ROOT } from "./locations.mjs";
import { startSandbox } from "./sandbox.mjs";

export let sandbox;
before(async () => (sandbox = await startSandbox()));
after(() => sandbox?.stop());

/** `{ code, summary, reading(topic), said }` of one run; `summary` is null where nothing was probed. */
export function probe(...args) {
  const script = join(ROOT, "tests/probe/probe.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: ROOT, maxBuffer: 16 << 20 }, (error, stdout, said) => {
      const summary = stdout ? JSON.parse(stdout.trim().split("\n").at(-1)) : null;
      const reading = (topic) => summary.findings.find((finding) => finding.topic === topic)?.reading;
      resolve({ code: error?.code ?? 0, summary, reading, said });
    });
  });
}

export const probed = (...args) => probe("--base-url", sandbox.url, "--chain", "31337", ...args);
export const tamper = (target, patch) => sandbox.control("POST", "tamper", { target, patch, times: -1 });

/** Each reading in one setting of the sandbox and in the other; null where that one has no switch. */
const READINGS = [
  ["typed data of an Order", /^as documented; its hash is the digest/, null],
  ["typed data with partiallyFillable", /^FillableOrder, .*; its hash is the digest/, /^Order, .*; its hash is the digest/],
  ["typed data of an ExternalOrder", /^as documented; its hash is the digest/, null],
  ["typed data of a TWAPOrder", /^as documented; its hash is the digest/, null],
  ["typed data of a TWAPBuyOrder", /^as documented; its hash is the digest/, null],
  ["typed data of a ProductiveOrder", /^could not be told: 400 InvalidInput/, null],
  ["destAmount, SELL with a fee of 1 %", /^before the fee$/, null],
  ["srcAmount, BUY with slippage 50", /^rounded down$/, null],
  ["destAmount and expectedAmount with a limit", /^the limit and the limit$/, null],
  ["srcToken of an order that sells the native token", /^the placeholder$/, /^Delta's wrapped token$/],
  ["crosschain: alternatives", /^routes$/, null],
  ["crosschain: bridge of the route", /without a chain$/, null],
  ["crosschain: bridge of the order", /^the other chain and its token$/, null],
  ["crosschain: the native token over there", /^the placeholder$/, null],
  ["GET /prices, `others`", /^a list in priceRoute$/, /^an object beside priceRoute$/],
  ["POST /transactions, onlyParams", /^the bare list of arguments$/, null],
  ["POST /transactions, ignoreChecks, its members", /^as documented$/, null],
  ["toAmount, SELL with a fee of 1 %", /^before the fee$/, null],
  ["quotedAmount, SELL with a fee of 1 %", /^before the fee$/, null],
  ["shape of /chains", /^a list of objects with an id$/, /^a list of ids$/],
  ["shape of /fiat/tokens/{chainId}", /^{ tokens: \[...\] }$/, null],
  ["shape of /tokens/{chainId}", /^{ tokens: \[...\] }$/, /^none of the documented: .*"symbol":"DAI"/],
  ["shape of /adapters/contracts", /^names, with Delta$/, /^names, without Delta$/],
  ["shape of /resources/contracts.json", /^chains by id$/, /^could not be told: 404 NotFound/],
  ["fillable balance of one token", /^keys with a checksum$/, /^keys in lower case$/],
  ["OTC fillable balance of one token", /^keys in lower case$/, null],
  ["OTC list of a maker", /^{ orders, limit, offset, total, hasMore }$/, /^{ orders } with less of the page$/],
  ["degenMode of a price", /^taken;/, null],
  ["meaning of degenMode", /^could not be told: only a signed order/, null],
  ["build/cancellation", /^could not be told: .*--orders-of/, null],
];

export function assertReadings(reading, setting) {
  for (const [topic, ...settings] of READINGS) {
    assert.match(reading(topic) ?? "not reported", settings[setting] ?? settings[0], topic);
  }
}
