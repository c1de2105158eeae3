/**
 * How long a page stands still for the worst that fits into 2 MB: every filler of that size in every place of every
 * answer and argument. Whether it is taken or refused does not matter here; that it ends soon does. Runs in the page.
 */
import * as ours from "verified-swap";
import { explain, guard, init as initVerify, verifyOrder } from "verified-swap/verify";
import { CHAIN_ID, USDC, WETH } from "./orders.mjs";
import { deltaBlock } from "./paper-delta.mjs";
import { marketBlock } from "./paper-market.mjs";
import { BASE_URL } from "./paper-service.mjs";

/** A little below the largest answer that is read. */
const SIZE = 2_000_000;

/** As many values as are read of a text, a few less. */
const MOST = 130_000;

const filled = (piece) => Array(Math.floor(SIZE / (piece.length + 1))).fill(piece).join(",");
const counted = (piece) => Array.from({ length: Math.floor(SIZE / (piece(99_999).length + 1)) }, (_, at) => piece(at)).join(",");
/** A list of as many pieces of that many values each as are read, with blanks in between up to the size. */
function spread(piece, values) {
  const count = Math.floor(MOST / values);
  const blanks = " ".repeat(Math.max(0, Math.floor(SIZE / count) - piece.length - 1));
  return `[${Array(count).fill(piece + blanks).join(",")}]`;
}
/** An object as wide as they may be, its names all of one length and in the order that JavaScript does not keep. */
const WIDE = `{${Array.from({ length: 250 }, (_, at) => `"${999 - at}":0`).join(",")}}`;

/** JSON texts of 2 MB. */
const FILLERS = {
  "a number": "1".repeat(SIZE),
  "a decimal": `0.${"1".repeat(SIZE)}`,
  "a text": `"${"a".repeat(SIZE)}"`,
  "digits as text": `"${"9".repeat(SIZE)}"`,
  "zeros as text": `"${"0".repeat(SIZE)}"`,
  bytes: `"0x${"ab".repeat(SIZE / 2)}"`,
  escapes: `"${"\\n".repeat(SIZE / 2)}"`,
  "hidden characters": `"${"\u202e".repeat(SIZE / 3)}"`,
  numbers: `[${filled("1")}]`,
  "different numbers": `[${counted(String)}]`,
  texts: `[${filled('"a"')}]`,
  nulls: `[${filled("null")}]`,
  "as many numbers as are read": spread("1", 1),
  "as many texts as are read": spread('"aaaaaaaaaaaa"', 1),
  "as many lists as are read": spread("[]", 1),
  "as many objects as are read": spread('{"a":1}', 2),
  "as many deep lists as are read": spread("[".repeat(50) + "]".repeat(50), 50),
  "as many wide objects as are read": spread(WIDE, 251),
  lists: `[${filled("[]")}]`,
  "deep lists": `[${filled("[".repeat(50) + "]".repeat(50))}]`,
  objects: `[${filled('{"a":1}')}]`,
  "wide objects": `[${filled(WIDE)}]`,
  "a wide object of long names": `{${counted((at) => `"${"n".repeat(8_000)}${at}":1`)}}`,
  "one long name": `{"${"n".repeat(SIZE)}":1}`,
};

/** An object's text with a filler in place of the member at that path; the empty path is the whole. */
function within(object, path, filler) {
  if (path === "") return filler;
  const copy = structuredClone(object);
  const names = path.split(".");
  const last = names.pop();
  names.reduce((holder, name) => (holder[name] ??= {}), copy)[last] = "\u0000";
  return JSON.stringify(copy).replace('"\\u0000"', () => filler);
}

