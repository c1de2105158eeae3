import type { Address, AmountInput, Hex } from "./values.ts";
import type { Report } from "./report.ts";
import type { ChainContracts } from "./settings.ts";
import type { Permit } from "./permit.ts";
import type { AdvancedQuoteRequest, OwnPrices, QuoteRequest } from "./request.ts";
import type { AdvancedBuildOptions, AdvancedMarketBuildOptions, BuildOptions, StatedPrice } from "./build.ts";
import type { ModuleSource } from "./setup.ts";

/** Loads the module; with an argument from there: its URL, its bytes, or compiled. Rejects with a remedy. */
export declare function init(source?: ModuleSource): Promise<void>;

/**
 * A Delta order that the service or its SDK built, before it is signed.
 *
 * ```js
 * const built = structuredClone(await sdk.delta.buildDeltaOrder(...)); // { types, domain, data }; of release 10: toSign, orderHash
 * const report = verifyOrder({ request, quote: deltaPrice, toSign: built });
 * ```
 */
export declare function verifyOrder(input: VerifyOrderInput): VerifyReport;

/** A transaction that was built elsewhere, before it is sent: a swap by its calldata, any other by what was asked for. */
export declare function verifyTransaction(input: VerifyTransactionInput): VerifyReport;

/** A maker's OTC order that was built elsewhere, before the maker signs it. */
export declare function verifyOtc(input: VerifyOtcInput): VerifyReport;

/** A taker's fill of one or several signed OTC orders, before it is sent. */
export declare function verifyFill(input: VerifyFillInput): VerifyReport;

/**
 * A permit that was prepared elsewhere, before the owner signs it. One of DAI's kind has a question: it has no amount. So has
 * one whose domain names no chain, neither as `chainId` nor as its salt.
 */
export declare function verifyPermit(input: VerifyPermitInput): VerifyReport;

/** The typed data that asks the service to drop orders. It ends none on chain: a holder of the signature can have it filled. */
export declare function verifyCancellation(input: VerifyCancellationInput): VerifyReport;

/** The client's report, and what was not read. */
export interface VerifyReport extends Report {
  /** The readings and prices that would judge more and were not brought, by their names; some cannot be brought here. */
  unread: string[];
  /**
   * The text to sign, for typed data: `{ types, primaryType, domain, message }` as JSON, written from what was checked. Pass it to
   * `eth_signTypedData_v4`, or `JSON.parse` it for a library; post the service's own value, unchanged.
   */
  toSign?: string | undefined;
  /** The most that its gas may cost, wei, for a transaction that states a price of gas. A limit that is not stated counts as its least. */
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
  /** The caller's readings of the chain. */
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

/** A request and its terms, with one of the three prices; a limit as an amount. */
export type VerifyOrderRequest = OrderRequest & Exclude<StatedPrice, { limitPrice: string }>;

/** One interface for both kinds of requests: of a union, TypeScript names the members that the other kind lacks. */
interface OrderRequest extends Omit<QuoteRequest, "account" | "advanced">, Omit<VerifyOrderTerms, "advanced"> {
  /** Members that few requests have. */
  advanced?: (AdvancedQuoteRequest & OwnPrices & AdvancedVerifyOrderTerms) | undefined;
  /** TWAP only, as in `TwapRequest`. */
  numSlices?: number | undefined;
  /** TWAP only, as in `TwapRequest`. */
  intervalSecs?: number | undefined;
}

/**
 * The options with which the order was built, beside its price; its time as a deadline. An absent option was not
 * requested: an order that contains it is refused, unless the option's doc says otherwise.
 */
export interface VerifyOrderTerms
  extends Pick<BuildOptions, "minReceived" | "maxSpent" | "type" | "partiallyFillable" | "minBridgeInput" | "acceptUnguaranteedArrival"> {
  /** The owner. */
  account: Address;
  /**
   * The exact deadline, unix seconds. When absent: not passed yet and at most 24 hours ahead; TWAP: at most 24 hours
   * after the last slice.
   */
  deadline?: number | undefined;
  /** The exact nonce. When absent: any. */
  nonce?: AmountInput | undefined;
  /** The permit the order carries. Another SDK's too, because it needs no `sealed`. */
  permit?: Omit<Permit, "sealed"> | undefined;
  /** Options that few orders have. */
  advanced?: AdvancedVerifyOrderTerms | undefined;
}

/** `advanced` of `VerifyOrderTerms`. */
export interface AdvancedVerifyOrderTerms extends Pick<AdvancedBuildOptions, "bridgeInputPriceUsd"> {
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
  /** The cost of its gas is at most `gasAtMost` of the report; beyond 0.02 ether and 5 % of what the trade gives it is LOSS_TOO_HIGH. */
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
          advanced?: (AdvancedQuoteRequest & OwnPrices & AdvancedMarketBuildOptions) | undefined;
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

/** The tokens' own answers to `decimals()`, of an OTC order. */
interface OtcDecimals {
  makerDecimals?: number | undefined;
  takerDecimals?: number | undefined;
}

/** Input of `verifyOtc`. */
export interface VerifyOtcInput extends Shared<OtcDecimals> {
  /** The maker's request, as of `client.otc.build`, with `maker`. */
  request: object & { maker: Address };
  /** The typed data. */
  toSign: TypedDataInput;
  /** The order's hash, if it is stated. */
  orderHash?: Hex | undefined;
}

/** The readings for a fill. */
interface FillReadings extends OtcDecimals {
  /** By order hash: the contract's answer to `remaining`, the maker's funds, and whether the maker's code accepts. */
  orders?: Record<Hex, { remaining: AmountInput; balance: AmountInput; allowance: AmountInput; accepted?: boolean | undefined }> | undefined;
}

/** Input of `verifyFill`. */
export interface VerifyFillInput extends Shared<FillReadings> {
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

/** The readings for a permit. */
interface PermitReadings {
  /** The owner's next nonce, by the token or by Permit2. */
  nonce?: AmountInput | undefined;
  /** The token's answer to `DOMAIN_SEPARATOR()`. */
  domainSeparator?: Hex | undefined;
}

/** Input of `verifyPermit`. */
export interface VerifyPermitInput extends Shared<PermitReadings> {
  /**
   * The most that the owner lets the protocol's contract take, raw units (DAI's kind has no amount: not compared). Without
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
