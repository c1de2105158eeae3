/**
 * verified-swap: trade tokens through gasless intents; a wallet prompt opens only for a payload that says what the
 * user asked for.
 *
 * Units, everywhere: amounts are raw token units (wei-like integers) as decimal strings out, `bigint | string` in;
 * `...Bps` are basis points (1/100 of a percent); `...Secs` seconds; `...Ms` milliseconds; `deadline` unix seconds.
 */

export type Hex = `0x${string}`;
export type Address = `0x${string}`;
/** Raw token units, decimal, no sign, no exponent, at most 2^256 - 1. */
export type Amount = string;
/** What amounts may be passed in as. Numbers are refused: they lose digits above 2^53. */
export type AmountInput = bigint | string;
export type Side = "SELL" | "BUY";

/* ------------------------------------------------------------------ client */

/** An EIP-1193 provider: an injected wallet, WalletConnect, anything with `request`. */
export interface Eip1193Provider {
  request(args: { method: string; params?: readonly unknown[] | object | undefined }): Promise<unknown>;
}

export interface ClientOptions {
  /** Where the service lives. https only, except on loopback. */
  baseUrl: string;
  /** Attribution sent with quotes, builds and orders, 1 to 64 characters. Default `"anon"`, for which the service takes 1 bps. */
  partner?: string;
  /**
   * What the service knows the app by, for a higher rate: the header `X-API-KEY`, on requests to `baseUrl` alone; never in an
   * event or an error. 1 to 256 printable ASCII characters. In a browser each first request of a kind costs a preflight then
   * (OPTIONS, one more round trip; plain prices have none), the service's CORS rules have to allow the header, and whoever opens
   * the page can read the key: a proxy of your own that adds it costs neither.
   */
  apiKey?: string;
  /**
   * What the app agreed on with the service about its partner's share. The service writes that into orders unasked; what is
   * stated here is accepted, what is not is VERIFY_MISMATCH, and the error's `message` has the agreement to paste.
   */
  agreement?: Agreement;
  /** The user's wallet, connected by the app (`eth_requestAccounts`): nothing here asks it to connect. Quotes need none. */
  wallet?: Eip1193Provider;
  /** The account that owns, signs and pays. Default: the wallet's first one (`eth_accounts`), whenever a call needs it. */
  account?: Address;
  /** A JSON-RPC URL or an EIP-1193 provider per chain id, for reads. Without one, the wallet is asked while it is on that chain. */
  rpc?: Record<number, string | Eip1193Provider>;
  /**
   * Contracts per chain id. Override the pinned ones; the report then says "supplied by the application". One that is neither
   * here nor pinned: UNSUPPORTED_CHAIN, unless `allowServiceContracts`.
   */
  contracts?: Record<number, ChainContracts>;
  /**
   * Whether a contract that is neither pinned nor in `contracts` may be the one that the service names. The sentence then says
   * "for a contract that only the service vouches for". No permit is signed for such a contract. Default false.
   */
  allowServiceContracts?: boolean;
  /**
   * Tokens that are one asset on two chains, beside those this package knows (USDC, USDT, DAI, ETH, WBTC and the like): a
   * bridge that takes the one and brings the other guarantees what arrives. Default of `QuoteRequest.bridgeTokens`.
   */
  bridgeTokens?: BridgeTokens[];
  /** Timings and verdicts, for logs and metrics. Never carries a signature or an address. */
  onEvent?: (event: ClientEvent) => void;
  /** Per request to the service or a node, 1 to 600 000; a node that is a URL has 15 000 at most. Default 15 000. */
  timeoutMs?: number;
  /** Whether a wallet on another chain may be asked to switch (`wallet_switchEthereumChain`). Default false: WRONG_CHAIN. */
  switchChain?: boolean;
}

/** The partner's share, as agreed on with the service. What a request or a build states itself goes before it. */
export interface Agreement {
  /** The most the partner gets of each trade, 0..200. Default: what the service takes where nobody asks for a fee, 1. */
  feeBps?: number;
  /** Who gets fee and surplus. Default: whoever the service names. */
  feeAddress?: Address;
  /** Whether the partner may keep half of what exceeds the expected amount. Default false. */
  takesSurplus?: boolean;
  /** Whether what is kept of it is capped at 1 %; `false` accepts an uncapped share. Default true. */
  capSurplus?: boolean;
  /** Whether a Market trade may count as referred by the partner. Default false. */
  referral?: boolean;
}

/** At least one of `delta`, `router`, `rfq`. A path whose contract nobody names on a chain is UNSUPPORTED_CHAIN there. */
export interface ChainContracts {
  /** The Delta contract: the only spender of a Delta order. */
  delta?: Address;
  /** The wrapped native token Delta uses on that chain. */
  wrappedNative?: Address;
  /** The Market router, version 6.2: the target and the only spender of a Market trade. */
  router?: Address;
  /** The RFQ contract: the only spender of an OTC order or fill. */
  rfq?: Address;
}

/** What `withWallet` takes: an EIP-1193 wallet, or functions of a local account (viem, ethers, own keys). */
export type WalletBinding =
  | { wallet: Eip1193Provider; account?: Address; switchChain?: boolean }
  | { request: Eip1193Provider["request"]; account?: Address; switchChain?: boolean }
  | {
      /** An address, or an object that has one (a viem account, an ethers wallet). */
      account: string | { address: string };
      /** viem takes it as it is; ethers without `EIP712Domain`: `const { EIP712Domain, ...types } = typedData.types`. */
      signTypedData(typedData: TypedData): Promise<string>;
      /**
       * Needed for transactions: approvals, Market trades, fills, deposits. `value` is hex: viem and ethers want
       * `BigInt(value)`. Resolves to the transaction's hash.
       */
      sendTransaction?(transaction: { from: Address; to: Address; data: Hex; value: Hex; chainId: number }): Promise<string>;
    };

export interface ClientEvent {
  type: "http" | "rpc" | "wallet" | "verify";
  /** Endpoint (`quote`, `build`, `post`, `order`, ...), RPC or wallet method, or what was verified. */
  name: string;
  ok: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** HTTP status, where there was an answer. */
  status?: number;
  /** Error code, where it failed. */
  code?: ErrorCode;
}

export interface CallOptions {
  signal?: AbortSignal;
}

/**
 * Every call rejects with a {@link TradeError}, and any may with INVALID_INPUT (`field` names what is wrong) or ABORTED.
 * "Throws" below names what a call adds to that, and says whom it asks:
 *
 * - the service: NETWORK, TIMEOUT, RATE_LIMITED, SERVICE_MALFORMED, SERVICE_REJECTED; and whatever its refusal's own words
 *   stand for (NO_ROUTE, QUOTE_EXPIRED, INSUFFICIENT_BALANCE and the like). UNSUPPORTED_CHAIN where no contract is known
 *   whose word counts (`contracts`, `allowServiceContracts`).
 * - the chain: NETWORK, WALLET_FAILED; INVALID_INPUT at `rpc.<chainId>` where nothing can read it, or it is another chain,
 *   and where a token's decimals are not those that were passed in.
 * - the wallet: WRONG_ACCOUNT, WRONG_CHAIN, USER_REJECTED, WALLET_PENDING, WALLET_FAILED, NETWORK. A call that takes an
 *   account, a price apart, asks the wallet for it where neither it nor the client names one.
 */
