/** Effects of importing the tarball in Node, before it is used: none. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { freshApp, run } from "../app.mjs";

const INERT = `const before = Object.getOwnPropertyNames(globalThis).sort().join();
globalThis.fetch = () => { throw new Error("importing fetched something"); };
const entries = await Promise.all([import("verified-swap"), import("./node_modules/verified-swap/index.js"), import("verified-swap/inline")]);
if (Object.getOwnPropertyNames(globalThis).sort().join() !== before) throw new Error("importing left a global behind");
const names = entries.map((entry) => Object.keys(entry).sort().join());
if (new Set(names).size !== 1) throw new Error("the entries export different names: " + names.join(" | "));
console.log(names[0]);
`;

/** Values that index.d.ts declares. */
const declared = (text) => [...text.matchAll(/^export (?:declare )?(?:function|const) (\w+)/gm)].map(([, name]) => name);

const LOADED_LATER = `import * as library from "verified-swap";
const { init, parseUnits } = library;
// These take no module.
const others = ["init", "createClient", "isSupported", "isTradeError", "summarizeOtcOrder", "rawQuote"];
const names = Object.keys(library).filter((name) => typeof library[name] === "function" && !others.includes(name));
if (names.length < 13) throw new Error(names.join());
for (const name of names) {
  let early;
  try { library[name]("1.5", 6); } catch (error) { early = error; }
  const isTold = library.isTradeError(early, "INVALID_INPUT") && early.field === "init" && early.stack.includes("app.js");
  if (!isTold || !early.message.endsWith("(or createClient) once before " + name)) throw new Error(name + " before init: " + early.stack);
}
await Promise.all([init(), init()]);
console.log(parseUnits("1.5", 6));
`;

test("importing does nothing, in a server's process too, and every entry exports what is declared", async () => {
  const folder = await freshApp("node-import", { "app.js": INERT });
  const { stdout } = await run(folder, process.execPath, ["app.js"]);
  const types = readFileSync(join(folder, "node_modules/verified-swap/index.d.ts"), "utf8");
  assert.equal(stdout.trim(), [...new Set(declared(types))].sort().join());
});

test("pure functions work once init has resolved, and say so before", async () => {
  const folder = await freshApp("node-init", { "app.js": LOADED_LATER });
  const { stdout } = await run(folder, process.execPath, ["app.js"]);
  assert.equal(stdout.trim(), "1500000");
});
