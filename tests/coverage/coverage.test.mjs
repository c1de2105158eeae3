// A walk through the whole service with the package, in Node, against the sandbox. What was asked and served on the way is
// held against the table in docs/coverage.md at the end.
import { after, before, test } from "node:test";
import { delta } from "./delta.mjs";
import { elsewhere } from "./elsewhere.mjs";
import { market } from "./market.mjs";
import { otc } from "./otc.mjs";
import { permits } from "./permits.mjs";
import { startWorld } from "./world.mjs";

let world;
before(async () => {
  world = await startWorld();
});
after(() => world?.sandbox.stop());

test("Market", (t) => market(t, world));
test("Delta", (t) => delta(t, world));
test("OTC", (t) => otc(t, world));
test("Permits", (t) => permits(t, world));
test("Other chains, the native coin, small reads", (t) => elsewhere(t, world));

test("what was not seen", async () => {
  const record = await world.sandbox.control("GET", "record");
  const { items, seen } = await import("./seen.mjs");
  for (const item of items()) if (!seen(record, item)) console.log(item.join(" "));
  console.log(JSON.stringify(Object.keys(record.served)));
});
