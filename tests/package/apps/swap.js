/**
 * What every consumer app does with the package: one whole swap. `createClient` comes from the app, because how it is
 * imported is what the apps differ in; `rpc(method, params)` reaches the sandbox's node.
 */
export async function swap(createClient, { baseUrl, chainId, contracts, account, request }, rpc) {
  const prompts = [];
  const wallet = {
    async request({ method, params }) {
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
      if (method === "eth_signTypedData_v4" || method === "eth_sendTransaction") prompts.push(method);
      return rpc(method, params ?? []);
    },
  };
  const client = await createClient({ baseUrl, wallet, account, rpc: { [chainId]: wallet }, contracts });
  try {
    const quote = await client.quote(request);
    // Through JSON, as app state and storage do it.
    const build = await client.build(JSON.parse(JSON.stringify(quote)), { slippageBps: 100 });
    if (build.approval) await client.approve(build.approval);
    const order = await client.wait(await client.submit(build), { intervalMs: 200 });
    return { status: order.status, orderHash: order.orderHash, minReceived: build.minReceived, prompts };
  } finally {
    client.close();
  }
}
