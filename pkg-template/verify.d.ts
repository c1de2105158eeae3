/**
 * `verified-swap/verify`: the checks alone. For a wallet, a co-signer, or an app that lets another SDK fetch and sign: no
 * client, no network, no wallet. `await init()` once; then every call is synchronous.
 *
 * Each verifier compares what somebody else built with what the user asked for, by the rules of the client
 * (docs/verification.md), and returns the client's report. It throws a `TradeError`: VERIFY_MISMATCH with the first member
 * that differs and a report of all; LOSS_TOO_HIGH if stated costs explain a bad price, or gas may cost too much (`transaction.gas`);
 * SERVICE_MALFORMED if the payload cannot be read, or has a number of 2^53 or more that is not in quotes, which JavaScript rounds;
 * INVALID_INPUT with the member of the input; UNSUPPORTED_CHAIN without a known contract.
 *
 * Nothing is refused for an open question: `report.questions` are for the user, and what they answer is the caller's
 * business. No chain is read: what a reading would judge is `unknown` in `report.checks` or named in `report.unread`,
 * unless `readings` brings it.
 *
 * An input is plain data: objects and lists of any realm, whose members all are own, enumerable and named by text. A getter, a
 * hidden member, a symbol, a list with holes, and an instance of a class are refused, because what is signed later could have
 * another value. A `Proxy` looks like plain data: check `structuredClone(payload)`, which refuses one, and sign that copy. It may
 * have 131,072 values, where a text or name counts as one more for each 32 characters and a shared value as often as it stands
 * there, 256 members in one object, and 64 levels; `explain` says `unread` of more. Typed data may have 8,192 values.
 */
import type {
  Address, AdvancedMarketBuildOptions, AdvancedQuoteRequest, AmountInput, Answer, BridgeInputAmount, ChainContracts, Eip1193Provider, Hex,
  ModuleSource, Permit, Prompt, PromptPart, PromptPurpose, Question, QuoteRequest, Report, StatedPrice,
} from "./index.js";
export type { Check, Question, Report, TradeError, Verdict } from "./index.js";
export { isSupported, isTradeError } from "./index.js";

/** Loads the module; with an argument from there: its URL, its bytes, or compiled. Rejects with a remedy. */
export function init(source?: ModuleSource): Promise<void>;

/**
 * A Delta order that the service or its SDK built, before it is signed.
 *
 * ```js
 * const built = structuredClone(await sdk.delta.buildDeltaOrder(...)); // { types, domain, data }; of release 10: toSign, orderHash
 * const report = verifyOrder({ request, quote: deltaPrice, toSign: built });
 * ```
 */
export function verifyOrder(input: VerifyOrderInput): VerifyReport;
/** A transaction that somebody else built, before it is sent: a swap by its calldata, any other by what was asked for. */
export function verifyTransaction(input: VerifyTransactionInput): VerifyReport;
/** A maker's OTC order that somebody else built, before the maker signs it. */
export function verifyOtc(input: VerifyOtcInput): VerifyReport;
/** A taker's fill of one or several signed OTC orders, before it is sent. */
export function verifyFill(input: VerifyFillInput): VerifyReport;
/**
 * A permit that somebody else prepared, before the owner signs it. One of DAI's kind has a question: it has no amount. So has
 * one whose domain names no chain, neither as `chainId` nor as its salt.
 */
export function verifyPermit(input: VerifyPermitInput): VerifyReport;
/** The typed data that asks the service to drop orders. It ends none on chain: whoever has the signature can have it filled. */
export function verifyCancellation(input: VerifyCancellationInput): VerifyReport;

