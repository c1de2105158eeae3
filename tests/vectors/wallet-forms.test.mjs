// One call, and the bytes that each wallet would sign of it: MetaMask's own middleware and normaliser, eth-sig-util, ethers and viem.
// A call without an alarm of `explain` is the same to all of them; one that one of them reads otherwise is found, or not read at all.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { before, test } from "node:test";
import { createWalletMiddleware } from "@metamask/eth-json-rpc-middleware";
import { SignTypedDataVersion, TypedDataUtils, personalSign, recoverPersonalSignature } from "@metamask/eth-sig-util";
import { add0x } from "@metamask/utils";
import { BrowserProvider, TypedDataEncoder, getBigInt, getBytes, hashMessage as ethersHash, isHexString } from "ethers";
import { createWalletClient, custom, hashMessage, hashTypedData, hexToBigInt, isHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { explain, init } from "verified-swap/verify";
import { campaign, forEachCase } from "./seeded-random.mjs";
import { asJson } from "./spellings.mjs";
import { domainType, typedDataCase } from "./typed-data-cases.mjs";

// The signature controller's own normaliser is in MetaMask's package of messages, too, which exports it to its managers alone.
const managers = createRequire(import.meta.url).resolve("@metamask/message-manager");
const { normalizeMessageData } = createRequire(import.meta.url)(join(dirname(managers), "utils.cjs"));

const PRIVATE_KEY = Buffer.alloc(32, 0x11);
const account = privateKeyToAccount(`0x${PRIVATE_KEY.toString("hex")}`).address;
const [chainId, now] = [8453, 1_800_000_000];
const context = { accounts: [account], chainId, now };
const CASES = campaign(400, 20_000);
const [V4, SEND] = ["eth_signTypedData_v4", "eth_sendTransaction"];
const ALARMS = ["message.form", "number.form", "json.duplicate", "typedData.unhashable", "member.extra"];

before(() => init());

/** The parameters that MetaMask's middleware hands to its controllers. Throws where it refuses. */
async function handed(call) {
  const given = [];
  const keep = async (params) => (given.push(params), "0x");
  const wallet = createWalletMiddleware({ getAccounts: async () => [account.toLowerCase()], processPersonalMessage: keep, processTypedMessageV4: keep, processTransaction: keep });
  await new Promise((resolve, reject) => wallet({ id: 1, jsonrpc: "2.0", ...structuredClone(call) }, {}, reject, (error) => (error ? reject(error) : resolve())));
  return given[0];
}

/** The digest of an EIP-191 message that eth-sig-util signs, by the name of none of its functions: it exports only signatures. */
function signedBy(data) {
  const signature = personalSign({ privateKey: PRIVATE_KEY, data });
  return (hex) => recoverPersonalSignature({ data: hex, signature }).toLowerCase() === account.toLowerCase();
}
/** Each wallet, for a call of `personal_sign`: whether it signs those bytes. Throws where it refuses. */
const MESSAGES = {
  MetaMask: async (call) => {
    const { data } = await handed(call);
    // Its signature controller refuses an empty one (`validatePersonalSignatureRequest`).
    if (data === "") throw new Error("no message");
    return signedBy(normalizeMessageData(data));
  },
  "eth-sig-util": async ({ params: [data] }) => signedBy(data),
  ethers: async ({ params: [message] }) => (hex) => ethersHash(isHexString(message) ? getBytes(message) : message) === ethersHash(getBytes(hex)),
  viem: async ({ params: [message] }) => (hex) => hashMessage(isHex(message) ? { raw: message } : message) === hashMessage({ raw: hex }),
};
/** Each wallet, for typed data as it is given: the digest. */
const TYPED = {
  MetaMask: async (call) => sigUtilDigest((await handed(call)).data),
  "eth-sig-util": async ({ params: [, data] }) => sigUtilDigest(data),
  ethers: async ({ params: [, data] }) => {
    const { types: { EIP712Domain, ...types }, domain, message, primaryType } = valueOf(data);
    const encoder = TypedDataEncoder.from(types);
    if (encoder.primaryType !== primaryType) throw new Error("another root");
    return TypedDataEncoder.hash(domain, types, message);
  },
  viem: async ({ params: [, data] }) => hashTypedData(valueOf(data)),
};
const valueOf = (data) => (typeof data === "string" ? JSON.parse(data) : data);
const sigUtilDigest = (data) => `0x${TypedDataUtils.eip712Hash(valueOf(data), SignTypedDataVersion.V4).toString("hex")}`;
/** Each wallet, for a number of a transaction. MetaMask's controller puts 0x before a text that has none. */
const NUMBERS = {
  MetaMask: (value) => BigInt(typeof value === "string" ? add0x(value) : value),
  ethers: (value) => getBigInt(value),
  viem: (value) => (typeof value === "string" ? hexToBigInt(value) : BigInt(value)),
};

const foundIn = ({ findings, inner }) => [...findings, ...inner.flatMap(({ findings }) => findings)].map(({ id }) => id);
/** Whether it warns of no other program that may read it otherwise. */
const isCalm = (answer) => answer.request !== null && !foundIn(answer).some((id) => ALARMS.includes(id));
const accepted = async (work) => {
  try {
    return { value: await work() };
  } catch {
    return null;
  }
};

/** A message, and a spelling of it, of one of many kinds. */
function messageOf(random) {
  const bytes = random.hex(random.pick([0, 1, 2, 20, 21, 31, 32, 33, 65]));
  const text = random.pick(["hello", "Sign in to example.com", "12", "abc", "deadbeef", "0xyz", "0x", "", "é", "\u0000", "0x12 ", "face: b00c", "cafe", account, account.slice(2), `${"x".repeat(42)}`, `${"a".repeat(42)}`]);
  const hex = random.oneIn(2) ? bytes : `0x${Buffer.from(text).toString("hex")}`;
  return random.pick([
    text, hex, hex.slice(2), `0X${hex.slice(2)}`, hex.toUpperCase().replace("0X", "0x"), hex.toUpperCase(), hex.slice(0, -1), `${hex}0`, ` ${hex}`, `${hex.slice(2)} `, `0x0x${hex.slice(2)}`,
  ]);
}
const accountOf = (random) => random.pick([account, account, account.toLowerCase(), account.toUpperCase().replace("0X", "0x"), account.toUpperCase(), account.slice(2), `0x${"b".repeat(40)}`]);

test("a message that is explained without alarm is signed so by every wallet, and the form that is handed on by each", async () => {
  const seen = new Set();
  await forEachCase(CASES, async (random) => {
    const both = [messageOf(random), accountOf(random)];
    const call = { method: "personal_sign", params: random.oneIn(4) ? both.reverse() : both };
    const answer = explain(call, context);
    const what = `${JSON.stringify(call)}: ${answer.sentence} [${foundIn(answer)}]`;
    if (answer.request) {
      // One form in, the same form out: explained again it is the same, and every wallet signs just those bytes.
      const [hex, from] = answer.request.params;
      assert.match(hex, /^0x([\da-f]{2})+$/, what);
      const again = explain(answer.request, context);
      assert.deepEqual(again.request, answer.request, what);
      assert.equal(again.sentence, answer.sentence, what);
      for (const [name, read] of Object.entries(MESSAGES)) {
        const signs = await accepted(() => read(answer.request));
        if (signs) assert.ok(signs.value(hex), `${name} signs other bytes of what is handed on: ${what}`);
        else assert.ok(name === "MetaMask" && from.toLowerCase() !== account.toLowerCase(), `${name} refuses what is handed on: ${what}`);
      }
    }
    if (!isCalm(answer)) return void seen.add(answer.request ? "found" : "unread");
    seen.add("calm");
    for (const [name, read] of Object.entries(MESSAGES)) {
      // In the other order only MetaMask takes the two.
      if (name !== "MetaMask" && call.params[0] === both[1] && both !== call.params) continue;
      const signs = await accepted(() => read(call));
      if (signs) assert.ok(signs.value(answer.request.params[0]), `${name} signs something else: ${what}`);
    }
  });
  assert.deepEqual([...seen].sort(), ["calm", "found", ...(seen.has("unread") ? ["unread"] : [])]);
});

test("what the libraries themselves ask, and what pages write by hand, is no alarm, and is handed on as it was meant", async () => {
  const asked = [];
  const provider = { request: async (call) => (asked.push(call), { eth_chainId: "0x2105", eth_accounts: [account], eth_requestAccounts: [account] }[call.method] ?? `0x${"11".repeat(65)}`) };
  const signIn = `example.com wants you to sign in with your Ethereum account:\n${account}\n\nHello\n\nURI: https://example.com\nVersion: 1\nChain ID: 8453\nNonce: 12345678\nIssued At: 2026-11-28T00:00:00Z`;
  const texts = ["hello", "Grüße, 世界 👋", signIn, "Sign this message: 42", "a\nb", "x".repeat(5_000)];
  const client = createWalletClient({ account, transport: custom(provider) });
  const signer = await new BrowserProvider(provider).getSigner();
  for (const text of texts) {
    const hex = `0x${Buffer.from(text).toString("hex")}`;
    await client.signMessage({ message: text });
    await signer.signMessage(text);
    asked.push({ method: "personal_sign", params: [text, account] }, { method: "personal_sign", params: [hex, account.toLowerCase()] });
    const calls = asked.splice(0).filter(({ method }) => method === "personal_sign");
    assert.equal(calls.length, 4);
    for (const call of calls) {
      const answer = explain(call, { ...context, origin: "https://example.com" });
      assert.deepEqual(answer.findings.filter(({ severity }) => severity === "danger"), [], JSON.stringify(call));
      assert.deepEqual([answer.request.method, answer.request.params[0], answer.request.params[1].toLowerCase()], ["personal_sign", hex, account.toLowerCase()]);
    }
  }
});

/** Another spelling of a JSON value, as text: one that a program may read otherwise, or refuse. */
function spelledText(random, text) {
  const places = [...text.matchAll(/"(-?\d+)"|"(0x[\da-f]+)"/g)];
  if (places.length === 0) return text;
  const { 0: whole, 1: digits, 2: hex, index } = random.pick(places);
  const other = digits === undefined
    ? random.pick([`"0X${hex.slice(2)}"`, `"${hex.slice(2)}"`, `"${hex.toUpperCase().replace("0X", "0x")}"`, `"${hex}0"`, BigInt(hex).toString(), `"${BigInt(hex)}"`])
    : random.pick([digits, digits, `${digits}.0`, `${digits}e0`, `"${digits} "`, `"+${digits}"`, `"0${digits}"`, `"0x${BigInt(digits.replace("-", "")).toString(16)}"`, `"${digits}.0"`, "1e3", "true", `"${digits}n"`]);
  return text.slice(0, index) + other + text.slice(index + whole.length);
}

/** The object of a text; the text itself where it is no JSON, or has digits beyond JavaScript's numbers. */
function objectOf(text) {
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === JSON.stringify(JSON.parse(text, (_, inner) => (typeof inner === "number" && !Number.isFinite(inner) ? "more" : inner))) ? value : text;
  } catch {
    return text;
  }
}

