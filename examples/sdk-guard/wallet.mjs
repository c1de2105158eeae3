// An EIP-1193 wallet of a key, for this example: in a page it is `window.ethereum`, or what a connector hands out.
import { createWalletClient, http, publicActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";

export function keyWallet({ privateKey, rpc, chainId }) {
  const account = privateKeyToAccount(privateKey);
  const chain = { id: chainId, name: "", nativeCurrency: {}, rpcUrls: {} };
  const node = createWalletClient({ account, chain, transport: http(rpc) }).extend(publicActions);
  const own = {
    eth_accounts: () => [account.address],
    eth_requestAccounts: () => [account.address],
    eth_signTypedData_v4: ([, text]) => account.signTypedData(JSON.parse(text)),
    eth_sendTransaction: ([{ to, data, value = "0x0" }]) => node.sendTransaction({ to, data, value: BigInt(value) }),
  };
  return { request: async ({ method, params }) => (Object.hasOwn(own, method) ? own[method](params) : node.request({ method, params })) };
}