/**
 * What a wallet is asked to sign or send, if no request of the user's is known: what it does in sentences and in facts, what is
 * unusual about it, and what of it cannot be read (docs/explain.md). It calls nothing harmless: an answer without findings is one
 * in which nothing is known to be wrong. It throws for a malformed `context`, never for what the payload holds.
 *
 * `call` is `{ method, params }` as a wallet gets it, or what a MetaMask Snap's `onSignature` or `onTransaction` gets, or
 * `{ raw }`, an unsigned transaction in its serialized form, or `{ kind: "message", bytes, account }`, the bytes that a wallet is
 * about to sign as a message (`personal_sign`), after its own reading of what a page passed.
 */
export function explain(call: ExplainCall, context: ExplainContext): Explanation;

/**
 * The tables that are compiled in, each with the day (`2026-11-28`) on which it was last compared with its sources
 * (docs/tables.md): the operator's contracts, tokens with their decimals, factories of pools, feeds, the operator's old contracts,
 * delegates of accounts, contracts of other services.
 */
export function tables(): Record<"contracts" | "assets" | "factories" | "feeds" | "spenders" | "delegates" | "services", string>;

/**
 * An EIP-1193 provider around another one: nothing that it is not known to only read gets to the wallet before `onPrompt` agreed.
 * Call `await init()` before.
 *
 * - Methods of a table that only read pass, and `eth_requestAccounts`, without parameters. Every other one waits, by whatever
 *   style it is called (`request`, `send`, `sendAsync`, a batch), and one that nobody knows yet.
 * - Parameters are read once, when the call is made. The copy is explained, and the wallet gets `explanation.request`, the form in which
 *   it was read; what cannot be read goes as it is. A getter, a class, or what is too large: -32602.
 * - The wallet's answers, and the values of events, are copies without functions.
 * - Chain and accounts are the provider's own: read before `onPrompt` is asked, and once more after it answered.
 * - `false`, an open question, an answer of another kind, and a function that throws: 4001. What `request` does not ask for: 4100,
 *   with the `TradeError` as `cause`, and `onPrompt` is not asked. Another chain after the answer: 4901; other accounts: 4100.
 * - Of the provider's other members only those are there that are no object and no function (`isMetaMask`).
 *
 * A client whose `onPrompt` is the same function asks it first, with what only the client knows; the guard then lets that
 * payload pass once, and asks about everything else. What it helps against, and where: docs/guides/guard.md.
 *
 * ```js
 * const wallet = guard(window.ethereum, { onPrompt: ({ sentence }) => confirm(sentence) });
 * ```
 */
export function guard(provider: Eip1193Provider, options: GuardOptions): GuardedProvider;

/** Options of `guard`. Where a function is allowed, it is called for each prompt, and may return a promise. */
export interface GuardOptions {
  /** Asked before anything that is not known to only read. It may be the client's: `Prompt` has the same members. */
  onPrompt(prompt: GuardPrompt): Answer | Promise<Answer>;
  /**
   * What the user asked for: what is signed or sent has to be one of these, and is then `verified`; anything else that signs or
   * sends is refused. None (`undefined`): it is `explained`. An empty list: nothing was asked for, so nothing is signed. Each is for
   * one payload: see `isRepeated`. Two are the same by verifier, `kind`, `request` and `orders`; for two payloads state it twice.
   */
  request?: Asked | Asked[] | (() => Asked | Asked[] | undefined | Promise<Asked | Asked[] | undefined>) | undefined;
  /**
   * What the caller knows beside the payload, as for `explain`. `accounts` are those that the wallet does not name: contract
   * accounts, Safes. The chain is the provider's.
   */
  context?: GuardContext | (() => GuardContext | Promise<GuardContext>) | undefined;
}
/** The context of `explain`, without what the guard reads itself. */
export type GuardContext = Omit<ExplainContext, "accounts" | "chainId"> & { accounts?: readonly Address[] | undefined };

