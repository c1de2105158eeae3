import type {
  Address,
  Amount,
  Comparison,
  DeltaBuild,
  DeltaQuote,
  MarketBuild,
  Order,
  JournalState,
  PermitKind,
  Question,
  Quote,
  QuoteRequest,
  Side,
  Trade,
  TradeError,
  TransactionBuild,
  UnreadableTrade,
} from "verified-swap";
import { messages } from "../messages/en.ts";
import { inLocalTime } from "./format.ts";
import { readAmount, worth } from "./money.ts";
import {
  firstTerms,
  type Asked,
  type Cancelled,
  type Errand,
  type Failure,
  type HistoryState,
  type LimitTerms,
  type OrderErrand,
  type Sent,
  type SentErrand,
  type Stage,
  type StepName,
  type Trouble,
  type TwapTerms,
  type WalletChoice,
} from "./parts.ts";
import type { AttackRun, Score } from "./attack.ts";
import { PLACE } from "./place.ts";
import type { Sample } from "./prices.ts";
import type { Chain, SandboxConfig, Token } from "../sandbox/sandbox.ts";
import type { SandboxWallet } from "../sandbox/sandbox-wallet.ts";

/** What is traded: at once, at a price, or in slices. */
export type Tab = "swap" | "limit" | "twap";

/** How a swap is done: gasless or else Market, whichever of both is better, or Market. */
export type Path = "fallback" | "both" | "market";

/** A build under review. */
export type Build = DeltaBuild | MarketBuild | TransactionBuild;

/** What goes by a price that gets old. */
export type Priced = DeltaBuild | MarketBuild;

/** A newer build that the user is asked about, because it is worse, or another, than the one under review. */
export interface Moved {
  /** The one under review. */
  from: Priced;
  build: Priced;
  /** Whether the wallet takes the approval that it lacks in one prompt with the rest. */
  together: boolean;
  quote: Quote;
  /** `performance.now()` at which the quote arrived. */
  quotedAt: number;
}

/** What the page is waiting for. */
export type Busy =
  | "building"
  | "permitting"
  | "resetting"
  | "approving"
  | "confirming"
  | "signing"
  | "presigning"
  | "posting"
  | "simulating"
  | "sending"
  | "cancelling";

export interface State {
  /** Until the page can trade: what it waits for, or why it cannot start. */
  starting: "config" | "module" | Trouble | null;
  chain: Chain;
  chains: Chain[];
  wallets: WalletChoice[];
  wallet: WalletChoice | null;
  /** The chain that the wallet is on; null if it does not say. */
  walletChainId: number | null;
  /** The sandbox's own wallet, and the accounts that it may have. */
  sandbox: { wallet: SandboxWallet; unlocked: readonly Address[] } | null;
  account: Address | null;
  /** Whether the account is a contract, or delegates to one: it may consent on chain. */
  hasCode: boolean;
  /**
   * By a signature, or by a transaction that sets the order's hash on chain (`preSign`). Null: not chosen, which is a
   * signature, unless one prompt approves and consents.
   */
  consent: "signature" | "transaction" | null;
  /** Whether the wallet takes the approval that is missing and what is reviewed in one prompt. */
  together: boolean;
  online: boolean;

  tab: Tab;
  src: Token;
  /** Of another chain than `src`: the order crosses. */
  dest: Token;
  /** What was to be received on another chain, and what took its place on a tab that stays on one. */
  stayed: { from: Token; to: Token } | null;
  /** SELL: the amount is what is paid. BUY: what is received. */
  side: Side;
  amountText: string;
  /** Null: the owner receives. */
  beneficiaryText: string | null;
  slippageBps: number;
  path: Path;
  /** How the contract gets to spend: by an approval, or a signed permit. */
  spending: "approve" | PermitKind;
  /** The token for which Permit2 is approved, where it is that of `src`. */
  permit2: Token | null;
  limit: LimitTerms;
  twap: TwapTerms;

