import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { before, after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { init } from "verified-swap";

/* The page's figures. Its module is compiled as the page's bundler would, and run here on the package itself. */

const source = fileURLToPath(new URL("../../www-example/src/state/money.ts", import.meta.url));
const folder = fileURLToPath(new URL("../../target/e2e-money/", import.meta.url));
let money;

before(async () => {
  await init();
  const { outputFiles } = await build({
    entryPoints: [source],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: ["verified-swap"],
  });
  await mkdir(folder, { recursive: true });
  await writeFile(`${folder}money.mjs`, outputFiles[0].contents);
  money = await import(pathToFileURL(`${folder}money.mjs`).href);
});

after(() => rm(folder, { recursive: true, force: true }));

test("a figure keeps six significant digits and all digits before the point", () => {
  const { rounded } = money;
  assert.equal(rounded("123456789", 6), "123.457");
  assert.equal(rounded("1234567891234", 6), "1,234,568");
  assert.equal(rounded("999999999999999999", 18), "1");
  assert.equal(rounded("100000000", 6), "100");
  assert.equal(rounded("0", 18), "0");
  assert.equal(
    rounded("115792089237316195423570985008687907853269984665640564039457584007913129639935", 0).replaceAll(",", "")
      .length,
    78,
  );
});

test("a small figure is written out, never with an exponent", () => {
  assert.equal(money.rounded("1", 18), "0.000000000000000001");
  assert.equal(money.rounded("123456789", 18), "0.000000000123457");
  assert.equal(money.rounded("100", 9), "0.0000001");
});

test("a minimum is never rounded up, a maximum never down", () => {
  for (let round = 0; round < 2000; round++) {
    const decimals = round % 19;
    const digits = 1 + ((round * 7) % 30);
    const amount = Array.from({ length: digits }, () => Math.floor(Math.random() * 10))
      .join("")
      .replace(/^0+(?=\d)/, "");
    const least = value(money.rounded(amount, decimals, "down"), decimals);
    const most = value(money.rounded(amount, decimals, "up"), decimals);
    const near = value(money.rounded(amount, decimals), decimals);
    assert.ok(least <= BigInt(amount) && BigInt(amount) <= most, `${least} ${amount} ${most}`);
    assert.ok(near === least || near === most, `${near} is neither ${least} nor ${most}`);
    assert.equal(value(money.exact(amount, decimals), decimals), BigInt(amount));
  }
});

test("the rate is per unit of the dearer token, exact to the digit", () => {
  const usdc = { amount: "100000000", symbol: "USDC", decimals: 6 };
  const weth = { amount: "25000000000000000", symbol: "WETH", decimals: 18 };
  assert.deepEqual(money.rate(usdc, weth), { rounded: "1 WETH = 4,000 USDC", exact: "1 WETH = 4,000 USDC" });
  assert.deepEqual(money.rate(weth, usdc), money.rate(usdc, weth));
  assert.equal(money.rate({ ...usdc, amount: "0" }, weth), null);
});

test("dollars have two decimals, and an invalid number is not shown", () => {
  assert.equal(money.dollars("99.9951"), "$100.00");
  assert.equal(money.dollars("1234.5"), "$1,234.50");
  assert.equal(money.dollars("0"), "$0.00");
  assert.equal(money.dollars("1e3"), null);
  assert.equal(money.dollars(null), null);
});

test("typed amounts are read exactly, or refused with a reason", () => {
  const read = (text) => money.readAmount(text, "USDC", 6);
  assert.deepEqual(read("1.5"), { amount: "1500000", problem: null });
  assert.deepEqual(read("1,5"), { amount: "1500000", problem: null });
  assert.deepEqual(read(" 1 000 "), { amount: "1000000000", problem: null });
  assert.deepEqual(read(".5"), { amount: "500000", problem: null });
  assert.deepEqual(read("5."), { amount: "5000000", problem: null });
  assert.deepEqual(read(""), { amount: null, problem: null });
  assert.deepEqual(read("0.000000"), { amount: null, problem: null });
  assert.match(read("1,000").problem, /without a comma/);
  assert.match(read("1.2345678").problem, /USDC has 6 decimals/);
  assert.match(read("1e6").problem, /digits/);
  assert.match(read("-1").problem, /digits/);
  assert.match(read("9".repeat(80)).problem, /more than any token has/);
});

test("a price in whole tokens is an amount in the other's units, rounded for the user", () => {
  const { atPrice } = money;
  assert.equal(atPrice("SELL", "100000000", "0.00034", 6, 18), "34000000000000000");
  assert.equal(atPrice("SELL", "1", "0.3", 6, 6), "1", "at least a third of a unit is one");
  assert.equal(atPrice("SELL", "10", "0.3", 6, 6), "3");
  assert.equal(atPrice("BUY", "10", "3", 6, 6), "3", "at most three and a third is three");
  assert.equal(atPrice("BUY", "10000000000000000", "0.00025", 6, 18), "40000000");
  assert.equal(atPrice("SELL", "100", "0.0", 6, 6), null);
});

test("a limit's distance from the market has a sign, and is cut, not rounded", () => {
  const { difference } = money;
  assert.equal(difference("102049", "100000"), "+2.04 %");
  assert.equal(difference("97951", "100000"), "−2.04 %");
  assert.equal(difference("100000", "100000"), "0 %");
  assert.equal(difference("1", "0"), null);
});

test("a percentage is told in percent", () => {
  assert.equal(money.percent(50), "0.5 %");
  assert.equal(money.percent(1), "0.01 %");
  assert.equal(money.percent(10000), "100 %");
});

/** Grouped decimal text as raw units. */
function value(text, decimals) {
  const [whole, fraction = ""] = text.replaceAll(",", "").split(".");
  return BigInt(whole + fraction.padEnd(decimals, "0"));
}
