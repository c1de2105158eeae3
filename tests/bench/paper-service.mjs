/**
 * The service, on paper: answers of the right shape and price, in the page, without network, so that only the client's own
 * work is left to measure. It speaks this package's dialect (/v2) and the one Velora's SDK 9.5.4 speaks.
 *
 * Without a recording it computes each answer (order hashes included) and keeps it; with one it hands the answers out again
 * in the order they were recorded, which costs next to nothing.
 */
import { hashTypedData } from "viem";
import { CHAIN_ID, DELTA, DOMAIN, ORDER_TYPES, USDC, WETH, order } from "./orders.mjs";

export const BASE_URL = "https://service.example";

export class PaperService {
  #recording = new Map();
  #played;
  /** Requests answered, by endpoint. */
  served = {};

  constructor(tapes) {
    this.#played = tapes && { tapes, position: new Map() };
  }

  /** In place of the global `fetch`. */
  fetch = async (input, init) => {
    const request = typeof input === "object" && "url" in input ? input : null;
    const url = new URL(request ? request.url : input);
    const method = request ? request.method : (init?.method ?? "GET");
    const endpoint = endpointOf(method, url);
    this.served[endpoint] = (this.served[endpoint] ?? 0) + 1;
    const body = this.#played ? this.#next(endpoint) : await this.#recorded(endpoint, url, request, init);
    return new Response(body, { status: 200, headers: { "content-type": "application/json" } });
  };

  /** What was recorded: texts by endpoint, in order. */
  tapes() {
    return Object.fromEntries(this.#recording);
  }

  #next(endpoint) {
    const { tapes, position } = this.#played;
    const at = position.get(endpoint) ?? 0;
    const tape = tapes[endpoint] ?? [];
    if (at >= tape.length) throw new Error(`the recording has ${tape.length} answers of ${endpoint}, one more was asked for`);
    position.set(endpoint, at + 1);
    return tape[at];
  }

  async #recorded(endpoint, url, request, init) {
    const sent = request ? await request.text() : init?.body;
    const answer = JSON.stringify(ANSWERS[endpoint](url.searchParams, sent ? JSON.parse(sent) : null));
    if (!this.#recording.has(endpoint)) this.#recording.set(endpoint, []);
    this.#recording.get(endpoint).push(answer);
    return answer;
  }
}

function endpointOf(method, url) {
  const path = url.pathname.replace(/\/$/, "");
  const known = {
    "GET /v2/quote": "quote",
    "GET /v2/delta/prices": "prices",
    "POST /v2/delta/orders/build": "build",
    "POST /v2/delta/orders": "post",
    "GET /adapters/contracts": "contracts",
    "GET /delta/prices": "sdkPrice",
    "POST /delta/orders": "sdkPost",
    [`GET /prices/partnerfee/${CHAIN_ID}`]: "sdkPartnerFee",
  };
  const endpoint = known[`${method} ${path}`];
  if (!endpoint) throw new Error(`the paper service has no ${method} ${url.pathname}`);
  return endpoint;
}

/** 1 ether = 3,658.5 USDC, roughly: 6 decimals in, 18 out. */
function bought(usdc) {
  return ((BigInt(usdc) * 10n ** 12n * 10_000n) / 36_585_000n).toString();
}

function dollars(usdc) {
  return `${BigInt(usdc) / 1_000_000n}.00`;
}

function step(token, amount, amountUSD) {
  return { token: { chainId: CHAIN_ID, address: token.toLowerCase() }, amount, amountUSD };
}

function deltaBlock(srcAmount) {
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

function postedOrder(posted) {
  const value = posted.order;
  const times = { createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z", expiresAt: "2030-01-01T00:00:00.000Z" };
  return {
    id: "0b8d6f0a-8f0c-4b3e-8b0e-6a1f5d1c9a77", status: "PENDING", side: "SELL", type: "MARKET", onChainOrderType: "Order",
    input: { chainId: CHAIN_ID, token: value.srcToken, amount: value.srcAmount },
    output: { chainId: CHAIN_ID, token: value.destToken, expectedAmount: value.expectedAmount, executedAmount: null, minAmount: value.destAmount },
    owner: value.owner, beneficiary: value.beneficiary, orderHash: orderHash(value), partner: posted.partner ?? "anon",
    order: value, transactions: [], refunds: [], ...times,
  };
}

function orderHash(message) {
  return hashTypedData({ domain: DOMAIN, types: ORDER_TYPES, primaryType: "Order", message });
}

const ANSWERS = {
  quote: (query) => ({ delta: deltaBlock(query.get("amount")) }),
  prices: (query) => deltaBlock(query.get("amount")),
  contracts: () => ({
    AugustusSwapper: "0x6A000F20005980200259B80c5102003040001068", TokenTransferProxy: "0x6A000F20005980200259B80c5102003040001068",
    AugustusRFQ: "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd", Executors: {}, ParaswapDelta: DELTA,
  }),
  build: (_, asked) => {
    const { input, output } = asked.route.origin;
    const min = (BigInt(output.amount) * BigInt(10_000 - asked.slippage)) / 10_000n;
    const amounts = { src: input.amount, min: min.toString(), expected: output.amount };
    const value = order(asked.owner, amounts, asked.nonce, asked.deadline);
    return { toSign: { domain: DOMAIN, types: ORDER_TYPES, value }, orderHash: orderHash(value) };
  },
  post: (_, posted) => postedOrder(posted),
  sdkPrice: (query) => {
    const srcAmount = query.get("amount");
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
  },
  sdkPartnerFee: () => ({ partnerFee: 0.01, partnerAddress: `0x${"0".repeat(40)}`, takeSurplus: false }),
  sdkPost: (_, posted) => ({ id: "0b8d6f0a-8f0c-4b3e-8b0e-6a1f5d1c9a77", status: "NOT_STARTED", order: posted.order, orderHash: orderHash(posted.order) }),
};
