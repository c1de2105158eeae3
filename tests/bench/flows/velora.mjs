/** One whole swap by Velora's SDK 9.5.4 on viem: priced, built in the client, signed, posted as the wallet gave it. */
import * as simple from "../bundles/velora-simple.js";

export async function connect(environment) {
  return veloraFlow(environment, ({ sdk }, orderData) => sdk.delta.signDeltaOrder(orderData));
}

export async function veloraFlow({ wallet, fetch, world }, sign) {
  const { chainId, baseUrl, srcToken, destToken, deadline, slippageBps } = world;
  const connected = simple.connect({ provider: wallet, account: wallet.address, chainId, apiURL: baseUrl, fetch });
  const { sdk } = connected;
  return async (amount) => {
    const userAddress = wallet.address;
    const deltaPrice = await sdk.delta.getDeltaPrice({ srcToken, destToken, amount, userAddress, srcDecimals: 6, destDecimals: 18, side: "SELL" });
    const orderData = await sdk.delta.buildDeltaOrder({
      deltaPrice, owner: userAddress, srcToken, destToken, srcAmount: amount, slippage: slippageBps, deadline, nonce: amount,
    });
    const signature = await sign(connected, orderData);
    const order = await sdk.delta.postDeltaOrder({ signature, order: orderData.data, partner: "anon" });
    if (order.order.srcAmount !== amount || order.status !== "NOT_STARTED") throw new Error("the swap was not posted");
    return order;
  };
}
