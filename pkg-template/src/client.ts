// The client as an app holds it: a plain object of functions, so that each of them may be taken off it. Asynchronous
// iteration is here; the rest is in the module.
import { callSite, seenFrom, shownAt, type Site } from "./caller.ts";
import { connect } from "./connect.ts";
import { invoke, withdraw } from "./entry.ts";
import { follow as following } from "./followed.ts";
import { watchQuotes, type Endings, type Pricing } from "./live-quotes.ts";
import { complete, failureOf, membersOf, quoteByMode, type Prices } from "./module.ts";
import { snapshot } from "./plain.ts";
import { absent, fault, inside, maybeObject, object, tradeError } from "./reading.ts";
import type { Tabs } from "./tabs.ts";
import { trade } from "./trade.ts";
import type {
  ActiveTrade, AdvancedQuoteRequest, BothRequest, CallOptions, Client, ClientOptions, Comparison, Order, OrdersFilter, QuoteBothOptions,
  SentTransaction, TradeError, TradesFilter, WalletBinding, WatchOptions, WatchedRequest,
} from "./types.ts";
import { compute, type Client as Inner } from "./verified_swap.js";
import { Watches } from "./watch.ts";

/** The names of a client's functions; before a dot is the group that has the function. */
type Named<Group, Prefix extends string> = {
  [Name in keyof Group & string]: Group[Name] extends (...given: never[]) => unknown ? `${Prefix}${Name}` : never;
}[keyof Group & string];
type Name = Named<Client, ""> | { [Group in "approvals" | "info" | "otc" | "trades"]: Named<Client[Group], `${Group}.`> }[
  "approvals" | "info" | "otc" | "trades"];
/** The functions that are made by hand; all others are in a table. */
type ByHand =
  | "allOrders" | "close" | "quote" | "trade" | "wait" | "warm" | "watch" | "watchQuotes" | "withWallet"
  | "trades.storage" | "trades.watch";
/** That each function of a client's is either made by hand or in a table. */
type Lacking = Exclude<Name, ByHand | (typeof CALLS)[number] | (typeof FILTERED_CALLS)[number] | (typeof BARE_CALLS)[number]>;

/** The calls of the module that take an argument and options. Before a dot is the group that has the call. */
const CALLS = [
  "build", "approve", "signPermit", "submit", "order", "orders",
  "cancel", "buildCancellation", "buildWithdrawal",
  "otc.build", "otc.order", "otc.orders", "otc.remaining", "otc.buildFill", "otc.buildCancellation", "otc.fillableBalance",
  "trades.abandon",
  "approvals.allowance", "approvals.list", "approvals.buildRevoke", "approvals.needed",
  "info.tokens", "info.tokenCategories", "info.isTokenSupported", "info.agents", "info.strategies", "info.bridgeRoutes",
  "info.bridgeProtocols", "info.balance", "info.fillableBalance", "info.capabilities",
] as const satisfies readonly Name[];
/** Calls whose argument may be left out. */
const FILTERED_CALLS = ["trades.list", "trades.forget"] as const satisfies readonly Name[];
/** Calls of options alone. */
const BARE_CALLS = ["trades.resume", "info.chains", "info.rateLimit"] as const satisfies readonly Name[];

/** The subject of a trade, and its options. */
type Traded = Parameters<Client["trade"]>;

/** A trade that is under way. */
export interface UnderWay {
  part: Part;
  key: string;
  wallet: unknown;
  account: unknown;
  signal: AbortSignal | undefined;
  trade: ActiveTrade;
}

/** The parts that all bindings of a client have in common. */
interface Shared {
  /** The trades under way. */
  trades: Set<UnderWay>;
  /** The orders that are followed. */
  watches: Watches;
  /** The state that is shared with other tabs. */
  tabs: Tabs;
  /** Whether each prompt is put to the user before it opens. */
  isPrompted: boolean;
}

/** The functions that end with a client, and with the client that it was made from. */
interface Ends extends Endings {
  isClosed(): boolean;
}

/** A client with its wallet, for prices and trades. */
export interface Part extends Pricing, Shared {
  readonly client: Client;
  readonly account: unknown;
  readonly endings: Ends;
}

/** The client of an app, around the module's. `endings` is what ends with it. */
export function open(inner: Inner, options: ClientOptions, tabs: Tabs, endings: Set<() => void>): Client {
  const shared = { trades: new Set<UnderWay>(), watches: new Watches(), tabs, isPrompted: typeof options.onPrompt === "function" };
  const client = makeClient(inner, options, shared, undefined, endings);
  // The promise reports the failure to the code that waits for it.
  if (options.resume) (client.resumed = client.trades.resume()).catch(() => {});
  return client;
}

/**
 * A client around the module's, with its wallet and account. `above` holds what ends with the client this one was made from;
 * `own` what ends with this one.
 */
