/** The paper service's Market side: a price route and the router's calldata for it, encoded by viem. */
import { encodeFunctionData, parseAbi } from "viem";
import { CHAIN_ID, ROUTER, USDC, WETH } from "./orders.mjs";
import { bought, dollars, less } from "./paper-prices.mjs";

/** The router's generic method, version 6.2. */
export const ROUTER_ABI = parseAbi([
  "struct Trade { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }",
  "function swapExactAmountIn(address executor, Trade swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable returns (uint256 receivedAmount, uint256 routerShare, uint256 partnerShare)",
]);

/** As in `paper-delta.mjs`. The two clients ask for transactions under paths that differ by a slash. */
export const MARKET_ENDPOINTS = {
  "GET /prices/": ["sdkPrices", (query) => ({ priceRoute: marketBlock(query.get("amount")) })],
  [`POST /transactions/${CHAIN_ID}`]: ["transactions", (_, asked) => transaction(asked)],
  [`POST /transactions/${CHAIN_ID}/`]: ["sdkTransactions", (_, asked) => transaction(asked)],
};

const EXECUTOR = "0x000010036C0190E009a000d0fc3541100A07380A";
/** A partner's fee of one basis point, its surplus capped. */
const PARTNER_AND_FEE = (BigInt(`0x${"fe".repeat(20)}`) << 96n) | (1n << 92n) | 1n;
/** As long as the data of a trade over two pools. */
const EXECUTOR_DATA = `0x${"ed".repeat(640)}`;

/** The `market` block of a quote: a price route over two pools. */
export function marketBlock(srcAmount) {
  const destAmount = bought(srcAmount);
  const usd = dollars(srcAmount);
  const tokens = { srcToken: USDC.toLowerCase(), srcDecimals: 6, destToken: WETH.toLowerCase(), destDecimals: 18 };
  const part = (exchange, percent) => ({
    exchange, percent, srcAmount: ((BigInt(srcAmount) * BigInt(percent)) / 100n).toString(), destAmount: ((BigInt(destAmount) * BigInt(percent)) / 100n).toString(),
    poolAddresses: [`0x${"b1".repeat(20)}`],
    data: { router: `0x${"a1".repeat(20)}`, path: [{ tokenIn: tokens.srcToken, tokenOut: tokens.destToken, fee: "500", currentFee: "500" }], gasUSD: "0.001" },
  });
  return {
    blockNumber: 16_777_216, network: CHAIN_ID, ...tokens, srcAmount, destAmount,
    bestRoute: [{ percent: 100, swaps: [{ ...tokens, swapExchanges: [part("UniswapV3", 70), part("AerodromeSlipstream", 30)] }] }],
    gasCostUSD: "0.004", gasCost: "280000", side: "SELL", version: "6.2", contractAddress: ROUTER.toLowerCase(),
    tokenTransferProxy: ROUTER.toLowerCase(), contractMethod: "swapExactAmountIn", partnerFee: 0.01, srcUSD: usd, destUSD: usd,
    partner: "anon", maxImpactReached: false, hmac: "f".repeat(40),
  };
}

function transaction({ priceRoute, userAddress, slippage }) {
  const { srcToken, destToken, srcAmount, destAmount } = priceRoute;
  const toAmount = less(destAmount, slippage, 9_999n);
  const trade = {
    srcToken, destToken, fromAmount: BigInt(srcAmount), toAmount: BigInt(toAmount), quotedAmount: BigInt(destAmount),
    metadata: `0x${"3d".repeat(16)}${(16_777_216).toString(16).padStart(32, "0")}`, beneficiary: `0x${"0".repeat(40)}`,
  };
  const data = encodeFunctionData({ abi: ROUTER_ABI, functionName: "swapExactAmountIn", args: [EXECUTOR, trade, PARTNER_AND_FEE, "0x", EXECUTOR_DATA] });
  return { from: userAddress, to: ROUTER.toLowerCase(), value: "0", data, gasPrice: "12000000", gas: "420000", chainId: CHAIN_ID };
}
