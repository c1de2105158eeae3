/** The one price of the paper service: 1 ether = 3,658.5 USDC, roughly; 6 decimals in, 18 out. */

export function bought(usdc) {
  return ((BigInt(usdc) * 10n ** 12n * 10_000n) / 36_585_000n).toString();
}

export function dollars(usdc) {
  return `${BigInt(usdc) / 1_000_000n}.00`;
}

/** The rest of an amount after slippage, rounded down or up. */
export function less(amount, slippageBps, rounding = 0n) {
  return ((BigInt(amount) * BigInt(10_000 - slippageBps) + rounding) / 10_000n).toString();
}

/** The same price, by what Base's feeds of ether and of USDC answer: dollars with 8 decimals. */
export const FEEDS = { "0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70": 365_850_000_000, "0x7e860098f58bbfc8648a4311b374b1d669a2bc6b": 100_000_000 };
