import type { Address, Hex } from "./values.ts";
import type { NormalizedRequest } from "./request.ts";
import type { ErrorCode } from "./errors.ts";

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

/** Two tokens that are the same asset on two chains, as the application states. */
export interface BridgeTokens {
  /** The token that enters the bridge. */
  from: { chainId: number; token: string };
  /** The token that arrives. */
  to: { chainId: number; token: string };
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
  /** The endpoint of the service (`quote`, `build`, `post`, `order`, ...), the method of the node or wallet, or the verified payload. */
  name: string;
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
  /** HTTP status, if there was an answer. */
  status?: number | undefined;
}

/** A request to a node. */
export interface RpcEvent extends TimedEvent {
  /** A request to a node. */
  type: "rpc";
}

/** A request to the wallet. */
export interface WalletEvent extends TimedEvent {
  /** A request to the wallet. */
  type: "wallet";
}

/** A verification. */
export interface VerifyEvent extends TimedEvent {
  /** A verification. */
  type: "verify";
}
