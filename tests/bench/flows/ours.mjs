/** One whole swap by this package: quoted, verified, signed, checked, posted. */
import { createClient, init } from "verified-swap";

export { init };

export async function connect({ wallet, world }) {
  const { chainId, baseUrl, srcToken, destToken, deadline, slippageBps } = world;
  // The flow is measured, not the service's limit.
  const rateLimit = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 };
  const client = await createClient({ baseUrl, wallet, account: wallet.address, rpc: { [chainId]: wallet }, rateLimit });
  return async (amount) => {
    const quote = await client.quote({ chainId, srcToken, destToken, amount, srcDecimals: 6, destDecimals: 18 });
    const build = await client.build(quote, { slippageBps, deadline });
    const order = await client.submit(build);
    if (order.orderHash !== build.orderHash || order.status !== "PENDING") throw new Error("the swap was not posted");
    return order;
  };
}
