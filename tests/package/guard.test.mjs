// `guard` of verified-swap/verify: what a page can do to get something past it. The wallet signs with a real key, and
// keeps what it was asked.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { EventEmitter } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { encodeFunctionData, erc20Abi, hashTypedData } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { createClient } from "verified-swap";
import { guard, init, isTradeError } from "verified-swap/verify";
import { surface } from "../../xtask/node/surface.mjs";
import { ROOT } from "./locations.mjs";
import { startSandbox } from "./sandbox.mjs";
import { fundedTrade } from "./trade.mjs";

const [chainId, now] = [8453, 1_800_000_000];
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const DELTA = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const THIEF = "0xBAd0000000000000000000000000000000000Bad";
const key = privateKeyToAccount(`0x${"11".repeat(32)}`);
const owner = key.address;
const [V4, SEND, CALLS] = ["eth_signTypedData_v4", "eth_sendTransaction", "wallet_sendCalls"];

before(() => init());

test("before init it says so", () => {
  const program = `import { guard } from "verified-swap/verify"; try { guard({ request() {} }, { onPrompt() {} }) } catch ({ code, field }) { console.log(code, field) }`;
  assert.equal(execFileSync(process.execPath, ["--input-type=module", "-e", program], { cwd: ROOT, encoding: "utf8" }), "INVALID_INPUT init\n");
});

test("what it is given is named, if it is wrong", () => {
  for (const [provider, options, field] of [
    [{}, { onPrompt() {} }, "provider"], [null, { onPrompt() {} }, "provider"], [{ request() {} }, {}, "options.onPrompt"],
    [{ request() {} }, undefined, "options.onPrompt"], [{ request() {} }, { onPrompt() {}, onprompt() {} }, "options.onprompt"],
  ]) {
    assert.throws(() => guard(provider, options), (error) => isTradeError(error, "INVALID_INPUT") && error.field === field, field);
  }
});

/** A wallet of one account, as old ones are: with calls before EIP-1193, events, and members of its own. */
function wallet() {
  const provider = new EventEmitter();
  const told = [];
  const state = { told, chainId: "0x2105", accounts: [owner] };
  const read = { eth_chainId: () => state.chainId, eth_accounts: () => state.accounts, eth_requestAccounts: () => state.accounts };
  return Object.assign(provider, {
    state,
    isMetaMask: true,
    selectedAddress: owner.toLowerCase(),
    isConnected: () => true,
    async request(call) {
      if (/^eth_requestAccounts$/.test(call.method)) state.connected = call;
      if (Object.hasOwn(read, call.method)) return read[call.method]();
      told.push(call);
      const { method, params } = call;
      if (state.fail) throw state.fail;
      if (method === V4) return key.signTypedData(typeof params[1] === "string" ? JSON.parse(params[1]) : params[1]);
      return `done: ${method}`;
    },
    send: () => told.push("send"),
    sendAsync: () => told.push("sendAsync"),
    _metamask: { isUnlocked: () => true },
    provider: undefined,
    get session() {
      return provider;
    },
  });
}

/** A guard of a wallet: `prompts` are those it was asked; `answer` is called with each. */
function guarded({ answer = () => true, ...options } = {}) {
  const inner = wallet();
  const prompts = [];
  const outer = guard(inner, { onPrompt: (prompt) => (prompts.push(prompt), answer(prompt, inner.state)), ...options });
  return { inner, outer, prompts, told: inner.state.told, state: inner.state };
}
const failure = (promise) => promise.then((value) => assert.fail(`it passed: ${JSON.stringify(value)}`), (error) => error);

/** Every style in which a page calls: `[name, call]`; each resolves to the result, or rejects with the error. */
const calledBack = (call) => new Promise((resolve, reject) => call((error, response) => (error ? reject(error) : resolve(response.result))));
const STYLES = {
  request: (to, method, params) => to.request({ method, params }),
  "send(method, params)": async (to, method, params) => (await to.send(method, params)).result,
  "send(payload)": async (to, method, params) => (await to.send({ jsonrpc: "2.0", id: 7, method, params })).result,
  "send(payload, callback)": (to, method, params) => calledBack((done) => to.send({ jsonrpc: "2.0", id: 7, method, params }, done)),
  sendAsync: (to, method, params) => calledBack((done) => to.sendAsync({ jsonrpc: "2.0", id: 7, method, params }, done)),
  "a list": (to, method, params) =>
    new Promise((resolve, reject) =>
      to.sendAsync([{ id: 1, method, params }], (error, responses) => (error ?? responses[0].error ? reject(error ?? responses[0].error) : resolve(responses[0].result)))),
};
/** Calls that sign, send or change something, are unknown, or only look like a read. */
const HELD = [
  [SEND, [{ from: owner, to: THIEF, value: "0x1" }]], ["eth_signTransaction", [{ from: owner, to: THIEF, value: "0x1" }]],
  ["eth_sendRawTransaction", ["0xc0"]], ["eth_sign", [owner, `0x${"11".repeat(32)}`]], ["personal_sign", ["0x6869", owner]],
  ["eth_signTypedData", [[{ type: "string", name: "a", value: "b" }], owner]], [CALLS, [{ version: "2.0.0", from: owner, chainId: "0x2105", atomicRequired: true, calls: [{ to: THIEF, value: "0x1" }] }]],
  ["wallet_signAuthorization", [{ address: THIEF, chainId: 0 }]], ["eth_sendUserOperation", [{}, THIEF]], ["eth_decrypt", ["0x", owner]],
  ["wallet_addEthereumChain", [{ chainId: "0x2105", rpcUrls: ["https://evil.example"] }]], ["wallet_watchAsset", { type: "ERC20", options: { address: THIEF } }],
  ["wallet_switchEthereumChain", [{ chainId: "0x1" }]], ["wallet_requestPermissions", [{ eth_accounts: {} }]], ["wallet_invokeSnap", [{}]],
  ["eth_inventedTomorrow", [1]], ["eth_call ", []], ["ETH_CALL", []], ["", undefined], ["constructor", []], ["__proto__", []],
];

