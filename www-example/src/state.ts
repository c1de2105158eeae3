import type { Address, Amount, DeltaBuild, DeltaQuote, Order, Side, TradeError } from "verified-swap";
import type { Failure } from "./failure.ts";
import type { InFlight } from "./memory.ts";
import { readAmount } from "./money.ts";
import type { Chain, Lie, Token } from "./sandbox.ts";
import type { WalletChoice } from "./wallet/announced.ts";

/** Which of its four faces the swap card shows. */
export type Stage = "compose" | "review" | "refused" | "progress";

/** What the page is waiting for. */
export type Busy = "building" | "resetting" | "approving" | "confirming" | "signing" | "posting";

export interface State {
  chain: Chain;
  chains: Chain[];
  wallets: WalletChoice[];
  wallet: WalletChoice | null;
  account: Address | null;
  online: boolean;

  src: Token;
  dest: Token;
  /** SELL: the amount is what is paid. BUY: what is received. */
  side: Side;
  amountText: string;
  /** Null: the owner receives. */
  beneficiaryText: string | null;
  slippageBps: number;

  quote: DeltaQuote | null;
  /** `performance.now()` at which the quote arrived. */
  quotedAt: number;
  /** A quote is on its way. */
  quoting: boolean;
  /** Seconds since the quote arrived. */
  ageSecs: number;
  /** Raw units by token address. */
  balances: Record<string, Amount>;

  stage: Stage;
  busy: Busy | null;
  build: DeltaBuild | null;
  failure: Failure | null;
  refusal: TradeError | null;
  inFlight: InFlight | null;
  order: Order | null;
  /** Null until they were read once. */
  orders: Order[] | null;
  lie: Lie;
}

/** Seconds after which the service refuses a price. */
export const QUOTE_LIFE_SECS = 30;

export function firstState(chains: Chain[]): State {
  const chain = chains[0]!;
  const spendable = chain.tokens.filter(isSellable);
  const src = spendable.find((token) => token.kind === "permit") ?? spendable[0]!;
  return {
    chain,
    chains,
    wallets: [],
    wallet: null,
    account: null,
    online: navigator.onLine,
    src,
    dest: spendable.find(({ address }) => address === chain.wrappedNative) ?? spendable[1]!,
    side: "SELL",
    amountText: "100",
    beneficiaryText: null,
    slippageBps: 50,
    quote: null,
    quotedAt: 0,
    quoting: false,
    ageSecs: 0,
    balances: {},
    stage: "compose",
    busy: null,
    build: null,
    failure: null,
    refusal: null,
    inFlight: null,
    order: null,
    orders: null,
    lie: "none",
  };
}

/** The amount as typed: raw units of the side it was typed on, or what is wrong with it. */
export function amountOf(state: State): { amount: Amount | null; problem: string | null } {
  const token = state.side === "SELL" ? state.src : state.dest;
  return readAmount(state.amountText, token.symbol, token.decimals);
}

export function balanceOf(state: State, token: Token): Amount | null {
  return state.balances[token.address] ?? null;
}

/** This page's orders sell tokens; the chain's own coin can only be received. */
export function isSellable({ kind }: Token): boolean {
  return kind !== "native";
}

export function isStale(state: State): boolean {
  return state.quote !== null && state.ageSecs >= QUOTE_LIFE_SECS;
}

export function tokenAt(chain: Chain, address: string): Token {
  const token = chain.tokens.find((known) => known.address.toLowerCase() === address.toLowerCase());
  return token ?? { symbol: short(address), name: address, address: address as Address, decimals: 18, kind: "unknown" };
}

/** `0x12345678…9abc`. */
export function short(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}
