/**
 * Each endpoint of the service and each read of a node, with the call that asks it.
 *
 * - `ready(cell)` prepares the call without faults, and returns it. After a failure it is called again, with the error.
 *   A call that follows something takes a signal, with which it is ended.
 * - `leaves` is what at most one of may be there after the call: `delta`, `otc` or `transactions`.
 * - `beside` is another fault, which makes the call ask this endpoint.
 * - `follows`: it asks until something ends, however often that is.
 */

/** After that long, what was read of a chain is read again. */
const STALE_MS = 12_100;
const PACE = { intervalMs: 1000, maxIntervalMs: 1000 };

/** A gasless quote, and its order, not signed yet. */
const quoted = (cell) => cell.client.quote(cell.request);
const built = async (cell) => {
  await cell.approve(cell.world.chain.delta);
  return cell.client.build(await quoted(cell), { slippageBps: 100 });
};
const posted = async (cell) => cell.client.submit(await built(cell));
const limited = async (cell) => {
  await cell.approve(cell.world.chain.delta);
  return cell.client.submit(await cell.client.build(await quoted(cell), { limitAmount: cell.world.units(50, cell.dai) }));
};

const market = async (cell) => {
  await cell.approve(cell.world.chain.router);
  return cell.client.quote({ ...cell.request, mode: "MARKET" });
};
const transaction = async (cell) => cell.client.build(await market(cell), { slippageBps: 100 });

/** Not approved: the wallet is asked for both. */
const together = async (cell) => cell.client.build(await cell.client.quote({ ...cell.request, mode: "MARKET" }), { slippageBps: 100 });

const offered = async (cell) => {
  await cell.approve(cell.world.chain.rfq);
  return cell.client.otc.build(cell.offer);
};
const offer = async (cell) => cell.client.submit(await offered(cell));

/** Signs what was prepared; after an error with `signedOrder`, goes on with that. */
const submitting = (what) => async (cell) => {
  const build = await what(cell);
  return (failed) => cell.client.submit(failed?.signedOrder ?? build);
};
/** Builds a quote; after an error another one, as it may have become too old. */
const building = (what) => async (cell) => {
  const quote = await what(cell);
  return async (failed) => cell.client.build(failed ? await what(cell) : quote, { slippageBps: 100 });
};
/** As `ready`, once what was read of the chain meanwhile is too old. */
const late = (ready) => async (cell) => {
  const act = await ready(cell);
  await new Promise((resolve) => setTimeout(resolve, STALE_MS));
  return act;
};
const reading = (name, query) => (cell) => () => callNamed(cell.client, name)(query?.(cell) ?? {});
/** A call of a client by its name, with its group. */
const callNamed = (client, name) => name.split(".").reduce((at, part) => at[part], client);
const ofChain = ({ world }) => ({ chainId: world.chain.chainId });

