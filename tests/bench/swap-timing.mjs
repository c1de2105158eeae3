/** What a client itself computes for a whole swap, once warm; runs in Node and in the page. */
import * as ours from "./flows/ours.mjs";
import * as velora from "./flows/velora.mjs";
import * as veloraChecked from "./flows/velora-checked.mjs";
import { amountOf, connectAll, newWorld, playedBack, recorded } from "./paper-world.mjs";
import { summary } from "./stopwatch.mjs";

const FLOWS = { ours: ours.connect, velora: velora.connect, veloraChecked: veloraChecked.connect };
const WARM_UP = 20;

/** Microseconds a swap, by flow, interleaved: `{ times, ratios, served, walletCalls, swaps }`. */
export async function timeSwaps({ rounds }) {
  await ours.init();
  const total = WARM_UP + rounds;
  const recording = await recorded(FLOWS, newWorld(), total);
  return playedBack(recording, async ({ wallet, service, fetch, world }) => {
    const swaps = await connectAll(FLOWS, { wallet, fetch, world });
    const names = Object.keys(swaps);
    const samples = Object.fromEntries(names.map((name) => [name, []]));
    for (let at = 0; at < total; at++) {
      for (let turn = 0; turn < names.length; turn++) {
        const name = names[(turn + at) % names.length];
        const start = performance.now();
        await swaps[name](amountOf(at));
        if (at >= WARM_UP) samples[name].push((performance.now() - start) * 1000);
      }
    }
    return { ...summary(samples, "ours"), served: service.served, walletCalls: wallet.calls, swaps: total };
  });
}

/** A recording of the first swap of each flow, for pages and processes that have done nothing yet. */
export async function recordFirstSwaps() {
  await ours.init();
  const world = newWorld();
  const recordings = {};
  for (const name of ["ours", "velora"]) recordings[name] = await recorded({ [name]: FLOWS[name] }, world, 1);
  return recordings;
}
