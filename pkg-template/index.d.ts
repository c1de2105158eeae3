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
  request(args: { method: string; params?: readonly unknown[] | object }): Promise<unknown>;
}

export interface ClientOptions {
  /** Where the service lives. https only, except on loopback. */
  baseUrl: string;
  /** Attribution string sent with every request. Default `"anon"`, for which the service takes 1 bps. */
  partner?: string;
  /** The user's wallet. Quotes need none. */
  wallet?: Eip1193Provider;
  /** The account that owns, signs and pays. */
  account?: Address;
  /** A JSON-RPC URL or an EIP-1193 provider per chain id, for reads. Without one, the wallet is asked while it is on that chain. */
  rpc?: Record<number, string | Eip1193Provider>;
  /** Contracts per chain id. Overrides the pinned ones; the report then says "supplied by the application". */
  contracts?: Record<number, ChainContracts>;
  /** Timings and verdicts, for logs and metrics. Never carries a signature or an address. */
  onEvent?: (event: ClientEvent) => void;
  /** Per HTTP request. Default 15 000. */
  timeoutMs?: number;
  /** Whether a wallet on another chain may be asked to switch (`wallet_switchEthereumChain`). Default false: WRONG_CHAIN. */
  switchChain?: boolean;
}

export interface ChainContracts {
  /** The Delta contract: the only spender of a Delta order. */
  delta: Address;
  /** The wrapped native token Delta uses on that chain. */
  wrappedNative?: Address;
}

/** What `withWallet` takes: an EIP-1193 wallet, or functions of a local account (viem, ethers, own keys). */
export type WalletBinding =
  | { wallet: Eip1193Provider; account?: Address; switchChain?: boolean }
  | { request: Eip1193Provider["request"]; account?: Address; switchChain?: boolean }
  | {
      /** An address, or an object that has one (a viem account). */
      account: Address | { address: Address };
      signTypedData(typedData: TypedData): Promise<Hex>;
      sendTransaction?(transaction: { from: Address; to: Address; data: Hex; value: Hex; chainId: number }): Promise<Hex>;
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

export interface Client {
  /** The same client (caches, orders in flight) for another wallet or account. Cheap. */
  withWallet(binding: WalletBinding): Client;
  /** A price, compared with the request: tokens, chain, fixed amount, spender, fee, loss. Throws NO_ROUTE, VERIFY_MISMATCH. */
  quote(request: QuoteRequest, options?: CallOptions): Promise<DeltaQuote>;
  /** The service's typed data for the quote, verified field by field. Throws QUOTE_EXPIRED, VERIFY_MISMATCH. */
  build(quote: DeltaQuote, options: BuildOptions): Promise<DeltaBuild>;
  /** Approves exactly what is needed, resetting first where the token wants that. Opens no prompt when the allowance suffices. */
  approve(approval: Approval, options?: ApproveOptions): Promise<ApprovalResult>;
  /** Verifies once more, asks the wallet to sign, checks the signature, posts. Called twice for one order: one prompt, one post. */
  submit(build: DeltaBuild | SignedOrder, options?: SubmitOptions): Promise<Order>;
  /** The order each time it changed; ends at a terminal status. Polls with backoff. */
  watch(order: Order | string, options?: WatchOptions): AsyncGenerator<Order, void, void>;
  /** The order at its terminal status. */
  wait(order: Order | string, options?: WatchOptions): Promise<Order>;
  /** One order, by id or by order hash. */
  order(idOrHash: string, options?: CallOptions): Promise<Order>;
  /** A page of an account's orders. */
  orders(filter: OrdersFilter, options?: CallOptions): Promise<OrderPage>;
  /** Raw units of `token` that `account` holds. */
  balance(query: { chainId: number; token: string; account?: Address }, options?: CallOptions): Promise<Amount>;
  /** Raw units of `token` that the Delta contract (or `spender`) may take from `account`. */
  allowance(query: { chainId: number; token: string; account?: Address; spender?: Address }, options?: CallOptions): Promise<Amount>;
  /** Ends watches and requests in flight. A posted order is not affected. */
  close(): void;
}

/** Loads the module on first use, then makes a client. */
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
  /** The owner. Default: the client's account. */
  account?: Address;
  /** Who receives. Default: the owner. */
  beneficiary?: Address;
  /** Names for the report's sentence. The service's own strings are never used there. */
  srcSymbol?: string;
  destSymbol?: string;
  /** Default: the client's. */
  partner?: string;
  /** Fee asked for the partner, 0..200. */
  partnerFeeBps?: number;
  /** Who receives the partner's fee. */
  partnerAddress?: Address;
  /** The most the order may carry as fee, 0..200. Default: `partnerFeeBps` + 1 for `anon`; 200 for a named partner. */
  maxFeeBps?: number;
  /** The most the quote may lose by its own USD values. Default 1500 (15 %). */
  maxLossBps?: number;
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
  maxFeeBps: number;
  maxLossBps: number;
}

