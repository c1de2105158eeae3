#!/usr/bin/env node
// @ts-nocheck
// The checks of verified-swap/verify as a program: JSON in, JSON out, no network (docs/cli.md).
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import * as entry from "./verify-node.ts";
import { fault } from "./reading.ts";

const { init, isTradeError } = entry;
/** What is done by name: the entry's functions that judge a payload. */
const NAMES = Object.keys(entry).filter((name) => /^(explain$|verify[A-Z])/.test(name)).sort();

/** Exit codes. Of several answers the first in this order counts. */
const [FINE, REFUSED, UNUSABLE, OPEN] = [0, 1, 2, 3];
const WORST = [REFUSED, UNUSABLE, OPEN, FINE];
/** The errors that are about the payload; all others are about the input. */
const OF_PAYLOAD = ["VERIFY_MISMATCH", "SERVICE_MALFORMED", "LOSS_TOO_HIGH"];

const HELP = `Usage: verified-swap verify|explain [--ndjson] [FILE]
       verified-swap NAME [--ndjson] [FILE]

Reads JSON from FILE, or from standard input, and writes the answer as JSON. Asks no network.

verify    { "verifier": NAME, ... }, and beside it the members of that function's input
explain   { "method": ..., "params": [...], "context": {...} }, or another call beside "context"
NAME      what verify takes, without "verifier"; one of ${NAMES.join(", ")}
--ndjson  one input per line, one answer per line, in order

Exit code: ${REFUSED} something was refused, or a danger found; ${UNUSABLE} an input or an argument that cannot be used;
${OPEN} a question is open, something is unusual, or what it does cannot be read; ${FINE} none of these.
`;

/** The answer to a text, and its exit code. */
function answerTo(verb, bytes) {
  try {
    const { verifier, ...input } = parsed(bytes);
    if (verb !== "verify" && verifier !== undefined) fault("verifier", "nothing: the argument names it already", verifier);
    const name = verb === "verify" ? verifier : verb;
    const allowed = NAMES.filter((name) => verb !== "verify" || name !== "explain");
    if (!allowed.includes(name)) fault("verifier", `one of ${allowed.join(", ")}`, name);
    if (name === "explain") return explained(input);
    const report = entry[name](input);
    const isOpen = report.questions.length > 0;
    return [{ verdict: isOpen ? "question" : "ok", ...report }, isOpen ? OPEN : FINE];
  } catch (error) {
    return failed(error);
  }
}

/** What is beside `context` is the call. */
function explained({ context, ...call }) {
  const answer = entry.explain(call, context);
  const has = (severity) => answer.findings.some((finding) => finding.severity === severity);
  if (has("danger")) return [answer, REFUSED];
  return [answer, has("caution") || answer.verdict !== "explained" ? OPEN : FINE];
}

function failed(error) {
  const { name, ...members } = isTradeError(error) ? error : { code: "INTERNAL" };
  const isRefused = OF_PAYLOAD.includes(members.code);
  return [{ ...(isRefused && { verdict: "refused" }), error: { ...members, message: error.message } }, isRefused ? REFUSED : UNUSABLE];
}

/** The object that these bytes are. Where two readers may see two different ones, it is refused. */
function parsed(bytes) {
  let text, value;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    value = JSON.parse(text);
  } catch (error) {
    fault("input", "one JSON object in UTF-8", error.message);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) fault("input", "one JSON object", value);
  const twice = nameTwice(text);
  if (twice !== undefined) fault("input", "each name once in an object", twice);
  return value;
}

/** A name that stands twice in one object of a JSON text. */
function nameTwice(text) {
  const [open, colon] = [[], /\s*:/y];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") open.push(new Set());
    if (text[at] === "}") open.pop();
    if (text[at] !== '"') continue;
    const start = at;
    while (text[++at] !== '"') if (text[at] === "\\") at++;
    colon.lastIndex = at + 1;
    if (!colon.test(text)) continue;
    const name = JSON.parse(text.slice(start, at + 1));
    if (open.at(-1).has(name)) return name;
    open.at(-1).add(name);
  }
}

/** The lines of a stream, as bytes. What follows the last line feed is one if there is anything. */
async function* linesOf(stream) {
  let parts = [];
  for await (const chunk of stream) {
    let from = 0;
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
      yield Buffer.concat([...parts, chunk.subarray(from, at)]);
      [parts, from] = [[], at + 1];
    }
    if (from < chunk.length) parts.push(chunk.subarray(from));
  }
  if (parts.length) yield Buffer.concat(parts);
}

async function* wholeOf(stream) {
  const parts = [];
  for await (const chunk of stream) parts.push(chunk);
  yield Buffer.concat(parts);
}

async function write(text) {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

async function main() {
  const options = { ndjson: { type: "boolean" }, help: { type: "boolean", short: "h" } };
  const { values, positionals } = usable("arguments", "those of --help", () => parseArgs({ allowPositionals: true, options }));
  if (values.help) return write(HELP);
  const [verb, file, ...rest] = positionals;
  if (verb !== "verify" && !NAMES.includes(verb)) fault("arguments", `verify, or one of ${NAMES.join(", ")}; see --help`, verb);
  if (rest.length) fault("arguments", "one file at most", rest[0]);
  if (file === undefined && process.stdin.isTTY) fault("arguments", "a file, or JSON on standard input", undefined);
  await init();
  const stream = file === undefined || file === "-" ? process.stdin : createReadStream(file);
  const texts = (values.ndjson ? linesOf : wholeOf)(stream);
  for (;;) {
    // What cannot be read, a folder or a file that is not there, is an answer of its own.
    const next = await texts.next().catch(({ message }) => fault("file", "a file that can be read", message));
    if (next.done) return process.exitCode === undefined ? fault("input", "one line at least", undefined) : undefined;
    const [answer, code] = answerTo(verb, next.value);
    rank(code);
    await write(`${JSON.stringify(answer)}\n`);
  }
}

function usable(field, expected, work) {
  try {
    return work();
  } catch ({ message }) {
    fault(field, expected, message);
  }
}

function rank(code) {
  const worse = Math.min(WORST.indexOf(code), WORST.indexOf(process.exitCode ?? FINE));
  process.exitCode = WORST[worse];
}

// Whoever reads the answers is gone: not all of them were told.
process.stdout.on("error", () => process.exit(UNUSABLE));
await main().catch((error) => {
  const [answer, code] = failed(error);
  rank(code);
  return write(`${JSON.stringify(answer)}\n`);
});
