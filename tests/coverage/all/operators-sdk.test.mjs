// The operator's own SDK, as it is published, against the sandbox: neither of the two was written for the other. It parses
// routes, so that the sandbox has to take them as JSON.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { constructSimpleSDK } from "@velora-dex/sdk";
import { createWalletClient, erc20Abi, http, publicActions } from "viem";
import { startSandbox } from "../../package/sandbox.mjs";

const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";

let sandbox, chain, account, viemClient, sdk;

before(async () => {
  sandbox = await startSandbox();
  [chain] = sandbox.config.chains;
  [, account] = sandbox.config.accounts;
  await sandbox.control("POST", "settings", { routes: "json" });
  const { chainId: id, name } = chain;
  const url = sandbox.url + chain.rpc;
  const nativeCurrency = { name: "Ether", symbol: "ETH", decimals: 18 };
  const node = { id, name, nativeCurrency, rpcUrls: { default: { http: [url] } } };
  viemClient = createWalletClient({ account, chain: node, transport: http(url), pollingInterval: 50 }).extend(publicActions);
  const options = { chainId: id, fetch, apiURL: sandbox.url, version: "6.2" };
  sdk = constructSimpleSDK(options, { viemClient, account });
});
after(() => sandbox?.stop());

const token = (symbol) => chain.tokens.find((one) => one.symbol === symbol);

const balance = (which) =>
  which.address === NATIVE
    ? viemClient.getBalance({ address: account })
    : viemClient.readContract({ address: which.address, abi: erc20Abi, functionName: "balanceOf", args: [account] });

for (const [side, from, to, amount] of [
  ["SELL", "USDC", "DAI", 10n ** 8n],
  ["BUY", "USDC", "DAI", 10n ** 20n],
  ["SELL", "ETH", "USDC", 10n ** 16n],
  ["BUY", "ETH", "USDC", 10n ** 8n],
]) {
  test(`it ${side === "SELL" ? "sells" : "buys"} on the market, ${from} for ${to}`, async () => {
    const [src, dest] = [token(from), token(to)];
    const pair = { srcToken: src.address, destToken: dest.address, srcDecimals: src.decimals, destDecimals: dest.decimals };
    const priceRoute = await sdk.swap.getRate({
      ...pair, amount: String(amount), userAddress: account, side, options: { excludeContractMethods: ["simpleSwap"] },
    });
    if (src.address !== NATIVE) {
      const hash = await sdk.swap.approveToken(String(2n ** 128n), src.address);
      await viemClient.waitForTransactionReceipt({ hash });
    }
    const fixed = side === "SELL" ? { srcAmount: String(amount) } : { destAmount: String(amount) };
    const built = await sdk.swap.buildTx({ ...pair, ...fixed, slippage: 100, priceRoute, userAddress: account });
    const before = await balance(dest);
    const { to: router, data, value } = built;
    const hash = await viemClient.sendTransaction({ to: router, data, value: BigInt(value) });
    const { status } = await viemClient.waitForTransactionReceipt({ hash });
    assert.equal(status, "success");
    const received = (await balance(dest)) - before;
    const least = side === "SELL" ? (BigInt(priceRoute.destAmount) * 99n) / 100n : amount;
    assert.ok(received >= least, `${received} of at least ${least}`);
  });
}

test("it cannot return a route byte for byte", async () => {
  await sandbox.control("POST", "settings", { routes: "verbatim" });
  const [src, dest] = [token("USDC"), token("DAI")];
  const pair = { srcToken: src.address, destToken: dest.address, srcDecimals: src.decimals, destDecimals: dest.decimals };
  const amount = "100000000";
  const priceRoute = await sdk.swap.getRate({ ...pair, amount, userAddress: account, side: "SELL" });
  await assert.rejects(sdk.swap.buildTx({ ...pair, srcAmount: amount, slippage: 100, priceRoute, userAddress: account }));
  await sandbox.control("POST", "settings", { routes: "json" });
});

test("its other reads work", async () => {
  const { address: usdc } = token("USDC");
  assert.equal((await sdk.swap.getContracts()).AugustusSwapper.toLowerCase(), chain.router.toLowerCase());
  assert.ok((await sdk.swap.getTokens()).some(({ address }) => address.toLowerCase() === usdc.toLowerCase()));
});