/** What the user asked for: the name of a verifier, and its input without the payload, as in `verified-swap/vectors`. */
export type Asked =
  | { verifier: "verifyOrder"; input: Omit<VerifyOrderInput, "toSign"> }
  | { verifier: "verifyOtc"; input: Omit<VerifyOtcInput, "toSign"> }
  | { verifier: "verifyPermit"; input: Omit<VerifyPermitInput, "toSign"> }
  | { verifier: "verifyCancellation"; input: Omit<VerifyCancellationInput, "toSign"> }
  | { verifier: "verifyFill"; input: Omit<VerifyFillInput, "transaction"> }
  | { verifier: "verifyTransaction"; input: WithoutTransaction<VerifyTransactionInput> };
/** Of each kind by itself. */
type WithoutTransaction<Input> = Input extends unknown ? Omit<Input, "transaction"> : never;

/** A prompt that waits: members of the client's `Prompt`, and what a guard knows beside them. Plain JSON. */
export interface GuardPrompt
  extends Omit<Prompt, "purpose" | "verdict" | "parts" | "questions" | "findings" | "orderHash" | "permit" | "orderIds" | "isRepeated"> {
  /** The client's purpose, `switchChain`, or the kind of the payload. */
  purpose: PromptPurpose | ExplainedKind | "switchChain";
  /**
   * `verified`: it is what `request` asks for. `explained`: it was read, and nobody said what it should be. `unread`: what decides
   * what it does could not be read.
   */
  verdict: "verified" | "explained" | "unread";
  /** What the wallet is given: the client's form, or method and parameters. Somebody else's text: show `sentence`, not these. */
  parts: (PromptPart | { sentence: string; method: string; params: unknown })[];
  /** The questions of the reports, each to be answered by its id. What only has to be known is in `findings`. */
  questions: Question[];
  /**
   * The findings of `explain`, which need no answer. It is given the contracts and prices of the verified request. The checks of the verifier
   * are in `reports`.
   */
  findings: Finding[];
  /**
   * Whether the request that this is is in use, or was used up by a signature, a hash, or a failure other than the user's no (4001). It
   * is held to the request all the same, and `explained`, not `verified`.
   */
  isRepeated: boolean;
  /** The method that the page called: any text. */
  method: string;
  /** What the payload is. */
  explanation: Explanation;
  /** One for each payload, if there is a request. */
  reports: VerifyReport[];
}

/** What `guard` makes. The legacy calls are those that MetaMask documents. */
export interface GuardedProvider extends Eip1193Provider {
  send(method: string, params?: unknown): Promise<{ id: unknown; jsonrpc: "2.0"; result: unknown }>;
  send(payload: object): Promise<{ id: unknown; jsonrpc: "2.0"; result: unknown }>;
  send(payload: object, callback: (error: unknown, response: unknown) => void): void;
  sendAsync(payload: object, callback: (error: unknown, response: unknown) => void): void;
  enable(): Promise<unknown>;
  /** Events of EIP-1193, if the provider has them. A listener is called without `this`. */
  on(event: string, listener: (...values: any[]) => void): GuardedProvider;
  removeListener(event: string, listener: (...values: any[]) => void): GuardedProvider;
  /** Texts, numbers and booleans of the provider. */
  readonly [name: string]: unknown;
}

/** What `explain` takes. */
export type ExplainCall =
  | { method: string; params?: unknown }
  | { signature: { from?: string; data: unknown; signatureMethod: string }; signatureOrigin?: string }
  | { transaction: object; chainId?: string; transactionOrigin?: string }
  | { raw: Hex }
  | { kind: "message"; bytes: Hex; account: Address };

