/** Trades as an honest service prices and builds them, at random: what `verifyOrder` takes, and every way to falsify it. */
import { hashTypedData } from "viem";
import { ORDER_TYPES } from "./delta-types.mjs";

/** The Delta contract and the chains that have it, by the operator's published list. */
const DELTA = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
const CHAINS = [1, 10, 56, 130, 137, 8453, 42161];
const BPS = 10_000n;

/** `{ request, quote, toSign, orderHash }` of an order that is what was asked for. */
export function honestTrade(random) {
  const chainId = random.pick(CHAINS);
  const side = random.pick(["SELL", "BUY"]);
  const [account, srcToken, destToken] = [random.hex(20), random.hex(20), random.hex(20)];
  const beneficiary = random.oneIn(2) ? random.hex(20) : account;
  const [input, output] = [random.bits(random.between(20, 120)) + 10_000n, random.bits(random.between(20, 120)) + 10_000n];
  const slippageBps = random.pick([0, 1, 50, 100, 10_000, random.between(0, 10_000)]);
  const deadline = Math.floor(Date.now() / 1000) + random.between(60, 3_600);
  const nonce = random.bits(256);
  const partnerFeeBps = random.pick([undefined, 0, 25, 200]);
  const feeBps = Math.min((partnerFeeBps ?? 0) + 1, 200);
  const partner = random.hex(20);
  const least = (output * (BPS - BigInt(slippageBps))) / BPS;
  const most = (input * (BPS + BigInt(slippageBps)) + BPS - 1n) / BPS;
  const sell = side === "SELL";
  const request = { chainId, srcToken, destToken, amount: String(sell ? input : output), srcDecimals: 6, destDecimals: 18, side, account, slippageBps, deadline, nonce: nonce.toString() };
  if (beneficiary !== account) request.beneficiary = beneficiary;
  if (partnerFeeBps !== undefined) request.partnerFeeBps = partnerFeeBps;
  const step = (address, amount) => ({ token: { chainId, address }, amount: amount.toString(), amountUSD: "100.0" });
  const [origin, received] = [{ input: step(srcToken, input), output: step(destToken, output) }, step(destToken, output)];
  const quote = {
    id: "quote", side, inputToken: origin.input.token, outputToken: origin.output.token,
    route: { origin, destination: { input: received, output: received }, bridge: null, fees: { gas: { ...step(destToken, 1n), amountUSD: "0.00" }, bridge: [] } },
    partner: { name: "anon", feePercent: feeBps / 100 }, spender: DELTA, alternatives: [],
  };
  const value = {
    owner: account, beneficiary, srcToken, destToken,
    srcAmount: String(sell ? input : most), destAmount: String(sell ? least : output), expectedAmount: String(sell ? output : input),
    deadline, kind: sell ? 0 : 1, nonce: nonce.toString(), partnerAndFee: ((BigInt(partner) << 96n) | (1n << 9n) | BigInt(feeBps)).toString(),
    permit: "0x", metadata: random.oneIn(2) ? "0x" : random.hex(random.between(1, 64)),
    bridge: { protocolSelector: "0x00000000", destinationChainId: 0, outputToken: `0x${"0".repeat(40)}`, scalingFactor: 0, protocolData: "0x" },
  };
  const domain = { name: "Portikus", version: "2.0.0", chainId, verifyingContract: DELTA };
  return rehashed({ request, quote, toSign: { domain, types: ORDER_TYPES, value } });
}

/** The trade with the order hash that belongs to its `toSign`, by another library. */
export function rehashed(trade) {
  const { domain, types, value } = trade.toSign;
  const orderHash = hashTypedData({ domain, types, primaryType: "Order", message: value });
  return { ...trade, orderHash };
}

/** The trade with its `toSign` changed by `change(copy)` and hashed again. */
export function falsified(trade, change) {
  const toSign = structuredClone(trade.toSign);
  change(toSign);
  return rehashed({ ...trade, toSign });
}

/**
 * For every member of the order, ways to change it that an honest service would not: `{ member: [change, ...] }`, each
 * a function of (value, trade). Made for members of the type, so that a member without an entry is noticed.
 */
export const LIES = {
  owner: [() => `0x${"9".repeat(40)}`],
  beneficiary: [() => `0x${"9".repeat(40)}`, () => `0x${"0".repeat(40)}`, (_, { quote }) => quote.spender.toLowerCase()],
  srcToken: [() => `0x${"9".repeat(40)}`],
  destToken: [() => `0x${"9".repeat(40)}`, (_, { request }) => request.srcToken],
  srcAmount: [(amount) => plus(amount, 1n), (amount, { request }) => (request.side === "SELL" ? plus(amount, -1n) : plus(amount, 1n << 200n))],
  destAmount: [(amount, { request }) => (request.side === "SELL" && amount === "0" ? null : plus(amount, -1n)), (amount, { request }) => (request.side === "BUY" ? plus(amount, 1n) : null)],
  expectedAmount: [(amount) => plus(amount, 1n), (amount) => plus(amount, -1n), () => "0", () => ((1n << 256n) - 1n).toString()],
  deadline: [(deadline) => deadline + 1, (deadline) => deadline - 1, () => 1, () => ((1n << 256n) - 1n).toString()],
  kind: [(kind) => 1 - kind, () => 2, () => 255],
  nonce: [(nonce) => ((BigInt(nonce) + 1n) % (1n << 256n)).toString()],
  partnerAndFee: [
    // One above what was asked for; the contract's own cap; its share in the surplus; an unknown bit.
    (packed) => plus(packed, 1n), (packed) => String((BigInt(packed) & ~0xffn) | 255n), (packed) => plus(packed, 1n << 8n), (packed) => plus(packed, 1n << 10n),
    (packed) => plus(packed, 1n << 95n),
  ],
  permit: [() => "0x01", () => `0x${"ab".repeat(224)}`],
  metadata: [() => `0x${"ab".repeat(1025)}`],
  "bridge.protocolSelector": [() => "0x00000001"],
  "bridge.destinationChainId": [() => 10],
  "bridge.outputToken": [(_, { request }) => request.destToken],
  "bridge.scalingFactor": [() => 1, () => -128],
  "bridge.protocolData": [() => "0x00"],
};

function plus(decimal, difference) {
  return (BigInt(decimal) + difference).toString();
}
