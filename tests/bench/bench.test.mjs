import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { HERE, ROOT } from "./bundles.mjs";

/* Each bench, once: that it ends with all of its parts. How fast is asserted nowhere. That of the page is one of
   `tests/commands`. */

/** The bench's output: its numbers, and its report. */
async function once(name, ...options) {
  await promisify(execFile)(process.execPath, [join(HERE, "run.mjs"), "--once", ...options]);
  const result = JSON.parse(await readFile(join(ROOT, "target", "bench-once", `${name}.json`), "utf8"));
  assert.deepEqual(result.failures, []);
  return result;
}

describe("each bench ends with all of its parts", { concurrency: 2 }, () => {
  test("sizes, the own time of trades in Node and in Chromium, and there operations and starts", async () => {
    const { sizes, environments } = await once("result");
    assert.ok(Object.keys(sizes).length > 0);
    assert.deepEqual(Object.keys(environments).map((name) => name.split(" ")[0]), ["Node", "Chromium"]);
    for (const [name, { operations = [], swaps, hostile, coldStarts, firstSwaps }] of Object.entries(environments)) {
      const isPage = name.startsWith("Chromium");
      const stored = isPage ? ["stored"] : [];
      assert.deepEqual(swaps.map(({ id }) => id), ["gasless", "twap", "market", "otc", ...stored]);
      for (const { id, walletCalls } of swaps.filter(({ id }) => id !== "stored")) {
        // Behind the sending this package asks for the receipt, and the SDK does not.
        assert.equal(walletCalls.ours - walletCalls.veloraChecked, id === "market" ? 1 : 0, `${id} asks the same`);
      }
      if (isPage) assert.ok(operations.length > 0 && hostile.length > 0);
      for (const { times } of [...operations, ...swaps, ...(isPage ? [coldStarts, firstSwaps] : [])]) assert.ok(times.ours.median > 0, name);
    }
  });

  test("whole trades behind a network", async () => {
    const { network } = await once("network", "--network");
    const flows = new Set(network.map(({ environment, flow }) => `${environment} ${flow}`));
    assert.equal(flows.size, 2 * 12, [...flows].join());
    for (const { flow, sides } of network) {
      assert.equal(Object.keys(sides).length, /^(first gasless|second gasless|a new user's gasless)$/.test(flow) ? 3 : 2, flow);
      for (const { ms } of Object.values(sides)) assert.ok(ms > 0);
    }
  });

  test("a page with nothing cached", async () => {
    const { cold } = await once("cold", "--cold");
    assert.equal(cold.length, 1);
    for (const { quoteMs, postedMs } of Object.values(cold[0].sides)) assert.ok(postedMs > quoteMs && quoteMs > 0);
    assert.deepEqual(Object.keys(cold[0].sides), ["ours", "preload", "plain", "peer", "preload look", "peer look"]);
  });
});
