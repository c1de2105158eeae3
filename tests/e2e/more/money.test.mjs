import assert from "node:assert/strict";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { before, after, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { init } from "verified-swap";

/* The page's figures. Its module is compiled as the page's bundler would, and run here on the package itself. */

const folder = fileURLToPath(new URL("../../../target/e2e-money/", import.meta.url));
let money, format, prices, story;

before(async () => {
  await init();
  await mkdir(folder, { recursive: true });
  const names = ["state/money", "state/format", "state/prices", "view/order-story"];
  [money, format, prices, story] = await Promise.all(names.map(load));
});

async function load(name) {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(new URL(`../../../www-example/src/${name}.ts`, import.meta.url))],
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    external: ["verified-swap"],
  });
  const file = `${folder}${name.replace("/", "-")}.mjs`;
  await writeFile(file, outputFiles[0].contents);
  return import(pathToFileURL(file).href);
}

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
  assert.equal(money.price(usdc, weth).exact, "1 USDC = 0.00025 WETH");
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
  const amountIn = (text) => read(text).amount;
  assert.deepEqual(read("1.5"), { amount: "1500000", problem: null, readAs: null });
  assert.equal(amountIn(" 1 000 "), "1000000000");
  assert.equal(amountIn(".5"), "500000");
  assert.equal(amountIn("5."), "5000000");
  assert.equal(amountIn("007.50"), "7500000");
  for (const text of ["", "  ", "0.000000"]) {
    const { amount, problem } = read(text);
    assert.deepEqual([amount, problem], [null, null], text);
  }
  assert.match(read("1.2345678").problem, /USDC has 6 decimals/);
  for (const text of ["1e6", "-1", "1.2.3", "1,5.5.5", "1 5", "10,00,0", ".", ",", "1..2", "0x10", "10²", "①0", "½"])
    assert.match(read(text).problem ?? "", /digits/, text);
  assert.match(read("9".repeat(80)).problem, /more than any token has/);
});

/** What is typed, what it is by the locale, and the number that the page says it read. */
const READINGS = [
  ["en-US", "1,000", "1000", "1,000"],
  ["en-US", "1,000.50", "1000.50", "1,000.50"],
  ["en-US", "1.000,5", "1000.5", "1,000.5"],
  ["en-US", "0,5", "0.5", "0.5"],
  ["en-US", "0,500", "0.500", "0.500"],
  ["en-US", "1,5", "1.5", "1.5"],
  ["en-US", "1.000", "1.000", null],
  ["en-US", "1,234,567", "1234567", "1,234,567"],
  ["en-US", "1 000,5", "1000.5", "1,000.5"],
  ["de-DE", "1,000", "1.000", null],
  ["de-DE", "1.000", "1000", "1.000"],
  ["de-DE", "1.000,5", "1000.5", "1.000,5"],
  ["de-DE", "1,000.50", "1000.50", "1.000,50"],
  ["de-DE", "0.5", "0.5", "0,5"],
  ["fr-FR", "1\u202f000,5", "1000.5", "1\u202f000,5"],
  ["fr-FR", "1.000", "1.000", "1,000"],
  ["fr-FR", "0,5", "0.5", null],
  ["de-CH", "1’000.5", "1000.5", "1’000.5"],
  ["de-CH", "1'000", "1000", "1’000"],
  ["es-ES", "1.000", "1000", "1000"],
  ["hi-IN", "1,00,000.5", "100000.5", "1,00,000.5"],
  ["ja-JP", "１，０００．５", "1000.5", "1,000.5"],
  ["ja-JP", "１２", "12", null],
  ["ar-EG", "١٬٠٠٠٫٥", "1000.5", "١٬٠٠٠٫٥"],
  ["ar-EG", "١٫٥", "1.5", null],
];

test("a number is read as the visitor's locale writes it, and what was not plain is said", () => {
  for (const [locale, text, value, expected] of READINGS) {
    const { readAs, ...read } = money.readDecimal(text, [locale]);
    assert.deepEqual(read, { value, problem: null }, `${locale}: ${text}`);
    // Not every version of the locales has the same apostrophe.
    assert.equal(readAs?.replaceAll("'", "’") ?? null, expected, `${locale}: ${text}`);
  }
});

