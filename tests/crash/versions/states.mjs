/**
 * The states in which the page of one version of the package can leave the trades of a user, and what the page of another
 * version has to make of them. The user is the same in each run, on the same origin, with the same amounts: what a
 * profile of Chromium has kept then fits a chain that was made anew.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { chromium } from "playwright-core";
import { privateKeyToAccount } from "viem/accounts";
import { startWorld } from "../../coverage/world.mjs";
import { MODULES, ROOT, locate } from "../../package/locations.mjs";
import { serve } from "../../package/page.mjs";
import { openWallet, ownKey } from "../../shared/batching-wallet.mjs";

export const HERE = fileURLToPath(new URL(".", import.meta.url));
/** The commits of the packages that are kept here: the second is the last one that had no ledger. */
export const OLD = ["f615488", "69a07a9"];

const HOST = "swap.localhost";
const INDEX = `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><script type="module" src="page.js"></script>`;
/** Of the user's account. */
const KEY = `0x${OLD[0].padStart(64, "0")}`;
/** The year 2100: a profile is opened years later. */
const DEADLINE = 4_102_444_800;

/**
 * The trades by the state they are left in: whole dollars, by which they are known again, and how they are made. `posting`
 * is on its way to the service, `asked` and `asked to send` were never answered by the wallet, of `drawn` there is a nonce.
 */
const TRADES = {
  filled: { amount: 11 },
  posted: { amount: 12 },
  posting: { amount: 13 },
  signed: { amount: 14 },
  asked: { amount: 15 },
  drawn: { amount: 16 },
  "asked to send": { amount: 17, mode: "MARKET" },
  sent: { amount: 18, mode: "MARKET" },
};
/** Above anything that is waited for here: only what hangs is ended by it. */
const LIMIT_MS = 60_000;
const NAMES = Object.keys(TRADES);

/** Serves a page of each version. */
export async function start() {
  const folder = join(ROOT, "target/versions-page");
  const unpacked = join(folder, "unpacked");
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(unpacked, { recursive: true });
  const packages = { new: join(ROOT, "target/pkg") };
  for (const commit of OLD) {
    packages[commit] = join(unpacked, commit, "package");
    mkdirSync(join(unpacked, commit));
    execFileSync("tar", ["-xzf", join(HERE, `${commit}.tgz`), "-C", join(unpacked, commit)]);
  }
  for (const [version, from] of Object.entries(packages)) {
    const to = join(folder, version);
    mkdirSync(to);
    writeFileSync(join(to, "index.html"), INDEX);
    for (const name of [...MODULES, "verified_swap_bg.wasm"].filter((name) => existsSync(join(from, name)))) cpSync(join(from, name), join(to, name));
    const alias = { "verified-swap": join(from, "index.js") };
    await build({ entryPoints: [join(HERE, "page.js")], outfile: join(to, "page.js"), bundle: true, format: "esm", alias });
  }
  const server = await serve(folder);
  return { ...server, args: ["--disable-gpu", "--disable-quic", `--host-resolver-rules=MAP ${HOST}:80 ${new URL(server.url).host}`] };
}

/** Chromium with a profile of its own, which may have an IndexedDB already. Its folder is deleted with it. */
export async function openProfile({ args }, fill = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), "verified-swap-profile-"));
  fill(folder);
  const context = await chromium.launchPersistentContext(folder, { executablePath: locate("CHROME"), headless: true, args });
  const discard = () => context.close().finally(() => rmSync(folder, { recursive: true, force: true }));
  return { folder, context, discard };
}

/** What of a profile is kept: the databases of its origins. Chromium makes the rest anew. */
const KEPT = join("Default", "IndexedDB");
const keptOf = (commit) => ["profile.tgz", "profile.json"].map((name) => join(HERE, `${commit}-${name}`));

/** Ends Chromium, and keeps its profile, with what service and chain had of it. */
export async function keepProfile({ folder, context }, facts) {
  await context.close();
  const [PROFILE, FACTS] = keptOf(facts.commit);
  execFileSync("tar", ["-czf", PROFILE, "--exclude=LOCK", "--exclude=LOG*", "-C", folder, KEPT]);
  writeFileSync(FACTS, `${JSON.stringify(facts, null, 2)}\n`);
}

