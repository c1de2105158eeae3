// Failures in the user's words: only codes and data of an error are read, never its message.
import type { TradeError } from "../../src/types/errors.ts";
import type { SwapFailure, SwapRemedy } from "../../src/types/swap.ts";
import { percent, rounded, shortAddress } from "../format.ts";
import type { Words } from "../messages.ts";
import { plainSymbol } from "../parts/plain-text.ts";
import type { Scene } from "../scene.ts";
import { isAddress, plain } from "./reading.ts";

/** A failure: the fact, and its consequence. */
export interface FailureWords {
  message: string;
  consequence?: string | undefined;
}

type Texts = Words["failures"];

/** The words of a failure. */
export function failureWords({ error, isFateUnknown, remedies }: SwapFailure, scene: Scene): FailureWords {
  const texts = scene.words.failures;
  if (isFateUnknown) return { message: texts.fateUnknown };
  const words = WORDS[error.code]?.(error, scene, remedies[0]) ?? { message: texts.unexpected };
  const { view, review } = scene.state;
  // Its signature has left. The code is the service's word alone, such as that of a wrong signature.
  const isRefused = error.signedOrder && error.status && !error.approval;
  if (isRefused) return { message: rejected(error, scene.words).message, consequence: scene.words.review.busy.signed };
  // A trade that is shown by itself may be signed, whatever failed since; and of a review that goes on, an approval or a permit is.
  const isSigned = view === "entry" || (review?.prompts ?? 0) > 0;
  return isSigned && words.consequence === texts.nothingSigned ? { message: words.message } : words;
}

type Worded = (error: TradeError, scene: Scene, remedy: SwapRemedy | undefined) => FailureWords;

/** A message of its own for each code; `INTERNAL`, `ABORTED` and codes that are not known have the general one. */
const WORDS: Partial<Record<TradeError["code"], Worded>> = {
  USER_REJECTED: (_, { words }) => ({ message: words.failures.rejected, consequence: words.failures.nothingSigned }),
  QUOTE_EXPIRED: (_, { words }) => ({ message: words.failures.stalePrice }),
  INSUFFICIENT_BALANCE: notEnough,
  INSUFFICIENT_ALLOWANCE: notApproved,
  WRONG_CHAIN: (_, { words, state, chainName }) => ({ message: words.failures.otherNetwork(chainName(state.form.src.chainId)) }),
  WRONG_ACCOUNT: ({ actual, expected }, { words: { failures } }, remedy) => {
    if (remedy === "connect") return { message: failures.notConnected };
    const [is, due] = [actual, expected].map((text) => (isAddress(text) ? shortAddress(text) : null));
    return { message: is && due ? failures.otherAccountThan(is, due) : failures.otherAccount };
  },
  WALLET_PENDING: (_, { words }) => ({ message: words.failures.walletPending }),
  WALLET_FAILED: (error, { words: { failures } }, remedy) => ({
    message: remedy === "preSign" ? failures.consentInstead : walletTrouble(error, failures),
  }),
  SIGNATURE_MISMATCH: (_, { words: { failures } }, remedy) => ({
    message: remedy === "preSign" ? failures.consentInstead : failures.otherSigner,
  }),
  UNSUPPORTED_ACCOUNT: (_, { words: { failures } }, remedy) => ({
    message: remedy === "preSign" ? failures.consentInstead : failures.cannotSign,
  }),
  ALREADY_SIGNED: (error, { words }, remedy) => ({ message: signedAlready(error, words.failures, remedy) }),
  JOURNAL_UNREADABLE: ({ actual }, { words: { failures } }) => ({
    message: journalTrouble(actual ?? "", failures), consequence: failures.journalUnknown,
  }),
  MODULE_UNAVAILABLE: (_, { words }) => ({ message: words.failures.renewed }),
  WASM_UNAVAILABLE: (_, { words }) => ({ message: words.failures.noWasm }),
  LOSS_TOO_HIGH: (error, { words, state: { form } }) => ({
    message: costs(error, words.failures, form.kind === "slices" ? "slices" : form.src.chainId === form.dest.chainId ? "gas" : "bridge"),
  }),
  PRICE_UNJUDGED: (_, { words }) => unsigned(words, words.failures.unjudged),
  VERIFY_MISMATCH: ({ field }, { words }) => unsigned(words, field === "quote.loss" ? words.failures.lossTooHigh : words.failures.notAsked),
  NO_ROUTE: ({ errorType, action }, { words: { failures } }) => ({
    message: errorType === "GasCostExceedsTradeAmount" || action === "changeAmount" ? failures.tooSmall : failures.noPrice,
  }),
  RATE_LIMITED: (_, { words }) => unsigned(words, words.failures.rateLimited),
  NETWORK: noAnswer,
  TIMEOUT: noAnswer,
  NODES_DISAGREE: (_, { words }) => unsigned(words, words.failures.nodesDisagree),
  SERVICE_REJECTED: (error, { words }) => rejected(error, words),
  SERVICE_MALFORMED: ({ signedOrder }, { words }) =>
    signedOrder ? { message: words.failures.unreadable } : unsigned(words, words.failures.unreadable),
  UNSUPPORTED_CHAIN: (_, { words, state, chainName }) => ({ message: words.failures.noSwaps(chainName(state.form.src.chainId)) }),
  INVALID_INPUT: ({ action, field, expected }, { words: { failures } }) => {
    if (action === "rebuild") return { message: failures.stalePrice };
    const name = plain(field ?? failures.theRequest);
    return { message: expected === undefined ? failures.wrongInput(name) : failures.wrongInputThan(name, plain(expected).slice(0, 120)) };
  },
};

