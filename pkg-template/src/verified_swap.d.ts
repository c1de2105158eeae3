// The glue of the client's module, as wasm-bindgen writes it for `src`. A type here states what Rust takes and returns.
import type { Early } from "./early.ts";
import type { Tabs } from "./tabs.ts";
import type * as published from "./types.ts";
import type { Answer, Look, Plan, Shown } from "./watch.ts";

/** The functions that need no client, by the name with which `compute` calls them. */
export interface Computed {
  carriesOver(asked: { questions: published.Question[]; next: unknown }, before: unknown): string[];
  compactSignature: typeof published.compactSignature;
  formatUnits: typeof published.formatUnits;
  hashTypedData: typeof published.hashTypedData;
  isNoWorse: typeof published.isNoWorse;
  isTerminal(status: string): boolean;
  maxSpent: typeof published.maxSpent;
  minReceived: typeof published.minReceived;
  normalizeToken: typeof published.normalizeToken;
  paidOut(terms: PaidOutTerms): published.Amount;
  parseAddress: typeof published.parseAddress;
  parseUnits: typeof published.parseUnits;
  promptFacts(build: unknown): { lacksAllowance: boolean; sellsNative: boolean };
  rank(delta: published.DeltaQuote | null, market: published.MarketQuote | null): Pick<published.Comparison, "best" | "differenceBps">;
  recoverTypedDataSigner: typeof published.recoverTypedDataSigner;
  twapSchedule: typeof published.twapSchedule;
}

/** An amount of an order, in raw units, and the terms by which the contract takes its fee. */
export interface PaidOutTerms {
  partnerAndFee: bigint | null;
  numSlices: bigint;
  total: bigint;
}

/** Calls a function of that name; the module reads the arguments, whatever they are. */
export function compute<Name extends keyof Computed>(name: Name, first: unknown, second?: unknown): ReturnType<Computed[Name]>;
/** Throws where a choice of `trade` is none; the second argument names them in the error. */
export function compute(name: "checkChoices", first: unknown, second: string): unknown;
/** Throws where the answers do not accept each question of a report. */
export function compute(name: "checkAnswers", first: unknown, second: unknown): unknown;

/** Opens a client. `load` loads a part of the module, with `isAhead` once the page has nothing else to do. */
export function openClient(
  options: unknown,
  tabs: Tabs,
  early: Early | undefined,
  load: (part: number, isAhead: boolean) => Promise<unknown> | undefined,
): Client;

/** Notes that the first `count` parts are loaded. */
export function attachParts(
  count: number,
  reader: { written(value: unknown, path: string): string; parted(object: object, path: string, plain: string): unknown[] },
): void;

/** A client, which has to be freed. */
export class Client {
  private constructor();
  /** Makes a call by its name. It throws nothing: the promise rejects. */
  invoke(name: string, argument: unknown, options: unknown): Promise<unknown>;
  follow(order: unknown, options: unknown): Watch;
  withWallet(binding: unknown): Client;
  withdraw(sealed: string, reason: string): void;
  close(): void;
  free(): void;
}

/** An order or a transaction that is followed; it has to be freed. Each call takes JSON text. */
export class Watch {
  private constructor();
  call(name: "plan", data: string): Promise<Plan>;
  call(name: "round", data: string): Promise<Answer>;
  call(name: "hear", data: string): Promise<Answer | null>;
  call(name: "refuse", data: string): Promise<never>;
  call(name: "show", data: string): Promise<Shown>;
  call(name: "told", data: string): Promise<unknown>;
  call(name: "look", data: string): Promise<Look>;
  free(): void;
}

/**
 * Makes the module of bytes, or takes it compiled; the engine refuses all else. assemble.mjs puts this in place of wasm-bindgen's
 * own loader.
 */
export default function load(source: unknown): Promise<WebAssembly.Module>;
/** Adds a part to the module. */
export function attach(part: unknown): Promise<WebAssembly.Module>;
