/**
 * A swap interface without a view: form, live price, review, prompts, progress, outcome, and what the account traded
 * before. The state is plain data, replaced as a whole whenever it changes; every decision about a price or a prompt is
 * the client's.
 */
import type { Address, Amount, Side } from "./values.ts";
import type { TradeError } from "./errors.ts";
import type { Comparison, Quote, QuoteState } from "./quote.ts";
import type { DeltaBuild, MarketBuild, TransactionBuild } from "./build.ts";
import type { Approval, PermitKind } from "./permit.ts";
import type { HardwareScreen, Question, Report } from "./report.ts";
import type { SentTransaction, TradeStep } from "./signed.ts";
import type { ReviewStep } from "./trade.ts";
import type { Order } from "./orders.ts";
import type { Trade, UnreadableTrade } from "./trades.ts";
import type { Prompt, WalletBinding } from "./prompt.ts";
import type { Client } from "./client.ts";
import type { OpeningClient } from "./setup.ts";

/** Makes the controller of one form. Requests the first price at once, with an opening client while its module loads. */
export declare function createSwap(options: SwapOptions): Swap;

/** Options of `createSwap`. */
export interface SwapOptions {
  /** The client, or the one that `createClient` is making. The app closes it. */
  client: Client | OpeningClient;
  /** The form to begin with. */
  form: Pick<SwapForm, "src" | "dest"> & Partial<SwapForm>;
  /** Tokens whose balances are read besides the form's own. Default: none. */
  tokens?: readonly SwapToken[] | undefined;
}

/** A token as a form has it. Its address identifies it; anybody can name a token. */
export interface SwapToken {
  /** The chain. */
  chainId: number;
  /** The token; the native one as `NATIVE_TOKEN`. */
  address: Address;
  /** The symbol. */
  symbol: string;
  /** The decimals. */
  decimals: number;
  /** The name. */
  name?: string | undefined;
  /** An image: an https, ipfs or data URL. */
  logoURI?: string | undefined;
  /** Whether no list has it: the user gave its address, and its symbol is its own word. */
  isUnlisted?: boolean | undefined;
}

/** The form, as it is typed. */
export interface SwapForm {
  /** The token that is paid. */
  src: SwapToken;
  /** The token that is received; on another chain the order crosses. */
  dest: SwapToken;
  /** The side that `amount` fixes. Default `"SELL"`: the amount paid. */
  side: Side;
  /** The amount as text. */
  amount: string;
  /** At once, at a price, or in slices. Default `"swap"`. */
  kind: "swap" | "limit" | "slices";
  /** `"gasless"`: Market only where there is no gasless price. `"best"`: the better of both. Default `"gasless"`. */
  path: "gasless" | "market" | "best";
  /** With `"best"`: the user's own choice of both. Default null: the better one. */
  chosen: Quote["kind"] | null;
  /** Crosschain: the index of the chosen one of the quote's `alternatives`. Default null: the recommended route. */
  route: number | null;
  /**
   * Crosschain: the user accepts that only the bridge promises the arriving amount. Default false; a change of the bridge
   * takes it back.
   */
  acceptsPromise: boolean;
  /** The receiver as text. Default null: the account. */
  receiver: string | null;
  /** Basis points by which the outcome may be worse than the quote. Default 50. */
  slippageBps: number;
  /** Same as `TradeOptions.permit`. Default `"never"`: an approval. */
  permit: "never" | "whenPossible" | PermitKind;
  /** Whether a transaction consents in place of a signature (`preSign`). Default false. */
  preSign: boolean;
  /** The limit of a limit order: a price (whole `dest` for one `src`), or the amount of the other side. */
  limit: { by: "price" | "amount"; text: string; validForSecs: number; partiallyFillable: boolean };
  /** The slices: how many, seconds between two, and of a purchase the most that all may cost together. */
  slices: { count: string; intervalSecs: number; most: string };
}

/** The members of the form that can be wrong. */
export type SwapField = "amount" | "receiver" | "limit" | "slices" | "most" | "pair";

/**
 * The fault of a member. `"empty"`: nothing is typed yet. `"notNumber"`, `"tooManyDecimals"` (more than the token has),
 * `"tooLong"`; `"notAddress"`, `"wrongChecksum"`, `"isToken"` (the receiver is a token of the trade); `"sliceCount"`
 * (2 to 100); `"tooMuch"`: more than the account has; `"sameToken"`; `"crosschainKind"`: limits and slices stay on one chain.
 */
export interface SwapFault {
  /** The member. */
  field: SwapField;
  /** The fault. */
  reason: "empty" | "notNumber" | "tooManyDecimals" | "tooLong" | "notAddress" | "wrongChecksum" | "isToken" | "sliceCount"
    | "tooMuch" | "sameToken" | "crosschainKind";
}

