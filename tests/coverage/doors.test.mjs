// The two doors before a wallet, side by side: what the client refuses, and what verified-swap/verify refuses of the same
// answers, what it explains of the payload alone, and what its guard lets through to a wallet. With `WRITE=1` in the environment what came of it is written into docs/doors.md; else that is held to it.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { explain, guard, init, verifyOrder, verifyTransaction } from "verified-swap/verify";
import { held, tableOf } from "./attacks.mjs";
import { startWorld } from "./world.mjs";

const THIEF = "0xBaD0000000000000000000000000000000000BAD";
const replaced = (path, value, how = {}) => ({ target: "build", patch: [{ op: "replace", path, value }], rehash: true, times: -1, ...how });
const scaled = (path, num, den) => ({ target: "build", patch: [{ op: "scale", path, num, den }], rehash: true, times: -1 });
const called = (args) => ({ target: "transactions", args, times: -1 });

/** Each with its name, and what the sandbox is set to; a ready-made lie by its kind. */
const OF_ORDERS = [
  ["none", "none"],
  ["pays somebody else", "receiver"],
  ["guarantees a tenth", "minimum"],
  ["valid ten years longer", "deadline"],
  ["another spender in the price", "spender"],
  ["a price that is 20 % worse", "price"],
  ["a price that is 10 % worse", { kind: "price", bps: 1_000 }],
  ["of another owner", replaced("/toSign/value/owner", THIEF)],
  ["sells another token", replaced("/toSign/value/srcToken", THIEF)],
  ["buys another token", replaced("/toSign/value/destToken", THIEF)],
  ["spends twice as much", scaled("/toSign/value/srcAmount", 2, 1)],
  ["expects a tenth, and shares what exceeds it", scaled("/toSign/value/expectedAmount", 1, 10)],
  ["a fee of 2 % for somebody", replaced("/toSign/value/partnerAndFee", ((BigInt(THIEF) << 96n) | 200n).toString())],
  ["another nonce", replaced("/toSign/value/nonce", "1")],
  ["the other side", replaced("/toSign/value/kind", "1")],
  ["expired", replaced("/toSign/value/deadline", "1")],
  ["metadata that nobody asked for, 2 KB", replaced("/toSign/value/metadata", `0x${"ab".repeat(2048)}`)],
  ["a permit that nobody signed", replaced("/toSign/value/permit", "0x01")],
  ["leaves by a bridge", replaced("/toSign/value/bridge/destinationChainId", "10")],
  ["for another contract", replaced("/toSign/domain/verifyingContract", THIEF)],
  ["for another chain", replaced("/toSign/domain/chainId", 1)],
  ["in the domain of another contract", replaced("/toSign/domain/name", "Velora")],
  ["another version of the domain", replaced("/toSign/domain/version", "1")],
  ["a type with one member more", { target: "build", patch: [{ op: "add", path: "/toSign/types/Order/0", value: { name: "more", type: "address" } }], times: -1 }],
  ["states another hash", { target: "build", patch: [{ op: "replace", path: "/orderHash", value: `0x${"11".repeat(32)}` }], times: -1 }],
];
const OF_ROUTES = [
  ["none", "none"],
  ["pays somebody else", "receiver"],
  ["guarantees a tenth", "minimum"],
  ["goes to another contract", "marketTo"],
  ["a price that is 20 % worse", "price"],
  ["from another account", { target: "transactions", patch: [{ op: "replace", path: "/from", value: THIEF }], times: -1 }],
  ["sends native token along", { target: "transactions", patch: [{ op: "replace", path: "/value", value: "1000000000" }], times: -1 }],
  ["a method that nobody knows", called({ selector: "0xdeadbeef" })],
  ["a fee of 2 % for somebody", called({ partnerAndFee: ((BigInt(THIEF) << 96n) | 200n).toString() })],
];

let world;
before(async () => {
  [world] = await Promise.all([startWorld(), init()]);
});
after(() => world?.sandbox.stop());

