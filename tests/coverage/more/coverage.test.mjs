// A walk through the whole service with the package, in Node, against the sandbox; what was asked and served on the way is
// held against the table in docs/coverage.md at the end.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { delta } from "../delta.mjs";
import { elsewhere } from "../elsewhere.mjs";
import { market } from "../market.mjs";
import { otc } from "../otc.mjs";
import { permits } from "../permits.mjs";
import { refusals } from "../refusals.mjs";
import { items, rules, seen } from "../seen.mjs";
import { exists, published, table } from "../table.mjs";
import { startWorld } from "../world.mjs";

let world;
before(async () => {
  world = await startWorld();
});
after(() => world?.sandbox.stop());

test("Market", (t) => market(t, world));
test("Delta", (t) => delta(t, world));
test("OTC", (t) => otc(t, world));
test("Permits", (t) => permits(t, world));
test("Other chains, the native token, small reads", (t) => elsewhere(t, world));

test("What is refused", (t) => refusals(t, world));

test("the table matches what was seen", async (t) => {
  const record = await world.sandbox.control("GET", "record");
  const rows = await table();
  const listed = new Map(rows.map((row) => [row.key, row]));
  assert.equal(listed.size, rows.length, "no row twice");
  const expected = [...items(), ...rules()].map((item) => item.join(" "));
  assert.deepEqual(rows.map(({ key }) => key), expected, "a row for each item of the service, and no other");
  const unseen = [...items(), ...rules()].filter((item) => listed.get(item.join(" "))?.covers && !seen(record, item));
  assert.deepEqual(unseen.map((item) => item.join(" ")), [], "every entry that can be seen on the wire was");
  const api = await published();
  assert.deepEqual(rows.filter(({ covers }) => covers && !api.has(covers)).map(({ key }) => key), [], "every function exists");
  const unproven = await Promise.all(rows.filter(({ covers }) => covers).map(async (row) => ((await exists(row.proof)) ? [] : [row.key])));
  assert.deepEqual(unproven.flat(), [], "every test exists");
  t.diagnostic(`${rows.filter(({ covers }) => covers).length} of ${rows.length} rows are covered`);
});
