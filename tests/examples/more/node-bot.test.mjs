/** examples/node-bot against the sandbox: stopped in mid-order, and started again. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, test } from "node:test";
import { startSandbox } from "../../package/sandbox.mjs";
import { copyOf } from "../example.mjs";

let sandbox, folder;
before(async () => ([sandbox, folder] = await Promise.all([startSandbox(), copyOf("node-bot")])));
after(() => sandbox?.stop());

/** The bot at work: `said(text)` waits for a line of it, `ended` is its exit code. */
function start(settings) {
  const { privateKey: PRIVATE_KEY } = sandbox.accounts[0];
  const order = { AMOUNT: "300", MIN_RECEIVED: "0.09", SLICES: "3", INTERVAL_SECS: "300" };
  const env = { ...process.env, PRIVATE_KEY, SANDBOX: sandbox.url, ...order, ...settings };
  const bot = spawn(process.execPath, ["bot.mjs"], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  const lines = [];
  const waiting = [];
  const hear = (line) => lines.push(line) && waiting.forEach((look) => look());
  for (const stream of [bot.stdout, bot.stderr]) createInterface({ input: stream }).on("line", hear);
  const ended = new Promise((resolve) => bot.once("close", resolve));
  const said = (text) =>
    new Promise((resolve, reject) => {
      const look = () => lines.some((line) => line.includes(text)) && resolve();
      waiting.push(look);
      look();
      ended.then(() => reject(new Error(`it ended before it said ${text}:\n${lines.join("\n")}`)));
    });
  return { bot, lines, ended, said };
}

const count = async (endpoint) => {
  const { requests } = await sandbox.control("GET", "record");
  return requests.filter((request) => request.endpoint === endpoint).length;
};

test("a TWAP order is placed, outlives SIGINT, is followed by the next run, and is not placed twice", async () => {
  const [{ address }] = sandbox.accounts;
  const [usdc, weth] = await Promise.all(["USDC", "WETH"].map((symbol) => sandbox.balance(address, symbol)));
  const first = start();
  await first.said("ACTIVE: 1/3 slices, 100 USDC for 0.0");
  first.bot.kill("SIGINT");
  assert.equal(await first.ended, 0);
  assert.equal(first.lines.at(-1), "Stopped. What is posted goes on at the service; start again to follow it.");
  assert.ok(first.lines.some((line) => /^Sell 300 USDC .* in 3 slices/.test(line)), first.lines.join("\n"));
  const state = join(folder, "state.json");
  assert.equal(statSync(state).mode & 0o777, 0o600);
  assert.ok(!readFileSync(state, "utf8").includes(sandbox.accounts[0].privateKey.slice(2)));

  const second = start();
  await second.said("Going on with order 0x");
  await second.said("1/3 slices");
  for (const slices of ["2/3", "3/3"]) {
    await sandbox.control("POST", "time", { advanceSecs: 301 });
    await second.said(slices);
  }
  assert.equal(await second.ended, 0, second.lines.join("\n"));
  assert.equal(second.lines.at(-1), "The order ended: COMPLETED.");
  assert.equal(await count("post"), 1);
  assert.equal(usdc - (await sandbox.balance(address, "USDC")), 300_000_000n);
  assert.ok((await sandbox.balance(address, "WETH")) > weth);
});

test("at a price that nobody knows its own bound holds: it signs within it, and nothing below it", async () => {
  const posted = await count("post");
  await sandbox.control("POST", "reference", { state: "missing" });
  const state = { STATE: "unjudged.json" };
  const below = start({ ...state, MIN_RECEIVED: "0.2" });
  assert.notEqual(await below.ended, 0);
  assert.match(below.lines.join("\n"), /minReceived/);
  assert.equal(await count("post"), posted);
  const within = start(state);
  await within.said("1/3 slices");
  within.bot.kill("SIGINT");
  assert.equal(await within.ended, 0);
  assert.match(within.lines.join("\n"), /price not judged/);
});

for (const missing of ["PRIVATE_KEY", "MIN_RECEIVED"]) {
  test(`without ${missing} it says so`, async () => {
    const bot = start({ [missing]: "" });
    assert.notEqual(await bot.ended, 0);
    assert.match(bot.lines.join("\n"), new RegExp(`${missing} is not set`));
  });
}
