// What every entry shares: loading the module once, and opening clients. Importing loads nothing; the first createClient or
// init does.
import { callSite, seenFrom } from "./caller.js";
import { makeClient } from "./client.js";
import { askEarly } from "./early.js";
import { inside } from "./reading.js";
import { withRemedy } from "./remedy.js";
import { Tabs } from "./tabs.js";
import load, { openClient } from "./verified_swap.js";

let loaded;
let ready = false;

/** Whether the module is loaded: the pure functions need it. */
export const isReady = () => ready;

/** `init` and `createClient` of an entry whose module is what `source` makes of `init`'s argument. */
export function entry(source) {
  const init = (bytes) => {
    // Forget a failure, so that the next call tries again.
    loaded ??= start(bytes, source).catch((error) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  const createClient = (options) => {
    const site = callSite(createClient);
    const tabs = new Tabs();
    let [early, isLoaded] = [undefined, ready];
    const opening = (async () => {
      try {
        await init();
        isLoaded = true;
        return open(options, tabs, await early);
      } catch (error) {
        tabs.close();
        throw seenFrom(site, error);
      }
    })();
    opening.quote = (request, call) => {
      if (!isLoaded) early ??= askEarly(tabs, options, request, call);
      return opening.then((client) => client.quote(request, call));
    };
    return opening;
  };
  return { init, createClient };
}

function open(options, tabs, early) {
  const inner = inside(() => openClient(options, tabs, early));
  const client = makeClient(inner, options, { trades: new Set(), tabs });
  // What fails is told by the promise, to whoever asks for it.
  if (options.resume) (client.resumed = client.resume()).catch(() => {});
  return client;
}

async function start(bytes, source) {
  try {
    await load(await source(bytes));
  } catch (error) {
    throw withRemedy(error);
  }
  ready = true;
}
