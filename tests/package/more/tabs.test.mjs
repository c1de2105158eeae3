/** Things that tabs of an origin share, in real tabs: entries, locks, messages; and what is left where some are missing. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { chromium } from "playwright-core";
import { freshApp, run } from "../app.mjs";
import { NOTHING, census } from "../census.mjs";
import { locate } from "../locations.mjs";
import { serve } from "../page.mjs";
import { startSandbox } from "../sandbox.mjs";
import { assertSwapped, fundedTrade } from "../trade.mjs";

const PACKAGE = "/node_modules/verified-swap";
const FILES = {
  "index.html": `<!doctype html><meta charset="utf-8"><title>app</title><link rel="icon" href="data:,"><script type="module" src="/app.js"></script>`,
  "app.js": `import { createClient } from "${PACKAGE}/index.js";
import { Tabs } from "${PACKAGE}/tabs.js";
import { swap } from "/swap.js";
window.openTabs = (storage, limitMs = 500) => {
  const tabs = new Tabs();
  tabs.open(storage, limitMs);
  return tabs;
};
window.take = async (name, limitMs) => (await (window.lock = window.tabs.lock(name, limitMs)).got);
window.createClient = createClient;
window.swap = (settings) => swap(createClient, settings);
// The database's contents, as any script of the origin can read and write them.
window.raw = (store, work) => new Promise((resolve, reject) => {
  const opening = indexedDB.open("verified-swap");
  opening.onerror = () => reject(opening.error);
  opening.onsuccess = () => {
    const found = work(opening.result.transaction(store, "readwrite").objectStore(store));
    found.onerror = () => reject(found.error);
    found.onsuccess = () => { opening.result.close(); resolve(found.result); };
  };
});
window.tabs = openTabs();
window.ready = true;
`,
};

/** Not a secure context, unlike loopback: no WebCrypto, no Web Locks. */
const INSECURE = "app.test";

let browser;
let server;
let sandbox;
before(async () => {
  const [folder, started] = await Promise.all([freshApp("tabs", FILES), startSandbox()]);
  sandbox = started;
  server = await serve(folder);
  const args = ["--no-sandbox", "--disable-gpu", "--disable-quic", `--host-resolver-rules=MAP ${INSECURE} 127.0.0.1`];
  browser = await chromium.launch({ executablePath: locate("CHROME"), headless: true, args });
});
after(() => Promise.all([browser?.close(), server?.stop(), sandbox?.stop()]));

/** A browser of one's own, so to speak: `open()` opens a tab of it. */
async function withTabs(work, { host, prepare } = {}) {
  const context = await browser.newContext();
  const url = host ? server.url.replace("127.0.0.1", host) : server.url;
  const complaints = [];
  context.on("weberror", (error) => complaints.push(error.error().stack || String(error.error())));
  if (prepare) await context.addInitScript(prepare);
  const open = async () => {
    const tab = await context.newPage();
    await tab.goto(url);
    await tab.waitForFunction(() => window.ready);
    return tab;
  };
  try {
    await work(open, context);
    assert.deepEqual(complaints, []);
  } finally {
    await context.close();
  }
}

const store = (tab, name, text) => tab.evaluate(([name, text]) => tabs.store(name, text, true, 500), [name, text]);
const load = (tab, prefix = "") => tab.evaluate((prefix) => tabs.load(prefix, 500), prefix);
const take = (tab, name, limitMs) => tab.evaluate(([name, limitMs]) => take(name, limitMs), [name, limitMs]);
const journal = (tab) => tab.evaluate(() => tabs.journal());

