// verified-swap/verify: what is signed and sent, written here by viem and by hand, against requests. Honest payloads pass, and
// each value that is changed in one of them is refused.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { runInNewContext } from "node:vm";
import { encodeFunctionData, erc20Abi, hashTypedData, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  explain, init, isTradeError, verifyCancellation, verifyFill, verifyOtc, verifyPermit, verifyTransaction,
} from "verified-swap/verify";

const require = createRequire(import.meta.url);
const [chainId, now] = [8453, 1_800_000_000];
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const WETH = "0x4200000000000000000000000000000000000006";
const RFQ = "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd";
const DELTA = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const maker = privateKeyToAccount(`0x${"11".repeat(32)}`);
const owner = maker.address;
const TAKER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

before(() => init());

const clone = (value) => structuredClone(value);
/** Each copy of a value with one leaf of it changed, with its path. */
function* altered(value, path = "") {
  for (const [name, member] of Object.entries(value)) {
    const put = (changed) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed });
    const here = path ? `${path}.${name}` : name;
    if (typeof member === "object") for (const [where, changed] of altered(member, here)) yield [where, put(changed)];
    else yield [here, put(other(member))];
  }
}
/** Another value of the same form. */
function other(value) {
  if (typeof value === "boolean") return !value;
  if (typeof value !== "string") return value + 1;
  const last = value.at(-1).toLowerCase();
  return value.slice(0, -1).toLowerCase() + (/\d/.test(last) ? (Number(last) + 1) % 10 : last === "a" ? "b" : "a");
}
const refused = (work, what, ...codes) =>
  assert.throws(work, (error) => isTradeError(error) && ["VERIFY_MISMATCH", "SERVICE_MALFORMED", ...codes].includes(error.code), what);
const verdictOf = (report, field) => report.checks.find((check) => check.field === field)?.verdict;

// The operator's SDK's build for a maker: no hash, the struct under `data`, numbers where they fit.
const ORDER = [
  ["nonceAndMeta", "uint256"], ["expiry", "uint128"], ["makerAsset", "address"], ["takerAsset", "address"],
  ["maker", "address"], ["taker", "address"], ["makerAmount", "uint256"], ["takerAmount", "uint256"],
].map(([name, type]) => ({ name, type }));
const offered = () => ({
  domain: { name: "AUGUSTUS RFQ", version: "1", chainId, verifyingContract: RFQ },
  types: { Order: clone(ORDER) },
  data: {
    nonceAndMeta: ((7n << 160n) | BigInt(TAKER)).toString(), expiry: now + 3600, makerAsset: USDC, takerAsset: WETH, maker: owner,
    taker: TAKER, makerAmount: "100000000", takerAmount: "40000000000000000",
  },
});
const offer = { chainId, maker: owner, taker: TAKER, makerAsset: USDC, takerAsset: WETH, makerAmount: 100_000_000n, takerAmount: 40_000_000_000_000_000n, expiry: now + 3600 };

test("a maker's order passes as the SDK has it, as JSON text, and as wallets are given it; no other does", () => {
  const { data, ...rest } = offered();
  const report = verifyOtc({ request: offer, toSign: offered(), now });
  assert.match(report.sentence, /^Offer 100 USDC for 0\.04 WETH on Base to 0x7099/);
  assert.equal(report.digest, hashTypedData({ ...rest, primaryType: "Order", message: data }));
  const whole = { ...rest, types: { ...rest.types, EIP712Domain: [["name", "string"], ["version", "string"], ["chainId", "uint256"], ["verifyingContract", "address"]].map(([name, type]) => ({ name, type })) }, primaryType: "Order", message: data };
  for (const toSign of [JSON.stringify(offered()), whole, { ...rest, value: data }]) {
    assert.equal(verifyOtc({ request: offer, toSign, orderHash: report.digest, now }).digest, report.digest);
  }
  let count = 0;
  for (const [path, toSign] of altered(offered())) {
    count += 1;
    // The nonce is the maker's to choose; the taker beside it in the same word is not.
    refused(() => verifyOtc({ request: { ...offer, nonce: 7n }, toSign, now }), path);
  }
  assert.ok(count > 25, `${count} values were changed`);
  refused(() => verifyOtc({ request: offer, toSign: { ...offered(), data: { ...data, nonceAndMeta: "7" } }, now }), "without the taker in it");
  refused(() => verifyOtc({ request: offer, toSign: offered(), orderHash: `0x${"00".repeat(32)}`, now }), "another hash");
});

