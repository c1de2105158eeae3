/**
 * Answers of the calls, against the published types: each answer is written down as a literal of its type, which
 * TypeScript refuses where a member is missing, of another type, or not published.
 */
import { test } from "node:test";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { writeFileSync } from "node:fs";
import { freshApp, run } from "../app.mjs";
import { ROOT } from "../locations.mjs";
import { startSandbox } from "../sandbox.mjs";

const OPTIONS = {
  strict: true, exactOptionalPropertyTypes: true, noEmit: true, skipLibCheck: false, types: [], lib: ["es2022", "dom"],
  target: "es2022", module: "nodenext", moduleResolution: "nodenext",
};
const PACE = { intervalMs: 50, maxIntervalMs: 200 };

test("the calls answer what index.d.ts publishes", async (t) => {
  const config = JSON.stringify({ compilerOptions: OPTIONS, files: ["answers.ts"] });
  const folder = await freshApp("answers", { "tsconfig.json": config });
  const library = await import(pathToFileURL(join(folder, "node_modules/verified-swap/node.js")));
  const verify = await import(pathToFileURL(join(folder, "node_modules/verified-swap/verify-node.js")));
  await verify.init();
  const sandbox = await startSandbox();
  t.after(() => sandbox.stop());
  const answers = [];
  await trades(library, verify, sandbox, (type, value) => {
    answers.push([type, value]);
    return value;
  });
  const lines = answers.map(([type, value], index) => `export const answer${index}: ${type} = ${JSON.stringify(value)};`);
  const published = [...new Set(answers.flatMap(([type]) => type.match(/\b[A-Z]\w+/g) ?? []))].filter((name) => !BUILT_IN.has(name));
  const [own, checks] = [published.filter((name) => !OF_CHECKS.has(name)), [...OF_CHECKS]].map((names) => names.join(", "));
  const imports = `import type { ${own} } from "verified-swap";\nimport type { ${checks} } from "verified-swap/verify";\n`;
  writeFileSync(join(folder, "answers.ts"), `${imports}${lines.join("\n")}\n`);
  await run(folder, process.execPath, [join(ROOT, "node_modules/typescript/bin/tsc"), "--project", "."]);
});

const BUILT_IN = new Set(["Omit", "Record"]);
/** The types of the checks alone. */
const OF_CHECKS = new Set(["VerifyOrderInput", "VerifyReport"]);

/** Replaces every bigint by its decimal text. */
const plain = (value) => JSON.parse(JSON.stringify(value, (name, one) => (typeof one === "bigint" ? String(one) : one)));

