// Two kinds of tables in docs/attacks.md: what a service that lies can hide behind gas, and behind nodes that do not answer;
// and honest trades beside them, of which none may be accused. With `WRITE=1` they are written, else held to.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { feedless, held, outcome, tableOf, tradesOf } from "../attacks.mjs";
import { startWorld } from "../world.mjs";

/** Prices of a unit of gas, in gwei. */
const PRICES = [1, 5, 20, 60];
/** The units that a settlement takes here, and more that may be excused: blocks pass, and with them gas becomes cheaper. */
const [TAKES, EXCUSED] = [200_000, 450_000];
const GASLESS = ["gasless sale", "gasless purchase", "gasless, in slices", "across chains"];
const PATHS = [...GASLESS, "Market sale", "Market purchase"];

let world;
let paths;
before(async () => {
  world = await startWorld();
  paths = await tradesOf(world);
});
after(() => world?.sandbox.stop());

const control = (what, body) => world.sandbox.control("POST", what, body);
const lie = (bps) => control("lie", bps ? { kind: "price", bps } : { kind: "none" });

/** Both chains' gas costs so much now, by their own nodes; solvers count `units` of it as a settlement's. */
async function gasCosts(gwei, units = TAKES) {
  for (const { chainId } of [world.chain, world.elsewhere]) {
    const fee = `0x${(BigInt(gwei) * 10n ** 9n).toString(16)}`;
    await world.sandbox.rpc(chainId, "anvil_setNextBlockBaseFeePerGas", [fee]);
    await world.sandbox.rpc(chainId, "evm_mine");
  }
  await world.settings({ gasPriceWei: Math.round((gwei * 1e9 * units) / TAKES) });
}

/** A distance, to the next five percent: the market moves by hundredths of one. */
const percent = (bps) => (bps ? `up to ${Math.ceil(bps / 500) * 5} %` : "nothing");

test("what a service can hide behind gas", async () => {
  const rows = [["the most that is signed below the reference price", ...PRICES.map((gwei) => `${gwei} gwei`)]];
  const cases = [
    ["gasless sale", { dollars: 50 }],
    ["gasless sale", { dollars: 200 }],
    ["gasless sale", { dollars: 1_000 }],
    ["gasless purchase", { dollars: 1_000 }],
    ["across chains", { dollars: 1_000 }],
    ["gasless, in slices", { dollars: 1_000, slices: 10 }],
    ["gasless, in slices", { dollars: 10_000, slices: 100 }],
  ];
  for (const [path, how] of cases) {
    const cells = [];
    for (const gwei of PRICES) {
      let most = 0;
      // It states as much gas as it takes, or twice that, takes it, and keeps so much more.
      for (const units of [TAKES, EXCUSED]) {
        for (const bps of [0, 400, 900, 1_400, 4_000, 9_000]) {
          await control("reset");
          await gasCosts(gwei, units);
          await lie(bps);
          await outcome(async () => {
            const build = await paths[path](0, how);
            most = Math.max(most, build.report.price.belowBps);
            // A loss above the usual is shown before the prompt.
            const isUsual = build.report.price.verdict === "ok";
            assert.equal(/ % below the reference price/.test(build.report.sentence), !isUsual, build.report.sentence);
            return build;
          });
        }
      }
      // The cap, and the slippage and fee of the caller.
      assert.ok(most <= 1_500 + 60, `${path} ${gwei}: ${most}`);
      cells.push(percent(most));
    }
    rows.push([`${path}, ${how.dollars.toLocaleString("en")} $${how.slices ? ` in ${how.slices}` : ""}`, ...cells]);
  }
  held("gas", tableOf(rows));
});