test("what is not known to read waits, whatever the style; refused it does not get to the wallet, agreed to it gets there as it was", async () => {
  for (const [style, call] of Object.entries(STYLES)) {
    for (const [method, params] of HELD) {
      const what = `${method} by ${style}`;
      const no = guarded({ answer: () => false });
      assert.equal((await failure(call(no.outer, method, params))).code, 4001, what);
      assert.deepEqual([no.told, no.prompts.length], [[], 1], what);
      const yes = guarded();
      assert.equal(await call(yes.outer, method, params), `done: ${method}`, what);
      assert.deepEqual(yes.told, [params === undefined ? { method } : { method, params }], what);
      const [prompt] = yes.prompts;
      assert.equal(prompt.method, method);
      assert.ok(["explained", "unread"].includes(prompt.verdict), `${what}: ${prompt.verdict}`);
      assert.deepEqual(JSON.parse(JSON.stringify(prompt)), prompt, "plain JSON");
    }
  }
});

test("what reads passes unasked by every style, and connecting takes no parameters along", async () => {
  for (const call of Object.values(STYLES)) {
    const { outer, prompts, told, state } = guarded({ answer: () => false });
    assert.equal(await call(outer, "eth_call", [{ to: USDC }, "latest"]), "done: eth_call");
    assert.deepEqual([told, prompts], [[{ method: "eth_call", params: [{ to: USDC }, "latest"] }], []]);
    assert.deepEqual(await call(outer, "eth_requestAccounts", [{ hidden: 1 }]), [owner]);
    assert.deepEqual(state.connected, { method: "eth_requestAccounts" });
  }
  const { outer } = guarded({ answer: () => false });
  assert.deepEqual(await outer.enable(), [owner]);
  assert.deepEqual(await outer.send({ id: 9, method: "eth_chainId" }), { id: 9, jsonrpc: "2.0", result: "0x2105" });
});

test("it waits as long as nobody answers, and what throws or is no answer is a refusal", async () => {
  let answer;
  const waiting = guarded({ answer: () => new Promise((resolve) => (answer = resolve)) });
  const sent = waiting.outer.request({ method: "personal_sign", params: ["0x6869", owner] });
  while (!answer) await turn();
  for (let turns = 0; turns < 50; turns++) await turn();
  assert.deepEqual(waiting.told, []);
  answer(true);
  await sent;
  assert.equal(waiting.told.length, 1);
  const thrown = new Error("the page's");
  const wrongs = [() => { throw thrown; }, () => Promise.reject(thrown), () => {}, () => null, () => "yes", () => 1, () => ({}), () => ({ accept: true }), () => [true]];
  for (const wrong of wrongs) {
    const { outer, told } = guarded({ answer: wrong });
    const error = await failure(outer.request({ method: "personal_sign", params: ["0x6869", owner] }));
    assert.deepEqual([error.code, told], [4001, []], String(wrong));
  }
  const { outer, told } = guarded({ context: () => Promise.reject(thrown) });
  assert.equal((await failure(outer.request({ method: "personal_sign", params: ["0x6869", owner] }))).cause, thrown);
  assert.deepEqual(told, []);
});

test("parameters are read once: no getter, no class, no edit during the wait, no second answer of a Proxy", async () => {
  const honest = () => ({ from: owner, to: DELTA, value: "0x1" });
  class Sent { constructor() { Object.assign(this, honest()); } }
  const getter = Object.defineProperty(honest(), "to", { enumerable: true, get: () => THIEF });
  for (const params of [[getter], [new Sent()], [{ ...honest(), toJSON: () => ({}) }], Object.defineProperty([], 0, { enumerable: true, get: honest })]) {
    for (const call of Object.values(STYLES)) {
      const { outer, told, prompts } = guarded();
      assert.equal((await failure(call(outer, SEND, params))).code, -32602);
      assert.deepEqual([told, prompts], [[], []]);
    }
  }
  for (const args of [Object.defineProperty({ method: SEND }, "params", { enumerable: true, get: () => [honest()] }), null, undefined, "eth_call", { method: { toString: () => "eth_call" } }, {}]) {
    const { outer, told } = guarded();
    assert.ok([-32600, -32602].includes((await failure(outer.request(args))).code));
    assert.deepEqual(told, []);
  }
  for (const [style, call] of Object.entries(STYLES)) {
    const transaction = honest();
    const params = [transaction];
    const edited = guarded({ answer: (prompt) => {
      transaction.to = THIEF;
      params.push("more");
      // And of the application's own prompt.
      prompt.parts[0].to = THIEF;
      prompt.method = "eth_call";
      return true;
    } });
    const sent = call(edited.outer, SEND, params);
    transaction.value = "0xffff"; // before anything was awaited
    await sent;
    assert.deepEqual(edited.told, [{ method: SEND, params: [honest()] }], style);
    let reads = 0;
    const turning = new Proxy(honest(), { getOwnPropertyDescriptor: (target, name) => ({ ...Reflect.getOwnPropertyDescriptor(target, name), ...(name === "to" && { value: reads++ ? THIEF : DELTA }) }), get: (target, name) => (name === "to" ? THIEF : target[name]) });
    const { outer, told, prompts } = guarded();
    await call(outer, SEND, [turning]);
    assert.deepEqual([told[0].params[0].to, prompts[0].parts[0].to], [DELTA, DELTA], style);
  }
});

const ids = ({ findings }) => findings.map(({ id }) => id);
const permit = (spender = DELTA, chain = chainId) => ({
  domain: { name: "Permit2", chainId: chain, verifyingContract: PERMIT2 },
  types: {
    EIP712Domain: [["name", "string"], ["chainId", "uint256"], ["verifyingContract", "address"]].map(([name, type]) => ({ name, type })),
    PermitTransferFrom: [["permitted", "TokenPermissions"], ["spender", "address"], ["nonce", "uint256"], ["deadline", "uint256"]].map(([name, type]) => ({ name, type })),
    TokenPermissions: [["token", "address"], ["amount", "uint256"]].map(([name, type]) => ({ name, type })),
  },
  primaryType: "PermitTransferFrom",
  message: { permitted: { token: USDC, amount: "5000000" }, spender, nonce: "3", deadline: String(now + 600) },
});
const context = { now };