export interface Client {
  /**
   * The same client (caches, orders in flight, one `close` for all) for another wallet or account. Cheap. Throws
   * INVALID_INPUT, at once.
   */
  withWallet(binding: WalletBinding): Client;
  /**
   * A price, compared with the request: tokens, chain, fixed amount, spender, fee, loss. Throws NO_ROUTE, LOSS_TOO_HIGH,
   * VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks the service.
   */
  quote(request: QuoteRequest & { mode: "ALL" }, options?: CallOptions): Promise<Quote>;
  quote(request: QuoteRequest & { mode: "MARKET" }, options?: CallOptions): Promise<MarketQuote>;
  quote(request: QuoteRequest & { mode?: "DELTA" }, options?: CallOptions): Promise<DeltaQuote>;
  quote(request: QuoteRequest, options?: CallOptions): Promise<Quote>;
  /**
   * The price of one slice of a TWAP order whose total is `request.amount`. Refuses a route that is not for one slice.
   * Throws as `quote`.
   */
  quoteTwap(request: TwapRequest, options?: CallOptions): Promise<DeltaQuote>;
  /**
   * Asks for the gasless price and the Market one at once; both are usable, and ranked by what arrives. Throws INVALID_INPUT
   * where the request names a `mode`, and else only where there is neither: what `quote` of the gasless one threw.
   */
  quoteBoth(request: Omit<QuoteRequest, "mode">, options?: QuoteBothOptions): Promise<Comparison>;
  /**
   * What the service builds for the quote (typed data, or a transaction), verified field by field. For one quote and the
   * same options, as after a double click, it is the same gasless order until that is filled. Throws QUOTE_EXPIRED,
   * VERIFY_MISMATCH, ALREADY_SIGNED (with `again: "replace"` alone); asks the service, and the chain where it can be read.
   */
  build(quote: DeltaQuote, options: BuildOptions & StatedPrice): Promise<DeltaBuild>;
  build(quote: MarketQuote, options: MarketBuildOptions): Promise<MarketBuild>;
  /**
   * For either: options that only a Delta order has (a limit, `metadata`, ...) are refused for a Market quote; those that only
   * a transaction has (`directFeeTransfer`, `allowSelectors`, ...) do nothing for a Delta one.
   */
  build(quote: Quote, options: BuildOptions & MarketBuildOptions): Promise<DeltaBuild | MarketBuild>;
  /**
   * A Market price and its transaction in one request, verified like a build. Nobody sees the price before, so that a bound
   * of your own is needed: `minReceived`, for a BUY `maxSpent`. Takes no `permit`. Leaves out makers' orders; its rate limit
   * is lower. Throws NO_ROUTE, VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks as `build`.
   */
  swap(request: QuoteRequest & { mode: "MARKET" }, options: MarketBuildOptions): Promise<MarketBuild>;
  /**
   * Approves exactly what is needed, resetting first where the token wants that. Opens no prompt when the allowance
   * suffices. Throws VERIFY_MISMATCH (another spender), INSUFFICIENT_ALLOWANCE (the user approved less), WALLET_FAILED (it
   * reverted); asks chain and wallet.
   */
  approve(approval: Approval, options?: ApproveOptions): Promise<ApprovalResult>;
  /**
   * Verifies once more, has the wallet sign, checks the signature, posts. Called twice for one order: one prompt, one
   * post. An order that sells the native coin may need a deposit: where the service says so, the wallet is asked for that
   * transaction, too. A Market build, or any other transaction, is tried by `eth_call` first, then sent by the wallet.
   *
   * Throws before the prompt: VERIFY_MISMATCH, QUOTE_EXPIRED (its time is over), ALREADY_SIGNED (another order for the same
   * trade may still be filled: see `again`), INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE, WALLET_FAILED (a transaction
   * would revert). After it: SIGNATURE_MISMATCH, UNSUPPORTED_ACCOUNT, WALLET_FAILED (a deposit or consent reverted, was
   * dropped); and, with `signedOrder`, anything the service refuses with. Asks chain, wallet and service.
   */
  submit(build: DeltaBuild | SignedOrder, options?: SubmitOptions): Promise<Order>;
  submit(build: MarketBuild | TransactionBuild, options?: SubmitOptions): Promise<SentTransaction>;
  submit(build: OtcBuild | SignedOtcOrder, options?: SubmitOptions): Promise<OtcOrder>;
  submit(build: DeltaBuild | MarketBuild, options?: SubmitOptions): Promise<Order | SentTransaction>;
  /** What an error or `onProgress` carried. */
  submit(signed: SignedOrder | SignedOtcOrder, options?: SubmitOptions): Promise<Order | OtcOrder>;
  /** Any of them: told apart by `kind`. */
  submit(what: Submittable, options?: SubmitOptions): Promise<Order | OtcOrder | SentTransaction>;
  /**
   * The order, also by id or hash (or the sent transaction), each time it changed; ends at a terminal status. Polls with
   * backoff. Throws SERVICE_REJECTED with `status` 404 for an order nobody knows; what comes and goes (NETWORK, RATE_LIMITED
   * and the like) only after eight times in a row. Asks the service; for a transaction, the chain. `signal` ends it at any
   * time; `return()`, as of any generator, after the next change. What is told of the order is held as by `order`, and to the
   * order it was at first; an answer about another one counts as one that comes and goes. An OTC order is not followed: ask
   * `otcOrder(hash)` or `otcRemaining(order)` (INVALID_INPUT).
   */
  watch(order: Order | string, options?: WatchOptions): AsyncGenerator<Order, void, void>;
  watch(sent: SentTransaction, options?: WatchOptions): AsyncGenerator<SentTransaction, void, void>;
  watch(what: Order | SentTransaction, options?: WatchOptions): AsyncGenerator<Order | SentTransaction, void, void>;
  /** The order (or the sent transaction) at its terminal status. Throws as `watch`; an OTC order is not followed. */
  wait(order: Order | string, options?: WatchOptions): Promise<Order>;
  wait(sent: SentTransaction, options?: WatchOptions): Promise<SentTransaction>;
  wait(what: Order | SentTransaction, options?: WatchOptions): Promise<Order | SentTransaction>;
  /**
   * One order, by id or by order hash, held against what was asked for, what this client had signed, and its own hash. Throws
   * SERVICE_REJECTED with `status` 404 for an unknown one, SERVICE_MALFORMED for another one than was asked for; asks the
   * service and, where it is COMPLETED, the chains it was for, if they can be read.
   */
  order(idOrHash: string, options?: CallOptions): Promise<Order>;
  /**
   * A page of an account's orders, each held as by `order`. One of another owner or chain, or one that its own hash
   * contradicts, is no order of the account: SERVICE_MALFORMED, with its place. Throws as it asks the service.
   */
  orders(filter: OrdersFilter, options?: CallOptions): Promise<OrderPage>;
  /** All of an account's orders, page by page. Throws as `orders`. */
  allOrders(filter: OrdersFilter, options?: CallOptions): AsyncGenerator<Order, void, void>;
  /**
   * Cancels 1 to 100 open orders of one owner and chain by one signature, without gas. What has been filled by then stays
   * filled. The typed data is built here. Takes orders (`await client.order(id)`), not their ids. One that sells the native
   * coin is cancelled by `buildCancellation` (`summarizeOrder(order).cancel` tells). Ids are UUIDs. Throws VERIFY_MISMATCH for an
   * order that its hash or this client contradicts, SIGNATURE_MISMATCH, UNSUPPORTED_ACCOUNT, SERVICE_REJECTED; asks wallet,
   * chain and service.
   */
  cancel(orders: Order | Order[], options?: CancelOptions): Promise<{ orderIds: string[] }>;
  /**
   * A transaction that makes an order void on chain: for orders that sell the native coin it also gives the coin back
   * (`cancelAndWithdraw` and its kin), for others it uses up the nonce (`invalidateNonce`), which ends no `FillableOrder`:
   * such a one is refused, `cancel` it. The report tells who is paid back and how much at most; its check `order.nonce` is
   * `unknown`, and the sentence says so, where this client did not have the order signed. Throws VERIFY_MISMATCH where the
   * struct is not the one that its hash is of, or not the one that was signed, UNSUPPORTED_CHAIN; asks the service where the
   * contract is not known, the chain where it can be read.
   */
  buildCancellation(order: Order, options?: CallOptions): Promise<TransactionBuild>;
  /**
   * A transaction that turns wrapped native of Delta (left of a deposit) back into the coin. Throws INSUFFICIENT_BALANCE
   * where `wrappedNative` is known, UNSUPPORTED_CHAIN; asks as `buildCancellation`.
   */
  buildWithdrawal(query: { chainId: number; amount: AmountInput; account?: Address }, options?: CallOptions): Promise<TransactionBuild>;
  /** Source-token amounts that open Delta orders have claimed: checksummed token to raw units. Throws as it asks the service. */
  fillableBalance(query: { chainId: number; account?: Address; token?: string }, options?: CallOptions): Promise<Record<Address, Amount>>;
  /**
   * What must be approved so that neither this amount nor an open order of that path (`"delta"` unless said) goes short, raw
   * units: the amount and what open orders claim, as far as the account has it. Throws as it asks the service and the chain,
   * which has to be readable.
   */
  allowanceNeeded(query: { chainId: number; token: string; amount: AmountInput; account?: Address; path?: "delta" | "otc" }, options?: CallOptions): Promise<Amount>;

  /**
   * Signs a permit in place of an approval. For a quote: pass it to `build`. For an OTC order to fill: to `buildFill`. For
   * an OTC order of one's own (`OtcBuild`): to `submit`. The last two take `eip2612` and `dai`. The domain is proved against
   * the token's own `DOMAIN_SEPARATOR`, and the permit is tried by `eth_call`; where either fails: INVALID_INPUT, approve
   * instead. Throws INSUFFICIENT_ALLOWANCE, with `approval` where Permit2 may not take the token yet, without one where
   * Permit2 has no such allowance (`permit2Existing`); UNSUPPORTED_ACCOUNT where the owner's account has code: approve
   * instead; VERIFY_MISMATCH, SIGNATURE_MISMATCH. Asks wallet and chain.
   */
  signPermit(quote: Quote | OtcOrder | OtcBuild, options: PermitOptions): Promise<Permit>;

