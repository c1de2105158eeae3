/** Which two tokens are traded on a chain, and which one on another. */

/** Widely traded pairs of the chains the service names; USDC (6 decimals) for wrapped native (18), unless stated. */
export const KNOWN = {
  1: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"],
  10: ["0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", "0x4200000000000000000000000000000000000006"],
  130: ["0x078D782b760474a361dDA0AF3839290b0EF57AD6", "0x4200000000000000000000000000000000000006"],
  137: ["0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"],
  8453: ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x4200000000000000000000000000000000000006"],
  42161: ["0xaf88d065e77c8cC2239327D5EDb3A432268e5831", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"],
};

/** Delta's wrapped native token, where it is pinned. */
export const WRAPPED = "0x0a0d53b6684c7b32b4cbef5fe8483bfcc8406742";

/**
 * `{ source, destination, amount, elsewhere, wrapped, contracts }`. `elsewhere`: the source token's like on another chain,
 * null where none is known. `contracts` and `bridgeTokens` only where the service is a sandbox that names them.
 */
export async function pairOf(chainId, ask) {
  if (KNOWN[chainId]) {
    const [source, destination] = KNOWN[chainId];
    const other = chainId === 10 ? 8453 : 10;
    return {
      source: { address: source, decimals: 6 },
      destination: { address: destination, decimals: 18 },
      amount: 1_000n * 10n ** 6n,
      elsewhere: { chainId: other, address: KNOWN[other][0], decimals: 6 },
      wrapped: WRAPPED,
    };
  }
  const { chains = [], bridgeTokens = [] } = (await ask("/sandbox/config")).json ?? {};
  const chain = chains.find((candidate) => candidate.chainId === chainId);
  const other = chains.find((candidate) => candidate.chainId !== chainId);
  const listed = chain?.tokens ?? (await ask(`/tokens/${chainId}`)).json?.tokens ?? [];
  const tokens = listed.filter(({ address, kind }) => !/^0xe{40}$/i.test(address) && kind !== "usdt");
  if (tokens.length < 2) throw new Error(`no two tokens are known on chain ${chainId}`);
  const [source, destination] = tokens;
  const contracts = ({ chainId, delta, wrappedNative, router, rfq }) => [chainId, { delta, wrappedNative, router, rfq }];
  return {
    source,
    destination,
    amount: 100n * 10n ** BigInt(source.decimals),
    elsewhere: other ? { chainId: other.chainId, ...other.tokens[0] } : null,
    wrapped: chain?.wrappedNative,
    contracts: chain && Object.fromEntries(chains.map(contracts)),
    bridgeTokens,
  };
}
