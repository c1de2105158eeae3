// The part that all entries share: loads the module once, and opens clients. Importing loads nothing; the first
// createClient or init does.
import { noted } from "./agreed.ts";
import { callSite, seenFrom, shownAt, type Site } from "./caller.ts";
import { askEarly, type Early } from "./early.ts";
import { watchQuotes, type Pricing } from "./live-quotes.ts";
import { asQuote, failureOf } from "./module.ts";
import { parted, readOnce, snapshot } from "./plain.ts";
import { inside } from "./reading.ts";
import { unavailable, withRemedy } from "./remedy.ts";
import { isSupported } from "./support.ts";
import { Tabs } from "./tabs.ts";
import type { Client, createClient, init, ModuleSource, Pair, Quote } from "./types.ts";
import instantiate, { attach, attachParts, openClient, type Client as Inner } from "./verified_swap.js";

/** The parts of the module, in the order in which they are loaded. */
const [FIRST, TRADE, REST] = [1, 2, 3] as const;

/** The module of each part, and the promises that wait for it; a module in one file is all parts. */
const modules: Promise<WebAssembly.Module>[] = [];
/** The number of loaded parts. */
let there = 0;

/** Whether the trade's part is there, with which all exported functions work. */
export const hasTradePart = () => there >= TRADE;
/** Whether the first part is there, with which those work that show a price. */
export const hasFirstPart = () => there >= FIRST;

/** The errors that were thrown to the app. */
const shown = new WeakSet<object>();

/** Makes a call of the module's client `inner`, for an app that called from `site`. */
export async function invoke(
  inner: Inner, isClosed: boolean, site: Site, name: string, argument: unknown, options: unknown,
): Promise<unknown> {
  try {
    return await inside(() => inner.invoke(name, argument, noted(options)), isClosed);
  } catch (thrown) {
    const error = failureOf(thrown);
    // A call that joined another has that one's error.
    if (shown.has(error)) throw error;
    shown.add(error);
    throw seenFrom(site, error, options);
  }
}

/** Has the module refuse to build a quote from now on. */
export function withdraw(inner: Inner, isClosed: boolean, quote: Quote, reason: string): void {
  try {
    inside(() => inner.withdraw(quote.sealed, reason), isClosed);
  } catch {
    // A module that has failed builds nothing, nor does a client that is closed.
  }
}

/** The functions of an entry that load the module. */
export interface Entry {
  init: typeof init;
  createClient: typeof createClient;
}

/**
 * `init` and `createClient` of an entry. `source` makes the module from `init`'s argument; `client` is `client.js`, which
 * imports this file; `partBehind` makes the part behind another one from that. `mayStart` is whether a module can be made
 * of `init`'s argument.
 */
export function entry(
  source: (given: ModuleSource | undefined, baseUrl: string | undefined) => unknown,
  client: typeof import("./client.ts"),
  partBehind: (module: WebAssembly.Module) => Promise<WebAssembly.Module | undefined> = none,
  mayStart: (given?: ModuleSource) => boolean = isSupported,
): Entry {
  const load = (part: number, ...given: [bytes?: ModuleSource, baseUrl?: string]): Promise<WebAssembly.Module> => {
    let made = modules[part];
    if (!made) {
      made = modules[part] = arrive(part, ...given);
      // Forget a failure, so that the next call tries again.
      made.catch(() => delete modules[part]);
    }
    return made;
  };
  const arrive = async (part: number, bytes?: ModuleSource, baseUrl?: string) => {
    const before = part > FIRST && (await load(part - 1, bytes));
    // A compiled module is taken where none can be compiled.
    if (!before && !mayStart(bytes) && String(bytes) !== "[object WebAssembly.Module]") throw unavailable();
    try {
      return await (before ? go(part, before) : start(await source(bytes, baseUrl)));
    } catch (error) {
      throw withRemedy(error);
    }
  };
  /** Goes on to a part from the one before it. */
  const go = async (part: number, module: WebAssembly.Module) => {
    if (there >= part) return module;
    const next = await attach(await partBehind(module));
    count(part);
    return next;
  };
  /** Loads a part; with `isAhead`, once the page has nothing else to do. */
  const reach = (part: number, isAhead?: boolean) => {
    if (!isAhead) return load(part);
    const { requestIdleCallback: whenIdle = setTimeout } = globalThis;
    whenIdle(() => load(part).catch(() => {}));
  };
  const init: Entry["init"] = (bytes) => load(TRADE, bytes).then(() => {});
  const createClient: Entry["createClient"] = (options) => {
    const site = callSite(createClient);
    const tabs = new Tabs();
    const endings = new Set<() => void>();
    let early: Early | undefined;
    let isClosed = false;
    endings.add(() => (isClosed = true));
    const seen = (error: unknown): never => {
      throw seenFrom(site, error);
    };
    // A price needs no more than the first part.
    const opened = (async () => {
      try {
        await load(FIRST, undefined, options?.baseUrl);
        return inside(() => openClient(noted(options), tabs, early, reach));
      } catch (error) {
        tabs.close();
        throw error;
      }
    })();
    const opening = Promise.all([opened, opened.then(() => init())]).then(([inner]) => client.open(inner, options, tabs, endings), seen);
    // A script that makes a client while it is evaluated waits for it later: the code that waits has the rejection.
    opening.catch(() => {});
    const quote = asQuote(async (given, call) => {
      const own = callSite(quote);
      // Before anything is awaited: the page may go on to edit its own.
      let request: typeof given;
      try {
        request = snapshot(given, "request");
      } catch (error) {
        throw seenFrom(own, error);
      }
      // The ranking of two prices is in the trade's part.
      if (request?.mode === "BOTH") return (await opening).quote(request, call);
      // Where nothing can be compiled nothing is asked for.
      if (!hasFirstPart() && mayStart()) early ??= askEarly(tabs, options, request, call);
      const inner = await opened.catch(seen);
      // A price that came before the trade's part reads nothing ahead.
      if (!hasTradePart()) opening.then((client) => client.warm(pairOf(request))).catch(() => {});
      return invoke(inner, isClosed, own, "quote", request, call);
    });
    const ahead: Pricing = {
      client: { quote },
      wallet: options?.wallet,
      endings,
      // Without a client there was no quote.
      withdraw: (...given) => void opened.then((inner) => withdraw(inner, isClosed, ...given), () => {}),
    };
    const live = shownAt((...given: Parameters<Client["watchQuotes"]>) => watchQuotes(ahead, ...given));
    return Object.assign(opening, { quote, watchQuotes: live });
  };
  return { init, createClient };
}

async function start(source: unknown) {
  const module = await instantiate(source);
  // A first part names the next one.
  count(WebAssembly.Module.customSections(module, "trade").length > 0 ? FIRST : REST);
  return module;
}

/** The reader of callers' values, as the module calls it. */
const reader = { written: readOnce, parted };

function count(parts: number) {
  attachParts(parts, reader);
  there = parts;
}

/** For an entry whose module is in one file. */
function none(): never {
  throw new Error("init takes verified-swap/wasm here");
}

/** The data that is read ahead for a request, as `warm` takes it. */
function pairOf({ chainId, srcToken, destChainId, destToken, account }: Pair): Pair {
  return { chainId, srcToken, destChainId, destToken, account };
}
