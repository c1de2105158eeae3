// The service, item by item, in the words of its description: every endpoint with its parameters and the members
// of its answer, every state, every limit. The table in docs/coverage.md is held against it.

const side = (name, bound) => ["chainId", "token", "amount", "expectedAmount", "executedAmount", bound].map((member) => `${name}/${member}`);

/** The price route of a Market quote, below `at`. */
const priceRoute = (at) =>
  [
    "blockNumber", "network", "srcToken", "destToken", "srcDecimals", "destDecimals", "srcAmount", "destAmount",
    "bestRoute[]", "gasCostUSD", "gasCost", "side", "version", "contractAddress", "tokenTransferProxy", "contractMethod",
    "partnerFee", "srcUSD", "destUSD", "partner", "maxImpactReached", "hmac",
  ].map((member) => `${at}/${member}`);

const leg = (at) => ["token/chainId", "token/address", "amount", "amountUSD"].map((member) => `${at}/${member}`);

/** The price of a Delta quote, below `at` ("" at the root). */
const delta = (at) =>
  [
    "id", "side", "inputToken/chainId", "inputToken/address", "outputToken/chainId", "outputToken/address",
    ...["origin/input", "origin/output", "destination/input", "destination/output"].flatMap((step) => leg(`route/${step}`)),
    "route/bridge", "route/fees/gas/token", "route/fees/gas/amount", "route/fees/gas/amountUSD", "route/fees/bridge",
    "partner/name", "partner/feePercent", "spender", "alternatives", "partiallyFillable",
  ].map((member) => (at ? `${at}/${member}` : member));

const order = (at) =>
  [
    "id", "status", "side", "type", "onChainOrderType", ...side("input", "maxAmount"), ...side("output", "minAmount"), "owner", "beneficiary",
    "orderHash", "partner", "order", "transactions[]/originTx", "transactions[]/destinationTx",
    "transactions[]/filledPercent", "transactions[]/spentAmount", "transactions[]/receivedAmount", "refunds[]/tx",
    "refunds[]/chainId", "refunds[]/token", "refunds[]/amount", "createdAt", "updatedAt", "expiresAt",
  ].map((member) => (at ? `${at}/${member}` : member));

const otc = (at) =>
  [
    "nonceAndMeta", "expiry", "makerAsset", "takerAsset", "makerAmount", "takerAmount", "maker", "taker", "orderHash",
    "state", "transactionHash", "signature", "permitMakerAsset", "fillableBalance", "chainId", "type", "makerBalance",
    "reservedBalance", "swappableBalance", "takerFromMeta", "createdAt", "updatedAt",
  ].map((member) => (at ? `${at}/${member}` : member));

