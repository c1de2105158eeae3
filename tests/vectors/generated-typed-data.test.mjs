import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Signature, verifyTypedData } from "ethers";
import { hashTypedData as viemHash } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { hashTypedData, init, recoverTypedDataSigner } from "verified-swap";
import { digests, ethSigUtilDigest, viemDigest } from "./peers.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";
import { anySpelling, asJson } from "./spellings.mjs";
import { arrayOf, domainType, integerRange, typedDataCase } from "./typed-data-cases.mjs";

before(() => init());

const CASES = campaign(500, 2000);

test("the digest of any typed data is the one viem, ethers and eth-sig-util compute", async () => {
  await forEachCase(CASES, (random) => {
    const typedData = typedDataCase(random);
    const { viem, ethers, ethSigUtil } = digests(typedData);
    assert.equal(viem, ethers, "the peers themselves disagree");
    assert.equal(viem, ethSigUtil, "the peers themselves disagree");
    const spelled = anySpelling(random, typedData);
    assert.equal(hashTypedData(spelled), viem, shown(spelled));
    assert.equal(hashTypedData(asJson(typedData)), viem, shown(typedData));
    assert.equal(hashTypedData(JSON.stringify(asJson(typedData))), viem, shown(typedData));
  });
});

test("the generated cases reach every width, every kind of array and every domain member", async () => {
  const seen = new Set();
  await forEachCase({ ...CASES, cases: Math.max(CASES.cases, 2000) }, (random) => {
    const { types, domain, message, primaryType } = typedDataCase(random);
    Object.keys(domain).forEach((name) => seen.add(`domain.${name}`));
    if (Object.keys(domain).length === 0) seen.add("domain empty");
    note(seen, types, primaryType, message);
  });
  const wanted = ["bool", "address", "string", "bytes", "domain empty", "empty array", "dynamic array", "fixed array"];
  wanted.push("array of arrays", "array of structs", "struct in struct", "surrogate pair", "escape");
  for (const name of ["name", "version", "chainId", "verifyingContract", "salt"]) wanted.push(`domain.${name}`);
  for (let width = 8; width <= 256; width += 8) {
    for (const type of [`uint${width}`, `int${width}`]) wanted.push(type, `${type} low`, `${type} high`);
  }
  for (let size = 1; size <= 32; size++) wanted.push(`bytes${size}`);
  assert.deepEqual(wanted.filter((what) => !seen.has(what)), []);
});

test("a domain type in an order of its own is hashed as it is written", async () => {
  await forEachCase(campaign(300), (random) => {
    const typedData = typedDataCase(random);
    const { types, primaryType, domain, message } = asJson(typedData);
    const EIP712Domain = random.shuffled(domainType(domain));
    const digest = viemHash({ ...typedData, types: { ...types, EIP712Domain } });
    assert.equal(hashTypedData({ types: { EIP712Domain, ...types }, primaryType, domain, message }), digest);
  });
});

test("types that the message does not use change nothing", async () => {
  await forEachCase(campaign(300), (random) => {
    const typedData = typedDataCase(random);
    const unused = { Unused: [{ name: "x", type: "uint256" }] };
    const given = { ...asJson(typedData), types: { ...unused, ...typedData.types } };
    assert.equal(hashTypedData(given), ethSigUtilDigest(typedData));
  });
});

test("the signer of any typed data is recovered from every form of the signature", async () => {
  await forEachCase(campaign(300), async (random) => {
    const typedData = typedDataCase(random);
    const account = privateKeyToAccount(random.hex(32));
    const types = { ...typedData.types, EIP712Domain: domainType(typedData.domain) };
    const signature = await account.signTypedData({ ...typedData, types });
    assert.equal(verifyTypedData(typedData.domain, typedData.types, typedData.message, signature), account.address);
    const spelled = anySpelling(random, typedData);
    const zeroBased = `${signature.slice(0, -2)}0${signature.endsWith("1b") ? 0 : 1}`;
    for (const form of [signature, zeroBased, Signature.from(signature).compactSerialized]) {
      assert.equal(recoverTypedDataSigner(spelled, form), account.address);
    }
  });
});

test("one changed member gives another digest, and another signer", async () => {
  await forEachCase(campaign(200), async (random) => {
    const typedData = typedDataCase(random);
    const types = { ...typedData.types, [typedData.primaryType]: [...typedData.types[typedData.primaryType], { name: "added", type: "uint8" }] };
    const first = { ...typedData, types, message: { ...typedData.message, added: 1n } };
    const second = { ...typedData, types, message: { ...typedData.message, added: 2n } };
    assert.notEqual(hashTypedData(asJson(first)), hashTypedData(asJson(second)));
    const account = privateKeyToAccount(random.hex(32));
    const signature = await account.sign({ hash: viemDigest(first) });
    assert.equal(recoverTypedDataSigner(asJson(first), signature), account.address);
    assert.notEqual(recoverTypedDataSigner(asJson(second), signature), account.address);
  });
});

function note(seen, types, type, value) {
  const array = arrayOf(type);
  if (array) {
    seen.add(array.length === null ? "dynamic array" : "fixed array");
    if (value.length === 0) seen.add("empty array");
    if (arrayOf(array.item)) seen.add("array of arrays");
    if (types[array.item]) seen.add("array of structs");
    value.forEach((item) => note(seen, types, array.item, item));
    return;
  }
  if (types[type]) {
    for (const member of types[type]) {
      if (types[member.type]) seen.add("struct in struct");
      note(seen, types, member.type, value[member.name]);
    }
    return;
  }
  seen.add(type);
  const range = integerRange(type);
  if (range && value === range.low) seen.add(`${type} low`);
  if (range && value === range.high) seen.add(`${type} high`);
  if (type === "string" && /[\ud800-\udbff][\udc00-\udfff]/.test(value)) seen.add("surrogate pair");
  if (type === "string" && /["\\\n\u0000]/.test(value)) seen.add("escape");
}

function shown(typedData) {
  return JSON.stringify(typedData, (_, value) => (typeof value === "bigint" ? `${value}n` : value));
}
