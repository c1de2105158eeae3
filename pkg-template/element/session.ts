// The parts of one element that outlive its views: the client, the controller, the tokens, the wallets.
import { createClient } from "verified-swap";
import { membersOf } from "../src/module.ts";
import { createSwap } from "../src/swap.ts";
import type { Client } from "../src/types/client.ts";
import type { SwapChain, VerifiedSwapEvents, VerifiedSwapProperties } from "../src/types/element.ts";
import type { TradeError } from "../src/types/errors.ts";
import type { OpeningClient } from "../src/types/setup.ts";
import type { Swap, SwapEntry, SwapForm, SwapRefusal, SwapState, SwapToken } from "../src/types/swap.ts";
import { knownChains } from "./chains.ts";
import { openWallets, type Wallets } from "./wallets/store.ts";

/** The attributes and properties of an element. */
export interface Given extends Omit<Required<VerifiedSwapProperties>, "client" | "theme"> {
  client: NonNullable<VerifiedSwapProperties["client"]>;
}

/** Sends an event of the element. */
export type Emit = <Name extends keyof VerifiedSwapEvents>(name: Name, detail: VerifiedSwapEvents[Name]["detail"]) => void;

/** The tokens of a form. */
type Pair = Pick<SwapForm, "src" | "dest">;

/** The pause before a list of tokens is asked for again. */
const RELIST_MS = 30_000;

/** The parts of one element; `openSession` makes it. */
export class Session {
  readonly swap: Swap;
  readonly client: Client | OpeningClient;
  /** The app's tokens, and from when they are there those of the service. */
  tokens: readonly SwapToken[];
  wallets: Wallets;
  #given: Given;
  #listed: readonly SwapToken[] = [];
  readonly #silence: () => void;
  isClosed = false;

  constructor(given: Given, client: Client | OpeningClient, pair: Pair, emit: Emit) {
    this.#given = given;
    this.client = client;
    this.tokens = given.tokens;
    this.swap = createSwap({ client, form: { ...pair, amount: given.amount }, tokens: given.tokens });
    this.wallets = openWallets(this.swap, given.wallet);
    this.#silence = this.swap.subscribe(reporter(this.swap.state, emit));
  }