function makeClient(
  inner: Inner,
  { wallet, account }: { wallet?: unknown; account?: unknown },
  shared: Shared,
  above: Ends | undefined,
  own = new Set<() => void>(),
): Client {
  let isClosed = false;
  const endings: Ends = {
    isClosed: () => isClosed || Boolean(above?.isClosed()),
    add: (end) => [own, above].forEach((all) => all?.add(end)),
    delete: (end) => [own, above].forEach((all) => all?.delete(end)),
  };

  /** Makes a call of the module, for an app that called `call`. */
  const make = (call: (...given: never[]) => unknown, ...given: [name: string, argument: unknown, options: unknown]) =>
    invoke(inner, isClosed, callSite(call), ...given);

  async function* follow(site: Site, order: unknown, options: WatchOptions | undefined) {
    try {
      const followed = inside(() => inner.follow(order, options), isClosed);
      yield* following(followed, shared.watches, shared.tabs, endings, options?.signal);
    } catch (error) {
      throw seenFrom(site, error, options);
    }
  }

  const client: Client = complete<Lacking>({
    resumed: null,

    watch: (order: unknown, options?: WatchOptions) => follow(callSite(client.watch), order, options),

    async wait(order: unknown, options?: WatchOptions) {
      const site = callSite(client.wait);
      let last: Order | SentTransaction | undefined;
      for await (last of follow(site, order, options));
      return last;
    },

    allOrders: (filter: OrdersFilter, options?: CallOptions) => allOrders(part, callSite(client.allOrders), filter, options),

    watchQuotes: shownAt((request: WatchedRequest | null, options?: CallOptions) => watchQuotes(part, request, options)),

    trade: (what: Traded[0], options: Traded[1]) => trade(part, what, options, callSite(client.trade)),

    async quote(request: WatchedRequest, options?: QuoteBothOptions) {
      const site = callSite(client.quote);
      try {
        const read = snapshot(request, "request");
        return await (read?.mode === "BOTH" ? quoteBoth(client, read, options) : make(client.quote, "quote", read, options));
      } catch (error) {
        throw seenFrom(site, error, options);
      }
    },

    async warm(pair: unknown, options?: CallOptions) {
      connect(await make(client.warm, "warm", pair, options));
    },

    withWallet: shownAt((binding: WalletBinding) => {
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
      watch: (filter?: TradesFilter, options?: CallOptions) => watchTrades(part, callSite(client.trades.watch), filter, options),

      storage: () => shared.tabs.journal(),
    },
    approvals: {},
    info: {},
  });
  if (Symbol.dispose) client[Symbol.dispose] = client.close;

  type Call = (argument?: unknown, options?: unknown) => Promise<unknown>;
  const calls = (names: readonly Name[], shaped: (call: Call) => Call) => {
    for (const name of names) {
      const call = shaped((argument, options) => make(call, name, argument, options));
      const [own = "", group = ""] = name.split(".").reverse();
      Object.assign(membersOf(client)?.[group] ?? client, { [own]: call });
    }
  };
  calls(CALLS, (call) => (argument, options) => call(argument, options));
  calls(FILTERED_CALLS, (call) => (argument = {}, options) => call(argument, options));
  calls(BARE_CALLS, (call) => (options) => call({}, options));

  const part: Part = { client, wallet, account, endings, withdraw: (...given) => withdraw(inner, isClosed, ...given), ...shared };
  return client;
}

/** All orders that fit a filter, page by page. */
async function* allOrders({ client }: Part, site: Site, filter: OrdersFilter, options: CallOptions | undefined) {
  try {
    for (let page = 1, more = true; more; page++) {
      const { orders, hasMore } = await client.orders({ ...maybeObject(filter, "filter"), page }, options);
      yield* orders;
      more = hasMore && orders.length > 0;
    }
  } catch (error) {
    throw seenFrom(site, error, options);
  }
}

/** The journal's trades, again whenever it has changed. */
async function* watchTrades(
  { client, tabs, endings }: Part, site: Site, filter: TradesFilter | undefined, options: CallOptions | undefined,
) {
  const signal = options?.signal;
  let isNews = false;
  let wake: (() => void) | undefined;
  const tell = () => {
    isNews = true;
    wake?.();
  };
  const leave = tabs.onJournal(tell);
  endings.add(tell);
  signal?.addEventListener?.("abort", tell);
  try {
    for (;;) {
      isNews = false;
      const trades = await client.trades.list(filter, options);
      if (signal?.aborted) throw tradeError("aborted by the caller", { code: "ABORTED" });
      yield trades;
      if (!isNews) await new Promise<void>((resolve) => (wake = resolve));
    }
  } catch (error) {
    throw seenFrom(site, error, options);
  } finally {
    leave();
    endings.delete(tell);
    signal?.removeEventListener?.("abort", tell);
  }
}

/** The gasless price and the router's, requested at once and ranked. */
async function quoteBoth(client: Client, request: BothRequest, { onQuote, ...options }: QuoteBothOptions = {}): Promise<Comparison> {
  // `numSlices` is no member of such a request: without types, an app may state it all the same.
  const { advanced, numSlices, ...common }: BothRequest & { numSlices?: unknown } = request;
  const { delta, market, ...shared } = absent(advanced) ? {} : object(advanced, "request.advanced");
  if (!absent(numSlices)) fault("request.numSlices", "nothing: only gasless orders come in slices", numSlices);
  const price = quoteByMode(client.quote);
  const ask = async <Mode extends "DELTA" | "MARKET">(
    mode: Mode, own: AdvancedQuoteRequest,
  ): Promise<readonly [price: Prices[Mode], error: null] | readonly [price: null, error: TradeError]> => {
    // Each of the two replaces only the older one of its own kind.
    const form = options.form === undefined ? options : { ...options, form: `${mode} ${options.form}` };
    try {
      const quote = await price({ ...common, mode, advanced: { ...shared, ...own } }, form);
      try {
        onQuote?.(quote);
      } catch {
        // A listener that throws must not end the trade.
      }
      return [quote, null];
    } catch (error) {
      return [null, failureOf(error)];
    }
  };
  const [gasless, routed] = await Promise.all([ask("DELTA", { delta }), ask("MARKET", { market })]);
  if (!gasless[0] && !routed[0]) throw gasless[1];
  const [deltaQuote, deltaError, marketQuote, marketError] = [...gasless, ...routed];
  const ranked = inside(() => compute("rank", deltaQuote, marketQuote));
  return { delta: deltaQuote, market: marketQuote, deltaError, marketError, ...ranked };
}
