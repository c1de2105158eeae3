/** The orders of examples/sdk-verify, checked, against the sandbox: the operator's SDK, and versions of it that lie. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { hashTypedData, http } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ROOT } from "../package/locations.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { copyOf } from "./example.mjs";
import { LIES, THIEF, countLines, lying, posted as postedAt, run as runOf } from "./sdk-lies.mjs";

let sandbox, folder, trade, walletOf, verify;
before(async () => {
  [sandbox, folder] = await Promise.all([startSandbox(), copyOf("sdk-verify")]);
  const own = (path) => import(pathToFileURL(join(folder, path)));
  [{ trade }, { walletOf }, verify] = await Promise.all([own("checked.mjs"), own("shared.mjs"), own("node_modules/verified-swap/verify-node.js")]);
  await verify.init();
});
after(() => sandbox?.stop());

const run = (settings, input) => runOf({ sandbox, folder, script: "checked.mjs" }, settings, input);
const posted = () => postedAt(sandbox);

test("a trade settles at a price that the caller knows; at one that nobody knows, after a yes", async () => {
  const [{ address }] = sandbox.accounts;
  const [usdc, weth] = await Promise.all(["USDC", "WETH"].map((symbol) => sandbox.balance(address, symbol)));
  const known = await run({ REFERENCE: String(1 / 3000) });
  assert.equal(known.code, 0, known.said);
  assert.match(known.said, /^Sell 100 USDC .* for at least 0\.03\d* WETH .*\nThe order ended: EXECUTED\.\n$/);
  assert.equal(usdc - (await sandbox.balance(address, "USDC")), 100_000_000n);
  assert.ok((await sandbox.balance(address, "WETH")) > weth);

  for (const answer of ["", "n\n"]) {
    const { code, said } = await run({}, answer);
    assert.notEqual(code, 0);
    assert.match(said, /Not agreed to: /);
  }
  assert.equal(await posted(), 1);
  const agreed = await run({}, "y\n");
  assert.equal(agreed.code, 0, agreed.said);
  assert.equal(await posted(), 2);
});

test("the check takes at most 15 lines", () => {
  countLines(readFileSync(join(folder, "checked.mjs"), "utf8"), "check", /await check\(/);
});

/**
 * A trade of the example by an SDK of the test's, and an account that shows what it was asked to sign. `change` alters what
 * the SDK hands over.
 */
async function attempt({ change = (built) => built, more = {}, known = {} } = {}) {
  const pair = sandbox.request("USDC", "WETH", "100");
  const { contracts, rpc } = sandbox.clientOptions;
  const signed = [];
  const key = privateKeyToAccount(sandbox.accounts[1].privateKey);
  const told = (name) => (what) => (signed.push(name), key[name](what));
  const account = { ...key, ...Object.fromEntries(["sign", "signMessage", "signTransaction", "signTypedData"].map((name) => [name, told(name)])) };
  const honest = constructSimpleSDK({ chainId: pair.chainId, fetch, apiURL: sandbox.url });
  const sdk = { delta: { ...honest.delta, buildDeltaOrder: async (terms) => change(await honest.delta.buildDeltaOrder(terms)) } };
  const wallet = walletOf(account, pair.chainId, http(rpc[pair.chainId]));
  const stated = { account: key.address, slippageBps: 50, deadline: Math.floor(Date.now() / 1_000) + 600, nonce: String(Date.now()) };
  const asked = [];
  const agree = async (text) => (asked.push(text), false);
  const before = await posted();
  const { srcDecimals, destDecimals } = pair;
  const reference = { src: pair.srcToken, dest: pair.destToken, price: "0.000333" };
  const judged = { contracts, reference, readings: { srcDecimals, destDecimals }, ...known };
  const request = { ...pair, ...stated, ...more, advanced: { metadata: "0x", ...more?.advanced } };
  const input = { sdk, wallet, request, known: judged, agree };
  const ended = await trade(input).then((order) => ({ order }), (error) => ({ error }));
  return { ...ended, signed, asked, count: (await posted()) - before };
}

/** Refused before the key was asked for anything. Returns code and field. */
async function refused(how, what) {
  const { error, signed, count } = await attempt(how);
  assert.deepEqual([signed, count], [[], 0], `${what}: ${error}`);
  assert.ok(verify.isTradeError(error), `${what}: ${error?.stack}`);
  return `${error.code} ${error.field}`;
}