export interface DeltaQuote {
  kind: "delta";
  /** The service's id of this quote. */
  id: string | null;
  request: NormalizedRequest;
  /** What goes in. BUY: the expected amount. */
  srcAmount: Amount;
  /** What comes out. SELL: the expected amount. Before the partner fee. */
  destAmount: Amount;
  /** As the service values them, decimal text; null when it does not say. */
  srcUsd: string | null;
  destUsd: string | null;
  /** The gas the solver pays, taken out of the amounts, as the service states it. */
  gasFee: { token: Address; amount: Amount; amountUsd: string | null } | null;
  /** The fee included, in bps, rounded up; null when unknown. */
  feeBps: number | null;
  partnerName: string | null;
  /** The Delta contract: who would be approved. */
  spender: Address;
  /** Unix milliseconds at which the answer arrived, for display. The 30 s limit is kept by a monotonic clock. */
  receivedAtMs: number;
  report: Report;
  /** The service's route, verbatim, and the intent. Pass it on untouched. */
  sealed: string;
}

/** The least that arrives for `slippageBps` below the quote, after the fee, rounded down. For a BUY: the amount bought after the fee. */
export function minReceived(quote: DeltaQuote, slippageBps: number): Amount;
/** The most that is spent for `slippageBps` above the quote, rounded up. For a SELL: the amount sold. */
export function maxSpent(quote: DeltaQuote, slippageBps: number): Amount;

/* ------------------------------------------------------------------- build */

export interface BuildOptions extends CallOptions {
  /** 0..10000. Required: a silent default is a silent loss. */
  slippageBps: number;
  /** How long the order is good for. Default 1200 (20 min); above 86 400 only by `deadline`. */
  validForSecs?: number;
  /** Unix seconds, in place of `validForSecs`. */
  deadline?: number;
  /** Refuse an order that guarantees less than this (after the fee). */
  minReceived?: AmountInput;
  /** Refuse an order that may spend more than this. */
  maxSpent?: AmountInput;
  /** The owner, where neither request nor client named one. */
  account?: Address;
  /**
   * The request the quote is for. Needed only for a quote made by another client or before a reload; then `minReceived`
   * (BUY: `maxSpent`) is needed too.
   */
  request?: QuoteRequest;
}

export interface DeltaBuild {
  kind: "delta";
  orderKind: "Order";
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
  deadline: number;
  nonce: Amount;
  /** Exactly what the wallet will be asked to sign. */
  typedData: TypedData;
  report: Report;
  /** What has to be approved first; null when the allowance suffices. `current` is null when it could not be read. */
  approval: Approval | null;
  sealed: string;
}

export interface TypedData {
  types: Record<string, readonly { name: string; type: string }[]>;
  primaryType: string;
  domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address; salt?: Hex };
  message: Record<string, unknown>;
}

export type Verdict = "ok" | "mismatch" | "opaque" | "unknown";

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
  /** Present once there is typed data. */
  domainSeparator?: Hex;
  structHash?: Hex;
  digest?: Hex;
}

/* --------------------------------------------------------------- approvals */

export interface Approval {
  chainId: number;
  token: Address;
  owner: Address;
  spender: Address;
  /** What will be approved: exactly what the order may spend. */
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
  /** A signature made elsewhere over `build.typedData` (64 or 65 bytes). No wallet is asked. */
  signature?: Hex;
  onProgress?: (progress: Progress) => void;
  /**
   * The request the build is for, with your own bounds: `minReceived`, for a BUY also `maxSpent`. Needed only for a build
   * made by another client or before a reload: its price, slippage and deadline are somebody else's word. Without a
   * `deadline` here, the order's may be at most 24 hours ahead.
   */
  request?: QuoteRequest & Pick<BuildOptions, "minReceived" | "maxSpent" | "deadline">;
}

export interface Progress {
  step: "checking" | "signing" | "signed" | "posting" | "posted" | "resetting" | "approving" | "confirming" | "approved";
  /** A transaction hash, where one was sent. */
  transaction?: Hex;
  /** Present from "signed" on: keep it, `submit` takes it back. */
  signedOrder?: SignedOrder;
}

/** A signed order that `submit` accepts again: nothing signed is lost. */
export interface SignedOrder {
  kind: "signedOrder";
  chainId: number;
  owner: Address;
  orderHash: Hex;
  deadline: number;
  signature: Hex;
  sealed: string;
}

