// A wallet's view of what this package has it sign, on real builds of every kind: the hashes and fields of
// `report.hardware` by viem and ethers, and the words of the descriptors in `erc7730` by a wallet's library.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { formatTypedData } from "@ethereum-sourcify/clear-signing";
import { TypedDataEncoder, getAddress, hexlify } from "ethers";
import { formatUnits, hashDomain, hashStruct, hashTypedData, keccak256, toBytes } from "viem";
import { NATIVE, startWorld } from "./world.mjs";

const [DELTA, RFQ] = ["delta", "rfq"].map((name) =>
  JSON.parse(readFileSync(new URL(`../../pkg-template/erc7730/${name}.json`, import.meta.url), "utf8")),
);

let world;
let builds;
let prompts;
before(async () => {
  world = await startWorld();
  [builds, prompts] = await everyKind(world);
});
after(() => world?.sandbox.stop());

/** A build of each kind, and each prompt for what has none: the typed data, and what the app got beside it. */
async function everyKind({ accounts, token, units, pair, fund, chain, elsewhere, client: connect, wallet }) {
  const [account, receiver] = [accounts[2], accounts[4]];
  const [usdc, dai] = ["USDC", "DAI"].map((symbol) => token(symbol));
  for (const one of [usdc, dai]) await fund(account, one, units(1_000_000, one));
  const asked = [];
  const own = wallet(account);
  const request = (call) => {
    if (call.method === "eth_signTypedData_v4") asked.push(JSON.parse(call.params[1]));
    return own.request(call);
  };
  const client = await connect(account, { wallet: { request } });
  const sale = pair(usdc, dai, { amount: units(100, usdc), beneficiary: receiver });
  const purchase = pair(usdc, dai, { amount: units(100, dai), side: "BUY" });
  const slices = { numSlices: 3, intervalSecs: 3_600 };
  const built = async (request, options) => client.build(await client.quote(request), { slippageBps: 100, ...options });
  const handed = { handler: chain.depository, data: "0x1234" };
  const there = token("USDC", elsewhere);
  const offer = {
    chainId: chain.chainId, makerAsset: usdc.address, takerAsset: dai.address, makerAmount: units(100, usdc), takerAmount: units(99, dai),
    makerDecimals: usdc.decimals, takerDecimals: dai.decimals,
  };
  const builds = {
    sale: await built(sale, { advanced: { metadata: "0xABcd" } }),
    purchase: await built(purchase),
    native: await built(pair(usdc, { address: NATIVE, decimals: 18 }, { amount: units(100, usdc) })),
    limit: await built(sale, { slippageBps: undefined, limitAmount: units(98, dai), validForSecs: 3_600 }),
    parts: await built(sale, { partiallyFillable: true }),
    slicedSale: await built({ ...sale, ...slices }),
    slicedPurchase: await built({ ...purchase, ...slices }, { slippageBps: undefined, maxSrcAmount: units(105, usdc) }),
    handed: await built(pair(usdc, dai, { amount: units(100, usdc) }), { advanced: { external: handed } }),
    crossing: await built({ ...sale, destChainId: elsewhere.chainId, destToken: there.address, destDecimals: there.decimals }),
    offer: await client.otc.build({ ...offer, expiry: 0 }),
    offerToOne: await client.otc.build({ ...offer, taker: receiver, expiry: 2_000_000_000 }),
  };
  const told = [];
  const onProgress = ({ step, hardware }) => step === "signing" && told.push(hardware);
  await client.signPermit(await client.quote(sale), { kind: "eip2612", onProgress });
  await client.approve(builds.limit.approval, { amount: "unlimited" });
  const order = await client.submit(builds.limit, { onProgress });
  await client.cancel(order, { onProgress });
  return [builds, asked.map((typedData, at) => ({ typedData, hardware: told[at] }))];
}

/** A device's view, by ethers' own walk through the types. */
function walked({ types, domain, message, primaryType }) {
  const shown = [];
  const visit = (name, value) => {
    const reached = new Map();
    const add = (name) => {
      reached.set(name, types[name]);
      for (const { type } of types[name]) if (types[type]) add(type);
    };
    add(name);
    TypedDataEncoder.from(Object.fromEntries(reached)).visit(value, (type, one) => {
      const text = type === "address" ? getAddress(one) : /^u?int/.test(type) ? BigInt(one).toString() : /^bytes/.test(type) ? hexlify(one) : String(one);
      shown.push([type, text]);
    });
  };
  visit("EIP712Domain", domain);
  visit(primaryType, message);
  return shown;
}

