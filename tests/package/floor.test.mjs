/** Shipped scripts run in the oldest browsers that docs/bundlers.md names, and no other page: their syntax, and what they call. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { parse } from "acorn";
import { freshApp } from "./app.mjs";
import { PAGES } from "../docs/snippets.mjs";
import { ROOT } from "./locations.mjs";

const FLOOR = "Chrome 97, Firefox 102 and Safari 16.4 or newer";
/** Only Node runs these. */
const NODES = ["node.js", "testing.js", "workerd.js", "verify-node.js", "cli.js"];

/** Names that one of the three does not have yet, with a first version that does (the published compatibility tables). */
const YOUNGER = {
  findLast: "Firefox 104", findLastIndex: "Firefox 104", toSorted: "Firefox 115", toReversed: "Firefox 115",
  toSpliced: "Firefox 115", fromAsync: "Firefox 115", groupBy: "Firefox 119", withResolvers: "Firefox 121",
  structuredClone: "Chrome 98", throwIfAborted: "Chrome 100", isWellFormed: "Firefox 119",
  toWellFormed: "Firefox 119", canParse: "Firefox 115", waitAsync: "Firefox 140", fromBase64: "Firefox 133", toBase64: "Firefox 133",
  toHex: "Firefox 133", fromHex: "Firefox 133", transferToFixedLength: "Firefox 122", detached: "Firefox 122", resizable: "Firefox 128",
  isSubsetOf: "Firefox 127", symmetricDifference: "Firefox 127", checkVisibility: "Firefox 106", requestIdleCallback: "none in Safari",
  asyncDispose: "Firefox 141", toArray: "Firefox 131",
};

let folder;
before(async () => (folder = join(await freshApp("floor"), "node_modules/verified-swap")));

const scripts = () => readdirSync(folder).filter((name) => /\.c?js$/.test(name) && !/^(wasm|verify)_base64\.js$/.test(name));
const tree = (name) =>
  parse(readFileSync(join(folder, name), "utf8"), { ecmaVersion: 2022, sourceType: name.endsWith(".js") ? "module" : "script", allowHashBang: true });

/** Every node below one, itself first. */
function* nodes(node) {
  if (Array.isArray(node)) for (const one of node) yield* nodes(one);
  else if (typeof node?.type === "string") {
    yield node;
    for (const value of Object.values(node)) if (typeof value === "object") yield* nodes(value);
  }
}

/** Parts of a page's script younger than the floor. */
function younger(node) {
  const name = node.type === "MemberExpression" && !node.computed && !node.optional ? node.property.name : undefined;
  const called = node.type === "CallExpression" && node.callee.type === "Identifier" ? node.callee.name : name;
  return Object.hasOwn(YOUNGER, called ?? "") ? `${called}, ${YOUNGER[called]}` : undefined;
}

test("each script is ES2022", () => {
  assert.ok(scripts().length > 25, scripts().join());
  for (const name of scripts()) assert.doesNotThrow(() => tree(name), name);
});

test("no script of a page needs more than the floor", () => {
  for (const name of scripts().filter((name) => name.endsWith(".js") && !NODES.includes(name))) {
    assert.deepEqual([...nodes(tree(name))].map(younger).filter(Boolean), [], name);
  }
});

test("one page of the documentation names the floor", () => {
  const read = (page) => readFileSync(join(ROOT, page), "utf8").replaceAll("\n", " ");
  assert.deepEqual(PAGES.filter((page) => /\b(Chrome|Firefox|Safari) \d/.test(read(page))), ["docs/bundlers.md"]);
  assert.equal(read("docs/bundlers.md").split(FLOOR).length, 2);
});

test("what is younger is found", () => {
  const found = (text) => [...nodes(parse(text, { ecmaVersion: 2022 }))].map(younger).filter(Boolean).length;
  for (const text of ["[1].findLast(f)", "structuredClone(1)", "Object.groupBy([], f)"]) assert.equal(found(text), 1, text);
  for (const text of ["class A { static { f(); } }", "/(?<!a)b/", "[1].at(-1)", "list?.findLast", "of.toArrays()", "({ groupBy: 1 })"]) assert.equal(found(text), 0, text);
  assert.throws(() => parse("/a/v", { ecmaVersion: 2022 }));
});
