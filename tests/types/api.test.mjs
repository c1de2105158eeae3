/** The published surface: each change of it is in a diff, each name has a comment, and docs/api.md has what there is. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { before, test } from "node:test";
import { argumentsOf, called, report, surface } from "../../xtask/node/surface.mjs";
import { ROOT } from "../package/locations.mjs";

const REPORT = join(ROOT, "pkg-template/api.txt");
const PAGES = [
  "README.md", "docs/guides/quick-start.md", "pkg-template/README.md", "docs/api.md", "docs/architecture.md", "docs/decisions.md",
  "docs/errors.md", "docs/verification.md", "docs/wallets.md", "CONTRIBUTING.md",
];

let entries;
before(() => (entries = surface(ROOT)));
const read = (page) => readFileSync(join(ROOT, page), "utf8");

test("the report of the surface is as the types are", () => {
  const now = report(entries);
  if (process.env.WRITE) writeFileSync(REPORT, now);
  const [was, is] = [readFileSync(REPORT, "utf8"), now].map((text) => text.split("\n"));
  const without = (lines, others) => lines.filter((line) => !others.includes(line));
  const diff = [...without(was, is).map((line) => `- ${line}`), ...without(is, was).map((line) => `+ ${line}`)];
  assert.ok(was.join("\n") === now, `pkg-template/api.txt: WRITE=1 node --test tests/types/api.test.mjs\n${diff.join("\n")}`);
});

test("every published name has a comment", () => {
  for (const [entry, least] of [["index", 400], ["react", 5], ["viem", 5], ["swap", 100], ["testing", 5], ["preload", 2]]) {
    const published = entries.get(entry).filter(({ isHidden }) => !isHidden);
    const told = new Set(published.filter(({ words }) => words).map(({ name }) => name));
    assert.ok(told.size >= least, entry);
    assert.deepEqual(published.map(({ name }) => name).filter((name) => !told.has(name)), [], entry);
  }
});

const callable = () => called(entries.get("index"));

/** The entries of docs/api.md: `[the code, the text that explains it]`. */
const explained = () => read("docs/api.md").replaceAll("\n  ", " ").split("\n").flatMap((line) => {
  const [, code, text] = /^- `([^`]*)`(.*)$/.exec(line) ?? [];
  return code ? [[code, text]] : [];
});
const nameIn = (code) => /^[\w.]*/.exec(code)[0];
const sorted = (names) => [...new Set(names)].sort();

test("every call says what it throws", () => {
  const said = new Map();
  for (const { name, method, words } of callable()) if (method) said.set(name, (said.get(name) ?? "") + words);
  // Those of the service's lists have one sentence for all of them; the rest is made of calls that have it.
  const silent = [...said].filter(([name, words]) => !name.startsWith("info.") && !/[Tt]hrow|[Rr]ejects/.test(words)).map(([name]) => name);
  assert.deepEqual(silent, ["close"]);
});

test("docs/api.md has every function, with its arguments, and no other", () => {
  const published = callable();
  const codes = explained().map(([code]) => code).filter((code) => !/^[A-Z]/.test(code) || nameIn(code).includes("_"));
  assert.deepEqual(sorted(codes.map(nameIn)), sorted(published.map(({ name }) => name)));
  let seen = 0;
  for (const code of codes.filter((code) => code.includes("("))) {
    for (const [at, argument] of argumentsOf(code).entries()) {
      if (!argument) continue;
      const declared = published.filter(({ name }) => name === nameIn(code)).map(({ given }) => given[at]);
      assert.ok(declared.includes(argument), `${code}: ${argument}, not as in ${declared}`);
      seen += 1;
    }
  }
  assert.ok(seen > 40, seen);
});

test("docs/api.md has every option, and no other", () => {
  const names = entries.get("index").filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  const lines = new Map(entries.get("index").map(({ name, line }) => [name, line]));
  const texts = new Map(explained().map(([code, text]) => [code, text]));
  const taken = names.filter((name) => /(Options|Request|Query|Filter|OrderInput|Terms|Agreement|ChainContracts)$/.test(name));
  // Types no call takes as is.
  for (const type of taken.filter((name) => !["NormalizedRequest", "CallOptions"].includes(name))) {
    assert.ok(texts.has(type), `docs/api.md does not have ${type}`);
    const listed = [...texts.get(type).matchAll(/`([^`]*)`/g)].map(([, code]) => code).filter((code) => !/^[A-Z]/.test(code));
    // With those that it takes of another one by name.
    const picked = [...lines.get(type).matchAll(/Pick<\w+, ([^>]*)>/g)].flatMap(([, list]) => list.match(/\w+/g));
    const members = names.filter((name) => name.startsWith(`${type}.`)).map((name) => name.slice(type.length + 1)).concat(picked);
    assert.deepEqual(sorted(listed), sorted(members), type);
  }
  for (const name of texts.keys()) assert.ok(!/^[A-Z]/.test(name) || names.includes(name), `docs/api.md explains ${name}, which is not published`);
});

test("every call that a page names exists", () => {
  const calls = new Set(callable().map(({ name }) => name));
  const names = new Set(entries.get("index").map(({ name }) => name));
  let seen = 0;
  for (const page of PAGES) {
    const text = read(page);
    for (const [, name] of text.matchAll(/client\.([\w.]+)\(/g)) {
      assert.ok(calls.has(name), `${page} calls client.${name}`);
      seen += 1;
    }
    for (const [, list] of text.matchAll(/import \{ ([^}]*) \} from "verified-swap"/g)) {
      for (const name of list.split(", ")) assert.ok(names.has(name), `${page} imports ${name}`);
    }
    // Elsewhere contracts are quoted, too.
    if (!/(README|api)\.md$/.test(page)) continue;
    for (const [, code] of text.matchAll(/`(?:client\.)?([\w.]+)\([^`]*`/g)) assert.ok(calls.has(code), `${page} names ${code}`);
  }
  assert.ok(seen > 5, "the pages were not read");
});
