/**
 * A small reproducible random source: the same seed gives the same cases on every machine.
 * The step is the "splitmix64" mixing function, on 64-bit integers.
 */

const MASK_64 = (1n << 64n) - 1n;

export class SeededRandom {
  #state;

  constructor(seed) {
    this.#state = BigInt(seed) & MASK_64;
  }

  /** 64 random bits. */
  bits64() {
    this.#state = (this.#state + 0x9e3779b97f4a7c15n) & MASK_64;
    let mixed = this.#state;
    mixed = ((mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n) & MASK_64;
    mixed = ((mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn) & MASK_64;
    return mixed ^ (mixed >> 31n);
  }

  /** An integer of exactly `count` random bits (leading zeros included). */
  bits(count) {
    let value = 0n;
    for (let have = 0; have < count; have += 64) value = (value << 64n) | this.bits64();
    return BigInt.asUintN(count, value);
  }

  /** A number from `low` to `high`, both included. */
  between(low, high) {
    return low + Number(this.bits64() % BigInt(high - low + 1));
  }

  /** True once in `n` calls on average. */
  oneIn(n) {
    return this.between(1, n) === 1;
  }

  pick(list) {
    return list[this.between(0, list.length - 1)];
  }

  shuffled(list) {
    const result = [...list];
    for (let at = result.length - 1; at > 0; at--) {
      const other = this.between(0, at);
      [result[at], result[other]] = [result[other], result[at]];
    }
    return result;
  }

  /** `0x` and `size` random bytes, lower case. */
  hex(size) {
    if (size === 0) return "0x";
    return `0x${this.bits(size * 8).toString(16).padStart(size * 2, "0")}`;
  }
}

/**
 * How many cases a generated test runs and from which seed: `VECTORS_SEED` and `VECTORS_CASES`, else fixed values, so that
 * a run repeats itself; other seeds are for exploring. With `cargo xtask test --all` there are as many as `inAll`.
 */
export function campaign(cases, inAll = cases) {
  const seed = BigInt(process.env.VECTORS_SEED ?? "712");
  const usual = process.env.VERIFIED_SWAP_TEST_ALL === "1" ? inAll : cases;
  return { seed, cases: Number(process.env.VECTORS_CASES ?? usual) };
}

/** Runs `check(random, index)` for every case; a failure names the seed and the case that repeat it. */
export async function forEachCase({ seed, cases }, check) {
  for (let index = 0; index < cases; index++) {
    const caseSeed = seed * 1_000_003n + BigInt(index);
    try {
      await check(new SeededRandom(caseSeed), index);
    } catch (error) {
      error.message = `VECTORS_SEED=${seed}, case ${index}: ${error.message}`;
      throw error;
    }
  }
}
