// What every entry shares: loading the module once, and the parts of the client that are JavaScript (async iteration).
// Importing loads nothing; the first createClient or init does.
import { askEarly } from "./early.js";
import { watchQuotes } from "./live-quotes.js";
import { inside } from "./reading.js";
import { Tabs } from "./tabs.js";
import { trade } from "./trade.js";
import load, * as wasm from "./verified_swap.js";

let loaded;
let ready = false;

/** Whether the module is loaded: the pure functions need it. */
export const isReady = () => ready;

/** `init` and `createClient` of an entry that loads the module from `source`. */
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
    const tabs = new Tabs();
    let [early, isLoaded] = [undefined, ready];
    const opening = (async () => {
      try {
        await init();
        isLoaded = true;
        return open(options, tabs, await early);
      } catch (error) {
        tabs.close();
        throw error;
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
  const shared = { endings: new Set(), trades: new Set(), tabs };
  const client = withParts(inside(() => wasm.openClient(options, tabs, early)), options, shared);
  // What fails is told by the promise, to whoever asks for it.
  if (options.resume) (client.resumed = client.resume()).catch(() => {});
  return client;
}

async function start(bytes, source) {
  await load({ module_or_path: await (bytes ?? source()) });
  ready = true;
}

// Not in api.js: a bundler drops a file of which an app uses no export.
const calls = wasm.Client.prototype;
const closed = new WeakSet();
const { invoke, follow, withWallet, close } = calls;

/**
 * Of each client its wallet and account, and of all bindings together what ends with them, the trades under way, and what
 * they share with other tabs.
 */
const parts = new WeakMap();

function withParts(client, { wallet, account }, { endings, trades, tabs }) {
  parts.set(client, { client, wallet, account, endings, trades, tabs });
  return client;
}

/** The call as a method that throws TradeErrors alone. A closed client no longer exists in the module. */
const guarded = (call) =>
  function (...given) {
    return inside(() => call.apply(this, given), closed.has(this));
  };

const invokeGuarded = guarded(invoke);
// Not an async function: it would wrap the promise that two calls for one order share.
calls.invoke = function (...call) {
  try {
    return invokeGuarded.apply(this, call);
  } catch (error) {
    return Promise.reject(error);
  }
};
calls.follow = guarded(follow);
const bindWallet = guarded(withWallet);
calls.withWallet = function (binding) {
  if (closed.has(this)) return this;
  const bound = bindWallet.call(this, binding);
  return withParts(bound, { wallet: binding, ...binding }, parts.get(this));
};
calls.close = function () {
  if (closed.has(this)) return;
  closed.add(this);
  for (const end of [...parts.get(this).endings]) end();
  close.call(this);
  parts.get(this).tabs.close();
  this.free();
};
if (Symbol.dispose) calls[Symbol.dispose] = calls.close;

for (const name of [
  "quote", "quoteTwap", "withdrawQuote", "build", "swap", "approve", "submit", "order", "orders", "abandon", "balance",
  "capabilities", "allowance", "allowances", "buildRevoke", "cancel", "buildCancellation", "buildWithdrawal",
  "allowanceNeeded", "signPermit", "tokens", "isTokenSupported", "agents", "strategies", "fillableBalance",
  "otcFillableBalance", "bridgeRoutes", "bridgeProtocols", "tokenCategories",
  "buildOtc", "otcOrder", "otcOrders", "otcRemaining", "buildFill", "buildOtcCancellation",
]) {
  calls[name] = function (argument, options) {
    return this.invoke(name, argument, options);
  };
}

calls.chains = function (options) {
  return this.invoke("chains", {}, options);
};

calls.resume = function (options) {
  return this.invoke("resume", {}, options);
};

calls.resumed = null;

calls.listTrades = function (filter = {}, options) {
  return this.invoke("listTrades", filter, options);
};

calls.forget = function (ids = {}, options) {
  return this.invoke("forget", ids, options);
};

calls.journal = function () {
  return parts.get(this).tabs.journal();
};

calls.watchQuotes = function (request, options) {
  return watchQuotes(parts.get(this), request, options);
};

calls.trade = function (request, options) {
  return trade(parts.get(this), request, options);
};

calls.warm = async function (pair, options) {
  connect(await this.invoke("warm", pair, options));
};

calls.budget = function (options) {
  return this.invoke("budget", {}, options);
};

/** Has a page open its connection to that URL; it takes two round trips, and asks nothing. */
function connect(url) {
  const { document } = globalThis;
  if (!document?.head || connected.has(url)) return;
  connected.add(url);
  // Anonymous, as the requests are: the others would not use it.
  const link = Object.assign(document.createElement("link"), { rel: "preconnect", href: url, crossOrigin: "anonymous" });
  document.head.append(link);
}
const connected = new Set();

calls.watch = async function* (order, options) {
  const following = this.follow(order, options);
  try {
    for (let next; (next = await following.next()); ) yield next;
  } finally {
    following.free();
  }
};

calls.wait = async function (order, options) {
  let last;
  for await (last of this.watch(order, options));
  return last;
};

calls.allOrders = async function* (filter, options) {
  for (let page = 1, more = true; more; page++) {
    const { data, hasMore } = await this.orders({ ...filter, page }, options);
    yield* data;
    more = hasMore && data.length > 0;
  }
};

calls.quoteBoth = async function (request, { onQuote, ...options } = {}) {
  const { delta, market, mode, ...common } = request ?? {};
  wasm.compute("comparable", mode);
  const ask = async (mode, more) => {
    // Each of the two replaces only the older one of its own kind.
    const own = options.form === undefined ? options : { ...options, form: `${mode} ${options.form}` };
    try {
      const quote = await this.quote({ ...common, ...more, mode }, own);
      try {
        onQuote?.(quote);
      } catch {
        // A listener that throws must not end the trade.
      }
      return [quote, null];
    } catch (error) {
      return [null, error];
    }
  };
  const [gasless, routed] = await Promise.all([ask("DELTA", { delta }), ask("MARKET", { market })]);
  if (!gasless[0] && !routed[0]) throw gasless[1];
  const [deltaQuote, deltaError, marketQuote, marketError] = [...gasless, ...routed];
  const ranked = wasm.compute("rank", deltaQuote, marketQuote);
  return { delta: deltaQuote, market: marketQuote, deltaError, marketError, ...ranked };
};
