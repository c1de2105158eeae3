/** The one price of the paper service: 1 ether = 3,658.5 USDC, roughly; 6 decimals in, 18 out. */

export function bought(usdc) {
  return ((BigInt(usdc) * 10n ** 12n * 10_000n) / 36_585_000n).toString();
}

export function dollars(usdc) {
  return `${BigInt(usdc) / 1_000_000n}.00`;
}

/** What is left of an amount after slippage, rounded down or up. */
export function less(amount, slippageBps, rounding = 0n) {
  return ((BigInt(amount) * BigInt(10_000 - slippageBps) + rounding) / 10_000n).toString();
}
