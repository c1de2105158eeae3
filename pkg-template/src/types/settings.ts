import type { Address, Hex } from "./values.ts";

/** The partner's share, as agreed on with the service. A request or a build that states its own takes precedence. */
export interface Agreement {
  /**
   * The most the partner gets of each trade, 0..200 bps. Default 1: the service's charge if no fee is requested.
   */
  feeBps?: number | undefined;
  /** The account that gets the fee and the surplus. Default: the one that the service names. */
  feeAddress?: Address | undefined;
  /** Whether the partner may keep half of what exceeds the expected amount. Default false. */
  takesSurplus?: boolean | undefined;
  /** Whether the surplus that is kept is capped at 1 %. `false` accepts an uncapped share. Default true. */
  capSurplus?: boolean | undefined;
  /** Whether a Market trade may count as referred by the partner. Default false. */
  referral?: boolean | undefined;
}

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

/** A paymaster's web service (ERC-7677). The wallet sees both members: keep keys on a server of your own. */
export interface PaymasterService {
  /** https, 1,024 bytes at most: a host name in small letters and Punycode, as of `new URL(text).href`; no user, no fragment. */
  url: string;
  /** The data that the service asks for: 1,024 bytes of JSON at most. */
  context?: Record<string, unknown> | undefined;
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
  /** Writes a text, in place of the one that is there. The value that it resolves to does not matter. */
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
