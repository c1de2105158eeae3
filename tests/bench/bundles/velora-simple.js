// A whole gasless swap with the Velora SDK's simple constructor, on viem: price, approve, sign, post, poll.
import { constructSimpleSDK } from "@velora-dex/sdk";
import { createPublicClient, createWalletClient, custom, erc20Abi, formatUnits, getAddress, parseUnits } from "viem";

export { formatUnits, getAddress, parseUnits };

export function connect({ provider, account, chainId, apiURL, fetch }) {
  const viemClient = createWalletClient({ account, transport: custom(provider) });
  const sdk = constructSimpleSDK({ chainId, fetch, apiURL }, { viemClient, account });
  const reader = createPublicClient({ transport: custom(provider) });
  return { sdk, reader, viemClient };
}

export async function approveWhereNeeded({ sdk, reader }, { token, owner, amount }) {
  const spender = await sdk.delta.getDeltaContract();
  const allowance = await reader.readContract({ address: token, abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  if (allowance >= BigInt(amount)) return;
  await reader.waitForTransactionReceipt({ hash: await sdk.delta.approveTokenForDelta(amount, token) });
}

export async function swap({ sdk }, { request, slippage, deadline, nonce }) {
  const deltaPrice = await sdk.delta.getDeltaPrice(request);
  return sdk.delta.submitDeltaOrder({
    deltaPrice, slippage, deadline, nonce, owner: request.userAddress, srcToken: request.srcToken, destToken: request.destToken,
    srcAmount: request.amount,
  });
}

export function orderById({ sdk }, id) {
  return sdk.delta.getDeltaOrderById(id);
}
