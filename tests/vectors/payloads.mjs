/**
 * The vectors of `verified-swap/vectors`: honest payloads of every kind and lies about them, written by hand and by viem, each
 * with the verdict that it has to get. None of them comes from the verifiers. Same text on every run: a fixed time, fixed keys.
 */
import { encodeFunctionData, erc20Abi, getAddress, hashDomain, hashTypedData, parseAbi } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { DOMAIN_TYPE, ORDER_KINDS } from "./delta-types.mjs";

export const NOW = 1_800_000_000;
const [BASE, OPTIMISM] = [8453, 10];
const USDC = "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913";
const WETH = "0x4200000000000000000000000000000000000006";
const USDC_THERE = "0x0b2C639c533813f4Aa9D7837CAf62653d097Ff85";
const NATIVE = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
const ZERO = `0x${"00".repeat(20)}`;
const DELTA = "0x0000000000bbF5c5Fd284e657F01Bd000933C96D";
const ROUTER = "0x6A000F20005980200259B80c5102003040001068";
const RFQ = "0xa003dFBA51C9e1e56C67ae445b852bdEd7aC5EEd";
const PERMIT2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const THIEF = getAddress("0xbad0000000000000000000000000000000000bad");
const HANDLER = "0x5555555555555555555555555555555555555555";
const [signer, other] = ["11", "22"].map((byte) => privateKeyToAccount(`0x${byte.repeat(32)}`));
const [OWNER, FRIEND] = [signer.address, other.address];
const deadline = NOW + 1200;
const day = NOW + 86_000;
/** 100 USDC for 0.04 WETH, so one USDC is worth 0.0004 WETH. */
const [SOLD, BOUGHT, REFERENCE] = [100_000_000n, 40_000_000_000_000_000n, "0.0004"];
const FEE_OF_THIEF = String((BigInt(THIEF) << 96n) | 200n);

/** No two members of the copy are one object. */
const copy = (value) => JSON.parse(JSON.stringify(value));
const fields = (...all) => all.map(([name, type]) => ({ name, type }));
const text = (amount) => String(amount);

/** The list so far. `expected` is written beside each, and is never a verifier's answer. */
let all;
const add = (name, verifier, input, expected) => all.push({ name, verifier, input, expected });
const honest = (name, verifier, input) => add(name, verifier, input, { verdict: "ok" });
const asking = (name, verifier, input, ...questions) => add(name, verifier, input, { verdict: "question", questions });
/** The input with `change` made in a copy of it: refused, with the first field that differs. */
function lie(name, verifier, input, field, change, code = "VERIFY_MISMATCH") {
  const changed = copy(input);
  change(changed);
  add(name, verifier, changed, { verdict: "refused", code, field });
}

// Delta orders.

const pair = { chainId: BASE, srcToken: USDC, srcDecimals: 6, destToken: WETH, destDecimals: 18, account: OWNER };
const domainOf = (chainId = BASE) => ({ name: "Portikus", version: "2.0.0", chainId, verifyingContract: DELTA });
const NO_BRIDGE = { protocolSelector: "0x00000000", destinationChainId: 0, outputToken: ZERO, scalingFactor: 0, protocolData: "0x" };
const typesOf = (kind) => ORDER_KINDS.find(({ primaryType }) => primaryType === kind).types;
const FILLABLE = { FillableOrder: typesOf("Order").Order, Bridge: typesOf("Order").Bridge };

/** The price of a trade as the service answers it. */
function priceOf(request, input, output, more = {}) {
  const leg = (chainId, token, amount) => ({ token: { chainId, address: token.toLowerCase() }, amount: text(amount), amountUSD: "100.0" });
  const from = leg(request.chainId, request.srcToken, input);
  const to = leg(request.chainId, request.destToken, output);
  return {
    id: "price-1", side: request.side ?? "SELL", inputToken: from.token, outputToken: to.token,
    route: {
      origin: { input: from, output: to }, destination: { input: to, output: to }, bridge: null,
      fees: { gas: { ...to, amount: "1", amountUSD: "0.00" }, bridge: [] },
    },
    partner: { name: "anon", feePercent: 0.01 }, spender: DELTA, alternatives: [], ...more,
  };
}

const common = (request) => ({
  owner: OWNER, srcToken: request.srcToken, destToken: request.destToken, nonce: "7", partnerAndFee: "1", permit: "0x", metadata: "0x",
});
/** An Order: what it sells at most, buys at least, and expects. */
const orderOf = (request, [sells, buys, expects], more = {}) => ({
  ...common(request), beneficiary: request.beneficiary ?? OWNER, srcAmount: text(sells), destAmount: text(buys), expectedAmount: text(expects),
  deadline: text(request.deadline ?? deadline), kind: request.side === "BUY" ? 1 : 0, bridge: NO_BRIDGE, ...more,
});
/** An order in slices. */
const slicedOf = (request, amounts) => ({
  ...common(request), beneficiary: OWNER, deadline: text(request.deadline), interval: text(request.intervalSecs), numSlices: request.numSlices, ...amounts, bridge: NO_BRIDGE,
});

