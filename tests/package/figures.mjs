/** Trades whose figures are compared from stage to stage. */
import assert from "node:assert/strict";
import { setTimeout } from "node:timers/promises";
import { createClient } from "verified-swap";
import { funded, sandbox, walletOf } from "./swapping.mjs";

export const PACE = { intervalMs: 50, maxIntervalMs: 200 };
export const SLIPPAGE = 100;
/** Contracts round the fee down, the package rounds down what is left: each transaction differs by a unit or two. */
const ROUNDING = 2n;

/** A user who agrees to everything. */
export const accepted = ({ report }) => ({ accept: report.questions.map(({ id }) => id) });

/** A client of an account with so much of the token. */
export async function trader(token, amount) {
  const account = await funded(token, amount);
  const { request } = walletOf(account);
  const client = await createClient({ ...sandbox.config.clientOptions, wallet: { request } });
  const approved = async (build) => {
    if (build.approval) await client.approve(build.approval, accepted(build));
    return build;
  };
  return { account, client, request, approved };
}

export function near(actual, expected, what, most = ROUNDING) {
  const apart = BigInt(actual) - BigInt(expected);
  assert.ok(apart <= most && apart >= -most, `${what}: ${actual}, not ${expected}`);
}

/** Every one of three slices, each when it is due. */
export async function sliced(client, order, slicesOf) {
  for (let [done, seen] = [1, order]; done < 3; seen = await client.order(order.id)) {
    await setTimeout(50);
    if (slicesOf(seen).done < done) continue;
    await sandbox.control("POST", "time", { advanceSecs: 60 });
    done += 1;
  }
  return client.wait(order, PACE);
}
