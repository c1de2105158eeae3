// The app: a client, and the user who makes one trade with it.
import { alive, onProgress, steps, wallet } from "./steps.js";
import { createClient } from "verified-swap";

let client;

const gasless = async ({ request }) => client.submit(await client.build(await client.quote(request), { slippageBps: 100 }), { onProgress });
const market = ({ request }) => gasless({ request: { ...request, mode: "MARKET" } });
const MAKE = {
  Delta: gasless,
  OTC: async ({ offer }) => client.submit(await client.otc.build(offer), { onProgress }),
  Market: market,
  Batch: market,
};

/** Asks the wallet for the very bytes of a trade that it never answered. */
const askAgain = ({ kind, build }, { request, offer, bounds }) =>
  client.submit(build, { request: kind === "otc" ? offer : { ...request, ...bounds } });

window.connect = async (options) => {
  client = await createClient({ ...options, wallet });
  return (await client.resumed) ?? [];
};
window.resume = () => client.trades.resume();
window.listTrades = () => client.trades.list();
window.steps = steps;

/**
 * The user makes the trade, or makes it again: what the list shows as done is not made again, except for a gasless order,
 * which has to be recognised. `isSame`: what the wallet never answered is asked for again as it was.
 */
window.make = async (trade, terms, isSame) => {
  const [known] = await client.trades.list();
  if (known && known.state !== "asking" && trade !== "Delta") return { known: known.state };
  try {
    const isAsked = known?.state === "asking" && known.build && (isSame || trade === "OTC");
    await (isAsked ? askAgain(known, terms) : MAKE[trade](terms));
    return alive({});
  } catch (error) {
    return alive({ code: error.code ?? error.name, message: error.message });
  }
};
