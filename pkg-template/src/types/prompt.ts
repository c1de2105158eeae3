import type { Address, Amount, Hex, TypedData } from "./values.ts";
import type { Check, HardwareScreen, Question } from "./report.ts";
import type { PaymasterService } from "./settings.ts";
import type { Permit } from "./permit.ts";

/** An EIP-1193 provider: an injected wallet, WalletConnect, anything with `request`. */
export interface Eip1193Provider {
  /** Sends one JSON-RPC request and resolves to its `result`. */
  request(args: { method: string; params?: readonly unknown[] | object | undefined }): Promise<unknown>;
}

/** Input of `withWallet`: an EIP-1193 wallet, or functions of a local account (viem, ethers, own keys). */
export type WalletBinding =
  | { wallet: Eip1193Provider; account?: Address | undefined; switchChain?: boolean | undefined }
  | {
      request: Eip1193Provider["request"];
      account?: Address | undefined;
      switchChain?: boolean | undefined;
      /** Subscribes to events of EIP-1193, if the provider has them. */
      on?: ((event: string, listener: (value: any) => void) => unknown) | undefined;
      removeListener?: ((event: string, listener: (value: any) => void) => unknown) | undefined;
    }
  | {
      /** An address, or an object that has one (a viem account, an ethers wallet). */
      account: string | { address: string };
      /**
       * viem takes it as it is; ethers without `EIP712Domain`: `const { EIP712Domain, ...types } = typedData.types`.
       */
      signTypedData(typedData: TypedData): Promise<string>;
      /**
       * Needed for transactions: approvals, Market trades, fills, deposits. `value` is hex: viem and ethers want
       * `BigInt(value)`. Resolves to the transaction's hash.
       */
      sendTransaction?(
        transaction: { from: Address; to: Address; data: Hex; value: Hex; chainId: number },
      ): Promise<string>;
    };

/** Is asked before a prompt opens. */
export type OnPrompt = (prompt: Prompt) => Answer | Promise<Answer>;

/** The answer of `onPrompt`. A question is answered by its id in `accept`: `true` answers none. */
export type Answer = boolean | { accept: string[] };

/** The purpose of a prompt. The first four are signatures (`"otc"`: of an order of a maker), the others transactions. */
export type PromptPurpose =
  | "order" | "otc" | "permit" | "cancelOrders"
  | "approve" | "market" | "fill" | "cancel" | "withdraw" | "revoke" | "presign";

/** A prompt that is about to open. Plain JSON. */
export interface Prompt {
  /** Its purpose. */
  purpose: PromptPurpose;
  /** The gravest verdict of its checks: `"unknown"` before `"opaque"` before `"unusual"`. */
  verdict: "ok" | "unusual" | "opaque" | "unknown";
  /** The payload that is signed or sent, in one sentence. */
  sentence: string;
  /** The payload in order: one part, or each call of those that go together. */
  parts: PromptPart[];
  /** The capabilities beside the calls (EIP-5792): the app's `paymasterService`, if it takes one; else null. */
  capabilities: { paymasterService: PaymasterService & { optional: true } } | null;
  /** EIP-712 hash of the order that is signed, or that a transaction of purpose `"presign"` consents to. */
  orderHash?: Hex | undefined;
  /** The permit of purpose `"permit"`, without a signature (`bytes` is empty). */
  permit?: Omit<Permit, "sealed"> | undefined;
  /** The ids of the orders, for purpose `"cancelOrders"`. */
  orderIds?: string[] | undefined;
  /** The questions that are open. Left open, the call fails as it does without `onPrompt`: PRICE_UNJUDGED and others. */
  questions: Question[];
  /**
   * Whether this very prompt was agreed to, and did not open: its checks took longer than a second. Nothing else was
   * asked for in between.
   */
  isRepeated: boolean;
  /** The checks that a person should know of: `"unusual"`, `"opaque"` and `"unknown"` ones. */
  findings: Check[];
  /**
   * `eip712`, `domainSeparator` and `structHash` of typed data; `calldata` (draft ERC-8213) of the last call.
   */
  digests: { eip712?: Hex | undefined; domainSeparator?: Hex | undefined; structHash?: Hex | undefined; calldata?: Hex | undefined };
  /** The display of a hardware wallet; null for transactions. */
  hardware: HardwareScreen | null;
}

/** The text that a wallet signs, or a call that it sends. */
export interface PromptPart {
  /** Its effect, in one sentence. */
  sentence: string;
  /** The account that signs or sends. */
  from: Address;
  /** The typed data, if it is signed (EIP-712). */
  typedData?: object | undefined;
  /** The chain, if it is sent. */
  chainId?: number | undefined;
  /** The contract, if it is sent. */
  to?: Address | undefined;
  /** Native token, wei, if it is sent. */
  value?: Amount | undefined;
  /** The calldata, if it is sent. */
  data?: Hex | undefined;
  /** If it is an approval (ERC-20): whom it lets take how much, in raw units. */
  approval?: { token: Address; spender: Address; amount: Amount } | undefined;
}
