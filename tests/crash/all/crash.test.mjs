// The page dies at every step of every trade, in every way; docs/hardening.md has their number.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TRADES, cells, failures, row } from "../cells.mjs";
import { start } from "../world.mjs";

let world;
before(async () => (world = await start()));
after(() => world?.stop());

for (const trade of TRADES) {
  test(`${trade}: a page that dies at any step loses nothing, signs nothing twice and trades once`, async (t) => {
    const all = await cells(world, trade, true);
    assert.deepEqual(await failures(world, all), []);
    t.diagnostic(row(trade, all));
  });
}
