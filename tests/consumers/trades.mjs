/** Tests of stacks: a whole trade in each of their ways, and its row in the documentation. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { ROOT } from "../package/locations.mjs";
import { startBrowser } from "../package/page.mjs";
import { startSandbox } from "../package/sandbox.mjs";
import { App } from "./app.mjs";
import { OTHERS, USUAL } from "./stacks.mjs";

const HEADING = "| stack | version | what was tried | what it needs | when |\n|---|---|---|---|---|\n";
const PAGE = join(ROOT, "docs/bundlers.md");

/**
 * Tests the stacks, two at a time; with `STACK=vite-8` in the environment the one of that app. With `WRITE=1` what worked
 * is written into docs/bundlers.md; else that is held to it.
 */
export function testStacks(stacks) {
  const { STACK } = process.env;
  let sandbox;
  let browser;
  // Balances show what a trade did: each runs with an account of its own.
  const accounts = [0, 1];
  before(async () => ([sandbox, browser] = await Promise.all([startSandbox(), startBrowser()])));
  after(() => Promise.all([sandbox?.stop(), browser?.close()]));

  describe("a whole trade in", { concurrency: accounts.length }, () => {
    for (const stack of stacks.filter(({ app }) => !STACK || app === STACK)) {
      test(stack.name, async (t) => {
        const account = accounts.pop();
        try {
          const app = await App.install(stack, { sandbox, browser, account });
          let worked = 0;
          for (const [way, swaps] of Object.entries(stack.ways)) {
            await t.test(way, async () => {
              await swaps(app);
              worked++;
            });
          }
          if (worked === Object.keys(stack.ways).length) document(stack, await app.version(stack.of));
        } finally {
          accounts.push(account);
        }
      });
    }
  });
}

/** Holds the stack's row to what worked, or writes it. */
function document({ name, of, ways, needs = "nothing" }, version) {
  const page = readFileSync(PAGE, "utf8");
  const [head, table] = page.split(HEADING);
  const rows = new Map(table.trim().split("\n").map((row) => [row.split(" | ")[0].slice(2), row]));
  const row = [name, version, Object.keys(ways).join("; "), needs];
  if (process.env.WRITE) {
    rows.set(name, `| ${[...row, new Date().toISOString().slice(0, 10)].join(" | ")} |`);
    const sorted = [...USUAL, ...OTHERS].flatMap(({ name }) => rows.get(name) ?? []);
    writeFileSync(PAGE, `${head}${HEADING}${sorted.join("\n")}\n`);
    return;
  }
  const published = rows.get(name)?.slice(2).split(" | ").slice(0, 4);
  // Browser and Node are the machine's.
  if (published && ["chromium", "node"].includes(of)) row[1] = published[1];
  assert.deepEqual(published, row, "WRITE=1 cargo xtask test --all consumers");
}