/** What the caller knows beside the payload. What is said by it is marked as the caller's. */
export interface ExplainContext {
  /** The user's accounts, contract accounts and Safes among them: any other address is somebody else's. */
  accounts: readonly Address[];
  /** The chain that the wallet is on. */
  chainId: number;
  /** Unix seconds; this machine's clock if it is absent. */
  now?: number | undefined;
  /** Who asks: a page's origin. It is shown, and compared with the place of a sign-in. */
  origin?: string | undefined;
  /** What the caller calls tokens, and their decimals. `chainId` is the context's if it is absent. */
  tokens?: { address: Address; chainId?: number | undefined; symbol?: string | undefined; decimals?: number | undefined }[] | undefined;
  /** Addresses that the user names. */
  addressBook?: { address: Address; name: string }[] | undefined;
  /** Dollars of one whole token, decimal text, by chain and address; `native` for the native token. */
  references?: Record<number, Record<string, string>> | undefined;
  /** The service's contracts by chain id, for chains that are not pinned. */
  contracts?: Record<number, ChainContracts> | undefined;
  /** The Safe that a `SafeTx` is for, so that its hash can be told. */
  safe?: { address: Address; version: string; nonce: AmountInput } | undefined;
}

/** What a payload can be. As of all ids, new ones come in minor versions, and none is renamed. */
export type ExplainedKind =
  | "account.call" | "account.signature" | "authorization" | "batch" | "chain" | "delegation"
  | "delta.call" | "delta.cancellation" | "delta.externalOrder" | "delta.fillableOrder" | "delta.order" | "delta.twapBuyOrder"
  | "delta.twapOrder" | "erc20.approval" | "erc20.authorization" | "erc20.transfer" | "hash" | "item.transfer"
  | "market.swap" | "message" | "name" | "native.transfer" | "native.wrap" | "otc.cancellation"
  | "otc.fill" | "otc.order" | "permission" | "permit.dai" | "permit.eip2612" | "permit2.allowance"
  | "permit2.transfer" | "request" | "safe.message" | "safe.transaction" | "service.lending" | "service.trade"
  | "token" | "token.operator" | "transaction" | "typedData" | "userOperations";
/** The parts of sentences. */
export type PartId =
  | "about" | "account" | "account.control" | "account.other" | "account.signs" | "allow"
  | "allow.less" | "allow.more" | "allow.none" | "allow.unlimited" | "and" | "authorization.end"
  | "batch" | "bridge.enters" | "bridge.ifBridged" | "bridge.ifDelivered" | "bridge.output" | "bridge.promise"
  | "buy" | "bySignature" | "bySignature.from" | "bySignature.until" | "call" | "chain.add"
  | "create" | "delegatecall" | "delegation" | "delegation.caveats" | "delegation.everyChain" | "delegation.none"
  | "delegation.signed" | "deposit" | "expires" | "fee" | "fee.withoutGas" | "for"
  | "for.atLeast" | "for.atMost" | "gas.paid" | "hash" | "hash.call" | "inParts"
  | "lending" | "name.register" | "name.renew" | "nonce.invalidate" | "on" | "operator"
  | "operator.none" | "order.cancel" | "order.cancelAtService" | "otc.cancel" | "otc.cancelOne" | "otc.give"
  | "otc.offer" | "otc.open" | "otc.openUntil" | "pay" | "permission.atOnce" | "permission.every"
  | "permission.inAll" | "permit2.endAllowances" | "permit2.endTransfers" | "preSign" | "preSign.none" | "rests"
  | "rests.inParts" | "safe" | "safe.message" | "sell" | "send" | "service"
  | "slice.one" | "slices" | "take" | "text" | "to" | "to.anybody"
  | "to.handler" | "to.unbound" | "token.watch" | "typedData" | "typedData.nowhere" | "unread"
  | "unwrap" | "withdraw" | "wrap";
