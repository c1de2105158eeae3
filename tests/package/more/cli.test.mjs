/** The program `verified-swap` from the tarball, as a co-signer's script or another language calls it. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { freshApp } from "../app.mjs";

/** Makes everything throw by which Node reaches a network, with a note on standard error. */
const NO_NETWORK = `import dgram from "node:dgram";
import dns from "node:dns";
import net from "node:net";
import { syncBuiltinESMExports } from "node:module";

const stop = (what) => () => {
  process.stderr.write("reached " + what + "\\n");
  throw new Error("no network");
};
net.Socket.prototype.connect = stop("a socket");
net.Server.prototype.listen = stop("a server");
dgram.Socket.prototype.bind = dgram.Socket.prototype.send = dgram.Socket.prototype.connect = stop("a datagram");
dns.lookup = dns.resolve = dns.promises.lookup = dns.promises.resolve = stop("a name");
globalThis.fetch = stop("fetch");
syncBuiltinESMExports();
`;
/** Each way that is stopped, tried. */
const TRIES = `import dgram from "node:dgram";
import { lookup } from "node:dns";
import { get } from "node:http";
import { connect, createServer } from "node:net";
for (const work of [() => fetch("http://127.0.0.1:1"), () => connect(1, "127.0.0.1"), () => get("http://127.0.0.1:1"), () => lookup("host.example", () => {}),
  () => createServer().listen(0), () => dgram.createSocket("udp4").send("a", 1, "127.0.0.1")]) {
  try { work(); console.log("not stopped"); } catch ({ message }) { console.log(message); }
}
`;

let app, cli, now, vectors;
before(async () => {
  app = await freshApp("cli", { "no-network.mjs": NO_NETWORK, "tries.mjs": TRIES });
  const { resolve } = createRequire(join(app, "package.json"));
  cli = join(app, "node_modules/.bin/verified-swap");
  ({ now, vectors } = JSON.parse(readFileSync(resolve("verified-swap/vectors"), "utf8")));
});

const withoutNetwork = () => ({ NODE_OPTIONS: `--import ${pathToFileURL(join(app, "no-network.mjs"))}` });

/** A run of a program with `input` on standard input: `{ code, lines, told }`. */
function run(args, input = "", { program = cli, env = withoutNetwork() } = {}) {
  const child = spawn(program, args, { cwd: app, env: { ...process.env, ...env } });
  const heard = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (text) => (heard[name] += text));
  child.stdin.on("error", () => {}); // it may be gone already
  child.stdin.end(input);
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, lines: heard.stdout.split("\n").filter(Boolean), text: heard.stdout, told: heard.stderr })));
}
const inputOf = (name) => {
  const { verifier, input } = vectors.find((vector) => vector.name === name);
  return { verifier, ...input, now };
};
const [HONEST, LIE, ASKING] = ["order: sells for at least the price less slippage", "order: pays somebody else", "order: sells, and the caller brings no price of its own"];

test("what would reach a network is stopped in these tests", async () => {
  const { lines } = await run(["tries.mjs"], "", { program: process.execPath });
  assert.deepEqual(lines, Array(6).fill("no network"));
});

test("one answer: the report, a refusal with its field, a question; each with its exit code, and no network", async () => {
  const honest = await run(["verify"], JSON.stringify(inputOf(HONEST)));
  assert.equal(honest.told, "");
  const answer = JSON.parse(honest.text);
  assert.deepEqual([honest.code, answer.verdict, answer.questions], [0, "ok", []]);
  assert.match(answer.sentence, /^Sell 100 USDC on Base for at least 0\.03979602 WETH to 0x19E7/);
  assert.match(answer.digest, /^0x[0-9a-f]{64}$/);

  const lie = await run(["verify"], JSON.stringify(inputOf(LIE)));
  const { verdict, error } = JSON.parse(lie.text);
  assert.deepEqual([lie.code, verdict, error.code, error.field], [1, "refused", "VERIFY_MISMATCH", "order.beneficiary"]);
  assert.ok(error.expected && error.actual && error.message && error.report.checks.length > 10);

  const asking = await run(["verify"], JSON.stringify(inputOf(ASKING)));
  assert.deepEqual([asking.code, JSON.parse(asking.text).verdict, JSON.parse(asking.text).questions[0].reason], [3, "question", "noReference"]);
});

