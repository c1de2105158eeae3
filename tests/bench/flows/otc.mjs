/** A maker's OTC order for one taker: built in the client, signed, posted. */
import { recoverTypedDataAddress } from "viem";
import * as sdkOnViem from "../bundles/velora-all.js";
import { paperClient } from "./client.mjs";
import { readTheSame } from "./reads.mjs";

const TAKER = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const TAKER_AMOUNT = "27200000000000000";

/** By this package: the tokens' decimals, the clock, balance and allowance are read, the signature is checked. */
export async function ours(environment) {
  const { chainId, srcToken, destToken, deadline } = environment.world;
  const client = await paperClient(environment);
  const request = {
    chainId, makerAsset: srcToken, takerAsset: destToken, takerAmount: TAKER_AMOUNT, makerDecimals: 6, takerDecimals: 18, taker: TAKER, expiry: deadline,
  };
  return async (amount) => {
    const build = await client.otc.build({ ...request, makerAmount: amount });
    const order = await client.submit(build);
    if (build.approval !== null || order.orderHash !== build.orderHash || order.state !== "PENDING") throw new Error("the order was not posted");
  };
}

/** By Velora's SDK 9.5.4 on viem: posted as the wallet gave it. */
export async function velora(environment) {
  return sdkFlow(environment, async () => {});
}

/** The same with this package's reads, made to check who signed. */
export async function veloraChecked(environment) {
  return sdkFlow(environment, async (connected, { domain, types, data: message }, signature) => {
    await readTheSame(connected, environment.wallet.questionsOf("ours"));
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: "Order", message, signature });
    if (signer !== environment.wallet.address) throw new Error("another signer");
  });
}

async function sdkFlow({ wallet, fetch, world }, check) {
  const { chainId, baseUrl, srcToken, destToken, deadline } = world;
  const connected = sdkOnViem.connect({ provider: wallet, account: wallet.address, chainId, apiURL: baseUrl, fetch });
  const { sdk } = connected;
  const terms = { expiry: deadline, makerAsset: srcToken, takerAsset: destToken, takerAmount: TAKER_AMOUNT, maker: wallet.address, taker: TAKER };
  return async (amount) => {
    const orderData = await sdk.limitOrders.buildLimitOrder({ ...terms, makerAmount: amount, nonce: Number(amount) });
    const signature = await sdk.limitOrders.signLimitOrder(orderData);
    await check(connected, orderData, signature);
    const order = await sdk.limitOrders.postP2POrder({ ...orderData.data, signature });
    if (order.makerAmount !== amount || order.state !== "PENDING") throw new Error("the order was not posted");
  };
}
