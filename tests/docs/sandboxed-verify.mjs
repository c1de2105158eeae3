/**
 * `verified-swap/verify` as a running snippet imports it: the package, which here takes the contracts and decimals of the
 * sandbox, since no table has them; and what the service answered for an app's request: `price`, and what it built of it.
 */
import * as entry from "verified-swap/verify";
import { sandbox } from "./sandboxed.mjs";

export * from "verified-swap/verify";

const { contracts } = sandbox.clientOptions;
const { srcDecimals, destDecimals } = globalThis.request;
const readings = { verifyOrder: { srcDecimals, destDecimals } };
const known = (name) => (input) => entry[name]({ contracts, readings: readings[name], ...input });
const NAMES = ["verifyOrder", "verifyTransaction", "verifyOtc", "verifyFill", "verifyPermit", "verifyCancellation"];
export const { verifyOrder, verifyTransaction, verifyOtc, verifyFill, verifyPermit, verifyCancellation } =
  Object.fromEntries(NAMES.map((name) => [name, known(name)]));

/** A request without contracts and decimals, as of a pair that every table has. */
const completed = ({ verifier, input }) => ({ verifier, input: { contracts, readings: readings[verifier], ...input } });
export const guard = (provider, { request, context, ...options }) =>
  entry.guard(provider, { ...options, context: { contracts, ...context }, request: request && completed(request) });

const heard = {};
const { fetch, client, request } = globalThis;
globalThis.fetch = async (url, ...more) => {
  const answer = await fetch(url, ...more);
  const name = /\/v2\/quote|\/orders\/build/.exec(String(url?.url ?? url))?.[0];
  if (name) heard[name] = await answer.clone().json();
  return answer;
};
await client.build(await client.quote(request), { slippageBps: 50 });
Object.assign(globalThis, { fetch, price: heard["/v2/quote"].delta, built: heard["/orders/build"] });
