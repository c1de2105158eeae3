// The page dies in the middle of a trade, in Chromium: one step of each kind; all of them with `--all`.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { TRADES, cells, failures, oneOfEach } from "./cells.mjs";
import { start } from "./world.mjs";

let world;
before(async () => (world = await start()));
after(() => world?.stop());

test("a page that dies loses nothing, signs nothing twice and trades once", async (t) => {
  const all = (await Promise.all(TRADES.map((trade) => cells(world, trade)))).flat();
  const some = oneOfEach(all);
  assert.deepEqual(await failures(world, some), []);
  t.diagnostic(`${some.length} of ${all.length} cells`);
});