/** What can be found: docs/explain.md says each in words. */
export type FindingId =
  | "account.control" | "address.resembles" | "amount.unlimited" | "amount.unlimitedUnknown" | "batch.called" | "bridge.factor"
  | "bridge.unjudged" | "bytes.unread" | "call.malformed" | "call.unknown" | "call.unknownPaid" | "chain.currency"
  | "chain.nodes" | "chain.other" | "code.created" | "contract.other" | "contract.unknown" | "deadline.far"
  | "deadline.none" | "deadline.passed" | "deadline.unjudged" | "delegatecall" | "delegatecall.batch" | "delegation"
  | "delegation.bounded" | "delegation.everyChain" | "delegation.none" | "delegation.open" | "domain.chainless" | "domain.contract"
  | "domain.foreign" | "domain.own" | "fee.high" | "fee.surplus" | "fee.unknown" | "gas.high"
  | "handler.unknown" | "hash.personal" | "hash.raw" | "hash.unread" | "inner.tooMany" | "json.duplicate"
  | "json.refused" | "member.extra" | "member.unread" | "message.form" | "method.unknown" | "number.form"
  | "operation.unknown" | "operator.all" | "permission.unknown" | "price.poor" | "price.unjudged" | "receiver.named"
  | "receiver.other" | "receiver.unbound" | "request.decoy" | "route.argument" | "route.module" | "route.tokens"
  | "safe.hash" | "safe.other" | "safe.refund" | "sender.other" | "signIn.origin" | "signIn.unjudged"
  | "spender.retired" | "spender.service" | "spender.signed" | "spender.unknown" | "text.cut" | "token.alias"
  | "token.unknown" | "transfer.out" | "transfer.signed" | "typedData.unhashable" | "typedData.unknown" | "userOperation.gas"
  | "userOperation.init" | "userOperation.paymaster" | "value.extra" | "value.other";

/** A value with its type, its text, and a form that is safe to show. */
export interface ShownValue {
  type: string;
  value: string;
  display: string;
  /** Of an amount, raw units, and of so many of an item: the token, and its chain. */
  token?: Address | undefined;
  chainId?: number | undefined;
  /** The number of an item (ERC-721, ERC-1155). */
  item?: string | undefined;
  /** Who says the name in `display`, if there is one. */
  statedBy?: "table" | "caller" | "payload" | undefined;
}

/** Something that a person should know of a payload. */
export interface Finding {
  id: FindingId;
  /** `danger`: tokens or control can go to somebody who is not named, or it is something else than it looks like. `caution`: unusual, or not read. `info`: a fact. */
  severity: "info" | "caution" | "danger";
  field: string;
  values: Record<string, ShownValue>;
  text: string;
  /** The anchor of docs/explain.md that says the rule. */
  link: string;
}

/** The answer of `explain`: plain JSON, no BigInt. */
export interface Explanation {
  kind: ExplainedKind;
  /** `unread`: what decides what it does could not be read. */
  verdict: "explained" | "unread";
  title: string;
  /** The parts in English. */
  sentence: string;
  parts: { id: PartId; values: Record<string, ShownValue> }[];
  /** Of this payload alone: those of what is inside are in `inner`. */
  facts: Record<string, unknown>;
  findings: Finding[];
  coverage: { bytes: { read: number; total: number }; fields: { read: number; total: number } };
  /** Paths of what was not read. */
  opaque: string[];
  digests: Record<string, Hex>;
  inner: Explanation[];
  /**
   * The call in the form that was read; forward this one. A message is `0x` and hex, numbers are hex quantities, accounts have their
   * checksum, typed data is JSON text; a member that is not read (`member.unread`) stays as it is, and a parameter beyond those of the
   * method is left out. `null` if the form was not read, for what is `inner`, for `{ raw }` and a Snap's transaction. Not to be shown.
   */
  request: { method: string; params: unknown[] } | null;
}

/** The client's report, and what was not read. */
export interface VerifyReport extends Report {
  /** The readings and prices that would judge more and were not brought, by their names; some nobody can bring here. */
  unread: string[];
  /**
   * Of typed data: the text to sign, `{ types, primaryType, domain, message }` as JSON, written from what was checked. Pass it to
   * `eth_signTypedData_v4`, or `JSON.parse` it for a library; post the service's own value, unchanged.
   */
  toSign?: string | undefined;
  /** Of a transaction that states a price of gas: what its gas may cost at most, wei. A limit that is not stated counts as its least. */
  gasAtMost?: string | undefined;
}

