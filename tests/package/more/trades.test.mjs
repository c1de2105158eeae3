/** `trade` and `watchQuotes` against the real service and its chains, with a wallet whose prompts are counted. */
import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";
import { startSandbox } from "../sandbox.mjs";
import { fundedTrade } from "../trade.mjs";

const PACE = { intervalMs: 100, maxIntervalMs: 300 };
const agree = () => true;

let [library, sandbox] = [];
before(async () => {
  const folder = await freshApp("trades");
  library = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
  sandbox = await startSandbox();
});
after(() => sandbox?.stop());

let world;
beforeEach(async (t) => {
  await sandbox.control("POST", "reset");
  const trade = await fundedTrade(sandbox);
  const { settings } = trade;
  const { chainId } = settings;
  const prompts = [];
  const wallet = Object.assign(new EventEmitter(), {
    accounts: [settings.account],
    async request({ method, params }) {
      if (method === "eth_accounts") return wallet.accounts;
      await wallet.onRead?.();
      if (["eth_signTypedData_v4", "eth_sendTransaction"].includes(method)) prompts.push(method);
      return sandbox.rpc(chainId, method, params ?? []);
    },
  });
  const [chain] = sandbox.config.chains;
  const contracts = { [chainId]: { ...settings.contracts[chainId], router: chain.router } };
  const client = await library.createClient({ baseUrl: settings.baseUrl, wallet, rpc: { [chainId]: wallet }, contracts, advanced: { references: settings.references } });
  await sandbox.control("POST", "approve", { chainId, token: trade.source.address, owner: settings.account, amount: "0" });
  for (const spender of [chain.router])
    await sandbox.control("POST", "approve", { chainId, token: trade.source.address, owner: settings.account, amount: "0", spender });
  world = { ...trade, client, wallet, prompts, request: settings.request };
  t.after(() => {
    client.close();
    assert.deepEqual(wallet.eventNames(), [], "no listener is left at the wallet");
  });
});

const asked = async (endpoint) =>
  (await sandbox.control("GET", "record")).requests.filter((request) => request.endpoint === endpoint).length;
const failure = (promise) => promise.then(() => assert.fail("it was to fail"), (error) => error);
const spent = async () => world.before.source - (await world.held(world.source));
const TYPED = "eth_signTypedData_v4";
const SENT = "eth_sendTransaction";

test("a gasless trade is approved, signed, posted and followed, and every step is told once", async () => {
  const steps = [];
  const { client, request } = world;
  const trade = client.trade(request, { slippageBps: 100, onReview: agree, onProgress: (state) => steps.push(state.step), ...PACE });
  const { order, build, signedOrder, step } = await trade;
  assert.deepEqual([step, trade.state.message], ["done", "Done."]);
  assert.deepEqual([order.status, order.orderHash], ["COMPLETED", build.orderHash]);
  assert.equal(signedOrder.orderHash, build.orderHash);
  assert.deepEqual(world.prompts, [SENT, TYPED]);
  assert.equal(await spent(), BigInt(request.amount));
  const told = steps.filter((step, at) => step !== "following" || steps[at - 1] !== step);
  assert.deepEqual(told, [
    "quoting", "building", "reviewing", "checking", "approving", "confirming", "checking", "signing", "signed", "posting",
    "posted", "following", "done",
  ]);
  const waiting = steps.slice(steps.indexOf("signed"));
  assert.ok(!waiting.includes("signing"), "nobody is asked to sign after the signature");
});

test("who has less than it takes is told before the review, in units", async () => {
  const { client, request, settings, source } = world;
  const held = await client.info.balance({ chainId: settings.chainId, token: request.srcToken });
  for (const mode of ["DELTA", "MARKET"]) {
    const options = { slippageBps: 100, onReview: () => assert.fail("it was reviewed"), ...PACE };
    const error = await failure(client.trade({ ...request, mode, amount: BigInt(held) + 1n }, options));
    assert.deepEqual([error.code, error.step, error.actual], ["INSUFFICIENT_BALANCE", "building", held]);
    const units = (amount) => library.formatUnits(amount, source.decimals);
    assert.match(error.message, new RegExp(`takes ${units(BigInt(held) + 1n)} .*, the account has ${units(held)}$`));
  }
  assert.deepEqual(world.prompts, []);
});

