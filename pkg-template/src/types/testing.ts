/**
 * The sandbox for an app's tests: the service and two chains, run locally, and wallets for them. For Node.
 * docs/sandbox.md describes its behaviour and its controls.
 */
import type { Address, Hex } from "./values.ts";
import type { BridgeTokens, ChainContracts, ChainReferences, RateLimit } from "./settings.ts";
import type { Eip1193Provider } from "./prompt.ts";

/** Options of `startSandbox`; all of them may be left out. */
export interface SandboxOptions {
  /**
   * A checkout of verified-swap in which `cargo xtask sandbox` was run once; or the URL of a sandbox that runs, which is
   * then used and not stopped. Default: the environment variable VERIFIED_SWAP_SANDBOX, else the package
   * verified-swap-sandbox where it is installed, else a checkout that the process runs in.
   */
  checkout?: string | undefined;
  /** The path of the program. Default: that of the package or checkout; likewise the next two. */
  binary?: string | undefined;
  /** The path of the node's program. */
  anvil?: string | undefined;
  /** The folder of the compiled contracts. */
  artifacts?: string | undefined;
  /** A folder to serve at `/`. Default: none. */
  pages?: string | undefined;
  /** The port. Default: a free one. */
  port?: number | undefined;
  /** The least time of a request to the service, and of one to a node, in ms: `"200,150"`. Default: no delay. */
  delay?: string | undefined;
}

/** A token of a sandbox's chain. */
export interface SandboxToken {
  /** Its symbol: USDC, DAI, USDT, ETH, WETH, PUSD, TAX. */
  symbol: string;
  /** Its name. */
  name: string;
  /** Its address; the placeholder for the native one. */
  address: Address;
  /** Its decimals. */
  decimals: number;
  /** Its kind: `permit`, `dai`, `signOnly`, `plain`, `usdt`, `tax` or `native`. */
  kind: string;
}

/** A chain of a sandbox; docs/sandbox.md has its other members. */
export interface SandboxChain extends Required<ChainContracts> {
  /** The chain id, 31337 or 31338. */
  chainId: number;
  /** Its name. */
  name: string;
  /** The path of its node. */
  rpc: string;
  /** Its tokens. */
  tokens: SandboxToken[];
  [member: string]: unknown;
}

/** A funded account of a sandbox. The keys are public: everybody has them. */
export interface SandboxAccount {
  /** Its address; the nodes sign and send for it without asking. */
  address: Address;
  /** Its key, e.g. for viem's `privateKeyToAccount`. */
  privateKey: Hex;
}

/** The members of a Playwright `Page` that are needed. */
export interface PlaywrightPage {
  /** Playwright's own method. */
  exposeFunction(name: string, callback: (args: any) => unknown): Promise<unknown>;
  /** Playwright's own method. */
  addInitScript(script: (argument: any) => void, argument: any): Promise<unknown>;
  /** Playwright's own method. */
  evaluate(script: (argument: any) => unknown, argument: any): Promise<unknown>;
}

/** A wallet whose user says yes to everything, or no. */
export interface TestWallet extends Eip1193Provider {
  /** Its account. */
  readonly address: Address;
  /** The requests that its user got, the oldest first. */
  readonly prompts: { method: string; params: readonly unknown[] }[];
  /** Whether its user refuses (4001). Default false; may be set at any time. */
  rejects: boolean;
  /** Listens to an event of EIP-1193: `chainChanged`. */
  on(event: string, listener: (value: any) => void): unknown;
  /** Stops listening. */
  removeListener(event: string, listener: (value: any) => void): unknown;
  /**
   * Puts it into a Playwright page, before that is opened: as a wallet that announces itself by this name (EIP-6963),
   * and as `window.ethereum`. There `eth_accounts` is empty until the page calls `eth_requestAccounts`; the wallet
   * agrees to that without a prompt.
   */
  announceTo(page: PlaywrightPage, name?: string): Promise<void>;
}

/** A running sandbox. Amounts are whole tokens as decimal text, unless they are `bigint`. */
export interface Sandbox {
  /** The URL of the sandbox. */
  readonly url: string;
  /** The answer of `GET /sandbox/config`. */
  readonly config: { chains: SandboxChain[]; accounts: Address[]; keys: Hex[]; [member: string]: unknown };
  /** Its chains; if a chain is not named, the first is meant. */
  readonly chains: SandboxChain[];
  /** Its accounts, with tokens and ether, and without allowances. */
  readonly accounts: SandboxAccount[];
  /**
   * For `createClient({ ...sandbox.clientOptions, wallet })`: those of `config`. Plain data, which can be passed to a
   * page.
   */
  readonly clientOptions: {
    baseUrl: string;
    rpc: Record<number, string>;
    contracts: Record<number, ChainContracts>;
    advanced: {
      references: Record<number, ChainReferences>;
      bridgeTokens: BridgeTokens[];
      rateLimit: RateLimit;
    };
  };
  /** A token by symbol, kind or address. Throws if there is none. */
  token(name: string, chainId?: number): SandboxToken;
  /** A request for `client.quote` and `client.trade`: sells this amount of one token for another. */
  request(
    src: string,
    dest: string,
    amount: string,
    chainId?: number,
  ): {
    chainId: number;
    srcToken: Address;
    srcDecimals: number;
    srcSymbol: string;
    destToken: Address;
    destDecimals: number;
    destSymbol: string;
    amount: string;
  };
  /** Gives an account this amount of a token; of the native one, it has this amount afterwards. */
  faucet(address: string, token: string, amount: string, chainId?: number): Promise<void>;
  /** The balance of an account on the chain, in raw units. */
  balance(address: string, token: string, chainId?: number): Promise<bigint>;
  /** A new wallet of the account with this index (default 0), on this chain. */
  wallet(account?: number, chainId?: number): TestWallet;
  /**
   * Has the service lie from now on: `receiver`, `minimum`, `deadline`, `spender`, `price`, `marketReceiver`,
   * `marketMinimum`, `marketTo`; or `none`. An honest app shows a refusal, and opens no prompt.
   */
  lie(kind: string, more?: { times?: number; bps?: number }): Promise<unknown>;
  /** Ends faults, lies and settings. Orders, chains and clocks stay. */
  reset(): Promise<unknown>;
  /** The control surface: `control("POST", "fault", { endpoint: "quote", status: 500 })`. */
  control(method: "GET" | "POST" | "DELETE", path: string, body?: object): Promise<any>;
  /** Asks the node of a chain. */
  rpc(chainId: number, method: string, params?: readonly unknown[]): Promise<any>;
  /** Ends it, with its nodes. It also ends with the process that started it. */
  stop(): Promise<void>;
  /** The same, for `await using`, if Node has it. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** Starts a sandbox. Throws an Error with what helps, if there is none. */
export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>;

declare global {
  interface SymbolConstructor {
    /** Same as in TypeScript's `esnext.disposable`, for apps without that. */
    readonly asyncDispose: unique symbol;
  }
}
