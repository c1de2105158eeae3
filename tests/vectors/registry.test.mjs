/**
 * Files for the public registry of descriptors (ERC-7730; see docs/releasing.md): `registry/paraswap`, in the registry's own
 * form. The descriptors are written from the types (crates/verify/tests/rules/clear_signing.rs); their tests are the honest payloads of
 * `verified-swap/vectors`, in the words of a wallet's library that the registry itself runs. `WRITE=1 node --test` on this file
 * writes them anew.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { before, test } from "node:test";
import { format, formatTypedData } from "@ethereum-sourcify/clear-signing";
import { encodeFunctionData, keccak256, parseAbi, parseTransaction, serializeTransaction, toBytes } from "viem";
import { base, optimism } from "viem/chains";
import { DOMAIN_TYPE } from "./delta-types.mjs";
import { vectors } from "./payloads.mjs";

const FOLDER = new URL("registry/paraswap/", import.meta.url);
const json = (name) => JSON.parse(readFileSync(new URL(name, FOLDER), "utf8"));
const NAMES = readdirSync(FOLDER).filter((name) => name.endsWith(".json"));
const DESCRIPTORS = Object.fromEntries(NAMES.map((name) => [name, json(name)]));

const [USDC, WETH] = [{ symbol: "USDC", decimals: 6, name: "USD Coin" }, { symbol: "WETH", decimals: 18, name: "Wrapped Ether" }];
const PROVIDER = {
  tokens: {
    "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913": USDC,
    "0x0b2c639c533813f4aa9d7837caf62653d097ff85": USDC,
    "0x4200000000000000000000000000000000000006": WETH,
  },
  addressNames: {
    "0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a": "Mine",
    "0x1563915e194d8cfba1943570603f7606a3115508": "Friend",
    "0x5555555555555555555555555555555555555555": "Handler",
  },
};
const externalDataProvider = {
  resolveToken: async (_, address) => PROVIDER.tokens[address.toLowerCase()] ?? null,
  resolveLocalName: async (address) => {
    const name = PROVIDER.addressNames[address.toLowerCase()];
    return name ? { name, typeMatch: true } : null;
  },
  resolveChainInfo: async (id) => [base, optimism].find((chain) => chain.id === id) ?? null,
};

/** A wallet's view of a case, by the registry's descriptors; `fields` is absent where none fits. */
async function shown({ data, rawTx }) {
  const index = { calldataIndex: {}, typedDataIndex: {} };
  for (const [path, { context, display }] of Object.entries(DESCRIPTORS)) {
    for (const { chainId, address } of (context.eip712 ?? context.contract).deployments) {
      const key = `eip155:${chainId}:${address.toLowerCase()}`;
      if (context.contract) index.calldataIndex[key] = path;
      else {
        const types = (index.typedDataIndex[key] ??= {});
        for (const encoded of Object.keys(display.formats)) {
          const hashes = (types[encoded.split("(")[0]] ??= [{ path, encodeTypeHashes: [] }])[0].encodeTypeHashes;
          hashes.push(keccak256(toBytes(encoded)));
        }
      }
    }
  }
  const resolver = { index, fetchDescriptor: async (path) => DESCRIPTORS[path] };
  const options = { descriptorResolverOptions: { type: "custom", resolver }, externalDataProvider };
  const account = `0x${"00".repeat(20)}`;
  const model = rawTx ? await format(parseTransaction(rawTx), options) : await formatTypedData({ account, ...data }, options);
  const fields = model.fields?.flatMap((field) => field.fields ?? [field]).map(({ label, value }) => ({ label, value }));
  return { intent: model.intent, owner: model.metadata?.owner, fields, warnings: model.warnings };
}

const typed = ({ domain, types, value, message = value, primaryType = Object.keys(types)[0] }) => ({
  types: { EIP712Domain: DOMAIN_TYPE, ...types }, primaryType, domain, message,
});
const unsigned = ({ to, value = "0", data, chainId }) =>
  serializeTransaction({ chainId, type: "eip1559", nonce: 0, gas: 200_000n, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n, to, value: BigInt(value), data });

const CONTRACTS = new Set();
/** The case of a payload; `null` where it is none for these contracts. */
function caseOf({ name: description, input: { toSign, transaction } }) {
  if (toSign?.value && toSign.domain) return { description, data: typed(toSign) };
  return transaction && CONTRACTS.has(transaction.to) ? { description, rawTx: unsigned(transaction) } : null;
}
const key = ({ data, rawTx }) => rawTx ?? JSON.stringify([data.domain, data.primaryType, data.message]);

