/** The tarball's contents, and what it lacks. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { before, test } from "node:test";
import { freshApp } from "./app.mjs";
import { addresses } from "../../xtask/node/manifest.mjs";
import { ROOT } from "./locations.mjs";

let folder;
let manifest;
before(async () => {
  folder = join(await freshApp("contents"), "node_modules/verified-swap");
  manifest = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
});

const files = () => readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
const scripts = () => files().filter(({ name }) => /\.c?js$/.test(name) && !/^(wasm|verify)_base64\.js$/.test(name));

test("it has no dependency, runs nothing at install, and can be tree-shaken", () => {
  for (const member of ["dependencies", "optionalDependencies", "bundleDependencies", "scripts"]) {
    assert.equal(Object.keys(manifest[member] ?? {}).length, 0, member);
  }
  const required = Object.keys(manifest.peerDependencies).filter((name) => !manifest.peerDependenciesMeta[name]?.optional);
  assert.deepEqual(required, []);
  // An import of the element defines it.
  assert.deepEqual(manifest.sideEffects, ["./element.js", "./element.cjs"]);
  assert.equal(manifest.type, "module");
});

test("a directive is the first word of its script, and a script for pages names nothing of Node's that it could miss", () => {
  const read = (name) => readFileSync(join(folder, name), "utf8");
  const all = scripts().map(({ name }) => name);
  const directed = all.filter((name) => /^"use client";$/m.test(read(name)));
  assert.deepEqual(directed.filter((name) => !/^(\/\/.*\n)*"use client";/.test(read(name))), []);
  assert.deepEqual(directed.sort(), ["react.cjs", "react.js"]);
  // Parcel takes a free `process` for Node's, and installs one.
  for (const name of ["verified_swap.js", "verified_swap_verify.js"]) assert.doesNotMatch(read(name), /(?<![.\w])process\b/, name);
});

test("its version is the crate's and its licence is with it", () => {
  const crate = /^version = "([^"]+)"/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))[1];
  assert.equal(manifest.version, crate);
  assert.equal(manifest.license, "MIT OR Apache-2.0");
  const names = files().map(({ name }) => name);
  for (const file of ["LICENSE-MIT", "LICENSE-APACHE", "README.md"]) assert.ok(names.includes(file), `${file} is missing`);
});

test("it says where it comes from by one setting, and asks the registry for a provenance", () => {
  const repository = /^repository = "([^"]+)"/m.exec(readFileSync(join(ROOT, "Cargo.toml"), "utf8"))?.[1];
  for (const [member, value] of Object.entries({ repository: undefined, homepage: undefined, bugs: undefined, ...addresses(repository) })) {
    assert.deepEqual(manifest[member], value, member);
  }
  assert.deepEqual(manifest.publishConfig, { access: "public", provenance: true });
  assert.deepEqual(manifest.engines, { node: ">=20" });
  for (const member of ["description", "keywords", "author"]) assert.ok(manifest[member].length, member);
  assert.deepEqual(addresses("https://host.example/owner/name"), {
    homepage: "https://host.example/owner/name#readme",
    bugs: { url: "https://host.example/owner/name/issues" },
    repository: { type: "git", url: "git+https://host.example/owner/name.git" },
  });
  for (const other of ["", "name", "http://host.example/owner/name", "https://host.example/name", "https://host.example/owner/name/", "https://host.example/owner/name.git"]) {
    assert.throws(() => addresses(other), /is not https:\/\/HOST\/OWNER\/NAME/, other);
  }
});

test("no script but those of React and of the controller imports a package by its name: a page without a bundler could not", () => {
  for (const { name, parentPath, path } of scripts().filter(({ name }) => !["node.js", "node.cjs", "verify-node.js", "verify-node.cjs", "testing.js", "testing.cjs", "cli.js"].includes(name))) {
    const text = readFileSync(join(parentPath ?? path, name), "utf8");
    const imported = [...text.matchAll(/(?<!")\b(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([, from]) => from);
    const named = imported.filter((from) => !from.startsWith("./"));
    const own = name === "react.js" ? ["react", "verified-swap"] : /^swap\b.*\.c?js$/.test(name) ? named.filter((from) => from === "verified-swap") : [];
    assert.deepEqual(named, own, name);
  }
});

test("the licences of all that is compiled into it are with it", () => {
  const licences = readFileSync(join(folder, "LICENSE-THIRD-PARTY"), "utf8");
  const crates = ["Cargo.toml", ...["explain", "trade", "verify", "verify-wasm"].map((name) => `crates/${name}/Cargo.toml`)].map((crate) => readFileSync(join(ROOT, crate), "utf8")).join("\n");
  const tables = crates.split(/^\[/m).filter((table) => /^(target\.'cfg\(target_arch = "wasm32"\)'\.)?dependencies\]/.test(table));
  const names = tables.flatMap((table) => [...table.matchAll(/^([\w-]+) = /gm)].map(([, name]) => name)).filter((name) => !/^(verified-swap.*|trade|verify)$/.test(name));
  assert.ok(names.length > 8, names.join());
  // Theirs come by way of others.
  for (const name of [...names, "subtle", "ruint", "generic-array", "idb"]) assert.match(licences, new RegExp(`^${name} \\d\\S* \\(`, "m"));
  assert.match(licences, /Redistributions in binary form must reproduce/);
  // For a crate with two licences: both.
  const [section] = licences.split(/^={80}$/m).filter((section) => section.includes(" AND Unicode-3.0)"));
  for (const words of [/Permission is hereby granted/, /^UNICODE LICENSE V3$/m, /Unicode, Inc\./]) assert.match(section, words);
  assert.doesNotMatch(licences, /^(verified-swap|proptest|syn) /m);
});

test("the bill of materials has all that the licences name, each with its checksum, and nothing that is not there", () => {
  const { components, dependencies, metadata } = JSON.parse(readFileSync(join(folder, "sbom.cdx.json"), "utf8"));
  const licences = readFileSync(join(folder, "LICENSE-THIRD-PARTY"), "utf8");
  const named = [...licences.matchAll(/^(\S+ \d\S*) \(.+\)$/gm)].map(([, name]) => name);
  assert.ok(named.length > 40, named.join());
  assert.deepEqual(components.filter(({ hashes }) => hashes).map(({ name, version }) => `${name} ${version}`).sort(), named.sort());
  for (const { name, hashes } of components) assert.match(hashes?.[0].content ?? name, /^([0-9a-f]{64}|[0-9a-f]{128}|Rust's standard library)$/, name);
  assert.equal(metadata.component.version, manifest.version);
  const refs = new Set([metadata.component, ...components].map((component) => component["bom-ref"]));
  const reached = new Set(dependencies.flatMap(({ dependsOn }) => dependsOn));
  assert.deepEqual([...reached].filter((ref) => !refs.has(ref)), []);
  assert.deepEqual([...refs].filter((ref) => !reached.has(ref)), [metadata.component["bom-ref"]]);
});

test("the bill of materials has licences as SPDX writes them, the hash of each module, and a serial number of its content", () => {
  const text = readFileSync(join(folder, "sbom.cdx.json"), "utf8");
  const { $schema, bomFormat, specVersion, serialNumber, ...content } = JSON.parse(text);
  const { components, metadata } = content;
  const IDS = ["MIT", "Apache-2.0", "BSD-3-Clause", "CC0-1.0", "ISC", "Unicode-3.0"];
  for (const { name, licenses } of [metadata.component, ...components]) {
    const [{ license, expression }] = licenses;
    assert.deepEqual([licenses.length, Boolean(license) !== Boolean(expression)], [1, true], name);
    if (license) assert.ok(IDS.includes(license.id), `${name}: ${license.id}`);
    else assert.match(expression, new RegExp(`^\\(?(${IDS.join("|")})( OR (${IDS.join("|")}))+\\)?( AND (${IDS.join("|")}))*$`), name);
  }
  const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
  const modules = readdirSync(folder).filter((name) => name.endsWith(".wasm")).sort();
  const hashes = metadata.component.components.map(({ type, name, hashes: [{ alg, content }] }) => [type, name, alg, content]);
  assert.deepEqual(hashes.sort(), modules.map((name) => ["file", name, "SHA-256", digest(readFileSync(join(folder, name)))]));
  assert.match(serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  assert.equal(serialNumber.slice(9).replaceAll("-", "").slice(0, 12), digest(JSON.stringify(content)).slice(0, 12));
});

test("only scripts, declarations, the module, texts, lists, vectors and descriptors for wallets are in it", async () => {
  const strays = files().filter(({ name }) => !/\.(c?js|d\.c?ts|wasm|md|svg)$|^LICENSE-|^(package|delta|rfq|vectors|sbom\.cdx)\.json$/.test(name));
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

test("preload names each part of the module, the one file that the default entry shares with it, and nothing imports of Node", () => {
  const script = (name) => readFileSync(join(folder, name), "utf8");
  const named = /new URL\(\s*["']\.\/verified_swap_(\w+)\.wasm["'],\s*import\.meta\.url\s*\)/g;
  assert.deepEqual([...script("preload.js").matchAll(named)].map(([, part]) => part), ["first", "trade", "rest"]);
  assert.doesNotMatch(script("preload.js"), /^\s*import\b/m);
  assert.match(script("index.js"), /from "\.\/preload\.js"/);
  assert.doesNotMatch(script("index.js"), /["']node:/);
});