test("a name that occurs twice, another chain, another sender, are found; what is shown is what is hashed", async () => {
  const { outer, prompts } = guarded({ context });
  const text = JSON.stringify(permit());
  await outer.request({ method: V4, params: [owner, text] });
  const { domain, types, primaryType, message } = permit();
  assert.equal(prompts[0].digests.eip712, hashTypedData({ domain, types, primaryType, message }));
  assert.equal(prompts[0].hardware.digest, prompts[0].digests.eip712);
  assert.deepEqual([prompts[0].digests.structHash, prompts[0].purpose, prompts[0].verdict], [prompts[0].hardware.messageHash, "permit", "explained"]);
  assert.deepEqual(prompts[0].parts[0].typedData, permit());
  await outer.request({ method: V4, params: [owner, text.replace('"spender":"0x', `"spender":"${THIEF}","spender":"0x`)] });
  assert.deepEqual([ids(prompts[1]).includes("json.duplicate"), prompts[1].verdict, prompts[1].hardware], [true, "unread", null]);
  await outer.request({ method: V4, params: [owner, JSON.stringify(permit(DELTA, 1))] });
  assert.ok(ids(prompts[2]).includes("chain.other"));
  await outer.request({ method: SEND, params: [{ from: owner, to: DELTA, chainId: "0x1" }] });
  assert.ok(ids(prompts[3]).includes("chain.other"));
  for (const [method, params] of [[SEND, [{ from: THIEF, to: DELTA }]], ["personal_sign", ["0x6869", THIEF]], [CALLS, [{ from: THIEF, calls: [{ to: DELTA }] }]]]) {
    await outer.request({ method, params });
    assert.ok(ids(prompts.at(-1)).includes("sender.other"), method);
  }
  const safe = guarded({ context: { accounts: [THIEF], now } });
  await safe.outer.request({ method: SEND, params: [{ from: THIEF, to: DELTA }] });
  assert.ok(!ids(safe.prompts[0]).includes("sender.other"), "an account that the wallet does not name");
  // Some wallet may read what stands behind what is read.
  for (const [method, params] of [[SEND, [{ from: owner, to: DELTA }, { to: THIEF }]], ["personal_sign", ["0x6869", owner, "more"]]]) {
    await outer.request({ method, params });
    assert.equal(prompts.at(-1).verdict, "unread", method);
  }
});

const asked = { verifier: "verifyPermit", input: { now, request: { kind: "permit2Transfer", path: "delta", chainId, token: USDC, owner, amount: 5_000_000n } } };
const approval = { verifier: "verifyTransaction", input: { now, kind: "approval", request: { chainId, account: owner, path: "delta", token: USDC, amount: 7n } } };
const approving = (spender = DELTA, amount = 7n) => ({ to: USDC, value: "0x0", data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, amount] }) });

/** Each copy of a value with one leaf of it changed. */
function* altered(value) {
  for (const [name, member] of Object.entries(value)) {
    const put = (changed) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed });
    if (typeof member === "object") for (const changed of altered(member)) yield put(changed);
    else yield put(typeof member === "number" ? member + 1 : /^0x/.test(member) ? THIEF : /^\d+$/.test(member) ? String(BigInt(member) + 1n) : `${member}x`);
  }
}

/** A paymaster's service, as the `capabilities` of a batch may have it. */
const PAYS = { url: "https://pay.example/v1?key=1", context: { policyId: "1" }, optional: true };

test("a paymaster is named, with a request and without", async () => {
  const capabilities = { paymasterService: PAYS };
  const other = { to: PERMIT2, value: "0x0", data: "0x" };
  const batch = (...calls) => [{ version: "2.0.0", id: "0x1", from: owner, chainId: "0x2105", atomicRequired: true, calls, capabilities }];
  const clause = "; gas paid by pay.example if it agrees";
  for (const [params, options, starts] of [
    [batch(approving()), { context, request: [asked, approval] }, "Approve "],
    [batch(approving()), { context }, "Run a batch of 1 on Base"],
    [batch(approving(), other), { context }, "Run a batch of 2 on Base"],
  ]) {
    const { outer, prompts, told } = guarded(options);
    await outer.request({ method: CALLS, params });
    const [{ sentence, capabilities: shown, verdict, reports, parts }] = prompts;
    assert.ok(sentence.startsWith(starts) && sentence.split(clause).length === 2, sentence);
    assert.deepEqual([shown, verdict, told], [capabilities, options.request ? "verified" : "explained", [{ method: CALLS, params }]]);
    assert.deepEqual([reports.length, parts.length], [options.request ? 1 : 0, params[0].calls.length]);
    if (options.request) assert.ok(sentence.endsWith(clause));
  }
  const { outer, prompts } = guarded({ context });
  await outer.request({ method: SEND, params: [{ from: owner, ...approving() }] });
  assert.equal(prompts[0].capabilities, null);
});

