/** `cargo xtask faults`: runs the whole matrix and writes it into docs/faults.md. */
import { startWorld } from "../coverage/world.mjs";
import { cells, publish, published, ran } from "./table.mjs";

const world = await startWorld();
try {
  const all = await cells(world);
  const said = await ran(world, all, await published());
  await publish(all, said);
  const failures = [...said].filter(([, outcome]) => outcome.startsWith("fails"));
  for (const [name, outcome] of failures) console.error(`${name} ${outcome}`);
  console.log(`${all.length} cells, ${failures.length} failures`);
  process.exitCode = failures.length ? 1 : 0;
} finally {
  await world.sandbox.stop();
}