for (const lie of LIES) {
  const [what, , , expected] = lie;
  test(`the service lies: ${what}`, async () => assert.equal(await lying(sandbox, lie, refused), expected));
}

test("docs/doors.md has each of these lies", () => {
  const page = readFileSync(join(ROOT, "docs/doors.md"), "utf8").split("\n## With the SDK on npm\n")[1];
  const rows = [...page.matchAll(/^\| (.+) \| (\w+) `(.+)` \|$/gm)].map(([, what, code, field]) => [what, `${code} ${field}`]);
  assert.deepEqual(rows, LIES.map(([what, , , expected]) => [what, expected]));
});

test("the service lies: a price that is 20 % worse is refused by the caller's own, and without one is a question", async () => {
  await sandbox.control("POST", "lie", { kind: "price" });
  assert.equal(await refused(), "VERIFY_MISMATCH quote.price");
  const { error, asked, signed } = await attempt({ known: { reference: undefined } });
  assert.deepEqual([asked.length, signed], [1, []]);
  assert.match(error.message, /Not agreed to/);
  // Another contract in the price is nowhere in what this SDK hands over: it asks for the contracts by themselves.
  await sandbox.control("POST", "lie", { kind: "spender" });
  assert.equal((await attempt()).order?.status, "EXECUTED");
  await sandbox.control("POST", "lie", { kind: "none" });
});

/** Each copy of a value with one leaf of it changed, with its path. */
function* altered(value, path = "") {
  for (const [name, member] of Object.entries(value)) {
    const put = (changed) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed });
    const here = path ? `${path}.${name}` : name;
    if (typeof member === "object") for (const [where, changed] of altered(member, here)) yield [where, put(changed)];
    else for (const changed of others(here, member)) yield [here, put(changed)];
  }
}

/** Other values of the same form: the next, and one far off. For the least to be received a lower one: more is no harm. */
function others(path, value) {
  if (path === "data.destAmount") return [BigInt(value) - 1n, BigInt(value) / 10n].map(String);
  if (typeof value === "number") return [value + 1, value === 0 ? 2 : value * 2];
  if (/^\d+$/.test(value)) return [BigInt(value) + 1n, BigInt(value) * 10n, BigInt(value) / 10n].map(String);
  if (/^0x[\da-fA-F]{40}$/.test(value)) return [THIEF];
  if (/^0x/.test(value)) return [value === "0x" ? "0x01" : value.replace(/.$/, "1")];
  return [`${value}x`];
}

test("a compromised SDK: each value changed between build and signature is refused before anything is signed", async () => {
  let honest;
  await attempt({ change: (built) => ((honest = structuredClone(built)), { ...built, domain: { ...built.domain, name: "" } }) });
  const paths = new Set();
  for (const [path] of altered(honest)) paths.add(path);
  for (const path of paths) {
    const changes = [...altered(honest)].filter(([where]) => where === path).length;
    for (let at = 0; at < changes; at += 1) {
      const change = (built) => [...altered(built)].filter(([where]) => where === path)[at][1];
      assert.match(await refused({ change }, path), /^(VERIFY_MISMATCH|SERVICE_MALFORMED) /, path);
    }
  }
  assert.equal(Object.keys(honest.data).filter((name) => [...paths].some((path) => path.startsWith(`data.${name}`))).length, 14);
  assert.ok(paths.size > 50, `${paths.size} values`);
});

test("a compromised SDK: what it says the second time does not matter", async () => {
  let reads = 0;
  const { order, signed } = await attempt({
    change: ({ data, ...rest }) => ({
      ...rest,
      data: Object.defineProperty({ ...data }, "beneficiary", { enumerable: true, get: () => (reads++ ? THIEF : data.owner) }),
    }),
  });
  assert.equal(order?.status, "EXECUTED");
  assert.equal(order.order.beneficiary, sandbox.accounts[1].address);
  assert.ok(signed.includes("signTypedData"));
});