/** The value at a path of `hardware.fields`. */
const at = ({ domain, message }, path) => path.split(".").reduce((inside, name) => inside[name], path.startsWith("domain.") ? { domain } : message);

function isShown(hardware, typedData, what) {
  const { types, domain, message, primaryType } = typedData;
  assert.equal(hardware.domainHash, hashDomain({ domain, types }), what);
  assert.equal(hardware.messageHash, hashStruct({ data: message, primaryType, types }), what);
  assert.equal(hardware.digest, hashTypedData(typedData), what);
  assert.equal(hardware.primaryType, primaryType);
  assert.deepEqual(hardware.fields.map(({ type, value }) => [type, value]), walked(typedData), what);
  for (const { path, value } of hardware.fields) assert.equal(String(at(typedData, path)).toLowerCase(), value.toLowerCase(), `${what}: ${path}`);
  assert.equal(new Set(hardware.fields.map(({ path }) => path)).size, hardware.fields.length);
}

test("a build says what a hardware wallet shows of it", () => {
  const kinds = new Set();
  for (const [what, { report, typedData, orderHash }] of Object.entries(builds)) {
    isShown(report.hardware, typedData, what);
    assert.equal(report.hardware.digest, orderHash);
    assert.deepEqual([report.domainSeparator, report.structHash, report.digest], ["domainHash", "messageHash", "digest"].map((name) => report.hardware[name]));
    kinds.add(report.hardware.primaryType);
  }
  assert.deepEqual([...kinds], ["Order", "FillableOrder", "TWAPOrder", "TWAPBuyOrder", "ExternalOrder"]);
  assert.deepEqual(
    builds.crossing.report.hardware.fields.map(({ path }) => path),
    [
      "domain.name", "domain.version", "domain.chainId", "domain.verifyingContract", "owner", "beneficiary", "srcToken", "destToken",
      "srcAmount", "destAmount", "expectedAmount", "deadline", "kind", "nonce", "partnerAndFee", "permit", "metadata",
      "bridge.protocolSelector", "bridge.destinationChainId", "bridge.outputToken", "bridge.scalingFactor", "bridge.protocolData",
    ],
  );
  assert.equal(builds.sale.report.hardware.fields.find(({ path }) => path === "metadata").value, "0xabcd");
});

test("a prompt for a permit, an order or a cancellation is told with what a hardware wallet shows", () => {
  for (const { typedData, hardware } of prompts) isShown(hardware, typedData, typedData.primaryType);
  assert.deepEqual(prompts.map(({ hardware }) => hardware.primaryType), ["Permit", "Order", "OrderCancellations"]);
  assert.equal(prompts[2].hardware.fields.at(-1).path, "orderIds.0");
});

/** A wallet's view of typed data by a descriptor, bound to the sandbox's contract in place of the real ones. */
async function inWords(descriptor, typedData) {
  const { chainId, verifyingContract } = typedData.domain;
  const bound = structuredClone(descriptor);
  bound.context.eip712.deployments = [{ chainId, address: verifyingContract }];
  const encodeTypeHashes = Object.keys(bound.display.formats).map((encoded) => keccak256(toBytes(encoded)));
  const byType = { [typedData.primaryType]: [{ path: "it", encodeTypeHashes }] };
  const index = { calldataIndex: {}, typedDataIndex: { [`eip155:${chainId}:${verifyingContract.toLowerCase()}`]: byType } };
  const known = [world.chain, world.elsewhere].flatMap((chain) => chain.tokens.map((token) => ({ ...token, chainId: chain.chainId })));
  const externalDataProvider = {
    resolveToken: async (chain, address) => {
      const token = known.find((one) => one.chainId === chain && one.address.toLowerCase() === address.toLowerCase());
      return token ? { name: token.symbol, symbol: token.symbol, decimals: token.decimals } : null;
    },
    resolveLocalName: async (address) => ({ name: world.accounts.some((one) => one.toLowerCase() === address.toLowerCase()) ? "mine" : "other", typeMatch: true }),
    resolveChainInfo: async (chain) => ({ name: `chain ${chain}`, nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 } }),
  };
  const descriptorResolverOptions = { type: "custom", resolver: { index, fetchDescriptor: async () => bound } };
  return formatTypedData({ account: world.accounts[2], ...typedData }, { descriptorResolverOptions, externalDataProvider });
}

