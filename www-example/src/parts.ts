import type {
  Address,
  Amount,
  Approval,
  SentTransaction,
  SignedOrder,
  TradeError,
  TransactionBuild,
} from "verified-swap";
import type { Token } from "./sandbox.ts";

/* What the page's state is made of, below everything that works on it. */

export interface LimitTerms {
  /** What is typed: whole destination tokens for one source token, or the amount on the side that is not fixed. */
  by: "price" | "amount";
  text: string;
  validForSecs: number;
  partiallyFillable: boolean;
}

export interface TwapTerms {
  slicesText: string;
  intervalSecs: number;
}

/** An OTC order to be made. Its two tokens are those of the form. */
export interface OfferTerms {
  giveText: string;
  wantText: string;
  /** Empty: anyone may fill it. */
  takerText: string;
  validForSecs: number;
}

export const firstTerms: { limit: LimitTerms; twap: TwapTerms; offer: OfferTerms } = {
  limit: { by: "price", text: "", validForSecs: 86_400, partiallyFillable: false },
  twap: { slicesText: "4", intervalSecs: 60 },
  offer: { giveText: "", wantText: "", takerText: "", validForSecs: 86_400 },
};

/** What the one button of a failure does. */
export type Remedy =
  | "requote"
  | "confirm"
  | "approve"
  | "consent"
  | "useMaximum"
  | "switchChain"
  | "useWalletAccount"
  | "connect"
  | "check"
  | "startOver"
  | "compare"
  | "another"
  | "replace";

/** What went wrong, and the one action that helps. */
export interface Failure {
  message: string;
  button: string;
  remedy: Remedy;
  /** Present if a signed order may or may not exist at the service. */
  signedOrder?: SignedOrder;
  /** Of `approve`: what is missing. */
  approval?: Approval;
  /** Of `compare`: what was asked for, and what came instead. */
  refusal?: TradeError;
  /** The amount has to be changed. Shown beside it; no button helps. */
  ofAmount?: true;
}

/** A transaction after the wallet sent it. */
export interface Sent {
  purpose: "swap" | "approval" | TransactionBuild["purpose"];
  /** What was agreed to. */
  sentence: string;
  to: Address;
  src: Token;
  dest: Token;
  transaction: SentTransaction;
  /** The sender's balances before, and after it ended; null where they could not be read, or do not change. */
  before: { src: Amount | null; dest: Amount | null } | null;
  after: { src: Amount | null; dest: Amount | null } | null;
  /** Unix milliseconds. */
  sentAt: number;
  endedAt: number | null;
}