/* ------------------------------------------------------------------ orders */

export type OrderStatus =
  | "PENDING" | "AWAITING_SIGNATURE" | "ACTIVE" | "SUSPENDED" | "CANCELLING" | "BRIDGING"
  | "COMPLETED" | "FAILED" | "EXPIRED" | "REFUNDING" | "CANCELLED" | "REFUNDED"
  | (string & {});

export interface OrderSide {
  chainId: number;
  token: Address;
  amount?: Amount;
  expectedAmount?: Amount | null;
  executedAmount?: Amount | null;
  maxAmount?: Amount;
  minAmount?: Amount | null;
}

export interface OrderTransaction {
  originTx: Hex;
  destinationTx: Hex | null;
  filledPercent: number;
  spentAmount: Amount | null;
  receivedAmount: Amount | null;
}

/** An order as the service reports it; members this package does not know are kept. */
export interface Order {
  id: string;
  status: OrderStatus;
  side: Side;
  type: "MARKET" | "LIMIT";
  onChainOrderType: string;
  input: OrderSide;
  output: OrderSide;
  owner: Address;
  beneficiary: Address;
  orderHash: Hex;
  partner: string;
  order: Record<string, unknown>;
  transactions: OrderTransaction[];
  refunds: { tx: Hex; chainId: number; token: Address; amount: Amount }[];
  createdAt: string;
  updatedAt: string;
  expiresAt: string;
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

export interface OrderPage {
  data: Order[];
  total: number | null;
  page: number | null;
  limit: number | null;
  hasMore: boolean;
}

export interface WatchOptions extends CallOptions {
  /** The first pause between reads; grows to `maxIntervalMs`. Default 2000. */
  intervalMs?: number;
  /** Default 15 000. */
  maxIntervalMs?: number;
}

/** COMPLETED, FAILED, EXPIRED, CANCELLED, REFUNDED. */
export function isTerminal(order: Pick<Order, "status"> | OrderStatus): boolean;

/* ------------------------------------------------------------------ errors */

export type ErrorCode =
  | "INVALID_INPUT" | "UNSUPPORTED_CHAIN" | "NO_ROUTE" | "QUOTE_EXPIRED" | "VERIFY_MISMATCH" | "SIGNATURE_MISMATCH"
  | "USER_REJECTED" | "WRONG_CHAIN" | "WRONG_ACCOUNT" | "WALLET_PENDING" | "WALLET_FAILED" | "UNSUPPORTED_ACCOUNT"
  | "INSUFFICIENT_BALANCE" | "INSUFFICIENT_ALLOWANCE" | "RATE_LIMITED" | "SERVICE_REJECTED" | "SERVICE_MALFORMED"
  | "NETWORK" | "TIMEOUT" | "ABORTED" | "INTERNAL";

export type ErrorAction = "requote" | "approve" | "switchChain" | "retry" | "none";

/** Every error this package throws. Recognise it with `isTradeError`, not with instanceof. */
export interface TradeError extends Error {
  name: "TradeError";
  code: ErrorCode;
  /** What would help. */
  action: ErrorAction;
  /** Path of the input, option or payload member it is about. */
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
  /** The order that was signed before this error. Until `deadline` it may still be filled; `submit(signedOrder)` goes on. */
  signedOrder?: SignedOrder;
  /** The report with every check, where a verification failed. */
  report?: Report;
  /** The wallet's or network's original error, untouched. */
  cause?: unknown;
}

export function isTradeError(error: unknown): error is TradeError;
export function isTradeError<C extends ErrorCode>(error: unknown, code: C): error is TradeError & { code: C };

/* ---------------------------------------------------------- pure functions */

/** Loads the module; the pure functions below work once it has resolved. Importing alone does nothing. */
export function init(source?: WebAssembly.Module | BufferSource | Response | URL | Promise<Response>): Promise<void>;

/** The checks alone, for use between another SDK's build and sign. Throws VERIFY_MISMATCH. */
export function verifyOrder(input: VerifyOrderInput): Report;

export interface VerifyOrderInput {
  /** What the user asked for, with the owner in `account` and the build's options beside it. */
  request: QuoteRequest &
    Pick<BuildOptions, "slippageBps" | "minReceived" | "maxSpent"> & {
      /** When absent, the order's must be at most 24 hours ahead. */
      deadline?: number;
      /** When absent, any. */
      nonce?: AmountInput;
    };
  /** The service's `delta` block (route, spender, partner). */
  quote: unknown;
  /** `{ domain, types, value }` as the service built it: an object, or its JSON text. */
  toSign: unknown;
  orderHash: Hex;
  /** For chains that are not pinned. */
  contracts?: Record<number, ChainContracts>;
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