  /**
   * An OTC order of the maker, ready to be signed: built here, not by the service. Throws UNSUPPORTED_CHAIN; asks the chain
   * where it can be read.
   */
  buildOtc(request: OtcRequest, options?: OtcBuildOptions): Promise<OtcBuild>;
  /**
   * One OTC order, by its hash, which is that of its members. Throws SERVICE_REJECTED with `status` 404 for an unknown one,
   * SERVICE_MALFORMED for another one; asks the service.
   */
  otcOrder(orderHash: Hex, options?: CallOptions): Promise<OtcOrder>;
  /**
   * A page of a maker's OTC orders, or of those addressed to a taker. One of somebody else or of another chain, or one that its
   * own hash contradicts: SERVICE_MALFORMED, with its place. Throws as it asks the service.
   */
  otcOrders(filter: OtcFilter, options?: CallOptions): Promise<OtcPage>;
  /**
   * What the RFQ contract itself says is left of an OTC order: raw units of the maker's asset, 0 of one that is filled or
   * cancelled. Whether the maker still has and allows as much, and whether it has expired, is not in it. Pass it to
   * `summarizeOtcOrder`. Throws VERIFY_MISMATCH where the order is not the one of its hash, UNSUPPORTED_CHAIN; asks the chain, which
   * has to be readable.
   */
  otcRemaining(order: OtcOrder, options?: CallOptions): Promise<Amount>;
  /** The same of 1 to 100 orders of one chain, in their order, asked at once. */
  otcRemaining(orders: OtcOrder[], options?: CallOptions): Promise<Amount[]>;
  /**
   * A transaction that fills an OTC order, or several of one pair, verified against what was shown and what the chain says
   * of it. Throws VERIFY_MISMATCH (filled by now, not signed by its maker, not covered), UNSUPPORTED_CHAIN; asks the chain.
   */
  buildFill(order: OtcOrder | OtcOrder[], options: FillOptions): Promise<TransactionBuild>;
  /** A transaction of the maker that cancels OTC orders. Throws VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks the chain. */
  buildOtcCancellation(order: OtcOrder | OtcOrder[], options?: CallOptions): Promise<TransactionBuild>;
  /** Maker amounts that live OTC orders have claimed: checksummed token to raw units. Throws as it asks the service. */
  otcFillableBalance(query: { chainId: number; account?: Address; token?: string }, options?: CallOptions): Promise<Record<Address, Amount>>;

  /** Chain ids the service trades on. This and the seven below throw as they ask the service. */
  chains(options?: CallOptions): Promise<number[]>;
  /**
   * Tokens the service knows by symbol on a chain, or of all chains; those of one `category` (an `id` of `tokenCategories`)
   * where it is given. Where the service has only its older list, that: without categories, and not of all chains.
   */
  tokens(query: { chainId: number | "all"; category?: string }, options?: CallOptions): Promise<TokenInfo[]>;
  /** What tokens are sorted into. */
  tokenCategories(query?: {}, options?: CallOptions): Promise<TokenCategory[]>;
  /** Whether Delta trades a token. */
  isTokenSupported(query: { chainId: number; token: string }, options?: CallOptions): Promise<boolean>;
  /** Names of Delta's active solvers on a chain, for `includeAgents` and `excludeAgents`. */
  agents(query: { chainId: number }, options?: CallOptions): Promise<string[]>;
  /** Yield strategies by underlying token, as the service sends them. */
  strategies(query: { chainId: number }, options?: CallOptions): Promise<Record<Address, TokenStrategies>>;
  /** Which tokens can go from which chain to which. */
  bridgeRoutes(query?: { bridges?: string[]; allowBridgeAndSwap?: boolean }, options?: CallOptions): Promise<BridgeRoute[]>;
  /** The bridges in use. */
  bridgeProtocols(query?: {}, options?: CallOptions): Promise<BridgeProtocol[]>;
  /** Raw units of `token` that `account` holds. Throws as it asks the chain. */
  balance(query: { chainId: number; token: string; account?: Address }, options?: CallOptions): Promise<Amount>;
  /** Raw units of `token` that the Delta contract (or `spender`) may take from `account`. Throws UNSUPPORTED_CHAIN; asks the chain. */
  allowance(query: { chainId: number; token: string; account?: Address; spender?: Address }, options?: CallOptions): Promise<Amount>;
  /**
   * Ends watches and requests in flight, and every later call (ABORTED), of this client and of all that `withWallet` made
   * of it or it was made of: they are one. A posted order is not affected.
   */
  close(): void;
}

/**
 * Loads the module on first use, then makes a client. Throws INVALID_INPUT; and the loader's own error (no TradeError)
 * where the module can not be loaded: the network, or a policy without `wasm-unsafe-eval`. The next call tries again.
 */
export function createClient(options: ClientOptions): Promise<Client>;

/* ------------------------------------------------------------------- quote */

export interface QuoteRequest {
  chainId: number;
  /** Address. For the native coin: its placeholder in any casing, the zero address, `"0x0"` or `"native"`. */
  srcToken: string;
  destToken: string;
  /** SELL: what is sold, in `srcToken` units. BUY: what is bought, in `destToken` units. */
  amount: AmountInput;
  srcDecimals: number;
  destDecimals: number;
  /** Default `"SELL"`. */
  side?: Side;
  /** The owner. Default: the client's account; else whoever `build` finds. */
  account?: Address;
  /** Who receives. Default: the owner. */
  beneficiary?: Address;
  /** Names for the report's sentence, 1 to 64 characters. The service's own strings are never used there. */
  srcSymbol?: string;
  destSymbol?: string;
  /**
   * Where `destToken` is the native token: its wrapped form may arrive in its place, and the sentence and the quote's
   * `destToken` then say so. `true` for the one known of the chain (1, 10, 56, 100, 130, 137, 8453, 42161, 43114), else its
   * address. Default: refused.
   */
  acceptWrapped?: boolean | Address;
  /** Default: the client's. */
  partner?: string;
  /** Fee asked for the partner, 0..200. */
  partnerFeeBps?: number;
  /** Who receives the partner's fee. */
  partnerAddress?: Address;
  /** The partner's share as agreed on with the service. Default: the client's. */
  agreement?: Agreement;
  /** The most the order may carry as fee, 0..200. Default: `partnerFeeBps`, else `agreement.feeBps`, of `anon` 1 more; else 1. */
  maxFeeBps?: number;
  /**
   * The most the quote may lose by its own USD values. Default 1500 (15 %). Small trades lose more to gas: LOSS_TOO_HIGH.
   * Trade more, or ask the user and raise it.
   */
  maxLossBps?: number;
  /**
   * Which path. Default `"DELTA"`: gasless, or NO_ROUTE. `"ALL"` falls back to Market, which costs the user gas, and says
   * why in `fallbackReason`.
   */
  mode?: "ALL" | "DELTA" | "MARKET";
  /** Delta only, and not for a BUY in slices: the chain `destToken` is on, and the beneficiary gets it. Default: `chainId`. */
  destChainId?: number;
  /** Tokens that are one asset on two chains. Default: the client's. */
  bridgeTokens?: BridgeTokens[];
  /** The price impact from which the service refuses, percent as decimal text. Its default is 15. */
  maxImpactPercent?: string;
  /** As `maxImpactPercent`, in dollars. */
  maxUsdImpact?: string;
  /** The caller's own dollar prices of one whole token, decimal text: the loss limit then goes by them. */
  srcPriceUsd?: string;
  destPriceUsd?: string;
  /** More parameters of the Delta price, only with mode `"DELTA"` and for `quoteBoth`. */
  delta?: DeltaPriceOptions;
  /** More parameters of the Market price, only with mode `"MARKET"` and for `quoteBoth`. */
  market?: MarketPriceOptions;
}

/** What enters a bridge on one chain, and what it brings on the other: the same asset, says the application. */
export interface BridgeTokens {
  from: { chainId: number; token: string };
  to: { chainId: number; token: string };
}

export interface DeltaPriceOptions {
  /** Names of solvers, as `agents` lists them: only these, or none of these. They go with the order, too. */
  includeAgents?: string[];
  excludeAgents?: string[];
  /** Names of bridges, as `bridgeProtocols` lists them. */
  includeBridges?: string[];
  excludeBridges?: string[];
  /** Default true; a BUY never bridges and swaps. */
  allowBridgeAndSwap?: boolean;
  /** The service's own; what it means is not published. */
  degenMode?: boolean;
}

export interface MarketPriceOptions {
  /** Prices of other exchanges too, in `others`. */
  otherExchangePrices?: boolean;
  /** Names of exchanges: only these, or none of these. */
  includeDexs?: string[];
  excludeDexs?: string[];
  /** None of these pools, by the identifiers that routes name. */
  excludePools?: string[];
  /** Leave out makers' orders. */
  excludeRfq?: boolean;
  /** Methods of the router by name (`contractMethod`). */
  includeContractMethods?: string[];
  excludeContractMethods?: string[];
  excludeContractMethodsWithoutFeeModel?: boolean;
  /** Tokens on the way, source and destination included: at most 4. */
  route?: string[];
  /** Tax of a token on every transfer, 0..10000. */
  srcTransferFeeBps?: number;
  destTransferFeeBps?: number;
  /** Tax of a token on trades only, 0..10000. */
  srcDexTransferFeeBps?: number;
  destDexTransferFeeBps?: number;
  ignoreBadUsdPrice?: boolean;
}

/** A TWAP order: `amount` is the total, traded in `numSlices` parts, one every `intervalSecs`. */
export interface TwapRequest extends QuoteRequest {
  /** At least 2. */
  numSlices: number;
  /** At least 60. */
  intervalSecs: number;
}

