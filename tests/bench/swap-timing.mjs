/** A client's own computation for a whole swap, once warm; runs in Node and in the page. */
import * as market from "./flows/market.mjs";
import * as otc from "./flows/otc.mjs";
import * as ours from "./flows/ours.mjs";
import * as twap from "./flows/twap.mjs";
import * as velora from "./flows/velora.mjs";
import * as veloraChecked from "./flows/velora-checked.mjs";
import { amountOf, connectAll, newWorld, playedBack, recorded } from "./paper-world.mjs";
import { summary } from "./stopwatch.mjs";

const GASLESS = { ours: ours.connect, velora: velora.connect, veloraChecked: veloraChecked.connect };
const TRADES = [
  { id: "gasless", title: "a gasless swap, warm", flows: GASLESS },
  { id: "twap", title: "a gasless order in slices (TWAP), warm", flows: { ...twap } },
  { id: "market", title: "a Market swap, warm", flows: { ...market } },
  { id: "otc", title: "a maker's OTC order, warm", flows: { ...otc } },
  { id: "stored", title: "a gasless swap, warm, written down in the browser's storage", flows: { ours: ours.connect }, isStored: true },
];
const WARM_UP = 20;

/** Rows of `{ id, title, times, ratios, requests, walletCalls }`: microseconds a swap, and calls a swap, by flow. */
export async function timeSwaps({ rounds }) {
  await ours.init();
  const rows = [];
  for (const { id, title, flows, isStored = false } of TRADES) {
    if (isStored && !globalThis.indexedDB) continue;
    rows.push({ id, title, ...(await timeFlows(flows, rounds, isStored)) });
  }
  return rows;
}

/** Interleaved, in a rotating order. If trades are stored, those that are recorded are not. */
async function timeFlows(flows, rounds, isStored) {
  const total = WARM_UP + rounds;
  const recording = await recorded(flows, newWorld(), total);
  return playedBack(recording, async ({ wallet, service, fetch, world }) => {
    const swaps = await connectAll(flows, { wallet, fetch, world, isStored });
    const names = Object.keys(swaps);
    const zeros = () => Object.fromEntries(names.map((name) => [name, 0]));
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    const [requests, walletCalls] = [zeros(), zeros()];
    for (let at = 0; at < total; at++) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(turn + at) % names.length];
        const before = [service.requests, wallet.calls];
        const start = performance.now();
        await swaps[name](amountOf(at));
        const microseconds = (performance.now() - start) * 1000;
        if (at < WARM_UP) continue;
        samples[name].push(microseconds);
        requests[name] += service.requests - before[0];
        walletCalls[name] += wallet.calls - before[1];
      }
    }
    const each = (counts) => Object.fromEntries(names.map((name) => [name, counts[name] / rounds]));
    return { ...summary(samples, "ours"), requests: each(requests), walletCalls: each(walletCalls) };
  });
}

/** A recording of the first swap of each flow, for pages and processes that have done nothing yet. */
export async function recordFirstSwaps() {
  await ours.init();
  const world = newWorld();
  const recordings = {};
  for (const name of ["ours", "velora"]) recordings[name] = await recorded({ [name]: GASLESS[name] }, world, 1);
  return recordings;
}
