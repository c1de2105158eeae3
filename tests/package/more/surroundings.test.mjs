/** The package where less is around it than in a page, or all is frozen: a whole trade, and each error as ever. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp, run } from "../app.mjs";
import { startSandbox } from "../sandbox.mjs";
import { assertSwapped, fundedTrade } from "../trade.mjs";

const SES = pathToFileURL(createRequire(import.meta.url).resolve("ses"));

/** Names of a page that Node lacks. */
const PAGE = `globalThis.location = new URL("https://app.example/");
const answered = (answer) => new Proxy(answer, { get: (of, name) => (name === "body" ? undefined : typeof of[name] === "function" ? of[name].bind(of) : of[name]) });
const own = globalThis.fetch;
// Node's own takes what it needs when it is first called.
await own("data:,");
const refuses = () => { throw new DOMException("The operation is insecure.", "SecurityError"); };
const without = (name) => { if (!Reflect.deleteProperty(globalThis, name)) throw new Error(name); };
const throwing = (object, name) => Object.defineProperty(object, name, { get: refuses, configurable: true });
`;

/** Scripts that come before the app's, by what they leave of the surroundings. */
const SURROUNDINGS = {
  "as Node has it": "",
  "lockdown() of ses, where the engine has no ArrayBuffer.prototype.detached":
    `delete ArrayBuffer.prototype.detached; await import(${JSON.stringify(SES)}); lockdown();`,
  "every intrinsic object frozen": `const seen = new Set();
    const freeze = (value) => {
      if (Object(value) !== value || seen.has(value)) return;
      seen.add(value);
      for (const { value: held, get, set } of Object.values(Object.getOwnPropertyDescriptors(Object.freeze(value)))) [held, get, set].forEach(freeze);
      freeze(Object.getPrototypeOf(value));
    };
    [Object, Function, Array, Error, TypeError, RangeError, Promise, Map, Set, WeakMap, WeakSet, String, Number, Boolean, BigInt, Symbol, RegExp, Date,
      ArrayBuffer, Uint8Array, DataView, JSON, Math, Reflect, (async () => {}), (function* () {}), (async function* () {})].forEach(freeze);`,
  "no performance, as in a Snap": `without("performance");`,
  "no optional part of a page": `["performance", "BroadcastChannel", "navigator", "structuredClone"].forEach(without);
    delete Crypto.prototype.randomUUID;`,
  "getters that throw, as in a sandboxed frame": `throwing(globalThis, "indexedDB");
    throwing(globalThis, "localStorage");
    throwing(globalThis, "caches");
    throwing(globalThis, "navigator");
    globalThis.BroadcastChannel = refuses;`,
  "a fetch whose answers have no body": "globalThis.fetch = async (...given) => answered(await own(...given));",
  "a fetch whose bodies are streams of Node's": `const { Readable } = await import("node:stream");
    globalThis.fetch = async (...given) => {
      const answer = await own(...given);
      const read = () => answer.arrayBuffer();
      return { status: answer.status, ok: answer.ok, url: answer.url, headers: answer.headers, body: Readable.from([]), arrayBuffer: read, json: () => answer.json() };
    };`,
};