const hashOf = ({ domain, types, value }) => hashTypedData({ domain, types, primaryType: Object.keys(types)[0], message: value });
/** A price of the request's pair. */
const priced = ({ srcToken, destToken }, price) => ({ src: srcToken, dest: destToken, price });
/** Input of `verifyOrder`, with the hash of the typed data, and a price of the caller's own. */
function built(request, quote, kind, value, price) {
  const toSign = { domain: domainOf(request.chainId), types: kind === "FillableOrder" ? FILLABLE : typesOf(kind), value };
  return { request, quote, toSign, orderHash: hashOf(toSign), reference: priced(request, price) };
}

const least = (amount, bps = 50n) => (amount * (10_000n - bps)) / 10_000n;
const most = (amount, bps = 50n) => (amount * (10_000n + bps)) / 10_000n;

function orders() {
  const verifier = "verifyOrder";
  /** A lie of the struct, hashed again, so that no other check helps. */
  const falsified = (name, input, field, change) =>
    lie(name, verifier, input, field, (changed) => {
      change(changed.toSign.value, changed);
      changed.orderHash = hashOf(changed.toSign);
    });
  const sell = { ...pair, side: "SELL", amount: text(SOLD), slippageBps: 50, deadline };
  const price = priceOf(sell, SOLD, BOUGHT);
  const amounts = [SOLD, least(BOUGHT), BOUGHT];
  const sold = built(sell, price, "Order", orderOf(sell, amounts), REFERENCE);
  const buy = { ...sell, side: "BUY", amount: text(BOUGHT) };
  const bought = built(buy, priceOf(buy, SOLD, BOUGHT), "Order", orderOf(buy, [most(SOLD), BOUGHT, SOLD]), REFERENCE);
  const limit = { ...pair, side: "SELL", amount: text(SOLD), limitAmount: "41000000000000000", deadline: day };
  const limited = built(limit, price, "Order", orderOf(limit, [SOLD, 41_000_000_000_000_000n, 41_000_000_000_000_000n]), REFERENCE);
  const buyLimit = { ...pair, side: "BUY", amount: text(BOUGHT), limitAmount: "99000000", deadline: day };
  const boughtLimited = built(buyLimit, bought.quote, "Order", orderOf(buyLimit, [99_000_000n, BOUGHT, 99_000_000n]), REFERENCE);
  const parts = { ...limit, partiallyFillable: true };
  const inParts = built(parts, price, "FillableOrder", limited.toSign.value, REFERENCE);
  const slices = { ...pair, side: "SELL", amount: text(4n * SOLD), numSlices: 4, intervalSecs: 600, slippageBps: 50, deadline: NOW + 7200 };
  const ofSlice = priceOf(slices, SOLD, BOUGHT);
  const sliced = built(slices, ofSlice, "TWAPOrder", slicedOf(slices, { destAmountPerSlice: text(least(BOUGHT)), totalSrcAmount: text(4n * SOLD) }), REFERENCE);
  const buySlices = { ...pair, side: "BUY", amount: text(4n * BOUGHT), numSlices: 4, intervalSecs: 600, maxSrcAmount: text(most(4n * SOLD)), deadline: NOW + 7200 };
  const boughtSliced = built(buySlices, priceOf(buySlices, SOLD, BOUGHT), "TWAPBuyOrder", slicedOf(buySlices, { totalDestAmount: text(4n * BOUGHT), maxSrcAmount: text(most(4n * SOLD)) }), REFERENCE);
  const ether = { ...sell, srcToken: NATIVE, srcDecimals: 18, destToken: USDC, destDecimals: 6, amount: text(BOUGHT) };
  const etherPrice = priceOf(ether, BOUGHT, SOLD);
  const native = built(ether, etherPrice, "Order", orderOf(ether, [BOUGHT, least(SOLD), SOLD]), "2500");
  const external = { ...sell, advanced: { external: { handler: HANDLER, data: "0xabcd" } } };
  const { beneficiary, bridge, ...plain } = orderOf(external, amounts);
  const handled = built(external, price, "ExternalOrder", { ...plain, handler: HANDLER, data: "0xabcd" }, REFERENCE);
  const over = { ...sell, destToken: USDC_THERE, destDecimals: 6, destChainId: OPTIMISM, srcToken: WETH, srcDecimals: 18, amount: text(BOUGHT) };
  const params = { protocolSelector: "0x12345678", outputToken: USDC_THERE, scalingFactor: 0, protocolData: "0xbeef" };
  const bridgedPrice = priceOf(over, BOUGHT, SOLD);
  const there = { token: { chainId: OPTIMISM, address: USDC_THERE.toLowerCase() }, amount: text(SOLD), amountUSD: "100.0" };
  const here = { ...there, token: { chainId: BASE, address: USDC.toLowerCase() } };
  Object.assign(bridgedPrice, { outputToken: there.token });
  Object.assign(bridgedPrice.route, {
    origin: { input: bridgedPrice.route.origin.input, output: here }, destination: { input: there, output: there },
    bridge: { protocol: "Fast", estimatedTimeMs: 12_000, tags: [], contractParams: params },
  });
  const bridged = built(over, bridgedPrice, "Order", { ...orderOf(over, [BOUGHT, least(SOLD), SOLD]), destToken: USDC, bridge: { ...params, destinationChainId: OPTIMISM } }, "2500");
  const none = { ...params, protocolData: "0x" };
  const datalessPrice = copy(bridgedPrice);
  datalessPrice.route.bridge.contractParams = none;
  const dataless = built(over, datalessPrice, "Order", { ...orderOf(over, [BOUGHT, least(SOLD), SOLD]), destToken: USDC, bridge: { ...none, destinationChainId: OPTIMISM } }, "2500");

  honest("order: sells for at least the price less slippage", verifier, sold);
  asking("order: sells, and the caller brings no price of its own", verifier, { ...sold, reference: undefined }, "noReference");
  honest("order: as the operator's SDK has it: data, no spender, no hash", verifier, {
    ...sold, orderHash: undefined, quote: { ...price, spender: undefined }, toSign: { ...sold.toSign, value: undefined, data: sold.toSign.value },
  });
  honest("order: the flat price of the SDK's version 9", verifier, {
    ...sold,
    quote: { srcToken: USDC, destToken: WETH, srcAmount: text(SOLD), destAmount: text(BOUGHT), gasCostUSD: "0", srcUSD: "100.0", destUSD: "100.0", partner: "anon", partnerFee: 0.01 },
  });
  honest("order: typed data as the JSON text that a wallet is given", verifier, {
    ...sold, toSign: JSON.stringify({ domain: sold.toSign.domain, types: { EIP712Domain: DOMAIN_TYPE, ...sold.toSign.types }, primaryType: "Order", message: sold.toSign.value }),
  });
  const friendly = { ...sell, beneficiary: FRIEND };
  honest("order: to another receiver, who was asked for", verifier, built(friendly, price, "Order", orderOf(friendly, amounts), REFERENCE));
  const agreed = { ...sell, partner: "shop", agreement: { feeBps: 30, feeAddress: FRIEND } };
  honest("order: a partner's fee that was agreed on", verifier, built(
    agreed, { ...price, partner: { name: "shop", feePercent: 0.3 } }, "Order", orderOf(agreed, amounts, { partnerAndFee: text((BigInt(FRIEND) << 96n) | 30n) }), REFERENCE,
  ));
  honest("order: buys for at most the price plus slippage", verifier, bought);
  honest("order: sells at a limit", verifier, limited);
  honest("order: buys at a limit", verifier, boughtLimited);
  honest("order: fillable in parts", verifier, inParts);
  honest("order: sells in slices", verifier, sliced);
  honest("order: buys in slices", verifier, boughtSliced);
  honest("order: sells the native token", verifier, native);
  honest("order: for another contract to settle", verifier, handled);
  asking("order: across chains", verifier, bridged, "receiverUnbound");
  honest("order: across chains, over a bridge that is given no data", verifier, dataless);

  const inStruct = [
    ["pays somebody else", "order.beneficiary", { beneficiary: THIEF }],
    ["pays the contract that settles it", "order.beneficiary", { beneficiary: DELTA }],
    ["of another owner", "order.owner", { owner: THIEF }],
    ["sells another token", "order.srcToken", { srcToken: THIEF }],
    ["buys another token", "order.destToken", { destToken: THIEF }],
    ["sells twice as much", "order.srcAmount", { srcAmount: text(2n * SOLD) }],
    ["guarantees a tenth", "order.destAmount", { destAmount: text(BOUGHT / 10n) }],
    ["guarantees one unit too little", "order.destAmount", { destAmount: text(least(BOUGHT) - 1n) }],
    ["expects a tenth, and shares what exceeds it", "order.expectedAmount", { expectedAmount: text(BOUGHT / 10n) }],
    ["valid ten years longer", "order.deadline", { deadline: text(deadline + 315_360_000) }],
    ["expired", "order.deadline", { deadline: "1" }],
    ["the other side", "order.kind", { kind: 1 }],
    ["a fee of 2 % for somebody", "order.partnerAndFee.feeBps", { partnerAndFee: FEE_OF_THIEF }],
    ["a share of the surplus for somebody", "order.partnerAndFee.takeSurplus", { partnerAndFee: text((BigInt(THIEF) << 96n) | 256n | 1n) }],
    ["a permit that nobody signed", "order.permit", { permit: "0x01" }],
    ["metadata that nobody asked for, 1 KB", "order.metadata", { metadata: `0x${"ab".repeat(1025)}` }],
    ["leaves by a bridge", "order.bridge.destinationChainId", { bridge: { ...NO_BRIDGE, destinationChainId: OPTIMISM } }],
  ];
  for (const [name, field, change] of inStruct) falsified(`order: ${name}`, sold, field, (value) => Object.assign(value, change));
  const nonced = { ...sold, request: { ...sell, nonce: "7" } };
  falsified("order: another nonce than the one that was asked for", nonced, "order.nonce", (value) => (value.nonce = "8"));
  const inDomain = [
    ["for another contract", "domain.verifyingContract", { verifyingContract: THIEF }],
    ["for another chain", "domain.chainId", { chainId: 1 }],
    ["in the domain of another contract", "domain.name", { name: "Velora" }],
    ["another version of the domain", "domain.version", { version: "1" }],
  ];
  for (const [name, field, change] of inDomain) {
    falsified(`order: ${name}`, sold, field, (_, { toSign }) => Object.assign(toSign.domain, change));
  }
  falsified("order: a type with one member more", sold, "types", (value, { toSign }) => {
    toSign.types.Order.push({ name: "more", type: "address" });
    value.more = THIEF;
  });
  lie("order: states another hash", verifier, sold, "orderHash", (input) => (input.orderHash = `0x${"11".repeat(32)}`));
  lie("order: another spender in the price", verifier, sold, "quote.spender", (input) => (input.quote.spender = THIEF));
  lie("order: a fee in the price that nobody agreed on", verifier, sold, "quote.fee", (input) => (input.quote.partner.feePercent = 2));
  lie("order: a price that is 20 % worse", verifier, sold, "quote.price", (input) => {
    const worse = (BOUGHT * 8n) / 10n;
    input.quote = priceOf(sell, SOLD, worse);
    Object.assign(input.toSign.value, { destAmount: text(least(worse)), expectedAmount: text(worse) });
    input.orderHash = hashOf(input.toSign);
  });
  lie("order: typed data that is no JSON", verifier, sold, "toSign", (input) => (input.toSign = "{"), "SERVICE_MALFORMED");
  const rounded = (input) => (input.toSign = JSON.stringify(input.toSign).replace('"nonce":"7"', '"nonce":9007199254740993'));
  lie("order: a number that some programs round", verifier, sold, "toSign.value.nonce", rounded, "SERVICE_MALFORMED");
  const buying = [
    ["spends one unit too much", "order.srcAmount", { srcAmount: text(most(SOLD) + 1n) }],
  ];
  for (const [name, field, change] of buying) falsified(`order that buys: ${name}`, bought, field, (value) => Object.assign(value, change));
  falsified("order at a limit: guarantees less", limited, "order.destAmount", (value) => (value.destAmount = text(BOUGHT)));
  lie("order in parts: not fillable in parts", verifier, inParts, "types", (input) => {
    input.toSign.types = typesOf("TWAPOrder");
    input.toSign.value = sliced.toSign.value;
    input.orderHash = sliced.orderHash;
  });
  const slicing = [
    ["pays somebody else", "order.beneficiary", { beneficiary: THIEF }],
    ["one slice for all", "order.numSlices", { numSlices: 1 }],
    ["all slices within ten minutes", "order.interval", { interval: "60" }],
    ["guarantees a tenth of each", "order.destAmountPerSlice", { destAmountPerSlice: text(BOUGHT / 10n) }],
    ["sells twice as much", "order.totalSrcAmount", { totalSrcAmount: text(8n * SOLD) }],
  ];
  for (const [name, field, change] of slicing) falsified(`order in slices: ${name}`, sliced, field, (value) => Object.assign(value, change));
  falsified("order in slices: spends more in all", boughtSliced, "order.maxSrcAmount", (value) => (value.maxSrcAmount = text(8n * SOLD)));
  falsified("order in slices: buys less in all", boughtSliced, "order.totalDestAmount", (value) => (value.totalDestAmount = text(BOUGHT)));
  falsified("order of native token: sells another token", native, "order.srcToken", (value) => (value.srcToken = USDC));
  falsified("order for another contract: another handler", handled, "order.handler", (value) => (value.handler = THIEF));
  const crossing = [
    ["arrives on another chain", "order.bridge.destinationChainId", { destinationChainId: 1 }],
    ["another token arrives", "order.bridge.outputToken", { outputToken: THIEF }],
    ["another bridge", "order.bridge.protocolSelector", { protocolSelector: "0x87654321" }],
    ["a millionth arrives", "order.bridge.scalingFactor", { scalingFactor: -6 }],
  ];
  for (const [name, field, change] of crossing) falsified(`order across chains: ${name}`, bridged, field, (value) => Object.assign(value.bridge, change));
}