test("the last words of a trade that ends unfilled are not that it is done", async () => {
  const { client, request } = world;
  const { destAmount } = await client.quote(request);
  let cancelled;
  const { order, step, message } = await client.trade(request, {
    limitAmount: (BigInt(destAmount) * 2n).toString(), onReview: agree, ...PACE,
    onProgress: ({ step, order }) => void (step === "following" && order && (cancelled ??= client.cancel(order))),
  });
  await cancelled;
  assert.deepEqual([step, order.status, message], ["done", "CANCELLED", "Ended before it was carried out in full."]);
});

test("a Market trade is sent and followed", async () => {
  const { client, request } = world;
  const { order, build } = await client.trade({ ...request, mode: "MARKET" }, { slippageBps: 100, onReview: agree, ...PACE });
  assert.deepEqual([build.kind, order.kind, order.status], ["market", "sent", "COMPLETED"]);
  assert.deepEqual(world.prompts, [SENT, SENT]);
  assert.equal(await spent(), BigInt(request.amount));
});

test("a limit order and one in slices are led through the same steps", async () => {
  const { client, request } = world;
  const quote = await client.quote(request);
  const limitAmount = library.minReceived(quote, 500);
  const limit = await client.trade(request, { limitAmount, onReview: agree, ...PACE });
  assert.deepEqual([limit.build.type, limit.order.status], ["LIMIT", "COMPLETED"]);
  const { source, settings } = world;
  await sandbox.control("POST", "faucet", { chainId: settings.chainId, address: settings.account, token: source.address, amount: request.amount });
  const abort = new AbortController();
  const sliced = client.trade({ ...request, numSlices: 2, intervalSecs: 60 }, {
    slippageBps: 100, onReview: agree, signal: abort.signal, onProgress: ({ step }) => step === "following" && abort.abort(), ...PACE,
  });
  const error = await failure(sliced);
  assert.deepEqual([error.code, error.step, error.signedOrder.orderHash], ["ABORTED", "following", sliced.state.order.orderHash]);
  assert.equal(sliced.state.build.orderKind, "TWAPOrder");
  // Its second slice, a minute later, would spend what another test is allowed.
  await client.cancel(sliced.state.order);
});

test("where the token takes a permit it is signed in place of the approval", async () => {
  const { client, request } = world;
  for (const permit of ["whenPossible", "eip2612"]) {
    world.prompts.length = 0;
    const told = [];
    const onProgress = ({ step }) => told.push(step);
    const { order } = await client.trade(request, { slippageBps: 100, permit, onReview: agree, onProgress, ...PACE });
    assert.equal(order.status, "COMPLETED");
    assert.deepEqual(world.prompts, [TYPED, TYPED]);
    const asked = told.filter((step, at) => ["reviewing", "permitting", "signing"].includes(step) && told[at - 1] !== step);
    assert.deepEqual(asked, ["reviewing", "permitting", "signing"], "the permit is told as such, after the review");
  }
});

/** The request with the sandbox's DAI for what is sold, which the account holds without an allowance. */
async function sellingDai() {
  const { request, settings } = world;
  const { chainId, account: address } = settings;
  const dai = sandbox.config.chains[0].tokens.find(({ kind }) => kind === "dai");
  const amount = (10n * 10n ** BigInt(dai.decimals)).toString();
  await sandbox.control("POST", "faucet", { chainId, address, token: dai.address, amount });
  for (const spender of [undefined, sandbox.config.chains[0].router])
    await sandbox.control("POST", "approve", { chainId, token: dai.address, owner: address, amount: "0", ...(spender && { spender }) });
  return { ...request, srcToken: dai.address, srcDecimals: dai.decimals, amount };
}

test("DAI is approved, and a permit that was chosen for it ends the trade before its prompt", async () => {
  const { client } = world;
  for (const mode of ["DELTA", "MARKET"]) {
    const request = { ...(await sellingDai()), mode };
    const error = await failure(client.trade(request, { slippageBps: 100, permit: "eip2612", onReview: agree }));
    assert.deepEqual([error.code, error.field, error.step, world.prompts], ["INVALID_INPUT", "options.kind", "reviewing", []]);
    const none = await failure(client.trade(request, { slippageBps: 100, permit: "dai", onReview: agree }));
    assert.deepEqual([none.code, none.field, world.prompts], ["INVALID_INPUT", "options.permit", []]);
    const { order } = await client.trade(request, { slippageBps: 100, permit: "whenPossible", onReview: agree, ...PACE });
    assert.equal(order.status, "COMPLETED");
    assert.deepEqual(world.prompts.splice(0), [SENT, mode === "MARKET" ? SENT : TYPED]);
  }
});