test("with a request, what it asks for is verified, and anything else is refused without asking", async () => {
  const request = [asked, approval];
  const batch = (...calls) => [{ version: "2.0.0", id: "0x1", from: owner, chainId: "0x2105", atomicRequired: true, calls }];
  const good = [[V4, [owner, JSON.stringify(permit())], "permit"], [V4, [owner, permit()], "permit"], [SEND, [{ from: owner, gas: "0x5208", ...approving() }], "approve"], [CALLS, batch(approving()), "approve"],
    [SEND, [{ from: owner, nonce: "0x7", accessList: [], ...approving() }], "approve"]];
  for (const [method, params, purpose] of good) {
    const { outer, prompts, told } = guarded({ context, request });
    await outer.request({ method, params });
    const [prompt] = prompts;
    // Typed data goes on as the text of the report, however it came.
    const got = told.map(({ params: [first, second], ...call }) => ({ ...call, params: method === V4 ? [first, JSON.parse(second)] : [first] }));
    assert.deepEqual([prompt.verdict, prompt.purpose, got], ["verified", purpose, [{ method, params: method === V4 ? [owner, permit()] : params }]]);
    if (method === V4) assert.equal(told[0].params[1], prompt.reports[0].toSign);
    assert.equal(prompt.reports.length, 1);
  }
  const { outer, prompts, told } = guarded({ context, request });
  const lies = [...altered(permit())].filter(({ message }) => message.nonce === "3" && message.deadline !== String(now + 601)).map((typed) => [V4, [owner, JSON.stringify(typed)]]);
  assert.ok(lies.length > 20);
  const wrong = [
    ...lies,
    [V4, [THIEF, permit()]], [V4, [owner, permit(), "more"]], ["eth_signTypedData_v3", [owner, permit()]], ["eth_signTypedData", [owner, permit()]],
    [V4, [owner, JSON.stringify(permit()).replace('"spender":', `"spender":"${THIEF}","spender":`)]],
    [SEND, [{ from: owner, ...approving(THIEF) }]], [SEND, [{ from: owner, ...approving(DELTA, 8n) }]], [SEND, [{ from: THIEF, ...approving() }]], [SEND, [{ ...approving() }]],
    [SEND, [{ from: owner, ...approving(), value: "0x1" }]], [SEND, [{ from: owner, ...approving(), chainId: "0x1" }]], [SEND, [{ from: owner, ...approving() }, { to: THIEF }]],
    [SEND, [{ from: owner, ...approving(), input: approving(THIEF).data }]], [SEND, [{ from: owner, ...approving(), authorizationList: [{ address: THIEF, chainId: 0 }] }]],
    [SEND, [{ from: owner, ...approving(), capabilities: {} }]], [CALLS, batch(approving(), approving(THIEF))], [CALLS, batch()],
    // One that was asked for, twice; digits that some wallets read as hex; what a Safe would do by a delegatecall.
    [CALLS, batch(approving(), approving())], [SEND, [{ from: owner, ...approving(), gas: "21000" }]], [SEND, [{ from: owner, ...approving(), operation: 1 }]],
    [SEND, [{ from: owner, ...approving(), value: 2 ** 53 }]], [CALLS, batch({ ...approving(), from: THIEF })], [CALLS, batch({ ...approving(), chainId: "0x1" })],
    ...[{ paymasterService: {} }, { paymasterService: { ...PAYS, optional: undefined } }, { paymasterService: { ...PAYS, more: 1 } }, { paymasterService: PAYS, atomic: {} }]
      .map((capabilities) => [CALLS, [{ ...batch(approving())[0], capabilities }]]),
    [CALLS, batch({ ...approving(), capabilities: { paymasterService: PAYS } })], [SEND, [{ from: owner, ...approving(), capabilities: { paymasterService: PAYS } }]],
    [CALLS, [{ ...batch(approving())[0], chainId: "0x1" }]],
    ["personal_sign", ["0x6869", owner]], ["eth_sign", [owner, "0x11"]], ["eth_signTransaction", [{ from: owner, ...approving() }]], ["eth_sendRawTransaction", ["0xc0"]],
    ["eth_inventedTomorrow", [{ from: owner, ...approving() }]],
  ];
  for (const [method, params] of wrong) {
    const error = await failure(outer.request({ method, params }));
    const what = `${method} ${JSON.stringify(params)}`;
    assert.equal(error.code, 4100, what);
    assert.ok(isTradeError(error.cause, "VERIFY_MISMATCH") || isTradeError(error.cause, "SERVICE_MALFORMED"), `${what}: ${error.stack}`);
    assert.deepEqual([prompts, told], [[], []], what);
  }
  // A call that a wallet asks its user about, and that signs nothing: no request describes it.
  await outer.request({ method: "wallet_switchEthereumChain", params: [{ chainId: "0x1" }] });
  assert.deepEqual([prompts[0].verdict, prompts[0].purpose, prompts[0].sentence], ["explained", "switchChain", "Switch the wallet to chain 1"]);
});

test("the wallet gets what was read, in one form; what programs read in different ways is found, and with a request refused", async () => {
  const bytes = "0x68656c6c6f";
  const hash = "8825317b".padEnd(64, "0");
  const sent = { from: owner, to: DELTA, value: "0x1" };
  /** The page's own spelling, what the wallet gets (none: nothing), and what is found. */
  const FORMS = [
    ["personal_sign", ["hello", owner], [bytes, owner]], ["personal_sign", [bytes.toUpperCase().replace("0X", "0x"), owner.toLowerCase()], [bytes, owner]],
    ["personal_sign", [owner, "hello"], [bytes, owner], "message.form"], ["personal_sign", [`0x${hash}`, owner], [`0x${hash}`, owner]],
    ["personal_sign", [hash, owner], [`0x${Buffer.from(hash).toString("hex")}`, owner], "message.form"],
    ["personal_sign", [bytes.replace("0x", "0X"), owner], undefined, "message.form"], ["personal_sign", [`${bytes}0`, owner], undefined, "message.form"],
    [SEND, [{ ...sent, chainId: 8453 }], [{ ...sent, chainId: "0x2105" }]], [SEND, [{ ...sent, chainId: "8453", value: 1 }], [{ ...sent, chainId: "0x2105" }]],
    [SEND, [{ ...sent, input: bytes }], [{ ...sent, data: bytes }]], [SEND, [{ ...sent, gas: "0x00005208" }], undefined],
    [SEND, [{ ...sent, value: "10" }], undefined, "number.form"], [SEND, [{ ...sent, value: 2 ** 53 }], undefined, "number.form"], [SEND, [{ ...sent, value: 1e21 }], undefined, "number.form"],
    [CALLS, [{ version: "2.0.0", from: owner, chainId: 8453, atomicRequired: true, calls: [{ to: DELTA, value: 1, data: bytes }] }], [{ version: "2.0.0", from: owner, chainId: "0x2105", atomicRequired: true, calls: [{ to: DELTA, value: "0x1", data: bytes }] }]],
    [V4, [owner.toLowerCase(), permit()], [owner, JSON.stringify(permit())]],
  ];
  for (const [method, params, expected, found] of FORMS) {
    const what = `${method} ${JSON.stringify(params)}`;
    const { outer, prompts, told } = guarded({ context });
    await outer.request({ method, params });
    const [{ explanation, findings }] = prompts;
    const forwarded = explanation.request ?? { method, params };
    assert.deepEqual(told, [forwarded], what);
    if (expected) assert.deepEqual(told, [{ method, params: expected }], what);
    assert.deepEqual([findings, ...explanation.inner.map((one) => one.findings)].flat().filter(({ id }) => id.endsWith(".form")).map(({ id }) => id), found ? [found] : [], what);
    const held = guarded({ context, request: [asked, approval] });
    const error = await failure(held.outer.request({ method, params: method === V4 ? [...params, "more"] : params }));
    assert.deepEqual([error.code, held.prompts, held.told], [4100, [], []], what);
    if (found) assert.equal(error.cause.actual, found, what);
  }
});

test("the request is asked for at each prompt: none is explained, an empty list signs nothing", async () => {
  let request = asked;
  const { outer, prompts, told } = guarded({ context, request: async () => request });
  const sign = (spender) => outer.request({ method: V4, params: [owner, JSON.stringify(permit(spender))] });
  await sign();
  request = undefined;
  await sign(THIEF);
  assert.deepEqual(prompts.map(({ verdict }) => verdict), ["verified", "explained"]);
  for (request of [[], [approval]]) assert.equal((await failure(sign())).code, 4100);
  for (request of [{ verifier: "verifyAll", input: {} }, { verifier: "constructor", input: {} }, {}]) assert.equal((await failure(sign())).cause.field, "request.verifier");
  assert.equal(told.length, 2);
});