// Transactions.

const ROUTER_ABI = parseAbi([
  "struct Trade { address srcToken; address destToken; uint256 fromAmount; uint256 toAmount; uint256 quotedAmount; bytes32 metadata; address beneficiary; }",
  "function swapExactAmountIn(address executor, Trade swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable returns (uint256, uint256, uint256)",
  "function swapExactAmountOut(address executor, Trade swapData, uint256 partnerAndFee, bytes permit, bytes executorData) payable returns (uint256, uint256, uint256, uint256)",
]);
const EXECUTOR = "0x000010036C0190E009a000d0fc3541100A07380A";

function swaps() {
  const verifier = "verifyTransaction";
  const request = { ...pair, side: "SELL", amount: text(SOLD), slippageBps: 50 };
  const routeOf = ({ side }, functionName) => ({
    network: BASE, srcToken: USDC.toLowerCase(), srcDecimals: 6, destToken: WETH.toLowerCase(), destDecimals: 18, srcAmount: text(SOLD), destAmount: text(BOUGHT), side,
    version: "6.2", contractAddress: ROUTER, tokenTransferProxy: ROUTER, contractMethod: functionName, partnerFee: 0.01, srcUSD: "100", destUSD: "100", partner: "anon",
  });
  // A fee of one basis point, the surplus capped.
  const sent = (functionName, trade, partnerAndFee = (BigInt(FRIEND) << 96n) | (1n << 92n) | 1n) => ({
    from: OWNER, to: ROUTER, value: "0", chainId: BASE,
    data: encodeFunctionData({
      abi: ROUTER_ABI, functionName,
      args: [EXECUTOR, { srcToken: USDC, destToken: WETH, metadata: `0x${"3d".repeat(32)}`, beneficiary: ZERO, ...trade }, partnerAndFee, "0x", "0x"],
    }),
  });
  const selling = { fromAmount: SOLD, toAmount: least(BOUGHT), quotedAmount: BOUGHT };
  const transaction = sent("swapExactAmountIn", selling);
  const sell = { kind: "swap", request, quote: routeOf(request, "swapExactAmountIn"), transaction, reference: priced(request, REFERENCE) };
  const buyRequest = { ...request, side: "BUY", amount: text(BOUGHT) };
  const buying = { fromAmount: most(SOLD), toAmount: BOUGHT, quotedAmount: SOLD };
  const buy = { kind: "swap", request: buyRequest, quote: routeOf(buyRequest, "swapExactAmountOut"), transaction: sent("swapExactAmountOut", buying), reference: priced(buyRequest, REFERENCE) };
  honest("swap: sells through the router", verifier, sell);
  honest("swap: buys through the router", verifier, buy);
  asking("swap: sells, and the caller brings no price of its own", verifier, { ...sell, reference: undefined }, "noReference");
  const envelope = [
    ["goes to another contract", "transaction.to", { to: THIEF }],
    ["from another account", "transaction.from", { from: THIEF }],
    ["sends native token along", "transaction.value", { value: "1000000000" }],
    ["a method that nobody knows", "transaction.data", { data: `0xdeadbeef${transaction.data.slice(10)}` }],
    ["a delegatecall by a Safe", "transaction.operation", { operation: 1 }],
    ["a delegation of the account beside it", "transaction.authorizationList", { authorizationList: [{ address: THIEF, chainId: BASE }] }],
    ["an approval in its place", "transaction.data", { data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [THIEF, SOLD] }) }],
  ];
  for (const [name, field, change] of envelope) lie(`swap: ${name}`, verifier, sell, field, (input) => Object.assign(input.transaction, change));
  const gas = (price) => ({ gas: "250000", maxFeePerGas: price, maxPriorityFeePerGas: "1", nonce: 7, type: "eip1559", accessList: [] });
  honest("swap: with gas and nonce, as a library prepares it", verifier, { ...sell, transaction: { ...transaction, ...gas("100000000") } });
  lie("swap: gas that eats the account", verifier, sell, "transaction.gas", (input) => Object.assign(input.transaction, gas(text(10n ** 18n))), "LOSS_TOO_HIGH");
  const called = [
    ["pays somebody else", "transaction.data.beneficiary", { beneficiary: THIEF }],
    ["guarantees a tenth", "transaction.data.toAmount", { toAmount: BOUGHT / 10n }],
    ["sells twice as much", "transaction.data.fromAmount", { fromAmount: 2n * SOLD }],
    ["buys another token", "transaction.data.destToken", { destToken: THIEF }],
  ];
  for (const [name, field, change] of called) {
    lie(`swap: ${name}`, verifier, sell, field, (input) => (input.transaction = sent("swapExactAmountIn", { ...selling, ...change })));
  }
  lie("swap: a fee of 2 % for somebody", verifier, sell, "transaction.data.partnerAndFee.feeBps", (input) => {
    input.transaction = sent("swapExactAmountIn", selling, BigInt(FEE_OF_THIEF));
  });
  lie("swap: a price that is 20 % worse", verifier, sell, "quote.price", (input) => {
    const worse = (BOUGHT * 8n) / 10n;
    input.quote.destAmount = text(worse);
    input.transaction = sent("swapExactAmountIn", { ...selling, toAmount: least(worse), quotedAmount: worse });
  });
  lie("swap that buys: spends one unit too much", verifier, buy, "transaction.data.fromAmount", (input) => {
    input.transaction = sent("swapExactAmountOut", { ...buying, fromAmount: most(SOLD) + 1n });
  });
}

