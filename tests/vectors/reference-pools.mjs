// Writes `reference-pools.json`, which crates/verify/tests/laws/reference.rs reads: pools at random, with their addresses, prices and depths
// by Uniswap's own library. That brings some 200 packages, so it is none of this repository's:
// `npm install --prefix FOLDER @uniswap/v3-sdk@3.31.5`, then `node tests/vectors/reference-pools.mjs FOLDER`.
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { SeededRandom } from "./seeded-random.mjs";

const require = createRequire(join(resolve(process.argv[2]), "any.js"));
const { Rounding, Token } = require("@uniswap/sdk-core");
const { FACTORY_ADDRESS, SqrtPriceMath, TickMath, computePoolAddress, tickToPrice } = require("@uniswap/v3-sdk");
const JSBI = require("jsbi");

const ROWS = 56;
/** The depth that counts, in dollars. */
const LEAST = 50_000n;
const PLAIN = { groupSeparator: "" };
const random = new SeededRandom(13);
const floorDiv = (a, b) => a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
/** Six digits, or all in front of the point, cut off. */
const digits = (price) => {
  const [first, whole] = [price.toSignificant(6, PLAIN, Rounding.ROUND_DOWN), price.toFixed(0, PLAIN, Rounding.ROUND_DOWN)];
  return whole.length < 6 ? first : whole;
};

/** A pool's sums after all of these, of which each lasted so many seconds (`Oracle.transform`). */
function sums(start, segments) {
  let { ticks, seconds } = start;
  for (const { secs, tick, liquidity } of segments) {
    ticks += tick * secs;
    seconds = BigInt.asUintN(160, seconds + (secs << 128n) / liquidity);
  }
  return { ticks, seconds };
}

/** The mean tick of these, and the harmonic mean of their liquidity. */
function means(segments) {
  const total = segments.reduce((sum, { secs }) => sum + secs, 0n);
  const tick = floorDiv(segments.reduce((sum, { secs, tick }) => sum + secs * tick, 0n), total);
  const inverse = segments.reduce((sum, { secs, liquidity }) => sum + (secs << 256n) / liquidity, 0n);
  return { tick: Number(tick), liquidity: (total << 256n) / inverse };
}

/** Raw units of the dollar that move the price by 2 %: the root of it by 1.00995, up by token1, down by token0. */
function depth({ tick, liquidity }, isToken1) {
  const root = BigInt(TickMath.getSqrtRatioAtTick(tick).toString());
  const [from, to] = isToken1 ? [root, (root * 100_995n) / 100_000n] : [(root * 100_000n) / 100_995n, root];
  const delta = isToken1 ? SqrtPriceMath.getAmount1Delta : SqrtPriceMath.getAmount0Delta;
  return BigInt(delta(...[from, to, liquidity].map((value) => JSBI.BigInt(value.toString())), false).toString());
}

function row() {
  const token = (decimals) => new Token(1, random.hex(20), decimals);
  const dollar = token(random.pick([6, 18]));
  const other = token(random.between(0, 24));
  const [token0, token1] = dollar.sortsBefore(other) ? [dollar, other] : [other, dollar];
  const fee = random.pick([100, 500, 3000, 10000]);
  const pool = computePoolAddress({ factoryAddress: FACTORY_ADDRESS, tokenA: dollar, tokenB: other, fee });
  // One whole unit of token0 is 10^-6 to 10^6 of token1.
  const around = Math.round(((random.between(-6000, 6000) / 1000 + token1.decimals - token0.decimals) * Math.LN10) / Math.log(1.0001));
  const window = random.pick([300, 600, 1200, 1800]);
  const isToken1 = dollar.equals(token1);
  const unit = 10n ** BigInt(dollar.decimals);
  const segments = [];
  for (let left = window; left > 0; ) {
    // A boundary at 300 seconds ago.
    const secs = Math.min(random.between(1, 600), left > 300 ? left - 300 : left);
    const tick = around + random.between(-500, 500);
    // A thousandth of what is asked for, to a hundred times that, mostly near it.
    const per = depth({ tick, liquidity: 10n ** 30n }, isToken1);
    const permille = BigInt(random.pick([1, 900, 990, 999, 1001, 1010, 1100, 2000, 100_000]));
    segments.push({ secs: BigInt(secs), tick: BigInt(tick), liquidity: (10n ** 27n * LEAST * unit * permille) / per + 1n });
    left -= secs;
  }
  const start = { ticks: BigInt(random.between(-(10 ** 12), 10 ** 12)), seconds: random.oneIn(3) ? 2n ** 160n - 1n : random.bits(159) };
  const recent = [];
  for (let secs = 0n; secs < 300n; secs += recent[0].secs) recent.unshift(segments.at(-1 - recent.length));
  const [before, now] = [sums(start, segments.slice(0, segments.length - recent.length)), sums(start, segments)];
  const [long, late] = [means(segments), means(recent)];
  const least = [long, late].map((mean) => depth(mean, isToken1)).reduce((a, b) => (a < b ? a : b));
  const words = [window, ...[start, before, now].map(({ ticks }) => ticks), ...[start, before, now].map(({ seconds }) => seconds)];
  const prices = (from, to) => [long, late].map(({ tick }) => digits(tickToPrice(from, to, tick)));
  return {
    dollar: [dollar.address, dollar.decimals], other: [other.address, other.decimals], fee, pool, words: words.map(String),
    isDeep: least >= LEAST * unit, there: prices(other, dollar), back: prices(dollar, other),
    isClear: least * 10_000n < LEAST * unit * 9_999n || least * 10_000n > LEAST * unit * 10_001n,
  };
}

const rows = Array.from({ length: ROWS }, row).filter(({ isClear }) => isClear).map(({ isClear, ...row }) => JSON.stringify(row));
writeFileSync(new URL("reference-pools.json", import.meta.url), `[\n${rows.join(",\n")}\n]\n`);