test("tabs that start at the same time end with one key, and see each other's entries", () =>
  withTabs(async (open) => {
    const opened = await Promise.all([1, 2, 3, 4].map(open));
    assert.deepEqual(await Promise.all(opened.map((tab, n) => store(tab, `trade/${n}`, `text ${n}`))), [true, true, true, true]);
    await store(opened[0], "nonce/0", "7");
    const all = [0, 1, 2, 3].map((n) => [`trade/${n}`, `text ${n}`]);
    for (const tab of opened) assert.deepEqual(await load(tab, "trade/"), all);
    assert.ok(await store(opened[1], "trade/2", null));
    await opened[2].reload();
    await opened[2].waitForFunction(() => window.ready);
    assert.deepEqual(await load(opened[2], "trade/"), all.filter(([name]) => name !== "trade/2"));
    assert.deepEqual(await journal(opened[2]), { state: "stored", reason: null });
    // Each with a connection of its own, as in as many tabs, and all in one moment.
    const counts = await opened[0].evaluate(async () => {
      await new Promise((resolve) => (indexedDB.deleteDatabase("verified-swap").onsuccess = resolve));
      const racing = [1, 2, 3, 4, 5, 6].map(() => openTabs());
      await Promise.all(racing.map((tabs, n) => tabs.store(`trade/${n}`, "text", true, 500)));
      return (await Promise.all(racing.map((tabs) => tabs.load("trade/", 500)))).map(({ length }) => length);
    });
    assert.deepEqual(counts, [6, 6, 6, 6, 6, 6]);
  }));

test("a reading has the texts that are not the same as in the one it names", () =>
  withTabs(async (open) => {
    const [first, second] = [await open(), await open()];
    let last = 0;
    const changes = async (since, expected) => {
      const [reading, found] = await first.evaluate((since) => tabs.changes("trade/", since, 500), since);
      assert.deepEqual(found, expected);
      assert.ok(reading > last);
      return (last = reading);
    };
    for (const name of ["trade/1", "trade/2", "nonce/1"]) await store(first, name, "old");
    const one = await changes(0, [["trade/1", "old"], ["trade/2", "old"]]);
    await load(first);
    const two = await changes(one, [["trade/1", null], ["trade/2", null]]);
    // The same text again is another entry.
    await store(second, "trade/2", "old");
    await changes(two, [["trade/1", null], ["trade/2", "old"]]);
    // No call goes on from that reading: what it found is found again.
    const three = await changes(two, [["trade/1", null], ["trade/2", "old"]]);
    const four = await changes(three, [["trade/1", null], ["trade/2", null]]);
    await store(second, "trade/1", null);
    const five = await changes(four, [["trade/2", null]]);
    await second.evaluate(() => raw("entries", (store) => store.put("not sealed", "trade/2")));
    // An unreadable entry is there, in every reading.
    const six = await changes(await changes(five, [["trade/2", ""]]), [["trade/2", ""]]);
    await store(second, "trade/1", "old");
    for (const since of [six, 0]) await changes(since, [["trade/1", "old"], ["trade/2", ""]]);
  }));

test("entries are sealed; one that was edited or moved is there without a text, and stays", () =>
  withTabs(async (open) => {
    const tab = await open();
    for (const name of ["trade/a", "trade/b", "trade/c", "trade/d"]) await store(tab, name, `secret of ${name} \u{1f511}`);
    const kept = await tab.evaluate(() => raw("entries", (store) => store.getAll()));
    assert.ok(kept.every((text) => !text.includes("secret") && !atob(text).includes("secret")));
    await store(tab, "trade/d", `secret of trade/d \u{1f511}`);
    assert.notEqual(await tab.evaluate(() => raw("entries", (store) => store.get("trade/d"))), kept[3]);
    await tab.evaluate(async ([a, b]) => {
      const edited = (a[30] === "A" ? "B" : "A") + a.slice(31);
      await raw("entries", (store) => store.put(a.slice(0, 30) + edited, "trade/a"));
      await raw("entries", (store) => store.put(b, "trade/c"));
      await raw("entries", (store) => store.put("not sealed at all", "trade/e"));
      await raw("entries", (store) => store.put({ not: "text" }, "trade/f"));
    }, kept);
    const texts = ["a", "b", "c", "d", "e", "f"].map((one) => [`trade/${one}`, "bd".includes(one) ? `secret of trade/${one} \u{1f511}` : ""]);
    assert.deepEqual(await load(tab, "trade/"), texts);
    assert.equal(await tab.evaluate(() => raw("entries", (store) => store.count())), 6);
    const key = await tab.evaluate(async () => {
      const key = await raw("keys", (store) => store.get("seal"));
      return [key.extractable, await crypto.subtle.exportKey("raw", key).then(() => "exported", ({ name }) => name)];
    });
    assert.deepEqual(key, [false, "InvalidAccessError"]);
  }));

