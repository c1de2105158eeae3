/**
 * verified-swap: trade tokens through gasless intents; a wallet prompt opens only for a payload that does what the user
 * requested.
 *
 * Units, everywhere: amounts are raw token units (wei-like integers) as decimal strings out, `bigint | string` in;
 * `...Bps` are basis points (1/100 of a percent); `...Secs` seconds; `...Ms` milliseconds; `deadline` unix seconds.
 *
 * Requests are read once, before the call returns: a page may edit its own objects afterwards. "A caller's values" in
 * docs/verification.md has each kind of value, and what is refused (`INVALID_INPUT` with its place).
 */

/** Bytes as hex text with `0x`. */
export type Hex = `0x${string}`;
/**
 * 20 bytes as hex text with `0x`. Out: with the EIP-55 checksum. In: any casing whose checksum, if it has one, is
 * right.
 */
export type Address = `0x${string}`;
/** Raw token units, decimal, no sign, no exponent, at most 2^256 - 1. */
export type Amount = string;
/** The input form of amounts. Numbers are refused: they lose digits above 2^53. */
export type AmountInput = bigint | string;
/** `"SELL"`: the sold amount is fixed. `"BUY"`: the bought amount is fixed. */
export type Side = "SELL" | "BUY";

/* ------------------------------------------------------------------- setup */

/**
 * Loads the module on first use, then makes a client: for the page's script while it is evaluated. A page opens a connection
 * to `baseUrl`; nothing is asked of the service before a call. Rejects with INVALID_INPUT; with NETWORK, MODULE_UNAVAILABLE or
 * WASM_UNAVAILABLE if the module cannot be loaded, and the next call tries again.
 */
export function createClient(options: ClientOptions): OpeningClient;

/** A client that is being made: await it, or request the page's first price from it at once. */
export interface OpeningClient extends Promise<Client> {
  /**
   * Same as the client's `quote`. While the module is loading, the page's first such request may leave at once: if it
   * has no other members than tokens (with their checksum), decimals (both stated), symbols, `amount`, `chainId`,
   * `mode`, `side` and `account`, no options but `signal`, the client has neither `apiKey` nor `storage`, and no tab
   * has just sent a request, as `localStorage` has it. The module takes the answer within 5 s, if it would send exactly the
   * same request, and checks it like any other. In a page it awaits the module's first file alone (docs/loading.md): until the rest is
   * there, `reference` is `"pending"`. Mode `"BOTH"` awaits the client. If that cannot be made, rejects with its error.
   */
  quote: Client["quote"];
  /**
   * Same as the client's `watchQuotes`, for a form that is there before the module: its first price leaves as that of
   * `quote`, and it goes on with the client that is being made, until that is closed. Other bindings (`withWallet`) build
   * its prices as well. If the client cannot be made, `state.error` is its error.
   */
  watchQuotes: Client["watchQuotes"];
}

/** Options of `createClient`. Everything but `baseUrl` may be left out. */
export interface ClientOptions {
  /** URL of the service. https only, except on loopback. */
  baseUrl: string;
  /**
   * Name of the app at the service, sent with quotes, builds and orders. 1 to 64 characters. Default `"anon"`, for
   * which the service charges 1 bps.
   */
  partner?: string | undefined;
  /**
   * The app's agreement with the service about its partner's share, which the service writes into orders on its own. A
   * share as stated here is accepted; anything more is VERIFY_MISMATCH, and the error's `message` shows the agreement
   * to paste.
   */
  agreement?: Agreement | undefined;
  /**
   * The app's key at the service, for a higher rate limit. Sent as the header `X-API-KEY`, on requests to `baseUrl`
   * alone; never part of an event or an error. 1 to 256 printable ASCII characters. In a browser, the header costs one
   * CORS preflight (one more round trip) per kind of request, the service has to allow it, and whoever opens the page
   * can read the key. A proxy of your own that adds the header avoids all three.
   */
  apiKey?: string | undefined;
  /**
   * The user's wallet. The app connects it (`eth_requestAccounts`); this package never asks it to connect. Not needed
   * for quotes.
   */
  wallet?: Eip1193Provider | undefined;
  /**
   * The account that owns, signs and pays. Default: the wallet's first account (`eth_accounts`), read whenever a call
   * needs it.
   */
  account?: Address | undefined;
  /**
   * By chain id: a JSON-RPC URL or an EIP-1193 provider, for reads; or a list of them. If one fails, the next in the
   * list is asked, and the one that answered stays in use. Default: the wallet, while it is on that chain.
   */
  rpc?: Record<number, string | Eip1193Provider | (string | Eip1193Provider)[]> | undefined;
  /**
   * Contracts by chain id, in place of the pinned ones. The report then says "supplied by the application". A contract
   * that is neither here nor pinned is UNSUPPORTED_CHAIN, unless `advanced.allowServiceContracts` is set.
   */
  contracts?: Record<number, ChainContracts> | undefined;
  /**
   * By chain id: a web service that is asked to pay for gas (ERC-7677). A wallet that takes calls together (EIP-5792) and
   * reports `paymasterService` is given it with them, with `optional: true`, and with a single call, too; any other sends as
   * without. The prompt's sentence ends in "gas paid by HOST if it agrees".
   */
  paymasterService?: Record<number, PaymasterService> | undefined;
  /**
   * Reference prices: every trade is held against pools and price feeds of its chain, read of `rpc` or the wallet
   * (docs/references.md). A function tells one of the app's own, one vote beside them: of a backend of its own, or another
   * aggregator. `false`: nobody is asked. That consents to nothing: each build then asks about its price
   * (`report.questions`).
   */
  reference?: false | AppReference | undefined;
  /** Called with timings and verdicts, for logs and metrics. An event never carries a signature or an address. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
  /**
   * Asked before each prompt that signs or sends: one place for all that a user has to agree to. After all checks, before
   * anything is noted. `true` opens the prompt, if all checks still hold, within a second; later it is asked once more,
   * because browsers let a wallet open its window only right after a click. `false`: USER_REJECTED. A function that
   * throws is INTERNAL with the cause, any other answer INVALID_INPUT at `onPrompt`; then nothing opens either. That of a
   * call or of `trade` counts in its place.
   */
  onPrompt?: OnPrompt | undefined;
  /**
   * Whether a wallet on another chain may be asked to switch (`wallet_switchEthereumChain`). Default false:
   * WRONG_CHAIN.
   */
  switchChain?: boolean | undefined;
  /**
   * Chains that a wallet may be asked to add (`wallet_addEthereumChain`), by chain id: in the form of EIP-3085, or as
   * viem describes them. It is asked once, if `switchChain` allows that and the wallet reports that it does not have
   * the chain (4902); otherwise never. From then on the wallet reads and sends through `rpcUrls`.
   */
  addChain?: Record<number, AddedChain | ViemChain> | undefined;
  /** Calls `trades.resume` at once; `client.resumed` is its promise. Default `false`. */
  resume?: boolean | undefined;
  /**
   * Where trades are written down, so that a reload loses none. Default: IndexedDB in a browser, nothing elsewhere.
   * `false`: nothing. See `trades.storage`.
   */
  storage?: JournalStorage | false | undefined;
  /** Options that few apps need. */
  advanced?: AdvancedClientOptions | undefined;
}

/** A paymaster's web service (ERC-7677). The wallet sees both members: keep keys on a server of your own. */
export interface PaymasterService {
  /** https, 1,024 bytes at most: a host name in small letters and Punycode, as of `new URL(text).href`; no user, no fragment. */
  url: string;
  /** The data that the service asks for: 1,024 bytes of JSON at most. */
  context?: Record<string, unknown> | undefined;
}

/** `advanced` of `ClientOptions`. */
export interface AdvancedClientOptions {
  /**
   * How many nodes of a chain in `rpc` have to agree before a refusal or a prompt rests on their answer: 1 to 16,
   * default 1. With 2, decimals, code, allowances, balances, nonces, the clock and trials of transactions are read from
   * two nodes at once; if they differ at one block, and still differ a second later, the call throws NODES_DISAGREE. A
   * list with fewer different nodes is INVALID_INPUT at `rpc.<chainId>`. A wallet in a list counts while it is on that
   * chain. A node that fails is replaced by the next one. Chains that are not in `rpc` are read through the wallet
   * alone.
   */
  rpcQuorum?: number | undefined;
  /**
   * Whether to accept a contract that only the service names, where none is pinned or in `contracts`. The sentence then
   * says "for a contract that only the service vouches for". No permit is signed for such a contract. Default false.
   */
  allowServiceContracts?: boolean | undefined;
  /**
   * Pairs of tokens that are the same asset on two chains, beside the pairs this package knows (USDC, USDT, DAI, ETH,
   * WBTC and others). For such a pair the order guarantees what arrives. Default of the request's.
   */
  bridgeTokens?: BridgeTokens[] | undefined;
  /** Pools and feeds by chain id, in place of the pinned ones, as on a chain for which none are pinned. */
  references?: Record<number, ChainReferences> | undefined;
  /**
   * Timeout of each request to the service or a node, and of reads of a wallet's accounts or chain: 1 to 600 000 ms.
   * For a node given as a URL, 15 000 at most. Default 15 000. Prompts have none.
   */
  timeoutMs?: number | undefined;
  /**
   * The service's rate limit for the app, if it is higher than without a key. All clients, and all tabs of the origin,
   * with the same `baseUrl` and `apiKey` share it; posts and cancellations count, but never wait for it.
   */
  rateLimit?: RateLimit | undefined;
  /**
   * Whether a trade and its missing approval may be put to the wallet in one prompt (EIP-5792), all or none of them.
   * `"auto"`: if the wallet says that it can. Default `"auto"`. Options of `submit` and `approve` override it.
   */
  batch?: "auto" | "never" | undefined;
}

/** Is asked before a prompt opens. */
export type OnPrompt = (prompt: Prompt) => Answer | Promise<Answer>;

/** The answer of `onPrompt`. A question is answered by its id in `accept`: `true` answers none. */
export type Answer = boolean | { accept: string[] };

/** The purpose of a prompt. The first four are signatures (`"otc"`: of an order of a maker), the others transactions. */
export type PromptPurpose =
  | "order" | "otc" | "permit" | "cancelOrders"
  | "approve" | "market" | "fill" | "cancel" | "withdraw" | "revoke" | "presign";

/** A prompt that is about to open. Plain JSON. */
export interface Prompt {
  /** Its purpose. */
  purpose: PromptPurpose;
  /** The gravest verdict of its checks: `"unknown"` before `"opaque"` before `"unusual"`. */
  verdict: "ok" | "unusual" | "opaque" | "unknown";
  /** What is signed or sent, in one sentence. */
  sentence: string;
  /** What the wallet is given, in order: one part, or each call of those that go together. */
  parts: PromptPart[];
  /** The capabilities beside the calls (EIP-5792): the app's `paymasterService`, if it takes one; else null. */
  capabilities: { paymasterService: PaymasterService & { optional: true } } | null;
  /** EIP-712 hash of the order that is signed, or that a transaction of purpose `"presign"` consents to. */
  orderHash?: Hex | undefined;
  /** Of purpose `"permit"`: the permit, without a signature (`bytes` is empty). */
  permit?: Omit<Permit, "sealed"> | undefined;
  /** Of purpose `"cancelOrders"`: the ids of the orders. */
  orderIds?: string[] | undefined;
  /** The questions that are open. Left open, the call fails as it does without `onPrompt`: PRICE_UNJUDGED and others. */
  questions: Question[];
  /**
   * Whether this very prompt was agreed to, and did not open: its checks took longer than a second. Nothing else was
   * asked for in between.
   */
  isRepeated: boolean;
  /** The checks that a person should know of: `"unusual"`, `"opaque"` and `"unknown"` ones. */
  findings: Check[];
  /**
   * `eip712`, `domainSeparator` and `structHash` of typed data; `calldata` (draft ERC-8213) of the last call.
   */
  digests: { eip712?: Hex | undefined; domainSeparator?: Hex | undefined; structHash?: Hex | undefined; calldata?: Hex | undefined };
  /** The display of a hardware wallet; null for transactions. */
  hardware: HardwareScreen | null;
}

/** What a wallet is given to sign, or a call to send. */
export interface PromptPart {
  /** What it does, in one sentence. */
  sentence: string;
  /** The account that signs or sends. */
  from: Address;
  /** The typed data, if it is signed (EIP-712). */
  typedData?: object | undefined;
  /** The chain, if it is sent. */
  chainId?: number | undefined;
  /** The contract, if it is sent. */
  to?: Address | undefined;
  /** Native token, wei, if it is sent. */
  value?: Amount | undefined;
  /** The calldata, if it is sent. */
  data?: Hex | undefined;
  /** If it is an approval (ERC-20): whom it lets take how much, in raw units. */
  approval?: { token: Address; spender: Address; amount: Amount } | undefined;
}

/** An EIP-1193 provider: an injected wallet, WalletConnect, anything with `request`. */
export interface Eip1193Provider {
  /** Sends one JSON-RPC request and resolves to its `result`. */
  request(args: { method: string; params?: readonly unknown[] | object | undefined }): Promise<unknown>;
}

/** Input of `withWallet`: an EIP-1193 wallet, or functions of a local account (viem, ethers, own keys). */
export type WalletBinding =
  | { wallet: Eip1193Provider; account?: Address | undefined; switchChain?: boolean | undefined }
  | {
      request: Eip1193Provider["request"];
      account?: Address | undefined;
      switchChain?: boolean | undefined;
      /** Subscribes to events of EIP-1193, if the provider has them. */
      on?: ((event: string, listener: (value: any) => void) => unknown) | undefined;
      removeListener?: ((event: string, listener: (value: any) => void) => unknown) | undefined;
    }
  | {
      /** An address, or an object that has one (a viem account, an ethers wallet). */
      account: string | { address: string };
      /**
       * viem takes it as it is; ethers without `EIP712Domain`: `const { EIP712Domain, ...types } = typedData.types`.
       */
      signTypedData(typedData: TypedData): Promise<string>;
      /**
       * Needed for transactions: approvals, Market trades, fills, deposits. `value` is hex: viem and ethers want
       * `BigInt(value)`. Resolves to the transaction's hash.
       */
      sendTransaction?(
        transaction: { from: Address; to: Address; data: Hex; value: Hex; chainId: number },
      ): Promise<string>;
    };

/* ------------------------------------------------------------------ client */

/**
 * Made by `createClient`: functions in a plain object, which may be taken off it. What a first trade does not need is in
 * groups, such as `client.otc`. Every call rejects with a {@link TradeError}. Any call may reject with INVALID_INPUT
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
 */
