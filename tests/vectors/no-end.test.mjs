// Whatever a page has in place of what the package relies on, and whatever the module ends in: every call ends.
import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { createClient } from "verified-swap";

const honest = globalThis.fetch;
const unhurried = globalThis.setTimeout;
const REQUEST = {
  chainId: 8453, srcToken: `0x${"11".repeat(20)}`, destToken: `0x${"22".repeat(20)}`, amount: 1_000_000n, srcDecimals: 6, destDecimals: 18,
};
const OPTIONS = { baseUrl: "https://service.test", account: `0x${"33".repeat(20)}`, advanced: { rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 } } };

/** The module's. */
let memory;
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...given) => {
  const made = await instantiate(...given);
  memory = Object.values((made.instance ?? made).exports).find((one) => one instanceof WebAssembly.Memory);
  return made;
};

let client;
beforeEach(async () => {
  client = await createClient(OPTIONS);
});
afterEach(() => {
  client.close();
  globalThis.fetch = honest;
  globalThis.setTimeout = unhurried;
});

/** The error of a call; a call that stays pending ends the test. */
async function refused(call, code, what) {
  const error = await call.then(() => assert.fail(`${what}: not refused`), (error) => error);
  assert.deepEqual([error.name, error.code], ["TradeError", code], `${what}: ${error.stack}`);
  return error;
}

const response = (changes) => Object.defineProperties(new Response("{}"), Object.getOwnPropertyDescriptors(changes));
const throws = () => {
  throw new Error("not now");
};

describe("what stands in for fetch", () => {
  const kinds = {
    "gives null": () => null,
    "gives nothing": () => {},
    "gives a number": () => 1,
    throws,
    "throws nothing": () => { throw undefined; },
    rejects: () => Promise.reject(new TypeError("no network")),
    "rejects with nothing": () => Promise.reject(),
    "is no promise, but looks like one": () => ({ then: throws }),
    "resolves to null": async () => null,
    "resolves to nothing": async () => {},
    "resolves to a text": async () => "{}",
    "resolves to an object": async () => ({}),
    "has no headers": async () => response({ headers: null }),
    "throws at its status": async () => response({ get status() { return throws(); } }),
    "throws at its body": async () => response({ get body() { return throws(); } }),
    "has been read": async () => {
      const read = new Response("{}");
      read.body.getReader();
      return read;
    },
    "has a reader that gives null": async () => response({ body: { getReader: () => ({ read: () => null }) } }),
    "has a reader that throws": async () => response({ body: { getReader: () => ({ read: throws }) } }),
    "has a reader of texts": async () => response({ body: { getReader: () => ({ read: async () => ({ done: false, value: null }) }) } }),
  };
  for (const [name, fetch] of Object.entries(kinds)) {
    test(`a call ends where fetch ${name}, and so does the next`, async () => {
      globalThis.fetch = fetch;
      // The pauses between tries: a hundredth of their length.
      globalThis.setTimeout = (callback, ms) => unhurried(callback, ms / 100);
      const calls = [client.quote(REQUEST), client.info.chains(), client.order("an-id")];
      await Promise.all(calls.map((call) => refused(call, "NETWORK", name)));
      globalThis.fetch = async () => new Response("[1]");
      assert.deepEqual(await client.info.chains(), [1]);
    });
  }
});

test("an answer whose body is no stream is read as a whole", async () => {
  globalThis.fetch = async () => Object.defineProperty(new Response("[1]"), "body", { value: {} });
  assert.deepEqual(await client.info.chains(), [1]);
});

test("an unreadable signal ends the call like an aborted one", async () => {
  globalThis.fetch = async () => new Response("[1]");
  for (const signal of [{ get aborted() { return throws(); } }, { aborted: true }]) await refused(client.info.chains({ signal }), "ABORTED", "signal");
});

test("a closed client ends every call, and so do its bindings", async () => {
  const bound = client.withWallet({ wallet: { request: throws } });
  client.close();
  client.close();
  for (const one of [client, bound, client.withWallet({ wallet: { request: throws } })]) {
    await refused(one.info.chains(), "ABORTED", "chains");
    await refused(one.wait("an-id"), "ABORTED", "wait");
  }
});

test("a closed client frees its memory", async () => {
  // Kept all the same: a page that lets go of nothing.
  const kept = [];
  const grown = async (count, use) => {
    const before = memory.buffer.byteLength;
    for (let at = 0; at < count; at++) {
      const one = await createClient({ ...OPTIONS, partner: "p".repeat(64) });
      use(one);
      kept.push(one);
    }
    return memory.buffer.byteLength - before;
  };
  await grown(10, (one) => one.close());
  assert.equal(await grown(10_000, (one) => one.close()), 0);
  assert.ok((await grown(1_000, () => {})) > 0, "what is open takes none either: this test sees nothing");
});

// The last one: after it the module does nothing any more.
test("a trap ends the running calls and all later ones", async () => {
  let answer;
  globalThis.fetch = (url) => (String(url).includes("chains") ? new Promise((resolve) => { answer = resolve; }) : trap());
  const trap = async () => response({ get status() { throw new WebAssembly.RuntimeError("unreachable"); } });
  const waiting = client.info.chains();
  const error = await refused(client.quote(REQUEST), "INTERNAL", "the call that trapped");
  assert.match(error.message, /reload/);
  answer(new Response("[1]"));
  await refused(waiting, "INTERNAL", "a call that waited");
  await refused(client.info.chains(), "INTERNAL", "a later call");
  await refused(client.wait("an-id"), "INTERNAL", "a later wait");
});
