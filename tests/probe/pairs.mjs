/** Which two tokens are traded on a chain. */

/** Widely traded pairs of the chains the service names; USDC (6 decimals) for wrapped native (18), unless said otherwise. */
const KNOWN = {
  1: ["0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48", "0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2"],
  10: ["0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85", "0x4200000000000000000000000000000000000006"],
  130: ["0x078D782b760474a361dDA0AF3839290b0EF57AD6", "0x4200000000000000000000000000000000000006"],
  137: ["0x3c499c542cEF5E3811e1192ce70d8cC03d5c3359", "0x7ceB23fD6bC0adD59E62ac25578270cFf1b9f619"],
  8453: ["0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", "0x4200000000000000000000000000000000000006"],
  42161: ["0xaf88d065e77c8cC2239327D5EDb3A432268e5831", "0x82aF49447D8a07e3bd95BD0d56f35241523fBab1"],
};

/** `{ source, destination, amount, contracts }`; `contracts` only where the service is a sandbox that says so itself. */
export async function pairOf(chainId, ask) {
  if (KNOWN[chainId]) {
    const [source, destination] = KNOWN[chainId];
    return { source: { address: source, decimals: 6 }, destination: { address: destination, decimals: 18 }, amount: 1_000n * 10n ** 6n };
  }
  const config = (await ask("/sandbox/config")).json;
  const chain = config?.chains?.find((candidate) => candidate.chainId === chainId);
  const listed = chain?.tokens ?? (await ask(`/tokens/${chainId}`)).json?.tokens ?? [];
  const tokens = listed.filter(({ address, kind }) => !/^0xe{40}$/i.test(address) && kind !== "usdt");
  if (tokens.length < 2) throw new Error(`no two tokens are known on chain ${chainId}`);
  const [source, destination] = tokens;
  return {
    source,
    destination,
    amount: 100n * 10n ** BigInt(source.decimals),
    contracts: chain && { [chainId]: { delta: chain.delta, wrappedNative: chain.wrappedNative } },
  };
}
