/** The browser's part; the driver calls it through `globalThis.bench`. */
import { timeHostile } from "./hostile.mjs";
import { operations, sameAnswers } from "./operations.mjs";
import { interleaved } from "./stopwatch.mjs";
import { recordFirstSwaps, timeSwaps } from "./swap-timing.mjs";

globalThis.bench = {
  timeHostile,
  timeSwaps,
  recordFirstSwaps,
  async timeOperations(options) {
    const rows = [];
    for (const operation of await operations()) {
      await sameAnswers(operation);
      const { id, title, note, isAsync, candidates } = operation;
      rows.push({ id, title, note, ...(await interleaved(candidates, { base: "ours", isAsync, ...options })) });
    }
    return rows;
  },
};
