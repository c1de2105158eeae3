// The functions and constants that every entry exports.
import { shownAt } from "./caller.js";
import { isReady } from "./entry.js";
import { summarize } from "./order-summary.js";
import { summarizeOtcOrder } from "./otc-order-summary.js";
import { inside, object, text, tradeError } from "./reading.js";
import * as wasm from "./verified_swap.js";

export function isTradeError(error, code) {
  return error?.name === "TradeError" && typeof error.code === "string" && (code === undefined || error.code === code);
}

/** `work` of an exported function, which needs the module. */
const loaded = (name, work) =>
  shownAt((...given) => {
    if (isReady()) return work(...given);
    const message = `verified-swap: call \`await init()\` (or createClient) once before ${name}`;
    throw tradeError(message, { code: "INVALID_INPUT", field: "init" });
  });
const pure = (name) => loaded(name, (first, second) => inside(() => wasm.compute(name, first, second)));

export const parseAddress = pure("parseAddress");
const isAddressText = pure("isAddress");
export const isAddress = (value) => isAddressText(text(value));
export const normalizeToken = pure("normalizeToken");
export const parseUnits = pure("parseUnits");
export const formatUnits = pure("formatUnits");
export const hashTypedData = pure("hashTypedData");
export const compactSignature = pure("compactSignature");
export const recoverTypedDataSigner = pure("recoverTypedDataSigner");
export const minReceived = pure("minReceived");
export const maxSpent = pure("maxSpent");
export const verifyOrder = pure("verifyOrder");
export const twapSchedule = pure("twapSchedule");
const isFinal = pure("isTerminal");
export const isTerminal = (order) => isFinal(text(order?.status ?? order));
export const summarizeOrder = loaded("summarizeOrder", (order) => summarize(order, isTerminal(object(order, "order"))));
export { summarizeOtcOrder };
// Deprecated names of the two above.
export const orderFacts = summarizeOrder;
export const otcFacts = summarizeOtcOrder;
export const rawQuote = ({ sealed, kind }) => JSON.parse(sealed.slice(sealed.indexOf(".") + 1))[kind];

export const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const VELORA_BASE_URL = "https://api.velora.xyz";
