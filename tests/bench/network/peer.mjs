/**
 * The trades by the service's own SDK on viem, as its documentation has them: what the service built is signed or sent as
 * it came; whether to approve first is the only read. It approves, waits for the receipt, and trades. The published SDK (9.5.4) has only the older endpoints of gasless
 * orders, so that these are by viem and by hand, with the requests that newer versions are documented to send.
 */
import { constructSimpleSDK, txParamsToViemTxParams } from "@velora-dex/sdk";
import { createPublicClient, createWalletClient, custom, erc20Abi, parseSignature, serializeCompactSignature, signatureToCompactSignature } from "viem";

export async function connect({ baseUrl, chainId, contracts, pair, slippageBps }, wallet) {
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  // As viem describes a chain of that block time: its clients then look for a receipt every second, otherwise every four.
  const chain = { id: chainId, name: "Sandbox", nativeCurrency, blockTime: 2_000, rpcUrls: { default: { http: [] } } };
  const account = wallet.address;
  const viemClient = createWalletClient({ account, chain, transport: custom(wallet) });
  const reader = createPublicClient({ chain, transport: custom(wallet) });
  const sdk = constructSimpleSDK({ chainId, fetch, apiURL: baseUrl }, { viemClient, account });

  const json = async (path, body) => {
    const init = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const response = await fetch(baseUrl + path, init);
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`);
    return response.json();
  };
  const isAllowed = async (token, spender, amount) => {
    const allowance = await reader.readContract({ address: token, abi: erc20Abi, functionName: "allowance", args: [account, spender] });
    return allowance >= BigInt(amount);
  };
  const approve = async (address, spender, amount) => {
    const hash = await viemClient.writeContract({ address, abi: erc20Abi, functionName: "approve", args: [spender, BigInt(amount)] });
    await reader.waitForTransactionReceipt({ hash });
  };

  return {
    async gasless(amount, mark, { look, review, pair: { srcToken, destToken, srcDecimals, destDecimals } = pair } = {}) {
      const asked = new URLSearchParams({ chainId, srcToken, destToken, amount, srcDecimals, destDecimals, side: "SELL", userAddress: account, partner: "anon" });
      const { route, spender } = await json(`/v2/delta/prices?${asked}`);
      mark("quote");
      await look?.();
      const mayTake = await isAllowed(srcToken, spender, amount);
      const deadline = Math.floor(Date.now() / 1000) + 1_200;
      const built = await json("/v2/delta/orders/build", { route, owner: account, side: "SELL", slippage: slippageBps, partner: "anon", deadline });
      await review?.();
      mark("click");
      if (!mayTake) await approve(srcToken, spender, amount);
      const { domain, types, value: message } = built.toSign;
      const signature = await viemClient.signTypedData({ domain, types, primaryType: "Order", message });
      const compact = serializeCompactSignature(signatureToCompactSignature(parseSignature(signature)));
      const order = await json("/v2/delta/orders", { order: message, signature: compact, chainId, partner: "anon", type: "MARKET" });
      if (order.orderHash !== built.orderHash || order.status !== "PENDING") throw new Error("the order was not posted");
    },
    async market(amount, mark, { pair: { srcToken, destToken, srcDecimals, destDecimals } = pair } = {}) {
      const tokens = { srcToken, destToken, srcDecimals, destDecimals };
      const priceRoute = await sdk.swap.getRate({ ...tokens, amount, userAddress: account, side: "SELL" });
      const mayTake = await isAllowed(srcToken, priceRoute.tokenTransferProxy, amount);
      // The service builds no transaction that it sees fail.
      if (!mayTake) mark("click");
      if (!mayTake) await approve(srcToken, priceRoute.tokenTransferProxy, amount);
      const built = await sdk.swap.buildTx({ ...tokens, srcAmount: amount, slippage: slippageBps, priceRoute, userAddress: account });
      if (mayTake) mark("click");
      await viemClient.sendTransaction(txParamsToViemTxParams(built));
    },
    async fill(orderHash, mark) {
      const order = await sdk.limitOrders.getLimitOrderByHash(orderHash);
      const mayTake = await isAllowed(order.takerAsset, contracts[chainId].rfq, order.takerAmount);
      mark("click");
      if (!mayTake) await approve(order.takerAsset, contracts[chainId].rfq, order.takerAmount);
      await sdk.limitOrders.fillOrderDirectly({ order, signature: order.signature });
    },
  };
}