const AMOUNT = "100000000";
const REQUEST = { chainId: CHAIN_ID, srcToken: USDC, destToken: WETH, amount: AMOUNT, srcDecimals: 6, destDecimals: 18 };
const ACCOUNT = `0x${"11".repeat(20)}`;
const bridge = { protocol: "Across", estimatedTimeMs: 1, tags: [], contractParams: null };
const delta = deltaBlock(AMOUNT);
const quoted = { delta: { ...delta, alternatives: [delta.route], route: { ...delta.route, bridge: null } } };
const market = { market: { ...marketBlock(AMOUNT), others: null } };
const order = {
  id: "0b8d6f0a-8f0c-4b3e-8b0e-6a1f5d1c9a77", status: "COMPLETED", orderHash: `0x${"22".repeat(32)}`, owner: ACCOUNT,
  input: { amount: "1", executedAmount: "1" }, output: { minAmount: "1", executedAmount: "1" }, order: { srcToken: USDC, destAmount: "1" },
  transactions: [], createdAt: "2026-01-01T00:00:00.000Z",
};
const otc = {
  orderHash: `0x${"22".repeat(32)}`, state: "PENDING", maker: ACCOUNT, taker: ACCOUNT, makerAsset: USDC, takerAsset: WETH, makerAmount: "9",
  takerAmount: "9", expiry: "0", nonceAndMeta: "0", chainId: CHAIN_ID, signature: `0x${"33".repeat(65)}`, fillableBalance: "9",
};
const typed = {
  types: { A: [{ name: "x", type: "uint8" }, { name: "below", type: "A" }] }, primaryType: "A", domain: { name: "x" }, message: { x: 1 },
};

/** The question, the honest answer, and the places in it. */
const ANSWERS = [
  ["quote", (client) => client.quote(REQUEST), quoted, [
    "", "more", "fallbackReason", "delta", "delta.id", "delta.side", "delta.partner", "delta.partner.name", "delta.partner.feePercent", "delta.spender",
    "delta.alternatives", "delta.alternatives.0.bridge", "delta.alternatives.0.bridge.tags", "delta.route.fees", "delta.route.fees.gas",
    "delta.route.bridge", "delta.route.origin.input.amount", "delta.route.origin.input.amountUSD", "delta.route.origin.input.token.address",
  ]],
  ["quote, Market", (client) => client.quote({ ...REQUEST, mode: "MARKET" }), market, [
    "others", "market", "market.others", "market.bestRoute", "market.srcUSD", "market.gasCost", "market.partner", "market.partnerFee", "market.version",
    "market.contractMethod", "market.srcAmount", "fallbackReason",
  ]],
  ["order", (client) => client.order(order.id), order, ["", "status", "id", "orderHash", "owner", "order", "transactions"]],
  ["orders", (client) => client.orders({ account: ACCOUNT }), { data: [order], total: 1 }, ["", "data", "data.0", "data.0.order", "data.0.id", "total"]],
  ["otc.order", (client) => client.otc.order(otc.orderHash), otc, ["", "state", "signature", "makerAmount"]],
  ["otc.orders", (client) => client.otc.orders({ chainId: CHAIN_ID, maker: ACCOUNT }), { orders: [otc] }, ["orders", "orders.0", "total"]],
  ["info.chains", (client) => client.info.chains(), { chains: [1] }, ["", "chains"]],
  ["info.tokens", (client) => client.info.tokens({ chainId: CHAIN_ID }), { tokens: [{ symbol: "A", address: USDC, decimals: 6 }] }, ["", "tokens", "tokens.0"]],
  ["info.agents", (client) => client.info.agents({ chainId: CHAIN_ID }), { agents: [] }, ["", "agents"]],
  ["info.strategies", (client) => client.info.strategies({ chainId: CHAIN_ID }), { strategies: {} }, ["", "strategies"]],
  ["info.bridgeRoutes", (client) => client.info.bridgeRoutes(), { routes: [{ srcChainId: 1, destChainId: 2, tokens: [] }] }, ["", "routes", "routes.0.tokens"]],
  ["info.fillableBalance", (client) => client.info.fillableBalance({ chainId: CHAIN_ID, account: ACCOUNT }), { [USDC]: "1" }, ["", USDC]],
];

const object = (run) => (text) => {
  const value = JSON.parse(text);
  return () => run(value);
};
/** Functions of a value alone. `object` parses it beforehand. */
const ARGUMENTS = [
  ["hashTypedData, text", (text) => () => ours.hashTypedData(text), typed, ["", "types", "types.A", "types.A.0.type", "primaryType", "domain", "domain.name", "message", "message.x"]],
  ["hashTypedData", object(ours.hashTypedData), typed, ["", "types", "types.A", "types.A.0.name", "domain", "message", "message.x"]],
  ["summarizeOrder", object(ours.summarizeOrder), order, ["", "transactions", "input.amount", "order"]],
  ["summarizeOtcOrder", object(ours.summarizeOtcOrder), otc, ["", "state", "makerAmount"]],
  ["parseAddress", object(ours.parseAddress), null, [""]],
  ["parseUnits", object((value) => ours.parseUnits(value, 18)), null, [""]],
  ["formatUnits", object((value) => ours.formatUnits(value, 18)), null, [""]],
  ["compactSignature", object(ours.compactSignature), null, [""]],
  ["isTerminal", object(ours.isTerminal), null, [""]],
  ["verifyOrder", object(verifyOrder), { delta: {}, request: REQUEST, toSign: {} }, ["", "delta", "request", "request.srcSymbol", "toSign", "toSign.types"]],
];

