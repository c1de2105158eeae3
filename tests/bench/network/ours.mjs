/** The trades by this package, with every check, and the journal of its environment. */
import { createClient } from "verified-swap";

/** A limit of requests that is not felt. */
const FREE = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 };

/** With `more` options of the client; with `permits` a token's own permit is signed where an approval is missing. */
export async function connect({ baseUrl, chainId, rpc, contracts, references, pair, offered, slippageBps, isLoaded }, wallet, { permits, advanced, ...more } = {}) {
  const options = { baseUrl, wallet, account: wallet.address, rpc: { [chainId]: rpc }, contracts, ...more, advanced: { references, rateLimit: FREE, ...advanced } };
  const opening = createClient(options);
  // Else it is a matter of milliseconds whether the first price or the rest of the module comes first.
  if (isLoaded) await opening;
  /** First what the trade may not take yet is approved. */
  const sent = async (client, build, mark) => {
    mark("click");
    if (build.approval) await client.approve(build.approval);
    await client.submit(build);
  };
  return {
    async gasless(amount, mark, { look, review, isAnother, isMined, pair: other = pair } = {}) {
      const quote = await opening.quote({ chainId, ...other, amount });
      mark("quote");
      await look?.();
      const client = await opening;
      const another = isAnother && { existing: "keepBoth" };
      let build = await client.build(quote, { slippageBps, ...another });
      await review?.();
      mark("click");
      if (build.approval && permits) build = await client.build(build, { permit: await client.signPermit(build, { kind: "eip2612" }) });
      else if (build.approval) await client.approve(build.approval, isMined ? {} : { until: "sent" });
      const order = await client.submit(build, { ...another });
      if (order.orderHash !== build.orderHash || order.status !== "PENDING") throw new Error("the order was not posted");
    },
    async market(amount, mark, { pair: other = pair } = {}) {
      const client = await opening;
      const quote = await client.quote({ chainId, ...other, amount, mode: "MARKET" });
      await sent(client, await client.build(quote, { slippageBps }), mark);
    },
    async fill(orderHash, mark, { offered: other = offered } = {}) {
      const client = await opening;
      await sent(client, await client.otc.buildFill(await client.otc.order(orderHash), other), mark);
    },
  };
}
