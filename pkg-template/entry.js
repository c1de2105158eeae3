// The part that all entries share: loads the module once, and opens clients. Importing loads nothing; the first
// createClient or init does.
import { noted } from "./agreed.js";
import { callSite, seenFrom, shownAt } from "./caller.js";
import { makeClient, partOf } from "./client.js";
import { askEarly } from "./early.js";
import { watchQuotes } from "./live-quotes.js";
import { inside } from "./reading.js";
import { unavailable, withRemedy } from "./remedy.js";
import { isSupported } from "./support.js";
import { Tabs } from "./tabs.js";
import instantiate, { attach, attachParts, openClient } from "./verified_swap.js";

/** The parts of the module, in the order in which they are loaded. */
const [FIRST, TRADE, REST] = [1, 2, 3];

/** The module of each part, and the promises that wait for it; a module in one file is all parts. */
const modules = [];
/** The number of loaded parts. */
let there = 0;

/** Whether the trade's part is there, with which all exported functions work. */
export const hasTradePart = () => there >= TRADE;
/** Whether the first part is there, with which those work that show a price. */
export const hasFirstPart = () => there >= FIRST;

/**
 * `init` and `createClient` of an entry. `source` makes the module from `init`'s argument; `partBehind` makes the part
 * behind another one from that. `mayStart` says of that argument whether a module can be made of it.
 */
export function entry(source, partBehind = none, mayStart = isSupported) {
  const load = (part, bytes) => {
    if (!modules[part]) {
      modules[part] = arrive(part, bytes);
      // Forget a failure, so that the next call tries again.
      modules[part].catch(() => delete modules[part]);
    }
    return modules[part];
  };
  const arrive = async (part, bytes) => {
    const before = part > FIRST && (await load(part - 1, bytes));
    // What is compiled already is taken where nothing can be.
    if (!before && !mayStart(bytes) && String(bytes) !== "[object WebAssembly.Module]") throw unavailable();
    try {
      return await (before ? go(partBehind, part, before) : start(source, bytes));
    } catch (error) {
      throw withRemedy(error);
    }
  };
  const init = (bytes) => load(TRADE, bytes).then(() => {});
  const createClient = (options) => {
    const site = callSite(createClient);
    const tabs = new Tabs();
    const endings = new Set();
    let early;
    const seen = (error) => {
      throw seenFrom(site, error);
    };
    // A price needs no more than the first part.
    const opened = (async () => {
      try {
        await load(FIRST);
        return open(options, tabs, await early, load, endings);
      } catch (error) {
        tabs.close();
        throw error;
      }
    })();
    const opening = Promise.all([opened, opened.then(() => init())]).then(([client]) => client, seen);
    opening.quote = async (request, call) => {
      // The ranking of two prices is in the trade's part.
      if (request?.mode === "BOTH") return (await opening).quote(request, call);
      if (!hasFirstPart()) early ??= askEarly(tabs, options, request, call);
      // The rejection is reported to the code that waits for the client.
      opening.catch(() => {});
      const client = await opened.catch(seen);
      // A price that came before the trade's part reads nothing ahead.
      if (!hasTradePart()) opening.then(() => client.warm(pairOf(request))).catch(() => {});
      return client.quote(request, call);
    };
    const ahead = {
      client: { quote: opening.quote },
      wallet: options?.wallet,
      endings,
      // Without a client there was no quote.
      withdraw: (...given) => void opened.then((client) => partOf(client).withdraw(...given), () => {}),
    };
    opening.watchQuotes = shownAt((...given) => watchQuotes(ahead, ...given));
    return opening;
  };
  return { init, createClient };
}

function open(options, tabs, early, load, endings) {
  const inner = inside(() => openClient(noted(options), tabs, early, load));
  const shared = { trades: new Set(), tabs, isPrompted: typeof options.onPrompt === "function" };
  const client = makeClient(inner, options, shared, undefined, endings);
  // The promise reports the failure to the code that waits for it.
  if (options.resume) (client.resumed = client.trades.resume()).catch(() => {});
  return client;
}

async function start(source, bytes) {
  const module = await instantiate(await source(bytes));
  // A first part names the next one.
  count(WebAssembly.Module.customSections(module, "trade").length > 0 ? FIRST : REST);
  return module;
}

/** Goes on to a part from the one before it. */
async function go(partBehind, part, module) {
  if (there >= part) return module;
  const next = await attach(await partBehind(module));
  count(part);
  return next;
}

function count(parts) {
  attachParts(parts);
  there = parts;
}

/** For an entry whose module is in one file. */
function none() {
  throw new Error("init takes verified-swap/wasm here");
}

/** The data that is read ahead for a request, as `warm` takes it. */
function pairOf({ chainId, srcToken, destChainId, destToken, account }) {
  return { chainId, srcToken, destChainId, destToken, account };
}
