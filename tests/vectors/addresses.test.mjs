import assert from "node:assert/strict";
import { before, test } from "node:test";
import { getAddress as ethersAddress } from "ethers";
import { getAddress as viemAddress } from "viem";
import { NATIVE_TOKEN, init, isAddress, normalizeToken, parseAddress } from "verified-swap";
import { refusesInput } from "./refusal.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";

before(() => init());

test("the checksum is the one viem and ethers write", async () => {
  await forEachCase(campaign(3000), (random) => {
    const address = random.hex(20);
    const checksummed = viemAddress(address);
    assert.equal(checksummed, ethersAddress(address), "the peers themselves disagree");
    for (const spelled of [address, `0x${address.slice(2).toUpperCase()}`, checksummed]) {
      assert.equal(parseAddress(spelled), checksummed);
      assert.equal(isAddress(spelled), true);
      assert.equal(normalizeToken(spelled), checksummed);
    }
  });
});

test("any mixed casing but the right one is refused, as by ethers", async () => {
  await forEachCase(campaign(1000), (random) => {
    const address = random.hex(20);
    const spelled = `0x${[...address.slice(2)].map((digit) => (random.oneIn(2) ? digit.toUpperCase() : digit)).join("")}`;
    const right = accepts(() => ethersAddress(spelled));
    assert.equal(accepts(() => parseAddress(spelled)), right, spelled);
    assert.equal(isAddress(spelled), right, spelled);
    if (!right) refusesInput(() => normalizeToken(spelled), spelled);
  });
});

test("text that is no address is refused with the reason", () => {
  for (const text of ["", "0x", `0x${"1".repeat(39)}`, `0x${"1".repeat(41)}`, "1".repeat(40), `0X${"1".repeat(40)}`, `0x${"g".repeat(40)}`,
    ` 0x${"1".repeat(40)}`, `0x${"1".repeat(40)} `, `0x${"1".repeat(39)}é`, null, undefined, 1, {}, [], "native", "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS"]) {
    refusesInput(() => parseAddress(text), `address ${String(text)}`);
    assert.equal(isAddress(text), false, String(text));
  }
});

test("isAddress answers for any value", () => {
  const cyclic = [];
  cyclic.push(cyclic);
  const throwing = { get a() { throw new Error("no"); } };
  for (const odd of [Symbol("a"), () => 1, throwing, cyclic, 0n, NaN]) assert.equal(isAddress(odd), false, typeof odd);
});

test("every spelling of the native token becomes the one that the service accepts", () => {
  assert.equal(NATIVE_TOKEN, "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE");
  const zero = `0x${"0".repeat(40)}`;
  for (const token of [NATIVE_TOKEN, NATIVE_TOKEN.toLowerCase(), `0x${"E".repeat(40)}`, "0xEEeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeEE", zero, "0x0", "native"]) {
    assert.equal(normalizeToken(token), NATIVE_TOKEN, token);
  }
});

function accepts(call) {
  try {
    call();
    return true;
  } catch {
    return false;
  }
}
