import type { CallOptions, Pair } from "./values.ts";
import type { Approval, Permit } from "./permit.ts";
import type { SentTransaction, SignedOrder, SignedOtcOrder, TradeBuild } from "./signed.ts";
import type { WalletBinding } from "./prompt.ts";
import type { BothRequest, QuoteRequest, TwapRequest, WatchedRequest } from "./request.ts";
import type { Comparison, DeltaQuote, LiveQuote, MarketQuote, Quote, QuoteBothOptions, QuoteOptions } from "./quote.ts";
import type {
  BuildOptions, DeltaBuild, MarketBuild, MarketBuildOptions, RebuildOptions, StatedPrice, StatedTime, TransactionBuild,
} from "./build.ts";
import type { InfoCalls } from "./info.ts";
import type { Order, OrderPage, OrdersFilter } from "./orders.ts";
import type { OtcBuild, OtcCalls, OtcOrder } from "./otc.ts";
import type {
  PromptOptions, StatedConsent, SubmitOptions, Submittable, WatchedAccount, WatchOptions, WithdrawalRequest,
} from "./submit.ts";
import type { ApprovalResult, ApprovalsCalls, ApproveOptions, PermitOptions } from "./approvals.ts";
import type { ResumedTrade, TradesCalls, UnreadableTrade } from "./trades.ts";
import type { ActiveTrade, TradeConsent, TradeOptions } from "./trade.ts";

/**
 * Made by `createClient`: functions in a plain object, which may be taken off it. Functions that a first trade does not need are
 * in groups, such as `client.otc`. Every call rejects with a {@link TradeError}. Any call may reject with INVALID_INPUT
 * (`field` names what is wrong), ABORTED, or MODULE_UNAVAILABLE (NETWORK, if it may pass) where a file of this package could
 * not be loaded that it is the first to need. No prompt opens before all files are there. "Throws" below names what else a call may throw, and "asks" says whom it asks, which adds:
 *
 * - the service: NETWORK, TIMEOUT, RATE_LIMITED, SERVICE_MALFORMED, SERVICE_REJECTED, or the code its refusal stands
 *   for (NO_ROUTE, QUOTE_EXPIRED, INSUFFICIENT_BALANCE and the like); UNSUPPORTED_CHAIN if the chain has no known
 *   contract (see `contracts` and `advanced.allowServiceContracts`).
 * - the chain: NETWORK, WALLET_FAILED; NODES_DISAGREE (see `advanced.rpcQuorum`); INVALID_INPUT at `rpc.<chainId>` if nothing
 *   can read that chain or the node is of another one, and if a token's decimals are not those passed in.
 * - the wallet: WRONG_ACCOUNT, WRONG_CHAIN, USER_REJECTED, WALLET_PENDING, WALLET_FAILED, NETWORK. A call that needs an
 *   account (all but `quote`) asks the wallet for it if neither its argument nor the client names one.
 *
 * `Consent`: what `trade` needs in its options; nothing, if the client was made with an `onPrompt`.
 */