/** How a node fails that is asked what it cannot or will not give. */
const failing = (fields) => () => {
  throw Object.assign(new Error(fields.message), fields);
};
const SILENCES = {
  "refuses": failing({ code: -32_602, message: "missing value for required argument 0" }),
  "knows no such method": failing({ code: -32_601, message: "the method does not exist" }),
  "reverts": failing({ code: 3, message: "execution reverted" }),
  "answers with nothing": () => "0x",
  "takes no more requests": failing({ code: -32_005, message: "too many requests" }),
  "times out": failing({ code: -32_000, message: "execution timeout" }),
  "answers null": () => null,
  "cuts its answer": () => `0x${"00".repeat(33)}`,
  "answers with a page": () => "<html>",
};

test("what a service can hide behind a node that does not answer", async () => {
  const rows = [["a gasless sale, through a node that", "the one call: 0 %", "10 %", "feeds too: 0 %", "10 %"]];
  const feeds = Object.values(world.references).flatMap(({ feeds }) => feeds.map(({ feed }) => feed.toLowerCase()));
  for (const [name, answer] of Object.entries(SILENCES)) {
    const cells = [];
    for (const [isMeant, bps] of [false, true].flatMap((all) => [0, 1_000].map((bps) => [all, bps]))) {
      const node = (chainId) => ({
        request({ method, params }) {
          const to = params?.[0]?.to?.toLowerCase();
          if (method === "eth_call" && (to === undefined || (isMeant && feeds.includes(to)))) return answer();
          return world.sandbox.rpc(chainId, method, params);
        },
      });
      await control("reset");
      await gasCosts(1);
      await lie(bps);
      const rpc = { [world.chain.chainId]: node(world.chain.chainId) };
      cells.push(await outcome(() => paths["gasless sale"](0, { more: { rpc } })));
    }
    rows.push([name, ...cells]);
  }
  held("nodes", tableOf(rows));
});

test("honest trades, none of them accused", async () => {
  const tables = { honest: [["an honest trade", ...PATHS, "questions"]], small: [["", ...GASLESS, "questions"]] };
  async function row(table, name, prepare, how, run = (path) => paths[path](0, how)) {
    const cells = [];
    for (const path of table === "small" ? GASLESS : PATHS) {
      await control("reset");
      await gasCosts(1);
      await prepare?.();
      cells.push(await outcome(() => run(path)));
      assert.notEqual(cells.at(-1), "refused", `${name}, ${path}`);
    }
    const questions = cells.filter((cell) => /^(noReference|referenceSilent|referencesDisagree|gasUnjudged)$/.test(cell)).length;
    tables[table].push([name, ...cells, questions]);
  }
  const oracles = (...states) => async () => {
    for (const state of states) await control("reference", state);
  };
  for (const impact of [0, 1, 2, 3, 4]) await row("honest", `impact of ${impact} %`, () => lie(impact * 100));
  for (const bps of [100, -100]) {
    await row("honest", `pools that are ${bps / 100} % off, as those of 1 % may be`, oracles({ state: "moved", only: "pools", bps }));
  }
  for (const bps of [200, -200]) {
    await row("honest", `feeds ${bps / 100} % off, the most that they lag`, oracles({ state: "moved", only: "feeds", bps }));
  }
  await row("honest", "feeds at the end of their heartbeat", oracles({ state: "stale", ageSecs: 3_600 + 890 }));
  await row("honest", "feeds past it, so pools alone", oracles({ state: "stale" }));
  await row("honest", "thin pools, so feeds alone", oracles({ state: "thin" }));
  const silent = oracles({ state: "noHistory", secs: 0 });
  const unfed = { more: { advanced: { references: feedless(world.references) } } };
  await row("honest", "new pools that cannot tell their past, so feeds alone", silent);
  await row("honest", "the same, no feed", silent, unfed);
  await row("honest", "pools that are deep since this block, no feed", oracles({ state: "fresh", only: "pools", sudden: true }), unfed);
  await row("honest", "thin pools, no feed", oracles({ state: "thin" }), unfed);
  for (const bps of [1_500, -1_500]) {
    const one = oracles({ state: "moved", only: "pools", bps, fee: 500 });
    await row("honest", `the deeper of two pools is ${bps / 100} % off, no feed`, one, unfed);
  }
  await row("honest", "feeds 15 % above the pools", oracles({ state: "moved", only: "feeds", bps: 1_500 }));
  await row("honest", "nodes that know no older block", undefined, { more: { rpc: Object.fromEntries(Object.keys(world.rpc).map(pruned)) } });
  await row("honest", "nobody else knows the pair", oracles({ state: "missing" }));
  await row("honest", "a slippage of 15 %", undefined, { options: { slippageBps: 1_500 } });
  // A token's part of each transfer comes off the stated price.
  const market = { srcTransferFeeBps: 0, destTransferFeeBps: 500, srcDexTransferFeeBps: 0, destDexTransferFeeBps: 0 };
  await row("honest", "a tax of 5 %, stated (Market sale)", undefined, undefined, (path) =>
    paths[path](0, path === "Market sale" ? { request: { advanced: { market } } } : {}),
  );
  const alone = (changes) => ({ more: { rpc: {}, wallet: walletOf(changes) } });
  await row("honest", "a wallet as the only node", undefined, alone({}));
  await row("honest", "a wallet that refuses calls of nobody", undefined, alone({ refusesCreations: true }));
  await row("honest", "a wallet on another chain", undefined, alone({ chainId: world.elsewhere.chainId }));
  await row("honest", "a key of one's own, without a node", undefined, { more: { rpc: {}, wallet: undefined } });
  for (const dollars of [5, 25, 50]) {
    for (const gwei of PRICES) await row("small", `${dollars} $ at ${gwei} gwei`, () => gasCosts(gwei), { dollars });
  }
  for (const [name, rows] of Object.entries(tables)) held(name, tableOf(rows));
});

