/** An EIP-1193 wallet of a key, by viem's client of it: in a page it is `window.ethereum`, or what a connector hands out. */
export function keyWallet(node) {
  const { account } = node;
  const own = {
    eth_accounts: () => [account.address],
    eth_requestAccounts: () => [account.address],
    eth_signTypedData_v4: ([, text]) => account.signTypedData(JSON.parse(text)),
    eth_sendTransaction: ([{ to, data, value = "0x0" }]) => node.sendTransaction({ to, data, value: BigInt(value) }),
  };
  return { request: async ({ method, params }) => (Object.hasOwn(own, method) ? own[method](params) : node.request({ method, params })) };
}
