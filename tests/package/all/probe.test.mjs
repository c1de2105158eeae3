// The probe separates readings, lists what it refused, and keeps the free tier's pace.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createClient } from "verified-swap";
import { readingsOfLimits } from "../../probe/limits.mjs";
import { openService } from "../../probe/service.mjs";
import { assertReadings, probed, sandbox, tamper } from "../probed.mjs";

test("the other readings are recognised, and are not refusals", async () => {
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

test("an answer that fits no reading is shown as it was sent", async () => {
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

test("a lie is reported with its field, and the probe fails", async () => {
  await sandbox.control("POST", "lie", { kind: "receiver" });
  const { code, reading, summary } = await probed("--release");
  await sandbox.control("POST", "reset");
  assert.equal(code, 1);
  assert.match(summary.lacks[0], /^chain 31337, this package, SELL: REFUSED: VERIFY_MISMATCH/);
  for (const [title, field] of [["SELL", "order.beneficiary"], ["external", "order.handler"], ["Market SELL", "transaction.data.beneficiary"]]) {
    assert.match(reading(`this package, ${title}`), new RegExp(`^REFUSED: VERIFY_MISMATCH · ${field} · `), title);
  }
});

test("what a release needs and was not seen is named, also where nothing was refused", async () => {
  await sandbox.control("POST", "fault", { endpoint: "transactions", status: 400, times: -1 });
  const { code, summary } = await probed("--release");
  await sandbox.control("POST", "reset");
  assert.equal(code, 1);
  assert.equal(summary.refused, 0);
  assert.deepEqual(summary.lacks.map((lack) => lack.split(": ")[0]), ["chain 31337, this package, Market SELL", "chain 31337, this package, Market BUY"]);
});

test("the probe keeps to the free tier's one request a second", async () => {
  await sandbox.control("POST", "settings", { rateLimit: true });
  const unpaced = globalThis.fetch;
  const { ask } = openService(sandbox.url, 1_100);
  const client = await createClient({ baseUrl: sandbox.url });
  try {
    const answers = await Promise.all([ask("/chains"), ask("/chains"), client.info.chains(), client.info.tokens({ chainId: 31337 })]);
    assert.deepEqual(answers.slice(0, 2).map(({ status }) => status), [200, 200]);
  } finally {
    globalThis.fetch = unpaced;
    client.close();
  }
  const { requests } = await sandbox.control("GET", "record");
  assert.deepEqual(requests.map(({ status }) => status), [200, 200, 200, 200]);
  await sandbox.control("POST", "reset");
});

test("a burst tells what is taken, and how the rest is refused", async () => {
  const unpaced = globalThis.fetch;
  const limits = async (most) => {
    const outcomes = readingsOfLimits(openService(sandbox.url), most).map(async ([topic, read]) => [topic, await read().catch(({ message }) => message)]);
    return Object.fromEntries(await Promise.all(outcomes));
  };
  try {
    assert.match((await limits(0))["requests taken at once"], /--burst N/);
    const free = await limits(3);
    assert.match(free["requests taken at once"], /^3 in \d+ ms, none was refused/);
    assert.equal(free["Retry-After of a 429"], "none of 3 requests was refused");
    await sandbox.control("POST", "settings", { rateLimit: true, rateLimitCors: false });
    const refused = await limits(30);
    assert.match(refused["requests taken at once"], /^1 in \d+ ms, the next was refused$/);
    assert.equal(refused["Retry-After of a 429"], "none");
    assert.equal(refused["Retry-After of a 429, to a page"], "not exposed");
    assert.match(refused["CORS on a 429"], /^allow-origin null/);
    assert.match(refused["body of a 429"], /^application\/json; charset=utf-8, RateLimitExceeded: /);
    assert.match(refused["taken again after a 429"], /^\d+ ms$/);
  } finally {
    globalThis.fetch = unpaced;
    await sandbox.control("POST", "reset");
  }
});
