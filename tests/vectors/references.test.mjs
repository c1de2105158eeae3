// The addresses that testify to prices, against lists that others keep. A wrong one would refuse honest trades, or pass
// a lie. docs/references.md names a second source of each; it has to agree with the code.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { held, tableOf } from "../coverage/attacks.mjs";
import * as aave from "@aave-dao/aave-address-book";
import { MAINNET_CHAINS as OKU } from "@gfxlabs/oku-chains";
import { encodeAbiParameters, getAddress, getCreate2Address, keccak256, parseAbiParameters } from "viem";

// Its modules do not load in Node, only its CommonJS does.
const { CHAIN_TO_ADDRESSES_MAP: UNISWAP, WETH9 } = createRequire(import.meta.url)("@uniswap/sdk-core");

const text = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const [pinned, assets, page] = ["crates/verify/src/domain/reference/pinned.rs", "crates/verify/src/domain/asset.rs", "docs/references.md"].map(text);
const CHAINS = [1, 10, 56, 100, 130, 137, 8453, 42161, 43114];
const NAMES = {
  1: "Ethereum", 10: "Optimism", 56: "BNB", 100: "Gnosis", 137: "Polygon", 8453: "Base", 42161: "Arbitrum",
  43114: "Avalanche",
};
// The feed of POL still has its first name.
const FEED_NAMES = { POL: "MATIC" };
// Bridged USDC, of which the pool is that the list names for the chain. (The list has the native one beside it.)
const BRIDGED = {
  10: "0x7F5c764cBc14f9669B88837ca1490cCa17c31607",
  137: "0x2791Bca1f2de4661ED88A30C99A7a9449Aa84174",
  42161: "0xFF970A61A04b1cA14834A43f5dE4533eBDDB5CC8",
};

const first = pinned.match(/FIRST_FACTORY: Address = address!\("(\w+)"\)/)[1];
const factories = [...pinned.matchAll(/^ {4}\((\d+), (?:address!\("(\w+)"\)|FIRST_FACTORY)\),$/gm)].map(
  ([, chain, address]) => ({ chain: Number(chain), address: address ?? first }),
);
const initCodeHash = pinned.match(/b256!\("(\w+)"\)/)[1];
const feeds = [...pinned.matchAll(/^ {4}\((\d+), "(\w+)", address!\("(\w+)"\), ([\d_]+)\),$/gm)].map(
  ([, id, asset, address, secs]) => ({ chain: Number(id), asset, address, secs: Number(secs.replaceAll("_", "")) }),
);
/** The rows of the page's tables that begin with a chain's id, cell by cell. */
const rows = page.split("\n").filter((line) => /^\| \d+ \|/.test(line)).map((line) => line.slice(2, -2).split(" | "));
const bare = (cell) => cell.replaceAll("`", "");
const oku = (chain) => OKU.find(({ id }) => id === chain);

test("each chain has the factory that Uniswap and Oku name, and their hash of a pool's code", () => {
  assert.deepEqual(factories.map(({ chain }) => chain), CHAINS);
  for (const { chain, address } of factories) {
    assert.equal(getAddress(address), address);
    assert.equal(getAddress(oku(chain).uniswap.poolFactory), address, `Oku, ${chain}`);
    assert.equal(oku(chain).initCodeHash, initCodeHash, `Oku, ${chain}`);
    // Uniswap's package does not have chain 100.
    const listed = UNISWAP[chain]?.v3CoreFactoryAddress;
    assert.equal(listed && getAddress(listed), chain === 100 ? undefined : address, `Uniswap, ${chain}`);
  }
});

test("from factory, hash, tokens and tier follows the pool that Oku names for the chain", () => {
  for (const { chain, address: from } of factories) {
    const { defaultPool, defaultToken0, defaultToken1 } = oku(chain);
    const tokens = [defaultToken0, BRIDGED[chain] ?? defaultToken1].map((token) => token.toLowerCase()).sort();
    const pools = [100, 500, 3000, 10000].map((fee) => {
      const salt = keccak256(encodeAbiParameters(parseAbiParameters("address, address, uint24"), [...tokens, fee]));
      return getCreate2Address({ from, bytecodeHash: initCodeHash, salt });
    });
    assert.ok(pools.includes(getAddress(defaultPool)), `${chain}: ${defaultPool} of ${pools}`);
  }
});