test("nothing stands beside what is signed: a library that finds the root by itself would sign another type", () => {
  const Other = [{ name: "maker", type: "address" }];
  const beside = { ...offered(), types: { Other, Order: clone(ORDER) }, primaryType: "Order" };
  refused(() => verifyOtc({ request: offer, toSign: beside, now }), "a type");
  refused(() => verifyOtc({ request: offer, toSign: { ...offered(), data: { ...offered().data, more: "1" } }, now }), "a member of the struct");
  refused(() => verifyOtc({ request: offer, toSign: { ...offered(), domain: { ...offered().domain, more: "1" } }, now }), "a member of the domain");
  const permit = PERMITS.permit2Transfer;
  const two = { ...permit, types: { ...ALLOWANCE, ...TRANSFER }, primaryType: "PermitTransferFrom", message: { ...permit.message, ...PERMITS.permit2Allowance.message } };
  refused(() => verifyPermit({ request: permitted("permit2Transfer"), toSign: two, now }), "another permit");
});

test("what is no typed data says what to pass", () => {
  const wrong = (toSign) => {
    try {
      verifyOtc({ request: offer, toSign, now });
    } catch ({ code, field, expected }) {
      return [code, field, expected];
    }
  };
  assert.deepEqual(wrong({ toSign: offered() }), ["INVALID_INPUT", "toSign", "its `toSign`: { domain, types, value }"]);
  assert.deepEqual(wrong(offered().data).slice(0, 2), ["INVALID_INPUT", "toSign"]);
  assert.deepEqual(wrong(undefined).slice(0, 2), ["INVALID_INPUT", "toSign"]);
  assert.deepEqual(wrong({ ...offered(), value: offered().data }).slice(0, 2), ["INVALID_INPUT", "toSign"], "two of them");
  const twice = offered();
  Object.defineProperty(twice.data, "maker", { enumerable: true, get: () => owner });
  assert.deepEqual(wrong(twice).slice(0, 2), ["INVALID_INPUT", "toSign.data.maker"], "what may answer in another way the next time");
});

test("what is no plain object, or too large for one, is named", () => {
  class Read {}
  let deep = {};
  for (let depth = 0; depth < 64; depth++) deep = { deep };
  const members = (count) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`a${at}`, 1]));
  const values = (count) => Array(count).fill(1);
  const wrongs = [[undefined], [5], [[]], [new Read()], [new Map()], [Promise.resolve()]];
  const larges = [values(131_072), members(257), deep];
  for (const [input] of [...wrongs, ...larges.map((quote) => [{ quote }])]) {
    assert.throws(() => verifyOtc(input), ({ code, field, message }) => code === "INVALID_INPUT" && field !== "" && message.startsWith(`${field}: expected `));
  }
  const context = { accounts: [owner], chainId };
  for (const data of larges) assert.equal(explain({ method: "eth_signTypedData_v4", params: [owner, data] }, context).verdict, "unread");
  assert.throws(() => explain({ method: "x" }, { ...context, tokens: values(131_072) }), /^TradeError: context: expected at most 131,072 values, 256 members in one object and 64 levels, got "more"$/);
});

test("what stands in many places counts in each: a few shared values cannot cost minutes", () => {
  let shared = { a: 1 };
  for (let depth = 0; depth < 60; depth++) shared = { a: shared, b: shared };
  const cycle = {};
  cycle.a = cycle.b = cycle;
  const text = "x".repeat(1 << 20);
  const larges = { shared: structuredClone(shared), cycle, texts: Array(1000).fill(text), names: Array(1000).fill({ [text]: 1 }) };
  const context = { accounts: [owner], chainId };
  for (const [what, large] of Object.entries(larges)) {
    assert.throws(() => verifyPermit({ request: {}, toSign: large }), { code: "INVALID_INPUT", field: "input" }, what);
    assert.throws(() => explain({ method: "x" }, { ...context, tokens: large }), { code: "INVALID_INPUT", field: "context" }, what);
    assert.equal(explain({ method: "eth_signTypedData_v4", params: [owner, large] }, context).verdict, "unread", what);
  }
  assert.equal(explain({ method: "personal_sign", params: ["0x6869", owner] }, context).verdict, "explained", "the module goes on");
  assert.throws(() => verifyPermit({ request: { amount: 1n << 100_000n } }), { code: "INVALID_INPUT", field: "request.amount" });
});