test("a request is for one payload: it is used up by a signature, a hash or a failure, and given back by a no", async () => {
  const order = (nonce) => ({ ...permit(), message: { ...permit().message, nonce: String(nonce) } });
  const failed = (code) => Object.assign(new Error("the wallet's"), { code });
  /** The fate of the first payload, and whether its request is used up by that. */
  const FIRST = [
    ["signed", {}, true], ["refused in the wallet", { fail: failed(4001) }, false], ["failed", { fail: failed(-32603) }, true], ["pending", { fail: failed(-32002) }, true],
    ["lost", { fail: new Error("no answer") }, true], ["refused here", { answer: () => false }, false], ["thrown here", { answer: () => assert.fail() }, false],
    ["another chain", { answer: (_, state) => ((state.chainId = "0x1"), true) }, false],
  ];
  // Stated once, as a function that makes it anew with another time, and twice for two payloads.
  const anew = () => ({ ...asked, input: { ...asked.input, now: now + Math.floor(Math.random() * 100) } });
  const STATED = [[asked, 1], [[asked, approval], 1], [anew, 1], [() => [anew(), approval], 1], [[asked, asked], 2]];
  for (const [what, { fail, answer }, isUsed] of FIRST) {
    for (const [request, times] of STATED) {
      let answered = answer ?? (() => true);
      const { outer, prompts, state } = guarded({ context, request, answer: (...given) => answered(...given) });
      const sign = (nonce) => outer.request({ method: V4, params: [owner, JSON.stringify(order(nonce))] });
      state.fail = fail;
      await sign(1).catch(() => {});
      Object.assign(state, { fail: undefined, chainId: "0x2105" });
      answered = () => true;
      for (let nonce = 2; nonce < 5; nonce++) await sign(nonce);
      const fresh = times - (isUsed ? 1 : 0);
      const expected = [false, ...[0, 1, 2].map((at) => at >= fresh)];
      assert.deepEqual(prompts.map(({ isRepeated }) => isRepeated), expected, `${what}, ${times}`);
      assert.deepEqual(prompts.map(({ verdict }) => verdict), expected.map((isRepeated) => (isRepeated ? "explained" : "verified")), `${what}, ${times}`);
      assert.ok(prompts.every(({ reports }) => reports.length === 1), "it is held to the request all the same");
    }
  }
});

test("of calls at once one gets the request", async () => {
  for (const many of [2, 5]) {
    const answers = [];
    const { outer, prompts, told } = guarded({ context, request: async () => asked, answer: () => new Promise((resolve) => answers.push(resolve)) });
    const signing = Array.from({ length: many }, (_, nonce) => outer.request({ method: V4, params: [owner, JSON.stringify({ ...permit(), message: { ...permit().message, nonce: String(nonce) } })] }));
    while (answers.length < many) await turn();
    assert.equal(prompts.filter(({ isRepeated }) => !isRepeated).length, 1);
    for (const answer of answers) answer(true);
    await Promise.all(signing);
    assert.equal(told.length, many);
  }
});

test("what a wallet gives is a copy: no object, no function and no listener of its own", async () => {
  const { inner, outer, state } = guarded({ answer: () => false });
  const live = { accounts: [owner], caps: { "0x2105": { atomic: { status: "supported" } }, call: () => "the wallet's" } };
  state.accounts = live.accounts;
  inner.request = undefined; // it was taken when the guard was made
  for (const method of ["eth_accounts", "eth_requestAccounts"]) {
    const given = await outer.request({ method });
    given.push(THIEF);
    given[0] = THIEF;
    assert.deepEqual([await outer.request({ method }), live.accounts], [[owner], [owner]]);
  }
  const reads = guard({ request: async ({ method }) => (method === "wallet_getCapabilities" ? live.caps : null) }, { onPrompt: () => false });
  const caps = await reads.request({ method: "wallet_getCapabilities" });
  assert.deepEqual(caps, { "0x2105": { atomic: { status: "supported" } }, call: undefined });
  caps["0x2105"].atomic.status = "no";
  assert.equal(live.caps["0x2105"].atomic.status, "supported");
  const heard = [];
  const listener = (...values) => heard.push(values);
  for (const event of ["accountsChanged", "disconnect", "newListener"]) outer.on(event, listener);
  inner.emit("accountsChanged", live.accounts);
  heard.at(-1)[0].push(THIEF);
  assert.deepEqual(live.accounts, [owner]);
  const error = Object.assign(new Error("gone"), { code: 4900, data: live });
  inner.emit("disconnect", error);
  const [copy] = heard.at(-1);
  assert.ok(copy instanceof Error && copy !== error);
  assert.deepEqual([copy.code, copy.message, copy.data.accounts, copy.data.caps.call], [4900, "gone", live.accounts, undefined]);
  assert.notEqual(copy.data.accounts, live.accounts);
  inner.on("chainChanged", function secret() {});
  assert.ok(heard.flat(9).every((value) => typeof value !== "function"), "the listeners of others");
  const deep = guard({ request: async () => JSON.parse(`${"[".repeat(70)}${"]".repeat(70)}`) }, { onPrompt: () => false });
  assert.equal((await failure(deep.request({ method: "eth_getLogs" }))).code, -32603);
});

test("with a request its findings know that request's contracts and price, as the verifier does", async () => {
  const [chain, delta, token, other] = [31_337, "0x00000000000000000000000000000000000De17a", "0x0000000000000000000000000000000000007001", "0x0000000000000000000000000000000000007002"];
  const contracts = { [chain]: { delta } };
  const request = { verifier: "verifyTransaction", input: { now, kind: "approval", contracts, request: { chainId: chain, account: owner, path: "delta", token, amount: 7n } } };
  const call = { method: SEND, params: [{ from: owner, ...approving(delta), to: token }] };
  for (const [given, expected] of [[request, false], [undefined, true]]) {
    const { outer, prompts, state } = guarded({ context, request: given });
    state.chainId = chain;
    await outer.request(call);
    assert.equal(ids(prompts[0]).includes("spender.unknown"), expected);
    assert.equal(prompts[0].verdict, expected ? "explained" : "verified");
  }
  const vectors = JSON.parse(readFileSync(join(ROOT, "pkg-template/vectors.json"), "utf8"));
  const { input: { toSign, ...input } } = vectors.vectors.find(({ name }) => name === "order: sells for at least the price less slippage");
  const { account } = input.request;
  const inner = { request: async ({ method }) => ({ eth_chainId: `0x${input.request.chainId.toString(16)}`, eth_accounts: [account] })[method] ?? "0x" };
  const prompts = [];
  const outer = guard(inner, { onPrompt: (prompt) => prompts.push(prompt) > 0, context: { now: vectors.now }, request: { verifier: "verifyOrder", input: { ...input, now: vectors.now } } });
  await outer.request({ method: V4, params: [account, JSON.stringify({ domain: toSign.domain, types: toSign.types, primaryType: "Order", message: toSign.value ?? toSign.message })] });
  const [prompt] = prompts;
  assert.equal(prompt.verdict, "verified");
  assert.ok(!ids(prompt).some((id) => ["price.unjudged", "price.poor", "token.unknown", "contract.unknown"].includes(id)), String(ids(prompt)));
  // Findings are of the payload; what the verifier checked is in its report, and what it asks is a question.
  assert.deepEqual(prompt.findings, prompt.explanation.findings);
  assert.deepEqual(prompt.questions, prompt.reports[0].questions);
});