export interface QuoteBothOptions extends CallOptions {
  /** Called with each quote as it arrives: the first is usable before the second is there. */
  onQuote?: (quote: Quote) => void;
}

export interface Comparison {
  delta: DeltaQuote | null;
  market: MarketQuote | null;
  /** Why there is none. */
  deltaError: TradeError | null;
  marketError: TradeError | null;
  /** Which leaves the user with more, after fees and gas; null where there is none, or nothing to compare by. */
  best: "delta" | "market" | null;
  /** By how much, in bps of the worse. Null where one is missing, or gas can not be valued. */
  differenceBps: number | null;
}

/** The request as it was understood: every default filled in, addresses checksummed, native normalised. */
export interface NormalizedRequest {
  chainId: number;
  srcToken: Address;
  destToken: Address;
  amount: Amount;
  srcDecimals: number;
  destDecimals: number;
  side: Side;
  account: Address | null;
  beneficiary: Address | null;
  srcSymbol: string | null;
  destSymbol: string | null;
  partner: string;
  partnerFeeBps: number | null;
  partnerAddress: Address | null;
  agreement: { feeBps: number | null; feeAddress: Address | null; takesSurplus: boolean; capSurplus: boolean; referral: boolean };
  maxFeeBps: number;
  maxLossBps: number;
  /** Where it arrives on another chain than `chainId`. */
  destChainId?: number;
  /** Those about this trade. */
  bridgeTokens?: BridgeTokens[];
  /** Where it was not `"DELTA"`. */
  mode?: "ALL" | "MARKET";
  /** As they were given, and only then. */
  maxImpactPercent?: string;
  maxUsdImpact?: string;
  srcPriceUsd?: string;
  destPriceUsd?: string;
  delta?: DeltaPriceOptions;
  market?: MarketPriceOptions;
  /** The wrapped native token that may arrive, where one may. */
  acceptWrapped?: Address;
  /** TWAP only. */
  numSlices?: number;
  intervalSecs?: number;
}

export type Quote = DeltaQuote | MarketQuote;

export interface DeltaQuote {
  kind: "delta";
  /** The service's id of this quote. */
  id: string | null;
  request: NormalizedRequest;
  /** What arrives: `request.destToken`, or with `acceptWrapped` the wrapped native token. */
  destToken: Address;
  /** What goes in. BUY: the expected amount. */
  srcAmount: Amount;
  /** What comes out. SELL: the expected amount. Before the partner fee. */
  destAmount: Amount;
  /** As the service values them, decimal text; null when it does not say. */
  srcUsd: string | null;
  destUsd: string | null;
  /**
   * The gas the solver pays, taken out of the amounts, as the service states it. Where the amount is not known to be worth
   * the dollars, the check `quote.gasFee` of the report is `unknown`.
   */
  gasFee: { token: Address; amount: Amount; amountUsd: string | null } | null;
  /** The fee included, in bps, rounded up; null when unknown. */
  feeBps: number | null;
  partnerName: string | null;
  /** The Delta contract: who would be approved. */
  spender: Address;
  /** Crosschain: how the tokens travel; null on one chain. */
  bridge: BridgeLeg | null;
  /**
   * Crosschain: `"guaranteed"` where the asset that enters the bridge is the one that arrives, so that the order says how
   * much; `"promised"` where another one arrives, and only the bridge says how much. Null on one chain.
   */
  arrival: Arrival | null;
  /** Crosschain: what enters the bridge, before fee and slippage. Null on one chain. */
  entering: { token: Address; amount: Amount } | null;
  /** Crosschain: other routes; `build(quote, { route: i })` takes the one at `i`. */
  alternatives: {
    srcAmount: Amount;
    destAmount: Amount;
    bridge: BridgeLeg | null;
    arrival: Arrival | null;
    entering: { token: Address; amount: Amount } | null;
  }[];
  /** TWAP: how the total is split. The amounts above are then of one slice. Absent otherwise. */
  twap?: TwapPlan;
  /** Unix milliseconds at which the answer arrived, for display. The 30 s limit is kept by a monotonic clock. */
  receivedAtMs: number;
  report: Report;
  /** The service's route, verbatim, and the intent. Pass it on untouched. */
  sealed: string;
}

/** Who says what arrives on another chain: the order, or the bridge alone. */
export type Arrival = "guaranteed" | "promised";

export interface BridgeLeg {
  protocol: string;
  /** Milliseconds, as the service estimates. */
  estimatedTimeMs: number | null;
  tags: string[];
}

export interface TwapPlan {
  numSlices: number;
  intervalSecs: number;
  /** SELL: of the source token. BUY: of the destination token. */
  total: Amount;
  /** floor(total / numSlices). */
  sliceAmount: Amount;
  /** The slice and the rest of the division. */
  lastSliceAmount: Amount;
}

/** The slices of a TWAP order with their times, for display: the first from `startSecs` on (unix seconds). */
export function twapSchedule(plan: TwapPlan, startSecs: number): { index: number; notBefore: number; amount: Amount }[];

export interface MarketQuote {
  kind: "market";
  request: NormalizedRequest;
  /** What arrives: `request.destToken`, or with `acceptWrapped` the wrapped native token. */
  destToken: Address;
  srcAmount: Amount;
  destAmount: Amount;
  /** After the partner's fee, where the service states it. */
  srcAmountAfterFee: Amount | null;
  destAmountAfterFee: Amount | null;
  srcUsd: string | null;
  destUsd: string | null;
  /** Gas the user pays, in gas units and in dollars, as the service estimates. */
  gasCost: string | null;
  gasCostUsd: string | null;
  /** The highest fee its transaction may carry: the one stated, or a higher one that was asked for; null when unknown. */
  feeBps: number | null;
  partnerName: string | null;
  /** The router: who would be approved. */
  spender: Address;
  /** The router's method. */
  contractMethod: string;
  /** The price moves the market by more than the limit. */
  maxImpactReached: boolean;
  /** Why it is not the gasless path that was asked for first; null where Market was asked for. */
  fallbackReason: { errorType: string | null; details: string | null } | null;
  /** With `otherExchangePrices`: as the service sent them. */
  others: unknown;
  receivedAtMs: number;
  report: Report;
  /** The service's price route, verbatim, and the intent. Pass it on untouched. */
  sealed: string;
}

/**
 * Everything the service said of this price, as it sent it, for display: the legs of the route, each fee, the block. What
 * a quote states beside it was checked; this was not.
 */
export function rawQuote(quote: Quote): { [member: string]: unknown };

/**
 * The least that arrives for `slippageBps` below the quote, after the fee, rounded down; Market: after `destTransferFeeBps` too.
 * For a BUY: the amount bought after the fee.
 */
export function minReceived(quote: Quote, slippageBps: number): Amount;
/** The most that is spent for `slippageBps` above the quote, rounded up. For a SELL: the amount sold. */
export function maxSpent(quote: Quote, slippageBps: number): Amount;

/* ------------------------------------------------------------------- build */