test("one tab has a lock at a time, until it gives it back, is closed or crashes", () =>
  withTabs(async (open, context) => {
    let [first, second] = [await open(), await open()];
    assert.ok(await take(first, "trade/1", 0));
    assert.ok(!(await take(second, "trade/1", 0)));
    assert.ok(!(await take(second, "trade/1", 300)));
    assert.ok(!(await first.evaluate(() => openTabs().lock("trade/1", 0).got)), "another client of the same page");
    assert.ok(await second.evaluate(() => tabs.lock("trade/2", 0).got));
    const endings = [
      () => first.evaluate(() => lock.close()),
      () => first.evaluate(() => tabs.close()),
      () => first.close(),
      async () => {
        const crashed = new Promise((resolve) => first.once("crash", resolve));
        (await context.newCDPSession(first)).send("Page.crash").catch(() => {});
        await crashed;
      },
    ];
    for (const end of endings) {
      const waiting = take(second, "trade/1", 60_000);
      await end();
      assert.ok(await waiting, String(end));
      // The next tab is new: this one may be gone.
      [first, second] = [second, await open()];
    }
    // A client that no longer waits gets none.
    const left = await second.evaluate(() => {
      const asked = tabs.lock("trade/1", 60_000);
      asked.close();
      return asked.got;
    });
    assert.equal(left, false);
    // Nor does who went while it was being taken.
    assert.equal(await second.evaluate(() => {
      const asked = tabs.lock("trade/3", 0);
      asked.close();
      return asked.got;
    }), false);
    assert.ok(await first.evaluate(() => tabs.lock("trade/3", 60_000).got));
    await first.evaluate(() => lock.close());
    assert.ok(await take(second, "trade/1", 60_000));
  }));

/** A busy machine's way with a question for a lock: it is asked late, or its page is busy while the answer comes. */
const BUSY = {
  "the browser is": () => {
    const prototype = globalThis.LockManager?.prototype;
    // None on the empty page before it.
    if (!prototype) return;
    const { request } = prototype;
    prototype.request = async function (...args) {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return request.apply(this, args);
    };
  },
  "the page is": () => {
    const prototype = globalThis.LockManager?.prototype;
    if (!prototype) return;
    const { request } = prototype;
    prototype.request = function (...args) {
      const asked = request.apply(this, args);
      for (const end = performance.now() + 150; performance.now() < end; ) continue;
      return asked;
    };
  },
};

for (const [who, prepare] of Object.entries(BUSY)) {
  test(`a lock that nobody has is taken however busy ${who}`, () =>
    withTabs(async (open) => {
      const [first, second] = [await open(), await open()];
      for (let round = 0; round < 5; round++) {
        assert.ok(await take(first, `trade/${round}`, 100), `round ${round}`);
        assert.ok(!(await take(second, `trade/${round}`, 100)));
        await first.evaluate(() => lock.close());
      }
    }, { prepare }));
}

test("Web Locks that never answer are said to, two seconds after the patience", () =>
  withTabs(async (open) => {
    const tab = await open();
    for (const limitMs of [0, 100]) assert.equal(await take(tab, "trade/1", limitMs), null);
    // One that comes later is given back.
    await tab.evaluate(() => answerLocks());
    assert.equal(await take(tab, "trade/1", 5_000), true);
  }, {
    prepare: () => {
      const prototype = globalThis.LockManager?.prototype;
      if (!prototype) return;
      const { request } = prototype;
      const answered = new Promise((resolve) => (globalThis.answerLocks = resolve));
      prototype.request = async function (...args) {
        await answered;
        return request.apply(this, args);
      };
    },
  }));

test("without Web Locks the clients of one page have a lock one after the other, and two pages count as two", () =>
  withTabs(async (open) => {
    const [first, second] = [await open(), await open()];
    assert.equal(await first.evaluate(() => Boolean(navigator.locks)), false);
    assert.ok(await take(first, "trade/1", 0));
    const others = await first.evaluate(async () => {
      const [now, later] = [openTabs().lock("trade/1", 0), openTabs().lock("trade/1", 60_000)];
      const had = await now.got;
      lock.close();
      return [had, await later.got];
    });
    assert.deepEqual(others, [false, true]);
    assert.ok(await take(second, "trade/1", 0));
  }, { host: INSECURE }));