test("a question is answered by its id", async () => {
  const dai = { name: "Dai Stablecoin", version: "1", chainId: 1, verifyingContract: "0x6B175474E89094C44Da98b954EedeAC495271d0F" };
  const typed = {
    domain: dai,
    types: {
      EIP712Domain: [["name", "string"], ["version", "string"], ["chainId", "uint256"], ["verifyingContract", "address"]].map(([name, type]) => ({ name, type })),
      Permit: [["holder", "address"], ["spender", "address"], ["nonce", "uint256"], ["expiry", "uint256"], ["allowed", "bool"]].map(([name, type]) => ({ name, type })),
    },
    primaryType: "Permit",
    message: { holder: owner, spender: DELTA, nonce: "0", expiry: String(now + 600), allowed: true },
  };
  const request = { verifier: "verifyPermit", input: { now, request: { kind: "dai", path: "delta", chainId: 1, token: dai.verifyingContract, owner, amount: 5n } } };
  let answer;
  const { outer, prompts, told, state } = guarded({ context, request, answer: (prompt) => answer(prompt) });
  state.chainId = 1;
  const sign = () => outer.request({ method: V4, params: [owner, JSON.stringify(typed)] });
  for (answer of [() => true, () => ({ accept: [] }), () => ({ accept: ["other"] })]) {
    const error = await failure(sign());
    assert.deepEqual([error.code, told], [4001, []]);
    assert.match(error.message, /question is open/);
  }
  assert.deepEqual(prompts[0].questions.map(({ reason }) => reason), ["unlimitedPermit"]);
  const [{ id }] = prompts[0].questions;
  // A function may do with its prompt as it likes: that answers nothing.
  for (answer of [
    (prompt) => ((prompt.questions.length = 0), true),
    (prompt) => ((prompt.questions = []), true),
    (prompt) => ((prompt.questions[0].id = "mine"), { accept: ["mine"] }),
  ]) assert.deepEqual([(await failure(sign())).code, told], [4001, []]);
  // Neither in a client's, whose agreement the guard would take.
  const { noted } = await import(new URL("agreed.js", import.meta.resolve("verified-swap/verify")));
  const shared = (prompt) => (prompt.explanation ? false : ((prompt.questions.length = 0), true));
  const own = guarded({ context, answer: shared });
  own.state.chainId = 1;
  const outerOfClient = guard(own.inner, { onPrompt: shared, context });
  await noted({ onPrompt: shared }).onPrompt({ parts: [{ from: owner, typedData: typed }], capabilities: null, questions: [{ id: "a" }] });
  assert.equal((await failure(outerOfClient.request({ method: V4, params: [owner, JSON.stringify(typed)] }))).code, 4001);
  await noted({ onPrompt: shared }).onPrompt({ parts: [{ from: owner, typedData: typed }], capabilities: null, questions: [] });
  await outerOfClient.request({ method: V4, params: [owner, JSON.stringify(typed)] });
  told.length = 0;
  answer = () => ({ accept: [id] });
  await sign();
  assert.equal(told.length, 1);
});

test("another chain, or other accounts, after the answer: nothing is signed", async () => {
  const sign = ({ outer }) => failure(outer.request({ method: "personal_sign", params: ["0x6869", owner] }));
  const moved = guarded({ answer: (_, state) => ((state.chainId = "0x1"), true) });
  assert.equal((await sign(moved)).code, 4901);
  const other = guarded({ answer: (_, state) => ((state.accounts = [THIEF]), true) });
  assert.equal((await sign(other)).code, 4100);
  const silent = guarded({ answer: (_, state) => ((state.chainId = "one"), true) });
  assert.equal((await sign(silent)).code, -32603);
  for (const { told } of [moved, other, silent]) assert.deepEqual(told, []);
});

test("two at once are judged each by itself", async () => {
  const answers = new Map();
  const { outer, told } = guarded({ answer: (prompt) => new Promise((resolve) => answers.set(prompt.parts[0].params[0], resolve)) });
  const [first, second] = ["0x6869", "0x686a"].map((text) => outer.request({ method: "personal_sign", params: [text, owner] }));
  const refused = failure(second);
  while (answers.size < 2) await turn();
  answers.get("0x686a")(false);
  assert.equal((await refused).code, 4001);
  assert.deepEqual(told, []);
  answers.get("0x6869")(true);
  await first;
  assert.deepEqual(told, [{ method: "personal_sign", params: ["0x6869", owner] }]);
  const list = guarded({ answer: ({ parts: [{ params }] }) => params[0] === "0x6869" });
  const responses = await new Promise((resolve) =>
    list.outer.sendAsync(["0x6869", "0x686a"].map((text, id) => ({ id, method: "personal_sign", params: [text, owner] })), (_, all) => resolve(all)));
  assert.deepEqual([responses[0].result, responses[1].error.code, list.told.length], ["done: personal_sign", 4001, 1]);
});