export interface BuildOptions extends CallOptions {
  /** 0..10000. Required, but for an order with a limit: a silent default is a silent loss. */
  slippageBps?: number;
  /**
   * How long the order is good for, by the chain's clock. Default 1200 (20 min), for a limit, too: it rests no longer than
   * that unless this says so; TWAP: `numSlices` * `intervalSecs` + 600, and no less than without the 600. Above 86 400 only
   * by `deadline`.
   */
  validForSecs?: number;
  /** Unix seconds by the chain's clock (not `Date.now()`), in place of `validForSecs`. */
  deadline?: number;
  /**
   * Refuse an order that guarantees less than this (after the fee; of all slices together). Crosschain: in units of what
   * arrives. Where that is only promised (`quote.arrival`) it holds nothing, but a quote that expects less is refused.
   */
  minReceived?: AmountInput;
  /** Refuse an order that may spend more than this. */
  maxSpent?: AmountInput;
  /** The owner, where neither request nor client named one. */
  account?: Address;
  /** `"LIMIT"`: rests until the price is reached. Default `"MARKET"`; a limit implies `"LIMIT"`. */
  type?: "MARKET" | "LIMIT";
  /**
   * LIMIT. SELL: the least out. BUY: the most in. TWAP SELL: of one slice. In place of `slippageBps`. Crosschain SELL: of
   * what leaves the source chain.
   */
  limitAmount?: AmountInput;
  /**
   * LIMIT, on one chain: `limitAmount` as a price, whole destination tokens for one whole source token, decimal text; exact,
   * rounded against the solver.
   */
  limitPrice?: string;
  /**
   * Not in slices, not `external`: may be filled in parts (`FillableOrder`). Such an order is counted by its hash, not by its
   * nonce: of two that are signed, both can fill. No permit for one transfer (`permit2Transfer`).
   */
  partiallyFillable?: boolean;
  /** TWAP BUY, and required there, in place of `slippageBps`: the most that all slices together may spend, e.g. `maxSpent(quote, 50)`. */
  maxSrcAmount?: AmountInput;
  /** Crosschain: which of the quote's `alternatives`, from 0. */
  route?: number;
  /**
   * A signed permit in place of an approval. Not for LIMIT and TWAP. With one for one transfer (`permit2Transfer`) the order's
   * deadline is the permit's; another one is INVALID_INPUT. So is a permit that was signed for another chain, token, owner or
   * contract, or for too little of what is sold, at `options.permit.<member>`.
   */
  permit?: Permit;
  /** Bytes carried in the order, at most 1024. */
  metadata?: Hex;
  /**
   * Whether the partner may keep half of what exceeds the expected amount. Not with `partnerFeeBps`. Left out:
   * as `agreement.takesSurplus` says, else not.
   */
  takeSurplus?: boolean;
  /** Whether what is kept is capped at 1 %. Left out, what a partner keeps is, unless `agreement.capSurplus` is false. */
  capSurplus?: boolean;
  /** Whoever brought the user: posted beside the order, no part of what is signed. */
  referrerAddress?: Address;
  /**
   * An order for another contract to handle (`ExternalOrder`), which decides who receives: MARKET, on one chain, not in
   * slices. A `beneficiary` is named to the service, and stands nowhere in what is signed. Delta takes nothing from the owner,
   * and no balance or allowance of `srcToken` is asked for: what the handler needs is its own affair. `prerequisite` says what
   * that is, and is held against the chain before the prompt (INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE); approving it is
   * the app's.
   */
  external?: { handler: Address; data: Hex; prerequisite?: Prerequisite };
  /**
   * The least that must enter the bridge, after the fee: its token, and raw units of it, of all slices together. A consent;
   * see `acceptUnguaranteedArrival`.
   */
  minEntering?: EnteringAmount;
  /**
   * Your own dollar price of one whole token of what enters the bridge, decimal text. Together with the request's
   * `srcPriceUsd` a consent: what enters may then be worth at most `maxLossBps` less than what is sold.
   */
  enteringPriceUsd?: string;
  /** Decimals of the token that enters the bridge. Known of the common tokens, else read on the source chain; needed only where that cannot be read. */
  enteringDecimals?: number;
  /**
   * Another asset arrives than enters the bridge (`quote.arrival` is `"promised"`): how much, only the bridge says. Such an
   * order needs one of three: `minEntering`, your own prices, or `true` here. Without one: INVALID_INPUT.
   */
  acceptUnguaranteedArrival?: boolean;
  /**
   * Raise the approval by what the account's open Delta orders have claimed of the token, so that they do not go short; at
   * most to what the account holds. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean;
  /** An order into a yield strategy (`ProductiveOrder`). Its typed data is not public: refused with one clear error. */
  productive?: { strategy: Address; useShares?: boolean };
  /**
   * Where an order for the same trade is signed and may still be filled: `"replace"` gives this one its nonce, so that one of
   * the two is filled (not in parts, not in slices); `"another"` a nonce of its own, so that both are. `submit` need not be
   * told again. Left out, it has the same nonce, and `submit` asks (ALREADY_SIGNED). `"replace"` of what was filled or
   * cancelled meanwhile is ALREADY_SIGNED, and where nothing is signed INVALID_INPUT: there is nothing to replace.
   *
   * The same trade is: same owner, beneficiary, chains, tokens, amount, side, type, kind, limit, slices and handler; slippage,
   * bounds and times do not count. To change a limit's price, cancel the first order: `"replace"` does not reach it.
   */
  again?: "replace" | "another";
  /**
   * The request the quote is for: your own, as it was passed in, not the one in the quote. Needed only for a quote made by
   * another client or before a reload; then `minReceived` (BUY: `maxSpent`) is needed too. TWAP: with `numSlices` and
   * `intervalSecs`.
   */
  request?: QuoteRequest | TwapRequest;
}

/** Raw units of a token that enters a bridge. */
export interface EnteringAmount {
  token: Address;
  amount: AmountInput;
}

/** A token that a handler takes from the owner, for example a lending market's deposit: it has to be there, and approved. */
export interface Prerequisite {
  /** An ERC-20 token. */
  token: Address;
  /** Who takes it: the handler, most likely. */
  spender: Address;
  /** Raw units. */
  amount: AmountInput;
}

/** How far an order may settle from its quote, or where its limit is: one of them, never a silent default. */
export type StatedPrice = { slippageBps: number } | { limitAmount: AmountInput } | { limitPrice: string } | { maxSrcAmount: AmountInput };

export interface DeltaBuild {
  kind: "delta";
  orderKind: "Order" | "FillableOrder" | "TWAPOrder" | "TWAPBuyOrder" | "ExternalOrder";
  type: "MARKET" | "LIMIT";
  request: NormalizedRequest;
  chainId: number;
  owner: Address;
  beneficiary: Address;
  spender: Address;
  orderHash: Hex;
  /** The most that leaves the owner. */
  maxSpent: Amount;
  /** The least the order pays out, before the fee. */
  minDestAmount: Amount;
  /** The least the beneficiary receives, after the fee. */
  minReceived: Amount;
  /** The fee inside the order. */
  feeBps: number;
  /** Unix seconds. */
  deadline: number;
  nonce: Amount;
  /** Exactly what the wallet will be asked to sign. */
  typedData: TypedData;
  report: Report;
  /** What has to be approved first; null when the allowance suffices. `current` is null when it could not be read. */
  approval: Approval | null;
  /** TWAP only. */
  twap?: TwapPlan;
  /** Crosschain: where it arrives. Amounts above are on the source chain. */
  destination?: {
    chainId: number;
    token: Address;
    decimals: number;
    /** The least that arrives, if the bridge delivers at the cost it was quoted with; null where that is only promised. */
    minReceived: Amount | null;
    arrival: Arrival;
    /** What the quote says arrives, of all slices together. */
    expected: Amount;
    /** What enters the bridge: at least `least` raw units, after the fee. `decimals` is null where nobody told them. */
    entering: { token: Address; decimals: number | null; least: Amount };
  };
  sealed: string;
}

export interface MarketBuildOptions extends CallOptions {
  /** 0..10000. Required. */
  slippageBps: number;
  /** Such a trade is made at once. */
  type?: "MARKET";
  /** Refuse a transaction that guarantees less, after the fee. */
  minReceived?: AmountInput;
  /** Refuse a transaction that may spend more. */
  maxSpent?: AmountInput;
  account?: Address;
  /**
   * Until when `submit` sends it, unix seconds by the chain's clock. It is passed to the service, but the router's call
   * carries none: what is sent and stays unmined is not ended by it. Or `validForSecs` in its place; default 1200.
   */
  deadline?: number;
  validForSecs?: number;
  /** A signed permit in place of an approval. */
  permit?: Permit;
  /** Whether the partner collects what exceeds the quote. Not with `partnerFeeBps`. Left out: as `BuildOptions.takeSurplus`. */
  takeSurplus?: boolean;
  /** Whether what is collected is capped at 1 %. Default true, unless `agreement.capSurplus` is false, and held to it. */
  capSurplus?: boolean;
  /** Whether what exceeds the quote is the user's. Default false. */
  surplusToUser?: boolean;
  /** Whether the partner's fee is paid at once, not kept in the fee vault. Default false. */
  directFeeTransfer?: boolean;
  /** Where the sender of the transaction is not the one who calls the router. */
  txOrigin?: Address;
  /**
   * 4-byte selectors that the caller vouches for. Beyond version 6.2's: tokens and amounts in them can not be read. Of
   * version 6.2's: where the router itself compares nothing with the least amount, `0x987e7d8e` (a stability module that is
   * not known) and `0xda35bb0d` (the native coin bought from makers).
   */
  allowSelectors?: Hex[];
  /** Leave out the service's estimate of gas, or have it suggest EIP-1559 prices, or this price: see `suggestedGas`. */
  ignoreGasEstimate?: boolean;
  eip1559?: boolean;
  /** Wei. */
  gasPriceWei?: AmountInput;
  /** Whoever brought the user, 1 to 64 characters of any text; not for `swap`. The trade may count as referred by an address. */
  referrer?: string;
  /** Whether the service leaves out its own check of the allowance, and that alone. Default false. */
  ignoreAllowance?: boolean;
  /** Whether the service leaves out its own checks of balance and allowance. Default: unless the chain says that they would succeed. */
  ignoreChecks?: boolean;
  /** The request the quote is for; see `BuildOptions.request`. */
  request?: QuoteRequest;
}

/** A transaction for the user's wallet, verified against what was asked for. */
export interface Transaction {
  from: Address;
  to: Address;
  /** Wei. */
  value: Amount;
  data: Hex;
  chainId: number;
}

export interface MarketBuild {
  kind: "market";
  request: NormalizedRequest;
  chainId: number;
  owner: Address;
  beneficiary: Address;
  spender: Address;
  contractMethod: string;
  maxSpent: Amount;
  /** After the fee. */
  minReceived: Amount;
  feeBps: number;
  /** Until when `submit` sends it, unix seconds by the chain's clock: as asked for, else 1200 s after it was built. */
  deadline: number;
  transaction: Transaction;
  /** What the service suggests, for display. Never sent: a lying server could burn the user's coin. The wallet estimates. */
  suggestedGas: { gas: string | null; gasPrice: string | null; maxFeePerGas: string | null; maxPriorityFeePerGas: string | null };
  report: Report;
  approval: Approval | null;
  sealed: string;
}