/** The price of one `src` in `dest` from a source of the caller's: decimal text. Both are the tokens of the request. */
export interface PairPrice {
  src: Address;
  dest: Address;
  price: string;
}

/** The members that every verifier takes. */
interface Shared<Readings> {
  /** Contracts by chain id, for chains that are not pinned. Never take them from the service. */
  contracts?: Record<number, ChainContracts> | undefined;
  /** The time, unix seconds, in place of this machine's. */
  now?: number | undefined;
  /** What the caller has read from the chain. */
  readings?: (Readings & { /** The timestamp of the last block, unix seconds. */ time?: number | undefined }) | undefined;
}
/** The tokens' own answers to `decimals()`; of a token of the package's table they are known. */
interface Decimals {
  srcDecimals?: number | undefined;
  destDecimals?: number | undefined;
}
/**
 * Typed data as it was built, an object or its JSON text: `{ domain, types, value }` of the service, with `data` in place of
 * `value` as the operator's SDK has it, or `message` as wallets are given it.
 */
export type TypedDataInput =
  | {
      domain?: object | undefined;
      types: object;
      primaryType?: string | undefined;
      value?: object | undefined;
      data?: object | undefined;
      message?: object | undefined;
    }
  | string;

/** The readings that value an order's gas. Without them no gas excuses a price: see the question `gasUnjudged`. */
interface GasPrices {
  /** Wei for a unit of gas on the order's chain, `eth_gasPrice`. */
  gasPrice?: AmountInput | undefined;
  /** The price of its native token; not needed where that token or its wrapped form is traded. */
  nativePrice?: NativePrice | undefined;
  /** The same for `destChainId`, across chains: the gas of both is paid out of the price. */
  destGasPrice?: AmountInput | undefined;
  /** The same for the native token there. */
  destNativePrice?: NativePrice | undefined;
}
/** The price of one whole native token: `src` is its placeholder, `dest` the request's `destToken`, `price` decimal text. */
interface NativePrice { src: Address; dest: Address; price: string }

/** Input of `verifyOrder`. */
export interface VerifyOrderInput extends Shared<Decimals & GasPrices> {
  /** The user's request, with the price as slippage or limit (TWAP BUY: `maxSrcAmount`). There is no default. */
  request: VerifyOrderRequest;
  /** The service's price: the `delta` block of a quote, or the operator's SDK's DeltaPrice, also its flat one of version 9. */
  quote: unknown;
  /** The typed data. */
  toSign: TypedDataInput;
  /** The hash that the service states, if it does; compared with the one computed here. */
  orderHash?: Hex | undefined;
  /** The price of one `request.srcToken` in `request.destToken`. Without it the price is a question. */
  reference?: PairPrice | undefined;
}

/** A request and its terms, with one of the three prices. */
export type VerifyOrderRequest = OrderRequest & Exclude<StatedPrice, { limitPrice: string }>;
/** One interface for both kinds of requests: of a union, TypeScript names the members that the other kind lacks. */
interface OrderRequest extends Omit<QuoteRequest, "account" | "advanced">, Omit<VerifyOrderTerms, "advanced"> {
  /** Members that few requests have. */
  advanced?: (AdvancedQuoteRequest & AdvancedVerifyOrderTerms) | undefined;
  /** TWAP only, as in `TwapRequest`. */
  numSlices?: number | undefined;
  /** TWAP only, as in `TwapRequest`. */
  intervalSecs?: number | undefined;
}

/**
 * The options with which the order was built; a limit as an amount, its time as a deadline. An absent option was not
 * requested: an order that contains it is refused, unless the option's doc says otherwise.
 */