const CALLS = parseAbi([
  "struct Bridge { bytes4 protocolSelector; uint256 destinationChainId; address outputToken; int8 scalingFactor; bytes protocolData; }",
  "struct DeltaOrder { address owner; address beneficiary; address srcToken; address destToken; uint256 srcAmount; uint256 destAmount; uint256 expectedAmount; uint256 deadline; uint8 kind; uint256 nonce; uint256 partnerAndFee; bytes permit; bytes metadata; Bridge bridge; }",
  "function invalidateNonce(uint256 nonce)",
  "function cancelAndWithdraw(DeltaOrder order, bool isFillable)",
  "function withdrawNative(uint256 amount)",
  "function setPreSignature(bytes32 orderHash, bool preSigned)",
  "function depositNativeAndPreSign(bytes32 orderHash) payable",
  "function cancelOrder(bytes32 orderHash)",
]);
const call = (functionName, ...args) => encodeFunctionData({ abi: CALLS, functionName, args });
const approve = (...args) => encodeFunctionData({ abi: erc20Abi, functionName: "approve", args });

function otherTransactions() {
  const verifier = "verifyTransaction";
  const on = { chainId: BASE, account: OWNER };
  const hash = `0x${"ab".repeat(32)}`;
  const signed = (srcToken) => ({ domain: domainOf(), types: typesOf("Order"), value: orderOf({ ...pair, srcToken }, [SOLD, least(BOUGHT), BOUGHT]) });
  const sent = (kind, request, to, data, value = "0") => ({ kind, request: { ...on, ...request }, transaction: { from: OWNER, to, value, data, chainId: BASE } });
  const CASES = [
    ["approval for Delta", sent("approval", { path: "delta", token: USDC, amount: text(SOLD) }, USDC, approve(DELTA, SOLD)), [
      ["for another spender", approve(THIEF, SOLD)], ["of more", approve(DELTA, 2n ** 256n - 1n)],
      ["a transfer in its place", encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [DELTA, SOLD] })],
    ]],
    ["approval for the router", sent("approval", { path: "market", token: USDC, amount: text(SOLD) }, USDC, approve(ROUTER, SOLD)), []],
    ["approval without limit for Permit2", sent("approval", { path: "delta", token: USDC, amount: "unlimited", spender: PERMIT2 }, USDC, approve(PERMIT2, 2n ** 256n - 1n)), []],
    ["revocation", sent("revocation", { token: USDC, spender: THIEF }, USDC, approve(THIEF, 0n)), [["of another spender", approve(FRIEND, 0n)], ["an approval in its place", approve(THIEF, SOLD)]]],
    ["cancellation by nonce", sent("cancellation", { order: signed(USDC) }, DELTA, call("invalidateNonce", 7n)), [["of another nonce", call("invalidateNonce", 8n)]]],
    ["cancellation with the deposit", sent("cancellation", { order: signed(NATIVE) }, DELTA, call("cancelAndWithdraw", signed(NATIVE).value, false)), []],
    ["cancellation of an OTC order", sent("otcCancellation", { orderHashes: [hash] }, RFQ, call("cancelOrder", hash)), [["of another one", call("cancelOrder", `0x${"ac".repeat(32)}`)]]],
    ["authorization of an order on chain", sent("preSignature", { orderHash: hash }, DELTA, call("setPreSignature", hash, true)), [["of another order", call("setPreSignature", `0x${"ac".repeat(32)}`, true)]]],
    ["deposit", sent("preSignature", { orderHash: hash, deposit: "9" }, DELTA, call("depositNativeAndPreSign", hash), "9"), []],
    ["withdrawal", sent("withdrawal", { amount: "5" }, DELTA, call("withdrawNative", 5n)), [["of less", call("withdrawNative", 4n)]]],
  ];
  for (const [name, input, lies] of CASES) {
    honest(`transaction: ${name}`, verifier, input);
    for (const [what, data] of lies) lie(`transaction: ${name}, ${what}`, verifier, input, "transaction.data", (changed) => (changed.transaction.data = data));
  }
  const [[, first]] = CASES;
  lie("transaction: to another contract", verifier, first, "transaction.to", (changed) => (changed.transaction.to = THIEF));
  lie("transaction: from another account", verifier, first, "transaction.from", (changed) => (changed.transaction.from = THIEF));
  lie("transaction: with native token", verifier, first, "transaction.value", (changed) => (changed.transaction.value = "10"));
}