/** Another transaction built here: a fill, a cancellation, a withdrawal. */
export interface TransactionBuild {
  kind: "transaction";
  purpose: "fill" | "cancel" | "withdraw";
  chainId: number;
  owner: Address;
  transaction: Transaction;
  report: Report;
  approval: Approval | null;
  sealed: string;
}

/** A transaction on its way. */
export interface SentTransaction {
  kind: "sent";
  chainId: number;
  from: Address;
  hash: Hex;
  /** The sender's transaction number, where it could be read: what a replacement is told by. */
  nonce: number | null;
  /** `REPLACED`: another transaction with that number was mined. `DROPPED`: the node no longer knows it. */
  status: "PENDING" | "COMPLETED" | "FAILED" | "REPLACED" | "DROPPED";
  /** Where it was mined; null before. */
  blockNumber: number | null;
}

export interface TypedData {
  types: Record<string, { name: string; type: string }[]>;
  primaryType: string;
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  message: Record<string, unknown>;
}

/** `"unusual"`: as asked for, but far from what such trades are like; to be shown, never refused. */
export type Verdict = "ok" | "mismatch" | "opaque" | "unknown" | "unusual";

export interface Check {
  /** Path of what was checked, e.g. `order.beneficiary`. */
  field: string;
  expected: string;
  actual: string;
  verdict: Verdict;
}

export interface Report {
  /** What the user is about to agree to, in one sentence, from addresses and the caller's symbols only. */
  sentence: string;
  checks: Check[];
  /**
   * Of an order or a Market transaction: by how many basis points what is guaranteed lies below the quote (BUY: what may be
   * spent, above it), slippage and fee included; 0 where it is the better one. Absent where there was no quote to compare.
   */
  distanceBps?: number;
  /** Present once there is typed data. */
  domainSeparator?: Hex;
  structHash?: Hex;
  digest?: Hex;
}

/* --------------------------------------------------------------- approvals */

export interface Approval {
  /** Whose contract the spender is, or whose permits it takes where it is Permit2. Spenders are not interchangeable. */
  path: "delta" | "market" | "otc";
  chainId: number;
  token: Address;
  owner: Address;
  spender: Address;
  /** What will be approved: exactly what the order may spend; with `coverOpenOrders` also what open orders claim. */
  amount: Amount;
  /** The allowance as read; null when no RPC could be asked. */
  current: Amount | null;
  /** The token refuses to change a non-zero allowance: it is set to zero first (two transactions). */
  resetFirst: boolean;
  /** Pass it on untouched: only what a build of this client asked for is approved. After a reload, build again. */
  sealed: string;
}

export interface ApproveOptions extends CallOptions {
  /** Approve more than needed; `"unlimited"` is 2^256 - 1. */
  amount?: AmountInput | "unlimited";
  onProgress?: (progress: Progress) => void;
}

export interface ApprovalResult {
  /** Hashes of what was sent; empty when nothing had to be. */
  transactions: Hex[];
  allowance: Amount;
}

/* ------------------------------------------------------------------ submit */

export interface SubmitOptions extends CallOptions {
  /** A signature made elsewhere over `build.typedData` (64 or 65 bytes; an account with code: any). No wallet is asked. */
  signature?: Hex;
  /**
   * Have the order's hash set on chain by a transaction (`setPreSignature`) instead of a signature: for accounts that
   * can not sign typed data, or whose signature the chain refuses. Costs gas.
   */
  preSign?: boolean;
  onProgress?: (progress: Progress) => void;
  /**
   * The request the build is for, with your own bounds: `minReceived`, for a BUY also `maxSpent`. Needed only for a build
   * made by another client or before a reload: its price, slippage and deadline are somebody else's word. Without a
   * `deadline` here, the order's may be at most 24 hours ahead. A fill, cancellation or withdrawal is built again instead.
   */
  request?:
    | ((QuoteRequest | TwapRequest) &
        Pick<BuildOptions, "minReceived" | "maxSpent" | "deadline" | "minEntering" | "acceptUnguaranteedArrival">)
    | OtcRequest;
  /**
   * What to do where an order for the same trade is signed and may still be filled by the chain, whatever the service says of
   * it: `"replace"` signs a build of the same nonce (any, unless it was built for `"another"`), `"another"` one that was built
   * with that word. Left out: as `build` was told, else ALREADY_SIGNED. Gasless orders only. For the same trade, and for
   * one that was filled meanwhile, see `again` of `build`.
   */
  again?: "replace" | "another";
  /** OTC only: posted with the order in place of the maker's approval (`eip2612` or `dai`); a taker's fill uses it. */
  permit?: Permit;
}

/** What `submit` takes. */
export type Submittable = DeltaBuild | MarketBuild | TransactionBuild | OtcBuild | SignedOrder | SignedOtcOrder;

export interface Progress {
  step: "checking" | "signing" | "signed" | "posting" | "posted" | "resetting" | "approving" | "confirming" | "approved"
    | "simulating" | "sending" | "sent" | "presigning";
  /** A transaction hash, where one was sent. */
  transaction?: Hex;
  /** Present from "signed" on, and at "confirming" of a consent on chain: keep it, `submit` takes it back once that is in a block. */
  signedOrder?: SignedOrder | SignedOtcOrder;
}

/** A signed order that `submit` accepts again: nothing signed is lost. */
export interface SignedOrder {
  kind: "signedOrder";
  chainId: number;
  owner: Address;
  orderHash: Hex;
  /** Unix seconds. */
  deadline: number;
  /** As it is posted: compact for a key's account, an account with code's own bytes; `0x` where it is signed on chain. */
  signature: Hex;
  sealed: string;
}

/* ------------------------------------------------------------------ orders */

export type OrderStatus =
  | "PENDING" | "AWAITING_SIGNATURE" | "ACTIVE" | "SUSPENDED" | "CANCELLING" | "BRIDGING"
  | "COMPLETED" | "FAILED" | "EXPIRED" | "REFUNDING" | "CANCELLED" | "REFUNDED"
  | (string & {});

/** One side of an order, raw units of `token`. `summarizeOrder` puts the two together. */
export interface OrderSide {
  chainId: number;
  token: Address;
  /** Of the side that is fixed. */
  amount?: Amount;
  /** Of the other one: by the quote, and once it is COMPLETED. */
  expectedAmount?: Amount | null;
  executedAmount?: Amount | null;
  /** What was signed: of a BUY's input, of a SELL's output. */
  maxAmount?: Amount;
  minAmount?: Amount | null;
}

/** A fill. */
export interface OrderTransaction {
  originTx: Hex;
  /** Crosschain: where it arrived; null before. */
  destinationTx: Hex | null;
  /** 0..100, of the whole order. */
  filledPercent: number;
  spentAmount: Amount | null;
  receivedAmount: Amount | null;
}

/**
 * An order as the service reports it; members this package does not know are kept. `id` and `status` are made sure of; owner,
 * beneficiary, side, chains, tokens and fixed amounts, where they are told, are those of the struct that was signed, and that
 * is the one of `orderHash`, unless the order is `unverified`. Status, times and what was executed are the service's word.
 */
export interface Order {
  id: string;
  status: OrderStatus;
  side: Side;
  type: "MARKET" | "LIMIT" | (string & {});
  onChainOrderType: DeltaBuild["orderKind"] | "ProductiveOrder" | (string & {});
  input: OrderSide;
  output: OrderSide;
  owner: Address;
  beneficiary: Address;
  orderHash: Hex;
  partner: string;
  /** The struct that was signed. */
  order: Record<string, unknown>;
  transactions: OrderTransaction[];
  /** Crosschain: what a bridge gave back. */
  refunds: { tx: Hex; chainId: number; token: Address; amount: Amount }[];
  /** ISO 8601. */
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
  /** Nobody here can hash the struct: it is missing, of a type that is not known, or for a contract that is not. */
  unverified?: true;
  /**
   * Of a COMPLETED one that `order`, `watch` or `wait` told. `seen`: the chain shows that it was filled and that the beneficiary
   * received what it guarantees. `claimed`: the service says so; nothing that can be read here shows it.
   */
  settled?: "seen" | "claimed";
  [member: string]: unknown;
}

export interface OrdersFilter {
  /** Default: the client's account. */
  account?: Address;
  chainId?: number | number[];
  status?: OrderStatus | OrderStatus[];
  type?: "MARKET" | "LIMIT";
  onChainOrderType?: string;
  /** From 1. */
  page?: number;
  /** 1..1000, default 100. */
  limit?: number;
}

/** Numbers are null where the service does not state them. */
export interface OrderPage {
  data: Order[];
  total: number | null;
  page: number | null;
  limit: number | null;
  hasMore: boolean;
}

export interface WatchOptions extends CallOptions {
  /** The first pause between reads, at least 50; grows to `maxIntervalMs`. Default 2000. */
  intervalMs?: number;
  /** Default 15 000. */
  maxIntervalMs?: number;
}

