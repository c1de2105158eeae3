import assert from "node:assert/strict";
import { before, test } from "node:test";
import { formatUnits as ethersFormat, parseUnits as ethersParse } from "ethers";
import { formatUnits as viemFormat, parseUnits as viemParse } from "viem";
import { formatUnits, init, parseUnits } from "verified-swap";
import { refusesInput } from "./refusal.mjs";
import { campaign, forEachCase } from "./seeded-random.mjs";

before(() => init());

const MAX = (1n << 256n) - 1n;

test("formatUnits says what viem and ethers say", async () => {
  await forEachCase(campaign(3000), (random) => {
    const amount = random.pick([0n, 1n, MAX, random.bits(random.between(1, 256)), 10n ** BigInt(random.between(0, 77))]);
    const decimals = random.between(0, 77);
    const text = formatUnits(random.oneIn(2) ? amount : amount.toString(), decimals);
    assert.equal(text, viemFormat(amount, decimals), `${amount} ${decimals}`);
    // ethers writes ".0" after a whole number and takes no more than 80 decimals.
    assert.equal(text, ethersFormat(amount, decimals).replace(/\.0$/, ""), `${amount} ${decimals}`);
    assert.equal(parseUnits(text, decimals), amount.toString());
  });
});

test("parseUnits says what viem and ethers say, for every text they agree on", async () => {
  await forEachCase(campaign(3000), (random) => {
    const decimals = random.between(0, 77);
    const digits = random.between(0, decimals);
    const whole = random.bits(random.between(1, 200)).toString().slice(0, Math.max(1, 77 - decimals));
    const fraction = random.bits(256).toString().padStart(78, "0").slice(0, digits);
    const text = digits > 0 ? `${whole}.${fraction}` : whole;
    const expected = viemParse(text, decimals);
    if (expected > MAX) {
      refusesInput(() => parseUnits(text, decimals), text);
      return;
    }
    assert.equal(expected, ethersParse(text, decimals), "the peers themselves disagree");
    assert.equal(parseUnits(text, decimals), expected.toString(), `${text} ${decimals}`);
  });
});

test("a fraction digit beyond the decimals is refused, where viem would round", () => {
  assert.equal(viemParse("0.15", 1), 2n);
  refusesInput(() => parseUnits("0.15", 1), "0.15 with one decimal");
  refusesInput(() => parseUnits("1.0000001", 6), "seven digits of six");
});

test("the largest amount fits and the next one does not", () => {
  assert.equal(parseUnits(MAX.toString(), 0), MAX.toString());
  assert.equal(formatUnits(MAX, 77), viemFormat(MAX, 77));
  assert.equal(parseUnits(viemFormat(MAX, 77), 77), MAX.toString());
  refusesInput(() => parseUnits((MAX + 1n).toString(), 0), "2^256");
  refusesInput(() => parseUnits(viemFormat(MAX + 1n, 77), 77), "2^256 at 77 decimals");
  refusesInput(() => formatUnits(MAX + 1n, 0), "2^256");
});

test("text that is not a plain decimal number is refused", () => {
  for (const text of ["", " ", ".", "1.", "-1", "+1", "1e3", "0x1", "1,5", "1.5.5", " 1", "1 ", "1_000", "١", "NaN", "Infinity", "1n", null, undefined, 1, 1.5, {}, []]) {
    refusesInput(() => parseUnits(text, 6), `text ${typeof text} ${String(text)}`);
  }
});

test("amounts and decimals of the wrong kind are refused", () => {
  for (const amount of ["", "-1", "1.5", "1e3", "0x1", " 1", 1, 1.5, NaN, null, undefined, -1n, {}, [], "01"]) {
    refusesInput(() => formatUnits(amount, 6), `amount ${typeof amount} ${String(amount)}`);
  }
  for (const decimals of [-1, 78, 1.5, NaN, Infinity, "six", null, undefined, 300, 2 ** 32, 2 ** 32 + 6]) {
    refusesInput(() => formatUnits("1", decimals), `decimals ${String(decimals)}`);
    refusesInput(() => parseUnits("1", decimals), `decimals ${String(decimals)}`);
  }
});
