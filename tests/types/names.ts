// Made by `WRITE=1 cargo test -p verified-swap-trade --test published_types`: the names that Rust has. names.check.ts
// compares them with the published types.

/** The client's calls: their plain options, whether they open prompts and have steps. */
export interface Calls {
  "quote": { options: "form"; prompts: false; steps: false };
  "build": { options: "acceptUnguaranteedArrival" | "account" | "advanced.allowSelectors" | "advanced.bridgeInputDecimals" | "advanced.bridgeInputPriceUsd" | "advanced.capSurplus" | "advanced.directFeeTransfer" | "advanced.eip1559" | "advanced.external" | "advanced.gasPriceWei" | "advanced.ignoreAllowance" | "advanced.ignoreChecks" | "advanced.ignoreGasEstimate" | "advanced.metadata" | "advanced.productive" | "advanced.referrer" | "advanced.referrerAddress" | "advanced.requireBalance" | "advanced.route" | "advanced.surplusToUser" | "advanced.takeSurplus" | "advanced.txOrigin" | "coverOpenOrders" | "deadline" | "existing" | "limitAmount" | "limitPrice" | "maxSpent" | "maxSrcAmount" | "minBridgeInput" | "minReceived" | "partiallyFillable" | "permit" | "slippageBps" | "tryOutcome" | "type" | "validForSecs"; prompts: false; steps: false };
  "warm": { options: never; prompts: false; steps: false };
  "submit": { options: "accept" | "batch" | "existing" | "permit" | "preSign" | "request" | "signature" | "withoutJournal"; prompts: true; steps: true };
  "approve": { options: "accept" | "amount" | "batch" | "until" | "withoutJournal"; prompts: true; steps: true };
  "order": { options: never; prompts: false; steps: false };
  "orders": { options: never; prompts: false; steps: false };
  "trades.resume": { options: never; prompts: false; steps: true };
  "trades.list": { options: never; prompts: false; steps: false };
  "trades.forget": { options: never; prompts: false; steps: false };
  "trades.abandon": { options: never; prompts: false; steps: false };
  "info.capabilities": { options: never; prompts: false; steps: false };
  "info.balance": { options: never; prompts: false; steps: false };
  "approvals.allowance": { options: never; prompts: false; steps: false };
  "approvals.list": { options: never; prompts: false; steps: false };
  "approvals.buildRevoke": { options: never; prompts: false; steps: false };
  "cancel": { options: never; prompts: true; steps: true };
  "buildCancellation": { options: never; prompts: false; steps: false };
  "buildWithdrawal": { options: never; prompts: false; steps: false };
  "approvals.needed": { options: never; prompts: false; steps: false };
  "signPermit": { options: "accept" | "account" | "amount" | "deadline" | "kind" | "maxSpent" | "slippageBps"; prompts: true; steps: true };
  "otc.build": { options: "coverOpenOrders"; prompts: false; steps: false };
  "otc.order": { options: never; prompts: false; steps: false };
  "otc.orders": { options: never; prompts: false; steps: false };
  "otc.remaining": { options: never; prompts: false; steps: false };
  "otc.buildFill": { options: "account" | "makerDecimals" | "makerSymbol" | "maxPriceDeviationBps" | "minMakerAmount" | "permit" | "receiver" | "requireReference" | "takerAmount" | "takerDecimals" | "takerSymbol" | "tryOutcome"; prompts: false; steps: false };
  "otc.buildCancellation": { options: never; prompts: false; steps: false };
  "info.rateLimit": { options: never; prompts: false; steps: false };
  "info.chains": { options: never; prompts: false; steps: false };
  "info.tokens": { options: never; prompts: false; steps: false };
  "info.tokenCategories": { options: never; prompts: false; steps: false };
  "info.isTokenSupported": { options: never; prompts: false; steps: false };
  "info.agents": { options: never; prompts: false; steps: false };
  "info.strategies": { options: never; prompts: false; steps: false };
  "info.bridgeRoutes": { options: never; prompts: false; steps: false };
  "info.bridgeProtocols": { options: never; prompts: false; steps: false };
  "info.fillableBalance": { options: never; prompts: false; steps: false };
  "otc.fillableBalance": { options: never; prompts: false; steps: false };
}

