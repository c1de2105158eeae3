/** Mistakes of an app's author: the error names the member and what was meant, before a request leaves or a prompt opens. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { freshApp, run } from "./app.mjs";

const USDC = "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48";
const REQUEST = { chainId: 1, srcToken: USDC, destToken: "native", amount: "100", account: "0x4a62316623ad457F02cDC5D997deD67a383EC569" };

let [server, url] = [];
before(async () => {
  server = createServer((request, response) => {
    if (request.url.startsWith("/elsewhere")) return response.writeHead(404).end("<!doctype html><title>Not found</title>");
    response.writeHead(400, { "content-type": "application/json" });
    response.end(JSON.stringify({ errorType: "GasCostExceedsTradeAmount", details: "Gas cost exceeds trade amount" }));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const AWAIT = /`await` it first/;
const yes = "slippageBps: 50, onReview: () => true";
/** `[call, code, field, text]`: what an app writes, and what the error has. */
const MISTAKES = [
  ["createClient({ url: baseUrl })", "INVALID_INPUT", "options.url", /did you mean baseUrl\?/],
  ["createClient({ baseUrl, provider: wallet })", "INVALID_INPUT", "options.provider", /did you mean wallet\?/],
  ["createClient({ baseUrl, signer: wallet })", "INVALID_INPUT", "options.signer", /did you mean wallet\?/],
  ["createClient({ baseUrl, rpcUrl: {} })", "INVALID_INPUT", "options.rpcUrl", /did you mean rpc\?/],
  ["createClient(later({ baseUrl }))", "INVALID_INPUT", "options", AWAIT],
  ["createClient({ baseUrl, wallet: later(wallet) })", "INVALID_INPUT", "wallet", AWAIT],
  ["client.withWallet({ provider: wallet })", "INVALID_INPUT", "binding.provider", /did you mean wallet\?/],
  ["client.quote({ ...request, srcDecimals: 18 })", "INVALID_INPUT", "request.srcDecimals", /the token's own 6, got 18/],
  ["client.quote({ ...request, destDecimals: 6 })", "INVALID_INPUT", "request.destDecimals", /the token's own 18, got 6/],
  ["client.quote({ ...request, side: 'sell' })", "INVALID_INPUT", "request.side", /SELL or BUY, got "sell"/],
  ["client.quote({ ...request, mode: 'delta' })", "INVALID_INPUT", "request.mode", /ALL, DELTA or MARKET, got "delta"/],
  ["client.quote({ ...request, receiver: '0x12' })", "INVALID_INPUT", "request.receiver", /did you mean beneficiary\?/],
  ["client.quote({ ...request, tokenIn: 'native' })", "INVALID_INPUT", "request.tokenIn", /did you mean srcToken\?/],
  ["client.quote({ ...request, amount: later(1n) })", "INVALID_INPUT", "request.amount", AWAIT],
  ["client.quote(later(request))", "INVALID_INPUT", "request", AWAIT],
  ["client.quote(request, later({}))", "INVALID_INPUT", "options", AWAIT],
  ["client.quote(request, { signal: later() })", "INVALID_INPUT", "options.signal", AWAIT],
  ["client.quote(request, { onProgress: later() })", "INVALID_INPUT", "onProgress", AWAIT],
  ["client.build(later({}), { slippageBps: 50 })", "INVALID_INPUT", "quote", AWAIT],
  ["client.approve(later({}))", "INVALID_INPUT", "approval", AWAIT],
  ["client.submit(later({}))", "INVALID_INPUT", "build", AWAIT],
  ["client.wait(later({}))", "INVALID_INPUT", "order", AWAIT],
  ["client.allOrders(later({})).next()", "INVALID_INPUT", "filter", AWAIT],
  [`client.trade(later(request), { ${yes} })`, "INVALID_INPUT", "request", AWAIT],
  [`client.trade(request, later({ ${yes} }))`, "INVALID_INPUT", "options", AWAIT],
  ["client.trade(request, { slippageBps: 0.5, onReview: () => true })", "INVALID_INPUT", "options.slippageBps", /50 is 0\.5 %/],
  ["client.trade(request, { slippage: 50, onReview: () => true })", "INVALID_INPUT", "options.slippageBps", /basis points/],
  ["client.info.balance({ chainId: 1, token: 'native' })", "INVALID_INPUT", "query.account", /the wallet is locked, or not connected/],
  ["closed.quote(request)", "ABORTED", undefined, /the client is closed/],
  ["closed.trades.list()", "ABORTED", undefined, /the client is closed/],
  [`closed.trade(request, { ${yes} })`, "ABORTED", undefined, /the client is closed/],
  ["closed.watch('0x12').next()", "ABORTED", undefined, /the client is closed/],
  ["parseUnits('1,5', 6)", "INVALID_INPUT", "text", /a point, no comma: 1\.5/],
  ["parseUnits('1,500', 6)", "INVALID_INPUT", "text", /no comma/],
  ["parseUnits(later('1.5'), 6)", "INVALID_INPUT", "argument", AWAIT],
];
/** The same of what the service refuses. */
const REFUSED = [
  ["client.quote(request)", "NO_ROUTE", "request.amount", /asked for 100 raw units: 0\.0001 USDC$/],
  ["elsewhere.quote(request)", "SERVICE_REJECTED", "baseUrl", /is baseUrl right\? http.*\/elsewhere$/],
];

test("a mistake is named before a request leaves or a prompt opens; what the service refuses, with what was asked for", async () => {
  const folder = await freshApp("misuse", {
    "app.js": `import { createClient, parseUnits } from "verified-swap";
const [baseUrl, request, calls] = JSON.parse(process.argv[2]);
const asked = [];
const { fetch } = globalThis;
globalThis.fetch = (what, ...more) => {
  if (String(what?.url ?? what).startsWith("http")) asked.push("request");
  return fetch(what, ...more);
};
const wallet = { request: async ({ method }) => (method === "eth_accounts" || asked.push(method), []) };
const later = (value) => Promise.resolve(value);
const client = await createClient({ baseUrl, wallet });
const elsewhere = await createClient({ baseUrl: baseUrl + "/elsewhere", wallet });
const closed = await createClient({ baseUrl, wallet });
closed.close();
const failed = async (call) => {
  asked.length = 0;
  const work = new Function("createClient", "parseUnits", "client", "elsewhere", "closed", "wallet", "later", "request", "baseUrl", "return " + call);
  try {
    await work(createClient, parseUnits, client, elsewhere, closed, wallet, later, request, baseUrl);
  } catch ({ code, field, message, action }) {
    return { code, field, message, action, asked: [...asked] };
  }
};
const errors = [];
for (const call of calls) errors.push(await failed(call));
console.log(JSON.stringify(errors));
client.close();
elsewhere.close();
`,
  });
  const calls = [...MISTAKES, ...REFUSED].map(([call]) => call);
  const { stdout } = await run(folder, process.execPath, ["app.js", JSON.stringify([url, REQUEST, calls])]);
  const errors = JSON.parse(stdout);
  for (const [index, [call, code, field, text]] of [...MISTAKES, ...REFUSED].entries()) {
    const error = errors[index];
    assert.ok(error, `${call} went through`);
    assert.deepEqual([error.code, error.field], [code, field], `${call}: ${error.message}`);
    assert.match(error.message, text, call);
    if (index < MISTAKES.length) assert.deepEqual(error.asked, [], call);
  }
  assert.equal(errors[MISTAKES.length].action, "changeAmount");
});
