/** A Market swap: priced and built by the service, sent by the wallet. */
import { decodeFunctionData } from "viem";
import * as sdkOnViem from "../bundles/velora-all.js";
import { ROUTER } from "../orders.mjs";
import { ROUTER_ABI } from "../paper-market.mjs";
import { paperClient } from "./client.mjs";
import { readTheSame } from "./reads.mjs";

/** By this package: route and calldata verified, balance and allowance read, tried by `eth_call`, sent. */
export async function ours(environment) {
  const { chainId, srcToken, destToken, slippageBps } = environment.world;
  const client = await paperClient(environment);
  return async (amount) => {
    const quote = await client.quote({ chainId, srcToken, destToken, amount, srcDecimals: 6, destDecimals: 18, mode: "MARKET" });
    const build = await client.build(quote, { slippageBps });
    const sent = await client.submit(build);
    if (build.approval !== null || sent.kind !== "sent" || sent.status !== "PENDING") throw new Error("the swap was not sent");
  };
}

/** By Velora's SDK 9.5.4 on viem: what the service built is sent as it came. */
export async function velora(environment) {
  return sdkFlow(environment, async () => {});
}

/** The same with this package's reads, made to check the router's call (in this one of its methods), and that it would go through. */
export async function veloraChecked(environment) {
  return sdkFlow(environment, async (connected, transaction, amount) => {
    const { wallet, world } = environment;
    const same = (left, right) => {
      if (String(left).toLowerCase() !== String(right).toLowerCase()) throw new Error(`${left} in place of ${right}`);
    };
    const { functionName, args } = decodeFunctionData({ abi: ROUTER_ABI, data: transaction.data });
    const [, trade, partnerAndFee, permit] = args;
    same(functionName, "swapExactAmountIn");
    same(transaction.to, ROUTER);
    same(transaction.from, wallet.address);
    same(transaction.value, "0");
    same(trade.srcToken, world.srcToken);
    same(trade.destToken, world.destToken);
    same(trade.fromAmount, amount);
    same(trade.beneficiary, `0x${"0".repeat(40)}`);
    same(permit, "0x");
    if (trade.toAmount * 10_000n < trade.quotedAmount * BigInt(10_000 - world.slippageBps)) throw new Error("more slippage");
    if ((partnerAndFee & 0x3fffn) > 1n) throw new Error("another fee");
    await readTheSame(connected, wallet.questionsOf("ours"));
    await connected.reader.call({ account: wallet.address, to: transaction.to, data: transaction.data, value: 0n });
  });
}

async function sdkFlow({ wallet, fetch, world }, check) {
  const { chainId, baseUrl, srcToken, destToken, slippageBps } = world;
  const connected = sdkOnViem.connect({ provider: wallet, account: wallet.address, chainId, apiURL: baseUrl, fetch });
  const request = { srcToken, destToken, userAddress: wallet.address, srcDecimals: 6, destDecimals: 18, side: "SELL" };
  return async (amount) => {
    const transaction = await sdkOnViem.marketTransaction(connected, { request: { ...request, amount }, slippage: slippageBps });
    await check(connected, transaction, amount);
    const hash = await sdkOnViem.send(connected, transaction);
    if (hash.length !== 66) throw new Error("the swap was not sent");
  };
}
