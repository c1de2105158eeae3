// The package in Node against the real sandbox: accounts with a wallet, and what the chain has.
import { encodeFunctionData, erc20Abi } from "viem";
import { createClient } from "verified-swap";
import { startSandbox } from "../package/sandbox.mjs";

export const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

/** A sandbox, and all that the walk through the service asks of it. */
export async function startWorld() {
  const sandbox = await startSandbox();
  const { chains, clientOptions, config: { accounts } } = sandbox;
  const [chain, elsewhere] = chains;
  const { contracts, rpc, advanced: { references } } = clientOptions;
  const token = (symbol, on = chain) => on.tokens.find((one) => one.symbol === symbol);
  const units = (amount, { decimals }) => (BigInt(Math.round(amount * 1e6)) * 10n ** BigInt(decimals)) / 1_000_000n;

  /** An EIP-1193 wallet of that account: the node's own, and the log of what it was asked. */
  const wallet = (account, chainId = chain.chainId) => {
    const asked = [];
    const request = async ({ method, params }) => {
      asked.push(method);
      if (method === "eth_accounts" || method === "eth_requestAccounts") return [account];
      return sandbox.rpc(chainId, method, params);
    };
    return { request, asked };
  };

  /** A client of an account, with everything beside the defaults in `more`. */
  const client = (account, { advanced, ...more } = {}) =>
    createClient({ ...clientOptions, account, wallet: wallet(account), ...more, advanced: { ...clientOptions.advanced, ...advanced } });

  const balance = async ({ address }, account, chainId = chain.chainId) => {
    if (address.toLowerCase() === NATIVE.toLowerCase()) {
      return BigInt(await sandbox.rpc(chainId, "eth_getBalance", [account, "latest"]));
    }
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [account] });
    return BigInt(await sandbox.rpc(chainId, "eth_call", [{ to: address, data }, "latest"]));
  };

  const fund = (account, which, amount, chainId = chain.chainId) =>
    sandbox.control("POST", "faucet", { chainId, address: account, token: which.address, amount: amount.toString() });

  /** A pair of tokens as a request names them. */
  const pair = (src, dest, more = {}) => ({
    chainId: chain.chainId,
    srcToken: src.address,
    destToken: dest.address,
    srcDecimals: src.decimals,
    destDecimals: dest.decimals,
    srcSymbol: src.symbol,
    destSymbol: dest.symbol,
    ...more,
  });

  const settings = (changes) => sandbox.control("POST", "settings", changes);
  const pass = (advanceSecs) => sandbox.control("POST", "time", { advanceSecs });
  return { sandbox, chain, elsewhere, accounts, contracts, references, rpc, token, units, wallet, client, balance, fund, pair, settings, pass };
}