test("what another reader may find elsewhere is no plain data; another realm's is", () => {
  const message = offered().data;
  const bare = Object.assign(Object.create(null), { taker: owner });
  const fake = { __proto__: null, taker: owner, constructor: Object };
  class Items extends Array {}
  const define = (target, name, more) => Object.defineProperty(target, name, { enumerable: true, configurable: true, ...more });
  const lies = {
    "a hidden member": define({ ...message }, "taker", { enumerable: false, value: owner }),
    "a hidden toJSON": define({ ...message }, "toJSON", { enumerable: false, value: () => message }),
    "a symbol": { ...message, [Symbol.toPrimitive]: () => "" },
    "a setter alone": define({ ...message }, "taker", { set() {} }),
    "members of a prototype without one": Object.assign(Object.create(bare), message),
    "a prototype that calls itself Object's": Object.assign(Object.create(fake), message),
    "a class that calls itself Object": new (class Object {})(),
    "a getter in a list": define([1], 0, { get: () => 1 }),
    "a list's own iterator": Object.assign([1], { [Symbol.iterator]: () => [2].values() }),
    "a list's own member": Object.assign([1], { toJSON: 1 }),
    "a hidden item": define([1], 0, { enumerable: false }),
    "a list of a class": Items.from([1]),
    "a list with another prototype": Object.setPrototypeOf([1], Object.prototype),
    "a list with a hole": Array(3),
    "a list with a hole and a member": Object.assign(Array(1), { 4294967295: 1 }),
  };
  const context = { accounts: [owner], chainId };
  for (const [what, lie] of Object.entries(lies)) {
    const isAt = (root) => ({ code, field }) => code === "INVALID_INPUT" && field.startsWith(root);
    assert.throws(() => verifyOtc({ request: offer, toSign: { ...offered(), data: lie }, now }), isAt("toSign.data"), what);
    assert.throws(() => verifyOtc({ request: offer, toSign: { ...offered(), types: { Order: lie } }, now }), isAt("toSign.types.Order"), what);
    assert.throws(() => explain({ method: "eth_sendTransaction", params: [lie] }, context), isAt("call.params.0"), what);
  }
  const foreign = runInNewContext("JSON.parse(text)", { text: JSON.stringify(offered()) });
  const withoutPrototype = { ...offered(), domain: Object.assign(Object.create(null), offered().domain) };
  for (const toSign of [foreign, withoutPrototype, Object.freeze(offered())]) assert.match(verifyOtc({ request: offer, toSign, now }).sentence, /^Offer 100 USDC/);
});

