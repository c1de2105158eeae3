/** The probe, pointed at the sandbox: it passes an honest service and says what it refused of a lying one. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { rawMember } from "../probe/verbatim.mjs";
import { ROOT } from "./locations.mjs";
import { startSandbox } from "./sandbox.mjs";

let sandbox;
before(async () => (sandbox = await startSandbox()));
after(() => sandbox?.stop());

/** `{ code, lines, summary }` of one run. */
function probe(...args) {
  const script = join(ROOT, "tests/probe/probe.mjs");
  return new Promise((resolve) => {
    execFile(process.execPath, [script, ...args], { cwd: ROOT, maxBuffer: 16 << 20 }, (error, stdout) => {
      const lines = stdout.trim().split("\n");
      resolve({ code: error?.code ?? 0, lines, summary: args.length ? JSON.parse(lines.at(-1)) : null });
    });
  });
}

test("an honest service passes, and every reading is reported", async () => {
  await sandbox.control("DELETE", "record");
  const { code, summary } = await probe("--base-url", sandbox.url, "--chain", "31337");
  const reading = (topic) => summary.findings.find((finding) => finding.topic === topic)?.reading;
  assert.equal(code, 0);
  assert.equal(summary.refused, 0);
  assert.ok(summary.findings.length >= 60, `${summary.findings.length} readings`);
  assert.match(reading("this package, SELL"), /verified/);
  assert.match(reading("this package, BUY"), /verified/);
  assert.equal(reading("our nonce kept"), "yes");
  assert.match(reading("error: native in lower case"), /^400 InvalidInput/);
  assert.match(reading("a route that was parsed and written again"), /^400/);
  const { requests } = await sandbox.control("GET", "record");
  const posted = requests.filter(({ endpoint }) => endpoint === "post");
  assert.deepEqual(posted.map(({ body }) => body), ["{}"], "the one post is the empty one that is to be refused");
});

test("a lie is told with its field, and the probe fails", async () => {
  await sandbox.control("POST", "lie", { kind: "receiver" });
  const { code, summary } = await probe("--base-url", sandbox.url, "--chain", "31337");
  await sandbox.control("POST", "reset");
  assert.equal(code, 1);
  assert.equal(summary.refused, 2);
  assert.match(summary.findings.find(({ topic }) => topic === "this package, SELL").reading, /VERIFY_MISMATCH · order\.beneficiary/);
});

test("without a base URL nothing is asked", async () => {
  assert.equal((await probe()).code, 2);
});

test("a member is taken from a JSON text as the characters it came in", () => {
  const text = ' { "a" : [ "}" , 1.0 ] , "delta": {"x":"\\"route\\"", "route" : {"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]} , "z":1e2} }';
  assert.equal(rawMember(text, ["delta", "route"]), '{"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]}');
  assert.equal(rawMember(text, ["delta", "z"]), "1e2");
  assert.equal(rawMember(text, ["a"]), '[ "}" , 1.0 ]');
  assert.equal(rawMember(text, ["delta", "none"]), null);
});
