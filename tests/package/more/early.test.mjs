/** The first price, asked for without the module, by the table of what the module would do (crates/trade/tests/flows/early.rs). */
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

/** The storage that tabs share, with that entry and `stamp`; `asked` has the requests to it, in order. */
function tabsWith(stored, stamp = stored) {
  const asked = [];
  const note = (...all) => void asked.push(all);
  const tabs = {
    takesCache: true,
    isVisible: () => true,
    stamp: (_, text) => (text ? (tabs.stamped = stamp = text) : stamp),
    open: () => note("open"),
    lock: (name) => (note("lock", name), { got: Promise.resolve(true), close: () => note("close") }),
    load: async (name) => (note("load", name), stored === null ? [] : [[KEY, stored]]),
    store: async (name, text, isDurable) => (note("store", name), (tabs.text = text), !isDurable),
  };
  return Object.assign(tabs, { asked });
}

/** The nine numbers of a count. */
const numbers = (text) => [...(text ?? "").split(" ").map(Number), ...Array(9).fill(0)].slice(0, 9);

/** A page that asks early: the request, or undefined, and the URLs that were asked for before anything was awaited. */
async function asks(t, place, tabs, options, request) {
  t.mock.timers.enable({ apis: ["Date", "setTimeout"], now: TABLE.now });
  const fetched = t.mock.method(globalThis, "fetch", async () => new Response("{}"));
  // A page asks early once.
  const { askEarly } = await import(`${early}?${place}`);
  const sent = askEarly(tabs, { baseUrl: TABLE.baseUrl, ...options }, request);
  const urls = fetched.mock.calls.map(({ arguments: [url] }) => url);
  // The count is made behind it.
  for (let turn = 0; turn < 20; turn++) await null;
  return { sent, urls };
}

for (const [place, { what, options, request, stored, leaves, done }] of TABLE.cases.entries())
  test(`${leaves ? "asks as the module does" : "leaves it to the module"}: ${what}`, async (t) => {
    const tabs = tabsWith(stored);
    const { sent, urls } = await asks(t, place, tabs, options, request);
    assert.equal(sent !== undefined, leaves);
    assert.deepEqual(urls, leaves ? [done.url] : []);
    if (!leaves) return assert.deepEqual([tabs.text, tabs.stamped, tabs.asked], [undefined, undefined, []]);
    assert.deepEqual(tabs.asked, [["open"], ...done.counted, ["close"]]);
    for (const text of [tabs.stamped, tabs.text]) {
      assert.deepEqual(numbers(text).slice(0, OWN), numbers(done.stored).slice(0, OWN));
      assert.deepEqual(numbers(text).slice(OWN), numbers(stored).slice(OWN));
    }
  });

const [{ options, request, done }] = TABLE.cases;

test("where nothing is kept that could be read at once, or it does not stay, it is left to the module", async (t) => {
  for (const stamp of [undefined, null]) {
    const tabs = Object.assign(tabsWith(null), { stamp: () => stamp });
    const { sent, urls } = await asks(t, `no-place-${stamp}`, tabs, options, request);
    assert.deepEqual([sent, urls, tabs.asked], [undefined, [], []]);
    t.mock.restoreAll();
    t.mock.timers.reset();
  }
});

test("what other tabs counted meanwhile stays, and a count that cannot be read is left as it is", async (t) => {
  for (const [place, stored, kept] of [
    ["more", `${TABLE.now + 2_000} ${Math.floor(TABLE.now / 86_400_000)} 7 0 0 0 ${TABLE.now} 1 ${TABLE.now + 9}`, [TABLE.now + 3_000, Math.floor(TABLE.now / 86_400_000), 8, 0, 0, 0, TABLE.now, 1, TABLE.now + 9]],
    ["unread", "", undefined],
  ]) {
    const tabs = tabsWith(stored, null);
    const { urls } = await asks(t, place, tabs, options, request);
    assert.deepEqual(urls, [done.url]);
    assert.deepEqual(tabs.text?.split(" ").map(Number), kept);
    t.mock.restoreAll();
    t.mock.timers.reset();
  }
});
