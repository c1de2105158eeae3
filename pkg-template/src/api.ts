// The functions and constants that every entry exports.
import { shownAt } from "./caller.ts";
import { hasFirstPart, hasTradePart } from "./entry.ts";
import { answerOf, asGuard, membersOf } from "./module.ts";
import { summarize } from "./order-summary.ts";
import { summarizeOtcOrder } from "./otc-order-summary.ts";
import { inside, isTradeError, object, text, tradeError } from "./reading.ts";
import type * as published from "./types.ts";
import { compute, type Computed } from "./verified_swap.js";
export { isTradeError } from "./reading.ts";
export { isSupported } from "./support.ts";

/** Makes an exported function of `work`: it throws INVALID_INPUT, with the function's name, until `isThere`. */
const requiring = <Given extends unknown[], Result>(name: string, work: (...given: Given) => Result, isThere = hasTradePart) =>
  shownAt((...given: Given) => {
    if (isThere()) return work(...given);
    const message = `verified-swap: call \`await init()\` (or createClient) once before ${name}`;
    throw tradeError(message, { code: "INVALID_INPUT", field: "init" });
  });
/** The function of the module with that name, with the types that are published of it. */
const pure = <Name extends keyof Computed>(name: Name, isThere?: () => boolean) =>
  requiring(name, (...[first, second]: Parameters<Computed[Name]>) => inside(() => compute(name, first, second)), isThere);

export const parseAddress = /* @__PURE__ */ pure("parseAddress", hasFirstPart);
export const isAddress = /* @__PURE__ */ asGuard(/* @__PURE__ */ requiring("isAddress", (value: unknown) => {
  try {
    return Boolean(parseAddress(text(value)));
  } catch (error) {
    if (isTradeError(error, "INTERNAL")) throw error;
    return false;
  }
}, hasFirstPart));
export const normalizeToken = /* @__PURE__ */ pure("normalizeToken", hasFirstPart);
export const parseUnits = /* @__PURE__ */ pure("parseUnits", hasFirstPart);
export const formatUnits = /* @__PURE__ */ pure("formatUnits", hasFirstPart);
export const hashTypedData = /* @__PURE__ */ pure("hashTypedData");
export const compactSignature = /* @__PURE__ */ pure("compactSignature");
export const recoverTypedDataSigner = /* @__PURE__ */ pure("recoverTypedDataSigner");
export const minReceived = /* @__PURE__ */ pure("minReceived", hasFirstPart);
export const maxSpent = /* @__PURE__ */ pure("maxSpent", hasFirstPart);
export const twapSchedule = /* @__PURE__ */ pure("twapSchedule", hasFirstPart);
export const isNoWorse = /* @__PURE__ */ pure("isNoWorse");
export const carriesOver = /* @__PURE__ */ requiring("carriesOver", (...[questions, next, before]: Parameters<typeof published.carriesOver>) =>
  inside(() => compute("carriesOver", { questions, next }, before)));
const isFinal = /* @__PURE__ */ pure("isTerminal", hasFirstPart);
export const isTerminal = (order: { status: string } | string) => isFinal(text(membersOf(order)?.status ?? order));
const paidOut = /* @__PURE__ */ pure("paidOut");
export const summarizeOrder = /* @__PURE__ */ requiring("summarizeOrder", (order: published.Order) =>
  summarize(order, isTerminal(object(order, "order")), paidOut));
export { summarizeOtcOrder };
/** The service's own block of a quote: the JSON behind its seal (64 hex digits, a dot), by the quote's kind. */
export const rawQuote = ({ sealed, kind }: published.Quote) => answerOf<Record<published.Quote["kind"], ReturnType<typeof published.rawQuote>>>(JSON.parse(sealed.slice(sealed.indexOf(".") + 1)))[kind];

export const NATIVE_TOKEN = "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
export const VELORA_BASE_URL = "https://api.velora.xyz";