/** The profile that is kept, opened an hour after it was left; with the facts. */
export async function openKept(pages, commit) {
  const [PROFILE, FACTS] = keptOf(commit);
  const facts = JSON.parse(readFileSync(FACTS, "utf8"));
  const profile = await openProfile(pages, (folder) => execFileSync("tar", ["-xzf", PROFILE, "-C", folder]));
  const lagMs = facts.leftAtMs + 3_600_000 - Date.now();
  await profile.context.addInitScript((lagMs) => {
    const { now } = Date;
    Date.now = () => now() + lagMs;
  }, lagMs);
  return { profile, facts };
}

/** The sandbox, with the user's account in it as it always is. */
export async function startUser() {
  const world = await startWorld();
  const { sandbox, chain, contracts: named, references: known, token, units, fund, pair, settings } = world;
  const { chainId } = chain;
  // The old package does not know where older blocks are looked at.
  const references = Object.fromEntries(Object.entries(known).map(([id, { blocksBack, ...rest }]) => [id, rest]));
  const key = ownKey(sandbox, chainId, privateKeyToAccount(KEY));
  const [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => token(symbol));
  await settings({ solving: false });
  await fund(key.address, usdc, units(1_000, usdc));
  await fund(key.address, eth, units(10, eth));
  for (const spender of [chain.delta, chain.router]) {
    const allowance = { chainId, token: usdc.address, owner: key.address, spender, amount: units(1_000, usdc).toString() };
    await sandbox.control("POST", "approve", allowance);
  }
  const raw = (amount) => units(amount, usdc).toString();
  return {
    ...world,
    account: key.address,
    wallet: openWallet({ sandbox, chain, key }),
    options: {
      baseUrl: sandbox.url, rpc: { [chainId]: `${sandbox.url}${chain.rpc}` }, account: key.address, contracts: named, references,
      rateLimit: { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 },
    },
    request: (name) => pair(usdc, dai, { ...TRADES[name], amount: raw(TRADES[name].amount) }),
    /** Which trade has that request. */
    named: ({ amount }) => NAMES.find((name) => raw(TRADES[name].amount) === amount),
    /** By these a profile fits this chain. */
    contracts: { delta: chain.delta, router: chain.router, usdc: usdc.address, dai: dai.address },
    mining: (isOn) => sandbox.rpc(chainId, "evm_setAutomine", [isOn]),
    mine: () => sandbox.rpc(chainId, "evm_mine"),
    /** What service and chain have of this user: the orders, and the transactions that trade. */
    async owned() {
      const { delta, transactions } = await sandbox.control("GET", `owner/${key.address}`);
      return { orders: delta, sent: transactions.filter(({ to }) => to?.toLowerCase() === chain.router.toLowerCase()) };
    },
  };
}

/** Opens the page of a version; at the step `stop` nothing gets out of it any more. */
export async function openPage({ context }, user, version, { resume = true, stop } = {}) {
  const page = await context.newPage();
  const died = new Promise((resolve) => page.exposeFunction("died", resolve));
  const failed = ({ code, message }) => ({ error: { code, message } });
  await page.exposeFunction("askWallet", (asked) => user.wallet.request(asked).then((value) => ({ value }), failed));
  await page.goto(`http://${HOST}/${version}/index.html${stop ? `?${new URLSearchParams({ stop })}` : ""}`);
  await page.waitForFunction(() => window.trade);
  const { references, ...options } = user.options;
  // The oldest package has another name for the sources of prices.
  const known = version === OLD[0] ? { witnesses: references } : { references };
  const resumed = await page.evaluate((options) => connect(options), { ...options, ...known, resume });
  const call = (...args) => page.evaluate((args) => call(...args), args);
  const trade = (name, isBuilt) =>
    page.evaluate((args) => trade(...args), [user.request(name), { slippageBps: 100, deadline: DEADLINE }, isBuilt]);
  return { page, died, resumed, call, trade, close: () => page.close() };
}

/**
 * Leaves all trades in their states, as pages of that version do that are closed in mid-trade. None resumes: it would go
 * on with what those before it have left.
 */