const ERRORS = `import { writeFileSync } from "node:fs";
import { createClient, init, isTradeError, parseUnits } from "verified-swap";
const { baseUrl, rpcUrl, chainId, contracts, references, account, request } = JSON.parse(process.env.SETTINGS);
const outcomes = {};
const settle = async (name, call) => {
  try {
    outcomes[name] = ["no error", String(await call())];
  } catch (error) {
    outcomes[name] = [isTradeError(error) && error instanceof Error && String(error).startsWith("TradeError: "), error.code, error.field];
  }
};
await settle("early", () => parseUnits("1", 6));
await init();
await settle("pure", () => parseUnits("x", 6));
await settle("options", () => createClient({ baseUrl: "nowhere" }));
const wallet = { request: async ({ method, params = [] }) => {
  if (method.includes("ccounts")) return [account];
  if (method.includes("sign") || method.includes("send")) throw Object.assign(new Error("no"), { code: 4001 });
  const answer = await fetch(rpcUrl, { method: "POST", body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }), headers: { "content-type": "application/json" } });
  return (await answer.json()).result;
} };
const client = await createClient({ baseUrl, wallet, account, rpc: { [chainId]: rpcUrl, 1: "http://127.0.0.1:9" }, contracts, advanced: { references, rateLimit: { perSecond: 50, burst: 50 } } });
const onReview = () => true;
await settle("input", () => client.quote({ ...request, amount: "-1" }));
await settle("listener", () => client.trade(request, { slippageBps: 50, onReview() { throw new Error("the page's"); } }));
await settle("declined", () => client.trade(request, { slippageBps: 50, onReview: () => false }));
await settle("rejected", () => client.trade(request, { slippageBps: 50, onReview }));
await settle("aborted", () => client.quote(request, { signal: AbortSignal.abort() }));
await settle("service", () => client.order("00000000-0000-0000-0000-000000000000"));
await settle("node", () => client.info.balance({ chainId: 1, token: "native", account }));
await settle("edited", async () => client.build({ ...(await client.quote(request)), sealed: "x" }, { slippageBps: 50 }));
client.close();
await settle("closed", () => client.quote(request));
writeFileSync(process.env.RESULT, JSON.stringify(outcomes));
`;
const TRADE = `import { writeFileSync } from "node:fs";
import { createClient } from "verified-swap";
import { swap } from "./swap.js";
let state;
const opened = async (options) => {
  const client = await createClient(options);
  state = await client.trades.storage();
  return client;
};
const result = await swap(opened, JSON.parse(process.env.SETTINGS));
writeFileSync(process.env.RESULT, JSON.stringify({ ...result, state }));
`;
/** Verifies with little and with much, so that the memory grows in between. */
const VERIFY = `import { writeFileSync } from "node:fs";
import { guard, init, isTradeError, verifyCancellation } from "verified-swap/verify";
await init();
const outcomes = [];
const verify = (orderIds, signed) => {
  const domain = { name: "Portikus", version: "2.0.0", chainId: 8453, verifyingContract: "0x0000000000bbF5c5Fd284e657F01Bd000933C96D" };
  const toSign = { domain, types: { OrderCancellations: [{ name: "orderIds", type: "string[]" }] }, data: { orderIds: signed } };
  try {
    outcomes.push(verifyCancellation({ request: { chainId: 8453, orderIds }, toSign, contracts: signed.length > 9 ? { 1: { delta: domain.verifyingContract } } : undefined }).checks.length);
  } catch (error) {
    outcomes.push([isTradeError(error) && error instanceof Error && String(error).startsWith("TradeError: "), error.code, error.field]);
  }
};
const many = Array.from({ length: 100 }, (_, at) => "order " + at + "\u20ac".repeat(50));
verify(["a"], ["a"]);
for (let times = 0; times < 20; times += 1) verify(many, many);
verify(["a"], ["b"]);
verify(["a"], 7);
const told = [];
const wallet = { isMetaMask: true, request: async ({ method }) => (method === "eth_chainId" ? "0x1" : method === "eth_accounts" ? [] : told.push(method)), on: (event, listener) => listener(event) };
const guarded = guard(wallet, { onPrompt: ({ verdict }) => verdict === "explained" });
guarded.on("connect", (event) => told.push(event, guarded.isMetaMask));
for (const method of ["personal_sign", "eth_call", "eth_inventedTomorrow"]) {
  await guarded.request({ method, params: ["0x6869", "0x" + "11".repeat(20)] }).catch(({ name, code }) => told.push([name, code]));
}
outcomes.push(told);
writeFileSync(process.env.RESULT, JSON.stringify([outcomes[0], new Set(outcomes.slice(1, 21)).size, ...outcomes.slice(21)]));
`;
const EXPECTED = {
  early: [true, "INVALID_INPUT", "init"],
  pure: [true, "INVALID_INPUT", "text"],
  options: [true, "INVALID_INPUT", "baseUrl"],
  input: [true, "INVALID_INPUT", "request.amount"],
  listener: [true, "INTERNAL"],
  declined: [true, "USER_REJECTED"],
  rejected: [true, "USER_REJECTED"],
  aborted: [true, "ABORTED"],
  service: [true, "SERVICE_REJECTED"],
  node: [true, "NETWORK"],
  edited: [true, "INVALID_INPUT", "quote.sealed"],
  closed: [true, "ABORTED"],
};