test("who gets the fee that was agreed to is the service's to say, unless the caller names it", async () => {
  const theirs = (built) => {
    const fee = BigInt(built.data.partnerAndFee) & ((1n << 96n) - 1n);
    return { ...built, data: { ...built.data, partnerAndFee: String((BigInt(THIEF) << 96n) | fee) } };
  };
  assert.equal((await attempt({ change: theirs })).order?.status, "EXECUTED");
  const { partnerAddress } = await fetch(`${sandbox.url}/prices/partnerfee/31337/?partner=anon`).then((answer) => answer.json());
  assert.equal(await refused({ change: theirs, more: { partnerAddress } }), "VERIFY_MISMATCH order.partnerAndFee.partner");
  assert.equal((await attempt({ more: { partnerAddress } })).order?.status, "EXECUTED");
});

/** The SDK's other kinds, each with what it hands over: `[request, price, built]`. */
async function kinds() {
  const [{ address: owner }, , , { address: partnerAddress }] = sandbox.accounts;
  const [{ depository: handler, chainId }] = sandbox.chains;
  const options = { chainId, fetch, apiURL: sandbox.url };
  const { delta } = constructSimpleSDK(options, { viemClient: {}, account: owner });
  const stated = { nonce: String(Date.now()) };
  const timed = { ...stated, deadline: Math.floor(Date.now() / 1_000) + 600 };
  const slippage = 50;

  /** By the pair, the amount that is priced, and more for the request, for the build, and for the price it is given. */
  const built = async ([src, dest, whole], { more = {}, build = {}, amount, side = "SELL", by = "buildDeltaOrder", at = timed, passed = {} } = {}) => {
    const { amount: sold, srcSymbol, destSymbol, ...pair } = sandbox.request(src, dest, whole);
    const { partner, partnerFeeBps } = more;
    const price = await delta.getDeltaPrice({ ...pair, amount: amount ?? sold, side, userAddress: owner, partner, partnerFeeBps });
    const fixed = side === "SELL" ? { srcAmount: sold } : { destAmount: amount };
    const free = by === "buildTWAPDeltaOrder" ? {} : fixed;
    const deltaPrice = { ...price, ...passed };
    const toSign = await delta[by]({ owner, srcToken: pair.srcToken, destToken: pair.destToken, slippage, deltaPrice, ...at, ...free, ...build });
    const request = { ...pair, amount: amount ?? sold, side, account: owner, slippageBps: slippage, ...at, ...more, advanced: { metadata: "0x", ...more.advanced } };
    return [request, price, toSign];
  };

  const slices = { numSlices: 3, intervalSecs: 300 };
  const twap = { numSlices: 3, interval: 300 };
  const eth = "100000000000000000";
  const fee = { partner: "shop", partnerFeeBps: 30 };
  const [limit, above] = ["30000000000000000", "40000000000000000"];
  return {
    "a sale for the native token": await built(["USDC", "ETH", "100"]),
    "a purchase": await built(["USDC", "WETH", "100"], { amount: eth, side: "BUY" }),
    "a partner's fee": await built(["USDC", "WETH", "100"], { more: { ...fee, partnerAddress }, build: { ...fee, partnerAddress } }),
    "a partner's share of the surplus": await built(["USDC", "WETH", "100"], {
      more: { partner: "shop", partnerAddress, advanced: { takeSurplus: true } }, build: { partner: "shop", partnerAddress, partnerTakesSurplus: true },
    }),
    "a limit": await built(["USDC", "WETH", "100"], { more: { limitAmount: limit, slippageBps: undefined }, build: { slippage: undefined, destAmount: limit } }),
    // By the price of now as the expected amount, the protocol would share in what exceeds it.
    "a limit above the price": await built(["USDC", "WETH", "100"], {
      more: { limitAmount: above, slippageBps: undefined }, build: { slippage: undefined, destAmount: above }, passed: { destAmount: above },
    }),
    "a sale in slices": await built(["USDC", "WETH", "100"], {
      by: "buildTWAPDeltaOrder", at: stated, more: { ...slices, amount: "300000000" }, build: { ...twap, onChainOrderType: "TWAPOrder", totalSrcAmount: "300000000" },
    }),
    "a purchase in slices": await built(["USDC", "WETH", "100"], {
      // The SDK raises the most by the slippage.
      by: "buildTWAPDeltaOrder", at: stated, side: "BUY", amount: eth, more: { ...slices, amount: `${3n * BigInt(eth)}`, maxSrcAmount: "904500000", slippageBps: undefined },
      build: { ...twap, onChainOrderType: "TWAPBuyOrder", totalDestAmount: `${3n * BigInt(eth)}`, maxSrcAmount: "900000000" },
    }),
    "an order for a handler": await built(["USDC", "WETH", "100"], { by: "buildExternalDeltaOrder", more: { advanced: { external: { handler, data: "0x" } } }, build: { handler, data: "0x" } }),
  };
}

