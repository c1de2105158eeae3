// Every way to fail, at every endpoint and read of a node; here each of them once. Whatever must never happen is
// checked in each cell; what happens is compared with docs/faults.md.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startWorld } from "../coverage/world.mjs";
import { FLOWS } from "./flows.mjs";
import { cells, differences, published, ran } from "./table.mjs";

let world;
before(async () => (world = await startWorld()));
after(() => world?.sandbox.stop());

test("every endpoint meets a fault, the post meets every one, and they end as published", async (t) => {
  const all = await cells(world);
  const kinds = [...new Set(all.map(({ kind }) => kind))];
  const some = all.filter(({ flow, kind }) => flow.endpoint === "post" || kind === kinds[FLOWS.indexOf(flow) % kinds.length]);
  const expected = await published();
  const said = await ran(world, some, expected);
  assert.deepEqual(differences(said, expected), []);
  t.diagnostic(`${some.length} of ${all.length} cells`);
});
