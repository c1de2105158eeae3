import type {
  Address,
  Amount,
  Approval,
  Eip1193Provider,
  Hex,
  Order,
  Question,
  SentTransaction,
  Side,
  SignedOrder,
  Trade,
  TradeError,
  TwapPlan,
} from "verified-swap";
import type { Token } from "../sandbox/sandbox.ts";

/* What the page's state is made of, below everything that works on it. */

/** The stage that the card shows. */
export type Stage = "compose" | "review" | "refused" | "progress" | "sent" | "unfinished";

/** A wallet that can be connected: the sandbox's own, or an injected one. */
export interface WalletChoice {
  /** Unique for this page load. */
  id: string;
  name: string;
  /** A `data:` image, or null. */
  icon: string | null;
  provider: Eip1193Provider & { on?: (event: string, listener: (value: unknown) => void) => void };
}

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
  /** Of a purchase: the most that all slices together may cost. The user's own figure: no quote bounds itself. */
  mostText: string;
}

export const firstTerms: { limit: LimitTerms; twap: TwapTerms } = {
  limit: { by: "price", text: "", validForSecs: 86_400, partiallyFillable: false },
  twap: { slicesText: "4", intervalSecs: 60, mostText: "" },
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
  | "replace"
  | "lookUp"
  | "reload"
  | "withoutJournal"
  | "acceptCosts"
  | "take";

/** What went wrong. */
export interface Trouble {
  /** The cause. */
  message: string;
  /** What it means for the user. */
  consequence?: string;
  /** What the browser says of it. */
  details?: string;
  /** What may help, if it is not what helps a page whose files do not arrive. */
  advice?: string;
  /** Unix milliseconds at which the page tries again by itself; absent: trying again is in vain. */
  retryAt?: number;
}

/** What went wrong, and the one action that helps. */
export interface Failure extends Trouble {
  button: string;
  remedy: Remedy;
  /** Present if a signed order may or may not exist at the service. */
  signedOrder?: SignedOrder;
  /** Of `approve`: what is missing. */
  approval?: Approval;
  /** Of `compare`: what was asked for, and what came instead. */
  refusal?: TradeError;
  /** Of `lookUp`: the order of which nobody was told how it ended. */
  orderHash?: Hex;
  /** What the user has to answer before the button goes on. */
  questions?: Question[];
  /** What the user may choose instead, knowing what is said. */
  other?: { button: string; remedy: Remedy };
  /** The amount has to be changed, or its costs are accepted. Shown beside it. */
  ofAmount?: true;
  /** Of `acceptCosts`: how much of the trade is lost to them, in basis points. */
  lossBps?: number;
}

/** A signed order. */
export interface InFlight {
  chainId: number;
  destChainId: number;
  owner: Address;
  beneficiary: Address;
  orderHash: Hex;
  srcToken: Address;
  destToken: Address;
  side: Side;
  /** Across chains: the least that arrives, as it was reviewed; null if not known, or if only the bridge promises. */
  guaranteed: Amount | null;
  /** It stays open until its price is reached or its next slice is due, so the page does not wait for it. */
  resting: boolean;
  twap: TwapPlan | null;
  /** Signed on this page. Others are of the journal, or were opened from the list: nobody waits for them. */
  isFresh: boolean;
  /** Unix milliseconds; null if not known. */
  signedAt: number | null;
  postedAt: number | null;
  /** When the page first saw solvers bid. */
  activeAt: number | null;
  settledAt: number | null;
  /** Balances before the swap, of the owner; null where they could not be read, or it is not fresh. */
  before: { src: Amount | null; dest: Amount | null };
  /** Balances after it ended; null until they were read. */
  after: { src: Amount | null; dest: Amount | null } | null;
  /** Handed to `submit` again until the service is known to have the order; null if it was opened from the list. */
  signedOrder: SignedOrder | null;
  /**
   * The transaction that consents in place of a signature, until it is in a block: only then is there something to
   * post.
   */
  consent: SentTransaction | null;
}

/** A transaction after the wallet sent it. */
export interface Sent {
  purpose: "swap" | "approval" | "consent" | "cancel" | "withdraw";
  /** What was agreed to. */
  sentence: string;
  /** The contract; null after a reload. */
  to: Address | null;
  src: Token;
  dest: Token;
  transaction: SentTransaction;
  /**
   * Of a swap: who receives, and of the amount that is not fixed the bound that was agreed to, and what the quote said (null
   * after a reload).
   */
  promise: { beneficiary: Address; side: Side; bound: Amount; expected: Amount | null } | null;
  /** What the chain shows to have left the sender, and to have arrived; null before, and where that cannot be read. */
  paid: Amount | null;
  received: Amount | null;
  /**
   * The sender's balances before, and after it ended; null where they could not be read, or do not change, and after a
   * reload.
   */
  before: { src: Amount | null; dest: Amount | null } | null;
  after: { src: Amount | null; dest: Amount | null } | null;
  /** Unix milliseconds. */
  sentAt: number;
  endedAt: number | null;
}

/** A step of its own: asked of the wallet beside the order or transaction, and held back until it was reviewed. */
export type Asked =
  | { kind: "reset" | "allow"; token: Address; spender: Address; amount: Amount }
  | {
      kind: "permit";
      token: Address;
      spender: Address;
      amount: Amount;
      /** Unix seconds. */
      deadline: number;
      /** What is signed. */
      data: object;
    }
  | { kind: "deposit"; spender: Address; amount: Amount; orderHash: Hex }
  | { kind: "consent"; spender: Address; orderHash: Hex }
  | {
      kind: "cancel";
      spender: Address;
      isSigned: boolean;
      orders: Cancelled[];
      /** The view that it was asked for in, and goes back to. */
      from: Stage;
    };

/** An order that is cancelled: of the service, or one that only the journal has. */
export type Cancelled = Order | Trade;

export type StepName = Asked["kind"] | "sign" | "send" | "sendBoth" | "consentBoth";

/** `cancelled`: given up, or its time ran out. `failed`: nobody wanted it to end so. */
export type HistoryState = "open" | "done" | "cancelled" | "failed";

/** What the page follows, in its own view or beside the form, until it has ended and that was seen. */
export type Errand = OrderErrand | SentErrand;

export interface OrderErrand {
  kind: "order";
  /** The order's hash. */
  id: string;
  inFlight: InFlight;
  /** As the service knows it; null before it does. */
  order: Order | null;
  /** What the page does about it beside reading. */
  busy: "posting" | "confirming" | null;
  failure: Failure | null;
  /** It ended while the page showed something else, and nobody has dismissed that yet. */
  isNews: boolean;
}

export interface SentErrand {
  kind: "transaction";
  /** The transaction's hash, or the wallet's id of several calls. */
  id: string;
  sent: Sent;
  isNews: boolean;
}