/** `Label: value` of what is shown, without what only its numbers show. */
function lines({ intent, fields, warnings }) {
  assert.equal(warnings, undefined);
  const all = fields.flatMap((field) => field.fields ?? [field]).filter((field) => !/^(Partner|Expected|Nonce|Metadata)/.test(field.label));
  assert.deepEqual(all.flatMap(({ warning }) => warning ?? []), []);
  return [intent, ...all.map(({ label, value }) => `${label}: ${value}`)];
}

test("a wallet that follows ERC-7730 shows every kind in words", async () => {
  const ends = ({ deadline }) => [`Good until: ${new Date(Number(deadline) * 1000).toISOString().replace("T", " ").replace(".000", "")}`, "Owner: mine"];
  const usdc = (amount) => `${formatUnits(BigInt(amount), 6)} USDC`;
  const dai = (amount) => `${formatUnits(BigInt(amount), 18)} DAI`;
  const sold = ({ srcAmount, destAmount }, bought = dai, side = "SELL") => [`Sell at most: ${usdc(srcAmount)}`, `Buy at least: ${bought(destAmount)}`, `Side: ${side}`];
  const slices = ["Slices: 3", "One slice every: 01:00:00"];
  const expected = {
    sale: (order) => ["Swap order", ...sold(order), "Receiver: mine", ...ends(order)],
    purchase: (order) => ["Swap order", ...sold(order, dai, "BUY"), "Receiver: mine", ...ends(order)],
    native: (order) => ["Swap order", ...sold(order, (amount) => `${formatUnits(BigInt(amount), 18)} ETH`), "Receiver: mine", ...ends(order)],
    limit: (order) => ["Swap order", ...sold(order), "Receiver: mine", ...ends(order)],
    parts: (order) => ["Swap order, filled in parts", ...sold(order), "Receiver: mine", ...ends(order)],
    slicedSale: (order) => [
      "Sell in slices", `Sell in all: ${usdc(order.totalSrcAmount)}`, `Buy at least, per slice: ${dai(order.destAmountPerSlice)}`, ...slices,
      "Receiver: mine", ...ends(order),
    ],
    slicedPurchase: (order) => [
      "Buy in slices", `Buy in all: ${dai(order.totalDestAmount)}`, `Sell at most: ${usdc(order.maxSrcAmount)}`, ...slices, "Receiver: mine", ...ends(order),
    ],
    handed: (order) => ["Swap order through a contract", ...sold(order), "Handed to: other", "Data for that contract: 0x1234", ...ends(order)],
    crossing: (order) => [
      "Swap order", ...sold(order, usdc), `Bridge to: chain ${world.elsewhere.chainId}`, "Arrives as: USDC", "Receiver: mine", ...ends(order),
      `Bridge: ${order.bridge.protocolSelector}`, `Data for the bridge: ${order.bridge.protocolData}`,
    ],
    offer: () => ["Offer", "Give: 100 USDC", "Get: 99 DAI", "Good until (1970: always): 1970-01-01 00:00:00Z", "Owner: mine"],
    offerToOne: () => ["Offer", "Give: 100 USDC", "Get: 99 DAI", "Only for: mine", "Good until (1970: always): 2033-05-18 03:33:20Z", "Owner: mine"],
  };
  for (const [what, { kind, typedData }] of Object.entries(builds)) {
    const shown = lines(await inWords(kind === "otc" ? RFQ : DELTA, typedData));
    assert.deepEqual(shown, expected[what](typedData.message), what);
  }
  const { typedData } = prompts[2];
  assert.deepEqual(lines(await inWords(DELTA, typedData)), ["Cancel orders", `Order: ${typedData.message.orderIds[0]}`]);
});

test("neither descriptor is taken for the other's Order", async () => {
  for (const [descriptor, { typedData }] of [[DELTA, builds.offer], [RFQ, builds.sale]]) {
    const { fields, warnings } = await inWords(descriptor, typedData);
    assert.equal(fields, undefined);
    assert.equal(warnings.length, 1);
  }
});
