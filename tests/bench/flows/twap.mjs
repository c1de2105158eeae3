/** A gasless order in slices: one price, one signature, traded part by part. */
import { createClient } from "verified-swap";
import { recoverTypedDataAddress } from "viem";
import * as sdkOnViem from "../bundles/velora-all.js";

const SLICES = 4;
const INTERVAL_SECS = 60;

/** By this package: the slice's price and the order the service built are verified, signed, checked, posted. */
export async function ours({ wallet, world }) {
  const { chainId, baseUrl, srcToken, destToken, deadline, slippageBps } = world;
  // The flow is measured, not the service's limit.
  const rateLimit = { perSecond: 1_000, burst: 1_000, perDay: 1_000_000 };
  const client = await createClient({ baseUrl, wallet, account: wallet.address, rpc: { [chainId]: wallet }, rateLimit });
  const request = { chainId, srcToken, destToken, srcDecimals: 6, destDecimals: 18, numSlices: SLICES, intervalSecs: INTERVAL_SECS };
  return async (amount) => {
    const quote = await client.quoteTwap({ ...request, amount });
    const build = await client.build(quote, { slippageBps, deadline });
    const order = await client.submit(build);
    if (order.orderHash !== build.orderHash || order.onChainOrderType !== "TWAPOrder") throw new Error("the order was not posted");
  };
}

/** By Velora's SDK 9.5.4 on viem: built in the client, posted as the wallet gave it. */
export async function velora(environment) {
  return sdkFlow(environment, async () => {});
}

/** The same, made to check who signed. */
export async function veloraChecked(environment) {
  return sdkFlow(environment, async ({ domain, types, data: message }, signature) => {
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: "TWAPOrder", message, signature });
    if (signer !== environment.wallet.address) throw new Error("another signer");
  });
}

async function sdkFlow({ wallet, fetch, world }, check) {
  const { chainId, baseUrl, srcToken, destToken, deadline, slippageBps } = world;
  const { sdk } = sdkOnViem.connect({ provider: wallet, account: wallet.address, chainId, apiURL: baseUrl, fetch });
  return async (amount) => {
    const owner = wallet.address;
    const slice = String(BigInt(amount) / BigInt(SLICES));
    const deltaPrice = await sdk.delta.getDeltaPrice({ srcToken, destToken, amount: slice, userAddress: owner, srcDecimals: 6, destDecimals: 18, side: "SELL" });
    const orderData = await sdk.delta.buildTWAPDeltaOrder({
      onChainOrderType: "TWAPOrder", deltaPrice, owner, srcToken, destToken, totalSrcAmount: amount, slippage: slippageBps, deadline, nonce: amount,
      numSlices: SLICES, interval: INTERVAL_SECS,
    });
    const signature = await sdk.delta.signTWAPDeltaOrder(orderData);
    await check(orderData, signature);
    const order = await sdk.delta.postTWAPDeltaOrder({ onChainOrderType: "TWAPOrder", signature, order: orderData.data, partner: "anon" });
    if (order.order.totalSrcAmount !== amount || order.status !== "NOT_STARTED") throw new Error("the order was not posted");
  };
}
