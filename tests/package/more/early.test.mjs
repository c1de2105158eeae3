/** The first price, asked for without the module, by the table of what the module would do (tests/trade/early.rs). */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";

const TABLE = JSON.parse(readFileSync(new URL("../../shared/early.json", import.meta.url)));
const KEY = `rateLimit/${TABLE.baseUrl}`;
/** Numbers that a request changes; behind them is who waits in other tabs. */
const OWN = 7;

let early;
before(async () => {
  const folder = await freshApp("early");
  early = pathToFileURL(join(folder, "node_modules/verified-swap/early.js")).href;
});

/** What the tabs share, with that in the storage; `asked` is what was asked of it. */
function tabsWith(stored) {
  const asked = [];
  const note = (...all) => void asked.push(all);
  const tabs = {
    takesCache: true,
    isVisible: () => true,
    open: (_, ms) => note("open", ms),
    lock: (name, ms) => (note("lock", name, ms), { got: Promise.resolve(true), close: () => note("close") }),
    load: async (name, ms) => (note("load", name, ms), stored === null ? [] : [[KEY, stored]]),
    store: async (name, text, isDurable, ms) => (note("store", name, ms), (tabs.text = text), !isDurable),
  };
  return Object.assign(tabs, { asked });
}

/** The nine numbers of a count. */
const numbers = (text) => [...(text ?? "").split(" ").map(Number), ...Array(9).fill(0)].slice(0, 9);

for (const [place, { what, options, request, stored, leaves, done }] of TABLE.cases.entries())
  test(`${leaves ? "asks as the module does" : "leaves it to the module"}: ${what}`, async (t) => {
    t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: TABLE.now });
    const fetched = t.mock.method(globalThis, "fetch", async () => new Response("{}"));
    const tabs = tabsWith(stored);
    // A page asks early once.
    const { askEarly } = await import(`${early}?${place}`);
    const sent = await askEarly(tabs, { baseUrl: TABLE.baseUrl, ...options }, request);
    assert.equal(sent !== undefined, leaves);
    assert.deepEqual(fetched.mock.calls.map(({ arguments: [url] }) => url), leaves ? [done.url] : []);
    if (!leaves) return assert.equal(tabs.text, undefined);
    assert.deepEqual(tabs.asked, [["open", TABLE.journalLimitMs], ...done.counted, ["close"]]);
    assert.deepEqual(numbers(tabs.text).slice(0, OWN), numbers(done.stored).slice(0, OWN));
    assert.deepEqual(numbers(tabs.text).slice(OWN), numbers(stored).slice(OWN));
  });
