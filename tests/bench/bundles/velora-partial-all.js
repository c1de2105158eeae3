// Every path from the SDK's single handlers and viem's single actions, as small as their documentation lets it be.
import {
  constructApproveToken, constructApproveTokenForDelta, constructApproveTokenForLimitOrder, constructBuildTx, constructCancelDeltaOrder,
  constructCancelLimitOrder, constructDeltaTokenModule, constructFetchFetcher, constructFillOrderDirectly, constructGetBridgeInfo,
  constructGetDeltaOrders, constructGetDeltaPrice, constructGetLimitOrders, constructGetRate, constructGetTokens,
  constructIsTokenSupportedInDelta, constructPartialSDK, constructPreSignDeltaOrder, constructSubmitDeltaOrder,
  constructSubmitExternalDeltaOrder, constructSubmitLimitOrder, constructSubmitTWAPDeltaOrder, constructSwapTx,
  constructViemContractCaller, txParamsToViemTxParams,
} from "@velora-dex/sdk";
import { createClient, custom, formatUnits, getAddress, parseUnits } from "viem";
import { readContract, sendTransaction, signTypedData, waitForTransactionReceipt, writeContract } from "viem/actions";
import { base } from "viem/chains";

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
    constructGetDeltaPrice, constructSubmitDeltaOrder, constructSubmitTWAPDeltaOrder, constructSubmitExternalDeltaOrder,
    constructPreSignDeltaOrder, constructGetDeltaOrders, constructCancelDeltaOrder, constructApproveTokenForDelta,
    constructDeltaTokenModule, constructGetBridgeInfo, constructIsTokenSupportedInDelta,
    constructGetRate, constructBuildTx, constructSwapTx, constructApproveToken, constructGetTokens,
    constructSubmitLimitOrder, constructGetLimitOrders, constructCancelLimitOrder, constructFillOrderDirectly, constructApproveTokenForLimitOrder,
  );
  return { sdk, client };
}

export function send({ client }, transaction) {
  return sendTransaction(client, { ...txParamsToViemTxParams(transaction), account: client.account, chain: base });
}

export function mined({ client }, hash) {
  return waitForTransactionReceipt(client, { hash });
}