/** The service's answer to the last request of that kind. */
const heard = {};
const fetched = globalThis.fetch;
globalThis.fetch = async (input, options) => {
  const answer = await fetched(input, options);
  const url = String(input?.url ?? input);
  for (const [name, part] of [["quote", "/v2/quote"], ["build", "/delta/orders/build"], ["transaction", "/transactions/"]]) {
    if (url.includes(part)) heard[name] = await answer.clone().json();
  }
  return answer;
};

const tell = async (lie) => {
  await world.sandbox.control("POST", "tamper", { target: "build", times: 0 });
  await world.sandbox.control("POST", "tamper", { target: "transactions", times: 0 });
  const told = typeof lie === "string" ? { kind: lie } : lie;
  await world.sandbox.control("POST", "lie", told.kind ? told : { kind: "none" });
  if (!told.kind) await world.sandbox.control("POST", "tamper", told);
};

/** In one cell: the refusal, or the question that is open, or what was let through. */
async function outcome(work) {
  try {
    const report = await work();
    const [question] = report.questions;
    return question ? `question: ${question.reason}` : "ok";
  } catch (error) {
    assert.equal(error.name, "TradeError", error.stack);
    return [error.code, error.field && `\`${error.field}\``].filter(Boolean).join(" ");
  }
}

/** A lie's row: the client, and the verify entry without and with the caller's facts: a price, and the tokens' decimals. */
async function row([name, lie], request, options, verify, asked) {
  const without = (more) => world.client(request.account, more);
  await tell("none");
  // An SDK asks for no reference prices, and builds whatever it is given.
  const trusting = await without({ advanced: { references: {} } });
  const honest = await trusting.quote(request);
  await tell(lie);
  const client = await outcome(async () => {
    const judging = await without();
    return (await judging.build(await judging.quote(request), options)).report;
  });
  Object.assign(heard, { build: undefined, transaction: undefined });
  await trusting.quote(request).then((quote) => trusting.build(quote, options)).catch(() => {});
  const price = heard.quote;
  // A price that is not built from is passed on all the same.
  if (!heard.build && !heard.transaction) await trusting.build(honest, options).catch(() => {});
  const input = { request: { ...request, ...options }, contracts: world.contracts, now: await clock() };
  const readings = { srcDecimals: request.srcDecimals, destDecimals: request.destDecimals };
  const reference = { src: request.srcToken, dest: request.destToken, price: "3000" };
  const doors = [{}, { reference, readings }].map((more) => outcome(() => verify({ ...input, ...more }, price)));
  const { context, found } = explained(request, asked(), input.now);
  const known = { ...input, reference, readings };
  const guards = [await guarded(request, asked(), context, verify.asked(known, price)), await guarded(request, asked(), context)];
  assert.equal(guards[1], found === "nothing" ? "agreed to" : "stopped", `${name}: ${found}`);
  return [name, client, ...(await Promise.all(doors)), found, ...guards];
}

/** The findings of explain in the payload alone, above a mere fact, and the context behind them. */
function explained({ account, chainId, srcToken, destToken, srcDecimals, destDecimals }, call, now) {
  const tokens = [{ address: srcToken, symbol: "WETH", decimals: srcDecimals }, { address: destToken, symbol: "USDC", decimals: destDecimals }];
  const references = { [chainId]: { [srcToken]: "3000", [destToken]: "1" } };
  const context = { now, tokens, references, contracts: world.contracts };
  const { verdict, findings } = explain(call, { ...context, accounts: [account], chainId });
  const ids = [...new Set(findings.filter(({ severity }) => severity !== "info").map(({ id, severity }) => `${severity}: \`${id}\``))];
  return { context, found: ids.join(", ") || (verdict === "explained" ? "nothing" : verdict) };
}

/**
 * The calls that a guard before the user's wallet lets through. With a request its `onPrompt` agrees to all; without
 * one it does as long as nothing is found above a mere fact.
 */
