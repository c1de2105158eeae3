/** Orders of each kind as the service types them, held against what is documented: `[topic, async () => reading]`. */
import { hashTypedData } from "verified-swap";
import { known, knownAmount, types, within } from "./known.mjs";
import { build, buildOf, native, quoted, seen } from "./requests.mjs";

const HEAD = "address owner,address beneficiary,address srcToken,address destToken";
const AMOUNTS = "uint256 srcAmount,uint256 destAmount,uint256 expectedAmount,uint256 deadline";
const ORDER = `${HEAD},${AMOUNTS},uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,Bridge bridge`;
const EXTERNAL = `${HEAD.replace("beneficiary", "handler")},${AMOUNTS},uint8 kind,uint256 nonce,uint256 partnerAndFee,bytes permit,bytes metadata,bytes data`;
const SLICES = `${HEAD},uint256 nonce,uint256 partnerAndFee,uint64 deadline,uint64 interval,uint32 numSlices`;
const END = "bytes permit,bytes metadata,Bridge bridge";
const BRIDGE = " Bridge(bytes4 protocolSelector,uint256 destinationChainId,address outputToken,int8 scalingFactor,bytes protocolData)";
const PRODUCTIVE = "owner beneficiary srcToken destToken srcAmount destAmount expectedAmount deadline nonce metadata partnerAndFee permit strategy shares useShares bridge".split(" ");
const MANY_SECS = 86_400;

const typed = (name, members) => (toSign) => types(toSign) === `${name}(${members})${members.endsWith("bridge") ? BRIDGE : ""}`;
const later = () => Math.floor(Date.now() / 1000) + MANY_SECS;

/** The request of each kind's build: `[topic, members of the body (given the quote), readings]`. */
const KINDS = [
  ["typed data of an Order", () => ({}), { "as documented": typed("Order", ORDER) }],
  ["typed data with partiallyFillable", () => ({ partiallyFillable: true }), {
    "FillableOrder, the members of an Order": typed("FillableOrder", ORDER),
    "Order, the members of an Order": typed("Order", ORDER),
  }],
  ["typed data of an ExternalOrder", ({ pair }) => ({ orderType: "ExternalOrder", handler: pair.destination.address, data: "0x" }), { "as documented": typed("ExternalOrder", EXTERNAL) }],
  ["typed data of a TWAPOrder", (_, { input }) => ({ orderType: "TWAPOrder", interval: 60, numSlices: 2, totalSrcAmount: double(input), deadline: later() }), {
    "as documented": typed("TWAPOrder", `${SLICES},uint256 destAmountPerSlice,uint256 totalSrcAmount,${END}`),
  }],
  ["typed data of a TWAPBuyOrder", (_, { input, output }) => {
    const amounts = { totalDestAmount: double(output), maxSrcAmount: String(BigInt(double(input)) * 2n) };
    return { orderType: "TWAPBuyOrder", side: "BUY", interval: 60, numSlices: 2, ...amounts, deadline: later() };
  }, { "as documented": typed("TWAPBuyOrder", `${SLICES},uint256 totalDestAmount,uint256 maxSrcAmount,${END}`) }],
];

const double = (amount) => String(BigInt(amount) * 2n);

export function readingsOfKinds(subject) {
  return [
    ...KINDS.map(([topic, members, readings]) => [topic, () => asTyped(subject, members, readings)]),
    ["typed data of a ProductiveOrder", () => productive(subject)],
    ...AMOUNTS_OF_AN_ORDER.map(([topic, read]) => [topic, () => read(subject)]),
  ];
}

/** Which types they are, and whether `orderHash` is the digest of them. */
async function asTyped(subject, members, readings) {
  const side = members(subject, { input: "1", output: "1" }).side ?? "SELL";
  const quote = await quoted(subject, side === "BUY" ? await bought(subject) : {});
  const { input, output } = quote.json.delta.route.origin;
  const answer = await buildOf(subject, quote, { slippage: 50, ...members(subject, { input: input.amount, output: output.amount }) });
  const { toSign, orderHash } = seen(answer).json;
  return `${known(toSign, readings)}; ${hashed(toSign, orderHash)}`;
}