export interface Client extends Disposing {
  /**
   * The same client for another wallet or account: caches, orders in flight, tabs and rate limit are shared. It ends with
   * this one, or by its own `close`. Cheap. Throws INVALID_INPUT, synchronously.
   */
  withWallet(binding: WalletBinding): Client;
  /**
   * All steps of one trade: quote, build, review, approve or permit, submit, watch. Of a request, or of a quote that
   * the user has seen; one that is too old, or another client's, counts as its `request`, which is priced anew. No prompt opens that `onReview`, or `onPrompt`, did not agree to before. A second call for the same
   * trade, until it is posted or sent, is the first: one prompt, one order.
   *
   * Rejects as the calls it is made of, with `step` added, and with `signedOrder` once there is one. Throws
   * USER_REJECTED also if they do not agree, PRICE_UNJUDGED if an answer leaves a question open. An order that
   * ends without being filled is no error: see `order.status`. A new trade after a reload is not this one: see `signedOrder`.
   */
  trade(request: QuoteRequest | TwapRequest | Quote, options: TradeOptions & StatedPrice): ActiveTrade;
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
  build(quote: DeltaQuote, options: BuildOptions & StatedPrice): Promise<DeltaBuild>;
  build(quote: MarketQuote, options: MarketBuildOptions): Promise<MarketBuild>;
  /**
   * For both kinds of quote: options of Delta orders alone (a limit, `advanced.metadata`, ...) are refused for a Market quote;
   * options of transactions alone (`advanced.directFeeTransfer`, `advanced.allowSelectors`, ...) do nothing for a Delta one.
   */
  build(quote: Quote, options: BuildOptions & MarketBuildOptions): Promise<DeltaBuild | MarketBuild>;
  /**
   * A build of this client, after its review, again with the permit that was signed for it: for the same price, also past
   * its 30 s, with the same deadline, nonce, metadata and reference prices. Its questions have the ids that they had.
   * Throws VERIFY_MISMATCH with the first member that is not as it was reviewed, INVALID_INPUT for an edited build, one of
   * another client, a limit or slices; asks the service.
   */
  build<B extends DeltaBuild | MarketBuild>(build: B, options: RebuildOptions): Promise<B>;
  /**
   * A Market price and its transaction in one request, verified like a build. Nobody sees the price before, so a bound
   * of your own is required: `minReceived`, for a BUY `maxSpent`. Takes no `permit`. Does not use makers' orders; the
   * service's rate limit for it is lower. Throws NO_ROUTE, VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks as for a quote.
   */
  build(request: QuoteRequest & { mode: "MARKET" }, options: MarketBuildOptions): Promise<MarketBuild>;
  /**
   * Approves exactly what is needed. Sets the allowance to zero first where the token requires it. Opens no prompt if
   * the allowance suffices. Throws PRICE_UNJUDGED while one of `approval.questions` is open, VERIFY_MISMATCH (another
   * spender), INSUFFICIENT_ALLOWANCE (the user approved less),
   * WALLET_FAILED (the transaction reverted, or is another account's), JOURNAL_UNREADABLE; asks chain and wallet.
   */
  approve(approval: Approval, options?: ApproveOptions): Promise<ApprovalResult>;
  /**
   * Signs a permit that replaces an approval. Of a build that the user reviewed: for the most that it spends; pass it to
   * `build(build, { permit })`. Of a quote: for the amount of a sale, which is the request's own, or of a purchase within
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
  submit(build: DeltaBuild | SignedOrder, options?: SubmitOptions): Promise<Order>;
  submit(build: MarketBuild | TransactionBuild, options?: SubmitOptions): Promise<SentTransaction>;
  submit(build: OtcBuild | SignedOtcOrder, options?: SubmitOptions): Promise<OtcOrder>;
  submit(build: DeltaBuild | MarketBuild, options?: SubmitOptions): Promise<Order | SentTransaction>;
  /** Takes what an error or `onProgress` carried, and what a trade of the journal has. */
  submit(kept: SignedOrder | SignedOtcOrder | TradeBuild, options?: SubmitOptions): Promise<Order | OtcOrder>;
  /** Takes any of them; `kind` tells them apart. */
  submit(what: Submittable, options?: SubmitOptions): Promise<Order | OtcOrder | SentTransaction>;
  /**
   * Yields the order (also by id or hash), or the sent transaction, each time it changes; ends at a terminal status. Of
   * a list, one order per change, until all have ended; of `{ account }`, also new ones, until it is aborted, but none
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
  cancel(orders: Order | Order[], options?: CancelOptions): Promise<{ orderIds: string[] }>;
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
  /** What contracts may take of an account's tokens, and how to take it back. */
  readonly approvals: ApprovalsCalls;
  /** What else can be asked: the service's lists, balances, abilities of the wallet, the rate limit. */
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

/** Options of every call. */
export interface CallOptions {
  /**
   * Aborts the call: it rejects with ABORTED, and with the signal's reason as `cause`. A wallet prompt that is open
   * stays open.
   */
  signal?: AbortSignal | undefined;
  /**
   * Whether a request to the service may wait for any time until the rate limit has room for it. Default false: the call
   * is RATE_LIMITED, with `retryAfterSecs`, as soon as it is known to wait longer than 30 s. `watch` and `wait` slow
   * down instead.
   */
  waitForRateLimit?: boolean | undefined;
}

/** The tokens of a trade to come. A {@link QuoteRequest} fits: members beside these are left alone. */
export interface Pair {
  /** The chain of `srcToken`. */
  chainId: number;
  /** The token to sell. */
  srcToken: string;
  /** The token to buy. */
  destToken: string;
  /** The chain of `destToken`; default `chainId`. */
  destChainId?: number | undefined;
  /** Who will trade; default the client's account, else the first that the wallet offers unasked. */
  account?: string | undefined;
}

/* ------------------------------------------------------------------- trade */

/** Options of `trade`: those of `build`, and these. */
export interface TradeOptions
  extends Omit<BuildOptions, "permit" | "advanced">, Omit<MarketBuildOptions, keyof BuildOptions> {
  /** Options of the build that few apps need. */
  advanced?: Omit<AdvancedBuildOptions & AdvancedMarketBuildOptions, "requireBalance"> | undefined;
  /**
   * Shows the user what is about to be agreed to. `true`, or a promise of it, agrees to a review without `questions`;
   * `{ accept }` also to the questions whose ids it has. `undefined` is INVALID_INPUT: nobody answered. Anything else
   * declines. Called again with a new build when its price is renewed or the account changes; the answer to the earlier one
   * then no longer counts. A limit order is reviewed once. Called once more for the same build where the wallet may have
   * sent this trade before (`"mayHaveBeenSent"`): an answer that does not accept it ends in ALREADY_SIGNED.
   * Beside `accept` an answer may choose how the trade goes on. Required, unless there is an `onPrompt`, which then asks both.
   */
  onReview?: ((review: Review) => ReviewAnswer | Promise<ReviewAnswer>) | undefined;
  /**
   * Asked where the trade would end with an error, such as a rejected prompt. `true`, or an object, tries again from what
   * failed: the same build while its price is good, else a new one, which is reviewed; what is approved, permitted or
   * signed already is not asked for again: a signed order is posted, whatever is chosen but `preSign`. An object also
   * changes what is chosen. Anything else ends the trade with that error. Not asked after ABORTED, a declined review, an
   * `onReview` that threw, and a module that cannot go on; nor once the trade is posted or sent.
   */
  onFailure?: ((failure: TradeFailure) => TradeRetry | Promise<TradeRetry>) | undefined;
  /**
   * Same as `ClientOptions.onPrompt`, for this trade: asked before each of its prompts. Without `onReview` nothing else is
   * reviewed; with it, the trade as a whole is before.
   */
  onPrompt?: OnPrompt | undefined;
  /** Called with each state. */
  onProgress?: ((state: TradeProgress) => void) | undefined;
  /**
   * `"whenPossible"`: if an approval is missing and the token takes a permit of its own (`eip2612`), a permit is
   * signed in its place, after the review, for the amount that the reviewed build spends, which is then built again
   * with it. If anything in that fails or differs, the reviewed build is approved and signed. Not for limit orders,
   * slices, `advanced.external` and `preSign`. A kind is what the user chose: if an approval is missing, that permit is signed, or the
   * trade fails with the error of `signPermit`; INVALID_INPUT where the order would outlive it. A `Permit` is signed already:
   * every build is made with it, and an order is valid no longer than it. Default `"never"`: approves.
   */
  permit?: "never" | "whenPossible" | PermitKind | Permit | undefined;
  /** Same as `ApproveOptions.amount`. Default: exactly the needed amount. */
  approveAmount?: AmountInput | "unlimited" | undefined;
  /** Same as `SubmitOptions.preSign`. Default false. */
  preSign?: boolean | undefined;
  /** Same as in `AdvancedClientOptions`. With `approveAmount` the approval is a transaction of its own. */
  batch?: "auto" | "never" | undefined;
  /** Same as `SubmitOptions.withoutJournal`, for the approval, too. Default false. */
  withoutJournal?: boolean | undefined;
  /** Same as `WatchOptions.intervalMs`. */
  intervalMs?: number | undefined;
  /** Same as `WatchOptions.maxIntervalMs`. */
  maxIntervalMs?: number | undefined;
}

/** What a trade does otherwise than its options say, from then on. */
export interface TradeChoices {
  /** Same as `SubmitOptions.preSign`. It takes the place of a permit that is not signed yet, and of a signature. */
  preSign?: boolean | undefined;
  /** Same as in `AdvancedClientOptions`. */
  batch?: "auto" | "never" | undefined;
  /** Same as `SubmitOptions.withoutJournal`, for the approval, too. */
  withoutJournal?: boolean | undefined;
}

/** The answer of `onReview`. */
export type ReviewAnswer = Answer | ({ accept: string[] } & TradeChoices);

/** The answer of `onFailure`. */
export type TradeRetry = boolean | TradeRetryChoices;

/** How a trade is tried again. */
export interface TradeRetryChoices extends TradeChoices {
  /** The ids of the questions of the error. */
  accept?: string[] | undefined;
  /** A new price, whose build is reviewed, also if the old one is still good. */
  requote?: boolean | undefined;
  /**
   * Same as `SubmitOptions.existing`, until the next failure. `"keepBoth"` of a gasless order builds it anew, to be
   * reviewed.
   */
  existing?: "replace" | "keepBoth" | undefined;
}

/** A trade that is about to end with an error. */
export interface TradeFailure {
  /** The error; its `step` names the failed step. */
  error: TradeError;
  /** The price in use; null if there is none. */
  quote: Quote | null;
  /** The latest build that was agreed to, or made; null if there is none. */
  build: DeltaBuild | MarketBuild | null;
  /** Aborts when the question is over. */
  signal: AbortSignal;
}

/** The trade that the user is about to agree to. */
export interface Review {
  /** The price on which the build is based. */
  quote: Quote;
  /** The build to sign or send. */
  build: DeltaBuild | MarketBuild;
  /** `build.report`. */
  report: Report;
  /** `build.report.sentence`. */
  sentence: string;
  /** The approval that comes first, after the review; null if none. */
  approval: Approval | null;
  /**
   * The questions for the user: those of `report` that the user has not yet answered in this trade for a bound that was
   * no better.
   */
  questions: Question[];
  /** The wallet's prompts that come, in order, as far as that is known. */
  steps: ReviewStep[];
  /** Aborts when this review is over: it was answered, or a newer one takes its place. */
  signal: AbortSignal;
}

/** A prompt of the wallet that is to come. */
export interface ReviewStep {
  /** Its purpose. A missing approval that the wallet takes together with the trade is no prompt of its own. */
  purpose: PromptPurpose;
  /** Whether it is a transaction, which costs gas. */
  paysGas: boolean;
  /**
   * Whether it opens unless the trade ends before. `false`: a permit, and the approval in its place if the token takes
   * none; the deposit (`"presign"`) of an order that sells the native token, if the service wants one.
   */
  isCertain: boolean;
}

/** A trade under way: a promise of its end. */
export interface ActiveTrade extends Promise<FinishedTrade> {
  /** The state now: a new object whenever it changes. */
  readonly state: TradeProgress;
  /**
   * Calls `listener` with each state from now on; a failure is then reported there. Returns a function that ends that.
   */
  subscribe(listener: (state: TradeProgress) => void): () => void;
}

/** A step of a trade: those of `Progress`, and its own. */
export type TradeStep = Progress["step"]
  | "quoting" | "permitting" | "building" | "reviewing" | "following" | "done" | "failed";

/** The state of a trade. Members are null until they are known. */
export interface TradeProgress {
  /** The current step. */
  step: TradeStep;
  /** The same in one English sentence, to show. */
  message: string;
  /** The price in use. */
  quote: Quote | null;
  /** The latest build. */
  build: DeltaBuild | MarketBuild | null;
  /** Hash of the transaction of this step, if it sends one. */
  transaction: Hex | null;
  /** The wallet's id, if this step sent several calls together. */
  batch: string | null;
  /** The order once it is signed. Keep it: `submit` takes it after a reload. */
  signedOrder: SignedOrder | null;
  /** Once it is signed or sent: see `Progress.journal`. */
  journal: "stored" | "memory" | null;
  /** At "permitting" and "signing": the display of a hardware wallet; else null. */
  hardware: HardwareScreen | null;
  /** The order, or the sent transaction, as it was seen last. */
  order: Order | SentTransaction | null;
  /** With "failed": the error. Its `step` names the failed step. */
  error: TradeError | null;
}

/** A trade that has ended: filled or not, as `order.status` says. */
export interface FinishedTrade extends TradeProgress {
  /** The last step. */
  step: "done";
  /** The price on which the build was based. */
  quote: Quote;
  /** The signed or sent build. */
  build: DeltaBuild | MarketBuild;
  /** The order, or the sent transaction, at its last status. */
  order: Order | SentTransaction;
}

/* ---------------------------------------------------------------- requests */

/** A trade, as the user asks for it. */
export interface QuoteRequest {
  /** The source chain. */
  chainId: number;
  /**
   * Address of the token to sell. The native token: its placeholder in any casing, the zero address, `"0x0"` or
   * `"native"`.
   */
  srcToken: string;
  /** The token to buy, in the same forms, on `destChainId`. */
  destToken: string;
  /** Raw units. SELL: the amount of `srcToken` to sell. BUY: the amount of `destToken` to buy. */
  amount: AmountInput;
  /**
   * Decimals of `srcToken`. May be left out for the native token and for tokens that the package knows; another number
   * than theirs is refused. Required for others: compared with the token's own if its chain can be read, else the
   * sentence shows "by the app's decimals" and the raw units.
   */
  srcDecimals?: number | undefined;
  /** The same for `destToken`, on the chain where it arrives. */
  destDecimals?: number | undefined;
  /** Which amount is fixed. Default `"SELL"`. */
  side?: Side | undefined;
  /** The owner. Default: the client's account, else the one that `build` finds. */
  account?: Address | undefined;
  /** Who receives. Default: the owner. */
  beneficiary?: Address | undefined;
  /**
   * Symbol of `srcToken` for the report's sentence, 1 to 64 characters. Unless it is the one that the package knows for
   * this very token, it is shown with the address, and quoted if it has other characters than letters, digits, `.`, `-`
   * and `+`, or does not begin with a letter. Default: the one that the package knows, else the address.
   */
  srcSymbol?: string | undefined;
  /** The same for `destToken`. */
  destSymbol?: string | undefined;
  /**
   * If `destToken` is the native token: accept its wrapped form in its place. The sentence and the quote's `destToken`
   * then say so. `true` for the known one of the chain (1, 10, 56, 100, 130, 137, 8453, 42161, 43114), else its
   * address. Default false: refused.
   */
  acceptWrapped?: boolean | Address | undefined;
  /** Same as `ClientOptions.partner`. Default: the client's. */
  partner?: string | undefined;
  /** Fee requested for the partner, 0..200 bps. Default: none. */
  partnerFeeBps?: number | undefined;
  /** The account that receives the partner's fee. Default: the one that `agreement` or the service names. */
  partnerAddress?: Address | undefined;
  /** The partner's share as agreed on with the service. Default: the client's. */
  agreement?: Agreement | undefined;
  /**
   * The highest fee the order may carry, 0..200 bps. Default: `partnerFeeBps`, else `agreement.feeBps`, plus 1 for
   * `anon`; else 1.
   */
  maxFeeBps?: number | undefined;
  /**
   * The most that the quote may lose, in bps: by its own USD values, by the reference prices with all proven gas, and
   * between one asset's two tokens in a bridge. Default 1500 (15 %). Small trades lose more to gas: LOSS_TOO_HIGH.
   * Trade more, or ask the user and raise it.
   */
  maxLossBps?: number | undefined;
  /**
   * How far, beyond the slippage, the guaranteed amount may lie below the reference prices, in bps; the fee is left
   * out, and so is the gas that the route states, if it costs that much today: that is `unusual`. Where the price of gas is
   * not known, it is a question (`gasUnjudged`). Default 500 (5 %).
   * Beyond, by the longest and the recent price, `build` is VERIFY_MISMATCH with the field `quote.price`; LOSS_TOO_HIGH
   * if today's gas explains it. 10000: never.
   */
  maxPriceDeviationBps?: number | undefined;
  /**
   * Whether `build` refuses where there is no reference price, or only that of pools whose depth was seen now only
   * (`heldSecs` 0), unless a bound of your own holds the order (`minReceived`, for a BUY `maxSpent`, a limit, your own
   * prices). Default false: the build asks (`report.questions`).
   */
  requireReference?: boolean | undefined;
  /**
   * Which path. `"DELTA"`, the default: gasless, or NO_ROUTE. `"MARKET"`: a transaction. `"ALL"`: gasless, else Market,
   * which costs the user gas; `fallbackReason` then says why.
   */
  mode?: "ALL" | "DELTA" | "MARKET" | undefined;
  /**
   * The chain of `destToken`, where the beneficiary receives. Delta only, and not for a BUY in slices. Default:
   * `chainId`.
   */
  destChainId?: number | undefined;
  /** Members that few apps need. */
  advanced?: AdvancedQuoteRequest | undefined;
}

/** `advanced` of `QuoteRequest`. */
export interface AdvancedQuoteRequest {
  /**
   * Name of `chainId` for the sentence, 1 to 64 characters, if the package has none of its own; else it is not shown. It
   * stands beside the chain's id, and is quoted as a symbol is, or if another chain that the package knows has it:
   * `Linea (chain 59144)`, `"Polygon zkEVM" (chain 1101)`.
   * Default: `chain 59144`.
   */
  chainName?: string | undefined;
  /** The same for `destChainId`, if that is another chain. */
  destChainName?: string | undefined;
  /** Pairs of tokens that are the same asset on two chains. Default: the client's. */
  bridgeTokens?: BridgeTokens[] | undefined;
  /** Price impact above which the service refuses, percent as decimal text. Default: the service's, 15. */
  maxImpactPercent?: string | undefined;
  /** The same in US dollars, decimal text. Default: the service's. */
  maxUsdImpact?: string | undefined;
  /**
   * Your own price of one whole source token in US dollars, decimal text; only together with `destPriceUsd`.
   * `maxLossBps` is then judged by them. They are one more reference price, which may refuse but never lowers the bound
   * of other references; without any other they are your bound. Take them from another source than the service.
   * Default: the service's values.
   */
  srcPriceUsd?: string | undefined;
  /** The same for one whole destination token. */
  destPriceUsd?: string | undefined;
  /** More parameters of the Delta price; only with mode `"DELTA"` or `"BOTH"`. */
  delta?: DeltaPriceOptions | undefined;
  /** More parameters of the Market price; only with mode `"MARKET"` or `"BOTH"`. */
  market?: MarketPriceOptions | undefined;
}

/** A TWAP order, always gasless: `amount` is the total, traded in `numSlices` parts, one every `intervalSecs`. */
export interface TwapRequest extends QuoteRequest {
  /** Number of slices, at least 2. */
  numSlices: number;
  /** Seconds between two slices, at least 60. */
  intervalSecs: number;
}

/** A request for the prices of both paths, side by side. A trade takes one of them. */
export interface BothRequest extends Omit<QuoteRequest, "mode"> {
  /** Both paths. */
  mode: "BOTH";
}

/** A request whose price is kept fresh. */
export type WatchedRequest = QuoteRequest | TwapRequest | BothRequest;

/** Two tokens that are the same asset on two chains, as the application states. */
export interface BridgeTokens {
  /** The token that enters the bridge. */
  from: { chainId: number; token: string };
  /** The token that arrives. */
  to: { chainId: number; token: string };
}

/** More parameters of a Delta price. The service chooses those that are left out. */
export interface DeltaPriceOptions {
  /** Only these solvers, by name as `info.agents` lists them. Sent with the order too. */
  includeAgents?: string[] | undefined;
  /** None of these solvers. Sent with the order too. */
  excludeAgents?: string[] | undefined;
  /** Only these bridges, by name as `info.bridgeProtocols` lists them. */
  includeBridges?: string[] | undefined;
  /** None of these bridges. */
  excludeBridges?: string[] | undefined;
  /** Whether the tokens may be swapped and bridged. Default true; never for a BUY. */
  allowBridgeAndSwap?: boolean | undefined;
  /** Passed to the service, which does not publish its meaning. */
  degenMode?: boolean | undefined;
}

/** More parameters of a Market price. The service chooses those that are left out. */
export interface MarketPriceOptions {
  /** Whether to return prices of other exchanges too, in `others`. Default false. */
  otherExchangePrices?: boolean | undefined;
  /** Only these exchanges, by name. */
  includeDexs?: string[] | undefined;
  /** None of these exchanges. */
  excludeDexs?: string[] | undefined;
  /** None of these pools, by the identifiers that routes name. */
  excludePools?: string[] | undefined;
  /** Whether to leave out makers' orders. Default false. */
  excludeRfq?: boolean | undefined;
  /** Only these methods of the router, by name (`contractMethod`). */
  includeContractMethods?: string[] | undefined;
  /** None of these methods. */
  excludeContractMethods?: string[] | undefined;
  /** None of the methods that cannot take a fee. Default false. */
  excludeContractMethodsWithoutFeeModel?: boolean | undefined;
  /** The path of tokens, source and destination included: at most 4. */
  route?: string[] | undefined;
  /** Tax that the source token takes on every transfer, 0..10000 bps. Default 0. */
  srcTransferFeeBps?: number | undefined;
  /** The same for the destination token. */
  destTransferFeeBps?: number | undefined;
  /** Tax that the source token takes on trades only, 0..10000 bps. Default 0. */
  srcDexTransferFeeBps?: number | undefined;
  /** The same for the destination token. */
  destDexTransferFeeBps?: number | undefined;
  /** Whether the service prices a trade although its dollar values look wrong. Default false. */
  ignoreBadUsdPrice?: boolean | undefined;
}

/** The request as it was understood: every default filled in, addresses checksummed, native normalised. */
export interface NormalizedRequest {
  /** The source chain. */
  chainId: number;
  /** The source token; the native token by its placeholder. */
  srcToken: Address;
  /** The destination token; the native token by its placeholder. */
  destToken: Address;
  /** Raw units of the token whose amount is fixed. */
  amount: Amount;
  /** Decimals of the source token. */
  srcDecimals: number;
  /** Decimals of the destination token. */
  destDecimals: number;
  /** Which amount is fixed. */
  side: Side;
  /** The owner; null if not known yet. */
  account: Address | null;
  /** Who receives; null: the owner. */
  beneficiary: Address | null;
  /** Symbol for the sentence; null: the one that the package knows, else the address. */
  srcSymbol: string | null;
  /** Symbol for the sentence; null: the one that the package knows, else the address. */
  destSymbol: string | null;
  /** The partner's name. */
  partner: string;
  /** Fee requested for the partner, in bps; null: none. */
  partnerFeeBps: number | null;
  /** Who receives the partner's fee; null: not asked for. */
  partnerAddress: Address | null;
  /** The agreement that counts for this trade. */
  agreement: {
    feeBps: number | null;
    feeAddress: Address | null;
    takesSurplus: boolean;
    capSurplus: boolean;
    referral: boolean;
  };
  /** The highest fee accepted, in bps. */
  maxFeeBps: number;
  /** The highest loss accepted, in bps. */
  maxLossBps: number;
  /** As in the request, if it is not 500. */
  maxPriceDeviationBps?: number | undefined;
  /** `true` if a reference price is required. */
  requireReference?: true | undefined;
  /** The chain of the destination token, if it is not `chainId`. */
  destChainId?: number | undefined;
  /** The path, unless it is `"DELTA"`. */
  mode?: "ALL" | "MARKET" | undefined;
  /** The wrapped native token that may arrive, if one may. */
  acceptWrapped?: Address | undefined;
  /** TWAP only: number of slices. */
  numSlices?: number | undefined;
  /** TWAP only: seconds between two slices. */
  intervalSecs?: number | undefined;
  /** Members that few apps need. */
  advanced?: {
    /** The pairs that concern this trade. */
    bridgeTokens?: BridgeTokens[] | undefined;
    /** As in the request, if it was there. */
    maxImpactPercent?: string | undefined;
    /** As in the request, if it was there. */
    maxUsdImpact?: string | undefined;
    /** As in the request, if it was there. */
    srcPriceUsd?: string | undefined;
    /** As in the request, if it was there. */
    destPriceUsd?: string | undefined;
    /** As in the request, if it was there. */
    delta?: DeltaPriceOptions | undefined;
    /** As in the request, if it was there. */
    market?: MarketPriceOptions | undefined;
  } | undefined;
}

/* ------------------------------------------------------------------ quotes */

/** Options of `quote`. */
export interface QuoteOptions extends CallOptions {
  /**
   * A name of the form, or other place of the page, that shows the price: 1 to 64 characters. A newer quote with the
   * same name takes the place of one that still waits for its turn; that one is ABORTED.
   */
  form?: string | undefined;
}

/** A verified price of either path; `kind` tells them apart. */
export type Quote = DeltaQuote | MarketQuote;

/** A verified price of the gasless path. Good for 30 seconds. */
export interface DeltaQuote {
  /** Tells it from a Market quote. */
  kind: "delta";
  /** The service's id of this quote; null if it has none. */
  id: string | null;
  /** The request it answers. */
  request: NormalizedRequest;
  /** The token that arrives: `request.destToken`, or with `acceptWrapped` the wrapped native token. */
  destToken: Address;
  /** Raw units sold. BUY: the expected amount. */
  srcAmount: Amount;
  /** Raw units bought, before the partner's fee. SELL: the expected amount. */
  destAmount: Amount;
  /** Value of `srcAmount` in US dollars by the service, decimal text; null if it states none. */
  srcUsd: string | null;
  /** Value of `destAmount` in US dollars by the service, decimal text; null if it states none. */
  destUsd: string | null;
  /**
   * The gas that the solver pays and takes out of the amounts, as the service states it. If the amount is not known to
   * be worth those dollars, the report's check `quote.gasFee` is `unknown`.
   */
  gasFee: { token: Address; amount: Amount; amountUsd: string | null } | null;
  /** The fee included, in bps, rounded up; null if unknown. */
  feeBps: number | null;
  /** The partner the service names; null if none. */
  partnerName: string | null;
  /** The Delta contract, which would be approved. */
  spender: Address;
  /** Crosschain: how the tokens travel; null on one chain. */
  bridge: BridgeLeg | null;
  /** Crosschain: whether the arriving amount is guaranteed. Null on one chain. */
  arrival: Arrival | null;
  /** Crosschain: the bridge input, raw units before fee and slippage. Null on one chain. */
  bridgeInput: { token: Address; amount: Amount } | null;
  /** Crosschain: other routes. `build(quote, { advanced: { route: i }, ... })` takes the one at `i`. */
  alternatives: {
    srcAmount: Amount;
    destAmount: Amount;
    bridge: BridgeLeg | null;
    arrival: Arrival | null;
    bridgeInput: { token: Address; amount: Amount } | null;
  }[];
  /** TWAP only: how the total is split. The amounts above are then of one slice. */
  twap?: TwapPlan | undefined;
  /** When the answer arrived, in unix milliseconds, for display. The 30 s limit is measured by a monotonic clock. */
  receivedAtMs: number;
  /** Until when it can be built, in unix milliseconds, for display. */
  expiresAtMs: number;
  /**
   * The judgement by reference prices, if the app's nodes were as fast as the service; else `"pending"`, and `build`
   * waits for it. It informs; `build` refuses.
   */
  reference: PriceReport | "pending" | null;
  /** The checks that were made. */
  report: Report;
  /** The service's route, verbatim, and the request. Pass it on untouched. */
  sealed: string;
}

/**
 * Whether the amount that arrives on another chain is guaranteed. `"guaranteed"`: the asset that enters the bridge is
 * the one that arrives, so the order states the amount. `"promised"`: another asset arrives, and only the bridge states
 * the amount.
 */
export type Arrival = "guaranteed" | "promised";

/** A way through a bridge. */
export interface BridgeLeg {
  /** The bridge's name. */
  protocol: string;
  /** The service's estimate of the time, in milliseconds; null if none. */
  estimatedTimeMs: number | null;
  /** The service's labels of this route. */
  tags: string[];
}

/** How a total is split into slices. */
export interface TwapPlan {
  /** Number of slices. */
  numSlices: number;
  /** Seconds between two slices. */
  intervalSecs: number;
  /** Raw units of all slices. SELL: of the source token. BUY: of the destination token. */
  total: Amount;
  /** Raw units of one slice: total / numSlices, rounded down. */
  sliceAmount: Amount;
  /** Raw units of the last slice: one slice and the rest of the division. */
  lastSliceAmount: Amount;
}

/** A verified price of a router transaction. Good for 30 seconds. */
export interface MarketQuote {
  /** Tells it from a gasless quote. */
  kind: "market";
  /** The request it answers. */
  request: NormalizedRequest;
  /** The token that arrives: `request.destToken`, or with `acceptWrapped` the wrapped native token. */
  destToken: Address;
  /** Raw units sold. BUY: the expected amount. */
  srcAmount: Amount;
  /** Raw units bought. SELL: the expected amount. */
  destAmount: Amount;
  /** `srcAmount` with the partner's fee counted in; null if the service does not state it. */
  srcAmountAfterFee: Amount | null;
  /** `destAmount` with the partner's fee counted in; null if the service does not state it. */
  destAmountAfterFee: Amount | null;
  /** Value of `srcAmount` in US dollars by the service, decimal text; null if it states none. */
  srcUsd: string | null;
  /** Value of `destAmount` in US dollars by the service, decimal text; null if it states none. */
  destUsd: string | null;
  /** Gas the user pays, in gas units, as the service estimates; null if it does not. */
  gasCost: string | null;
  /** The same in US dollars, decimal text. */
  gasCostUsd: string | null;
  /**
   * The highest fee the transaction may carry, in bps: the stated one, or a higher one that was requested; null if
   * unknown.
   */
  feeBps: number | null;
  /** The partner the service names; null if none. */
  partnerName: string | null;
  /** The router, which would be approved. */
  spender: Address;
  /** The router's method. */
  contractMethod: string;
  /** Whether the price moves the market by more than the limit. */
  maxImpactReached: boolean;
  /** The reason why it is not the gasless path, with mode `"ALL"`; null otherwise. */
  fallbackReason: { errorType: string | null; details: string | null } | null;
  /** With `otherExchangePrices`: prices of other exchanges, as the service sends them. */
  others: unknown;
  /** When the answer arrived, in unix milliseconds, for display. */
  receivedAtMs: number;
  /** Until when it can be built, in unix milliseconds, for display. */
  expiresAtMs: number;
  /**
   * The judgement by reference prices, if the app's nodes were as fast as the service; else `"pending"`, and `build`
   * waits for it. It informs; `build` refuses.
   */
  reference: PriceReport | "pending" | null;
  /** The checks that were made. */
  report: Report;
  /** The service's price route, verbatim, and the request. Pass it on untouched. */
  sealed: string;
}

/** Options of `quote` with mode `"BOTH"`. */
export interface QuoteBothOptions extends QuoteOptions {
  /** Called with each quote as it arrives: the first can be used before the second is there. */
  onQuote?: ((quote: Quote) => void) | undefined;
}

/** Both prices of one request. */
export interface Comparison {
  /** The gasless price; null if there is none. */
  delta: DeltaQuote | null;
  /** The Market price; null if there is none. */
  market: MarketQuote | null;
  /** The reason why there is no gasless price. */
  deltaError: TradeError | null;
  /** The reason why there is no Market price. */
  marketError: TradeError | null;
  /**
   * The path that leaves the user with more, after fees and gas. If there is only one, that one; null if they cannot be
   * compared.
   */
  best: "delta" | "market" | null;
  /** The advantage of that path, in bps of the worse. Null if one is missing, or gas cannot be valued. */
  differenceBps: number | null;
}

/** A live price, made by `watchQuotes`. An async iterable of its states: it skips those that nobody waited for. */
export interface LiveQuote extends AsyncIterableIterator<QuoteState> {
  /** The state now: a new object whenever it changes, never the same one changed. */
  readonly state: QuoteState;
  /** Calls `listener` with each state from now on. Returns what ends that. Fits React's `useSyncExternalStore`. */
  subscribe(listener: (state: QuoteState) => void): () => void;
  /**
   * The request has changed: a price is requested 250 ms after the last change, for the first request at once. The same
   * request again does nothing; `null`: there is none for now.
   */
  update(request: WatchedRequest | null): void;
  /** Requests a price now. */
  refresh(): void;
  /**
   * From now on nothing is renewed or tried again by itself, as while a prompt is open, or the price is not shown. What
   * was requested still comes; `update` and `refresh` request as ever.
   */
  pause(): void;
  /** Goes on after `pause`: requests at once what became due meanwhile. */
  resume(): void;
  /** The user is active: the price is not idle. Keys and clicks in the page count by themselves. */
  touch(): void;
  /** Ends it. Its last price can still be built. Leaving a `for await` loop does the same, and `client.close()`. */
  close(): void;
}

/** The state of a live price. */
export interface QuoteState {
  /** The latest request; null if there is none. */
  request: WatchedRequest | null;
  /**
   * The last price for this very request; null if there is none yet. It stays while the next one fails. With mode
   * `"BOTH"` the better one, once both paths have answered; where they cannot be compared, the gasless one.
   */
  quote: Quote | null;
  /**
   * With mode `"BOTH"`: both prices, each from when it arrives; `best` is null until both are there. Both can be built.
   * Else null.
   */
  comparison: Comparison | null;
  /** Whether a price is being requested, or will be after a pause in typing. */
  isFetching: boolean;
  /** Whether `quote` is too old to build. */
  isStale: boolean;
  /**
   * The reason why nothing is requested by itself: the page is hidden, the user is idle, the app paused it, or it was
   * closed. Null while it goes on.
   */
  paused: "hidden" | "idle" | "app" | "closed" | null;
  /** The error of the last try; null once one succeeds. */
  error: TradeError | null;
  /** When the next try after `error` is due, in unix milliseconds; null if there is none, or it is under way. */
  retryAtMs: number | null;
}

/* ------------------------------------------------------------------ builds */

/** How far an order may settle from its quote, or its limit. Exactly one is required; there is no default. */
export type StatedPrice =
  | { limitAmount: AmountInput }
  | { limitPrice: string }
  // For a BUY in slices alone: the most that all of them spend.
  | { maxSrcAmount: AmountInput }
  // The last: where nothing is stated, TypeScript names it as what is missing.
  | { slippageBps: number };

/** Options of `build` for a gasless quote. A price (`StatedPrice`) is required. */
export interface BuildOptions extends CallOptions {
  /**
   * How far the order may settle from the quote, 0..10000 bps. Required unless there is a limit: there is no default.
   */
  slippageBps?: number | undefined;
  /**
   * How long the order is valid, in seconds by the chain's clock. Default 1200 (20 min), for a limit too. TWAP: at
   * least `numSlices` * `intervalSecs`, default 600 more. For more than 86 400 use `deadline`.
   */
  validForSecs?: number | undefined;
  /** In place of `validForSecs`: unix seconds by the chain's clock (not `Date.now()`). */
  deadline?: number | undefined;
  /**
   * Refuse an order that guarantees less than this: raw units after the fee, of all slices together. Crosschain: in
   * units of the token that arrives. If that amount is only promised (`quote.arrival`), nothing can be guaranteed, but
   * a quote that expects less is refused. Default: none.
   */
  minReceived?: AmountInput | undefined;
  /** Refuse an order that may spend more than this, raw units. Default: none. */
  maxSpent?: AmountInput | undefined;
  /** The owner, if neither request nor client names one. */
  account?: Address | undefined;
  /** `"LIMIT"`: waits until the price is reached. Default `"MARKET"`; with a limit, `"LIMIT"`. */
  type?: "MARKET" | "LIMIT" | undefined;
  /**
   * LIMIT, in place of `slippageBps`, in raw units. SELL: the least bought; TWAP: of one slice; crosschain: of what
   * leaves the source chain. BUY: the most sold.
   */
  limitAmount?: AmountInput | undefined;
  /**
   * LIMIT on one chain: `limitAmount` as a price, whole destination tokens per whole source token, decimal text.
   * Computed exactly, and rounded in the user's favour.
   */
  limitPrice?: string | undefined;
  /**
   * Whether the order may be filled in parts (`FillableOrder`). Not for TWAP or `advanced.external`. Such an order is tracked by
   * its hash, not its nonce: of two that are signed, both can fill. Takes no `permit2Transfer`. Default false.
   */
  partiallyFillable?: boolean | undefined;
  /**
   * TWAP BUY, required there in place of `slippageBps`: the most that all slices together may spend. Whoever states it
   * bounds the price: take it from the user, not from the quote.
   */
  maxSrcAmount?: AmountInput | undefined;
  /**
   * A signed permit in place of an approval. Not for LIMIT and TWAP. With `permit2Transfer` the order's deadline is the
   * permit's; another one is INVALID_INPUT. A permit for another chain, token, owner or contract, or for less than what
   * is sold, is INVALID_INPUT at `options.permit.<member>`.
   */
  permit?: Permit | undefined;
  /**
   * The least that must enter the bridge, after the fee, of all slices together. One of three consents to a promised
   * arrival; see `acceptUnguaranteedArrival`.
   */
  minBridgeInput?: BridgeInputAmount | undefined;
  /**
   * Accept that only the bridge states the amount that arrives (`quote.arrival` is `"promised"`). Such an order needs
   * one of three consents: `minBridgeInput`, your own prices, or `true` here; without one: INVALID_INPUT. Default
   * false.
   */
  acceptUnguaranteedArrival?: boolean | undefined;
  /**
   * Whether to raise the approval also by what open limit orders that this client does not know have claimed of the
   * token, by the service's word, at most to the account's balance. The own open orders of the journal are covered in
   * any case. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean | undefined;
  /**
   * The choice if an order for the same trade is signed and may still be filled. `"replace"`: this one gets the same
   * nonce, so only one of the two is filled (not for orders in parts or TWAP). `"keepBoth"`: a nonce of its own, so
   * both are filled. Default: the same nonce, and `submit` throws ALREADY_SIGNED. `submit` needs no `existing` then.
   * `"replace"` is ALREADY_SIGNED if the first was filled or cancelled meanwhile, and INVALID_INPUT if nothing is
   * signed.
   *
   * The same trade means: same owner, beneficiary, chains, tokens, amount, side, type, kind, limit, slices and handler.
   * Slippage, bounds and times do not count. To change a limit's price, cancel the first order: `"replace"` does not
   * reach it.
   */
  existing?: "replace" | "keepBoth" | undefined;
  /** Options that few apps need. */
  advanced?: AdvancedBuildOptions | undefined;
}

/** `advanced` of `BuildOptions`. */
export interface AdvancedBuildOptions {
  /** Crosschain: index into the quote's `alternatives`. Default: the quote's own route. */
  route?: number | undefined;
  /** Bytes carried in the order, at most 1024. Default: none. */
  metadata?: Hex | undefined;
  /**
   * Whether the partner may keep half of what exceeds the expected amount. Not with `partnerFeeBps`.
   * Default: `agreement.takesSurplus`, else false.
   */
  takeSurplus?: boolean | undefined;
  /** Whether the surplus that is kept is capped at 1 %. Default true, unless `agreement.capSurplus` is false. */
  capSurplus?: boolean | undefined;
  /** The account that referred the user: posted beside the order, not part of what is signed. Default: none. */
  referrerAddress?: Address | undefined;
  /**
   * An order that another contract handles (`ExternalOrder`); that contract decides who receives. MARKET, on one
   * chain, not TWAP. A `beneficiary` is sent to the service but is not part of what is signed. Delta takes nothing from
   * the owner, so balance and allowance of `srcToken` are not checked. `prerequisite` states what the handler takes; it
   * is checked on chain before the prompt (INSUFFICIENT_BALANCE, INSUFFICIENT_ALLOWANCE), and the app has to approve
   * it.
   */
  external?: { handler: Address; data: Hex; prerequisite?: Prerequisite | undefined } | undefined;
  /**
   * Your own price of one whole token of the bridge input, in US dollars, decimal text. With the request's
   * `advanced.srcPriceUsd` it is a consent: the bridge input may then be worth at most `maxLossBps` less than the sold amount.
   */
  bridgeInputPriceUsd?: string | undefined;
  /**
   * Decimals of the bridge input's token. Common tokens are known, and another number is refused for them; else they
   * are read on the source chain. Needed only if that cannot be read.
   */
  bridgeInputDecimals?: number | undefined;
  /**
   * Whether to refuse a build that takes more than the account has (INSUFFICIENT_BALANCE). For the native token, its
   * deposit counts, too. Not with `external`, and not if the chain cannot be read: `submit` refuses in any case.
   * Default false: an order may be built before its owner has the tokens. `trade` always sets it, before the review.
   */
  requireBalance?: boolean | undefined;
  /** An order into a yield strategy (`ProductiveOrder`). Always refused: its typed data is not published. */
  productive?: { strategy: Address; useShares?: boolean | undefined } | undefined;
}

/** An amount of the token that enters a bridge. */
export interface BridgeInputAmount {
  /** The token, on the source chain. */
  token: Address;
  /** Raw units. */
  amount: AmountInput;
}

/**
 * The tokens that a handler takes from the owner, such as a lending market's deposit token. The owner must hold and
 * approve them.
 */
export interface Prerequisite {
  /** An ERC-20 token. */
  token: Address;
  /** Who takes it; usually the handler. */
  spender: Address;
  /** Raw units. */
  amount: AmountInput;
}

/** A gasless order, verified and ready to sign. */
export interface DeltaBuild {
  /** Tells it from other builds. */
  kind: "delta";
  /** The struct that is signed. */
  orderKind: "Order" | "FillableOrder" | "TWAPOrder" | "TWAPBuyOrder" | "ExternalOrder";
  /** Whether it fills at the market or waits for its limit. */
  type: "MARKET" | "LIMIT";
  /** The request it answers. */
  request: NormalizedRequest;
  /** The source chain. */
  chainId: number;
  /** Who signs and pays. */
  owner: Address;
  /** Who receives. */
  beneficiary: Address;
  /** The Delta contract. */
  spender: Address;
  /** EIP-712 digest, which is signed, and the order's key at the service. */
  orderHash: Hex;
  /** The most that leaves the owner, raw units. */
  maxSpent: Amount;
  /** The least the order pays out, raw units before the fee. */
  minDestAmount: Amount;
  /** The least the beneficiary receives, raw units after the fee. */
  minReceived: Amount;
  /** The fee inside the order, in bps. */
  feeBps: number;
  /** Unix seconds. */
  deadline: number;
  /** The order's nonce: 256 random bits, the same for every build of one intent. */
  nonce: Amount;
  /** The typed data, exactly as the wallet will get it to sign. */
  typedData: TypedData;
  /** The sentence, and the checks that were made. */
  report: Report;
  /** The approval that is needed first; null if the allowance suffices. */
  approval: Approval | null;
  /** TWAP only: how the total is split. */
  twap?: TwapPlan | undefined;
  /** Crosschain: where it arrives. Amounts above are on the source chain. */
  destination?: {
    chainId: number;
    token: Address;
    decimals: number;
    /**
     * The least that arrives, if the bridge delivers at its quoted cost; null if that is only promised.
     */
    minReceived: Amount | null;
    arrival: Arrival;
    /** The arriving amount by the quote after the fee, of all slices together. */
    expected: Amount;
    /** The bridge input: at least `least` raw units, after the fee. `decimals` is null if unknown. */
    bridgeInput: { token: Address; decimals: number | null; least: Amount };
  } | undefined;
  /** The service's build, verbatim. Pass it on untouched. */
  sealed: string;
}

/** Options of `build` for a Market quote, and for a Market request. */
export interface MarketBuildOptions extends CallOptions {
  /** How far the trade may settle from the quote, 0..10000 bps. Required. */
  slippageBps: number;
  /** Always `"MARKET"`: a transaction cannot wait for a price. */
  type?: "MARKET" | undefined;
  /** Refuse a transaction that guarantees less, raw units after the fee. Default: none. */
  minReceived?: AmountInput | undefined;
  /** Refuse a transaction that may spend more, raw units. Default: none. */
  maxSpent?: AmountInput | undefined;
  /** The owner, if neither request nor client names one. */
  account?: Address | undefined;
  /**
   * Until when `submit` sends it, unix seconds by the chain's clock. The service gets it too, but the router's call has
   * no deadline: a transaction that was sent and is not mined does not expire.
   */
  deadline?: number | undefined;
  /** In place of `deadline`: seconds from now by the chain's clock. Default 1200. */
  validForSecs?: number | undefined;
  /** A signed permit in place of an approval. */
  permit?: Permit | undefined;
  /**
   * Whether the transaction is tried on the node, behind the approval that it lacks, before the build is returned. The report
   * then has what it does to the balances of owner and receiver, as checks `outcome.*`: `"unusual"` where that is less than
   * promised, `"unknown"` where it could not be tried. Nothing is refused because of it. One more question to the node.
   * Default false.
   */
  tryOutcome?: boolean | undefined;
  /** Options that few apps need. */
  advanced?: AdvancedMarketBuildOptions | undefined;
}

/** `advanced` of `MarketBuildOptions`. */
export interface AdvancedMarketBuildOptions {
  /** Same as in `AdvancedBuildOptions`. Default false. */
  requireBalance?: boolean | undefined;
  /**
   * Whether the partner collects the surplus over the quote. Not with `partnerFeeBps`. Default:
   * `agreement.takesSurplus`, else false.
   */
  takeSurplus?: boolean | undefined;
  /** Whether what is collected is capped at 1 %. Default true, unless `agreement.capSurplus` is false. */
  capSurplus?: boolean | undefined;
  /** Whether the surplus over the quote is the user's. Default false. */
  surplusToUser?: boolean | undefined;
  /** Whether the partner's fee is paid at once, not kept in the fee vault. Default false. */
  directFeeTransfer?: boolean | undefined;
  /** The sender of the transaction, if it is not the account that calls the router. */
  txOrigin?: Address | undefined;
  /**
   * 4-byte selectors of router methods that the caller accepts unread. Methods beyond version 6.2: their tokens and
   * amounts cannot be read. Methods of version 6.2: those for which the router itself does not enforce the least
   * amount, `0x987e7d8e` (a stability module that is not known) and `0xda35bb0d` (buying the native token from makers).
   * Default: none.
   */
  allowSelectors?: Hex[] | undefined;
  /** Whether the service leaves out its estimate of gas (`suggestedGas`). Default false. */
  ignoreGasEstimate?: boolean | undefined;
  /** Whether the service suggests EIP-1559 gas prices. Default: as the service decides. */
  eip1559?: boolean | undefined;
  /** Gas price in wei for the service's suggestion. */
  gasPriceWei?: AmountInput | undefined;
  /**
   * The name of the referrer, 1 to 64 characters of any text; only for a quote. An address may count the trade as
   * referred.
   */
  referrer?: string | undefined;
  /** Whether the service leaves out its check of the allowance. Default false. */
  ignoreAllowance?: boolean | undefined;
  /**
   * Whether the service leaves out its checks of balance and allowance. Default: yes, unless the chain says that they
   * would succeed.
   */
  ignoreChecks?: boolean | undefined;
}

/** A router transaction, verified and ready to send. */
export interface MarketBuild {
  /** Tells it from other builds. */
  kind: "market";
  /** The request it answers. */
  request: NormalizedRequest;
  /** The chain. */
  chainId: number;
  /** Who sends and pays. */
  owner: Address;
  /** Who receives. */
  beneficiary: Address;
  /** The router. */
  spender: Address;
  /** The router's method. */
  contractMethod: string;
  /** The most that leaves the owner, raw units. */
  maxSpent: Amount;
  /** The least the beneficiary receives, raw units after the fee. */
  minReceived: Amount;
  /** The fee inside the call, in bps. */
  feeBps: number;
  /** Until when `submit` sends it, unix seconds by the chain's clock. */
  deadline: number;
  /** The transaction, exactly as the wallet will get it to send. */
  transaction: Transaction;
  /**
   * The service's suggestions, for display: gas units, prices in wei. Never sent, because a lying server could waste
   * the user's native token; the wallet estimates.
   */
  suggestedGas: {
    gas: string | null;
    gasPrice: string | null;
    maxFeePerGas: string | null;
    maxPriorityFeePerGas: string | null;
  };
  /** The sentence, and the checks that were made. */
  report: Report;
  /** The approval that is needed first; null if the allowance suffices. */
  approval: Approval | null;
  /** The verified transaction. Pass it on untouched. */
  sealed: string;
}

/** Options of `build` for a build. */
export interface RebuildOptions extends CallOptions {
  /** The permit from `signPermit` for that build. */
  permit: Permit;
}

/** A transaction for the user's wallet, verified against the request. */
export interface Transaction {
  /** The sender. */
  from: Address;
  /** The contract that is called. */
  to: Address;
  /** Native token sent along, in wei. */
  value: Amount;
  /** Calldata. */
  data: Hex;
  /** The chain it is for. */
  chainId: number;
}

/** A transaction built here: a fill, a cancellation, a withdrawal, or an allowance taken back. */
export interface TransactionBuild {
  /** Tells it from other builds. */
  kind: "transaction";
  /** The purpose of the transaction. */
  purpose: "fill" | "cancel" | "withdraw" | "revoke";
  /** The chain. */
  chainId: number;
  /** Who sends and pays. */
  owner: Address;
  /** The transaction, exactly as the wallet will get it to send. */
  transaction: Transaction;
  /** The sentence, and the checks that were made. */
  report: Report;
  /** The approval that is needed first; null if none is. */
  approval: Approval | null;
  /** The verified transaction. Pass it on untouched. */
  sealed: string;
}

/** EIP-712 typed data, as wallets take it. */
export interface TypedData {
  /** Struct types by name, `EIP712Domain` included. */
  types: Record<string, { name: string; type: string }[]>;
  /** The struct that is signed. */
  primaryType: string;
  /** The contract and chain it is for. */
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  /** The values; integers as decimal text. */
  message: Record<string, unknown>;
}

/** The checks that were made, and the sentence for the user's consent. */
export interface Report {
  /**
   * The trade that the user is about to agree to, in one sentence. Written from addresses and the caller's symbols
   * only.
   */
  sentence: string;
  /** Every check, in order. */
  checks: Check[];
  /**
   * For an order or Market transaction: how far the guaranteed amount lies below the quote (BUY: the most spent above
   * it), in bps, slippage and fee included; 0 if it is better than the quote. Absent if there was no quote.
   */
  distanceBps?: number | undefined;
  /** For an order, Market transaction or fill: the judgement by reference prices. */
  price?: PriceReport | undefined;
  /** The questions for the user before `submit`; mostly none. */
  questions: Question[];
  /** EIP-712 domain separator. These three are present once there is typed data. */
  domainSeparator?: Hex | undefined;
  /** EIP-712 hash of the struct. */
  structHash?: Hex | undefined;
  /** The EIP-712 digest, which the wallet signs. */
  digest?: Hex | undefined;
  /**
   * The display of a hardware wallet, to be printed beside the prompt. Present once there is typed data; absent for a
   * transaction, because devices interpret its calldata in their own ways.
   */
  hardware?: HardwareScreen | undefined;
}

/**
 * Result of a check. `"ok"`: as requested. `"mismatch"`: not as requested, refused. `"opaque"`: cannot be judged from
 * outside. `"unknown"`: data is missing. `"unusual"`: as requested, but far from the usual price, or less when it was tried; shown, never refused.
 */
export type Verdict = "ok" | "mismatch" | "opaque" | "unknown" | "unusual";

/** One value that was compared. */
export interface Check {
  /** Path of the checked value, e.g. `order.beneficiary`. */
  field: string;
  /** The expected value, as text. */
  expected: string;
  /** The actual value, as text. */
  actual: string;
  /** The result. */
  verdict: Verdict;
}

/**
 * A question about a build that only the user can answer. It is answered by its id, in `approve`, `signPermit`, `submit`,
 * `trade` or `review.confirm`.
 */
export interface Question {
  /** The id, for `accept`. It holds for this build, also built again with a permit, and this reason. */
  id: string;
  /**
   * `"noReference"`: nobody knows a price of this pair. `"referenceSilent"`: who knows one is pinned or there, and
   * did not answer; or pools that cannot tell their past give more now. `"referencesDisagree"`: they lie further apart than
   * the limit, and the price meets only the one that asks for less. `"gasUnjudged"`: the price is below the limit, the gas
   * that the service states would explain it, and how much gas costs is not known. `"unlimitedPermit"`: the permit would be for everything,
   * for ever; only `verifyPermit` of `verified-swap/verify` asks that.
   * `"mayHaveBeenSent"`: the wallet was asked for this trade before, gave no hash, and no node knows of a transaction.
   * `"signatureUnread"`: an OTC order's signature is not of its maker's key, and nobody asked the maker's code; only
   * `verifyFill` of `verified-swap/verify` asks that.
   * `"receiverUnbound"`: the order goes over a bridge by data that cannot be read, and which may name another receiver; if
   * `destination.arrival` is `"promised"`, also another amount. The answer is for this very build: `trade` carries it to no
   * renewed price.
   * `"permitChainUnbound"`: the domain of a permit names no chain; only `verifyPermit` asks that, `signPermit` signs no such
   * permit.
   */
  reason:
    | "noReference" | "referenceSilent" | "referencesDisagree" | "gasUnjudged" | "unlimitedPermit" | "mayHaveBeenSent"
    | "signatureUnread" | "receiverUnbound" | "permitChainUnbound";
  /**
   * The check that could not be made: `"quote.price"`, `"order.bridgeInput.price"`, `"permit"`, `"orders.signature"`,
   * `"order.bridge.protocolData"`, `"domain.chainId"`.
   */
  field: string;
  /** What to ask: which reference prices were asked for, and what came of each. */
  text: string;
  /** How far the price is below the seen ones, in bps. */
  belowBps?: number | undefined;
}

/**
 * The judgement of a trade by prices that do not come from the service. Prices are whole `destToken` for one whole
 * `srcToken`, decimal text of six digits.
 */
export interface PriceReport {
  /**
   * `"ok"`: within the limit. `"mismatch"`: below it; `build` refuses. `"unusual"`: below it, but by a limit of the
   * caller's own, or by gas: the sentence then says by how much. `"unknown"`: there is no reference price, references
   * disagree, or gas that cannot be valued may be the reason; see `report.questions`.
   */
  verdict: Verdict;
  /**
   * By how many bps the guaranteed amount (of a quote: the quoted one) is below the reference prices; negative:
   * above. Where they disagree, below the one that asks for more. Null without any.
   */
  belowBps: number | null;
  /** The accepted distance below, in bps: `maxPriceDeviationBps` and the slippage. */
  limitBps: number;
  /** Those that count, one vote each. */
  references: ReferencePrice[];
  /**
   * The sources without a reference price, and why: `"none"`, it is not there or knows no price of this pair;
   * `"noHistory"`, pools are there without a history, or were not deep in it; `"silent"`, it is pinned or there and did
   * not answer; `"unread"`, its chain could not be read; `"unasked"`, `reference: false`.
   */
  unanswered: { by: "pools" | "feeds" | "app"; why: "none" | "noHistory" | "silent" | "unread" | "unasked" }[];
  /**
   * The price at this moment, the most that pools give, if some deep ones have no history; else null. Anybody may have
   * moved it: it is shown, and judges nothing.
   */
  priceNow: string | null;
  /** In words: `"0.4 % below the 30-minute price of 2 pools (depth held 240 s) and price feeds"`. */
  text: string;
}

/** One reference price. */
export interface ReferencePrice {
  /** The source: the request's own prices, one asset in two tokens, pools, price feeds, or the app's `reference`. */
  by: "prices" | "asset" | "pools" | "feeds" | "app";
  /** The price: for pools the mean over `windowSecs`. */
  price: string;
  /** The mean of the last five minutes; for other references the same as `price`. */
  recentPrice: string;
  /**
   * The least that deep ways over pools ask, by their long or their recent price, whichever is lower. For other
   * references the same as `price`.
   */
  lowestPrice: string;
  /** The most that they ask in this way, or asked whenever their pools were read. */
  highestPrice: string;
  /** Seconds of the longest window in its pools' history, 300 to 1800; 0 for others. */
  windowSecs: number;
  /** For how many seconds its pools are known to be deep, by older blocks; 0 if only this one was seen, and for others. */
  heldSecs: number;
  /** The number of pools on the price's path; 0 for others. */
  pools: number;
}

/**
 * The display of a hardware wallet for typed data: the two hashes if it does not know the types ("blind signing"), else
 * each value. Devices differ in the casing of hashes.
 */
export interface HardwareScreen {
  /** The "domain hash": `report.domainSeparator`. */
  domainHash: Hex;
  /** The "message hash": `report.structHash`. */
  messageHash: Hex;
  /** The hash of both, which is signed; few devices show it. */
  digest: Hex;
  /** The name of the struct. */
  primaryType: string;
  /** Every value in the order in which wallets walk them, domain first. */
  fields: HardwareField[];
}

/** A value of typed data as devices print it. */
export interface HardwareField {
  /** The path: `domain.chainId`, `owner`, `bridge.outputToken`, `orderIds.0`. Devices show the last name alone. */
  path: string;
  /** Its type in Solidity. */
  type: string;
  /** Integers in decimal, addresses with their checksum, bytes as hex, `true` or `false`; hidden characters escaped. */
  value: string;
}

/* --------------------------------------------------------------- approvals */

/** An approval that is needed before `submit`. Pass it to `approve`. */
export interface Approval {
  /**
   * Which protocol's contract the spender is, or, if it is Permit2, whose contract takes its permits, or the contract whose permits it takes if it is Permit2. Spenders are not
   * interchangeable.
   */
  path: "delta" | "market" | "otc";
  /** The chain. */
  chainId: number;
  /** The token to approve. */
  token: Address;
  /** Who approves. */
  owner: Address;
  /** Who may take the token. */
  spender: Address;
  /**
   * Raw units to approve: what the order may spend, `forOpenOrders` and `claimed`. These two raise it to no more than the
   * account's balance.
   */
  amount: Amount;
  /** How many own open gasless orders of the token it covers, too: signed, not ended, not expired. */
  openOrders: number;
  /** The raw units for them. */
  forOpenOrders: Amount;
  /** The raw units that they take beyond the account's balance: not all of them can be filled. `"0"` if it suffices. */
  unfunded: Amount;
  /** The raw units that other open orders have claimed by the service's word; `"0"` without `coverOpenOrders`. */
  claimed: Amount;
  /** The allowance as read, raw units; null if it could not be read. */
  current: Amount | null;
  /** The token refuses to change a non-zero allowance, so it is set to zero first (two transactions). */
  resetFirst: boolean;
  /** The open questions of the build that it is for, by the same ids: `approve` asks nothing of the wallet before they are answered. */
  questions: Question[];
  /** Pass it on untouched. */
  sealed: string;
}

/** Options of `approve`. */
export interface ApproveOptions extends CallOptions {
  /** Same as `SubmitOptions.accept`, of `approval.questions`. */
  accept?: string[] | undefined;
  /** Approve more than needed, raw units; `"unlimited"` is 2^256 - 1. Default: `approval.amount`. */
  amount?: AmountInput | "unlimited" | undefined;
  /** Same as in `AdvancedClientOptions`: a token's reset and its approval in one prompt. */
  batch?: "auto" | "never" | undefined;
  /**
   * `"allowed"`: resolves once the allowance suffices. `"sent"`: once the wallet sent the approval; `submit` of a gasless
   * order or an OTC order then has it signed meanwhile, and posts it after the approval. Of an account with
   * code, and of several calls in one prompt, the end is waited for all the same. Default `"allowed"`.
   */
  until?: "allowed" | "sent" | undefined;
  /** Same as `SubmitOptions.withoutJournal`. Default false. */
  withoutJournal?: boolean | undefined;
  /** Same as `ClientOptions.onPrompt`, for this call. */
  onPrompt?: OnPrompt | undefined;
  /** Called at each step. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** The result of `approve`. */
export interface ApprovalResult {
  /** Hashes of the transactions sent; empty if none was needed. */
  transactions: Hex[];
  /** The allowance now, raw units; with `until: "sent"` as it was before the approval. */
  allowance: Amount;
}

/* ----------------------------------------------------------------- permits */

/**
 * `eip2612` is the token's own permit; the others are Permit2's. Gasless orders take all of them, Market the token's own
 * and `permit2Transfer`, OTC the token's own. Others: INVALID_INPUT.
 */
export type PermitKind = "eip2612" | "permit2Transfer" | "permit2Allowance" | "permit2Existing";

/** Options of `signPermit`. */
export interface PermitOptions extends CallOptions {
  /** Same as `SubmitOptions.accept`, for a build. */
  accept?: string[] | undefined;
  /** The kind of permit. */
  kind: PermitKind;
  /**
   * Raw units it covers. Default: the amount that the quote spends, and that of own open orders (`eip2612`, gasless); for an
   * OTC order, all of it. A build states its own amount: neither this nor `slippageBps`.
   */
  amount?: AmountInput | undefined;
  /** Quote of a BUY, required unless `amount` is given: how much more than the quote's `srcAmount` it covers, in bps. */
  slippageBps?: number | undefined;
  /**
   * The most it may cover, raw units; above that VERIFY_MISMATCH at `permit.amount`. BUY: required unless `amount` is
   * given or the quote was judged by your own prices (`advanced.srcPriceUsd`, `advanced.destPriceUsd`), because the cost of a purchase is
   * the service's word.
   */
  maxSpent?: AmountInput | undefined;
  /**
   * Unix seconds. Default: the build's; else 1800 s from now by the chain's clock (Market with `permit2Transfer`: 1200 s,
   * which is also the most), and required if that is more than an hour ahead of this machine's clock. A gasless order may
   * not outlive its permit; with `permit2Transfer` it has this very deadline.
   */
  deadline?: number | undefined;
  /** Who signs. Default: the owner of the build, quote or order, else the client's account. */
  account?: Address | undefined;
  /** Same as `ClientOptions.onPrompt`, for this call. */
  onPrompt?: OnPrompt | undefined;
  /** Called at each step. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** A signed permit. */
export interface Permit {
  /** The kind of permit. */
  kind: PermitKind;
  /** The chain. */
  chainId: number;
  /** The token it covers. */
  token: Address;
  /** Who signed. */
  owner: Address;
  /** Who may take the token. */
  spender: Address;
  /** Raw units it covers. */
  amount: Amount;
  /** Unix seconds. */
  deadline: number;
  /** Null for `permit2Existing`, which signs nothing. */
  nonce: Amount | null;
  /** The bytes for the order or the calldata. */
  bytes: Hex;
  /** Pass it on untouched: it is good for one order of this client, and for none of another. */
  sealed: string;
}

/* ------------------------------------------------------------------ submit */

/** Options of `submit`. */
export interface SubmitOptions extends CallOptions {
  /**
   * A signature made elsewhere over `build.typedData`: 64 or 65 bytes, of an account with code any number. No wallet is
   * asked.
   */
  signature?: Hex | undefined;
  /**
   * Record the order's hash on chain by a transaction (`setPreSignature`) instead of signing: for accounts that cannot
   * sign typed data, or whose signature the chain refuses. Costs gas. Default false.
   */
  preSign?: boolean | undefined;
  /** Same as `ClientOptions.onPrompt`, for this call. */
  onPrompt?: OnPrompt | undefined;
  /** Called at each step. */
  onProgress?: ((progress: Progress) => void) | undefined;
  /**
   * The request of the order, with your own bounds: `minReceived`, for a BUY also `maxSpent`; an `OtcRequest` has no bounds beside its amounts. Needed only for a
   * `Trade.build`, because the journal vouches for nothing, and for a signed order from elsewhere that needs a deposit.
   * Without a `deadline` here, the order's may be at most 24 hours ahead.
   */
  request?:
    | ((QuoteRequest | TwapRequest) &
        Pick<BuildOptions, "minReceived" | "maxSpent" | "deadline" | "minBridgeInput" | "acceptUnguaranteedArrival">)
    | OtcRequest
    | undefined;
  /**
   * The choice if an order for the same trade is signed and may still be filled on chain, whatever the service reports.
   * `"replace"` signs a build of the same nonce (any, unless it was built for `"keepBoth"`); `"keepBoth"` signs one
   * that was built with that word. Default: as `build` was called, else ALREADY_SIGNED. See `existing` of `build`. For
   * a transaction only `"keepBoth"`: it is sent while one for the same trade may still be mined.
   */
  existing?: "replace" | "keepBoth" | undefined;
  /** OTC only: a permit posted with the order in place of the maker's approval (`eip2612`). A taker's fill uses it. */
  permit?: Permit | undefined;
  /**
   * Same as in `AdvancedClientOptions`. If the wallet takes several calls together, a missing approval goes with the
   * transaction, for exactly what the trade may spend. Then a gasless order is consented to on chain, in the same
   * prompt.
   */
  batch?: "auto" | "never" | undefined;
  /**
   * The ids of those `report.questions` of this build that the user answered with yes. Without all of them:
   * PRICE_UNJUDGED. Never pass them without having asked.
   */
  accept?: string[] | undefined;
  /**
   * The user goes on though the journal cannot be read or written (JOURNAL_UNREADABLE), for this one call: signatures
   * for the same trade in an earlier page or another tab may not be known, and a reload forgets this trade. A gasless
   * order is first compared with the account's open orders at the service. Default false.
   */
  withoutJournal?: boolean | undefined;
}

/** Input of `submit`. */
export type Submittable =
  DeltaBuild | MarketBuild | TransactionBuild | OtcBuild | SignedOrder | SignedOtcOrder | TradeBuild;

/** A step of a call, as passed to `onProgress`. */
export interface Progress {
  /** The current step, or the last one. */
  step: "checking" | "signing" | "signed" | "posting" | "posted" | "resetting" | "approving" | "confirming" | "approved"
    | "simulating" | "sending" | "sent" | "presigning";
  /** A transaction hash, where one was sent. */
  transaction?: Hex | undefined;
  /** The wallet's id, where calls were sent together. */
  batch?: string | undefined;
  /**
   * Present from "signed" on, also at "confirming" of the approval that it waits for, and at that of a pre-signature.
   * Keep it: `submit` takes it back (a pre-signature's once that is in a block).
   */
  signedOrder?: SignedOrder | SignedOtcOrder | undefined;
  /**
   * At "signed" and "sent": whether the journal has it on disk ("stored"), or only this page knows it ("memory"), for
   * lack of a storage, or because it took longer than half a second.
   */
  journal?: "stored" | "memory" | undefined;
  /** At "signing": the display of a hardware wallet. For orders it is also in `build.report`. */
  hardware?: HardwareScreen | undefined;
}

/** A signed order. `submit` accepts it again, so nothing signed is lost. */
export interface SignedOrder {
  /** Tells it from a build. */
  kind: "signedOrder";
  /** The source chain. */
  chainId: number;
  /** Who signed. */
  owner: Address;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** Until when it may be filled, unix seconds. */
  deadline: number;
  /**
   * As it is posted: compact for an account without code, the account's own bytes for one with code, `0x` for a
   * pre-signature.
   */
  signature: Hex;
  /** The order, verbatim. Pass it on untouched. */
  sealed: string;
}

/** A transaction that was sent, or calls that were sent together. */
export interface SentTransaction {
  /** Tells it from an order. */
  kind: "sent";
  /** The chain. */
  chainId: number;
  /** The sender. */
  from: Address;
  /** Transaction hash; null for calls that were sent together, until the wallet names a transaction that has them. */
  hash: Hex | null;
  /** The wallet's id of calls that were sent together (EIP-5792); null for a transaction. */
  batch: string | null;
  /** The sender's nonce; null until `watch` or `wait` has read it. A replacement has the same. */
  nonce: number | null;
  /**
   * `REPLACED`: another transaction with this nonce was read in a block. `DROPPED`: the node no longer knows it. `PARTIAL`: some
   * of the calls that were sent together reverted, which a wallet that keeps its word does not let happen. `FAILED`
   * without a `hash`: the wallet sent nothing, and will not. `FOREIGN`: an account without code was asked, and the hash
   * that its wallet named is another account's transaction, or one to another contract or with other calldata. The trade
   * has not failed by that: it stands in the way of the same one until the user decides (`existing: "keepBoth"`,
   * `trades.abandon`).
   */
  status: "PENDING" | "COMPLETED" | "FAILED" | "REPLACED" | "DROPPED" | "PARTIAL" | "FOREIGN";
  /** The block it was mined in; null before. */
  blockNumber: number | null;
  /**
   * How many of the sender's earlier nonces are in no block yet, while it is `PENDING` and there are any: they go first. If
   * the wallet shows no transaction for one of them, there is a gap, and this one waits until the wallet fills it.
   */
  waitsFor?: number;
}

/* ---------------------------------------------------------------- watching */

/** Options of `watch` and `wait`. */
export interface WatchOptions extends CallOptions {
  /** The pause after a change, in ms, 50 to 3,600,000; it grows to `maxIntervalMs`. Default 2000. */
  intervalMs?: number | undefined;
  /** The longest pause, in ms, up to 3,600,000. Default 55 000; in the five minutes after a change 15 000 at most. */
  maxIntervalMs?: number | undefined;
}

/** All orders of an account, as `watch` takes it. */
export interface WatchedAccount {
  /** The owner of the orders. */
  account: Address;
  /** Only orders whose source is on these chains. Default: all. */
  chainId?: number | number[] | undefined;
}

/* ------------------------------------------------------------------ orders */

/**
 * An order as the service reports it. Members unknown to this package are kept. `id` and `status` are always there.
 * Owner, beneficiary, side, chains, tokens and fixed amounts, if stated, agree with the signed struct, whose hash is
 * `orderHash`, unless the order is `unverified`. Status, times and executed amounts are the service's word.
 */
export interface Order {
  /** The service's id, a UUID. */
  id: string;
  /** Its state, by the service. */
  status: OrderStatus;
  /** Which amount is fixed. */
  side: Side;
  /** Whether it fills at the market or waits for its limit. */
  type: "MARKET" | "LIMIT" | (string & {});
  /** The struct that was signed. */
  onChainOrderType: DeltaBuild["orderKind"] | "ProductiveOrder" | (string & {});
  /** The side that is spent. */
  input: OrderSide;
  /** The side that is received. */
  output: OrderSide;
  /** Who signed and pays. */
  owner: Address;
  /** Who receives. */
  beneficiary: Address;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** The partner's name. */
  partner: string;
  /** The struct that was signed. */
  order: Record<string, unknown>;
  /** The fills so far. */
  transactions: OrderTransaction[];
  /** Crosschain: the amount that a bridge gave back. */
  refunds: { tx: Hex; chainId: number; token: Address; amount: Amount }[];
  /** When it was posted, ISO 8601. */
  createdAt: string;
  /** When it last changed, ISO 8601. */
  updatedAt: string;
  /** Its deadline, ISO 8601. */
  expiresAt: string;
  /** The struct cannot be hashed here: it is missing, of an unknown type, or for an unknown contract. */
  unverified?: true | undefined;
  /**
   * For a COMPLETED order that `order`, `watch` or `wait` returned. `seen`: the chain shows that it was filled and that
   * the beneficiary received the guaranteed amount. `claimed`: only the service says so.
   */
  settled?: "seen" | "claimed" | undefined;
  /**
   * For an order that the service returned before and does not find now, as while its reads are late: since when, unix
   * milliseconds by this machine's clock. All other members are as known before.
   */
  unseenSince?: number | undefined;
  /**
   * For an order that `watch` or `wait` no longer follows though its status is not terminal. `deadline`: its deadline
   * was an hour ago. `chain`: this client cancelled it, the service does not find it, and the chain shows that it
   * cannot be filled any more; the balances show whether it was filled before.
   */
  ended?: "deadline" | "chain" | undefined;
  [member: string]: unknown;
}

/** Status of a gasless order. The service may add others. */
export type OrderStatus =
  | "PENDING" | "AWAITING_SIGNATURE" | "ACTIVE" | "EXECUTING" | "SUSPENDED" | "CANCELLING" | "BRIDGING"
  | "COMPLETED" | "FAILED" | "EXPIRED" | "REFUNDING" | "CANCELLED" | "REFUNDED"
  | (string & {});

/** One side of an order. `summarizeOrder` combines the two. */
export interface OrderSide {
  /** The chain of this side. */
  chainId: number;
  /** The token of this side. */
  token: Address;
  /** Raw units, on the side that is fixed. */
  amount?: Amount | undefined;
  /** Raw units by the quote, on the side that is not fixed. */
  expectedAmount?: Amount | null | undefined;
  /** Raw units executed, on the side that is not fixed; once COMPLETED. */
  executedAmount?: Amount | null | undefined;
  /** Raw units signed as the most spent, in a BUY's input. */
  maxAmount?: Amount | undefined;
  /** Raw units signed as the least received, in a SELL's output. */
  minAmount?: Amount | null | undefined;
}

/** A fill of an order. */
export interface OrderTransaction {
  /** Transaction hash on the source chain. */
  originTx: Hex;
  /** Crosschain: transaction hash of the arrival; null before. */
  destinationTx: Hex | null;
  /** Share of the whole order, 0..100. */
  filledPercent: number;
  /** Raw units spent; null if not stated. */
  spentAmount: Amount | null;
  /** Raw units received; null if not stated. */
  receivedAmount: Amount | null;
}

/** Filters of `orders` and `allOrders`. */
export interface OrdersFilter {
  /** The owner of the orders. Default: the client's account. */
  account?: Address | undefined;
  /** Only orders of these chains. Default: all. */
  chainId?: number | number[] | undefined;
  /** Only orders in these states. Default: all. */
  status?: OrderStatus | OrderStatus[] | undefined;
  /** Only orders of this type. Default: both. */
  type?: "MARKET" | "LIMIT" | undefined;
  /** Only orders of this struct, such as `"TWAPOrder"`. Default: all. */
  onChainOrderType?: string | undefined;
  /** Which page, from 1. Default 1. `allOrders` counts by itself. */
  page?: number | undefined;
  /** Orders per page, 1..1000. Default 100. */
  limit?: number | undefined;
}

/** A page of orders. Numbers are null if the service does not state them. */
export interface OrderPage {
  /** The orders. */
  orders: Order[];
  /** Number of orders in all pages. */
  total: number | null;
  /** Which page this is, from 1. */
  page: number | null;
  /** Orders per page. */
  limit: number | null;
  /** Whether there is another page. */
  hasMore: boolean;
}

/** Options of `cancel`. */
export interface CancelOptions extends CallOptions {
  /** Same as `ClientOptions.onPrompt`, for this call. */
  onPrompt?: OnPrompt | undefined;
  /** Called at each step. */
  onProgress?: ((progress: Progress) => void) | undefined;
}

/** Options of `buildWithdrawal`. */
export interface WithdrawalRequest {
  /** Chain of the deposit. */
  chainId: number;
  /** Raw units (wei) to unwrap. */
  amount: AmountInput;
  /** Who holds the wrapped token. Default: the client's account. */
  account?: Address | undefined;
}

/* --------------------------------------------------------------------- OTC */

/**
 * `client.otc`: a maker's signed offers, which takers fill on chain. `submit` posts what `build` returns, and sends what
 * `buildFill` and `buildCancellation` do. Functions in a plain object, which may be taken off it, like the client's.
 */
export interface OtcCalls {
  /**
   * An OTC order of the maker, ready to sign. It is built here, not by the service. Throws UNSUPPORTED_CHAIN; asks the
   * chain where it can be read.
   */
  build(request: OtcRequest, options?: OtcBuildOptions): Promise<OtcBuild>;
  /**
   * One OTC order by its hash, which is verified. Throws SERVICE_REJECTED with `status` 404 for an unknown order,
   * SERVICE_MALFORMED if another order is returned; asks the service.
   */
  order(orderHash: Hex, options?: CallOptions): Promise<OtcOrder>;
  /**
   * A page of a maker's OTC orders, or of those addressed to a taker. An order of somebody else or of another chain, or
   * one that contradicts its own hash, is SERVICE_MALFORMED, with its place in `field`. Asks the service, and throws
   * accordingly.
   */
  orders(filter: OtcFilter, options?: CallOptions): Promise<OtcPage>;
  /**
   * The rest of an OTC order by the RFQ contract: raw units of the maker's asset, 0 if it is filled or cancelled. It
   * does not include whether the maker still holds and allows that much, or whether the order has expired. Pass it to
   * `summarizeOtcOrder`. Throws VERIFY_MISMATCH if the order does not match its hash, UNSUPPORTED_CHAIN; asks the
   * chain, which must be readable.
   */
  remaining(order: OtcOrder, options?: CallOptions): Promise<Amount>;
  /** The same for 1 to 100 orders of one chain, in their order, read at the same time. */
  remaining(orders: OtcOrder[], options?: CallOptions): Promise<Amount[]>;
  /**
   * A transaction that fills an OTC order, or several of one pair, verified against the shown orders and the chain.
   * Throws VERIFY_MISMATCH (filled by now, not signed by its maker, not covered), UNSUPPORTED_CHAIN; asks the chain.
   */
  buildFill(order: OtcOrder | OtcOrder[], options?: FillOptions): Promise<TransactionBuild>;
  /** A transaction of the maker that cancels OTC orders. Throws VERIFY_MISMATCH, UNSUPPORTED_CHAIN; asks the chain. */
  buildCancellation(order: OtcOrder | OtcOrder[], options?: CallOptions): Promise<TransactionBuild>;
  /**
   * Raw units that live OTC orders have claimed, by checksummed maker asset. Asks the service, and throws accordingly.
   */
  fillableBalance(query: FillableBalanceQuery, options?: CallOptions): Promise<Record<Address, Amount>>;
}

/** An OTC order, as the maker asks for it. */
export interface OtcRequest {
  /** The chain. */
  chainId: number;
  /** The ERC-20 token the maker gives. */
  makerAsset: Address;
  /** The ERC-20 token the maker wants. */
  takerAsset: Address;
  /** Raw units the maker gives. */
  makerAmount: AmountInput;
  /** Raw units the maker wants. */
  takerAmount: AmountInput;
  /** Decimals of `makerAsset`, same as `QuoteRequest.srcDecimals`. */
  makerDecimals?: number | undefined;
  /** Decimals of `takerAsset`, likewise. */
  takerDecimals?: number | undefined;
  /** Name of the chain for the sentence, same as in `AdvancedQuoteRequest`. */
  chainName?: string | undefined;
  /** Symbol of `makerAsset` for the sentence, same as `QuoteRequest.srcSymbol`. */
  makerSymbol?: string | undefined;
  /** The same for `takerAsset`. */
  takerSymbol?: string | undefined;
  /** The maker. Default: the client's account. */
  maker?: Address | undefined;
  /** Who may fill it. Default: anyone. */
  taker?: Address | undefined;
  /** The expiry, unix seconds; 0: never. */
  expiry: number;
  /** The nonce, below 2^96. Default: random. */
  nonce?: AmountInput | undefined;
}

/** Input of `otc.build`. */
export interface OtcBuildOptions extends CallOptions {
  /**
   * Whether to raise the approval by the amount of the asset that the maker's open OTC orders have claimed, at most to
   * the maker's balance. One more request; the chain has to be readable. Default false.
   */
  coverOpenOrders?: boolean | undefined;
}

/** The struct of an OTC order. */
export interface OtcOrderFields {
  /** Nonce, and in the low 160 bits the taker, if one is named. */
  nonceAndMeta: Amount;
  /** The expiry, unix seconds; 0: never. */
  expiry: number;
  /** The token the maker gives. */
  makerAsset: Address;
  /** The token the maker wants. */
  takerAsset: Address;
  /** Who gives and signs. */
  maker: Address;
  /** Who may fill it; the zero address: anyone. */
  taker: Address;
  /** Raw units the maker gives. */
  makerAmount: Amount;
  /** Raw units the maker wants. */
  takerAmount: Amount;
}

/** An OTC order, ready to sign. */
export interface OtcBuild extends OtcOrderFields {
  /** Tells it from other builds. */
  kind: "otc";
  /** The chain. */
  chainId: number;
  /** The request with defaults filled in, without `nonce`, amounts as text: the input of `submit` after a reload. */
  request: OtcRequest & { makerDecimals: number; takerDecimals: number };
  /** The RFQ contract. */
  spender: Address;
  /** EIP-712 digest, which is signed, and the order's key. */
  orderHash: Hex;
  /** The typed data, exactly as the wallet will get it to sign. */
  typedData: TypedData;
  /** The sentence, and the checks that were made. */
  report: Report;
  /** The approval that the maker needs; null if the allowance suffices. */
  approval: Approval | null;
  /** The order, verbatim. Pass it on untouched. */
  sealed: string;
}

/** A signed OTC order. `submit` accepts it again. */
export interface SignedOtcOrder {
  /** Tells it from a build. */
  kind: "signedOtcOrder";
  /** The chain. */
  chainId: number;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** As it is posted. */
  signature: Hex;
  /** The order, verbatim. Pass it on untouched. */
  sealed: string;
}

/** State of an OTC order. The service may add others. */
export type OtcState = "DRAFT" | "PENDING" | "FULFILLED" | "CANCELLED" | "SUSPENDED" | "EXPIRED" | (string & {});

/**
 * An OTC order as the service stores it. Members unknown to this package are kept. `orderHash` and `state` are always
 * there. `OtcOrderFields` hash to `orderHash`, unless the order is `unverified`. The signature is checked when the
 * order is passed on.
 */
export interface OtcOrder extends OtcOrderFields {
  /** The chain. */
  chainId: number;
  /** EIP-712 digest of the order. */
  orderHash: Hex;
  /** The maker's signature. */
  signature: Hex;
  /** Its state, by the service. */
  state: OtcState;
  /** `"P2P"` if a taker is named, else `"LIMIT"`. */
  type?: "P2P" | "LIMIT" | (string & {}) | undefined;
  /** Hash of the last fill or the cancellation. */
  transactionHash?: Hex | null | undefined;
  /** Raw units of the maker's asset that are not filled yet. */
  fillableBalance?: Amount | undefined;
  /** Raw units of the maker's asset that can be filled now. */
  swappableBalance?: Amount | undefined;
  /** The maker's permit, posted in place of an approval. */
  permitMakerAsset?: Hex | null | undefined;
  /** When it was posted, unix seconds. */
  createdAt?: number | undefined;
  /** When it last changed, unix seconds. */
  updatedAt?: number | undefined;
  /** It cannot be hashed here: a member is missing, its tokens have ids, or the contract is not known. */
  unverified?: true | undefined;
  [member: string]: unknown;
}

/** Input of `otc.orders`. */
export interface OtcFilter {
  /** The chain. */
  chainId: number;
  /** Whose orders. Default, if no taker is named: the client's account. */
  maker?: Address | undefined;
  /** In place of `maker`: orders addressed to this account. */
  taker?: Address | undefined;
  /** Only orders of this type. Default: both. */
  type?: "P2P" | "LIMIT" | undefined;
  /** Orders per page. Default 100. */
  limit?: number | undefined;
  /** Orders to skip. Default 0. */
  offset?: number | undefined;
  /** The member by which the service sorts. Default: as the service decides. */
  orderBy?: "createdAt" | "updatedAt" | "expiry" | undefined;
  /** Whether to leave out orders with little left to fill. Default: as the service decides. */
  hideSmallBalances?: boolean | undefined;
}

/** A page of OTC orders. Numbers are null if the service does not state them. */
export interface OtcPage {
  /** The orders. */
  orders: OtcOrder[];
  /** Orders per page. */
  limit: number | null;
  /** Orders skipped. */
  offset: number | null;
  /** Number of orders in all pages. */
  total: number | null;
  /** Whether there is another page. */
  hasMore: boolean;
}

/** Input of `otc.buildFill`. */
export interface FillOptions extends CallOptions {
  /** Raw units of the taker's asset to pay. Default: all that is left. */
  takerAmount?: AmountInput | undefined;
  /** The least to receive, raw units of the maker's asset. Default: by the order's price, rounded down. */
  minMakerAmount?: AmountInput | undefined;
  /** Who receives. Default: the taker. */
  receiver?: Address | undefined;
  /** Who fills and pays. Default: the client's account. */
  account?: Address | undefined;
  /** A permit in place of the taker's approval: `eip2612`. */
  permit?: Permit | undefined;
  /** Decimals of the maker's asset, as `QuoteRequest.srcDecimals`. */
  makerDecimals?: number | undefined;
  /** Decimals of the taker's asset, likewise. */
  takerDecimals?: number | undefined;
  /** Symbol of the maker's asset for the sentence, as `QuoteRequest.srcSymbol`. */
  makerSymbol?: string | undefined;
  /** The same for the taker's asset. */
  takerSymbol?: string | undefined;
  /** As `QuoteRequest.maxPriceDeviationBps`; there is no slippage beside it. Default 500. */
  maxPriceDeviationBps?: number | undefined;
  /** As `QuoteRequest.requireReference`. Default false. */
  requireReference?: boolean | undefined;
  /** As `MarketBuildOptions.tryOutcome`: whether what is offered arrives, and can be sent on. Default false. */
  tryOutcome?: boolean | undefined;
}

/* ------------------------------------------------------------- the journal */

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
   * What `list` returns: now, and again whenever the journal has changed, by this client or in another tab, until
   * it is aborted. Chains are read each time, but not in between. Throws INVALID_INPUT, JOURNAL_UNREADABLE.
   */
  watch(filter?: TradesFilter, options?: CallOptions): AsyncGenerator<(Trade | UnreadableTrade)[], void, void>;
  /**
   * The user does not go on with a trade that was not posted or sent, that is `FOREIGN`, or whose calls (`batch`) have shown
   * nothing new for five minutes: nothing asks about it any more. A signed order stays in the way of a second one for the
   * same trade until it can no longer be filled. An entry that cannot be read is deleted: nothing warns of a second trade
   * any more. Throws INVALID_INPUT, JOURNAL_UNREADABLE; ALREADY_SIGNED if a call or another tab is at work on it for longer
   * than 2 s. Asks nobody.
   */
  abandon(id: Hex, options?: CallOptions): Promise<Trade | UnreadableTrade>;
  /**
   * Deletes the journal, or the trades of these ids; resolves to how many. Nothing is cancelled by it, and after a
   * reload nothing warns of a second order for what was deleted. Throws INVALID_INPUT, JOURNAL_UNREADABLE. Asks nobody.
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
   * `submit`, and it is never taken for not sent by itself (`trades.abandon` says so). Of a trade that ended without one:
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
  /** Who signs or sends. */
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

/** The progress of a trade. */
export type TradeState =
  /** The wallet was asked, and no answer reached this package. */
  | "asking"
  /** The wallet signed; nobody else is known to have the signature. */
  | "signed"
  /** The wallet signed while the approval was on its way. It is not posted before that approval is in a block. */
  | "waiting"
  /** That approval failed, was replaced, or allows too little: only `submit` of `signedOrder` posts it. */
  | "unapproved"
  /** The signed order was on its way to the service, which may have it. */
  | "posting"
  /** The service has the order. */
  | "posted"
  /** The wallet sent the transaction. */
  | "sent"
  /** Nothing more happens; `status` says how it ended. */
  | "ended";

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
  /** Who receives. */
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

/** The build of an order, as the journal keeps it: the input of `submit`, with the request stated again. */
export interface TradeBuild {
  /** The kind of order. */
  kind: "delta" | "otc";
  /** The chain on which it is settled. */
  chainId: number;
  /** The order. Pass it on untouched. */
  sealed: string;
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

/* -------------------------------------------------------------- allowances */

/**
 * `client.approvals`: what the service's contracts may take of an account's tokens, and how to take that back. What a trade
 * needs comes with its build: `client.approve` takes that. Functions in a plain object, which may be taken off it, like the
 * client's.
 */
export interface ApprovalsCalls {
  /**
   * Raw units of `token` that the Delta contract (or `spender`) may take from `account`. Throws UNSUPPORTED_CHAIN; asks
   * the chain.
   */
  allowance(query: AllowanceQuery, options?: CallOptions): Promise<Amount>;
  /**
   * The allowances of an account to the service's contracts, today's and the operator's old ones: by `approve`, and
   * through Permit2. Only allowances that can still be used. There is no list of a chain's tokens: the query's are
   * read, else those that this package and the journal know, and those with an approval in the chain's logs, as far
   * back as the node returns them (`fromBlock`). Throws UNSUPPORTED_CHAIN, and without tokens in the query
   * JOURNAL_UNREADABLE; asks the chain.
   */
  list(query: AllowancesQuery, options?: CallOptions): Promise<Allowances>;
  /**
   * The transaction that takes an allowance back: the token's `approve(spender, 0)`, or Permit2's. Throws
   * UNSUPPORTED_CHAIN, INVALID_INPUT (the spender is no contract of the service, or nothing is allowed any more); asks
   * the chain.
   */
  buildRevoke(allowance: RevokeRequest | Allowance, options?: CallOptions): Promise<TransactionBuild>;
  /**
   * The allowance, in raw units, that covers this amount and what the open orders of that path claim, limited to what
   * the account holds. Asks the service and the chain, which must be readable; throws accordingly.
   */
  needed(query: AllowanceNeededQuery, options?: CallOptions): Promise<Amount>;
}

/** Input of `approvals.allowance`. */
export interface AllowanceQuery extends BalanceQuery {
  /** The spender. Default: the Delta contract. */
  spender?: Address | undefined;
}

/** Input of `approvals.list`. */
export interface AllowancesQuery {
  /** Chain of the tokens. */
  chainId: number;
  /** Whose allowances. Default: the client's account. */
  account?: Address | undefined;
  /** Only these tokens, at most 64. Then no logs are read. Default: all that can be found. */
  tokens?: Address[] | undefined;
}

/** The answer of `approvals.list`. */
export interface Allowances {
  /** Chain of the tokens. */
  chainId: number;
  /** Whose allowances. */
  account: Address;
  /**
   * The first block from which the chain's logs were read. An earlier approval is here only if its token is known
   * otherwise. 0: all logs were read. Null: none were, because tokens were named or the node returns none.
   */
  fromBlock: number | null;
  /** The allowances that can be used now. */
  allowances: Allowance[];
  /** Tokens that gave no answer, or were found after 64 others: nothing is known of them. At most 256 are named. */
  unread: Address[];
}

/** The allowance of one contract for one token. */
export interface Allowance extends RevokeRequest {
  /** Who allowed it. */
  account: Address;
  /** `erc20`: the token was approved for the spender. `permit2`: Permit2 lets the spender take it. */
  kind: "erc20" | "permit2";
  /** The token's decimals: those that the package knows, else by its own contract; null if that does not say. */
  decimals: number | null;
  /** The contract's purpose, today or in the past. */
  contract: "delta" | "market" | "otc";
  /** The contract's name in sentences, such as `old Market router (Augustus v6.0)`. */
  name: string;
  /** Whether trades of today need it. False for the operator's old contracts, and for one that `contracts` replaces. */
  isCurrent: boolean;
  /**
   * Whether the query, this package or the journal names the token. If not, only logs do: anybody can make a token that
   * logs approvals by others. Do not trust its name.
   */
  isKnown: boolean;
  /** The usable allowance, raw units, as long as the account has it. */
  amount: Amount;
  /** Whether that is an amount that wallets and apps approve as unlimited. */
  isUnlimited: boolean;
  /** For Permit2: the last second in which it may be taken, unix seconds. Null: it does not end. */
  expiration: number | null;
}

/** Input of `approvals.buildRevoke`. */
export interface RevokeRequest {
  /** Chain of the token. */
  chainId: number;
  /** The account that allowed it, and sends the transaction. Default: the client's account. */
  account?: Address | undefined;
  /** The token. */
  token: Address;
  /** The contract that may take it: one of the service, of today or an old one. */
  spender: Address;
  /** `erc20`: the token was approved for the spender. `permit2`: Permit2 lets the spender take it. Default `"erc20"`. */
  kind?: "erc20" | "permit2" | undefined;
}

/** Input of `approvals.needed`. */
export interface AllowanceNeededQuery {
  /** Chain of the token. */
  chainId: number;
  /** The token to be spent. */
  token: string;
  /** Raw units that the new order spends; `"0"` for what the open orders alone need. */
  amount: AmountInput;
  /** The owner. Default: the client's account. */
  account?: Address | undefined;
  /** Whose open orders count. Default `"delta"`. */
  path?: "delta" | "otc" | undefined;
}

/* -------------------------------------------------------------------- info */

/**
 * `client.info`: what the service lists, what an account holds, what a wallet can do. It is for display: nothing is signed
 * because of it. Functions in a plain object, which may be taken off it, like the client's.
 */
export interface InfoCalls {
  /** Chain ids the service trades on, at most 10 minutes old. This and the seven below throw as they ask the service. */
  chains(options?: CallOptions): Promise<number[]>;
  /**
   * Tokens the service knows by symbol, at most 10 minutes old. If the service has only its older list: without
   * categories, and for one chain at a time.
   */
  tokens(query: TokensQuery, options?: CallOptions): Promise<TokenList>;
  /** The categories that tokens are sorted into. */
  tokenCategories(query?: {}, options?: CallOptions): Promise<TokenCategory[]>;
  /** Whether Delta trades a token. */
  isTokenSupported(query: { chainId: number; token: string }, options?: CallOptions): Promise<boolean>;
  /** Names of Delta's active solvers on a chain, for `includeAgents` and `excludeAgents`. */
  agents(query: { chainId: number }, options?: CallOptions): Promise<string[]>;
  /** Yield strategies by underlying token, as the service sends them. */
  strategies(query: { chainId: number }, options?: CallOptions): Promise<Record<Address, TokenStrategies>>;
  /** Which tokens can go from which chain to which. */
  bridgeRoutes(query?: BridgeRoutesQuery, options?: CallOptions): Promise<BridgeRoute[]>;
  /** The bridges in use. */
  bridgeProtocols(query?: {}, options?: CallOptions): Promise<BridgeProtocol[]>;
  /** Raw units of `token` that `account` holds. Asks the chain, and throws accordingly. */
  balance(query: BalanceQuery, options?: CallOptions): Promise<Amount>;
  /**
   * Raw units that open Delta orders have claimed, by checksummed source token. Asks the service, and throws
   * accordingly.
   */
  fillableBalance(query: FillableBalanceQuery, options?: CallOptions): Promise<Record<Address, Amount>>;
  /**
   * Whether the wallet sends several calls of `account` in one prompt. The wallet is asked once; no answer within two
   * seconds counts as no. Throws INVALID_INPUT if there is no account.
   */
  capabilities(query: CapabilitiesQuery, options?: CallOptions): Promise<Capabilities>;
  /** The state of the rate limit. Asks nobody, and throws nothing beside. */
  rateLimit(options?: CallOptions): Promise<RateLimitState>;
}

/** Input of `info.tokens`. */
export interface TokensQuery {
  /** One chain, or `"all"`. */
  chainId: number | "all";
  /** Only tokens of this category, an `id` of `info.tokenCategories`. Default: all. */
  category?: string | undefined;
}

/** The tokens of a list, each with a symbol, an address and decimals. */
export interface TokenList {
  /** The tokens, in the service's order. */
  tokens: TokenInfo[];
  /**
   * How many rows are not among them, because symbol, address or decimals are missing or wrong: decimals that are no number
   * from 0 to 36, an address of another form or checksum. If all are, the call throws SERVICE_MALFORMED.
   */
  leftOut: number;
}

/**
 * A token as the service lists it. Names, symbols and logos are the service's word: anybody can name a token; its
 * address identifies it. Of everything below, only that the members are present is checked.
 */
export interface TokenInfo {
  /** The token's symbol. */
  symbol: string;
  /** The token's address. */
  address: Address;
  /** The token's decimals. */
  decimals: number;
  /** Its chain; not in every list. */
  chainId?: number | undefined;
  /** The token's name. */
  name?: string | undefined;
  /** An https or ipfs URL; absent if the service has another. What that server returns is not checked. */
  logoURI?: string | undefined;
  /** Ids of `info.tokenCategories`; empty in the service's older list. */
  categories: string[];
  [member: string]: unknown;
}

/** A category of tokens. */
export interface TokenCategory {
  /** Its id, for `info.tokens`. */
  id: string;
  /** Its name for display. */
  name: string;
}

/** Yield strategies of one token. */
export interface TokenStrategies {
  /** The underlying token. */
  address: Address;
  /** The vaults. `apr` is a fraction as decimal text: `"0.052"` is 5.2 %. */
  strategies: { vault: Address; name: string; apr: { gross: string; net: string } | null }[];
}

/** Input of `info.bridgeRoutes`. */
export interface BridgeRoutesQuery {
  /** Only routes of these bridges, as `info.bridgeProtocols` names them. Default: all. */
  bridges?: string[] | undefined;
  /** Whether to include routes that swap on the way. Default: as the service decides. */
  allowBridgeAndSwap?: boolean | undefined;
}

/** Tokens that can go from one chain to another. */
export interface BridgeRoute {
  /** Where they leave. */
  srcChainId: number;
  /** Where they arrive. */
  destChainId: number;
  /** Addresses of the tokens that can go this way. */
  tokens: Address[];
}

/** A bridge. */
export interface BridgeProtocol {
  /** Its name in quotes and filters. */
  protocol: string;
  /** Its name for display. */
  displayName: string;
  /** URL of its icon. */
  icon: string;
}

/** Input of `info.balance`. */
export interface BalanceQuery {
  /** Chain of the token. */
  chainId: number;
  /** Address, or the native token in any of its forms. */
  token: string;
  /** The holder. Default: the client's account. */
  account?: Address | undefined;
}

/** Input of `info.fillableBalance` and `otc.fillableBalance`. */
export interface FillableBalanceQuery {
  /** Chain of the orders. */
  chainId: number;
  /** The owner of the orders. Default: the client's account. */
  account?: Address | undefined;
  /** Only this token. Default: all. */
  token?: string | undefined;
}

/** Input of `info.capabilities`. */
export interface CapabilitiesQuery {
  /** The chain. */
  chainId: number;
  /** The account whose wallet is asked. Default: the client's account. */
  account?: Address | undefined;
}

/** The wallet's batching of calls for an account on a chain (EIP-5792). */
export interface Capabilities {
  /**
   * Several calls in one prompt, all or none of them. `"ready"`: once the user agrees to upgrade the account, which the
   * wallet asks by itself. `"unsupported"`: the wallet does not batch, gives no answer, or refused to when it was
   * asked.
   */
  atomic: "supported" | "ready" | "unsupported";
}

/** The state of the rate limit. */
export interface RateLimitState {
  /** Requests a second, for ever. */
  perSecond: number;
  /** Requests that may leave at once after a pause: 1 for a day after the service refused one. */
  burst: number;
  /** Requests that may still leave today (UTC), from all tabs of this origin. */
  remainingToday: number;
  /** Requests of this page that wait for the rate limit. */
  waiting: number;
  /** Milliseconds until the next request may leave; 0 is now. */
  nextInMs: number;
  /**
   * When the next request leaves after the service refused one, unix seconds. Left out if it refuses none. Posts and
   * cancellations wait only if one of them was refused, and a minute at most.
   */
  limitedUntil?: number | undefined;
}

/* ----------------------------------------------- what settings are made of */

/** The partner's share, as agreed on with the service. What a request or a build states itself takes precedence. */
export interface Agreement {
  /**
   * The most the partner gets of each trade, 0..200 bps. Default 1: the service's charge if no fee is requested.
   */
  feeBps?: number | undefined;
  /** Who gets the fee and the surplus. Default: whoever the service names. */
  feeAddress?: Address | undefined;
  /** Whether the partner may keep half of what exceeds the expected amount. Default false. */
  takesSurplus?: boolean | undefined;
  /** Whether the surplus that is kept is capped at 1 %. `false` accepts an uncapped share. Default true. */
  capSurplus?: boolean | undefined;
  /** Whether a Market trade may count as referred by the partner. Default false. */
  referral?: boolean | undefined;
}

/**
 * An app's own reference price, asked for with the request of a quote: once a minute for each, and again after it threw
 * and before a price is refused. Resolves to what one whole `srcToken` is worth in whole `destToken`, as decimal text,
 * or to null if it does not know. If it throws, or takes longer than 5 s, it has no vote; another answer is
 * INVALID_INPUT with the field `reference`. For a fill, `srcToken` is what the taker gives.
 */
export type AppReference = (request: NormalizedRequest) => string | null | Promise<string | null>;

/** Where the reference prices of a chain come from. */
export interface ChainReferences {
  /** The factory of pools with the interface of Uniswap V3's. Default: no pools. */
  factory?: Address | undefined;
  /** Keccak-256 of the code that creates the factory's pools. Default: Uniswap's. */
  initCodeHash?: Hex | undefined;
  /** The ERC-20 form of the native token. Default: none, and no price of the native token. */
  wrappedNative?: Address | undefined;
  /** Stablecoins that count as one dollar, with their decimals; at most 32. Default: none. */
  dollars?: { address: Address; decimals: number }[] | undefined;
  /**
   * Price feeds in dollars with the interface of Chainlink's: the token (`NATIVE_TOKEN` for the native one), the
   * contract, the decimals that its answers must have, and the most seconds between two updates; at most 32. Default:
   * none.
   */
  feeds?: { token: Address; feed: Address; decimals: number; heartbeatSecs: number }[] | undefined;
  /**
   * How many blocks back a pool must have been deep, too, 2 to 120: liquidity that may be rented for one block does not
   * count. The node needs the state of that block. Default: 120.
   */
  blocksBack?: number | undefined;
}

/**
 * Contracts of one chain; at least one of `delta`, `router`, `rfq`. A path without a known contract is
 * UNSUPPORTED_CHAIN.
 */
export interface ChainContracts {
  /** The Delta contract, the only spender of a Delta order. */
  delta?: Address | undefined;
  /** The wrapped native token that Delta uses on this chain. */
  wrappedNative?: Address | undefined;
  /** The Market router, version 6.2: the target and only spender of a Market trade. */
  router?: Address | undefined;
  /** The RFQ contract, the only spender of an OTC order or fill. */
  rfq?: Address | undefined;
}

/** The service's rate limit for the app. */
export interface RateLimit {
  /** Requests a second, for ever: 1 to 1000. Default 1. */
  perSecond?: number | undefined;
  /**
   * Requests that may leave at once after a pause, until the service refuses one: 1 to 1000. Default 3. With 1 they
   * leave 5 % slower than `perSecond`, because requests that leave evenly do not arrive evenly.
   */
  burst?: number | undefined;
  /** Requests a day (UTC): 1 to 1000000000. Default 3000. */
  perDay?: number | undefined;
}

/**
 * A storage of the app's own; a `Map` of texts is one. Clients that share it share their trades. Names are this
 * package's (`trade/0x...`): give it a place of its own. Its content is sealed if there are WebCrypto and IndexedDB,
 * which keeps the key. It may throw or reject: then it counts as unreadable, like the browser's.
 */
export interface JournalStorage {
  /** The text with this name; `undefined` or `null` if there is none. */
  get(name: string): Promise<string | null | undefined> | string | null | undefined;
  /** Writes a text, in place of the one that is there. What it resolves to does not matter. */
  set(name: string, text: string): unknown;
  /** Deletes a text, if there is one. */
  delete(name: string): unknown;
  /** All names. */
  keys(): Promise<Iterable<string>> | Iterable<string>;
}

/** A chain, in the form in which a wallet gets it (EIP-3085). All URLs are https, or http on loopback. */
export interface AddedChain {
  /** The chain id, if it is stated: a number, or hex. It must be the key in `addChain`. */
  chainId?: number | string | undefined;
  /** The name that the wallet shows, 1 to 64 characters. */
  chainName: string;
  /** The native token. */
  nativeCurrency: NativeCurrency;
  /** URLs of its nodes, at least one. */
  rpcUrls: readonly string[];
  /** Sites that show its blocks. */
  blockExplorerUrls?: readonly string[] | undefined;
  /** Pictures of the chain. */
  iconUrls?: readonly string[] | undefined;
}

/** A chain as viem describes it (`viem/chains`); other members than these are not read. */
export interface ViemChain {
  /** The chain's id: the key in `addChain`. */
  id: number;
  /** The name that the wallet shows, 1 to 64 characters. */
  name: string;
  /** The native token. */
  nativeCurrency: NativeCurrency;
  /** URLs of its nodes, at least one. */
  rpcUrls: { default: { http: readonly string[] } };
  /** A site that shows its blocks. */
  blockExplorers?: { default: { url: string } } | undefined;
}

/** A chain's native token. */
export interface NativeCurrency {
  /** Its name, 1 to 64 characters. */
  name: string;
  /** Its symbol, 1 to 64 characters. */
  symbol: string;
  /** How many decimals it has; wallets want 18. */
  decimals: number;
}

/** The argument of `onEvent`: a step that took time. `type` tells the kinds apart. */
export type ClientEvent = HttpEvent | RpcEvent | WalletEvent | VerifyEvent;

/** Members of all events. */
interface TimedEvent {
  /** Whether it succeeded. */
  ok: boolean;
  /** Duration in milliseconds. */
  ms: number;
  /** Error code, if it failed. */
  code?: ErrorCode | undefined;
}

/** A request to the service. */
export interface HttpEvent extends TimedEvent {
  /** A request to the service. */
  type: "http";
  /** Endpoint: `quote`, `build`, `post`, `order`, ... */
  name: string;
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
}

/** A request to a node. */
export interface RpcEvent extends TimedEvent {
  /** A request to a node. */
  type: "rpc";
  /** Method of the node. */
  name: string;
}

/** A request to the wallet. */
export interface WalletEvent extends TimedEvent {
  /** A request to the wallet. */
  type: "wallet";
  /** Method of the wallet. */
  name: string;
}

/** A verification. */
export interface VerifyEvent extends TimedEvent {
  /** A verification. */
  type: "verify";
  /** The verified payload. */
  name: string;
}

/* ------------------------------------------------------------------ errors */

/** The error codes; docs/errors.md explains each. */
export type ErrorCode =
  | "INVALID_INPUT" | "UNSUPPORTED_CHAIN" | "NO_ROUTE" | "QUOTE_EXPIRED" | "VERIFY_MISMATCH" | "LOSS_TOO_HIGH" | "PRICE_UNJUDGED"
  | "SIGNATURE_MISMATCH" | "USER_REJECTED" | "WRONG_CHAIN" | "WRONG_ACCOUNT" | "WALLET_PENDING" | "WALLET_FAILED"
  | "UNSUPPORTED_ACCOUNT" | "ALREADY_SIGNED" | "JOURNAL_UNREADABLE" | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_ALLOWANCE" | "RATE_LIMITED"
  | "SERVICE_REJECTED" | "SERVICE_MALFORMED" | "NODES_DISAGREE" | "NETWORK" | "TIMEOUT" | "ABORTED"
  | "WASM_UNAVAILABLE" | "MODULE_UNAVAILABLE" | "INTERNAL";

/**
 * The remedy for an error. `"rebuild"`: another client made it, or this page before a reload; quote or build again. At
 * `build.permit`: its permit is used, and the allowance suffices; build again without one. `"reload"`: of the page, whose
 * files are gone.
 */
export type ErrorAction = "requote" | "rebuild" | "approve" | "switchChain" | "changeAmount" | "retry" | "reload" | "none";

/** Every error this package throws. Recognise it with `isTradeError`, not with instanceof. */
export interface TradeError extends Error {
  /** Always `"TradeError"`. */
  name: "TradeError";
  /** What went wrong; docs/errors.md explains each code. */
  code: ErrorCode;
  /** The remedy for an error. */
  action: ErrorAction;
  /** Path of the input, option or payload member that is wrong. With NO_ROUTE: the member to change, to `expected`. */
  field?: string | undefined;
  /** The expected value, as text. */
  expected?: string | undefined;
  /** The actual value, as text. */
  actual?: string | undefined;
  /** HTTP status of the service's answer. */
  status?: number | undefined;
  /** The service's own error type, unchanged. */
  errorType?: string | undefined;
  /** The service's own details, unchanged. */
  details?: string | undefined;
  /** Whether a new quote helps. */
  requote?: boolean | undefined;
  /** Seconds to wait, if the service states them. */
  retryAfterSecs?: number | undefined;
  /** With LOSS_TOO_HIGH: the loss, as a share of the given amount, by the dollar values, in bps. */
  lossBps?: number | undefined;
  /** With LOSS_TOO_HIGH: the part of that loss that is the service's costs, in bps. */
  costBps?: number | undefined;
  /**
   * With ALREADY_SIGNED: the earlier order; `signedOrder` is there too if no call has said yet that it was posted.
   * `actual` is `may still be filled` (a transaction: `mined`; or `another was sent`, see `FOREIGN`), or `filled or cancelled`: then there is nothing to
   * replace, or no call has said yet how it ended; while somebody is at work on it `under way`, or `in another tab`.
   */
  orderHash?: Hex | undefined;
  /**
   * The order that was signed before this error. It may be filled until its `deadline`; `submit(signedOrder)` goes on.
   */
  signedOrder?: SignedOrder | SignedOtcOrder | undefined;
  /** From `trade`: the step that failed. */
  step?: TradeStep | undefined;
  /** Every check, if a verification failed. */
  report?: Report | undefined;
  /** With PRICE_UNJUDGED, and a transaction's ALREADY_SIGNED: the questions that were not answered. */
  questions?: Question[] | undefined;
  /**
   * With INSUFFICIENT_ALLOWANCE of `submit` and `signPermit`: the input of `approve` now. Absent with
   * `permit2Existing`, and if the chain says that the allowance suffices.
   */
  approval?: Approval | undefined;
  /** The wallet's or network's original error, untouched. */
  cause?: unknown | undefined;
}

/** Whether a caught value is an error of this package, and of that code if one is given. */
export function isTradeError(error: unknown): error is TradeError;
export function isTradeError<C extends ErrorCode>(error: unknown, code: C): error is TradeError & { code: C };

/* --------------------------------------------------------------- functions */

/**
 * Loads the module. The functions below work once it has resolved. Before, they throw INVALID_INPUT at `init`; after, for
 * what they cannot read (`isAddress` and `isTerminal` return false). Those by which a price is shown (addresses, units,
 * bounds, `twapSchedule`, `isTerminal`) work as soon as `createClient(options).quote` has one.
 * `isSupported`, `isTradeError`, `summarizeOtcOrder` and `rawQuote` need no module. Importing alone loads nothing.
 *
 * `source` is for where the module is not beside the script, and counts for the first call: with esbuild
 * (`--loader:.wasm=file`) `import wasm from "verified-swap/wasm"; await init(wasm)`. If the module cannot be loaded it
 * rejects, as `createClient` does, with MODULE_UNAVAILABLE, or with NETWORK after no answer or a status from 500, twice.
 * The message names the URL, what came from there, and what helps with which bundler; `cause` is the browser's own error.
 * The next call tries again. Where `isSupported` is false it throws
 * WASM_UNAVAILABLE, and so does `createClient`, before anything is fetched.
 */
export function init(source?: ModuleSource): Promise<void>;

/**
 * The module: compiled, as bytes, its URL, or the response that has it. Default: the files beside the script.
 * `verified-swap/inline` takes it compiled or as bytes, and needs none; in workerd it has to be compiled.
 */
export type ModuleSource = CompiledModule | ArrayBuffer | ArrayBufferView | Response | URL | string | Promise<Response>;
/** `WebAssembly.Module`, if the project's types know it: Node's do not. */
type CompiledModule =
  typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } } ? Module : never;

/**
 * Whether WebAssembly can be compiled here. False in iOS' Lockdown Mode, in some browsers inside of apps, and under a
 * Content-Security-Policy without `'wasm-unsafe-eval'`, which reports the attempt. Asks nobody, fetches nothing.
 */
export function isSupported(): boolean;

/**
 * The least that arrives at `slippageBps` below the quote, raw units after the fee, rounded down; Market: also after
 * `destTransferFeeBps`. BUY: the amount bought, of a gasless quote after the fee; the router takes the fee of a purchase out
 * of what is paid.
 */
export function minReceived(quote: Quote, slippageBps: number): Amount;
/** The most that is spent at `slippageBps` above the quote, raw units, rounded up. SELL: the amount sold. */
export function maxSpent(quote: Quote, slippageBps: number): Amount;

/** The slices of a TWAP order with their earliest times, for display. `startSecs`: unix seconds of the first. */
export function twapSchedule(plan: TwapPlan, startSecs: number): { index: number; notBefore: number; amount: Amount }[];

/**
 * Whether nothing more happens to it: COMPLETED, FAILED, EXPIRED, CANCELLED, REFUNDED; for a sent transaction also
 * REPLACED, DROPPED, PARTIAL, FOREIGN.
 */
export function isTerminal(order: { status: string } | string): boolean;

/** The figures of an order, to show. Throws INVALID_INPUT with the member that is malformed. */
export function summarizeOrder(order: Order): OrderSummary;

/** An order's figures for an interface, computed from the service's report. Amounts are raw units. */
export interface OrderSummary {
  /** Whether nothing more happens to it. */
  isTerminal: boolean;
  /** Whether it arrives on another chain. */
  isCrosschain: boolean;
  /** 0..100; a crosschain fill counts when it has arrived. */
  filledPercent: number;
  /** Spent so far. */
  spent: Amount;
  /** Received so far, by the service. `settled: "seen"` proves only the guaranteed least. */
  received: Amount;
  /** The expected spending when the order was made; null if not known. */
  expectedSpent: Amount | null;
  /** The expected receipt when the order was made, after its fee; null if not known. */
  expectedReceived: Amount | null;
  /** The most that may be spent by the signed order; null if not known. */
  maxSpent: Amount | null;
  /**
   * The least to be received by the signed order, after its fee; crosschain: `expectedReceived`, because the bridge
   * decides. Null if not known.
   */
  minReceived: Amount | null;
  /** Received raw units per 10^18 spent raw units; null before a fill. */
  averagePrice: Amount | null;
  /**
   * How it can be cancelled now: by `cancel` (a signature) or `buildCancellation` (a transaction); null if it cannot.
   */
  cancel: "signature" | "transaction" | null;
  /** TWAP only: slices done, their number, and the earliest time of the next (unix seconds). */
  slices: { done: number; total: number; nextNotBefore: number | null } | null;
}

/**
 * What to show of an OTC order. `nowSecs`: unix seconds by the chain's clock; default: this machine's. `remaining`: the
 * answer of `otc.remaining`, raw units; takes precedence over the service. Throws INVALID_INPUT with the member that is
 * malformed.
 */
export function summarizeOtcOrder(order: OtcOrder, nowSecs?: number, remaining?: Amount | null): OtcOrderSummary;

/** An OTC order's figures for an interface, computed from service, contract and clock. */
export interface OtcOrderSummary {
  /** As the service says; `EXPIRED` once the clock says so. */
  state: OtcState;
  /** Whether it is FULFILLED, CANCELLED or EXPIRED, or the contract says that nothing is left. */
  isTerminal: boolean;
  /** Whether a part was filled, and a part is left. */
  isPartlyFilled: boolean;
  /**
   * 0..100, two decimals, rounded down. Null for a CANCELLED order, because the service no longer says. Null too if the
   * contract says that nothing is left and the service does not say FULFILLED: the order may be cancelled.
   */
  filledPercent: number | null;
  /** Raw units of the maker's asset that are left. */
  leftMakerAmount: Amount;
  /** Raw units of the taker's asset that this rest costs, rounded up. */
  leftTakerAmount: Amount;
}

/**
 * The service's answer for this price, unchanged, for display: the legs of the route, each fee, the block. The members
 * of a `Quote` were verified; this was not.
 */
export function rawQuote(quote: Quote): { [member: string]: unknown };

/** The address with its EIP-55 checksum. Throws INVALID_INPUT that says what is wrong. */
export function parseAddress(text: string): Address;
/** Whether `parseAddress` would take it. */
export function isAddress(text: unknown): text is Address;
/** The address to send for a token: the native token's exact placeholder, or the checksummed address. */
export function normalizeToken(token: string): Address;
/**
 * `parseUnits("1.5", 6)` is `"1500000"`: decimal text, not a `bigint` as viem's. Exact, 0..77 decimals; more fraction
 * digits than `decimals` are refused.
 */
export function parseUnits(text: string, decimals: number): Amount;
/** `formatUnits("1500000", 6)` is `"1.5"`. Exact. */
export function formatUnits(amount: AmountInput, decimals: number): string;
/** EIP-712 digest of any typed data (`message` or `value`; `primaryType` optional if there is only one root type). */
export function hashTypedData(typedData: unknown): Hex;
/** The signature in ERC-2098 form: 65 bytes become 64; 64 bytes come back unchanged. */
export function compactSignature(signature: Hex): Hex;
/** Who signed this typed data. Takes 64 or 65 bytes. */
export function recoverTypedDataSigner(typedData: unknown, signature: Hex): Address;

/** The native token's placeholder, in the only casing the service accepts. */
export const NATIVE_TOKEN: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE";
/** The service's public URL. Never used unless passed as `baseUrl`. */
export const VELORA_BASE_URL: "https://api.velora.xyz";