/** Calls that no vector makes, of orders that vectors have; the function is read of the descriptor. */
function more(all) {
  const named = (name) => all.find((vector) => vector.name === name).input;
  const [{ orders: [order], transaction }, { transaction: { to: delta } }] = [named("fill: of a part"), named("transaction: deposit")];
  const signature = order.signature;
  const [half, receiver] = [BigInt(order.takerAmount) / 2n, "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"];
  const hashes = ["ab", "ac"].map((byte) => `0x${byte.repeat(32)}`);
  const CALLS = [
    [transaction.to, "fillOrderWithTarget", order, signature, receiver],
    [transaction.to, "partialFillOrderWithTarget", order, signature, half, receiver],
    [transaction.to, "partialFillOrderWithTargetPermit", order, signature, half, receiver, "0x01", "0x"],
    [transaction.to, "cancelOrders", hashes],
    [delta, "cancelTWAPAndWithdraw", named("order: sells in slices").toSign.value],
    [delta, "cancelTWAPBuyAndWithdraw", named("order: buys in slices").toSign.value],
  ];
  return CALLS.map(([to, functionName, ...args]) => {
    const signatures = Object.values(DESCRIPTORS).filter(({ context }) => context.contract).flatMap(({ display }) => Object.keys(display.formats));
    const abi = parseAbi([`function ${signatures.find((one) => one.startsWith(`${functionName}(`))}`]);
    const data = encodeFunctionData({ abi, functionName, args });
    return { description: `call: ${functionName}`, rawTx: unsigned({ to, data, chainId: transaction.chainId }) };
  });
}

/** Cases of honest payloads, and of lies, with what is shown of each. */
let cases;
let lies;
before(async () => {
  for (const { context } of Object.values(DESCRIPTORS)) for (const { chainId, address } of context.contract?.deployments ?? []) if (chainId === base.id) CONTRACTS.add(address);
  const all = await vectors();
  const seen = new Set();
  const fresh = (one) => one && !seen.has(key(one)) && seen.add(key(one));
  const of = (is) => all.filter(({ expected }) => is(expected)).map(caseOf);
  // Honest orders ask who receives across chains, too.
  cases = [...of(({ verdict, questions }) => verdict === "ok" || questions?.includes("receiverUnbound")).filter(fresh), ...more(all).filter(fresh)];
  lies = of(({ verdict }) => verdict === "refused").filter(fresh);
  for (const one of [...cases, ...lies]) one.shown = await shown(one);
});

/** Whether a case is one of this descriptor, by what it is bound to. */
function isOf({ context }, { data, rawTx }) {
  const { verifyingContract, chainId } = data ? data.domain : { ...parseTransaction(rawTx), verifyingContract: parseTransaction(rawTx).to };
  const bound = data ? context.eip712 : context.contract;
  return Boolean(bound?.deployments.some((one) => one.chainId === chainId && one.address.toLowerCase() === verifyingContract.toLowerCase()));
}

test("the registry's tests are the honest payloads, each shown in words by a wallet's library", () => {
  let count = 0;
  for (const [name, descriptor] of Object.entries(DESCRIPTORS)) {
    const tests = cases.filter((one) => isOf(descriptor, one)).map(({ description, data, rawTx, shown: { warnings, ...expected } }) => {
      assert.equal(warnings, undefined, description);
      assert.equal(expected.owner, "Velora", description);
      return { description, ...(rawTx ? { rawTx } : { data }), expected };
    });
    count += tests.length;
    const file = { $schema: "../../../specs/erc7730-tests-v2.schema.json", descriptor: `../${name}`, dataProvider: PROVIDER, tests };
    const path = new URL(`testsv2/${name.replace(".json", ".tests.json")}`, FOLDER);
    if (process.env.WRITE) writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`);
    assert.deepEqual(JSON.parse(readFileSync(path, "utf8")), JSON.parse(JSON.stringify(file)), "WRITE=1 node --test tests/vectors/registry.test.mjs");
    assert.equal(new Set(tests.map(({ description }) => description)).size, tests.length, "a description names one case");
  }
  assert.equal(count, cases.length, "no case is of no descriptor");
});

test("each type and function of the registry's files has a test", () => {
  for (const [name, { display }] of Object.entries(DESCRIPTORS)) {
    const { tests } = json(`testsv2/${name.replace(".json", ".tests.json")}`);
    const intents = new Set(tests.map(({ expected }) => expected.intent));
    assert.deepEqual(intents, new Set(Object.values(display.formats).map(({ intent }) => intent)), name);
    const reached = new Set(tests.map(({ data, rawTx }) => data?.primaryType ?? parseTransaction(rawTx).data.slice(0, 10)));
    assert.equal(reached.size, Object.keys(display.formats).length, name);
  }
});

test("no lie is shown in the words of an honest payload", () => {
  // Chain and native token are what a wallet shows of anything.
  const words = ({ data, rawTx, shown: { intent, fields } }) => {
    const { chainId, value } = data ? data.domain : parseTransaction(rawTx);
    return JSON.stringify([Number(chainId), String(value ?? 0n), intent, fields]);
  };
  const honest = new Set(cases.map(words));
  let inWords = 0;
  for (const lie of lies) {
    if (lie.shown.fields) inWords += 1;
    assert.ok(!lie.shown.fields || !honest.has(words(lie)), lie.description);
  }
  assert.ok(inWords > 30, `${inWords} lies are shown in words`);
});