async function guarded({ account, chainId }, call, context, request) {
  const opened = [];
  const wallet = {
    async request({ method }) {
      if (method === "eth_accounts") return [account];
      if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
      opened.push(method);
      return "0x";
    },
  };
  const isQuiet = ({ verdict, findings }) => verdict === "explained" && findings.every(({ severity }) => severity === "info");
  const verdicts = [];
  const onPrompt = (prompt) => (verdicts.push(prompt.verdict), request ? true : isQuiet(prompt));
  try {
    await guard(wallet, { onPrompt, context, request }).request(call);
    assert.deepEqual([opened, verdicts], [[call.method], [request ? "verified" : "explained"]]);
    return request ? "ok" : "agreed to";
  } catch (error) {
    assert.equal(error.name, "ProviderRpcError", error.stack);
    assert.deepEqual(opened, []);
    if (!request) return "stopped";
    // Refused before anybody was asked.
    assert.deepEqual([error.code, verdicts], [4100, []], error.stack);
    return [error.cause.code, error.cause.field && `\`${error.cause.field}\``].filter(Boolean).join(" ");
  }
}

/** The chain's own time. */
const clock = async () => Number((await world.sandbox.rpc(world.chain.chainId, "eth_getBlockByNumber", ["latest", false])).timestamp);

const order = (input, price) => {
  const { toSign, orderHash } = heard.build;
  return verifyOrder({ ...input, quote: price.delta, toSign, orderHash });
};
const swap = (input, price) => verifyTransaction({ ...swap.asked(input, price).input, transaction: heard.transaction });
/** The same without the payload, as a guard gets it. */
order.asked = (input, price) => ({ verifier: "verifyOrder", input: { ...input, quote: price.delta } });
swap.asked = ({ request: { mode, ...request }, ...input }, price) => ({ verifier: "verifyTransaction", input: { ...input, kind: "swap", request, quote: price.market } });

/** As a wallet is asked. */
const signing = () => {
  const { domain, types, value } = heard.build.toSign;
  const [primaryType] = Object.keys(types).filter((name) => /Order$/.test(name));
  const EIP712Domain = [["name", "string"], ["version", "string"], ["chainId", "uint256"], ["verifyingContract", "address"]].map(([name, type]) => ({ name, type }));
  const typed = { domain, types: { EIP712Domain, ...types }, primaryType, message: value };
  return { method: "eth_signTypedData_v4", params: [world.accounts[2], JSON.stringify(typed)] };
};
const sending = () => {
  const { from, to, value, data } = heard.transaction;
  return { method: "eth_sendTransaction", params: [{ from, to, value: `0x${BigInt(value).toString(16)}`, data }] };
};

test("both doors, for each lie about a gasless order and about a Market route", async () => {
  const { accounts, token, units, pair, fund } = world;
  const [weth, usdc] = ["WETH", "USDC"].map((symbol) => token(symbol));
  const account = accounts[2];
  await fund(account, weth, units(100, weth));
  const request = { ...pair(weth, usdc, { amount: units(1, weth) }), account };
  const rows = [["lie", "client", "verify", "verify, with a reference", "explain, of the payload alone", "guard, with the request", "guard, without"]];
  for (const lie of OF_ORDERS) rows.push(["gasless: " + lie[0], ...(await row(lie, { ...request }, { slippageBps: 50 }, order, signing)).slice(1)]);
  for (const lie of OF_ROUTES) rows.push(["Market: " + lie[0], ...(await row(lie, { ...request, mode: "MARKET" }, { slippageBps: 50 }, swap, sending)).slice(1)]);
  held("doors", tableOf(rows), "doors");
});

/** A wallet of that account with these answers, and the questions to it. */
function walletOf(account, chainId, answers = []) {
  const asked = [];
  const request = async ({ method, params }) => {
    if (method === "eth_accounts") return [account];
    if (method === "eth_chainId") return `0x${chainId.toString(16)}`;
    asked.push(params);
    const error = answers.shift();
    if (error) throw Object.assign(new Error("no"), { code: error });
    return "0x";
  };
  return { request, asked };
}