  quote: Quote | null;
  /** Every price that the page got, by pair. */
  samples: Record<string, Sample[]>;
  /** Of "best of both": each as it arrives. */
  comparison: Partial<Comparison> | null;
  /** Which of both was chosen; null is the better one. */
  way: Quote["kind"] | null;
  /** Crosschain: which of the quote's alternatives; null is the recommended route. */
  alternative: number | null;
  /** Crosschain: the user accepts that only the bridge promises what arrives. */
  acceptsPromise: boolean;
  /** The most that this trade alone may lose to costs, in basis points, by who knows them; null: no more than any. */
  mostLostBps: number | null;
  /** What is asked about what is held back, or about what the wallet did before. */
  questions: Question[];
  /** The ids of what the user ticked, each of one build. See `consents.ts`. */
  accepted: string[];
  /** `performance.now()` at which the quote arrived. */
  quotedAt: number;
  /** A quote is on its way. */
  quoting: boolean;
  /** Seconds until the service takes the quote's request; 0 if it does not wait. */
  waitSecs: number;
  /** Seconds since the quote arrived. */
  ageSecs: number;
  /** Raw units by `chainId/token`. */
  balances: Record<string, Amount>;
  /** By `chainId/token`: what so many raw units were worth in dollars, by the last quote of this session. */
  worths: Record<string, { amount: Amount; usd: string }>;
  /** Of the native token, left out of the amount to pay gas with; null if nothing was. */
  leftForGas: Amount | null;

  stage: Stage;
  busy: Busy | null;
  build: Build | null;
  /** See `movedOf`. */
  moved: Moved | null;
  /** A build that took the place of the one under review, and the one that the review began with; by `digestOf`. */
  renewed: { digest: string; first: string } | null;
  /** What the wallet would be asked beside the build, held back until it was reviewed. */
  asked: Asked | null;
  /** Whether it still is: the wallet is not open, whatever the page waits for. */
  isHeld: boolean;
  /** Prompts of this trade that were answered. */
  stepsDone: StepName[];
  /** How often the wallet was opened, and answered, since the form was shown. */
  prompts: number;
  /** The tokens of the build: the form may have changed since. Of a cancellation also the order. */
  pair: { src: Token; dest: Token; cancels?: { order: Cancelled; from: Stage } } | null;
  failure: Failure | null;
  refusal: TradeError | null;
  /** Orders and transactions that the page follows, the latest first. */
  errands: Errand[];
  /** The one in its own view. */
  shown: string | null;
  /** What a reload interrupted, in its own view: as the journal has it, then as `trades.resume` found it. */
  trade: Trade | null;
  /** The account's trades of the journal, open and ended, the latest first. */
  trades: Trade[];
  /** The entries of the journal that cannot be read: each may be any trade of any account. */
  unreadable: UnreadableTrade[];
  /** What each Market swap of the journal moved, by its transaction. */
  moves: Record<string, Pick<Sent, "paid" | "received">>;
  /** Whether a reload forgets what is under way. */
  journal: JournalState["state"];
  /** Null until they were read once. */
  orders: Order[] | null;
  /** Which trades the history shows. */
  listed: HistoryState | "all";
  /** Result of the last action on the list of orders. */
  notice: string | null;
  /** The attack that runs; null while the service is honest. */
  attack: AttackRun | null;
  /** What became of those that ran. */
  score: Score;
  /** Whether a phone shows the attacks. */
  attackShown: boolean;
  /** The name in the page's address if there is no such attack. */
  unknownAttack: string | null;
}

/** Seconds after which the service refuses a price. */
export const QUOTE_LIFE_SECS = 30;

/** The form, with nothing of a trade before. */
export const COMPOSING = {
  stage: "compose",
  busy: null,
  build: null,
  moved: null,
  renewed: null,
  asked: null,
  isHeld: false,
  stepsDone: [],
  questions: [],
  prompts: 0,
  mostLostBps: null,
  pair: null,
  failure: null,
  refusal: null,
  shown: null,
  trade: null,
  notice: null,
  stayed: null,
} satisfies Partial<State>;

