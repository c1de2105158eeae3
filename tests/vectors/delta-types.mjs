/** The EIP-712 types of the service's signed orders, with the type hashes its contracts carry. */

const fields = (text) => text.split(",").map((field) => field.trim().split(" ")).map(([type, name]) => ({ name, type }));

export const DOMAIN_TYPE = fields("string name, string version, uint256 chainId, address verifyingContract");

const BRIDGE = fields(
  "bytes4 protocolSelector, uint256 destinationChainId, address outputToken, int8 scalingFactor, bytes protocolData",
);

export const ORDER_TYPES = {
  Order: fields(
    "address owner, address beneficiary, address srcToken, address destToken, uint256 srcAmount, uint256 destAmount, " +
      "uint256 expectedAmount, uint256 deadline, uint8 kind, uint256 nonce, uint256 partnerAndFee, bytes permit, bytes metadata, Bridge bridge",
  ),
  Bridge: BRIDGE,
};

const twap = (amounts) => ({
  fields: fields(
    "address owner, address beneficiary, address srcToken, address destToken, uint256 nonce, uint256 partnerAndFee, uint64 deadline, " +
      `uint64 interval, uint32 numSlices, ${amounts}, bytes permit, bytes metadata, Bridge bridge`,
  ),
});

/** Every kind of order: `{ primaryType, types, typeHash }`. */
export const ORDER_KINDS = [
  { primaryType: "Order", types: ORDER_TYPES, typeHash: "0xc75d848e51cd0f81113e24c5a62c9b8566b0ff0d476245a7882709315eefbbf7" },
  {
    primaryType: "ExternalOrder",
    types: {
      ExternalOrder: fields(
        "address owner, address handler, address srcToken, address destToken, uint256 srcAmount, uint256 destAmount, " +
          "uint256 expectedAmount, uint256 deadline, uint8 kind, uint256 nonce, uint256 partnerAndFee, bytes permit, bytes metadata, bytes data",
      ),
    },
    typeHash: "0x0254756dda5af3a0a67918a5fc37650f1210e94bf58cab8aecf36fd240a131b8",
  },
  {
    primaryType: "TWAPOrder",
    types: { TWAPOrder: twap("uint256 destAmountPerSlice, uint256 totalSrcAmount").fields, Bridge: BRIDGE },
    typeHash: "0x5e34daadd9f596f8e87f967578f77bb4c7300cab4752439916904d044e85d6b9",
  },
  {
    primaryType: "TWAPBuyOrder",
    types: { TWAPBuyOrder: twap("uint256 totalDestAmount, uint256 maxSrcAmount").fields, Bridge: BRIDGE },
    typeHash: "0x46c5b80d6e30aa1ef6ce10eaf2afba9aa53e9f88d6a80fbd49d4dd5ca2f12011",
  },
  {
    primaryType: "OrderCancellations",
    types: { OrderCancellations: fields("string[] orderIds") },
    typeHash: "0x43f63d22e1f2516d808508153e00c62b6e2ab72a0ae5735d6c6b3997a4a8cac4",
  },
];
