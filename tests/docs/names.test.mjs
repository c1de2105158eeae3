/** Nothing that is shown has a name of the version before. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ROOT } from "../package/locations.mjs";
import { PAGES } from "./snippets.mjs";

const read = (path) => readFileSync(join(ROOT, path), "utf8");
const pairs = (text, look) => Object.fromEntries([...text.matchAll(look)].map(([, one, other]) => [one, other]));

const glue = read("pkg-template/client.js");
const lists = [...glue.matchAll(/^const \w*CALLS = \[([^\]]*)\]/gm)].map(([, list]) => list).join();
/** By the name before, of a call, a function and an option: its name now. */
const CALLS = {
  ...Object.fromEntries(
    [...lists.matchAll(/"((?:\w+\.)?(\w+))(?: (\w+))?"/g)].filter(([, now, own, before]) => before || now !== own).map(([, now, own, before]) => [before ?? own, now]),
  ),
  ...pairs(glue, /formerly\(client, "(\w+)", "([\w.]+)"\)/g),
};
const FUNCTIONS = pairs(read("pkg-template/renamed.js"), /renamed\("(\w+)", "(\w+)"\)/g);
const OPTIONS = pairs(read("crates/verify/src/domain/input.rs").split("const RENAMED")[1].split("];")[0], /\("(\w+)", "(\w+)"\)/g);

/** What CHANGELOG.md says was renamed, of one kind. */
const told = (kind) => pairs(read("CHANGELOG.md").split("\n#### Names\n")[1].split("\n#### ")[0], new RegExp(`^\\| ${kind} \\| \`(.+)\` \\| \`(.+)\` \\|$`, "gm"));

/** Endpoints of the sandbox, and members of its answers, have names of their own. */
const OWN = { "docs/sandbox.md": true, "docs/coverage.md": true, "docs/faults.md": true };
/** An OTC order has a member of that name. */
const ALSO_MEMBERS = ["fillableBalance"];

/** What shows a name: a word that has no other meaning wherever it stands, any other as a call of a client. */
function looks(page) {
  const words = [...Object.keys(CALLS), ...Object.keys(FUNCTIONS), ...Object.keys(OPTIONS), ...Object.keys(told("type"))];
  // Declared in a group, a call stands there without it.
  const isDeclared = (name) => page.endsWith(".d.ts") && CALLS[name]?.endsWith(`.${name}`);
  const isOwn = (name) => /[A-Z]/.test(name) && !ALSO_MEMBERS.includes(name) && !OWN[page] && !isDeclared(name);
  return [
    ...words.filter(isOwn).map((name) => new RegExp(`(?<![.\\w])${name}\\b`)),
    ...Object.keys(CALLS).flatMap((name) => [new RegExp(`[cC]lient[?!]?\\.${name}\\b`), new RegExp(`\`${name}\\(\\)`)]),
    ...Object.keys(OPTIONS).map((name) => new RegExp(`\`${name}\`|[{,]\\s*${name}: `)),
    /\.(witness|witnesses|unheard|entering)\b/,
  ];
}
const found = (text, page) => looks(page).flatMap((look) => look.exec(text)?.[0] ?? []);

test("what the package knows of renamed names, CHANGELOG.md tells", () => {
  assert.equal(Object.keys(CALLS).length, 30);
  for (const [kind, names] of Object.entries({ call: CALLS, function: FUNCTIONS, option: OPTIONS })) assert.deepEqual(told(kind), names, kind);
});

test("no page shows a name of the version before", () => {
  const pages = [...PAGES, "pkg-template/index.d.ts", "pkg-template/react.d.ts", "pkg-template/viem.d.ts", "pkg-template/testing.d.ts"];
  assert.ok(pages.length > 30, `${pages.length}`);
  for (const page of pages) assert.deepEqual(found(read(page), page), [], page);
});

test("a name of the version before is found", () => {
  for (const old of ["await client.swap(request)", "client!.tokens({})", "takerClient.balance({})", "`buildOtc`", "`resume()`", "`again`", "{ again: true }", "quote.witness", "Budget"]) {
    assert.notDeepEqual(found(old, "README.md"), [], old);
  }
  for (const now of ["client.info.tokens({})", "`trades.resume()`", "`info.tokenCategories`", "once again", "`swap` of the vault"]) {
    assert.deepEqual(found(now, "README.md"), [], now);
  }
});
