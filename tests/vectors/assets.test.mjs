// The table of which tokens are one asset, against lists that others keep. It decides what arrival an order across
// chains guarantees, so that a wrong row would be believed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { TOKEN_SYMBOLS_MAP } from "@across-protocol/constants";
import uniswap from "@uniswap/default-token-list" with { type: "json" };
import { getAddress } from "viem";
import { NATIVE, assets as rows } from "../../xtask/node/tables.mjs";

// Where a list calls it otherwise: the same token under its wrapped, older or bridged name.
const NAMES = {
  ETH: /^W?ETH$/, BNB: /^W?BNB$/, POL: /^W?(POL|MATIC)$/, AVAX: /^W?AVAX$/, USDC: /^USDC(-BNB)?$/, USDT: /^USDT(0|-BNB)?$/,
};
// Not on the bridge's list. The second source is its issuer's page of addresses.
const ONE_LIST = ["cbBTC"];

/** A token in the lists: its symbols, by list. */
function listed({ chain, address, decimals }) {
  const same = (other) => other?.toLowerCase() === address.toLowerCase();
  const across = Object.values(TOKEN_SYMBOLS_MAP).filter((t) => same(t.addresses[chain]) && t.decimals === decimals);
  const tokens = uniswap.tokens.filter((t) => t.chainId === chain && same(t.address) && t.decimals === decimals);
  return [across.map((t) => t.symbol), tokens.map((t) => t.symbol)];
}

test("every token of the table has its name and decimals in both lists", () => {
  const all = rows();
  assert.deepEqual(all.map(({ symbol }) => symbol), ["USDC", "USDT", "DAI", "ETH", "BNB", "POL", "AVAX", "WBTC", "cbBTC"]);
  let seen = 0;
  for (const { symbol, tokens } of all) {
    for (const token of tokens.filter(({ address }) => address !== NATIVE)) {
      assert.equal(getAddress(token.address), token.address);
      const names = listed(token).map((symbols) => symbols.some((name) => (NAMES[symbol] ?? new RegExp(`^${symbol}$`)).test(name)));
      const wanted = ONE_LIST.includes(symbol) ? [false, true] : [true, true];
      assert.deepEqual(names, wanted, `${symbol} on ${token.chain}: ${token.address} ${JSON.stringify(listed(token))}`);
      seen += 1;
    }
  }
  assert.ok(seen > 30, "the table was not read");
});

test("no token is two assets, and none is twice in the table", () => {
  const keys = rows().flatMap(({ tokens }) => tokens.map(({ chain, address }) => `${chain} ${address}`));
  assert.equal(new Set(keys).size, keys.length);
});
