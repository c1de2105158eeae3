// Faults of the form in words, and what is missing for a trade.
import { plainSymbol } from "../parts/plain-text.ts";
import type { SwapFault, SwapField, SwapForm, SwapState } from "../../src/types/swap.ts";
import type { Words } from "../messages.ts";

/** The fault of a member in words; null if there is none, or if it is only not filled in yet. */
export function faultWords({ faults, form }: SwapState, field: SwapField, words: Words): string | null {
  const fault = faults.find((one) => one.field === field);
  return fault ? inWords(fault, form, words) : null;
}

function inWords({ field, reason }: SwapFault, form: SwapForm, { form: texts }: Words): string | null {
  const words = texts.faults;
  switch (reason) {
    case "empty":
    case "tooMuch":
      return null;
    case "notNumber":
      if (/^\s*[1-9]\d{0,2},\d{3}\s*$/.test(textOf(form, field))) return words.unclear;
      return field === "limit" ? words.limit : field === "slices" ? words.sliceCount : words.amount;
    case "tooManyDecimals": {
      if (field === "limit" && form.limit.by === "price") return words.priceDecimals;
      const isOfSrc = field === "most" || (field === "limit") !== (form.side === "SELL");
      const { symbol, decimals } = isOfSrc ? form.src : form.dest;
      return words.decimals(plainSymbol(symbol), decimals);
    }
    case "tooLong":
      return words.tooLong;
    case "notAddress":
      return words.notAddress;
    case "wrongChecksum":
      return words.checksum;
    case "isToken":
      return words.isToken;
    case "sliceCount":
      return words.sliceCount;
    case "sameToken":
      return words.sameToken;
    case "crosschainKind":
      return words.crosschain;
  }
}

function textOf({ amount, limit, slices }: SwapForm, field: SwapField): string {
  return field === "limit" ? limit.text : field === "most" ? slices.most : amount;
}

/** The first thing that keeps the form from a review, in words: none of it is a failure. Null if it can be reviewed. */
export function missing(state: SwapState, words: Words): string | null {
  const { standing } = words.form;
  const { form, price, quote, waitSecs } = state;
  const fault = state.faults.find(({ reason }) => reason !== "tooMuch");
  if (fault) return inWords(fault, form, words) ?? MISSING(standing)[fault.field] ?? standing.enterReceiver;
  if (state.faults.length > 0) return standing.lacking(plainSymbol(form.src.symbol));
  if (price.isFetching && waitSecs > 0) return standing.busy(waitSecs);
  if (!quote) return standing.asking;
  if (price.isFetching && price.isStale) return standing.refreshing;
  if (state.figures?.arrival === "promised" && !form.acceptsPromise) return standing.promise;
  return null;
}

/** Members that are not filled in yet. */
const MISSING = (words: Words["form"]["standing"]): Partial<Record<SwapField, string>> => ({
  amount: words.enterAmount, limit: words.enterLimit, slices: words.enterSlices, most: words.enterMost,
});
