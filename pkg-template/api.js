// The functions and constants that every entry exports.
import { shownAt } from "./caller.js";
import { isPriceable, isReady } from "./entry.js";
import { summarize } from "./order-summary.js";
import { summarizeOtcOrder } from "./otc-order-summary.js";
import { inside, object, text, tradeError } from "./reading.js";
import * as wasm from "./verified_swap.js";
export { orderFacts, otcFacts } from "./renamed.js";
export { isSupported } from "./support.js";

export function isTradeError(error, code) {
  return error?.name === "TradeError" && typeof error.code === "string" && (code === undefined || error.code === code);
}

/** `work` of an exported function, which needs the module, or its first part. */
const loaded = (name, work, isThere = isReady) =>
  shownAt((...given) => {
    if (isThere()) return work(...given);
    const message = `verified-swap: call \`await init()\` (or createClient) once before ${name}`;
    throw tradeError(message, { code: "INVALID_INPUT", field: "init" });
  });
const pure = (name, isThere) => loaded(name, (first, second) => inside(() => wasm.compute(name, first, second)), isThere);

export const parseAddress = pure("parseAddress", isPriceable);
export const isAddress = loaded("isAddress", (value) => {
  try {
    return Boolean(parseAddress(text(value)));
  } catch (error) {
    if (error.code === "INTERNAL") throw error;
    return false;
  }
}, isPriceable);
export const normalizeToken = pure("normalizeToken", isPriceable);
export const parseUnits = pure("parseUnits", isPriceable);
export const formatUnits = pure("formatUnits", isPriceable);
export const hashTypedData = pure("hashTypedData");
export const compactSignature = pure("compactSignature");
export const recoverTypedDataSigner = pure("recoverTypedDataSigner");
export const minReceived = pure("minReceived", isPriceable);
export const maxSpent = pure("maxSpent", isPriceable);
export const verifyOrder = pure("verifyOrder");
export const twapSchedule = pure("twapSchedule", isPriceable);
const isFinal = pure("isTerminal", isPriceable);
export const isTerminal = (order) => isFinal(text(order?.status ?? order));
const paidOut = pure("paidOut");
export const summarizeOrder = loaded("summarizeOrder", (order) => summarize(order, isTerminal(object(order, "order")), paidOut));
export { summarizeOtcOrder };
export const rawQuote = ({ sealed, kind }) => JSON.parse(sealed.slice(sealed.indexOf(".") + 1))[kind];

export const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const VELORA_BASE_URL = "https://api.velora.xyz";