test("what is built with the permit and is not what was reviewed is approved as it was reviewed", async () => {
  const { client, request } = world;
  for (const [mode, kind] of [["DELTA", "minimum"], ["DELTA", "deadline"], ["MARKET", "marketReceiver"]]) {
    const { chainId, account: address } = world.settings;
    await sandbox.control("POST", "faucet", { chainId, address, token: request.srcToken, amount: request.amount });
    world.prompts.length = 0;
    let reviewed;
    const onReview = async ({ build }) => {
      reviewed = build;
      await sandbox.control("POST", "lie", { kind });
      return true;
    };
    const { order, build } = await client.trade({ ...request, mode }, { slippageBps: 100, permit: "whenPossible", onReview, ...PACE });
    await sandbox.control("POST", "lie", { kind: "none" });
    assert.deepEqual([order.status, build.sealed], ["COMPLETED", reviewed.sealed], kind);
    assert.deepEqual(world.prompts, [TYPED, SENT, mode === "MARKET" ? SENT : TYPED]);
  }
});

test("at a bad price no permit is asked for, and none reaches the service", async () => {
  const { client, request } = world;
  for (const mode of ["DELTA", "MARKET"]) {
    await sandbox.control("POST", "lie", { kind: "price", bps: 5_000 });
    const onReview = () => assert.fail("nothing is reviewed");
    const error = await failure(client.trade({ ...request, mode }, { slippageBps: 100, permit: "whenPossible", onReview }));
    assert.deepEqual([error.code, world.prompts], ["VERIFY_MISMATCH", []], mode);
  }
  const { requests } = await sandbox.control("GET", "record");
  for (const { body } of requests) assert.ok(!JSON.stringify(body ?? null).includes('"permit"'));
});

test("a token without a permit is approved", async () => {
  const { client, request, settings, destination } = world;
  const amount = (10n * 10n ** BigInt(destination.decimals)).toString();
  const { chainId, account: address } = settings;
  await sandbox.control("POST", "faucet", { chainId, address, token: destination.address, amount });
  await sandbox.control("POST", "approve", { chainId, token: destination.address, owner: address, amount: "0" });
  const [srcToken, srcDecimals, destToken, destDecimals] = [request.destToken, request.destDecimals, request.srcToken, request.srcDecimals];
  const back = { ...request, srcToken, srcDecimals, destToken, destDecimals, amount };
  const { order } = await client.trade(back, { slippageBps: 100, permit: "whenPossible", onReview: agree, ...PACE });
  assert.equal(order.status, "COMPLETED");
  assert.deepEqual(world.prompts, [SENT, TYPED]);
});

test("a double click is one review, one prompt, one order", async () => {
  const { client, wallet, request } = world;
  let reviews = 0;
  const options = () => ({ slippageBps: 100, onReview: () => ++reviews > 0, ...PACE });
  const [first, second] = [client.trade(request, options()), client.trade({ ...request }, options())];
  assert.equal(first, second);
  assert.equal(client.withWallet({ wallet }).trade(request, options()), first, "by way of another binding");
  const elsewhere = client.withWallet({ request: wallet.request }).trade(request, { ...options(), onReview: () => false });
  assert.notEqual(elsewhere, first);
  assert.equal((await failure(elsewhere)).code, "USER_REJECTED");
  await first;
  assert.deepEqual([reviews, world.prompts.filter((method) => method === TYPED).length, await asked("post")], [1, 1, 1]);
});

test("a trade that is declined asks the wallet for nothing", async () => {
  const { client, request } = world;
  const error = await failure(client.trade(request, { slippageBps: 100, onReview: ({ sentence }) => !sentence }));
  assert.deepEqual([error.code, error.step, world.prompts, await asked("post")], ["USER_REJECTED", "reviewing", [], 0]);
});

test("an error after the signature carries the order, which is posted later", async () => {
  const { client, request } = world;
  await sandbox.control("POST", "fault", { endpoint: "post", status: 400, errorType: "Invalid", times: 20 });
  const error = await failure(client.trade(request, { slippageBps: 100, onReview: agree, ...PACE }));
  assert.equal(error.step, "posting");
  await sandbox.control("POST", "fault", { endpoint: "post", times: 0 });
  const order = await client.wait(await client.submit(error.signedOrder), PACE);
  assert.equal(order.status, "COMPLETED");
  assert.equal(world.prompts.filter((method) => method === TYPED).length, 1);
});

test("the price on show is traded as it is, without another request for one", async () => {
  const { client, request } = world;
  const live = client.watchQuotes(request);
  let seen;
  for await (const { quote } of live) if ((seen = quote)) break;
  const before = await asked("quote");
  const { quote, order } = await client.trade(JSON.parse(JSON.stringify(seen)), { slippageBps: 100, onReview: agree, ...PACE });
  assert.deepEqual([quote.sealed, order.status, (await asked("quote")) - before], [seen.sealed, "COMPLETED", 0]);
});

