// The parts that both ways share: the SDK's calls around the signature, viem's wallet, and a run from the command line.
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { createWalletClient, erc20Abi, http, parseSignature, publicActions, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";

/** A wallet client of viem's, which also reads the chain. */
export function walletOf(account, chainId, transport) {
  const chain = { id: chainId, name: "", nativeCurrency: {}, rpcUrls: {} };
  return createWalletClient({ account, chain, transport, pollingInterval: 200 }).extend(publicActions);
}

/** The SDK's price for a request. */
export function askPrice(sdk, { srcToken, destToken, srcDecimals, destDecimals, amount, account }) {
  return sdk.delta.getDeltaPrice({ srcToken, destToken, srcDecimals, destDecimals, amount, userAddress: account });
}

/** The SDK's order for a request, at that price. */
export function build(sdk, { srcToken, destToken, amount, account, slippageBps, deadline, nonce }, deltaPrice) {
  return sdk.delta.buildDeltaOrder({ owner: account, srcToken, destToken, srcAmount: amount, slippage: slippageBps, deadline, nonce, deltaPrice });
}

/** Whether the contract may take what is sold already. */
export async function isAllowed(wallet, { account, srcToken, amount }, spender) {
  return (await wallet.readContract({ address: srcToken, abi: erc20Abi, functionName: "allowance", args: [account, spender] })) >= BigInt(amount);
}

/** Waits until an approval is in the chain. */
export async function confirm(wallet, hash) {
  const { status } = await wallet.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`The approval failed: ${hash}`);
}

/** Posts an order with its signature of 65 bytes, and follows it until it has ended. */
export async function post(sdk, data, long) {
  // The service takes 64 bytes (ERC-2098).
  const signature = serializeCompactSignature(signatureToCompactSignature(parseSignature(long)));
  let order = await sdk.delta.postDeltaOrder({ order: data, signature });
  while (!["EXECUTED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"].includes(order.status)) {
    await setTimeout(1_000);
    order = await sdk.delta.getDeltaOrderById(order.id);
  }
  return order;
}

/** The tokens' own decimals. Those of the package's table are known without. */
async function readDecimals(wallet, { srcToken, destToken }) {
  const decimals = (address) => wallet.readContract({ address, abi: erc20Abi, functionName: "decimals" });
  const [srcDecimals, destDecimals] = await Promise.all([decimals(srcToken), decimals(destToken)]);
  return { srcDecimals, destDecimals };
}

/** The token to sell, and the one to buy. */
const BASE = {
  chainId: 8453,
  srcToken: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913", srcDecimals: 6, srcSymbol: "USDC",
  destToken: "0x4200000000000000000000000000000000000006", destDecimals: 18, destSymbol: "WETH",
  amount: "100000000",
};

/** The same in a sandbox: its URL, or a checkout. */
async function inSandbox(checkout) {
  const { startSandbox } = await import("verified-swap/testing");
  const { url, clientOptions, ...sandbox } = await startSandbox({ checkout });
  const pair = sandbox.request("USDC", "WETH", "100");
  return { pair, apiURL: url, contracts: clientOptions.contracts, rpc: clientOptions.rpc[pair.chainId] };
}

/**
 * Trades by the settings of the environment, if `module` is the script that was started. `trade` gets the wallet, the SDK's
 * `options`, the request, what is `known` beside it, and `ask`, which is true after a y on the terminal.
 */
export async function main(module, trade) {
  if (module !== pathToFileURL(process.argv[1] ?? "").href) return;
  const { PRIVATE_KEY, REFERENCE: reference, SANDBOX, RPC_URL = "https://mainnet.base.org" } = process.env;
  if (!PRIVATE_KEY) throw new Error("PRIVATE_KEY is not set");
  const { pair, apiURL, contracts, rpc } = SANDBOX ? await inSandbox(SANDBOX) : { pair: BASE, rpc: RPC_URL };
  const { chainId } = pair;
  const wallet = walletOf(privateKeyToAccount(PRIVATE_KEY), chainId, http(rpc));
  const terminal = createInterface({ input: process.stdin });
  const lines = terminal[Symbol.asyncIterator]();
  // The terminal's end is a no.
  const ask = async (question) => {
    console.log(`${question}\ny or n`);
    return (await lines.next()).value === "y";
  };
  // All that is signed is stated: what is left out may be anything, within bounds.
  const stated = { slippageBps: 50, deadline: Math.floor(Date.now() / 1_000) + 600, nonce: String(Date.now()), advanced: { metadata: "0x" } };
  const order = await trade({
    wallet,
    options: { chainId, fetch, ...(apiURL && { apiURL }) },
    request: { ...pair, account: wallet.account.address, ...stated },
    known: { reference: reference && { src: pair.srcToken, dest: pair.destToken, price: reference }, readings: await readDecimals(wallet, pair), contracts },
    ask,
  });
  terminal.close();
  console.log(`The order ended: ${order.status}.`);
  process.exitCode = order.status === "EXECUTED" ? 0 : 1;
}
