// A live trade (`cargo xtask live`), tried against the sandbox: each step as the last one, broken off at each prompt, and whole.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { ROOT } from "../locations.mjs";
import { startSandbox } from "../sandbox.mjs";

const SCRIPT = join(ROOT, "tests/live/live.mjs");
const EVERYTHING = () => "yes\n";

let sandbox;
before(async () => (sandbox = await startSandbox()));
after(() => sandbox?.stop());

/** A key with a little of everything that is needed, and a folder of its own. */
async function startAccount(t, funds = { USDC: "12", ETH: "0.01" }) {
  const key = generatePrivateKey();
  const { address } = privateKeyToAccount(key);
  const folder = await mkdtemp(join(tmpdir(), "live-"));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, "key"), `${key}\n`, { mode: 0o600 });
  for (const [token, whole] of Object.entries(funds)) await sandbox.faucet(address, token, whole);
  const sent = async () => {
    const { delta, transactions } = await sandbox.control("GET", `owner/${address}`);
    return { orders: delta.map(({ status }) => status), transactions: transactions.length };
  };
  const allowance = async () => {
    const [{ delta }] = sandbox.chains;
    const words = [address, delta].map((one) => one.slice(2).toLowerCase().padStart(64, "0")).join("");
    return BigInt(await sandbox.rpc(31337, "eth_call", [{ to: sandbox.token("USDC").address, data: `0xdd62ed3e${words}` }, "latest"]));
  };
  return { key, folder, sent, allowance };
}

/**
 * `{ code, printed, asked, record }` of a run. `answer(question, index)` is what is typed then: a line, "closed" or "SIGINT".
 * The key is nowhere in what is printed and written.
 */
async function live({ key, folder }, words, answer = EVERYTHING, onPrinted = () => {}) {
  const usual = ["--base-url", sandbox.url, "--rpc", `${sandbox.url}/rpc/31337`, "--key-file", join(folder, "key"), "--chain", "31337"];
  // The probe takes its time; one run has it.
  if (!words.includes("probe")) usual.push("--no-probe");
  const child = spawn(process.execPath, [SCRIPT, ...usual, ...words], { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  let printed = "";
  const asked = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
      onPrinted(text);
      const questions = [...printed.matchAll(/^(.*) Type "yes":\n/gm)].map(([, question]) => question);
      if (questions.length === asked.length) return;
      asked.push(questions.at(-1));
      const typed = answer(asked.at(-1), asked.length - 1);
      if (typed === "SIGINT") child.kill("SIGINT");
      else if (typed === "closed") child.stdin.end();
      else child.stdin.write(typed);
    });
  }
  const code = await new Promise((resolve) => child.once("close", resolve));
  const written = join(folder, "target/live");
  const files = await readdir(written).catch(() => []);
  const texts = await Promise.all(files.map((name) => readFile(join(written, name), "utf8")));
  for (const text of [printed, ...texts]) assert.ok(!text.toLowerCase().includes(key.slice(2)), "the key is shown");
  for (const [at, name] of files.entries()) assert.ok(!/^live-/.test(name) || !texts[at].includes("/rpc/"), "the node's path is shown");
  const latest = files.filter((name) => /^live-.*\.json$/.test(name)).sort().at(-1);
  return { code, printed, asked, record: latest && JSON.parse(texts[files.indexOf(latest)]) };
}

const NOTHING = { orders: [], transactions: 0 };
/** Each step as the last one: what is asked, what was sent then, and what the next run asks and ends with. */
const UNTIL = {
  probe: [[], NOTHING],
  quote: [[], NOTHING],
  build: [[], NOTHING],
  approve: [["approve", "revoke"], { orders: [], transactions: 2 }],
  sign: [["approve", "order"], { orders: [], transactions: 1 }],
  post: [["approve", "order"], { orders: ["ACTIVE"], transactions: 1 }],
  follow: [["approve", "order"], { orders: ["COMPLETED"], transactions: 1 }],
};
const purposes = ({ asked }) => asked.map((question) => /^Open the prompt "(.*)"\?$/.exec(question)?.[1] ?? question);

for (const [until, [prompts, then]] of Object.entries(UNTIL)) {
  test(`a run until "${until}" leaves nothing half done, and the next one goes on`, async (t) => {
    const account = await startAccount(t);
    await sandbox.control("POST", "settings", { solving: until !== "post" });
    const first = await live(account, ["--until", until]);
    assert.equal(first.code, 0, first.printed);
    assert.deepEqual(purposes(first), prompts, first.printed);
    const sent = await account.sent();
    assert.deepEqual({ ...sent, orders: sent.orders.map((status) => (status === "PENDING" ? "ACTIVE" : status)) }, then);
    assert.equal(first.record.steps.at(-1).step, until);
    await sandbox.control("POST", "settings", { solving: true });
    if (until === "follow") return;
    const next = await live(account, ["--until", "follow"]);
    assert.equal(next.code, 0, next.printed);
    assert.equal(next.record.order.status, "COMPLETED", next.printed);
    assert.deepEqual(next.record.left, []);
    assert.equal(await account.allowance(), 0n);
  });
}

/** The line typed at a prompt, and the code of the run that ends there. */
const BREAKS = [["no\n", 1], ["y\n", 1], ["closed", 1], ["SIGINT", 130]];

