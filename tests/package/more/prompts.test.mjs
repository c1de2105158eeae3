/** `onPrompt` of the built package against the real service and its chains: what it gets, and what its answer does. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { hashTypedData } from "viem";
import { freshApp } from "../app.mjs";
import { startSandbox } from "../sandbox.mjs";
import { fundedTrade } from "../trade.mjs";

const PACE = { intervalMs: 100, maxIntervalMs: 300 };
const [TYPED, SENT] = ["eth_signTypedData_v4", "eth_sendTransaction"];

let [library, sandbox] = [];
before(async () => {
  const folder = await freshApp("prompts");
  library = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

/** A client whose `onPrompt` answers with `world.answer`, and a wallet whose prompts are counted. */
let world;
beforeEach(async (t) => {
  await sandbox.control("POST", "reset");
  const { settings } = await fundedTrade(sandbox);
  const { chainId, account, request, references } = settings;
  const happened = [];
  const wallet = {
    accounts: [account],
    async request({ method, params }) {
      if (method === "eth_accounts") return wallet.accounts;
      if ([TYPED, SENT].includes(method)) happened.push([method, params]);
      return sandbox.rpc(chainId, method, params ?? []);
    },
  };
  const [chain] = sandbox.config.chains;
  const contracts = { [chainId]: { ...settings.contracts[chainId], router: chain.router } };
  for (const spender of [undefined, chain.router])
    await sandbox.control("POST", "approve", { chainId, token: request.srcToken, owner: account, amount: "0", spender });
  const told = [];
  world = { account, request, wallet, told, answer: () => true };
  world.open = (options) => library.createClient({ baseUrl: settings.baseUrl, wallet, rpc: { [chainId]: wallet }, contracts, advanced: { references }, ...options });
  const onPrompt = (prompt) => {
    told.push(prompt);
    happened.push(["onPrompt", prompt.purpose]);
    return world.answer(prompt);
  };
  world.client = await world.open({ onPrompt });
  world.happened = () => happened.map(([what, of]) => (what === "onPrompt" ? of : what));
  world.prompts = (method) => happened.filter(([what]) => what === method).map(([, params]) => params);
  t.after(() => world.client.close());
});
const failure = (promise) => promise.then(() => assert.fail("it was to fail"), (error) => error);

test("each prompt of a trade is told right before it opens, with what the wallet gets", async () => {
  const { client, request, told } = world;
  const { order } = await client.trade(request, { slippageBps: 100, ...PACE });
  assert.equal(order.status, "COMPLETED");
  assert.deepEqual(world.happened(), ["approve", SENT, "order", TYPED]);
  const [approve, signed] = told;
  assert.deepEqual(JSON.parse(JSON.stringify(told)), told, "plain JSON");
  const [[call]] = world.prompts(SENT);
  for (const name of ["to", "data"]) assert.equal(approve.parts[0][name].toLowerCase(), call[name].toLowerCase());
  assert.match(approve.sentence, /^Approve /);
  const { chains: [chain] } = sandbox.config;
  const [token, spender] = [request.srcToken, chain.delta].map((address) => library.parseAddress(address));
  assert.deepEqual(approve.parts[0].approval, { token, spender, amount: String(request.amount) });
  const [[, text]] = world.prompts(TYPED);
  assert.deepEqual(signed.parts[0].typedData, JSON.parse(text));
  const { domain, types, primaryType, message } = JSON.parse(text);
  assert.equal(signed.digests.eip712, hashTypedData({ domain, types, primaryType, message }));
  assert.equal(signed.hardware.digest, signed.digests.eip712);
  assert.deepEqual([signed.orderHash, order.orderHash], [signed.digests.eip712, signed.digests.eip712]);
  assert.deepEqual([approve.orderHash, signed.parts[0].approval], [undefined, undefined]);
  assert.deepEqual(told.map(({ isRepeated }) => isRepeated), [false, false]);
  assert.ok(signed.findings.every(({ verdict }) => verdict !== "ok"));
  assert.deepEqual([signed.questions, approve.hardware], [[], null]);
});

