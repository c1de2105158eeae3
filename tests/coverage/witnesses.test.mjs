// A service that lies about the price, with dollars to match, and witnesses that are thin, stale, moved or wrong: on chains
// with oracles. With `WRITE=1` in the environment what came of it is written into docs/attacks.md; else that is held to it.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { startWorld } from "./world.mjs";

const PAGE = new URL("../../docs/attacks.md", import.meta.url);
/** How much worse the service's price is, in percent. */
const LIES = [0, 1, 3, 4, 7, 10, 20, 50, 90, 99];
/** What oracles say; a witness of its own each. */
const STATES = [
  ["honest witnesses", []],
  ["no history but five minutes", [{ state: "noHistory" }]],
  ["thin pools, so feeds alone", [{ state: "thin" }]],
  ["stale feeds, so pools alone", [{ state: "stale" }]],
  ["feeds of other decimals, so pools alone", [{ state: "wrongDecimals" }]],
  ["pools with all liquidity in one tick, so feeds alone", [{ state: "narrow" }]],
  ["pools moved tenfold for one block, against the sale", [{ state: "manipulated" }]],
  ["pools moved to a tenth for one block, with the service", [{ state: "manipulated", ticks: -23027 }]],
  ["pools that lie by 15 % with the service", [{ state: "moved", only: "pools", bps: -1500 }]],
  ["feeds that lie by 15 % with the service", [{ state: "moved", only: "feeds", bps: -1500 }]],
  ["pools and feeds that lie by 15 % with the service", [{ state: "moved", only: "pools", bps: -1500 }, { state: "moved", only: "feeds", bps: -1500 }]],
  ["no witness", [{ state: "missing" }]],
];

let world;
let paths;
before(async () => {
  world = await startWorld();
  paths = await tradesOf(world);
});
after(() => world?.sandbox.stop());

/** Each builds one trade, which sells the native token's wrapped form or what buys it. */
async function tradesOf({ accounts, token, units, pair, fund, chain, elsewhere, client }) {
  const [account, maker] = [accounts[2], accounts[0]];
  const [usdc, weth] = ["USDC", "WETH"].map((symbol) => token(symbol));
  for (const which of [usdc, weth]) await fund(account, which, units(1_000_000, which));
  await fund(maker, usdc, units(1_000_000, usdc));
  const making = await client(maker);
  // A client of its own each: witnesses are remembered for a minute.
  const quoted = async (request, options, call = "quote") => {
    const trading = await client(account);
    return trading.build(await trading[call](request), options);
  };
  const built = (request) => quoted(request, { slippageBps: 50 });
  const sell = pair(weth, usdc, { amount: units(1, weth) });
  const buy = pair(usdc, weth, { amount: units(1, weth), side: "BUY" });
  const there = token("USDC", elsewhere);
  return {
    "gasless sale": () => built(sell),
    "gasless purchase": () => built(buy),
    "gasless, in slices": () =>
      quoted({ ...sell, amount: units(3, weth), numSlices: 3, intervalSecs: 60 }, { slippageBps: 50 }, "quoteTwap"),
    "across chains": () => built({ ...sell, destChainId: elsewhere.chainId, destToken: there.address }),
    "Market sale": () => built({ ...sell, mode: "MARKET" }),
    "Market purchase": () => built({ ...buy, mode: "MARKET" }),
    "a limit of one's own": () => quoted(sell, { limitAmount: units(1_000, usdc) }),
    "OTC fill": async (percent) => {
      const expiry = Math.floor(Date.now() / 1000) + 86_400;
      const decimals = { makerDecimals: usdc.decimals, takerDecimals: weth.decimals };
      const makerAmount = (units(3_000, usdc) * BigInt(100 - percent)) / 100n;
      const offer = { chainId: chain.chainId, makerAsset: usdc.address, takerAsset: weth.address, makerAmount, takerAmount: units(1, weth), taker: account, expiry, ...decimals };
      const build = await making.buildOtc(offer);
      if (build.approval) await making.approve(build.approval, { amount: "unlimited" });
      return (await client(account)).buildFill(await making.submit(build), decimals);
    },
  };
}

/** `refused`, or the verdict on what was built. */
async function outcome(build) {
  try {
    return (await build()).report.price.verdict;
  } catch (error) {
    assert.equal(error.code, "VERIFY_MISMATCH", error.message);
    assert.match(error.field, /^(quote|order\.entering)\.price$/);
    return "refused";
  }
}

const lie = (percent) => world.sandbox.control("POST", "lie", percent ? { kind: "price", bps: percent * 100 } : { kind: "none" });

/** Rows of cells as a table of Markdown. */
const tableOf = (rows) =>
  [rows[0], rows[0].map((_, place) => (place ? "--" : "---")), ...rows.slice(1)].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

test("lies about the price, from 1 % to 99 %, on every path", async () => {
  const rows = [["lie", ...LIES.map((percent) => `${percent} %`)]];
  for (const [name, build] of Object.entries(paths)) {
    const cells = [];
    for (const percent of LIES) {
      await world.sandbox.control("POST", "reset");
      if (name !== "OTC fill") await lie(percent);
      cells.push(await outcome(() => build(percent)));
    }
    rows.push([name, ...cells]);
  }
  held("lies", tableOf(rows));
});

test("witnesses that lie, or cannot tell", async () => {
  const rows = [["a gasless sale at a price that is worse by", "0 %", "10 %", "15 %", "50 %"]];
  for (const [name, states] of STATES) {
    const cells = [];
    for (const percent of [0, 10, 15, 50]) {
      await world.sandbox.control("POST", "reset");
      for (const state of states) await world.sandbox.control("POST", "witness", state);
      await lie(percent);
      cells.push(await outcome(paths["gasless sale"]));
    }
    rows.push([name, ...cells]);
  }
  held("witnesses", tableOf(rows));
});

/** Compares a table with that of the page, or writes it there. */
function held(name, table) {
  const page = readFileSync(PAGE, "utf8");
  const [head, rest] = page.split(`<!-- ${name} -->\n`);
  const [published, ...tail] = rest.split("\n\n");
  if (process.env.WRITE) writeFileSync(PAGE, `${head}<!-- ${name} -->\n${[table, ...tail].join("\n\n")}`);
  else assert.equal(table, published.trimEnd());
}