// OTC orders.

const OTC_TYPES = {
  Order: fields(
    ["nonceAndMeta", "uint256"], ["expiry", "uint128"], ["makerAsset", "address"], ["takerAsset", "address"],
    ["maker", "address"], ["taker", "address"], ["makerAmount", "uint256"], ["takerAmount", "uint256"],
  ),
};
const OTC_DOMAIN = { name: "AUGUSTUS RFQ", version: "1", chainId: BASE, verifyingContract: RFQ };
const offerOf = (taker) => ({ chainId: BASE, maker: OWNER, taker, makerAsset: USDC, takerAsset: WETH, makerAmount: text(SOLD), takerAmount: text(BOUGHT), expiry: NOW + 3600, nonce: "7" });
const otcOf = ({ chainId, nonce, ...offer }) => ({
  domain: OTC_DOMAIN, types: OTC_TYPES,
  value: { nonceAndMeta: text((BigInt(nonce) << 160n) | BigInt(offer.taker)), ...offer, expiry: text(offer.expiry) },
});

function offers() {
  const verifier = "verifyOtc";
  for (const [name, taker] of [["OTC order for one taker", FRIEND], ["OTC order for anybody", ZERO]]) {
    const request = offerOf(taker);
    const toSign = otcOf(request);
    honest(name, verifier, { request, toSign, orderHash: hashOf(toSign) });
  }
  const request = offerOf(FRIEND);
  const input = { request, toSign: otcOf(request) };
  honest("OTC order as the operator's SDK has it", verifier, { request, toSign: { domain: OTC_DOMAIN, types: OTC_TYPES, data: input.toSign.value } });
  const CASES = [
    ["asks for a tenth", "order.takerAmount", { takerAmount: text(BOUGHT / 10n) }],
    ["gives twice as much", "order.makerAmount", { makerAmount: text(2n * SOLD) }],
    ["gives another token", "order.makerAsset", { makerAsset: THIEF }],
    ["asks for another token", "order.takerAsset", { takerAsset: THIEF }],
    ["for another taker", "order.taker", { taker: THIEF }],
    ["for anybody", "order.taker", { taker: ZERO }],
    ["another taker in its nonce", "order.nonceAndMeta", { nonceAndMeta: text((7n << 160n) | BigInt(THIEF)) }],
    ["valid ten years longer", "order.expiry", { expiry: text(NOW + 315_360_000) }],
  ];
  for (const [name, field, change] of CASES) lie(`OTC order: ${name}`, verifier, input, field, ({ toSign }) => Object.assign(toSign.value, change));
  lie("OTC order: for another contract", verifier, input, "domain.verifyingContract", ({ toSign }) => (toSign.domain.verifyingContract = THIEF));
  lie("OTC order: states another hash", verifier, input, "orderHash", (changed) => (changed.orderHash = `0x${"11".repeat(32)}`));
}

