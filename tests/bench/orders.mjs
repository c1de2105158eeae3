/** Delta orders to hash and sign: same type, same domain, another nonce each. */
import { DOMAIN_TYPE, ORDER_TYPES } from "../vectors/delta-types.mjs";

export { ORDER_TYPES };

/** Base, and there the Delta contract, the Market router, the RFQ contract, USDC and wrapped ether. */
export const CHAIN_ID = 8453;
export const DELTA = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
export const ROUTER = "0x6A000F20005980200259B80c5102003040001068";
export const RFQ = "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd";
export const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
export const WETH = "0x4200000000000000000000000000000000000006";

/** A key that is public; it holds nothing. */
export const OWNER_KEY = `0x${"00".repeat(31)}2a`;

export const DOMAIN = { name: "Portikus", version: "2.0.0", chainId: CHAIN_ID, verifyingContract: DELTA };

export const RFQ_DOMAIN = { name: "AUGUSTUS RFQ", version: "1", chainId: CHAIN_ID, verifyingContract: RFQ };

export const NO_BRIDGE = {
  protocolSelector: "0x00000000", destinationChainId: 0, outputToken: `0x${"0".repeat(40)}`, scalingFactor: 0, protocolData: "0x",
};

const field = (type) => (name) => ({ name, type });
const [address, uint256, uint64, bytes] = ["address", "uint256", "uint64", "bytes"].map(field);

/** An order in slices, and an offer between two parties: other structs, the same work. */
export const TWAP_TYPES = {
  TWAPOrder: [
    ...["owner", "beneficiary", "srcToken", "destToken"].map(address), ...["nonce", "partnerAndFee"].map(uint256),
    ...["deadline", "interval"].map(uint64), field("uint32")("numSlices"), ...["destAmountPerSlice", "totalSrcAmount"].map(uint256),
    ...["permit", "metadata"].map(bytes), field("Bridge")("bridge"),
  ],
  Bridge: ORDER_TYPES.Bridge,
};
export const OTC_TYPES = {
  Order: [
    uint256("nonceAndMeta"), field("uint128")("expiry"), ...["makerAsset", "takerAsset", "maker", "taker"].map(address),
    ...["makerAmount", "takerAmount"].map(uint256),
  ],
};

/** An order in slices as the service writes it into `toSign.value`; `slices` are deadline, interval, number and amounts. */
export function twapOrder(owner, nonce, slices) {
  const parties = { owner, beneficiary: owner, srcToken: USDC.toLowerCase(), destToken: WETH.toLowerCase() };
  return { ...parties, nonce, partnerAndFee: "512", ...slices, permit: "0x", metadata: "0x", bridge: NO_BRIDGE };
}

/** `count` of them as typed data with `EIP712Domain`. */
export function twapTypedData(owner, count) {
  const types = { EIP712Domain: DOMAIN_TYPE, ...TWAP_TYPES };
  const slices = { deadline: 1_900_000_000, interval: 3_600, numSlices: 12, destAmountPerSlice: "27200000000000000", totalSrcAmount: "1200000000" };
  return Array.from({ length: count }, (_, at) => ({
    types, primaryType: "TWAPOrder", domain: DOMAIN, message: twapOrder(owner, String(2n ** 200n + BigInt(at)), slices),
  }));
}

/** `count` offers as typed data with `EIP712Domain`. */
export function otcTypedData(owner, count) {
  const types = { EIP712Domain: DOMAIN_TYPE, ...OTC_TYPES };
  const offer = { expiry: 1_900_000_000, makerAsset: USDC, takerAsset: WETH, maker: owner, taker: `0x${"0".repeat(40)}`, makerAmount: "100000000", takerAmount: "27200000000000000" };
  return Array.from({ length: count }, (_, at) => ({ types, primaryType: "Order", domain: RFQ_DOMAIN, message: { nonceAndMeta: String(2n ** 180n + BigInt(at)), ...offer } }));
}

/** The order as the service writes it into `toSign.value`. */
export function order(owner, amounts, nonce, deadline) {
  return {
    owner, beneficiary: owner, srcToken: USDC.toLowerCase(), destToken: WETH.toLowerCase(), srcAmount: amounts.src, destAmount: amounts.min,
    expectedAmount: amounts.expected, deadline, kind: 0, nonce, partnerAndFee: "512", permit: "0x", metadata: "0x", bridge: NO_BRIDGE,
  };
}

/** `count` orders of one owner as typed data with `EIP712Domain`. */
export function orderTypedData(owner, count) {
  return Array.from({ length: count }, (_, at) => ({
    types: { EIP712Domain: DOMAIN_TYPE, ...ORDER_TYPES },
    primaryType: "Order",
    domain: DOMAIN,
    message: order(owner, { src: String(100_000_000 + at), min: "27200000000000000", expected: "27336683417085427" }, String(2n ** 200n + BigInt(at)), 1_900_000_000),
  }));
}
