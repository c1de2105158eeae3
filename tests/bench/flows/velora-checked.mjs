/** The SDK's swap, made to check what this package checks of the signature: the digest, and who signed it, by viem. */
import { recoverTypedDataAddress } from "viem";
import { veloraFlow } from "./velora.mjs";

export async function connect(environment) {
  return veloraFlow(environment, async (sdk, orderData) => {
    const signature = await sdk.delta.signDeltaOrder(orderData);
    const { domain, types, data: message } = orderData;
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: "Order", message, signature });
    if (signer !== environment.wallet.address) throw new Error("another signer");
    return signature;
  });
}
