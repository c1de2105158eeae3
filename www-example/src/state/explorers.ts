/** Block explorers by chain id. A chain that is not here has none. */
const EXPLORERS: Record<number, string> = {
  1: "https://etherscan.io",
  10: "https://optimistic.etherscan.io",
  56: "https://bscscan.com",
  100: "https://gnosisscan.io",
  130: "https://uniscan.xyz",
  137: "https://polygonscan.com",
  8453: "https://basescan.org",
  42161: "https://arbiscan.io",
  43114: "https://snowtrace.io",
};

/** Where a transaction or an address of that chain can be looked at. */
export function explorerUrl(chainId: number, kind: "tx" | "address", hex: string): string | null {
  const site = EXPLORERS[chainId];
  return site ? `${site}/${kind}/${hex}` : null;
}
