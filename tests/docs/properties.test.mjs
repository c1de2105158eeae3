/** Each claim of docs/properties.md: the file that holds it is there, and so is each test that is named for it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../package/locations.mjs";

const PAGE = "docs/properties.md";
const read = (path) => readFileSync(join(ROOT, path), "utf8");

/** What the first table says a claim may be shown by. */
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

test("a claim shown by a way is shown by a file of that way", () => {
  const files = { fuzz: /^`tests\/fuzz\//, mutants: /^`docs\/hardening\.md`/, chain: /^`tests\/coverage\/(?!hardware)/, page: /^`tests\/(e2e|crash|faults)\// };
  for (const { claim, by, evidence } of CLAIMS) {
    for (const [way, look] of Object.entries(files)) {
      assert.equal(by.split(", ").includes(way), evidence.split("; ").some((one) => look.test(one)), `${claim}: ${way}`);
    }
  }
});

test("what is not there is not found", () => {
  assert.ok(!isThere("tests/house.rs", "no_such_test") && !isThere("tests/none.rs", "run") && !isThere("docs/hardening.md", "no such row"));
  assert.ok(!isThere("tests/e2e/lies.test.mjs", "Once the words of no title"));
});
