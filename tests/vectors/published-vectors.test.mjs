import assert from "node:assert/strict";
import { before, test } from "node:test";
import { hashMessage, recoverAddress } from "viem";
import { compactSignature, hashTypedData, init, isAddress, parseAddress, recoverTypedDataSigner } from "verified-swap";
import { MAIL, MAIL_DIGEST, MAIL_SIGNATURE, MAIL_SIGNER } from "./mail.mjs";
import { refusesInput } from "./refusal.mjs";

before(() => init());

test("EIP-712: Ether Mail has the published digest and signer", () => {
  assert.equal(hashTypedData(MAIL), MAIL_DIGEST);
  assert.equal(recoverTypedDataSigner(MAIL, MAIL_SIGNATURE), MAIL_SIGNER);
});

test("EIP-712: Ether Mail without a domain type, without a primary type, with value for message, is the same", () => {
  const { EIP712Domain, ...types } = MAIL.types;
  assert.equal(EIP712Domain.length, 4);
  assert.equal(hashTypedData({ types, domain: MAIL.domain, value: MAIL.message }), MAIL_DIGEST);
});

/** EIP-55, "Test Cases". */
const EIP55 = {
  allCaps: ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"],
  allLower: ["0xde709f2102306220921060314715629080e2fb77", "0x27b1fdb04752bbc536007a920d24acb045561c26"],
  normal: [
    "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
    "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB", "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
  ],
};

test("EIP-55: every published address is its own checksummed form, from any casing", () => {
  for (const address of [...EIP55.allCaps, ...EIP55.allLower, ...EIP55.normal]) {
    assert.equal(parseAddress(address), address);
    assert.equal(parseAddress(address.toLowerCase()), address);
    assert.equal(parseAddress(`0x${address.slice(2).toUpperCase()}`), address);
    assert.equal(isAddress(address), true);
  }
});

test("EIP-55: one letter in the wrong case is refused", () => {
  for (const address of EIP55.normal) {
    for (let at = 2; at < address.length; at++) {
      const letter = address[at];
      const flipped = letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
      if (flipped === letter) continue;
      const wrong = address.slice(0, at) + flipped + address.slice(at + 1);
      refusesInput(() => parseAddress(wrong), wrong);
      assert.equal(isAddress(wrong), false);
    }
  }
});

/** ERC-2098, "Test Cases": one key, two messages, the parity bit once clear and once set. */
const ERC2098 = [
  {
    message: "Hello World",
    full: "0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea520641b",
    compact: "0x68a020a209d3d56c46f38cc50a33f704f4a9a10a59377f8dd762ac66910e9b907e865ad05c4035ab5792787d4a0297a43617ae897930a6fe4d822b8faea52064",
  },
  {
    message: "It's a small(er) world",
    full: "0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76139c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f5507931c",
    compact: "0x9328da16089fcba9bececa81663203989f2df5fe1faa6291a45381c81bd17f76939c6d6b623b42da56557e5e734a43dc83345ddfadec52cbe24d0cc64f550793",
  },
];

test("ERC-2098: both published signatures compact as published", async () => {
  for (const { message, full, compact } of ERC2098) {
    const signer = await recoverAddress({ hash: hashMessage(message), signature: full });
    assert.equal(signer, "0x2e988A386a799F506693793c6A5AF6B54dfAaBfB", "the vector itself");
    assert.equal(compactSignature(full), compact);
    assert.equal(compactSignature(compact), compact);
    const zeroBased = full.slice(0, -2) + (full.endsWith("1b") ? "00" : "01");
    assert.equal(compactSignature(zeroBased), compact);
  }
});
