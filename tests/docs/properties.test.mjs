/** Each claim of docs/properties.md: the file that holds it is there, and so is each test that is named for it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../package/locations.mjs";

const PAGE = "docs/properties.md";
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** Ways to show a claim, by the first table. */
const WAYS = [...read(PAGE).split("\n## ")[0].matchAll(/^\| ([a-z]+) \| [^|]*\|$/gm)].map(([, way]) => way).filter((way) => way !== "by");

/** The rows of the tables of claims, each as its five cells. */
const CLAIMS = [...read(PAGE).matchAll(/^\| (.+) \| (`.+`) \| (.+?) \| (.+) \| ?(.*?) ?\|$/gm)].map(([, claim, holder, by, evidence]) => ({ claim, holder, by, evidence }));

/** Whether a file has a test of that name: in Rust a function, in JavaScript words of a title, elsewhere the words. */
function isThere(file, name) {
  if (!existsSync(join(ROOT, file))) return false;
  if (file.endsWith(".rs")) return new RegExp(`\\bfn ${name}\\(`).test(read(file));
  return read(file).split("\n").some((line) => line.includes(name) && (file.endsWith(".md") || /\btest\(/.test(line)));
}

test("each claim is held in a file that is there, and shown by tests that are there", () => {
  assert.ok(CLAIMS.length >= 25, `${CLAIMS.length} claims`);
  const all = [...read(PAGE).matchAll(/^\| (?!claim \||by \||-)/gm)].length - WAYS.length;
  assert.equal(CLAIMS.length, all, "every row was read");
  for (const { claim, holder, by, evidence } of CLAIMS) {
    assert.ok(existsSync(join(ROOT, holder.slice(1, -1))), `${claim}: ${holder}`);
    for (const way of by.split(", ")) assert.ok(WAYS.includes(way), `${claim}: by ${way}`);
    for (const one of evidence.split("; ")) {
      const [, file, name] = /^`([^`]+)` "(.+)"$/.exec(one) ?? assert.fail(`${claim}: ${one}`);
      assert.ok(isThere(file, name), `${claim}: ${file} has no "${name}"`);
    }
  }
});

/** The suites of the first part, by the table of CONTRIBUTING.md, which the suite `native` holds to the commands'. */
const FIRST = [...read("CONTRIBUTING.md").matchAll(/^\| `([\w-]+)` \| first\b/gm)].map(([, suite]) => suite);

/** Whether a test runs in the first part: natively, or in a suite of that part and not in one of its longer folders. */
function isFirst(file) {
  if (file.endsWith(".rs")) return /^(src|crates|xtask)\//.test(file);
  const [, suite, rest] = /^tests\/([\w-]+)\/(.*)$/.exec(file) ?? [];
  return FIRST.includes(suite) && /^[\w-]+\.test\.mjs$/.test(rest);
}

test("each claim is shown in the first part of the suites", () => {
  assert.ok(FIRST.length > 5, `${FIRST}`);
  const files = (evidence) => evidence.split("; ").map((one) => /^`([^`]+)`/.exec(one)[1]);
  assert.deepEqual(CLAIMS.filter(({ evidence }) => !files(evidence).some(isFirst)).map(({ claim, evidence }) => `${claim}: ${files(evidence)}`), []);
  for (const file of ["tests/crash/all/crash.test.mjs", "tests/coverage/more/honest.test.mjs", "docs/hardening.md", "tests/soak/run.mjs"]) assert.ok(!isFirst(file), file);
});

test("a claim shown by a way is shown by a file of that way", () => {
  const files = { fuzz: /^`crates\/fuzz\//, mutants: /^`docs\/hardening\.md`/, chain: /^`tests\/coverage\/(?!hardware)/, page: /^`tests\/((e2e|crash|faults)\/|package\/element\.)/ };
  for (const { claim, by, evidence } of CLAIMS) {
    for (const [way, look] of Object.entries(files)) {
      assert.equal(by.split(", ").includes(way), evidence.split("; ").some((one) => look.test(one)), `${claim}: ${way}`);
    }
  }
});

test("what is not there is not found", () => {
  assert.ok(!isThere("xtask/tests/architecture.rs", "no_such_test") && !isThere("tests/none.rs", "run") && !isThere("docs/hardening.md", "no such row"));
  assert.ok(!isThere("tests/e2e/lies.test.mjs", "Once the words of no title"));
});

test("each file and each test that the page for auditors names is there", () => {
  const named = [...read("docs/audit.md").matchAll(/`((?:[\w-]+\/)+[\w.-]+\.(?:rs|mjs|js))`(?: "([^"]+)")?/g)];
  assert.ok(named.filter(([, , name]) => name).length > 10);
  // Some are named from the sources of a crate.
  const places = ["", "crates/trade/src", "crates/verify/src"];
  for (const [, file, name] of named) {
    const place = places.map((folder) => join(folder, file)).find((path) => existsSync(join(ROOT, path)));
    assert.ok(place, file);
    if (name) assert.ok(isThere(place, name), `${file} "${name}"`);
  }
});
