/** What the service says to the operator's SDK of npm, by the sandbox's name of the endpoint, and what is refused of it. */

export const THIEF = "0xBAd0000000000000000000000000000000000Bad";
const replace = (path, value) => ({ op: "replace", path, value });
const less = (path) => ({ op: "scale", path, num: 1, den: 10 });

/** `[what, endpoint, patch, code and field]`. docs/doors.md has each. */
export const LIES = [
  ["another contract", "contracts", [replace("/ParaswapDelta", THIEF)], "VERIFY_MISMATCH domain.verifyingContract"],
  ["a share of the surplus for the partner", "partnerFee", [replace("/takeSurplus", true)], "VERIFY_MISMATCH order.partnerAndFee.takeSurplus"],
  ["a fee of 2 %", "olderPrices", [replace("/price/partnerFee", 2)], "VERIFY_MISMATCH quote.fee"],
  ["a fee of 2 % that the price does not state", "partnerFee", [replace("/partnerFee", 2)], "VERIFY_MISMATCH order.partnerAndFee.feeBps"],
  ["another token to sell", "olderPrices", [replace("/price/srcToken", THIEF)], "VERIFY_MISMATCH quote.srcToken"],
  ["another token to buy", "olderPrices", [replace("/price/destToken", THIEF)], "VERIFY_MISMATCH quote.destToken"],
  ["the price of another amount", "olderPrices", [less("/price/srcAmount")], "VERIFY_MISMATCH quote.srcAmount"],
  ["a tenth for it, with the dollars as they were", "olderPrices", [less("/price/destAmount")], "VERIFY_MISMATCH quote.price"],
  ["a tenth for it, with its dollars", "olderPrices", [less("/price/destAmount"), less("/price/destUSD")], "VERIFY_MISMATCH quote.loss"],
  ["nothing for it", "olderPrices", [replace("/price/destAmount", "0")], "VERIFY_MISMATCH quote.destAmount"],
  ["a bridge", "olderPrices", [replace("/price/bridge/destinationChainId", 10)], "VERIFY_MISMATCH order.bridge.destinationChainId"],
  ["data for a bridge", "olderPrices", [replace("/price/bridge/protocolData", "0x01")], "VERIFY_MISMATCH order.bridge.protocolData"],
  ["a price across chains", "olderPrices", [{ op: "add", path: "/price/bridgeInfo", value: {} }], "SERVICE_MALFORMED quote.bridgeInfo"],
];