test("messages reach every other client of the origin, and only what is one", () =>
  withTabs(async (open) => {
    const [first, second] = [await open(), await open()];
    for (const tab of [first, second]) {
      await tab.evaluate(() => {
        window.other = openTabs();
        window.wakes = 0;
        other.wakeBy(() => window.wakes++);
        window.inboxes = [tabs.inbox("nonce"), other.inbox("nonce"), other.inbox("budget")];
        window.told = () => inboxes.map(({ messages }) => messages.join());
      });
    }
    await first.evaluate(() => {
      const stranger = new BroadcastChannel("verified-swap");
      for (const message of [null, 1, "nonce", ["nonce"], ["nonce", 5], {}, ["nonce", null]]) stranger.postMessage(message);
      tabs.tell("nonce", "1");
      tabs.tell("nonce", "2");
    });
    await second.waitForFunction(() => told()[1] === "1,2");
    await first.waitForFunction(() => told()[1] === "1,2");
    assert.deepEqual(await second.evaluate(() => told()), ["1,2", "1,2", ""]);
    assert.deepEqual(await first.evaluate(() => told()), ["", "1,2", ""]);
    assert.equal(await second.evaluate(() => wakes), 2);
    assert.deepEqual(await second.evaluate(() => [1, 2, 3].map(() => inboxes[0].next() ?? "none")), ["1", "2", "none"]);
    await second.evaluate(() => inboxes[1].close());
    await first.evaluate(() => tabs.tell("nonce", "3"));
    await second.waitForFunction(() => told()[0] === "3");
    assert.deepEqual(await second.evaluate(() => told()), ["3", "1,2", ""]);
  }));