test("a price that comes before its references is judged when it is built, and their silence is told from none", async () => {
  const { token, pair, units, client, accounts, chain } = world;
  const [usdc, weth] = ["USDC", "WETH"].map((symbol) => token(symbol));
  for (const [bps, isAnswered] of [[0, true], [1_000, true], [0, false]]) {
    await control("reset");
    await gasCosts(1);
    await lie(bps);
    const isAsked = [];
    // The lens answers long after the service, or only with a failure that may pass; feeds alone as well.
    const request = async ({ method, params }) => {
      const isReference = method === "eth_call" && (!params[0].to || isFeed(params[0].to));
      if (!isReference) return world.sandbox.rpc(chain.chainId, method, params);
      isAsked.push(method);
      await new Promise((resolve) => setTimeout(resolve, 700));
      return isAnswered ? world.sandbox.rpc(chain.chainId, method, params) : SILENCES["times out"]();
    };
    const trading = await client(accounts[2], { rpc: { [chain.chainId]: { request } } });
    const quote = await trading.quote(pair(weth, usdc, { amount: units(1, weth) }));
    assert.equal(quote.reference, "pending");
    const expected = isAnswered ? (bps ? "refused" : "ok") : "NETWORK";
    assert.equal(await outcome(() => trading.build(quote, { slippageBps: 50 })), expected);
    assert.ok(isAsked.length > 0);
  }
});

/** Whether that is one of the feeds. */
const isFeed = (to) => Object.values(world.references).some(({ feeds }) => feeds.some(({ feed }) => feed.toLowerCase() === to.toLowerCase()));

/** A node without the state of any block but the latest. */
function pruned(chainId) {
  const request = async ({ method, params }) => {
    if (method === "eth_call" && /^0x/.test(params[1])) throw Object.assign(new Error("missing trie node"), { code: -32_000 });
    return world.sandbox.rpc(Number(chainId), method, params);
  };
  return [chainId, { request }];
}

/** A wallet that reads the chain it is on, as extensions do. */
function walletOf({ chainId = world.chain.chainId, refusesCreations = false }) {
  const [, , account] = world.accounts;
  return {
    async request({ method, params }) {
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
      if (refusesCreations && method === "eth_call" && !params[0].to) SILENCES.refuses();
      return world.sandbox.rpc(chainId, method, params);
    },
  };
}