/** Trades in every way, and passes each answer to `note`. */
async function trades(library, verify, sandbox, note) {
  const { chains, accounts } = sandbox.config;
  const [chain, elsewhere] = chains;
  const { chainId } = chain;
  const [account, taker] = accounts;
  const token = (symbol, on = chain) => on.tokens.find((one) => one.symbol === symbol);
  const units = (amount, { decimals }) => BigInt(amount) * 10n ** BigInt(decimals);
  const [usdc, dai, weth] = ["USDC", "DAI", "WETH"].map((symbol) => token(symbol));
  const fund = (owner, which, amount) =>
    sandbox.control("POST", "faucet", { chainId, address: owner, token: which.address, amount: units(amount, which).toString() });
  for (const one of [usdc, dai, weth]) await fund(account, one, 10_000);
  await fund(taker, dai, 10_000);
  const contracts = Object.fromEntries(
    chains.map(({ chainId, delta, wrappedNative, router, rfq }) => [chainId, { delta, wrappedNative, router, rfq }]),
  );
  const references = Object.fromEntries(chains.map(({ chainId, references }) => [chainId, references]));
  const clientOf = (owner) => {
    const request = async ({ method, params }) =>
      method === "eth_accounts" ? [owner] : sandbox.rpc(chainId, method, params);
    return library.createClient({
      baseUrl: sandbox.url, contracts, account: owner, wallet: { request }, onEvent: (event) => note("ClientEvent", event),
      rpc: Object.fromEntries(chains.map(({ chainId, rpc }) => [chainId, sandbox.url + rpc])),
      advanced: { references, bridgeTokens: sandbox.config.bridgeTokens, rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 } },
    });
  };
  const client = await clientOf(account);
  const onProgress = (progress) => note("Progress", progress);
  const pair = { chainId, srcToken: usdc.address, destToken: dai.address, srcDecimals: usdc.decimals, destDecimals: dai.decimals };
  const request = { ...pair, amount: units(100, usdc) };
  const failed = async (promise) => {
    try {
      await promise;
    } catch (error) {
      return note("TradeError", { ...error, name: error.name, message: error.message });
    }
    throw new Error("it was to fail");
  };

  /** The same order once more by the checks alone, as another SDK would have it in hand. */
  const verified = (quote, build, asked, terms) => {
    const { domain, types, message: value } = build.typedData;
    const advanced = { ...plain(asked).advanced, ...plain(terms).advanced };
    const request = { ...plain(asked), ...plain(terms), advanced, account };
    const input = { request, quote: library.rawQuote(quote), toSign: { domain, types, value }, orderHash: build.orderHash, contracts };
    note("VerifyReport", verify.verifyOrder(note("VerifyOrderInput", input)));
    return input;
  };

  // Gasless: now, resting, in slices, to another chain, by a permit, for another contract.
  const quote = note("DeltaQuote", await client.quote(request));
  const build = note("DeltaBuild", await client.build(quote, { slippageBps: 100 }));
  const unapproved = await failed(client.submit(build));
  if (unapproved.code !== "INSUFFICIENT_ALLOWANCE") throw new Error(`refused with ${unapproved.code}`);
  note("ApprovalResult", await client.approve(build.approval, { amount: "unlimited", onProgress }));
  const order = note("Order", await client.submit(build, { onProgress }));
  const done = note("Order", await client.wait(order, PACE));
  const live = client.watchQuotes({ ...request, amount: units(50, usdc) });
  for await (const state of live) if (note("Omit<QuoteState, 'request'>", { ...state, request: undefined }).quote) break;
  const onReview = ({ signal, ...review }) => Boolean(note("Omit<Review, 'signal'>", review));
  const onState = (state) => note("TradeProgress", state);
  const led = client.trade(live.state.quote, { slippageBps: 100, onReview, onProgress: onState, ...PACE });
  note("FinishedTrade", await led);
  note("OrderSummary", library.summarizeOrder(done));
  note("OrderPage", await client.orders({}));
  const buying = { ...pair, side: "BUY", amount: units(100, dai), advanced: { srcPriceUsd: "1", destPriceUsd: "1" }, partner: "shop" };
  const priced = note("DeltaQuote", await client.quote(buying));
  const limit = { limitAmount: units(50, usdc) };
  const resting = note("DeltaBuild", await client.build(priced, limit));
  verified(priced, resting, buying, limit);
  const parts = { ...limit, partiallyFillable: true };
  verified(priced, note("DeltaBuild", await client.build(priced, parts)), buying, parts);
  const open = note("Order", await client.submit(resting));
  note("OrderSummary", library.summarizeOrder(open));
  note("TransactionBuild", await client.buildCancellation(open));
  note("{ orderIds: string[] }", await client.cancel(open, { onProgress }));
  for (const side of ["SELL", "BUY"]) {
    const amount = side === "SELL" ? units(100, usdc) : units(100, dai);
    const slicing = { ...pair, amount, side, numSlices: 3, intervalSecs: 60 };
    const sliced = note("DeltaQuote", await client.quote(slicing));
    note("{ index: number; notBefore: number; amount: Amount }[]", library.twapSchedule(sliced.twap, 1_000));
    const options = side === "SELL" ? { slippageBps: 200 } : { maxSrcAmount: units(103, usdc) };
    const slices = note("DeltaBuild", await client.build(sliced, options));
    verified(sliced, slices, slicing, options);
    note("OrderSummary", library.summarizeOrder(note("Order", await client.submit(slices))));
  }
  const [there] = elsewhere.tokens.filter(({ symbol }) => symbol === "USDC");
  const crossing = { ...request, destToken: there.address, destDecimals: there.decimals, destChainId: elsewhere.chainId };
  crossing.advanced = { bridgeTokens: sandbox.config.bridgeTokens };
  const bridged = note("DeltaQuote", await client.quote(crossing));
  const leaving = note("DeltaBuild", await client.build(bridged, { slippageBps: 100 }));
  verified(bridged, leaving, crossing, { slippageBps: 100 });
  note("OrderSummary", library.summarizeOrder(note("Order", await client.submit(leaving, { accept: leaving.report.questions.map(({ id }) => id) }))));
  await sandbox.control("POST", "approve", { chainId, token: usdc.address, owner: account, spender: chain.delta, amount: "0" });
  const permit = note("Permit", await client.signPermit(quote, { kind: "eip2612", onProgress }));
  const again = await client.quote(request);
  const permitted = note("DeltaBuild", await client.build(again, { slippageBps: 100, permit }));
  const { sealed, ...foreign } = permit;
  verified(again, permitted, request, { slippageBps: 100, permit: foreign });
  await sandbox.control("POST", "approve", { chainId, token: usdc.address, owner: account, spender: chain.depository, amount: units(1_000, usdc).toString() });
  const advanced = { external: { handler: chain.depository, data: "0xabcd" }, metadata: "0x99", takeSurplus: false, capSurplus: true };
  const external = { slippageBps: 100, advanced };
  verified(again, note("DeltaBuild", await client.build(again, external)), request, external);
  const wrapped = { ...request, srcToken: weth.address, srcDecimals: weth.decimals, amount: units(1, weth) };
  await failed(client.signPermit(await client.quote(wrapped), { kind: "permit2Allowance" }));

  // Market, and both at once.
  note("Comparison", await client.quote({ ...request, mode: "BOTH" }));
  const market = note("MarketQuote", await client.quote({ ...request, mode: "MARKET", advanced: { market: { otherExchangePrices: true } } }));
  const transaction = note("MarketBuild", await client.build(market, { slippageBps: 100 }));
  await client.approve(transaction.approval);
  const sent = note("SentTransaction", await client.submit(transaction, { onProgress }));
  note("SentTransaction", await client.wait(sent, PACE));
  note("MarketBuild", await client.build({ ...request, mode: "MARKET" }, { slippageBps: 100, minReceived: 1n }));

  // OTC.
  const time = Number((await sandbox.rpc(chainId, "eth_getBlockByNumber", ["latest", false])).timestamp);
  const decimals = { makerDecimals: usdc.decimals, takerDecimals: dai.decimals };
  const amounts = { makerAmount: units(10, usdc), takerAmount: units(9, dai) };
  const offer = { chainId, makerAsset: usdc.address, takerAsset: dai.address, ...amounts, ...decimals, expiry: time + 3600 };
  const offered = note("OtcBuild", await client.otc.build(offer));
  await client.approve(offered.approval);
  const posted = note("OtcOrder", await client.submit(offered, { onProgress }));
  note("OtcOrderSummary", library.summarizeOtcOrder(posted));
  note("OtcOrder", await client.otc.order(posted.orderHash));
  note("OtcPage", await client.otc.orders({ chainId }));
  const fill = note("TransactionBuild", await (await clientOf(taker)).otc.buildFill(posted, decimals));
  note("Approval", fill.approval);
  note("TransactionBuild", await client.otc.buildCancellation(posted));

  // Readings.
  note("Amount", await client.info.balance({ chainId, token: usdc.address }));
  note("Amount", await client.approvals.allowance({ chainId, token: usdc.address }));
  note("Amount", await client.approvals.needed({ chainId, token: usdc.address, amount: 1n }));
  note("Record<Address, Amount>", await client.info.fillableBalance({ chainId }));
  note("Record<Address, Amount>", await client.otc.fillableBalance({ chainId }));
  note("number[]", await client.info.chains());
  note("TokenList", await client.info.tokens({ chainId }));
  note("TokenCategory[]", await client.info.tokenCategories());
  note("boolean", await client.info.isTokenSupported({ chainId, token: usdc.address }));
  note("string[]", await client.info.agents({ chainId }));
  note("Record<Address, TokenStrategies>", await client.info.strategies({ chainId }));
  note("BridgeRoute[]", await client.info.bridgeRoutes());
  note("BridgeProtocol[]", await client.info.bridgeProtocols());
  const { deadline, nonce, minReceived, maxSpent } = build;
  const input = verified(quote, build, request, { slippageBps: 100, deadline, nonce, minReceived, maxSpent });
  input.toSign.value = { ...input.toSign.value, nonce: "1" };
  await failed(Promise.resolve().then(() => verify.verifyOrder(input)));
  await failed(client.order("00000000-0000-4000-8000-000000000000"));
  await failed(client.quote({ ...request, amount: 0n }));
  client.close();
}