/** Endpoints, and what any of them answers in their place: what is sent in the query and the body, and what comes back. */
export const ENDPOINTS = {
  "GET /prices": {
    query: [
      "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "side", "network", "otherExchangePrices",
      "includeDEXS", "excludeDEXS", "excludePools", "excludeRFQ", "includeContractMethods", "excludeContractMethods", "userAddress",
      "route", "partner", "maxImpact", "receiver", "srcTokenTransferFee", "destTokenTransferFee",
      "srcTokenDexTransferFee", "destTokenDexTransferFee", "version", "excludeContractMethodsWithoutFeeModel",
      "ignoreBadUsdPrice", "maxUSDImpact", "chainId", "partnerFeeBps", "degenMode",
    ],
    members: [...priceRoute("priceRoute"), "priceRoute/others[]"],
  },
  "POST /transactions/{chainId}": {
    query: ["gasPrice", "ignoreChecks", "ignoreAllowance", "ignoreGasEstimate", "onlyParams", "eip1559", "degenMode"],
    body: [
      "priceRoute", "srcToken", "destToken", "userAddress", "srcDecimals", "destDecimals", "srcAmount", "destAmount",
      "slippage", "txOrigin", "receiver", "referrer", "partner", "partnerAddress", "partnerFeeBps", "permit", "deadline",
      "isCapSurplus", "takeSurplus", "isSurplusToUser", "isDirectFeeTransfer", "orders",
      "positiveSlippageToUser",
    ],
    members: ["from", "to", "value", "data", "gasPrice", "maxFeePerGas", "maxPriorityFeePerGas", "gas", "chainId"],
  },
  "GET /v2/quote": {
    query: [
      "chainId", "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "mode", "side", "destChainId",
      "userAddress", "beneficiary", "partner", "partnerFeeBps", "maxImpact", "maxUSDImpact",
    ],
    members: [...delta("delta"), ...priceRoute("market"), "fallbackReason"],
  },
  "GET /v2/delta/prices": {
    query: [
      "chainId", "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "side", "destChainId", "userAddress",
      "beneficiary", "partner", "partnerFeeBps", "maxImpact", "includeAgents", "excludeAgents", "includeBridges",
      "excludeBridges", "allowBridgeAndSwap", "maxUSDImpact", "degenMode",
    ],
    members: delta(""),
  },
  "GET /v2/delta/prices/bridge-routes": {
    query: ["bridges", "allowBridgeAndSwap"],
    members: ["routes[]/srcChainId", "routes[]/destChainId", "routes[]/tokens[]"],
  },
  "GET /v2/delta/prices/bridge-protocols": {
    members: ["protocol", "displayName", "icon"].map((member) => `bridgeProtocols[]/${member}`),
  },
  "GET /v2/delta/prices/strategies/{chainId}": {
    members: ["address", "strategies[]/vault", "strategies[]/name", "strategies[]/apr/gross", "strategies[]/apr/net"].map((member) => `{token}/${member}`),
  },
  "GET /v2/delta/prices/is-token-supported": { query: ["chainId", "token"], members: ["supported"] },
  "POST /v2/delta/orders/build": {
    body: [
      "route", "owner", "deadline", "partner", "slippage", "partnerAddress", "partnerFeeBps", "limitAmount", "orderType",
      "interval", "numSlices", "totalSrcAmount", "totalDestAmount", "maxSrcAmount", "permit", "side", "beneficiary",
      "nonce", "metadata", "partiallyFillable", "partnerTakesSurplus", "capSurplus", "handler", "data",
    ],
    members: ["toSign/domain", "toSign/types", "toSign/value", "orderHash"],
  },
  // Its answer, and that of the list and the read by hash, is the order of the read by id.
  "POST /v2/delta/orders": {
    query: ["degenMode"],
    body: [
      "order", "signature", "type", "chainId", "partner", "referrerAddress", "partiallyFillable", "includeAgents",
      "excludeAgents", "onChainOrderType",
    ],
    members: ["id", "status"],
  },
  "POST /v2/delta/orders/build/cancellation": { body: ["orderIds"], members: ["toSign/domain", "toSign/types", "toSign/value", "hash"] },
  // It answers the one or the other.
  "POST /v2/delta/orders/cancel": { body: ["orderIds", "signature"], members: ["cancelled[]", "success"] },
  "GET /v2/delta/orders": {
    query: ["userAddress", "chainId", "status", "type", "onChainOrderType", "page", "limit"],
    members: ["data[]", "total", "page", "limit", "hasMore"],
  },
  "GET /v2/delta/orders/{orderId}": { members: order("") },
  "GET /v2/delta/orders/hash/{hash}": { members: ["id", "status"] },
  "GET /v2/delta/orders/fillablebalance/{chainId}/{address}": { members: ["{token}"] },
  "GET /v2/delta/orders/fillablebalance/{chainId}/{address}/{token}": { members: ["{token}"] },
  "GET /v2/delta/agents/list/{chainId}": { members: ["[]"] },
  "GET /swap": {
    query: [
      "srcToken", "destToken", "amount", "srcDecimals", "destDecimals", "side", "network", "userAddress", "partner",
      "version", "slippage", "route", "includeDEXS", "excludeDEXS", "includeContractMethods", "excludeContractMethods",
      "excludePools", "ignoreBadUsdPrice", "otherExchangePrices", "excludeContractMethodsWithoutFeeModel", "maxImpact",
      "maxUSDImpact", "receiver", "partnerAddress", "partnerFeeBps", "isCapSurplus", "takeSurplus", "isSurplusToUser",
      "isDirectFeeTransfer", "srcTokenTransferFee", "destTokenTransferFee", "srcTokenDexTransferFee", "destTokenDexTransferFee",
    ],
    members: [
      ...priceRoute("priceRoute"),
      ...["from", "to", "value", "data", "gasPrice", "chainId"].map((member) => `txParams/${member}`),
    ],
  },
  "GET /chains": { members: ["[]/chainId"] },
  "GET /fiat/tokens/{chainId}": {
    query: ["category"],
    members: ["chainId", "address", "name", "decimals", "symbol", "logoURI", "tags", "sources", "categories"].map((member) => `tokens[]/${member}`),
  },
  "GET /fiat/tokens/all": {},
  "GET /fiat/tokens/categories": { members: ["id", "name"].map((member) => `categories[]/${member}`) },
  "GET /tokens/{chainId}": { members: ["symbol", "address", "decimals"].map((member) => `tokens[]/${member}`) },
  "GET /users/tokens/{chainId}/{address}": {},
  "POST /ft/p2p/{chainId}": {
    body: [
      "nonceAndMeta", "expiry", "makerAsset", "takerAsset", "makerAmount", "takerAmount", "maker", "taker", "signature",
      "permitMakerAsset",
    ],
    members: otc(""),
  },
  "GET /ft/order/{orderHash}": { members: otc("") },
  "GET /ft/p2p/{chainId}/maker/{address}": {
    query: ["limit", "offset", "orderBy", "hideSmallBalances", "type"],
    members: ["orders[]", "limit", "offset", "total", "hasMore"],
  },
  "GET /ft/p2p/{chainId}/taker/{address}": {
    query: ["limit", "offset"],
    members: ["orders[]", "limit", "offset", "total", "hasMore"],
  },
  "GET /ft/fillablebalance/{chainId}/{address}": { members: ["{token}"] },
  "GET /ft/fillablebalance/{chainId}/{address}/{token}": { members: ["{token}"] },
  "GET /adapters/list": {},
  "GET /prices/partnerfee/{chainId}": {},
  "GET /adapters/contracts": { query: ["chainId", "version"], members: ["ParaswapDelta", "AugustusSwapper", "AugustusRFQ", "TokenTransferProxy", "Executors"] },
  "GET /resources/contracts.json": {
    members: ["delta", "deltaWrappedNative", "augustusV6_2", "augustusRFQ"].map((member) => `chains/{chainId}/${member}`),
  },
  "error envelope": { members: ["errorType", "details"] },
};

