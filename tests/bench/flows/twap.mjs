/** A gasless order in slices: one price, one signature, traded part by part. */
import { recoverTypedDataAddress } from "viem";
import * as sdkOnViem from "../bundles/velora-all.js";
import { paperClient } from "./client.mjs";
import { readTheSame } from "./reads.mjs";

const SLICES = 4;
const INTERVAL_SECS = 60;

/** By this package: the slice's price and the order the service built are verified, signed, checked, posted. */
export async function ours(environment) {
  const { chainId, srcToken, destToken, deadline, slippageBps } = environment.world;
  const client = await paperClient(environment);
  const request = { chainId, srcToken, destToken, srcDecimals: 6, destDecimals: 18, numSlices: SLICES, intervalSecs: INTERVAL_SECS };
  return async (amount) => {
    const quote = await client.quote({ ...request, amount });
    const build = await client.build(quote, { slippageBps, deadline });
    const order = await client.submit(build);
    if (order.orderHash !== build.orderHash || order.onChainOrderType !== "TWAPOrder") throw new Error("the order was not posted");
  };
}

/** By Velora's SDK 9.5.4 on viem: built in the client, posted as the wallet gave it. */
export async function velora(environment) {
  return sdkFlow(environment, async () => {});
}

/** The same with this package's reads, made to check who signed. */
export async function veloraChecked(environment) {
  return sdkFlow(environment, async (connected, { domain, types, data: message }, signature) => {
    await readTheSame(connected, environment.wallet.questionsOf("ours"));
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: "TWAPOrder", message, signature });
    if (signer !== environment.wallet.address) throw new Error("another signer");
  });
}

async function sdkFlow({ wallet, fetch, world }, check) {
  const { chainId, baseUrl, srcToken, destToken, deadline, slippageBps } = world;
  const connected = sdkOnViem.connect({ provider: wallet, account: wallet.address, chainId, apiURL: baseUrl, fetch });
  const { sdk } = connected;
  return async (amount) => {
    const owner = wallet.address;
    const slice = String(BigInt(amount) / BigInt(SLICES));
    const deltaPrice = await sdk.delta.getDeltaPrice({ srcToken, destToken, amount: slice, userAddress: owner, srcDecimals: 6, destDecimals: 18, side: "SELL" });
    const orderData = await sdk.delta.buildTWAPDeltaOrder({
      onChainOrderType: "TWAPOrder", deltaPrice, owner, srcToken, destToken, totalSrcAmount: amount, slippage: slippageBps, deadline, nonce: amount,
      numSlices: SLICES, interval: INTERVAL_SECS,
    });
    const signature = await sdk.delta.signTWAPDeltaOrder(orderData);
    await check(connected, orderData, signature);
    const order = await sdk.delta.postTWAPDeltaOrder({ onChainOrderType: "TWAPOrder", signature, order: orderData.data, partner: "anon" });
    if (order.order.totalSrcAmount !== amount || order.status !== "NOT_STARTED") throw new Error("the order was not posted");
  };
}
