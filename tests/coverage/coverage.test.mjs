// A walk through the whole service with the package, in Node, against the sandbox. What was asked and served on the way is
// held against the table in docs/coverage.md at the end.
import { after, before, test } from "node:test";
import { delta } from "./delta.mjs";
import { market } from "./market.mjs";
import { otc } from "./otc.mjs";
import { startWorld } from "./world.mjs";

let world;
before(async () => {
  world = await startWorld();
});
after(() => world?.sandbox.stop());

test("Market", (t) => market(t, world));
test("Delta", (t) => delta(t, world));
test("OTC", (t) => otc(t, world));