test("events come, and nothing of the provider comes with them; no member is a way around", async () => {
  const { inner, outer, told } = guarded({ answer: () => false });
  const heard = [];
  function listener(...values) {
    heard.push([this, ...values]);
  }
  assert.equal(outer.on("chainChanged", listener), outer);
  inner.emit("chainChanged", "0x1");
  outer.removeListener("chainChanged", listener);
  inner.emit("chainChanged", "0x2");
  assert.deepEqual(heard, [[undefined, "0x1"]]);
  assert.equal(inner.listenerCount("chainChanged"), 0);
  assert.deepEqual([outer.isMetaMask, outer.selectedAddress, "isMetaMask" in outer, outer.isConnected()], [true, owner.toLowerCase(), true, true]);
  inner.selectedAddress = "0x1";
  assert.equal(outer.selectedAddress, "0x1", "as it is now");
  const names = new Set();
  for (let at = inner; at; at = Object.getPrototypeOf(at)) for (const name of Reflect.ownKeys(at)) names.add(name);
  for (const name of [...names, "provider", "session", "_metamask"]) {
    const value = outer[name];
    if (name in Object.prototype || !["object", "function"].includes(typeof value)) continue;
    assert.notEqual(value, inner[name], String(name));
  }
  for (const name of ["session", "_metamask", "emit", "state"]) assert.equal(outer[name], undefined, name);
  assert.throws(() => (outer.request = inner.request), TypeError);
  assert.throws(() => Object.defineProperty(outer, "request", { value: inner.request }), TypeError);
  assert.equal((await failure(Reflect.apply(outer.request, inner, [{ method: "personal_sign", params: ["0x6869", owner] }]))).code, 4001);
  assert.deepEqual(told, []);
  const bare = guard({ request: inner.request }, { onPrompt: () => true });
  assert.deepEqual([bare.on, bare.isConnected], [undefined, undefined]);
});

test("the declarations have its options, and what a prompt has", async () => {
  const entries = surface(ROOT);
  const declared = (entry, type) => entries.get(entry).flatMap(({ name }) => (name.startsWith(`${type}.`) ? [name.slice(type.length + 1)] : []));
  assert.deepEqual(declared("verify", "GuardOptions"), ["onPrompt", "request", "context"]);
  const { outer, prompts } = guarded({ context, request: [asked] });
  await outer.request({ method: V4, params: [owner, JSON.stringify(permit())] });
  const [prompt] = prompts;
  // The members left out of a client's prompt are a client's alone, or differ here.
  const [, left] = /^interface GuardPrompt extends Omit<Prompt, ([^>]*)>/.exec(entries.get("verify").find(({ name }) => name === "GuardPrompt").line);
  const ofClient = declared("index", "Prompt").filter((name) => !left.includes(`"${name}"`));
  assert.deepEqual(Object.keys(prompt).sort(), [...ofClient, ...declared("verify", "GuardPrompt")].sort());
  assert.deepEqual(Object.keys(prompt.digests).sort(), ["domainSeparator", "eip712", "structHash"]);
});

let sandbox;
after(() => sandbox?.stop());

/** A client of the sandbox whose wallet is a guard. `asked` has each function's prompts, `told` those of the wallet. */
async function traded(t, { outer, client: own }) {
  sandbox ??= await startSandbox();
  await sandbox.control("POST", "reset");
  const { settings } = await fundedTrade(sandbox);
  const { chainId, account, request, references, contracts, baseUrl } = settings;
  await sandbox.control("POST", "approve", { chainId, token: request.srcToken, owner: account, amount: "0" });
  const [told, state] = [[], { accounts: [account] }];
  const inner = {
    async request({ method, params = [] }) {
      if (method === "eth_accounts") return state.accounts;
      if ([V4, SEND].includes(method)) told.push({ method, params });
      return sandbox.rpc(chainId, method, params);
    },
  };
  const wallet = guard(inner, { onPrompt: outer, context: { contracts } });
  const client = await createClient({ baseUrl, wallet, rpc: { [chainId]: inner }, contracts, advanced: { references }, ...(own && { onPrompt: own }) });
  t.after(() => client.close());
  return { client, wallet, told, state, account, request, options: { slippageBps: 100, intervalMs: 100, maxIntervalMs: 300 } };
}
/** A function that agrees, and keeps its prompts. */
const keeping = (answer = () => true) => {
  const kept = [];
  return Object.assign((prompt) => (kept.push(prompt), answer(prompt)), { kept, words: () => kept.map(({ purpose, verdict }) => `${purpose} ${verdict}`) });
};

test("a client and a guard of one function ask once: the client, which knows more; what nobody agreed to is asked about", async (t) => {
  const one = keeping();
  const { client, wallet, told, account, request, options } = await traded(t, { outer: one, client: one });
  const { order } = await client.trade(request, options);
  assert.equal(order.status, "COMPLETED");
  assert.deepEqual(one.kept.map(({ purpose }) => purpose), ["approve", "order"]);
  assert.ok(one.kept.every(({ verdict, explanation }) => ["ok", "unusual", "opaque", "unknown"].includes(verdict) && explanation === undefined));
  assert.deepEqual(told.map(({ method }) => method), [SEND, V4]);
  // The same payloads once more, by the page, without consent.
  for (const call of told.splice(0)) {
    await wallet.request(call);
    assert.equal(one.kept.at(-1).verdict, "explained");
  }
  assert.equal(one.kept.length, 4);
  assert.equal(account.toLowerCase(), one.kept.at(-1).parts[0].from.toLowerCase());
});

test("what a client's function agreed to lets nothing else past the guard", async (t) => {
  let meanwhile;
  const one = keeping(({ purpose, explanation }) => {
    if (purpose === "order" && !explanation) meanwhile ??= disturb();
    return !explanation;
  });
  const { client, wallet, told, account, request, options } = await traded(t, { outer: one, client: one });
  // While the order is agreed to: the same as text of which a part occurs twice, by another account, and with another value.
  const disturb = async () => {
    const { typedData, from } = one.kept.at(-1).parts[0];
    const text = JSON.stringify(typedData);
    const twice = text.replace('"message":{', `"message":{"owner":"${THIEF}",`);
    const other = JSON.stringify({ ...typedData, message: { ...typedData.message, beneficiary: THIEF } });
    for (const params of [[from, twice], [THIEF, text], [from, other], [from, text, "more"]]) assert.equal((await failure(wallet.request({ method: V4, params }))).code, 4001);
  };
  const { order } = await client.trade(request, options);
  assert.equal(order.status, "COMPLETED");
  await meanwhile;
  assert.equal(one.kept.filter(({ verdict }) => ["explained", "unread"].includes(verdict)).length, 4);
  assert.deepEqual(told.map(({ params: [of] }) => String(of.from ?? of).toLowerCase()), [account.toLowerCase(), account.toLowerCase()]);
});

