/** A page that is open while the site is deployed anew, and one whose server is away for a moment: each file of the module, each fault. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { before, test } from "node:test";
import { build } from "esbuild";
import { freshApp, run } from "./app.mjs";
import { MODULES } from "./locations.mjs";

/** A page's surroundings in Node: where its files come from, and what was fetched. */
const PAGE = `import { readFileSync } from "node:fs";
const wasm = { "content-type": "application/wasm" };
const file = (body) => new Response(body, { headers: wasm });
const page = "<!doctype html>";
/** The same module with another letter in one of its texts. */
const other = (bytes) => {
  const changed = Uint8Array.from(bytes);
  changed[Buffer.from(bytes).lastIndexOf(" the ") + 1] = "T".charCodeAt(0);
  return changed;
};
const half = (bytes) => bytes.subarray(0, bytes.length >> 1);
export const FAULTS = {
  gone: () => new Response(page, { status: 404, headers: { "content-type": "text/html" } }),
  page: () => new Response(page, { headers: { "content-type": "text/html" } }),
  other: (bytes) => file(other(bytes)),
  cut: (bytes) => file(half(bytes)),
  busy: () => new Response("busy", { status: 503 }),
  silent: () => { throw new TypeError("no connection"); },
  broken: (bytes) => file(new ReadableStream({
    start: (stream) => stream.enqueue(half(bytes)),
    pull: (stream) => stream.error(new TypeError("the connection broke")),
  })),
};
let [fetched, pauses] = [[], 0];
/** The faults of the file of that name, in their order; then it is served. */
export const faults = {};
globalThis.fetch = async (request) => {
  const name = new URL(String(request?.url ?? request)).pathname.split("/").at(-1);
  if (!name.endsWith(".wasm")) return new Response("[1]", { headers: { "content-type": "application/json" } });
  fetched.push(name);
  const fault = faults[name]?.shift();
  const bytes = readFileSync("node_modules/verified-swap/" + name);
  if (fault === "hangs") return new Promise(() => {});
  const answer = fault ? FAULTS[fault](bytes) : file(bytes);
  return Object.defineProperty(answer, "url", { value: String(request) });
};
const later = setTimeout;
globalThis.setTimeout = (work, ms, ...given) => later(work, ms === 1_000 ? (pauses++, 0) : ms, ...given);
/** How a call ends, what was fetched for it, and how often it paused. */
export const outcome = async (work) => {
  [fetched, pauses] = [[], 0];
  const ended = await work().then(() => null, ({ name, code, action, message }) => ({ name, code, action, message }));
  return { ...ended, fetched, pauses };
};
`;
const CLIENT = `import { FAULTS, faults, outcome } from "./page.js";
import { createClient, isTradeError } from "verified-swap";
const opened = () => createClient({ baseUrl: "https://service.example", storage: false });
const listed = async () => (await opened()).info.chains();
const told = {};
const name = process.argv[2];
// The first file is named by no other: with another text it is as good.
const all = Object.keys(FAULTS).filter((fault) => !/first/.test(name) || fault !== "other");
// The first file asks for the second ahead, beside the client.
faults[name] = ["gone", "gone"];
await opened().catch(() => {});
for (const fault of [...all, "once"]) {
  faults[name] = fault === "once" ? ["busy"] : [fault, fault];
  told[fault] = await outcome(/rest/.test(name) ? listed : opened);
}
console.log(JSON.stringify(told));
`;
/** The last file never answers: the caller's signal ends what waits for it. */
const ABORTED = `import { faults, outcome } from "./page.js";
import { createClient } from "verified-swap";
const client = await createClient({ baseUrl: "https://service.example", storage: false });
faults["${MODULES.at(-1)}"] = ["hangs"];
const told = [];
for (const call of [(how) => client.info.chains(how), (how) => client.submit({}, how)]) {
  const ending = new AbortController();
  setTimeout(() => ending.abort(), 20);
  told.push((await outcome(() => call({ signal: ending.signal }))).code);
}
console.log(JSON.stringify(told));
process.exit();
`;
const VERIFY = `import { FAULTS, faults, outcome } from "./page.js";
import { init } from "verified-swap/verify";
const told = {};
for (const fault of ["gone", "silent", "once"]) {
  faults["verified_swap_verify.wasm"] = fault === "once" ? ["busy"] : [fault, fault];
  told[fault] = await outcome(init);
}
console.log(JSON.stringify(told));
`;

const PASSES = { code: "NETWORK", action: "retry", tries: 2 };
const STAYS = { code: "MODULE_UNAVAILABLE", action: "reload", tries: 1 };
/** By fault: the error, and what came, according to it. */
const EXPECTED = {
  gone: { ...STAYS, came: /: 404 text\/html "<!doctype html>"\. / },
  page: { ...STAYS, came: /: 200 text\/html "<!doctype html>"\. / },
  other: { ...STAYS, came: /: 200 application\/wasm of another version\. / },
  cut: { ...STAYS, came: /: 200 application\/wasm cut short\. / },
  busy: { ...PASSES, came: /: 503 text\/plain\S* "busy"\. / },
  silent: { ...PASSES, came: /: no answer\. / },
  broken: { ...PASSES, came: /: 200 application\/wasm\. / },
};

let folder;
before(async () => {
  folder = await freshApp("redeployed", { "page.js": PAGE, "client.js": CLIENT, "aborted.js": ABORTED, "verify.js": VERIFY });
  // As a page has it, which is served from somewhere.
  await build({
    entryPoints: ["client.js", "aborted.js", "verify.js"].map((name) => join(folder, name)), outdir: join(folder, "bundled"),
    bundle: true, platform: "browser", format: "esm", target: "es2022", external: ["node:fs"],
    define: { "import.meta.url": '"https://app.example/assets/app.js"' },
  });
});
const told = async (script, ...given) => JSON.parse((await run(folder, process.execPath, [`bundled/${script}`, ...given])).stdout);

function hold(outcome, { code, action, tries, came }, file) {
  const { name, message, fetched, pauses } = outcome;
  assert.deepEqual([name, outcome.code, outcome.action], ["TradeError", code, action], message);
  assert.match(message, came);
  assert.ok(message.includes(`/${file}: `) && message.endsWith("/inline"), message);
  assert.deepEqual([fetched.filter((name) => name === file).length, pauses], [tries, tries - 1]);
}

for (const file of MODULES) {
  test(`${file}, each fault: what may pass is tried once more, and the code says whether a reload or another try helps`, async () => {
    const { once, ...all } = await told("client.js", file);
    for (const [fault, outcome] of Object.entries(all)) {
      // No other file names the length of the first: it does not compile.
      const unnamed = file === MODULES[0] && fault === "cut" && { came: /: 200 application\/wasm\. / };
      hold(outcome, { ...EXPECTED[fault], ...unnamed }, file);
    }
    assert.ok(Object.keys(all).length >= 6);
    assert.deepEqual([once.code, once.pauses], [undefined, 1], once.message);
  });
}

test("a signal ends the wait for a file that never comes, before a prompt, too", async () => {
  assert.deepEqual(await told("aborted.js"), ["ABORTED", "ABORTED"]);
});

test("the checks' own entry has the same codes", async () => {
  const all = await told("verify.js");
  for (const fault of ["gone", "silent"]) hold(all[fault], EXPECTED[fault], "verified_swap_verify.wasm");
  assert.deepEqual([all.once.code, all.once.pauses], [undefined, 1], all.once.message);
});
