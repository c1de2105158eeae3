import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Signature } from "ethers";
import { parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { compactSignature, init } from "verified-swap";
import { refusesInput } from "./refusal.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";

before(() => init());

test("the compact form is the one viem and ethers write, from every v", async () => {
  await forEachCase(campaign(300), async (random) => {
    const account = privateKeyToAccount(random.hex(32));
    const full = await account.sign({ hash: random.hex(32) });
    const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(full)));
    assert.equal(compact, Signature.from(full).compactSerialized, "the peers themselves disagree");
    const zeroBased = full.slice(0, -2) + (full.endsWith("1b") ? "00" : "01");
    for (const form of [full, zeroBased, compact, `0x${full.slice(2).toUpperCase()}`]) assert.equal(compactSignature(form), compact);
  });
});

test("anything but a signature with s in the lower half is refused", async () => {
  await forEachCase(campaign(100), async (random) => {
    const full = await privateKeyToAccount(random.hex(32)).sign({ hash: random.hex(32) });
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const highS = (order - BigInt(`0x${full.slice(66, 130)}`)).toString(16).padStart(64, "0");
    const v = random.between(2, 255);
    const otherV = v === 27 || v === 28 ? 29 : v;
    for (const wrong of [
      full.slice(0, 66) + highS + full.slice(130), full.slice(0, 130) + otherV.toString(16).padStart(2, "0"), full.slice(0, -1), `${full}00`,
      full.slice(2), full.slice(0, 128), "0x", "", null, undefined, 5,
    ]) refusesInput(() => compactSignature(wrong), `signature ${String(wrong)}`);
  });
});