/** Where the page trades, and what it begins with. */
export function placeOf({ chains }: Pick<SandboxConfig, "chains">): Pick<State, "chain" | "chains" | "src" | "dest"> {
  const chain = chains[0]!;
  const tokens = chain.tokens.filter(({ kind }) => kind !== "native");
  return {
    chain,
    chains,
    src: tokens.find(({ kind }) => kind === "permit") ?? tokens[0]!,
    dest: tokens.find(({ symbol }) => symbol === "WETH") ?? tokens[1]!,
  };
}

/** The page before anything was asked. */
export function firstState(): State {
  return {
    starting: "config",
    ...placeOf({ chains: [PLACE] }),
    wallets: [],
    wallet: null,
    walletChainId: null,
    sandbox: null,
    account: null,
    hasCode: false,
    consent: null,
    together: false,
    online: true,
    tab: "swap",
    side: "SELL",
    amountText: "100",
    beneficiaryText: null,
    slippageBps: 50,
    path: "fallback",
    spending: "approve",
    permit2: null,
    ...firstTerms,
    quote: null,
    samples: {},
    comparison: null,
    way: null,
    alternative: null,
    acceptsPromise: false,
    accepted: [],
    quotedAt: 0,
    quoting: true,
    waitSecs: 0,
    ageSecs: 0,
    balances: {},
    worths: {},
    leftForGas: null,
    ...COMPOSING,
    errands: [],
    trades: [],
    unreadable: [],
    moves: {},
    journal: "stored",
    orders: null,
    listed: "all",
    attack: null,
    score: {},
    attackShown: false,
    unknownAttack: null,
  };
}

/** The amount as typed: raw units of the side it was typed on, or what is wrong with it. */
export function amountOf(state: State): ReturnType<typeof readAmount> {
  const token = state.side === "SELL" ? state.src : state.dest;
  return readAmount(state.amountText, token.symbol, token.decimals);
}

export function balanceKey({ chainId, address }: Token): string {
  return `${chainId}/${address}`;
}

export function balanceOf(state: State, token: Token): Amount | null {
  return state.balances[balanceKey(token)] ?? null;
}

/** What `amount` of a token is worth, by the quotes of this session; null if none told. */
export function worthOf(state: State, token: Token, amount: Amount): string | null {
  const known = state.worths[balanceKey(token)];
  return known ? worth(amount, known.amount, known.usd) : null;
}

/** What the account has deposited with Delta in the native token; null if nothing. */
export function depositOf({ chain, balances }: State): Amount | null {
  const amount = balances[`${chain.chainId}/${chain.wrappedNative}`];
  return amount === undefined || amount === "0" || chain.tokens.some(({ address }) => address === chain.wrappedNative)
    ? null
    : amount;
}

/** The order in its own view. */
export function orderShown({ stage, errands, shown }: State): OrderErrand | null {
  const errand = stage === "progress" ? errands.find(({ id }) => id === shown) : undefined;
  return errand?.kind === "order" ? errand : null;
}

/** Where that order is shown: in its own view, or in a list beside the form. */
export function viewOf(state: State, orderHash: string): Stage {
  return orderShown(state)?.id === orderHash ? "progress" : "compose";
}

/** The transaction in its own view. */
export function sentShown({ stage, errands, shown }: State): SentErrand | null {
  const errand = stage === "sent" ? errands.find(({ id }) => id === shown) : undefined;
  return errand?.kind === "transaction" ? errand : null;
}

/** Whether the order under review is consented to by a transaction. */
export function isConsent({ build, consent, together }: State): boolean {
  return build?.kind === "delta" && (consent === null ? together : consent === "transaction");
}

/** Whether one prompt approves what the build lacks, and does the rest. */
export function isOnePrompt(state: State): boolean {
  return state.together && (state.build?.kind !== "delta" || isConsent(state));
}

