/** The questions of docs/sandbox.md that only signed orders answer. None of these orders is meant to be filled. */
import { summarizeOrder } from "verified-swap";
import { parseAbi } from "viem";
import { with65Bytes } from "./posts.mjs";
import { fromNative } from "./world.mjs";

const ABI = parseAbi(["function isNonceUsed(address owner, uint256 nonce) view returns (bool)"]);
const MINUTES_SECS = 600;
const SHORT_SECS = 120;

/** Whether the contract has the nonce of a filled order as used, before and after that block. */
export async function nonceAfterFill(node, delta, { owner, order: { nonce } }, blockNumber) {
  const call = { address: delta, abi: ABI, functionName: "isNonceUsed", args: [owner, BigInt(nonce)] };
  const at = (blockNumber) => node.readContract({ ...call, blockNumber });
  return `${await at(blockNumber - 1n)} before, ${await at(blockNumber)} after`;
}

/** Asks all of them; one that fails does not stop the others. Resolves to the post that was held back, if any. */
export async function readingsOfOrders(context, note) {
  const { client, request, posts, signal, say, account, node } = context;
  const attempt = async (topic, read) => {
    signal.throwIfAborted();
    say("", `Reading: ${topic}`);
    posts.answers.length = 0;
    try {
      const [reading, result] = await read();
      note(topic, reading);
      return result;
    } catch (error) {
      signal.throwIfAborted();
      note(topic, [...posts.answers, `ended by ${error.code ?? error.name}: ${error.message}`].join("; "));
      return null;
    }
  };
  // Twice the price: it rests. One amount for all of them: they are one intent, and have one nonce.
  const limitAmount = String(2n * BigInt((await client.quote(request, { signal })).destAmount));
  const rest = (validForSecs, more, through) => place(context, request, { limitAmount, validForSecs, ...more }, through);

  const first = await attempt("65 bytes of a signature, then 64", async () => {
    const order = await rest(MINUTES_SECS, {}, async (body, send) => {
      const answer = await send(with65Bytes(body));
      return answer.ok ? answer : send(body);
    });
    return [posts.answers.join("; then "), await cancelled(context, order)];
  });
  const again = async (before, validForSecs) => {
    const order = await rest(validForSecs, { existing: "replace" });
    return [`${order.order.nonce === before.order.nonce ? "" : "another nonce: "}${posts.answers.join("; then ")}`, order];
  };
  const second = first && (await attempt("a nonce posted again after a cancellation", async () => {
    const [reading, order] = await again(first, SHORT_SECS);
    say("The order is left to expire.");
    return [reading, await client.wait(order, { signal })];
  }));
  if (second) {
    await attempt("a nonce posted again after its order expired", async () => {
      const [reading, order] = await again(second, MINUTES_SECS);
      return [reading, await cancelled(context, order)];
    });
  }
  await attempt("an order that sells the native token", async () => {
    const selling = { ...fromNative(request), amount: (await node.getBalance({ address: account })) / 10n };
    const { destAmount } = await client.quote(selling, { signal });
    const order = await place(context, selling, { limitAmount: 2n * BigInt(destAmount), validForSecs: MINUTES_SECS });
    const answers = posts.answers.join("; after the deposit ");
    if (summarizeOrder(order).cancel) await cancelled(context, order);
    return [answers];
  });
  await attempt("an ExternalOrder whose handler refuses", async () => {
    // The sold token: it has no such function, and no fallback that takes any call.
    const external = { handler: request.srcToken, data: "0x" };
    const order = await place(context, request, { slippageBps: 100, validForSecs: SHORT_SECS, advanced: { external } });
    return [`${posts.answers}; it ends ${(await client.wait(order, { signal })).status}`];
  });
  return attempt("an order that is held until nothing is allowed", async () => {
    const stop = new AbortController();
    const held = {};
    const hold = (body, send) => {
      Object.assign(held, { body, send });
      stop.abort();
      throw new Error("held back");
    };
    const until = { ...context, signal: AbortSignal.any([signal, stop.signal]) };
    await place(until, request, { slippageBps: 100, validForSecs: MINUTES_SECS }, hold).catch((error) => {
      if (!held.body) throw error;
      held.orderHash = error.signedOrder?.orderHash;
    });
    return ["held", held];
  });
}

/** The answer to an order whose allowance is gone before it is posted. */
export async function refusedAllowance({ client, posts, signal }, held, note) {
  if (!held) return;
  const { ok } = await held.send(held.body);
  note("an allowance that is gone at the post", posts.answers.at(-1));
  if (ok) await cancelled({ client, signal }, await client.order(held.orderHash, { signal }));
  else await client.trades.abandon(held.orderHash);
}

/** The order once it is cancelled: by a signature, or where it sells the native token by a transaction. */
export async function cancelled({ client, signal }, order) {
  if (summarizeOrder(order).cancel === "signature") await client.cancel(order, { signal });
  else await client.wait(await client.submit(await client.buildCancellation(order, { signal }), { signal }), { signal });
  return client.wait(order, { signal });
}

/** Prices, builds, approves what is missing, signs and posts, by `through`. */
async function place({ client, posts, signal }, request, options, through = null) {
  const build = await client.build(await client.quote(request, { signal }), { ...options, signal });
  if (build.approval) await client.approve(build.approval, { signal });
  posts.through = through;
  try {
    return await client.submit(build, { signal });
  } finally {
    posts.through = null;
  }
}
