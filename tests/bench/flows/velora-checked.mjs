/** The SDK's swap with this package's reads, made to check what it checks of the signature: the digest, and who signed. */
import { recoverTypedDataAddress } from "viem";
import { readTheSame } from "./reads.mjs";
import { veloraFlow } from "./velora.mjs";

export async function connect(environment) {
  return veloraFlow(environment, async ({ sdk, ...connected }, orderData) => {
    await readTheSame(connected, environment.wallet.questionsOf("ours"));
    const signature = await sdk.delta.signDeltaOrder(orderData);
    const { domain, types, data: message } = orderData;
    const signer = await recoverTypedDataAddress({ domain, types, primaryType: "Order", message, signature });
    if (signer !== environment.wallet.address) throw new Error("another signer");
    return signature;
  });
}