  /** Takes more of the service's tokens. */
  list(tokens: readonly SwapToken[]): void {
    this.#listed = [...this.#listed, ...tokens];
    this.tokens = [...this.#given.tokens, ...this.#listed];
  }

  /** Takes the attributes and properties as they are now. */
  update(given: Given): void {
    const before = this.#given;
    this.#given = given;
    if (given.tokens !== before.tokens) this.list([]);
    if (given.wallet !== before.wallet) {
      this.wallets.close();
      void this.swap.connect(null).catch(() => {});
      this.wallets = openWallets(this.swap, given.wallet);
    }
    const isMoved = given.src !== before.src || given.dest !== before.dest;
    const pair = isMoved && pairOf(given, this.tokens);
    if (pair) this.swap.change(pair);
    if (given.amount !== before.amount) this.swap.change({ amount: given.amount, side: "SELL" });
  }

  close(): void {
    this.isClosed = true;
    this.#silence();
    this.wallets.close();
    const closed = this.swap.close();
    // A client of the app's is closed by the app; its own one posts before what the wallet is asked for now.
    if (this.client !== this.#given.client) void closed.then(() => this.client).then((opened) => opened.close(), () => {});
  }
}

/** Opens the parts of an element; `changed` is called once the service's tokens are there. Rejects without two tokens to begin with. */
export async function openSession(given: Given, emit: Emit, changed: (session: Session) => void): Promise<Session> {
  const client = "quote" in given.client ? given.client : createClient(given.client);
  const pair = pairOf(given, given.tokens);
  const first = pair ? null : await listTokens(client, given, given.tokens);
  const all = [...given.tokens, ...(first?.tokens ?? [])];
  if (first?.failure && all.length < 2) throw Object.assign(new Error("no list of tokens", { cause: first.failure }), { name: "NoTokens" });
  const session = new Session(given, client, pair ?? pairOf(given, all) ?? firstPair(all), emit);
  const take = ({ tokens, failure }: Lists): void => {
    if (session.isClosed) return;
    session.list(tokens);
    changed(session);
    // A token of a list that did not come would seem to be in none. One that the service refuses will not come.
    if (membersOf(failure)?.action === "retry") setTimeout(list, RELIST_MS);
  };
  const list = (): void => void listTokens(client, given, session.tokens).then(take);
  if (first) take(first);
  else list();
  return session;
}

/** The chains to choose from: the app's, or those of its tokens by their usual names. */
export function chainsOf({ chains, tokens, src, dest }: Pick<Given, "chains" | "tokens" | "src" | "dest">): readonly SwapChain[] {
  if (chains.length > 0) return chains;
  const named = [src, dest].map((place) => Number(place.split(":")[0])).filter((id) => id > 0);
  const ids = new Set([...tokens.map(({ chainId }) => chainId), ...named]);
  return knownChains(ids.size > 0 ? [...ids] : [1]);
}

/** Lists of tokens; `failure`: the reason why one did not come. */
interface Lists {
  tokens: SwapToken[];
  failure: unknown;
}

/** The service's tokens of each chain of which there are none. */
async function listTokens(client: Client | OpeningClient, given: Given, listed: readonly SwapToken[]): Promise<Lists> {
  const lacking = chainsOf(given).filter(({ chainId }) => !listed.some((token) => token.chainId === chainId));
  const lists = await Promise.allSettled(lacking.map(async ({ chainId }) => {
    const { tokens } = await (await client).info.tokens({ chainId });
    return tokens.map(({ address, symbol, decimals, name, logoURI }) => ({ chainId, address, symbol, decimals, name, logoURI }));
  }));
  const [failure = null] = lists.flatMap((list) => (list.status === "rejected" ? [list.reason] : []));
  return { tokens: lists.flatMap((list) => (list.status === "fulfilled" ? list.value : [])), failure };
}

/** The two tokens that the attributes name; undefined if one of them is not among these. */
function pairOf({ src, dest }: Given, tokens: readonly SwapToken[]): Pair | undefined {
  const find = (place: string): SwapToken | undefined =>
    tokens.find(({ chainId, address }) => `${chainId}:${address}`.toLowerCase() === place.toLowerCase());
  const [paid, received] = [find(src), find(dest)];
  if (paid && received) return { src: paid, dest: received };
  return !src && !dest && tokens.length > 1 ? firstPair(tokens) : undefined;
}

function firstPair(tokens: readonly SwapToken[]): Pair {
  const [src] = tokens;
  const dest = tokens.find((token) => token !== src && token.chainId === src?.chainId) ?? tokens[1];
  if (!src || !dest) throw new Error("there are no two tokens to begin with");
  return { src, dest };
}

/** A listener that makes the element's events of what changed from one state to the next. */
function reporter(first: SwapState, emit: Emit): (state: SwapState) => void {
  let before = first;
  let refused: TradeError | null = null;
  return (state) => {
    const last = before;
    before = state;
    const failure = state.failure ?? state.entry?.failure ?? null;
    if (failure && failure !== (last.failure ?? last.entry?.failure)) emit("error", failure.error);
    const refusal = state.refusal ?? refusedPrice(state);
    if (refusal && refusal.error !== refused) emit("refused", refusal);
    refused = refusal?.error ?? refused;
    if (state.review && state.review.build !== last.review?.build) emit("review", state.review);
    if (state.activity === last.activity) return;
    for (const entry of state.activity.entries) if (isEvent(entry, state, last)) emit("trade", entry);
  };
}

/** Whether a trade is new, or its state. Those that a list is read with, or one more page of it, are of the past. */
function isEvent(entry: SwapEntry, { entry: shown }: SwapState, { activity: { entries, isFetching } }: SwapState): boolean {
  const known = entries.find(({ id }) => id === entry.id);
  if (known) return known.state !== entry.state || known.status !== entry.status;
  const newest = Math.max(0, ...entries.map(({ startedAt }) => startedAt ?? 0));
  return entry.id === shown?.id || (!isFetching && (entry.startedAt ?? 0) > newest);
}

/** The refusal of the form's price, which it shows as a failure until the user compares. */
function refusedPrice({ view, failure, quote, figures }: SwapState): SwapRefusal | null {
  return view === "form" && failure?.remedies.includes("compare") ? { error: failure.error, quote, figures, prompts: 0 } : null;
}