test("its names are the functions of the entry, as an argument or in the input, from a file or standard input", async () => {
  const { verifier, ...input } = inputOf(HONEST);
  const whole = await run(["verify"], JSON.stringify({ verifier, ...input }));
  writeFileSync(join(app, "input.json"), JSON.stringify(input));
  for (const args of [[verifier, "input.json"], [verifier, "-"], [verifier]]) {
    const { code, text } = await run(args, args.length === 2 && args[1] !== "-" ? "" : JSON.stringify(input));
    assert.deepEqual([code, text], [0, whole.text], args.join(" "));
  }
  const names = ["explain", ...new Set(vectors.map((vector) => vector.verifier))].sort();
  const { code, text } = await run(["--help"]);
  assert.equal(code, 0);
  assert.equal(/one of (.+)$/m.exec(text)[1], names.join(", "));
  const judging = Object.keys(await import("verified-swap/verify")).filter((name) => !["guard", "init", "isSupported", "isTradeError", "loader", "tables"].includes(name));
  assert.deepEqual(judging.sort(), names);
  for (const name of ["init", "loader", "tables", "isSupported", "isTradeError", "constructor", "default", "toString", "__proto__"]) assert.equal((await run([name], "{}")).code, 2, name);
});

test("every vector, a line each: the answers come in order, and the worst is the exit code", async () => {
  const lines = vectors.map(({ name }) => JSON.stringify(inputOf(name)));
  const { code, lines: answers, told } = await run(["verify", "--ndjson"], lines.join("\n"));
  assert.equal(told, "");
  assert.equal(code, 1);
  assert.equal(answers.length, vectors.length);
  for (const [at, { name, expected }] of vectors.entries()) {
    const { verdict, error, questions } = JSON.parse(answers[at]);
    assert.equal(verdict, expected.verdict, name);
    if (expected.code) assert.deepEqual([error.code, error.field], [expected.code, expected.field], name);
    if (expected.questions) assert.deepEqual(questions.map(({ reason }) => reason), expected.questions, name);
  }
  const codeOf = async (...names) => (await run(["verify", "--ndjson"], names.map((name) => (name === null ? "" : JSON.stringify(inputOf(name)))).join("\n") + "\n")).code;
  assert.deepEqual(
    [await codeOf(HONEST, HONEST), await codeOf(HONEST, ASKING, HONEST), await codeOf(ASKING, null, HONEST), await codeOf(null, LIE, ASKING)],
    [0, 3, 2, 1],
  );
});

test("each line is answered before the next one is there", async () => {
  const child = spawn(cli, ["verify", "--ndjson"], { cwd: app, env: { ...process.env, ...withoutNetwork() } });
  const answers = child.stdout.setEncoding("utf8")[Symbol.asyncIterator]();
  for (const [name, verdict] of [[HONEST, "ok"], [LIE, "refused"]]) {
    child.stdin.write(`${JSON.stringify(inputOf(name))}\n`);
    let text = "";
    while (!text.endsWith("\n")) text += (await answers.next()).value;
    assert.equal(JSON.parse(text).verdict, verdict);
  }
  child.stdin.end();
  assert.equal(await new Promise((resolve) => child.once("close", resolve)), 1);
});

