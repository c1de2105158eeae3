// A gasless trade by the operator's SDK as npm has it. The SDK fetches, builds and posts; it has no wallet. What it built is
// checked by verified-swap/verify, and only then signed, by viem.
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { createWalletClient, erc20Abi, http, parseSignature, publicActions, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { init, verifyOrder } from "verified-swap/verify";

/** Refuses what differs from the request, and what nobody agrees to. Returns what may be signed. */
async function check({ request, known, agree }, price, built) {
  // A copy: what is checked is what is signed, whatever the SDK does with its own.
  const order = structuredClone(built);
  const report = verifyOrder({ request, quote: price, toSign: order, ...known });
  console.log(report.sentence);
  for (const { text } of report.questions) {
    if (!(await agree(text))) throw new Error(`Not agreed to: ${text}`);
  }
  return order;
}

/**
 * Price, order, check, approval, signature, post, until the order has ended. `known` is what the caller knows beside the
 * request: a `reference` price, `readings` of the chain, and `contracts` of one that is not pinned.
 */
export async function trade({ sdk, wallet, request, known, agree }) {
  const { srcToken, destToken, amount, account: owner, slippageBps: slippage, deadline, nonce } = request;
  const { srcDecimals, destDecimals } = request;
  await init();
  const price = await sdk.delta.getDeltaPrice({ srcToken, destToken, srcDecimals, destDecimals, amount, userAddress: owner });
  const terms = { owner, srcToken, destToken, srcAmount: amount, slippage, deadline, nonce, deltaPrice: price };
  const { domain, types, data } = await check({ request, known, agree }, price, await sdk.delta.buildDeltaOrder(terms));
  // Not the SDK's approveTokenForDelta, which asks the service once more whom to approve: this contract was checked.
  await approve(wallet, request, domain.verifyingContract);
  const long = await wallet.account.signTypedData({ domain, types, primaryType: "Order", message: data });
  // The service takes 64 bytes (ERC-2098).
  const signature = serializeCompactSignature(signatureToCompactSignature(parseSignature(long)));
  let order = await sdk.delta.postDeltaOrder({ order: data, signature });
  while (!["EXECUTED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"].includes(order.status)) {
    await setTimeout(1_000);
    order = await sdk.delta.getDeltaOrderById(order.id);
  }
  return order;
}

/** Lets the contract take exactly what is sold. */
async function approve(wallet, { account, srcToken, amount }, spender) {
  const token = { address: srcToken, abi: erc20Abi };
  const allowed = await wallet.readContract({ ...token, functionName: "allowance", args: [account, spender] });
  if (allowed >= BigInt(amount)) return;
  const hash = await wallet.writeContract({ ...token, functionName: "approve", args: [spender, BigInt(amount)] });
  const { status } = await wallet.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`The approval failed: ${hash}`);
}

/** The tokens' own decimals. Those of the package's table are known without. */
async function read(wallet, { srcToken, destToken }) {
  const decimals = (address) => wallet.readContract({ address, abi: erc20Abi, functionName: "decimals" });
  const [srcDecimals, destDecimals] = await Promise.all([decimals(srcToken), decimals(destToken)]);
  return { srcDecimals, destDecimals };
}

/** Asks on the terminal. At its end nobody agrees. */
async function ask(question) {
  console.log(`${question}\nSign all the same? y or n`);
  const lines = createInterface({ input: process.stdin });
  const { value } = await lines[Symbol.asyncIterator]().next();
  lines.close();
  return value === "y";
}

/** What to sell for what. */
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

async function main() {
  const { PRIVATE_KEY, REFERENCE, SANDBOX, RPC_URL = "https://mainnet.base.org" } = process.env;
  if (!PRIVATE_KEY) throw new Error("PRIVATE_KEY is not set");
  const { pair, apiURL, contracts, rpc } = SANDBOX ? await inSandbox(SANDBOX) : { pair: BASE, rpc: RPC_URL };
  const account = privateKeyToAccount(PRIVATE_KEY);
  const chain = { id: pair.chainId, name: "", nativeCurrency: {}, rpcUrls: {} };
  const wallet = createWalletClient({ account, chain, transport: http(rpc) }).extend(publicActions);
  // All that is signed is stated: what is left out may be anything, within bounds.
  const stated = { slippageBps: 50, deadline: Math.floor(Date.now() / 1_000) + 600, nonce: String(Date.now()), advanced: { metadata: "0x" } };
  const order = await trade({
    sdk: constructSimpleSDK({ chainId: pair.chainId, fetch, ...(apiURL && { apiURL }) }),
    wallet,
    request: { ...pair, account: account.address, ...stated },
    known: { reference: REFERENCE, readings: await read(wallet, pair), contracts },
    agree: ask,
  });
  console.log(`The order ended: ${order.status}.`);
  process.exitCode = order.status === "EXECUTED" ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