export async function leave(profile, user, version) {
  const { wallet, settings } = user;
  const within = async (work, stop) => {
    const tab = await openPage(profile, user, version, { resume: false, stop });
    try {
      return await work(tab);
    } finally {
      await tab.close();
    }
  };
  const done = (outcome) => {
    assert.ok(outcome.value, `${outcome.code}: ${outcome.message}`);
    return outcome.value;
  };
  const dies = (name, stop) => within(async ({ trade, died }) => {
    trade(name).catch(() => "its page is closed");
    await died;
  }, stop);
  /** The page is closed while its prompt is open. */
  const ask = (name) => within(async ({ trade }) => {
    const { length } = wallet.prompts;
    wallet.holds = true;
    trade(name).catch(() => "its page is closed");
    while (wallet.prompts.length === length) await sleep(10);
    wallet.holds = false;
  });

  await settings({ solving: true });
  await within(async ({ call, trade }) => {
    const { id } = done(await trade("filled"));
    assert.equal(done(await call("wait", id)).status, "COMPLETED");
  });
  await settings({ solving: false });
  await within(async ({ trade }) => done(await trade("posted")));
  await dies("posting", "POST /v2/delta/orders begun 1");
  await dies("signed", "write trade ended 2");
  await ask("asked");
  const asked = messageOf(wallet.prompts.at(-1)).nonce;
  const { typedData } = await within(async ({ trade }) => done(await trade("drawn", true)));
  await ask("asked to send");
  await user.mining(false);
  await within(async ({ trade }) => done(await trade("sent")));
  return { nonces: { asked, drawn: typedData.message.nonce } };
}

const messageOf = ({ params }) => JSON.parse(params[1]).message;

/**
 * What the page of a version has to make of all this: each trade is there, nobody signs or sends a second one. `isLate`: it
 * is opened so much later that nothing is posted unasked; `isElsewhere`: the trades name another service, so that none is
 * looked up.
 */
export async function take(profile, user, version, { nonces, isLate = false, isElsewhere = false }) {
  const { wallet, settings } = user;
  const asked = wallet.prompts.length;
  const tab = await openPage(profile, user, version);
  const { resumed, call, trade } = tab;
  // The latest is the first: what was asked for once more has two entries.
  const byName = (trades) => Object.fromEntries(trades.toReversed().map((one) => [user.named(one.summary.request), one]));
  const list = async () => byName((await call("trades.list")).value);

  assert.equal(wallet.prompts.length, asked, "resume opens no prompt");
  for (const { error, busy } of resumed) assert.deepEqual({ error, busy }, { error: null, busy: false });
  const found = await list();
  const undrawn = NAMES.filter((name) => name !== "drawn");
  assert.deepEqual(Object.keys(found).sort(), [...undrawn].sort(), "all that was asked for is listed");
  assert.deepEqual(Object.keys(byName(resumed)).sort(), undrawn.filter((name) => name !== "filled").sort(), "and resumed, but what ended");
  const isHow = (name, ...states) => assert.ok(states.includes(found[name].state), `${name}: ${found[name].state}, ${found[name].status}`);
  isHow("filled", "ended");
  assert.equal(found.filled.status, "COMPLETED");
  isHow("posted", "posted");
  isHow("sent", "sent");
  isHow("asked to send", "asking");
  isHow("asked", "asking");
  // Posted by `trades.resume`, or for the user to decide.
  for (const name of ["signed", "posting"]) {
    isHow(name, "signed", "posting", ...(isLate ? [] : ["posted"]));
    if (isLate) assert.equal(found[name].needs, "decision", name);
    if (found[name].state !== "posted") assert.ok(found[name].signedOrder, `${name}: its order is there`);
  }

  for (const name of ["posted", "posting", "signed", "sent", "asked to send"]) {
    assert.equal((await trade(name)).code, "ALREADY_SIGNED", `${name}, asked again`);
  }
  assert.equal(wallet.prompts.length, asked, "nobody is asked for what is signed or sent");
  for (const name of ["signed", "posting"].filter((name) => found[name].state !== "posted")) {
    const { value, code } = await call("submit", found[name].signedOrder);
    assert.ok(value?.id, `${name}: ${code}`);
  }
  assert.equal(wallet.prompts.length, asked, "what is signed is posted as it is");

  for (const [name, nonce] of Object.entries(nonces)) {
    const { value, code, message } = await trade(name);
    assert.ok(value?.id, `${name}: ${code} ${message}`);
    assert.equal(messageOf(wallet.prompts.at(-1)).nonce, nonce, `${name}: its nonce is the one that was drawn`);
  }
  assert.equal(wallet.prompts.length, asked + 2);

  await user.mining(true);
  await user.mine();
  await settings({ solving: true });
  const late = Date.now() + LIMIT_MS;
  const isOpen = ([name, { state, kind }]) => state !== "ended" && !(isElsewhere && name === "posted") && (kind === "delta" || state === "sent");
  while (Object.entries(await list()).some(isOpen) && Date.now() < late) await call("trades.resume");
  const ends = Object.fromEntries(Object.entries(await list()).map(([name, { state, status }]) => [name, status ?? state]));
  const expected = { "asked to send": ends["asked to send"], ...(isElsewhere && { posted: "PENDING" }) };
  assert.deepEqual(ends, Object.fromEntries(NAMES.map((name) => [name, expected[name] ?? "COMPLETED"])));
  await tab.close();

  const { orders, sent } = await user.owned();
  assert.equal(new Set(orders.map(({ nonce }) => nonce)).size, 6);
  assert.equal(orders.length, 6, "one order for each trade");
  assert.equal(sent.length, 1, "one transaction");
}