function unsigned({ failures }: Words, message: string): FailureWords {
  return { message, consequence: failures.nothingSigned };
}

function noAnswer(_: TradeError, { words }: Scene): FailureWords {
  return unsigned(words, navigator.onLine ? words.failures.noAnswer : words.failures.offline);
}

function notEnough({ expected, actual }: TradeError, { words: { failures }, state: { form } }: Scene): FailureWords {
  const [all, has] = [expected, actual].map((text) => (/^\d+$/.test(text ?? "") ? BigInt(text ?? "0") : null));
  const { symbol, decimals } = form.src;
  if (typeof all !== "bigint" || typeof has !== "bigint" || all <= has) return { message: failures.notEnough(plainSymbol(symbol)) };
  return { message: failures.needMore(`${rounded((all - has).toString(), decimals, "up")} ${plainSymbol(symbol)}`) };
}

function notApproved({ approval }: TradeError, scene: Scene): FailureWords {
  const { words: { failures }, state: { form } } = scene;
  const sum = approvalSum(approval, scene);
  if (!sum || !approval) return { message: failures.notApproved(plainSymbol(form.src.symbol)) };
  return { message: failures.spenderNotApproved(shortAddress(approval.spender), sum) };
}

/** The sum of a missing approval; null if it is not known. */
export function approvalSum(approval: TradeError["approval"], { tokenOf }: Scene): string | null {
  const token = approval && tokenOf(approval.chainId, approval.token);
  return approval && token ? `${rounded(approval.amount, token.decimals, "up")} ${plainSymbol(token.symbol)}` : null;
}

function walletTrouble({ step, field, actual }: TradeError, { walletDid }: Texts): string {
  if (step === "simulating" || field === "transaction")
    return actual ? walletDid.simulatingWhy(plain(actual).slice(0, 120)) : walletDid.simulating;
  if (step === "signing" || step === "permitting") return walletDid.signing;
  if (step === "confirming") return walletDid.confirming;
  if (step === "sending" || step === "presigning") return walletDid.sending;
  return step === "approving" || step === "resetting" ? walletDid.approving : walletDid.other;
}

function signedAlready({ questions, actual, signedOrder }: TradeError, texts: Texts, remedy: SwapRemedy | undefined): string {
  if (questions) return texts.maybeSent;
  if (actual === "under way" || actual === "in another tab") return texts.elsewhere;
  if (actual === "may still be mined" || actual === "mined") return texts.sentBefore;
  if (actual === "another was sent") return texts.anotherBefore;
  if (actual === "filled or cancelled") return signedOrder ? texts.ended : texts.signedAndOver;
  return remedy === "replace" ? texts.signedAndReplaced : texts.signedAndAdds;
}

function journalTrouble(actual: string, texts: Texts): string {
  if (/^(0x|LostKeyError)/.test(actual)) return texts.journalEntry;
  if (actual === "newer") return texts.newerPage;
  return actual.startsWith("HungError") ? texts.journalHangs : texts.journal;
}

/** A loss of all, or nearly. */
const ALL_BPS = 9_900;

function costs({ lossBps, costBps }: TradeError, texts: Texts, kind: "gas" | "slices" | "bridge"): string {
  if (lossBps === undefined || lossBps >= ALL_BPS) return texts.costs.all;
  return texts.costs[kind](percent(Math.round((costBps ?? lossBps) / 100) * 100));
}

function rejected({ requote, action, status, details, errorType, signedOrder }: TradeError, words: Words): FailureWords {
  const texts = words.failures;
  if (requote || action === "requote") return { message: texts.stalePrice };
  if (status !== undefined && status >= 500) return unsigned(words, texts.broken(status));
  const why = plain(details ?? errorType ?? texts.noReason).replace(/\.$/, "").slice(0, 120);
  return signedOrder ? { message: texts.refused(why) } : unsigned(words, texts.refused(why));
}

const SIGNS = ["signing", "permitting"];
const SENDS = ["sending", "presigning"];

/** The label of a remedy's button. */
export function remedyWords(remedy: SwapRemedy, { error }: SwapFailure, scene: Scene): string {
  const { failures, wallets } = scene.words;
  if (remedy === "connect" && error.code === "WRONG_ACCOUNT") return wallets.connect;
  const sum = remedy === "approve" ? approvalSum(error.approval, scene) : null;
  if (sum !== null) return failures.approveSum(sum);
  if (remedy === "keepBoth" && error.actual !== undefined && /mined|another was sent/.test(error.actual)) return failures.sendBoth;
  if (remedy !== "retry" || error.code !== "USER_REJECTED" || !error.step) return failures.remedies[remedy];
  if (SIGNS.includes(error.step)) return failures.signAgain;
  return SENDS.includes(error.step) ? failures.sendAgain : failures.remedies[/approving|resetting/.test(error.step) ? "approve" : "retry"];
}
