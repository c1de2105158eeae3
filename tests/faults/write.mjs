/** `cargo xtask faults`: runs the whole matrix and writes it into docs/faults.md. */
import { startWorld } from "../coverage/world.mjs";
import { cells, differences, publish, ran } from "./table.mjs";

const world = await startWorld();
try {
  const all = await cells(world);
  // Twice, and what differs a third time: a count that depends on the machine's load is seen.
  const once = await ran(world, all, new Map());
  const said = await ran(world, all, once);
  differences(said, once).forEach((difference) => console.error(difference));
  await publish(all, said);
  const failures = [...said].filter(([, outcome]) => outcome.startsWith("fails"));
  for (const [name, outcome] of failures) console.error(`${name} ${outcome}`);
  console.log(`${all.length} cells, ${failures.length} failures`);
  process.exitCode = failures.length ? 1 : 0;
} finally {
  await world.sandbox.stop();
}