/** The service's resources: the members of their queries, and those that may be left out. */
export interface Resources {
  "info.chains": { all: never; optional: never };
  "info.tokens": { all: "category" | "chainId"; optional: "category" };
  "info.tokenCategories": { all: never; optional: never };
  "info.isTokenSupported": { all: "chainId" | "token"; optional: never };
  "info.agents": { all: "chainId"; optional: never };
  "info.strategies": { all: "chainId"; optional: never };
  "info.bridgeRoutes": { all: "allowBridgeAndSwap" | "bridges"; optional: "allowBridgeAndSwap" | "bridges" };
  "info.bridgeProtocols": { all: never; optional: never };
  "info.fillableBalance": { all: "account" | "chainId" | "token"; optional: "account" | "token" };
  "otc.fillableBalance": { all: "account" | "chainId" | "token"; optional: "account" | "token" };
}

/** Names by the type that has them. A member of `advanced` is behind a dot. */
export interface Names {
  Agreement: "capSurplus" | "feeAddress" | "feeBps" | "referral" | "takesSurplus";
  AllowanceNeededQuery: "account" | "amount" | "chainId" | "path" | "token";
  AllowanceQuery: "account" | "chainId" | "spender" | "token";
  Approval: "amount" | "chainId" | "claimed" | "current" | "forOpenOrders" | "openOrders" | "owner" | "path" | "questions" | "resetFirst" | "sealed" | "spender" | "token" | "unfunded";
  BalanceQuery: "account" | "chainId" | "token";
  BuildOptions: "acceptUnguaranteedArrival" | "account" | "advanced.bridgeInputDecimals" | "advanced.bridgeInputPriceUsd" | "advanced.capSurplus" | "advanced.external" | "advanced.metadata" | "advanced.productive" | "advanced.referrerAddress" | "advanced.requireBalance" | "advanced.route" | "advanced.takeSurplus" | "coverOpenOrders" | "deadline" | "existing" | "limitAmount" | "limitPrice" | "maxSpent" | "maxSrcAmount" | "minBridgeInput" | "minReceived" | "partiallyFillable" | "permit" | "slippageBps" | "type" | "validForSecs";
  ChainContracts: "delta" | "rfq" | "router" | "wrappedNative";
  ClientOptions: "account" | "addChain" | "advanced.allowServiceContracts" | "advanced.batch" | "advanced.bridgeTokens" | "advanced.rateLimit" | "advanced.references" | "advanced.rpcQuorum" | "advanced.timeoutMs" | "agreement" | "apiKey" | "baseUrl" | "contracts" | "onEvent" | "onPrompt" | "partner" | "paymasterService" | "reference" | "resume" | "rpc" | "storage" | "switchChain" | "wallet";
  DeltaPriceOptions: "allowBridgeAndSwap" | "degenMode" | "excludeAgents" | "excludeBridges" | "includeAgents" | "includeBridges";
  ErrorAction: "approve" | "changeAmount" | "none" | "rebuild" | "reload" | "requote" | "retry" | "switchChain";
  ErrorCode: "ABORTED" | "ALREADY_SIGNED" | "INSUFFICIENT_ALLOWANCE" | "INSUFFICIENT_BALANCE" | "INTERNAL" | "INVALID_INPUT" | "JOURNAL_UNREADABLE" | "LOSS_TOO_HIGH" | "MODULE_UNAVAILABLE" | "NETWORK" | "NODES_DISAGREE" | "NO_ROUTE" | "PRICE_UNJUDGED" | "QUOTE_EXPIRED" | "RATE_LIMITED" | "SERVICE_MALFORMED" | "SERVICE_REJECTED" | "SIGNATURE_MISMATCH" | "TIMEOUT" | "UNSUPPORTED_ACCOUNT" | "UNSUPPORTED_CHAIN" | "USER_REJECTED" | "VERIFY_MISMATCH" | "WALLET_FAILED" | "WALLET_PENDING" | "WASM_UNAVAILABLE" | "WRONG_ACCOUNT" | "WRONG_CHAIN";
  MarketBuildOptions: "account" | "advanced.allowSelectors" | "advanced.capSurplus" | "advanced.directFeeTransfer" | "advanced.eip1559" | "advanced.gasPriceWei" | "advanced.ignoreAllowance" | "advanced.ignoreChecks" | "advanced.ignoreGasEstimate" | "advanced.referrer" | "advanced.requireBalance" | "advanced.surplusToUser" | "advanced.takeSurplus" | "advanced.txOrigin" | "deadline" | "maxSpent" | "minReceived" | "permit" | "slippageBps" | "tryOutcome" | "type" | "validForSecs";
  MarketPriceOptions: "destDexTransferFeeBps" | "destTransferFeeBps" | "excludeContractMethods" | "excludeContractMethodsWithoutFeeModel" | "excludeDexs" | "excludePools" | "excludeRfq" | "ignoreBadUsdPrice" | "includeContractMethods" | "includeDexs" | "otherExchangePrices" | "route" | "srcDexTransferFeeBps" | "srcTransferFeeBps";
  OrdersFilter: "account" | "chainId" | "limit" | "onChainOrderType" | "page" | "status" | "type";
  OtcFilter: "chainId" | "hideSmallBalances" | "limit" | "maker" | "offset" | "orderBy" | "taker" | "type";
  OtcRequest: "chainId" | "chainName" | "expiry" | "maker" | "makerAmount" | "makerAsset" | "makerDecimals" | "makerSymbol" | "nonce" | "taker" | "takerAmount" | "takerAsset" | "takerDecimals" | "takerSymbol";
  Permit: "amount" | "bytes" | "chainId" | "deadline" | "kind" | "nonce" | "owner" | "sealed" | "spender" | "token";
  PermitKind: "eip2612" | "permit2Allowance" | "permit2Existing" | "permit2Transfer";
  PromptPurpose: "approve" | "cancel" | "cancelOrders" | "fill" | "market" | "order" | "otc" | "permit" | "presign" | "revoke" | "withdraw";
  QuoteRequest: "acceptWrapped" | "account" | "advanced.bridgeTokens" | "advanced.chainName" | "advanced.delta" | "advanced.destChainName" | "advanced.destPriceUsd" | "advanced.market" | "advanced.maxImpactPercent" | "advanced.maxUsdImpact" | "advanced.srcPriceUsd" | "agreement" | "amount" | "beneficiary" | "chainId" | "destChainId" | "destDecimals" | "destSymbol" | "destToken" | "intervalSecs" | "maxFeeBps" | "maxLossBps" | "maxPriceDeviationBps" | "mode" | "numSlices" | "partner" | "partnerAddress" | "partnerFeeBps" | "requireReference" | "side" | "srcDecimals" | "srcSymbol" | "srcToken";
  VerifyOrderInput: "contracts" | "now" | "orderHash" | "quote" | "readings" | "reference" | "request" | "toSign";
  VerifyOrderTerms: "acceptUnguaranteedArrival" | "account" | "advanced.bridgeInputDecimals" | "advanced.bridgeInputPriceUsd" | "advanced.capSurplus" | "advanced.external" | "advanced.metadata" | "advanced.route" | "advanced.takeSurplus" | "deadline" | "limitAmount" | "maxSpent" | "maxSrcAmount" | "minBridgeInput" | "minReceived" | "nonce" | "partiallyFillable" | "permit" | "slippageBps" | "type";
  WalletBinding: "account" | "on" | "removeListener" | "request" | "sendTransaction" | "signTypedData" | "switchChain" | "wallet";
  WatchOptions: "intervalMs" | "maxIntervalMs";
  WithdrawalRequest: "account" | "amount" | "chainId";
  external: "data" | "handler" | "prerequisite";
}