const EIP2612 = { Permit: [["owner", "address"], ["spender", "address"], ["value", "uint256"], ["nonce", "uint256"], ["deadline", "uint256"]].map(([name, type]) => ({ name, type })) };
const DAI = { Permit: [["holder", "address"], ["spender", "address"], ["nonce", "uint256"], ["expiry", "uint256"], ["allowed", "bool"]].map(([name, type]) => ({ name, type })) };
const TRANSFER = {
  PermitTransferFrom: [["permitted", "TokenPermissions"], ["spender", "address"], ["nonce", "uint256"], ["deadline", "uint256"]].map(([name, type]) => ({ name, type })),
  TokenPermissions: [["token", "address"], ["amount", "uint256"]].map(([name, type]) => ({ name, type })),
};
const ALLOWANCE = {
  PermitSingle: [["details", "PermitDetails"], ["spender", "address"], ["sigDeadline", "uint256"]].map(([name, type]) => ({ name, type })),
  PermitDetails: [["token", "address"], ["amount", "uint160"], ["expiration", "uint48"], ["nonce", "uint48"]].map(([name, type]) => ({ name, type })),
};
const ofToken = { name: "USD Coin", version: "2", chainId, verifyingContract: USDC };
const ofPermit2 = { name: "Permit2", chainId, verifyingContract: PERMIT2 };
const deadline = now + 1200;
const PERMITS = {
  eip2612: { domain: ofToken, types: EIP2612, message: { owner, spender: DELTA, value: "5000000", nonce: "3", deadline: String(deadline) } },
  dai: { domain: ofToken, types: DAI, message: { holder: owner, spender: DELTA, nonce: "3", expiry: String(deadline), allowed: true } },
  permit2Transfer: { domain: ofPermit2, types: TRANSFER, message: { permitted: { token: USDC, amount: "5000000" }, spender: DELTA, nonce: "3", deadline: String(deadline) } },
  permit2Allowance: { domain: ofPermit2, types: ALLOWANCE, message: { details: { token: USDC, amount: "5000000", expiration: deadline, nonce: 3 }, spender: DELTA, sigDeadline: String(deadline) } },
};
const permitted = (kind) => ({ kind, path: "delta", chainId, token: USDC, owner, amount: 5_000_000n, deadline, nonce: 3n });
const separator = (domain) => {
  const types = { EIP712Domain: Object.keys(domain).map((name) => ({ name, type: { chainId: "uint256", verifyingContract: "address" }[name] ?? "string" })), None: [{ name: "none", type: "uint8" }] };
  // A struct's hash and the domain's make the digest; the verifier computes the domain's alone.
  return verifyPermit({ request: permitted("eip2612"), toSign: { ...PERMITS.eip2612, domain, types: { ...EIP2612, EIP712Domain: types.EIP712Domain } }, now }).checks.find(({ field }) => field === "domain").actual;
};

for (const [kind, permit] of Object.entries(PERMITS)) {
  test(`a permit, ${kind}: every value of it is held to the request`, () => {
    const domainSeparator = kind.startsWith("permit2") ? undefined : separator(ofToken);
    const input = { request: permitted(kind), now, readings: { ...(domainSeparator && { domainSeparator }) } };
    const report = verifyPermit({ ...input, toSign: permit });
    assert.deepEqual(report.questions.map(({ reason }) => reason), kind === "dai" ? ["unlimitedPermit"] : []);
    assert.ok(report.checks.every(({ verdict }) => verdict === "ok"), JSON.stringify(report.checks));
    for (const [path, toSign] of altered(permit)) refused(() => verifyPermit({ ...input, toSign }), path);
    for (const name of Object.keys(permit.domain)) {
      const { [name]: gone, ...domain } = permit.domain;
      refused(() => verifyPermit({ ...input, toSign: { ...permit, domain } }), `without ${name}`);
    }
    refused(() => verifyPermit({ ...input, toSign: { ...permit, domain: { ...permit.domain, salt: `0x${"00".repeat(32)}` } } }), "with a salt");
  });
}

test("of a permit, what nobody brought is unknown, and named", () => {
  const { nonce, deadline, ...request } = permitted("eip2612");
  const report = verifyPermit({ request, toSign: PERMITS.eip2612, now });
  assert.deepEqual([verdictOf(report, "domain"), verdictOf(report, "permit.nonce"), verdictOf(report, "permit.deadline")], ["unknown", "unknown", "ok"]);
  assert.deepEqual(report.unread, ["time", "nonce", "domainSeparator"]);
  const late = { ...PERMITS.eip2612, message: { ...PERMITS.eip2612.message, deadline: String(now + 90_000) } };
  refused(() => verifyPermit({ request, toSign: late, now }), "more than a day");
});

test("a cancellation without gas is for the named orders alone", () => {
  const orderIds = ["7b0e7a4c-7a54-4a3e-9a25-0c4ad1f1f7a1", "1f5b0f5e-6c2f-4c2e-8d55-111111111111"];
  const toSign = { domain: { name: "Portikus", version: "2.0.0", chainId, verifyingContract: DELTA }, types: { OrderCancellations: [{ name: "orderIds", type: "string[]" }] }, data: { orderIds } };
  const report = verifyCancellation({ request: { chainId, orderIds }, toSign, now });
  assert.equal(report.digest, hashTypedData({ ...toSign, primaryType: "OrderCancellations", message: toSign.data }));
  for (const [path, changed] of altered(toSign)) refused(() => verifyCancellation({ request: { chainId, orderIds }, toSign: changed, now }), path);
  refused(() => verifyCancellation({ request: { chainId, orderIds: orderIds.slice(0, 1) }, toSign, now }), "one order more");
});

