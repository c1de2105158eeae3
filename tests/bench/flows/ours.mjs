/** One whole swap by this package: quoted, verified, signed, checked, posted. */
import { createClient, init as load } from "verified-swap";
import { paperClient } from "./client.mjs";

/** Loads all of the module: a trade on paper fetches none of it. Without a `source` it is in files. */
export async function init(source) {
  await load(source);
  if (source) return;
  const client = await createClient({ baseUrl: "https://paper.example", storage: false });
  await client.info.rateLimit();
  client.close();
}

export async function connect(environment) {
  const { chainId, srcToken, destToken, deadline, slippageBps } = environment.world;
  const client = await paperClient(environment);
  return async (amount) => {
    const quote = await client.quote({ chainId, srcToken, destToken, amount, srcDecimals: 6, destDecimals: 18 });
    const build = await client.build(quote, { slippageBps, deadline });
    const order = await client.submit(build);
    if (order.orderHash !== build.orderHash || order.status !== "PENDING") throw new Error("the swap was not posted");
    return order;
  };
}