test("messages in every form: what is found, and what gets to a wallet", async () => {
  const [account, chainId] = [world.accounts[2], world.chain.chainId];
  const bytes = (text) => `0x${Buffer.from(text).toString("hex")}`;
  const hash = `0x${"8825317b".repeat(8)}`;
  const signIn = ["shop.example wants you to sign in with your Ethereum account:", account, "", "Sign in.", "", "URI: https://shop.example", "Version: 1", `Chain ID: ${chainId}`, "Nonce: 32891756", "Issued At: 2026-11-28T00:00:00Z"].join("\n");
  const forms = [
    ["a text", ["I agree", account]],
    ["the same, in hex", [bytes("I agree"), account]],
    ["the same, the account in small letters", ["I agree", account.toLowerCase()]],
    ["a text of 40 digits", ["1".repeat(40), account]],
    ["a sign-in (EIP-4361)", [signIn, account]],
    ["a hash", [hash, account]],
    ["a hash without 0x", [hash.slice(2), account]],
    ["a hash with 0X", [`0X${hash.slice(2)}`, account]],
    ["a hash of 63 digits", [hash.slice(0, -1), account]],
    ["a hash, the account first", [account, hash]],
    ["32 bytes that are a text", [bytes("Pay 1 ether to nobody, or to me."), account]],
    ["another sign-in, in hex without 0x", [bytes(signIn).slice(2), account]],
    ["the account as the message", [account, account]],
  ];
  const rows = [["`personal_sign`", "explain", "guard, without a request", "guard, with one"]];
  for (const [name, params] of forms) {
    const call = { method: "personal_sign", params };
    const { findings, request } = explain(call, { accounts: [account], chainId, now: 1_800_000_000, origin: "https://shop.example" });
    const found = findings.filter(({ severity }) => severity !== "info").map(({ id, severity }) => `${severity}: \`${id}\``).join(", ");
    const context = { now: 1_800_000_000, origin: "https://shop.example" };
    const outcomes = [];
    for (const asked of [undefined, { verifier: "verifyPermit", input: { request: {} } }]) {
      const wallet = walletOf(account, chainId);
      const isQuiet = (prompt) => prompt.findings.every(({ severity }) => severity === "info");
      const outcome = await guard(wallet, { onPrompt: isQuiet, context, request: asked }).request(call).then(() => "agreed to", ({ code }) => (code === 4100 ? "refused" : "stopped"));
      assert.deepEqual(wallet.asked, outcome === "agreed to" ? [request.params] : [], "what was read, and nothing else");
      outcomes.push(outcome);
    }
    rows.push([name, found || "nothing", ...outcomes]);
  }
  held("messages", tableOf(rows), "doors");
});

test("one request at the guard, and several payloads of it", async () => {
  const { token, units, pair, fund, accounts, chain: { chainId } } = world;
  const [weth, usdc] = ["WETH", "USDC"].map((symbol) => token(symbol));
  const account = accounts[2];
  await fund(account, weth, units(100, weth));
  await tell("none");
  const request = { ...pair(weth, usdc, { amount: units(1, weth) }), account };
  const trusting = await world.client(account, { advanced: { references: {} } });
  const orders = [];
  for (let count = 0; count < 2; count++) {
    await trusting.build(await trusting.quote(request), { slippageBps: 50 });
    orders.push(signing());
  }
  assert.notDeepEqual(orders[0], orders[1], "each with a nonce of its own");
  const reference = { src: weth.address, dest: usdc.address, price: "3000" };
  const readings = { srcDecimals: weth.decimals, destDecimals: usdc.decimals };
  const stated = { verifier: "verifyOrder", input: { request: { ...request, slippageBps: 50 }, contracts: world.contracts, now: await clock(), quote: heard.quote.delta, reference, readings } };
  const cases = [
    ["is signed, then comes another", []],
    ["is declined by the user, then comes another", [4001]],
    ["fails in the wallet, then comes another", [-32603]],
    ["and another come at once", [], true],
  ];
  const rows = [["the first order", "first prompt", "second prompt"]];
  for (const [name, answers, isAtOnce] of cases) {
    const prompts = [];
    const onPrompt = (prompt) => (prompts.push(prompt.isRepeated ? `${prompt.verdict}, \`isRepeated\`` : prompt.verdict), true);
    const guarding = guard(walletOf(account, chainId, [...answers]), { onPrompt, request: stated });
    const sign = (order) => guarding.request(order).catch(() => {});
    if (isAtOnce) await Promise.all(orders.map(sign));
    else for (const order of orders) await sign(order);
    rows.push([name, ...prompts]);
  }
  held("repeats", tableOf(rows), "doors");
});
