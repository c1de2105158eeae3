// Every path with the Velora SDK's simple constructor, on viem: gasless swaps and orders in slices, Market, OTC.
import { txParamsToViemTxParams } from "@velora-dex/sdk";
import { base } from "viem/chains";

export * from "./velora-simple.js";

export async function marketTransaction({ sdk }, { request, slippage }) {
  const priceRoute = await sdk.swap.getRate(request);
  const { srcToken, destToken, amount, srcDecimals, destDecimals, userAddress } = request;
  return sdk.swap.buildTx({ priceRoute, srcToken, destToken, srcAmount: amount, srcDecimals, destDecimals, slippage, userAddress });
}

export function send({ viemClient }, transaction) {
  return viemClient.sendTransaction({ ...txParamsToViemTxParams(transaction), account: viemClient.account, chain: base });
}

export function orderInSlices({ sdk }, parameters) {
  return sdk.delta.submitTWAPDeltaOrder(parameters);
}

export function offer({ sdk }, parameters) {
  return sdk.limitOrders.submitP2POrder(parameters);
}