/** States, kinds and errors that have to have been seen, and the rules and limits that have to be kept. */
export const RULES = {
  "Delta status": [
    "PENDING", "AWAITING_SIGNATURE", "ACTIVE", "SUSPENDED", "CANCELLING", "BRIDGING", "COMPLETED", "FAILED", "EXPIRED",
    "REFUNDING", "CANCELLED", "REFUNDED",
  ],
  "OTC state": ["DRAFT", "PENDING", "FULFILLED", "CANCELLED", "SUSPENDED", "EXPIRED"],
  "Delta order kind": ["Order", "FillableOrder", "ProductiveOrder", "ExternalOrder", "TWAPOrder", "TWAPBuyOrder"],
  "error type": ["InvalidInput", "PricingError", "UnsupportedChain", "StalePriceRoute", "InvalidSignature", "any other"],
  "status of a refusal": ["400", "422", "500", "429"],
  limit: [
    "route of at most 4 tokens", "price impact 15 %", "slippage 0 to 10000 bps", "partnerFeeBps 0 to 200",
    "anon costs 1 bps", "surplus cap", "takeSurplus excludes partnerFeeBps", "TWAP deadline", "TWAP slice amount",
    "quotes are good for 30 s", "one request a second",
  ],
  spender: ["Delta", "Market", "OTC", "none for the native token", "approve(0) first"],
  rule: [
    "native placeholder in its one casing", "the route goes back byte for byte", "no route, no quote",
    "fee-on-transfer tokens are Market's", "permits bind and are not reused", "LIMIT and TWAP take no permit",
    "signatures of accounts without code are compact", "cancelled on chain if the native token is sold",
  ],
};