const FILLS = parseAbi([
  "struct OtcOrder { uint256 nonceAndMeta; uint128 expiry; address makerAsset; address takerAsset; address maker; address taker; uint256 makerAmount; uint256 takerAmount; }",
  "struct Info { OtcOrder order; bytes signature; uint256 takerTokenFillAmount; bytes permitTakerAsset; bytes permitMakerAsset; }",
  "function fillOrder(OtcOrder order, bytes signature)",
  "function partialFillOrder(OtcOrder order, bytes signature, uint256 takerTokenFillAmount)",
  "function fillOrderWithTarget(OtcOrder order, bytes signature, address target)",
]);

async function fills() {
  const verifier = "verifyFill";
  const { value } = otcOf(offerOf(FRIEND));
  const signature = await signer.signTypedData({ domain: OTC_DOMAIN, types: OTC_TYPES, primaryType: "Order", message: value });
  const order = { ...value, chainId: BASE, orderHash: hashOf(otcOf(offerOf(FRIEND))), signature };
  const fill = (functionName, ...args) => encodeFunctionData({ abi: FILLS, functionName, args });
  const transaction = { from: FRIEND, to: RFQ, value: "0", chainId: BASE, data: fill("fillOrder", value, signature) };
  const funds = { remaining: "0", balance: text(SOLD), allowance: text(SOLD) };
  const { makerAsset, takerAsset } = value;
  const request = { account: FRIEND, makerAsset, takerAsset };
  const input = { request, orders: [order], transaction, reference: { src: takerAsset, dest: makerAsset, price: "2500" }, readings: { orders: { [order.orderHash]: funds } } };
  honest("fill: of an order that can be paid for", verifier, input);
  const half = text(BOUGHT / 2n);
  honest("fill: of a part", verifier, { ...input, request: { ...request, takerAmount: half }, transaction: { ...transaction, data: fill("partialFillOrder", value, signature, BigInt(half)) } });
  asking("fill: without a price of the caller's own", verifier, { ...input, reference: undefined }, "noReference");
  const inPlace = (name, field, change) => lie(`fill: ${name}`, verifier, input, field, change);
  inPlace("pays somebody else", "transaction.data", (changed) => (changed.transaction.data = fill("fillOrderWithTarget", value, signature, THIEF)));
  inPlace("of less than asked for", "transaction.data", (changed) => (changed.transaction.data = fill("partialFillOrder", value, signature, BOUGHT - 1n)));
  inPlace("to another contract", "transaction.to", (changed) => (changed.transaction.to = THIEF));
  inPlace("sends native token along", "transaction.value", (changed) => (changed.transaction.value = "1"));
  inPlace("of another token than the one that was asked for", "orders.0.makerAsset", (changed) => {
    Object.assign(changed.request, { makerAsset: THIEF, makerDecimals: 6 });
    changed.reference.dest = THIEF;
  });
  inPlace("of an order that is filled already", "orders.0.remaining", (changed) => (changed.readings.orders[order.orderHash].remaining = "1"));
  inPlace("of a maker without funds", "orders.0.makerBalance", (changed) => (changed.readings.orders[order.orderHash].balance = "0"));
  inPlace("that says another hash of its order", "orders.0.orderHash", (changed) => (changed.orders[0].orderHash = `0x${"11".repeat(32)}`));
  const foreign = await other.signTypedData({ domain: OTC_DOMAIN, types: OTC_TYPES, primaryType: "Order", message: value });
  const signedBy = (accepted) => (changed) => {
    changed.orders[0].signature = foreign;
    changed.transaction.data = fill("fillOrder", value, foreign);
    Object.assign(changed.readings.orders[order.orderHash], accepted);
  };
  inPlace("with a signature of somebody else", "orders.0.signature", signedBy({ accepted: false }));
  const unread = copy(input);
  signedBy({})(unread);
  asking("fill: with a signature of another key, and nobody asked the maker's code", verifier, unread, "signatureUnread");
}