test("a price that was superseded cannot be built, and a trade of it asks for another", async () => {
  const { client, request } = world;
  const live = client.watchQuotes(request);
  let old;
  for await (const { quote } of live) {
    if (!quote) continue;
    if (old) break;
    old = quote;
    live.update({ ...request, amount: (BigInt(request.amount) / 2n).toString() });
  }
  const kept = structuredClone(old);
  const error = await failure(client.build(kept, { slippageBps: 100 }));
  assert.deepEqual([error.code, error.actual], ["QUOTE_EXPIRED", "a newer request took its place"]);
  assert.equal(error.requote, true);
  const { quote } = await client.trade(kept, { slippageBps: 100, onReview: agree, ...PACE });
  assert.notEqual(quote.sealed, kept.sealed);
  assert.equal(await spent(), BigInt(request.amount));
});

test("a price that is taken back while it is built gives no build", async () => {
  const { client, wallet, request } = world;
  const live = client.watchQuotes(request);
  const quote = await new Promise((resolve) => live.subscribe(({ quote }) => quote && resolve(quote)));
  wallet.onRead = () => live.update(null);
  const error = await failure(client.build(quote, { slippageBps: 100 }));
  live.close();
  assert.deepEqual([error.actual, await asked("build")], ["a newer request took its place", 1]);
});

test("another account of the wallet is priced, reviewed and signed for in its place", async () => {
  const { client, wallet, request } = world;
  const [first, second] = sandbox.config.accounts;
  const other = await fundedTrade(sandbox, 1);
  const owners = [];
  const { build, order } = await client.trade(request, {
    slippageBps: 100,
    ...PACE,
    onReview({ build }) {
      owners.push(build.owner);
      if (owners.length === 2) return true;
      wallet.accounts = [second];
      wallet.emit("accountsChanged", [second]);
      return new Promise(() => {});
    },
  });
  assert.deepEqual([owners, build.owner, order.status], [[first, second], second, "COMPLETED"]);
  assert.equal((await other.held(other.source)) - other.before.source, -BigInt(request.amount));
  assert.equal(await spent(), 0n);
});

test("a live price tells what is refused and goes on; a closed client ends it", async () => {
  const { client, request } = world;
  await sandbox.control("POST", "fault", { endpoint: "quote", status: 404, errorType: "NoRoute", times: 1 });
  const live = client.watchQuotes(request);
  const codes = [];
  for await (const { error, quote, isFetching } of live) {
    if (error && !isFetching) codes.push(error.code), live.refresh();
    if (quote) client.close();
  }
  assert.equal(live.state.paused, "closed");
  assert.equal(codes.length, 1);
  const late = client.watchQuotes(request);
  await late.next();
  assert.deepEqual(await failure(client.trade(request, { slippageBps: 1, onReview: agree })).then(({ code }) => code), "ABORTED");
});

test("the journal is told again at each change, by its own client and by another one", async () => {
  const { client, request, settings, wallet } = world;
  const { baseUrl, chainId, contracts, references } = settings;
  const storage = new Map();
  const open = () => library.createClient({ baseUrl, wallet, rpc: { [chainId]: wallet }, contracts, advanced: { references }, storage });
  const [trading, looking] = await Promise.all([open(), open()]);
  const told = [[], []];
  const abort = new AbortController();
  const readings = [trading, looking].map(async (client, place) => {
    const options = place ? {} : { signal: abort.signal };
    for await (const trades of client.trades.watch({ account: settings.account }, options)) {
      const [state = "none"] = trades.map(({ state }) => state);
      if (told[place].at(-1) !== state) told[place].push(state);
    }
  }).map(failure);
  await trading.trade(request, { slippageBps: 100, onReview: agree, ...PACE });
  while (!told.every((states) => states.includes("ended"))) await new Promise((resolve) => setTimeout(resolve, 20));
  abort.abort();
  looking.close();
  assert.deepEqual(await Promise.all(readings).then((errors) => errors.map(({ code }) => code)), ["ABORTED", "ABORTED"]);
  trading.close();
  for (const states of told) {
    assert.equal(states[0], "none");
    assert.ok(states.includes("posted"), states.join());
  }
  await assert.rejects(client.trades.watch({ accounts: 1 }).next(), { code: "INVALID_INPUT", field: "filter.accounts" });
});
