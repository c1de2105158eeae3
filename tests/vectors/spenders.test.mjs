// The operator's old contracts: code and page have to agree, from two sources each, and none of them may be one of
// today's. By a wrong one, a user would be asked to take back what another was allowed.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { getAddress } from "viem";

const text = (path) => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
const [code, today, page] = ["crates/verify/src/domain/spenders.rs", "crates/verify/src/domain/chain.rs", "docs/spenders.md"].map(text);
const shared = code.match(/SHARED: \[u64; 6\] = \[([\d, ]+)\]/)[1].split(", ").map(Number);
const base = Number(code.match(/BASE: u64 = (\d+);/)[1]);
const table = [...code.matchAll(/^ {4}\(address!\("(\w+)"\), "([^"]+)", (true|false), (\w+)\),$/gm)].map(
  ([, address, name, isShared, other]) => {
    const elsewhere = other === "BASE" ? base : Number(other);
    const chains = [...(isShared === "true" ? shared : []), ...(elsewhere ? [elsewhere] : [])];
    return { chains: chains.sort((one, two) => one - two), name, address };
  },
);
/** The rows of the page's first table, cell by cell. */
const rows = page.split("### Known")[0].split("\n").filter((line) => /^\| \d/.test(line)).map((line) => line.slice(2, -2).split(" | "));

test("the page has each contract with its chains, and at least two sources for each of them", () => {
  assert.equal(table.length, 7, "the table was not read");
  assert.deepEqual(rows.map(([chains, name, address]) => ({ chains: chains.split(", ").map(Number), name, address: address.replaceAll("`", "") })), table);
  const keys = new Set([...page.matchAll(/^\| ([A-Z]\d?) \| /gm)].map(([, key]) => key));
  for (const [, name, , from] of rows) {
    // Text behind a semicolon is for some of the chains.
    const sources = from.split(";")[0].split(" ");
    assert.ok(sources.length >= 2 && sources.every((key) => keys.has(key)), `${name}: ${from}`);
  }
});

test("each address is written with its checksum, stands there once, and is none of today's", () => {
  const addresses = table.map(({ address }) => address);
  assert.equal(new Set(addresses).size, addresses.length);
  for (const address of addresses) {
    assert.equal(getAddress(address), address);
    assert.ok(!today.toLowerCase().includes(address.toLowerCase()), address);
  }
});
