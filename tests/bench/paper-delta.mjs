/** The paper service's gasless side: orders at once and in slices, in this package's dialect (/v2) and in the SDK's. */
import { hashTypedData } from "viem";
import { CHAIN_ID, DELTA, DOMAIN, ORDER_TYPES, RFQ, ROUTER, TWAP_TYPES, USDC, WETH, order, twapOrder } from "./orders.mjs";
import { bought, dollars, less } from "./paper-prices.mjs";

/** `{ "METHOD path": [name, (query, body) => answer] }`. */
export const DELTA_ENDPOINTS = {
  "GET /v2/delta/prices": ["prices", (query) => deltaBlock(query.get("amount"))],
  "POST /v2/delta/orders/build": ["build", (_, asked) => built(asked)],
  "POST /v2/delta/orders": ["post", (_, posted) => postedOrder(posted)],
  "GET /adapters/contracts": ["sdkContracts", () => contracts()],
  "GET /delta/prices": ["sdkPrice", (query) => sdkPrice(query.get("amount"))],
  "POST /delta/orders/": ["sdkPost", (_, posted) => sdkOrder(posted)],
  [`GET /prices/partnerfee/${CHAIN_ID}/`]: ["sdkPartnerFee", () => ({ partnerFee: 0.01, partnerAddress: `0x${"0".repeat(40)}`, takeSurplus: false })],
};

const ID = "0b8d6f0a-8f0c-4b3e-8b0e-6a1f5d1c9a77";

function step(token, amount, amountUSD) {
  return { token: { chainId: CHAIN_ID, address: token.toLowerCase() }, amount, amountUSD };
}

/** The `delta` block of a quote. */
export function deltaBlock(srcAmount) {
  const input = step(USDC, srcAmount, dollars(srcAmount));
  const output = step(WETH, bought(srcAmount), dollars(srcAmount));
  return {
    id: "6b0e7a4e-6d5c-4f5e-9d1f-3c6a0f0e2d11", side: "SELL",
    inputToken: input.token, outputToken: output.token,
    route: {
      origin: { input, output }, destination: { input: output, output }, bridge: null,
      fees: { gas: step(WETH, "2000000000000", "0.01"), bridge: [] },
    },
    partner: { name: "anon", feePercent: 0.01 },
    spender: DELTA,
    alternatives: [],
  };
}

function built(asked) {
  const { input, output } = asked.route.origin;
  const min = less(output.amount, asked.slippage);
  const isTwap = asked.orderType === "TWAPOrder";
  const value = isTwap
    ? twapOrder(asked.owner, asked.nonce, { ...picked(asked, ["deadline", "interval", "numSlices", "totalSrcAmount"]), destAmountPerSlice: min })
    : order(asked.owner, { src: input.amount, min, expected: output.amount }, asked.nonce, asked.deadline);
  return { toSign: { domain: DOMAIN, types: isTwap ? TWAP_TYPES : ORDER_TYPES, value }, orderHash: orderHash(value) };
}

function picked(object, names) {
  return Object.fromEntries(names.map((name) => [name, object[name]]));
}

function postedOrder(posted) {
  const value = posted.order;
  const hash = orderHash(value);
  const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z", expiresAt: "2030-01-01T00:00:00.000Z" };
  return {
    id: idOf(hash), status: "PENDING", side: "SELL", type: "MARKET", onChainOrderType: posted.onChainOrderType ?? "Order",
    input: { chainId: CHAIN_ID, token: value.srcToken, amount: value.srcAmount ?? value.totalSrcAmount },
    output: { chainId: CHAIN_ID, token: value.destToken, expectedAmount: value.expectedAmount ?? null, executedAmount: null, minAmount: value.destAmount ?? null },
    owner: value.owner, beneficiary: value.beneficiary, orderHash: hash, partner: posted.partner ?? "anon",
    order: value, transactions: [], refunds: [], ...times,
  };
}

/** An id of its own for each order: a client remembers which is which. */
const idOf = (hash) => hash.slice(2, 34).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");

function orderHash(message) {
  const primaryType = message.numSlices ? "TWAPOrder" : "Order";
  return hashTypedData({ domain: DOMAIN, types: message.numSlices ? TWAP_TYPES : ORDER_TYPES, primaryType, message });
}

function contracts() {
  return { AugustusSwapper: ROUTER, TokenTransferProxy: ROUTER, AugustusRFQ: RFQ, Executors: {}, ParaswapDelta: DELTA };
}

function sdkPrice(srcAmount) {
  const destAmount = bought(srcAmount);
  const usd = dollars(srcAmount);
  return {
    price: {
      srcToken: USDC.toLowerCase(), destToken: WETH.toLowerCase(), srcAmount, destAmount, destAmountBeforeFee: destAmount,
      receivedDestAmount: destAmount, receivedDestUSD: usd, receivedDestAmountBeforeFee: destAmount, receivedDestUSDBeforeFee: usd,
      gasCost: "180000", gasCostBeforeFee: "180000", gasCostUSD: "0.01", gasCostUSDBeforeFee: "0.01", srcUSD: usd, destUSD: usd,
      destUSDBeforeFee: usd, partner: "anon", partnerFee: 0.01, hmac: "f".repeat(64),
      bridge: { protocolSelector: "0x00000000", destinationChainId: 0, outputToken: `0x${"0".repeat(40)}`, scalingFactor: 0, protocolData: "0x" },
    },
    deltaAddress: DELTA,
  };
}

function sdkOrder(posted) {
  return { id: ID, status: "NOT_STARTED", order: posted.order, orderHash: orderHash(posted.order) };
}