// Permits, and cancellations by signature.

const PERMIT_TYPES = {
  eip2612: { Permit: fields(["owner", "address"], ["spender", "address"], ["value", "uint256"], ["nonce", "uint256"], ["deadline", "uint256"]) },
  dai: { Permit: fields(["holder", "address"], ["spender", "address"], ["nonce", "uint256"], ["expiry", "uint256"], ["allowed", "bool"]) },
  permit2Transfer: {
    PermitTransferFrom: fields(["permitted", "TokenPermissions"], ["spender", "address"], ["nonce", "uint256"], ["deadline", "uint256"]),
    TokenPermissions: fields(["token", "address"], ["amount", "uint256"]),
  },
  permit2Allowance: {
    PermitSingle: fields(["details", "PermitDetails"], ["spender", "address"], ["sigDeadline", "uint256"]),
    PermitDetails: fields(["token", "address"], ["amount", "uint160"], ["expiration", "uint48"], ["nonce", "uint48"]),
  },
};

function permits() {
  const verifier = "verifyPermit";
  const ofToken = { name: "USD Coin", version: "2", chainId: BASE, verifyingContract: USDC };
  const ofPermit2 = { name: "Permit2", chainId: BASE, verifyingContract: PERMIT2 };
  const ends = text(deadline);
  const amount = text(SOLD);
  const MESSAGES = {
    eip2612: { owner: OWNER, spender: DELTA, value: amount, nonce: "3", deadline: ends },
    dai: { holder: OWNER, spender: DELTA, nonce: "3", expiry: ends, allowed: true },
    permit2Transfer: { permitted: { token: USDC, amount }, spender: DELTA, nonce: "3", deadline: ends },
    permit2Allowance: { details: { token: USDC, amount, expiration: deadline, nonce: 3 }, spender: DELTA, sigDeadline: ends },
  };
  for (const [kind, message] of Object.entries(MESSAGES)) {
    const domain = kind.startsWith("permit2") ? ofPermit2 : ofToken;
    const request = { kind, path: "delta", chainId: BASE, token: USDC, owner: OWNER, amount, deadline, nonce: "3" };
    // The tokens' own answer; Permit2's domain is known.
    const readings = domain === ofToken ? { domainSeparator: hashDomain({ domain, types: { EIP712Domain: DOMAIN_TYPE } }) } : {};
    const input = { request, toSign: { domain, types: PERMIT_TYPES[kind], primaryType: Object.keys(PERMIT_TYPES[kind])[0], message }, readings };
    const name = `permit, ${kind}`;
    if (kind === "dai") asking(name, verifier, input, "unlimitedPermit");
    else honest(name, verifier, input);
    if (kind === "eip2612") {
      const { chainId, ...nowhere } = domain;
      const types = DOMAIN_TYPE.filter((member) => member.name !== "chainId");
      const its = { domainSeparator: hashDomain({ domain: nowhere, types: { EIP712Domain: types } }) };
      asking(`${name}: for no chain`, verifier, { ...input, toSign: { ...input.toSign, domain: nowhere }, readings: its }, "permitChainUnbound");
    }
    const told = (what, field, change) => lie(`${name}: ${what}`, verifier, input, field, ({ toSign }) => change(toSign.message, toSign));
    told("for another spender", "permit.spender", (value) => (value.spender = THIEF));
    if (kind !== "permit2Transfer") {
      const end = { eip2612: "deadline", dai: "expiry", permit2Allowance: "sigDeadline" }[kind];
      told("valid ten years longer", `permit.${end}`, (value) => (value[end] = text(deadline + 315_360_000)));
    }
    const unlimited = text(2n ** 160n - 1n);
    if (kind === "eip2612" || kind === "permit2Transfer") {
      told("by another contract", "domain.verifyingContract", (_, toSign) => (toSign.domain.verifyingContract = THIEF));
      told("on another chain", "domain.chainId", (_, toSign) => (toSign.domain.chainId = 1));
    }
    if (kind === "eip2612") {
      told("of more", "permit.value", (value) => (value.value = unlimited));
      told("of another owner", "permit.owner", (value) => (value.owner = THIEF));
      told("another nonce", "permit.nonce", (value) => (value.nonce = "4"));
    }
    if (kind === "dai") told("taken back in place of given", "permit.allowed", (value) => (value.allowed = false));
    if (kind === "permit2Transfer") {
      told("of more", "permit.permitted.amount", (value) => (value.permitted.amount = unlimited));
      told("of another token", "permit.permitted.token", (value) => (value.permitted.token = WETH));
    }
    if (kind === "permit2Allowance") {
      told("of more", "permit.details.amount", (value) => (value.details.amount = unlimited));
      told("of another token", "permit.details.token", (value) => (value.details.token = WETH));
      told("an allowance that outlives it", "permit.details.expiration", (value) => (value.details.expiration = 281_474_976_710_655));
    }
  }
}

