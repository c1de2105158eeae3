// @ts-nocheck
// The client as an app holds it: a plain object of functions, so that each of them may be taken off it. Asynchronous
// iteration is here; the rest is in the module.
import { callSite, seenFrom, shownAt } from "./caller.ts";
import { connect } from "./connect.ts";
import { invoke, withdraw } from "./entry.ts";
import { watchQuotes } from "./live-quotes.ts";
import { snapshot } from "./plain.ts";
import { absent, fault, inside, object, tradeError } from "./reading.ts";
import { trade } from "./trade.ts";
import { compute } from "./verified_swap.js";

/** What the module does: calls of an argument and options. What stands before a dot is the group that has the call. */
const CALLS = [
  "build", "approve", "signPermit", "submit", "order", "orders",
  "cancel", "buildCancellation", "buildWithdrawal",
  "otc.build", "otc.order", "otc.orders", "otc.remaining", "otc.buildFill", "otc.buildCancellation", "otc.fillableBalance",
  "trades.abandon",
  "approvals.allowance", "approvals.list", "approvals.buildRevoke", "approvals.needed",
  "info.tokens", "info.tokenCategories", "info.isTokenSupported", "info.agents", "info.strategies", "info.bridgeRoutes",
  "info.bridgeProtocols", "info.balance", "info.fillableBalance", "info.capabilities",
];
/** Calls whose argument may be left out. */
const FILTERED_CALLS = ["trades.list", "trades.forget"];
/** Calls of options alone. */
const BARE_CALLS = ["trades.resume", "info.chains", "info.rateLimit"];

/** The client of an app, around the module's. `endings` is what ends with it. */
export function open(inner, options, tabs, endings) {
  const shared = { trades: new Set(), tabs, isPrompted: typeof options.onPrompt === "function" };
  const client = makeClient(inner, options, shared, undefined, endings);
  // The promise reports the failure to the code that waits for it.
  if (options.resume) (client.resumed = client.trades.resume()).catch(() => {});
  return client;
}

/**
 * A client around the module's. `binding` has its wallet and account; `shared` is what all bindings have in common: the
 * trades under way, and what is shared with other tabs. `above` holds what ends with the client this one was made from;
 * `own` what ends with this one.
 */
function makeClient(inner, { wallet, account }, shared, above, own = new Set()) {
  let isClosed = false;
  const endings = {
    isClosed: () => isClosed || Boolean(above?.isClosed()),
    add: (end) => [own, above].forEach((all) => all?.add(end)),
    delete: (end) => [own, above].forEach((all) => all?.delete(end)),
  };

  /** Makes a call of the module, for an app that called `call`. */
  const make = (call, ...given) => invoke(inner, isClosed, callSite(call), ...given);

  async function* follow(site, order, options) {
    try {
      const following = inside(() => inner.follow(order, options), isClosed);
      try {
        for (let next; (next = await following.next()); ) yield next;
      } finally {
        following.free();
      }
    } catch (error) {
      throw seenFrom(site, error, options);
    }
  }

  async function* allOrders(site, filter, options) {
    try {
      for (let page = 1, more = true; more; page++) {
        const { orders, hasMore } = await client.orders({ ...filter, page }, options);
        yield* orders;
        more = hasMore && orders.length > 0;
      }
    } catch (error) {
      throw seenFrom(site, error, options);
    }
  }

  async function* watchTrades(site, filter, options) {
    const signal = options?.signal;
    let [isNews, wake] = [];
    const tell = () => {
      isNews = true;
      wake?.();
    };
    const leave = shared.tabs.onJournal(tell);
    endings.add(tell);
    signal?.addEventListener?.("abort", tell);
    try {
      for (;;) {
        isNews = false;
        const trades = await client.trades.list(filter, options);
        if (signal?.aborted) throw tradeError("aborted by the caller", { code: "ABORTED" });
        yield trades;
        if (!isNews) await new Promise((resolve) => (wake = resolve));
      }
    } catch (error) {
      throw seenFrom(site, error, options);
    } finally {
      leave();
      endings.delete(tell);
      signal?.removeEventListener?.("abort", tell);
    }
  }

  const client = {
    resumed: null,

    watch: (order, options) => follow(callSite(client.watch), order, options),

    async wait(order, options) {
      const site = callSite(client.wait);
      let last;
      for await (last of follow(site, order, options));
      return last;
    },

    allOrders: (filter, options) => allOrders(callSite(client.allOrders), filter, options),

    watchQuotes: shownAt((request, options) => watchQuotes(part, request, options)),

    trade: (request, options) => trade(part, request, options, callSite(client.trade)),

    async quote(request, options) {
      const site = callSite(client.quote);
      try {
        const read = snapshot(request, "request");
        return await (read?.mode === "BOTH" ? quoteBoth(client, read, options) : make(client.quote, "quote", read, options));
      } catch (error) {
        throw seenFrom(site, error, options);
      }
    },

    async warm(pair, options) {
      connect(await make(client.warm, "warm", pair, options));
    },

    withWallet: shownAt((binding) => {
      if (isClosed) return client;
      const bound = inside(() => inner.withWallet(binding));
      return makeClient(bound, { wallet: binding, ...binding }, shared, endings);
    }),

    close() {
      if (isClosed) return;
      isClosed = true;
      for (const end of [...own]) end();
      inner.close();
      if (!above) shared.tabs.close();
      inner.free();
    },

    otc: {},
    trades: {
      watch: (filter, options) => watchTrades(callSite(client.trades.watch), filter, options),

      storage: () => shared.tabs.journal(),
    },
    approvals: {},
    info: {},
  };
  if (Symbol.dispose) client[Symbol.dispose] = client.close;

  const calls = (names, shaped) => {
    for (const name of names) {
      const call = shaped((argument, options) => make(call, name, argument, options));
      const [own, group] = name.split(".").reverse();
      (client[group] ?? client)[own] = call;
    }
  };
  calls(CALLS, (call) => (argument, options) => call(argument, options));
  calls(FILTERED_CALLS, (call) => (argument = {}, options) => call(argument, options));
  calls(BARE_CALLS, (call) => (options) => call({}, options));

  const part = { client, wallet, account, endings, withdraw: (...given) => withdraw(inner, isClosed, ...given), ...shared };
  return client;
}

/** The gasless price and the router's, requested at once and ranked. */
async function quoteBoth(client, request, { onQuote, ...options } = {}) {
  const { advanced, numSlices, ...common } = request;
  const { delta, market, ...shared } = absent(advanced) ? {} : object(advanced, "request.advanced");
  if (!absent(numSlices)) fault("request.numSlices", "nothing: only gasless orders come in slices", numSlices);
  const ask = async (mode, own) => {
    // Each of the two replaces only the older one of its own kind.
    const form = options.form === undefined ? options : { ...options, form: `${mode} ${options.form}` };
    try {
      const quote = await client.quote({ ...common, mode, advanced: { ...shared, ...own } }, form);
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
  const ranked = inside(() => compute("rank", deltaQuote, marketQuote));
  return { delta: deltaQuote, market: marketQuote, deltaError, marketError, ...ranked };
}