/** Does again on a new chain what service and chain had of a profile that was kept. */
export async function replay(user, { contracts, posts, transaction }) {
  assert.deepEqual(user.contracts, contracts, "the sandbox has other contracts by now: docs/hardening.md says how to record the profile again");
  const post = async (name) => {
    const { path, body } = posts[name];
    const answer = await fetch(user.sandbox.url + path, { method: "POST", headers: { "content-type": "application/json" }, body });
    assert.ok(answer.ok, `${name}: ${answer.status} ${await answer.text()}`);
  };
  await user.settings({ solving: true });
  await post("filled");
  while ((await user.owned()).orders[0].status !== "COMPLETED") await sleep(10);
  await user.settings({ solving: false });
  await post("posted");
  await user.mining(false);
  await user.sandbox.rpc(user.chain.chainId, "eth_sendRawTransaction", [transaction]);
}

/** Sells DAI, of which nothing is approved. */
const waiting = ({ token, pair, units }) => {
  const [usdc, dai] = ["USDC", "DAI"].map((symbol) => token(symbol));
  return [pair(dai, usdc, { amount: units(19, dai).toString() }), { slippageBps: 100, deadline: DEADLINE }];
};

/** Leaves an order that was signed while its approval is in no block. */
export async function leaveWaiting(profile, user) {
  const dai = user.token("DAI");
  await user.fund(user.account, dai, user.units(100, dai));
  await user.mining(false);
  const tab = await openPage(profile, user, "new", { resume: false });
  tab.page.evaluate((args) => approveAndTrade(...args), waiting(user)).catch(() => "its page is closed");
  const state = async () => (await tab.call("trades.list")).value.find(({ kind }) => kind === "delta")?.state;
  while ((await state()) !== "waiting") await sleep(10);
  await tab.close();
}

/** What a version makes of it: no prompt for the same trade, and nothing is posted; the new one goes on with it. */
export async function takeWaiting(profile, user, version) {
  const { wallet } = user;
  const asked = wallet.prompts.length;
  const old = await openPage(profile, user, version);
  const { code } = await old.page.evaluate((args) => trade(...args), waiting(user));
  assert.ok(["JOURNAL_UNREADABLE", "INSUFFICIENT_ALLOWANCE"].includes(code), code);
  await user.mining(true);
  await user.mine();
  const again = await old.page.evaluate((args) => trade(...args), waiting(user));
  assert.equal(again.code, "JOURNAL_UNREADABLE", again.message);
  assert.equal(wallet.prompts.length, asked, "it asks for nothing");
  assert.equal((await user.owned()).orders.length, 0, "and posts nothing");
  await old.close();

  const tab = await openPage(profile, user, "new");
  const found = (await tab.call("trades.list")).value.find(({ kind }) => kind === "delta");
  if (found.state === "waiting") {
    const { value, code, message } = await tab.call("submit", found.signedOrder);
    assert.ok(value?.id, `${code}: ${message}`);
  }
  assert.equal(wallet.prompts.length, asked, "what is signed is posted as it is");
  assert.equal((await user.owned()).orders.length, 1);
  await tab.close();
}