export interface CancelOptions extends CallOptions {
  onProgress?: (progress: Progress) => void;
}

/** COMPLETED, FAILED, EXPIRED, CANCELLED, REFUNDED; for a sent transaction also REPLACED, DROPPED. */
export function isTerminal(order: { status: string } | string): boolean;

/** What an interface shows of an order, computed from what the service reports. */
export interface OrderSummary {
  isTerminal: boolean;
  isCrosschain: boolean;
  /** 0..100; a crosschain fill counts when it has arrived. */
  filledPercent: number;
  /** Spent and received so far. */
  spent: Amount;
  /** The service's word, also where the order is `settled: "seen"`: that tells only that the guaranteed least was received. */
  received: Amount;
  /** What was expected when the order was made; null where nothing says. */
  expectedSpent: Amount | null;
  expectedReceived: Amount | null;
  /** What the signed order guarantees: at most spent, at least received (crosschain: expected, the bridge decides). */
  maxSpent: Amount | null;
  minReceived: Amount | null;
  /** Received raw units per 10^18 spent raw units; null before a fill. */
  averagePrice: Amount | null;
  /** How it can be cancelled now. */
  cancel: "signature" | "transaction" | null;
  /** TWAP only: slices done, their number, and the earliest time of the next (unix seconds). */
  slices: { done: number; total: number; nextNotBefore: number | null } | null;
}
/** Throws INVALID_INPUT with the member of an order that is not as it must be. */
export function summarizeOrder(order: Order): OrderSummary;
/** @deprecated Since 0.1: use `summarizeOrder`. */
export const orderFacts: typeof summarizeOrder;

/* ----------------------------------------------------------------- permits */

/**
 * By the token (`eip2612`, `dai`), or by Permit2. OTC takes the token's own alone, Market those and `permit2Transfer`; of
 * another path's kinds: INVALID_INPUT.
 */
export type PermitKind = "eip2612" | "dai" | "permit2Transfer" | "permit2Allowance" | "permit2Existing";

export interface PermitOptions extends CallOptions {
  kind: PermitKind;
  /** What it covers. Default: what the quote spends; of an OTC order, all of it. `dai` covers everything. */
  amount?: AmountInput;
  /** BUY, and required there unless `amount` is given: that much more than the quote spends. */
  slippageBps?: number;
  /**
   * The most it may cover: beyond it VERIFY_MISMATCH at `permit.amount`. BUY, and required there unless `amount` is given or
   * the quote was held to prices of your own (`srcPriceUsd`, `destPriceUsd`): what a purchase costs is the service's word.
   */
  maxSpent?: AmountInput;
  /**
   * Unix seconds. Default: 1800 s from now by the chain's clock; required where that is more than an hour ahead of this
   * machine's. A gasless order may not outlive its permit: sign one that lasts at least as long. For `permit2Transfer` of a
   * gasless order: the order gets this very one; on Market: 1200 s from now, and at most.
   */
  deadline?: number;
  account?: Address;
  onProgress?: (progress: Progress) => void;
}

export interface Permit {
  kind: PermitKind;
  chainId: number;
  token: Address;
  owner: Address;
  spender: Address;
  amount: Amount;
  /** Unix seconds. */
  deadline: number;
  /** Null for `permit2Existing`, which signs nothing. */
  nonce: Amount | null;
  /** What goes into the order or the calldata. */
  bytes: Hex;
  /** Pass it on untouched: it is good for one order of this client. */
  sealed: string;
}

/* --------------------------------------------------------------------- OTC */

export interface OtcRequest {
  chainId: number;
  makerAsset: Address;
  takerAsset: Address;
  makerAmount: AmountInput;
  takerAmount: AmountInput;
  makerDecimals: number;
  takerDecimals: number;
  makerSymbol?: string;
  takerSymbol?: string;
  /** Default: the client's account. */
  maker?: Address;
  /** Who may fill it. Default: anyone. */
  taker?: Address;
  /** Unix seconds; 0 is never. */
  expiry: number;
  /** Below 2^96. Default: random. */
  nonce?: AmountInput;
}

export interface OtcBuildOptions extends CallOptions {
  /**
   * Raise the approval by what the maker's open OTC orders have claimed of the asset, so that they do not go short; at most
   * to what the maker holds. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean;
}

export interface OtcOrderFields {
  nonceAndMeta: Amount;
  /** Unix seconds; 0 is never. */
  expiry: number;
  makerAsset: Address;
  takerAsset: Address;
  maker: Address;
  taker: Address;
  makerAmount: Amount;
  takerAmount: Amount;
}

export interface OtcBuild extends OtcOrderFields {
  kind: "otc";
  chainId: number;
  spender: Address;
  orderHash: Hex;
  typedData: TypedData;
  report: Report;
  /** What the maker has to approve. */
  approval: Approval | null;
  sealed: string;
}

export interface SignedOtcOrder {
  kind: "signedOtcOrder";
  chainId: number;
  orderHash: Hex;
  signature: Hex;
  sealed: string;
}

export type OtcState = "DRAFT" | "PENDING" | "FULFILLED" | "CANCELLED" | "SUSPENDED" | "EXPIRED" | (string & {});

/**
 * As the service stores it; members this package does not know are kept. `orderHash` and `state` are made sure of where one
 * order is read or posted, and `OtcOrderFields` are those that the hash is of unless it is `unverified`; the signature is
 * checked where the order is passed on.
 */
export interface OtcOrder extends OtcOrderFields {
  chainId: number;
  orderHash: Hex;
  signature: Hex;
  state: OtcState;
  type?: "P2P" | "LIMIT" | (string & {});
  /** Of the last fill, or the cancellation. */
  transactionHash?: Hex | null;
  /** Of the maker's asset, raw units: not filled yet; what can be filled now. */
  fillableBalance?: Amount;
  swappableBalance?: Amount;
  permitMakerAsset?: Hex | null;
  /** Unix seconds. */
  createdAt?: number;
  updatedAt?: number;
  /** Nobody here can hash it: a member is missing, its tokens have ids, or the contract is not known. */
  unverified?: true;
  [member: string]: unknown;
}

export interface OtcFilter {
  chainId: number;
  /** Default, where no taker is named: the client's account. */
  maker?: Address;
  /** In place of `maker`. */
  taker?: Address;
  type?: "P2P" | "LIMIT";
  /** Default 100. */
  limit?: number;
  offset?: number;
  orderBy?: "createdAt" | "updatedAt" | "expiry";
  hideSmallBalances?: boolean;
}

/** What an interface shows of an OTC order, computed from what service and contract report and a clock. */
export interface OtcOrderSummary {
  /** As the service says; `EXPIRED` once the clock says so. */
  state: OtcState;
  /** FULFILLED, CANCELLED, EXPIRED; and once the contract says that nothing is left. */
  isTerminal: boolean;
  isPartlyFilled: boolean;
  /**
   * 0..100, with two decimals, rounded down; null of a CANCELLED order, of which the service no longer says, and of one of
   * which the contract says that nothing is left, until the service says that it is FULFILLED: it may be cancelled.
   */
  filledPercent: number | null;
  /** What is left to get, and what that costs. */
  leftMakerAmount: Amount;
  leftTakerAmount: Amount;
}
/**
 * `nowSecs`: unix seconds by the chain's clock; default: the machine's. `remaining`: what `otcRemaining` told, raw units; goes
 * before the service's word. Throws INVALID_INPUT with the member that is not as it must be.
 */
export function summarizeOtcOrder(order: OtcOrder, nowSecs?: number, remaining?: Amount | null): OtcOrderSummary;
/** @deprecated Since 0.1: use `summarizeOtcOrder`. */
export const otcFacts: typeof summarizeOtcOrder;

/** Numbers are null where the service does not state them. */
export interface OtcPage {
  orders: OtcOrder[];
  limit: number | null;
  offset: number | null;
  total: number | null;
  hasMore: boolean;
}

export interface FillOptions extends CallOptions {
  /** Raw units of the taker asset to pay. Default: all that is left. */
  takerAmount?: AmountInput;
  /** The least to receive of the maker asset. Default: the order's price, rounded down. */
  minMakerAmount?: AmountInput;
  /** Who receives. Default: the taker. */
  receiver?: Address;
  /** Default: the client's account. */
  account?: Address;
  /** In place of the taker's approval: `eip2612` or `dai`. */
  permit?: Permit;
  /** Held against the tokens' own before the wallet is asked. */
  makerDecimals: number;
  takerDecimals: number;
  /** Names for the report's sentence. */
  makerSymbol?: string;
  takerSymbol?: string;
}

/* --------------------------------------------------------------- resources */

/**
 * As the service sends it, like everything below: only that the members are there is made sure of. Names, symbols and logos
 * are its word: anybody can name a token, its address is what it is.
 */
export interface TokenInfo {
  symbol: string;
  address: Address;
  decimals: number;
  /** Not in every list. */
  chainId?: number;
  name?: string;
  /** Of an https server; what it serves is its own affair. */
  logoURI?: string;
  /** Ids of `tokenCategories`; none in the service's older list. */
  categories: string[];
  [member: string]: unknown;
}

