#!/usr/bin/env node
// The checks of verified-swap/verify as a program: JSON in, JSON out, no network (docs/cli.md).
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { parseArgs } from "node:util";
import {
  explain, init, isTradeError, verifyCancellation, verifyFill, verifyOrder, verifyOtc, verifyPermit, verifyTransaction,
} from "./verify-node.ts";
import { membersOf, type Members } from "./module.ts";
import { fault, isObject, text } from "./reading.ts";
import type { Asked } from "./types/verify.ts";

/** The verifiers, by name. */
const VERIFIERS = new Map(Object.entries(
  { verifyCancellation, verifyFill, verifyOrder, verifyOtc, verifyPermit, verifyTransaction } satisfies Record<Asked["verifier"], unknown>,
));
/** The names of the functions that judge a payload. */
const NAMES = ["explain", ...VERIFIERS.keys()];

/** Exit codes. The first in this order counts for several answers. */
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

/** An answer, and its exit code. */
type Answered = [answer: object, code: number];

/** The answer to a text. */
function answerTo(verb: string | undefined, bytes: Uint8Array): Answered {
  try {
    const { verifier, ...input } = parsed(bytes);
    if (verb !== "verify" && verifier !== undefined) fault("verifier", "nothing: the argument names it already", verifier);
    const name = verb === "verify" ? verifier : verb;
    if (verb === "explain") return explained(input);
    const verify = VERIFIERS.get(text(name));
    if (!verify) return fault("verifier", `one of ${[...VERIFIERS.keys()].join(", ")}`, name);
    const report = verify(input);
    const isOpen = report.questions.length > 0;
    return [{ verdict: isOpen ? "question" : "ok", ...report }, isOpen ? OPEN : FINE];
  } catch (error) {
    return failed(error);
  }
}

/** The members beside `context` are the call. */
function explained({ context, ...call }: Members): Answered {
  const answer = explain(call, context);
  const has = (severity: string) => answer.findings.some((finding) => finding.severity === severity);
  if (has("danger")) return [answer, REFUSED];
  return [answer, has("caution") || answer.verdict !== "explained" ? OPEN : FINE];
}

function failed(error: unknown): Answered {
  const { name, ...members } = isTradeError(error) ? error : { name: undefined, code: "INTERNAL" };
  const isRefused = OF_PAYLOAD.includes(members.code);
  const { message } = membersOf(error) ?? {};
  return [{ ...(isRefused && { verdict: "refused" }), error: { ...members, message } }, isRefused ? REFUSED : UNUSABLE];
}

/** The object that these bytes are. Where two readers may see two different ones, it is refused. */
function parsed(bytes: Uint8Array): Members {
  const [json, value] = usable("input", "one JSON object in UTF-8", (): [string, unknown] => {
    const read = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    return [read, JSON.parse(read)];
  });
  if (!isObject(value)) return fault("input", "one JSON object", value);
  const twice = nameTwice(json);
  if (twice !== undefined) fault("input", "each name once in an object", twice);
  return value;
}

/** A name that stands twice in one object of a JSON text. */
function nameTwice(text: string): string | undefined {
  const open: Set<string>[] = [];
  const colon = /\s*:/y;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === "{") open.push(new Set());
    if (text[at] === "}") open.pop();
    if (text[at] !== '"') continue;
    const start = at;
    while (text[++at] !== '"') if (text[at] === "\\") at++;
    colon.lastIndex = at + 1;
    if (!colon.test(text)) continue;
    const name = String(JSON.parse(text.slice(start, at + 1)));
    if (open.at(-1)?.has(name)) return name;
    open.at(-1)?.add(name);
  }
  return undefined;
}

/** The lines of a stream, as bytes. The rest behind the last line feed is one, unless it is empty. */
async function* linesOf(stream: AsyncIterable<Buffer>) {
  let parts: Buffer[] = [];
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

async function* wholeOf(stream: AsyncIterable<Buffer>) {
  const parts: Buffer[] = [];
  for await (const chunk of stream) parts.push(chunk);
  yield Buffer.concat(parts);
}

async function write(text: string) {
  if (!process.stdout.write(text)) await once(process.stdout, "drain");
}

async function main() {
  const options = { ndjson: { type: "boolean" }, help: { type: "boolean", short: "h" } } as const;
  const { values, positionals } = usable("arguments", "those of --help", () => parseArgs({ allowPositionals: true, options }));
  if (values.help) return write(HELP);
  const [verb, file, ...rest] = positionals;
  if (verb === undefined || (verb !== "verify" && !NAMES.includes(verb))) fault("arguments", `verify, or one of ${NAMES.join(", ")}; see --help`, verb);
  if (rest.length) fault("arguments", "one file at most", rest[0]);
  if (file === undefined && process.stdin.isTTY) fault("arguments", "a file, or JSON on standard input", undefined);
  await init();
  const stream = file === undefined || file === "-" ? process.stdin : createReadStream(file);
  const texts = (values.ndjson ? linesOf : wholeOf)(stream);
  for (;;) {
    // A folder, or a file that is not there, is an answer of its own.
    const next = await texts.next().catch((error) => fault("file", "a file that can be read", membersOf(error)?.message));
    if (next.done) return process.exitCode === undefined ? fault("input", "one line at least", undefined) : undefined;
    const [answer, code] = answerTo(verb, next.value);
    rank(code);
    await write(`${JSON.stringify(answer)}\n`);
  }
}

function usable<Result>(field: string, expected: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    return fault(field, expected, membersOf(error)?.message);
  }
}

function rank(code: number) {
  const worse = Math.min(WORST.indexOf(code), WORST.indexOf(Number(process.exitCode ?? FINE)));
  process.exitCode = WORST[worse];
}

// The reader of the answers is gone, and did not get all of them.
process.stdout.on("error", () => process.exit(UNUSABLE));
await main().catch((error) => {
  const [answer, code] = failed(error);
  rank(code);
  return write(`${JSON.stringify(answer)}\n`);
});