/** The state of a form and its trade. */
export interface SwapState {
  /** The part of the interface that is shown. `"entry"`: one trade by itself (`entry`). */
  view: "form" | "review" | "refusal" | "entry";
  /** The form. */
  form: SwapForm;
  /** Its faults: none is reviewed with one. A price is requested once there is none but `"tooMuch"`, and those of `limit` and `most`. */
  faults: SwapFault[];
  /** The typed amount in raw units; null while it cannot be read. */
  amount: Amount | null;
  /** The live price of the form, as `watchQuotes` keeps it. */
  price: QuoteState;
  /** The quote that would be traded now: of `price`, by the choice of the form; null while there is none. */
  quote: Quote | null;
  /** The figures of that quote with the form's terms. */
  figures: SwapFigures | null;
  /** With `"best"`: the figures of both paths; crosschain: of each route. Empty where there is no choice. */
  choices: SwapChoice[];
  /** The wallet's account; null without one. */
  account: Address | null;
  /** The wallet's chain; null if it does not state one. */
  walletChainId: number | null;
  /** Whether the account has code: it may consent by a transaction. Null while that is not known. */
  hasCode: boolean | null;
  /** Raw units by `CHAINID/ADDRESS`, of the form's tokens and `options.tokens`; those that could not be read are absent. */
  balances: Record<string, Amount>;
  /** The trade's step, or the wait before it; null while nothing is under way. */
  busy: TradeStep | "cancelling" | null;
  /** The hardware wallet's display for the open prompt. */
  hardware: HardwareScreen | null;
  /** The review that waits for the user, or was agreed to and is carried out; null if none. */
  review: SwapReview | null;
  /** A newer build that is worse than, or different from, the one under review: `accept` takes it. Null if none. */
  moved: SwapReview | null;
  /** A payload that was not as requested: nothing was signed. */
  refusal: SwapRefusal | null;
  /** The failure that waits for a remedy; null if none. */
  failure: SwapFailure | null;
  /** The trade of the view `"entry"`; also one of `activity`. */
  entry: SwapEntry | null;
  /** Trades of the account. */
  activity: SwapActivity;
  /** Seconds until the service takes the next request; 0 if none waits. */
  waitSecs: number;
  /** Whether the journal outlives a reload; null while that is not known. */
  isStored: boolean | null;
  /** Whether the client is there. If it could not be made, its error is in `failure`. */
  isOpen: boolean;
}

/** A choice between quotes. */
export interface SwapChoice {
  /** The path, or crosschain the index of the route; null: the recommended one. */
  id: Quote["kind"] | number | null;
  /** The name of its bridge; null on one chain. */
  bridge: string | null;
  /** Its figures; null while they are not there, or with `error`. */
  figures: SwapFigures | null;
  /** Why there is none. */
  error: TradeError | null;
  /** Whether it is the one that is taken now. */
  isChosen: boolean;
  /** Whether it is the better one, as `Comparison.best` has it; of a route whether it is recommended. */
  isBest: boolean;
  /** The advantage of the better one, as `Comparison.differenceBps`. */
  differenceBps: Comparison["differenceBps"];
}

/**
 * The figures of a trade, in form, review, progress, receipt and list: all from `figuresOf`. Amounts are raw units of all
 * slices together, after the fee; null where they are not known.
 */
export interface SwapFigures {
  /** The kind of trade. */
  kind: "swap" | "limit" | "slices" | "crosschain" | "market";
  /** The fixed side. */
  side: Side;
  /** The chain and token that are paid, and its decimals by the request; null: not known. */
  src: { chainId: number; token: Address; decimals: number | null };
  /** The chain and token that arrive. */
  dest: { chainId: number; token: Address; decimals: number | null };
  /** The expected payment. */
  pay: Amount | null;
  /** The most that leaves the account. */
  payAtMost: Amount | null;
  /** The expected arrival. */
  get: Amount | null;
  /** The least that arrives; null crosschain unless `arrival` is `"guaranteed"`. */
  getAtLeast: Amount | null;
  /** Crosschain: whether the arriving amount is guaranteed; null on one chain, and where it is not known. */
  arrival: "guaranteed" | "promised" | null;
  /** The payment so far; null before anything was filled, and where no receipt shows it. */
  paid: Amount | null;
  /** The arrival so far. */
  received: Amount | null;
  /** The gain of an ended trade: better (positive) or worse than quoted, in bps of the side that was not fixed. */
  betterBps: number | null;
  /** The fee included, in bps; null if the service states none. */
  feeBps: number | null;
  /** Gas: its payer, and dollars as decimal text, of all slices together. */
  gas: { by: "solver" | "account"; usd: string | null } | null;
  /** Dollars of `pay` and `get` by the service, decimal text. */
  usd: { pay: string | null; get: string | null };
  /** Whole `dest` for one whole `src`, decimal text of six digits: of the outcome, else of the expectation. */
  rate: string | null;
  /** How far the bound of a build is below the reference prices, in bps; negative: above. Null before it is built. */
  belowMarketBps: number | null;
  /** The distance of a limit order above the present price, in bps. */
  aboveMarketBps: number | null;
  /** The receiver; null: not known. */
  receiver: Address | null;
  /** The last second in which it can be filled, unix seconds; null: no limit, or not known. */
  until: number | null;
  /** The plan of the slices, and how many are done. */
  slices: { count: number; intervalSecs: number; amount: Amount; done: number; nextAt: number | null } | null;
  /** Share that is filled, 0 to 100. */
  filledPercent: number;
  /** ETH to WETH, or back: what the auction costs, where wrapping is 1 : 1 by this contract. Null for all others. */
  wraps: { contract: Address } | null;
}