export interface TokenCategory {
  id: string;
  name: string;
}

export interface TokenStrategies {
  address: Address;
  /** `apr`: a share of one, decimal text: `"0.052"` is 5.2 %. */
  strategies: { vault: Address; name: string; apr: { gross: string; net: string } | null }[];
}

export interface BridgeRoute {
  srcChainId: number;
  destChainId: number;
  tokens: Address[];
}

export interface BridgeProtocol {
  protocol: string;
  displayName: string;
  icon: string;
}

/* ------------------------------------------------------------------ errors */

export type ErrorCode =
  | "INVALID_INPUT" | "UNSUPPORTED_CHAIN" | "NO_ROUTE" | "QUOTE_EXPIRED" | "VERIFY_MISMATCH" | "LOSS_TOO_HIGH" | "SIGNATURE_MISMATCH"
  | "USER_REJECTED" | "WRONG_CHAIN" | "WRONG_ACCOUNT" | "WALLET_PENDING" | "WALLET_FAILED" | "UNSUPPORTED_ACCOUNT"
  | "ALREADY_SIGNED" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_ALLOWANCE" | "RATE_LIMITED" | "SERVICE_REJECTED"
  | "SERVICE_MALFORMED" | "NETWORK" | "TIMEOUT" | "ABORTED" | "INTERNAL";

export type ErrorAction = "requote" | "approve" | "switchChain" | "changeAmount" | "retry" | "none";

/** Every error this package throws. Recognise it with `isTradeError`, not with instanceof. */
export interface TradeError extends Error {
  name: "TradeError";
  code: ErrorCode;
  /** What would help. */
  action: ErrorAction;
  /** Path of the input, option or payload member it is about. With NO_ROUTE, what to change, to what is `expected`. */
  field?: string;
  expected?: string;
  actual?: string;
  /** HTTP status of the service's answer. */
  status?: number;
  /** The service's own error type and details, as it sent them. */
  errorType?: string;
  details?: string;
  /** True where asking for a new quote is the way on. */
  requote?: boolean;
  /** Seconds to wait, where the service said so. */
  retryAfterSecs?: number;
  /** With LOSS_TOO_HIGH: how much of what is given is lost by the dollar values, and how much of that the service's costs take. */
  lossBps?: number;
  costBps?: number;
  /**
   * With ALREADY_SIGNED: the earlier order; with `signedOrder` too, where it has not been posted yet. `actual` is
   * `may still be filled`, or `filled or cancelled`: then there is nothing to replace.
   */
  orderHash?: Hex;
  /** The order that was signed before this error. Until `deadline` it may still be filled; `submit(signedOrder)` goes on. */
  signedOrder?: SignedOrder | SignedOtcOrder;
  /** The report with every check, where a verification failed. */
  report?: Report;
  /**
   * With INSUFFICIENT_ALLOWANCE of `submit` and `signPermit`: what `approve` takes, as things are now. Absent with
   * `permit2Existing`, and where the chain says that the allowance suffices.
   */
  approval?: Approval;
  /** The wallet's or network's original error, untouched. */
  cause?: unknown;
}

export function isTradeError(error: unknown): error is TradeError;
export function isTradeError<C extends ErrorCode>(error: unknown, code: C): error is TradeError & { code: C };

/* ---------------------------------------------------------- pure functions */

/**
 * Loads the module; the pure functions (these, and `minReceived`, `maxSpent`, `twapSchedule`, `isTerminal`, `summarizeOrder`
 * above) work once it has resolved: before, they throw a plain Error, after that INVALID_INPUT for what they can not read
 * (`isAddress` and `isTerminal` say false). `isTradeError`, `summarizeOtcOrder` and `rawQuote` need no module. Importing alone
 * does nothing. Rejects with the loader's own error where the module can not be loaded; may be called again.
 */
export function init(source?: ModuleSource): Promise<void>;

/** The module: compiled, its bytes, where it is, or the answer that has it. Default: the file beside the script. */
export type ModuleSource = CompiledModule | ArrayBuffer | ArrayBufferView | Response | URL | Promise<Response>;
/** `WebAssembly.Module`, where the project's types know it: Node's do not. */
type CompiledModule = typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/**
 * The checks alone, for use between another SDK's build and sign. Throws VERIFY_MISMATCH; UNSUPPORTED_CHAIN where neither a
 * pinned contract nor one of `contracts` is known; SERVICE_MALFORMED where `quote` or `toSign` can not be read.
 */
export function verifyOrder(input: VerifyOrderInput): Report;

export interface VerifyOrderInput {
  /** What the user asked for, the price in it as slippage or limit (TWAP BUY: `maxSrcAmount`): never a silent default. */
  request: (QuoteRequest | TwapRequest) & VerifyOrderTerms & Exclude<StatedPrice, { limitPrice: string }>;
  /** The service's `delta` block (route, spender, partner), with its `alternatives` where one of them was taken. */
  quote: unknown;
  /** `{ domain, types, value }` as the service built it: an object, or its JSON text. */
  toSign: unknown;
  orderHash: Hex;
  /** For chains that are not pinned. */
  contracts?: Record<number, ChainContracts>;
}

/**
 * The options the order was built with; a limit as an amount, its time as a deadline. What is absent was not asked for: an
 * order that holds it is refused, but where it says otherwise here.
 */
export interface VerifyOrderTerms {
  /** The owner. */
  account: Address;
  /** 0..10000. How far from the quote it may settle. */
  slippageBps?: number;
  /** Unix seconds, exactly. When absent: not passed yet and at most 24 hours ahead; TWAP: that much after the last slice's time. */
  deadline?: number;
  /** When absent, any. */
  nonce?: AmountInput;
  /** The least that must arrive: raw units, after the fee, of all slices together. */
  minReceived?: AmountInput;
  /** The most that may be spent: raw units, of all slices together. */
  maxSpent?: AmountInput;
  /** Default `"MARKET"`; a limit implies `"LIMIT"`. */
  type?: "MARKET" | "LIMIT";
  /** The limit, in raw units. SELL: the least out. BUY: the most in. TWAP SELL: the least out of one slice. */
  limitAmount?: AmountInput;
  /** The order is one that may be filled in parts. */
  partiallyFillable?: boolean;
  /** TWAP BUY, and required there: the most that all slices together may spend, raw units. */
  maxSrcAmount?: AmountInput;
  /** Crosschain: which of the quote's `alternatives` was built, from 0. When absent, its own route. */
  route?: number;
  /** The permit the order carries. Of another SDK, too: there is no seal to it. */
  permit?: Omit<Permit, "sealed">;
  /** The bytes the order carries. When absent, any, at most 1024. */
  metadata?: Hex;
  /** When absent, as `request.agreement` says, else not. */
  takeSurplus?: boolean;
  /** When absent, a partner's share is capped, unless `request.agreement.capSurplus` is false. */
  capSurplus?: boolean;
  /** Who handles the order, and the bytes for it (`ExternalOrder`). */
  external?: { handler: Address; data: Hex };
  /**
   * The least that must enter the bridge, after the fee: its token, and raw units of it, of all slices together. A consent;
   * see `acceptUnguaranteedArrival`.
   */
  minEntering?: EnteringAmount;
  /**
   * Your own dollar price of one whole token of what enters the bridge, decimal text. Together with the request's
   * `srcPriceUsd` a consent: what enters may then be worth at most `maxLossBps` less than what is sold.
   */
  enteringPriceUsd?: string;
  /** Decimals of the token that enters the bridge. Needed where it is not known here: no chain is read. */
  enteringDecimals?: number;
  /**
   * Another asset arrives than enters the bridge (`quote.arrival` is `"promised"`): how much, only the bridge says. Such an
   * order needs one of three: `minEntering`, your own prices, or `true` here. Without one: INVALID_INPUT.
   */
  acceptUnguaranteedArrival?: boolean;
}

/** The address with its EIP-55 checksum. Throws INVALID_INPUT that says what is wrong. */
export function parseAddress(text: string): Address;
export function isAddress(text: unknown): text is Address;
/** The address to send for a token: the native coin's exact placeholder, or the checksummed address. */
export function normalizeToken(token: string): Address;
/** `parseUnits("1.5", 6)` is `"1500000"`. Exact, 0..77 decimals; more fraction digits than `decimals` are refused. */
export function parseUnits(text: string, decimals: number): Amount;
/** `formatUnits("1500000", 6)` is `"1.5"`. Exact. */
export function formatUnits(amount: AmountInput, decimals: number): string;
/** EIP-712 digest of any typed data (`message` or `value`; `primaryType` optional where one type is the root). */
export function hashTypedData(typedData: unknown): Hex;
/** ERC-2098: 65 bytes to 64; 64 bytes come back unchanged. */
export function compactSignature(signature: Hex): Hex;
/** Who signed. 64 or 65 bytes. */
export function recoverTypedDataSigner(typedData: unknown, signature: Hex): Address;

/** The native coin's placeholder, in the one casing the service accepts. */
export const NATIVE_TOKEN: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/** The service's public address. Never used unless passed as `baseUrl`. */
export const VELORA_BASE_URL: "https://api.velora.xyz";
