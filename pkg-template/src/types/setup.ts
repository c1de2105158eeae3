import type { Address } from "./values.ts";
import type {
  AddedChain, Agreement, BridgeTokens, ChainContracts, ChainReferences, JournalStorage, PaymasterService, RateLimit, ViemChain,
} from "./settings.ts";
import type { Eip1193Provider, OnPrompt } from "./prompt.ts";
import type { AppReference } from "./request.ts";
import type { ClientEvent } from "./events.ts";
import type { TradeConsent } from "./trade.ts";
import type { Client } from "./client.ts";

/**
 * Loads the module on first use, then makes a client: for the page's script while it is evaluated. A page opens a connection
 * to `baseUrl`; nothing is asked of the service before a call. Rejects with INVALID_INPUT; with NETWORK, MODULE_UNAVAILABLE or
 * WASM_UNAVAILABLE if the module cannot be loaded, and the next call tries again.
 */
export declare function createClient(options: ClientOptions & { onPrompt: OnPrompt }): OpeningClient<unknown>;
export declare function createClient(options: ClientOptions): OpeningClient;

/** A client that is being made: await it, or request the page's first price from it at once. */
export interface OpeningClient<Consent = TradeConsent> extends Promise<Client<Consent>> {
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
   * CORS preflight (one more round trip) per kind of request, the service has to allow it, and anyone who opens the page
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
   * aggregator. `false`: none is asked. That consents to nothing: each build then asks about its price
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
export declare function init(source?: ModuleSource): Promise<void>;

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
 * Content-Security-Policy without `'wasm-unsafe-eval'`, which reports the attempt. Makes no request.
 */
export declare function isSupported(): boolean;
