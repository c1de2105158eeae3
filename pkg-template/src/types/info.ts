import type { Address, Amount, CallOptions } from "./values.ts";

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
  capabilities(query: AccountQuery, options?: CallOptions): Promise<Capabilities>;
  /** The state of the rate limit. Makes no request, and throws nothing beside. */
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
 * address identifies it. Everything below is checked only for the presence of its members.
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
  /** An https or ipfs URL; absent if the service has another. The server's answer is not checked. */
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

/** Input of `info.capabilities`, and part of the queries about an account on a chain. */
export interface AccountQuery {
  /** The chain. */
  chainId: number;
  /** The account: the holder, or the owner of orders. Default: the client's account. */
  account?: Address | undefined;
}

/** Input of `info.balance`. */
export interface BalanceQuery extends AccountQuery {
  /** Address, or the native token in any of its forms. */
  token: string;
}

/** Input of `info.fillableBalance` and `otc.fillableBalance`. */
export interface FillableBalanceQuery extends AccountQuery {
  /** Only this token. Default: all. */
  token?: string | undefined;
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
