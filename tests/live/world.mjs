/** The tokens of a chain that a live trade is about, and those that are counted as the account's. */
import { NATIVE } from "../probe/requests.mjs";
import { KNOWN, WRAPPED } from "../probe/pairs.mjs";

/** Further tokens that an account of Base may hold: a dollar, and a token without a price here, of which there may be nothing. */
const MORE = {
  8453: [
    { symbol: "DAI", address: "0x50c5725949A6F0c72E6C4a641F24049A917DB0Cb", decimals: 18, worth: "dollar" },
    { symbol: "cbBTC", address: "0xcbB7C0000aB88B473b1f5aFd9ef808440eed33Bf", decimals: 8 },
  ],
};

/** The Delta contract, as this package pins it too. */
const DELTA = "0x0000000000bbf5c5fd284e657f01bd000933c96d";

/** `{ request, tokens, delta, options }`: USDC for wrapped native token, and the client's options. */
export async function worldOf({ baseUrl, chainId }, ask) {
  if (KNOWN[chainId]) {
    const [usdc, weth] = KNOWN[chainId];
    const tokens = [dollar("USDC", usdc, 6), native("WETH", weth), native("dETH", WRAPPED), ...(MORE[chainId] ?? [])];
    return { request: trade(chainId, ...tokens), tokens, delta: DELTA, options: { baseUrl } };
  }
  const { chains = [], clientOptions } = (await ask("/sandbox/config")).json ?? {};
  const chain = chains.find((one) => one.chainId === chainId);
  if (!chain) throw new Error(`chain ${chainId} is not known here`);
  const advanced = { ...clientOptions.advanced, rateLimit: { perSecond: 50, burst: 50, perDay: 100_000 } };
  const worth = { USDC: "dollar", DAI: "dollar", WETH: "native" };
  const listed = chain.tokens.filter(({ kind }) => kind !== "native").map((token) => ({ ...token, worth: worth[token.symbol] }));
  const [usdc, weth] = ["USDC", "WETH"].map((symbol) => listed.find((token) => token.symbol === symbol));
  return { request: trade(chainId, usdc, weth), tokens: [...listed, native("dETH", chain.wrappedNative)], delta: chain.delta, options: { ...clientOptions, advanced } };
}

const dollar = (symbol, address, decimals) => ({ symbol, address, decimals, worth: "dollar" });
const native = (symbol, address) => ({ symbol, address, decimals: 18, worth: "native" });

const trade = (chainId, src, dest) => ({
  chainId,
  srcToken: src.address,
  srcDecimals: src.decimals,
  srcSymbol: src.symbol,
  destToken: dest.address,
  destDecimals: dest.decimals,
  destSymbol: dest.symbol,
});

/** The same trade the other way, from the native token. */
export const fromNative = ({ chainId, srcToken, srcDecimals, srcSymbol }) => ({
  chainId,
  srcToken: NATIVE,
  destToken: srcToken,
  destDecimals: srcDecimals,
  destSymbol: srcSymbol,
});
