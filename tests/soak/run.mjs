/* Long runs: memory over thousands of trades, and load in real time. One line for each thing tried.

     node tests/soak/run.mjs [--once] [TRIAL]...

   `--once`: with so few trades, orders and tabs that it takes a minute, to see that each trial ends. */
import { eightTabs, fiftyOrders } from "./load.mjs";
import { journal, memory } from "./memory.mjs";

const TRIALS = { fiftyOrders, eightTabs, journal, memory };
const named = process.argv.slice(2).filter((word) => word !== "--once");

for (const [name, trial] of Object.entries(TRIALS)) {
  if (named.length > 0 && !named.includes(name)) continue;
  try {
    console.log(`${name.padEnd(11)}  ok      ${await trial()}`);
  } catch (error) {
    process.exitCode = 1;
    console.log(`${name.padEnd(11)}  FAILED  ${error.stack}`);
  }
}
