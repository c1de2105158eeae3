/**
 * The surroundings of a measured swap: service and wallet on paper, and random numbers that can be had a second time, so
 * that everything but the client's own work can be computed beforehand and played back.
 */
import { CHAIN_ID, USDC, WETH } from "./orders.mjs";
import { BASE_URL, PaperService } from "./paper-service.mjs";
import { PaperWallet } from "./paper-wallet.mjs";

/** The trade of all flows; the order must still be good when it is played back. */
export function newWorld() {
  const deadline = Math.floor(Date.now() / 1000) + 1_100;
  return { chainId: CHAIN_ID, baseUrl: BASE_URL, srcToken: USDC, destToken: WETH, deadline, slippageBps: 50 };
}

/** Another amount each time: the same intent again would be the same order again. */
export function amountOf(at) {
  return String(100_000_000 + at * 1_000);
}

/**
 * Swaps once per flow and round, computing every answer and signature; returns them for `playedBack`.
 * `flows` is `{ name: connect }`.
 */
export async function recorded(flows, world, rounds) {
  const service = new PaperService();
  const wallet = new PaperWallet();
  await within(service, async () => {
    const connected = await connectAll(flows, { wallet, fetch: service.fetch, world });
    for (let at = 0; at < rounds; at++) for (const swap of Object.values(connected)) await swap(amountOf(at));
  });
  return { world, tapes: service.tapes(), answers: wallet.answers() };
}

/** Runs `use({ wallet, fetch, world, service })` in a world that answers from a recording. */
export async function playedBack(recording, use) {
  const service = new PaperService(recording.tapes);
  const wallet = new PaperWallet(recording.answers);
  return within(service, () => use({ wallet, service, fetch: service.fetch, world: recording.world }));
}

export async function connectAll(flows, environment) {
  const connected = {};
  for (const [name, connect] of Object.entries(flows)) {
    const swap = await connect(environment);
    connected[name] = (amount) => {
      environment.wallet.begin(name);
      return swap(amount);
    };
  }
  return connected;
}

/** Replaces the global `fetch` and the random numbers while `run` lasts. */
async function within(service, run) {
  const { crypto, fetch } = globalThis;
  let drawn = 0;
  const random = crypto.getRandomValues.bind(crypto);
  const repeatable = (array) => {
    // The key that seals entries is in no payload.
    if (array.byteLength !== 32) return random(array);
    const bytes = new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
    drawn += 1;
    bytes.forEach((_, at) => { bytes[at] = (drawn * 2_654_435_761 + at * 40_503) >>> ((at % 4) * 8); });
    return array;
  };
  globalThis.fetch = service.fetch;
  Object.defineProperty(crypto, "getRandomValues", { value: repeatable, configurable: true, writable: true });
  try {
    return await run();
  } finally {
    globalThis.fetch = fetch;
    delete crypto.getRandomValues;
  }
}