for (const [at, purpose] of ["approve", "order"].entries()) {
  for (const [typed, code] of BREAKS) {
    test(`broken off at the prompt "${purpose}" by ${JSON.stringify(typed)}, nothing more is sent, and the next run begins anew`, async (t) => {
      const account = await startAccount(t);
      // A second line that is typed ahead answers nothing.
      const first = await live(account, [], (question, index) => (index === at ? typed : question.includes("revoke") ? "no\n" : "yes\nyes\n"));
      assert.equal(first.code, code, first.printed);
      assert.deepEqual(purposes(first).slice(0, at + 1), ["approve", "order"].slice(0, at + 1), first.printed);
      assert.deepEqual(await account.sent(), { orders: [], transactions: at }, first.printed);
      assert.equal(first.record.left.some((left) => left.includes("may take 5000000")), at === 1 && (await account.allowance()) > 0n);
      const next = await live(account, ["--until", "follow"]);
      assert.equal(next.record?.order?.status, "COMPLETED", next.printed);
      assert.deepEqual(await account.sent(), { orders: ["COMPLETED"], transactions: 1 });
    });
  }
}

test("the signed order of an earlier run is not posted without a yes", async (t) => {
  const account = await startAccount(t);
  await live(account, ["--until", "sign"]);
  const next = await live(account, [], (question) => (question.includes("Post it") ? "no\n" : "yes\n"));
  assert.deepEqual(purposes(next), ["It is signed. Post it?", "revoke"], next.printed);
  assert.deepEqual(await account.sent(), { orders: [], transactions: 2 });
  assert.equal(await account.allowance(), 0n);
});

const RICH = { "more than 50 dollars": { USDC: "60", ETH: "0.005" }, "in ether": { USDC: "12", ETH: "0.1" }, "cannot be priced": { USDC: "12", USDT: "1", ETH: "0.005" } };
for (const [why, funds] of Object.entries(RICH)) {
  test(`a key is refused before any prompt: ${why}`, async (t) => {
    const account = await startAccount(t, funds);
    const { code, asked, record } = await live(account, []);
    assert.deepEqual([code, asked, await account.sent()], [1, [], NOTHING]);
    assert.match(record.ended, /more than 50: use a key with less|cannot be priced/);
  });
}

test("a key is refused where neither pools nor feeds tell the native token's price", async (t) => {
  const account = await startAccount(t);
  await sandbox.control("POST", "reference", { state: "missing" });
  const { code, asked, record } = await live(account, []);
  await sandbox.control("POST", "reference", { state: "fresh" });
  assert.deepEqual([code, asked], [1, []]);
  assert.match(record.ended, /0\.01 native token, which cannot be priced/);
});

test("a key that others can read, balances that cannot be read: refused", async (t) => {
  const account = await startAccount(t);
  await sandbox.control("POST", "fault", { endpoint: "eth_getBalance", status: 500, times: -1 });
  const unread = await live(account, []);
  await sandbox.control("POST", "fault", { endpoint: "eth_getBalance", times: 0 });
  assert.deepEqual([unread.code, unread.asked], [1, []], unread.printed);
  await chmod(join(account.folder, "key"), 0o644);
  assert.equal((await live(account, [])).code, 2);
});

/** Each open reading, as the sandbox answers it. */
const READINGS = {
  "isNonceUsed around a fill": /^false before, true after$/,
  "65 bytes of a signature, then 64": /^400 InvalidSignature.*; then 200 (PENDING|ACTIVE)$/,
  "a nonce posted again after a cancellation": /^200 (PENDING|ACTIVE)$/,
  "a nonce posted again after its order expired": /^200 (PENDING|ACTIVE)$/,
  "an order that sells the native token": /^200 AWAITING_SIGNATURE; after the deposit 200 (PENDING|ACTIVE)$/,
  "an ExternalOrder whose handler refuses": /^200 (PENDING|ACTIVE); it ends FAILED$/,
  "an order that is held until nothing is allowed": /^held$/,
  "an allowance that is gone at the post": /^400 InsufficientAllowance/,
};

/** Moves the chain past the deadline of the order that a reading leaves to expire. */
function expiring() {
  let isAdvanced = false;
  return (text) => {
    if (isAdvanced || !text.includes("left to expire")) return;
    isAdvanced = true;
    sandbox.control("POST", "time", { advanceSecs: 300 });
  };
}

test("a whole run answers every open reading, and leaves nothing", async (t) => {
  const account = await startAccount(t);
  const { code, printed, record } = await live(account, [], EVERYTHING, expiring());
  assert.equal(code, 0, printed);
  assert.deepEqual(record.findings.map(({ topic }) => topic), Object.keys(READINGS), printed);
  for (const { topic, reading } of record.findings) assert.match(reading, READINGS[topic], `${topic}: ${reading}`);
  assert.deepEqual(record.left, [], printed);
  assert.equal(await account.allowance(), 0n);
});

for (const purpose of ["cancelOrders", "presign", "revoke"]) {
  test(`interrupted among the readings, at "${purpose}", the next run ends what is left`, async (t) => {
    const account = await startAccount(t);
    const first = await live(account, [], (question) => (question.includes(purpose) ? "SIGINT" : "yes\n"), expiring());
    assert.equal(first.code, 130, first.printed);
    assert.ok(first.record.left.length, first.printed);
    const next = await live(account, [], (question) => (question.includes("Post it") ? "no\n" : "yes\n"));
    assert.deepEqual([next.code, next.record.left], [0, []], next.printed);
    // Without its deposit the one that sells the native token cannot be filled.
    const over = ["COMPLETED", "CANCELLED", "EXPIRED", "FAILED", "AWAITING_SIGNATURE"];
    assert.ok((await account.sent()).orders.every((status) => over.includes(status)), next.printed);
    assert.equal(await account.allowance(), 0n);
  });
}