test("typed data that is explained without alarm has the digest that every library signs", async () => {
  let calm = 0;
  await forEachCase(CASES, async (random) => {
    const typedData = asJson(typedDataCase(random));
    const whole = { ...typedData, types: { ...typedData.types, EIP712Domain: domainType(typedData.domain) } };
    let text = JSON.stringify(whole);
    for (let times = random.between(0, 2); times > 0; times--) text = spelledText(random, text);
    const call = { method: V4, params: [account, random.oneIn(2) ? objectOf(text) : text] };
    const answer = explain(call, context);
    if (!isCalm(answer)) return;
    calm++;
    for (const form of [call, answer.request]) {
      for (const [name, read] of Object.entries(TYPED)) {
        const digest = await accepted(() => read(form));
        if (digest) assert.equal(digest.value, answer.digests.eip712, `${name}: ${JSON.stringify(form)}`);
      }
    }
  });
  assert.ok(calm > CASES.cases / 4, `only ${calm} are calm`);
});

test("a number of a transaction that is explained without alarm is the same to every wallet, and handed on as JSON-RPC has it", async () => {
  let calm = 0;
  await forEachCase(CASES, async (random) => {
    const number = random.pick([0n, 1n, 10n, 255n, BigInt(chainId), (1n << 53n) - 1n, 1n << 53n, (1n << 53n) + 1n, 10n ** 18n, random.bits(random.pick([8, 53, 64, 128, 256]))]);
    const hex = number.toString(16);
    const text = random.pick([
      `"0x${hex}"`, `"0x${hex}"`, `"0x0${hex}"`, `"0x${hex.toUpperCase()}"`, `"0X${hex}"`, `"${number}"`, `"${hex}"`, `${number}`, `${number}.0`, `${number}e0`, `"${number}e0"`, `"0x"`, `""`, `"0${number}"`, `" 0x${hex}"`, `-${number}`, `"-0x${hex}"`,
    ]);
    const name = random.pick(["value", "gas", "gasPrice", "maxFeePerGas", "nonce"]);
    const given = `{"method":"${SEND}","params":[{"from":"${account}","to":"0x${"22".repeat(20)}","${name}":${text}}]}`;
    // A page's own number is JavaScript's.
    const call = JSON.parse(given);
    const answer = explain(call, context);
    if (!isCalm(answer)) return;
    calm++;
    const stated = call.params[0][name];
    const forwarded = answer.request.params[0][name];
    assert.match(forwarded, /^0x(0|[1-9a-f][\da-f]*)$/, given);
    assert.equal((await handed(answer.request)).to, answer.request.params[0].to, "MetaMask takes it");
    for (const [wallet, read] of Object.entries(NUMBERS)) {
      const value = await accepted(() => read(stated));
      if (value) assert.equal(value.value, BigInt(forwarded), `${wallet}: ${given}`);
    }
  });
  assert.ok(calm > CASES.cases / 5, `only ${calm} are calm`);
});
