// The keeper of the compiled-in tables: each row has a source with a date, each table its day, and a source that differs is a
// difference.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { before, test } from "node:test";
import { getAddress } from "viem";
import { init, tables } from "verified-swap/verify";
import { contracts, days, delegates, differences, rows, unsourced } from "../../xtask/node/tables.mjs";

const page = (name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8");
const all = rows();
const of = (table) => all.filter((row) => row.table === table);

before(() => init());

test("each row has a source with a date, and one without is named", () => {
  assert.deepEqual(unsourced(all), []);
  const counts = Object.keys(days()).map((table) => [table, of(table).length]);
  assert.ok(counts.every(([, count]) => count > 5), String(counts));
  const [row] = of("delegates");
  assert.match(unsourced([{ ...row, keys: [] }])[0], /^delegates: Uniswap Calibur 0x\w{40} has no source with a date$/);
  assert.match(unsourced([{ ...row, keys: ["E", "Q"] }])[0], /docs\/wallets\.md has no source Q$/);
});

test("code, page and package have the same day for each table", () => {
  assert.deepEqual(tables(), days());
  const listed = [...page("tables").matchAll(/^\| (\w+)(?:: \w+)? \| (\d{4}-\d\d-\d\d) \|/gm)].map(([, name, day]) => [name, day]);
  assert.deepEqual(Object.fromEntries(listed), days());
  assert.deepEqual(listed.filter(([name, day]) => days()[name] !== day), []);
});

test("the page has the delegates of the code", () => {
  assert.deepEqual(of("delegates").map(({ name, address }) => ({ name, address })), delegates());
  for (const { address } of delegates()) assert.equal(getAddress(address), address);
});

test("the operator's list is compared both ways", () => {
  const list = (change = () => {}) => {
    const chains = {};
    for (const { chain, role, address } of contracts()) (chains[chain] ??= {})[role] = address.toLowerCase();
    change(chains);
    return differences(of("contracts"), JSON.stringify({ chains }));
  };
  const other = `0x${"1".repeat(40)}`;
  assert.deepEqual(list(), []);
  assert.match(String(list((chains) => (chains[8453].delta = other))), /^delta on 8453: 0x\w{40} here, 0x1{40} in the source$/);
  assert.match(String(list((chains) => delete chains[1].augustusRFQ)), /^augustusRFQ on 1: 0x\w{40} here, not there in the source$/);
  assert.equal(String(list((chains) => (chains[100].delta = other))), `delta on 100: nothing here, ${other} in the source`);
  assert.equal(String(list((chains) => (chains[59144] = { augustusV6_2: other }))), `augustusV6_2 on 59144: nothing here, ${other} in the source`);
});

test("a token list is compared with its decimals, any other file by its addresses, however they are written", () => {
  const rows = of("assets").slice(0, 3);
  const tokens = rows.map(({ chain, address, decimals }) => ({ chainId: chain, address, decimals }));
  assert.deepEqual(differences(rows, JSON.stringify({ tokens })), []);
  tokens[1] = { ...tokens[1], decimals: 7 };
  tokens[2] = { ...tokens[2], chainId: 7 };
  const [one, two, ...more] = differences(rows, JSON.stringify({ tokens }));
  assert.match(one, /^USDC on 10 0x\w{40}: 6 decimals here, 7 in the source$/);
  assert.match(two, /^USDC on 56 0x\w{40}: 18 decimals here, not there in the source$/);
  assert.deepEqual(more, []);
  const bytes = rows[0].address.slice(2).match(/../g).map((byte) => `0x${byte}`).join(",\n  ");
  assert.equal(differences(rows, `{${bytes}}; ${rows[1].address.toLowerCase()}`).length, 1);
});
