/** The probe, pointed at the sandbox: it passes an honest service, tells its readings apart, and says what it refused. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createClient } from "verified-swap";
import { openService } from "../probe/service.mjs";
import { rawMember } from "../probe/verbatim.mjs";
import { ROOT } from "./locations.mjs";
import { startSandbox } from "./sandbox.mjs";

let sandbox;
before(async () => (sandbox = await startSandbox()));
after(() => sandbox?.stop());

/** `{ code, summary, reading(topic) }` of one run. */
function probe(...args) {
  const script = join(ROOT, "tests/probe/probe.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: ROOT, maxBuffer: 16 << 20 }, (error, stdout) => {
      const summary = args.length ? JSON.parse(stdout.trim().split("\n").at(-1)) : null;
      const reading = (topic) => summary.findings.find((finding) => finding.topic === topic)?.reading;
      resolve({ code: error?.code ?? 0, summary, reading });
    });
  });
}

const probed = (...args) => probe("--base-url", sandbox.url, "--chain", "31337", ...args);
const tamper = (target, patch) => sandbox.control("POST", "tamper", { target, patch, times: -1 });

/** What each reading is in one setting of the sandbox and in the other; null where that one has no switch. */
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
  ["srcToken of an order that sells the native coin", /^the placeholder$/, /^Delta's wrapped token$/],
  ["crosschain: alternatives", /^routes$/, null],
  ["crosschain: bridge of the route", /without a chain$/, null],
  ["crosschain: bridge of the order", /^the other chain and its token$/, null],
  ["crosschain: the native coin over there", /^the placeholder$/, null],
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

function assertReadings(reading, setting) {
  for (const [topic, ...settings] of READINGS) {
    assert.match(reading(topic) ?? "not reported", settings[setting] ?? settings[0], topic);
  }
}

test("an honest service passes, and every reading is reported", async () => {
  await sandbox.control("DELETE", "record");
  const { code, summary, reading } = await probed();
  assert.equal(summary.refused, 0, JSON.stringify(summary.findings.filter((finding) => /REFUSED/.test(finding.reading))));
  assert.equal(code, 0);
  const trades = summary.findings.filter(({ topic }) => topic.startsWith("this package, "));
  assert.equal(trades.length, 12);
  for (const trade of trades) assert.match(trade.reading, /^quote and build verified/, trade.topic);
  assert.equal(reading("our nonce kept"), "yes");
  assert.match(reading("error: native in lower case"), /^400 InvalidInput/);
  assert.match(reading("a route that was parsed and written again"), /^400/);
  assertReadings(reading, 0);
  const { requests } = await sandbox.control("GET", "record");
  const effects = requests.filter(({ endpoint }) => ["post", "cancel", "otcPost"].includes(endpoint));
  assert.deepEqual(effects.map(({ body }) => body), ["{}"], "the one post is the empty one that is to be refused");
});

test("the other readings are told apart, and are no refusals", async () => {
  const { tokens } = sandbox.config.chains[0];
  await sandbox.control("POST", "settings", { fillableName: "Order", fillableKeys: "lowercase", nativeToken: "wrapped", contractsResource: false });
  await tamper("chains", [0, 1].map((at) => ({ op: "replace", path: `/${at}`, value: 31337 + at })));
  await tamper("tokens", tokens.map((_, at) => ({ op: "remove", path: `/tokens/${at}/decimals` })));
  await tamper("contracts", [{ op: "remove", path: "/ParaswapDelta" }]);
  await tamper("otcMaker", [{ op: "remove", path: "/total" }]);
  await tamper("marketPrices", [{ op: "remove", path: "/priceRoute/others" }, { op: "add", path: "/others", value: { Sample: "1" } }]);
  const { summary, reading } = await probed();
  await sandbox.control("POST", "reset");
  assert.equal(summary.refused, 0);
  assertReadings(reading, 1);
});

test("what fits no reading is shown as it was sent", async () => {
  await tamper("build", [{ op: "replace", path: "/toSign/types/Bridge/0/name", value: "somewhere" }]);
  await sandbox.control("POST", "tamper", { target: "transactions", args: { toAmount: { num: 9899, den: 10000 } }, times: -1 });
  await tamper("fillableBalance", [{ op: "add", path: "/total", value: { of: 7 } }]);
  const { code, reading } = await probed();
  await sandbox.control("POST", "reset");
  assert.equal(code, 1);
  assert.match(reading("typed data of an Order"), /^none of the documented: .*"somewhere"/);
  assert.match(reading("typed data of an Order"), /; no digest can be computed of it: /);
  assert.equal(reading("toAmount, SELL with a fee of 1 %"), "after the fee");
  assert.match(reading("fillable balance"), /^none of the documented: .*"total":{"of":7}/);
});

test("the orders of an account tell their order, and what a cancellation signs", async () => {
  const [chain] = sandbox.config.chains;
  const [account] = sandbox.config.accounts;
  await sandbox.control("POST", "settings", { solving: false });
  await resting(chain, account);
  await sandbox.control("POST", "time", { advanceSecs: 30 });
  await resting(chain, account);
  const honest = await probed("--orders-of", account);
  assert.equal(honest.reading("sort order of orders"), "newest first");
  assert.equal(honest.reading("bounds of an order"), "stated");
  assert.equal(honest.reading("build/cancellation"), "this package's own typed data; its hash is the digest computed here");
  await sandbox.control("POST", "settings", { bounds: false });
  await sandbox.control("POST", "tamper", { target: "buildCancellation", patch: [{ op: "replace", path: "/toSign/value/orderIds/0", value: "another" }], rehash: true, times: -1 });
  const other = await probed("--orders-of", account);
  await sandbox.control("POST", "reset");
  assert.equal(other.reading("bounds of an order"), "left out");
  assert.match(other.reading("build/cancellation"), /^none of the documented: .*OrderCancellations\(string\[\] orderIds\)/);
  for (const { summary } of [honest, other]) assert.equal(summary.refused, 0);
});

/** A limit order of the account, signed by the node and not filled. */
async function resting({ chainId, delta, wrappedNative, tokens: [source, destination] }, account) {
  const amount = (100n * 10n ** BigInt(source.decimals)).toString();
  await sandbox.control("POST", "faucet", { chainId, address: account, token: source.address, amount });
  await sandbox.control("POST", "approve", { chainId, token: source.address, owner: account, amount: amount + "0" });
  const wallet = { request: ({ method, params }) => sandbox.rpc(chainId, method, params) };
  const client = await createClient({ baseUrl: sandbox.url, wallet, account, contracts: { [chainId]: { delta, wrappedNative } } });
  try {
    const tokens = { srcToken: source.address, destToken: destination.address, srcDecimals: source.decimals, destDecimals: destination.decimals };
    const quote = await client.quote({ chainId, amount, ...tokens });
    await client.submit(await client.build(quote, { limitAmount: quote.destAmount }));
  } finally {
    client.close();
  }
}

test("a lie is told with its field, and the probe fails", async () => {
  await sandbox.control("POST", "lie", { kind: "receiver" });
  const { code, reading } = await probed();
  await sandbox.control("POST", "reset");
  assert.equal(code, 1);
  for (const [title, field] of [["SELL", "order.beneficiary"], ["external", "order.handler"], ["Market SELL", "transaction.data.beneficiary"]]) {
    assert.match(reading(`this package, ${title}`), new RegExp(`^REFUSED: VERIFY_MISMATCH · ${field} · `), title);
  }
});

test("without a base URL nothing is asked", async () => {
  assert.equal((await probe()).code, 2);
});

test("a member is taken from a JSON text as the characters it came in", () => {
  const text = ' { "a" : [ "}" , 1.0 ] , "delta": {"x":"\\"route\\"", "route" : {"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]} , "z":1e2} }';
  assert.equal(rawMember(text, ["delta", "route"]), '{"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]}');
  assert.equal(rawMember(text, ["delta", "z"]), "1e2");
  assert.equal(rawMember(text, ["a"]), '[ "}" , 1.0 ]');
  assert.equal(rawMember(text, ["delta", "none"]), null);
});

test("whoever asks, the free tier's one request a second is kept", async () => {
  await sandbox.control("POST", "settings", { rateLimit: true });
  const unpaced = globalThis.fetch;
  const { ask } = openService(sandbox.url, 1_100);
  const client = await createClient({ baseUrl: sandbox.url });
  try {
    const answers = await Promise.all([ask("/chains"), ask("/chains"), client.chains(), client.tokens({ chainId: 31337 })]);
    assert.deepEqual(answers.slice(0, 2).map(({ status }) => status), [200, 200]);
  } finally {
    globalThis.fetch = unpaced;
    client.close();
  }
  const { requests } = await sandbox.control("GET", "record");
  assert.deepEqual(requests.map(({ status }) => status), [200, 200, 200, 200]);
  await sandbox.control("POST", "reset");
});