export interface VerifyOrderTerms {
  /** The owner. */
  account: Address;
  /** The largest distance between the quote and the settlement, 0..10000 bps. */
  slippageBps?: number | undefined;
  /**
   * The exact deadline, unix seconds. When absent: not passed yet and at most 24 hours ahead; TWAP: at most 24 hours
   * after the last slice.
   */
  deadline?: number | undefined;
  /** The exact nonce. When absent: any. */
  nonce?: AmountInput | undefined;
  /** The least that must arrive: raw units after the fee, of all slices together. */
  minReceived?: AmountInput | undefined;
  /** The most that may be spent: raw units, of all slices together. */
  maxSpent?: AmountInput | undefined;
  /** Default `"MARKET"`; with a limit, `"LIMIT"`. */
  type?: "MARKET" | "LIMIT" | undefined;
  /** The limit, in raw units. SELL: the least bought; TWAP: of one slice. BUY: the most sold. */
  limitAmount?: AmountInput | undefined;
  /** Whether the order may be filled in parts. */
  partiallyFillable?: boolean | undefined;
  /** TWAP BUY, required there: the most that all slices together may spend, raw units. */
  maxSrcAmount?: AmountInput | undefined;
  /** The permit the order carries. Another SDK's too, because it needs no `sealed`. */
  permit?: Omit<Permit, "sealed"> | undefined;
  /** As `BuildOptions.minBridgeInput`. */
  minBridgeInput?: BridgeInputAmount | undefined;
  /** As `BuildOptions.acceptUnguaranteedArrival`. */
  acceptUnguaranteedArrival?: boolean | undefined;
  /** Options that few orders have. */
  advanced?: AdvancedVerifyOrderTerms | undefined;
}

/** `advanced` of `VerifyOrderTerms`. */
export interface AdvancedVerifyOrderTerms {
  /** Crosschain: index into the quote's `alternatives`. When absent: the quote's own route. */
  route?: number | undefined;
  /** The bytes the order carries. When absent: any, at most 1024. */
  metadata?: Hex | undefined;
  /** When absent: as `request.agreement` says, else false. */
  takeSurplus?: boolean | undefined;
  /** When absent: true, unless `request.agreement.capSurplus` is false. */
  capSurplus?: boolean | undefined;
  /** The contract that handles the order, and the bytes for it (`ExternalOrder`). */
  external?: { handler: Address; data: Hex } | undefined;
  /** As in `AdvancedBuildOptions`. */
  bridgeInputPriceUsd?: string | undefined;
  /** Decimals of the token that enters the bridge. Needed for an uncommon token: no chain is read here. */
  bridgeInputDecimals?: number | undefined;
}

/**
 * A transaction as it was built; numbers in decimal, or in hex as JSON-RPC has them. It may have what viem, ethers, web3, MetaMask and
 * Safe's transaction service put beside these members: `nonce`, `type`, `accessList`, `safeTxGas`. Any other member is
 * VERIFY_MISMATCH, and so is another `input` than `data`, and a Safe's `operation`, `gasPrice`, `gasToken` or `refundReceiver` but 0.
 */
export interface BuiltTransaction {
  from: Address;
  to: Address;
  value?: AmountInput | undefined;
  data: Hex;
  chainId?: number | string | undefined;
  /** What its gas may cost is `gasAtMost` of the report; beyond 0.02 ether and 5 % of what the trade gives it is LOSS_TOO_HIGH. */
  gas?: AmountInput | number | undefined;
  gasPrice?: AmountInput | number | undefined;
  maxFeePerGas?: AmountInput | number | undefined;
  maxPriorityFeePerGas?: AmountInput | number | undefined;
  /** The batch's (EIP-5792), of a call in one: a paymaster's alone (docs/wallets.md), which the sentence ends in. Any other is VERIFY_MISMATCH. */
  capabilities?: object | undefined;
  [member: string]: unknown;
}