let folder;
let sandbox;
const scripts = Object.entries(SURROUNDINGS).map(([name, script], place) => [name, `around-${place}.js`, PAGE + script]);
before(async () => {
  const files = Object.fromEntries(scripts.map(([, file, text]) => [file, text]));
  [folder, sandbox] = await Promise.all([freshApp("surroundings", { ...files, "errors.js": ERRORS, "trade.js": TRADE, "verify.js": VERIFY }), startSandbox()]);
});
after(() => sandbox?.stop());

/** Output of a script of the app, run behind another one. A promise that never settles ends it with an error. */
async function written(around, script, settings) {
  const result = join(folder, "result.json");
  const words = [`SETTINGS=${JSON.stringify(settings)}`, `RESULT=${result}`, process.execPath, "--import", `./${around}`, script];
  await run(folder, "env", words);
  return JSON.parse(readFileSync(result, "utf8"));
}

for (const [name, file] of scripts) {
  test(`${name}: a whole trade`, async () => {
    const trade = await fundedTrade(sandbox);
    const result = await written(file, "trade.js", trade.settings);
    await assertSwapped(trade, result);
    assert.equal(result.state.state, "memory");
    assert.match(result.state.reason, /IndexedDB/);
  });

  test(`${name}: every failing call settles with its error`, async () => {
    const { settings } = await fundedTrade(sandbox);
    const outcomes = await written(file, "errors.js", settings);
    for (const one of Object.values(outcomes)) if (one.at(-1) === null) one.pop();
    assert.deepEqual(outcomes, EXPECTED);
  });

  test(`${name}: the checks alone`, async () => {
    const outcomes = await written(file, "verify.js", {});
    const guarded = ["connect", true, "personal_sign", "eth_call", ["ProviderRpcError", 4001]];
    assert.deepEqual(outcomes, [7, 1, [true, "VERIFY_MISMATCH", "cancellation.orderIds.0"], [true, "SERVICE_MALFORMED", "toSign.value.orderIds"], guarded]);
  });
}

test("without performance the clock follows the machine's, and passes over what that is set back by", async (t) => {
  const { Tabs } = await import(pathToFileURL(join(folder, "node_modules/verified-swap/tabs.js")));
  const { performance } = globalThis;
  const tabs = new Tabs();
  assert.equal(Math.round(tabs.now() / 60_000), Math.round((performance.timeOrigin + performance.now()) / 60_000));
  t.after(() => (globalThis.performance = performance));
  globalThis.performance = undefined;
  const read = [];
  for (const now of [5_000, 5_250, 1_000, 1_500, 900, 901]) {
    t.mock.method(Date, "now", () => now);
    read.push(tabs.now());
  }
  assert.deepEqual(read, [5_000, 5_250, 5_250, 5_750, 5_750, 5_751]);
});

test("an entry of the app's own storage that is gone between its name and its text cannot be read, and the others can", async () => {
  const { Entries } = await import(pathToFileURL(join(folder, "node_modules/verified-swap/storage.js")));
  const texts = new Map([["trade/1", undefined], ["trade/2", "text"]]);
  const entries = new Entries(undefined, texts);
  assert.deepEqual(await entries.changes("trade/", 0), [1, [["trade/1", ""], ["trade/2", "text"]]]);
  assert.deepEqual(await entries.changes("trade/", 1), [2, [["trade/1", ""], ["trade/2", null]]]);
});

test("an answer that comes in one piece is held to the size and the encoding of all others", async (t) => {
  const { createClient } = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
  let bytes;
  t.mock.method(globalThis, "fetch", async () => ({ status: 200, headers: new Headers(), arrayBuffer: async () => bytes.buffer }));
  const client = await createClient({ baseUrl: "https://service.example", storage: false, advanced: { rateLimit: { perSecond: 50, burst: 50 } } });
  t.after(() => client.close());
  const refusal = (given) => ((bytes = given), client.order("x").catch(({ code, expected, cause }) => [code, expected, cause?.message]));
  const most = 2 * 1024 * 1024;
  const [code, expected] = await refusal(new Uint8Array(most).fill(32));
  assert.deepEqual([code, expected === "a smaller answer"], ["SERVICE_MALFORMED", false]);
  assert.deepEqual((await refusal(new Uint8Array(most + 1).fill(32))).slice(0, 2), ["SERVICE_MALFORMED", "a smaller answer"]);
  assert.deepEqual(await refusal(Uint8Array.of(34, 0xff, 34)), ["NETWORK", undefined, "the answer is not UTF-8"]);
});
