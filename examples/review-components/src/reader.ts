import type { Texts } from "./texts";

/* How an app reads and writes what the checks are about: whose trade it is, which tokens, and its own way to write amounts, times
   and names. `createReader` makes one of a request. */

/** A token, as its amounts are written. */
export interface Token {
  chainId: number;
  address: string;
  symbol: string;
  decimals: number;
}

/** `up` for what is paid, `down` for what is received: nothing looks better than it is. */
export type Rounding = "exact" | "up" | "down";

export interface Reader {
  texts: Texts;
  /** Who trades; null if nobody is connected. */
  account: string | null;
  /** What is fixed: what is sold, or what is bought. */
  side: "SELL" | "BUY";
  /** What is paid. */
  src: Token;
  /** What the order ends in, on the chain that it is for. */
  dest: Token;
  /** What arrives: across chains another token than `dest`. */
  arrives: Token;
  /** The chain's native token; null if its amounts are shown in wei. */
  native: Token | null;
  /** What is taken of what is received, after what the order says, in basis points. */
  feeBps: number;
  /** Whether the user said until when it holds; otherwise the app did. */
  isOwnTime: boolean;
  /** `amount` in raw units, of that many decimals; without a symbol. */
  amount(amount: string, decimals: number, rounding: Rounding): string;
  /** A time, in unix seconds; `isBrief` on one line with others. */
  time(secs: number, isBrief: boolean): string;
  /** About how long. */
  duration(secs: number): string;
  percent(bps: number | bigint): string;
  /** Dollars, of a decimal text. */
  dollars(decimal: string): string;
  chainName(chainId: number): string;
  /** The app's name of a contract; null if it has none. */
  contractName(address: string): string | null;
  /** The symbol by which the app knows a token; null if it does not. Never what the token calls itself. */
  symbolOf(address: string): string | null;
  /** A sentence of the package as the app writes it, such as with times by the user's clock. */
  sentence(text: string): string;
}
