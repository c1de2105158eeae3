import type { Address, Amount, CallOptions, Hex } from "./values.ts";
import type { Progress, SentTransaction, SignedOrder, SignedOtcOrder, TradeBuild } from "./signed.ts";
import type { QuoteRequest } from "./request.ts";
import type { TradeError } from "./errors.ts";
import type { Quote } from "./quote.ts";
import type { OrderStatus } from "./orders.ts";
import type { OtcOrder, OtcRequest } from "./otc.ts";

/**
 * `client.trades`: the journal. Each trade is written down before its prompt opens, so that a reload loses none; `resume`
 * goes on with them. Functions in a plain object, which may be taken off it, like the client's.
 */
export interface TradesCalls {
  /**
   * Goes on with the trades that a reload or a crash left open, and lists those, too, that ended before any call
   * returned their end; `createClient({ resume: true })` does it at once. Deletes what ended more than 30 days ago, by the
   * chain's clock and this machine's. Never opens a prompt. A signed order is looked up by its hash. If the service does not have it, the same bytes are
   * posted, provided that it was signed within the last minute, its nonce is unused, and the wallet offers its account;
   * later it `needs` a decision of the user. One that waits for its approval is posted once that very transaction is in a
   * block: the call waits for it, for a minute at most. A transaction is looked for on its chain. Also learns the account's open
   * orders, so that none of them is signed a second time. Trades for another service (`Trade.baseUrl`) are listed, and
   * not posted. Asks service, chain and wallet; a failure of one trade is that trade's `error`. Throws ABORTED, and
   * JOURNAL_UNREADABLE after retries for five seconds: it is not known then which trades are open.
   */
  resume(options?: ResumeOptions): Promise<(ResumedTrade | UnreadableTrade)[]>;
  /**
   * The trades of the journal, open and ended, the latest first; behind them those that cannot be read, which fit any filter
   * but `open: false`. For open gasless orders one batch of reads goes to each of their chains (`Trade.funded`), for three
   * seconds at most; without such orders, or without a node, there is no request. Throws INVALID_INPUT,
   * JOURNAL_UNREADABLE; a chain that cannot be read is no failure.
   */
  list(filter?: TradesFilter, options?: CallOptions): Promise<(Trade | UnreadableTrade)[]>;
  /**
   * The answer of `list`: now, and again whenever the journal has changed, by this client or in another tab, until
   * it is aborted. Chains are read each time, but not in between. Throws INVALID_INPUT, JOURNAL_UNREADABLE.
   */
  watch(filter?: TradesFilter, options?: CallOptions): AsyncGenerator<(Trade | UnreadableTrade)[], void, void>;
  /**
   * The user does not go on with a trade that was not posted or sent, that is `FOREIGN`, or whose calls (`batch`) have shown
   * nothing new for five minutes: nothing asks about it any more. A signed order stays in the way of a second one for the
   * same trade until it can no longer be filled. An entry that cannot be read is deleted: nothing warns of a second trade
   * any more. Throws INVALID_INPUT, JOURNAL_UNREADABLE; ALREADY_SIGNED if a call or another tab is at work on it for longer
   * than 2 s. Makes no request.
   */
  abandon(id: Hex, options?: CallOptions): Promise<Trade | UnreadableTrade>;
  /**
   * Deletes the journal, or the trades of these ids; resolves to how many. Nothing is cancelled by it, and after a
   * reload nothing warns of a second order for what was deleted. Throws INVALID_INPUT, JOURNAL_UNREADABLE. Makes no request.
   */
  forget(ids?: Hex[], options?: CallOptions): Promise<number>;
  /** Where this client writes trades down, and what it lacks. Never rejects; takes five seconds at most. */
  storage(): Promise<JournalState>;
}

