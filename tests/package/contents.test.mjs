/** What the tarball carries, and what it does not. */
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { freshApp } from "./app.mjs";
import { ROOT } from "./locations.mjs";

let folder;
let manifest;
before(async () => {
  folder = join(await freshApp("contents"), "node_modules/verified-swap");
  manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
});

const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const scripts = () => files().filter(({ name }) => name.endsWith(".js") && name !== "wasm_base64.js");

test("it has no dependency, runs nothing at install, and can be tree-shaken", () => {
  for (const member of ["dependencies", "peerDependencies", "optionalDependencies", "bundleDependencies", "scripts"]) {
    assert.equal(Object.keys(manifest[member] ?? {}).length, 0, member);
  }
  assert.equal(manifest.sideEffects, false);
  assert.equal(manifest.type, "module");
});

test("its version is the crate's and its licence is with it", () => {
  const crate = /^version = "([^"]+)"/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))[1];
  assert.equal(manifest.version, crate);
  assert.equal(manifest.license, "MIT OR Apache-2.0");
  const names = files().map(({ name }) => name);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]) assert.ok(names.includes(file), `${file} is missing`);
});

test("no script imports a package by its name: a page without a bundler could not", () => {
  for (const { name, parentPath, path } of scripts().filter(({ name }) => name !== "node.js")) {
    const text = readFileSync(join(parentPath ?? path, name), "utf8");
    const imported = [...text.matchAll(/\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, from]) => from);
    assert.deepEqual(imported.filter((from) => !from.startsWith("./")), [], name);
  }
});

test("the licences of all that is compiled into it are with it", () => {
  const licences = readFileSync(join(folder, "LICENSE-THIRD-PARTY"), "utf8");
  const crate = readFileSync(join(ROOT, "Cargo.toml"), "utf8");
  const tables = crate.split(/^\[/m).filter((table) => /^(target\.'cfg\(target_arch = "wasm32"\)'\.)?dependencies\]/.test(table));
  const names = tables.flatMap((table) => [...table.matchAll(/^([\w-]+) = /gm)].map(([, name]) => name));
  assert.ok(names.length > 8, names.join());
  // Theirs come by way of others.
  for (const name of [...names, "subtle", "ruint", "generic-array", "idb"]) assert.match(licences, new RegExp(`^${name} \\d\\S* \\(`, "m"));
  assert.match(licences, /Redistributions in binary form must reproduce/);
  assert.doesNotMatch(licences, /^(verified-swap|proptest|syn) /m);
});

test("only scripts, declarations, the module, texts and descriptors for wallets are in it", async () => {
  const strays = files().filter(({ name }) => !/\.(js|d\.ts|wasm|md)$|^LICENSE-|^(package|delta|rfq)\.json$/.test(name));
  assert.deepEqual(strays.map(({ name }) => name), []);
  const { resolve } = createRequire(join(folder, "../../package.json"));
  for (const name of ["delta", "rfq"]) {
    const { context } = JSON.parse(readFileSync(resolve(`verified-swap/erc7730/${name}.json`), "utf8"));
    assert.ok(context.eip712.deployments.length > 6, name);
  }
});

test("nothing in it evaluates text as code", () => {
  for (const { name, parentPath, path } of scripts()) {
    const text = readFileSync(join(parentPath ?? path, name), "utf8");
    assert.doesNotMatch(text, /\beval\s*\(|\bnew Function\b|[^.\w]Function\s*\(/, name);
  }
});

test("nothing in it reveals the machine it was built on", () => {
  for (const { name, parentPath, path } of files()) {
    const bytes = readFileSync(join(parentPath ?? path, name));
    for (const place of [homedir(), ROOT]) assert.ok(!bytes.includes(place), `${name} names ${place}`);
  }
});

test("preload names the module, the one file that the default entry shares with it, and nothing imports of Node", () => {
  const script = (name) => readFileSync(join(folder, name), "utf8");
  const named = /new URL\(\s*["']\.\/verified_swap_bg\.wasm["'],\s*import\.meta\.url\s*\)/g;
  assert.equal(script("preload.js").match(named)?.length, 1);
  assert.doesNotMatch(script("preload.js"), /^\s*import\b/m);
  assert.match(script("index.js"), /from "\.\/preload\.js"/);
  assert.doesNotMatch(script("index.js"), /["']node:/);
});