export const FLOWS = [
  { endpoint: "quote", call: "quote", ready: (cell) => () => quoted(cell) },
  { endpoint: "prices", call: "quote", ready: (cell) => () => cell.client.quote({ ...cell.request, advanced: { delta: { includeAgents: ["sandbox-solver"] } } }) },
  {
    endpoint: "marketPrices", call: "quote",
    ready: (cell) => () => cell.client.quote({ ...cell.request, mode: "MARKET", advanced: { market: { otherExchangePrices: true } } }),
  },
  {
    endpoint: "swap", call: "build",
    ready: (cell) => () => cell.client.build({ ...cell.request, mode: "MARKET" }, { slippageBps: 100, minReceived: 1n }),
  },
  { endpoint: "build", call: "build", ready: building(quoted) },
  { endpoint: "transactions", call: "build", ready: building(market) },
  { endpoint: "post", call: "submit", leaves: "delta", ready: submitting(built) },
  // The answer to the post is lost, so that the order has to be looked up.
  { endpoint: "orderByHash", call: "submit", leaves: "delta", ready: submitting(built), beside: { endpoint: "post", kind: "reset after accept" } },
  { endpoint: "otcPost", call: "submit", leaves: "otc", ready: submitting(offered) },
  { endpoint: "order", call: "order", ready: async (cell) => {
    const { id } = await posted(cell);
    return () => cell.client.order(id);
  } },
  { endpoint: "order", call: "wait", follows: true, ready: async (cell) => {
    const order = await posted(cell);
    return (_, signal) => cell.client.wait(order, { ...PACE, signal });
  } },
  { endpoint: "orders", call: "orders", ready: reading("orders") },
  { endpoint: "cancel", call: "cancel", leaves: "delta", ready: async (cell) => {
    const order = await limited(cell);
    // An app unsure whether a cancellation arrived looks at the order first.
    let isAsked = false;
    return async () => {
      if (isAsked && (await cell.client.order(order.id)).status === "CANCELLED") return;
      isAsked = true;
      await cell.client.cancel(order);
    };
  } },
  { endpoint: "fillableBalance", call: "info.fillableBalance", ready: reading("info.fillableBalance", ofChain) },
  { endpoint: "otcOrder", call: "otc.order", ready: async (cell) => {
    const { orderHash } = await offer(cell);
    return () => cell.client.otc.order(orderHash);
  } },
  { endpoint: "otcMaker", call: "otc.orders", ready: reading("otc.orders", ofChain) },
  { endpoint: "otcTaker", call: "otc.orders", ready: reading("otc.orders", (cell) => ({ ...ofChain(cell), taker: cell.account })) },
  { endpoint: "otcFillableBalance", call: "otc.fillableBalance", ready: reading("otc.fillableBalance", ofChain) },
  { endpoint: "contracts", call: "quote", unpinned: true, ready: (cell) => () => quoted(cell) },
  { endpoint: "contractsResource", call: "quote", unpinned: true, ready: (cell) => () => quoted(cell), beside: { endpoint: "contracts", body: "{}", times: -1 } },
  { endpoint: "chains", call: "info.chains", ready: reading("info.chains") },
  { endpoint: "fiatTokens", call: "info.tokens", ready: reading("info.tokens", ofChain) },
  { endpoint: "tokens", call: "info.tokens", ready: reading("info.tokens", ofChain), beside: { endpoint: "fiatTokens", status: 404, times: -1 } },
  { endpoint: "tokenCategories", call: "info.tokenCategories", ready: reading("info.tokenCategories") },
  { endpoint: "isTokenSupported", call: "info.isTokenSupported", ready: reading("info.isTokenSupported", (cell) => ({ ...ofChain(cell), token: cell.usdc.address })) },
  { endpoint: "agents", call: "info.agents", ready: reading("info.agents", ofChain) },
  { endpoint: "strategies", call: "info.strategies", ready: reading("info.strategies", ofChain) },
  { endpoint: "bridgeRoutes", call: "info.bridgeRoutes", ready: reading("info.bridgeRoutes") },
  { endpoint: "bridgeProtocols", call: "info.bridgeProtocols", ready: reading("info.bridgeProtocols") },
  { endpoint: "eth_chainId", call: "info.balance", ready: reading("info.balance", (cell) => ({ ...ofChain(cell), token: cell.usdc.address })) },
  { endpoint: "eth_getBalance", call: "info.balance", ready: reading("info.balance", (cell) => ({ ...ofChain(cell), token: cell.eth.address })) },
  { endpoint: "eth_call", call: "submit", leaves: "delta", ready: late(submitting(built)) },
  { endpoint: "eth_getCode", call: "otc.build", ready: (cell) => () => cell.client.otc.build(cell.offer) },
  { endpoint: "eth_getBlockByNumber", call: "build", ready: late(building(quoted)) },
  { endpoint: "eth_call", call: "submit", of: "a transaction", leaves: "transactions", ready: late(submitting(transaction)) },
  ...["wallet_getCapabilities", "wallet_sendCalls"].map((endpoint) => ({
    endpoint, call: "submit", of: "an approval and its transaction", leaves: "transactions", isContract: true,
    // The wallet's capabilities are asked for with the build.
    ready: async (cell) => {
      let build = endpoint === "wallet_sendCalls" ? await together(cell) : null;
      return async (failed, signal) => {
        if (failed?.approval) await cell.client.approve(failed.approval);
        return cell.client.submit((build ??= await together(cell)), { signal });
      };
    },
  })),
  {
    endpoint: "wallet_getCallsStatus", call: "wait", leaves: "transactions", follows: true, isContract: true,
    ready: async (cell) => {
      const sent = await cell.client.submit(await together(cell));
      return (_, signal) => cell.client.wait(sent, { ...PACE, signal });
    },
  },
  ...["eth_getTransactionReceipt", "eth_getTransactionByHash", "eth_getTransactionCount"].map((endpoint) => ({
    endpoint, call: "wait", leaves: "transactions", follows: true,
    ready: async (cell) => {
      const sent = await cell.client.submit(await transaction(cell));
      return (_, signal) => cell.client.wait(sent, { ...PACE, signal });
    },
  })),
];
