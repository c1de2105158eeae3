// A service that lies about the price, with dollars to match, and references that are thin, stale, moved or wrong: on chains
// with oracles. With `WRITE=1` in the environment what came of it is written into docs/attacks.md; else that is held to it.
import { after, before, test } from "node:test";
import { feedless, held, outcome, tableOf, tradesOf } from "../attacks.mjs";
import { startWorld } from "../world.mjs";

/** How much worse the service's price is, in percent. */
const LIES = [0, 1, 3, 4, 7, 10, 20, 50, 90, 99];
/** Oracles' states, and whether no feed is known. */
const STATES = [
  ["honest reference prices", []],
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
  ["the deeper of two pools lies by 50 % with the service", [{ state: "moved", only: "pools", bps: -5000, fee: 500 }]],
  ["the same, no feed", [{ state: "moved", only: "pools", bps: -5000, fee: 500 }], true],
  ["the same, deep for this block alone, no feed", [{ state: "moved", only: "pools", bps: -5000, fee: 500, sudden: true }], true],
  ["pools that cannot tell their past, no feed", [{ state: "noHistory", secs: 0 }], true],
  ["no reference price", [{ state: "missing" }]],
];

let world;
let paths;
before(async () => {
  world = await startWorld();
  paths = await tradesOf(world);
});
after(() => world?.sandbox.stop());

const lie = (percent) => world.sandbox.control("POST", "lie", percent ? { kind: "price", bps: percent * 100 } : { kind: "none" });

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

test("references that lie, or cannot tell", async () => {
  const rows = [["a gasless sale at a price that is worse by", "0 %", "10 %", "15 %", "50 %"]];
  for (const [name, states, isFeedless] of STATES) {
    const how = isFeedless ? { more: { advanced: { references: feedless(world.references) } } } : {};
    const cells = [];
    for (const percent of [0, 10, 15, 50]) {
      await world.sandbox.control("POST", "reset");
      for (const state of states) await world.sandbox.control("POST", "reference", state);
      await lie(percent);
      cells.push(await outcome(() => paths["gasless sale"](percent, how)));
    }
    rows.push([name, ...cells]);
  }
  held("references", tableOf(rows));
});