/** A trade of the journal: an order or a transaction for which the wallet was asked. */
export interface Trade {
  /** Its id in the journal: the order's hash, or for a transaction a hash of its build. */
  id: Hex;
  /** The kind of trade. */
  kind: "delta" | "otc" | "transaction";
  /** The purpose of a transaction, such as `market`, `fill`, `cancel`, `withdraw`, `presign`; `null` for an order. */
  purpose: string | null;
  /** The progress of the trade. */
  state: TradeState;
  /**
   * The last status that was seen: of an order as the service reports it, of a transaction as `wait` does; `UNCERTAIN`
   * if the wallet was asked to send it and it was not found so far: it may be found later, by `trades.resume` or the next
   * `submit`, and it is never taken for not sent by itself (`trades.abandon` says so). For a trade that ended without one:
   * `EXPIRED`, `ABANDONED` (signed), `UNSIGNED`; `VOID` if the service does not have a signed order and the chain shows that its nonce is
   * used, by another order or a cancellation: it can never be filled.
   */
  status: OrderStatus | SentTransaction["status"] | OtcOrder["state"] | "UNCERTAIN" | "ABANDONED" | "UNSIGNED" | "VOID" | null;
  /**
   * The step that the trade waits for. `signature`: the wallet never answered; `submit(trade.build, { request })`, with the request and
   * its bounds stated again, asks for the very same bytes. `decision`: the user has to say whether a signed order, which
   * may be for another service (`baseUrl`), is still wanted (`submit(trade.signedOrder)`, `trades.abandon(trade.id)`, or, if it
   * is gasless, `buildCancellation(trade.signedOrder)` to make it void), or whether a transaction that may have been sent,
   * was sent by another account (`FOREIGN`), or as calls that have shown nothing new for five minutes, is to be made again.
   * `approval`, `balance`: the service has the gasless order, and the chain shows that it cannot be filled, or not all open
   * orders of its token together, before the owner approves again or has more of the token: see `funded`.
   * `submit(trade.signedOrder)` then throws INSUFFICIENT_ALLOWANCE with the approval that is missing.
   */
  needs: "signature" | "decision" | "approval" | "balance" | null;
  /**
   * Whether an open gasless order can be filled by what the chain shows: the balance is no less than what it takes, and the
   * allowance no less than what all own open orders of its token take, as far as the balance goes. Absent where that is
   * not known: for anything else, where the chain was not read, while an approval is on its way, and for an order that may
   * be filled in part and of which less is there than all of it.
   */
  funded?: boolean | undefined;
  /** The URL of the service for which it was made. */
  baseUrl: string;
  /** The chain on which it is settled. */
  chainId: number;
  /** The account that signs or sends. */
  owner: Address;
  /** The EIP-712 hash of an order. */
  orderHash: Hex | null;
  /** The service's id of a gasless order, once it was posted. */
  orderId: string | null;
  /** The hash of a transaction, once the wallet gave it or the chain showed it. */
  transaction: Hex | null;
  /** The wallet's id of calls that it was asked to send together; null for others, and while only the wallet knows it. */
  batch: string | null;
  /** The wallet's message in place of a hash or an id, if it may have sent all the same: its first 160 characters. */
  said: string | null;
  /** When the wallet was first asked, unix milliseconds by this machine's clock. */
  startedAt: number;
  /** When the wallet's signature arrived, unix milliseconds. */
  signedAt: number | null;
  /** When any member changed last, unix milliseconds. */
  changedAt: number;
  /** The last second in which an order can be filled, unix seconds; `null` for no limit. */
  deadline: number | null;
  /** The trade as it was shown to the user. */
  summary: TradeSummary;
  /** While no signature is known: the order's build, which `submit` takes with its request stated again. */
  build: TradeBuild | null;
  /** Once it is signed: the input of `submit`. */
  signedOrder: SignedOrder | SignedOtcOrder | null;
}

/**
 * An entry of the journal that cannot be read: its key is lost, or it was cut or changed. It may be any trade of any account.
 * Until `trades.abandon(id)` lets go of it, no Market trade, fill, deposit, order in parts, or order whose nonce is lost too
 * opens a prompt (JOURNAL_UNREADABLE, `error.actual` is its `id`).
 */