export function isPriced(build: Build | null): build is Priced {
  return build?.kind === "delta" || build?.kind === "market";
}

/** What the user waits for: what is held back waits for them. */
export function waitsFor({ busy, isHeld }: State): Busy | null {
  return isHeld ? null : busy;
}

export function isNative({ kind }: Token): boolean {
  return kind === "native";
}

export function isCrosschain({ src, dest }: Pick<State, "src" | "dest">): boolean {
  return src.chainId !== dest.chainId;
}

/** A way of a gasless trade: what it brings, and across chains over which bridge. */
export type Route = DeltaQuote["alternatives"][number];

/** The recommended route, and then the others. */
export function routesOf(quote: DeltaQuote): Route[] {
  return [quote, ...quote.alternatives];
}

/** The route that was chosen, or else the recommended one. */
export function routeOf({ quote, alternative }: Pick<State, "quote" | "alternative">): Route | null {
  if (quote?.kind !== "delta") return null;
  return (alternative === null ? null : quote.alternatives[alternative]) ?? quote;
}

/** Whether only the bridge promises what arrives by the chosen route. */
export function isPromised(state: State): boolean {
  return routeOf(state)?.arrival === "promised";
}

/** Whether the wallet would have to move to another chain first. */
export function isOnOtherChain({ walletChainId, chain }: State): boolean {
  return walletChainId !== null && walletChainId !== chain.chainId;
}

export function isStale(state: State): boolean {
  return state.quote !== null && state.ageSecs >= QUOTE_LIFE_SECS;
}

/** The token at an address of one of the chains; of one that was not read, amounts are raw units. */
export function tokenAt(chains: Chain[], chainId: number, address: string): Token {
  const { tokens = [] } = chains.find((chain) => chain.chainId === chainId) ?? {};
  const token = tokens.find((known) => known.address.toLowerCase() === address.toLowerCase());
  return (
    token ?? {
      chainId,
      symbol: messages.form.picker.units(short(address)),
      name: address,
      address: address as Address,
      decimals: 0,
      kind: "unread",
    }
  );
}

/** Its symbol, where an amount of it is not told or its decimals are known from elsewhere. */
export function symbolAt(chains: Chain[], chainId: number, address: string): string {
  const { kind, symbol } = tokenAt(chains, chainId, address);
  return kind === "unread" ? short(address) : symbol;
}

/** The most characters of a name that the package takes. */
const MOST_NAMED = 64;

/** What the package is told that a token is called. It shows the address beside a name that it does not know itself. */
export function nameOf({ kind, calls, symbol }: Token): string | undefined {
  return kind === "unread" ? undefined : [...(calls ?? symbol)].slice(0, MOST_NAMED).join("");
}

/** Whether no list has it. */
export function isUnlisted({ kind }: Token): boolean {
  return kind === "unknown" || kind === "unread";
}

/** The tokens of a request: the form may have others by now. */
export function tokensAsked(
  chains: Chain[],
  request: Pick<QuoteRequest, "chainId" | "destChainId" | "srcToken" | "destToken">,
): NonNullable<State["pair"]> {
  const { chainId, destChainId = chainId, srcToken, destToken } = request;
  return { src: tokenAt(chains, chainId, srcToken), dest: tokenAt(chains, destChainId, destToken) };
}

export function chainName({ chains }: State, chainId: number): string {
  return chains.find((chain) => chain.chainId === chainId)?.name ?? messages.start.unknownChain(chainId);
}

/** The package's sentence with the names of the chains that only this page knows, and times by the visitor's clock. */
export function nameChains(state: State, sentence: string): string {
  return inLocalTime(sentence).replace(/\bchain (\d+)\b/g, (_, chainId) => chainName(state, Number(chainId)));
}

/** `0x12345678…9abc`. */
export function short(hex: string): string {
  return hex.length > 14 ? `${hex.slice(0, 6)}…${hex.slice(-4)}` : hex;
}