const CALLS = parseAbi([
  "struct Bridge { bytes4 protocolSelector; uint256 destinationChainId; address outputToken; int8 scalingFactor; bytes protocolData; }",
  "struct DeltaOrder { address owner; address beneficiary; address srcToken; address destToken; uint256 srcAmount; uint256 destAmount; uint256 expectedAmount; uint256 deadline; uint8 kind; uint256 nonce; uint256 partnerAndFee; bytes permit; bytes metadata; Bridge bridge; }",
  "function invalidateNonce(uint256 nonce)",
  "function cancelAndWithdraw(DeltaOrder order, bool isFillable)",
  "function withdrawNative(uint256 amount)",
  "function setPreSignature(bytes32 orderHash, bool preSigned)",
  "function depositNativeAndPreSign(bytes32 orderHash) payable",
  "function cancelOrder(bytes32 orderHash)",
  "function cancelOrders(bytes32[] orderHashes)",
]);
const call = (functionName, args) => encodeFunctionData({ abi: CALLS, functionName, args });
const signedOrder = (srcToken) => ({
  domain: { name: "Portikus", version: "2.0.0", chainId, verifyingContract: DELTA },
  types: {
    Order: [
      ["owner", "address"], ["beneficiary", "address"], ["srcToken", "address"], ["destToken", "address"], ["srcAmount", "uint256"], ["destAmount", "uint256"],
      ["expectedAmount", "uint256"], ["deadline", "uint256"], ["kind", "uint8"], ["nonce", "uint256"], ["partnerAndFee", "uint256"], ["permit", "bytes"],
      ["metadata", "bytes"], ["bridge", "Bridge"],
    ].map(([name, type]) => ({ name, type })),
    Bridge: [["protocolSelector", "bytes4"], ["destinationChainId", "uint256"], ["outputToken", "address"], ["scalingFactor", "int8"], ["protocolData", "bytes"]].map(([name, type]) => ({ name, type })),
  },
  value: {
    owner, beneficiary: owner, srcToken, destToken: WETH, srcAmount: "100", destAmount: "1", expectedAmount: "1", deadline: String(deadline), kind: 0, nonce: "77",
    partnerAndFee: "0", permit: "0x", metadata: "0x", bridge: { protocolSelector: "0x00000000", destinationChainId: 0, outputToken: `0x${"00".repeat(20)}`, scalingFactor: 0, protocolData: "0x" },
  },
});
const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const hash = `0x${"ab".repeat(32)}`;
const SENT = [
  ["approval", { path: "market", token: USDC, amount: 7n }, USDC, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: ["0x6A000F20005980200259B80c5102003040001068", 7n] })],
  ["approval", { path: "delta", token: USDC, amount: "unlimited", spender: PERMIT2 }, USDC, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [PERMIT2, 2n ** 256n - 1n] })],
  ["revocation", { token: USDC, spender: TAKER }, USDC, encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [TAKER, 0n] })],
  ["cancellation", { order: signedOrder(USDC) }, DELTA, call("invalidateNonce", [77n])],
  ["cancellation", { order: signedOrder(NATIVE) }, DELTA, call("cancelAndWithdraw", [signedOrder(NATIVE).value, false])],
  ["withdrawal", { amount: 5n }, DELTA, call("withdrawNative", [5n])],
  ["preSignature", { orderHash: hash }, DELTA, call("setPreSignature", [hash, true])],
  ["preSignature", { orderHash: hash, deposit: 9n }, DELTA, call("depositNativeAndPreSign", [hash]), 9n],
  ["otcCancellation", { orderHashes: [hash] }, RFQ, call("cancelOrder", [hash])],
  ["otcCancellation", { orderHashes: [hash, hash.replace("ab", "cd")] }, RFQ, call("cancelOrders", [[hash, hash.replace("ab", "cd")]])],
];
for (const [kind, request, to, data, value = 0n] of SENT) {
  test(`a transaction, ${kind} (${data.slice(0, 10)}), as viem encodes it, and no byte else`, () => {
    const verify = (transaction) => verifyTransaction({ kind, request: { chainId, account: owner, ...request }, transaction, now });
    const transaction = { from: owner, to, value: value.toString(), data, chainId };
    assert.ok(verify(transaction).checks.every(({ verdict }) => verdict === "ok"));
    verify({ ...transaction, value });
    verify(JSON.stringify(transaction));
    const { data: input, ...rest } = transaction;
    verify({ ...rest, input, value: `0x${value.toString(16)}`, chainId: "0x2105" });
    refused(() => verify({ ...transaction, input: "0x" }), "two that differ");
    refused(() => verify({ ...transaction, authorizationList: [{ address: TAKER, chainId: 0 }] }), "a delegation");
    const { chainId: gone, ...anywhere } = transaction;
    assert.equal(verdictOf(verify(anywhere), "transaction.chainId"), "unknown");
    if (request.order) verifyTransaction({ kind, request: { chainId, account: owner, order: JSON.stringify(request.order) }, transaction, now });
    for (let at = 2; at < data.length; at += 7) {
      refused(() => verify({ ...transaction, data: data.slice(0, at) + other(data[at]) + data.slice(at + 1) }), `at ${at}`);
    }
    refused(() => verify({ ...transaction, data: `${data}00` }), "a byte more");
    for (const [path, changed] of altered({ from: owner, to, value: value.toString(), chainId })) refused(() => verify({ data, ...changed }), path);
  });
}

