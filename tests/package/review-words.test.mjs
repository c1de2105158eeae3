/** The review's words for checks, steps and failures, by the functions of the element that draw nothing. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { ROOT } from "./locations.mjs";

const REVIEW = join(ROOT, "pkg-template/element/review");
const FILES = ["./checks.ts", "./reading.ts", "./steps.ts", "./failure-words.ts", "../messages.ts"];
const CONTENTS = FILES.map((file) => `export * from "${file}";`).join("\n");
const { outputFiles: [{ text }] } = await build({
  stdin: { contents: CONTENTS, resolveDir: REVIEW, loader: "ts" }, bundle: true, format: "esm", write: false, logLevel: "error",
});
Object.defineProperty(globalThis, "navigator", { value: { languages: ["en-US"], onLine: true }, configurable: true });
const {
  allowanceOf, consequenceOf, countsOf, english: words, failureWords, groupsOf, openWords, readingOf, remedyWords, stepNote, stepsOf, stepWords,
  valueOf,
} = await import(`data:text/javascript,${encodeURIComponent(text)}`);

const [ME, STRANGER, DELTA, USDC, WETH] = ["11", "22", "33", "aa", "bb"].map((byte) => `0x${byte.repeat(20)}`);
const TOKENS = { [USDC]: { symbol: "USDC", decimals: 6 }, [WETH]: { symbol: "WETH", decimals: 18 } };
const [src, dest] = [USDC, WETH].map((address) => ({ chainId: 1, address, ...TOKENS[address] }));
const scene = {
  words,
  state: { account: ME, form: { src, dest, kind: "swap" } },
  tokenOf: (_, address) => TOKENS[address] ?? null,
  chainName: (id) => `Chain ${id}`,
};
const check = (field, expected, actual, verdict = "ok") => ({ field, expected, actual, verdict });
const CHECKS = [
  check("order.owner", ME, ME),
  check("order.beneficiary", ME, ME),
  check("order.srcAmount", "100000000", "100000000"),
  check("order.destAmount", "at least 33", "33"),
  check("order.deadline", "1800000000", "1800000000"),
  check("order.bridge.destinationChainId", "0", "0"),
  check("domain.verifyingContract", `${DELTA} (supplied by the application)`, DELTA),
  check("domain.chainId", "1", "1"),
  check("quote.price", "at most 5 % below", "0.8 % below"),
  check("order.distance", "usually at most 3.5 % below the quote", "51 bps below it"),
  check("order.metadata", "at most 1024 bytes", `0x${"ab".repeat(32)}`, "opaque"),
  check("order.bridgeInput", "worth it", "no dollars", "unknown"),
  check("something.of.tomorrow", "1", "1"),
];
const figures = { src: { chainId: 1, token: USDC }, dest: { chainId: 1, token: WETH }, side: "SELL", kind: "swap" };
const reading = readingOf(scene, { figures, report: { checks: CHECKS }, build: { kind: "delta", spender: DELTA }, feeBps: 1 });

test("each check is in one group, or not verifiable here; green is a group whose checks all passed", () => {
  const groups = groupsOf({ checks: CHECKS }, false);
  assert.deepEqual(groups.flatMap(({ checks }) => checks).length + openWords({ checks: CHECKS }, reading).length, CHECKS.length);
  assert.deepEqual(countsOf({ checks: CHECKS }), { judged: 11, passed: 11, unusual: 0, failed: 0, open: 2 });
  for (const verdict of ["unusual", "mismatch"]) {
    for (const [place, one] of CHECKS.entries()) {
      if (one.verdict !== "ok") continue;
      const checks = CHECKS.with(place, { ...one, verdict });
      const [first, ...others] = groupsOf({ checks }, false);
      assert.ok(first.verdict === verdict && first.checks.some(({ field }) => field === one.field), one.field);
      assert.ok(others.every((group) => group.verdict === "ok"));
    }
  }
  const open = ["Metadata, 32 bytes of the service: moves no tokens", "Worth of what enters the bridge: not known"];
  assert.deepEqual(openWords({ checks: CHECKS }, reading), open);
});

test("what the interface compares with itself is a rule of this page, and what the user chose is not", () => {
  const groups = (isOwnTime) => groupsOf({ checks: CHECKS }, isOwnTime);
  const rules = (isOwnTime) => groups(isOwnTime).find(({ name }) => name === "rules").checks.map(({ field }) => field);
  assert.deepEqual(rules(false), ["order.deadline", "domain.verifyingContract", "order.distance"]);
  assert.deepEqual(rules(true), ["domain.verifyingContract", "order.distance"]);
});

test("a value is read with its token, name and chain, and hidden characters are written out", () => {
  const read = (field, value) => valueOf(field, value, reading, true);
  assert.equal(read("order.srcAmount", "at most 100000001"), "at most 100.001 USDC");
  assert.equal(valueOf("order.srcAmount", "100000001", reading, false), "100.000001 USDC");
  assert.equal(read("order.beneficiary", ME), "You 0x1111…1111");
  assert.equal(read("domain.verifyingContract", `${DELTA} (supplied by the application)`), "Delta 0x3333…3333, named by this page");
  assert.equal(read("domain.chainId", "1"), "Chain 1");
  assert.equal(read("order.distance", "51 bps below it"), "0.51 % below it");
  const price = "20.69 % below the 30-minute price of 1 pool (depth held 1 s) and price feeds (pools 0.3; this 0.2)";
  assert.equal(read("quote.price", price), "20.69 % below the 30-minute price of 1 pool and price feeds");
  assert.equal(read("something", "a\u202eb"), "a\\u{202e}b");
});

test("what a lie would have done", () => {
  const would = (...lie) => consequenceOf(check(...lie), reading);
  assert.equal(would("order.beneficiary", ME, STRANGER), "Your tokens would go to a stranger: not you, not your wallet.");
  assert.equal(would("quote.spender", DELTA, STRANGER), "Your USDC could be taken by a stranger: not you, not your wallet.");
  assert.equal(would("transaction.to", DELTA, STRANGER), "Your transaction would go to a stranger: not you, not your wallet.");
  assert.equal(would("order.destToken", WETH, STRANGER), "You would be paid in a token that this page does not list.");
  assert.equal(would("order.destAmount", "at least 1000", "100"), "90 % less than you asked for.");
  assert.equal(would("order.srcAmount", "1000", "1100"), "10 % more than you asked to pay.");
  assert.equal(would("order.deadline", "1800000000", "2115360000"), "It could be filled 10 years longer, at a price of long ago.");
  assert.equal(would("quote.price", "at most 5 %", "20.69 % below the price"), "You would give away 20.69 % of its worth.");
  assert.equal(would("order.nonce", "1", "2"), null, "no consequence is made up");
});

const approval = { spender: DELTA, token: USDC, amount: "100000000", forOpenOrders: "0", resetFirst: false };
const step = (purpose, isCertain = true) => ({ purpose, paysGas: !["order", "permit"].includes(purpose), isCertain });
const BUILD = { kind: "delta", chainId: 1, spender: DELTA, maxSpent: "100000000" };
const review = (steps, own) => ({ build: BUILD, approval: null, steps, stepsDone: 0, prompt: null, ...own });

test("the steps of each kind of trade, and the place in them", () => {
  const names = (...given) => stepsOf(review(...given)).steps.map(({ name }) => name);
  assert.deepEqual(names([step("approve"), step("order")], { approval }), ["allow", "sign"]);
  const either = [step("permit", false), step("approve", false), step("order")];
  const reset = { approval: { ...approval, resetFirst: true } };
  assert.deepEqual(names([step("approve"), step("approve"), step("order")], reset), ["reset", "allow", "sign"]);
  assert.deepEqual(names(either, { approval }), ["permit", "sign"]);
  assert.deepEqual(names([step("order"), step("presign", false)]), ["sign", "deposit"]);
  assert.deepEqual(names([step("presign")], { approval }), ["consentBoth"]);
  assert.deepEqual(names([step("presign")]), ["consent"]);
  assert.deepEqual(names([step("market")], { approval, build: { ...BUILD, kind: "market" } }), ["sendBoth"]);
  const prompt = { purpose: "approve", parts: [{ approval: { token: USDC, spender: DELTA, amount: "7" } }], hardware: null };
  const instead = stepsOf(review(either, { approval, stepsDone: 1, prompt }));
  assert.deepEqual([instead.now, instead.steps[0].name], [0, "allow"], "the approval in the place of a permit is no step more");
  const signed = stepsOf(review(either, { stepsDone: 1 }));
  assert.equal(signed.steps[signed.now].name, "sign");
});

test("a step has the contract and the exact sum", () => {
  const shown = review([step("approve"), step("order")], { approval });
  const { steps: [first] } = stepsOf(shown);
  assert.equal(stepWords(first, allowanceOf(first, shown, reading), shown, reading), "let Delta 0x3333…3333 take exactly 100 USDC");
  const both = review([step("presign")], { approval: { ...approval, amount: "900000000", forOpenOrders: "800000000" } });
  const { steps: [one] } = stepsOf(both);
  const allowance = allowanceOf(one, both, reading);
  assert.match(stepWords(one, allowance, both, reading), /take exactly 900 USDC, and send/, "as the wallet gets it, open orders and all");
  assert.equal(stepNote(one, allowance, both, reading), words.review.step.openOrders);
});

test("each code of docs/errors.md has its words, and each remedy its button", () => {
  const codes = [...readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, code]) => code);
  assert.ok(codes.length >= 28, codes.join());
  const general = ["INTERNAL", "ABORTED"];
  for (const code of codes) {
    for (const remedy of Object.keys(words.failures.remedies)) {
      const failure = { error: { code, step: "signing" }, remedies: [remedy], isFateUnknown: false };
      const { message, consequence = "" } = failureWords(failure, scene);
      assert.doesNotMatch(`${message} ${consequence} ${remedyWords(remedy, failure, scene)}`, /undefined|null|NaN/);
      assert.equal(message === words.failures.unexpected, general.includes(code), code);
      assert.ok(remedyWords(remedy, failure, scene));
      const refused = failureWords({ ...failure, error: { ...failure.error, status: 400, signedOrder: {} } }, scene);
      assert.equal(refused.consequence, words.review.busy.signed, "whatever the service calls it, the signature has left");
      assert.doesNotMatch(refused.message, /not used|another account/);
    }
  }
  const unknown = { error: { code: "NETWORK" }, remedies: ["check"], isFateUnknown: true };
  assert.match(failureWords(unknown, scene).message, /Do not sign again/);
  assert.doesNotMatch(failureWords(unknown, scene).message, /nothing/i, "what may be signed is not said to be unsigned");
});