function cancellations() {
  const verifier = "verifyCancellation";
  const orderIds = ["7b0e7a4c-7a54-4a3e-9a25-0c4ad1f1f7a1", "1f5b0f5e-6c2f-4c2e-8d55-111111111111"];
  const types = { OrderCancellations: fields(["orderIds", "string[]"]) };
  const input = { request: { chainId: BASE, orderIds }, toSign: { domain: domainOf(), types, value: { orderIds } } };
  honest("cancellation by signature", verifier, input);
  const told = (name, field, change) => lie(`cancellation by signature: ${name}`, verifier, input, field, ({ toSign }) => change(toSign));
  told("of another order", "cancellation.orderIds.0", ({ value }) => (value.orderIds[0] = orderIds[0].replace("7", "8")));
  told("of one order more", "cancellation.orderIds.2", ({ value }) => value.orderIds.push(orderIds[0].replace("7", "8")));
  told("for another contract", "domain.verifyingContract", ({ domain }) => (domain.verifyingContract = THIEF));
  told("an order in its place", "types", (toSign) => {
    toSign.types = typesOf("Order");
    toSign.value = orderOf(pair, [SOLD, 1n, 1n]);
  });
}

/** All of them, in order. */
export async function vectors() {
  all = [];
  orders();
  swaps();
  otherTransactions();
  offers();
  await fills();
  permits();
  cancellations();
  return all;
}

/** The text of `vectors.json`: a line for each. */
export const written = (list) => `{ "version": 1, "now": ${NOW}, "vectors": [\n${list.map((vector) => JSON.stringify(vector)).join(",\n")}\n] }\n`;
