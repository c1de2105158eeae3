// What every entry shares: loading the module once, and opening clients. Importing loads nothing; the first createClient or
// init does.
import { callSite, seenFrom } from "./caller.js";
import { makeClient } from "./client.js";
import { askEarly } from "./early.js";
import { inside } from "./reading.js";
import { withRemedy } from "./remedy.js";
import { Tabs } from "./tabs.js";
import load, { attach, attachRest, openClient } from "./verified_swap.js";

let [first, all] = [];
let [isBegun, ready] = [false, false];

/** Whether the module is loaded: the pure functions need it. */
export const isReady = () => ready;
/** Whether its first part is: those need no more by which a price is shown. */
export const isPriceable = () => isBegun;

/**
 * `init` and `createClient` of an entry whose module is what `source` makes of `init`'s argument; the rest of a first part
 * is what `restOf` makes of that.
 */
export function entry(source, restOf = none) {
  // Forget a failure, so that the next call tries again.
  const forget = (error) => {
    if (!isBegun) first = undefined;
    all = undefined;
    throw withRemedy(error);
  };
  const begin = (bytes) => (first ??= start(source, bytes).catch(forget));
  const init = (bytes) => (all ??= begin(bytes).then((module) => finish(restOf, module).catch(forget)));
  const createClient = (options) => {
    const site = callSite(createClient);
    const tabs = new Tabs();
    let early;
    const seen = (error) => {
      throw seenFrom(site, error);
    };
    // A price needs no more than the first part.
    const opened = (async () => {
      try {
        await begin();
        return open(options, tabs, await early, init);
      } catch (error) {
        tabs.close();
        throw error;
      }
    })();
    const opening = Promise.all([opened, opened.then(() => init())]).then(([client]) => client, seen);
    opening.quote = async (request, call) => {
      if (!isBegun) early ??= askEarly(tabs, options, request, call);
      // Told to whoever waits for the client.
      opening.catch(() => {});
      const client = await opened.catch(seen);
      // A price that the rest has not seen reads nothing ahead.
      if (!ready) opening.then(() => client.warm(pairOf(request))).catch(() => {});
      return client.quote(request, call);
    };
    return opening;
  };
  return { init, createClient };
}

function open(options, tabs, early, loadRest) {
  const inner = inside(() => openClient(options, tabs, early, loadRest));
  const client = makeClient(inner, options, { trades: new Set(), tabs });
  // What fails is told by the promise, to whoever asks for it.
  if (options.resume) (client.resumed = client.resume()).catch(() => {});
  return client;
}

async function start(source, bytes) {
  const module = await load(await source(bytes));
  isBegun = true;
  // A first part says what its rest is.
  if (WebAssembly.Module.customSections(module, "rest").length === 0) complete();
  return module;
}

async function finish(restOf, first) {
  if (ready) return;
  await attach(await restOf(first));
  complete();
}

function complete() {
  attachRest();
  ready = true;
}

/** Of an entry that has no rest. */
function none() {
  throw new Error("init takes verified-swap/wasm here");
}

/** What is read ahead for a request, as `warm` takes it. */
function pairOf({ chainId, srcToken, destChainId, destToken, account }) {
  return { chainId, srcToken, destChainId, destToken, account };
}
