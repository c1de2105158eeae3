/**
 * The vectors that are published as `verified-swap/vectors`: the file is what `payloads.mjs` makes, and each payload gets its
 * verdict. With `WRITE=1` in the environment the file is written.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { before, test } from "node:test";
import { fileURLToPath } from "node:url";
import * as entry from "verified-swap/verify";
import { vectors, written } from "./payloads.mjs";

const FILE = fileURLToPath(new URL("../../pkg-template/vectors.json", import.meta.url));
let made;
before(async () => {
  made = written(await vectors());
  if (process.env.WRITE) writeFileSync(FILE, made);
  await entry.init();
});

test("the file is what is made, and small enough to be shipped", () => {
  const text = readFileSync(FILE, "utf8");
  assert.ok(text === made, "pkg-template/vectors.json is another one: WRITE=1 cargo xtask test vectors");
  assert.ok(text.length < 400_000, `${text.length} bytes`);
  const { resolve } = createRequire(import.meta.url);
  assert.ok(readFileSync(resolve("verified-swap/vectors"), "utf8") === text, "the package has another one");
});

test("every verifier, and every verdict of each, is among them; each name once", () => {
  const { vectors: list } = JSON.parse(made);
  assert.equal(new Set(list.map(({ name }) => name)).size, list.length);
  assert.ok(list.length >= 60 && list.length <= 200, `${list.length}`);
  const names = Object.keys(entry).filter((name) => name.startsWith("verify"));
  for (const verifier of names) {
    const verdicts = new Set(list.filter((vector) => vector.verifier === verifier).map(({ expected }) => expected.verdict));
    assert.ok(verdicts.has("ok") && verdicts.has("refused"), verifier);
  }
  assert.deepEqual([...new Set(list.map(({ verifier }) => verifier))].sort(), names.sort());
  // The questions that a payload alone can raise.
  assert.deepEqual([...new Set(list.flatMap(({ expected }) => expected.questions ?? []))].sort(), ["noReference", "permitChainUnbound", "receiverUnbound", "signatureUnread", "unlimitedPermit"]);
});

test("no text for a person names an option, an argument or code", () => {
  const { now, vectors: list } = JSON.parse(made);
  const texts = [];
  for (const { verifier, input } of list) {
    const { chainId = 1, account, owner, maker } = input.request;
    const call = input.transaction ? { method: "eth_sendTransaction", params: [input.transaction] } : { method: "eth_signTypedData_v4", params: [account ?? owner ?? maker, input.toSign] };
    const explained = entry.explain(call, { accounts: [account ?? owner ?? maker].filter(Boolean), chainId, now });
    for (const { sentence, title, findings } of [explained, ...explained.inner]) texts.push(sentence, title, ...findings.map(({ text }) => text));
    try {
      const { sentence, questions } = entry[verifier]({ ...input, now });
      texts.push(sentence, ...questions.map(({ text }) => text));
    } catch {
      // A refusal is for the developer.
    }
  }
  assert.ok(new Set(texts).size > 100, `${new Set(texts).size} texts`);
  for (const text of texts) assert.doesNotMatch(text, /`|\b(readings?|references? of|context|options?|accept|[a-z]+[A-Z]\w*(Bps|Price|Reference|Received|Arrival|Usd))\b/, text);
});

test("each payload gets its verdict", () => {
  const { now, vectors: list } = JSON.parse(made);
  for (const { name, verifier, input, expected } of list) {
    let found;
    try {
      const questions = entry[verifier]({ ...input, now }).questions.map(({ reason }) => reason);
      found = questions.length ? { verdict: "question", questions } : { verdict: "ok" };
    } catch ({ code, field }) {
      found = { verdict: "refused", code, ...(field && { field }) };
    }
    assert.deepEqual(found, expected, name);
  }
});