const FILLS = parseAbi([
  "struct Order { uint256 nonceAndMeta; uint128 expiry; address makerAsset; address takerAsset; address maker; address taker; uint256 makerAmount; uint256 takerAmount; }",
  "struct OrderInfo { Order order; bytes signature; uint256 takerTokenFillAmount; bytes permitTakerAsset; bytes permitMakerAsset; }",
  "function fillOrder(Order order, bytes signature)",
  "function fillOrderWithTarget(Order order, bytes signature, address target)",
  "function partialFillOrder(Order order, bytes signature, uint256 takerTokenFillAmount)",
  "function partialFillOrderWithTarget(Order order, bytes signature, uint256 takerTokenFillAmount, address target)",
  "function batchFillOrderWithTarget(OrderInfo[] orderInfos, address target)",
]);

test("a fill passes in each of the contract's forms, and pays nobody else", async () => {
  const { domain, types, data: message } = offered();
  const signature = await maker.signTypedData({ domain, types, primaryType: "Order", message });
  const order = { ...message, chainId, orderHash: hashTypedData({ domain, types, primaryType: "Order", message }), signature };
  const fill = (functionName, args) => encodeFunctionData({ abi: FILLS, functionName, args });
  const all = BigInt(message.takerAmount);
  const info = (amount) => [{ order: message, signature, takerTokenFillAmount: amount, permitTakerAsset: "0x", permitMakerAsset: "0x" }];
  const { makerAsset, takerAsset } = message;
  const request = { account: TAKER, makerAsset, takerAsset };
  const priced = (src, dest, price) => ({ src, dest, price });
  const readings = { orders: { [order.orderHash]: { remaining: 0n, balance: 10n ** 18n, allowance: 10n ** 18n } } };
  const verify = (data, more = {}) => verifyFill({ request, orders: [order], transaction: { from: TAKER, to: RFQ, data }, now, readings, reference: priced(takerAsset, makerAsset, "2600"), ...more });
  const forms = (target) => [
    fill("fillOrder", [message, signature]), fill("fillOrderWithTarget", [message, signature, target]), fill("partialFillOrder", [message, signature, all]),
    fill("partialFillOrderWithTarget", [message, signature, all, target]), fill("batchFillOrderWithTarget", [info(all), target]),
  ];
  for (const data of forms(TAKER)) assert.match(verify(data).sentence, /^Give 0\.04 WETH for 100 USDC of 0x/);
  for (const data of forms(owner).filter((_, at) => ![0, 2].includes(at))) refused(() => verify(data), "another target");
  refused(() => verify(fill("partialFillOrder", [message, signature, all - 1n])), "less than asked for");
  const half = { request: { ...request, takerAmount: all / 2n } };
  assert.match(verify(fill("partialFillOrder", [message, signature, all / 2n]), half).sentence, /^Give 0\.02 WETH for 50 USDC/);
  for (const [path, changed] of altered(order)) {
    if (path === "chainId") continue;
    // The orders are the caller's, and of another token it has to state the decimals.
    refused(() => verify(forms(TAKER)[0], { orders: [changed] }), path, "INVALID_INPUT");
  }
  const unread = verify(forms(TAKER)[0], { readings: undefined });
  assert.deepEqual(["remaining", "makerBalance", "makerAllowance"].map((name) => verdictOf(unread, `orders.0.${name}`)), ["unknown", "unknown", "unknown"]);
  assert.ok(unread.unread.includes("orders"));
  // Tokens that no table has: with their own decimals read, the price can be judged.
  const foreign = { ...message, makerAsset: `0x${"71".repeat(20)}`, takerAsset: `0x${"72".repeat(20)}`, makerAmount: "100000000", takerAmount: "40000000" };
  const signed = { ...foreign, chainId, orderHash: hashTypedData({ domain, types, primaryType: "Order", message: foreign }), signature: await maker.signTypedData({ domain, types, primaryType: "Order", message: foreign }) };
  const read = { orders: { [signed.orderHash]: { remaining: 0n, balance: 10n ** 18n, allowance: 10n ** 18n } }, makerDecimals: 6, takerDecimals: 6 };
  const tokens = { makerAsset: foreign.makerAsset, takerAsset: foreign.takerAsset, makerDecimals: 6, takerDecimals: 6 };
  const asked = { request: { ...request, ...tokens, requireReference: true }, orders: [signed], reference: priced(foreign.takerAsset, foreign.makerAsset, "2.5") };
  const whole = fill("fillOrder", [foreign, signed.signature]);
  assert.deepEqual(verify(whole, { ...asked, readings: read }).questions, []);
  assert.deepEqual(verify(whole, { ...asked, readings: { orders: read.orders } }).questions.map(({ reason }) => reason), ["noReference"]);
  assert.throws(() => verify(whole, { ...asked, readings: { ...read, makerDecimals: 18 } }), { code: "INVALID_INPUT", field: "request.makerDecimals" });
  const filled = { orders: { [order.orderHash]: { remaining: 1n, balance: 10n ** 18n, allowance: 10n ** 18n } } };
  refused(() => verify(forms(TAKER)[0], { readings: filled }), "filled already");
});