test("what cannot be used is an error with its field, and no verdict", async () => {
  const { verifier, ...input } = inputOf(HONEST);
  const text = JSON.stringify({ verifier, ...input });
  const CASES = [
    [["verify"], "{", "input"],
    [["verify"], "", "input"],
    [["verify", "--ndjson"], "", "input"],
    [["verify"], "[]", "input"],
    [["verify"], `${text}\n${text}`, "input"],
    [["verify"], Buffer.concat([Buffer.from('{ "verifier": "'), Buffer.of(0xff), Buffer.from('" }')]), "input"],
    // Two readers of one text, and each sees its own.
    [["verify"], text.replace('"amount":', '"amount":"1","amount":'), "input"],
    [["verify"], text.replace('"amount":', '"\\u0061mount":"1","amount":'), "input"],
    [["verify"], JSON.stringify(input), "verifier"],
    [["verify"], JSON.stringify({ verifier: "init", ...input }), "verifier"],
    [["verify"], JSON.stringify({ verifier: "__proto__", ...input }), "verifier"],
    // It judges by no request.
    [["verify"], JSON.stringify({ verifier: "explain", method: "personal_sign", params: ["0x6869", input.request.account], context: { accounts: [], chainId: 1 } }), "verifier"],
    [[verifier], text, "verifier"],
    [["verify"], JSON.stringify({ verifier, ...input, more: 1 }), "more"],
    // The number would be another one.
    [["verify"], text.replace('"amount":"100000000"', '"amount":100000000000000000000'), "request.amount"],
    [["verify", "there/is/none.json"], "", "file"],
    [["verify", "node_modules"], "", "file"],
    // Deadlines, receivers and chains cannot be judged without the caller's own word.
    [["explain"], JSON.stringify({ method: "personal_sign", params: [] }), "context.chainId"],
    [["explain"], JSON.stringify({ context: { chainId: 1, accounts: ["0x1"] } }), "context.accounts.0"],
    [["sign"], text, "arguments"],
    [[], text, "arguments"],
    [["verify", "--no"], text, "arguments"],
    [["verify", "-", "-"], text, "arguments"],
  ];
  for (const [args, given, field] of CASES) {
    const { code, lines, told } = await run(args, given);
    const which = `${args.join(" ")} ${String(given).slice(0, 60)}`;
    assert.equal(lines.length, 1, which);
    const { verdict, error } = JSON.parse(lines[0]);
    assert.deepEqual([code, verdict, error.code, error.field, told], [2, undefined, "INVALID_INPUT", field, ""], which);
    assert.ok(error.expected && error.message, which);
  }
});

test("without a request: what is explained, with the worst finding as exit code, alone or a line each", async () => {
  const { request, toSign } = inputOf("permit, permit2Transfer");
  const { domain, primaryType, message } = toSign;
  // Wallets are given the domain's type, too.
  const kinds = { chainId: "uint256", verifyingContract: "address" };
  const types = { EIP712Domain: Object.keys(domain).map((name) => ({ name, type: kinds[name] ?? "string" })), ...toSign.types };
  const context = { accounts: [request.owner], chainId: request.chainId, now };
  const asked = (changed = {}) => ({ method: "eth_signTypedData_v4", params: [request.owner, JSON.stringify({ domain, types, primaryType, message: { ...message, ...changed } })], context });
  const foreign = inputOf("permit, permit2Transfer: for another spender").toSign.message.spender;
  const CASES = [
    [asked(), 0, "explained", []],
    [asked({ spender: foreign }), 1, "explained", ["spender.signed"]],
    [asked({ deadline: String(now + 315_360_000) }), 3, "explained", ["deadline.far"]],
    [{ method: "wallet_inventedTomorrow", params: [], context }, 3, "unread", ["method.unknown"]],
    // Bytes that are no text: there is nothing to find or show.
    [{ method: "personal_sign", params: ["0xff", request.owner], context }, 3, "unread", []],
    // Snaps' shapes are calls, too.
    [{ signature: { from: request.owner, data: { ...toSign, types, message: { ...message, spender: foreign } }, signatureMethod: "eth_signTypedData_v4" }, context }, 1, "explained", ["spender.signed"]],
  ];
  for (const [call, exit, expected, found] of CASES) {
    const { code, text, told } = await run(["explain"], JSON.stringify(call));
    const { verdict, findings } = JSON.parse(text);
    assert.deepEqual([code, verdict, findings.filter(({ severity }) => severity !== "info").map(({ id }) => id), told], [exit, expected, found, ""]);
  }
  const { code, lines } = await run(["explain", "--ndjson"], CASES.map(([call]) => JSON.stringify(call)).join("\n"));
  assert.deepEqual([code, lines.map((line) => JSON.parse(line).verdict)], [1, CASES.map(([, , expected]) => expected)]);
});

