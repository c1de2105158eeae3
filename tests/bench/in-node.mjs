/** The measurements in Node: pure operations and warm swaps in this process, cold starts in one fresh process each. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { HERE } from "./bundles.mjs";
import { timeHostile } from "./hostile.mjs";
import { operations, sameAnswers } from "./operations.mjs";
import { interleaved } from "./stopwatch.mjs";
import { recordFirstSwaps, timeSwaps } from "./swap-timing.mjs";

export { recordFirstSwaps, timeHostile, timeSwaps };

export async function timeOperations(options) {
  const rows = [];
  for (const operation of await operations()) {
    await sameAnswers(operation);
    const { id, title, note, isAsync, candidates } = operation;
    rows.push({ id, title, note, ...(await interleaved(candidates, { base: "ours", isAsync, ...options })) });
  }
  return rows;
}

/** `jobs` is `{ name: job }`, each a file of the assets folder and what to do with it; interleaved, milliseconds. */
export async function timeColdStarts(assets, jobs, { rounds }) {
  const samples = Object.fromEntries(Object.keys(jobs).map((name) => [name, []]));
  for (let round = 0; round < rounds; round++) {
    for (const [name, job] of Object.entries(jobs)) {
      const { stdout } = await promisify(execFile)(process.execPath, [join(HERE, "cold-process.mjs"), assets, JSON.stringify(job)]);
      samples[name].push(Number(stdout));
    }
  }
  return samples;
}
