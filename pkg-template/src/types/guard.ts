import type { Address } from "./values.ts";
import type { Question } from "./report.ts";
import type { Answer, Eip1193Provider, Prompt, PromptPart, PromptPurpose } from "./prompt.ts";
import type {
  VerifyCancellationInput, VerifyFillInput, VerifyOrderInput, VerifyOtcInput, VerifyPermitInput, VerifyReport,
  VerifyTransactionInput,
} from "./verifiers.ts";
import type { ExplainContext, ExplainedKind, Explanation, Finding } from "./explain.ts";

/**
 * An EIP-1193 provider around another one: nothing that it is not known to only read gets to the wallet before `onPrompt` agreed.
 * Call `await init()` before.
 *
 * - Methods of a table that only read pass, and `eth_requestAccounts`, without parameters. Every other one waits, by whatever
 *   style it is called (`request`, `send`, `sendAsync`, a batch), and one that is not known yet.
 * - Parameters are read once, when the call is made. The copy is explained, and the wallet gets `explanation.request`, the form in which
 *   it was read; what cannot be read goes as it is. A getter, a class, or what is too large: -32602.
 * - The wallet's answers, and the values of events, are copies without functions.
 * - Chain and accounts are the provider's own: read before `onPrompt` is asked, and once more after it answered.
 * - `false`, an open question, an answer of another kind, and a function that throws: 4001. A payload that `request` does not ask for: 4100,
 *   with the `TradeError` as `cause`, and `onPrompt` is not asked. Another chain after the answer: 4901; other accounts: 4100.
 * - Of the provider's other members only those are there that are no object and no function (`isMetaMask`).
 *
 * A client whose `onPrompt` is the same function asks it first, with what only the client knows; the guard then lets that
 * payload pass once, and asks about everything else. docs/guides/guard.md has what it helps against.
 *
 * ```js
 * const wallet = guard(window.ethereum, { onPrompt: ({ sentence }) => confirm(sentence) });
 * ```
 */
export declare function guard(provider: Eip1193Provider, options: GuardOptions): GuardedProvider;

/** Options of `guard`. Where a function is allowed, it is called for each prompt, and may return a promise. */
export interface GuardOptions {
  /** Asked before anything that is not known to only read. It may be the client's: `Prompt` has the same members. */
  onPrompt(prompt: GuardPrompt): Answer | Promise<Answer>;
  /**
   * The user's requests: a payload that is signed or sent has to be one of these, and is then `verified`; anything else that signs or
   * sends is refused. None (`undefined`): it is `explained`. An empty list: nothing was asked for, so nothing is signed. Each is for
   * one payload: see `isRepeated`. Two are the same by verifier, `kind`, `request` and `orders`; for two payloads state it twice.
   */
  request?: Asked | Asked[] | (() => Asked | Asked[] | undefined | Promise<Asked | Asked[] | undefined>) | undefined;
  /**
   * The caller's knowledge beside the payload, as for `explain`. `accounts` are those that the wallet does not name: contract
   * accounts, Safes. The chain is the provider's.
   */
  context?: GuardContext | (() => GuardContext | Promise<GuardContext>) | undefined;
}

/** The context of `explain`, without what the guard reads itself. */
export type GuardContext = Omit<ExplainContext, "accounts" | "chainId"> & { accounts?: readonly Address[] | undefined };

/** The user's request: the name of a verifier, and its input without the payload, as in `verified-swap/vectors`. */
export type Asked =
  | { verifier: "verifyOrder"; input: Omit<VerifyOrderInput, "toSign"> }
  | { verifier: "verifyOtc"; input: Omit<VerifyOtcInput, "toSign"> }
  | { verifier: "verifyPermit"; input: Omit<VerifyPermitInput, "toSign"> }
  | { verifier: "verifyCancellation"; input: Omit<VerifyCancellationInput, "toSign"> }
  | { verifier: "verifyFill"; input: Omit<VerifyFillInput, "transaction"> }
  | { verifier: "verifyTransaction"; input: WithoutTransaction<VerifyTransactionInput> };

/** Each kind by itself. */
type WithoutTransaction<Input> = Input extends unknown ? Omit<Input, "transaction"> : never;

/** A prompt that waits: members of the client's `Prompt`, and what a guard knows beside them. Plain JSON. */
export interface GuardPrompt
  extends Omit<Prompt, "purpose" | "verdict" | "parts" | "questions" | "findings" | "orderHash" | "permit" | "orderIds" | "isRepeated"> {
  /** The client's purpose, `switchChain`, or the kind of the payload. */
  purpose: PromptPurpose | ExplainedKind | "switchChain";
  /**
   * `verified`: it is what `request` asks for. `explained`: it was read, and nothing states what it should be. `unread`: what decides
   * what it does could not be read.
   */
  verdict: "verified" | "explained" | "unread";
  /** The payload as the wallet gets it: the client's form, or method and parameters. It is untrusted text: show `sentence`, not these. */
  parts: (PromptPart | { sentence: string; method: string; params: unknown })[];
  /** The questions of the reports, each to be answered by its id. Facts that only have to be known are in `findings`. */
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
  /** The explanation of the payload. */
  explanation: Explanation;
  /** One for each payload, if there is a request. */
  reports: VerifyReport[];
}

/** The provider that `guard` makes. The legacy calls are those that MetaMask documents. */
export interface GuardedProvider extends Eip1193Provider {
  send(method: string, params?: unknown): Promise<{ id: unknown; jsonrpc: "2.0"; result: unknown }>;
  send(payload: object): Promise<{ id: unknown; jsonrpc: "2.0"; result: unknown }>;
  send(payload: object, callback: (error: unknown, response: unknown) => void): void;
  sendAsync(payload: object, callback: (error: unknown, response: unknown) => void): void;
  enable(): Promise<unknown>;
  /** Listens to an event of EIP-1193; absent where the provider has no events. A listener is called without `this`. */
  on?(event: string, listener: (...values: any[]) => void): GuardedProvider;
  /** Stops listening; absent like `on`. */
  removeListener?(event: string, listener: (...values: any[]) => void): GuardedProvider;
  /** Texts, numbers and booleans of the provider. */
  readonly [name: string]: unknown;
}