export interface UnreadableTrade {
  /** The order's hash, or a hash of a transaction's build. */
  id: Hex;
  /** It may be an order or a transaction. */
  kind: "unreadable";
  /** It may have ended. */
  state: "unreadable";
  /** Nothing is known of it. */
  status: null;
  /** The user has to look into wallet and service, and to let go of it. */
  needs: "decision";
  /** A sentence that says so. */
  summary: TradeSummary;
}

/**
 * The progress of a trade.
 *
 * - `"asking"`: the wallet was asked, and no answer reached this package.
 * - `"signed"`: the wallet signed; none but this page is known to have the signature.
 * - `"waiting"`: the wallet signed while the approval was on its way. It is not posted before that approval is in a block.
 * - `"unapproved"`: that approval failed, was replaced, or allows too little: only `submit` of `signedOrder` posts it.
 * - `"posting"`: the signed order was on its way to the service, which may have it.
 * - `"posted"`: the service has the order.
 * - `"sent"`: the wallet sent the transaction.
 * - `"ended"`: nothing more happens; `status` says how it ended.
 */
export type TradeState = "asking" | "signed" | "waiting" | "unapproved" | "posting" | "posted" | "sent" | "ended";

/** The trade as it was shown to the user. Members that do not apply are left out. */
export interface TradeSummary {
  /** The sentence of the report. */
  sentence: string | null;
  /** The request, as `quote` takes it; of an OTC order as `otc.build` does. */
  request?: QuoteRequest | OtcRequest | undefined;
  /** The service's name for the type of a gasless order, such as `Order` or `TWAPOrder`. */
  orderKind?: string | undefined;
  /** `MARKET` or `LIMIT`, for a gasless order. */
  type?: "MARKET" | "LIMIT" | undefined;
  /** The account that receives. */
  beneficiary?: Address | undefined;
  /** The most that leaves the owner, raw units. */
  maxSpent?: Amount | undefined;
  /** The least that the user receives, raw units. */
  minReceived?: Amount | undefined;
  /** The amount that the maker of an OTC order gives, raw units. */
  makerAmount?: Amount | undefined;
  /** The amount that the taker of an OTC order gives, raw units. */
  takerAmount?: Amount | undefined;
  /** For an approval: its token and spender; `amount` in raw units, 0 if an old one is taken back. */
  approval?: { token: Address; spender: Address; amount: Amount } | undefined;
}

/** Which trades `trades.list` returns; all of them if it is empty. */
export interface TradesFilter {
  /** Only trades of this owner. */
  account?: Address | undefined;
  /** Only trades on this chain. */
  chainId?: number | undefined;
  /** `true`: those that have not ended; `false`: those that have. */
  open?: boolean | undefined;
}

/** A trade as `trades.resume` found it. */
export interface ResumedTrade extends Trade {
  /** Another tab, or a call of this client, is at work on it: nothing was done. */
  busy: boolean;
  /** The failure, if its progress could not be found out; the trade is as it was. */
  error: Omit<TradeError, keyof Error> | null;
  /** If it needs a decision: the price of the same request now; `null` if there is none; `null` if there was no price. */
  today: Quote | null;
}

/** Options of `trades.resume`. */
export interface ResumeOptions extends CallOptions {
  /** Called for each step of an order that is posted. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Where a client writes trades down. */
export interface JournalState {
  /**
   * `"stored"`: in IndexedDB or the app's storage. `"memory"`: nowhere, as there is no storage; a reload forgets.
   * `"unreadable"`: there is one, but it does not answer, or takes nothing: see JOURNAL_UNREADABLE. `"off"`: nowhere,
   * as the app requested.
   */
  state: "stored" | "memory" | "unreadable" | "off";
  /** The missing or failed feature, for a log: `no WebCrypto: the page is not https`. Null if nothing is. */
  reason: string | null;
}