const CONTEXT = { accounts: [ACCOUNT], chainId: CHAIN_ID, now: 1_800_000_000 };
/** A page's calls to a wallet, each of its places a filler's. */
const CALLS = [
  ["a message", { method: "personal_sign", params: ["hello", ACCOUNT] }, ["", "method", "params", "params.0", "params.1"]],
  ["typed data", { method: "eth_signTypedData_v4", params: [ACCOUNT, typed] }, ["params.1", "params.1.message", "params.1.types.A"]],
  ["typed data as text", { method: "eth_signTypedData_v4", params: [ACCOUNT, JSON.stringify(typed)] }, ["params.1"]],
  ["a transaction", { method: "eth_sendTransaction", params: [{ from: ACCOUNT, to: USDC, value: "0x0", data: "0x" }] }, ["params.0", "params.0.value", "params.0.data", "params.0.more", "params.1"]],
  ["a batch", { method: "wallet_sendCalls", params: [{ version: "2.0.0", from: ACCOUNT, chainId: "0x1", calls: [] }] }, ["params.0.calls", "params.0.capabilities"]],
];
/** Calls of a size of their own: more zeros than are read, in a list and in an object, and more calls. */
const OWN_SIZES = {
  "2 MB of zeros": () => Array(1_000_000).fill(0),
  "10 MB of zeros": () => Array(5_000_000).fill(0),
  "2 MB of names": () => Object.fromEntries(Array.from({ length: 200_000 }, (_, at) => [`n${at}`, 0])),
  "20,000 calls": () => [{ version: "2.0.0", from: ACCOUNT, chainId: "0x1", atomicRequired: true, calls: Array.from({ length: 20_000 }, () => ({ to: USDC, value: "0x0", data: "0x" })) }],
};
const REFUSED = ["TradeError", "ProviderRpcError"];
/** A wallet of one account behind a guard that agrees to nothing. */
const guarded = (request) => guard({ request: async ({ method }) => (method === "eth_chainId" ? "0x1" : [ACCOUNT]) }, { onPrompt: () => false, context: { now: CONTEXT.now }, request });

/** Values of a type that hold as much as fits into 2 MB. */
const VALUES = {
  "uint8[]": filled("1"), "string[]": filled('""'), "bytes[]": filled('"0x"'), "uint8[][]": filled("[]"), "A[]": filled('{"x":1}'),
  "bool[]": filled("true"), "int256[]": filled('"-1"'),
};

/** Types each of which leads to all that follow. */
function chained(members) {
  const name = (at) => `T${String(at).padStart(3, "0")}`;
  const types = {};
  for (let at = 0; at < 120; at++) {
    types[name(at)] = Array.from({ length: members }, (_, member) => ({ name: `${"m".repeat(90)}${member}`, type: `${name(Math.min(at + 1, 119))}[]` }));
  }
  return JSON.stringify({ types, primaryType: name(0), domain: {}, message: Object.fromEntries(types[name(0)].map((member) => [member.name, []])) });
}

