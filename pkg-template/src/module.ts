// The typed face of values that the compiler cannot see into: text that the module wrote, thrown values, objects whose members
// are put on by name. Types are asserted in this file alone; all others narrow by tests.
import type { Client, DeltaQuote, MarketQuote, QuoteOptions, QuoteRequest, TradeError, WatchedRequest } from "./types.ts";

/** The members of any value: each may be missing, and may be anything. */
export interface Members {
  readonly [name: string]: unknown;
}

/** The same value, for reading members of it with `?.`. */
export function membersOf(value: unknown) {
  // Sound: in JavaScript a member can be read of every value but these two, and nothing is said of the member.
  return value as Members | null | undefined;
}

/** The value that a JSON text of the module's stands for. The crate that writes the text states its form. */
export function answerOf<Form>(text: string) {
  // The text has not passed through the app: this package's own Rust wrote it, and its tests compare it with the types.
  return JSON.parse(text) as Form;
}

/** The same object with these members defined: an assignment would fail where its prototype is frozen. */
export function defined<Target extends object, More extends object>(target: Target, members: More) {
  // `defineProperties` returns its argument, of whose new members the library's type says nothing.
  return Object.defineProperties(target, Object.getOwnPropertyDescriptors(members)) as Target & More;
}

/** The client, on which the calls of the tables in client.ts are then put. `Lacking` is what neither has: nothing. */
export function complete<Lacking extends never>(client: { readonly [Name in Lacking]: never } & object) {
  // Each name is there by `Lacking`; the module answers each call in the published form, to which tests/published_types holds it.
  return client as Client;
}

/** The promise of a module that `compile` makes. */
export function compiled(made: Promise<unknown>) {
  // To a test runner that has a page's scripts in Node it gives the bytes in its place; the engine takes those, too.
  return made as Promise<WebAssembly.Module>;
}

/** The source of a module: a response, if it has `headers`; else anything that the glue takes or refuses. */
export function answerIn(source: unknown) {
  // A response may be of any class, as of a test's own `fetch`: it is used as one, and a lack of its members is a failure to load.
  return source as Response | { readonly headers?: undefined } | null | undefined;
}

/** The error of a call of the client. */
export function failureOf(error: unknown) {
  // The module rejects with no other, and so do the calls that are made here: `inside` makes one of everything that is thrown.
  return error as TradeError;
}

/** `quote`, as it answers each mode. */
export function quoteByMode(quote: Client["quote"]) {
  // Its signatures say the same of each mode by itself; the compiler takes only one of them for a mode that it does not know yet.
  return quote as <Mode extends keyof Prices>(request: QuoteRequest & { mode: Mode }, options: QuoteOptions) => Promise<Prices[Mode]>;
}

/** The price of each path. */
export interface Prices {
  DELTA: DeltaQuote;
  MARKET: MarketQuote;
}

/** `quote` of a client that is being made. */
export function asQuote(quote: (request: WatchedRequest, options?: QuoteOptions) => Promise<unknown>) {
  // The module's client answers, whose types say which request has which answer.
  return quote as Client["quote"];
}
