/**
 * Wallets of viem, wagmi and ethers as this package takes them, and those that a page finds by itself (EIP-6963).
 * Nothing is imported from those libraries: the needed members of their objects are described here, and they fit
 * without a cast.
 */
import type { Address, Hex, TypedData } from "./values.ts";
import type { Eip1193Provider } from "./prompt.ts";

/**
 * A wallet for `createClient({ wallet })`, and as it is for `client.withWallet`; to let it be asked to switch chains,
 * `withWallet({ ...wallet, switchChain: true })`, or `createClient({ wallet, switchChain: true })`. On another chain
 * than the trade's, and without that, a prompt is WRONG_CHAIN.
 */
export interface BoundWallet extends Eip1193Provider {
  /** The one account that it trades for; without it the wallet's first, read whenever a call needs it. */
  account?: Address;
}

/** A key that signs, for `client.withWallet`. It reads no chain: the client needs `rpc`. */
export interface BoundSigner {
  /** The account of the key. */
  account: Address;
  /** Signs EIP-712 typed data. */
  signTypedData(typedData: TypedData): Promise<string>;
  /** Sends a transaction, if there is a way to send; resolves to its hash. */
  sendTransaction?(
    transaction: { from: Address; to: Address; data: Hex; value: Hex; chainId: number },
  ): Promise<string>;
}

/** The needed members of a viem account that signs (`privateKeyToAccount`, `mnemonicToAccount`, `toAccount`). */
export interface ViemAccount {
  /** Its address. */
  address: Address;
  /** Signs EIP-712 typed data. */
  signTypedData(typedData: any): Promise<string>;
}

/** The needed members of a viem `WalletClient`. A plain `Client` is enough if its account is one of the wallet's. */
export interface ViemWalletClient {
  /** Its EIP-1193 request. */
  request(args: any, options?: any): Promise<any>;
  /** The account that it was made with: an address of the wallet's, or an account that signs. */
  account?: { address: Address } | ViemAccount | undefined;
  /** The chain that it was made with. */
  chain?: { id: number } | undefined;
  /** Sends a transaction, for an account that signs no transaction apart from that. */
  sendTransaction?(transaction: any): Promise<string>;
  /** Fills in fees and nonce. */
  prepareTransactionRequest?(transaction: any): Promise<any>;
  /** Sends a signed transaction. */
  sendRawTransaction?(transaction: any): Promise<string>;
}

/** The needed members of a wagmi `Config`. */
export interface WagmiConfig {
  /** Its state, with the connections. */
  state: {
    /** The connections, by their ids. */
    connections: { get(id: any): unknown };
    /** The id of the active one. */
    current: string | null;
  };
  /** Subscribes to its changes. */
  subscribe?(selector: (state: any) => any, listener: (value: any) => void): () => void;
}

/** The needed members of a signer of ethers 6 (`JsonRpcSigner`, `Wallet`, any `AbstractSigner`). */
export interface EthersSigner {
  /** Its provider. */
  provider: unknown;
  /** Its address. */
  getAddress(): Promise<string>;
  /** Signs EIP-712 typed data. */
  signTypedData(domain: any, types: any, value: any): Promise<string>;
}

/**
 * The account of a viem wallet client: the same wallet whenever it is called with the same client. One that signs here
 * has the default cap of `fromAccount`. Throws INVALID_INPUT with `walletClient`.
 */
export declare function fromWalletClient(walletClient: ViemWalletClient): BoundWallet;

/**
 * A viem account that signs here, such as a server's key. With `walletClient` it sends through that, whether or not the
 * client has the account itself; the client's chain then has to be the trade's, else WRONG_CHAIN. If the node does not
 * acknowledge a transaction, it may have taken it: `submit` of the same build looks for it first. Throws INVALID_INPUT
 * with `account`, `walletClient` or `maxFee`.
 *
 * Gas and its price come from the node, so the fee is capped before the key signs: a gas limit times the most that a unit
 * may cost of more than `maxFee`, in wei, is WALLET_FAILED, which names both. By default the cap is 0.02 of the native
 * coin (0.08 BNB, 60 xDAI, 150 POL, 2 AVAX), or 5 % of the native coin that the transaction sends if that is more. A smart
 * account's client, which sends by itself, is not capped.
 */
export declare function fromAccount(
  account: ViemAccount,
  options: { walletClient: ViemWalletClient; maxFee?: bigint | undefined },
): BoundWallet;

/**
 * Without a `walletClient` it only signs, unless `sendTransaction` sends by other means: its argument has `value` in
 * wei as viem takes it, and it resolves to the transaction's hash. If it fails without the code of a rejection (4001,
 * 4100, 4200), the transaction may have been sent.
 */
export declare function fromAccount(
  account: ViemAccount,
  options?: {
    sendTransaction?:
      | ((
          transaction: { from: Address; to: Address; data: Hex; value: bigint; chainId: number },
        ) => Promise<string>)
      | undefined;
  },
): BoundSigner;

/**
 * The wallet that is connected in wagmi at the time of a call: it follows the user to another account or connector, and
 * a live price is requested anew. While there is none, a call that needs an account is INVALID_INPUT, and a prompt
 * WRONG_ACCOUNT. The same wallet for the same config. Throws INVALID_INPUT with `config`.
 */
export declare function fromWagmi(config: WagmiConfig): BoundWallet;

/**
 * A signer of ethers 6. One that signs transactions sends them by its provider's `broadcastTransaction`, with the default
 * cap of `fromAccount` on the fee. One without a
 * provider only signs, and is for `client.withWallet`. The same wallet for the same signer. Throws INVALID_INPUT with
 * `signer`.
 */
export declare function fromEthers(signer: EthersSigner & { provider: {} }): BoundWallet;
export declare function fromEthers(signer: EthersSigner): BoundWallet | BoundSigner;

/** A wallet that announced itself (EIP-6963). */
export interface DiscoveredWallet {
  /** The wallet's own description. */
  readonly info: {
    /** Unique while the page is open. */
    readonly uuid: string;
    /**
     * The name to show; 64 characters at most, without control characters and those that turn the direction of writing.
     */
    readonly name: string;
    /** A `data:` image, or null. Only for an `<img>`: an SVG can hold scripts. */
    readonly icon: string | null;
    /**
     * The reverse domain name of its maker, by which a page recognises it. It can be forged, like everything in a
     * wallet's description: never trust a wallet for it.
     */
    readonly rdns: string;
  };
  /** The wallet, for `createClient({ wallet })`. */
  readonly provider: Eip1193Provider;
}

/**
 * Asks the injected wallets to announce themselves (EIP-6963), and listens for later ones. `onChange` gets all that are
 * known, each once, whenever there is another one; those that are there already, before this returns.
 */
export declare function discoverWallets(onChange?: (wallets: readonly DiscoveredWallet[]) => void): {
  /** All known wallets: another list whenever there is another one. */
  readonly wallets: readonly DiscoveredWallet[];
  /** Stops listening. */
  close(): void;
};