/** Whether `hash` is the digest of typed data, which may be such that it has none. */
export function hashed({ domain, types: all, value }, hash) {
  try {
    const digest = hashTypedData({ domain, types: all, message: value });
    return digest === hash?.toLowerCase() ? "its hash is the digest computed here" : `its hash is ${hash}, the digest computed here ${digest}`;
  } catch (error) {
    return `no digest can be computed of it: ${error.message}`;
  }
}

/** `ProductiveOrder`, whose struct is not published: a strategy of one of the two tokens. */
async function productive(subject) {
  const { pair, ask, chainId } = subject;
  const listed = seen(await ask(`/v2/delta/prices/strategies/${chainId}`)).json;
  const of = ({ address }) => Object.entries(listed).find(([token]) => token.toLowerCase() === address.toLowerCase())?.[1].strategies?.[0]?.vault;
  const [source, destination] = of(pair.destination) ? [pair.source, pair.destination] : [pair.destination, pair.source];
  if (!of(destination)) throw new Error("neither token of the pair has a strategy");
  const amount = source === pair.source ? pair.amount : (await quoted(subject)).json.delta.route.origin.output.amount;
  const turned = { srcToken: source.address, destToken: destination.address, srcDecimals: source.decimals, destDecimals: destination.decimals, amount: String(amount) };
  const { toSign, orderHash } = seen(await build(subject, { slippage: 50, orderType: "ProductiveOrder", strategy: of(destination) }, turned)).json;
  const names = Object.keys(toSign.value);
  const members = known(names, {
    "the documented members, in that order": () => names.join() === PRODUCTIVE.join(),
    "the documented members, in another order": () => [...names].sort().join() === [...PRODUCTIVE].sort().join(),
  });
  return `${members}; ${types(toSign)}; ${hashed(toSign, orderHash)}`;
}

async function bought(subject) {
  return { side: "BUY", amount: (await quoted(subject)).json.delta.route.origin.output.amount };
}

/** An order of a quote, with that quote's amounts. */
async function priced(subject, members, changes) {
  const quote = await quoted(subject, changes);
  const { toSign } = seen(await buildOf(subject, quote, members)).json;
  const { input, output } = quote.json.delta.route.origin;
  return { value: toSign.value, input: input.amount, output: output.amount };
}

/** How amounts and tokens of an order follow from the quote: `[topic, async (subject) => reading]`. */
const AMOUNTS_OF_AN_ORDER = [
  ["destAmount, SELL with a fee of 1 %", async (subject) => {
    const fee = { partnerFeeBps: 100 };
    const { value, output } = await priced(subject, { slippage: 50, ...fee, partnerAddress: subject.owner }, fee);
    const floor = within(output, 50).low;
    return knownAmount(value.destAmount, { "before the fee": floor, "after the fee": within(floor, 100).low, "after the fee and 1 bps": within(floor, 101).low });
  }],
  ["destAmount with the slippage left open", async (subject) => {
    const { value, output } = await priced(subject, {}, {});
    return knownAmount(value.destAmount, { "100 bps below the route": within(output, 100).low, "the route's own": output });
  }],
  ["srcAmount, BUY with slippage 50", async (subject) => {
    const { value, input } = await priced(subject, { side: "BUY", slippage: 50 }, await bought(subject));
    return knownAmount(value.srcAmount, { "rounded down": within(input, 50).high, "rounded up": within(input, 50).up });
  }],
  ["destAmount and expectedAmount with a limit", async (subject) => {
    const { value, output } = await priced(subject, { limitAmount: "7" }, {});
    const readings = { "the limit": "7", "the route's own": output };
    return `${knownAmount(value.destAmount, readings)} and ${knownAmount(value.expectedAmount, readings)}`;
  }],
  ["srcToken of an order that sells the native token", async (subject) => {
    const { value } = await priced(subject, { slippage: 50 }, native(subject));
    return known(value.srcToken.toLowerCase(), {
      "the placeholder": (token) => /^0xe{40}$/.test(token),
      "Delta's wrapped token": (token) => token === subject.pair.wrapped?.toLowerCase(),
    });
  }],
];