export interface Client<Consent = TradeConsent> extends Disposing {
  /**
   * The same client for another wallet or account: caches, orders in flight, tabs and rate limit are shared. It ends with
   * this one, or by its own `close`. Cheap. Throws INVALID_INPUT, synchronously.
   */
  withWallet(binding: WalletBinding): Client<Consent>;
  /**
   * All steps of one trade: quote, build, review, approve or permit, submit, watch. Takes a request, or a quote that
   * the user has seen; one that is too old, or another client's, counts as its `request`, which is priced anew. No prompt opens that `onReview`, or `onPrompt`, did not agree to before. A second call for the same
   * trade, until it is posted or sent, is the first: one prompt, one order.
   *
   * Rejects as the calls it is made of, with `step` added, and with `signedOrder` once there is one. Throws
   * USER_REJECTED also if they do not agree, PRICE_UNJUDGED if an answer leaves a question open. An order that
   * ends without being filled is no error: see `order.status`. A new trade after a reload is not this one: see `signedOrder`.
   */
  trade(request: QuoteRequest | TwapRequest | Quote, options: TradeOptions & StatedPrice & StatedTime & Consent): ActiveTrade;
  /**
   * A price, verified against the request: tokens, chain, fixed amount, spender, fee, loss. A TWAP order (`numSlices`
   * and `intervalSecs`) gets the price of one slice; a route that is not for one slice is refused. Throws NO_ROUTE,
   * LOSS_TOO_HIGH, VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks the service.
   */
  quote(request: TwapRequest, options?: QuoteOptions): Promise<DeltaQuote>;
  quote(request: QuoteRequest & { mode: "ALL" }, options?: QuoteOptions): Promise<Quote>;
  quote(request: QuoteRequest & { mode: "MARKET" }, options?: QuoteOptions): Promise<MarketQuote>;
  quote(request: QuoteRequest & { mode?: "DELTA" | undefined }, options?: QuoteOptions): Promise<DeltaQuote>;
  quote(request: QuoteRequest, options?: QuoteOptions): Promise<Quote>;
  /**
   * With mode `"BOTH"`: asks for the gasless price and the Market price at the same time and ranks them by what arrives.
   * Both can be built. If one path has no price, its error is in the result; if neither has one, throws the error of the
   * gasless path.
   */
  quote(request: BothRequest, options?: QuoteBothOptions): Promise<Comparison>;
  /**
   * A live price for the latest request, renewed before it is too old to build. Sends nothing while the page is hidden,
   * or after 5 minutes without a key, a click, `update` or `touch`; goes on at once afterwards. Retries by itself after
   * failures that may pass. A new request replaces the old one, and the old price can no longer be built; nor can one
   * from before the wallet changed its account, or went to another chain than the request's. `null`: no request yet.
   * With mode `"BOTH"` it keeps the prices of both paths, as `quote` has them, in `state.comparison`.
   * Refusals of the service are in `state.error`. Throws INVALID_INPUT, synchronously, for a value that is not a
   * request.
   */
  watchQuotes(request: WatchedRequest | null, options?: CallOptions): LiveQuote;
  /**
   * The service's build for the quote (typed data or a transaction), verified field by field. The same quote with the
   * same options, as after a double click, gives the same gasless order until that is filled. Throws QUOTE_EXPIRED,
   * VERIFY_MISMATCH, ALREADY_SIGNED (only with `existing: "replace"`); asks the service, and the chain if it can be
   * read.
   */
  build(quote: DeltaQuote, options: BuildOptions & StatedPrice & StatedTime): Promise<DeltaBuild>;
  build(quote: MarketQuote, options: MarketBuildOptions & StatedTime): Promise<MarketBuild>;
  /**
   * For both kinds of quote: options of Delta orders alone (a limit, `advanced.metadata`, ...) are refused for a Market quote;
   * options of transactions alone (`advanced.directFeeTransfer`, `advanced.allowSelectors`, ...) do nothing for a Delta one.
   */
  build(quote: Quote, options: BuildOptions & MarketBuildOptions & StatedTime): Promise<DeltaBuild | MarketBuild>;
  /**
   * A build of this client, after its review, again with the permit that was signed for it: for the same price, also past
   * its 30 s, with the same deadline, nonce, metadata and reference prices. Its questions have the ids that they had.
   * Throws VERIFY_MISMATCH with the first member that is not as it was reviewed, INVALID_INPUT for an edited build, one of
   * another client, a limit or slices; asks the service.
   */
  build<B extends DeltaBuild | MarketBuild>(build: B, options: RebuildOptions): Promise<B>;
  /**
   * A Market price and its transaction in one request, verified like a build. The user sees no price before, so a bound
   * of your own is required: `minReceived`, for a BUY `maxSpent`. Takes no `permit`. Does not use makers' orders; the
   * service's rate limit for it is lower. Throws NO_ROUTE, VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks as for a quote.
   */
  build(request: QuoteRequest & { mode: "MARKET" }, options: MarketBuildOptions & StatedTime): Promise<MarketBuild>;
  /**
   * Approves exactly what is needed. Sets the allowance to zero first where the token requires it. Opens no prompt if
   * the allowance suffices. Throws PRICE_UNJUDGED while one of `approval.questions` is open, VERIFY_MISMATCH (another
   * spender), INSUFFICIENT_ALLOWANCE (the user approved less),
   * WALLET_FAILED (the transaction reverted, or is another account's), JOURNAL_UNREADABLE; asks chain and wallet.
   */
  approve(approval: Approval, options?: ApproveOptions): Promise<ApprovalResult>;
  /**
   * Signs a permit that replaces an approval. For a build that the user reviewed: over the most that it spends; pass it to
   * `build(build, { permit })`. For a quote: over the amount of a sale, which is the request's own, or of a purchase within
   * your own bound; pass it to `build(quote, { permit })`. One for an OTC order to fill goes to `otc.buildFill`, one for
   * an OTC order of your own (`OtcBuild`) to `submit`. OTC takes `eip2612`. The domain is verified against the token's own
   * `DOMAIN_SEPARATOR`, and the permit is tried by `eth_call`. If either fails: INVALID_INPUT; approve instead. So a token
   * whose own permit is of another form, such as DAI on Ethereum, is approved. A token's own permit sets the allowance:
   * for a gasless order it also covers the account's own open orders, as an approval does, unless `amount` or `maxSpent` is
   * stated.
   *
   * Throws INSUFFICIENT_ALLOWANCE: with `approval` if Permit2 may not take the token yet, without it if Permit2 has no
   * such allowance (`permit2Existing`). Throws UNSUPPORTED_ACCOUNT if the owner's account has code (approve instead),
   * VERIFY_MISMATCH, SIGNATURE_MISMATCH, PRICE_UNJUDGED while a question of the build is open. Asks wallet and chain.
   */
  signPermit(quote: DeltaBuild | MarketBuild | Quote | OtcOrder | OtcBuild, options: PermitOptions): Promise<Permit>;
  /**
   * Verifies once more, has the wallet sign, checks the signature, posts. Called twice for one order: one prompt, one
   * post. An order that sells the native token may need a deposit; where the service says so, the wallet is asked for
   * that transaction too. A Market build, or any other transaction, is tried by `eth_call` first, then sent by the
   * wallet.
   *
   * Throws before the prompt: VERIFY_MISMATCH, QUOTE_EXPIRED (its deadline has passed), ALREADY_SIGNED (another order
   * for the same trade may still be filled: see `existing`), JOURNAL_UNREADABLE, INSUFFICIENT_BALANCE,
   * INSUFFICIENT_ALLOWANCE, WALLET_FAILED (the transaction would revert). After the prompt: SIGNATURE_MISMATCH, UNSUPPORTED_ACCOUNT, WALLET_FAILED (a deposit
   * or pre-signature reverted or was dropped); and, with `signedOrder`, whatever the service refuses with. Asks chain,
   * wallet and service.
   */
  submit(build: DeltaBuild | SignedOrder, options?: SubmitOptions & StatedConsent): Promise<Order>;
  submit(build: MarketBuild | TransactionBuild, options?: SubmitOptions & StatedConsent): Promise<SentTransaction>;
  submit(build: OtcBuild | SignedOtcOrder, options?: SubmitOptions & StatedConsent): Promise<OtcOrder>;
  submit(build: DeltaBuild | MarketBuild, options?: SubmitOptions & StatedConsent): Promise<Order | SentTransaction>;
  /** Takes what an error or `onProgress` carried, and what a trade of the journal has. */
  submit(kept: SignedOrder | SignedOtcOrder | TradeBuild, options?: SubmitOptions & StatedConsent): Promise<Order | OtcOrder>;
  /** Takes any of them; `kind` tells them apart. */
  submit(what: Submittable, options?: SubmitOptions & StatedConsent): Promise<Order | OtcOrder | SentTransaction>;
  /**
   * Yields the order (also by id or hash), or the sent transaction, each time it changes; ends at a terminal status. For
   * a list, one order per change, until all have ended; for `{ account }`, also new ones, until it is aborted, but none
   * that had ended before, or that begins and ends between two looks. No terminal status is skipped. Asks the service
   * with growing pauses, one request for all orders of an owner in all tabs; for a transaction and a COMPLETED order,
   * the chain.
   *
   * An order that an hour after its deadline is still PENDING, AWAITING_SIGNATURE, ACTIVE or SUSPENDED is yielded with
   * `ended: "deadline"`, and no longer followed. Failures that may pass (NETWORK, TIMEOUT, RATE_LIMITED, 5xx, answers
   * that are no JSON) only slow it down: `onEvent` tells them. So does a 404 for an order that the service handed out (a
   * whole order, or one that this client or its journal knows as posted): it is yielded with `unseenSince`, and looked
   * for until an hour after its deadline. Throws SERVICE_REJECTED with `status` 404 then, and at once for an order of
   * which only its name is known; for other refusals at the third in a row of an order that was known; SERVICE_MALFORMED
   * at the eighth answer in a row about another order; all with `orderHash`, if known. `signal` ends it at any time; `return()`, as of any generator,
   * after the next change. Each answer is verified as by `order`, and against the first one. An OTC order cannot be
   * watched (INVALID_INPUT): use `otc.order(hash)` or `otc.remaining(order)`.
   */
  watch(order: Order | string, options?: WatchOptions): AsyncGenerator<Order, void, void>;
  watch(sent: SentTransaction, options?: WatchOptions): AsyncGenerator<SentTransaction, void, void>;
  watch(what: Order | SentTransaction, options?: WatchOptions): AsyncGenerator<Order | SentTransaction, void, void>;
  /** Follows several orders, or all of an account. */
  watch(orders: (Order | string)[] | WatchedAccount, options?: WatchOptions): AsyncGenerator<Order, void, void>;
  /**
   * The order, or the sent transaction, at its terminal status, or with `ended`. Throws as `watch`. An OTC order cannot
   * be waited for.
   */
  wait(order: Order | string, options?: WatchOptions): Promise<Order>;
  wait(sent: SentTransaction, options?: WatchOptions): Promise<SentTransaction>;
  wait(what: Order | SentTransaction, options?: WatchOptions): Promise<Order | SentTransaction>;
  /**
   * One order, by id or by order hash, verified against what was asked for, what this client signed, and its own hash.
   * Throws SERVICE_REJECTED with `status` 404 for an unknown order, SERVICE_MALFORMED if another order is returned.
   * Asks the service; for a COMPLETED order also its chains, if they can be read.
   */
  order(idOrHash: string, options?: CallOptions): Promise<Order>;
  /**
   * A page of an account's orders, each verified as by `order`. An order of another owner or chain, or one that
   * contradicts its own hash, is SERVICE_MALFORMED, with its place in `field`. Asks the service, and throws
   * accordingly.
   */
  orders(filter: OrdersFilter, options?: CallOptions): Promise<OrderPage>;
  /** All of an account's orders, page by page. Throws as `orders`. */
  allOrders(filter: OrdersFilter, options?: CallOptions): AsyncGenerator<Order, void, void>;
  /**
   * Cancels 1 to 100 open orders of one owner and chain by one signature, without gas. The service drops them; what is
   * filled by then stays filled. Takes orders (`await client.order(id)`), not ids; the typed data is built here. An
   * order that sells the native token is cancelled by `buildCancellation` instead (`summarizeOrder(order).cancel` tells
   * which). Ids must be UUIDs. Throws VERIFY_MISMATCH for an order that contradicts its hash or what this client
   * signed, SIGNATURE_MISMATCH, UNSUPPORTED_ACCOUNT, SERVICE_REJECTED; asks wallet, chain and service.
   */
  cancel(orders: Order | Order[], options?: PromptOptions): Promise<{ orderIds: string[] }>;
  /**
   * A transaction that makes an order void on chain. An order that sells the native token is also refunded
   * (`cancelAndWithdraw` and the like); for others the nonce is used up (`invalidateNonce`). That does not end a
   * `FillableOrder`, so such an order is refused: use `cancel`. The report tells who is refunded and how much at most.
   * If this client did not sign the order, its check `order.nonce` is `unknown` and the sentence says so. Takes also a
   * signed order of the journal, which the service may not have. Throws UNSUPPORTED_CHAIN, and VERIFY_MISMATCH if the
   * struct does not match its hash or is not the one that was signed; asks the service where the contract is not known,
   * the chain where it can be read.
   */
  buildCancellation(order: Order | SignedOrder, options?: CallOptions): Promise<TransactionBuild>;
  /**
   * A transaction that unwraps Delta's wrapped native token (the rest of a deposit) into the native token. Throws
   * INSUFFICIENT_BALANCE if `wrappedNative` is known, UNSUPPORTED_CHAIN; asks as `buildCancellation`.
   */
  buildWithdrawal(query: WithdrawalRequest, options?: CallOptions): Promise<TransactionBuild>;
  /**
   * Reads the data that a trade of these tokens will need, from the nodes of `rpc` and in one request to each, so that
   * the trade waits for less; in a page it also opens a connection to the service. Call it while the user types, and
   * again while a review is open: data that was read in the last 12 s is not read again. Sends no request to the
   * service, and opens no prompt. Data that cannot be read now is read later. Throws the wallet's failure if it does
   * not give its accounts.
   */
  warm(pair: Pair, options?: CallOptions): Promise<void>;
  /** Orders between a maker and a taker, without auction. */
  readonly otc: OtcCalls;
  /** The trades that were written down, of this page, of those before and of other tabs. */
  readonly trades: TradesCalls;
  /** The amounts that contracts may take of an account's tokens, and how to take that back. */
  readonly approvals: ApprovalsCalls;
  /** Other questions: the service's lists, balances, abilities of the wallet, the rate limit. */
  readonly info: InfoCalls;
  /** With `createClient({ resume: true })`: the promise of `trades.resume`. Otherwise `null`. */
  resumed: Promise<(ResumedTrade | UnreadableTrade)[]> | null;
  /**
   * Ends all watches and requests, and every later call (ABORTED), of this client and of those that `withWallet` made
   * from it. The client from which it was made goes on. Posted orders are not affected.
   */
  close(): void;
}

/** `[Symbol.dispose]`, which is `close`, if the project's types know that symbol: `using client = ...`. */
type Disposing = SymbolConstructor extends { readonly dispose: infer Dispose extends symbol }
  ? { [Name in Dispose]: () => void }
  : {};
