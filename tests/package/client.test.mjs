/** The client as an app holds it: plain functions, errors that show the caller, and bindings that end by themselves. */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, before, test } from "node:test";
import { freshApp, run } from "./app.mjs";

const REQUEST = {
  chainId: 1, srcToken: "native", destToken: "0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", srcDecimals: 18, destDecimals: 6, amount: "1000",
};

let [server, url] = [];
let isHeld = false;
before(async () => {
  server = createServer((request, response) => {
    if (isHeld) return;
    if (request.url.includes("busy")) return refuse(request, response);
    if (request.url.includes("away")) return response.writeHead(302, { location: "/v2/delta/chains" }).end();
    response.setHeader("content-type", "application/json").end("[1]");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${server.address().port}`;
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Refuses for 40 s, by a clock that is an hour ahead, and shows that clock or not. */
function refuse(request, response) {
  const now = Date.now() + 3_600_000;
  const headers = { "retry-after": new Date(now + 40_000).toUTCString() };
  if (request.url.includes("shown")) headers.date = new Date(now).toUTCString();
  response.sendDate = false;
  response.writeHead(429, headers).end();
}

/** Runs `text` in an app with a client; what it returns. */
async function inApp(name, text) {
  const files = {
    "app.js": `import * as package_ from "verified-swap";
const { createClient } = package_;
const [baseUrl, request] = JSON.parse(process.argv[2]);
const failure = (work) => Promise.resolve().then(work).then(() => null, (error) => error);
const client = await createClient({ baseUrl });
const result = await (async () => { ${text} })();
client.close();
console.log(JSON.stringify(result));
`,
  };
  const folder = await freshApp(name, files);
  const { stdout } = await run(folder, process.execPath, ["app.js", JSON.stringify([url, REQUEST])]);
  return JSON.parse(stdout);
}

test("functions work when they are taken off the client, and nothing of the module is visible", async () => {
  const { chains, names, prototypes } = await inApp("client-plain", `
    const { close, info: { chains }, trades: { storage } } = client.withWallet({ account: request.destToken, wallet: { request() {} } });
    await storage();
    const all = [client, client.otc, client.trades, client.approvals, client.info];
    const isPlain = (one) => Object.getPrototypeOf(one) === Object.prototype;
    return { chains: await chains(), names: all.map((one) => Object.keys(one)), prototypes: all.map(isPlain) };
  `);
  assert.deepEqual(chains, [1]);
  assert.deepEqual(prototypes, Array(5).fill(true));
  assert.deepEqual(names.map(({ length }) => length), [23, 7, 6, 4, 12]);
  assert.deepEqual(names.flat().filter((name) => /wbg|ptr|free|invoke|follow/.test(name)), []);
});

test("an error's stack names the function of the app that called, and none of the package", async () => {
  const calls = {
    quote: "client.quote({})",
    withWallet: "client.withWallet({})",
    watchQuotes: "client.watchQuotes(7)",
    watch: "client.watch(7).next()",
    wait: "client.wait(7)",
    comparison: "client.quote({ mode: 'BOTH' })",
    trade: "client.trade({}, {})",
    createClient: "createClient({})",
    parseUnits: "package_.parseUnits('x', 6)",
    summarizeOrder: "package_.summarizeOrder(7)",
  };
  const stacks = await inApp("client-stacks", `
    const stacks = {};
    ${Object.entries(calls).map(([name, call]) => `
    async function by_${name}() { return await ${call}; }
    stacks.${name} = (await failure(by_${name}))?.stack;`).join("")}
    return stacks;
  `);
  for (const name of Object.keys(calls)) {
    const [head, ...frames] = (stacks[name] ?? "").split("\n");
    assert.match(head, /^TradeError: /, name);
    assert.match(frames[0], new RegExp(`at by_${name} .*app\\.js`), stacks[name]);
    assert.ok(!frames.some((frame) => /verified|wasm/.test(frame.replaceAll("/verified-swap/target", ""))), stacks[name]);
  }
});

test("an error is whole whatever the page makes of stacks", async () => {
  const errors = await inApp("client-no-stacks", `
    const errors = [];
    const tell = async () => {
      const { code, field, stack } = await failure(() => client.quote({}));
      errors.push([code, field, typeof stack]);
    };
    Error.stackTraceLimit = 0;
    await tell();
    Error.prepareStackTrace = () => [];
    await tell();
    Error.prepareStackTrace = undefined;
    return errors;
  `);
  assert.deepEqual(errors[0], ["INVALID_INPUT", "request.srcToken", "string"]);
  assert.deepEqual(errors[1].slice(0, 2), ["INVALID_INPUT", "request.srcToken"]);
});

test("an abort has the signal's reason as its cause", async () => {
  isHeld = true;
  const causes = await inApp("client-abort", `
    const causes = {};
    const calls = {
      quote: (signal) => client.quote(request, { signal }),
      watch: (signal) => client.watch("0x" + "11".repeat(32), { signal }).next(),
      trade: (signal) => client.trade(request, { slippageBps: 50, onReview: () => true, signal }),
    };
    for (const [name, call] of Object.entries(calls)) {
      const own = new AbortController();
      const failed = failure(() => call(own.signal));
      setTimeout(() => own.abort("the user left"), 50);
      const { code, cause } = await failed;
      causes[name] = [code, cause];
    }
    return causes;
  `);
  isHeld = false;
  for (const [name, found] of Object.entries(causes)) assert.deepEqual(found, ["ABORTED", "the user left"], name);
});

test("close of a binding ends its own calls and those of its bindings, and no other", async () => {
  isHeld = true;
  const ended = await inApp("client-bindings", `
    const wallet = { request: async () => [] };
    const first = client.withWallet({ wallet });
    const second = first.withWallet({ wallet });
    const [own, others, below] = [client, first, second].map((one) => failure(() => one.quote(request)));
    const live = second.watchQuotes(request);
    let isOver = false;
    own.then(() => (isOver = true));
    first.close();
    const codes = [(await others).code, (await below).code, (await failure(() => second.quote(request))).code, live.state.paused, isOver];
    client.close();
    return [...codes, (await own).code];
  `);
  isHeld = false;
  assert.deepEqual(ended, ["ABORTED", "ABORTED", "ABORTED", "closed", false, "ABORTED"]);
});

test("a trade of a closed binding is not joined by the next one", async () => {
  isHeld = true;
  const seen = await inApp("client-rebound", `
    const wallet = { request: async () => [] };
    const options = { slippageBps: 50, onReview: () => true };
    const [first, second] = [client.withWallet({ wallet }), client.withWallet({ wallet })];
    const trades = [first.trade(request, options), second.trade(request, options)];
    const ended = failure(() => trades[0]);
    first.close();
    const third = second.trade(request, options);
    const others = failure(() => third);
    const code = (await ended).code;
    client.close();
    return [trades[0] === trades[1], third === trades[0], code, (await others).code];
  `);
  isHeld = false;
  assert.deepEqual(seen, [true, false, "ABORTED", "ABORTED"]);
});

test("a promise that nobody awaited is named as such", async () => {
  const message = await inApp("client-promise", "return (await failure(() => client.build(failure(() => {}), {}))).message;");
  assert.match(message, /^quote: expected plain data, got a promise: `await` it first$/);
});

test("options that are undefined are options that are left out", async () => {
  const codes = await inApp("client-undefined", `
    const one = await createClient({ baseUrl, partner: undefined, wallet: undefined, account: undefined, rpc: undefined, storage: undefined,
      advanced: { rateLimit: { perSecond: undefined, burst: undefined }, batch: undefined }, onEvent: undefined, reference: undefined });
    const { code, field } = await failure(() => one.quote({ ...request, mode: undefined, side: undefined, account: undefined }, { signal: undefined, form: undefined }));
    one.close();
    return [code, field];
  `);
  assert.equal(codes[0], "SERVICE_MALFORMED", codes.join());
});

test("a redirect is refused, whoever sends it", async () => {
  const found = await inApp("client-redirect", `
    const one = await createClient({ baseUrl: baseUrl + "/away" });
    const { code, cause } = await failure(() => one.info.chains());
    one.close();
    return [code, cause.message];
  `);
  assert.equal(found[0], "NETWORK");
  assert.match(found[1], /redirect/);
});

test("a pause that ends at a date is counted from the answer's own, and bounded where that is not to be seen", async () => {
  const found = await inApp("client-pause", `
    const paths = ["/busy/shown", "/busy"];
    const clients = await Promise.all(paths.map((path) => createClient({ baseUrl: baseUrl + path })));
    const errors = await Promise.all(clients.map((one) => failure(() => one.info.chains())));
    clients.forEach((one) => one.close());
    return errors.map(({ code, retryAfterSecs }) => [code, retryAfterSecs]);
  `);
  assert.deepEqual(found, [["RATE_LIMITED", 40], ["RATE_LIMITED", 300]]);
});