/** Times them all, or the first filler in each place; the worst first: rows of `{ title, ms }`. */
export async function timeHostile({ once = false } = {}) {
  await Promise.all([ours.init(), initVerify()]);
  const fillers = Object.entries(FILLERS).slice(0, once ? 1 : Infinity);
  const rows = [];
  const timed = async (title, run) => {
    let [outcome, ms] = [null, Infinity];
    // Slowness may be the machine's: the best of three counts.
    for (let tries = 3; tries > 0 && ms > 50; tries--) {
      const start = performance.now();
      try {
        outcome = await run();
      } catch (error) {
        if (!REFUSED.includes(error?.name)) throw new Error(`${title}: ${error?.stack ?? error}`);
      }
      ms = Math.min(ms, performance.now() - start);
    }
    rows.push({ title, ms });
    return outcome;
  };
  for (const [name, prepare, honest, places] of ARGUMENTS) {
    for (const place of places) {
      for (const [filler, text] of fillers) await timed(`${name}: ${filler} as ${place || "the argument"}`, prepare(within(honest, place, text)));
    }
  }
  const asked = [undefined, { verifier: "verifyTransaction", input: { kind: "revocation", request: { chainId: 1, account: ACCOUNT, token: USDC, spender: WETH } } }];
  const judged = async (name, call) => {
    await timed(`explain: ${name}`, () => explain(call, CONTEXT));
    for (const request of asked) await timed(`guard${request ? ", with a request" : ""}: ${name}`, () => guarded(request).request(call));
  };
  for (const [name, honest, places] of CALLS) {
    for (const place of places) {
      for (const [filler, text] of fillers) await judged(`${filler} as ${place || "the call"} of ${name}`, JSON.parse(within(honest, place, text)));
    }
  }
  for (const [name, make] of Object.entries(OWN_SIZES)) await judged(name, { method: "wallet_sendCalls", params: make() });
  for (const [type, items] of Object.entries(VALUES)) {
    const text = within({ ...typed, types: { Root: [{ name: "x", type }], A: [{ name: "x", type: "uint8" }] }, primaryType: "Root" }, "message.x", `[${items}]`);
    await timed(`hashTypedData, text: values of ${type}`, () => ours.hashTypedData(text));
    const value = JSON.parse(text);
    await timed(`hashTypedData: values of ${type}`, () => ours.hashTypedData(value));
  }
  for (const members of [1, 120]) {
    const text = chained(members);
    await timed(`hashTypedData, text: types that lead to all others, ${members} members each`, () => ours.hashTypedData(text));
  }
  const { fetch, setTimeout } = globalThis;
  const said = { text: "", status: 200 };
  let isSaid = false;
  // Said once: what is asked again, after a pause that is not awaited here, stands still anew.
  globalThis.fetch = async () => {
    const { text, status } = isSaid ? { text: "{}", status: 400 } : said;
    isSaid = true;
    return new Response(text, { status, headers: { "content-type": "application/json" } });
  };
  globalThis.setTimeout = (callback, ms, ...rest) => setTimeout(callback, 0, ...rest);
  const asking = (ask) => () => {
    isSaid = false;
    return ask();
  };
  const client = await ours.createClient({ baseUrl: BASE_URL, account: ACCOUNT, advanced: { rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 } } });
  try {
    for (const [name, ask, honest, places] of ANSWERS) {
      for (const place of places) {
        for (const [filler, text] of fillers) {
          Object.assign(said, { text: within(honest, place, text), status: 200 });
          const title = `${name}: ${filler} as ${place || "the answer"}`;
          const answer = await timed(title, asking(() => ask(client)));
          said.text = "{}";
          if (name.startsWith("quote") && answer) await timed(`${title}, passed back`, () => client.build(answer, { slippageBps: 50 }));
        }
      }
    }
    for (const place of ["", "errorType", "details", "error"]) {
      for (const [filler, text] of fillers) {
        Object.assign(said, { text: within({ errorType: "X", details: "y" }, place, text), status: 400 });
        await timed(`refusal: ${filler} as ${place || "the answer"}`, asking(() => client.quote(REQUEST)));
      }
    }
    for (const [name, members] of [["alternatives", quoted.delta.route], ["alternatives, without anything", {}]]) {
      said.status = 200;
      said.text = within(quoted, "delta.alternatives", `[${filled(JSON.stringify(members))}]`);
      await timed(`quote: as many ${name} as fit`, asking(() => client.quote(REQUEST)));
    }
    said.text = within({ data: [] }, "data", `[${filled(JSON.stringify(order))}]`);
    await timed("orders: as many as fit", asking(() => client.orders({ account: ACCOUNT })));
    for (const names of [{ [`${"srcTokem".repeat(SIZE / 8)}`]: 1 }, Object.fromEntries(Array.from({ length: SIZE / 10 }, (_, at) => [`srcToke${at}`, 1]))]) {
      const request = { ...REQUEST, ...names };
      await timed("quote: misspelt members", () => client.quote(request));
    }
  } finally {
    Object.assign(globalThis, { fetch, setTimeout });
    client.close();
  }
  return rows.sort((one, other) => other.ms - one.ms);
}