/** The figures of a quote with its terms, a build, an order, a sent swap, or a trade of the journal. */
export declare function figuresOf(what: FiguredTrade): SwapFigures;

/**
 * Input of `figuresOf`. `form`: the terms, such as `slippageBps`, where they are not the default. `made`: the build of this
 * session, with its quote, which has more of it than service and journal.
 */
export type FiguredTrade =
  | { quote: Quote; form: Partial<SwapForm> }
  | { build: DeltaBuild | MarketBuild; quote: Quote | null; route?: number | null | undefined }
  | { order: Order; trade: Trade | null; made?: MadeTrade | null | undefined }
  | { trade: Trade | null; sent: SentTransaction | null; moved: MovedAmounts | null; made?: MadeTrade | null | undefined };

/** A build, its quote, and crosschain the index of the chosen one of the quote's `alternatives`. */
export interface MadeTrade {
  /** The build. */
  build: DeltaBuild | MarketBuild;
  /** Its quote. */
  quote: Quote | null;
  /** Same as `SwapForm.route`. */
  route?: number | null | undefined;
}

/** Amounts that a receipt shows, raw units; null where it shows none for certain. */
export interface MovedAmounts {
  /** Left the sender. */
  paid: Amount | null;
  /** Reached the receiver. */
  received: Amount | null;
}

/** A review: what is about to be agreed to. */
export interface SwapReview {
  /** The build. */
  build: DeltaBuild | MarketBuild | TransactionBuild | PromptedCall;
  /** Its quote; null for a cancellation, and others without a price. */
  quote: Quote | null;
  /** Its figures; null for a cancellation, and a withdrawal. */
  figures: SwapFigures | null;
  /** The approval that comes first; null if none, or if it was given. */
  approval: Approval | null;
  /** The prompts that come, in order. */
  steps: ReviewStep[];
  /** How many of them were answered. */
  stepsDone: number;
  /** How many prompts of the trade the wallet answered with a signature or a transaction, those of an earlier build too. */
  prompts: number;
  /** The questions that are open. One that carries over to a renewed build keeps the id under which it was shown. */
  questions: Question[];
  /** Whether it was agreed to, and is carried out. */
  isAgreed: boolean;
  /** The next prompt of an agreed trade, held until `confirm`: a wallet's window opens only right after a click. Null if none. */
  prompt: Prompt | null;
  /** Whether a newer price took the place of the first one, under the eyes of the reader, and is no worse. */
  isRenewed: boolean;
  /** The orders that a cancellation ends. */
  cancels: SwapEntry[];
}

/** A cancellation by signature, or the next prompt of an unfinished trade, in the place of a build; its `prompt` has the payload. */
export interface PromptedCall {
  /** Tells it from a build. */
  kind: "prompt";
  /** The chain. */
  chainId: number;
  /** The account that signs. */
  owner: Address;
  /** The sentence, and the findings of the prompt's checks. */
  report: Report;
}

/** A refusal. */
export interface SwapRefusal {
  /** The error; its `report` has every check. */
  error: TradeError;
  /** The quote that was accepted; null if it was refused itself. */
  quote: Quote | null;
  /** The figures of what the user asked for. */
  figures: SwapFigures | null;
  /** How many prompts of the trade the wallet answered before. */
  prompts: number;
}

/** A way on after a failure. */
export type SwapRemedy =
  | "retry" | "requote" | "approve" | "preSign" | "useMaximum" | "switchChain" | "useWalletAccount" | "connect" | "check"
  | "replace" | "keepBoth" | "withoutJournal" | "acceptCosts" | "compare" | "lookUp" | "reload" | "startOver";

/** A failure, and what may help. */
export interface SwapFailure {
  /** The error. */
  error: TradeError;
  /** The ways on, the likeliest first; never empty. */
  remedies: SwapRemedy[];
  /** Whether a signed order may exist at the service: nothing is signed again before that is known. */
  isFateUnknown: boolean;
}

