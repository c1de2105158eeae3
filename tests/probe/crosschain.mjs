/** Trades to another chain: the route, its bridge, and the order's part of them. */
import { known } from "./known.mjs";
import { build, crosschain, quoted, seen } from "./requests.mjs";

export function readingsOfCrosschain(subject) {
  const route = async () => (await quoted(subject, crosschain(subject))).json.delta;
  const outputOf = async (isNative) => seen(await build(subject, { slippage: 50, beneficiary: subject.owner }, crosschain(subject, isNative))).json.toSign.value.bridge;
  return [
    ["crosschain: alternatives", async () => known((await route()).alternatives, {
      "none": (all) => all?.length === 0,
      "routes": (all) => Array.isArray(all) && all.every(({ origin, destination }) => origin && destination),
      "prices, each with a route": (all) => Array.isArray(all) && all.every(({ route }) => route?.origin),
    })],
    ["crosschain: bridge of the route", async () => known((await route()).route.bridge, {
      "null": (bridge) => bridge === null,
      "protocol, time, tags and contractParams without a chain": (bridge) => isBridge(bridge) && !("destinationChainId" in bridge.contractParams),
      "protocol, time, tags and contractParams with the chain": isBridge,
    })],
    ["crosschain: bridge of the order", async () => known(await outputOf(false), {
      "the other chain and its token": ({ destinationChainId, outputToken }) => Number(destinationChainId) === subject.pair.elsewhere.chainId && same(outputToken, subject.pair.elsewhere.address),
    })],
    ["crosschain: the native token over there", async () => known((await outputOf(true)).outputToken, {
      "the placeholder": (token) => /^0xe{40}$/i.test(token),
      "the zero address": (token) => /^0x0{40}$/.test(token),
    })],
  ];
}

const same = (left, right) => left?.toLowerCase() === right?.toLowerCase();

function isBridge(bridge) {
  const has = (object, names) => names.every((name) => object?.[name] !== undefined);
  return has(bridge, ["protocol", "estimatedTimeMs", "tags"]) && has(bridge.contractParams, ["protocolSelector", "outputToken", "scalingFactor", "protocolData"]);
}
