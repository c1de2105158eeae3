/** One funded trade in a sandbox, and the proof on chain that it happened. */
import assert from "node:assert/strict";
import { encodeFunctionData, erc20Abi } from "viem";

/** Settings for `swap`: 100 units of one token for another, the account funded with exactly that. */
export async function fundedTrade(sandbox, accountNumber = 0) {
  const [chain] = sandbox.config.chains;
  const account = sandbox.config.accounts[accountNumber];
  const [source, destination] = ["permit", "plain"].map((kind) => chain.tokens.find((token) => token.kind === kind));
  const amount = (100n * 10n ** BigInt(source.decimals)).toString();
  await sandbox.control("POST", "faucet", { chainId: chain.chainId, address: account, token: source.address, amount });
  const settings = {
    baseUrl: sandbox.url,
    rpcUrl: `${sandbox.url}/rpc/${chain.chainId}`,
    chainId: chain.chainId,
    contracts: { [chain.chainId]: { delta: chain.delta, wrappedNative: chain.wrappedNative } },
    references: { [chain.chainId]: chain.references },
    account,
    tokens: [source, destination].map(({ address, symbol, decimals }) => ({ chainId: chain.chainId, address, symbol, decimals })),
    request: {
      chainId: chain.chainId,
      srcToken: source.address,
      destToken: destination.address,
      amount,
      srcDecimals: source.decimals,
      destDecimals: destination.decimals,
    },
  };
  const held = ({ address }) => balance(sandbox, { chainId: chain.chainId, address }, account);
  return { settings, source, destination, before: { source: await held(source), destination: await held(destination) }, held };
}

/** The swap's own result against the chain's balances. */
export async function assertSwapped(trade, result) {
  assert.equal(result.status, "COMPLETED");
  assert.equal((await trade.held(trade.source)) - trade.before.source, -BigInt(trade.settings.request.amount));
  const received = (await trade.held(trade.destination)) - trade.before.destination;
  assert.ok(received > 0n && received >= BigInt(result.minReceived), `received ${received} of at least ${result.minReceived}`);
  assert.equal(result.prompts.filter((method) => method === "eth_signTypedData_v4").length, 1);
}

/** The balance of the account by the chain itself. */
export async function balance(sandbox, { chainId, address }, account) {
  if (/^0xe{40}$/i.test(address)) return BigInt(await sandbox.rpc(chainId, "eth_getBalance", [account, "latest"]));
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
  return BigInt(await sandbox.rpc(chainId, "eth_call", [{ to: address, data }, "latest"]));
}