test("the page has the factories, and the wrapped native tokens of Uniswap's periphery and of asset.rs", () => {
  const pools = rows.filter((row) => row.length === 5 && row[1].startsWith("`"));
  assert.deepEqual(pools.map(([chain, factory]) => ({ chain: Number(chain), address: bare(factory) })), factories);
  for (const [chain, , , cell] of pools) {
    const wrapped = bare(cell);
    const listed = chain === "100" ? aave.AaveV3Gnosis.ASSETS.WXDAI.UNDERLYING : WETH9[chain].address;
    assert.equal(getAddress(listed), wrapped, chain);
    assert.ok(assets.includes(`address!("${wrapped}")`), wrapped);
  }
});

test("each feed is the one that Aave's address book names", () => {
  assert.ok(feeds.length > 30, "the table was not read");
  assert.equal(pinned.match(/FEEDS: \[.*; (\d+)\]/)[1], String(feeds.length));
  assert.equal(new Set(feeds.map(({ chain, asset }) => `${chain} ${asset}`)).size, feeds.length);
  for (const { chain, asset, address } of feeds) {
    assert.equal(getAddress(address), address);
    // The address book has no feeds of chain 130.
    const listed = aave[`Chainlink${NAMES[chain]}`]?.[`${FEED_NAMES[asset] ?? asset}__USD`];
    assert.equal(listed && getAddress(listed), chain === 130 ? undefined : address, `${asset} on ${chain}`);
  }
});

test("the page has each feed with its decimals and heartbeat, and at least two sources of each", () => {
  const table = rows.filter((row) => row.length === 8);
  const isOf = ({ chain, asset }, [id, name]) => id === String(chain) && name === asset;
  const keys = new Set([...page.matchAll(/^\| ([A-Z]\d?) \| /gm)].map(([, key]) => key));
  for (const feed of feeds) {
    const { chain, asset, address, secs } = feed;
    const row = table.find((row) => isOf(feed, row));
    const decimals = chain === 130 ? "18" : "8";
    assert.deepEqual(row.slice(2, 5).map(bare), [address, decimals, String(secs)], `${asset} on ${chain}`);
    for (const sources of row.slice(6).map((cell) => cell.split(" "))) {
      assert.ok(sources.length >= 2 && sources.every((key) => keys.has(key)), `${asset} on ${chain}: ${sources}`);
    }
  }
  const unpinned = table.filter((row) => !feeds.some((feed) => isOf(feed, row)));
  assert.equal(table.length, feeds.length + unpinned.length);
  for (const [chain, asset, cell] of unpinned) {
    const listed = aave[`Chainlink${NAMES[chain]}`][`${FEED_NAMES[asset] ?? asset}__USD`];
    assert.equal(getAddress(listed), bare(cell), `${asset} on ${chain}`);
  }
});

test("how many pairs of known tokens are judged by feeds alone, at any node", () => {
  const rows = [["chain", "pairs of known assets", "judged by feeds alone", "by pools alone, else asked about"]];
  const listed = assets.split("    Asset {\n").slice(1).map((text) => ({
    symbol: text.match(/symbol: "(\w+)"/)[1],
    chains: new Set([...text.matchAll(/^ {12}\((\d+), /gm), ...text.matchAll(/tokens: &\[\((\d+), /g), ...text.matchAll(/\), \((\d+), /g)].map(([, id]) => Number(id))),
  }));
  const hasFeed = (chain, symbol) => {
    const ticker = { WBTC: "BTC", cbBTC: "BTC" }[symbol] ?? symbol;
    return feeds.some((feed) => feed.chain === chain && feed.asset === ticker);
  };
  const sums = [0, 0];
  for (const chain of CHAINS.filter((chain) => chain !== 100)) {
    const symbols = listed.filter(({ chains }) => chains.has(chain)).map(({ symbol }) => symbol);
    const pairs = symbols.flatMap((one, place) => symbols.slice(place + 1).map((other) => [one, other]));
    const judged = pairs.filter((pair) => pair.every((symbol) => hasFeed(chain, symbol)));
    rows.push([chain, pairs.length, judged.length, pairs.length - judged.length]);
    [pairs.length, judged.length].forEach((count, place) => (sums[place] += count));
  }
  rows.push(["all", ...sums, sums[0] - sums[1]]);
  assert.ok(sums[1] > 0.8 * sums[0]);
  held("pairs", tableOf(rows));
});