/** A trade of the account: a gasless order, a Market swap, or another transaction of this app. */
export interface SwapEntry {
  /** The order's hash, or the journal's id of a transaction. */
  id: string;
  /** The purpose: of a trade its kind, else that of the transaction; `"unreadable"`: an entry of the journal that cannot be read. */
  purpose: SwapFigures["kind"] | "otc" | "approve" | "fill" | "cancel" | "withdraw" | "revoke" | "presign" | "unreadable";
  /**
   * `"unfinished"`: it needs the user (`needs`). `"moving"`: under way, without the user. `"open"`: it waits for its price or
   * next slice. `"done"`; `"cancelled"`: given up, or its time ran out; `"failed"`.
   */
  state: "unfinished" | "moving" | "open" | "done" | "cancelled" | "failed";
  /** The last seen status: `Order.status`, `SentTransaction.status`, or `Trade.status`. */
  status: string | null;
  /** Same as `Trade.needs`. */
  needs: Trade["needs"];
  /** The figures; null where nothing is known of it. */
  figures: SwapFigures | null;
  /** The order, once the service has it. */
  order: Order | null;
  /** The transaction, of what is sent. */
  sent: SentTransaction | null;
  /** The journal's entry; null if it was not made here. */
  trade: Trade | UnreadableTrade | null;
  /** The sentence of the report; null if it was not made here. */
  sentence: string | null;
  /** Unix milliseconds. */
  startedAt: number | null;
  /** How it can be cancelled; null if it cannot. */
  cancel: "signature" | "transaction" | null;
  /** The figures of the same request at the present price, for a signed order that was not posted; null where it is not known. */
  today: SwapFigures | null;
  /** A failure of following it. */
  failure: SwapFailure | null;
  /** Whether it ended while another view was shown, and was not opened since. */
  isNews: boolean;
}

/** Trades of the account. */
export interface SwapActivity {
  /** All that are known, the latest first. */
  entries: SwapEntry[];
  /** Whether the service has more orders. */
  hasMore: boolean;
  /** Whether the journal, or the first page, was not read yet. */
  isFetching: boolean;
  /** Why orders or journal cannot be read; what is listed then is not all. */
  error: TradeError | null;
  /**
   * The native token that is deposited with Delta on the chain that the form pays on, and that no open order claims: its
   * raw units; null if there is none, or it is not known.
   */
  deposit: { chainId: number; amount: Amount } | null;
}

/** The controller of a form. Its functions may be taken off it. */
export interface Swap {
  /** The state now: a new object whenever it changes, never the same one changed. */
  readonly state: SwapState;
  /** Calls `listener` with each state from now on. Returns a function that ends that. */
  subscribe(listener: (state: SwapState) => void): () => void;
  /** Changes the form, as the user types. */
  change(form: Partial<SwapForm>): void;
  /** Exchanges the two tokens, and fixes the amount that was expected. */
  turn(): void;
  /** Fills in a share of the balance, 1 to 100 percent; of the native token without the gas of a deposit. */
  useShare(percent: number): Promise<void>;
  /** Trades by that wallet from now on; null: by none. Rejects if the wallet gives no account. */
  connect(wallet: WalletBinding | null): Promise<void>;
  /** Requests a price now. */
  refresh(): void;
  /** Builds the shown quote, and shows its review. */
  review(): void;
  /**
   * The user agrees to the shown review, and its first prompt opens; or to `review.prompt`. One click for each prompt. `accept`:
   * ids of the questions that were answered.
   */
  confirm(accept?: string[]): void;
  /** The user takes `moved` in the place of the review; it is not agreed to by that. */
  accept(): void;
  /** Does what may help after the shown failure, or that of the shown entry. `accept` as for `confirm`. */
  remedy(remedy: SwapRemedy, accept?: string[]): void;
  /** Leaves review, refusal or entry for the form. Trades that the wallet has go on. */
  back(): void;
  /** Shows one trade by itself. */
  open(id: string): void;
  /** Shows the review of a cancellation, of orders of one kind of cancellation. */
  cancel(ids: string[]): void;
  /** Shows the review of a withdrawal of `activity.deposit`. */
  withdraw(): void;
  /** Goes on with an unfinished trade: posts it, or shows the review of the prompt that it lacks. */
  resume(id: string): void;
  /** The user does not want an unfinished trade any more. */
  abandon(id: string): void;
  /** Reads the next page of orders. */
  loadMore(): void;
  /**
   * Ends all of it. Resolves once what the wallet was asked for is posted or sent: a client that is closed before leaves a
   * signature to its journal.
   */
  close(): Promise<void>;
}
