// How many requests each trade takes, and how many of them wait for one another: exactly as in counts.txt, so that none is
// added unseen. The waits of the trade are deterministic behind a delay that is longer than the work of an answer.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { openStage } from "../bench/network/stage.mjs";
import { counted } from "../bench/network/waterfall.mjs";

const DELAYS = [120, 120];
const CASES = [
  ["Chromium, nodes by URL, preflights good for 600 s", "Chromium", "ours", 600, true],
  ["Chromium, nodes by URL, preflights good for nothing", "Chromium", "ours", 0],
  ["Chromium, nodes by URL, an API key, preflights good for 600 s", "Chromium", "withKey", 600],
  ["Chromium, nodes through the wallet, preflights good for 600 s", "Chromium", "throughWallet", 600],
  ["Node, nodes by URL", "Node", "ours", 600, true],
  ["Chromium, two nodes by URL that have to agree, preflights good for 600 s", "Chromium", "twoNodes", 600, true],
];

const published = readFileSync(new URL("counts.txt", import.meta.url), "utf8").split("\n\n");

let stage;
before(async () => {
  stage = await openStage();
});
after(() => stage?.close());

test("what waits for nothing adds no depth, nor does what nobody waited for", () => {
  const at = (kind, at, end) => ({ kind, at, end });
  const [first, beside, next, late] = [at("service", 0, 100), at("node", 10, 90), at("preflight", 100, 200), at("node", 210, 310)];
  assert.deepEqual(counted({ end: 205, requests: [first, beside, next, late] }), { service: 1, node: 2, preflights: 1, depth: 2 });
  assert.deepEqual(counted({ end: 310, requests: [first, beside, next, late] }), { service: 1, node: 2, preflights: 1, depth: 3 });
});

for (const [place, [title, environment, side, corsMaxAge, isLate]] of CASES.entries()) {
  test(title, async () => {
    const lines = [title, `${" ".repeat(28)}service  node  preflights  depth`];
    for (const trade of await stage.session(environment, side, { delays: DELAYS, corsMaxAge, isLate, isLoaded: true })) {
      const { service, node, preflights, depth } = counted(trade);
      const numbers = [[service, 9], [node, 6], [preflights, 12], [depth, 7]].map(([number, width]) => String(number).padStart(width));
      lines.push(trade.flow.padEnd(26) + numbers.join(""));
    }
    assert.equal(lines.join("\n"), published[place].trimEnd());
  });
}
