/** The trades by this package, with every check, and the journal of its environment. */
import { createClient } from "verified-swap";

/** A limit of requests that is not felt. */
const FREE = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 };

/** With `more` options of the client. */
export async function connect({ baseUrl, chainId, rpc, contracts, pair, offered, slippageBps }, wallet, more) {
  const options = { baseUrl, wallet, account: wallet.address, rpc: { [chainId]: rpc }, contracts, rateLimit: FREE, ...more };
  const client = await createClient(options);
  /** Until the hash is known. */
  const sent = async (build, mark) => {
    mark("click");
    await client.submit(build, { onProgress: ({ step }) => step === "sent" && mark("hash") });
  };
  return {
    async gasless(amount, mark, review) {
      const quote = await client.quote({ chainId, ...pair, amount });
      mark("quote");
      const build = await client.build(quote, { slippageBps });
      await review?.();
      mark("click");
      const order = await client.submit(build);
      if (order.orderHash !== build.orderHash || order.status !== "PENDING") throw new Error("the order was not posted");
    },
    async market(amount, mark) {
      const quote = await client.quote({ chainId, ...pair, amount, mode: "MARKET" });
      await sent(await client.build(quote, { slippageBps }), mark);
    },
    async fill(orderHash, mark) {
      await sent(await client.buildFill(await client.otcOrder(orderHash), offered), mark);
    },
  };
}
