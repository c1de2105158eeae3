// The whole matrix of docs/faults.md, which `cargo xtask faults` writes.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { startWorld } from "../../coverage/world.mjs";
import { cells, differences, published, ran } from "../table.mjs";

let world;
before(async () => (world = await startWorld()));
after(() => world?.sandbox.stop());

test("every fault at every endpoint ends as published", async (t) => {
  const all = await cells(world);
  const expected = await published();
  const said = await ran(world, all, expected);
  assert.deepEqual(differences(said, expected), []);
  assert.deepEqual([...expected.keys()].filter((name) => !said.has(name)), [], "nothing is published that was not seen");
  t.diagnostic(`${all.length} cells`);
});
