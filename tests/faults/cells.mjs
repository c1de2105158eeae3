/** One cell of the matrix: a tenant of the sandbox, with an account of its own, in which one fault meets one call. */
import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { SPEED, hasten, realNow } from "./fast-time.mjs";
import { createClient, isTradeError } from "verified-swap";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { openWallet, ownKey } from "../shared/batching-wallet.mjs";
import { failing, isLate, isOfWallet } from "./wallet.mjs";

hasten(SPEED);

/** How late an answer of "30 s delay" is: past the 30 s in which a call ends, so that the order of the two is known. */
const LATE_MS = 36_000 / SPEED;

/** For how long something is followed that never ends: two minutes of the package. */
const FOLLOWED_MS = 120_000 / SPEED;

/** A client that reaches service and nodes as the tenant, and what the flows ask of its account. */
async function cellOf(world, tenant, { unpinned, isContract }) {
  const { sandbox, chain, contracts, references, units, fund, pair, balance } = world;
  const [usdc, dai, eth] = ["USDC", "DAI", "ETH"].map((symbol) => world.token(symbol));
  const key = ownKey(sandbox, chain.chainId, privateKeyToAccount(generatePrivateKey()));
  const make = () => sandbox.control("POST", "wallet", { chainId: chain.chainId, owner: key.address, kind: "contract" });
  const account = isContract ? (await make()).address : key.address;
  const wallet = failing(openWallet({ sandbox, chain, key, account }));
  await Promise.all([fund(account, usdc, units(1_000, usdc)), fund(key.address, eth, units(10, eth))]);
  const client = await (world.connect ?? createClient)({
    baseUrl: `${sandbox.url}/as/${tenant}`, rpc: { [chain.chainId]: `${sandbox.url}/as/${tenant}${chain.rpc}` }, account, wallet,
    ...(!unpinned && { contracts }), advanced: { references, ...(unpinned && { allowServiceContracts: true }) },
  });
  return {
    world, tenant, account, client, usdc, dai, eth, prompts: wallet.prompts,
    request: pair(usdc, dai, { amount: units(10, usdc) }),
    offer: {
      chainId: chain.chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(10, usdc), takerAmount: units(9, dai),
      makerDecimals: usdc.decimals, takerDecimals: dai.decimals, expiry: Math.floor(Date.now() / 1000) + 86_400,
    },
    approve: (spender) =>
      sandbox.control("POST", "approve", { chainId: chain.chainId, token: usdc.address, owner: account, spender, amount: units(1_000, usdc).toString() }),
    async fault(fault) {
      if (isOfWallet(fault.endpoint)) wallet.fault(fault);
      else await sandbox.control("POST", "fault", { tenant, ...fault });
    },
    /** Requests of this tenant to one endpoint. */
    async received(endpoint) {
      if (isOfWallet(endpoint)) return wallet.received.filter((method) => method === endpoint);
      const { requests, reads } = await sandbox.control("GET", `record?tenant=${tenant}`);
      return [...requests, ...reads].filter((request) => request.endpoint.split(" ").includes(endpoint));
    },
    /** How many there are of the account's orders or transactions, despite faults. */
    async left(kind) {
      // For calls that are sent together the swap alone counts.
      if (isContract) return Number((units(1_000, usdc) - (await balance(usdc, account))) / units(10, usdc));
      const owned = await sandbox.control("GET", `owner/${account}`);
      // An allowance was set in its name, by the sandbox.
      return owned[kind].filter(({ to }) => to?.toLowerCase() !== usdc.address.toLowerCase()).length;
    },
  };
}

/** How a promise ended: `{ value }` or `{ error }`. */
const ending = (promise) => promise.then((value) => ({ value }), (error) => ({ error }));

const plural = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** An outcome in words: what was thrown, with what an app can act on. */
function said({ error }, isStillAsking) {
  if (!error) return "resolves";
  if (isStillAsking) return "goes on asking";
  const facts = [error.status, error.retryAfterSecs && `retry after ${error.retryAfterSecs} s`, error.signedOrder && "signed order"];
  return [`\`${error.code}\``, ...facts.filter(Boolean)].join(", ");
}

/**
 * Runs one cell: the call meets the fault, `times` 1 or -1. Then the fault is gone, and the call is made again.
 *
 * Returns what happened, in words. Fails if anything was signed twice, lost, or is there twice.
 */
export async function run(world, tenant, { flow, kind, times }) {
  const cell = await cellOf(world, tenant, flow);
  const act = await flow.ready(cell);
  const received = (await cell.received(flow.endpoint)).length;
  const prompted = cell.prompts.length;
  if (flow.beside) await cell.fault(flow.beside);
  await cell.fault({ endpoint: flow.endpoint, kind, times, ...(kind === "30 s delay" && { delayMs: LATE_MS }) });

  const patience = flow.follows || isLate(kind) ? AbortSignal.timeout(FOLLOWED_MS) : undefined;
  const outcome = await ending(act(undefined, patience));
  const { error } = outcome;
  const requests = (await cell.received(flow.endpoint)).length - received;
  const prompts = cell.prompts.length - prompted;
  const left = flow.leaves && (await cell.left(flow.leaves));
  if (error) {
    assert.ok(isTradeError(error), error);
    assert.notEqual(error.code, "INTERNAL", error.message);
  }
  assert.ok(prompts <= 1, `${prompts} prompts`);
  if (flow.leaves) assert.ok(left <= 1, `${left} ${flow.leaves}`);
  if (flow.leaves && !error) assert.equal(left, 1, "what resolved is there");
  const signs = flow.call === "submit" && flow.leaves !== "transactions";
  if (signs && error && prompts === 1) assert.ok(error.signedOrder, `what was signed is lost: ${error.message}`);

  await cell.fault({ endpoint: flow.endpoint, times: 0 });
  const again = await ending(act(error));
  if (again.error) assert.fail(`without the fault: ${again.error.code} ${again.error.message}`);
  await world.sandbox.control("POST", "release", { tenant });
  if (flow.leaves) {
    // Held and late ones arrive now.
    const isUnderWay = ({ status, at }) => status === 0 && realNow() - at < LATE_MS + 500;
    while ((await cell.received(flow.endpoint)).some(isUnderWay)) await sleep(50);
    assert.equal(await cell.left(flow.leaves), 1, "one in the end");
    if (signs) assert.ok(cell.prompts.length - prompted <= 1, "one signature in the end");
  }
  await cell.client.close();
  const counts = flow.follows ? [] : [plural(requests, "request")];
  const state = flow.leaves && !flow.follows ? [plural(prompts, "prompt"), plural(left, flow.leaves === "transactions" ? "transaction" : "order")] : [];
  return [said(outcome, patience?.aborted), ...counts, ...state].join("; ");
}
