import { parseAddress, type Address } from "verified-swap";
import type { Chain, Token } from "../sandbox/sandbox.ts";
import { balanceKey, short, type State } from "../state/state.ts";
import type { Store } from "../state/store.ts";
import { askNode } from "./node.ts";

/* Tokens that no list knows: read from the chain by their address, marked with it, and kept in this browser. And which
   were used last. */

export interface Tokens {
  /** The address that a text is; null if it is none. */
  addressIn(text: string): Address | null;
  /** What the contract at this address says of itself; null if it is no token. */
  read(chainId: number, address: Address): Promise<Token | null>;
  /** The user chose it: it is listed from now on, and among the recent ones. */
  use(token: Token): void;
  /** Keys of the tokens that were chosen last, the latest first. */
  recent(): string[];
}

const OWN = "own-tokens";
const RECENT = "recent-tokens";
const MOST_RECENT = 4;
const LONGEST_NAME = 40;
/** More than that no amount can have. */
const MOST_DECIMALS = 77;

const DECIMALS = "0x313ce567";
const SYMBOL = "0x95d89b41";
const NAME = "0x06fdde03";

export function createTokens(store: Store<State>): Tokens {
  function addressIn(text: string): Address | null {
    try {
      return parseAddress(text.trim());
    } catch {
      return null;
    }
  }

  async function readToken(chainId: number, address: Address): Promise<Token | null> {
    const chain = store.get().chains.find((one) => one.chainId === chainId);
    if (!chain) return null;
    const call = (data: string): Promise<unknown> => askNode(chain, "eth_call", [{ to: address, data }, "latest"]);
    const [decimals, text, name] = await Promise.all([
      call(DECIMALS).then(numberIn),
      call(SYMBOL).then(textIn),
      call(NAME).then(textIn, () => null),
    ]).catch(() => [null, null, null]);
    const symbol = text?.replace(/\s/g, "");
    if (decimals == null || !symbol) return null;
    return marked({ chainId, address, symbol, name: name || symbol, decimals, kind: "unknown" });
  }

  function change(changed: (chain: Chain) => Chain): void {
    const { chains, chain } = store.get();
    const all = chains.map(changed);
    store.set({ chains: all, chain: all.find(({ chainId }) => chainId === chain.chainId) ?? chain });
  }

  function use(token: Token): void {
    if (token.kind === "unknown") {
      const others = kept(OWN).filter((one) => isToken(one) && balanceKey(one) !== balanceKey(token));
      keep(OWN, [{ ...token, symbol: token.calls }, ...others]);
      change((chain) => withTokens(chain, [token]));
    }
    keep(RECENT, [balanceKey(token), ...recent().filter((key) => key !== balanceKey(token))].slice(0, MOST_RECENT));
  }

  return { addressIn, read: readToken, use, recent };
}

/** The chains with the tokens that the user added here before. */
export function withOwnTokens(chains: Chain[]): Chain[] {
  const own = kept(OWN).filter(isToken).map(marked);
  return chains.map((chain) => withTokens(chain, own));
}

function withTokens(chain: Chain, added: Token[]): Chain {
  const known = new Set(chain.tokens.map(({ address }) => address));
  const more = added.filter(({ chainId, address }) => chainId === chain.chainId && !known.has(address));
  return more.length === 0 ? chain : { ...chain, tokens: [...chain.tokens, ...more] };
}

/** Letters that cannot be taken for others, and no figure before them. */
const PLAIN = /^[A-Za-z][A-Za-z0-9.+$-]{0,10}$/;

/**
 * A token of no list may call itself as it likes: wherever its symbol is shown, its address is with it. Letters of other
 * scripts may look like ours, or turn the figure beside them around: such a token is called by its address alone.
 */
function marked(token: Token): Token {
  const { symbol: calls, address, name } = token;
  const symbol = PLAIN.test(calls) ? `${calls}(${short(address)})` : short(address);
  return { ...token, calls, symbol, name: /^[ -~]+$/.test(name) ? name : symbol };
}

function recent(): string[] {
  return kept(RECENT).filter((key) => typeof key === "string");
}

function kept(name: string): unknown[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(name) ?? "[]");
    return Array.isArray(list) ? list : [];
  } catch {
    return [];
  }
}

function keep(name: string, list: unknown[]): void {
  try {
    localStorage.setItem(name, JSON.stringify(list));
  } catch {
    // Without storage a reload forgets them.
  }
}

/** Whether what was kept is a token: the storage may hold anything. */
function isToken(one: unknown): one is Token {
  if (typeof one !== "object" || one === null) return false;
  const { chainId, address, symbol, name, decimals, kind } = one as Partial<Record<keyof Token, unknown>>;
  return (
    typeof chainId === "number" &&
    typeof address === "string" &&
    /^0x[0-9a-fA-F]{40}$/.test(address) &&
    [symbol, name].every((text) => typeof text === "string") &&
    Number.isInteger(decimals) &&
    kind === "unknown"
  );
}

/** A `uint8` as a node returns it. */
function numberIn(word: unknown): number | null {
  const number = typeof word === "string" && /^0x[0-9a-f]{64}$/.test(word) ? Number(word) : null;
  return number !== null && number <= MOST_DECIMALS ? number : null;
}

/** A `string` as a node returns it, or the `bytes32` of old tokens; without what would disturb the text around it. */
function textIn(data: unknown): string | null {
  if (typeof data !== "string" || data.length < 66) return null;
  const bytes = Uint8Array.from(data.slice(2).match(/../g) ?? [], (pair) => parseInt(pair, 16));
  const wordAt = (start: number): number => Number(`0x${data.slice(2 + 2 * start, 66 + 2 * start)}`);
  const text = bytes.length === 32 ? bytes : bytes.slice(64, 64 + wordAt(32));
  return new TextDecoder()
    .decode(text)
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim()
    .slice(0, LONGEST_NAME);
}