test("what was agreed to and did not get to the wallet passes once, and only as it was", async (t) => {
  const one = keeping(({ explanation }) => {
    if (explanation) return false;
    world.state.accounts = [];
    return true;
  });
  const world = await traded(t, { outer: one, client: one });
  const { client, wallet, told, account, request, options } = world;
  assert.equal((await failure(client.trade(request, options))).code, "WRONG_ACCOUNT");
  world.state.accounts = [account];
  const [{ from, to, data, chainId }] = one.kept[0].parts;
  const call = { from, to, data, value: "0x0", chainId: `0x${chainId.toString(16)}` };
  const other = { ...call, data: call.data.replace(/.$/, (last) => (last === "1" ? "2" : "1")) };
  for (const wrong of [{ ...call, maxFeePerGas: "0xffffffffffff" }, { ...call, gasPrice: "0x1" }, { ...call, value: "0x1" }, { ...call, to: THIEF }, { ...call, chainId: "0x1" }, { ...call, accessList: [], extra: 1 }, { ...call, nonce: "0x0" }, { from, to, data, value: "0x0" }, other]) {
    assert.equal((await failure(wallet.request({ method: SEND, params: [wrong] }))).code, 4001, JSON.stringify(wrong));
  }
  assert.equal((await failure(wallet.request({ method: CALLS, params: [{ from, calls: [call, call] }] }))).code, 4001);
  const { now: clock } = Date;
  t.after(() => (Date.now = clock));
  for (const later of [61_000, -61_000]) {
    Date.now = () => clock() + later;
    assert.equal((await failure(wallet.request({ method: SEND, params: [call] }))).code, 4001, "within a minute");
  }
  Date.now = clock;
  const asked = one.kept.length;
  await wallet.request({ method: SEND, params: [call] });
  assert.deepEqual([told.length, one.kept.length], [1, asked]);
  assert.equal((await failure(wallet.request({ method: SEND, params: [call] }))).code, 4001);
});

test("a guard of another function, as a dependency could make one, takes nothing from the client's: both ask", async (t) => {
  const [theirs, ours] = [keeping(), keeping()];
  const { client, told, request, options } = await traded(t, { outer: theirs, client: ours });
  await client.trade(request, options);
  assert.deepEqual(ours.kept.map(({ purpose }) => purpose), ["approve", "order"]);
  assert.deepEqual(theirs.words(), ["approve explained", "order explained"]);
  const refusing = await traded(t, { outer: keeping(), client: () => false });
  assert.equal((await failure(refusing.client.trade(refusing.request, options))).code, "USER_REJECTED");
  assert.deepEqual([told.length, refusing.told], [2, []]);
  // A call's own function is asked in place of the client's; the guard's is not aware of what that agreed to.
  const [guards, calls] = [keeping(), keeping()];
  const own = await traded(t, { outer: guards, client: guards });
  await own.client.trade(own.request, { ...options, onPrompt: calls });
  assert.deepEqual([calls.kept.length, guards.words()], [2, ["approve explained", "order explained"]]);
});

test("a client without a function leaves the asking to the guard", async (t) => {
  const guards = keeping(({ purpose }) => purpose === "approve");
  const { client, told, request, options } = await traded(t, { outer: guards });
  assert.equal((await failure(client.trade(request, { ...options, onReview: () => true }))).code, "USER_REJECTED");
  assert.deepEqual([guards.words(), told.map(({ method }) => method)], [["approve explained", "order explained"], [SEND]]);
});

/** An honest published payload, as a wallet is asked for it, and as a guard gets it. */
function published(name) {
  const { now: at, vectors } = JSON.parse(readFileSync(join(ROOT, "pkg-template/vectors.json"), "utf8"));
  const { verifier, input: { toSign, ...input } } = vectors.find((one) => one.name === name);
  return { toSign, request: { verifier, input: { ...input, now: at, orderHash: undefined } }, account: input.request.account ?? owner };
}

test("of typed data that was verified the wallet gets the report's text: whole, and with nothing beside what is signed", async () => {
  for (const name of ["order: sells for at least the price less slippage", "order: sells in slices", "cancellation by signature"]) {
    const { toSign: { domain, types, value }, request, account } = published(name);
    const [primaryType] = Object.keys(types).filter((type) => /Order/.test(type));
    const typed = { domain, types, primaryType, message: value };
    // Beside what an order signs, the service may have more; of anything else that is refused.
    const more = name.startsWith("order") ? [{ ...typed, message: { ...value, hint: "1" } }] : [];
    for (const given of [typed, ...more, { ...typed, domain: { ...domain, chainId: "0x2105" } }]) {
      const told = [];
      const inner = { request: async ({ method, params }) => ({ eth_accounts: [account], eth_chainId: "0x2105" })[method] ?? (told.push(params), "0x") };
      const prompts = [];
      await guard(inner, { request, onPrompt: (prompt) => (prompts.push(prompt), true) }).request({ method: V4, params: [account, given] });
      const signed = JSON.parse(told[0][1]);
      assert.deepEqual(Object.keys(signed.message), types[primaryType].map(({ name }) => name), name);
      assert.ok(signed.types.EIP712Domain.length === 4 && prompts[0].verdict === "verified");
      assert.equal(hashTypedData(signed), prompts[0].digests.eip712);
    }
  }
});

test("a request without an account is for an account of the wallet's", async () => {
  const { toSign: { domain, types, value }, request } = published("cancellation by signature");
  const { outer, told } = guarded({ request });
  const typed = { domain, types, primaryType: "OrderCancellations", message: value };
  assert.equal((await failure(outer.request({ method: V4, params: [THIEF, typed] }))).code, 4100);
  assert.deepEqual(told, []);
});

test("the same request is the same one in any order of its members, in any letters, and with nothing beside it", async () => {
  let times = 0;
  const again = () => {
    const { token, owner: own, ...request } = asked.input.request;
    return times++ % 2 ? { ...asked, input: { request: { beneficiary: undefined, ...request, owner: own, token: token.toLowerCase() }, now } } : asked;
  };
  const { outer, prompts } = guarded({ context, request: again });
  for (let count = 0; count < 3; count++) await outer.request({ method: V4, params: [owner, permit()] });
  assert.deepEqual(prompts.map(({ isRepeated }) => isRepeated), [false, true, true]);
});

test("a wallet's error is a copy", async () => {
  const inner = wallet();
  for (const [code, data] of [[4001, { nested: { text: "no" } }], [-32603, { inner }]]) {
    inner.state.fail = Object.assign(new TypeError("its words"), { code, data, wallet: inner });
    const error = await failure(guard(inner, { onPrompt: () => true, context }).request({ method: SEND, params: [{ from: owner, to: DELTA }] }));
    assert.deepEqual([error.name, error.code, error.message, error.wallet], ["TypeError", code, "its words", undefined]);
    assert.deepEqual([error.data?.nested, error.data?.inner], [code === 4001 ? { text: "no" } : undefined, undefined]);
    assert.notEqual(error.data, data);
  }
});