/** Input of `verifyTransaction`, by `kind`. */
export type VerifyTransactionInput = Shared<Decimals> & { transaction: BuiltTransaction | string } & (
    | {
        kind: "swap";
        /** The user's request with its options: `slippageBps`, `minReceived`, `maxSpent`, and others of a Market build. */
        request: Omit<QuoteRequest, "advanced"> & {
          account: Address;
          slippageBps: number;
          advanced?: (AdvancedQuoteRequest & AdvancedMarketBuildOptions) | undefined;
        } & Record<string, unknown>;
        /** The service's `priceRoute`. */
        quote: unknown;
        reference?: PairPrice | undefined;
      }
    | {
        kind: "approval";
        /**
         * `path` is the protocol whose contract may take the token; `spender` only to name Permit2 in its place. `amount` is
         * compared exactly: that of an `Approval` of the package is for the order and for the own open orders of the token
         * (`forOpenOrders`, `claimed`), which nothing here reads.
         */
        request: OnChain & { path: "delta" | "market" | "otc"; token: Address; amount: AmountInput | "unlimited"; spender?: Address | undefined };
      }
    | { kind: "revocation"; request: OnChain & { token: Address; spender: Address } }
    | { kind: "cancellation"; request: OnChain & { /** The order, as its typed data. */ order: TypedDataInput } }
    | { kind: "otcCancellation"; request: OnChain & { orderHashes: Hex[] } }
    | { kind: "preSignature"; request: OnChain & { orderHash: Hex; /** The native token to send along, wei. */ deposit?: AmountInput | undefined } }
    | { kind: "withdrawal"; request: OnChain & { /** Wei. */ amount: AmountInput } }
  );
/** The chain, and the account that sends. */
interface OnChain {
  chainId: number;
  account: Address;
}

/** Input of `verifyOtc`. */
export interface VerifyOtcInput extends Shared<{ makerDecimals?: number | undefined; takerDecimals?: number | undefined }> {
  /** The maker's request, as of `client.otc.build`, with `maker`. */
  request: object & { maker: Address };
  /** The typed data. */
  toSign: TypedDataInput;
  /** The order's hash, if it is stated. */
  orderHash?: Hex | undefined;
}

/** Input of `verifyFill`. */
export interface VerifyFillInput
  extends Shared<{
    makerDecimals?: number | undefined;
    takerDecimals?: number | undefined;
    /** By order hash: the contract's answer to `remaining`, the maker's funds, and whether the maker's code accepts. */
    orders?: Record<Hex, { remaining: AmountInput; balance: AmountInput; allowance: AmountInput; accepted?: boolean | undefined }> | undefined;
  }> {
  /**
   * The taker's request: the options of `client.otc.buildFill`, with `account`, and the tokens that the taker gets (`makerAsset`) and
   * pays (`takerAsset`): both are required with a `reference`, and the orders are held to them.
   */
  request: { account: Address; makerAsset?: Address | undefined; takerAsset?: Address | undefined } & Record<string, unknown>;
  /** The signed orders: one, or a list of at most 100 of one pair. */
  orders: object | object[];
  transaction: BuiltTransaction | string;
  /** The price of one `request.takerAsset` in `request.makerAsset`. Without it the price is a question. */
  reference?: PairPrice | undefined;
}

/** Input of `verifyPermit`. */
export interface VerifyPermitInput
  extends Shared<{
    /** The owner's next nonce, by the token or by Permit2. */
    nonce?: AmountInput | undefined;
    /** The token's answer to `DOMAIN_SEPARATOR()`. */
    domainSeparator?: Hex | undefined;
  }> {
  /**
   * What the owner is ready to let the protocol's contract take, raw units (DAI's kind has no amount: not compared). Without
   * `deadline`, a day ahead passes.
   */
  request: {
    kind: Permit["kind"] | "dai";
    path: "delta" | "market" | "otc";
    chainId: number;
    token: Address;
    owner: Address;
    amount: AmountInput;
    deadline?: number | undefined;
    nonce?: AmountInput | undefined;
  };
  toSign: TypedDataInput;
}

/** Input of `verifyCancellation`. */
export interface VerifyCancellationInput extends Shared<{}> {
  request: { chainId: number; /** The service's ids, at most 100, in the order in which they are signed. */ orderIds: string[] };
  toSign: TypedDataInput;
}
