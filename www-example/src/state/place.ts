import type { Chain, Token } from "../sandbox/sandbox.ts";

/* What the first screen shows before the sandbox has said where everything is: the same in the HTML and in the script. */

const ZERO = "0x0000000000000000000000000000000000000000";
const PLACE_ID = 31_337;

const token = (symbol: string, name: string, decimals: number, kind: string): Token => ({
  chainId: PLACE_ID,
  symbol,
  name,
  address: ZERO,
  decimals,
  kind,
});

export const PLACE: Chain = {
  chainId: PLACE_ID,
  name: "Sandbox One",
  rpc: "",
  delta: ZERO,
  wrappedNative: ZERO,
  tokens: [token("USDC", "USD Coin", 6, "permit"), token("WETH", "Wrapped Ether", 18, "plain")],
  references: {},
};
