/** One user's trades one after the other, by one side; runs in a page or process of its own. */
import * as ours from "./ours.mjs";
import * as peer from "./peer.mjs";
import { createWallet } from "./wallet.mjs";

const SIDES = {
  ours: ours.connect,
  peer: peer.connect,
  /** By the package's own limit of requests. */
  limited: (world, wallet) => ours.connect(world, wallet, { advanced: { rateLimit: {} } }),
  /** The chain is read through the wallet. */
  throughWallet: (world, wallet) => ours.connect(world, wallet, { rpc: {} }),
  /** Two nodes have to agree: here one by two names. */
  twoNodes: (world, wallet) => ours.connect(world, wallet, { rpc: { [world.chainId]: [world.rpc, `${world.rpc}?second`] }, advanced: { rpcQuorum: 2 } }),
  /** A permit in place of an approval. */
  permits: (world, wallet) => ours.connect(world, wallet, { permits: true }),
  /** With a key for the service. */
  withKey: (world, wallet) => ours.connect(world, wallet, { apiKey: "some-key" }),
};
/** After that long, what was read of a chain is read again. */
const STALE_MS = 12_100;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Trade by trade `{ flow, start, end, marks }`: unix milliseconds, of marks too. With `approves` also some whose token
 * has no allowance, with `isLate` also one whose review takes long; with `isNew` nothing but the first one of a page, of a
 * token without any allowance. By a limit of requests there are two, the second one right behind the first.
 */
export async function run({ side, world, quietMs, isLate, approves, isNew }) {
  const wallet = createWallet(world);
  let trades;
  const steps = {
    "first gasless": async (mark) => {
      trades = await SIDES[side](world, wallet);
      await trades.gasless("100000000", mark);
    },
    "second gasless": (mark) => trades.gasless("110000000", mark),
    "first Market": (mark) => trades.market("120000000", mark),
    "second Market": (mark) => trades.market("130000000", mark),
    "first fill": (mark) => trades.fill(world.offers[0], mark),
    "second fill": (mark) => trades.fill(world.offers[1], mark),
    "the same gasless again": (mark) => trades.gasless("110000000", mark, { isAnother: true }),
  };
  // How often a receipt is looked for is the chain's doing.
  const approving = {
    "gasless with its approval": (mark) => trades.gasless("100000000000000000000", mark, { pair: world.unapproved }),
    "gasless behind its approval": (mark) => trades.gasless("200000000000000000000", mark, { pair: world.unapproved, isMined: true }),
    "Market with its approval": (mark) => trades.market("100000000000000000000", mark, { pair: world.unapproved }),
    "fill with its approval": (mark) => trades.fill(world.offers[2], mark, { offered: world.unapprovedOffer }),
  };
  if (approves) Object.assign(steps, approving);
  if (isLate) steps["late gasless"] = (mark) => trades.gasless("140000000", mark, { review: () => sleep(STALE_MS) });
  const done = [];
  const ofNew = { "a new user's gasless": steps["first gasless"] };
  const limited = { "first gasless": steps["first gasless"], "second gasless": steps["second gasless"] };
  for (const [flow, trade] of Object.entries(isNew ? ofNew : side === "limited" ? limited : steps)) {
    if (flow.startsWith("late")) await sleep(STALE_MS);
    const marks = {};
    const start = Date.now();
    await trade((name) => { marks[name] = Date.now(); });
    done.push({ flow, start, end: Date.now(), marks });
    // Requests after the end are counted to this trade, not to the next.
    await sleep(quietMs);
  }
  return done;
}
