/** One of several tabs: it keeps a price live, and follows the account's orders, until it is stopped. */
import { createClient } from "verified-swap";

globalThis.follow = async ({ baseUrl, chainId, contracts, references, account, request }, number) => {
  const wallet = {
    request: async ({ method, params }) => (method === "eth_accounts" ? [account] : globalThis.rpc(method, params ?? [])),
  };
  const client = await createClient({ baseUrl, wallet, account, rpc: { [chainId]: wallet }, contracts, advanced: { references } });
  globalThis.stop = () => client.close();
  const seen = { prices: 0, ended: 0, errors: [] };
  const note = (error) => error.code !== "ABORTED" && seen.errors.push(`${error.code} ${error.message}`);
  const pricing = async () => {
    let last;
    const live = client.watchQuotes({ ...request, amount: String(BigInt(request.amount) + BigInt(number)) });
    for await (const { quote, error } of live) {
      // One that waits for too long in the line is asked for again.
      if (error && error.code !== "RATE_LIMITED") note(error);
      if (quote && quote !== last) seen.prices += 1;
      last = quote;
    }
  };
  const following = async () => {
    for await (const { status } of client.watch({ account })) if (status === "COMPLETED") seen.ended += 1;
  };
  await Promise.all([pricing().catch(note), following().catch(note)]);
  return seen;
};