/** Each copy of a value with a text in the place of one member, and with one more member of that name. */
function* hidden(value, text) {
  for (const [name, member] of Object.entries(value)) {
    const put = (changed) => Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: changed });
    yield put(text);
    if (typeof member === "object" && member !== null) for (const changed of hidden(member, text)) yield put(changed);
  }
  if (!Array.isArray(value)) yield { ...value, [text]: 1 };
}

test("characters that hide or move others are shown by their code points, wherever they stand", async () => {
  const names = [HONEST, "permit, permit2Transfer", ...new Set(vectors.filter(({ verifier }) => /Fill|Otc|Transaction|Cancel/.test(verifier)).map(({ name }) => name))].slice(0, 8);
  const HIDDEN = "a\u202eb\u200bc\u009bd\u2028e\u001bf\ufeff";
  const inputs = names.flatMap((name) => [...hidden(inputOf(name), HIDDEN)]);
  const explained = [...hidden({ method: "eth_sendTransaction", params: [{ to: "0x" }], context: { accounts: [], chainId: 1, tokens: [], contracts: {}, references: {} } }, HIDDEN)];
  for (const [verb, all] of [["verify", inputs], ["explain", explained]]) {
    const { text, lines, told } = await run([verb, "--ndjson"], all.map((one) => JSON.stringify(one)).join("\n"));
    assert.deepEqual([lines.length, told], [all.length, ""]);
    for (const [at, line] of lines.entries()) assert.doesNotMatch(line, /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\ufeff]/, JSON.stringify(all[at]).slice(0, 300));
    assert.match(text, /a\\\\u\{202e\}b/);
  }
  // Neither in the error of the text's own reader.
  for (const given of [HIDDEN, `{"${HIDDEN}`]) assert.doesNotMatch((await run(["verify"], given)).text, /[\u009b\u200b\u202e\u2028]/);
});

test("long values are no trouble, nor are names that occur in several objects", async () => {
  const { verifier, ...input } = inputOf(HONEST);
  const long = { verifier, ...input, orderHash: "x\\\"".repeat(1_000_000) };
  const { code, text } = await run(["verify"], JSON.stringify(long));
  assert.deepEqual([code, JSON.parse(text).error.code, JSON.parse(text).error.field], [2, "INVALID_INPUT", "orderHash"]);
});

test("who stops reading gets no noise, and what was not told is no success", async () => {
  const lines = `${JSON.stringify(inputOf(HONEST))}\n`.repeat(2_000);
  const child = spawn(cli, ["verify", "--ndjson"], { cwd: app });
  let told = "";
  child.stderr.setEncoding("utf8").on("data", (text) => (told += text));
  child.stdin.on("error", () => {});
  child.stdin.end(lines);
  child.stdout.once("data", () => child.stdout.destroy());
  assert.equal(await new Promise((resolve) => child.once("close", resolve)), 2);
  assert.equal(told, "");
});

test("npx finds it where it is installed, and asks no registry", async () => {
  const env = { npm_config_registry: "http://127.0.0.1:1" };
  const { code, text } = await run(["--no-install", "verified-swap", "verify"], JSON.stringify(inputOf(LIE)), { program: "npx", env });
  assert.deepEqual([code, JSON.parse(text).error.field], [1, "order.beneficiary"]);
});
