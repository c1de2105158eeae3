// The probe passes an honest service. That it separates readings, and lists what it refused, is in all/.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rawMember } from "../../probe/verbatim.mjs";
import { assertReadings, probe, probed, sandbox } from "../probed.mjs";

test("an honest service passes, and every reading is reported", async () => {
  await sandbox.control("DELETE", "record");
  const { code, summary, reading } = await probed("--release");
  assert.deepEqual(summary.lacks, []);
  assert.equal(summary.refused, 0, JSON.stringify(summary.findings.filter((finding) => /REFUSED/.test(finding.reading))));
  assert.equal(code, 0);
  const trades = summary.findings.filter(({ topic }) => topic.startsWith("this package, "));
  assert.equal(trades.length, 12);
  for (const trade of trades) assert.match(trade.reading, /^quote and build verified/, trade.topic);
  assert.equal(reading("our nonce kept"), "yes");
  assert.match(reading("error: native in lower case"), /^400 InvalidInput/);
  assert.match(reading("a route that was parsed and written again"), /^400/);
  assertReadings(reading, 0);
  const { requests } = await sandbox.control("GET", "record");
  const effects = requests.filter(({ endpoint }) => ["post", "cancel", "otcPost"].includes(endpoint));
  assert.deepEqual(effects.map(({ body }) => body), ["{}"], "the one post is the empty one that is to be refused");
});

test("without a base URL nothing is asked", async () => {
  assert.equal((await probe()).code, 2);
});

test("a service that cannot be reached is said so, at once", async () => {
  const { code, summary, said } = await probe("--base-url", "http://127.0.0.1:1");
  assert.deepEqual([code, summary], [1, null]);
  assert.match(said, /^The service at http:\/\/127\.0\.0\.1:1 cannot be reached \(.+\): nothing was probed\.\n$/);
});

test("a member is taken from a JSON text as the characters it came in", () => {
  const text = ' { "a" : [ "}" , 1.0 ] , "delta": {"x":"\\"route\\"", "route" : {"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]} , "z":1e2} }';
  assert.equal(rawMember(text, ["delta", "route"]), '{"10":1.0,"\\u00e9":90071992547409931234,"n":[{}]}');
  assert.equal(rawMember(text, ["delta", "z"]), "1e2");
  assert.equal(rawMember(text, ["a"]), '[ "}" , 1.0 ]');
  assert.equal(rawMember(text, ["delta", "none"]), null);
});