test("every amount is written into a field so that it is read as itself", () => {
  for (const locale of ["en-US", "de-DE", "fr-FR", "de-CH", "es-ES", "hi-IN", "ar-EG", "fa-IR", "pl-PL", "bn-BD"]) {
    for (const decimal of ["0.5", "1.234", "1000", "1000.001", "123456789.123456", "0.000001", "12.345"]) {
      const { value, readAs } = money.readDecimal(format.formatPlain(decimal, [locale]), [locale]);
      assert.deepEqual([value, readAs], [decimal, null], `${locale}: ${decimal}`);
      assert.equal(money.readDecimal(format.formatDecimal(decimal, [locale]), [locale]).value, decimal, locale);
    }
  }
});

test("figures follow the locale, with every digit", () => {
  const long = "12345678901234567890.123456789012345678";
  assert.equal(format.formatDecimal(long, ["en-US"]), "12,345,678,901,234,567,890.123456789012345678");
  assert.equal(format.formatDecimal(long, ["de-DE"]), "12.345.678.901.234.567.890,123456789012345678");
  assert.equal(format.formatDecimal("1234567.5", ["en-IN"]), "12,34,567.5");
  assert.equal(format.formatDollars("1234.5", ["en-US"]), "$1,234.50");
  assert.equal(format.formatDollars("1234.5", ["de-DE"]), "1.234,50\u00a0$");
  assert.equal(format.formatDuration(45, ["en-US"]), "45 sec");
  assert.equal(format.formatDuration(600, ["de-DE"]), "10 Min.");
});

test("a time has its zone, its day where that is not today, and its year where that is not this one", () => {
  const now = new Date("2026-11-24T12:00:00Z");
  const say = (text) => format.formatTime(new Date(text), ["en-US"], now).replaceAll("\u202f", " ");
  const zone = new Intl.DateTimeFormat("en-US", { timeZoneName: "short" }).formatToParts(now).at(-1).value;
  assert.match(say("2026-11-24T12:29:00Z"), new RegExp(`^\\d\\d:\\d\\d [AP]M ${zone.replace("+", "\\+")}$`));
  assert.match(say("2026-06-20T12:29:00Z"), /^Jun 20, \d\d:\d\d [AP]M /);
  assert.match(say("2036-11-21T12:29:00Z"), /^Nov 21, 2036, \d\d:\d\d [AP]M /);
  assert.match(say("2025-11-24T12:29:00Z"), /2025/);
  const sentence = "Sell 1 WETH; expires 2036-11-21 12:29 UTC; fee none";
  const local = format.inLocalTime(sentence, ["en-US"], now).replaceAll("\u202f", " ");
  assert.equal(local, `Sell 1 WETH; expires ${say("2036-11-21T12:29:00Z")}; fee none`, "one clock");
});

test("a time beyond every calendar has words", () => {
  for (const say of [format.formatTime, format.formatMoment])
    assert.equal(say(new Date(9e15), ["en-US"]), "a time that no calendar has");
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

test("a price that was refused when it was built is taken out of the session's", () => {
  const request = { chainId: 1, srcToken: "0x1", destToken: "0x2", srcDecimals: 0, destDecimals: 0 };
  const quote = (destAmount, reference = null) => ({ request, srcAmount: "10", destAmount, reference });
  const known = { "1/0x1 1/0x2": [{ at: 1, price: "3" }], other: [] };
  const pending = prices.withPrice(known, quote("20", "pending"));
  assert.deepEqual(pending["1/0x1 1/0x2"].map(({ price }) => price), ["3", "2"]);
  assert.deepEqual(prices.withoutPrice(pending, quote("20")), known);
  assert.equal(prices.withPrice(known, quote("20", { verdict: "mismatch" })), known);
});

test("an amount has one rounding on a card: what was given is rounded up, what was got down", () => {
  const token = (symbol) => ({ chainId: 1, address: symbol, symbol, name: symbol, decimals: 6, kind: "permit" });
  const [src, dest] = ["SRC", "DEST"].map(token);
  const side = ({ address }, executedAmount) => ({ chainId: 1, token: address, amount: "1", executedAmount });
  const order = {
    status: "COMPLETED",
    side: "SELL",
    input: side(src, "1498734400"),
    output: side(dest, "1498736600"),
    refunds: [],
    transactions: [],
    order: {},
  };
  const inFlight = { chainId: 1, destChainId: 1, srcToken: "SRC", destToken: "DEST", owner: "0x1", beneficiary: "0x1" };
  const state = { chains: [{ chainId: 1, tokens: [src, dest] }], trades: [], errands: [] };
  const said = story.sentenceOf(state, { id: "1", order, inFlight });
  assert.equal(said, "1,498.74 SRC became 1,498.73 DEST.");
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
