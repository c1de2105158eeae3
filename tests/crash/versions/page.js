// The app: a client of either version of the package.
import { wallet } from "../steps.js";
import { createClient } from "verified-swap";

/** What came of it, as the test can be told: of an error only the message would pass. */
const told = (work) => work.then((value) => ({ value }), ({ code, message }) => ({ code, message }));

window.connect = async (options) => {
  window.client = await createClient({ ...options, wallet });
  return client.resumed;
};
/** What an earlier version calls them. */
const BEFORE = { "trades.list": "listTrades", "trades.resume": "resume" };

window.call = (name, ...args) => {
  const call = name.split(".").reduce((at, part) => at?.[part], client) ?? client[BEFORE[name]];
  return told(call(...args));
};

const trade = async (request, options, isBuilt) => {
  const build = await client.build(await client.quote(request), options);
  return isBuilt ? build : client.submit(build);
};
window.trade = (...args) => told(trade(...args));

/** Signs while the approval is on its way. */
window.approveAndTrade = (request, options) =>
  told((async () => {
    const build = await client.build(await client.quote(request), options);
    await client.approve(build.approval, { until: "sent" });
    return client.submit(build);
  })());
