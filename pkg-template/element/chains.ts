// The usual names of chains, and their explorers.
import type { SwapChain } from "../src/types/element.ts";

const CHAINS: Record<number, [name: string, explorer: string]> = {
  1: ["Ethereum", "https://etherscan.io"],
  10: ["Optimism", "https://optimistic.etherscan.io"],
  56: ["BNB Chain", "https://bscscan.com"],
  100: ["Gnosis", "https://gnosisscan.io"],
  130: ["Unichain", "https://uniscan.xyz"],
  137: ["Polygon", "https://polygonscan.com"],
  146: ["Sonic", "https://sonicscan.org"],
  8453: ["Base", "https://basescan.org"],
  42161: ["Arbitrum", "https://arbiscan.io"],
  43114: ["Avalanche", "https://snowscan.xyz"],
};

/** The chains of these ids that have a usual name. */
export function knownChains(ids: number[]): SwapChain[] {
  return ids.map((chainId) => {
    const [name, explorer] = CHAINS[chainId] ?? [`${chainId}`];
    return { chainId, name, explorer };
  });
}
