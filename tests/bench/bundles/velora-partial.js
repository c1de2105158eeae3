// The same swap from the SDK's single handlers and viem's single actions, as small as their documentation lets it be.
import {
  constructApproveTokenForDelta, constructFetchFetcher, constructGetDeltaOrders, constructGetDeltaPrice, constructPartialSDK,
  constructSubmitDeltaOrder, constructViemContractCaller,
} from "@velora-dex/sdk";
import { createClient, custom, erc20Abi, formatUnits, getAddress, parseUnits } from "viem";
import { getChainId, readContract, signTypedData, waitForTransactionReceipt, writeContract } from "viem/actions";

export { formatUnits, getAddress, parseUnits };

export function connect({ provider, account, chainId, apiURL, fetch }) {
  const client = createClient({ account, transport: custom(provider) });
  const viemClient = {
    account: client.account,
    signTypedData: (parameters) => signTypedData(client, parameters),
    writeContract: (parameters) => writeContract(client, parameters),
    readContract: (parameters) => readContract(client, parameters),
  };
  const sdk = constructPartialSDK(
    { chainId, apiURL, fetcher: constructFetchFetcher(fetch), contractCaller: constructViemContractCaller(viemClient, account) },
    constructGetDeltaPrice, constructSubmitDeltaOrder, constructGetDeltaOrders, constructApproveTokenForDelta,
  );
  return { sdk, client };
}

export async function approveWhereNeeded({ sdk, client }, { token, owner, spender, amount, chainId }) {
  if ((await getChainId(client)) !== chainId) throw new Error("another chain");
  const allowance = await readContract(client, { address: token, abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  if (allowance >= BigInt(amount)) return;
  await waitForTransactionReceipt(client, { hash: await sdk.approveTokenForDelta(amount, token) });
}

export async function swap({ sdk }, { request, slippage, deadline, nonce }) {
  const deltaPrice = await sdk.getDeltaPrice(request);
  return sdk.submitDeltaOrder({
    deltaPrice, slippage, deadline, nonce, owner: request.userAddress, srcToken: request.srcToken, destToken: request.destToken,
    srcAmount: request.amount,
  });
}

export function orderById({ sdk }, id) {
  return sdk.getDeltaOrderById(id);
}
