/**
 * Sample code never answers for the user: no example, guide, page or helper of tests accepts a question
 * unasked, or takes a bound or a price of its own from what the service answered.
 */
import assert from "node:assert/strict";
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { test } from "node:test";
import { ROOT } from "../package/locations.mjs";

const BOUNDS = "minReceived|maxSpent|minBridgeInput|limitAmount|limitPrice|maxSrcAmount|srcPriceUsd|destPriceUsd|bridgeInputPriceUsd";
/** How what the service answered is called. */
const ANSWERS = String.raw`(?:quote|route|priceRoute|delta|market|price|live|today|comparison)`;

/** Mistakes, by what they look like. */
const WRONG = {
  "every question is accepted": [
    /questions\b[^.;]{0,12}\.map\(\s*\(?\s*\{\s*id\s*\}\s*\)?\s*=>\s*id\s*\)/,
    /questions\b[^.;]{0,12}\.map\(\s*\(?\s*(\w+)\s*\)?\s*=>\s*\1\.id\s*\)/,
    /accept\s*:\s*\[\s*[\w.?!]*questions\b/,
    /accept\s*:\s*[\w.?!]*questions\b(?![\w.?!\s]*\.filter\()/,
  ],
  "a review is answered with consent that was not looked at": [/onReview\s*[:=]\s*(?:async\s*)?\(\s*\)\s*=>\s*\(?\s*\{\s*accept\b/],
  "a bound or price is the service's": [
    new RegExp(String.raw`\b(?:${BOUNDS})["']?\s*:\s*(?:BigInt\(|String\(|Number\()*(?:[\w$]+[?!]?\.)*${ANSWERS}[?!]?\.`),
    new RegExp(String.raw`\b(?:${BOUNDS})["']?\s*:\s*(?:[\w$]+\.)?(?:minReceived|maxSpent)\(`),
    new RegExp(String.raw`\b(?:${BOUNDS})["']?\s*:\s*(?:BigInt\()?(?:src|dest)Amount\b`),
    new RegExp(String.raw`\b(?:const|let)\s+(?:${BOUNDS})\s*=\s*(?:await\s+)?(?:[\w$]+\.)?(?:minReceived|maxSpent)\(`),
  ],
};

/** By file and what is found there: why it is right. */
const RIGHT = {
  "tests/probe/checked.mjs": "a probe of the live service, which signs nothing",
  "tests/package/figures.mjs": "a user of the tests who agrees to everything",
  "tests/package/swapping.mjs": "a user of the tests who agrees to everything",
};

const KINDS = /\.(md|mjs|cjs|js|ts|tsx|html)$/;
const ROOMS = ["README.md", "docs", "examples", "pkg-template", "www-example/src", "tests"];

function* files(path) {
  const { base, name } = { base: path.split("/").at(-1), name: relative(ROOT, path) };
  if (["node_modules", "target", "dist"].includes(base)) return;
  if (statSync(path).isDirectory()) for (const inner of readdirSync(path)) yield* files(join(path, inner));
  // Tests state their answers; how the package works is not an example.
  else if (KINDS.test(name) && !/\.test\.mjs$/.test(name) && !/^pkg-template\/(?!testing|README)/.test(name)) yield name;
}

const found = (text) =>
  Object.entries(WRONG).flatMap(([what, looks]) => looks.flatMap((look) => (look.exec(text) ? [`${what}: ${look.exec(text)[0]}`] : [])));

test("nothing that is shown answers for the user", () => {
  const all = ROOMS.flatMap((room) => [...files(join(ROOT, room))]);
  assert.ok(all.length > 200 && all.includes("docs/guides/react.md") && all.includes("examples/react-wagmi/src/App.tsx"), `${all.length}`);
  for (const name of all.filter((name) => !RIGHT[name])) assert.deepEqual(found(readFileSync(join(ROOT, name), "utf8")), [], name);
  for (const name of Object.keys(RIGHT)) assert.notDeepEqual(found(readFileSync(join(ROOT, name), "utf8")), [], `${name} needs no excuse`);
});

test("what would answer for the user is found", () => {
  for (const wrong of [
    "submit(build, { accept: build.report.questions.map(({ id }) => id) })",
    "const ids = error.questions.map((question) => question.id);",
    "({ questions }) => ({ accept: questions.map(q => q.id) })",
    "const accept = (error.questions ?? []).map(({ id }) => id)",
    "{ accept: [questions[0].id] }",
    "onReview: () => ({ accept: ids })",
    "onReview: async () => ({ accept })",
    "{ slippageBps: 50, minReceived: quote.destAmount }",
    "{ minReceived: minReceived(quote, 50) }",
    "{ maxSpent: swap.maxSpent(quote, 50) }",
    "{ maxSrcAmount: maxSpent(quote, 50) }",
    "const minReceived = library.minReceived(quote, 50);",
    "{ srcPriceUsd: live.state.quote.srcUsd }",
    "{ limitAmount: BigInt(quote.destAmount) }",
    "({ destAmount }) => ({ limitAmount: destAmount })",
  ]) {
    assert.notDeepEqual(found(wrong), [], wrong);
  }
  for (const right of [
    "{ accept: questions.filter(({ text }) => confirm(text)).map(({ id }) => id) }",
    "{ minReceived: units(98, dai) }",
    "{ accept: ticked }",
    "onReview: ({ sentence }) => confirm(sentence)",
    "show(minReceived(quote, 50));",
  ]) {
    assert.deepEqual(found(right), [], right);
  }
});
