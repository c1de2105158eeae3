/** The paper service's OTC side: it stores a maker's signed order. */
import { hashTypedData } from "viem";
import { CHAIN_ID, OTC_TYPES, RFQ_DOMAIN } from "./orders.mjs";

/** As in `paper-delta.mjs`. The two clients post to paths that differ by a slash. */
export const OTC_ENDPOINTS = {
  [`POST /ft/p2p/${CHAIN_ID}/`]: ["otcPost", (_, posted) => stored(posted)],
  [`POST /ft/p2p/${CHAIN_ID}`]: ["sdkOtcPost", (_, posted) => stored(posted)],
};

function stored({ signature, permitMakerAsset = null, ...order }) {
  const orderHash = hashTypedData({ domain: RFQ_DOMAIN, types: OTC_TYPES, primaryType: "Order", message: order });
  const { makerAmount, taker } = order;
  return {
    order: {
      chainId: CHAIN_ID, ...order, signature, permitMakerAsset, orderHash, state: "PENDING", type: "P2P", takerFromMeta: taker,
      makerBalance: makerAmount, fillableBalance: makerAmount, reservedBalance: "0", swappableBalance: makerAmount, transactionHash: null,
      createdAt: 1_767_225_600, updatedAt: 1_767_225_600,
    },
  };
}