test("neither entry brings the other's module or client along", () => {
  const folder = dirname(require.resolve("verified-swap/package.json"));
  const reached = (file, found = new Set()) => {
    if (found.has(file)) return found;
    found.add(file);
    const text = readFileSync(join(folder, file), "utf8");
    for (const [, next] of text.matchAll(/(?:from|import\()\s*"\.\/([^"]+\.js)"/g)) reached(next, found);
    for (const [, next] of text.matchAll(/"\.\/([^"]+\.wasm)"/g)) found.add(next);
    return found;
  };
  const [whole, checks] = ["index.js", "verify.js"].map((file) => reached(file));
  assert.ok(checks.has("verified_swap_verify.wasm") && whole.has("verified_swap_first.wasm"), "the modules were found");
  assert.deepEqual([...checks].filter((file) => file.endsWith(".wasm")), ["verified_swap_verify.wasm"]);
  assert.deepEqual([...whole].filter((file) => file.startsWith("verif") && file.includes("verify")), []);
  for (const file of ["client.js", "entry.js", "trade.js", "verified_swap.js", "preload.js"]) assert.ok(!checks.has(file), file);
});

test("it is there inside a script, and for require", async () => {
  const toSign = offered();
  const inline = await import("verified-swap/verify/inline");
  assert.throws(() => inline.verifyOtc({}), { code: "INVALID_INPUT", field: "request" }, "the glue is shared, and loaded once");
  await inline.init();
  const common = require("verified-swap/verify");
  assert.throws(() => common.verifyOtc({}), { code: "INVALID_INPUT", field: "init" });
  await common.init();
  assert.equal(common.verifyOtc({ request: offer, toSign, now }).sentence, inline.verifyOtc({ request: offer, toSign, now }).sentence);
});