test("what the user refuses is neither opened nor posted, and the same trade may be made again", async () => {
  const { client, request, told } = world;
  world.answer = ({ purpose }) => purpose !== "order";
  const error = await failure(client.trade(request, { slippageBps: 100 }));
  assert.deepEqual([error.code, error.signedOrder], ["USER_REJECTED", undefined]);
  assert.deepEqual(world.happened(), ["approve", SENT, "order"]);
  assert.deepEqual(await client.trades.list(), (await client.trades.list()).filter(({ purpose }) => purpose === "approve"));
  world.answer = () => true;
  const { order } = await client.trade(request, { slippageBps: 100, ...PACE });
  assert.equal(order.status, "COMPLETED");
  assert.equal(told.length, 3);
});

test("a function that throws, or answers nothing, opens nothing", async () => {
  const { client, request } = world;
  const build = await client.build(await client.quote(request), { slippageBps: 100 });
  await client.approve(build.approval);
  const before = world.happened().length;
  const thrown = new Error("the page's");
  const fails = () => {
    throw thrown;
  };
  for (const [onPrompt, code, field] of [
    [fails, "INTERNAL"], [() => Promise.reject(thrown), "INTERNAL"], [() => {}, "INVALID_INPUT", "onPrompt"],
    [() => "yes", "INVALID_INPUT", "onPrompt"], [() => ({}), "INVALID_INPUT", "onPrompt.accept"], [() => false, "USER_REJECTED"],
  ]) {
    const error = await failure(client.submit(build, { onPrompt }));
    assert.deepEqual([error.code, error.field], [code, field], String(onPrompt));
    if (code === "INTERNAL") assert.equal(error.cause, thrown);
  }
  assert.equal(world.happened().length, before, "the call's counts in place of the client's, and nothing was opened");
  assert.equal((await failure(client.submit(build, { onPrompt: 1 }))).code, "INVALID_INPUT");
  assert.equal((await failure(client.quote(request, { onPrompt: () => true }))).code, "INVALID_INPUT");
  assert.equal((await failure(world.open({ onPrompt: "yes" }))).code, "INVALID_INPUT");
});

test("a question is answered by its id", async () => {
  const { request } = world;
  let answer = () => true;
  const told = [];
  const client = await world.open({ reference: false, onPrompt: (prompt) => (told.push(prompt), answer(prompt)) });
  try {
    const options = { slippageBps: 100, ...PACE };
    assert.equal((await failure(client.trade(request, options))).code, "PRICE_UNJUDGED");
    assert.deepEqual(world.prompts(TYPED), []);
    // The approval's prompt comes first, and has the question of its build.
    assert.deepEqual(told.map(({ purpose, questions }) => [purpose, questions.length]), [["approve", 1]]);
    answer = ({ questions }) => ({ accept: questions.map(({ id }) => id) });
    assert.equal((await client.trade(request, options)).order.status, "COMPLETED");
  } finally {
    client.close();
  }
});

test("an account that was switched while the user thought signs nothing", async () => {
  const { client, request, wallet, account } = world;
  world.answer = ({ purpose }) => {
    if (purpose === "order") wallet.accounts = [sandbox.config.accounts.find((other) => other !== account)];
    return true;
  };
  const build = await client.build(await client.quote(request), { slippageBps: 100 });
  await client.approve(build.approval);
  assert.equal((await failure(client.submit(build))).code, "WRONG_ACCOUNT");
  assert.deepEqual(world.prompts(TYPED), []);
});

test("a review says which prompts come, and those come", async () => {
  const { request, account } = world;
  const [chain] = sandbox.config.chains;
  for (const [more, promised, came] of [
    [{}, ["approve gas", "order"], ["approve", "order"]],
    [{ permit: "whenPossible" }, ["permit?", "approve gas?", "order"], ["permit", "order"]],
    [{ preSign: true }, ["approve gas", "presign gas"], ["approve", "presign"]],
  ]) {
    await sandbox.control("POST", "approve", { chainId: chain.chainId, token: request.srcToken, owner: account, amount: "0" });
    const told = [];
    // The last one is refused, so that each time all is still there.
    const onPrompt = ({ purpose }) => told.push(purpose) < came.length;
    const client = await world.open({ onPrompt });
    let steps;
    const onReview = (review) => ((steps = review.steps), true);
    assert.equal((await failure(client.trade(request, { slippageBps: 100, onReview, ...more }))).code, "USER_REJECTED");
    client.close();
    const words = steps.map(({ purpose, paysGas, isCertain }) => purpose + (paysGas ? " gas" : "") + (isCertain ? "" : "?"));
    assert.deepEqual([words, told], [promised, came]);
  }
});
