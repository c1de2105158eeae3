// An app on the operator's SDK as npm has it: the SDK fetches, builds, has the wallet sign and send, and posts. The wallet that it
// gets is a guard: what the user did not ask for does not get past it, whatever the service, the SDK, or its own data say.
import { pathToFileURL } from "node:url";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { createWalletClient, custom, erc20Abi, parseSignature, publicActions, serializeCompactSignature, signatureToCompactSignature } from "viem";
import { guard, init } from "verified-swap/verify";
import { keyWallet } from "./wallet.mjs";

/** The wallet, as the SDK gets it. `said.price` is what the service answered, once it did. */
function guardedWallet(provider, { request, known, agree }, said) {
  const { chainId, account, srcToken: token, amount } = request;
  const { contracts } = known;
  const order = () => ({ verifier: "verifyOrder", input: { request, quote: said.price, ...known } });
  const approval = { verifier: "verifyTransaction", input: { kind: "approval", contracts, request: { chainId, account, path: "delta", token, amount } } };
  return guard(provider, { request: () => [order(), approval], onPrompt: agree });
}

/**
 * Price, approval, order, until it has ended. `makeSdk` is given a wallet client of viem's. `known` is what the caller knows beside
 * the request: a `reference` price, `readings` of the chain, and `contracts` of one that is not pinned. `agree` is `onPrompt`.
 */
export async function trade({ provider, makeSdk, request, known, agree }) {
  const { chainId, srcToken, destToken, srcDecimals, destDecimals, amount, account: owner, slippageBps: slippage, deadline, nonce } = request;
  const said = {};
  await init();
  const transport = custom(guardedWallet(provider, { request, known, agree }, said));
  const chain = { id: chainId, name: "", nativeCurrency: {}, rpcUrls: {} };
  const wallet = createWalletClient({ account: owner, chain, transport, pollingInterval: 200 }).extend(publicActions);
  const sdk = makeSdk(wallet);
  const price = await sdk.delta.getDeltaPrice({ srcToken, destToken, srcDecimals, destDecimals, amount, userAddress: owner });
  // A copy: the SDK goes on with its own.
  said.price = structuredClone(price);
  const spender = await sdk.delta.getDeltaContract();
  const allowed = await wallet.readContract({ address: srcToken, abi: erc20Abi, functionName: "allowance", args: [owner, spender] });
  if (allowed < BigInt(amount)) {
    const { status } = await wallet.waitForTransactionReceipt({ hash: await sdk.delta.approveTokenForDelta(amount, srcToken) });
    if (status !== "success") throw new Error("The approval failed");
  }
  const built = await sdk.delta.buildDeltaOrder({ owner, srcToken, destToken, srcAmount: amount, slippage, deadline, nonce, deltaPrice: price });
  const long = await sdk.delta.signDeltaOrder(built);
  // The service takes 64 bytes (ERC-2098).
  const signature = serializeCompactSignature(signatureToCompactSignature(parseSignature(long)));
  let order = await sdk.delta.postDeltaOrder({ order: built.data, signature });
  while (!["EXECUTED", "FAILED", "EXPIRED", "CANCELLED", "REFUNDED"].includes(order.status)) {
    await setTimeout(1_000);
    order = await sdk.delta.getDeltaOrderById(order.id);
  }
  return order;
}

/** `onPrompt` on a terminal: each question, and the whole, is asked. At its end nobody agrees. */
function asking(lines) {
  const ask = async (text) => {
    console.log(`${text}\ny or n`);
    return (await lines.next()).value === "y";
  };
  return async ({ verdict, sentence, questions, findings }) => {
    const accept = [];
    for (const { id, text } of questions) if (await ask(text)) accept.push(id);
    const found = findings.filter(({ severity }) => severity === "caution" || severity === "danger").map(({ text }) => `\n- ${text}`);
    return (await ask(`${sentence} (${verdict})${found.join("")}`)) && { accept };
  };
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
  // Its tokens are in no table: their decimals are read of the chain in a real app.
  const readings = { srcDecimals: pair.srcDecimals, destDecimals: pair.destDecimals };
  return { pair, apiURL: url, readings, contracts: clientOptions.contracts, rpc: clientOptions.rpc[pair.chainId] };
}

async function main() {
  const { PRIVATE_KEY: privateKey, REFERENCE, SANDBOX, RPC_URL = "https://mainnet.base.org" } = process.env;
  if (!privateKey) throw new Error("PRIVATE_KEY is not set");
  const { pair, apiURL, readings, contracts, rpc } = SANDBOX ? await inSandbox(SANDBOX) : { pair: BASE, rpc: RPC_URL };
  const { chainId } = pair;
  const provider = keyWallet({ privateKey, rpc, chainId });
  const [account] = await provider.request({ method: "eth_accounts" });
  const lines = createInterface({ input: process.stdin });
  // All that is signed is stated: what is left out may be anything, within bounds.
  const stated = { slippageBps: 50, deadline: Math.floor(Date.now() / 1_000) + 600, nonce: String(Date.now()), advanced: { metadata: "0x" } };
  const order = await trade({
    provider,
    makeSdk: (viemClient) => constructSimpleSDK({ chainId, fetch, ...(apiURL && { apiURL }) }, { viemClient, account }),
    request: { ...pair, account, ...stated },
    known: { reference: REFERENCE, readings, contracts },
    agree: asking(lines[Symbol.asyncIterator]()),
  });
  lines.close();
  console.log(`The order ended: ${order.status}.`);
  process.exitCode = order.status === "EXECUTED" ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) await main();
