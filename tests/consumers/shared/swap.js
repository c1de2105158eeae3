/**
 * The use of the package by every consumer app: one whole trade. `createClient` comes from the app, because how it is
 * imported is what the apps differ in.
 */
export async function swap(createClient, settings) {
  const { account, request } = settings;
  const prompts = [];
  const client = await createClient({ ...optionsOf(settings), wallet: walletOf(settings, prompts), account });
  try {
    const sentences = [];
    const { order, build } = await client.trade(request, {
      slippageBps: 100,
      intervalMs: 200,
      onReview: ({ sentence }) => sentences.push(sentence) > 0,
    });
    return { status: order.status, orderHash: order.orderHash, minReceived: build.minReceived, sentences, prompts };
  } finally {
    client.close();
  }
}

/** The options of a client for the sandbox. */
export function optionsOf({ baseUrl, rpcUrl, chainId, contracts, references }) {
  return { baseUrl, rpc: { [chainId]: rpcUrl }, contracts, advanced: { references } };
}

/** A wallet that agrees to everything, and notes it in `prompts`. */
export function walletOf({ account, rpcUrl }, prompts) {
  return {
    async request({ method, params = [] }) {
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
      if (method === "eth_signTypedData_v4" || method === "eth_sendTransaction") prompts.push(method);
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
      const answer = await fetch(rpcUrl, { method: "POST", body, headers: { "content-type": "application/json" } });
      const { result, error } = await answer.json();
      if (error) throw Object.assign(new Error(error.message), error);
      return result;
    },
  };
}

/** Reports to the test how a page's work went. */
export function report(work) {
  work.then(
    (value) => (window.result = { value }),
    (error) => (window.result = { error: `${error.code ?? ""} ${error.field ?? ""} ${error.stack} ${error.cause?.stack ?? ""}` }),
  );
}