test("a page that comes into view wakes what pauses", () =>
  withTabs(async (open) => {
    const tab = await open();
    const seen = await tab.evaluate(() => {
      let wakes = 0;
      tabs.wakeBy(() => wakes++);
      const seen = [];
      for (const state of ["hidden", "visible"]) {
        Object.defineProperty(document, "visibilityState", { value: state, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
        seen.push(tabs.isVisible(), wakes);
      }
      for (const event of ["pageshow", "online"]) dispatchEvent(new Event(event));
      return [...seen, wakes];
    });
    assert.deepEqual(seen, [false, 0, true, 1, 3]);
  }));

test("a database that is deleted under way is made again", () =>
  withTabs(async (open) => {
    const [first, second] = [await open(), await open()];
    await store(first, "trade/1", "gone");
    const deleted = second.evaluate(() => new Promise((resolve) => {
      const deleting = indexedDB.deleteDatabase("verified-swap");
      deleting.onsuccess = () => resolve("deleted");
      deleting.onblocked = () => resolve("blocked");
    }));
    assert.equal(await deleted, "deleted");
    assert.ok(await store(first, "trade/2", "new"));
    for (const tab of [first, second]) assert.deepEqual(await load(tab), [["trade/2", "new"]]);
  }));

test("a connection that the browser ended is made again", () =>
  withTabs(async (open) => {
    const tab = await open();
    await store(tab, "trade/1", "one");
    assert.equal(await tab.evaluate(() => connections.map((database) => database.close()).length), 1);
    assert.ok(await store(tab, "trade/2", "two"));
    assert.deepEqual(await load(tab), [["trade/1", "one"], ["trade/2", "two"]]);
  }, { prepare: census }));

/** A tab that keeps the database: it is to be deleted, and that tab does not let go of it. */
const holdUp = (tab) => tab.evaluate(() => new Promise((resolve) => {
  tabs.close();
  const opening = indexedDB.open("verified-swap", 1);
  opening.onsuccess = () => {
    window.held = opening.result;
    indexedDB.deleteDatabase("verified-swap").onblocked = resolve;
  };
}));

test("a database that another tab holds up is given up in time, and used once it is free", () =>
  withTabs(async (open) => {
    const [holder, tab] = [await open(), await open()];
    await holdUp(holder);
    const late = /no answer from .* within 500 ms/;
    for (const answer of [await store(tab, "trade/1", "one"), await load(tab)]) assert.match(answer, late);
    const { state, reason } = await journal(tab);
    assert.equal(state, "unreadable");
    assert.match(reason, late);
    await holder.evaluate(() => held.close());
    await tab.waitForFunction(async () => (await tabs.store("trade/1", "one", true, 500)) === true);
    assert.deepEqual(await journal(tab), { state: "stored", reason: null });
  }));

test("a trade beside a database that another tab holds up opens no prompt, and goes on once it is free", () =>
  withTabs(async (open) => {
    const [holder, tab] = [await open(), await open()];
    const trade = await fundedTrade(sandbox);
    await holdUp(holder);
    // Its own connection would let go of the database, and has to be made anew like that of the client.
    const refused = await tab.evaluate((settings) => swap(settings).then(() => null, ({ code, actual, message }) => ({ code, actual, message })), trade.settings);
    assert.equal(refused?.code, "JOURNAL_UNREADABLE", JSON.stringify(refused));
    const resumed = await tab.evaluate(({ baseUrl }) =>
      createClient({ baseUrl, resume: true }).then((client) => client.resumed.then(() => "resumed", ({ code }) => code)), trade.settings);
    assert.equal(resumed, "JOURNAL_UNREADABLE");
    await holder.evaluate(() => held.close());
    await assertSwapped(trade, await tab.evaluate((settings) => swap(settings), trade.settings));
  }));

test("a key that is lost, or junk, is not replaced before the trades that it sealed were let go of", () =>
  withTabs(async (open) => {
    const junk = [undefined, 5, "key", {}, { until: "soon" }, { until: Infinity, owner: 1 }, [new Date()]];
    for (const value of junk) {
      const tab = await open();
      await store(tab, "trade/1", "lost");
      await store(tab, "nonce/1", "7");
      await tab.evaluate((value) => raw("keys", (store) => (value === undefined ? store.clear() : store.put(value, "seal"))), value);
      const next = await open();
      for (let click = 0; click < 2; click++) {
        assert.match(await store(next, "trade/2", "kept"), /^LostKeyError: /, JSON.stringify(value));
        assert.deepEqual(await load(next), [["nonce/1", ""], ["trade/1", ""]]);
      }
      const { state, reason } = await journal(next);
      assert.deepEqual([state, /^LostKeyError: /.test(reason)], ["unreadable", true], reason);
      assert.deepEqual(await next.evaluate(() => raw("keys", (store) => store.get("seal"))), value);
      assert.equal(await store(next, "trade/1", null), true);
      assert.equal(await store(next, "trade/2", "kept"), true);
      assert.equal(await store(next, "nonce/1", "8"), true);
      assert.deepEqual(await load(await open()), [["nonce/1", "8"], ["trade/2", "kept"]]);
      for (const name of ["trade/2", "nonce/1"]) await store(next, name, null);
    }
  }));

test("the application's own storage and the browser's database are lost apart", () =>
  withTabs(async (open) => {
    const tab = await open();
    const found = await tab.evaluate(async () => {
      tabs.close();
      const kept = new Map();
      // One page each, which has the map as its own storage.
      const page = async (work) => {
        const page = openTabs(kept);
        const result = await work(page);
        page.close();
        return result;
      };
      const put = (name, text) => page((page) => page.store(name, text, true, 500));
      const all = () => page((page) => page.load("trade/", 500));
      const found = [await put("trade/1", "one"), await all()];
      await new Promise((resolve) => (indexedDB.deleteDatabase("verified-swap").onsuccess = resolve));
      found.push(await all(), await put("trade/2", "two"), await page((page) => page.journal().then(({ state }) => state)));
      found.push(await put("trade/1", null), await put("trade/2", "two"), await all());
      // The other way round, the key is there.
      kept.clear();
      found.push(await all(), await put("trade/3", "three"), await all());
      // One that was moved, and one without a text.
      kept.set("trade/4", kept.get("trade/3"));
      kept.set("trade/5", undefined);
      found.push(await all());
      return found;
    });
    assert.match(found[3], /^LostKeyError: /);
    found[3] = "lost";
    const three = ["trade/3", "three"];
    assert.deepEqual(found, [
      true, [["trade/1", "one"]],
      [["trade/1", ""]], "lost", "unreadable", true, true, [["trade/2", "two"]],
      [], true, [three], [three, ["trade/4", ""], ["trade/5", ""]],
    ]);
  }));

/** Writes of the first connection hang, or, with `window.hangs`, those of all: they are made, and their transaction never ends. */
function hanging() {
  const { put } = IDBObjectStore.prototype;
  let first;
  IDBObjectStore.prototype.put = function (...args) {
    const { db } = this.transaction;
    const request = put.apply(this, args);
    const spin = () => (this.get("nothing").onsuccess = spin);
    if (globalThis.hangs === "all" || (globalThis.hangs === "first" && (first ??= db) === db)) spin();
    return request;
  };
}

test("a connection whose writes hang is dropped in time, and another is opened once", () =>
  withTabs(async (open) => {
    const tab = await open();
    const found = await tab.evaluate(async () => {
      const patient = openTabs(undefined, 3_000);
      const put = async (hangs, text) => {
        globalThis.hangs = hangs;
        const answer = await patient.store("trade/1", text, true, 3_000);
        globalThis.hangs = undefined;
        return [answer, (await patient.load("trade/", 3_000))[0][1]];
      };
      const found = [await put(undefined, "one"), await put("first", "two"), await put("all", "three"), await put(undefined, "four")];
      found.push((await patient.journal()).state);
      patient.close();
      return found;
    });
    assert.match(found[2][0], /^HungError: /);
    found[2][0] = "hung";
    assert.deepEqual(found, [[true, "one"], [true, "two"], ["hung", "two"], [true, "four"], "stored"]);
  }, { prepare: hanging }));

test("a database that is full says so, and is used again once it is not", () =>
  withTabs(async (open, context) => {
    const tab = await context.newPage();
    const session = await context.newCDPSession(tab);
    const quota = (bytes) => session.send("Storage.overrideQuotaForOrigin", { origin: server.url, quotaSize: bytes });
    // Before the first write: Chromium remembers for a while how much room there is.
    await quota(50_000);
    await tab.goto(server.url);
    await tab.waitForFunction(() => window.ready);
    assert.match(await store(tab, "trade/1", "long".repeat(50_000)), /quota/i);
    const { state, reason } = await journal(tab);
    assert.deepEqual([state, /quota/i.test(reason)], ["unreadable", true], reason);
    await quota();
    assert.ok(await store(tab, "trade/1", "one"));
    assert.deepEqual(await journal(tab), { state: "stored", reason: null });
  }));

test("a database of a newer version is left alone", () =>
  withTabs(async (open) => {
    const tab = await open();
    await store(tab, "trade/1", "one");
    await tab.evaluate(() => new Promise((resolve) => {
      const opening = indexedDB.open("verified-swap", 2);
      opening.onsuccess = () => (opening.result.close(), resolve());
    }));
    // The module takes its first word for a newer version.
    for (const answer of [await store(tab, "trade/2", "two"), await load(tab)]) assert.match(answer, /^VersionError/);
    const { state, reason } = await journal(tab);
    assert.deepEqual([state, /^VersionError/.test(reason)], ["unreadable", true]);
  }));

const MISSING = {
  IndexedDB: () => Object.defineProperty(window, "indexedDB", { value: undefined }),
  WebCrypto: () => Object.defineProperty(Crypto.prototype, "subtle", { value: undefined }),
  "Web Locks": () => Object.defineProperty(navigator, "locks", { value: undefined }),
  "IndexedDB, by a policy": () => {
    IDBFactory.prototype.open = () => {
      throw new DOMException("access denied", "SecurityError");
    };
    if (navigator.locks) navigator.locks.request = () => Promise.reject(new DOMException("access denied", "SecurityError"));
  },
  // As Chromium answers where the user blocks cookies.
  "IndexedDB, by the user": () => {
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...which) {
      const request = open.apply(this, which);
      const error = new DOMException("The user denied permission to access the database.", "UnknownError");
      Object.defineProperty(request, "error", { value: error });
      queueMicrotask(() => request.dispatchEvent(new Event("error")));
      return request;
    };
  },
  // As WebKit answers in its Lockdown Mode.
  "keys in IndexedDB": () => {
    const { put } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.put = function (value, ...more) {
      if (value instanceof CryptoKey) throw new DOMException("The object can not be cloned.", "DataCloneError");
      return put.call(this, value, ...more);
    };
  },
  "all of it": () => {
    for (const name of ["indexedDB", "BroadcastChannel"]) Object.defineProperty(window, name, { value: undefined });
    Object.defineProperty(navigator, "locks", { value: undefined });
  },
};
const REASON = {
  IndexedDB: "no IndexedDB",
  WebCrypto: "no WebCrypto: the page is not https",
  "Web Locks": null,
  "IndexedDB, by a policy": "SecurityError: access denied",
  "IndexedDB, by the user": "UnknownError: The user denied permission to access the database.",
  "keys in IndexedDB": "DataCloneError: The object can not be cloned.",
  "all of it": "no IndexedDB",
  "a secure context": "no WebCrypto: the page is not https",
};

for (const lost of [...Object.keys(MISSING), "a secure context"]) {
  test(`without ${lost} the client works, and says what it lacks`, () =>
    withTabs(async (open) => {
      const tab = await open();
      const isStored = REASON[lost] === null;
      assert.equal(await store(tab, "trade/1", "one"), isStored || null);
      assert.deepEqual(await load(tab), isStored ? [["trade/1", "one"]] : null);
      assert.deepEqual(await journal(tab), { state: isStored ? "stored" : "memory", reason: REASON[lost] });
      assert.ok(await take(tab, "trade/1", 0));
      assert.ok(!(await tab.evaluate(() => openTabs().lock("trade/1", 200).got)));
      await tab.evaluate(() => lock.close());
      assert.ok(await take(tab, "trade/1", 10_000));
      const told = await tab.evaluate(async () => {
        const inbox = openTabs().inbox("nonce");
        tabs.tell("nonce", "1");
        await new Promise((resolve) => setTimeout(resolve, 200));
        return inbox.next();
      });
      assert.equal(told, "1");
      const trade = await fundedTrade(sandbox);
      await tab.exposeFunction("rpc", (method, params) => sandbox.rpc(trade.settings.chainId, method, params));
      await assertSwapped(trade, await tab.evaluate((settings) => swap(settings), trade.settings));
    }, { host: lost === "a secure context" ? INSECURE : undefined, prepare: MISSING[lost] }));
}

test("an application's own storage is sealed where it can be, and may fail as it likes", async () => {
  const keep = async (tab) => tab.evaluate(async () => {
    const map = new Map();
    const [one, two] = [openTabs(map), openTabs(map)];
    const stored = await one.store("trade/1", "secret", true, 500);
    map.set("trade/2", "plain");
    const seen = await two.load("trade/", 500);
    await two.store("trade/1", null, true, 500);
    const { reason } = await one.journal();
    return { stored, seen, left: [...map.keys()], isPlain: map.get("trade/1") === "secret", reason };
  });
  await withTabs(async (open) => {
    const tab = await open();
    const kept = { stored: true, seen: [["trade/1", "secret"], ["trade/2", ""]], left: ["trade/2"], isPlain: false, reason: null };
    assert.deepEqual(await keep(tab), kept);
    const failing = await tab.evaluate(() => {
      const raise = () => {
        throw new Error("broken");
      };
      const never = () => new Promise(() => {});
      const kinds = [raise, never, () => Promise.reject(new Error("broken")), () => 5];
      return Promise.all(kinds.map(async (get) => {
        const tabs = openTabs({ get, set: get, delete: get, keys: get });
        return [await tabs.load("trade/", 500), await tabs.store("trade/1", null, true, 500), (await tabs.journal()).state];
      }));
    });
    const failed = (why) => [why, why, "unreadable"];
    const [late, broken] = ["no answer from the storage within 500 ms", "Error: broken"].map(failed);
    // It does not matter what a storage resolves to after a write; what it lists as its contents has to be a list.
    const [[noList, stored, state]] = failing.splice(3);
    assert.deepEqual([failing, stored, state], [[broken, late, broken], true, "unreadable"]);
    assert.match(noList, /^TypeError/);
  });
  await withTabs(async (open) => {
    const seen = [["trade/1", "secret"], ["trade/2", "plain"]];
    const { isPlain, ...kept } = await keep(await open());
    const reason = "not sealed: no WebCrypto: the page is not https";
    assert.deepEqual(kept, { stored: true, seen, left: ["trade/2"], reason });
  }, { host: INSECURE });
});

test("the option storage is false, or has four functions; the client says which", () =>
  withTabs(async (open) => {
    const tab = await open();
    const outcome = await tab.evaluate(async () => {
      const journal = async (storage) => {
        try {
          const client = await createClient({ baseUrl: "https://service.test", storage });
          const bound = client.withWallet({ request: () => {} });
          const states = [await client.trades.storage(), await bound.trades.storage()];
          client.close();
          return [...states.map(({ state }) => state), (await bound.trades.storage()).reason, (await client.trades.storage()).state].join();
        } catch ({ code, field, expected }) {
          return `${code} ${field}: ${expected}`;
        }
      };
      const values = [undefined, null, false, new Map(), true, "local", {}, { get() {}, set() {}, delete() {}, keys: [] }];
      const all = [];
      for (const value of values) all.push(await journal(value));
      return all;
    });
    const kept = "stored,stored,the client is closed,unreadable";
    const refused = "INVALID_INPUT storage: an object with get, set, delete and keys, or false";
    assert.deepEqual(outcome, [kept, kept, "off,off,storage is false,off", kept, refused, refused, refused, refused]);
  }));

for (const [where, host] of [["with Web Locks", undefined], ["without them", INSECURE]]) {
  test(`after close nothing is left, ${where}`, () =>
    withTabs(async (open) => {
      const tab = await open();
      const busy = await tab.evaluate(async () => {
        window.client = await createClient({ baseUrl: "https://service.test" });
        await tabs.journal();
        await client.trades.storage();
        window.other = openTabs();
        for (const tabs of [window.tabs, other]) tabs.inbox("nonce");
        await tabs.lock("held", 0).got;
        window.open = [other.lock("held", 60_000).got, tabs.lock("held", 60_000).got];
        return alive();
      });
      const { fetches, ...own } = busy;
      const isBusy = ([kind, count]) => count > 0 || (host && ["locks", "connections"].includes(kind));
      assert.ok(fetches === 0 && Object.entries(own).every(isBusy), JSON.stringify(busy));
      const left = await tab.evaluate(async () => {
        open.push(other.store("trade/1", "one", true, 500), other.load("", 500));
        for (const one of [tabs, other, client]) one.close();
        const answers = await Promise.all(open);
        await atRest();
        const later = [await tabs.lock("held", 0).got, await tabs.store("trade/1", "one", true, 500), await tabs.load("", 500)];
        tabs.tell("nonce", "1");
        return { answers, later, alive: await alive() };
      });
      // Without WebCrypto there is no storage.
      const closed = host ? null : "the client is closed";
      assert.deepEqual(left, { answers: [false, false, closed, closed], later: [false, closed, closed], alive: NOTHING });
    }, { host, prepare: census }));
}

const IN_NODE = `import { createClient } from "verified-swap";
import { Tabs } from "./node_modules/verified-swap/tabs.js";
const open = (storage) => {
  const tabs = new Tabs();
  tabs.open(storage, 500);
  return tabs;
};
let channels = 0;
globalThis.BroadcastChannel = class extends BroadcastChannel {
  constructor(name) {
    super(name);
    channels++;
  }
};
const client = await createClient({ baseUrl: "https://service.test" });
const said = [await client.trades.storage()];
const [alone, other] = [open(), open()];
const inbox = other.inbox("nonce");
alone.tell("nonce", "1");
said.push(await alone.store("trade/1", "one", true, 500), await other.load("", 500), await alone.lock("1", 0).got, await other.lock("1", 200).got);
said.push(inbox.next(), channels);
const storage = new Map();
const [one, two] = [open(storage), open(storage)];
said.push(await one.store("trade/1", "one", true, 500), await two.load("trade/", 500), await two.journal(), channels);
said.push(await one.lock("2", 0).got, await two.lock("2", 0).got);
two.inbox("nonce");
// A write that is slow does not end after a later one.
const slow = new Map();
let pause = 100;
const set = (name, text) => new Promise((end) => setTimeout(() => end(slow.set(name, text)), (pause -= 50)));
const three = open({ get: (name) => slow.get(name), set, delete: (name) => slow.delete(name), keys: () => slow.keys() });
await Promise.all(["asking", "signed"].map((state) => three.store("trade/1", state, true, 500)));
said.push(slow.get("trade/1"));
// Nothing is closed, and yet the process ends.
console.log(JSON.stringify(said));
`;

test("in Node nothing is shared by default, an application's storage is used, and the process ends", async () => {
  const folder = await freshApp("tabs-node", { "app.js": IN_NODE });
  const { stdout } = await run(folder, process.execPath, ["app.js"]);
  const missing = "no IndexedDB";
  assert.deepEqual(JSON.parse(stdout), [
    { state: "memory", reason: missing }, null, null, true, false, "1", 0,
    true, [["trade/1", "one"]], { state: "stored", reason: `not sealed: ${missing}` }, 2, true, false, "signed",
  ]);
});