test("each kind that the SDK builds passes as it is, and with no value of it changed", async () => {
  const { contracts } = sandbox.clientOptions;
  for (const [what, [request, quote, toSign]] of Object.entries(await kinds())) {
    const { srcDecimals, destDecimals } = request;
    const reference = { src: request.srcToken, dest: request.destToken, price: "0.000333" };
    const input = { request, quote, toSign, contracts, reference, readings: { srcDecimals, destDecimals } };
    const report = verify.verifyOrder(input);
    assert.deepEqual(report.questions, [], what);
    const { types, domain, data } = toSign;
    const [primaryType] = Object.keys(types).filter((name) => name !== "Bridge");
    assert.equal(report.digest, hashTypedData({ types, domain, primaryType, message: data }), what);
    assert.equal(report.digest, hashTypedData(JSON.parse(report.toSign)), what);
    let count = 0;
    for (const [path, changed] of altered({ domain, data })) {
      if (isBetter(path, data, changed.data)) continue;
      count += 1;
      const wrong = () => verify.verifyOrder({ ...input, toSign: { types, ...changed } });
      assert.throws(wrong, (error) => ["VERIFY_MISMATCH", "SERVICE_MALFORMED"].includes(error.code), `${what}: ${path}`);
    }
    assert.ok(count > 20, `${count} values of ${what}`);
  }
});

/** Whether it guarantees more, takes less (to a unit: the SDK rounds down), or is a later time of slices, within a day. */
function isBetter(path, data, changed) {
  const name = path.replace("data.", "");
  const [from, to] = [data[name], changed[name]].map((value) => (/^\d+$/.test(value) ? BigInt(value) : 0n));
  const isWithinADay = name === "deadline" && "interval" in data && to - from < 3_600n;
  return (name === "destAmountPerSlice" && to > from) || (name === "srcAmount" && data.kind === 1 && to <= from + 1n) || isWithinADay;
}

test("a limit above the price is refused as this SDK builds it", async () => {
  const [request, quote, toSign] = (await kinds())["a limit above the price"];
  const data = { ...toSign.data, expectedAmount: quote.destAmount };
  const work = () => verify.verifyOrder({ request, quote, toSign: { ...toSign, data }, contracts: sandbox.clientOptions.contracts });
  assert.throws(work, ({ code, field }) => code === "VERIFY_MISMATCH" && field === "order.expectedAmount");
});

test("what is passed in place of the price says what to pass", () => {
  const { srcSymbol, destSymbol, ...pair } = sandbox.request("USDC", "WETH", "100");
  const request = { ...pair, account: sandbox.accounts[0].address, slippageBps: 50 };
  const passed = (quote) => {
    try {
      verify.verifyOrder({ request, quote, toSign: {}, contracts: sandbox.clientOptions.contracts });
    } catch ({ code, field, expected }) {
      return [code, field, expected];
    }
  };
  assert.deepEqual(passed({ price: {}, deltaAddress: THIEF }), ["INVALID_INPUT", "quote", "its `price`"]);
  assert.deepEqual(passed({ delta: {} }), ["INVALID_INPUT", "quote", "its `delta`"]);
  assert.deepEqual(passed(Promise.resolve()).slice(0, 2), ["INVALID_INPUT", "quote"]);
});

test("a bound of the caller's own holds in place of a price", async () => {
  assert.equal((await attempt({ known: { reference: undefined }, more: { minReceived: "30000000000000000" } })).order?.status, "EXECUTED");
  const missed = { known: { reference: undefined }, more: { minReceived: "40000000000000000" } };
  assert.equal(await refused(missed), "VERIFY_MISMATCH order.minReceived");
});
